"""Views to draw, as a host would send them: three kinds of table, none of which the client knows by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from carteado.core.cards import FRENCH_RANKS, FRENCH_SUITS, JOKER

Message = list[Any]

COLOURS = {
    "suits": {
        "R": {"glyph": "●", "ascii": "r", "color": "red", "name": "suit.R"},
        "B": {"glyph": "◆", "ascii": "b", "color": "blue", "name": "suit.B"},
        "G": {"glyph": "■", "ascii": "g", "color": "green", "name": "suit.G"},
        "Y": {"glyph": "▲", "ascii": "y", "color": "yellow", "name": "suit.Y"},
    },
    "faces": {
        "W": {"glyph": "★", "ascii": "**", "color": "gray", "name": "face.W"},
        "S": {"glyph": "⊘", "ascii": ">>", "color": "gray", "name": "face.S"},
    },
    "ranks": {},
}
FRENCH = {"suits": FRENCH_SUITS, "faces": {"*": JOKER}, "ranks": FRENCH_RANKS}

STEPS_WORDS = {
    "suit.R": "red",
    "suit.B": "blue",
    "suit.G": "green",
    "suit.Y": "yellow",
    "face.W": "wild",
    "face.S": "skip",
    "zone.deck": "Stock",
    "zone.discard": "Discards",
    "form.draw": "Draw",
    "form.take": "Take",
    "form.lay": "Lay phase",
    "form.hit": "Add",
    "form.discard": "Discard",
    "form.skip": "Discard skip",
    "dd.phase": "P{n}",
    "dd.skipped": "⊘ skipped",
    "dd.set": "S{n}",
    "dd.run": "R{n}",
    "dd.like.set": "set of {n}",
    "dd.like.run": "run of {n}",
    "dd.phases": "Phases",
    "dd.phase.line": "{mark}{n} {text}",
    "dd.hint.lay": "You can lay phase {n}: {groups}",
    "dd.prompt.play": "Phase {n}: a set of 3 and a run of 4. "
    "Lay it, add cards to groups on the table, and end your turn by discarding a card.",
    "dd.prompt.draw": "Draw a card from the stock, or take the top discard.",
    "dd.log.drew": "{who} drew from the stock.",
    "dd.log.drew.you": "You drew {card}.",
    "dd.log.discarded": "{who} discarded {card}.",
    "dd.log.hit": "{who} added {card} to the set of {owner}.",
    "dd.log.skip": "{who} played a skip: {target} loses a turn.",
    "draw_first": "Draw a card first.",
    "no_phase": "These cards are not phase {n}.",
    "name_one": "Say who is to be skipped.",
    "dd.out": "{who} went out.",
    "dd.sheet": "Cards left in hand",
    "dd.sheet.line": "{who}: {n} points",
    "dd.table": "Table {id}",
    "dd.hand": "Hand {n}",
    "game": "Ten Steps",
}

TRICK_WORDS = {
    "zone.skat": "Skat",
    "zone.trick": "Trick",
    "form.play": "Play",
    "form.bid": "Bid",
    "form.pass": "Pass",
    "form.put": "Put away",
    "tg.fore": "⚑ forehand",
    "tg.middle": "middlehand",
    "tg.rear": "rearhand",
    "tg.alone": "plays alone",
    "tg.tricks": "tricks {n}",
    "tg.prompt.play": "Your turn: you must follow spades.",
    "tg.contract": "{who} plays hearts, bid {n}",
    "tg.bids": "Bidding",
    "tg.bid": "{who} bid {n}.",
    "tg.passed": "{who} passed.",
    "tg.played": "{who} played {card}.",
    "tg.game": "Three Hands",
    "must_follow": "You must follow {suit}.",
}

PYRAMID_WORDS = {
    "zone.reserve": "Reserve",
    "zone.pyramid": "Pyramid",
    "form.take": "Take",
    "form.draw": "Draw",
    "form.swap": "Swap joker",
    "form.steal": "Steal",
    "form.end": "End turn",
    "py.pair": "Pair",
    "py.three": "Three",
    "py.four": "Four",
    "py.prompt": "Take a free card from the pyramid, draw from the reserve, or swap a joker for any face-up card.",
    "py.stole": "{who} stole the pair of {rank}s from {owner}: four of a kind.",
    "py.took": "{who} took {card}.",
    "py.opened": "Row {n} is open.",
    "py.game": "Waterfall",
    "covered": "That card is still covered.",
}


def zone(
    name: str, kind: str, cards: list[str] | None, owner: int | None = None, n: int | None = None, **facts: Any
) -> Any:
    """Return one zone of a view; without cards only their number is known."""
    return {
        "name": name,
        "kind": kind,
        "owner": owner,
        "n": len(cards) if cards is not None else n,
        "cards": cards,
        "facts": facts,
    }


def seat(number: int, name: str, points: int = 0, **more: Any) -> dict[str, Any]:
    """Return one seat of a view."""
    base = {
        "seat": number,
        "name": name,
        "bot": None,
        "state": "in",
        "points": points,
        "place": None,
        "asked": None,
        "ready": False,
    }
    return base | more


def form(type: str, key: str | None = None, on: str | None = None, **more: Any) -> Any:
    """Return one form as it stands in a view; what is not `blocked` or `default` is a field."""
    rest = {"blocked": more.pop("blocked", None), "default": more.pop("default", False)}
    return {"type": type, "label": [f"form.{type}", {}], "key": key, "on": on, **rest, "fields": more}


def pick(zone: str, n: tuple[int, int] = (1, 1), cards: list[str] | None = None, **more: Any) -> Any:
    """Return a blank for cards."""
    return {"kind": "pick", "zone": zone, "n": list(n), "cards": cards, **more}


def view(**parts: Any) -> dict[str, Any]:
    """Return a whole view with the given parts."""
    base: dict[str, Any] = {
        "table": {"id": "kafu", "options": {}},
        "game": "fixture",
        "version": "1",
        "you": 0,
        "q": 1,
        "phase": "playing",
        "hand": {"number": 4, "dealer": 1, "start": 2},
        "seats": [],
        "zones": [],
        "vars": {},
        "mine": {},
        "facts": {},
        "prompts": [],
        "layout": {},
        "log": [],
        "result": None,
        "end": None,
    }
    return base | parts


HAND = ["R2", "Y6", "B7", "G7", "W", "B8", "R9", "R10", "Y11", "R12", "S"]
GROUPS = [
    ("group/1", 1, ["R9", "B9", "W", "G9", "R9"], ["dd.set", {"n": 4}]),
    ("group/2", 1, ["Y3", "G4", "G5", "B6"], ["dd.run", {"n": 4}]),
    ("group/3", 3, ["R4", "B5", "Y6", "W", "G8", "G9", "R10"], ["dd.run", {"n": 7}]),
]
PHASES = [
    "two sets of 3",
    "set of 3 + run of 4",
    "set of 4 + run of 4",
    "run of 7",
    "run of 8",
    "run of 9",
    "two sets of 4",
    "7 cards of one colour",
    "set of 5 + set of 2",
    "set of 5 + set of 3",
]


def steps_forms() -> list[Any]:
    """Return the forms of a turn in the game of steps."""
    like = [["dd.like.set", {"n": 3}], ["dd.like.run", {"n": 4}]]
    natural = [face for face in HAND if face != "S"]
    return [
        form(
            "lay",
            "b",
            groups={"kind": "groups", "zone": "hand/0", "like": like, "optional": True},
            cards=pick("hand/0", (7, 11), optional=True),
        ),
        form(
            "hit",
            "j",
            cards=pick("hand/0", (1, 10), ["R9", "W"]),
            group={"kind": "target", "zones": ["group/1", "group/2"]},
        ),
        form("discard", "d", on="discard", default=True, cards=pick("hand/0", (1, 1), natural)),
        form(
            "skip",
            "s",
            on="discard",
            cards=pick("hand/0", (1, 1), ["S"]),
            seat={
                "kind": "choice",
                "of": [{"value": seat, "label": ["{who}", {"who": {"$player": seat}}]} for seat in (1, 3)],
            },
        ),
    ]


def steps(**parts: Any) -> dict[str, Any]:
    """Return a view of a game of steps: hands, stock and discards, groups on the table. The reader is to lay or discard."""
    prompt = {
        "id": 7,
        "stage": "play",
        "forms": steps_forms(),
        "hints": [
            {
                "text": [
                    "dd.hint.lay",
                    {"n": 2, "groups": {"$list": [{"$card": "B7"}, {"$card": "G7"}, {"$card": "W"}]}},
                ],
                "action": {"type": "lay", "groups": [["B7", "G7", "W"], ["R9", "R10", "Y11", "R12"]]},
            }
        ],
    }
    base = {
        "seats": [
            seat(0, "Rita", 60, asked="play"),
            seat(1, "Ana", 45),
            seat(2, "Bruno", 80),
            seat(3, "Carla", 15),
            seat(4, "Rui", 120, bot="rule"),
        ],
        "zones": [
            zone("deck", "pile", None, n=52),
            zone("discard", "pile", ["R1"] * 8 + ["G4"]),
            *(
                zone(f"hand/{number}", "fan", HAND if number == 0 else None, number, n)
                for number, n in enumerate((11, 4, 10, 3, 10))
            ),
            *(zone(name, "group", cards, owner) for name, owner, cards, _ in GROUPS),
        ],
        "prompts": [prompt],
        "layout": {
            "title": [["dd.table", {"id": "KAFU"}], ["dd.hand", {"n": 4}]],
            "prompt": ["dd.prompt.play", {"n": 2}],
            "badges": [
                [["dd.phase", {"n": 2}]],
                [["dd.phase", {"n": 3}]],
                [["dd.phase", {"n": 2}]],
                [["dd.phase", {"n": 4}]],
                [["dd.phase", {"n": 1}], ["dd.skipped", {}]],
            ],
            "panels": [
                {
                    "title": ["dd.phases", {}],
                    "lines": [
                        ["dd.phase.line", {"mark": "✓" if n < 2 else "▶" if n == 2 else " ", "n": n, "text": text}]
                        for n, text in enumerate(PHASES, 1)
                    ],
                }
            ],
            "labels": {name: label for name, _, _, label in GROUPS},
            "order": ["deck", "discard"],
            "sorts": [],
        },
        "log": [
            ["dd.log.drew", {"who": {"$player": 2}}],
            ["dd.log.discarded", {"who": {"$player": 2}, "card": {"$card": "G4"}}],
            ["dd.log.hit", {"who": {"$player": 3}, "card": {"$card": "R9"}, "owner": {"$player": 1}}],
            ["dd.log.skip", {"who": {"$player": 3}, "target": {"$player": 4}}],
            ["dd.log.drew", {"who": {"$player": 0}, "card": {"$card": "Y6"}}],
        ],
    }
    return view(**({"title": "Ten Steps"} | base | parts))


def trick(**parts: Any) -> dict[str, Any]:
    """Return a view of a trick game for three: one card is led, the reader must follow."""
    hand = ["CJ", "HJ", "HA", "HT", "H8", "SA", "S8", "DT", "DK"]
    prompt = {
        "id": 21,
        "stage": "play",
        "forms": [form("play", "p", on="trick", default=True, cards=pick("hand/0", (1, 1), ["SA", "S8"]))],
        "hints": [],
    }
    base = {
        "seats": [seat(0, "Rita", 72, asked="play"), seat(1, "Otto", 48, bot="rule"), seat(2, "Petra", 96)],
        "zones": [
            zone("skat", "pile", None, n=2),
            zone("trick", "trick", ["", "", "SK"], lead=2),
            zone("hand/0", "fan", hand, 0),
            zone("hand/1", "fan", None, 1, n=9),
            zone("hand/2", "fan", None, 2, n=8),
            zone("won/0", "pile", None, 0, n=0),
            zone("won/1", "pile", None, 1, n=0),
            zone("won/2", "pile", None, 2, n=3),
        ],
        "prompts": [prompt],
        "layout": {
            "title": [["dd.hand", {"n": 7}]],
            "prompt": ["tg.prompt.play", {}],
            "badges": [
                [["tg.middle", {}]],
                [["tg.rear", {}], ["tg.tricks", {"n": 0}]],
                [["tg.fore", {}], ["tg.alone", {}], ["tg.tricks", {"n": 1}]],
            ],
            "panels": [
                {"title": ["tg.contract", {"who": {"$player": 2}, "n": 22}], "lines": []},
                {
                    "title": ["tg.bids", {}],
                    "lines": [["tg.bid", {"who": {"$player": 2}, "n": 22}], ["tg.passed", {"who": {"$player": 1}}]],
                },
            ],
            "labels": {},
            "order": ["skat"],
            "sorts": [],
        },
        "log": [
            ["tg.bid", {"who": {"$player": 2}, "n": 22}],
            ["tg.passed", {"who": {"$player": 1}}],
            ["tg.played", {"who": {"$player": 2}, "card": {"$card": "SK"}}],
        ],
    }
    return view(**({"title": "Three Hands"} | base | parts))


PYRAMID = "D5 C9 HK D2 DQ S8 DA ? ? ? ? ? H7 D5 SJ C2 HA D9 S3 CT D8 H6 CK SQ *".split()  # noqa: SIM905 - a row is easier to read


def pyramid_zone(taken: tuple[int, ...] = (0,)) -> Any:
    """Return a pyramid of rows 3 to 7 with a face-down row; the upper rows cover the lower ones."""
    cards = list(PYRAMID)
    cards = ["" if place in taken else face for place, face in enumerate(cards)]
    covers: list[list[int]] = []
    start = 0
    above: list[int] = []
    for row in range(5):
        places = list(range(start, start + 3 + row))
        for column, _ in enumerate(places):
            covers.append([above[side] for side in (column - 1, column) if above and 0 <= side < len(above)])
        above, start = places, start + 3 + row
    return zone("pyramid", "pyramid", cards, n=None, rows=5, covers=covers)


def pyramid(**parts: Any) -> dict[str, Any]:
    """Return a view of a pyramid game: the reader may take a free card, draw, or swap a joker."""
    prompt = {
        "id": 3,
        "stage": "take",
        "forms": [
            form("take", "p", place={"kind": "place", "zone": "pyramid", "places": [1, 2, 3]}),
            form("draw", "r", on="reserve", default=True),
            form(
                "swap",
                "c",
                joker=pick("hand/0", (1, 1), ["*"]),
                place={"kind": "place", "zone": "pyramid", "places": [1, 2, 3, 4, 5, 6]},
            ),
            form("steal", "s", blocked=["covered", {}]),
            form("end", "f", blocked=["covered", {}]),
        ],
        "hints": [],
    }
    base = {
        "seats": [seat(0, "Rita", 48, asked="take"), seat(1, "Léo", 42), seat(2, "Duda", 116, bot="rule")],
        "zones": [
            pyramid_zone(),
            zone("reserve", "pile", None, n=12),
            zone("hand/0", "fan", ["D7", "*", "H4", "ST", "CJ"], 0),
            zone("hand/1", "fan", None, 1, n=5),
            zone("hand/2", "fan", None, 2, n=2),
            zone("meld/1", "group", ["C7", "S7"], 1),
            zone("meld/2", "group", ["D8", "C8", "H8", "*"], 2),
            zone("meld/3", "group", ["H3", "C3"], 2),
            zone("meld/4", "group", ["D4", "S4", "C4"], 0),
        ],
        "prompts": [prompt],
        "layout": {
            "title": [["dd.table", {"id": "PIPA"}]],
            "prompt": ["py.prompt", {}],
            "badges": [],
            "panels": [],
            "labels": {
                "meld/1": ["py.pair", {}],
                "meld/2": ["py.four", {}],
                "meld/3": ["py.pair", {}],
                "meld/4": ["py.three", {}],
            },
            "order": ["pyramid", "reserve"],
            "sorts": [],
        },
        "log": [
            ["py.stole", {"who": {"$player": 2}, "owner": {"$player": 1}, "rank": "8"}],
            ["py.took", {"who": {"$player": 1}, "card": {"$card": "HQ"}}],
            ["py.opened", {"n": 4}],
        ],
    }
    return view(**({"title": "Waterfall"} | base | parts))


TABLES: dict[str, tuple[Callable[..., Any], dict[str, Any], dict[str, Any]]] = {
    "steps": (steps, STEPS_WORDS | {"card.spoken": "{suit} {rank}"}, COLOURS),
    "trick": (trick, STEPS_WORDS | TRICK_WORDS, FRENCH),
    "pyramid": (pyramid, STEPS_WORDS | PYRAMID_WORDS, FRENCH),
}
"""By name: what makes a view, the words of its game, the looks of its deck."""
