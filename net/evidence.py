"""Keeping what was seen of a hand whose proof failed, so that it can be shown to others later."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .keys import write_private

log = logging.getLogger(__name__)


def keep(evidence: Mapping[str, Any], folder: Path) -> Path | None:
    """Write evidence as JSON into a folder; return the file, None (and say so in the log) when that is not possible."""
    path = folder / f"{evidence['table']}-{evidence['match']}-{evidence['hand']}.json"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_private(path, json.dumps(evidence, indent=1) + "\n", replace=True)
    except OSError as error:
        log.warning("the evidence of an unfair deal could not be kept: %s", error)
        return None
    return path
