"""Join codes: 60 random bits that a host prints, people read aloud, and both sides prove to each other without saying them.

    7KQ4-M2XP-9D4T-V        twelve digits in Crockford's base 32 (no I, L, O, U) and a check digit

Both sides stretch the code with scrypt, salted with the host's public key, and show an HMAC over both public keys and both nonces,
the host first. A machine in the middle has other keys in its HMAC; whoever records everything has to try 2^60 codes, a scrypt each.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from . import limits
from .errors import NetError
from .keys import data_folder, write_private

DIGITS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_CHECKS: Final = DIGITS + "*~$=U"
_BITS, _LENGTH = 60, 12
TAKEN_FOR = str.maketrans({"O": "0", "I": "1", "L": "1"})
_COST: Final = 2**15


class BadCode(NetError):
    """Refuse text that is not a join code. wrong_use: other arguments would have helped."""

    wrong_use = True


def new_code() -> str:
    """Return a fresh join code."""
    return written(secrets.randbits(_BITS))


def written(number: int) -> str:
    """Return a number of 60 bits as a join code."""
    digits = "".join(DIGITS[number >> shift & 31] for shift in range(_BITS - 5, -1, -5))
    return "-".join((digits[:4], digits[4:8], digits[8:], _CHECKS[number % 37]))


def read_code(text: str) -> str:
    """Return a join code as it is written, from what people type: any case, blanks or dashes, O for 0, I and L for 1.

    Raises: BadCode, also for a code whose check digit tells that it was misread.
    """
    typed = "".join(text.upper().split()).replace("-", "")
    digits, check = typed[:_LENGTH].translate(TAKEN_FOR), typed[_LENGTH:]
    if len(digits) != _LENGTH or len(check) != 1 or not set(digits) <= set(DIGITS):
        raise BadCode("that is no join code; one looks like 7KQ4-M2XP-9D4T-V")
    number = sum(DIGITS.index(digit) << shift for digit, shift in zip(digits, range(_BITS - 5, -1, -5), strict=True))
    if _CHECKS[number % 37] not in {check, check.translate(TAKEN_FOR)}:
        raise BadCode("the last digit of the join code does not fit the others: one of them was misread")
    return written(number)


def stretch(code: str, host_key: bytes) -> bytes:
    """Return the secret of a code with a host: 32 bytes after about 80 ms and 32 MiB of work."""
    salt = b"carteado/code/1" + host_key
    return hashlib.scrypt(read_code(code).encode(), salt=salt, n=_COST, r=8, p=1, maxmem=2**26, dklen=32)


@dataclass(frozen=True)
class Meeting:
    """What both proofs are bound to: both public keys and a nonce of each side."""

    host_key: bytes
    peer_key: bytes
    peer_nonce: bytes
    host_nonce: bytes

    def proof(self, secret: bytes, who: str) -> bytes:
        """Return the proof of `host` or `peer`."""
        text = b"".join((b"carteado/proof/1/", who.encode(), self.host_key, self.peer_key, self.peer_nonce, self.host_nonce))
        return hmac.digest(secret, text, "sha256")

    def proves(self, secret: bytes, who: str, shown: bytes) -> bool:
        """Tell, in constant time, whether a proof is right."""
        return hmac.compare_digest(self.proof(secret, who), shown)


def nonce(draw: Callable[[int], bytes] = secrets.token_bytes) -> bytes:
    """Return a fresh nonce."""
    return draw(limits.NONCE)


class Pass:
    """A peer's side of the code at one host."""

    def __init__(self, code: str, host_key: bytes, peer_key: bytes) -> None:
        self._secret = stretch(code, host_key)
        self._keys = host_key, peer_key
        self.nonce = b""

    def knock(self) -> bytes:
        """Return a fresh nonce to knock with."""
        self.nonce = nonce()
        return self.nonce

    def answer(self, host_nonce: bytes, shown: bytes) -> bytes | None:
        """Return the own proof, or None, and nothing that tells of the code, to a host that does not know it."""
        meeting = Meeting(*self._keys, self.nonce, host_nonce)
        return meeting.proof(self._secret, "peer") if meeting.proves(self._secret, "host", shown) else None


def host_code(path: Path | None = None, anew: bool = False) -> str:
    """Return this machine's join code, made on first use (`host.code` in the data folder) or anew. Raises: BadCode."""
    path = path or data_folder() / "host.code"
    try:
        if anew or not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_private(path, new_code() + "\n", replace=True)
        text = path.read_text(encoding="ascii", errors="replace")
    except OSError as error:
        raise BadCode(f"cannot keep the join code in {path}: {error.strerror}") from None
    return read_code(text)
