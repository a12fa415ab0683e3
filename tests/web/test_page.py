"""The page's files: nothing from outside, no text taken as markup, every text there in every language."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from carteado.ui.web.assets import LANGUAGES, Assets, catalogue

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "ui" / "web" / "page"
SCRIPTS = sorted(PAGE.glob("*.js"))
PLACE = re.compile(r"\{([a-z_0-9]+)\}")


def texts(lang: str) -> dict[str, Any]:
    """Return the page's own texts in a language."""
    found: dict[str, Any] = json.loads((ROOT / "ui" / "web" / "locale" / f"{lang}.json").read_text(encoding="utf-8"))
    return found


def forms(entry: Any) -> list[str]:
    return [entry] if isinstance(entry, str) else list(entry)


def source() -> str:
    """Return all scripts in one."""
    return "\n".join(path.read_text(encoding="utf-8") for path in SCRIPTS)


@pytest.mark.parametrize("path", [path for path in PAGE.iterdir() if path.suffix != ".svg"], ids=lambda path: path.name)
def test_no_file_of_the_page_names_anything_outside(path: Path) -> None:
    assert [] == re.findall(r"https?://(?!\$)[^\"'\s]+|url\(|@import|//cdn", path.read_text(encoding="utf-8"))


def test_no_text_is_ever_taken_as_markup() -> None:
    assert [] == re.findall(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function|DOMParser", source())


def test_no_game_is_known_by_name() -> None:
    assert [] == re.findall(r"(?i)dez.degraus|cascata|skat|hearts|crazy.eights", source())


def test_every_text_the_page_asks_for_is_there_and_none_is_left_over() -> None:
    said = set(re.findall(r"[\"'`]((?:web|ui)\.[a-z_0-9]+(?:\.[a-z_0-9]+)*)[\"'`]", source()))
    known = catalogue("en")
    assert set() == {key for key in said if key not in known and not key.startswith("ui.ask") and f"{key}.exact" not in known} - {"web.ask"}
    begun = set(re.findall(r"[\"'`](web\.[a-z_.]+)\.\$\{", source())) | {"web.ask"}
    own = {key for key in texts("en") if key}
    assert set() == {key for key in own if key not in said and not key.startswith(tuple(begun))}


@pytest.mark.parametrize("lang", [lang for lang in LANGUAGES if lang != "en"])
def test_every_language_has_every_text_with_the_same_places(lang: str) -> None:
    english, other = texts("en"), texts(lang)
    assert english.keys() == other.keys()
    for key in english:
        if key:
            assert [set(PLACE.findall(form)) for form in forms(english[key])] == [set(PLACE.findall(form)) for form in forms(other[key])], (
                key
            )


@pytest.mark.parametrize(("lang", "rule"), [("en", "n != 1"), ("pt_PT", "n != 1"), ("pt_BR", "n > 1"), ("de", "n != 1")])
def test_the_plural_rule_is_the_languages_own(lang: str, rule: str) -> None:
    assert {"lang": lang, "plural": rule} == texts(lang)[""]


def test_the_version_names_the_content() -> None:
    assert Assets().version == Assets().version
    assert re.fullmatch("[0-9a-f]{16}", Assets().version)


def test_the_first_load_is_small() -> None:
    assets = Assets()
    packed = [
        asset.packed or asset.body for name, asset in assets.files.items() if not name.startswith("words.") or name == "words.en.json"
    ]
    assert 64_000 > sum(len(body) for body in (*packed, assets.page.packed))
