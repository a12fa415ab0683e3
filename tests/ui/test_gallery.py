"""docs/screens/ shows every state of every game as it is: CARTEADO_SCREENS=write writes the pages anew."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from .gallery import PAGES, SHOWS, Show, page, record

WANTED = os.environ.get("CARTEADO_SCREENS", "")


@pytest.mark.slow
@pytest.mark.parametrize("show", SHOWS, ids=lambda show: show.name)
def test_the_pages_show_the_screens_as_they_are(show: Show, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARTEADO_HOME", str(tmp_path))
    if WANTED == "record":
        record(show)
    shown, saved = page(show), PAGES / f"{show.name}.md"
    if WANTED:
        saved.write_text(shown, encoding="utf-8")
    assert shown == saved.read_text(encoding="utf-8"), "the screens are others now: CARTEADO_SCREENS=write writes docs/screens anew"
