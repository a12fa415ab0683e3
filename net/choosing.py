"""From what people type to a host that can be connected to: an address, a name on the network, or nothing at all.

    carteado join                            the hosts that are found, as a list; a single one at once
    carteado join kitchen                    the host of this name, or of this short id
    carteado join here                       the host on this machine
    carteado join 10.0.0.7 7KQ4-M2XP-9D4T-V  an address, with the host's join code
    carteado join tcp://10.0.0.7:7777#KEY    an address with the key that the host must have

A host's key is pinned when it is first met; a changed one is refused.
"""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, TextIO

from .bell import ring
from .card import Card
from .codes import read_code
from .discovery import Found, browse
from .errors import HostUnreachable, NetError
from .finding import LOOPBACK, own_host
from .keys import Address, fingerprint
from .known import KnownHosts, words
from .names import skeleton

HERE: Final = "here"
"""What the host on this machine is called."""
SECONDS: Final = 2.0
"""How long hosts are looked for."""
ENOUGH: Final = 0.9
"""How long even when one was found: others may be slower."""
_RUNG = 20
ADVICE: Final = (
    "Is one running there, with this computer on the same network? Guest Wi-Fi, VPNs and firewalls often keep computers apart"
    " (carteado needs TCP 7777 and 7778, UDP 7777 and 5353): then ask for the host's address and say `carteado join ADDRESS`"
)


class NotChosen(NetError):
    """Report that nothing was chosen. wrong_use: other arguments would have helped."""

    wrong_use = True


@dataclass
class Asking:
    """How a person is asked: lines on a terminal, or not at all."""

    say: Callable[[str], object]
    read: Callable[[str], str] | None
    accept_new_key: bool = False
    known: KnownHosts = field(default_factory=KnownHosts)


def at_terminal(accept_new_key: bool = False, source: TextIO | None = None) -> Asking:
    """Return how to ask the person at this terminal; without one, nobody is asked."""
    source = source or sys.stdin
    return Asking(lambda text: print(text, file=sys.stderr), input if source.isatty() else None, accept_new_key)


def choose(text: str | None, code: str | None, asking: Asking) -> Address:
    """Return where to connect to: address, key, and code if one was said.

    Raises: HostUnreachable, NotChosen, ChangedKey, BadAddress, BadCode.
    """
    code = read_code(code) if code is not None else None
    if (own := own_host()) is not None and (text == HERE or (text is None and asking.read is None)):
        return replace(own, code=code)
    if text == HERE:
        raise HostUnreachable("no host has been started on this machine")
    if text is not None and is_address(text):
        address, card = _typed(text, code is not None, asking)
    else:
        address, card = _found(text, code is not None, asking)
    if code is None and card is not None and card.private and asking.read is not None:
        typed = asking.read(f"{card.called} is private. Its join code (Enter if you have a seat there): ").strip()
        code = read_code(typed) if typed else None
    return replace(address, code=code)


def is_address(text: str) -> bool:
    """Tell whether text is meant as an address, and not as a host's name."""
    return text == "localhost" or bool(re.search(r"[.:#\[]|^tcp:", text))


# Addresses


def _typed(text: str, coded: bool, asking: Asking) -> tuple[Address, Card | None]:
    address, own = Address.parse(text), own_host()
    if own is not None and address.port == own.port and address.host in {own.host, *LOOPBACK} and address.key in (None, own.key):
        return replace(address, key=own.key), None
    answered = asyncio.run(ring(address.host, address.port))
    if address.key is not None:
        if answered is not None and answered.card.key == address.key:
            _meet(answered.card, address, sure=True, asking=asking)
        return address, None
    if answered is None:
        for pin in asking.known.pins():
            if pin.place == address.place:
                return replace(address, key=pin.key), None
        raise HostUnreachable(
            f"no host answers at {address.place}: is it running, and does its firewall let UDP {address.port} and TCP"
            f" {address.port} in? With its whole address, key and all, UDP is not needed"
        )
    address = Address(address.host, answered.port, answered.card.key)
    _meet(answered.card, address, sure=coded, asking=asking)
    return address, answered.card


def _meet(card: Card, address: Address, sure: bool, asking: Asking) -> None:
    """Pin a host that was never met, after asking unless its key is sure to be right. Raises: ChangedKey, NotChosen."""
    assert address.key is not None
    id, name = card.id, card.called
    if asking.accept_new_key:
        asking.known.pin(id, name, address)
        return
    pin = asking.known.check(id, name, address)
    if pin is None:
        _first_use(name, address, sure, asking)
    if pin is None or (pin.place, pin.id) != (address.place, id):
        asking.known.pin(id, name, address)


def _first_use(name: str, address: Address, sure: bool, asking: Asking) -> None:
    assert address.key is not None
    asking.say(f"{name} at {address.place} is new here. Its key: {words(address.key)} ({fingerprint(address.key)})")
    for other in asking.known.namesakes(name, address.key):
        asking.say(f"It is not the {other.name} that you know since {other.since}, at {other.place}: that one has another key.")
        if not sure and asking.read is None:
            raise NotChosen(f"there are two hosts called {name}; if this one is right, say --accept-new-key")
    if sure or asking.read is None:
        return
    asking.say("Nobody can see from here whether that is the right one: its owner sees the same words where the host was started.")
    if asking.read("Connect, and remember this key? [y/N] ").strip().lower() not in {"y", "yes", "s", "sim", "j", "ja"}:
        raise NotChosen("not connected; with the host's join code, or its whole address, nothing has to be compared")


# Names and lists


def _found(wanted: str | None, coded: bool, asking: Asking) -> tuple[Address, Card]:
    hosts = asyncio.run(look(wanted, asking.known))
    if not hosts:
        what = f"no host called {wanted} was found on this network" if wanted else "no host was found on this network"
        raise HostUnreachable(f"{what}. {ADVICE}")
    found = hosts[0] if len(hosts) == 1 else _picked(hosts, wanted, asking)
    if found.conflict and not any(pin.key == found.card.key for pin in asking.known.pins()) and not (coded or asking.accept_new_key):
        raise NotChosen(
            f"several computers say that they are {found.card.called} ({found.card.short}), and only one can be right;"
            " ask for the host's whole address or its join code"
        )
    if not found.card.speaks:
        low, high = found.card.proto
        raise HostUnreachable(f"{found.card.called} speaks version {low}-{high} of the protocol; one of you has to upgrade")
    own, address = own_host(), found.addresses[0]
    if own is None or address.key != own.key:
        _meet(found.card, address, sure=coded, asking=asking)
    return address, found.card


async def look(wanted: str | None, known: KnownHosts, seconds: float = SECONDS) -> list[Found]:
    """Return the hosts of a name (or short id), or all; stops early when some were there for a moment."""
    loop = asyncio.get_running_loop()
    until = loop.time() + ENOUGH

    def enough(hosts: Sequence[Found]) -> bool:
        return bool(matching(hosts, wanted)) and loop.time() >= until

    return matching(await browse(seconds, places(known), enough), wanted)


def places(known: KnownHosts) -> list[Address]:
    """Return where to ring besides what the network tells of: this machine's host, and where the newest known ones were met."""
    own = own_host()
    return [*([own] if own is not None else []), *known.places()[:_RUNG]]


def matching(hosts: Sequence[Found], wanted: str | None) -> list[Found]:
    """Return the hosts that somebody can have meant by a name or an id."""
    if wanted is None:
        return list(hosts)
    name = skeleton(wanted)
    return [one for one in hosts if skeleton(one.card.called) == name] or [
        one for one in hosts if len(wanted) >= 4 and one.card.id.startswith(wanted.lower())
    ]


def _picked(hosts: Sequence[Found], wanted: str | None, asking: Asking) -> Found:
    known = {pin.key for pin in asking.known.pins()}
    rows = [f"{number:>3}  {row(found, found.card.key in known)}" for number, found in enumerate(hosts, 1)]
    if asking.read is None:
        names = ", ".join(f"{found.card.called} ({found.card.short}, {found.address.place})" for found in hosts[:8])
        called = f" called {wanted}" if wanted else ""
        raise NotChosen(f"there are several hosts{called}: {names}; say the name, the four digits, or the address")
    asking.say("\n".join(rows))
    for _ in range(3):
        typed = asking.read(f"Which one? [1-{len(hosts)}, Enter: none] ").strip()
        if not typed:
            break
        if typed.isascii() and typed.isdecimal() and 1 <= int(typed) <= len(hosts):
            return hosts[int(typed) - 1]
    raise NotChosen("no host was chosen")


def row(found: Found, known: bool = False) -> str:
    """Return a host as one line of a list; known: its key was met before."""
    card = found.card
    free = "private" if card.private else f"{card.free} free"
    marks = ["known"] if known else []
    marks += [] if card.speaks else ["needs another version"]
    marks += ["CONFLICT: several say to be this host"] if found.conflict else []
    marks += [] if found.answers else ["does not answer"]
    told = f"{card.called:<20} {card.short}  {found.address.place:<22} {free:<8} {', '.join(card.games)}"
    return told.rstrip() + (f"  [{'; '.join(marks)}]" if marks else "")


async def elsewhere(lost: Address, seconds: float) -> Address:
    """Look for so many seconds where the key of a lost host is now; return the old address, after that time, if it is nowhere else."""
    loop = asyncio.get_running_loop()
    over = loop.time() + seconds

    def there(hosts: Sequence[Found]) -> bool:
        return any(found.answers and found.card.key == lost.key for found in hosts)

    try:
        hosts = await browse(seconds, until=there)
    except OSError:  # there is no network at all
        hosts = []
    for found in hosts:
        places = {address.place for address in found.addresses}
        if found.answers and found.card.key == lost.key and lost.place not in places:
            return replace(found.addresses[0], code=lost.code)
    await asyncio.sleep(max(0.0, over - loop.time()))
    return lost
