"""The files of the page, read once: under a name that says what is in them, so that browsers keep them for good."""

from __future__ import annotations

import gzip
import hashlib
import json
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

LANGUAGES = {"en": "English", "pt_PT": "Português (Portugal)", "pt_BR": "Português (Brasil)", "de": "Deutsch"}
"""The languages of the page, each as its speakers call it."""
_AREAS = ("carteado.core", "carteado.ui", "carteado.ui.web")
_TERMINAL = (
    "ui.crash", "ui.dev.", "ui.find.", "ui.foot.", "ui.guide", "ui.help.", "ui.home", "ui.keys.", "ui.line.ask", "ui.line.help", "ui.mouse",
    "ui.opening", "ui.replay.", "ui.set.", "ui.too_small", "ui.tool.",
)  # fmt: skip
"""Keys of texts that only the terminal shows."""
_KINDS = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "svg": "image/svg+xml",
}
_LEAST = 512
"""Bytes from which packing pays."""


@dataclass(frozen=True)
class Asset:
    """One file: what it is, its bytes, and the same packed ('' if that does not pay)."""

    kind: str
    body: bytes
    packed: bytes

    @classmethod
    def of(cls, name: str, body: bytes) -> Asset:
        """Return a file by the ending of its name."""
        packed = gzip.compress(body, mtime=0) if len(body) >= _LEAST else b""
        return cls(_KINDS[name.rpartition(".")[2]], body, packed)


class Assets:
    """All files of the page; `version` changes when any of them does."""

    def __init__(self) -> None:
        raw = {file.name: file.read_bytes() for file in files("carteado.ui.web").joinpath("page").iterdir() if "." in file.name}
        raw |= {f"words.{lang}.json": _json(catalogue(lang)) for lang in LANGUAGES}
        index = raw.pop("index.html")
        self.version = hashlib.sha256(b"".join(name.encode() + body for name, body in sorted(raw.items())) + index).hexdigest()[:16]
        self.files = {name: Asset.of(name, body) for name, body in raw.items()}
        modules = "".join(f'<link rel="modulepreload" href="/p/{self.version}/{name}">' for name in sorted(raw) if name.endswith(".js"))
        page = index.replace(b"{version}", self.version.encode()).replace(b"{modules}", modules.encode())
        self.page = Asset.of("index.html", page)


def catalogue(lang: str) -> dict[str, Any]:
    """Return the texts of the core and of the page in a language, English where the language has none."""
    texts: dict[str, Any] = {}
    for name in dict.fromkeys(("en", lang)):
        for area in _AREAS:
            source = files(area) / "locale" / f"{name}.json"
            texts.update(json.loads(source.read_text(encoding="utf-8")))
    return {key: text for key, text in texts.items() if not key.startswith(_TERMINAL)}


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
