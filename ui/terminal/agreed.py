"""What a table agrees upon about time, as messages; and the clocks that are offered when one is opened."""

from __future__ import annotations

from typing import Any

from carteado.net.terms import ClockTerms, Terms, clock_terms

Said = tuple[str, dict[str, Any]]

OFF = "off"
CLOCKS = (OFF, "30", "60", "45+120", "match:300+5", "match:900+10")
"""Clocks to choose from, as the command line writes them."""
AWAY = ("bot", "wait", "game")


def clock_said(clock: ClockTerms | None) -> list[Said]:
    """Return a clock as messages, none for no clock."""
    if clock is None or not clock.on:
        return []
    said: list[Said] = [("ui.terms.move", {"n": clock.move})] if clock.move else []
    if clock.bank or clock.add:
        said.append(("ui.terms.bank", {"n": clock.bank, "add": clock.add}))
    return said


def terms_said(terms: Terms) -> list[Said]:
    """Return what was agreed about time as messages."""
    return [*clock_said(terms.clock), (f"ui.terms.{terms.away}", {"n": terms.grace})]


def terms_of(clock: str, away: str) -> Terms:
    """Return the terms that were chosen from a list. Raises: ValueError for what is no clock."""
    return Terms(clock_terms(clock), away=away)
