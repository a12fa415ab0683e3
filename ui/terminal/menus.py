"""Boxes with something to choose: the blanks of a form, several forms, hints, the palette, leaving."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .boxes import NONE, Box, Entry, Item
from .filling import Filling, Form, numbers_of, wanted
from .grid import Line
from .local import Local
from .offers import Offer
from .pages import hint_lines, key_name
from .room import Price
from .scene import zone_of
from .words import Words

View = Mapping[str, Any]
Then = Callable[[Filling], None]

MENU_KEYS = "1234567890abcdefghijklmnopqrstuvwxyz"
PHRASES = 6
"""Phrases to say without typing."""
FEW = 12
"""Up to this many numbers are offered as a menu; more are typed in."""


def keyed(rows: Sequence[tuple[Line, Callable[[], None]]]) -> list[Item]:
    """Return entries with the keys 1, 2, 3..."""
    keys = MENU_KEYS
    return [Item(line, do, key=keys[n] if n < len(keys) else "") for n, (line, do) in enumerate(rows)]


def blank_box(view: View, local: Local, filling: Filling, name: str, then: Then) -> Box:
    """Return a box that asks for one blank (a choice, number, target or place) and goes on with the filling."""
    words = local.words
    blank = filling.form["fields"][name]
    title = words.text(filling.form["label"])
    body = [words.line(wanted(filling, name))]
    if blank["kind"] == "number" and len(numbers_of(blank)) > FEW:
        return _number_box(words, filling, name, title, body, then)

    def put(value: Any) -> Callable[[], None]:
        return lambda: then(filling.put(name, value))

    rows = [(line, put(value)) for line, value in blank_values(view, words, blank)]
    return Box("blank", title, body, keyed(rows), foot=words("ui.foot.menu"))


def blank_values(view: View, words: Words, blank: Mapping[str, Any]) -> list[tuple[Line, Any]]:
    """Return what may be filled into a blank: how each value is written, and the value."""
    kind = blank["kind"]
    if kind == "choice":
        return [(words.line(one["label"]), one["value"]) for one in blank["of"]]
    if kind == "number":
        return [([(str(number), "")], number) for number in numbers_of(blank)]
    if kind == "target":
        return [(zone_line(view, words, zone), zone) for zone in blank["zones"]]
    zone = zone_of(view, blank["zone"])
    cards = zone["cards"] if zone and zone["cards"] else []
    values: list[tuple[Line, Any]] = []
    for place in blank["places"]:
        face = cards[place] if place < len(cards) else ""
        token = [words.token(face)] if face and face != "?" else []
        values.append(([*token, (f"  {words('ui.place_number', n=place + 1)}", "dim")], place))
    return values


def zone_line(view: View, words: Words, name: str) -> Line:
    """Return a zone as one line: whose it is, what it is called, and its cards."""
    zone = zone_of(view, name)
    line: Line = []
    if zone is not None and zone["owner"] is not None:
        line.append((words.player(zone["owner"]) + ": ", "name"))
    line.append((words.zone(view, name), ""))
    if zone is not None and zone["cards"] and zone["kind"] in ("group", "row", "fan"):
        for face in zone["cards"]:
            line.extend([(" ", ""), (words.glyphs.back, "back") if face == "?" else words.token(face)])
    return line


def _number_box(words: Words, filling: Filling, name: str, title: str, body: list[Line], then: Then) -> Box:
    numbers = numbers_of(filling.form["fields"][name])
    box = Box("number", title, body, entry=Entry(limit=6), foot=words("ui.foot.entry"))
    range_told = words("ui.ask.number.range", low=numbers[0], high=numbers[-1])
    body.append([(range_told, "dim")])

    def submit(text: str) -> None:
        try:
            number = int(text)
        except ValueError:
            number = None
        if number is None or number not in numbers:
            told = range_told
            if number is not None and numbers[0] < number < numbers[-1]:
                below, above = max(n for n in numbers if n < number), min(n for n in numbers if n > number)
                told = words("ui.ask.number.none", n=number, below=below, above=above)
            box.body[-1] = [(told, "warn")]
            return
        then(filling.put(name, number))

    box.submit = submit
    return box


def forms_box(local: Local, fillings: Sequence[Filling], then: Then) -> Box:
    """Return a box that asks which of several forms is meant."""

    def take(filling: Filling) -> Callable[[], None]:
        return lambda: then(filling)

    rows = [(local.words.line(filling.form["label"]), take(filling)) for filling in fillings]
    return Box("forms", local.words("ui.which"), [], keyed(rows), foot=local.words("ui.foot.menu"))


def proposal_box(local: Local, filling: Filling, accept: Callable[[], None], build: Callable[[], None]) -> Box:
    """Return a box that shows how the game would fill a form in, to be taken or not."""
    words = local.words
    name = next((name for name, blank in filling.form["fields"].items() if blank["kind"] == "groups"), None)
    body: list[Line] = []
    if name is not None:
        for like, group in zip(filling.form["fields"][name]["like"], filling.values.get(name, ()), strict=False):
            line = [*words.line(like), (":", "")]
            for face in group:
                line.extend([(" ", ""), words.token(face)])
            body.append(line)
    rows: list[tuple[Line, Callable[[], None]]] = [
        ([(words("ui.proposal.take"), "")], accept),
        ([(words("ui.proposal.own"), "")], build),
    ]
    return Box("proposal", words.text(filling.form["label"]), body, keyed(rows), foot=words("ui.foot.menu"))


def sure_box(local: Local, filling: Filling, instead: Form, do: Callable[[], None]) -> Box:
    """Return the question whether a player really wants this, while something better could be done."""
    words = local.words
    rows: list[tuple[Line, Callable[[], None]]] = [
        ([(words("ui.sure.no"), "")], lambda: None),
        ([(words("ui.sure.yes", form=filling.form["label"]), "")], do),
    ]
    body = [words.line(["ui.sure", {"form": instead["label"]}])]
    return Box("sure", words.text(filling.form["label"]), body, keyed(rows), foot=words("ui.foot.menu"))


def hints_box(view: View, local: Local, act: Callable[[Mapping[str, Any]], None]) -> Box:
    """Return the game's hints; choosing one does it."""

    def follow(action: Mapping[str, Any] | None) -> Callable[[], None]:
        return (lambda: act(action)) if action else lambda: None

    items: list[Item] = []
    body: list[Line] = []
    for line, action in hint_lines(view, local):
        if action:
            items.append(Item(line, follow(action), key=MENU_KEYS[len(items)] if len(items) < len(MENU_KEYS) else ""))
        else:
            body.append(line)
    return Box(
        "hint", local.words("ui.do.hint"), body, items, foot=local.words("ui.foot.menu" if items else "ui.foot.page")
    )


def palette_box(local: Local, found: Sequence[Offer], do: Callable[[Offer], None]) -> Box:
    """Return the list of everything that can be done, narrowed down by typing."""

    def take(offer: Offer) -> Callable[[], None]:
        return lambda: do(offer)

    room = max((len(key_name(offer.key, offer.second)) for offer in found), default=0)
    items = []
    for offer in found:
        if offer.name == "palette":
            continue
        keys = key_name(offer.key, offer.second)
        label: Line = [(f"{keys:<{room}}  ", "key"), (offer.label, "dim" if offer.blocked else "")]
        items.append(Item(label, take(offer), blocked=bool(offer.blocked), find=offer.label))
    words = local.words
    return Box("palette", words("ui.do.palette"), items=items, entry=Entry(), filters=True, foot=words("ui.foot.menu"))


def quit_box(local: Local, go: Callable[[], None], leave: Callable[[], None] | None, stay: Callable[[], None]) -> Box:
    """Return the question whether to go, whether the seat is kept, and what becomes of the others where the host goes too."""
    words = local.words
    going = words("ui.quit.end" if local.fleeting else "ui.quit.host" if local.hosting else "ui.quit.keep")
    items = [Item([(words("ui.quit.stay"), "")], stay, key="1"), Item([(going, "")], go, key="2")]
    if leave is not None and not local.fleeting:
        price = local.room.leaving if local.room is not None else None
        leaving: Line = [(words("ui.quit.leave"), "")]
        if price is not None:
            leaving += [(" ", ""), *price_said(words, price)]
        items.append(Item(leaving, leave, key="3"))
    return Box("quit", words("ui.do.quit"), host_ends(local), items, foot=words("ui.foot.menu"), sticky=True)


def host_ends(local: Local) -> list[Line]:
    """Return what happens to the others when this window takes the host with it, nothing where nobody else is there."""
    others = local.room.others if local.room is not None else 0
    return [[(local.words("ui.quit.others", n=others), "warn")]] if local.hosting and others else []


def fill_box(local: Local, levels: Sequence[str], usual: str, fill: Callable[[str], None]) -> Box:
    """Return the question how well the computer players on free chairs are to play."""
    words = local.words

    def take(level: str) -> Callable[[], None]:
        return lambda: fill(level)

    rows: list[tuple[Line, Callable[[], None]]] = [([(words.level(level), "")], take(level)) for level in levels]
    box = Box("fill", words("ui.home.how_good"), [], keyed(rows), foot=words("ui.foot.menu"), sticky=True)
    box.cursor = list(levels).index(usual) if usual in levels else 0
    return box


def price_said(words: Words, price: Price) -> Line:
    """Return what leaving for good would cost, and who plays on."""
    said = words("ui.quit.penalty", n=price.chips) if price.how == "penalty" else words(f"ui.quit.{price.how}")
    line: Line = [(said, "warn" if price.how in ("penalty", "loss") else "dim")]
    if price.how != "free" or price.substitute:
        line.append((" " + words("ui.quit.substitute" if price.substitute else "ui.quit.without"), "dim"))
    return line


def chat_box(local: Local, say: Callable[[str], None]) -> Box:
    """Return the line to chat in, below what was said last, and above a few phrases that an arrow and Enter say."""
    words = local.words
    body = [[(f"{name}: ", "name"), (text, "")] for name, text in local.chat[-8:]]

    def phrase(text: str) -> Callable[[], None]:
        return lambda: say(text)

    phrases = [words(f"ui.phrase.{number}") for number in range(1, PHRASES + 1)]
    items = [Item([(text, "dim")], phrase(text)) for text in phrases]
    return Box("chat", words("ui.do.chat"), body, items, NONE, entry=Entry(), submit=say, foot=words("ui.foot.chat"), sticky=True)
