"""A house rule that works on any game: every hand counts double."""

from __future__ import annotations

from collections.abc import Generator

from carteado.core.api import Result, Table, hookimpl


class Doubled:
    """Double the points of every hand; who wins a hand, and when the match ends, stays the game's business."""

    name = "doubled"

    @hookimpl(wrapper=True)
    def scoring(self, table: Table) -> Generator[None, Result | None, Result | None]:
        """Double the points of the result the game gives."""
        result = yield
        if result is not None:
            result.points = {seat: 2 * points for seat, points in result.points.items()}
        return result


rule = Doubled()
