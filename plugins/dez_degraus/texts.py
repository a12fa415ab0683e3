"""The messages that name phases and groups."""

from __future__ import annotations

from typing import Any

from .rules import PHASES, Wanted

Message = list[Any]


def wanted(part: Wanted) -> Message:
    """Name a group that a phase asks for: sizes are words in some languages, so each has its key."""
    return [f"dd.{part.kind}.{part.size}", {}]


LIKE: dict[int, list[Message]] = {
    index: [wanted(part) for part in phase] for index, phase in enumerate(PHASES, start=1)
}
"""The messages that name the groups of each phase."""
SIZES: dict[int, int] = {index: sum(part.size for part in phase) for index, phase in enumerate(PHASES, start=1)}
"""The fewest cards of each phase."""


def phase_named(number: int) -> Message:
    """Name a phase by what it asks for."""
    return [f"dd.phase.{number}", {}]
