"""The programs that the process tests start: a host, and a player that tells all it sees and can stop in the middle.

python programs.py host TABLE_JSON
python programs.py player ADDRESS KEY_FILE NAME LEVEL SEED STOP_AFTER
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
from pathlib import Path
from typing import Any

from carteado.core.bots import player
from carteado.core.loader import load
from carteado.net.keys import KeyPair, load_or_make
from carteado.net.peer import Peer
from carteado.net.rates import DoorRules, Rates
from carteado.net.running import run_host
from carteado.net.settings import HostConfig, TableSpec


def host(spec: str) -> int:
    """Run a host with one table; say its address, serve until told to stop."""
    config = HostConfig(
        port=0, keys=KeyPair.make(), tables=(TableSpec(**json.loads(spec)),), pace=0.0, hand_pause=0.0, seed=b"processes",
        door=DoorRules(rates=Rates.none()),
    )  # fmt: skip
    return run_host(config, lambda address: print(address, flush=True))


def tell(**told: Any) -> None:
    """Say one line."""
    print(json.dumps(told), flush=True)


async def play(address: str, keys: str, name: str, level: str, seed: int, stop_after: int) -> None:
    """Play to the end of the match, telling seat and hand at every prompt; hang for ever after so many moves."""
    peer = Peer(address, load_or_make(Path(keys)), name, words=False)
    await peer.connect()
    joined = await peer.join("t-1")
    tell(joined=joined.seat, first=joined.token is not None)
    assert peer.table is not None
    if peer.table.stage == "lobby":
        await peer.ready()
    choosing, rng, moves = player(load(peer.table.game), level), random.Random(seed), 0
    changes = peer.changes()
    while True:
        view = peer.view
        if view is not None and view["phase"] == "over":
            tell(over=True, q=view["q"], places=view["end"]["places"], points=[seat["points"] for seat in view["seats"]])
            break
        if view is None or not view["prompts"]:
            await anext(changes)
            continue
        hand = next(zone["cards"] for zone in view["zones"] if zone["name"] == f"hand/{peer.seat}")
        tell(q=view["q"], seat=peer.seat, hand=hand, stage=view["prompts"][0]["stage"])
        if stop_after and moves == stop_after:
            tell(stopped=True)
            await asyncio.Event().wait()
        await peer.act(view["prompts"][0]["id"], choosing.choose(view, rng))
        moves += 1
    await changes.aclose()
    await peer.close()


def main(arguments: list[str]) -> int:
    """Run one of the programs."""
    if arguments[0] == "host":
        return host(arguments[1])
    address, keys, name, level, seed, stop_after = arguments[1:]
    asyncio.run(play(address, keys, name, level, int(seed), int(stop_after)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
