"""What a browser proves to be itself with: a random token that it keeps, from which the gateway makes its player's key pair.

The gateway keeps one secret and no token: the key is a keyed hash of the token, so a copy of the gateway's file opens no seat without
the token, and a token opens the same seat after a restart, from another address, in another window.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
from pathlib import Path

from carteado.net.keys import KeyPair, data_folder, load_or_make

TOKEN = 32
"""Bytes of a token; 43 characters as text."""
CODE = 4
"""Letters of a table's code."""
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
"""The letters of codes: none that looks like a digit or like another one."""


class Tokens:
    """Make tokens, and the key pair that belongs to each."""

    def __init__(self, folder: Path | None = None) -> None:
        """Read this machine's secret, made on first use (`web.key`, for its owner only). Raises: BadKeyFile."""
        self._secret = load_or_make((folder or data_folder()) / "web.key").secret

    def new(self) -> str:
        """Return a fresh token."""
        return base64.urlsafe_b64encode(os.urandom(TOKEN)).decode().rstrip("=")

    def keys(self, token: str) -> KeyPair:
        """Return the key pair of a token. Raises: ValueError if the text is no token."""
        return KeyPair.from_secret(self._hash("seat", read_token(token)))

    def code(self, table: str) -> str:
        """Return a table's code, four letters to be typed where a picture cannot be scanned; it opens nobody's seat."""
        number = int.from_bytes(self._hash("code", table.encode())[:8], "big")
        letters = []
        for _ in range(CODE):
            number, rest = divmod(number, len(LETTERS))
            letters.append(LETTERS[rest])
        return "".join(letters)

    def _hash(self, use: str, data: bytes) -> bytes:
        return hmac.new(self._secret, f"carteado/web/{use}/1".encode() + data, hashlib.sha256).digest()


def read_token(text: str) -> bytes:
    """Return the bytes of a token. Raises: ValueError."""
    try:
        token = base64.b64decode(text + "=", altchars=b"-_", validate=True)
    except ValueError:
        token = b""
    if len(token) != TOKEN:
        raise ValueError("this is no token")
    return token
