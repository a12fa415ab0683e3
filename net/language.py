"""Which language a person reads: what was asked for or set, else what the surroundings say, else English."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

ENGLISH = "en"
OWN = ("en", "de", "pt_PT", "pt_BR")
"""The languages of the program's own texts."""
_TAG = re.compile(r"[A-Za-z]{2,3}([_-][A-Za-z]{2,4})?")


def language(wanted: str | None, environ: Mapping[str, str] | None = None, saved: str | None = None) -> str:
    """Return a language as `en` or `pt_PT`, from `--lang`, the saved setting, LC_ALL, LC_MESSAGES or LANG.

    Without `environ` it is that of the process, and the setting the one that is saved on this machine.
    """
    if environ is None:
        from . import preferences  # with the data folder, which the help does not need

        environ, saved = os.environ, preferences.read().get("lang")
    for source in (wanted, saved, environ.get("LC_ALL"), environ.get("LC_MESSAGES"), environ.get("LANG")):
        tag = _tag(source or "")
        if tag in ("C", "POSIX"):
            return ENGLISH
        if _TAG.fullmatch(tag):
            return nearest(tag.replace("-", "_"))
    return ENGLISH


def is_language(text: str) -> bool:
    """Tell whether a text can be the name of a language."""
    return text in ("C", "POSIX") or _TAG.fullmatch(_tag(text)) is not None


def _tag(source: str) -> str:
    """Return what a language is called, without what may stand behind it in the surroundings."""
    return source.partition(".")[0].partition("@")[0]


def nearest(tag: str) -> str:
    """Return the language this program's own texts are in that is nearest to a tag; any other stays as it is, for games may speak it."""
    base, _, region = tag.partition("_")
    if base.lower() == "pt":
        return "pt_BR" if region.upper() == "BR" else "pt_PT"
    return base.lower() if base.lower() in ("en", "de") else tag
