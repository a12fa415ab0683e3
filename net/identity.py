"""Who this player is: a key file of its own for each client that runs on this machine at the same time.

A seat belongs to a key, and one key plays in one place. The first client takes `me.key`, a second one that is started meanwhile
`me-2.key`, and so on; a client that comes back after a crash finds its key free again, and with it its seat.
"""

from __future__ import annotations

import getpass
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from .errors import BadKeyFile
from .keys import KeyPair, data_folder, load_or_make
from .names import clean_name

NOBODY = "Player"


@contextmanager
def claimed(kind: str = "me", folder: Path | None = None) -> Iterator[KeyPair]:
    """Hold the first key pair of this kind that no running program on this machine holds. Raises: BadKeyFile."""
    path, handle = _first_free(kind, folder or data_folder())
    try:
        yield load_or_make(path)
    finally:
        os.close(handle)  # and with it the lock


def _first_free(kind: str, folder: Path) -> tuple[Path, int]:
    """Return the first key file that no running program holds, and the handle of its lock."""
    for number in count(1):
        path = folder / (f"{kind}.key" if number == 1 else f"{kind}-{number}.key")
        handle = _lock(path.with_suffix(".lock"))
        if handle is not None:
            return path, handle
    raise AssertionError("there is always a next number")


def _lock(path: Path) -> int | None:
    """Open and lock a file; return None if another program holds it. The system lets go of it when this program ends."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise BadKeyFile(f"cannot write {path}: {error.strerror}") from None
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        return None
    return handle


def login_name() -> str:
    """Return the name of the person at this machine, fit for a table."""
    try:
        login = getpass.getuser()
    except (KeyError, OSError, ImportError):  # no such user, as in some containers
        login = ""
    return clean_name(login[:1].upper() + login[1:]) or NOBODY
