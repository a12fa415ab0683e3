"""What a client takes in, in which order, and when it notices that it is told different stories."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from carteado.core.bots import player
from carteado.core.errors import Refused
from carteado.core.events import chained_public
from carteado.core.match import Match
from carteado.net import protocol
from carteado.net.codec import encode, read_feed, read_host
from carteado.net.picture import Change, Picture, chained
from carteado.net.views import StateHead

from .highcard import GAMES

EPOCH = bytes(8)
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
LONG = {"list": list(range(-40, 40)), "map": {f"k{i}": i for i in range(20, 0, -1)}, "text": "é" * 200, "far": ["x" * 70_000, 2**63]}


def recorded(number: int = 1, seed: int = 1, viewer: int | None = 0) -> list[bytes]:
    """Return the states of a whole match as a seat gets them."""
    match, rng = Match(GAMES["high-card"], {}, [{"name": "Ana"}, {"name": "Rui"}], "t-1"), random.Random(seed)
    mover = player(match.game, "random")
    frames = []
    while match.phase != "over":
        if match.phase == "dealing":
            commit = match.deal(bytes([seed] * 32))
        else:
            seat, prompt = next(iter(match.prompts.items()))
            try:
                commit = match.act(seat, prompt.id, mover.choose(match.view(seat), rng))
            except Refused:
                continue
        frames.append(
            encode(protocol.State("t-1", number, EPOCH, match.q, match.h, match.public, match.view(viewer), commit.events(viewer)))
        )  # fmt: skip
    return frames


FRAMES = recorded()


def state(frame: bytes) -> protocol.State:
    message = read_host(frame)
    assert isinstance(message, protocol.State)
    return message


def take(picture: Picture, frame: bytes) -> list[Change]:
    return picture.state(state(frame))


def feed(picture: Picture, frame: bytes, h: bytes | None = None) -> list[Change]:
    head = read_feed(frame)
    assert isinstance(head, StateHead)
    return picture.witness(head if h is None else StateHead(head.m, head.match, head.e, head.q, h))


def forged(frame: bytes, **fields: Any) -> bytes:
    values = {field: getattr(state(frame), field) for field in ("m", "match", "e", "q", "h", "chain", "view", "events")}
    return encode(protocol.State(**(values | fields)))


def test_every_version_in_order_gives_its_view_and_its_events() -> None:
    picture = Picture()
    changes = [change for frame in FRAMES for change in take(picture, frame)]
    assert ["view"] * len(FRAMES) == [change.kind for change in changes]
    assert not any(change.gap for change in changes)
    assert all(change.events for change in changes[1:])
    assert picture.view is not None
    assert len(FRAMES) == picture.q == picture.view["q"]


def test_a_version_is_taken_once_and_an_older_one_not_at_all() -> None:
    picture = Picture()
    take(picture, FRAMES[0])
    take(picture, FRAMES[1])
    assert [] == take(picture, FRAMES[1])
    assert [] == take(picture, FRAMES[0])
    assert 2 == picture.q


def test_a_version_that_was_missed_shows_as_a_gap_and_the_view_is_the_newest() -> None:
    picture = Picture()
    take(picture, FRAMES[0])
    (change,) = take(picture, FRAMES[4])
    assert (True, []) == (change.gap, change.events)
    assert picture.view is not None
    assert 5 == picture.view["q"]


def test_after_coming_back_any_version_is_taken() -> None:
    picture = Picture()
    for frame in FRAMES[:5]:
        take(picture, frame)
    picture.renew()
    (change,) = take(picture, FRAMES[4])
    assert (False, []) == (change.gap, change.events)


def test_the_next_match_of_the_table_follows_on_the_last() -> None:
    picture = Picture()
    for frame in FRAMES:
        take(picture, frame)
    (change,) = take(picture, recorded(number=2, seed=2)[0])
    assert not change.gap
    assert change.events
    assert (2, 1) == (picture.number, picture.q)


def test_a_head_beyond_the_own_version_means_that_something_was_lost() -> None:
    picture = Picture()
    take(picture, FRAMES[0])
    assert [] == picture.head(1, 1, state(FRAMES[0]).h)
    assert not picture.behind
    picture.head(1, 2, bytes(8))
    assert picture.behind
    take(picture, FRAMES[1])
    assert not picture.behind


def test_a_head_with_another_chain_is_a_witness() -> None:
    picture = Picture()
    take(picture, FRAMES[0])
    assert [Change("witness", code="head")] == picture.head(1, 1, b"another!")


def test_feed_and_table_telling_the_same_is_no_news_whoever_is_first() -> None:
    picture = Picture()
    assert [] == feed(picture, FRAMES[0])
    assert ["view"] == [change.kind for change in take(picture, FRAMES[0])]
    take(picture, FRAMES[1])
    assert [] == feed(picture, FRAMES[1])


def test_feed_telling_another_story_is_a_witness_whoever_is_first() -> None:
    picture = Picture()
    feed(picture, FRAMES[0], b"another!")
    assert Change("witness", code="feed") in take(picture, FRAMES[0])
    take(picture, FRAMES[1])
    assert [Change("witness", code="feed")] == feed(picture, FRAMES[1], b"another!")


def test_events_that_are_not_those_of_the_chain_are_a_witness() -> None:
    picture = Picture()
    take(picture, FRAMES[0])
    events = state(FRAMES[1]).events
    events = [{**events[0], "n": 2}, *events[1:]]
    assert Change("witness", code="events") in take(picture, forged(FRAMES[1], events=events))


def test_a_head_that_is_not_the_beginning_of_its_chain_is_a_witness() -> None:
    picture = Picture()
    assert Change("witness", code="chain") in take(picture, forged(FRAMES[0], h=b"another!"))


def test_whoever_comes_late_checks_the_events_from_there_on() -> None:
    picture = Picture()
    take(picture, FRAMES[3])
    events = state(FRAMES[4]).events
    assert Change("witness", code="events") in take(picture, forged(FRAMES[4], events=[*events, {"k": "say", "text": ["x", {}]}]))


def test_own_cards_in_the_events_are_not_part_of_the_public_chain() -> None:
    seat, watcher = recorded(viewer=0), recorded(viewer=None)
    assert [state(frame).chain for frame in seat] == [state(frame).chain for frame in watcher]
    assert seat[0] != watcher[0]
    for frames in (seat, watcher):
        picture = Picture()
        assert not [change for frame in frames for change in take(picture, frame) if change.kind == "witness"]


@settings(max_examples=60, deadline=None)
@example([LONG, {}, LONG])
@given(st.lists(st.dictionaries(st.text(max_size=8), PLAIN, max_size=3), max_size=3))
def test_the_chain_is_worked_out_as_the_core_does(events: list[dict[str, Any]]) -> None:
    assert chained_public(bytes(32), events) == chained(bytes(32), events)


def test_what_is_remembered_is_bounded() -> None:
    picture = Picture()
    for q in range(1, 2000):
        picture.witness(StateHead("t-1", 1, EPOCH, q, bytes(8)))
    assert 512 == len(picture._heard)


def test_who_comes_between_the_deal_and_the_first_move_suspects_nobody() -> None:
    picture = Picture()
    assert [Change("view")] == take(picture, forged(FRAMES[0], events=[]))
    assert ["view"] == [change.kind for change in take(picture, FRAMES[1])]
