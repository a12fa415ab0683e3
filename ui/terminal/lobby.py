"""The waiting room: chairs, who is ready, and what can be done before the first hand."""

from __future__ import annotations

from .banner import host_troubles
from .choices import HOUSE, option_said, value_said
from .grid import Grid, Line, line_width, width
from .local import Local
from .offers import offers
from .room import Chair, Room
from .seats import line_said
from .text import cut, cut_line, wrap

CHAIR_ROOM = 24


def paint_lobby(grid: Grid, local: Local) -> None:
    """Draw the waiting room, or the connection's state while there is none."""
    words, glyphs, room = local.words, local.words.glyphs, local.room
    grid.fill(0, 0, grid.width, 1, " ", "title")
    link = f"{glyphs.live if local.link.state == 'live' else glyphs.lost} {words(f'ui.link.{local.link.state}')}"
    title = words("ui.lobby.title", title=room.title) if room else words("ui.lobby.connecting")
    grid.put(1, 0, cut(title, grid.width - len(link) - 4, glyphs.more), "title")
    grid.put(grid.width - len(link) - 1, 0, link, "title live" if local.link.state == "live" else "title warn")
    if room is None:
        grid.put(2, 2, words("ui.lobby.connecting"), "dim")
        return
    left = max(3, (grid.width - 64) // 2)
    wide = grid.width - left - 2
    bottom = _foot_top(grid, local, room)
    people = len(room.chairs) + bool(room.watchers)
    head = [part for line in _address(room, local) for part in wrap(line, wide)]
    agreed = [part for line in _agreed(room, local) for part in wrap(line, wide)]
    spare = bottom - 2 - len(head) - people - 1
    if len(agreed) > spare:
        agreed = [*agreed[: max(0, spare - 1)], [(glyphs.more, "dim")]][: max(0, spare)]
    y = 2
    for part in [*head, *agreed]:
        grid.spans(left, y, part)
        y += 1
    y += 1
    step = 2 if y + 2 * people <= bottom else 1
    for chair in room.chairs:
        _paint_chair(grid, local, chair, left, y)
        y += step
    if room.watchers:
        grid.put(left + 2, y, words("ui.lobby.watchers", n=room.watchers), "dim")
    _paint_foot(grid, local, room)


def _address(room: Room, local: Local) -> list[Line]:
    lines: list[Line] = [private_line(room, local)] if room.private else []
    lines += [[(local.words("ui.lobby.address") + " ", "dim"), (room.address, "name")]] if room.address else []
    if room.key and local.hosting:
        lines.append([(local.words("ui.lobby.key") + " ", "dim"), (room.key, "name")])
    if room.web:
        lines.append([(local.words("ui.lobby.web") + " ", "dim"), (local.words.safe(room.web[0]), "name"), ("  [J]", "key")])
    return lines


def private_line(room: Room, local: Local) -> Line:
    """Return that only those find this table who are told its name, and the name."""
    return [(local.words("ui.lobby.private") + " ", "dim"), (room.id, "name")]


def _agreed(room: Room, local: Local) -> list[Line]:
    """Return what the table is played with, option by option, then its house rules."""
    words = local.words
    lines: list[Line] = []
    for name, value in room.options:
        lines.append([(f"{option_said(words, name)}: ", "dim"), (value_said(words, name, value), "")])
    lines.extend([(words(key, **args), "dim")] for key, args in room.terms)
    if room.house:
        lines.append([(f"{option_said(words, HOUSE)}: ", "dim"), (value_said(words, HOUSE, room.house), "")])
    return lines


def _paint_chair(grid: Grid, local: Local, chair: Chair, x: int, y: int) -> None:
    words, glyphs = local.words, local.words.glyphs
    empty = chair.line == "empty"
    name = words("ui.lobby.empty") if empty else words.safe(chair.name)
    if chair.bot:
        name += f" {glyphs.bot}"
    number = f"{chair.seat + 1}. "
    line: Line = [(number, "dim"), (cut(name, CHAIR_ROOM, glyphs.more), "dim" if empty else "seat")]
    line.append((" " * (CHAIR_ROOM + 4 - line_width(line)), ""))
    if chair.bot:
        line.append((words.level(chair.bot), "dim"))
    elif chair.line in ("lagging", "away"):
        line.append((line_said(words, chair), "warn"))
    elif not empty:
        ready = glyphs.tick if chair.ready else glyphs.lost
        line.append(
            (
                f"{ready} {words('ui.lobby.ready' if chair.ready else 'ui.lobby.not_ready')}",
                "live" if chair.ready else "dim",
            )
        )
    grid.spans(x + 2, y, cut_line(line, grid.width - x - 4, glyphs.more), hit=f"seat:{chair.seat}")


def _prompt(local: Local, room: Room) -> list[Line]:
    words = local.words
    free = sum(1 for chair in room.chairs if chair.line == "empty")
    if room.stage == "broken":
        prompt = words.safe(room.why) or words("ui.prompt.broken")
    elif free:
        prompt = words("ui.lobby.waiting", n=free)
    elif "start" in room.may:
        prompt = words("ui.lobby.full")
    else:
        prompt = words("ui.lobby.wait_start")
    return [*host_troubles(local), [(prompt, "prompt mine")]]


def _buttons(local: Local, wide: int) -> list[list[tuple[Line, str]]]:
    rows: list[list[tuple[Line, str]]] = [[]]
    used = 0
    for offer in offers(None, local):
        if offer.name not in ("ready", "start", "fill", "help", "quit", "chat", "rules"):
            continue
        key = offer.key if len(offer.key) == 1 else offer.key.upper()
        label: Line = [(f"[{key}]", "button key"), (f" {offer.label}", "button ready" if offer.default else "button")]
        cells = line_width(label)
        if rows[-1] and used + cells > wide:
            rows.append([])
            used = 0
        rows[-1].append((label, offer.hit))
        used += cells + 2
    return rows


def _foot_top(grid: Grid, local: Local, room: Room) -> int:
    """Return the first row of the prompt."""
    prompt = [part for line in _prompt(local, room) for part in wrap(line, grid.width - 2)]
    return grid.height - 1 - len(_buttons(local, grid.width - 2)) - len(prompt)


def _paint_foot(grid: Grid, local: Local, room: Room) -> None:
    words, glyphs = local.words, local.words.glyphs
    y = _foot_top(grid, local, room)
    for line in _prompt(local, room):
        for part in wrap(line, grid.width - 2):
            grid.spans(1, y, part)
            y += 1
    for row in _buttons(local, grid.width - 2):
        x = 1
        for label, hit in row:
            x = grid.spans(x, y, label, hit=hit) + 2
        y += 1
    notice = local.notice
    if notice is not None:
        sign = glyphs.cross if notice.bad else glyphs.point
        style = "notice bad" if notice.bad else "notice"
        told = cut_line([(f"{sign} ", style), *words.line(notice.message, style)], grid.width - 2, glyphs.more)
        grid.spans(1, grid.height - 1, told)
    elif local.chat:
        name, text = local.chat[-1]
        grid.spans(1, grid.height - 1, cut_line([(f"{name}: ", "name"), (text, "")], grid.width - 2, glyphs.more))


def paint_home(grid: Grid, local: Local) -> None:
    """Draw what lies behind the menu: the name of the program, and what went wrong last."""
    words, glyphs = local.words, local.words.glyphs
    grid.fill(0, 0, grid.width, 1, " ", "title")
    grid.put(1, 0, "carteado", "title")
    motto = words("ui.home.motto")
    grid.put(max(1, (grid.width - width(motto)) // 2), 2, motto, "dim")
    if local.notice is not None:
        style = "notice bad" if local.notice.bad else "notice"
        sign = glyphs.cross if local.notice.bad else glyphs.point
        told = wrap([(f"{sign} ", style), *words.line(local.notice.message, style)], grid.width - 2)
        for row, part in enumerate(told, grid.height - len(told)):
            grid.spans(1, row, part)
