"""What an operator can order a running host to do. The console, `carteado admin ORDER` and `carteado health` all come here.

Nothing that is told is secret: no hidden card, seed, token or secret key is within reach of an order's answer. Only `invite` tells
the join code, which is what it is for.
"""

from __future__ import annotations

import asyncio
import os
import re
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from carteado.core.errors import CarteadoError, Refused

from . import limits
from .bans import plain_address
from .door_arguments import door_lines
from .keys import Address, KeyPair, data_folder, fingerprint, load_or_make
from .meters import Timing, figures, open_files, resident
from .names import shown
from .order_words import BadOrder, Order
from .protocol import Said
from .reloading import renew
from .store import BanRecord
from .tables import BETWEEN, BROKEN, PAUSED, PLAYING

if TYPE_CHECKING:
    from .dispatch import Dispatcher
    from .feed import Turn
    from .host import Host
    from .sessions import Session
    from .tables import Table

HOST_NAME: Final = "host"
"""The name under which the operator speaks; no player can have it."""
PRIVATE: Final = "private"
"""What is said to open a table that is in nobody's list but its own people's."""
RESTART: Final = 75
"""Exit status that asks whoever supervises the host to start it again (EX_TEMPFAIL)."""
OPERATOR: Final = "operator"
"""By whom a ban is that was ordered."""
_MINUTE = 60.0
_LONGEST = 100 * 366 * 24 * 60
"""Minutes that a ban can last, but for ever."""
_BEGINNING = 4
"""Digits of a key that are enough to mean it; with fewer it would too often be a name, of somebody who is not there."""
_NOT_KEPT = "; the store cannot save now, and keeps it when it can"
_KEY = re.compile(r"[0-9a-f]{64}")
_RUNNING = (PLAYING, BETWEEN, PAUSED)


class Orders:
    """Carry out orders at one host.

    end: called to end the program with an exit status. metrics_port: where metrics are served, if they are.
    """

    def __init__(self, host: Host, end: Callable[[int], None], metrics_port: int | None = None) -> None:
        self.host = host
        self.metrics_port = metrics_port
        self._end = end

    async def carry_out(self, words: Sequence[str]) -> Any:
        """Carry out one order; return what is to be shown: a text, a mapping, or a list of mappings. Raises: BadOrder."""
        words = [word for word in words if word.strip()]
        if not words or words[0] not in ORDERS:
            raise BadOrder(f"there is no order {words[0]!r}; `help` lists them" if words else "say what to do; `help` lists the orders")
        order = ORDERS[words[0]]
        try:
            if not order.takes(words[1:]):
                raise ValueError
            return await order.run(self, words[1:])
        except Refused as refusal:
            raise BadOrder(f"{words[0]} was refused: {refusal.code}") from None
        except (IndexError, ValueError):
            raise BadOrder(f"write it as: {words[0]} {order.usage}".rstrip()) from None

    # Looking

    async def _help(self, words: Sequence[str]) -> Any:
        return [{"order": f"{name} {order.usage}".strip(), "what it does": order.help} for name, order in ORDERS.items()]

    async def _tables(self, words: Sequence[str]) -> Any:
        return [self._row(table) for table in self.host.tables.values()]

    async def _players(self, words: Sequence[str]) -> Any:
        now = self.host.now()
        return [
            {
                "name": session.name,
                "key": fingerprint(session.key),
                "table": session.table.id if session.table else "-",
                "seat": session.seat if session.seat is not None else "-",
                "kind": f"bot {session.bot}" if session.bot else "person",
                "quiet": round(now - session.heard, 1),
                "address": self.host.door.address_of(session.key) or "-",
            }
            for session in self.host.sessions
        ]

    async def _state(self, words: Sequence[str]) -> Any:
        """What everybody may know: versions and public hashes, who is asked, how the lines are."""
        await self.host.returning.back([self._table(words[0])])
        table = self._table(words[0])
        match = table.match
        return {
            **self._row(table),
            "options": dict(table.options),
            "hand": match.hand if match else 0,
            "version": match.q if match else 0,
            "h": match.h.hex() if match else "",
            "asked": sorted(match.prompts) if match else [],
            "points": [match.table.points(seat) for seat in match.table.players] if match else [],
            "chairs": [f"{chair.seat} {chair.name or '-'} {chair.line(self.host.now())}" for chair in table.chairs],
            "why": table.why,
        }

    async def _health(self, words: Sequence[str]) -> Any:
        host = self.host
        broken = sorted(table.id for table in host.tables.values() if table.stage == BROKEN)
        trouble = [*(["the store cannot save"] if host.frozen else []), *([f"stopped: {', '.join(broken)}"] if broken else [])]
        return {
            "ok": not host.frozen, "trouble": "; ".join(trouble), "tables": len(host.tables), "resuming": len(host.returning),
            "peers": len(host.sessions),
            "playing": sum(table.stage in _RUNNING for table in host.tables.values()), "draining": host.draining,
            "commit_ms": round(host.meters.commits.last * 1000, 3), "resident_mb": round(resident() / 1e6, 1),
            "files": open_files()[0], "metrics": self.metrics_port, "address": str(host.address), "pid": os.getpid(),
        }  # fmt: skip

    async def _invite(self, words: Sequence[str]) -> Any:
        config = self.host.config
        return "\n".join([f"carteado join '{self.host.address}'", *door_lines(config.door, self.host.address, config.bind)])

    async def _metrics(self, words: Sequence[str]) -> Any:
        rows = []
        for figure in figures(self.host):
            values: Mapping[str, float]
            if isinstance(figure.samples, Timing):
                timing = figure.samples
                mean = timing.total / timing.count if timing.count else 0.0
                values = {"count": timing.count, "mean": mean, "p99 below": timing.below(0.99)}
            else:
                values = figure.samples
            for label, value in values.items():
                if value != float("inf"):
                    number = int(value) if value == int(value) else round(value, 6)
                    rows.append({"metric": f"{figure.name} {label}".strip(), "value": number, "is": figure.help.removesuffix(".")})
        return rows

    async def _bans(self, words: Sequence[str]) -> Any:
        now = self.host.now()
        return [
            {
                "name": ban.name or "-", "kind": ban.kind, "who": ban.text, "why": ban.why, "by": ban.by,
                "since": f"{datetime.fromtimestamp(ban.since, UTC):%Y-%m-%d %H:%M}Z",
                "seconds": "for ever" if ban.until is None else round(ban.until - now), "kept": ban.kept,
            }
            for ban in self.host.bans.rows()
        ]  # fmt: skip

    # People

    async def _kick(self, words: Sequence[str]) -> Any:
        session = self._player(words[0])
        self.host.kick(session.key)
        return f"{session.name} was shown out; the seat is still theirs."

    async def _remove(self, words: Sequence[str]) -> Any:
        name, key = self._somebody(words[0])

        def go(desk: Dispatcher, turn: Turn) -> list[str]:
            sat = []
            for table in self.host.tables.values():
                chair = table.chair_of(key)
                if chair is not None and table.held is None:
                    if chair.session is not None:
                        table.leave(chair.session, turn)
                    else:
                        table.vacate(chair, turn)
                    sat.append(table.id)
            return sat

        await self.host.returning.back(table for table in self.host.tables.values() if table.chair_of(key) is not None)
        left = await self.host.order(go)
        self.host.kick(key)
        return f"{name} has left for good, as by their own wish: {', '.join(left) or 'no table'}"

    async def _ban(self, words: Sequence[str]) -> Any:
        minutes = float(words[1]) if len(words) > 1 else 0.0
        if not 0 <= minutes <= _LONGEST:
            raise ValueError
        why, now = shown(" ".join(words[2:])) or "by the operator", int(time.time())
        kind, name, who = self._whom(words[0])
        kept = await self.host.ban(BanRecord(kind, who, name, why, OPERATOR, now, now + round(minutes * _MINUTE) if minutes > 0 else None))
        span = f"for {minutes:g} minutes" if minutes > 0 else "until you lift it"
        return f"{name or who} is banned {span}; {kind} {who}{'' if kept else _NOT_KEPT}"

    async def _unban(self, words: Sequence[str]) -> Any:
        bans, word = self.host.bans.rows(), _address(words[0]) or words[0]
        found = [ban for ban in bans if word in (ban.name, ban.text)]
        found = found or [ban for ban in bans if isinstance(ban.who, bytes) and _means(word, ban.name, ban.who)]
        if len(found) != 1:
            raise BadOrder(f"{words[0]!r} names {len(found) or 'no'} bans; `bans` lists them")
        kept = await self.host.lift(found[0])
        return f"{found[0].name or found[0].text} may come in again{'.' if kept else _NOT_KEPT}"

    async def _announce(self, words: Sequence[str]) -> Any:
        line = shown(" ".join(words))[: limits.CHAT]
        if not line:
            raise ValueError

        def say(desk: Dispatcher, turn: Turn) -> int:
            heard = 0
            for table in self.host.tables.values():
                said = Said(table.id, HOST_NAME, line)
                for session in table.audience:
                    turn.send(session, said)
                    heard += 1
            return heard

        return f"said to {await self.host.order(say)} at the tables"

    # Tables

    async def _pause(self, words: Sequence[str]) -> Any:
        return await self._halt(words, on=True)

    async def _resume(self, words: Sequence[str]) -> Any:
        return await self._halt(words, on=False)

    async def _halt(self, words: Sequence[str], on: bool) -> Any:
        chosen = list(self.host.tables) if words[0] == "all" else [self._table(words[0]).id]

        def pause(desk: Dispatcher, turn: Turn) -> list[str]:
            there = [self.host.tables[id] for id in chosen if id in self.host.tables]
            running = [table for table in there if not table.resting and table.paused != on]
            for table in running:
                table.halt(on, turn)
            return [table.id for table in running]

        done = await self.host.order(pause)
        return f"{'paused' if on else 'going on'}: {', '.join(done) or 'none'}"

    async def _open(self, words: Sequence[str]) -> Any:
        options = dict(word.split("=", 1) for word in words[1:] if "=" in word)
        chairs = [int(word) for word in words[1:] if word.isdecimal()]
        private = PRIVATE in words[1:]
        if len(chairs) > 1 or not all("=" in word or word.isdecimal() or word == PRIVATE for word in words[1:]):
            raise ValueError
        places = chairs[0] if chairs else None
        opened = await self.host.order(lambda desk, turn: desk.open(desk.shelf.take(words[0]), options, turn, places, private=private))
        return f"opened {opened.id}"

    async def _close(self, words: Sequence[str]) -> Any:
        table = self._table(words[0])
        if not table.resting and words[1:] != ["now"]:
            raise BadOrder(f"a match is on at {table.id}; `close {table.id} now` ends it without a result")
        await self.host.order(lambda desk, turn: desk.close(self._table(table.id), turn))
        return f"{table.id} is closed."

    async def _reload(self, words: Sequence[str]) -> Any:
        def anew(desk: Dispatcher, turn: Turn) -> Mapping[str, str]:
            return desk.shelf.renew(renew)

        told = await self.host.order(anew)
        return [{"game": name, "state": state} for name, state in sorted(told.items())]

    # The host

    async def _drain(self, words: Sequence[str]) -> Any:
        on = words[:1] != ["off"]
        self.host.drain(on)
        if not on:
            return "tables and matches can begin again."
        left = sum(table.stage in _RUNNING for table in self.host.tables.values())
        return f"nothing new begins; the host ends when {left} running matches are over (`drain off` takes it back)."

    async def _stop(self, words: Sequence[str]) -> Any:
        asyncio.get_running_loop().call_soon(self._end, 0)
        return "the host ends; everything is kept."

    async def _restart(self, words: Sequence[str]) -> Any:
        asyncio.get_running_loop().call_soon(self._end, RESTART)
        return f"the host ends with status {RESTART}; whoever supervises it starts it again."

    async def _rotate(self, words: Sequence[str]) -> Any:
        """Make another host key, for the next start; whoever has pinned the old one must be told."""
        path = self.host.config.key_file or data_folder() / "host.key"
        if self.host.config.keys is not None or not path.exists():
            raise BadOrder("the key of this host is not in a file")
        old = path.with_suffix(".old")
        os.replace(path, old)
        try:
            made: KeyPair = load_or_make(path)
        except CarteadoError:
            os.replace(old, path)
            raise
        return {
            "now": fingerprint(self.host.keys.public), "after a restart": fingerprint(made.public), "old key": str(old),
            "address then": str(Address(self.host.address.host, self.host.port, made.public)),
        }  # fmt: skip

    # Inside

    def _row(self, table: Table) -> dict[str, Any]:
        return {
            "table": table.id, "game": table.game.name, "stage": table.stage, "match": table.number,
            "people": ", ".join(chair.name for chair in table.chairs if chair.person) or "-",
            "bots": sum(chair.bot is not None for chair in table.chairs), "free": sum(chair.free for chair in table.chairs),
            "watchers": len(table.watchers()), "private": table.private,
            "resuming": table.pending is not None,
        }  # fmt: skip

    def _table(self, id: str) -> Table:
        if id not in self.host.tables:
            raise BadOrder(f"there is no table {id!r}; `tables` lists them")
        return self.host.tables[id]

    def _whom(self, who: str) -> tuple[str, str, str]:
        """Return whom a ban is for: `key` or `address`, the name if there is one, and the key in hex or the address."""
        if address := _address(who):
            return "address", "", address
        name, key = self._somebody(who)
        return "key", "" if _KEY.fullmatch(name.lower()) else name, key.hex()

    def _somebody(self, who: str) -> tuple[str, bytes]:
        """Return name and key of a player, connected or not: one who sits somewhere, or any whole key."""
        low = who.lower()
        known = {session.key: session.name for session in self.host.sessions}
        known |= {chair.key: chair.name for table in self.host.tables.values() for chair in table.chairs if chair.key and chair.person}
        found = [key for key, name in known.items() if _means(who, name, key)]
        if not found and _KEY.fullmatch(low):
            return who, bytes.fromhex(who)
        if len(found) != 1:
            raise BadOrder(f"{who!r} names {len(found) or 'no'} players here; a whole key always works")
        return known[found[0]], found[0]

    def _player(self, who: str) -> Session:
        """Return the connected player of this name, or whose key or its fingerprint begins so."""
        found = [session for session in self.host.sessions if _means(who, session.name, session.key)]
        if len(found) != 1:
            raise BadOrder(f"{who!r} names {len(found) or 'no'} connected players; `players` lists them with their keys")
        return found[0]


def _means(word: str, name: str, key: bytes) -> bool:
    """Tell whether a word is this name, or the beginning of this key or of its fingerprint."""
    return word == name or (len(word) >= _BEGINNING and any(text.startswith(word.lower()) for text in (key.hex(), fingerprint(key))))


def _address(word: str) -> str:
    """Return the address that a word is, '' if it is none."""
    try:
        return plain_address(word)
    except ValueError:
        return ""


ORDERS: Final[dict[str, Order]] = {
    "help": Order("", "list the orders", Orders._help, looks=True),
    "tables": Order("", "list the tables", Orders._tables, looks=True),
    "players": Order("", "list who is connected", Orders._players, looks=True),
    "state": Order("TABLE", "tell what everybody may know about a table", Orders._state, looks=True),
    "invite": Order("", "tell how others join, with the join code of a private host", Orders._invite, looks=True),
    "metrics": Order("", "tell the host's numbers", Orders._metrics, looks=True),
    "health": Order("", "tell whether all is well", Orders._health, looks=True),
    "kick": Order("PLAYER [WHY]", "end a player's connection; the seat stays theirs", Orders._kick),
    "remove": Order("PLAYER [WHY]", "let a player leave for good, as by their own wish", Orders._remove),
    "ban": Order("PLAYER|ADDRESS [MINUTES [WHY]]", "let a player, or an address, in no more (no MINUTES: until lifted)", Orders._ban),
    "unban": Order("PLAYER|ADDRESS", "lift a ban", Orders._unban),
    "bans": Order("", "list the bans", Orders._bans, looks=True),
    "announce": Order("TEXT", "say a line at every table", Orders._announce),
    "pause": Order("TABLE|all", "stop a table, or all", Orders._pause),
    "resume": Order("TABLE|all", "let it go on", Orders._resume),
    "open": Order("GAME [CHAIRS] [private] [OPTION=VALUE]", "open a table", Orders._open),
    "close": Order("TABLE [now]", "close a table", Orders._close),
    "drain": Order("[off]", "begin nothing new, and end when all matches are over", Orders._drain),
    "reload": Order("", "load the games anew for tables to come; running ones keep their rules", Orders._reload),
    "rotate": Order("", "make another host key, for the next start", Orders._rotate),
    "restart": Order("", f"end with status {RESTART}, to be started again", Orders._restart),
    "stop": Order("", "end the host", Orders._stop),
}
"""Every order by its name."""
