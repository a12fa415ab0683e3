"""What stands beside or below the cards: panels of the game, log, chat."""

from __future__ import annotations

from .grid import Line, width
from .pages import score_lines
from .scene import Rect, Scene
from .text import cut, cut_line, wrap


def paint_heading(scene: Scene, x: int, y: int, wide: int, title: str) -> None:
    """Draw a title followed by a line."""
    title = cut(title, wide - 2, scene.glyphs.more)
    end = scene.grid.put(x, y, f"{title} ", "heading")
    scene.grid.put(end, y, scene.glyphs.rule * max(0, wide - width(title) - 1), "rule")


def log_lines(scene: Scene, wide: int, most: int) -> list[Line]:
    """Return the newest entries of the log, the newest last, broken to the width."""
    lines: list[Line] = []
    for message in reversed(scene.view["log"]):
        wrapped = wrap(scene.words.line(message), wide - 2)
        entry = [wrapped[0], *([("  ", ""), *rest] for rest in wrapped[1:])]
        if lines and len(lines) + len(entry) > most:
            break
        lines[:0] = entry[-most:]
        if len(lines) >= most:
            break
    return lines


def paint_log(scene: Scene, rect: Rect) -> None:
    """Draw the log with its heading."""
    if rect.high < 2:
        return
    paint_heading(scene, rect.x, rect.y, rect.wide, scene.words("ui.log"))
    scene.grid.touch(rect.x, rect.y, rect.wide, rect.high, "do:log")
    for row, line in enumerate(log_lines(scene, rect.wide, rect.high - 1), 1):
        scene.grid.spans(rect.x, rect.y + row, line, "log")


def game_panels(scene: Scene) -> list[tuple[str, list[Line]]]:
    """Return the game's panels as (title, lines)."""
    panels = (scene.view.get("layout") or {}).get("panels") or []
    return [
        (scene.words.text(panel["title"]), [scene.words.line(message) for message in panel["lines"]])
        for panel in panels
    ]


def paint_panels(scene: Scene, rect: Rect) -> int:
    """Draw the game's panels from the top and return the first free row; a panel that does not fit is shortened."""
    y = rect.y
    for title, lines in game_panels(scene):
        room = rect.bottom - y
        if room < 3:
            break
        paint_heading(scene, rect.x, y, rect.wide, title)
        y += 1
        wrapped = [part for line in lines for part in wrap(line, rect.wide)]
        # Only a panel that would not fit as it stands is cut, line by line.
        rows = wrapped if len(wrapped) <= room - 1 else [cut_line(line, rect.wide, scene.glyphs.more) for line in lines]
        for line in rows[: room - 1]:
            scene.grid.spans(rect.x, y, line, "panel")
            y += 1
        y += 1
    return min(y, rect.bottom)


def paint_lesson(scene: Scene, rect: Rect) -> int:
    """Draw what the guide said last, where it is read while one plays; return the first free row."""
    guide = scene.local.guide
    lesson = guide.last if guide is not None else []
    lines = [part for message in lesson for part in [*wrap(scene.words.line(message), rect.wide), []]]
    if not lines or len(lines) + 1 > rect.high:
        return rect.y
    paint_heading(scene, rect.x, rect.y, rect.wide, scene.words("ui.do.guide"))
    for row, line in enumerate(lines, 1):
        scene.grid.spans(rect.x, rect.y + row, line, "panel")
    return rect.y + len(lines) + 1


def panel_heights(scene: Scene) -> int:
    """Return the lines all panels of the game would take."""
    return sum(len(lines) + 2 for _, lines in game_panels(scene))


def paint_points(scene: Scene, rect: Rect) -> int:
    """Draw everybody's points where the game has no panel of its own; return the first free row."""
    lines = score_lines(scene.view, scene.local)
    if game_panels(scene) or rect.high < len(lines) + 2:
        return rect.y
    paint_heading(scene, rect.x, rect.y, rect.wide, scene.words("ui.do.points"))
    for row, line in enumerate(lines, 1):
        scene.grid.spans(rect.x, rect.y + row, cut_line(line, rect.wide, scene.glyphs.more), "panel")
    return rect.y + len(lines) + 2


def paint_side(scene: Scene, rect: Rect) -> None:
    """Draw the side of a wide screen: panels, log, chat."""
    for y in range(rect.y, rect.bottom):
        scene.grid.put(rect.x, y, scene.glyphs.side, "rule")
    inner = Rect(rect.x + 2, rect.y, rect.wide - 2, rect.high)
    chat = chat_lines(scene, inner.wide)
    chat_high = min(len(chat) + 1, 7) if chat else 0
    log_min = min(8, inner.high // 3)
    top = paint_lesson(scene, Rect(inner.x, inner.y, inner.wide, inner.high - chat_high - log_min))
    top = paint_panels(scene, Rect(inner.x, top, inner.wide, inner.bottom - top - chat_high - log_min))
    top = paint_points(scene, Rect(inner.x, top, inner.wide, inner.bottom - top - chat_high - log_min))
    paint_log(scene, Rect(inner.x, top, inner.wide, inner.bottom - top - chat_high - (1 if chat_high else 0)))
    if chat_high:
        y = inner.bottom - chat_high
        paint_heading(scene, inner.x, y, inner.wide, scene.words("ui.chat"))
        for row, line in enumerate(chat[-(chat_high - 1) :], 1):
            scene.grid.spans(inner.x, y + row, line, "chat")


def chat_lines(scene: Scene, wide: int) -> list[Line]:
    """Return what was said, broken to the width, the newest last."""
    lines: list[Line] = []
    for name, text in scene.local.chat[-12:]:
        lines.extend(wrap([(f"{name}: ", "name"), (text, "")], wide))
    return lines
