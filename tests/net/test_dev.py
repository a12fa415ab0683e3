"""A game on its author's bench: step back, go on otherwise, load the code anew and be told what it changed."""

from __future__ import annotations

import importlib
import itertools
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from carteado.core.errors import LoadFailure, PluginFault, Refused
from carteado.net.deadline import within
from carteado.net.dev import Workshop
from carteado.net.timeline import differences, face_up

from .lowcard import SOURCE

MODULE = "lowcard_written"


class Bench:
    """A game in a file that can be written anew."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / f"{MODULE}.py"
        self._size = itertools.count(1)
        self.write()

    def write(self, extra: str = "pass", **parts: str) -> None:
        """Write the game with another line in `turn`; the file gets another size each time, so that no compiled copy is taken for it."""
        source = SOURCE.replace("#EXTRA", extra)
        for old, new in parts.items():
            assert old in source
            source = source.replace(old, new)
        self.file.write_text(f"{'#' * next(self._size)}\n{source}", encoding="utf-8")

    def load(self, name: str) -> Any:
        """Import the game as the loader does."""
        try:
            return importlib.import_module(MODULE).game()
        except Exception as error:
            raise LoadFailure(f"{name} cannot be imported: {error}") from error

    def shop(self, **more: Any) -> Workshop:
        """Return a bench with a hand dealt."""
        shop = Workshop("low-card", load=self.load, **more)
        shop.deal()
        return shop


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    yield Bench(tmp_path)
    sys.modules.pop(MODULE, None)


def lay(shop: Workshop, which: int = 0) -> None:
    """Let the seat that is asked lay a card."""
    seat, prompt = next(iter(shop.match.prompts.items()))
    shop.act(seat, prompt.id, {"type": "lay", "cards": [shop.match.table.cards(f"hand/{seat}")[which]]})


def test_every_seat_can_act_and_every_card_is_in_sight(bench: Bench) -> None:
    shop = bench.shop()
    seat = next(iter(shop.match.prompts))
    other = 1 - seat
    cards = {zone["name"]: zone["cards"] for zone in shop.view(seat, whole=True)["zones"]}
    assert {"stock": 4, "laid": 0, "hand/0": 2, "hand/1": 2} == {name: len(held) for name, held in cards.items()}
    assert {zone["name"]: zone["cards"] for zone in shop.view(seat, whole=False)["zones"]}[f"hand/{other}"] is None
    assert face_up(shop.match.table.zone("stock"))["cards"] == list(shop.match.table.cards("stock"))
    lay(shop)
    assert [other] == list(shop.match.prompts)


def test_stepping_back_and_forth_gives_the_same_states(bench: Bench) -> None:
    shop = bench.shop()
    states = [shop.match.digest()]
    for _ in range(2):
        lay(shop)
        states.append(shop.match.digest())
    found = []
    for place in (3, 1, 2, 3):
        shop.go(place)
        found.append(shop.match.digest())
    assert [states[2], states[0], states[1], states[2]] == found


def test_another_move_in_the_past_keeps_what_came_after_as_a_branch(bench: Bench) -> None:
    shop = bench.shop()
    lay(shop)
    lay(shop)
    old = list(shop.entries)
    shop.go(1)
    lay(shop, 1)
    assert (2, 1, old) == (len(shop.entries), shop.branches[0].parted, list(shop.branches[0].entries))
    mine = list(shop.entries)
    shop.switch(0)
    assert (old, mine, 3) == (shop.entries, list(shop.branches[0].entries), shop.place)


def test_a_refused_action_and_a_fault_cost_nothing(bench: Bench) -> None:
    for wrong, error in (("raise IllegalAction('not_that')", Refused), ("raise ZeroDivisionError", PluginFault)):
        bench.write(wrong)
        sys.modules.pop(MODULE, None)
        shop = bench.shop()
        before = shop.match.digest()
        with pytest.raises(error):
            lay(shop)
        assert (1, before, []) == (shop.place, shop.match.digest(), shop.branches)


def test_a_hook_that_does_not_come_back_is_interrupted_and_named(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("carteado.net.dev.within", partial(within, 0.05))
    shop = bench.shop()
    lay(shop)
    bench.write("while True: pass")
    told = shop.reload()
    assert (told.same, told.of) == (1, 2)
    assert "turn" in told.why
    assert "longer" in told.why
    with pytest.raises(PluginFault, match="longer") as caught:
        lay(shop)
    assert caught.value.hook == "turn"
    assert len(shop.entries) == 1


def test_a_computer_player_of_a_seat_moves_at_the_end_of_the_journal_only(bench: Bench) -> None:
    shop = bench.shop()
    first = next(iter(shop.match.prompts))
    shop.play_by(first, "random")
    assert first == shop.waiting()
    action = shop.choose(first)
    assert action == shop.choose(first)
    shop.act(first, shop.match.prompts[first].id, action)
    assert shop.waiting() is None
    shop.go(1)
    assert shop.waiting() is None
    shop.play_by(first, None)
    assert shop.level(first) is None
    with pytest.raises(Refused):
        shop.play_by(7, "random")


def test_dealing_anew_gives_other_cards_for_the_same_hand(bench: Bench) -> None:
    shop = bench.shop()
    before = shop.match.table.cards("stock")
    lay(shop)
    shop.deal_anew()
    assert (1, 1) == (shop.place, shop.match.hand)
    assert before != shop.match.table.cards("stock")
    assert before == bench.shop().match.table.cards("stock")


def test_code_that_plays_the_same_is_taken_up_where_one_stands(bench: Bench) -> None:
    shop = bench.shop()
    lay(shop)
    lay(shop)
    shop.go(2)
    assert not shop.changed()
    bench.write("assert True")
    assert shop.changed()
    old = shop.game
    told = shop.reload()
    assert (3, 3, False) == (told.same, told.of, told.failed)
    assert (2, 3, False) == (shop.place, len(shop.entries), shop.changed())
    assert shop.game is not old


def test_code_that_plays_otherwise_is_told_with_the_first_entry_and_what_is_different(bench: Bench) -> None:
    shop = bench.shop()
    lay(shop)
    lay(shop)
    old = list(shop.entries)
    bench.write("table.set('laid', len(table.cards('laid')))")
    told = shop.reload()
    assert (1, 3) == (told.same, told.of)
    assert "entry 2 (action) replays to hash" in told.why
    assert ("vars/laid: None -> 1",) == told.different
    assert (2, old) == (len(shop.entries), list(shop.branches[0].entries))
    lay(shop)
    assert 3 == len(shop.entries)


def test_code_that_refuses_an_entry_is_told_too(bench: Bench) -> None:
    shop = bench.shop()
    lay(shop)
    bench.write("raise IllegalAction('not_that')")
    told = shop.reload()
    assert (1, ()) == (told.same, told.different)
    assert "not_that" in told.why
    assert 1 == shop.place


def test_code_of_another_version_is_compared_by_the_digests_at_the_ends_of_hands(bench: Bench) -> None:
    shop = bench.shop()
    lay(shop)
    lay(shop)
    bench.write(**{'"low-card", "1"': '"low-card", "2"'})
    told = shop.reload()
    assert (3, 3, "2") == (told.same, told.of, shop.header["version"])
    bench.write(**{'"low-card", "1"': '"low-card", "3"', "{winner: 1}": "{winner: 2}"})
    told = shop.reload()
    assert (2, 3) == (told.same, told.of)
    assert "ends with digest" in told.why
    assert any(line.startswith("points: ") for line in told.different)


def test_code_that_cannot_be_loaded_changes_nothing(bench: Bench) -> None:
    shop = bench.shop()
    lay(shop)
    old = shop.game
    bench.file.write_text("import nothing_of_this_name\n", encoding="utf-8")
    told = shop.reload()
    assert told.failed
    assert "nothing_of_this_name" in told.why
    assert (old, 2) == (shop.game, shop.place)
    lay(shop)
    assert "dealing" == shop.match.phase


def test_a_package_is_loaded_anew_with_all_its_modules() -> None:
    shop = Workshop("dez-degraus", players=2)
    shop.deal()
    old = sys.modules["carteado.plugins.dez_degraus.rules"]
    told = shop.reload()
    assert (1, 1) == (told.same, told.of)
    assert sys.modules["carteado.plugins.dez_degraus.rules"] is not old


def test_differences_name_the_path() -> None:
    assert ["a/b: 1 -> 2", "c: None -> [3]"] == list(differences({"a": {"b": 1, "d": 0}}, {"a": {"b": 2, "d": 0}, "c": [3]}))
