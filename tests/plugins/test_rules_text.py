"""The rules texts of the games that come along: whatever is to be decided, the rules say where they tell of it."""

from __future__ import annotations

import pytest

from carteado.core.journal import Journal
from carteado.core.loader import load
from carteado.core.replay import replay, step
from carteado.core.testing import golden
from carteado.ui.terminal.rules import markdown

GAMES = ("cascata", "dez-degraus", "skat")


def stages(name: str) -> set[str]:
    """Return the stages of all questions in a game's recorded matches."""
    game, found = load(name), set()
    for path in sorted(golden.folder(game).glob("play-*.jsonl")):
        journal = Journal.load(path.read_bytes())
        match = replay(journal, game, upto=0)
        for entry in journal.entries:
            step(match, entry)
            found |= {prompt.stage for prompt in match.prompts.values()}
    return found


@pytest.mark.parametrize("name", GAMES)
def test_every_question_has_its_place_in_the_rules_in_every_language(name: str) -> None:
    asked, game = stages(name), load(name)
    assert asked
    for lang in ("en", "pt_PT", "pt_BR", "de"):
        rules = game.rules(lang)
        if rules:
            assert asked <= markdown(rules).stages.keys(), lang
