"""Skat: three at the table (or four, the dealer sitting out), one plays alone for the value he bid.

Source: the manual of an online Skat (modes tournament and duel, bidding, games, levels, money) and the Internationale
Skatordnung where it is silent; the decisions K1 to K15 are written in rules.en.md and are table options where they can be
chosen. This module is the plugin; `rules`, `bidding`, `scoring`, `money` and `hand` hold the facts, `course` a hand on the table.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from carteado.core.api import (
    FRENCH_32,
    C,
    Flag,
    Form,
    Game,
    IllegalAction,
    OneOf,
    P,
    Recorded,
    Result,
    Table,
    Whole,
    hookimpl,
)

from . import advice, captions, course, exporting, forms, importing, sheet, worlds
from .bot import Rule
from .course import auction_of, hand_of
from .deals import Deal
from .hand import Hand
from .money import COMMISSION_PERCENT, Payment, settle_hand
from .rules import Contract, Face, group
from .scoring import LEVELS, Outcome, null_below_bid, plain_points, seeger_fabian
from .strong import Strong
from .tree import Tree

LIST = 36
DUEL = 12
SUIT, GRAND, NULL = TYPES = ("suit", "Grand", "Null")
WORDS: dict[str, int | str] = {"pass": "p", "hold": "y", "take": 18}


class Skat(Game):
    """The game as a plugin."""

    api = 1
    name = "skat"
    version = "1.1"
    title = "Skat"
    seats = (3, 4)
    deck = FRENCH_32
    score = "high"
    leaver_keeps_result = True
    table_options = (
        OneOf("mode", "tournament", ("tournament", "duel")),
        Whole("hands", 0, 0, 120),
        OneOf("list", "plain", ("plain", "seeger")),
        OneOf("levels", "sum", LEVELS),
        Flag("double_losses", True),
        Flag("null_below_bid", False),
        Whole("commission", COMMISSION_PERCENT, 0, 50),
        Whole("limit", 0, 0, 1_000_000),
        Deal("cards"),
    )
    variants: ClassVar[Sequence[Mapping[str, Any]]] = (
        {"hands": 2},
        {"hands": 2, "list": "seeger", "levels": "table", "double_losses": False},
        {"hands": 2, "mode": "duel", "limit": 100},
        {"hands": 1, "null_below_bid": True, "commission": 0},
    )
    bound = 400
    levels = ("random", "rule", "strong")  # what is shown to hold; *tree* can be asked for by its name
    bots: ClassVar[Mapping[str, Any]] = {"rule": Rule, "tree": Tree, "strong": Strong}

    def check_players(self, players: int, options: Mapping[str, Any]) -> bool:
        """Tell whether so many can play: three or four, in a duel two persons and the computer's seat."""
        return players == 3 or (players == 4 and options["mode"] == "tournament")

    def tally(self, table: Table, seat: int | None) -> Mapping[str, tuple[int, int]]:
        """Count the games a seat won of those it played alone, by type, and the deals passed in."""
        games = table.kept("games", [])
        if seat is None:
            return {"passed in": (sum(declarer is None for declarer, _, _ in games), len(games))}
        found = dict.fromkeys(TYPES, (0, 0))
        for declarer, code, value in games:
            if declarer == seat:
                kind = {"G": GRAND, "N": NULL}.get(code[0], SUIT)
                won, played = found[kind]
                found[kind] = (won + (value > 0), played + 1)
        return found

    # The four hooks

    @hookimpl
    def deal(self, table: Table) -> bool:
        """Deal, with four at the table to the three that follow the dealer, and open the auction."""
        if len(table.seats) == 4:
            table.sit_out(table.dealer)
        course.deal(table, table.around(table.start))
        return True

    @hookimpl
    def options(self, table: Table, seat: int) -> Sequence[Form]:
        """Offer what the stage asks for."""
        return forms.forms(table, seat)

    @hookimpl
    def turn(self, table: Table, seat: int, action: dict[str, Any]) -> bool:
        """Apply an action. Raises: IllegalAction."""
        kind = action["type"]
        if kind in ("next", "bid", "hold", "take", "pass"):
            speak(table, seat, action)
        elif kind == "look":
            course.pick_up(table, seat)
            table.ask(seat, "declare")
        elif kind in ("hand", "null_hand", "declare", "null"):
            declare(table, seat, action)
        elif kind == "play":
            play(table, seat, action["card"][0])
        elif kind in ("concede", "give_up"):
            give_up(table, seat)
        elif kind == "claim":
            claim(table, seat)
        elif kind in ("agree", "decline"):
            course.answer_offer(table, seat, kind == "agree")
        else:
            course.answer_claim(table, seat, kind == "accept")
        return True

    @hookimpl
    def scoring(self, table: Table) -> Result | None:
        """Score the deal when it is passed in or the hand is decided."""
        hand = hand_of(table)
        if not hand.over:
            return None
        seats = table.get("seats")
        record = Record(table)
        if hand.declarer is None:
            return record.result({}, None, None, ["reason.passed_in", {}], [sheet.dealt_part(hand, seats)])
        outcome = outcome_of(table, hand)
        declarer = seats[hand.declarer]
        counted = [seat for seat in table.players if seat != table.get("computer")]
        points = (seeger_fabian if table.option("list") == "seeger" else plain_points)(outcome.value, declarer, counted)
        payment = pay(table, outcome, declarer)
        parts = [sheet.game_part(hand, outcome, seats), sheet.dealt_part(hand, seats)]
        if table.option("stake"):
            parts.append(sheet.money_part(payment))
        return record.result(points, payment, [declarer, outcome.contract.code, outcome.value], sheet.reason(hand, outcome, seats), parts)

    @hookimpl
    def settle(self, table: Table, places: list[list[int]]) -> Mapping[int, int]:
        """Pay what the hands of the list brought."""
        money = list(table.kept("money", [0] * len(table.players)))
        hand = hand_of(table)
        if hand.over and hand.declarer is not None and len(table.kept("games", [])) < table.hand:
            # The last hand is not in the facts kept yet.
            payment = pay(table, outcome_of(table, hand), table.get("seats")[hand.declarer])
            for seat, gain in payment.gains.items():
                money[seat] += gain
        return dict(enumerate(money))

    @hookimpl
    def timeout(self, table: Table, seat: int) -> dict[str, Any] | None:
        """Pass, refuse, play the game that suits the cards best, play the cheapest card."""
        return advice.missing(table, seat)

    @hookimpl
    def read_record(self, text: str) -> list[Recorded]:
        """Read games of the International Skat Server and its relatives, one a line."""
        return importing.read(text)

    @hookimpl
    def write_record(self, table: Table, names: Sequence[str]) -> str:
        """Write a hand in the same format."""
        return exporting.line(table, names)

    # What clients and computer players get to know: from the redacted view alone

    @hookimpl
    def layout(self, view: dict[str, Any]) -> dict[str, Any]:
        """Caption the table."""
        return captions.layout(view)

    @hookimpl
    def determinise(self, view: dict[str, Any], rng: random.Random) -> dict[str, Any]:
        """Fill in the hidden cards: shown voids are kept."""
        return worlds.fill(view, rng)

    @hookimpl
    def suggest(self, view: dict[str, Any], rng: random.Random) -> dict[str, Any]:
        """Advise what the player `rule` does."""
        return Rule().choose(view, rng)

    @hookimpl
    def hints(self, view: dict[str, Any]) -> list[dict[str, Any]]:
        """Say what the player `rule` would do, and why."""
        return advice.hints(view)


class Record:
    """Write a finished deal into the list."""

    def __init__(self, table: Table) -> None:
        self.table = table
        players = len(table.players)
        self.money: list[int] = list(table.kept("money", [0] * players))
        self.games: list[list[Any]] = [list(game) for game in table.kept("games", [])]

    @property
    def hands(self) -> int:
        """Give how many deals the list has."""
        return int(self.table.option("hands") or (DUEL if self.table.option("mode") == "duel" else LIST))

    def result(
        self,
        points: Mapping[int, int],
        payment: Payment | None,
        game: list[Any] | None,
        reason: list[Any],
        parts: list[dict[str, Any]],
    ) -> Result:
        """Make the result of a deal, and of the whole list after the last one."""
        table = self.table
        for seat, gain in (payment.gains if payment else {}).items():
            self.money[seat] += gain
        self.games.append(game or [None, "", 0])
        counted = [seat for seat in table.players if seat != table.get("computer")]
        totals = {seat: table.points(seat) + points.get(seat, 0) for seat in counted}
        parts = [*parts, sheet.points_part(points, totals)]
        over = table.hand >= self.hands
        ranking = None
        if over:
            parts.append(sheet.end_part(totals, self.money, self.games))
        if over and len(counted) < len(table.players):
            best = sorted(set(totals.values()), reverse=True)
            ranking = [[seat for seat in counted if totals[seat] == value] for value in best] + [[table.get("computer")]]
        keep = {"money": self.money, "games": self.games}
        return Result(points, keep=keep, over=over, ranking=ranking, reason=reason, sheet=parts)


# Parts of turn and scoring


def speak(table: Table, seat: int, action: dict[str, Any]) -> None:
    """Say a word in the auction. Raises: IllegalAction."""
    auction = auction_of(table.get("auction"))
    position = table.get("seats").index(seat)
    kind = action["type"]
    word: int | str | None = action["value"] if kind == "bid" else auction.lowest if kind == "next" else WORDS[kind]
    if word is None:
        raise IllegalAction("bid_too_low", value=auction.bid, bid=auction.bid)
    if word != "p" and forms.silent(table, seat):
        raise IllegalAction("computer_passes")
    problem = auction.objection(position, word)
    if problem is not None:
        code, data = problem
        raise IllegalAction(code, **data)
    table.set("bids", [*table.get("bids"), [seat, word]])
    said = {"p": "log.pass", "y": "log.hold"}.get(str(word), "log.bid")
    table.say(said, who=P(seat), n=auction.bid if word in ("p", "y") else word)
    course.ask_to_bid(table, auction.after(position, word))


def declare(table: Table, seat: int, action: dict[str, Any]) -> None:
    """Announce a game. Raises: IllegalAction."""
    kind = action["type"]
    if kind in ("null", "null_hand"):
        contract = Contract("N", hand=kind == "null_hand", ouvert=action["cards"] == "open")
        bid = auction_of(table.get("auction")).bid
        if contract.base < bid and not table.option("null_below_bid"):
            raise IllegalAction("blocked.null", value=contract.base, bid=bid)
    elif kind == "hand":
        word = action.get("say")
        contract = Contract.of(action["game"], hand=True, **({word: True} if word else {}))
    else:
        contract = Contract(action["game"])
    course.announce(table, seat, contract, action.get("put", ()))


def play(table: Table, seat: int, face: Face) -> None:
    """Play a card. Raises: IllegalAction."""
    hand = hand_of(table)
    assert hand.contract is not None
    kind = hand.contract.kind
    if face not in forms.playable(table, seat):
        led = group(hand.trick[0], kind)
        raise IllegalAction("follow_trump" if led == "T" else f"follow.{led}", card=C(face))
    course.play(table, seat, face, kind)


def give_up(table: Table, seat: int) -> None:
    """Concede, or as a defender propose it. Raises: IllegalAction."""
    if seat in table.get("offered", []):
        raise IllegalAction("offered_already")
    course.concede(table, seat)


def claim(table: Table, seat: int) -> None:
    """Claim the rest. Raises: IllegalAction."""
    if seat != table.get("declarer") or table.get("claimed", False):
        raise IllegalAction("no_claim")
    course.claim(table, seat)


def outcome_of(table: Table, hand: Hand) -> Outcome:
    """Score a decided hand by the table's options."""
    double = table.option("double_losses")
    outcome = hand.outcome(levels=table.option("levels"), double_losses=double)
    if outcome.overbid and outcome.contract.null:
        assert hand.declarer is not None
        twelve = hand.dealt[hand.declarer] + hand.first_skat
        return null_below_bid(outcome.contract, twelve, outcome.bid, double_losses=double)
    return outcome


def pay(table: Table, outcome: Outcome, declarer: int) -> Payment:
    """Settle a hand in chips; nobody is paid for the computer's seat of a duel, and it pays nobody."""
    opponents = [seat for seat in table.get("seats") if seat not in (declarer, table.get("computer"))]
    return settle_hand(
        outcome.value,
        declarer,
        opponents,
        table.option("stake"),
        limit=table.option("limit"),
        doubled=table.option("double_losses"),
        percent=table.option("commission"),
    )


game = Skat()
"""The plugin, as the entry point names it."""
