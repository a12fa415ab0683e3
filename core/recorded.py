"""Games recorded by other programs, as a game's `read_record` gives them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .table import Table


@dataclass(frozen=True)
class Recorded:
    """One recorded hand, ready to be played at a table, or a sentence that says why it cannot be.

    name: what the record is called; options: of the table; players: names in turn order, the first leads; actions: (seat, action) in order;
    judge: given the table afterwards, whether it agrees with the record, as a word (`agrees`, `differs`, `excused`) and a line that says
    what was found; fault: why the record cannot be played, "" if it can.
    """

    name: str
    options: Mapping[str, Any] = field(default_factory=dict)
    players: Sequence[str] = ()
    actions: Sequence[tuple[int, Mapping[str, Any]]] = ()
    judge: Callable[[Table], tuple[str, str]] | None = None
    fault: str = ""
