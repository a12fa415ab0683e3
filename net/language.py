"""Which language a person reads: what was asked for, else what the surroundings say, else English."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

ENGLISH = "en"
_TAG = re.compile(r"[A-Za-z]{2,3}([_-][A-Za-z]{2,4})?")


def language(wanted: str | None, environ: Mapping[str, str] = os.environ) -> str:
    """Return a language as `en` or `pt_PT`, from `--lang`, LC_ALL, LC_MESSAGES or LANG."""
    for source in (wanted, environ.get("LC_ALL"), environ.get("LC_MESSAGES"), environ.get("LANG")):
        tag = (source or "").partition(".")[0].partition("@")[0]
        if tag in ("C", "POSIX"):
            return ENGLISH
        if _TAG.fullmatch(tag):
            return tag.replace("-", "_")
    return ENGLISH
