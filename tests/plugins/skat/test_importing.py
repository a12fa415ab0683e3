"""Play recorded games through the real hooks, and compare what the table books with the record."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from carteado.core.errors import Refused
from carteado.core.journal import Journal
from carteado.core.match import Match
from carteado.core.replay import replay as play_again
from carteado.core.shuffle import Stream
from carteado.plugins.skat.game import Skat
from carteado.plugins.skat.importing import read, recorded, verdict
from carteado.plugins.skat.records import Record, Verdict, judge, parse_line, parse_lines
from carteado.plugins.skat.rules import DECK, Contract

DATA = Path(__file__).parents[2] / "data" / "skat"
ISS = list(parse_lines((DATA / "games-iss.txt").read_text()))
XSKAT = list(parse_lines((DATA / "games-xskat.txt").read_text()))
EXCUSED = {"18358", "10330141"}
SEED = next(seed for seed in (bytes([number] * 32) for number in range(256)) if Stream(seed, "start").below(3) == 0)
"""A seed that makes seat 0 forehand."""


def played(record: Record) -> tuple[Match, Verdict]:
    """Play a record at a table; every action is accepted or the test fails."""
    game = recorded(record)
    match = Match(Skat(), game.options, [{"name": name} for name in game.players])
    match.deal(SEED)
    for seat, action in game.actions:
        match.act(seat, match.prompts[seat].id, dict(action))
    games = match.table.kept("games", [])
    return match, verdict(record, match.table, games[-1][2] if games else None)


@pytest.mark.parametrize("record", ISS, ids=lambda record: str(record.tag("ID")))
def test_server_games_play_through_the_hooks_to_the_recorded_result(record: Record) -> None:
    match, found = played(record)
    assert found.word == ("excused" if record.tag("ID") in EXCUSED else "agrees"), found
    assert (match.phase == "over") == (not record.broken_off)


@pytest.mark.parametrize("part", range(6))
@pytest.mark.slow
def test_games_of_xskat_play_through_the_hooks_to_the_recorded_result(part: int) -> None:
    assert [found for found in (played(record)[1] for record in XSKAT[part::6]) if found.word != "agrees"] == []


def test_an_imported_game_is_a_journal_that_replays() -> None:
    match, _ = played(ISS[6])
    again = play_again(Journal.load(match.journal.dump()), Skat())
    assert again.digest() == match.digest()


def test_a_revoke_in_a_record_is_refused_by_the_table() -> None:
    line = (DATA / "games-xskat.txt").read_text().splitlines()[0]
    game = recorded(parse_line(line))
    match = Match(Skat(), game.options, [{"name": name} for name in game.players])
    match.deal(SEED)
    for seat, action in game.actions:
        if action == {"type": "play", "card": ["DJ"]}:
            with pytest.raises(Refused) as refusal:
                match.act(seat, match.prompts[seat].id, {"type": "play", "card": ["HK"]})
            assert refusal.value.code == "follow_trump"
            return
        match.act(seat, match.prompts[seat].id, dict(action))
    pytest.fail("the card was never played")


def test_seeger_fabian_points_of_a_recorded_loss_are_booked() -> None:
    record = next(record for record in ISS if record.tag("ID") == "10327743")
    match, _ = played(record)
    assert [match.table.points(seat) for seat in range(3)] == [-194, 40, 40]


@pytest.mark.parametrize("cards", ["CJ.SJ", ".".join(["CJ"] * 32), 5])
def test_a_fixed_deal_must_name_every_card_once(cards: object) -> None:
    with pytest.raises(Refused):
        Match(Skat(), {"cards": cards}, [{"name": "A"}, {"name": "B"}, {"name": "C"}])


@pytest.mark.parametrize("between", ["", "."])
def test_a_fixed_deal_is_kept_in_as_many_letters_as_the_wire_takes(between: str) -> None:
    match = Match(Skat(), {"cards": between.join(DECK)}, [{"name": "A"}, {"name": "B"}, {"name": "C"}])
    assert match.options["cards"] == "".join(DECK)
    assert len(match.options["cards"]) == 64


def test_a_text_is_read_line_by_line_and_a_bad_line_spoils_only_itself() -> None:
    good = (DATA / "games-xskat.txt").read_text().splitlines()[0]
    found = read(f"{good}\n\n(;nonsense;)\n{good.replace('0 CJ 1 DJ', '0 CJ 1 HK')}\n")
    assert [record.fault for record in found] == [
        "",
        "not a game of Skat with moves and a result",
        "1 must follow suit and may not play HK",
    ]


def test_a_finished_hand_is_exported_in_the_same_format() -> None:
    for record in [*XSKAT[:20], *(record for record in ISS if not record.broken_off)]:
        match, _ = played(record)
        line = match.rules.write_record(match.table, ["P0", "P1", "P2"])
        assert line is not None
        again = parse_line(line)
        if not any(step.verb in ("show", "concede") for step in record.steps):
            said = [replace(step, word=Contract.parse(step.word).code) if step.word else step for step in record.steps]
            assert list(again.steps) == said
        assert [sorted(hand) for hand in (*again.hands, again.skat)] == [sorted(hand) for hand in (*record.hands, record.skat)]
        assert judge(again).word == "agrees"
        assert all(
            again.result.numbers[name] == number for name, number in record.result.numbers.items() if name in ("d", "v", "m", "p", "t")
        )
