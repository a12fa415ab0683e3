"""docs/fairness.md says what the code does: its vectors, its marks, its numbers."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec
import pytest

from carteado.core.fair import LINK_TAG, LINKS, SEED_TAG, Chain, contributions, seed_of
from carteado.net import limits
from carteado.net.proofs import REASONS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "fairness.md").read_text(encoding="utf-8")


def vectors() -> list[dict[str, object]]:
    """Return the vectors on the page."""
    found = re.search(r"## Test vectors\n.*?```json\n(.*?)```", PAGE, re.DOTALL)
    assert found
    return [json.loads(line) for line in found[1].splitlines()]


def test_the_vectors_on_the_page_are_those_of_the_tests() -> None:
    data = json.loads((ROOT / "tests" / "data" / "fairness.json").read_text(encoding="utf-8"))
    assert vectors() == data["chains"] + data["seeds"]


@pytest.mark.parametrize("vector", vectors())
def test_a_vector_is_what_the_program_makes(vector: dict[str, object]) -> None:
    told = msgspec.convert(vector, dict[str, object])
    if "secret" in told:
        assert Chain(bytes.fromhex(str(told["secret"])), str(told["match"])).anchor.hex() == told["anchor"]
    else:
        links = [bytes.fromhex(link) if link else None for link in msgspec.convert(told["links"], list[str | None])]
        number = msgspec.convert(told["hand"], int)
        assert seed_of(str(told["match"]), number, bytes.fromhex(str(told["host"])), links).hex() == told["seed"]


def test_every_mark_and_reason_is_on_the_page_with_its_sentence() -> None:
    rows = re.findall(r"^\| `(?:verified|unverified|failed)` \| (?:`(\w+)`)? ?\| (.*) \|$", PAGE, re.MULTILINE)
    assert dict(rows) == REASONS


def test_tags_lengths_and_times_on_the_page_are_the_code_s() -> None:
    for word in (LINK_TAG.decode(), SEED_TAG.decode(), f"link {LINKS} ", f"waits {limits.LINK_TIME:g} seconds at most"):
        assert word in PAGE


def test_the_fields_of_a_hand_s_sources_are_on_the_page() -> None:
    section = PAGE.split("## In the journal")[1].split("\n## ")[0]
    told = set(re.findall(r"`(\w+)`", " ".join(row.split("|")[1] for row in section.splitlines() if row.startswith("| `"))))
    assert set(contributions("t-1/1", bytes(32), [], bytes(32), [], {})) == told
