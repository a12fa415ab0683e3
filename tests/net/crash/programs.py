"""The host that the crash tests kill: python programs.py SPEC, where SPEC is JSON.

store, key, port: as in HostConfig. tables: their specs. die: `[point, n]` kills the process by itself at a point of its nth turn:
`before` it is committed, `within` the transaction, `after` the commit and before anybody is told, `between` two messages of those that
tell of it.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Sequence
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from carteado.core.loader import load
from carteado.net.host import Host, serve
from carteado.net.keys import fingerprint, load_or_make
from carteado.net.rates import DoorRules, Rates
from carteado.net.settings import HostConfig, TableSpec
from carteado.net.sql import keeping
from carteado.net.sql.place import Place
from carteado.net.sql.store import SqlStore
from carteado.net.store import AnswerRecord, Record

POINTS = ("before", "within", "after", "between")


def die() -> None:
    """End this process as a power cut would."""
    os.kill(os.getpid(), signal.SIGKILL)


class Dying(SqlStore):
    """A store whose host ends at one point of one turn."""

    point, at, turns = "", 0, 0

    async def commit(self, batch: Sequence[Record]) -> None:
        """Keep a batch, or die on the way."""
        self.turns += any(isinstance(record, AnswerRecord) for record in batch)
        now = self.turns == self.at
        if now and self.point == "before":
            die()
        if now and self.point == "within":
            keeping._WRITERS[AnswerRecord] = lambda writing, records: die()
        await super().commit(batch)
        if now and self.point == "after":
            die()


def between(host: Host, store: Dying) -> None:
    """Let the host die after it has told the first of those who are to be told of a turn."""
    send = host._send

    def told(*arguments: Any) -> None:
        send(*arguments)
        if store.turns >= store.at:
            die()

    host._send = told  # type: ignore[method-assign]


def small() -> Any:
    """Return the small game of the tests."""
    spec = spec_from_file_location("highcard", Path(__file__).parents[1] / "highcard.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.GAMES["high-card"]


async def run(told: dict[str, Any]) -> None:
    """Serve until somebody ends this process."""
    ending: list[asyncio.Task[None]] = []
    keys = load_or_make(Path(told["key"]))
    store = Dying(Place.parse(told["store"]), fingerprint(keys.public))
    store.point, store.at = told.get("die", ("", 0))
    store.open()
    config = HostConfig(
        port=told["port"], keys=keys, tables=tuple(TableSpec(**spec) for spec in told["tables"]), pace=0.0, hand_pause=0.0,
        door=DoorRules(rates=Rates.none()),
    )  # fmt: skip
    host = await serve(config, store, games={"high-card": small(), "dez-degraus": load("dez-degraus")})
    if store.point == "between":
        between(host, store)
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, lambda: ending.append(asyncio.create_task(host.stop())))
    print(host.address, flush=True)
    await host.ended.wait()


if __name__ == "__main__":
    asyncio.run(run(json.loads(sys.argv[1])))
