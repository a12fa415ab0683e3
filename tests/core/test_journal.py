"""The journal: what is written, and that whatever is damaged in it is noticed in one sentence."""

from __future__ import annotations

import hashlib
import json
import random
from functools import cache
from typing import Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st
from properties import quick
from tablegames import GAMES, NAMES, SEED, Discards, Passing, act, play_hand, random_match, scripted, start, turn_of

from carteado.core.encoding import canonical
from carteado.core.errors import JournalMismatch
from carteado.core.journal import FORMAT, Journal
from carteado.core.match import CHAIN, Match
from carteado.core.replay import replay


@cache
def written(name: str = "passing", players: int = 3, number: int = 21) -> tuple[Match, bytes]:
    """Return a whole match with every kind of entry, and its journal as bytes."""
    match = random_match(GAMES[name](), players, number, leave=True)
    return match, match.journal.dump()


def check(data: bytes, name: str = "passing") -> Match:
    """Load a journal and play it again."""
    return replay(Journal.load(data), GAMES[name]())


# What is written


def test_the_header_says_what_is_played_and_by_whom() -> None:
    match = start(Discards(), 2, table="t-7", options={"hands": 3})
    assert {
        "carteado": FORMAT, "encoding": 1, "api": 1, "game": "discards", "version": "1", "table": "t-7", "house": [],
        "options": {"stake": 10, "substitute": True, "hands": 3, "extras": ["a"]},
        "seats": [{"name": name, "bot": None} for name in NAMES[:2]],
    } == match.journal.header  # fmt: skip


def test_a_hand_is_written_with_its_seed_and_where_it_came_from() -> None:
    match = start(Discards(), deal=False)
    match.deal(SEED, {"host": "aa", "seats": ["bb"]})
    entry = dict(match.journal.entries[0])
    del entry["h"]
    assert {"n": 1, "k": "hand", "hand": 1, "seed": SEED.hex(), "from": {"host": "aa", "seats": ["bb"]}} == entry


def test_an_action_is_written_with_seat_prompt_and_fields() -> None:
    match = start(Discards())
    seat, prompt = turn_of(match)
    face = match.table.cards(f"hand/{seat}")[1]
    entry = dict(act(match, {"type": "play", "cards": [face]}).entry)
    del entry["h"]
    assert {"n": 2, "k": "action", "seat": seat, "prompt": prompt, "do": {"type": "play", "cards": [face]}} == entry


def test_the_entry_that_ends_a_hand_holds_the_digest_of_the_whole_state() -> None:
    match = start(Discards())
    entry = play_hand(match).entry
    assert (match.digest(), 1) == (entry["digest"], sum("digest" in entry for entry in match.journal.entries))


def test_a_refused_action_is_not_written() -> None:
    match = start(Discards())
    with pytest.raises(Exception, match="unknown_action"):
        act(match, {"type": "fly"})
    assert 1 == len(match.journal.entries)


def test_the_chain_begins_with_the_header_and_goes_on_over_entries_and_events() -> None:
    match = start(Discards(), 2, deal=False)
    link = hashlib.sha256(CHAIN + canonical(match.journal.header)).digest()
    for commit in (match.deal(SEED), act(match, {"type": "pass"}), match.takeover(0, "rule"), match.leave(1)):
        entry = {key: value for key, value in commit.entry.items() if key != "h"}
        link = hashlib.sha256(link + msgpack.packb([entry, commit.raw])).digest()
        assert link[:8].hex() == commit.entry["h"]


def test_the_same_match_is_written_in_the_same_bytes() -> None:
    assert random_match(Passing(), 3, 21, leave=True).journal.dump() == written()[1]


def test_the_match_written_here_has_every_kind_of_entry() -> None:
    assert {"hand", "action", "timeout", "leave", "takeover"} == {entry["k"] for entry in written()[0].journal.entries}


# Dump and load


def test_what_is_dumped_is_loaded() -> None:
    match, data = written()
    again = Journal.load(data)
    assert (match.journal.header, match.journal.entries) == (again.header, again.entries)


def test_a_journal_is_one_json_object_a_line() -> None:
    match, data = written()
    assert [match.journal.header, *match.journal.entries] == [json.loads(line) for line in data.splitlines()]


def test_names_are_written_as_they_are_spelt() -> None:
    match = Match(Discards(), {}, [{"name": "João 🂡"}, {"name": '"\n\\'}])
    assert ("João 🂡".encode() in match.journal.dump(), '"\n\\') == (True, Journal.load(match.journal.dump()).header["seats"][1]["name"])


def test_a_journal_without_entries_is_one() -> None:
    match = start(Discards(), deal=False)
    assert (0, "dealing") == ((again := check(match.journal.dump(), "discards")).q, again.phase)


def running() -> Match:
    """Return a match in its second hand, dealt from a seed of nulls, with a sealed answer given."""
    match = start(Passing(), 3)
    while match.hand == 1:
        if match.phase == "dealing":
            match.deal(bytes(32), {"host": "b1" * 32})
        else:
            match.timeout(*turn_of(match))
    match.timeout(*turn_of(match))
    return match


def test_a_running_match_is_exported_up_to_its_running_hand() -> None:
    match = running()
    last = next(entry["n"] for entry in match.journal.entries if entry.get("hand") == 2)
    assert match.journal.entries[: last - 1] == Journal.load(match.journal.dump(open_seed=False)).entries


def test_the_export_of_a_running_match_holds_neither_seed_nor_source_nor_answer_nor_hash_of_the_running_hand() -> None:
    match = running()
    data = match.journal.dump(open_seed=False)
    hidden = [entry["h"] for entry in match.journal.entries[-2:]] + ["00" * 32, "b1" * 32]
    assert ([False] * 4, [True] * 4) == (
        [text.encode() in data for text in hidden], [text.encode() in match.journal.dump() for text in hidden]
    )  # fmt: skip


def test_the_export_of_a_running_match_is_verified_like_any_journal() -> None:
    data = running().journal.dump(open_seed=False)
    assert ("dealing", 1) == ((again := check(data)).phase, again.hand)


def test_a_journal_in_which_a_hand_has_no_seed_is_played_up_to_that_hand_and_no_further() -> None:
    journal = Journal.load(running().journal.dump())
    last = next(entry for entry in journal.entries if entry.get("hand") == 2)
    del last["seed"]
    said = sentence(replay, journal, Passing())
    assert f"entry {last['n']} (hand) does not fit the match: ValueError: this hand's seed is not opened" == said


def test_a_match_of_which_no_hand_is_dealt_is_exported_whole() -> None:
    match = start(Discards(), deal=False)
    match.takeover(0, "rule")
    assert match.journal.dump() == match.journal.dump(open_seed=False)


def test_leaving_a_seed_out_does_not_change_the_journal_itself() -> None:
    match = start(Discards())
    before = match.journal.dump()
    match.journal.dump(open_seed=False)
    assert before == match.journal.dump()


# Damage


def sentence(call: Any, *arguments: Any) -> str:
    with pytest.raises(JournalMismatch) as caught:
        call(*arguments)
    return str(caught.value)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "this is not a journal"),
        (b"\n", "line 1 of the journal is not a JSON object"),
        (b"{}\n", "this is not a journal"),
        (b"[]\n", "line 1 of the journal is not a JSON object"),
        (b"null\n", "line 1 of the journal is not a JSON object"),
        (b'"carteado"\n', "line 1 of the journal is not a JSON object"),
        (b"\xff\n", "line 1 of the journal is not a JSON object"),
        (b"{", "cut off in line 1"),
        (b'{"carteado":1}', "cut off in line 1"),
        (b'{"carteado":2}\n', "the journal has format 2; this program reads 1"),
        (b'{"carteado":true}\n', "the journal has format True"),
        (b'{"carteado":1}\n', "header does not say its game"),
        (b'{"carteado":1.0}\n', "line 1 of the journal is not a JSON object"),
        (b'{"carteado":NaN}\n', "line 1 of the journal is not a JSON object"),
        (b'{"carteado":' + b"9" * 5000 + b"}\n", "line 1 of the journal is not a JSON object"),
        (b'{"carteado":1,"game":"\\ud800"}\n', "line 1 of the journal holds what has no place in one"),
        (b'{"carteado":1,"x":' + b"9" * 40 + b"}\n", "line 1 of the journal holds what has no place in one"),
        (b'{"carteado":1,"x":' + b"[" * 9 + b"]" * 9 + b"}\n", "line 1 of the journal holds what has no place in one"),
        (b"[" * 100_000 + b"\n", "line 1 of the journal is not a JSON object"),
    ],
)
def test_what_is_no_journal_is_said_in_a_sentence(data: bytes, said: str) -> None:
    assert said in sentence(Journal.load, data)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("game", 3), ("version", None), ("options", []), ("seats", {}), ("seats", [3]), ("seats", [{"name": 3}]), ("table", 1),
        ("encoding", "1"),
    ],
)  # fmt: skip
def test_a_header_of_the_wrong_shape_is_said_in_a_sentence(key: str, value: Any) -> None:
    header = written()[0].journal.header | {key: value}
    assert "the journal's header does not say" in sentence(Journal.load, json.dumps(header).encode() + b"\n")


def changed(line: int, key: str, value: Any) -> bytes:
    """Return the journal with one field of one line (0: the header) changed or (value `...`) left out."""
    lines = written()[1].splitlines()
    entry = json.loads(lines[line])
    entry[key] = value
    if value is ...:
        del entry[key]
    lines[line] = json.dumps(entry, ensure_ascii=False, separators=(",", ":")).encode()
    return b"\n".join(lines) + b"\n"


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("game", "peaks"), ("version", "2"), ("encoding", 2), ("house", ["double"]), ("house", 3), ("table", "other"), ("api", 2),
        ("options", {}), ("options", {"hands": 99}), ("options", {"speed": 1}), ("options", {"hands": None}), ("seats", []),
        ("seats", [{"name": "Ana"}] * 3), ("seats", [{"name": "Ana", "bot": {}}] * 3), ("extra", 1), ("api", ...), ("house", ...),
    ],
)  # fmt: skip
def test_a_changed_header_is_noticed(key: str, value: Any) -> None:
    assert "journal" in sentence(check, changed(0, key, value))


ANY = (..., None, True, -1, 0, 1, 99, 2**63, "", "rule", "00" * 32, [], [0], {}, {"type": "pass"}, {"type": "play", "cards": ["C7"]})


@pytest.mark.parametrize("kind", ["hand", "action", "timeout", "leave", "takeover"])
def test_any_changed_field_of_any_kind_of_entry_is_noticed(kind: str) -> None:
    match = start(Passing(), 3, table="t")
    for seat in range(3):
        face = next(card for card in match.table.cards(f"hand/{seat}") if card != "CK")
        act(match, {"type": "pass", "cards": [face]}, seat)
    match.timeout(*turn_of(match), {"type": "play", "cards": [match.table.cards(f"hand/{turn_of(match)[0]}")[0]]})
    match.takeover(1, "rule")
    match.leave(2)
    act(match, {"type": "play", "cards": [match.view(turn_of(match)[0])["prompts"][0]["hints"][0]["action"]["cards"][0]]})
    number = next(i for i, entry in enumerate(match.journal.entries) if entry["k"] == kind)
    entry = match.journal.entries[number]
    unnoticed = []
    for key in [*entry, "digest", "extra"]:
        for value in ANY:
            wrong = {name: old for name, old in {**entry, key: value}.items() if old is not ...}
            if canonical(wrong) == canonical(entry):
                continue
            lines = [match.journal.header, *match.journal.entries[:number], wrong, *match.journal.entries[number + 1 :]]
            data = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
            try:
                replay(Journal.load(data), Passing(), upto=number + 1)
            except JournalMismatch:
                continue
            unnoticed.append((key, value))
    assert [] == unnoticed


@quick
@given(st.integers(0, 10**6), st.integers(0, 7))
def test_any_flipped_bit_is_noticed(place: int, bit: int) -> None:
    data = bytearray(written()[1])
    data[place % len(data)] ^= 1 << bit
    assert sentence(check, bytes(data))


def test_any_flipped_bit_of_a_short_journal_is_noticed_when_it_is_loaded_or_played() -> None:
    match = start(scripted(name="discards", table_options=()), 2, deal=False, table="t")
    match.deal(SEED, {"host": "ab"})
    act(match, {"type": "pass"})
    data, game = match.journal.dump(), match.game
    rng = random.Random(7)
    unnoticed = []
    for place in range(len(data)):
        flipped = bytearray(data)
        flipped[place] ^= 1 << rng.randrange(8)
        try:
            replay(Journal.load(bytes(flipped)), game)
        except JournalMismatch:
            continue
        unnoticed.append(place)
    assert [] == unnoticed


@quick
@given(st.integers(1, 10**6))
def test_any_journal_cut_off_within_a_line_is_noticed(place: int) -> None:
    data = written()[1]
    cut = data[: place % len(data)]
    if cut.endswith(b"\n"):
        cut = cut[:-1]
    assert "journal" in sentence(Journal.load, cut)


def test_a_journal_cut_off_between_two_lines_is_the_match_so_far() -> None:
    lines = written()[1].splitlines(keepends=True)
    assert len(lines) // 2 - 1 == check(b"".join(lines[: len(lines) // 2])).q


def test_a_line_left_out_is_noticed() -> None:
    lines = written()[1].splitlines(keepends=True)
    for i in range(1, len(lines) - 1):
        assert "damaged or out of order" in sentence(Journal.load, b"".join(lines[:i] + lines[i + 1 :]))


def test_two_lines_exchanged_are_noticed() -> None:
    lines = written()[1].splitlines(keepends=True)
    lines[3], lines[4] = lines[4], lines[3]
    assert "entry 3 of the journal is damaged or out of order" == sentence(Journal.load, b"".join(lines))


@quick
@given(st.binary(max_size=60))
def test_any_bytes_are_no_journal(data: bytes) -> None:
    assert "journal" in sentence(Journal.load, data)
