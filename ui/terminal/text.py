"""Styled text in lines: wrapping, cutting, joining."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from wcwidth import wcwidth

from .grid import Line, Span, line_width, width


def plain(line: Iterable[Span]) -> str:
    """Return the text of a line without its styles."""
    return "".join(text for text, _ in line)


def cut(text: str, room: int, mark: str = "…") -> str:
    """Return a text shortened to `room` cells, with a mark at the end when something was left out."""
    if width(text) <= room:
        return text
    room -= width(mark)
    if room < 0:
        return ""
    used, kept = 0, []
    for char in text:
        cells = max(0, wcwidth(char))
        if used + cells > room:
            break
        used += cells
        kept.append(char)
    return "".join(kept).rstrip() + mark


def squeezed(line: Sequence[Span], room: int) -> Line:
    """Return a line of cards without the blanks between them if it is too long for `room` cells: signs tell where a card ends."""
    return list(line) if line_width(line) <= room else [span for span in line if span[0] != " "]


def cut_line(line: Sequence[Span], room: int, mark: str = "…") -> Line:
    """Return a line shortened to `room` cells, with a mark at the end when something was left out."""
    if line_width(line) <= room:
        return list(line)
    kept: Line = []
    left = room - width(mark)
    for text, style in line:
        cells = width(text)
        if cells > left:
            short = cut(text, left, "")
            if short:
                kept.append((short, style))
            break
        kept.append((text, style))
        left -= cells
    kept.append((mark, ""))
    return kept


def wrap(line: Sequence[Span], room: int) -> list[Line]:
    """Break a line at blanks so that no part is wider than `room` cells; nothing is left out.

    A word that is wider than a whole line is broken where the line ends. A line that fits keeps its blanks as they are.
    """
    room = max(1, room)
    if line_width(line) <= room and not any("\n" in text for text, _ in line):
        return [list(line)]
    lines: list[Line] = []
    current: Line = []
    used = 0
    for word in _words(line):
        if word == [("\n", "")]:
            lines.append(current)
            current, used = [], 0
            continue
        cells = line_width(word)
        gap = 1 if current else 0
        if current and used + gap + cells > room:
            lines.append(current)
            current, used, gap = [], 0, 0
        while cells > room:
            head, word = _split(word, room)
            lines.append(head)
            cells = line_width(word)
        if gap:
            current.append((" ", ""))
        current.extend(word)
        used += gap + cells
    if current or not lines:
        lines.append(current)
    return [_joined(part) for part in lines]


def wrap_text(text: str, room: int, style: str = "") -> list[Line]:
    """Break a plain text, which may hold line breaks, into lines of at most `room` cells."""
    return [part for row in text.split("\n") for part in wrap([(row, style)], room)]


def flow(parts: Sequence[Line], room: int, gap: int = 2) -> list[Line]:
    """Set whole parts side by side and start a new line where the next does not fit."""
    lines: list[Line] = []
    used = 0
    for part in parts:
        cells = line_width(part)
        if lines and used + gap + cells <= room:
            lines[-1].append((" " * gap, ""))
            lines[-1].extend(part)
            used += gap + cells
        else:
            lines.append(list(part))
            used = cells
    return lines


def _words(line: Sequence[Span]) -> list[Line]:
    """Split at blanks; a word keeps the spans it is made of."""
    words: list[Line] = []
    word: Line = []
    for text, style in line:
        for index, row in enumerate(text.split("\n")):
            if index:
                if word:
                    words.append(word)
                    word = []
                words.append([("\n", "")])
            pieces = row.split(" ")
            for number, piece in enumerate(pieces):
                if number and word:
                    words.append(word)
                    word = []
                if piece:
                    word.append((piece, style))
    if word:
        words.append(word)
    return words


def _split(word: Line, room: int) -> tuple[Line, Line]:
    head: Line = []
    rest: Line = []
    for text, style in word:
        for char in text:
            cells = max(0, wcwidth(char))
            if rest or cells > room:
                rest.append((char, style))
            else:
                head.append((char, style))
                room -= cells
    return _joined(head), _joined(rest)


def _joined(line: Line) -> Line:
    """Merge neighbours of one style."""
    merged: Line = []
    for text, style in line:
        if merged and merged[-1][1] == style:
            merged[-1] = (merged[-1][0] + text, style)
        else:
            merged.append((text, style))
    return merged
