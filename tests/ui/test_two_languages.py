"""Two people at one table read it in two languages: the host sends keys, and each client says them in its own."""

from __future__ import annotations

import random

import pytest

from carteado.core.bots import player
from carteado.core.loader import installed, load
from carteado.core.match import Match
from carteado.ui.terminal import spoken
from carteado.ui.terminal.local import Local
from carteado.ui.terminal.room import Chair, Room
from carteado.ui.terminal.table import paint
from carteado.ui.terminal.words import catalogue, own_catalogue, words_for

NAMES = ("Rita", "Jörg", "Ana")
READERS = ((0, "pt_PT"), (1, "de"))


def reader(match: Match, seat: int, lang: str) -> Local:
    """Return the screen of a seat whose player reads a language."""
    game = match.game
    local = Local(words_for([game.words(lang), game.words("en"), catalogue("carteado.core", lang), own_catalogue(lang)], game.deck.looks))
    local.room = Room("playing", [Chair(number, name) for number, name in enumerate(NAMES)], title=game.title)
    local.see(match.view(seat))
    return local


@pytest.mark.parametrize("name", [listed.name for listed in installed()])
def test_the_same_match_is_read_in_two_languages_at_once(name: str) -> None:
    game, rng = load(name), random.Random(4)
    match = Match(game, seats=[{"name": one, "bot": None} for one in NAMES], table="t-1")
    chooser = player(game, "rule")
    match.deal(rng.randbytes(32))
    for _ in range(12):
        if match.phase != "playing":
            break
        seat, prompt = next(iter(match.prompts.items()))
        match.act(seat, prompt.id, chooser.choose(match.view(seat), rng))
    (one, portuguese), (other, german) = READERS
    rita, joerg = reader(match, one, portuguese), reader(match, other, german)
    keys = {*game.words("en"), *catalogue("carteado.core", "en")}
    assert {entry[0] for entry in match.view(one)["log"]} <= keys  # what a host sends are keys, no sentences
    screens = [paint(match.view(seat), local, 80, 24).text() for (seat, _), local in zip(READERS, (rita, joerg), strict=True)]
    for own, screen, others in ((portuguese, screens[0], screens[1]), (german, screens[1], screens[0])):
        told = own_catalogue(own)
        assert told["ui.do.help"] in screen
        assert told["ui.log"] in screen or told["ui.hand"] in screen
        assert told["ui.do.help"] not in others
    said = [" ".join(spoken.table_lines(match.view(seat), local)) for (seat, _), local in zip(READERS, (rita, joerg), strict=True)]
    assert said[0] != said[1]
    assert all(name in line for line in said for name in NAMES)  # names are never translated


def test_one_of_them_changes_the_language_and_the_other_sees_nothing_of_it() -> None:
    game = load("dez-degraus")
    match = Match(game, seats=[{"name": one, "bot": None} for one in NAMES], table="t-1")
    match.deal(random.Random(4).randbytes(32))
    rita, joerg = reader(match, 0, "pt_PT"), reader(match, 1, "de")
    before = paint(match.view(1), joerg, 80, 24).text()
    rita.words = reader(match, 0, "en").words
    assert "Help" in paint(match.view(0), rita, 80, 24).text()
    assert before == paint(match.view(1), joerg, 80, 24).text()
