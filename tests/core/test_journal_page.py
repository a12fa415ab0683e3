"""docs/journal.md says what the program does: its tables, its example, its hashes and its test vectors."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

import msgpack
import pytest
from journal_page import PAGE, example, parts, written
from shuffles import drawn, shuffled, words
from tablegames import Discards, random_match

from carteado.core.encoding import ENCODING, canonical
from carteado.core.journal import FORMAT, Journal
from carteado.core.match import HOOKS, Match
from carteado.core.replay import replay
from carteado.core.table import Table

TEXT = PAGE.read_text(encoding="utf-8")


def part(name: str) -> str:
    """Return what stands between the markers of a part, without its fence."""
    found = re.search(rf"<!-- {name} -->\n```\w+\n(.*?)\n```\n<!-- /{name} -->", TEXT, re.DOTALL)
    assert found, name
    return found[1]


def table(heading: str) -> list[list[str]]:
    """Return the rows of the table in a section, each cell's code words alone."""
    section = TEXT.split(f"## {heading}\n")[1].split("\n## ")[0]
    rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("| `")]
    return [[" ".join(re.findall(r"`(\w+)`", cell)) for cell in row] for row in rows]


@pytest.mark.parametrize("name", ["example", "events", "public", "canonical", "vectors"])
def test_a_part_that_the_program_writes_is_what_it_writes_now(name: str) -> None:
    assert parts()[name].split("\n")[1:-1] == part(name).split("\n"), "run python tests/core/journal_page.py"


def test_writing_the_page_anew_changes_nothing() -> None:
    assert written(TEXT) == TEXT


def test_the_header_has_the_fields_of_the_page() -> None:
    assert " ".join(row[0] for row in table("The header")).split() == list(example()[0].journal.header)


def test_the_kinds_of_entries_are_those_of_the_page() -> None:
    assert [row[0] for row in table("The entries")] == list(HOOKS)


@pytest.mark.parametrize("kind", list(HOOKS))
def test_an_entry_has_the_fields_of_the_page(kind: str) -> None:
    expected = next(row[1].split() for row in table("The entries") if row[0] == kind)
    entries = [entry for entry in example()[0].journal.entries if entry["k"] == kind]
    assert [["n", "k", *expected, "h"]] == [[key for key in entry if key != "digest"] for entry in entries]


def test_the_fields_of_entries_are_the_same_in_random_matches() -> None:
    fields = {row[0]: row[1].split() for row in table("The entries")}
    for number in range(6):
        for entry in random_match(Discards(), 3, number, leave=True).journal.entries:
            end = ["digest", "h"] if "digest" in entry else ["h"]
            assert ["n", "k", *fields[entry["k"]], *end] == list(entry)


def test_the_versions_on_the_page_are_those_of_the_code() -> None:
    assert (f"format of the journal: {FORMAT}", f"version of the canonical encoding (below): {ENCODING}") == tuple(
        re.findall(r"\| `(?:carteado|encoding)` \| (.*) \|", TEXT)
    )


def test_the_state_that_is_digested_has_the_fields_of_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    named = TEXT.split("The digest of a state covers")[1].split("The log and the seed")[0]
    digested: list[Any] = []
    monkeypatch.setattr("carteado.core.match.digest", digested.append)
    example()[0].digest()
    expected = {"table", *Table(2, {}).state(), "finished", "left", "end", "phase"}
    assert (expected, {"table", "finished", "left", "end", "phase"}) == (set(re.findall(r"`(\w+)`", named)), set(digested[-1]))


def test_the_example_is_a_journal_that_verifies() -> None:
    journal = Journal.load(part("example").encode() + b"\n")
    assert example()[0].digest() == replay(journal, Discards()).digest()


def test_the_chain_is_computed_as_the_page_says() -> None:
    header, hand, action = (json.loads(line) for line in part("example").splitlines()[:3])
    link = hashlib.sha256(b"carteado/chain/1" + canonical(header)).digest()
    first = example()[1][0].raw
    for entry, events in ((hand, first), (action, [json.loads(line) for line in part("events").splitlines()])):
        bare = {key: value for key, value in entry.items() if key != "h"}
        link = hashlib.sha256(link + msgpack.packb([bare, events])).digest()
        assert entry["h"] == link[:8].hex()


def test_the_public_chain_is_computed_as_the_page_says() -> None:
    link = hashlib.sha256(b"carteado/public/1").digest()
    computed = [{"q": 0, "h": link[:8].hex()}]
    for commit in example()[1]:
        link = hashlib.sha256(link + canonical(commit.events(None))).digest()
        computed.append({"q": commit.q, "h": link[:8].hex()})
    assert computed == [json.loads(line) for line in part("public").splitlines()]


def test_the_last_public_link_is_what_the_match_says() -> None:
    assert example()[0].h.hex() == json.loads(part("public").splitlines()[-1])["h"]


@pytest.mark.parametrize("number", range(4))
def test_the_test_vectors_follow_from_the_definition_alone(number: int) -> None:
    vector = json.loads(part("vectors").splitlines()[number])
    seed, name = bytes.fromhex(vector["seed"]), vector["stream"]
    cards = [f"{suit}{rank}" for suit in "AB" for rank in range(1, 7)]
    first, six, odd = words(seed, name), words(seed, name), words(seed, name)
    odd_numbers = [drawn(odd, 2**31 + 1) for _ in range(4)]
    rest, whole = next(odd), words(seed, name)
    used = next(i for i, word in enumerate(whole) if word == rest)
    assert {
        "seed": vector["seed"],
        "stream": name,
        "words": [next(first) for _ in range(9)],
        "below 6": [drawn(six, 6) for _ in range(12)],
        "below 2^31+1": odd_numbers,
        "words used": used,
        "shuffled": " ".join(shuffled(cards, words(seed, name))),
    } == vector


def test_the_vectors_skip_words() -> None:
    assert all(json.loads(line)["words used"] > 4 for line in part("vectors").splitlines())


def test_the_code_of_the_page_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("carteado.core.loader.load", lambda name: Discards())
    code = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    found: dict[str, Any] = {"data": part("example").encode() + b"\n"}
    exec(code[0], found)  # noqa: S102
    assert (1, "over") == (len(code), found["match"].phase)


def test_the_export_of_a_running_match_is_as_the_page_says() -> None:
    match = Match(Discards(), {}, [{"name": "Ana"}, {"name": "Bot"}])
    match.deal(bytes(32))
    assert [match.journal.header] == [json.loads(line) for line in match.journal.dump(open_seed=False).splitlines()]
