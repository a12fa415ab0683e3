"""Set up tables of Skat for tests: fixed cards, seat 0 forehand, actions by short words."""

from __future__ import annotations

from typing import Any

from carteado.core.match import Match
from carteado.core.shuffle import Stream
from carteado.plugins.skat import Skat
from carteado.plugins.skat.rules import DECK

FOREHAND = next(seed for seed in (bytes([number] * 32) for number in range(256)) if Stream(seed, "start").below(3) == 0)
"""A seed that makes seat 0 forehand at a table of three."""
FOREHAND_OF_FOUR = next(seed for seed in (bytes([number] * 32) for number in range(256)) if Stream(seed, "start").below(4) == 0)

STRONG = "CJ SJ HJ DJ CA CT CK SA ST HA"
"""Ten cards that win any Grand."""
LOW = "C7 C8 S7 S8 H7 H8 D7 D8 C9 S9"
"""Ten cards that never take a trick in Null when nobody else has lower ones to give away."""


def cards(forehand: str, skat: str, middlehand: str = "") -> str:
    """Lay out a deal: forehand's cards, the skat, middlehand's if they matter; the rest falls as it comes."""
    first, last, second = forehand.split(), skat.split(), middlehand.split()
    rest = [face for face in DECK if face not in (*first, *last, *second)]
    second += rest[: 10 - len(second)]
    third = [face for face in rest if face not in second]
    return ".".join([*first, *second, *third, *last])


def table(deal: str, players: int = 3, seed: bytes = FOREHAND, **options: Any) -> Match:
    """Open a table with a fixed deal and deal its first hand."""
    match = Match(Skat(), {"hands": 1, "cards": deal, **options}, [{"name": name} for name in "ABCD"[:players]])
    match.deal(seed)
    return match


def act(match: Match, seat: int, kind: str, **fields: Any) -> None:
    """Let a seat answer its prompt."""
    match.act(seat, match.prompts[seat].id, {"type": kind, **fields})


def forehand_plays(match: Match) -> None:
    """Let the others pass and forehand take the game at 18."""
    for seat, kind in ((1, "pass"), (2, "pass"), (0, "take")):
        act(match, seat, kind)


def play(match: Match, *faces: str) -> None:
    """Play cards, whoever's turn it is."""
    for face in faces:
        (seat,) = match.prompts
        act(match, seat, "play", card=[face])


def play_out(match: Match) -> None:
    """Let everybody play the first card allowed to the end of the hand."""
    while match.phase == "playing":
        (seat,) = match.prompts
        form = next(form for form in match.view(seat)["prompts"][0]["forms"] if form["type"] == "play")
        act(match, seat, "play", card=form["fields"]["card"]["cards"][:1])


def zone(match: Match, viewer: int | None, name: str) -> Any:
    """Give a zone as a viewer sees it."""
    return next(zone for zone in match.view(viewer)["zones"] if zone["name"] == name)
