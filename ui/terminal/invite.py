"""The page that invites latecomers: the code for phones, drawn black on white, with what can be typed instead beside it."""

from __future__ import annotations

from .boxes import Box
from .grid import Line
from .lobby import private_line
from .local import Local


def invite_page(local: Local) -> Box:
    """Return the code of this host's page where it has told of one, and for a private table its name and the command to join it."""
    words, room = local.words, local.room
    body = [_beside(row, beside) for row, beside in _rows(local, room.web[0])] if room is not None and room.web else []
    if room is not None and room.private:  # below the code, which has to be seen whole
        body += [private_line(room, local), [(f"{words('ui.lobby.address')} ", "dim"), (room.address, "name")]]
    return Box("invite", words("ui.do.invite"), body, foot=words("ui.foot.page"), sticky=True)


def _rows(local: Local, url: str) -> list[tuple[str, str]]:
    """Return the lines of the code (none without the package that makes it, or without block characters) and the text beside each."""
    typed, _, letters = local.words.safe(url).partition("/m/")
    told = [typed, "", local.words("ui.invite.code", code=letters)] if letters else [typed]
    if local.words.glyphs.letters:
        return [("", text) for text in told]
    try:
        from carteado.ui.web.qr import capitals, lines
    except ModuleNotFoundError:
        return [("", text) for text in told]
    code = lines(capitals(url))
    first = max(0, (len(code) - len(told)) // 2)
    return [(row, told[number - first] if first <= number < first + len(told) else "") for number, row in enumerate(code)]


def _beside(row: str, text: str) -> Line:
    return [(row, "scan"), (f"  {text}" if row else text, "")]
