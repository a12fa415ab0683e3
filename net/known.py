"""Hosts that this machine has met: their keys, pinned on first use, in a file that people can read and edit (`known_hosts`).

    # id name address key first-seen
    3f9c1d0e5a7b2c44 Kitchen 10.0.0.7:7777 8IBPXxuSRmjkxGzLhUVDykeKBePCq1_5zfI8TzH3G1k 2026-03-01

A host is known by its id. Who shows a known id, or answers at a pinned address, with another key is refused.
"""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from .card import host_name
from .errors import BadAddress, NetError
from .keys import Address, data_folder, fingerprint, key_from_text, key_to_text, write_private
from .names import skeleton

ROOM: Final = 500
"""Hosts that are remembered; the ones met first are forgotten first."""
_HEAD = "# id name address key first-seen"
_CONSONANTS, _VOWELS = "bdfghjklmnprstvz", "aiou"


class ChangedKey(NetError):
    """Refuse a host that has not the key it had before."""


class BadKnownHosts(NetError):
    """Report that the file of known hosts cannot be read or written."""


@dataclass(frozen=True)
class Pin:
    """A host as it was met."""

    id: str
    name: str
    place: str
    key: bytes
    since: str


def words(key: bytes) -> str:
    """Return the fingerprint of a key as four words that can be read aloud, a word for each four hex digits."""
    digits = int(fingerprint(key).replace("-", ""), 16)
    return "-".join(_word(digits >> shift & 0xFFFF) for shift in (48, 32, 16, 0))


def _word(number: int) -> str:
    return "".join(
        (_CONSONANTS if bits == 4 else _VOWELS)[number >> shift & (1 << bits) - 1]
        for shift, bits in ((12, 4), (10, 2), (6, 4), (4, 2), (0, 4))
    )  # fmt: skip


class KnownHosts:
    """The file of pins. Reading it skips lines that are none; writing keeps the others as they are."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or data_folder() / "known_hosts"

    def pins(self) -> list[Pin]:
        """Return every pin. Raises: BadKnownHosts."""
        try:
            text = self.path.read_text(encoding="utf-8", errors="replace")
        except FileNotFoundError:
            return []
        except OSError as error:
            raise BadKnownHosts(f"cannot read {self.path}: {error.strerror}") from None
        return [pin for line in text.splitlines() if (pin := _read(line)) is not None]

    def check(self, id: str, name: str, address: Address) -> Pin | None:
        """Return the pin of a host, None for one never met. Raises: ChangedKey, BadKnownHosts."""
        assert address.key is not None
        pins = self.pins()
        for pin in pins:
            if pin.key != address.key and (pin.id == id or pin.place == address.place):
                raise ChangedKey(
                    f"the key of {host_name(name) or pin.name} at {address.place} has changed: it was {words(pin.key)}"
                    f" ({fingerprint(pin.key)}) since {pin.since}, and is {words(address.key)} ({fingerprint(address.key)})."
                    " Either the host was set up anew, or somebody answers in its place: ask its owner, and only if they"
                    " confirm it, say --accept-new-key"
                )
        return next((pin for pin in pins if pin.key == address.key), None)

    def namesakes(self, name: str, key: bytes) -> list[Pin]:
        """Return known hosts with other keys whose name people would take for this one."""
        return [pin for pin in self.pins() if _alike(pin.name) == _alike(_one_word(name)) and pin.key != key]

    def pin(self, id: str, name: str, address: Address, today: datetime.date | None = None) -> Pin:
        """Remember a host with this key, in place of what was pinned for its id or address. Raises: BadKnownHosts."""
        assert address.key is not None
        old = next((pin for pin in self.pins() if pin.key == address.key), None)
        since = old.since if old is not None else (today or datetime.date.today()).isoformat()
        new = Pin(id, _one_word(name), address.place, address.key, since)
        kept = [pin for pin in self.pins() if pin.id != id and pin.place != new.place and pin.key != new.key]
        lines = [_HEAD, *(_written(pin) for pin in [*kept, new][-ROOM:])]
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_private(self.path, "\n".join(lines) + "\n", replace=True)
        except OSError as error:
            raise BadKnownHosts(f"cannot write {self.path}: {error.strerror}") from None
        return new

    def places(self) -> list[Address]:
        """Return where known hosts were met, the newest first."""
        found = []
        for pin in reversed(self.pins()):
            try:
                found.append(Address.parse(pin.place))
            except BadAddress:
                continue
        return found


def _alike(word: str) -> str:
    return skeleton(word).replace("_", "")


def _one_word(name: str) -> str:
    return re.sub(r"\s+", "_", host_name(name)) or "?"


def _written(pin: Pin) -> str:
    return " ".join((pin.id, pin.name, pin.place, key_to_text(pin.key), pin.since))


def _read(line: str) -> Pin | None:
    parts = line.split()
    if len(parts) != 5 or line.startswith("#"):
        return None
    try:
        return Pin(parts[0], parts[1], parts[2], key_from_text(parts[3]), parts[4])
    except BadAddress:
        return None
