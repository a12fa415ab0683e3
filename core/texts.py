"""The words of a game as files beside its code: catalogues in `locale/<lang>.json`, rules texts in `rules.<lang>.md`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib import import_module
from importlib.resources import files
from typing import Any

PLAIN = {"pt": "pt_PT"}
"""Which catalogue is meant by a language of which there are several."""
_LANG = re.compile(r"[a-z]{2,3}(_[A-Z]{2})?")


def catalogue(kinds: Iterator[type], lang: str) -> dict[str, Any]:
    """Return the catalogue that lies beside the first of some classes which has one, {} if none has."""
    text = _text(kinds, lang, f"locale/{PLAIN.get(lang, lang)}.json")
    found: dict[str, Any] = json.loads(text) if text else {}
    return found


def rules(kinds: Iterator[type], lang: str) -> str:
    """Return the rules text that lies beside the first of some classes which has one, of the country or of the language; '' if none has."""
    return _text(kinds, lang, f"rules.{lang}.md", f"rules.{lang.partition('_')[0]}.md")


def _text(kinds: Iterator[type], lang: str, *names: str) -> str:
    if not _LANG.fullmatch(lang):  # whoever asks may sit anywhere, and this becomes a path
        return ""
    for kind in kinds:
        package = import_module(kind.__module__).__package__
        if not package:
            continue  # a module of its own has no files beside it
        for name in names:
            source = files(package)
            for part in name.split("/"):  # one by one: of a package without `__init__` not all joins take several
                source = source / part
            if source.is_file():
                return source.read_text(encoding="utf-8")
    return ""
