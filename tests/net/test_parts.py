"""A client reads a view part by part: what is known is taken as it was, what is new is checked, and the whole is always what came."""

from __future__ import annotations

import random
from typing import Any

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carteado.core.match import DEALING, OVER, Match
from carteado.net.codec import Unreadable, encode, read_host
from carteado.net.parts import Parts
from carteado.net.protocol import State

from .rooms import GAMES, Steady

EPOCH = bytes(8)
LOGS = st.lists(st.tuples(st.sampled_from(["a", "b", "ab"]), st.integers(0, 3)), max_size=40)


def told(match: Match, viewer: int | None, **changed: Any) -> bytes:
    """Return a state as a host sends it, with some parts of the view replaced."""
    return encode(State("t-1", 1, EPOCH, match.q, match.h, match.public, match.view(viewer) | changed, []))


def played(viewer: int | None) -> list[bytes]:
    """Return every state of a match."""
    match = Match(GAMES["high-card"], {}, [{"name": "Ana"}, {"name": "Rui"}, {"name": "Eva"}], "t-1")
    frames = []
    while match.phase != OVER:
        if match.phase == DEALING:
            match.deal(bytes(31) + bytes([match.hand]))
        else:
            seat = min(match.prompts)
            match.act(seat, match.prompts[seat].id, Steady().choose(match.view(seat), random.Random(0)))
        frames.append(told(match, viewer))
    return frames


@pytest.mark.parametrize("viewer", [None, 0, 2])
def test_views_read_one_after_the_other_are_the_same_as_each_read_alone(viewer: int | None) -> None:
    parts = Parts()
    for frame in played(viewer):
        assert read_host(frame) == read_host(frame, parts)


def test_the_same_bytes_are_checked_anew_where_they_mean_something_else() -> None:
    match = Match(GAMES["high-card"], {}, [{"name": "Ana"}, {"name": "Rui"}], "t-1")
    match.deal(bytes(32))
    parts, zone = Parts(), match.view(0)["zones"][0]
    read_host(told(match, 0), parts)
    for changed in ({"seats": [zone]}, {"log": [zone]}, {"vars": [zone]}, {"hand": zone}):
        with pytest.raises(Unreadable, match="malformed"):
            read_host(told(match, 0, **changed), parts)
    assert read_host(told(match, 0)) == read_host(told(match, 0), parts)


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.lists(st.tuples(st.sampled_from(["a", "b", "ab"]), st.integers(0, 3)), max_size=40), min_size=2, max_size=6), st.booleans()
)
def test_a_log_is_what_came_whatever_was_before(logs: list[list[tuple[str, int]]], long: bool) -> None:
    match = Match(GAMES["high-card"], {}, [{"name": "Ana"}, {"name": "Rui"}], "t-1")
    match.deal(bytes(32))
    parts, line = Parts(), []
    for log in logs:
        line = [*line, *([key, {"n": n}] for key, n in log)][-30:] if long else [[key, {"n": n}] for key, n in log]
        shown = read_host(told(match, None, log=line), parts)
        assert isinstance(shown, State)
        assert line == shown.view["log"]


def test_a_line_of_the_log_that_is_none_is_refused_behind_known_ones_too() -> None:
    match = Match(GAMES["high-card"], {}, [{"name": "Ana"}, {"name": "Rui"}], "t-1")
    match.deal(bytes(32))
    parts, log = Parts(), [["said", {"n": n}] for n in range(20)]
    read_host(told(match, None, log=log), parts)
    for wrong in ("text", ["said"], ["said", 1], ["said", {"n": 1.5}]):
        with pytest.raises(Unreadable, match="malformed"):
            read_host(told(match, None, log=[*log[2:], wrong]), parts)
    with pytest.raises(Unreadable, match="malformed"):
        read_host(told(match, None, log=[["said", {}]] * 201), parts)


def test_what_a_client_does_not_know_is_passed_on_as_it_came() -> None:
    match = Match(GAMES["high-card"], {}, [{"name": "Ana"}, {"name": "Rui"}], "t-1")
    match.deal(bytes(32))
    parts = Parts()
    for weather in ({"rain": [1, 2]}, {"rain": [1, 2]}, "sun"):
        shown = read_host(told(match, None, weather=weather, layout={"title": [["t", {}]], "music": weather}), parts)
        assert isinstance(shown, State)
        assert (weather, {"title": [["t", {}]], "music": weather}) == (shown.view["weather"], shown.view["layout"])


def test_an_array_with_a_longer_header_than_needed_is_read_all_the_same() -> None:
    match = Match(GAMES["high-card"], {}, [{"name": "Ana"}, {"name": "Rui"}], "t-1")
    match.deal(bytes(32))
    plain = told(match, None, log=[["said", {}]])
    wide = plain.replace(msgpack.packb("log") + b"\x91", msgpack.packb("log") + b"\xdd\x00\x00\x00\x01")
    parts = Parts()
    assert plain != wide
    assert read_host(plain) == read_host(wide, parts) == read_host(plain, parts) == read_host(wide, parts)
