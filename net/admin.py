"""The socket on which an operator of this machine talks to a running host: a file that nobody else can open, a line each way.

A question is one JSON list of words (`["kick", "Ana"]`), an answer one JSON object: `{"ok": true, "data": ...}` or
`{"ok": false, "why": sentence}`. Nothing of it is reachable over the network.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import logging
import os
import socket
import stat
import struct
import tempfile
from pathlib import Path
from typing import Any, Final

from .conversations import Conversations
from .errors import NetError
from .keys import data_folder
from .logs import note
from .order_words import BadOrder
from .orders import ORDERS, Orders

log = logging.getLogger(__name__)

QUESTION: Final = 4096
"""Bytes of a question."""
ANSWER: Final = 4 << 20
"""Bytes of an answer."""
PATIENCE: Final = 30.0
"""Seconds for a question to be written and an answer to be read."""
_LONGEST_PATH = 100


class NoAdmin(NetError):
    """Report in one sentence why there is no talking to a host."""


def folder() -> Path:
    """Return the folder of the sockets: in the data folder, or, where a path would be too long for a socket, in the temporary one."""
    chosen = data_folder() / "admin"
    if len(os.fsencode(chosen / "65535.sock")) <= _LONGEST_PATH:
        return chosen
    return Path(tempfile.gettempdir()) / f"carteado-{os.getuid()}-{hashlib.sha256(os.fsencode(chosen)).hexdigest()[:12]}"


def path_of(port: int) -> Path:
    """Return where the host that listens on a port has its socket."""
    return folder() / f"{port}.sock"


class AdminSocket:
    """Answer an operator's questions. path: where it listens, after `open`."""

    def __init__(self, path: Path, orders: Orders) -> None:
        self.path = path
        self._orders = orders
        self._server: asyncio.Server | None = None
        self._conversations = Conversations(self._talk)

    async def open(self) -> None:
        """Listen. Raises: NoAdmin when the folder is not the operator's own, or somebody listens there."""
        _own_folder(self.path.parent)
        if self.path.exists() and _alive(self.path):
            raise NoAdmin(f"another host listens at {self.path}")
        with contextlib.suppress(FileNotFoundError):
            self.path.unlink()
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        before = os.umask(0o177)
        try:
            listener.bind(str(self.path))
        except OSError as error:
            listener.close()
            raise NoAdmin(f"cannot listen at {self.path}: {error.strerror}") from None
        finally:
            os.umask(before)
        listener.setblocking(False)
        self._server = await asyncio.start_unix_server(self._conversations, sock=listener, limit=QUESTION)

    async def close(self) -> None:
        """Listen no more."""
        if self._server is not None:
            self._server.close()
            self._server = None
            await self._conversations.close()
            with contextlib.suppress(OSError):
                self.path.unlink()

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            if not _allowed(writer.get_extra_info("socket")):
                return
            while line := await reader.readline():
                writer.write(json.dumps(await self._answer(line), ensure_ascii=False, default=str).encode() + b"\n")
                async with asyncio.timeout(PATIENCE):
                    await writer.drain()
        except (ValueError, ConnectionError, TimeoutError):
            pass  # a question that is too long, or an operator who has gone

    async def _answer(self, line: bytes) -> dict[str, Any]:
        try:
            words = json.loads(line)
            if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
                raise ValueError
            " ".join(words).encode()
        except (ValueError, RecursionError):
            return {"ok": False, "why": "a question is a JSON list of words"}
        try:
            data = await self._orders.carry_out(words)
        except NetError as error:
            return {"ok": False, "why": str(error), "wrong_use": isinstance(error, BadOrder)}
        except Exception as error:
            log.exception("an order could not be carried out")
            return {"ok": False, "why": f"the host failed on this: {type(error).__name__}"}
        if not ORDERS[words[0]].looks:
            note(log, "admin.order", order=words[0], about=" ".join(words[1:]))
        return {"ok": True, "data": data}


def _own_folder(folder: Path) -> None:
    """Make a folder for the operator alone, or check that it is. Raises: NoAdmin."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        found = folder.lstat()
    except OSError as error:
        raise NoAdmin(f"cannot use {folder}: {error.strerror}") from None
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        raise NoAdmin(f"{folder} belongs to somebody else")
    if found.st_mode & 0o077:
        folder.chmod(0o700)


def _allowed(connection: Any) -> bool:
    """Tell whether the other end is a program of this host's user, or of root, where the system tells."""
    if not hasattr(socket, "SO_PEERCRED"):
        return True
    told = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    _, user, _ = struct.unpack("3i", told)
    return user in (0, os.getuid())


def _alive(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(1.0)
        try:
            probe.connect(str(path))
        except OSError:
            return False
        return True


# The operator's side


class Line:
    """A connection to a host's socket; a context manager."""

    def __init__(self, path: Path) -> None:
        """Connect. Raises: NoAdmin."""
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.settimeout(PATIENCE)
        try:
            self._socket.connect(str(path))
        except OSError as error:
            self._socket.close()
            raise NoAdmin(f"no host answers at {path}: {error.strerror or error}") from None
        self._file = self._socket.makefile("rb")

    def ask(self, words: list[str]) -> Any:
        """Return the answer's data. Raises: NoAdmin, BadOrder with the host's sentence."""
        try:
            question = json.dumps(words, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise BadOrder("that is no text") from None
        if len(question) >= QUESTION:
            raise BadOrder("that is too long for an order")
        try:
            self._socket.sendall(question + b"\n")
            answer = self._file.readline(ANSWER)
        except OSError as error:
            raise NoAdmin(f"the host does not answer: {error.strerror or error}") from None
        if not answer.endswith(b"\n"):
            raise NoAdmin("the host has gone")
        told = json.loads(answer)
        if not told["ok"]:
            raise (BadOrder if told.get("wrong_use") else NoAdmin)(told["why"])
        return told["data"]

    def __enter__(self) -> Line:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
        self._socket.close()


def find(port: int | None = None, path: Path | None = None) -> Path:
    """Return the socket of a host on this machine: this one, that of a port, or the only one. Raises: NoAdmin."""
    if path is not None:
        return path
    if port is not None:
        return path_of(port)
    living = [found for found in sorted(folder().glob("*.sock")) if _alive(found)]
    if not living:
        raise NoAdmin("no host of yours runs on this machine")
    if len(living) > 1:
        raise NoAdmin(f"several hosts run on this machine; say --port {' or '.join(found.stem for found in living)}")
    return living[0]
