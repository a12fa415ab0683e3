"""A paused table: the game's forms say so and cannot be used, and going on is a button."""

from __future__ import annotations

from dataclasses import replace

from carteado.ui.terminal.offers import is_button, offers

from .tables import steps
from .test_invite import ROOM, local


def test_at_a_paused_table_no_form_can_be_used_and_going_on_is_a_button() -> None:
    paused = local(replace(ROOM, stage="paused", may=("leave", "pause")))
    found = offers(steps(), paused)
    assert {"The table is paused."} == {offer.blocked for offer in found if offer.form is not None}
    (going_on,) = [offer for offer in found if offer.name == "pause"]
    assert ("Go on", True) == (going_on.label, is_button(going_on))


def test_at_a_running_table_pausing_is_no_button() -> None:
    (pause,) = [offer for offer in offers(steps(), local(replace(ROOM, stage="playing", may=("leave", "pause")))) if offer.name == "pause"]
    assert ("Pause", False) == (pause.label, is_button(pause))
