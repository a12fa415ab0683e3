"""Keep a hand of Skat on the table: what is public, what the declarer alone knows, and the pure hand made of both.

Public facts: `seats` (forehand, middlehand, rearhand), `computer` (in a duel, the seat that passes every bid and is not counted),
`auction`, `bids`, `declarer`, `looked`, `contract`, `leader`, `tricks`, `conceded`, `shown` (the declarer opened his cards), `claimed`,
`claim` (who accepted), `offered` (who proposed to give up).
The declarer's own fact: `skat`, the two cards he picked up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from carteado.core.api import CLOSED, OPEN, OWNER, C, L, P, Table

from .bidding import Auction
from .deals import cards_of
from .hand import Hand
from .rules import DECK, Contract, Face, sort_hand
from .scoring import contract_message

LAST = 2
"""The seat that passes every bid in a duel of three persons, or of nobody in particular."""


def deal(table: Table, seats: Sequence[int]) -> None:
    """Deal ten cards each (three, skat, four, three; or as the option `cards` says) and open the auction."""
    fixed = cards_of(table.option("cards"))
    table.create("stock", "pile", see=CLOSED, cards=fixed or DECK)
    table.create("skat", "pile", see=CLOSED)
    for seat in seats:
        table.create(f"hand/{seat}", "fan", owner=seat, see=OWNER)
        table.create(f"won/{seat}", "pile", owner=seat, see=OPEN)
    if fixed:
        for seat in seats:
            table.move("stock", f"hand/{seat}", places=range(10))
        table.move("stock", "skat", n=2)
    else:
        table.shuffle("stock")
        for number in (3, 4, 3):
            for seat in seats:
                table.move("stock", f"hand/{seat}", n=number)
            if number == 3 and not table.cards("skat"):
                table.move("stock", "skat", n=2)
    table.drop("stock")
    table.create("trick", "trick", see=OPEN, cards=[""] * 3, facts={"seats": list(seats), "winner": None})
    table.set("seats", list(seats))
    if table.option("mode") == "duel":
        table.set("computer", table.computers[-1] if table.computers else LAST)
    table.set("bids", [])
    table.set("tricks", [])
    table.set("leader", 0)
    table.say("log.deal", who=P(table.dealer))
    ask_to_bid(table, Auction())


def auction_of(facts: Mapping[str, Any]) -> Auction:
    """Read an auction from its public facts."""
    return Auction(**{**facts, "passed": tuple(facts["passed"])})


def ask_to_bid(table: Table, auction: Auction) -> None:
    """Put an auction on the table and ask whoever must speak, or the declarer what he does with the skat."""
    table.set(
        "auction",
        {
            "stage": auction.stage,
            "bid": auction.bid,
            "asker": auction.asker,
            "answerer": auction.answerer,
            "holder": auction.holder,
            "passed": list(auction.passed),
        },
    )
    seats = table.get("seats")
    if auction.turn is not None:
        table.ask(seats[auction.turn], auction.stage)
    elif auction.declarer is None:
        table.say("log.passed_in")
    else:
        seat = seats[auction.declarer]
        table.set("declarer", seat)
        table.say("log.declarer", who=P(seat), n=auction.bid)
        table.ask(seat, "skat")


def hand_of(table: Table) -> Hand:
    """Make the pure hand of what lies on the table."""
    seats = table.get("seats")
    trick = table.zone("trick")
    leader = table.get("leader")
    open_trick: list[Face] = []
    if trick.facts["winner"] is None:
        open_trick = [trick.cards[(leader + offset) % 3] for offset in range(3)]
    declarer = table.get("declarer")
    # The skat, or what was put away; nothing while the declarer holds twelve cards.
    away = next((name for name in ("skat", f"put/{declarer}") if table.has(name)), None)
    code = table.get("contract")
    return Hand.resumed(
        [table.cards(f"hand/{seat}") for seat in seats],
        table.cards(away) if away else (),
        auction_of(table.get("auction")),
        contract=Contract.parse(code) if code else None,
        looked=table.get("looked", False),
        leader=leader,
        trick=[face for face in open_trick if face],
        tricks=[(first, tuple(cards), winner) for first, cards, winner in table.get("tricks")],
        conceded=table.get("conceded", []),
        shown=[seats.index(declarer)] if table.get("shown", False) else (),
        first_skat=table.get("skat", [], seat=declarer) if declarer is not None else (),
    )


def pick_up(table: Table, seat: int) -> None:
    """Take the skat into the hand."""
    faces = table.move("skat", f"hand/{seat}", n=2)
    table.drop("skat")
    table.set("looked", True)
    table.set("skat", sort_hand(faces), seat=seat)
    table.say("log.looked", who=P(seat), but=seat)
    table.say("log.looked.cards", cards=L([C(face) for face in faces]), only=seat)


def announce(table: Table, seat: int, contract: Contract, put: Sequence[Face]) -> None:
    """Put two cards away (none in a hand game), announce the game, and ask forehand to lead."""
    if put:
        table.create(f"put/{seat}", "pile", owner=seat, see=OWNER)
        table.move(f"hand/{seat}", f"put/{seat}", cards=put)
        table.say("log.put", cards=L([C(face) for face in put]), only=seat)
    table.set("contract", contract.code)
    table.say("log.contract", who=P(seat), contract=contract_message(contract))
    if contract.ouvert:
        open_hand(table, seat)
    table.ask(table.get("seats")[0], "play")


def open_hand(table: Table, seat: int) -> None:
    """Lay the declarer's cards open for everybody."""
    table.see(f"hand/{seat}", OPEN)
    table.set("shown", True)
    table.say("log.open", who=P(seat))


def play(table: Table, seat: int, face: Face, kind: str) -> None:
    """Play a card: sweep the last trick first, find the winner after the third, ask the next."""
    from .rules import trick_winner

    seats = table.get("seats")
    if table.zone("trick").facts["winner"] is not None:
        winner = table.zone("trick").facts["winner"]
        table.move("trick", f"won/{winner}", places=[0, 1, 2])
        table.mark("trick", winner=None)
    table.move(f"hand/{seat}", "trick", cards=[face], to=seats.index(seat))
    table.say("log.play", who=P(seat), card=C(face))
    leader = table.get("leader")
    cards = [table.cards("trick")[(leader + offset) % 3] for offset in range(3)]
    if not all(cards):
        table.ask(table.next(seat), "play")
        return
    taker = (leader + trick_winner(cards, kind)) % 3
    table.mark("trick", winner=seats[taker])
    table.set("tricks", [*table.get("tricks"), [leader, cards, taker]])
    table.set("leader", taker)
    table.say("log.trick", who=P(seats[taker]))
    if not hand_of(table).over:
        table.ask(seats[taker], "play")


def concede(table: Table, seat: int) -> None:
    """Give up: the declarer at once, a defender if the other one agrees."""
    declarer = table.get("declarer")
    seats = table.get("seats")
    if seat == declarer:
        table.set("conceded", [seats.index(seat)])
        table.say("log.concede", who=P(seat))
        return
    table.set("offered", [*table.get("offered", []), seat])
    table.say("log.offer", who=P(seat))
    table.ask(next(other for other in seats if other not in (seat, declarer)), "agree")


def answer_offer(table: Table, seat: int, agreed: bool) -> None:
    """Answer the other defender's proposal to give up; when refused, he plays on."""
    seats, declarer = table.get("seats"), table.get("declarer")
    partner = next(other for other in seats if other not in (seat, declarer))
    if agreed:
        both_concede(table)
        table.say("log.agree", who=P(seat))
        return
    table.say("log.decline", who=P(seat))
    table.ask(partner, "play")


def claim(table: Table, seat: int) -> None:
    """Show the cards and claim the rest; both defenders are asked."""
    null = Contract.parse(table.get("contract")).null
    table.say("log.claim.null" if null else "log.claim", who=P(seat))
    table.set("claimed", True)
    if not table.get("shown", False):
        open_hand(table, seat)
    table.set("claim", [])
    table.ask([other for other in table.get("seats") if other != seat], "claim")


def answer_claim(table: Table, seat: int, accepted: bool) -> None:
    """Accept a claim, or play on."""
    if not accepted:
        table.say("log.play_on", who=P(seat))
        table.close()
        table.set("claim", None)
        table.ask(table.get("declarer"), "play")
        return
    agreed = [*table.get("claim"), seat]
    table.set("claim", agreed)
    table.say("log.accept", who=P(seat))
    if len(agreed) == 2:
        both_concede(table)


def both_concede(table: Table) -> None:
    """Note that both defenders gave up."""
    seats, declarer = table.get("seats"), table.get("declarer")
    table.set("conceded", [position for position, seat in enumerate(seats) if seat != declarer])
