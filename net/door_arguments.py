"""What a host can be told about who finds it and who may come in; nothing heavy is imported before it is used."""

from __future__ import annotations

import argparse
from typing import Any

from .arguments import option

_ADDRESSES = 6


def key(text: str) -> str:
    """Read a player's public key from the command line, and return it as it was written."""
    from .errors import BadAddress
    from .keys import key_from_text

    try:
        key_from_text(text)
    except BadAddress:
        raise argparse.ArgumentTypeError(f"{text[:60]!r} is no player's key; they see theirs with `carteado key`") from None
    return text


def called(text: str) -> str:
    """Read a host's name from the command line."""
    from .card import host_name

    name = host_name(text)
    if not name or name != text:
        raise argparse.ArgumentTypeError(f"{text[:60]!r} cannot be a host's name: 1 to 40 letters, digits and signs")
    return name


def limit(text: str) -> tuple[str, str]:
    """Read one limit, `name=number`, from the command line."""
    from .errors import NetError
    from .rates import rates

    given = option(text)
    try:
        rates([given])
    except NetError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return given


def add_door(parser: argparse.ArgumentParser) -> None:
    """Add how a host is found, and whom it lets in."""
    group = parser.add_argument_group("who finds this host, and who may come in")
    group.add_argument("--called", type=called, metavar="NAME", help="the host's name in lists (default: this machine's)")
    group.add_argument("--no-announce", action="store_true", help="do not tell the network that this host is here")
    group.add_argument("--code", action="store_true", help="private: the tables are for those who know the join code, which is printed")
    group.add_argument("--new-code", action="store_true", help="the same with a fresh code; the old one opens nothing any more")
    group.add_argument("--closed", action="store_true", help="let nobody connect but players who have a seat, and --allow")
    group.add_argument("--allow", action="append", type=key, default=[], metavar="KEY", help="let this player's key in (repeatable)")
    add = group.add_argument
    add("--limit", action="append", type=limit, default=[], metavar="NAME=N", help="set one of docs/protocol.md's limits (repeatable)")


def door_settings(given: argparse.Namespace) -> dict[str, Any]:
    """Return what was chosen, as settings of a host. Raises: BadCode, BadKeyFile."""
    from .codes import host_code
    from .finding import LOOPBACK
    from .keys import key_from_text
    from .presence import host_id, machine_name
    from .rates import DoorRules, rates

    code = host_code(anew=given.new_code) if given.code or given.new_code else None
    allowed = frozenset(key_from_text(text) for text in given.allow)
    closed = given.closed or (bool(allowed) and code is None)
    return {
        "name": given.called or machine_name(),
        "id": host_id(),
        "announce": not (given.no_announce or given.fill or given.bind in {"127.0.0.1", "::1", "localhost"}),
        "door": DoorRules(code, closed, allowed, frozenset(LOOPBACK) if given.web else frozenset(), rates(given.limit)),
    }


def door_lines(door: Any, address: Any, bind: str) -> list[str]:
    """Return what the person who starts a host is told about its door: other addresses, its key, its code."""
    from .discovery import own_addresses
    from .keys import Address, fingerprint
    from .known import words

    others = [Address(host, address.port).place for host in own_addresses() if host != address.host and not host.startswith("fe80:")]
    lines = [f"It listens at {', '.join(others[:_ADDRESSES])} too."] if bind == "*" and others else []
    lines += [f"The host's key, for whoever asks: {words(address.key)} ({fingerprint(address.key)})"]
    if door.code is not None:
        lines.append(f"Its tables are private. Others join with: carteado join {address.place} {door.code}")
    elif door.closed:
        lines.append("It is closed: only players with a seat, and those on its list, can connect.")
    return lines
