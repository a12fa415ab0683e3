"""Going on where the last host stopped: every kept table at its own version, by the rules that it was begun with, or not at all."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from carteado.core.errors import JournalMismatch, Refused
from carteado.core.game import Game

from .dispatch import Dispatcher
from .feed import Turn
from .settings import TableSpec
from .store import StoredTable
from .tables import Table

log = logging.getLogger(__name__)


def resume(dispatcher: Dispatcher, stored: Sequence[StoredTable], turn: Turn) -> None:
    """Open every kept table anew; one that cannot go on is held: its seats stay, it says why, and what was kept of it is not touched."""
    for kept in stored:
        table = _resumed(dispatcher, kept, turn)
        if table is not None:
            dispatcher.tables[table.id] = table


def _resumed(dispatcher: Dispatcher, kept: StoredTable, turn: Turn) -> Table | None:
    record, why, here = kept.table, kept.fault, None
    try:
        here = dispatcher.shelf.take(record.game)
        if not why:
            table = dispatcher.made(record, _rules(dispatcher, kept, here), record.house)
            table.restore(kept, turn)
            return table
    except (JournalMismatch, Refused) as error:
        why = _why(kept, here, error)
    log.error("table %s cannot go on and is left as it is: %s", record.id, why)
    if here is None:
        return None
    table = dispatcher.made(record, here, ())
    table.hold(kept, why, turn)
    return table


def _rules(dispatcher: Dispatcher, kept: StoredTable, here: Game) -> Game:
    """Return the game in the version that a table's match was begun with. Raises: Refused.

    A match that is over and cannot be shown any more is not (its result is in the books): today's rules play the next one.
    """
    if kept.header is None:
        return here
    try:
        return dispatcher.shelf.take(kept.table.game, str(kept.header["version"]))
    except Refused:
        if not kept.over:
            raise
        kept.header, kept.entries = None, []
        return here


def _why(kept: StoredTable, here: Game | None, error: Exception) -> str:
    """Say why a table cannot go on, in a sentence for those who sit there."""
    wanted = str((kept.header or {}).get("version", kept.table.version))
    if isinstance(error, Refused) and here is not None and here.version != wanted:
        return f"this match was begun with version {wanted} of {kept.table.game}, and the host has {here.version}: it waits for {wanted}"
    if isinstance(error, Refused):
        return f"the host has not got what this table needs ({error})"
    return f"what was kept of this match does not replay: {error}"


def open_wanted(dispatcher: Dispatcher, wanted: Sequence[TableSpec], stored: Sequence[StoredTable], turn: Turn) -> None:
    """Open the tables that the host was told to, unless they were kept. Raises: Refused.

    A kept table of that id is the wanted one if it has the same game; if it has another one, it makes room when nobody plays
    there, and else the wanted one gets another id.
    """
    kept = {each.table.id: each for each in stored}
    for spec in wanted:
        game, id = dispatcher.shelf.take(spec.game), spec.id
        if id is not None and id in kept:
            old = dispatcher.tables.get(id)
            if old is not None and old.game.name == game.name and old.held is None:
                continue
            if old is not None and old.resting:
                dispatcher.close(old, turn)
            else:
                id = None
        table = dispatcher.open(game, spec.options, turn, spec.chairs, spec.policy, spec.opener, id, spec.house, spec.terms)
        for level in spec.bots:
            table.staff(level, next(chair.seat for chair in table.chairs if chair.free), turn)
