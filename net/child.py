"""A host in a process of its own, for a player on this machine: the player's program never holds anybody's cards.

The two are joined by pipes. The host says its address on its standard output when it listens, and stops when its standard input
ends: whatever happens to the player's program, nothing is left running. What the host has to say of its troubles is kept in a file.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import IO

from .errors import NetError
from .keys import Address, data_folder

GRACE = 3.0
"""Seconds that a host gets to say good-bye."""
TROUBLES, MOST = "host-troubles.log", 1 << 20
"""The file in the data folder for what hosts of this kind complain of, and how many bytes there may be before it begins anew."""


class ChildFailure(NetError):
    """Report that a host on this machine did not start or has ended, in its own words.

    wrong_use: whether other arguments would have helped.
    """

    def __init__(self, sentence: str, wrong_use: bool = False) -> None:
        super().__init__(sentence)
        self.wrong_use = wrong_use


class ChildHost:
    """A host process; a context manager that ends it.

    troubles: once it has ended, the file with what it had to complain of, None if nothing.
    """

    def __init__(self, arguments: Sequence[str]) -> None:
        """Start `carteado host` with these arguments; it is not waited for before somebody wants its address."""
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the host
        # -P: a folder called `carteado` in the current folder is not the program. A session of its own: Ctrl-C is the player's.
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "carteado.cli", "host", "--headless", "--until-eof", "--log-level", "error", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            start_new_session=True,
        )
        self._address: Address | None = None
        self._urls: list[str] | None = None
        self.troubles: Path | None = None

    @property
    def address(self) -> Address:
        """Where it listens, with its key; waits until it does. Raises: ChildFailure."""
        if self._address is None:
            assert self._process.stdout is not None
            line = self._process.stdout.readline().decode()
            if not line:
                failure = self._failure()
                self._errors.close()  # all of it is in the failure's sentence
                self.close()
                raise failure
            self._address = Address.parse(line)
        return self._address

    @property
    def urls(self) -> list[str]:
        """Where browsers find a host that was started with `--web`, the likeliest first; waits until they do. Raises: ChildFailure."""
        if self._urls is None:
            assert self.address
            assert self._process.stdout is not None
            self._urls = self._process.stdout.readline().decode().split()[1:]
        return self._urls

    def wait(self) -> None:
        """Wait until the host has ended."""
        self._process.wait()

    def alive(self) -> bool:
        """Tell whether the host is still there."""
        return self._process.poll() is None

    def check(self) -> None:
        """Raise ChildFailure if the host is not there any more."""
        if self._process.poll() is not None:
            raise self._failure()

    def _failure(self) -> ChildFailure:
        """Return why the host ended: the last line it has written about its troubles."""
        status = self._process.wait()
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").strip().splitlines()
        sentence = lines[-1].removeprefix("carteado host: ") if lines else f"the host ended with status {status}"
        return ChildFailure(sentence, wrong_use=status == 2)

    def close(self) -> None:
        """Let the host say good-bye, and end it if it does not."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        try:
            self._process.wait(GRACE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()
        if not self._errors.closed:
            self._keep()
            self._errors.close()

    def _keep(self) -> None:
        """Add what the host complained of to the file of troubles."""
        self._errors.seek(0)
        said = self._errors.read()
        if said:
            path = data_folder() / TROUBLES
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                anew = os.O_TRUNC if path.exists() and path.stat().st_size > MOST else os.O_APPEND
                with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | anew, 0o600), "wb") as file:
                    file.write(said[-MOST:])
            except OSError:
                return  # a full disk must not hide how the game ended; the host's last words are in ChildFailure
            self.troubles = path

    def __enter__(self) -> ChildHost:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()
