"""Keeping a turn, however long it takes. While the store cannot save, the host is frozen: nothing is shown, and everybody is told why."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Sequence

from .clock import Clock
from .errors import StoreFailure
from .store import Record, Store

log = logging.getLogger(__name__)

AGAIN = 5.0
"""Seconds until a store that could not save is asked again; meanwhile nothing is shown."""
PATIENCE = 2.0
"""Seconds that saving may take before the players are told that the host is waiting for it."""
_SAID_EACH = 60.0


class Saver:
    """Keep turns in a store.

    frozen: whether the host waits for it now. told: called when that changes.
    """

    def __init__(self, store: Store, clock: Clock, refused: Counter[str], told: Callable[[], None]) -> None:
        self.frozen = False
        self._store = store
        self._clock = clock
        self._refused = refused
        self._told = told
        self._said = ("", float("-inf"))
        self._since: float | None = None

    @property
    def at_once(self) -> Callable[[Sequence[Record]], None] | None:
        """What keeps a turn in no time; None: the store needs time."""
        return self._store.commit_at_once

    async def keep(self, records: Sequence[Record]) -> None:
        """Return when all of a turn is kept; try again every few seconds as long as it is not."""
        while True:
            self._since = self._clock.now()
            try:
                await self._store.commit(records)
                break
            except StoreFailure as failure:
                self._refused["store"] += 1
                self._say(failure)
                self._freeze(True)
                await self._clock.sleep(AGAIN)
        self._since = None
        if self.frozen:
            log.warning("the host can save again; the tables go on")
            self._said = ("", float("-inf"))
            self._freeze(False)

    def look(self) -> None:
        """Notice that saving takes long."""
        if self._since is not None and self._clock.now() - self._since >= PATIENCE:
            self._freeze(True)

    def _say(self, failure: StoreFailure) -> None:
        """Tell the operator once, and again each minute."""
        sentence, at = self._said
        if sentence != str(failure) or self._clock.now() - at >= _SAID_EACH:
            log.error("the host cannot save, every table waits: %s", failure)
            self._said = (str(failure), self._clock.now())

    def _freeze(self, frozen: bool) -> None:
        if frozen != self.frozen:
            self.frozen = frozen
            self._told()
