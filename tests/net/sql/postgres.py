"""A PostgreSQL server of the tests' own: started in an empty folder, on a socket there, as a user that it agrees to run as."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from glob import glob
from pathlib import Path
from typing import Any

from sqlalchemy.engine import make_url

SERVER = "CARTEADO_TEST_POSTGRESQL"
"""Environment variable: a server that is there already, as `postgresql+psycopg://USER@SERVER/DATABASE`."""


def programs() -> Path | None:
    """Return the folder of PostgreSQL's programs, None if it is not installed."""
    known = [shutil.which("initdb"), *sorted(glob("/usr/lib/postgresql/*/bin/initdb"), reverse=True)]
    found = [Path(path).parent for path in known if path]
    real = [path for folder in found for path in (folder, (folder / "initdb").resolve().parent)]
    return next((folder for folder in real if (folder / "pg_ctl").exists() and (folder / "postgres").exists()), None)


@contextmanager
def server() -> Iterator[str | None]:
    """Run a server; give the URL of its first database, None where PostgreSQL is not installed."""
    if url := os.environ.get(SERVER):
        yield url
        return
    folder = programs()
    if folder is None:
        yield None
        return
    # A socket's path has room for about a hundred characters: not in pytest's folder.
    with tempfile.TemporaryDirectory(prefix="pg-", dir="/tmp") as home:
        who = _nobody(home)
        data, log = f"{home}/data", f"{home}/log"
        _run([folder / "initdb", "-D", data, "-U", "carteado", "-A", "trust", "-E", "UTF8", "--no-locale", "-N"], home, who)
        options = f"-k {home} -c listen_addresses='' -c fsync=off -c max_connections=50"
        _run([folder / "pg_ctl", "-D", data, "-o", options, "-l", log, "-w", "start"], home, who)
        try:
            yield f"postgresql+psycopg://carteado@/postgres?host={home}"
        finally:
            _run([folder / "pg_ctl", "-D", data, "-m", "immediate", "-w", "stop"], home, who)


@contextmanager
def database(url: str) -> Iterator[str]:
    """Make an empty database on a server, and drop it at the end."""
    import psycopg

    name = f"t_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(_plain(url), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    try:
        yield make_url(url).set(database=name).render_as_string(hide_password=False)
    finally:
        with psycopg.connect(_plain(url), autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def _plain(url: str) -> str:
    return url.replace("postgresql+psycopg://", "postgresql://")


def _nobody(home: str) -> dict[str, Any]:
    """Return as whom to run: PostgreSQL refuses to be root."""
    if os.name != "posix" or os.getuid() != 0:
        return {}
    names = [entry.pw_name for entry in pwd.getpwall()]
    user = pwd.getpwnam("postgres" if "postgres" in names else "nobody")
    os.chown(home, user.pw_uid, user.pw_gid)
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


def _run(command: list[Any], home: str, who: dict[str, Any]) -> None:
    with tempfile.TemporaryFile() as said:
        done = subprocess.run([str(word) for word in command], cwd=home, stdout=said, stderr=said, timeout=60, check=False, **who)
        if done.returncode:
            said.seek(0)
            raise RuntimeError(f"{command[0]} ended with {done.returncode}: {said.read().decode(errors='replace')[-2000:]}")
