"""A view in plain lines with full card names: for screen readers, braille and pipes. All from the same view as the screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .banner import away_said, clock_said
from .choices import option_said, value_said
from .filling import Filling, forms_of, hints_of, numbers_of, prompt_of, wanted
from .local import Local, hand_zone
from .pages import of_seat
from .room import Room
from .rules import markdown
from .scene import Zone, is_shown, ordered, zone_of
from .text import plain
from .zones import pyramid_rows

View = Mapping[str, Any]


def zone_said(view: View, local: Local, name: str) -> str:
    """Return a zone in words: whose it is, what it is, which cards."""
    words = local.words
    zone = zone_of(view, name)
    label = words.zone(view, name)
    if zone is None:
        return label
    if zone["owner"] is not None and zone["kind"] in ("group", "row", "fan"):
        label = words("ui.line.owned", who=words.player(zone["owner"]), zone=label)
    return f"{label}: {cards_said(local, zone)}"


def cards_said(local: Local, zone: Zone) -> str:
    """Return the cards of a zone in words; of a pile only the top one and how many there are."""
    words, cards, count = local.words, zone["cards"], zone["n"]
    known = [face for face in cards or () if face and face != "?"]
    if zone["kind"] == "pile":
        if not count:
            return words("ui.line.empty")
        number = words("ui.line.cards", n=count)
        return f"{words.said(cards[-1])}; {number}" if cards and cards[-1] != "?" else number
    if cards is None or not known:
        return words("ui.line.cards", n=count or 0)
    hidden = len([face for face in cards if face == "?"])
    said = words.listed([words.said(face) for face in known])
    return f"{said}; {words('ui.line.hidden', n=hidden)}" if hidden else said


def hand_lines(view: View, local: Local) -> list[str]:
    """Return the reader's cards, numbered as they are to be named."""
    if hand_zone(view) is None:
        return [local.words("ui.line.no_hand")]
    if not local.hand.faces:
        return [local.words("ui.line.hand_empty")]
    return [f"{place}. {local.words.said(face)}" for place, face in enumerate(local.hand.faces, 1)]


def cards_of(view: View, local: Local, name: str) -> list[str]:
    """Return the cards of a zone in the order in which they are numbered: the hand's own, or as they lie."""
    own = hand_zone(view)
    if own is not None and own["name"] == name:
        return list(local.hand.faces)
    zone = zone_of(view, name)
    return [face for face in zone["cards"] or () if face and face != "?"] if zone is not None else []


def table_lines(view: View, local: Local) -> list[str]:
    """Return the seats and what lies in the middle."""
    words = local.words
    lines = [seat_said(view, local, seat) for seat in view["seats"]]
    own = hand_zone(view)
    for zone in ordered(view, list(view["zones"])):
        if zone["kind"] in ("group", "fan") or (own is not None and zone["name"] == own["name"]):
            continue
        if not is_shown(view, zone):
            continue
        if zone["kind"] == "trick":
            lines.append(f"{words.zone(view, zone['name'])}: {_trick_said(view, local, zone)}")
        elif zone["kind"] in ("pyramid", "grid"):
            lines.append(f"{words.zone(view, zone['name'])}:")
            lines.extend(_places_said(local, zone))
        else:
            lines.append(zone_said(view, local, zone["name"]))
    for panel in (view.get("layout") or {}).get("panels") or ():
        lines.append(words.speak(panel["title"]))
        lines.extend(f"  {words.speak(message)}" for message in panel["lines"])
    return lines


def seat_said(view: View, local: Local, seat: Mapping[str, Any]) -> str:
    """Return a seat in words: name, badges, cards in hand, points, whose turn."""
    words, number = local.words, seat["seat"]
    badges = (view.get("layout") or {}).get("badges") or []
    parts = [words.speak(message) for message in (badges[number] if number < len(badges) else ())]
    for zone in view["zones"]:
        if zone["kind"] == "fan" and zone["owner"] == number and zone["n"] is not None:
            parts.append(words("ui.line.cards", n=zone["n"]))
    parts.append(words("ui.line.points", n=seat["points"]))
    if seat.get("asked"):
        parts.append(words("ui.line.to_move"))
    if seat["state"] in ("out", "left"):
        parts.append(words(f"ui.state.{seat['state']}"))
    name = words("ui.line.you", who=words.player(number)) if number == view.get("you") else words.player(number)
    return f"{name}: {', '.join(parts)}"


def group_lines(view: View, local: Local) -> list[str]:
    """Return all groups on the table."""
    groups = [zone for zone in view["zones"] if zone["kind"] == "group"]
    lines = [zone_said(view, local, zone["name"]) for zone in ordered(view, groups)]
    return lines or [local.words("ui.line.no_groups")]


def score_said(view: View, local: Local) -> list[str]:
    """Return points and places, and how the last hand was scored."""
    words = local.words
    chips = (view.get("end") or {}).get("chips")
    lines = []
    for seat in sorted(view["seats"], key=lambda seat: (seat["place"] is None, seat["place"] or 0, seat["seat"])):
        line = f"{words.player(seat['seat'])}: {words('ui.line.points', n=seat['points'])}"
        if seat["place"] is not None:
            line = f"{words('ui.place', n=seat['place'])} {line}"
        won = of_seat(chips, seat["seat"])
        if won is not None:
            line += f", {words('ui.chips', n=abs(won), signed=f'{won:+d}')}"
        lines.append(line)
    return lines + result_said(view, local)


def result_said(view: View, local: Local) -> list[str]:
    """Return how the last hand ended and its sheet."""
    result = view.get("result")
    if not result:
        return []
    words = local.words
    lines = [words("ui.hand_over", n=result.get("hand", ""))]
    if result.get("reason"):
        lines.append(words.speak(result["reason"]))
    for part in result.get("sheet") or ():
        lines.append(words.speak(part["title"]))
        lines.extend(f"  {words.speak(message)}" for message in part["lines"])
    return lines


def last_trick_lines(view: View, local: Local) -> list[str]:
    """Return the last trick in the order of play and who took it, or that there is none."""
    words, trick = local.words, local.tricks.last
    if trick is None:
        return [words("ui.line.no_trick")]
    lines = [", ".join(f"{words.player(trick.seat(place))} {words.said(trick.cards[place])}" for place in trick.places())]
    if trick.winner is not None:
        lines.append(words("ui.line.took", who=words.player(trick.winner)))
    return lines


def hint_lines(view: View, local: Local) -> list[str]:
    """Return the game's hints."""
    return [local.words.speak(hint["text"]) for hint in hints_of(view)] or [local.words("ui.line.no_hint")]


def rules_lines(local: Local, rules: str, stage: str = "") -> list[str]:
    """Return what the rules say of a stage, and how to read on; all of them if they say nothing of it."""
    words, laid = local.words, markdown(rules)
    section = laid.section(stage)
    told = [words.safe(plain(line)) for line in section or laid.lines] or [words("ui.rules.none")]
    return [*told, words("ui.line.rules")] if section else told


def choice_lines(view: View | None, local: Local, blocked: bool = True) -> list[str]:
    """Return the forms with their numbers; a blocked one says why, or is left out (its number stays its own)."""
    lines = []
    for number, form in enumerate(forms_of(view), 1):
        if form.get("blocked") and not blocked:
            continue
        label = local.words.speak(form["label"])
        why = f" ({local.words.speak(form['blocked'])})" if form.get("blocked") else ""
        lines.append(f"{number}. {label}{why}")
    return lines


def question_lines(view: View, local: Local, filling: Filling, name: str, proposal: Filling | None) -> list[str]:
    """Return what is asked about one blank, and the numbered answers; with a `proposal` of the game, whether to take it."""
    words = local.words
    blank = filling.form["fields"][name]
    if proposal is not None:
        groups = zip(blank["like"], proposal.values.get(name, ()), strict=False)
        lines = [f"{words.speak(like)}: {words.listed([words.said(face) for face in group])}" for like, group in groups]
        return [*lines, f"1. {words('ui.proposal.take')}", f"2. {words('ui.proposal.own')}"]
    if blank["kind"] in ("pick", "groups"):
        said = [words.said(face) for face in cards_of(view, local, blank["zone"])]
        return [words.speak(wanted(filling, name, "ui.line.ask")), *(f"{number}. {card}" for number, card in enumerate(said, 1))]
    values = value_lines(view, local, blank)
    return [words.speak(wanted(filling, name)), *(f"{number}. {said}" for number, (said, _) in enumerate(values, 1))]


def value_lines(view: View, local: Local, blank: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Return what may be filled into a blank, in words, with the value."""
    words = local.words
    match blank["kind"]:
        case "choice":
            return [(words.speak(one["label"]), one["value"]) for one in blank["of"]]
        case "number":
            return [(str(number), number) for number in numbers_of(blank)]
        case "target":
            return [(zone_said(view, local, name), name) for name in blank["zones"]]
    zone = zone_of(view, blank["zone"])
    cards = zone["cards"] if zone is not None and zone["cards"] else []
    values = []
    for place in blank["places"]:
        face = cards[place] if place < len(cards) else ""
        said = words.said(face) if face and face != "?" else words("ui.line.face_down")
        values.append((f"{said}, {words('ui.place_number', n=place + 1)}", place))
    return values


def prompt_said(view: View, local: Local) -> str:
    """Return the sentence that says what is wanted, or whose turn it is."""
    words = local.words
    told = (view.get("layout") or {}).get("prompt")
    if view["phase"] == "over" or view.get("end"):
        return words("ui.line.over")
    if told is not None:
        return words.speak(told)
    prompt = prompt_of(view)
    if prompt is not None:
        stage = f"stage.{prompt['stage']}"
        return words(stage) if words.has(stage) else words("ui.prompt.turn")
    asked = [{"$player": seat["seat"]} for seat in view["seats"] if seat.get("asked")]
    return words("ui.prompt.wait", who={"$list": asked}, n=len(asked)) if asked else words("ui.prompt.dealing")


def room_lines(room: Room, local: Local) -> list[str]:
    """Return the chairs of a table and who is ready."""
    words = local.words
    lines = [words("ui.lobby.title", title=room.title)]
    if room.private:
        lines.append(f"{words('ui.lobby.private')} {room.id}")
    if room.address:
        lines.append(f"{words('ui.lobby.address')} {room.address}")
    if room.web:
        lines.append(f"{words('ui.lobby.web')} {words.safe(room.web[0])}")
    lines += [f"{option_said(words, name)}: {value_said(words, name, value)}" for name, value in room.options]
    lines += [words(key, **args) for key, args in room.terms]
    for chair in room.chairs:
        if chair.line == "empty":
            state = words("ui.lobby.empty")
        elif chair.bot:
            state = words("ui.line.bot", who=words.safe(chair.name))
        else:
            state = f"{words.safe(chair.name)}, {words('ui.lobby.ready' if chair.ready else 'ui.lobby.not_ready')}"
        lines.append(f"{words('ui.line.chair', n=chair.seat + 1)}: {state}")
    return lines


def clock_lines(local: Local) -> list[str]:
    """Return what the clocks show, and who is away."""
    words, room = local.words, local.room
    lines = []
    for chair in room.chairs if room is not None else ():
        if chair.clock is not None:
            lines.append(words("ui.line.clock", name=words.safe(chair.name), time=clock_said(chair.clock)))
        if chair.line == "away" and not chair.bot:
            lines.append(away_said(words, chair))
    return lines or [words("ui.line.no_clock")]


def news(before: Sequence[Any], after: Sequence[Any]) -> list[Any]:
    """Return the entries of a log that were not in the log before: what comes behind their longest overlap."""
    for kept in range(min(len(before), len(after)), 0, -1):
        if list(before[-kept:]) == list(after[:kept]):
            return list(after[kept:])
    return list(after)


def _trick_said(view: View, local: Local, zone: Zone) -> str:
    words = local.words
    seats = zone["facts"].get("seats")
    played = []
    for place, face in enumerate(zone["cards"] or ()):
        if face:
            seat = seats[place] if isinstance(seats, list) and place < len(seats) else place
            played.append(f"{words.player(seat)} {words.said(face)}")
    return ", ".join(played) or words("ui.line.empty")


def _places_said(local: Local, zone: Zone) -> list[str]:
    """Return a zone of places row by row, each card with its number; rows that are empty are left out."""
    words = local.words
    covers = zone["facts"].get("covers") or []
    cards = zone["cards"] or []
    lines = []
    place = 0
    for row, count in enumerate(pyramid_rows(zone) or [1] * len(cards), 1):
        said = []
        for face in cards[place : place + count]:
            if face:
                free = place < len(covers) and all(not cards[over] for over in covers[place] if over < len(cards))
                note = f", {words('ui.line.free')}" if free else ""
                name = words("ui.line.face_down") if face == "?" else words.said(face)
                said.append(f"{words('ui.place_number', n=place + 1)}: {name}{note}")
            place += 1
        if said:
            lines.append(f"  {words('ui.line.row', n=row)}: {'; '.join(said)}")
    return lines
