"""Reading and writing messages: whatever comes in, it is a message of the protocol or it is Unreadable."""

from __future__ import annotations

import dataclasses
import math
import struct
import tracemalloc
import types
from collections.abc import Callable
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import msgpack
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carteado.core.match import Match
from carteado.net import limits, protocol
from carteado.net.codec import Unreadable, encode, read_feed, read_host, read_peer
from carteado.net.errors import BadFrame
from carteado.net.views import StateHead

from .highcard import GAMES

ID, EPOCH = b"i" * 16, b"e" * 8
COMMAND = protocol.Command(EPOCH, ID, "t-1", 1, 3, {"type": "lay", "groups": [["R8", "W"], ["R3"]], "seat": 2, "face": None, "ok": True})


def strategy(kind: Any) -> st.SearchStrategy[Any]:
    """Return values of a field's type, within its bounds."""
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        hints = get_type_hints(kind, include_extras=True)
        return st.builds(kind, **{field.name: strategy(hints[field.name]) for field in msgspec.structs.fields(kind)})
    if get_origin(kind) is Annotated:
        base, *metas = get_args(kind)
        return bounded(base, metas[0])
    if get_origin(kind) in (Union, types.UnionType):
        return st.one_of([strategy(part) for part in get_args(kind)])
    if get_origin(kind) in (list, dict, tuple):
        return bounded(kind, msgspec.Meta())
    return {
        str: st.text(max_size=8), int: st.integers(0, 2**31 - 1), bool: st.booleans(), type(None): st.none(),
        bytes: st.binary(max_size=8), Any: st.none() | st.integers(0, 9) | st.text(max_size=4),
    }[kind]  # fmt: skip


def bounded(base: Any, meta: msgspec.Meta) -> st.SearchStrategy[Any]:
    """Return values of a type within the bounds of its Meta."""
    low, high = meta.min_length or 0, meta.max_length if meta.max_length is not None else 3
    if base is str and meta.pattern:
        return st.from_regex(meta.pattern.replace(r"\Z", "$"), fullmatch=True)
    if base is str:
        return st.text(min_size=low, max_size=min(high, 12))
    if base is bytes:
        return st.binary(min_size=low, max_size=min(high, 64))
    if base is int:
        lowest = meta.ge if meta.ge is not None else 0
        highest = meta.le if meta.le is not None else (meta.lt - 1 if meta.lt is not None else 2**31 - 1)
        return st.integers(int(lowest), int(highest))
    if get_origin(base) is list:
        return st.lists(strategy(get_args(base)[0]), min_size=low, max_size=min(high, 4))
    if get_origin(base) is dict:
        key, value = get_args(base)
        return st.dictionaries(strategy(key), strategy(value), min_size=low, max_size=min(high, 4))
    if get_origin(base) is tuple:
        return st.tuples(*[strategy(part) for part in get_args(base)])
    return strategy(base)


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats() | st.text(max_size=20) | st.binary(max_size=20),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner, max_size=5),
    max_leaves=25,
)


CODES = ("read", "malformed", "unknown", "oversized")


def code_of(read: Callable[[bytes], Any], frame: bytes) -> str:
    """Return with which code a frame is refused, or that it was read; any other error is the test's failure."""
    try:
        read(frame)
    except Unreadable as refusal:
        return refusal.code
    return "read"


@pytest.mark.parametrize("kind", protocol.PEER_KINDS, ids=protocol.kind_of)
def test_every_kind_of_peer_message_is_read_as_it_was_written(kind: type[protocol.PeerKind]) -> None:
    @settings(max_examples=25, deadline=None)
    @given(strategy(kind))
    def check(message: Any) -> None:
        assert message == read_peer(encode(message))

    check()


@pytest.mark.parametrize("kind", [kind for kind in protocol.HOST_KINDS if kind is not protocol.State], ids=protocol.kind_of)
def test_every_kind_of_host_message_is_read_as_it_was_written(kind: type[protocol.HostKind]) -> None:
    @settings(max_examples=25, deadline=None)
    @given(strategy(kind))
    def check(message: Any) -> None:
        assert message == read_host(encode(message))

    check()


@settings(max_examples=400, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_are_a_message_or_unreadable(frame: bytes) -> None:
    for read in (read_peer, read_host):
        assert code_of(read, frame) in CODES


@settings(max_examples=150, deadline=None)
@given(PLAIN, st.sampled_from(sorted(protocol.kind_of(kind) for kind in protocol.PEER_KINDS + protocol.HOST_KINDS)))
def test_any_plain_data_is_a_message_or_unreadable(data: Any, kind: str) -> None:
    for value in (data, {"t": kind, "x": data}, {**(data if isinstance(data, dict) else {}), "t": kind}):
        frame = msgpack.packb(value)
        for read in (read_peer, read_host):
            assert code_of(read, frame) in CODES


@settings(max_examples=400, deadline=None)
@given(st.data())
def test_a_damaged_command_is_another_command_or_unreadable(data: st.DataObject) -> None:
    frame = bytearray(encode(COMMAND))
    for _ in range(data.draw(st.integers(1, 4))):
        frame[data.draw(st.integers(0, len(frame) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(frame)))
    for damaged in (bytes(frame), bytes(frame[:cut]), bytes(frame) + b"\x00"):
        try:
            message = read_peer(damaged)
        except Unreadable:
            continue
        assert encode(message)  # within every bound


def changed(**fields: Any) -> bytes:
    """Return the command with some fields replaced."""
    raw = msgspec.to_builtins(COMMAND, builtin_types=(bytes,)) | fields
    return bytes(msgpack.packb({key: value for key, value in raw.items() if value is not ...}))


ABUSES = {
    "nothing": b"",
    "0xc1": b"\xc1",
    "a cut map": encode(COMMAND)[:-1],
    "trailing bytes": encode(COMMAND) + b"\xc0",
    "two messages": encode(COMMAND) * 2,
    "no map": msgpack.packb([1, 2]),
    "no kind": msgpack.packb({"x": 1}),
    "a kind that is no text": msgpack.packb({"t": 1}),
    "60 000 arrays": b"\x91" * 4000,
    "4000 maps": b"\x81\xa1a" * 1300,
    "array32 of 2**32": b"\xdd\xff\xff\xff\xff",
    "map32 of 2**32": b"\xdf\xff\xff\xff\xff",
    "str32 of 2**32": b"\xdb\xff\xff\xff\xff",
    "bin32 of 2**32": b"\xc6\xff\xff\xff\xff",
    "a text that is no UTF-8": b"\x82\xa1t\xa3cmd\xa1m\xa2\xff\xfe",
    "a lone surrogate": b"\x82\xa1t\xa4join\xa1m\xa3\xed\xa0\x80",
    "an extension": b"\x82\xa1t\xa4ping\xa1n\xd4\x01\x00",
    "a timestamp": b"\x82\xa1t\xa4ping\xa1n\xd6\xff\x00\x00\x00\x01",
    "a key twice": b"\x83\xa1t\xa4ping\xa1n\x01\xa1n\x02",
    "the kind twice": b"\x83\xa1t\xa4ping\xa1t\xa4ping\xa1n\x01",
    "a number as key": b"\x83\xa1t\xa4ping\xa1n\x01\x05\x01",
    "an unknown field": changed(seat=1),
    "a field missing": changed(prompt=...),
    "a text for bytes": changed(e="AAAAAAAAAAA="),
    "a float for a number": changed(prompt=3.0),
    "not a number": changed(prompt=math.nan),
    "a boolean for a number": changed(prompt=True),
    "a text for a number": changed(prompt="3"),
    "a negative number": changed(prompt=-1),
    "a huge number": changed(prompt=2**64 - 1),
    "a short epoch": changed(e=b"1234567"),
    "a long id": changed(id=b"1" * 17),
    "a table in capitals": changed(m="T-1"),
    "a table with a line break": changed(m="t-1\n"),
    "a table as a path": changed(m="../../etc"),
    "a table of 25 letters": changed(m="a" * 25),
    "an empty action": changed(d={}),
    "an action that is a list": changed(d=[1]),
    "an action with a float": changed(d={"type": "lay", "n": 1.5}),
    "an action with bytes": changed(d={"type": "lay", "n": b"1"}),
    "an action with a map": changed(d={"type": "lay", "n": {"a": 1}}),
    "an action nested too deep": changed(d={"type": "lay", "groups": [[["R1"]]]}),
    "an action of 17 fields": changed(d={f"f{i}": i for i in range(17)}),
    "an action with 65 cards": changed(d={"type": "lay", "cards": ["R1"] * 65}),
    "an action with a long text": changed(d={"type": "lay", "card": "R" * 65}),
    "an action with a long field name": changed(d={"f" * 49: 1}),
    "a version that has no next one": encode(protocol.AskPast("t-1", 1, limits.HOST_INT)),
}


def test_the_newest_version_of_which_the_past_can_be_asked_has_an_answer() -> None:
    asked = read_peer(encode(protocol.AskPast("t-1", 1, limits.HOST_INT - 1)))
    assert isinstance(asked, protocol.AskPast)
    read_host(encode(protocol.Past(asked.m, asked.match, asked.q + 1, [])))


@pytest.mark.parametrize("frame", ABUSES.values(), ids=ABUSES)
def test_an_abused_frame_is_malformed(frame: bytes) -> None:
    with pytest.raises(Unreadable, match="malformed"):
        read_peer(frame)


@pytest.mark.parametrize("kind", ["welcome", "state", "ack", "joined", "gone", "hb", "admin", ""])
def test_a_kind_that_peers_do_not_send_is_unknown_to_a_host(kind: str) -> None:
    with pytest.raises(Unreadable, match="unknown"):
        read_peer(msgpack.packb({"t": kind}))


@pytest.mark.parametrize("kind", ["cmd", "hello", "start", "admin"])
def test_a_kind_that_hosts_do_not_send_is_unknown_to_a_client(kind: str) -> None:
    with pytest.raises(Unreadable, match="unknown"):
        read_host(msgpack.packb({"t": kind}))


@pytest.mark.parametrize(("limit", "size"), [(limits.PEER_FRAME, 4097), (limits.GUEST_FRAME, 1025)])
def test_a_frame_over_the_limit_is_oversized_before_it_is_decoded(limit: int, size: int) -> None:
    with pytest.raises(Unreadable, match="oversized"):
        read_peer(b"\xc1" * size, limit)
    with pytest.raises(Unreadable, match="malformed"):
        read_peer(b"\xc1" * limit, limit)


def test_headers_that_claim_four_billion_items_allocate_nothing() -> None:
    tracemalloc.start()
    try:
        for header in (b"\xdd", b"\xdf", b"\xdb", b"\xc6"):
            with pytest.raises(Unreadable):
                read_peer(header + struct.pack(">I", 2**32 - 1))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 64 * 1024


def test_no_honest_peer_sends_what_a_host_would_drop() -> None:
    huge = protocol.Command(EPOCH, ID, "t-1", 1, 3, {f"f{i}": ["R" * 64] * 64 for i in range(2)})
    with pytest.raises(BadFrame, match="oversized"):
        encode(huge)


def test_a_client_ignores_fields_it_does_not_know() -> None:
    frame = msgpack.packb({"t": "gone", "code": "shutdown", "resume": True, "party": [1, {"a": 2}]})
    assert protocol.Gone("shutdown", True) == read_host(frame)


MATCH = Match(GAMES["high-card"], {}, [{"name": "Ana"}, {"name": "Rui"}], "t-1")
COMMIT = MATCH.deal(bytes(32))


def state(viewer: int | None, **changed: Any) -> bytes:
    """Return a state as hosts send it, with some parts of the view replaced."""
    view = MATCH.view(viewer) | changed
    return encode(protocol.State("t-1", 1, EPOCH, MATCH.q, MATCH.h, MATCH.public, view, COMMIT.events(viewer)))


@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_every_view_can_be_read_by_a_client_and_is_what_the_core_made(viewer: int | None) -> None:
    message = read_host(state(viewer))
    assert isinstance(message, protocol.State)
    assert MATCH.view(viewer) == message.view
    assert COMMIT.events(viewer) == message.events


def nested(depth: int) -> Any:
    """Return lists in lists, so many deep."""
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


ILL_VIEWS: dict[str, dict[str, Any]] = {
    "a view that is too deep": {"vars": {"a": nested(9)}},
    "a view that is very deep": {"log": [["key", {"a": nested(400)}]]},
    "a float": {"vars": {"a": 1.5}},
    "infinity": {"facts": {"a": math.inf}},
    "bytes": {"mine": {"a": b"x"}},
    "bytes deep inside": {"vars": {"a": [[{"b": b"x"}]]}},
    "a float far inside": {"facts": {"a": [[[[{"b": 1.5}]]]]}},
    "a number for a key far inside": {"vars": {"a": [[[[{1: 2}]]]]}},
    "a long text far inside": {"vars": {"a": [[[["x" * 16_385]]]]}},
    "a long list far inside": {"vars": {"a": [[[[0] * 1001]]]}},
    "a million seats": {"seats": [MATCH.view(None)["seats"][0]] * 11},
    "a negative count": {"zones": [MATCH.view(None)["zones"][0] | {"n": -1}]},
    "a number for a card": {"zones": [MATCH.view(None)["zones"][0] | {"cards": [7]}]},
    "a long face": {"zones": [MATCH.view(None)["zones"][0] | {"cards": ["R" * 25]}]},
    "a seat beyond the table": {"you": 10},
    "a sentence for a message": {"log": ["You lost."]},
    "a message without arguments": {"log": [["key"]]},
    "a prompt without forms": {"prompts": [{"id": 1, "stage": "x"}]},
    "no zones": {"zones": None},
}


@pytest.mark.parametrize("changed", ILL_VIEWS.values(), ids=ILL_VIEWS)
def test_a_view_that_is_none_is_unreadable(changed: dict[str, Any]) -> None:
    with pytest.raises(Unreadable, match="malformed"):
        read_host(state(None, **changed))


@pytest.mark.parametrize("deep", [nested(8), [[[{"a": [{"b": [None, True, -3, "x"]}]}]]]], ids=["eight lists", "lists and maps"])
def test_plain_data_may_be_eight_deep(deep: Any) -> None:
    message = read_host(state(None, vars={"a": deep}))
    assert isinstance(message, protocol.State)
    assert {"a": deep} == message.view["vars"]


def test_a_view_may_say_more_than_a_client_knows() -> None:
    message = read_host(state(0, weather={"rain": True}))
    assert isinstance(message, protocol.State)
    assert {"rain": True} == message.view["weather"]


def test_feed_is_read_as_far_as_it_bears_witness() -> None:
    head = read_feed(state(None))
    assert isinstance(head, StateHead)
    assert ("t-1", 1, EPOCH, MATCH.q, MATCH.h) == (head.m, head.match, head.e, head.q, head.h)
    beat = protocol.Heartbeat(EPOCH, {"t-1": (1, 2, bytes(8))})
    assert beat == read_feed(encode(beat))
    assert read_feed(encode(protocol.Gone("shutdown"))) is None


@pytest.mark.parametrize("frame", [b"", b"\xc1", b"\x91" * 4000, encode(protocol.Joined("t-1")), bytes(limits.HOST_FRAME + 1)])
def test_what_is_no_witness_is_unreadable(frame: bytes) -> None:
    with pytest.raises(Unreadable):
        read_feed(frame)


@pytest.mark.parametrize(
    "frame",
    [
        b"\xc1",
        msgpack.packb({"t": "state", "m": "t-1"}),
        msgpack.packb({"t": "pong", "n": 1, "match": 0, "q": -1, "h": EPOCH, "mono": 0}),
        msgpack.packb({"t": "ack", "id": ID, "no": {"code": "A" * 9}}),
        msgpack.packb({"t": "tables", "tables": [{"m": "t-1"}], "games": []}),
        b"\x82\xa1t\xa4gone\xa4code\xa1A",
        bytes(limits.HOST_FRAME + 1),
    ],
)
def test_a_hostile_host_is_unreadable(frame: bytes) -> None:
    with pytest.raises(Unreadable):
        read_host(frame)


def test_messages_cannot_be_changed_after_they_were_read() -> None:
    with pytest.raises((AttributeError, dataclasses.FrozenInstanceError)):
        read_peer(encode(COMMAND)).prompt = 4  # type: ignore[union-attr, misc]
