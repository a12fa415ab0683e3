"""Going on where the last host stopped: every kept table at its own version, by the rules that it was begun with, or not at all."""

from __future__ import annotations

import logging
from collections.abc import Collection, Sequence
from dataclasses import replace

from msgspec import MsgspecError

from carteado.core.errors import NONSENSE, CarteadoError, JournalMismatch, Refused
from carteado.core.game import Game
from carteado.core.options import resolve

from .dispatch import Dispatcher
from .errors import NoRoom
from .feed import Turn
from .settings import TableSpec
from .store import StoredTable
from .tables import Table

log = logging.getLogger(__name__)

DAMAGED = (CarteadoError, MsgspecError, *NONSENSE)
"""What reading and replaying damaged data can raise: it costs that table, and no other."""


def resume(dispatcher: Dispatcher, stored: Sequence[StoredTable], turn: Turn) -> None:
    """Open every kept table anew, its match still to be brought back (`Returning`); one that cannot go on is held.

    A held table's seats stay, it says why, and what was kept of it is not touched.
    """
    for kept in stored:
        table = _resumed(dispatcher, kept, turn)
        if table is not None:
            dispatcher.tables[table.id] = table


def _resumed(dispatcher: Dispatcher, kept: StoredTable, turn: Turn) -> Table | None:
    record, here, why = kept.table, None, told(kept.fault)
    try:
        here = dispatcher.shelf.take(record.game)
        if not why:
            kept, game = _rules(dispatcher, kept, here)
            table = dispatcher.made(record, game, record.house)
            table.expect(kept, turn)
            return table
    except DAMAGED as error:
        why = reason(kept, here, error)
    return held(dispatcher, kept, here, why, turn)


def held(dispatcher: Dispatcher, kept: StoredTable, game: Game | None, why: str, turn: Turn) -> Table | None:
    """Return a table that cannot go on, None if not even its game is there; it is left as it was kept."""
    log.error("table %s cannot go on and is left as it is: %s", kept.table.id, why)
    if game is None:
        return None
    table = dispatcher.made(replace(kept.table, terms={}), game, ())
    table.hold(kept, why, turn)
    return table


def _rules(dispatcher: Dispatcher, kept: StoredTable, here: Game) -> tuple[StoredTable, Game]:
    """Return a table as it is to be resumed, and the game in the version that its match was begun with. Raises: Refused.

    A match that is over and cannot be shown any more is not (its result is in the books): today's rules play the next one.
    """
    if kept.header is None:
        return kept, here
    try:
        return kept, dispatcher.shelf.take(kept.table.game, str(kept.header["version"]))
    except Refused:
        if not kept.over:
            raise
        return replace(kept, header=None), here


def told(fault: str) -> str:
    """Return what the store found wrong with a table as a sentence, or an empty text."""
    return f"{fault[0].upper()}{fault[1:]}." if fault else ""


def reason(kept: StoredTable, here: Game | None, error: Exception) -> str:
    """Say why a table cannot go on, in a sentence for those who sit there."""
    wanted = str((kept.header or {}).get("version", kept.table.version))
    if isinstance(error, Refused) and here is not None and here.version != wanted:
        return f"This match was begun with version {wanted} of {kept.table.game}, and the host has {here.version}: it waits for {wanted}."
    if isinstance(error, Refused):
        return f"The host has not got what this table needs ({error})."
    if isinstance(error, JournalMismatch):
        return f"What was kept of this match does not replay: {error}."
    return f"What was kept of this table is damaged: {error}."


def open_wanted(dispatcher: Dispatcher, wanted: Sequence[TableSpec], kept: Collection[str], turn: Turn) -> None:
    """Open the tables that the host was told to, unless they were kept (their ids). Raises: Refused, NoRoom.

    A kept table of that id goes on if somebody plays there, or sits there and it is as wanted; else it makes room. One of another
    game, or that cannot go on, keeps its id: the wanted one is called `id-2` then, and so on.
    """
    for spec in wanted:
        game, id = dispatcher.shelf.take(spec.game), spec.id
        if id is not None and (id := _free(dispatcher, kept, spec, game, turn)) is None:
            continue
        table = dispatcher.open(game, spec.options, turn, spec.chairs, spec.policy, spec.opener, id, spec.house, spec.terms)
        if len(spec.bots) > table.places:
            dispatcher.close(table, turn)
            raise NoRoom(table.id, len(spec.bots), table.places)
        for level in spec.bots:
            table.staff(level, next(chair.seat for chair in table.chairs if chair.free), turn)


def _free(dispatcher: Dispatcher, kept: Collection[str], spec: TableSpec, game: Game, turn: Turn) -> str | None:
    """Return the id for a wanted table, None if it was kept and goes on."""
    assert spec.id is not None
    for id in (spec.id, *(f"{spec.id[:20]}-{number}" for number in range(2, 100))):
        old = dispatcher.tables.get(id)
        if id not in kept:
            return id
        if old is None or old.held is not None:
            continue
        if old.game.name == game.name and not (old.resting and _stale(old, spec, game)):
            return None
        if old.resting:
            dispatcher.close(old, turn)
            return id
    raise Refused("too_many_tables")


def _stale(old: Table, spec: TableSpec, game: Game) -> bool:
    """Tell whether a table at which no match is going on has nobody to lose, or is not what is wanted now."""
    if not any(chair.person for chair in old.chairs):
        return True
    return (old.options, old.house_names) != (resolve(game, spec.options), list(spec.house)) or spec.chairs not in (None, old.places)
