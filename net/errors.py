"""What can go wrong between a host and its peers.

::

    CarteadoError
    └── NetError
        ├── BadFrame        bytes that are not a message of this protocol
        ├── BadAddress      text that is not the address of a host
        ├── BadKeyFile      a key file that is damaged, or that others may read
        ├── HostUnreachable nobody answers at the address, or not with the expected key
        ├── Refusal         the host said no; `code` is also a message key
        ├── ConnectionOver  the host told this peer to go, or the peer was closed
        ├── NoRoom          a table is to have more computer players than chairs
        └── StoreFailure    the store could not save; nothing of the batch was saved
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from carteado.core.errors import CarteadoError

from .refusals import FAREWELLS


class NetError(CarteadoError):
    """Be the base of every error of the network."""


class BadFrame(NetError):
    """Refuse bytes that are not a message of this protocol; says what is wrong, never what was in it."""


class BadAddress(NetError):
    """Refuse text that is not the address of a host."""


class BadKeyFile(NetError):
    """Refuse a key file that is damaged, or that other people of this machine may read."""


class HostUnreachable(NetError):
    """Report in one sentence that nobody answers at an address."""


class Refusal(NetError):
    """Report that the host said no, with its stable code, its plain text and the code's data."""

    def __init__(self, code: str, text: str = "", data: Mapping[str, Any] | None = None) -> None:
        super().__init__(text or code)
        self.code = code
        self.text = text
        self.data = dict(data or {})


class ConnectionOver(NetError):
    """Report that the connection is over for good: the host's reason, or `closed` by this side."""

    def __init__(self, code: str) -> None:
        super().__init__(FAREWELLS.get(code) or f"the connection is over: {code}")
        self.code = code


class NoRoom(NetError):
    """Refuse a table that is to have more computer players than chairs. wrong_use: other arguments would have helped."""

    wrong_use = True

    def __init__(self, table: str, bots: int, chairs: int) -> None:
        super().__init__(f"table {table}: {bots} computer players have no room on {chairs} chairs")


class StoreFailure(NetError):
    """Report in one sentence that the store cannot be used, or could not save a batch: nothing of it was saved then.

    code: `full | readonly | locked | damaged | io | away | taken | refused | other`.
    """

    def __init__(self, sentence: str, code: str = "other") -> None:
        super().__init__(sentence)
        self.code = code
