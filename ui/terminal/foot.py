"""The lowest lines of the screen: the sentence that says what is wanted, the buttons, the keys or a notice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .banner import troubles
from .filling import prompt_of, wanted
from .grid import Line, line_width
from .offers import SPARE, Offer, is_tool
from .room import STANDING
from .scene import Scene
from .seats import Piece, flow_pieces
from .text import flow, wrap


@dataclass(frozen=True)
class Foot:
    """The lowest lines, laid out."""

    prompt: list[Line]
    buttons: list[list[Piece]]
    last: list[list[Piece]]
    loud: bool
    banner: list[Line]

    @property
    def height(self) -> int:
        """Return how many lines it takes."""
        return len(self.banner) + len(self.prompt) + len(self.buttons) + len(self.last)


def lay_foot(scene: Scene, wide: int, spare: bool) -> Foot:
    """Lay the lowest lines out; nothing of the prompt is ever left out. `spare` keeps two lines for it, so that the hand stays put."""
    loud = scene.local.notice is None and (prompt_of(scene.view) is not None or scene.local.armed is not None)
    prompt = wrap(prompt_line(scene), wide - 2)
    banner = [part for line in troubles(scene.local) for part in wrap(line, wide - 2)][:3]
    if spare and len(prompt) == 1 and not banner:
        prompt.append([])
    return Foot(prompt, _button_rows(scene, wide - 2), _last_rows(scene, wide - 2), loud, banner)


def paint_foot(scene: Scene, y: int, foot: Foot) -> None:
    """Draw the lowest lines from `y` on."""
    grid = scene.grid
    for line in foot.banner:
        grid.spans(1, y, line, "notice bad")
        y += 1
    for line in foot.prompt:
        grid.spans(1, y, line, "prompt mine" if foot.loud else "prompt")
        y += 1
    for pieces in (*foot.buttons, *foot.last):
        x = 1
        for line, hit in pieces:
            x = grid.spans(x, y, line, hit=hit) + 2
        y += 1


def prompt_line(scene: Scene) -> Line:
    """Return the sentence that says whose turn it is and what is wanted."""
    local, view, words = scene.local, scene.view, scene.words
    room = local.room
    if local.armed is not None:
        name = local.armed.missing()
        if name is not None:
            return words.line(wanted(local.armed, name))
    if view["phase"] == "over" or view.get("end"):
        return words.line(["ui.prompt.over", {}])
    if room is not None and room.stage == "broken" and room.why:
        return [(words.safe(room.why), "")]
    if view["phase"] == "broken":
        return words.line(["ui.prompt.broken", {}])
    if room is not None and room.stage in STANDING:
        return words.line([f"ui.prompt.{room.stage}", {}])
    if room is not None and room.stage == "between":
        if "ready" not in room.may:
            return words.line(["ui.prompt.next_hand", {}])
        if room.deal_in is not None:
            return words.line(["ui.prompt.ready_in", {"n": room.deal_in}])
        return words.line(["ui.prompt.ready", {}])
    told = (view.get("layout") or {}).get("prompt")
    if told is not None:
        return words.line(told)
    prompt = prompt_of(view)
    if prompt is not None:
        stage = f"stage.{prompt['stage']}"
        return words.line([stage if words.has(stage) else "ui.prompt.turn", {}])
    asked = [{"$player": seat["seat"]} for seat in view["seats"] if seat.get("asked")]
    if asked:
        return words.line(["ui.prompt.wait", {"who": {"$list": asked}, "n": len(asked)}])
    return words.line(["ui.prompt.dealing", {}])


def button_line(scene: Scene, offer: Offer) -> Line:
    """Return one button as text."""
    focus = scene.local.focus == offer.hit
    style = "button"
    if offer.blocked:
        style += " blocked"
    elif offer.ready or (offer.default and scene.local.armed is None):
        style += " ready"
    if focus:
        style += " focus"
    key = _key_name(scene, offer.key or scene.glyphs.enter)
    lead = scene.glyphs.focus if focus else ""
    # What cannot be used now has no brackets, so that it shows without colours too.
    # A bracket as a key stands in round ones.
    opened, closed = ("(", ")") if key in "[]" else ("[", "]")
    return [(f"{lead}{key}" if offer.blocked else f"{lead}{opened}{key}{closed}", f"{style} key"), (f" {offer.label}", style)]


def _button_rows(scene: Scene, wide: int) -> list[list[Piece]]:
    words, glyphs = scene.words, scene.glyphs
    if scene.local.armed is not None:
        confirm: Line = [(f"[{glyphs.enter}]", "button ready key"), (f" {words('ui.do.confirm')}", "button ready")]
        back: Line = [(f"[{words('ui.key.escape')}]", "button key"), (f" {words('ui.do.back')}", "button")]
        return [[(confirm, "do:confirm"), (back, "do:back")]]
    found = [offer for offer in scene.offers if offer.button]
    needed: list[Piece] = [(button_line(scene, offer), offer.hit) for offer in found if not (offer.name in SPARE or is_tool(offer))]
    rows = flow_pieces(scene, needed, wide, 2) or [[]]
    # The client's own buttons fill the last row up; where there is no room their keys still work.
    for offer in found:
        piece: Piece = (button_line(scene, offer), offer.hit)
        used = sum(line_width(line) + 2 for line, _ in rows[-1])
        if (offer.name in SPARE or is_tool(offer)) and used + line_width(piece[0]) <= wide:
            rows[-1].append(piece)
    return rows


def _last_rows(scene: Scene, wide: int) -> list[list[Piece]]:
    notice = scene.local.notice
    if notice is not None:
        sign = scene.glyphs.cross if notice.bad else scene.glyphs.point
        style = "notice bad" if notice.bad else "notice"
        told = scene.words.line(notice.message, style)
        return [[(line, "")] for line in wrap([(f"{sign} ", style), *told], wide)]
    hints = flow([[(hint, "keys")] for hint in key_hints(scene)], wide, 3)
    return [[(line, "")] for line in hints[:1]]


def key_hints(scene: Scene) -> Sequence[str]:
    """Return the keys that work everywhere, the most needed first; whole hints fall off where there is no room."""
    words = scene.words
    hints = []
    if scene.local.hand.faces:
        hints.append(words("ui.keys.card"))
        hints.append(words("ui.keys.mark"))
    hints.append(words("ui.keys.enter"))
    hints.append(words("ui.keys.tab"))
    hints.append(words("ui.keys.escape"))
    hints.extend(f"{_key_name(scene, offer.key)} {offer.label}" for offer in scene.offers if offer.name == "help")
    hints.extend(f"{_key_name(scene, offer.key)} {offer.label}" for offer in scene.offers if offer.name in _HINTED)
    return hints


_HINTED = ("rules", "points", "trick", "chat", "log", "palette", "quit")


def _key_name(scene: Scene, key: str) -> str:
    if len(key) > 1 and key[0] == "f" and key[1:].isdigit():
        return key.upper()
    if key.startswith("c-"):
        return f"^{key[2:].upper()}"
    return key
