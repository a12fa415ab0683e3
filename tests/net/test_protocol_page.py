"""docs/protocol.md says what the code does: every message, field, limit, code and example, and the other way round."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgpack
import msgspec
import pytest

from carteado.core.events import EVENT_KINDS
from carteado.core.forms import FIELD_KINDS
from carteado.net import chairs, limits, protocol, tables, terms, views
from carteado.net.codec import read_host, read_peer
from carteado.net.dispatch import WithId
from carteado.net.refusals import FAREWELLS, REFUSALS

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")


def section(title: str, level: int = 2) -> str:
    """Return the text below a heading, up to the next heading of its level."""
    found = re.search(rf"^#{{{level}}} {re.escape(title)}\n(.*?)(?=^#{{1,{level}}} |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found, f"no section {title!r}"
    return found[1]


def rows(text: str) -> list[list[str]]:
    """Return the cells of a text's table rows, without headings and rules."""
    lines = [line for line in text.split("\n") if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip("|").split(" |")] for line in lines]
    return [row for i, row in enumerate(cells) if not (set("".join(row)) <= set("-|: ") or (i + 1 < len(lines) and "|---" in lines[i + 1]))]


def documented(part: str) -> dict[str, list[tuple[str, bool]]]:
    """Return kind -> fields with whether they are needed, from one of the two sections of messages."""
    kinds = {}
    for heading in re.split(r"^### ", section(part), flags=re.MULTILINE)[1:]:
        name, _, body = heading.partition("\n")
        kinds[name.strip("`")] = [(row[0].strip("`"), row[2] == "yes") for row in rows(body)]
    return kinds


def coded(kinds: tuple[Any, ...]) -> dict[str, list[tuple[str, bool]]]:
    """Return the same from the code."""
    return {protocol.kind_of(kind): [(field.name, field.required) for field in msgspec.structs.fields(kind)] for kind in kinds}


def names(text: str) -> list[str]:
    """Return the first cell of each row, without quotes."""
    return [row[0].strip("`") for row in rows(text)]


@pytest.mark.parametrize(("part", "kinds"), [("Messages of peers", protocol.PEER_KINDS), ("Messages of hosts", protocol.HOST_KINDS)])
def test_every_message_and_field_is_on_the_page_and_none_besides(part: str, kinds: tuple[Any, ...]) -> None:
    assert coded(kinds) == documented(part)


def test_every_field_has_its_meaning_or_needs_none() -> None:
    bare = {"id", "n"}
    for part in ("Messages of peers", "Messages of hosts"):
        for row in rows(section(part)):
            assert row[3] or row[0].strip("`") in bare, row


def test_every_structure_inside_a_message_names_its_fields_on_the_page() -> None:
    for kind, place in (
        (protocol.HostInfo, "host"), (protocol.You, "you"), (protocol.TableRow, "tables"), (protocol.GameRow, "games"),
        (protocol.Chair, "chairs"), (protocol.Why, "no"), (terms.Terms, "terms"), (terms.Clocks, "clk"), (terms.Leaving, "leaving"),
    ):  # fmt: skip
        told = [row[3] for row in rows(section("Messages of hosts")) if row[0] == f"`{place}`"]
        inside = re.search(r"`\{(.*?)\}`", " ".join(told))
        assert inside, place
        listed = [name.partition(":")[0].strip() for name in re.sub(r"\[.*?\]", "", inside[1]).split(",")]
        assert [field.name for field in msgspec.structs.fields(kind)] == listed


def test_every_code_is_on_the_page_with_its_sentence() -> None:
    told = {row[0].strip("`"): row[1] for row in rows(section("Codes"))}
    assert {**REFUSALS, **FAREWELLS} == told


def test_every_limit_on_the_page_is_the_code_s() -> None:
    told = {row[0].partition(":")[0].strip("`"): row[1] for row in rows(section("Limits"))}
    assert told
    assert {
        name: f"{getattr(limits, name):g}" if isinstance(getattr(limits, name), float) else str(getattr(limits, name)) for name in told
    } == told


def test_the_limits_that_a_welcome_tells_are_on_the_page() -> None:
    (told,) = [row[3] for row in rows(section("Messages of hosts")) if row[0] == "`limits`"]
    assert list(limits.told()) == re.findall(r"`(\w+)`", told)


def test_every_stage_and_line_is_on_the_page() -> None:
    assert list(tables.STAGES) == names(section("A table's life"))
    assert list(chairs.LINES) == names(section("Lines", 3))


def test_every_part_of_a_view_is_on_the_page_and_checked_by_clients() -> None:
    text = section("The view")
    parts = names(text.partition("\nA form is")[0])
    assert [field.name for field in msgspec.structs.fields(views.View)] == parts
    for kind, words in (
        (views.SeatView, "seats"),
        (views.PromptView, "prompts"),
        (views.LayoutView, "layout"),
        (views.ResultView, "result"),
    ):
        (told,) = [row[1] for row in rows(text) if row[0] == f"`{words}`"]
        inside = re.search(r"`\{(.*?)\}`", told)
        assert inside
        assert {field.name for field in msgspec.structs.fields(kind)} == set(inside[1].split(", "))


def test_every_field_kind_and_event_is_on_the_page() -> None:
    fields = section("The view").partition("\nA form is")[2].partition("\n### ")[0]
    assert set(FIELD_KINDS) == set(names(fields))
    assert set(EVENT_KINDS) == set(names(section("Events", 3)))


def test_the_messages_with_an_id_are_those_on_the_page() -> None:
    told = section("Messages with an id").partition(" carry an")[0]
    assert {protocol.kind_of(kind) for kind in WithId} == set(re.findall(r"`(\w+)`", told))


def examples() -> list[tuple[str, str]]:
    """Return the examples: hex, and what it says."""
    block = re.search(r"```\n(.*?)```", section("Examples"), re.DOTALL)
    assert block
    return [tuple(example.strip().split("\n")) for example in block[1].strip().split("\n\n")]  # type: ignore[misc]


def spelled(value: Any) -> str:
    """Return plain data as the page writes it: JSON, and bytes as h'...'."""
    if isinstance(value, bytes):
        return f"h'{value.hex()}'"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)}: {spelled(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(spelled, value)) + "]"
    return json.dumps(value)


@pytest.mark.parametrize(("frame", "says"), examples())
def test_an_example_is_read_as_it_says(frame: str, says: str) -> None:
    raw = msgpack.unpackb(bytes.fromhex(frame))
    assert spelled(raw) == says
    kinds = {protocol.kind_of(kind) for kind in protocol.PEER_KINDS}
    message = read_peer(bytes.fromhex(frame)) if raw["t"] in kinds else read_host(bytes.fromhex(frame))
    assert msgspec.msgpack.encode(message) == bytes.fromhex(frame)
