"""One canonical encoding of plain data."""

from __future__ import annotations

import hashlib
from typing import Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st
from properties import quick

from carteado.core.encoding import canonical, digest, plain, short
from carteado.core.errors import DesignFault

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)


def backwards(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: backwards(value[key]) for key in sorted(value, reverse=True)}
    if isinstance(value, list):
        return [backwards(item) for item in value]
    return value


@quick
@given(PLAIN)
def test_the_order_in_which_keys_were_set_does_not_matter(value: Any) -> None:
    assert canonical(value) == canonical(backwards(value))


@quick
@given(PLAIN)
def test_what_is_encoded_decodes_to_itself(value: Any) -> None:
    assert value == msgpack.unpackb(canonical(value))


@quick
@given(PLAIN)
def test_plain_data_is_copied_as_it_is(value: Any) -> None:
    assert canonical(value) == canonical(plain(value, depth=20))


def test_tuples_and_lists_encode_alike() -> None:
    assert canonical([1, [2, 3]]) == canonical((1, (2, 3)))


def test_true_and_one_encode_differently() -> None:
    assert canonical(True) != canonical(1)


def test_keys_are_sorted_by_code_point() -> None:
    assert msgpack.packb({"B": 1, "a": 2, "é": 3, "😀": 4}) == canonical({"😀": 4, "a": 2, "é": 3, "B": 1})


def test_the_digest_is_the_sha256_of_the_canonical_bytes() -> None:
    value = {"b": [1, None, True], "a": "é"}
    expected = hashlib.sha256(b"\x82\xa1a\xa2\xc3\xa9\xa1b\x93\x01\xc0\xc3").hexdigest()
    assert expected == digest(value)


def test_a_float_has_no_canonical_encoding() -> None:
    with pytest.raises(TypeError, match="float"):
        canonical({"a": [0.5]})


@pytest.mark.parametrize(
    "value",
    [0.5, float("nan"), b"x", {1, 2}, object(), 2**64, -(2**63) - 1, "\ud800", {"\udfff": 1}, {1: 2}, {True: 1}, [{"a": [1.0]}]],
)
def test_what_is_not_plain_is_a_design_fault(value: Any) -> None:
    with pytest.raises(DesignFault):
        plain(value)


def test_subclasses_of_plain_types_are_not_plain() -> None:
    class Odd(str):
        __slots__ = ()

    with pytest.raises(DesignFault, match="not plain data"):
        plain(Odd("x"))


def test_eight_levels_of_nesting_are_plain() -> None:
    assert [[[[[[[["x"]]]]]]]] == plain([[[[[[[["x"]]]]]]]])


def test_nine_levels_of_nesting_are_too_deep() -> None:
    with pytest.raises(DesignFault, match="too deeply"):
        plain([[[[[[[[["x"]]]]]]]]])


def test_data_that_contains_itself_is_refused_and_not_followed_for_ever() -> None:
    loop: list[Any] = []
    loop.append(loop)
    with pytest.raises(DesignFault, match="too deeply"):
        plain(loop)


def test_a_copy_shares_nothing_with_its_original() -> None:
    original = {"a": [1, {"b": []}]}
    copy = plain(original)
    original["a"][1]["b"].append(2)  # type: ignore[index]
    assert {"a": [1, {"b": []}]} == copy


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("draw", "draw"),
        ("x" * 30, "x" * 24),
        (7, "7"),
        (True, "True"),
        (None, "None"),
        (2**64, "int"),
        pytest.param(10**5000, "int", id="five thousand digits"),
        (1.5, "float"),
        ([1, 2], "list"),
        ("a\ud800b", "a?b"),
    ],
)
def test_anything_can_be_shown_shortly_in_a_refusal(value: Any, text: str) -> None:
    assert text == short(value)
