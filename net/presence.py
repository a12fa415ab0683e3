"""A host's presence on the network: its card, the doorbell at which it shows it, and the announcement by mDNS."""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
import socket
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from .bell import Bell
from .card import GAMES, Card, host_name
from .clock import Clock
from .discovery import Announcer
from .errors import BadKeyFile
from .keys import data_folder, write_private

if TYPE_CHECKING:
    from .host import Host

log = logging.getLogger(__name__)

_PRIVILEGED = 1024
_FRESH = 0.5


class Presence:
    """What a host does so that it can be found. announce: also by mDNS."""

    def __init__(self, host: Host, announce: bool, clock: Clock) -> None:
        self._host = host
        self._announce = announce
        self._clock = clock
        self._made: tuple[float, Card] | None = None
        self.bell = Bell(self.card, clock)

    def card(self) -> Card:
        """Return the card as it was within the last half second: strangers can ask for it often."""
        now = self._clock.now()
        if self._made is None or now - self._made[0] >= _FRESH:
            self._made = now, self._card()
        return self._made[1]

    def _card(self) -> Card:
        """Return the card as it is now; a private host says nothing of its tables."""
        host = self._host
        card = Card(host.id, host.keys.public, host.port, host.epoch, host.config.name, private=host.door.private)
        if card.private:
            return card
        tables = [table for table in host.tables.values() if not table.private]
        games = list(dict.fromkeys(table.game.name for table in tables))[:GAMES]
        return replace(card, games=games, free=sum(table.row().free for table in tables))

    async def open(self) -> None:
        """Put up the doorbell."""
        host = self._host
        if host.port < _PRIVILEGED:
            return
        if not await self.bell.open(host.config.bind, host.port):
            log.warning("UDP port %d is taken: others find this host by mDNS or by its whole address only", host.port)

    async def run(self) -> None:
        """Announce the host until cancelled, if it wants to be announced."""
        if self._announce and self._host.port >= _PRIVILEGED:
            await Announcer(self.card).run()
        await asyncio.Event().wait()

    def close(self) -> None:
        """Take the doorbell down."""
        self.bell.close()


def host_id(path: Path | None = None) -> str:
    """Return the id of this machine's host, made once (`host.id` in the data folder). Raises: BadKeyFile."""
    path = path or data_folder() / "host.id"
    try:
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_private(path, f"{secrets.token_hex(8)}\n")
        text = path.read_text(encoding="ascii", errors="replace").strip()
    except OSError as error:
        raise BadKeyFile(f"cannot keep the host's id in {path}: {error.strerror}") from None
    if not re.fullmatch("[0-9a-f]{16}", text):
        raise BadKeyFile(f"{path} is damaged: expected 16 hex digits; remove it, and the host gets a new id")
    return text


def machine_name(asked: Callable[[], str] = socket.gethostname) -> str:
    """Return the name of this machine, fit for a list of hosts."""
    return host_name(asked().partition(".")[0]) or "carteado"
