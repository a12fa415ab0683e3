"""A small game from another distribution, installed for the length of a test."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

TOY = '''
"""Toy: everybody holds three cards and throws one away; the rest counts. Two hands."""

from carteado.core.api import OWNER, CLOSED, Deck, Flag, Form, Game, Pick, Result, hookimpl


class Toy(Game):
    api = 1
    name = "toy"
    version = "3"
    title = "Toy"
    seats = (2, 3)
    deck = Deck([f"S{rank}" for rank in range(1, 10)])
    table_options = (Flag("generous", False),)

    def words(self, lang):
        return {
            "form.throw": "Throw", "thrown": "{who} threw a card.", "done": "All have thrown.",
            "option.generous": "Points count double",
        }

    def rules(self, lang):
        return "# Toy\\n\\nThrow the lowest card."

    @hookimpl
    def deal(self, table):
        table.create("stock", "pile", see=CLOSED, cards=self.deck.cards)
        table.shuffle("stock")
        for seat in table.seats:
            table.create(f"hand/{seat}", "fan", owner=seat, see=OWNER)
            table.move("stock", f"hand/{seat}", n=3)
        table.ask(table.start, "throw")

    @hookimpl
    def options(self, table, seat):
        return [Form("throw", cards=Pick(f"hand/{seat}", 1))]

    @hookimpl
    def turn(self, table, seat, action):
        table.move(f"hand/{seat}", "stock", cards=action["cards"])
        table.say("thrown", who={"$player": seat})
        if len(table.cards(f"hand/{table.next(seat)}")) == 3:
            table.ask(table.next(seat), "throw")

    @hookimpl
    def scoring(self, table):
        if any(len(table.cards(f"hand/{seat}")) == 3 for seat in table.seats):
            return None
        worth = {seat: sum(int(card[1:]) for card in table.cards(f"hand/{seat}")) for seat in table.seats}
        factor = 2 if table.option("generous") else 1
        points = {seat: factor * sum_ for seat, sum_ in worth.items()}
        return Result(points, over=table.hand == 2, reason=["done", {}])

    @hookimpl
    def suggest(self, view, rng):
        hand = next(zone for zone in view["zones"] if zone["name"] == f"hand/{view['you']}")
        return {"type": "throw", "cards": [min(hand["cards"])]}


class Stubborn:
    def choose(self, view, rng):
        return {"type": "throw", "cards": ["S99"]}


Toy.bots = {"stubborn": Stubborn}
'''


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Install the game `toy` and a distribution that is broken; return the folder they lie in."""
    site = tmp_path / "site"
    for name, entry in (("toys", "toy = toys_game:Toy"), ("broken", "broken = no_such_module:Game")):
        info = site / f"{name}-1.5.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.5\n")
        (info / "entry_points.txt").write_text(f"[carteado.games]\n{entry}\n")
    (site / "toys_game.py").write_text(textwrap.dedent(TOY))
    monkeypatch.syspath_prepend(site)
    return str(site)


SURROUNDED = {"crash", "hostile", "sql", "web"}
"""Folders of tests that build up something around the program."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Count as slow the conformance kit on the shipped games (hundreds of hands of each), and what needs servers, sieges or browsers."""
    for item in items:
        kit = item.path.name == "test_kit.py" and "plugins" in item.path.parts
        if kit or not SURROUNDED.isdisjoint(item.path.parts):
            item.add_marker(pytest.mark.slow)
