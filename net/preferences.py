"""What a person chose once and for all (name, language, looks): a small JSON file in the data folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .keys import data_folder

KINDS: dict[str, type] = {
    "name": str, "lang": str, "theme": str, "ascii": bool, "mouse": bool, "quiet": bool, "confirm": bool,
    "game": str, "level": str, "players": int, "pause": int, "speed": str,
}  # fmt: skip
"""What can be kept, and of which kind it is."""


def file() -> Path:
    """Return the file the choices are kept in."""
    return data_folder() / "settings.json"


def read() -> dict[str, Any]:
    """Return what was chosen; what is no choice of this program, or of another kind, is left out."""
    try:
        kept = json.loads(file().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}  # nothing chosen yet, or nothing readable: the defaults hold
    if not isinstance(kept, dict):
        return {}
    return {key: value for key, value in kept.items() if key in KINDS and type(value) is KINDS[key]}


def keep(**chosen: Any) -> None:
    """Keep choices; None goes back to the default. Raises: TypeError for a choice this program does not know, OSError."""
    for key, value in chosen.items():
        if key not in KINDS or (value is not None and type(value) is not KINDS[key]):
            raise TypeError(f"{key}={value!r} is no choice that can be kept")
    kept = {key: value for key, value in {**read(), **chosen}.items() if value is not None}
    path = file()
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    fresh = path.with_suffix(".new")
    fresh.write_text(json.dumps(kept, indent=1, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")
    fresh.replace(path)
