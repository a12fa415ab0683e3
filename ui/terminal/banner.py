"""What is wrong with the table, in one line each above the prompt: a lost line, people who are away and for how long, a host that waits."""

from __future__ import annotations

from .grid import Line
from .local import Local
from .room import Chair
from .words import Words


def clock_said(seconds: int) -> str:
    """Return seconds as people read a clock: `9s`, `42s`, `2:05`, `1:00:00`."""
    if seconds < 100:
        return f"{seconds}s"
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def host_troubles(local: Local) -> list[Line]:
    """Return what is wrong with the line to the host, and with the host."""
    words = local.words
    lines: list[Line] = []
    if local.link.state in ("lost", "connecting"):
        lines.append(_line(local, words("ui.banner.closed" if local.link.closed else "ui.banner.lost")))
    if local.distrusted:
        lines.append(_line(local, words("ui.witness")))
    return lines


def troubles(local: Local) -> list[Line]:
    """Return what keeps the table from going on, the nearest first."""
    words, room = local.words, local.room
    lines = host_troubles(local)
    if room is None:
        return lines
    if room.proof is not None and room.proof.state == "failed":
        lines.append(_line(local, words("ui.banner.unfair", n=room.proof.hand)))
    if room.stage == "frozen":
        lines.append(_line(local, words("ui.banner.frozen")))
    if local.link.state not in ("lost", "gone"):  # else nobody counts what is known of the others
        lines.extend(_line(local, away_said(words, chair)) for chair in room.chairs if chair.line == "away" and not chair.bot)
    return lines


def away_said(words: Words, chair: Chair) -> str:
    """Return who is away, how long the table waits, and what then."""
    who = words.safe(chair.name)
    if chair.substitute:
        return words("ui.banner.substitute", name=who)
    if chair.left is None:
        return words("ui.banner.away", name=who)
    return words("ui.banner.away.left", name=who, time=clock_said(chair.left))


def _line(local: Local, text: str) -> Line:
    return [(f"{local.words.glyphs.cross} {text}", "notice bad")]
