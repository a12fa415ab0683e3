"""The words of Skat and of the core: no text is left over that nothing says."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
CONVENTIONS = ("guide.", "form.", "option.", "level.", "choice.", "zone.", "suit.", "rank.", "face.")
"""Beginnings of the keys that carteado looks up by itself."""
SAID_BY = {"core": ("core", "net", "ui", "plugins"), "plugins/skat": ("plugins/skat",)}
"""Whose sources may name the keys of a catalogue."""


@pytest.mark.parametrize("area", SAID_BY)
def test_every_text_is_said_somewhere(area: str) -> None:
    source = "\n".join(path.read_text(encoding="utf-8") for part in SAID_BY[area] for path in sorted((ROOT / part).rglob("*.py")))
    whole = set(re.findall(r'"([a-z_0-9]+(?:\.[a-z_0-9]+)*)"', source))
    begun = {*re.findall(r'f"([a-z_.]+\.)\{', source), *re.findall(r'"([a-z_.]+\.)" \+', source)}
    texts = json.loads((ROOT / area / "locale" / "en.json").read_text(encoding="utf-8"))
    keys = {re.sub(r"\.you$", "", key) for key in texts if key}
    assert [] == sorted(key for key in keys if key not in whole and not key.startswith((*CONVENTIONS, *begun)))
