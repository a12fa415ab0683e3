"""Orders of hands are kept: whoever comes back finds the cards as they were left."""

from __future__ import annotations

import asyncio
from pathlib import Path

from carteado.ui.terminal.memory import MOST, HandMemory, Order

from .harness import Recorded, pilot
from .tables import TABLES


def memory(path: Path, match: str = "host/t-1/1") -> HandMemory:
    return HandMemory(path / "hands.json", lambda: match)


def seen(path: Path, keys: str, match: str = "host/t-1/1", hand: int = 4) -> tuple[list[str], bool]:
    """Open a client, type, close it; return the order of the hand, and whether it was the player's own."""
    make, words, looks = TABLES["steps"]
    session = Recorded(make(hand={"number": hand, "dealer": 1, "start": 2}), words, looks)

    async def run() -> tuple[list[str], bool]:
        async with pilot(session, memory=memory(path, match)) as one:
            if keys:
                await one.keys(keys)
            return list(one.client.local.hand.faces), one.client.local.manual

    return asyncio.run(run())


def test_cards_that_were_moved_lie_there_again_after_the_client_was_closed(tmp_path: Path) -> None:
    first, own = seen(tmp_path, "\x1b[C")
    assert not own
    moved, own = seen(tmp_path, "\x1b[C>>")
    assert own
    assert first != moved
    assert (moved, True) == seen(tmp_path, "")
    assert (first, False) == seen(tmp_path, "", match="host/t-1/2")


def test_a_chosen_order_holds_for_this_hand_and_the_next_ones_of_the_match(tmp_path: Path) -> None:
    by_rank, _ = seen(tmp_path, "")
    by_suit, _ = seen(tmp_path, "o")
    assert by_rank != by_suit
    assert (by_suit, False) == seen(tmp_path, "")
    assert (by_suit, False) == seen(tmp_path, "", hand=5)
    assert (by_rank, False) == seen(tmp_path, "", match="other/t-1/1")


def test_only_the_last_hands_are_kept_and_what_cannot_be_read_is_none(tmp_path: Path) -> None:
    one = memory(tmp_path)
    for hand in range(1, MOST + 3):
        one.remember(hand, 0, Order(1, True, ["R1"]))
    assert Order(1, True, ["R1"]) == one.recall(MOST + 2, 0)
    assert Order(1) == one.recall(1, 0)
    (tmp_path / "hands.json").write_text('{"host/t-1/1/3/0": {"sort": "x", "manual": 1, "faces": 7}}', encoding="utf-8")
    assert Order() == one.recall(3, 0)
    assert one.recall(4, 0) is None
    (tmp_path / "hands.json").write_text("[", encoding="utf-8")
    assert one.recall(3, 0) is None


def test_a_folder_that_cannot_be_written_costs_only_the_order(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    one = HandMemory(tmp_path / "file" / "hands.json", lambda: "m")
    one.remember(1, 0, Order(1))
    assert one.recall(1, 0) is None
