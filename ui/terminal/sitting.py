"""Sitting down: from an address to a client that shows the table."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from carteado.core.errors import CarteadoError
from carteado.net import preferences
from carteado.net.errors import Refusal
from carteado.net.finding import elsewhere
from carteado.net.identity import claimed, login_name
from carteado.net.keys import Address, KeyPair, data_folder
from carteado.net.language import language
from carteado.net.line import GONE
from carteado.net.peer import Peer
from carteado.net.table_ids import read_id

from .memory import HandMemory
from .network import NetworkSession, said_ready
from .opening import need_terminal

if TYPE_CHECKING:
    from .app import Client, Looks
    from .dev import DevSession

SEAT, WATCH = "seat", "watch"
DEALT = 1.0
"""Seconds that somebody who sits down with computer players is spared the waiting room."""
_NOT_HERE = frozenset({"full", "started", "taken", "no_chair"})


class NothingRecorded(CarteadoError):
    """Report that a journal has no hand in it."""


def sit(
    address: Address, given: argparse.Namespace, table: str | None = None, watch: bool = False, ready: bool = False,
    guided: bool = False, choose: bool = False, begun: Callable[[], None] = lambda: None,
    alive: Callable[[], bool] | None = None, fleeting: bool = False, hosting: str | None = None,
) -> int:  # fmt: skip
    """Join a table and show it until the player leaves; return the exit status.

    `given` is what `add_player` reads; `guided` explains the first hand; `choose` shows the host's tables first;
    `begun` is called when the table is about to be shown; `alive` tells whether a host that nobody can start anew is still there;
    a `fleeting` table ends with this window, and nothing keeps it; the host ends with it where it is `hosting` a game.

    Raises: HostUnreachable, Refusal, ConnectionOver, BadKeyFile.
    """
    how = Sitting(table, watch, ready, guided, choose, begun, alive, fleeting, hosting)
    with claimed() as keys:
        return asyncio.run(_sit(address, keys, given, how))


@dataclass(frozen=True)
class Sitting:
    """How somebody sits down."""

    table: str | None = None
    watch: bool = False
    ready: bool = False
    guided: bool = False
    choose: bool = False
    begun: Callable[[], None] = lambda: None
    alive: Callable[[], bool] | None = None
    fleeting: bool = False
    hosting: str | None = None


async def _sit(address: Address, keys: KeyPair, given: argparse.Namespace, how: Sitting) -> int:
    lang = language(given.lang)
    name = given.name or preferences.read().get("name") or login_name()
    peer = Peer(address, keys, name, lang, seek=elsewhere, evidence=data_folder() / "evidence")
    await peer.connect()
    try:
        if how.choose:
            return await (_visit_by_lines if shows_lines(given) else _visit)(peer, given, lang, how.begun)
        await enter(peer, how.table, how.watch, how.hosting)
        if how.ready:
            await begin(peer)
        session = NetworkSession(peer, given.level)
        how.begun()
        if shows_lines(given):
            from .lines import run as run_lines

            lost = host_gone(how.alive, how.fleeting) if how.alive is not None else None
            return await run_lines(session, lang, given.ascii, how.guided, hosting=how.hosting is not None, lost=lost)
        return await _show(session, given, how)
    finally:
        await peer.close()


async def _show(session: NetworkSession, given: argparse.Namespace, how: Sitting) -> int:
    """Show the peer's table until the player leaves it; return the exit status."""
    from .app import Client

    peer = session.peer
    memory = HandMemory(data_folder() / "hands.json", lambda: f"{str(peer.address).partition('#')[2]}/{peer.m}/{peer.match}")
    client = Client(session, replace(looks_of(given), guided=how.guided), memory=memory)
    client.local.fleeting, client.local.hosting = how.fleeting, how.hosting is not None
    if how.alive is not None:
        client.controls.spawn(_warn(how.alive, how, client))
    return await client.run()


async def host_gone(alive: Callable[[], bool], fleeting: bool) -> str:
    """Wait until a host that nobody starts anew is gone for good; return what to tell the player, who would try to reach it for ever."""
    while alive():
        await asyncio.sleep(1)
    return "ui.gone.host" if fleeting else "ui.gone.kept"


async def _warn(alive: Callable[[], bool], how: Sitting, client: Client) -> None:
    client.controls.asking.gone(await host_gone(alive, how.fleeting))


async def _visit(peer: Peer, given: argparse.Namespace, lang: str, begun: Callable[[], None]) -> int:
    """Show the host's tables, then the one that was chosen, and the tables again."""
    from .app import Client
    from .hall import Hall, HallSession

    await peer.tables()  # a host that does not let this player in says so before a screen opens
    begun()
    while True:
        session = HallSession(peer, lang)
        hall = Hall(session, lambda: client.leave())  # noqa: B023 - called while this very client runs
        client = Client(session, replace(looks_of(given), lang=lang), tools=hall)
        hall.begin()
        status = await client.run()
        lang = client.lang
        if not hall.joined:
            return status
        status = await _show(NetworkSession(peer, given.level), given, Sitting())
        if status or peer.line == GONE:
            return status


async def _visit_by_lines(peer: Peer, given: argparse.Namespace, lang: str, begun: Callable[[], None]) -> int:
    """Say which tables there are, then play at the one that was chosen."""
    from .glyphs import takes_all
    from .hall_lines import HallLines, next_line
    from .lines import run, typed, write
    from .words import catalogue, own_catalogue, words_for

    begun()
    lines = typed()
    words = words_for([catalogue("carteado.core", lang), own_catalogue(lang)], {}, given.ascii, takes_all(sys.stdout.encoding))
    if not await HallLines(peer, words, lambda: next_line(lines), write).choose():
        return 0
    return await run(NetworkSession(peer, given.level), lang, given.ascii, lines=lines)


def at_bench(given: argparse.Namespace) -> int:
    """Play a game that is being written; return the exit status. Raises: LoadFailure, Refused, UnknownLevel."""
    from carteado.net.dev import Workshop

    from .dev import DevSession

    shop = Workshop(given.game, given.players, dict(given.option), dict(given.computer), given.seed)
    lang = language(given.lang)
    return asyncio.run(_at_bench(DevSession(shop, lang), given))


async def _at_bench(session: DevSession, given: argparse.Namespace) -> int:
    await session.begin()
    if shows_lines(given):
        from .lines import run as run_lines

        return await run_lines(session, session.lang, given.ascii)
    from .app import run as run_screen

    return await run_screen(session, looks_of(given), tools=session)


def at_recording(given: argparse.Namespace) -> int:
    """Show a recorded match; return the exit status. Raises: NothingRecorded, JournalMismatch, LoadFailure, OSError."""
    from carteado.net.timeline import recorded

    from .app import run as run_screen
    from .viewer import ViewerSession

    timeline = recorded(given.file)
    if not timeline.entries:
        raise NothingRecorded("No hand of this match is over, so there is nothing to look at yet.")
    session = ViewerSession(timeline, language(given.lang))
    need_terminal()
    return asyncio.run(run_screen(session, looks_of(given), tools=session))


def shows_lines(given: argparse.Namespace) -> bool:
    """Tell whether to write lines: where asked for, and where there is no screen to draw on."""
    return given.line or not (sys.stdin.isatty() and sys.stdout.isatty())


def kept_looks(lang: str) -> Looks:
    """Return how the client is to look, from the settings alone."""
    from .app import Looks
    from .tricks import HELD

    kept = preferences.read()
    return Looks(
        lang,
        kept.get("ascii", False),
        kept.get("theme"),
        mouse=kept.get("mouse", True),
        quiet=kept.get("quiet", False),
        confirm=kept.get("confirm", True),
        pause=kept.get("pause", HELD),
        keep=lambda lang: preferences.keep(lang=lang),
    )


def looks_of(given: argparse.Namespace) -> Looks:
    """Return how the client is to look, from what `add_player` read."""
    looks = kept_looks(language(given.lang))
    return replace(
        looks,
        ascii=given.ascii or looks.ascii,
        theme=given.theme or looks.theme,
        mouse=not given.no_mouse and looks.mouse,
        quiet=given.quiet or looks.quiet,
    )


async def begin(peer: Peer, patience: float = DEALT) -> None:
    """Say that this player is ready, unless the match has begun already, and wait so many seconds for the cards. Raises: Refusal."""
    if peer.table is not None and "ready" in peer.table.may:
        await said_ready(peer)
        with contextlib.suppress(TimeoutError):  # whoever still waits for somebody sees the waiting room
            async with asyncio.timeout(patience):
                await peer.until(lambda one: one.view is not None)


async def enter(peer: Peer, table: str | None, watch: bool, game: str | None = None) -> None:
    """Join the wanted table; else, of a game if there are any of it, the one where this player has a chair, else the first with a free one.

    Raises: Refusal in a sentence that says what else could be done.
    """
    role = WATCH if watch else SEAT
    if table is not None:
        await peer.join(read_id(table), role)
        return
    rows = (await peer.tables()).tables
    rows = [row for row in rows if row.game == game] or rows
    # Only the host knows whose chair is whose: a table without a free chair is entered by those who sit there.
    for row in sorted(rows, key=lambda row: (row.free > 0, rows.index(row))):
        try:
            await peer.join(row.m, role)
        except Refusal as refusal:
            if refusal.code not in _NOT_HERE:
                raise
        else:
            return
    if not rows:
        raise Refusal("no_table", "this host has no table")
    raise Refusal("full", "no table of this host has a free chair; `carteado join --watch` watches")
