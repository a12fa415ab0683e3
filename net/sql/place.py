"""Where a store is, as people write it, and the files of one in SQLite: private, never through a link, one host at a time."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from ..errors import StoreFailure

SERVER = "postgresql"
PRIVATE = 0o600
_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


@dataclass(frozen=True)
class Place:
    """Say where a store is: a file, or (path None) a PostgreSQL server."""

    url: URL
    path: Path | None = None

    @classmethod
    def parse(cls, text: str) -> Place:
        """Read `postgresql+psycopg://...`, `sqlite:///file`, or the path of a file. Raises: StoreFailure."""
        if "://" not in text:
            return cls.file(Path(text))
        try:
            url = make_url(text)
        except (ArgumentError, ValueError):
            raise StoreFailure("this is no address of a store; write a file's path or postgresql+psycopg://USER@HOST/DATABASE") from None
        if url.get_backend_name() == "sqlite":
            if not url.database or url.database == ":memory:":
                raise StoreFailure("a store in SQLite needs a file; `memory` keeps nothing")
            return cls.file(Path(url.database))
        if url.get_backend_name() != SERVER:
            raise StoreFailure(f"a store can be in SQLite or in PostgreSQL, not in {url.get_backend_name()}")
        return cls(url.set(drivername="postgresql+psycopg"))

    @classmethod
    def file(cls, path: Path) -> Place:
        """Return the place of a file."""
        return cls(URL.create("sqlite", database=str(path)), path)

    def __str__(self) -> str:
        return str(self.path) if self.path is not None else self.url.render_as_string(hide_password=True)


def prepare(path: Path) -> None:
    """Make a store's file if there is none, and see that only its owner may read it. Raises: StoreFailure."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle = os.open(path, os.O_RDWR | os.O_CREAT | _NOFOLLOW, PRIVATE)
    except OSError as error:
        raise StoreFailure(f"cannot use the store {path}: {_why(path, error)}", "refused") from None
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise StoreFailure(f"cannot use the store {path}: it is not a file", "refused")
        if os.name == "posix" and status.st_mode & 0o077:
            os.fchmod(handle, PRIVATE)
    except OSError as error:
        raise StoreFailure(f"cannot use the store {path}: {error.strerror}", "refused") from None
    finally:
        os.close(handle)


def identity(path: Path) -> tuple[int, int] | None:
    """Return what tells a file from any other that may come into its place, None if it is not there."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def present(path: Path) -> None:
    """See that there is a store's file that can be read. Raises: StoreFailure."""
    try:
        handle = os.open(path, os.O_RDONLY | _NOFOLLOW)
    except OSError as error:
        raise StoreFailure(f"cannot read the store {path}: {_why(path, error)}", "refused") from None
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise StoreFailure(f"cannot read the store {path}: it is not a file", "refused")
    finally:
        os.close(handle)


def _why(path: Path, error: OSError) -> str:
    return "it is a link" if path.is_symlink() else str(error.strerror).lower()


class Lock:
    """Hold a store's file for one host; the lock goes with the process, however it ends."""

    def __init__(self, path: Path) -> None:
        """Take the lock. Raises: StoreFailure naming the process that has it."""
        beside = path.with_name(f"{path.name}.lock")
        try:
            self._handle = os.open(beside, os.O_RDWR | os.O_CREAT | _NOFOLLOW, PRIVATE)
        except OSError as error:
            raise StoreFailure(f"cannot lock the store {path}: {_why(beside, error)}", "refused") from None
        if not _locked(self._handle):
            owner = os.read(self._handle, 20).decode("ascii", "replace").strip() or "unknown"
            os.close(self._handle)
            raise StoreFailure(f"the store {path} is in use by another host (process {owner}); give this one another --store", "taken")
        try:
            os.ftruncate(self._handle, 0)
            os.lseek(self._handle, 0, os.SEEK_SET)
            os.write(self._handle, f"{os.getpid()}\n".encode())
        except OSError:
            pass  # a full disk: the lock holds all the same, it only names nobody

    def release(self) -> None:
        """Let go of the file."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1


def _locked(handle: int) -> bool:
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt

        try:
            os.lseek(handle, 1 << 20, os.SEEK_SET)  # beyond the text, which others may read
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        except OSError:
            return False
        os.lseek(handle, 0, os.SEEK_SET)
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
