"""Finding hosts, and being found: mDNS tells who is there, the doorbell shows who truly answers, and from where.

    for found in await browse(2.0):
        print(found.card.called, found.address)

What an mDNS record says is only a hint: anybody on the network can send any. A host is taken from the address its own answer came
from; records without an answer stand last, with addresses of networks that this machine is on. zeroconf is imported by who
announces or looks, and nothing here is more than a convenience: a typed address always works.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import ipaddress
import logging
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from .bell import Answered, Ringer
from .card import Card, from_txt, to_txt
from .keys import Address

if TYPE_CHECKING:
    from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

log = logging.getLogger(__name__)

TYPE: Final = "_carteado._tcp.local."
LISTED: Final = 50
"""Hosts in a list; the nearest ones stay."""
_RECORDS, _ADDRESSES = 200, 8
_LIFE = 60  # seconds that other machines remember a record after its host has fallen silent
_LOST = 3  # rings without an answer after which a host that had answered has vanished
_ASK, _ROUND, _LOOK = 1.5, 1.0, 0.2


@dataclass(frozen=True)
class Found:
    """A host on the network.

    addresses: IPv4 first, then the nearest, each with the key. answers: whether it has answered; else only records speak of it.
    seconds: how long its answer took. conflict: several that are not one and the same say to be this host; only its key tells which
    one is.
    """

    card: Card
    addresses: tuple[Address, ...]
    answers: bool = True
    seconds: float = 0.0
    conflict: bool = False

    @property
    def address(self) -> Address:
        """The first address without its key: only the network has told that, so `carteado join` compares it, or asks."""
        return Address(self.addresses[0].host, self.addresses[0].port)


@dataclass
class _Claim:
    """One mDNS record, or a place where a host was before: where to ring, and who answered."""

    card: Card | None
    places: tuple[tuple[str, int], ...]
    answers: dict[str, Answered] = field(default_factory=dict)
    missed: int = 0
    ever: bool = False


class Search:
    """A running search. trouble: why there is no mDNS, '' if there is. Made by `searching`."""

    def __init__(self) -> None:
        self.trouble = ""
        self._claims: dict[str, _Claim] = {}
        self._ringer = Ringer()
        self._zeroconf: AsyncZeroconf | None = None
        self._browser: Any = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._changed = asyncio.Event()

    async def start(self, places: Sequence[Address]) -> None:
        """Begin to look, also at places where hosts are known to have been."""
        await self._ringer.open()
        for place in places:
            self._claims[f"at {place.place}"] = _Claim(None, ((place.host, place.port),))
        self._spawn(self._rounds())
        self._zeroconf, self.trouble = await _zeroconf()
        if self._zeroconf is not None:
            from zeroconf.asyncio import AsyncServiceBrowser

            self._browser = AsyncServiceBrowser(self._zeroconf.zeroconf, TYPE, handlers=[self._heard])

    def hosts(self) -> list[Found]:
        """Return what was found so far: who answers before who does not, the nearest first."""
        found = merged(claim for claim in self._claims.values() if claim.answers or not claim.ever)
        return sorted(found, key=lambda one: (not one.answers, round(one.seconds, 2), one.card.called, one.card.id))[:LISTED]

    async def changed(self) -> None:
        """Wait until something is different from what `hosts` said last."""
        await self._changed.wait()
        self._changed.clear()

    async def close(self) -> None:
        """Stop looking."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._ringer.close()
        if self._browser is not None:
            await self._browser.async_cancel()
        if self._zeroconf is not None:
            await self._zeroconf.async_close()

    def _spawn(self, work: Any) -> None:
        task: asyncio.Task[None] = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _heard(self, zeroconf: Any, service_type: str, name: str, state_change: Any) -> None:
        """Take in that a record came, changed or was taken back."""
        if state_change.name == "Removed":
            if self._claims.pop(name, None) is not None:
                self._changed.set()
        elif len(self._tasks) < _RECORDS and (name in self._claims or len(self._claims) < _RECORDS):
            self._spawn(self._resolve(name))

    async def _resolve(self, name: str) -> None:
        from zeroconf.asyncio import AsyncServiceInfo

        assert self._zeroconf is not None
        info = AsyncServiceInfo(TYPE, name)
        await info.async_request(self._zeroconf.zeroconf, 2000)
        card = from_txt(info.decoded_properties, info.port)
        if card is None:
            return
        known = self._claims.get(name)
        claim = self._claims[name] = _Claim(card, _places(info, card.port))
        if known is not None:
            claim.ever = known.ever
        await self._ring(claim)
        self._changed.set()

    async def _rounds(self) -> None:
        """Ring at every place again and again: hosts vanish without a word."""
        while True:
            claims = list(self._claims.values())
            before = self.hosts()
            await asyncio.gather(*(self._ring(claim) for claim in claims))
            if before != self.hosts():
                self._changed.set()
            await asyncio.sleep(_ROUND)

    async def _ring(self, claim: _Claim) -> None:
        answers = await asyncio.gather(*(self._ringer.ring(host, port, _ASK) for host, port in claim.places))
        fresh = {
            one.host: one for one in answers
            if one is not None and (claim.card is None or (one.card.id, one.card.key) == (claim.card.id, claim.card.key))
        }  # fmt: skip
        claim.missed = 0 if fresh else claim.missed + 1
        claim.ever = claim.ever or bool(fresh)
        if fresh or claim.missed >= _LOST:
            claim.answers = fresh


@asynccontextmanager
async def searching(places: Sequence[Address] = ()) -> AsyncIterator[Search]:
    """Look for hosts as long as the block lasts; also ring at places where hosts are known to have been."""
    search = Search()
    try:
        await search.start(places)
        yield search
    finally:
        await search.close()


async def browse(
    seconds: float = 2.0, places: Sequence[Address] = (), until: Callable[[Sequence[Found]], bool] | None = None
) -> list[Found]:  # fmt: skip
    """Look for so many seconds, or until what was found is enough, and return the hosts, nearest first."""
    async with searching(places) as search:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while until is None or not until(search.hosts()):
                    with contextlib.suppress(TimeoutError):
                        async with asyncio.timeout(_LOOK):
                            await search.changed()
        return search.hosts()


def merged(claims: Iterable[_Claim]) -> list[Found]:
    """Return one host for each id and key; several keys, or several runs of one key, under one id are a conflict."""
    hosts: dict[tuple[str, bytes], Found] = {}
    runs: dict[str, set[tuple[bytes, bytes]]] = {}
    for claim in claims:
        cards: list[tuple[Card, Answered | None]] = [(one.card, one) for one in claim.answers.values()]
        if not cards and claim.card is not None:
            cards = [(claim.card, None)]
        for card, answer in cards:
            here: tuple[Address, ...]
            if answer is not None:
                here = (Address(answer.host, answer.port, card.key),)
            else:
                here = tuple(Address(host, port, card.key) for host, port in claim.places)
            if not here:
                continue
            runs.setdefault(card.id, set()).add((card.key, card.run))
            known = hosts.get((card.id, card.key))
            one = Found(card, here, answer is not None, answer.seconds if answer is not None else 0.0)
            hosts[card.id, card.key] = _both(known, one) if known is not None else one
    return [
        Found(one.card, one.addresses, one.answers, one.seconds, conflict=len(runs[one.card.id]) > 1) for one in hosts.values()
    ]  # fmt: skip


def _both(one: Found, other: Found) -> Found:
    """Return a host of which two answers, or records, speak: the nearer one first; records count only without answers."""
    if one.answers != other.answers:
        return one if one.answers else other
    near, far = sorted((one, other), key=lambda found: found.seconds)
    addresses = sorted(dict.fromkeys(near.addresses + far.addresses), key=lambda address: ":" in address.host)
    return Found(near.card, tuple(addresses), one.answers, near.seconds)


def _places(info: AsyncServiceInfo, port: int) -> tuple[tuple[str, int], ...]:
    """Return where a record says that its host is, as far as this machine is on that network."""
    own = networks()
    return tuple((host, port) for host in info.parsed_scoped_addresses() if near(host, own))[:_ADDRESSES]


def networks() -> list[ipaddress.IPv4Network | ipaddress.IPv6Network]:
    """Return the networks that this machine is on, without its loopback."""
    return [ipaddress.ip_network(f"{address}/{bits}", strict=False) for address, bits, _ in _own()]


def near(host: str, own: Iterable[ipaddress.IPv4Network | ipaddress.IPv6Network]) -> bool:
    """Tell whether an address is of one of these networks: an mDNS record cannot come from farther away."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    if address.is_loopback or address.is_multicast or address.is_unspecified or address.is_reserved:
        return False
    if address.is_link_local and address.version == 6:
        return "%" in host
    return any(address.version == network.version and address in network for network in own)


async def _zeroconf() -> tuple[AsyncZeroconf | None, str]:
    """Return a running mDNS responder, or why there is none."""
    try:
        # Beside the loop, which has other things to do for the third of a second that it takes.
        await asyncio.get_running_loop().run_in_executor(None, importlib.import_module, "zeroconf.asyncio")
        from zeroconf import IPVersion
        from zeroconf.asyncio import AsyncZeroconf
    except ImportError as error:
        return None, f"mDNS is not installed: {error}"
    # What it has to say of sockets and interfaces that come and go, it says many times; whoever uses it says it once.
    logging.getLogger("zeroconf").setLevel(logging.CRITICAL)
    four, six = own_interfaces()
    trouble = "this machine is on no network"
    for version, interfaces in ((IPVersion.All, [*four, *six]), (IPVersion.V4Only, four), (IPVersion.V6Only, six)):
        if not interfaces:
            continue
        try:
            zeroconf = AsyncZeroconf(interfaces=interfaces, ip_version=version)
            await zeroconf.zeroconf.async_wait_for_start(3)
        except Exception as error:  # noqa: BLE001 - whatever it stumbles over, the rest goes on without it
            trouble = f"mDNS does not work here: {type(error).__name__}: {error}"
            continue
        return zeroconf, ""
    return None, trouble


class Announcer:
    """Tell the network by mDNS that a host is here, as long as it is; whatever fails costs one warning and nothing else."""

    def __init__(self, card: Callable[[], Card]) -> None:
        self._card = card
        self._said: Card | None = None
        self._zeroconf: AsyncZeroconf | None = None
        self._info: AsyncServiceInfo | None = None
        self._addresses: list[str] = []
        self._warned = False

    async def run(self, interval: float = 1.0) -> None:
        """Announce until cancelled; tell what changed on the card, and go on after the network has changed."""
        try:
            while True:
                await self._guarded(self._renew)
                await asyncio.sleep(interval)
        finally:
            await self._guarded(self._silence)

    async def _guarded(self, step: Callable[[], Any]) -> None:
        try:
            await step()
        except Exception as error:  # noqa: BLE001 - mDNS is a convenience: the host goes on whatever happens there
            self._warn(f"{type(error).__name__}: {error}")

    def _warn(self, trouble: str) -> None:
        if not self._warned:
            self._warned = True
            log.warning("this host does not announce itself (%s); others join with its address", trouble)

    async def _renew(self) -> None:
        addresses = own_addresses()
        if addresses != self._addresses and self._zeroconf is not None:
            # Other networks, other sockets: what was said on the old ones is taken back as far as they still are.
            await self._silence()
        card = self._card()
        if not addresses or (self._zeroconf is not None and card == self._said):
            return
        if self._zeroconf is None:
            self._zeroconf, trouble = await _zeroconf()
            if self._zeroconf is None:
                self._warn(trouble)
                return
            self._addresses, self._info = addresses, _info(card, addresses)
            await (await self._zeroconf.async_register_service(self._info, allow_name_change=True))
        else:
            assert self._info is not None
            name, self._info = self._info.name, _info(card, addresses)
            self._info.name = name
            await (await self._zeroconf.async_update_service(self._info))
        self._said = card

    async def _silence(self) -> None:
        """Take back what was said and stop listening."""
        zeroconf, info = self._zeroconf, self._info
        self._zeroconf = self._info = self._said = None
        if zeroconf is None:
            return
        try:
            if info is not None:
                await (await zeroconf.async_unregister_service(info))
        finally:
            await zeroconf.async_close()


def _info(card: Card, addresses: Sequence[str]) -> AsyncServiceInfo:
    from zeroconf.asyncio import AsyncServiceInfo

    label = f"carteado-{card.id.replace('-', '')}-{card.run.hex()[:4]}"
    return AsyncServiceInfo(
        TYPE, f"{label}.{TYPE}", port=card.port, properties=to_txt(card), server=f"{label}.local.", host_ttl=_LIFE, other_ttl=_LIFE,
        parsed_addresses=[address.partition("%")[0] for address in addresses],
    )  # fmt: skip


def own_interfaces() -> tuple[list[str | int], list[str | int]]:
    """Return where to speak mDNS: addresses for IPv4, numbers of network cards for IPv6; without the loopback."""
    own = list(_own())
    four: list[str | int] = [address for address, _, _ in own if ":" not in address]
    six: list[str | int] = [card for address, _, card in own if ":" in address and card is not None]
    return four, list(dict.fromkeys(six))


def own_addresses() -> list[str]:
    """Return the addresses of this machine on every network but its loopback, in a steady order."""
    return sorted({address for address, _, _ in _own()}, key=lambda text: (":" in text, text))


def _own() -> Iterator[tuple[str, int, int | None]]:
    """Yield every address of this machine but those of its loopback, the bits of its network, and the number of its network card."""
    import ifaddr

    for card in ifaddr.get_adapters():
        for at in card.ips:
            address = ipaddress.ip_address((at.ip if isinstance(at.ip, str) else at.ip[0]).partition("%")[0])
            if not address.is_loopback and not address.is_unspecified:
                yield str(address), at.network_prefix, card.index
