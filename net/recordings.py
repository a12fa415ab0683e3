"""Recorded matches on this machine, the newest first: in the store of its hosts, and as files in the places where they are usually kept."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .keys import data_folder
from .store_commands import ARCHIVE, FILE

MATCHES = "matches"
"""The folder in the data folder for journals that are taken out of the store to be looked at."""
_HEADER = 1 << 16
"""Bytes of a file that are read to find a journal's header."""


@dataclass(frozen=True)
class Recording:
    """A recorded match. when: seconds since 1970. where: its folder, or the store. path: its file, None while it is in the store only."""

    game: str
    players: Sequence[str]
    when: float
    where: Path
    path: Path | None = None
    key: int = 0
    """Its number in the store."""


def folders() -> list[Path]:
    """Return the folders that are searched for journals."""
    return [data_folder() / ARCHIVE, Path.cwd()]


def store() -> Path:
    """Return the file in which hosts of this machine keep their matches, where nobody said otherwise."""
    return data_folder() / FILE


def newest(most: int) -> list[Recording]:
    """Return the newest recorded matches, at most so many. Raises: StoreFailure for a store that cannot be read."""
    found = [*_in_files(folders()), *_in_store(store(), most)]
    return sorted(found, key=lambda one: -one.when)[:most]


def file_of(recording: Recording) -> Path:
    """Return the file of a recorded match; one that is in the store only is written into `MATCHES`. Raises: StoreFailure."""
    if recording.path is not None:
        return recording.path
    from . import storekeeping

    return storekeeping.written(str(recording.where), recording.key, data_folder() / MATCHES)


def _in_files(places: Iterable[Path]) -> list[Recording]:
    found = []
    for folder in places:
        for path in sorted(folder.glob("*.jsonl")):
            recording = _read(path)
            if recording is not None:
                found.append(recording)
    return found


def _read(path: Path) -> Recording | None:
    """Return the recording in a file, None for a file that is none, or cannot be read: then it is not on the list."""
    try:
        with path.open("rb") as file:
            header = json.loads(file.readline(_HEADER))
        when = path.stat().st_mtime
    except (OSError, ValueError):
        return None
    return _of(header, when, path.parent, path=path)


def _of(header: Any, when: float, where: Path, **more: Any) -> Recording | None:
    """Return what a journal's header tells of its match, None for what is no header."""
    try:
        return Recording(str(header["game"]), [str(seat["name"]) for seat in header["seats"]], when, where, **more)
    except (KeyError, TypeError):
        return None


def _in_store(where: Path, most: int) -> list[Recording]:
    if not where.exists():
        return []
    from . import storekeeping

    found = (_of(json.loads(header), when, where, key=key) for key, when, header in storekeeping.newest(str(where), most))
    return [one for one in found if one is not None]
