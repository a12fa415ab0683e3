"""What deal and turn do to the table: the pyramid, taking, melding, and the public record of what everybody saw."""

from __future__ import annotations

from collections.abc import Sequence

from carteado.core.api import OPEN, C, L, P, Table

from . import moves, rules
from .rules import JOKER, LOCK
from .sheet import cards_message


def build_pyramid(table: Table) -> None:
    """Create the pyramid, its places still empty."""
    rows = rules.ROWS[len(table.seats)]
    over = rules.covers(rows, table.option("free_from"))
    table.create("pyramid", "pyramid", see=OPEN, cards=("",) * rules.size(rows), facts={"rows": rows, "covers": over})


def hidden_places(table: Table) -> set[int]:
    """Return the places that are dealt face down; rows a smaller pyramid does not have are passed over."""
    found: set[int] = set()
    for value in table.option("hidden_rows"):
        row = rules.MIDDLE if value == "middle" else value
        found.update(range(rules.size(row - 1), rules.size(row)))
    for name in table.option("hidden_cards"):
        row, card = map(int, name.split("."))
        found.add(rules.place(row, card))
    return {here for here in found if here < len(table.cards("pyramid"))}


def know(table: Table, seat: int, gain: Sequence[str] = (), out: Sequence[str] = ()) -> None:
    """Keep the public record of which cards everybody saw go into a hand and not come out again."""
    known = [list(faces) for faces in table.get("known")]
    for face in out:
        if face in known[seat]:
            known[seat].remove(face)
    known[seat].extend(gain)
    if known != table.get("known"):
        table.set("known", known)


def take(table: Table, seat: int, place: int) -> None:
    """Take a free card of the pyramid into the hand, and turn up what has lost its last cover (decision C3). Raises: RuleBroken."""
    moves.check_take(table, place)
    (face,) = table.move("pyramid", f"hand/{seat}", places=[place])
    know(table, seat, gain=[face])
    table.say("log.take", who=P(seat), card=C(face))
    zone = table.zone("pyramid")
    below = [here for here, over in enumerate(zone.facts["covers"]) if place in over]
    bared = [here for here in below if moves.face_down(zone, here) and rules.uncovered(zone.cards, zone.facts["covers"], here)]
    if bared:
        table.show("pyramid", bared)
        table.say("log.shown", cards=L([C(zone.cards[here]) for here in bared]))


def swap(table: Table, seat: int, place: int) -> None:
    """Put a joker from the hand in the place of a face-up card; it covers what that card covered. Raises: RuleBroken."""
    moves.check_swap(table, seat, place)
    (face,) = table.move("pyramid", f"hand/{seat}", places=[place])
    table.move(f"hand/{seat}", "pyramid", cards=[JOKER], to=place)
    know(table, seat, gain=[face], out=[JOKER])
    table.say("log.swap", who=P(seat), card=C(face))


def draw(table: Table, seat: int) -> bool:
    """Draw the reserve's top card; False if it was the lock card, which closes the reserve and lets its drawer take again.

    Raises: RuleBroken when the reserve is empty or locked.
    """
    moves.check_draw(table)
    if table.cards("stock")[-1] == LOCK:
        table.create("out", "pile", see=OPEN)
        table.move("stock", "out", n=1)
        table.mark("stock", locked=True)
        table.say("log.locked", who=P(seat), n=len(table.cards("stock")))
        return False
    (face,) = table.move("stock", f"hand/{seat}", n=1)
    table.say("log.drew", only=seat, card=C(face))
    table.say("log.draw", but=seat, who=P(seat))
    return True


def lay(table: Table, seat: int, cards: Sequence[str]) -> None:
    """Lay a new meld. Raises: RuleBroken."""
    rules.check_meld(cards)
    name = new_meld(table, seat)
    table.move(f"hand/{seat}", name, cards=sorted(cards, key=rules.by_rank))
    changed(table, seat, name, cards)
    table.say(f"log.meld.{len(cards)}", who=P(seat), cards=cards_message(table.cards(name)))


def extend(table: Table, seat: int, cards: Sequence[str], name: str) -> None:
    """Add cards to a meld of one's own. Raises: RuleBroken."""
    moves.check_owner(table, name, seat, own=True)
    rules.check_addition(table.cards(name), cards)
    table.move(f"hand/{seat}", name, cards=sorted(cards, key=rules.by_rank))
    changed(table, seat, name, cards)
    table.say(f"log.extend.{len(table.cards(name))}", who=P(seat), cards=cards_message(table.cards(name)))


def steal(table: Table, seat: int, cards: Sequence[str], name: str) -> None:
    """Complete somebody else's meld and take it over. Raises: RuleBroken."""
    moves.check_owner(table, name, seat, own=False)
    rules.check_steal(table.cards(name), cards, table.option("soft_steal"))
    robbed = table.zone(name).owner
    assert robbed is not None
    own = new_meld(table, seat)
    table.move(name, own, cards=table.cards(name))
    table.move(f"hand/{seat}", own, cards=sorted(cards, key=rules.by_rank))
    table.drop(name)
    changed(table, seat, own, cards)
    table.say(f"log.steal.{len(table.cards(own))}", who=P(seat), robbed=P(robbed), cards=cards_message(table.cards(own)))


def new_meld(table: Table, seat: int) -> str:
    """Create an empty meld in front of a seat and return its name."""
    number = table.get("melds", 0) + 1
    table.set("melds", number)
    name = f"meld/{number}"
    table.create(name, "group", owner=seat, see=OPEN)
    return name


def changed(table: Table, seat: int, name: str, cards: Sequence[str]) -> None:
    """Note what a meld that was just laid, extended or stolen is worth: it carries the multiplier of its latest change (C14)."""
    rows = moves.multiplier(table)
    table.mark(name, rows=rows, points=rules.base_points(table.cards(name)) * rows)
    know(table, seat, out=cards)


def pass_on(table: Table, seat: int) -> None:
    """Ask the next seat, unless the pyramid is empty: then the game is over."""
    if any(table.cards("pyramid")):
        table.ask(table.next(seat), "take")
