"""Following a hand from what one viewer sees of it: what must be believed, what cannot be, and what nobody can tell."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carteado.core.course import Course, NoCourse
from carteado.core.shuffle import Stream
from carteado.core.witness import NotDealt, NotFollowed, Seen, Witness

from .properties import quick

SEED = bytes(range(32))
PACK = ["A1", "A2", "A3", "A4", "A5", "A6"]
ORDER = Stream(SEED, "deal").shuffled(PACK)
"""The pack as it is shuffled; its last card is on top."""
COURSE: Course = [
    ["create", "stock", "pile", PACK], ["shuffle", "stock"], ["create", "open", "pile", []],
    ["create", "hand/0", "fan", []], ["top", "stock", "hand/0", 2, None],
    ["create", "hand/1", "fan", []], ["top", "stock", "hand/1", 2, None],
]  # fmt: skip
WORDS = Stream(SEED, "deal")
WORDS.shuffled(PACK)
USED = {"deal": WORDS.at}
MINE, THEIRS, STOCK = [ORDER[5], ORDER[4]], [ORDER[3], ORDER[2]], ORDER[:2]
DEALT = {"stock": ("pile", 2, None), "open": ("pile", 0, []), "hand/0": ("fan", 2, MINE), "hand/1": ("fan", 2, None)}


def dealt(**zones: Any) -> Witness:
    """Return a witness of seat 0 after the deal."""
    witness = Witness(SEED, COURSE, USED)
    witness.dealt(Seen([], {**DEALT, **zones}))
    return witness


def move(src: str | None, dst: str | None, n: int | None = 1, **more: Any) -> dict[str, Any]:
    """Return a move as a client gets it."""
    return {"k": "move", "from": src, "to": dst, "n": n, **more}


def after(*events: dict[str, Any], **zones: Any) -> Seen:
    """Return a version with these events and what is seen after them."""
    return Seen(list(events), {**DEALT, **{name.replace("_", "/"): zone for name, zone in zones.items()}})


def test_the_own_cards_are_those_that_the_seed_deals() -> None:
    assert dealt().checked == 2


def test_other_cards_than_the_dealt_ones_are_not_believed() -> None:
    with pytest.raises(NotDealt):
        dealt(**{"hand/0": ("fan", 2, [THEIRS[0], MINE[1]])})


def test_the_top_of_the_stock_is_drawn() -> None:
    drawn = STOCK[-1]
    dealt().went_on(after(move("stock", "hand/0", cards=[drawn]), hand_0=("fan", 3, [*MINE, drawn]), stock=("pile", 1, None)))


def test_a_card_from_elsewhere_in_the_stock_is_not_believed() -> None:
    wrong = STOCK[0]
    with pytest.raises(NotDealt):
        dealt().went_on(after(move("stock", "hand/0", cards=[wrong]), hand_0=("fan", 3, [*MINE, wrong]), stock=("pile", 1, None)))


def test_a_card_that_another_seat_lays_must_have_been_in_its_hand() -> None:
    laid = {"open": ("pile", 1, [THEIRS[0]]), "hand_1": ("fan", 1, None)}
    dealt().went_on(after(move("hand/1", "open", cards=[THEIRS[0]]), **laid))
    with pytest.raises(NotDealt):
        dealt().went_on(after(move("hand/1", "open", cards=[STOCK[0]]), **{**laid, "open": ("pile", 1, [STOCK[0]])}))


def test_a_card_that_somebody_lays_unseen_may_be_any_of_the_hand_and_no_other() -> None:
    for shown, believed in ((THEIRS[0], True), (THEIRS[1], True), (STOCK[0], False)):
        witness = dealt()
        witness.went_on(after(move("hand/1", "open"), open=("pile", 1, None), hand_1=("fan", 1, None)))
        turned = after({"k": "show", "zone": "open", "places": [0], "cards": [shown]}, open=("pile", 1, [shown]), hand_1=("fan", 1, None))
        if believed:
            witness.went_on(turned)
        else:
            with pytest.raises(NotDealt):
                witness.went_on(turned)


def test_one_card_cannot_be_in_two_places() -> None:
    witness = dealt()
    witness.went_on(after(move("hand/1", "open", 2), open=("pile", 2, None), hand_1=("fan", 0, None)))
    with pytest.raises(NotDealt):
        witness.went_on(after(open=("pile", 2, [THEIRS[0], THEIRS[0]]), hand_1=("fan", 0, None)))


def test_a_shuffle_in_mid_game_comes_from_the_seed_too() -> None:
    turn = Stream(SEED, "turn")
    again = turn.shuffled(STOCK)
    witness = Witness(SEED, COURSE, USED | {"turn": turn.at})
    witness.dealt(Seen([], DEALT))
    witness.went_on(after({"k": "shuffle", "zone": "stock"}))
    drawn = again[-1]
    witness.went_on(after(move("stock", "hand/0", cards=[drawn]), hand_0=("fan", 3, [*MINE, drawn]), stock=("pile", 1, None)))
    witness.ended()


def test_numbers_that_a_game_draws_besides_are_said_to_be_beyond_this_proof() -> None:
    with pytest.raises(NotFollowed) as found:
        Witness(SEED, COURSE, {"deal": WORDS.at + 1})
    assert found.value.code == "draws"
    witness = Witness(SEED, COURSE, USED | {"turn": 3})
    witness.dealt(Seen([], DEALT))
    with pytest.raises(NotFollowed):
        witness.ended()


def test_cards_that_vanish_into_hidden_places_may_come_back_from_there() -> None:
    witness = dealt()
    witness.went_on(after(move("hand/1", None), hand_1=("fan", 1, None)))
    witness.went_on(after(move(None, "open", cards=[THEIRS[1]]), hand_1=("fan", 1, None), open=("pile", 1, [THEIRS[1]])))
    with pytest.raises(NotDealt):
        witness.went_on(after(move(None, "open", cards=[MINE[0]]), hand_1=("fan", 1, None), open=("pile", 2, [THEIRS[1], MINE[0]])))


@pytest.mark.parametrize(
    "event",
    [
        move("hand/1", "open", None), move("nowhere", "open"), {"k": "create", "zone": "x", "kind": "pile", "n": 1 << 40},
        {"k": "shuffle", "zone": "y"},
    ],
)
def test_what_cannot_be_followed_is_said_and_costs_no_memory(event: dict[str, Any]) -> None:
    with pytest.raises(NotFollowed):
        dealt().went_on(after(event))


_word = st.sampled_from(["stock", "open", "hand/0", "hand/1", "x", "A1", "A2", "", "?"])
_event = st.fixed_dictionaries(
    {"k": st.sampled_from(["move", "create", "shuffle", "show", "see", "drop", "tick"])},
    optional={
        "from": _word | st.none(), "to": _word | st.none(), "n": st.integers(0, 9) | st.none(), "cards": st.lists(_word, max_size=4),
        "places": st.lists(st.integers(-3, 9), max_size=4), "place": st.integers(-3, 9) | st.none(), "zone": _word,
        "kind": st.sampled_from(["fan", "pile", "grid"]),
    },
)  # fmt: skip


@quick
@given(st.lists(_event, max_size=6), st.lists(st.sampled_from(COURSE) | st.lists(_word, max_size=4), max_size=6))
def test_whatever_a_host_says_is_judged_and_nothing_breaks(events: list[dict[str, Any]], more: list[Any]) -> None:
    try:
        witness = Witness(SEED, [*COURSE, *more], USED)
        witness.dealt(Seen([], DEALT))
        witness.went_on(Seen(events, DEALT))
        witness.ended()
    except (NoCourse, NotDealt, NotFollowed, KeyError, TypeError, ValueError, IndexError, AttributeError):
        return  # what `Proofs` takes for a proof that fails
