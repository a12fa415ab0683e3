"""`carteado verify`: an honest journal is proven, and whatever was changed in it is found."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from carteado.cli import main
from carteado.core.bots import player
from carteado.core.course import announced
from carteado.core.fair import Chain, contributions, open_seed, seed_of
from carteado.core.journal import Journal
from carteado.core.loader import load
from carteado.core.match import Match
from carteado.core.replay import replay

LABEL = "t-1/1"
HOST, *SEATS = (Chain(bytes([n]) * 32, LABEL) for n in (1, 2, 3, 4))


def recorded(hands: int = 2, fair: bool = True, without: int | None = None) -> list[dict[str, Any]]:
    """Return the lines of an honest match of Skat."""
    game = load("skat")
    anchors = [chain.anchor for chain in SEATS]
    header = {"match": LABEL, "anchor": HOST.anchor.hex(), "anchors": [anchor.hex() for anchor in anchors], "nonce": ""}
    match = Match(game, {}, [{"name": name} for name in ("Ana", "Rui", "Eva")], "t-1", fair=header if fair else None)
    rule, rng = player(game, "random"), random.Random(1)
    for hand in range(1, hands + 1):
        link = HOST.link(hand)
        assert link is not None
        links = [None if seat == without else chain.link(hand) for seat, chain in enumerate(SEATS)]
        sources = contributions(LABEL, HOST.anchor, anchors, link, links, announced(match)) if fair else {"host": "fixed"}
        match.deal(open_seed(sources, hand, link) if fair else bytes(32), sources)
        while match.phase == "playing":
            seat = min(match.prompts)
            match.act(seat, match.prompts[seat].id, rule.choose(match.view(seat), rng))
    return [match.journal.header, *match.journal.entries]


HONEST = recorded()


def verified(tmp_path: Path, lines: list[dict[str, Any]], capsys: pytest.CaptureFixture[str], *more: str) -> tuple[int, str]:
    """Return status and output of the command for a journal."""
    file = tmp_path / "match.jsonl"
    file.write_text("".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines), encoding="utf-8")
    status = main(["verify", str(file), *more])
    told = capsys.readouterr()
    return status, told.out + told.err


def test_a_match_without_a_hand_has_nothing_to_verify(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, told = verified(tmp_path, HONEST[:1], capsys)
    assert (0, ["There is no hand in it to verify."]) == (status, told.splitlines()[1:])


def test_an_honest_journal_is_proven(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, told = verified(tmp_path, HONEST, capsys)
    assert (status, told.splitlines()[1:3]) == (0, ["proven  hand 1", "proven  hand 2"])
    assert told.splitlines()[-1] == "Verified: nobody could choose or change the deals."


@pytest.mark.parametrize("words", [("verify",), ("replay",), ("replay", "--lang", "de")])
def test_a_name_in_a_file_does_nothing_to_the_terminal(words: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = json.loads(json.dumps(HONEST))
    lines[0]["seats"][0]["name"] = "\x1b[2Je\x9bv\x1b]0;pwn\x07i\u202el"
    file = tmp_path / "match.jsonl"
    file.write_text("\n".join(json.dumps(line) for line in lines) + "\n")
    main([*words, str(file)])
    told = "".join(capsys.readouterr())
    assert "[2Jev]0;pwnil" in told
    assert all(char.isprintable() or char == "\n" for char in told)


def test_a_link_that_was_left_out_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, told = verified(tmp_path, recorded(1, without=1), capsys)
    assert (status, told.splitlines()[1]) == (0, "proven  hand 1: without a link of Rui")


def test_a_fixed_seed_is_not_proven_and_not_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, told = verified(tmp_path, recorded(1, fair=False), capsys)
    assert (status, told.splitlines()[1]) == (0, "open    hand 1: the host used a fixed seed")
    assert told.splitlines()[-1].startswith("Not proven")


def test_the_findings_are_given_as_data_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, told = verified(tmp_path, HONEST, capsys, "--json")
    fact = json.loads(told)
    assert (status, fact["fair"], fact["replays"], [hand["state"] for hand in fact["hands"]]) == (0, True, True, ["proven", "proven"])


def of_hand(number: int, change: Callable[[dict[str, Any]], None]) -> list[dict[str, Any]]:
    """Return the honest journal with a hand's entry changed."""
    lines: list[dict[str, Any]] = json.loads(json.dumps(HONEST))
    change(next(line for line in lines if line.get("k") == "hand" and line["hand"] == number))
    return lines


def hexed(link: bytes | None) -> str:
    assert link is not None
    return link.hex()


def rolled_again(entry: dict[str, Any]) -> None:
    entry["seed"] = "00" * 32


def other_host_link(entry: dict[str, Any]) -> None:
    entry["from"]["host"] = hexed(HOST.link(2))


def other_seat_link(entry: dict[str, Any]) -> None:
    """Put another link in, and the seed that follows from it."""
    links = [bytes.fromhex(link) for link in entry["from"]["links"]]
    links[1] = bytes(32)
    entry["from"]["links"][1] = links[1].hex()
    entry["seed"] = seed_of(LABEL, 1, bytes.fromhex(entry["from"]["host"]), links).hex()


def other_order(entry: dict[str, Any]) -> None:
    entry["from"]["links"].reverse()


def copied(entry: dict[str, Any]) -> None:
    entry["from"]["links"][1] = entry["from"]["links"][0]


def silently_missing(entry: dict[str, Any]) -> None:
    entry["from"]["links"][1] = None


def other_anchor(entry: dict[str, Any]) -> None:
    entry["from"]["anchor"] = SEATS[0].anchor.hex()


def no_links(entry: dict[str, Any]) -> None:
    entry["from"] = {"host": "system"}


def nonsense(entry: dict[str, Any]) -> None:
    entry["from"]["links"] = 7


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (rolled_again, "seed"), (other_host_link, "host_link"), (other_seat_link, "seat_link"), (other_order, "seat_link"),
        (copied, "seat_link"), (silently_missing, "missing"), (other_anchor, "anchor"), (no_links, "links"), (nonsense, "malformed"),
    ],
)  # fmt: skip
def test_whatever_is_wrong_with_a_seed_is_found(
    change: Callable[[dict[str, Any]], None], code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, told = verified(tmp_path, of_hand(1, change), capsys, "--json")
    fact = json.loads(told)
    assert (status, fact["hands"][0]["state"], fact["hands"][0]["code"], fact["replays"]) == (1, "wrong", code, False)


def test_an_announced_course_that_is_not_the_game_s_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, told = verified(tmp_path, of_hand(1, lambda entry: entry["from"].update(plan={"0": "00" * 32})), capsys)
    assert status == 1
    assert "announces another course" in told


def test_a_swapped_card_is_found_by_playing_it_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines: list[dict[str, Any]] = json.loads(json.dumps(HONEST))
    bid = next(line for line in lines if line.get("k") == "action")
    bid["do"] = {"type": "pass"} if bid["do"]["type"] != "pass" else {"type": "bid", "n": 18}
    status, told = verified(tmp_path, lines, capsys)
    assert status == 1
    assert "The journal was changed" in told


def test_without_the_rules_links_and_seeds_are_checked_and_that_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines: list[dict[str, Any]] = json.loads(json.dumps(HONEST))
    lines[0]["game"] = "nobody-has-this"
    status, told = verified(tmp_path, lines, capsys)
    assert status == 0
    assert "only links and seeds were checked" in told
    assert told.splitlines()[-1] == "Verified: nobody could choose or change the seeds."


def older(version: str) -> list[dict[str, Any]]:
    """Return the honest journal as one of another version of the rules."""
    return [{**HONEST[0], "version": version}, *HONEST[1:]]


def test_a_version_of_the_rules_that_is_not_here_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, told = verified(tmp_path, older("0.1"), capsys)
    assert status == 0
    assert "only links and seeds were checked: Version 0.1 of the game 'skat' is not installed." in told


def test_an_older_version_of_the_rules_that_is_installed_plays_its_match_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Older(type(load("skat"))):  # type: ignore[misc]
        version = "0.1"

    monkeypatch.setattr("carteado.net.inventory.load_older", lambda name, version: Older())
    lines = older("0.1")
    replayed = replay(Journal(lines[0], lines[1:]), Older(), check=False)
    status, told = verified(tmp_path, [replayed.journal.header, *replayed.journal.entries], capsys)
    assert (status, told.splitlines()[-1]) == (0, "Verified: nobody could choose or change the deals.")


def test_what_is_no_journal_is_refused_in_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x"
    file.write_text("hello\n", encoding="utf-8")
    assert main(["verify", str(file)]) == 1
    assert "not a JSON object" in capsys.readouterr().err
