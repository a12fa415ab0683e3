"""Chains, seeds and courses: what makes a deal nobody's choice, and what shows that it was."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from carteado.core.course import NoCourse, announced, course_of, follow
from carteado.core.encoding import digest
from carteado.core.fair import LINKS, Chain, Unfair, before, check_anchors, check_links, contributions, open_seed, opens, seed_of
from carteado.core.game import Game
from carteado.core.journal import Journal
from carteado.core.match import Commit, Match
from carteado.core.replay import replay
from carteado.core.shuffle import Stream

from .tablegames import Discards, play_hand, start

VECTORS = json.loads((Path(__file__).parents[1] / "data" / "fairness.json").read_text(encoding="utf-8"))
MATCH = "t-1/1"
HOST, ANA, RUI = (Chain(bytes([n]) * 32, MATCH) for n in (1, 2, 3))


def sources(hand: int = 1, **changed: Any) -> dict[str, Any]:
    """Return the sources of an honest hand, and whatever a test changes."""
    link = HOST.link(hand)
    assert link is not None
    honest = contributions(MATCH, HOST.anchor, [ANA.anchor, RUI.anchor], link, [ANA.link(hand), RUI.link(hand)], {})
    return honest | changed


def fair_match(game: Game | None = None, **options: Any) -> Match:
    """Return a match of two whose first hand is dealt from links."""
    match = Match(game or Discards(), options, [{"name": "Ana"}, {"name": "Rui"}], "t-1")
    given = {**sources(), "plan": announced(match)}
    match.deal(open_seed(given, 1, bytes.fromhex(given["host"])), given)
    return match


def test_the_published_chain_is_ours() -> None:
    for vector in VECTORS["chains"]:
        chain = Chain(bytes.fromhex(vector["secret"]), vector["match"])
        told = {hand: chain.link(int(hand)) for hand in vector["links"]}
        assert chain.anchor.hex() == vector["anchor"]
        assert {hand: link and link.hex() for hand, link in told.items()} == vector["links"]


def test_the_published_seeds_are_ours() -> None:
    for vector in VECTORS["seeds"]:
        links = [link and bytes.fromhex(link) for link in vector["links"]]
        assert seed_of(vector["match"], vector["hand"], bytes.fromhex(vector["host"]), links).hex() == vector["seed"]


def test_a_link_leads_back_to_the_one_before_and_in_the_end_to_the_anchor() -> None:
    second, first = HOST.link(2), HOST.link(1)
    assert second is not None
    assert before(second, MATCH) == first
    assert before(first or b"", MATCH) == HOST.anchor


@pytest.mark.parametrize("hand", [1, 2, 31, 32, 33, LINKS])
def test_every_link_opens_its_anchor(hand: int) -> None:
    assert opens(HOST.link(hand) or b"", hand, HOST.anchor, MATCH)


def test_a_chain_has_no_link_beyond_its_last() -> None:
    assert [HOST.link(0), HOST.link(LINKS + 1)] == [None, None]


@pytest.mark.parametrize(
    ("link", "hand", "anchor", "match"),
    [
        (HOST.link(2), 1, HOST.anchor, MATCH),
        (HOST.link(1), 2, HOST.anchor, MATCH),
        (HOST.link(1), 1, ANA.anchor, MATCH),
        (HOST.link(1), 1, HOST.anchor, "t-1/2"),
        (HOST.anchor, 0, HOST.anchor, MATCH),
        (b"short", 1, HOST.anchor, MATCH),
        (HOST.link(1), LINKS + 1, HOST.anchor, MATCH),
    ],
)
def test_no_other_link_opens_an_anchor(link: bytes, hand: int, anchor: bytes, match: str) -> None:
    assert not opens(link, hand, anchor, match)


def test_every_part_changes_the_seed() -> None:
    a, b = ANA.link(1), RUI.link(1)
    seeds = [
        seed_of(MATCH, 1, HOST.anchor, [a, b]), seed_of(MATCH, 2, HOST.anchor, [a, b]), seed_of("t-2/1", 1, HOST.anchor, [a, b]),
        seed_of(MATCH, 1, ANA.anchor, [a, b]), seed_of(MATCH, 1, HOST.anchor, [b, a]), seed_of(MATCH, 1, HOST.anchor, [a, None]),
        seed_of(MATCH, 1, HOST.anchor, [None, a]), seed_of(MATCH, 1, HOST.anchor, [a, a]),
    ]  # fmt: skip
    assert len(set(seeds)) == len(seeds)


def test_honest_contributions_are_found_honest() -> None:
    check_links(sources(), 1)
    check_anchors(sources(2), sources(1), 2)
    assert open_seed(sources(), 1, HOST.link(1) or b"") == seed_of(MATCH, 1, HOST.link(1) or b"", [ANA.link(1), RUI.link(1)])


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"links": [(RUI.link(1) or b"").hex(), (RUI.link(1) or b"").hex()]}, "seat_link"),
        ({"links": [(ANA.link(2) or b"").hex(), (RUI.link(1) or b"").hex()]}, "seat_link"),
        ({"links": [(ANA.link(1) or b"").hex()]}, "seat_link"),
        ({"links": [None, (RUI.link(1) or b"").hex()]}, "missing"),
        ({"anchors": [None, RUI.anchor.hex()]}, "seat_link"),
        ({"anchors": [ANA.anchor.hex()] * 2, "links": [(ANA.link(1) or b"").hex()] * 2}, "copied"),
        ({"missing": [0]}, "missing"),
    ],
)
def test_a_link_that_is_wrong_copied_or_unnamed_is_found(changed: dict[str, Any], code: str) -> None:
    with pytest.raises(Unfair) as found:
        check_links(sources(**changed), 1)
    assert found.value.code == code


def test_a_host_that_opens_another_link_is_found() -> None:
    with pytest.raises(Unfair, match="the host's link"):
        open_seed(sources(), 1, HOST.link(2) or b"")


@pytest.mark.parametrize(
    "changed", [{"anchor": ANA.anchor.hex()}, {"anchors": [RUI.anchor.hex(), ANA.anchor.hex()]}, {"match": "t-1/2"}, {"anchors": []}]
)
def test_an_anchor_that_changes_and_is_not_named_is_found(changed: dict[str, Any]) -> None:
    with pytest.raises(Unfair) as found:
        check_anchors(sources(2, **changed), sources(1), 2)
    assert found.value.code == "anchor"


def test_an_anchor_may_be_renewed_if_that_is_named() -> None:
    check_anchors(sources(2, anchors=[ANA.anchor.hex(), "00" * 32], renewed=[1]), sources(1), 2)
    check_anchors(sources(2, anchor="00" * 32, renewed=[-1]), sources(1), 2)


def test_the_links_are_told_at_the_deal_and_the_host_s_only_when_the_hand_is_over() -> None:
    match = fair_match()
    deal = dealt_again(match).events(None)
    assert [event["k"] for event in deal][:2] == ["deal", "links"]
    link = (HOST.link(1) or b"").hex()
    assert link not in json.dumps(match.view(None)) + json.dumps(deal)
    events = ended(match)
    assert events[-1]["k"] == "opened"
    assert events[-1]["link"] == link


def test_a_game_that_reveals_at_the_match_s_end_opens_all_hands_then() -> None:
    class Closed(Discards):
        reveal = "match"

    match = fair_match(Closed(), hands=2)
    assert "opened" not in [event["k"] for event in ended(match)]
    given = {**sources(2), "plan": announced(match)}
    match.deal(open_seed(given, 2, HOST.link(2) or b""), given)
    assert [event["hand"] for event in ended(match) if event["k"] == "opened"] == [1, 2]


def test_a_running_match_of_such_a_game_is_exported_without_any_seed() -> None:
    class Closed(Discards):
        reveal = "match"

    match = fair_match(Closed(), hands=2)
    ended(match)
    assert match.journal.dump(open_seed=False).count(b"\n") == 1
    assert b"seed" not in match.journal.dump(open_seed=False)


def test_an_aborted_hand_is_opened() -> None:
    match = fair_match(substitute=False)
    commit = match.leave(0)
    assert (match.phase, commit.events(None)[-1]["k"]) == ("over", "opened")


def test_a_fair_match_replays_to_the_same_hashes() -> None:
    game = Discards()
    match = Match(game, {}, [{"name": "Ana"}, {"name": "Rui"}], "t-1", fair={"match": MATCH, "anchor": HOST.anchor.hex()})
    given = {**sources(), "plan": announced(match)}
    match.deal(open_seed(given, 1, HOST.link(1) or b""), given)
    ended(match)
    again = replay(Journal.load(match.journal.dump()), game)
    assert again.public == match.public


def test_the_course_of_a_deal_is_known_before_its_seed() -> None:
    match = Match(Discards(), {}, [{"name": "Ana"}, {"name": "Rui"}], "t-1")
    plan = announced(match)
    assert sorted(plan) == ["0", "1"]
    commit = match.deal(bytes(range(32)))
    course = course_of(commit.raw)
    assert digest(course) == plan[str(match.table.start)]


def test_a_course_and_a_seed_say_where_every_card_lies() -> None:
    match = start(Discards())
    course = course_of(dealt_again(match).raw)
    spread = follow(course, Stream(match.table._seed, "deal"))
    assert spread.zones == {zone.name: list(zone.cards) for zone in match.table.zones()}


@pytest.mark.parametrize(
    "course",
    [[["fly", "a", "b", 1, None]], [["top", "a", "b", 1, None]], [["create", "a"]], [["shuffle", "a"]], [["drop", "a"]], [[]], [7]],
)
def test_a_course_that_leads_nowhere_is_refused(course: Any) -> None:
    with pytest.raises(NoCourse):
        follow(course, Stream(bytes(32), "deal"))


def test_a_fork_for_search_opens_nothing_and_takes_nothing_from_the_match() -> None:
    match = fair_match()
    fork = match.fork(bytes(32))
    assert "opened" not in [event["k"] for event in ended(fork)]
    assert "opened" in [event["k"] for event in ended(match)]


def dealt_again(match: Match) -> Commit:
    """Return the commit of a match's first deal."""
    again = Match(match.game, match.options, match.seats, match.id)
    entry = match.journal.entries[0]
    return again.deal(bytes.fromhex(entry["seed"]), entry["from"])


def ended(match: Match) -> list[dict[str, Any]]:
    """Play the hand to its end; return the public events of the last entry."""
    return play_hand(match).events(None)
