"""The rules of a game: its Markdown text laid out as lines, opened where it tells of what is to be decided now."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from .boxes import Box
from .grid import Line
from .local import Local
from .pages import table_of

_MARK = re.compile(r"<!-- stages?: (.*?) *-->")
"""A line of the text that names the stages which the section after it tells of."""
_BOLD = re.compile(r"\*\*(.+?)\*\*|`([^`]+)`|\*(\S[^*]*?)\*")


@dataclass
class Laid:
    """A Markdown text as paragraphs, and where in them each stage of the game is told of."""

    lines: list[Line] = field(default_factory=list)
    stages: dict[str, int] = field(default_factory=dict)

    def section(self, stage: str) -> list[Line]:
        """Return the section that tells of a stage, up to the next heading; [] if there is none."""
        if stage not in self.stages:
            return []
        first = self.stages[stage]
        rest = self.lines[first + 1 :]
        last = next((place for place, line in enumerate(rest) if line[:1] and line[0][1] == "heading"), len(rest))
        section = [*self.lines[first : first + 1], *rest[:last]]
        return section[:-1] if not section[-1] else section


def markdown(source: str) -> Laid:
    """Lay a Markdown text out: headings, lists, bold words, tables as they stand."""
    laid = Laid()
    lines = laid.lines
    paragraph: list[str] = []
    table: list[list[Line]] = []

    def flush() -> None:
        if paragraph:
            lines.append(_inline(" ".join(paragraph)))
            paragraph.clear()
        if table:
            columns = max(len(row) for row in table)
            lines.extend(table_of([[*row, *([] for _ in range(columns - len(row)))] for row in table]))
            table.clear()

    for row in source.splitlines():
        text = row.strip()
        if not text:
            flush()
            if lines and lines[-1]:
                lines.append([])
        elif text.startswith("<!--"):
            flush()
            found = _MARK.match(text)
            for stage in found[1].split() if found else ():
                laid.stages.setdefault(stage, len(lines))
        elif text.startswith("#"):
            flush()
            lines.append([(text.lstrip("#").strip(), "heading")])
        elif text.startswith(("- ", "* ", "+ ")) or re.match(r"\d+[.)] ", text):
            flush()
            paragraph.append(re.sub(r"^[*+] ", "- ", text))
        elif text.startswith("|"):
            if paragraph:
                flush()
            if not set(text) <= set("|-: "):
                table.append([_inline(cell.strip()) for cell in text.strip("|").split("|")])
        else:
            if table:
                flush()
            paragraph.append(text)
    flush()
    while lines and not lines[-1]:
        lines.pop()
    return laid


def _inline(text: str) -> Line:
    line: Line = []
    last = 0
    for found in _BOLD.finditer(text):
        if found.start() > last:
            line.append((text[last : found.start()], ""))
        line.append((found[1] or found[2] or found[3], "strong"))
        last = found.end()
    if last < len(text):
        line.append((text[last:], ""))
    return line


def rules_page(local: Local, rules: str, stage: str = "") -> Box:
    """Return the rules of the game, opened at the section that tells of a stage."""
    words, laid = local.words, markdown(rules)
    body = [[(words.safe(text), style) for text, style in line] for line in laid.lines]
    none: list[Line] = [[(words("ui.rules.none"), "dim")]]
    return Box("rules", words("ui.do.rules"), body or none, foot=words("ui.foot.page"), sticky=True, at=laid.stages.get(stage, 0))
