"""How much a host takes from each key and each address, and from all together; every number can be set, 0 switches it off."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final

from .buckets import Rate
from .errors import NetError

MINUTE: Final = 60.0


class BadRate(NetError):
    """Refuse a limit that does not exist, or that is no number. wrong_use: other arguments would have helped."""

    wrong_use = True


@dataclass(frozen=True)
class Rates:
    """The limits of a host; each is a number, 0 is no limit.

    Per key and second: messages, guests (messages of who has not joined), subscriptions, commands, snaps. chat: lines in 10 s;
    chat_flood: as many in 10 s end the session. opens: tables in a minute. Per address and minute: hellos, proofs (tries of a code or
    a token), unlisted (joins of tables that are not in the asker's list). returns: hellos of one seat's key in a minute. For all:
    snaps_all a second, hellos_all, proofs_all, unlisted_all and new_keys a minute.
    unjoined, unjoined_all: keys of one address, or altogether, that are connected and sit nowhere. strikes: messages that no honest program
    sends, in a minute, for which a key is banned. banned_keys: bans of keys in ban_seconds for which their address is banned.
    """

    messages: float = 30
    subscriptions: float = 5
    guests: float = 10
    commands: float = 5
    chat: float = 8
    chat_flood: float = 50
    snaps: float = 1
    snaps_all: float = 20
    opens: float = 6
    hellos: float = 30
    hellos_all: float = 120
    returns: float = 60
    proofs: float = 5
    proofs_all: float = 20
    unlisted: float = 10
    unlisted_all: float = 60
    new_keys: float = 30
    unjoined: int = 8
    unjoined_all: int = 64
    strikes: int = 10
    banned_keys: int = 3
    ban_seconds: float = 600

    @classmethod
    def none(cls) -> Rates:
        """Return no limits at all, for tests and measurements."""
        return cls(**dict.fromkeys((one.name for one in fields(cls) if one.name != "ban_seconds"), 0))

    def changed(self, given: Mapping[str, float]) -> Rates:
        """Return the same with other numbers. Raises: BadRate."""
        known: dict[str, Any] = {one.name: int if one.type == "int" else float for one in fields(self)}
        for name, value in given.items():
            if name not in known:
                raise BadRate(f"there is no limit {name!r}; there are {', '.join(sorted(known))}")
            if not 0 <= value <= 1e6:
                raise BadRate(f"the limit {name} is a number from 0 to 1000000")
        return replace(self, **{name: known[name](value) for name, value in given.items()})

    def table(self) -> dict[str, Rate]:
        """Return the rate of each bucket."""
        return {
            "messages": Rate(self.messages, 2 * self.messages),
            "flood": Rate(2 * self.messages, 20 * self.messages),
            "subscriptions": Rate(self.subscriptions, 10 * self.subscriptions),
            "guests": Rate(self.guests, 2 * self.guests),
            "commands": Rate(self.commands, 2 * self.commands),
            "chat": Rate.of(self.chat, 10.0),
            "chat_flood": Rate.of(self.chat_flood, 10.0),
            "snaps": Rate(self.snaps, 3 * self.snaps),
            "snaps_all": Rate(self.snaps_all, self.snaps_all),
            "opens": Rate.of(self.opens, MINUTE),
            "hellos": Rate.of(self.hellos, MINUTE),
            "hellos_all": Rate.of(self.hellos_all, MINUTE),
            "returns": Rate.of(self.returns, MINUTE, self.returns / 2),
            "proofs": Rate.of(self.proofs, MINUTE),
            "proofs_all": Rate.of(self.proofs_all, MINUTE),
            "unlisted": Rate.of(self.unlisted, MINUTE),
            "unlisted_all": Rate.of(self.unlisted_all, MINUTE),
            "new_keys": Rate.of(self.new_keys, MINUTE),
            "strikes": Rate.of(self.strikes, MINUTE),
        }


@dataclass(frozen=True)
class DoorRules:
    """Who a host lets in.

    code: the join code without which its tables are not shown. closed: only keys of seats and of `allowed` can connect at all.
    allowed: public keys that need no code. gateways: addresses from which many people come, counted there one by one, so that only
    their keys are counted here. rates: the limits.
    """

    code: str | None = field(default=None, repr=False)
    closed: bool = False
    allowed: frozenset[bytes] = frozenset()
    gateways: frozenset[str] = frozenset()
    rates: Rates = field(default_factory=Rates)


def rates(words: list[tuple[str, str]], start: Rates | None = None) -> Rates:
    """Return the limits that were given as name and number. Raises: BadRate."""
    given = {}
    for name, text in words:
        try:
            given[name] = float(text)
        except ValueError:
            raise BadRate(f"the limit {name} is a number, not {text[:20]!r}") from None
    return (start or Rates()).changed(given)
