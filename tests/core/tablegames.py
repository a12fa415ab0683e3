"""Small games to test the core with: one whose hooks a test writes itself, and three that use every kind of zone and secret."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from carteado.core.api import (
    CLOSED,
    OPEN,
    OWNER,
    SECRET,
    TEAM,
    C,
    Choice,
    Deck,
    Flag,
    Form,
    Game,
    Groups,
    IllegalAction,
    Number,
    P,
    Pick,
    Place,
    Result,
    Several,
    Table,
    Target,
    Whole,
    french,
    hookimpl,
)
from carteado.core.encoding import canonical
from carteado.core.match import Commit, Match
from carteado.core.zones import Seat

SEED = bytes(range(32))
NAMES = ("Ana", "Bruno", "Carla", "Davi", "Eva", "Fábio")


class Discards(Game):
    """Get rid of three cards; fewest cards left is best. A seat plays a card or passes."""

    name = "discards"
    title = "Discards"
    seats = (2, 6)
    score = "low"
    deck = Deck([suit + str(rank) for suit in "AB" for rank in range(1, 13)])
    table_options = (Whole("hands", 2, 1, 9), Several("extras", ["a"], ["a", "b", "c"]))

    @hookimpl
    def deal(self, table: Table) -> None:
        table.create("deck", "pile", see=CLOSED, cards=self.deck.cards)
        table.create("discard", "pile", see=OPEN)
        table.shuffle("deck")
        for seat in table.around(table.start):
            table.create(f"hand/{seat}", "fan", seat)
            table.move("deck", f"hand/{seat}", n=3)
        table.ask(table.start, "play")

    @hookimpl
    def options(self, table: Table, seat: int) -> Sequence[Form]:
        return [Form("play", cards=Pick(f"hand/{seat}", 1), on="discard"), Form("pass", default=True)]

    @hookimpl
    def turn(self, table: Table, seat: int, action: dict[str, Any]) -> None:
        if action["type"] == "play":
            table.move(f"hand/{seat}", "discard", cards=action["cards"])
            table.say("discards.played", who=P(seat), card=C(action["cards"][0]))
        if table.cards(f"hand/{seat}"):
            table.ask(table.next(seat), "play")

    @hookimpl
    def scoring(self, table: Table) -> Result | None:
        left = {seat: len(table.cards(f"hand/{seat}")) for seat in table.seats}
        if all(left.values()):
            return None
        return Result(left, over=table.hand >= table.option("hands"))


def scripted(base: type[Game] = Discards, name: str = "scripted", **members: Any) -> Game:
    """Make a game out of `base` with other hooks (functions named as hooks are marked as such) or attributes."""
    hooks = {"deal", "options", "turn", "scoring", "timeout", "leave", "settle", "layout", "sample", "suggest", "hints", "observe"}
    body = {key: hookimpl(value) if key in hooks else value for key, value in members.items()}
    return type("Scripted", (base,), {"name": name, **body})()


def start(game: Game, players: int = 3, seed: bytes = SEED, deal: bool = True, **given: Any) -> Match:
    """Seat people at a new table and deal the first hand."""
    match = Match(game, given.pop("options", {}), [{"name": NAMES[i], "bot": None} for i in range(players)], **given)
    if deal:
        match.deal(seed)
    return match


def draft(players: int = 3, dealing: bool = True, teams: Sequence[frozenset[Seat]] = (), seed: bytes = SEED) -> Table:
    """Open a draft on an empty table, as the match does before it calls `deal` (or `turn`)."""
    table = Table(players, {"stake": 10}, teams)
    table._seed = seed
    table.begin("deal" if dealing else "turn", dealing)
    return table


def everything(table: Table) -> bytes:
    """Return all that a table holds as bytes, its log and its random streams included."""
    return canonical([table.state(), [list(line) for line in table._log], [list(event) for event in table._events or ()]])


def seed_of(number: int) -> bytes:
    """Return one of many fixed seeds."""
    return number.to_bytes(32, "big")


def turn_of(match: Match) -> tuple[int, int]:
    """Return the first seat that is asked, and its prompt."""
    seat = min(match.prompts)
    return seat, match.prompts[seat].id


def act(match: Match, action: dict[str, Any], seat: int | None = None) -> Commit:
    """Let a seat (or the first that is asked) take an action."""
    seat = min(match.prompts) if seat is None else seat
    return match.act(seat, match.prompts[seat].id, action)


def play_card(match: Match) -> Commit:
    """Play the first card of whoever is asked, in Discards."""
    seat = min(match.prompts)
    return act(match, {"type": "play", "cards": [match.table.cards(f"hand/{seat}")[0]]})


def play_hand(match: Match) -> Commit:
    """Play cards until the hand is over, in Discards."""
    commit = play_card(match)
    while match.phase == "playing":
        commit = play_card(match)
    return commit


class Passing(Game):
    """Pass a card to the left, all at once and unseen; then tricks, following suit. The highest of the suit led takes them."""

    name = "passing"
    seats = (3, 3)
    deck = french("79TK")
    table_options = (Whole("hands", 2, 1, 9),)

    def pack(self, options: Any) -> Sequence[str]:
        return [face for face in self.deck.cards if face[0] != "D"]

    @hookimpl
    def deal(self, table: Table) -> None:
        table.create("deck", "pile", see=CLOSED, cards=self.pack({}))
        table.shuffle("deck")
        table.create("trick", "trick", see=OPEN, cards=[""] * len(table.seats))
        for seat in table.around(table.start):
            table.create(f"hand/{seat}", "fan", seat)
            table.create(f"passed/{seat}", "pile", seat, SECRET)
            table.create(f"won/{seat}", "pile", seat, CLOSED)
            table.move("deck", f"hand/{seat}", n=4)
        table.drop("deck")
        table.ask(table.seats, "pass", sealed=True)

    @hookimpl
    def options(self, table: Table, seat: int) -> Sequence[Form]:
        hand = f"hand/{seat}"
        if table.asked(seat) == "pass":
            return [Form("pass", cards=Pick(hand, 1), note=Choice(["low", "high"], optional=True))]
        return [Form("play", cards=Pick(hand, 1), on="trick")]

    @hookimpl
    def turn(self, table: Table, seat: int, action: dict[str, Any]) -> None:
        (face,) = action["cards"]
        if action["type"] == "pass":
            if face == "CK":
                raise IllegalAction("king_stays", card=C(face))
            table.move(f"hand/{seat}", f"passed/{seat}", cards=[face])
            table.set("gave", face, seat)
            table.say("passing.gave", only=seat, card=C(face))
            if all(table.cards(f"passed/{other}") for other in table.seats):
                for other in table.seats:
                    table.move(f"passed/{other}", f"hand/{table.next(other)}", n=1)
                table.set("led", "")
                table.ask(table.start, "play")
            return
        led = table.get("led", "")
        if led and face[0] != led and any(card[0] == led for card in table.cards(f"hand/{seat}")):
            raise IllegalAction("follow_suit", suit=led)
        table.move(f"hand/{seat}", "trick", cards=[face], to=seat)
        led = led or face[0]
        table.set("led", led)
        cards = table.cards("trick")
        if not all(cards):
            table.ask(table.next(seat), "play")
            return
        best = max((other for other in table.seats if cards[other][0] == led), key=lambda other: "79TK".index(cards[other][1]))
        table.move("trick", f"won/{best}", places=list(table.seats))
        table.set("led", "")
        table.say("passing.took", who=P(best))
        if table.cards(f"hand/{best}"):
            table.ask(best, "play")

    @hookimpl
    def scoring(self, table: Table) -> Result | None:
        if any(table.cards(f"hand/{seat}") or table.cards(f"passed/{seat}") for seat in table.seats) or any(table.cards("trick")):
            return None
        won = {seat: len(table.cards(f"won/{seat}")) // 3 for seat in table.seats}
        return Result(won, over=table.hand >= table.option("hands"), reason=["passing.done", {"n": table.hand}])

    @hookimpl
    def timeout(self, table: Table, seat: int) -> dict[str, Any]:
        hand, led = table.cards(f"hand/{seat}"), table.get("led", "")
        kind = table.asked(seat)
        fitting = [face for face in hand if face[0] == led] if led else [face for face in hand if face != "CK" or kind == "play"]
        return {"type": kind, "cards": [(fitting or list(hand))[0]]}

    @hookimpl
    def layout(self, view: dict[str, Any]) -> dict[str, Any]:
        return {"labels": {zone["name"]: [zone["name"], {"n": zone["n"]}] for zone in view["zones"]}}

    @hookimpl
    def hints(self, view: dict[str, Any]) -> Sequence[dict[str, Any]]:
        hand = next(zone["cards"] for zone in view["zones"] if zone["name"] == f"hand/{view['you']}")
        kind = view["prompts"][0]["forms"][0]["type"]
        return [{"text": ["passing.try", {"card": C(hand[0])}], "action": {"type": kind, "cards": [hand[0]]}, "weight": 1.0}]


COVERS = [[1, 2], [3, 4], [4, 5], [], [], []]


class Peaks(Game):
    """A pyramid of six, the upper three face down; take a free card one away from the waste, draw, or peek once."""

    name = "peaks"
    seats = (2, 2)
    score = "high"
    deck = Deck([suit + str(rank) for suit in "AB" for rank in range(1, 8)])
    table_options = (Whole("hands", 1, 1, 9),)

    @hookimpl
    def deal(self, table: Table) -> None:
        table.create("stock", "pile", see=CLOSED, cards=self.deck.cards)
        table.shuffle("stock")
        table.create("pyramid", "pyramid", see=OPEN, cards=[""] * 6, facts={"rows": 3, "covers": COVERS})
        for place in range(6):
            table.move("stock", "pyramid", n=1, to=place, up=None if COVERS[place] == [] else False)
        table.create("waste", "pile", see=OPEN)
        table.move("stock", "waste", n=1)
        for seat in table.seats:
            table.create(f"score/{seat}", "pile", seat, CLOSED)
            table.set("peeked", False, seat)
        table.ask(table.start, "take")

    def free(self, table: Table) -> list[int]:
        cards = table.cards("pyramid")
        return [place for place in range(6) if cards[place] and not any(cards[other] for other in COVERS[place])]

    @hookimpl
    def options(self, table: Table, seat: int) -> Sequence[Form]:
        free = self.free(table)
        covered = [place for place, face in enumerate(table.cards("pyramid")) if face and place not in free]
        stock = table.cards("stock")
        return [
            Form("take", place=Place("pyramid", free)),
            Form("peek", place=Place("pyramid", covered), blocked=["peaks.once", {}] if table.get("peeked", seat=seat) else None),
            Form("draw", on="stock", default=True, blocked=None if stock else ["peaks.empty", {}]),
            Form("stop", default=True, blocked=["peaks.draw", {}] if stock else None),
        ]

    @hookimpl
    def turn(self, table: Table, seat: int, action: dict[str, Any]) -> None:
        if action["type"] == "take":
            place = action["place"]
            top, face = table.cards("waste")[-1], table.cards("pyramid")[place]
            if abs(int(top[1:]) - int(face[1:])) != 1:
                raise IllegalAction("not_next", card=C(face))
            under = table.move("waste", f"score/{seat}", n=1)
            assert under == (top,)
            table.move("pyramid", "waste", places=[place])
            marks = table.zone("pyramid").marks or (0,) * 6
            table.show("pyramid", [free for free in self.free(table) if marks[free]])
        elif action["type"] == "peek":
            table.show("pyramid", [action["place"]], seats=[seat])
            table.set("peeked", True, seat)
        elif action["type"] == "draw":
            table.move("stock", "waste", n=1)
        elif action["type"] == "stop":
            table.set("stopped", True)
            return
        if any(table.cards("pyramid")):
            table.ask(table.next(seat), "take")

    @hookimpl
    def scoring(self, table: Table) -> Result | None:
        if any(table.cards("pyramid")) and not table.get("stopped"):
            return None
        return Result({seat: len(table.cards(f"score/{seat}")) for seat in table.seats}, over=table.hand >= table.option("hands"))


class Partners(Game):
    """Two against two, partners see each other's cards: give a card to somebody, keep one secret, or open the hand."""

    name = "partners"
    seats = (4, 4)
    deck = Deck([suit + str(rank) for suit in "ABCD" for rank in range(1, 5)])
    table_options = (Flag("open", True),)

    def teams(self, players: int, options: Any) -> Sequence[Sequence[int]]:
        return [(0, 2), (1, 3)]

    @hookimpl
    def deal(self, table: Table) -> None:
        table.create("stock", "pile", see=SECRET, cards=self.deck.cards)
        table.shuffle("stock")
        for seat in table.seats:
            table.create(f"hand/{seat}", "fan", seat, TEAM)
            table.create(f"safe/{seat}", "pile", seat, OWNER)
            table.move("stock", f"hand/{seat}", n=3)
            table.set("lucky", table.pick(table.cards(f"hand/{seat}")), seat)
        table.set("turns", 0)
        table.ask(table.start, "do")

    @hookimpl
    def options(self, table: Table, seat: int) -> Sequence[Form]:
        hand = f"hand/{seat}"
        hands = [f"hand/{other}" for other in table.seats if other != seat]
        open_now = table.zone(hand).see == OPEN
        return [
            Form("give", cards=Pick(hand, (1, 2)), to=Target(hands), blocked=None if table.cards(hand) else ["partners.none", {}]),
            Form("hide", cards=Pick(hand, 1), blocked=None if table.cards(hand) else ["partners.none", {}]),
            Form("open", blocked=["partners.open", {}] if open_now or not table.option("open") else None),
            Form("tell", rank=Number(1, 4), to=Choice([other for other in table.seats if other != seat])),
            Form("wait", default=True),
        ]

    @hookimpl
    def turn(self, table: Table, seat: int, action: dict[str, Any]) -> None:
        kind = action["type"]
        if kind == "give":
            if table.get("lucky", seat=seat) in action["cards"]:
                raise IllegalAction("lucky_stays")
            table.move(f"hand/{seat}", action["to"], cards=action["cards"])
        elif kind == "hide":
            table.move(f"hand/{seat}", f"safe/{seat}", cards=action["cards"])
        elif kind == "open":
            table.see(f"hand/{seat}", OPEN)
        elif kind == "tell":
            table.say("partners.told", only=action["to"], who=P(seat), n=action["rank"])
        table.set("turns", table.get("turns") + 1)
        if table.get("turns") < 12:
            table.ask(table.next(seat), "do")

    @hookimpl
    def scoring(self, table: Table) -> Result | None:
        if table.get("turns") < 12:
            return None
        return Result({seat: len(table.cards(f"safe/{seat}")) for seat in table.seats}, over=True)


class Blanks(Game):
    """A table with one form of every kind of field, each told to everybody when it is filled."""

    name = "blanks"
    seats = (2, 2)
    deck = Deck(["A1", "A1", "A2", "B1", "B2", "B3", "W", "W", "C1", "C2", "C3", "C4"])

    @hookimpl
    def deal(self, table: Table) -> None:
        table.create("deck", "pile", see=CLOSED, cards=self.deck.cards[8:])
        for seat, cards in enumerate((self.deck.cards[:4], self.deck.cards[4:8])):
            table.create(f"hand/{seat}", "fan", seat, cards=cards)
        table.create("grid", "grid", see=OPEN, cards=[""] * 4)
        table.move("deck", "grid", n=1, to=1)
        table.move("deck", "grid", n=1, to=2, up=False)
        table.ask(0, "fill")

    @hookimpl
    def options(self, table: Table, seat: int) -> Sequence[Form]:
        hand = f"hand/{seat}"
        return [
            Form("pick", cards=Pick(hand, (1, 2), cards=["A1", "A2", "W", "B2"])),
            Form("any", cards=Pick(hand, 3), more=Pick(hand, (0, 1), optional=True)),
            Form("choice", value=Choice([True, 1, "one", ("two", ["label.two", {}])])),
            Form("number", n=Number(18, 24, of=[18, 20, 22, 23, 24])),
            Form("groups", groups=Groups(hand, like=[["set", {}], ["run", {"n": 2}]])),
            Form("place", place=Place("grid", [1, 3])),
            Form("target", zone=Target(["grid", "deck"])),
            Form("seen", cards=Pick("grid", 1)),
            Form("never", n=Number(1, 2), blocked=["blanks.never", {}]),
            Form("nothing", default=True),
        ]

    @hookimpl
    def turn(self, table: Table, seat: int, action: dict[str, Any]) -> None:
        table.set("did", {key: value for key, value in action.items() if key not in ("cards", "more", "groups")})
        table.ask(table.next(seat), "fill")

    @hookimpl
    def scoring(self, table: Table) -> Result | None:
        return None


GAMES: dict[str, Callable[[], Game]] = {game.name: game for game in (Discards, Passing, Peaks, Partners, Blanks)}


def random_match(game: Game, players: int, number: int, leave: bool = False, most: int = 400) -> Match:
    """Play a whole match with random players from fixed seeds; sometimes time runs out, sometimes a bot takes a seat over."""
    from carteado.core.bots import sample_action
    from carteado.core.errors import Refused

    rng = random.Random(number)
    match = start(game, players, seed_of(number))
    for step in range(most):
        if match.phase == "over":
            return match
        if match.phase == "dealing":
            match.deal(seed_of(number * 1000 + step), {"host": f"{step:02x}"})
            continue
        seat = rng.choice(sorted(match.prompts))
        prompt = match.prompts[seat].id
        luck = rng.random()
        if leave and luck < 0.05 and not match.left:
            match.leave(seat)
        elif luck < 0.1:
            match.takeover(seat, "rule" if luck < 0.07 or seat in match.left else None)
        elif luck < 0.15:
            match.timeout(seat, prompt)
        else:
            action = sample_action(match.rules, match.view(seat), rng)
            assert action is not None
            try:
                match.act(seat, prompt, action)
            except Refused:
                continue
    raise AssertionError(f"match {number} of {game.name} does not end")


def redo(match: Match, entry: dict[str, Any]) -> Commit:
    """Apply a journal entry as its methods would, apart from the core's own replay."""
    kind = entry["k"]
    if kind == "hand":
        return match.deal(bytes.fromhex(entry["seed"]), entry["from"])
    if kind == "leave":
        return match.leave(entry["seat"])
    if kind == "takeover":
        return match.takeover(entry["seat"], entry["level"])
    if kind == "timeout":
        return match.timeout(entry["seat"], entry["prompt"], entry["do"])
    return match.act(entry["seat"], entry["prompt"], entry["do"])
