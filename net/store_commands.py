"""The command `store`, and where a host keeps what must not be forgotten. Nothing heavy is imported before one runs."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from carteado.core.hookspecs import hookimpl

from .arguments import whole

if TYPE_CHECKING:
    from .settings import HostConfig
    from .store import Store

FILE = "carteado.db"
MEMORY = "memory"
ARCHIVE = "archive"
ARCHIVED = 90
"""Days after which `store archive` takes a match out."""
_WHERE = "a file, postgresql+psycopg://USER@SERVER/DATABASE"


@hookimpl
def register_commands(commands: Any) -> None:
    """Add the command."""
    commands.add("store", "check, back up, restore and export what a host has kept", _store, _run)


def add_store(parser: argparse.ArgumentParser, otherwise: str = f"{FILE} in the data folder") -> None:
    """Add `--store`; `otherwise` says where they are kept without it."""
    help = f"where tables, players and books are kept: {_WHERE}, or `{MEMORY}` (default: {otherwise})"
    parser.add_argument("--store", metavar="PLACE", help=help)


def add_archive(parser: argparse.ArgumentParser) -> None:
    """Add `--archive`."""
    help = f"take journals out of the store when their matches have been over for so long, into the folder `{ARCHIVE}` of the data folder"
    parser.add_argument("--archive", type=whole, metavar="DAYS", help=f"{help} (default: never)")


def store_arguments(given: argparse.Namespace) -> list[str]:
    """Return what `add_store` read, as arguments for `host`."""
    return ["--store", given.store] if given.store else []


def place(given: str | None) -> str:
    """Return where the store is: what was said, else the file in the data folder."""
    from .keys import data_folder

    return given or str(data_folder() / FILE)


def opened(given: str | None, config: HostConfig, days: int | None = None) -> Store | None:
    """Return the open store of a host, None for one in memory; old matches are archived after so many days.

    Raises: StoreFailure, BadKeyFile.
    """
    if given == MEMORY:
        return None
    from .keys import data_folder, fingerprint, host_keys
    from .sql.archiving import Archive
    from .sql.store import opened as sql

    keys = config.keys or host_keys(config.key_file)
    return sql(place(given), fingerprint(keys.public), config.name, Archive(data_folder() / ARCHIVE, days) if days is not None else None)


def _store(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--store", metavar="PLACE", help=f"{_WHERE} (default: {FILE} in the data folder)")
    actions = parser.add_subparsers(dest="what", metavar="WHAT", required=True)
    place = argparse.ArgumentParser(add_help=False)
    place.add_argument("--store", metavar="PLACE", default=argparse.SUPPRESS, help="the same as before the verb")
    text = "read all of it, replay every running match and compare every hash; a running host is not disturbed"
    check = actions.add_parser("check", help=text, description=text, parents=[place])
    check.add_argument("--all", action="store_true", help="replay matches that are over, too")
    check.add_argument("--json", action="store_true", help="print one JSON document")
    text = "copy a store in a file to another file, also while a host plays on"
    copy = actions.add_parser("backup", help=text, description=text, parents=[place])
    copy.add_argument("file", type=Path, metavar="FILE", help="the copy")
    text = "put a backup in the place of the store; no host may be running on it"
    restore = actions.add_parser("restore", help=text, description=text, parents=[place])
    restore.add_argument("file", type=Path, metavar="FILE", help="the backup")
    restore.add_argument("--force", action="store_true", help="replace what is there; it is kept beside, as FILE.before")
    text = "write the journal of each match into a folder, running hands left out"
    export = actions.add_parser("export", help=text, description=text, parents=[place])
    export.add_argument("folder", type=Path, metavar="DIR", help="the folder; it is made if there is none")
    export.add_argument("--table", metavar="ID", help="only the matches of this table")
    text = "take the journals of matches that were over long ago out of the store; results and books stay"
    archive = actions.add_parser("archive", help=text, description=text, parents=[place])
    archive.add_argument("folder", type=Path, metavar="DIR", help="where they go; it is made if there is none")
    archive.add_argument("--days", type=whole, default=ARCHIVED, metavar="N", help="how long over (default: %(default)s days)")


def _run(given: argparse.Namespace) -> int:
    from . import storekeeping

    where = place(given.store)
    if given.what == "check":
        return storekeeping.check(where, given.all, given.json)
    if given.what == "backup":
        return storekeeping.backup(where, given.file)
    if given.what == "restore":
        return storekeeping.restore(where, given.file, given.force)
    if given.what == "archive":
        return storekeeping.archive(where, given.folder, given.days)
    return storekeeping.export(where, given.folder, given.table)
