"""The commands `find` and `key`: what is on the network, and how others know this machine."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

from .choosing import ADVICE, places, row
from .discovery import Found, searching
from .errors import HostUnreachable
from .keys import data_folder, fingerprint, key_to_text, load, my_keys
from .known import KnownHosts, words


def find(seconds: float, as_json: bool) -> int:
    """Print the hosts that are found in so many seconds; return the exit status, 1 if there are none."""
    known = KnownHosts()
    hosts, trouble = asyncio.run(_look(seconds, known))
    pinned = {pin.key for pin in known.pins()}
    if trouble:
        print(f"carteado find: {trouble}; only hosts that were met before can be found", file=sys.stderr)
    if as_json:
        print(json.dumps({"hosts": [_told(found, found.card.key in pinned) for found in hosts]}, ensure_ascii=False))
        return 0 if hosts else 1
    if not hosts:
        raise HostUnreachable(f"no host was found on this network. {ADVICE}")
    for found in hosts:
        print(row(found, found.card.key in pinned))
    return 0


async def _look(seconds: float, known: KnownHosts) -> tuple[list[Found], str]:
    async with searching(places(known)) as search:
        await asyncio.sleep(seconds)
        return search.hosts(), search.trouble


def _told(found: Found, pinned: bool) -> dict[str, Any]:
    card = found.card
    return {
        "name": card.called,
        "id": card.id,
        "address": found.address.place,
        "addresses": [address.place for address in found.addresses],
        "key": key_to_text(card.key),
        "fingerprint": card.fingerprint,
        "words": words(card.key),
        "pinned": pinned,
        "games": list(card.games),
        "free": card.free,
        "private": card.private,
        "proto": list(card.proto),
        "speaks": card.speaks,
        "answers": found.answers,
        "ms": round(found.seconds * 1000, 1),
        "conflict": found.conflict,
    }


def keys(as_json: bool) -> int:
    """Print this machine's public keys; return the exit status. Raises: BadKeyFile."""
    told = {"player": my_keys().public}
    host = data_folder() / "host.key"
    if host.exists():
        told["host"] = load(host).public
    if as_json:
        listed = {who: {"key": key_to_text(key), "fingerprint": fingerprint(key), "words": words(key)} for who, key in told.items()}
        print(json.dumps(listed))
        return 0
    for who, key in told.items():
        print(f"{who:<7} {key_to_text(key)}  {words(key)}  {fingerprint(key)}")
    return 0
