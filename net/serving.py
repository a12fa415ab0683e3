"""The commands `host --headless` and `bot`: programs without a screen that run until they are told to stop."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import random
import signal
import sys
import threading
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager
from typing import Any

from carteado.core.bots import UnknownLevel, levels, player

from . import logs
from .bot import Bot
from .choosing import at_terminal, choose
from .configuration import BadConfiguration, check_tables, configuration, strangers
from .door_arguments import door_lines, door_settings
from .errors import Refusal
from .finding import elsewhere, here
from .gateways import SAYS, gateway
from .identity import claimed
from .inventory import load
from .keys import Address, KeyPair
from .link import first_of
from .peer import Peer
from .protocol import TableRow
from .running import Operation, run_host
from .settings import HostConfig, TableSpec
from .store_commands import MEMORY, opened
from .table_ids import is_private, read_id
from .terms import Terms, clock_terms
from .workers import Workers

STDIN = 0
JOURNAL = "JOURNAL_STREAM"
"""Environment variable by which systemd tells that what is written goes to its journal."""
WRONG = 2
"""Exit status for settings that cannot be."""
FEW, MANY = 3, 4
"""Chairs of a table when nobody says how many: one person with computer players; friends."""


def host(given: argparse.Namespace) -> int:
    """Run a host until a signal, or (with `until_eof`) until standard input ends; return the exit status.

    Its address is the first line on standard output, what happens later goes to standard error.
    """
    try:
        found = configuration(given)
        faults = check_tables(found) if "check_config" in given else []
    except BadConfiguration as bad:
        faults = bad.faults
    if faults or "check_config" in given:
        print("\n".join(faults) or found.text(given.settings), file=sys.stderr if faults else sys.stdout)
        return WRONG if faults else 0
    settings, given = given.settings, found.given
    logs.begin(given.log, given.log_level, given.log_file)
    for stranger in strangers(settings):
        logging.getLogger(__name__).warning("%s sets nothing; `carteado host --help` lists what can be set", stranger)
    chosen: dict[str, Any] = {name: getattr(given, name) for name in ("port", "pace", "hand_pause")}
    door = door_settings(given)
    config = HostConfig(
        bind=given.bind,
        tables=tuple(table_spec(own) for own in found.specs()),
        address_file=None if given.fill else here(),  # nobody looks for somebody's own evening
        chips=given.chips,
        covered=not given.fill,  # one's own evening asks no purse
        seed=None if given.seed is None else given.seed.encode(),
        **door,
        **{name: value for name, value in chosen.items() if value is not None},
    )

    def announce(address: str, *urls: str) -> None:
        print(address, flush=True)
        if urls and given.until_eof:
            print(SAYS, *urls, flush=True)
        if not given.until_eof and JOURNAL not in os.environ:  # what is written to a journal stays there; `carteado admin invite` says it
            print(f"Others join with: carteado join '{address}'", file=sys.stderr)
            if urls:
                print(gateway().invitation(urls, given.lan), file=sys.stderr)
            print("\n".join(door_lines(config.door, Address.parse(address), given.bind)), file=sys.stderr)

    if given.until_eof:
        threading.Thread(target=end_with_standard_input, name="standard input", daemon=True).start()
    store = opened(given.store or (MEMORY if given.fill else None), config, given.archive)  # computer players: an evening's company
    admin, memory = not (given.no_admin or given.fill), given.memory << 20
    return run_host(config, announce, store, Operation(admin, metrics=given.metrics, memory=memory, beside=beside(given)))


def beside(given: argparse.Namespace) -> Callable[[Address, Collection[str]], AbstractAsyncContextManager[Sequence[str]]] | None:
    """Return what opens the page for browsers beside the host, None if nobody wants it. Raises: NetError.

    The page's addresses lead to the host's table if it has one only, those that were kept among them; else to the list.
    """
    if not given.web:
        return None
    page = gateway()

    def opened(address: Address, tables: Collection[str]) -> AbstractAsyncContextManager[Sequence[str]]:
        only = next(iter(tables)) if len(tables) == 1 else None
        return page.opened(address, argparse.Namespace(**{**vars(given), "web_table": only}))

    return opened


def table_spec(given: argparse.Namespace) -> TableSpec:
    """Return a table to open, from its settings. Raises: LoadFailure, UnknownLevel."""
    game = load(given.game)
    if given.level not in levels(game):
        raise UnknownLevel(game, given.level)
    low, high = game.seats
    chairs = given.players or max(low, min(FEW if given.fill else MANY, high))
    bots = (given.level,) * (chairs - 1 if given.fill else given.bots)
    options, house = dict(given.option), tuple(given.house)
    return TableSpec(given.game, given.id, chairs=chairs, options=options, house=house, bots=bots, terms=terms(given))


def terms(given: argparse.Namespace) -> Terms:
    """Return what was chosen about time at the table."""
    chosen = {name: getattr(given, name) for name in ("grace", "away") if getattr(given, name) is not None}
    return Terms(clock_terms(given.clock or "off"), level=given.level, **chosen)


def end_with_standard_input() -> None:
    """Tell this process to end when its standard input does: the program at the other end is gone then."""
    while os.read(STDIN, 4096):
        continue
    os.kill(os.getpid(), signal.SIGTERM)


def bot(given: argparse.Namespace) -> int:
    """Let a computer player sit down at a table, play the match, and print how it ended; return the exit status."""
    with claimed("bot") as keys:
        address = choose(given.address, given.code, at_terminal(given.accept_new_key))
        return asyncio.run(_bot(address, keys, given))


async def _bot(address: Address, keys: KeyPair, given: argparse.Namespace) -> int:
    playing = asyncio.ensure_future(_play(address, keys, given))
    await first_of(told_to_stop(), asyncio.wait({playing}))
    if not playing.done():
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        return 0
    seats = playing.result()["seats"]
    for seat in sorted(seats, key=lambda seat: seat["place"] or len(seats)):
        print(f"{seat['place'] or '-'}  {seat['name']}  {seat['points']}")
    return 0


async def _play(address: Address, keys: KeyPair, given: argparse.Namespace) -> dict[str, Any]:
    """Sit down at a table and play there; return the last view."""
    peer = Peer(address, keys, given.name, feats=(f"bot:{given.level}",), feed=False, words=False, seek=elsewhere)
    workers = Workers()
    with ThreadPoolExecutor(1, "bot") as executor:
        await peer.connect()
        try:
            m, played = await found(peer, given.table)
            thinking = player(load(played), given.level)
            await peer.join(m)
            if peer.table is not None and "ready" in peer.table.may:
                await peer.ready()  # a table with computer players only starts when its last chair is taken
            dice = None if given.seed is None else random.Random(given.seed)
            return await Bot(peer, thinking, given.pace, dice, executor=executor, workers=workers, level=given.level).play(given.stay)
        finally:
            await peer.close()
            workers.shutdown()


async def found(peer: Peer, wanted: str | None) -> tuple[str, str]:
    """Return the id and the game of the wanted table, or of the first that has a free chair. Raises: Refusal."""
    id = read_id(wanted) if wanted is not None else None
    if id is not None and is_private(id):
        await peer.join(id, "watch")  # it is in no list: only who is there is told what is played
        assert peer.table is not None
        return id, peer.table.game
    row = chosen((await peer.tables()).tables, id)
    return row.m, row.game


def chosen(rows: list[TableRow], wanted: str | None) -> TableRow:
    """Return the wanted table's row, else the first that has a free chair. Raises: Refusal("no_table")."""
    for row in rows:
        if row.m == wanted or (wanted is None and row.free):
            return row
    if wanted is None:
        raise Refusal("no_table", "no table of this host has a free chair")
    raise Refusal("no_table", f"this host has no table {wanted!r}; there are {', '.join(row.m for row in rows) or 'none'}")


async def told_to_stop() -> None:
    """Wait for the first SIGINT, SIGTERM or SIGHUP; the next one ends the program at once."""
    loop, told = asyncio.get_running_loop(), asyncio.Event()
    numbers = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP] if sys.platform != "win32" else []
    for number in numbers:
        loop.add_signal_handler(number, told.set)
    try:
        await told.wait()
    finally:
        for number in numbers:
            loop.remove_signal_handler(number)
