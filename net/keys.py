"""Key pairs, their files, and addresses of hosts.

A player is a CURVE key pair made on first use; a host is one too. Secret keys lie in files that only their owner may
read. An address says where a host is and, behind `#`, which public key it must prove to have.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import platformdirs
import zmq
from zmq.utils import z85

from .errors import BadAddress, BadKeyFile

HOME = "CARTEADO_HOME"
"""Environment variable: one folder for keys, state and caches, instead of the platform's."""
PORT = 7777
_KEY = 32


@dataclass(frozen=True)
class KeyPair:
    """Hold a CURVE key pair, 32 bytes each; the secret half never shows in a repr."""

    public: bytes
    secret: bytes = field(repr=False)

    @classmethod
    def make(cls) -> KeyPair:
        """Return a new pair."""
        public, secret = zmq.curve_keypair()
        return cls(z85.decode(public), z85.decode(secret))

    @classmethod
    def from_secret(cls, secret: bytes) -> KeyPair:
        """Return the pair of a 32-byte secret key."""
        return cls(z85.decode(zmq.curve_public(z85.encode(secret))), secret)


def fingerprint(key: bytes) -> str:
    """Return 16 hex digits in groups of four by which people can compare public keys."""
    digits = hashlib.sha256(b"carteado/key/1" + key).hexdigest()[:16]
    return "-".join(digits[i : i + 4] for i in range(0, 16, 4))


def data_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the folder of keys and state; `CARTEADO_HOME` overrides the platform's."""
    if home := environ.get(HOME):
        return Path(home)
    return Path(platformdirs.user_data_dir("carteado", appauthor=False))


def my_keys(path: Path | None = None) -> KeyPair:
    """Return this player's key pair, made on first use (`me.key`). Raises: BadKeyFile."""
    return load_or_make(path or data_folder() / "me.key")


def host_keys(path: Path | None = None) -> KeyPair:
    """Return this machine's host key pair, made on first use (`host.key`). Raises: BadKeyFile."""
    return load_or_make(path or data_folder() / "host.key")


def load_or_make(path: Path) -> KeyPair:
    """Return the pair in a file; the file is made, readable by its owner only, if there is none.

    Raises: BadKeyFile.
    """
    try:
        return load(path)
    except FileNotFoundError:
        pair = KeyPair.make()
    text = f"# carteado secret key: whoever has it is you\n{pair.secret.hex()}\n"
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if write_private(path, text):
            return pair
    except OSError as error:
        raise BadKeyFile(f"cannot write the key file {path}: {error.strerror}") from None
    return load(path)  # another process made it at the same moment


def load(path: Path) -> KeyPair:
    """Return the pair in a key file. Raises: BadKeyFile, FileNotFoundError."""
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except FileNotFoundError:
        raise
    except OSError as error:
        raise BadKeyFile(f"cannot read the key file {path}: {error.strerror}") from None
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise BadKeyFile(f"the key file {path} is not a file")
        if os.name == "posix" and status.st_mode & 0o077:
            raise BadKeyFile(f"other people may read the key file {path}; say: chmod 600 {path}")
        lines = os.read(handle, 1000).decode("ascii", "replace").split("\n")
    finally:
        os.close(handle)
    digits = [line for line in lines if line and not line.startswith("#")]
    if len(digits) != 1 or not re.fullmatch(r"[0-9a-f]{64}", digits[0]):
        raise BadKeyFile(f"the key file {path} is damaged: expected one line of 64 hex digits")
    return KeyPair.from_secret(bytes.fromhex(digits[0]))


def write_private(path: Path, data: str | bytes, replace: bool = False) -> bool:
    """Write a whole file that only its owner may read. Return False if it is there already and may not be replaced."""
    part = path.with_name(f".{path.name}.{os.getpid()}.{os.urandom(4).hex()}")
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data.encode() if isinstance(data, str) else data)
            file.flush()
            os.fsync(file.fileno())
        if replace:
            os.replace(part, path)
            return True
        try:
            os.link(part, path)
        except FileExistsError:
            return False
        return True
    finally:
        if part.exists():
            part.unlink()


_HOST = re.compile(r"^(?:\[(?P<six>[0-9A-Fa-f:.%a-z]+)\]|(?P<host>[A-Za-z0-9._-]+))(?::(?P<port>[0-9]{1,5}))?\Z")


@dataclass(frozen=True)
class Address:
    """Say where a host is, and its public key if it is known; also the join code to use there, which is never written out.

    Written `tcp://10.0.0.7:7777#<43 letters, digits, - and _>`; scheme, port (7777) and key may be left out.
    """

    host: str
    port: int = PORT
    key: bytes | None = None
    code: str | None = field(default=None, repr=False)

    @classmethod
    def parse(cls, text: str) -> Address:
        """Read an address as people write it. Raises: BadAddress."""
        place, sharp, key = text.strip().removeprefix("tcp://").partition("#")
        match = _HOST.match(place.rstrip("/"))
        if match is None:
            raise BadAddress(f"{text[:80]!r} is not an address; write it like 10.0.0.7:7777")
        port = int(match["port"] or PORT)
        if not 1 <= port <= 65_535:
            raise BadAddress(f"{port} is not a port (1 to 65535)")
        return cls(match["six"] or match["host"], port, key_from_text(key) if sharp else None)

    @property
    def place(self) -> str:
        """Return host and port as ZeroMQ and people write them, without the key."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"

    @property
    def told(self) -> str:
        """Return it as others are told to type it: place and join code, or all of it with the key that has to be there."""
        return f"{self.place} {self.code}" if self.code is not None else str(self)

    def at_port(self, port: int) -> Address:
        """Return the address of another port of the same host."""
        return Address(self.host, port, self.key)

    def __str__(self) -> str:
        return f"tcp://{self.place}" + (f"#{key_to_text(self.key)}" if self.key else "")


def key_to_text(key: bytes) -> str:
    """Return a public key as 43 characters that need no quoting in a shell or a URL."""
    return base64.urlsafe_b64encode(key).decode().rstrip("=")


def key_from_text(text: str) -> bytes:
    """Read a public key. Raises: BadAddress."""
    try:
        key = base64.b64decode(text + "=", altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if len(key) != _KEY or key_to_text(key) != text:
        raise BadAddress("the part behind # is not a host's key: 43 letters, digits, - and _")
    return key
