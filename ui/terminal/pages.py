"""The pages that open over the table: keys, points, the end of a hand and of a match."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .boxes import Box
from .cards import plain_row
from .filling import Message, hints_of
from .grid import Line, line_width, width
from .local import Local
from .offers import offers
from .room import Proof
from .scene import ordered
from .text import wrap
from .words import Words

View = Mapping[str, Any]

def score_lines(view: View, local: Local, badges: bool = False) -> list[Line]:
    """Return the players with their points and places, best place first where places are known, as a table."""
    words = local.words
    seats = sorted(view["seats"], key=lambda seat: (seat["place"] is None, seat["place"] or 0, seat["seat"]))
    chips = (view.get("end") or {}).get("chips")
    last = (view.get("result") or {}).get("points")
    layout = (view.get("layout") or {}).get("badges") or []
    rows: list[list[Line]] = []
    for seat in seats:
        number = seat["seat"]
        place = words("ui.place", n=seat["place"]) if seat["place"] is not None else ""
        row: list[Line] = [[(place, "strong")], [(words.player(number), "strong" if number == view.get("you") else "")]]
        if badges:
            row.append(
                [
                    span
                    for message in layout[number : number + 1]
                    for part in message
                    for span in (*words.line(part), (" ", ""))
                ]
            )
        row.append([(f"{seat['points']:>5}", "points")])
        gained, won = of_seat(last, number), of_seat(chips, number)
        row.append([(f"{gained:+d}" if gained is not None else "", "dim")])
        style = "" if not won else "live" if won > 0 else "warn"
        row.append([(words("ui.chips", n=abs(won), signed=f"{won:+d}"), style)] if won is not None else [])
        rows.append(row)
    return table_of(rows)


def table_of(rows: Sequence[Sequence[Line]]) -> list[Line]:
    """Set cells under each other in columns; a column that is empty everywhere is left out."""
    rooms = [max(line_width(row[column]) for row in rows) for column in range(len(rows[0]))] if rows else []
    lines: list[Line] = []
    for row in rows:
        line: Line = []
        for cell, room in zip(row, rooms, strict=True):
            if room:
                line.extend([*cell, (" " * (room - line_width(cell) + 2), "")])
        lines.append(line)
    return lines


def of_seat(values: Any, seat: int) -> int | None:
    """Return a seat's number from a list by seat or a map with seats as keys."""
    if isinstance(values, list):
        value = values[seat] if seat < len(values) else None
    elif isinstance(values, Mapping):
        value = values.get(seat, values.get(str(seat)))
    else:
        value = None
    return value if isinstance(value, int) else None


def result_lines(view: View, local: Local) -> list[Line]:
    """Return how the last hand ended and how its points came about."""
    result = view.get("result")
    if not result:
        return []
    words = local.words
    lines: list[Line] = []
    if result.get("reason"):
        lines.append(words.line(result["reason"]))
    sheet = sheet_lines(view, local)
    return [*lines, [], *sheet] if lines and sheet else lines + sheet


def sheet_lines(view: View, local: Local) -> list[Line]:
    """Return how the points of the last hand came about."""
    result = view.get("result") or {}
    words = local.words
    lines: list[Line] = []
    for part in result.get("sheet") or ():
        if lines:
            lines.append([])
        lines.append(words.line(part["title"], "heading"))
        lines.extend(words.line(message) for message in part["lines"])
    return lines


def points_page(view: View, local: Local) -> Box:
    """Return the points so far, the last hand's sheet, and the game's panels."""
    words = local.words
    body = score_lines(view, local, badges=True)
    last = result_lines(view, local)
    if last:
        body += [[], [(words("ui.points.last", n=view["result"].get("hand", "")), "heading")], *last]
    for panel in (view.get("layout") or {}).get("panels") or ():
        body += [[], words.line(panel["title"], "heading"), *(words.line(message) for message in panel["lines"])]
    return Box("points", words("ui.do.points"), body, foot=words("ui.foot.page"), sticky=True)


def hand_over_foot(local: Local) -> str:
    """Return what Enter does below the sheet of a hand."""
    may = local.room is not None and "ready" in local.room.may
    return local.words("ui.foot.ready" if may else "ui.foot.page")


def hand_over_page(view: View, local: Local) -> Box:
    """Return what is shown when a hand is over."""
    words = local.words
    reason = view["result"].get("reason")
    body = [words.line(reason), []] if reason else []
    body += [*score_lines(view, local), [], *sheet_lines(view, local)]
    title = words("ui.hand_over", n=view["result"].get("hand", ""))
    return Box("hand_over", title, body, foot=hand_over_foot(local), sticky=True)


def match_over_page(view: View, local: Local) -> Box:
    """Return what is shown when the match is over: places, points and chips."""
    words = local.words
    body: list[Line] = []
    first = (view["end"].get("places") or [[]])[0]
    if first:
        winners = {"$list": [{"$player": seat} for seat in first]}
        if first == [view.get("you")]:
            body.append(words.line(["ui.match_over.won", {}], "strong"))
        else:
            body.append(words.line(["ui.match_over.winner", {"who": winners, "n": len(first)}], "strong"))
        body.append([])
    body += score_lines(view, local)
    if local.purse is not None:
        body += [[], [(words("ui.purse", n=local.purse), "strong")]]
    last = result_lines(view, local)
    if last:
        body += [[], *last]
    return Box("match_over", words("ui.match_over"), body, foot=words("ui.foot.page"), sticky=True)


def fair_lines(words: Words, proof: Proof) -> list[Line]:
    """Return what was proven of a deal, and why not more."""
    reason = f"ui.fair.{proof.reason}" if proof.reason else "ui.fair"
    style = {"verified": "live", "failed": "notice bad"}.get(proof.state, "")
    lines: list[Line] = [[(words(f"ui.fair.{proof.state}", n=proof.hand), style or "strong")] if proof.hand else []]
    lines.append([(words(reason) if words.has(reason) else words.safe(proof.reason), "")])
    if proof.checked:
        lines.append([(words("ui.fair.checked", n=proof.checked), "dim")])
    if proof.detail:
        lines.append([(words.safe(proof.detail), "dim")])
    return [line for line in lines if line]


def fair_page(local: Local) -> Box:
    """Return the page about the fairness of the deals."""
    words = local.words
    proof = local.room.proof if local.room is not None else None
    body = fair_lines(words, proof) if proof is not None else []
    return Box("fair", words("ui.do.fair"), body, foot=words("ui.foot.page"), sticky=True)


def log_page(view: View, local: Local) -> Box:
    """Return the whole log, opened at its end."""
    body = [local.words.line(message) for message in view["log"]]
    return Box("log", local.words("ui.log"), body, scroll=10_000, foot=local.words("ui.foot.page"), sticky=True)


def groups_page(view: View, local: Local) -> Box:
    """Return all groups on the table card by card, whose they are."""
    words = local.words
    groups = ordered(view, [zone for zone in view["zones"] if zone["kind"] == "group"])
    rows: list[list[Line]] = []
    for zone in sorted(groups, key=lambda zone: -1 if zone["owner"] is None else zone["owner"]):
        owner = words.player(zone["owner"]) if zone["owner"] is not None else ""
        cards = plain_row(zone["cards"] or ["?"] * (zone["n"] or 0), words)
        rows.append([[(owner, "name")], [(words.zone(view, zone["name"]), "")], cards])
    return Box("groups", words("ui.do.groups"), table_of(rows), foot=words("ui.foot.page"), sticky=True)


def trick_page(view: View, local: Local) -> Box:
    """Return the last trick, card by card in the order of play, and who took it."""
    words, trick = local.words, local.tricks.last
    rows: list[list[Line]] = []
    for number, place in enumerate(trick.places() if trick is not None else ()):
        assert trick is not None
        seat = trick.seat(place)
        note = "ui.trick.led" if number == 0 else ""
        if trick.winner == seat:
            note = "ui.trick.took.led" if number == 0 else "ui.trick.took"
        rows.append([[(words.player(seat), "name")], [words.token(trick.cards[place])], [(words(note), "dim")] if note else []])
    return Box("trick", words("ui.do.trick"), table_of(rows), foot=words("ui.foot.page"), sticky=True)


def guide_page(local: Local, page: Sequence[Message], closed: Callable[[], None] | None = None) -> Box:
    """Return a page of the guide; `closed` is told when it has been read."""
    words = local.words
    body: list[Line] = []
    for message in page:
        body += [[], words.line(message, "strong" if message[0] == "ui.guide.hint" else "")] if body else [words.line(message)]
    return Box("guide", words("ui.do.guide"), body, foot=words("ui.guide.foot"), closed=closed, sticky=True, through=True)


def help_page(view: View | None, local: Local) -> Box:
    """Return all keys, made from the list of what can be done now."""
    words = local.words
    body: list[Line] = []
    found = offers(view, local)
    room = max((width(key_name(offer.key, offer.second)) for offer in found), default=0)
    for group, title in ((True, "ui.help.game"), (False, "ui.help.client")):
        members = [offer for offer in found if offer.name.startswith("form:") is group]
        if not members:
            continue
        if body:
            body.append([])
        body.append([(words(title), "heading")])
        for offer in members:
            keys = key_name(offer.key, offer.second)
            line: Line = [(keys + " " * (room + 2 - width(keys)), "key"), (offer.label, "dim" if offer.blocked else "")]
            if offer.blocked:
                line.append((f" - {offer.blocked}", "dim"))
            body.append(line)
    body += [[], [(words("ui.help.table"), "heading")]]
    for name in ("cards", "arrows", "tab", "enter", "escape", "move", "mouse", "drag"):
        body.extend(_hanging(words(f"ui.help.{name}")))
    return Box("help", words("ui.do.help"), body, foot=words("ui.foot.page"), sticky=True)


def _hanging(text: str, wide: int = 70) -> list[Line]:
    """Return a text whose further lines are set in below its first."""
    rows = wrap([(text, "")], wide)
    return [rows[0], *([("  ", ""), *row] for row in rows[1:])]


def key_name(*keys: str) -> str:
    """Return keys as they are written on a keyboard."""
    names = []
    for key in keys:
        if len(key) > 1 and key[0] == "f" and key[1:].isdigit():
            names.append(key.upper())
        elif key.startswith("c-"):
            names.append(f"Ctrl-{key[2:].upper()}")
        elif key:
            names.append(key)
    return " ".join(names)


def hint_lines(view: View, local: Local) -> Sequence[tuple[Line, Mapping[str, Any] | None]]:
    """Return the game's hints with the action each proposes."""
    return [(local.words.line(hint["text"]), hint.get("action")) for hint in hints_of(view)]
