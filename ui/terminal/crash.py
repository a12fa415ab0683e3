"""Crash reports: what went wrong, in a file the player can send on."""

from __future__ import annotations

import os
import platform
import traceback
from pathlib import Path

from platformdirs import user_log_path


def write_report(error: BaseException, folder: Path | None = None) -> Path:
    """Write a report about an error and return its path. It holds no cards, names or keys, only the program's own lines."""
    place = folder or user_log_path("carteado", appauthor=False)
    place.mkdir(parents=True, exist_ok=True)
    path = place / f"crash-{os.getpid()}.txt"
    lines = [
        f"carteado on Python {platform.python_version()}, {platform.system()}\n\n",
        *traceback.format_exception(error),
    ]
    with path.open("a", encoding="utf-8") as report:
        report.writelines(lines)
    return path
