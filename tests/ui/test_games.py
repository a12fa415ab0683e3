"""Every view of real matches of every installed game: it can be painted and spoken, and nothing of it is lost."""

from __future__ import annotations

import random
import re

import pytest

from carteado.core.bots import player
from carteado.core.loader import installed, load
from carteado.core.match import Match
from carteado.ui.terminal import pages, spoken
from carteado.ui.terminal.filling import prompt_of
from carteado.ui.terminal.grid import width
from carteado.ui.terminal.room import Room
from carteado.ui.terminal.table import paint

from .harness import local_for

SIZES = ((80, 24), (120, 40), (60, 20))
MOVES = 150
RAW_KEY = re.compile(r"\b[a-z]{2,}\.[a-z_]+(\.[a-z_0-9]+)*\b|\{\w+\}")
"""What an unknown message key, or an argument that was not filled in, looks like."""


@pytest.mark.slow
@pytest.mark.parametrize("name", [listed.name for listed in installed()])
def test_every_view_of_a_match_is_drawn_and_spoken_in_whole_words(name: str) -> None:
    game = load(name)
    rng = random.Random(7)
    count = min(3, game.seats[1])
    seats = [{"name": name, "bot": None} for name in ("Rita", "Ana", "Bruno")[:count]]
    match = Match(game, seats=seats, table="t-1")
    bots = [player(game, "random") for _ in seats]
    local = local_for(match.view(0), game.words("en"), game.deck.looks)
    local.room = Room("playing", title=game.title)
    for move in range(MOVES):
        if match.phase == "dealing":
            match.deal(rng.randbytes(32))
        if match.phase == "over":
            break
        seat, prompt = next(iter(match.prompts.items()))
        match.act(seat, prompt.id, bots[seat].choose(match.view(seat), rng))
        viewer = None if move % 7 == 0 else move % count
        view = match.view(viewer)
        local.see(view)
        for size in SIZES:
            grid = paint(view, local, *size)
            text = grid.text()
            assert all(width(line) <= size[0] for line in text.split("\n"))
            assert RAW_KEY.search(text) is None, f"{RAW_KEY.search(text)}\n{text}"
            told = view["layout"].get("prompt")
            if told is not None and view["phase"] == "playing":
                assert "".join(local.words.text(told).split()) in "".join(text.split())
            if viewer is not None and view["zones"] and prompt_of(view):
                assert all(grid.find(f"card:{place}") for place in range(len(local.hand)))
        said = [*spoken.table_lines(view, local), *spoken.group_lines(view, local), spoken.prompt_said(view, local)]
        said += [*spoken.choice_lines(view, local), *spoken.hint_lines(view, local), *spoken.score_said(view, local)]
        assert [] == [line for line in said if RAW_KEY.search(line)]
        assert pages.points_page(view, local).body
