"""The log: one line an event, escaped, without secrets, and only so much of it."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from carteado.core.errors import PluginFault
from carteado.net import logs
from carteado.net.errors import StoreFailure

log = logging.getLogger("carteado.test")


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    root = logging.getLogger()
    before, level, raising = list(root.handlers), root.level, logging.raiseExceptions
    for handler in before:
        root.removeHandler(handler)
    yield
    for handler in list(root.handlers):
        root.removeHandler(handler)
        handler.close()
    for handler in before:
        root.addHandler(handler)
    root.setLevel(level)
    logging.raiseExceptions = raising


def written(kind: str = "text", level: str = "debug") -> io.StringIO:
    out = io.StringIO()
    logs.begin(kind, level, stream=out)
    return out


def test_an_event_is_a_line_of_text() -> None:
    out = written()
    logs.note(log, "table.open", table="t-1", by="Ana Maria")
    assert 'INFO carteado.test table.open table=t-1 by="Ana Maria"\n' == out.getvalue().partition(" ")[2]


def test_an_event_is_a_json_object() -> None:
    out = written("json")
    logs.note(log, "table.open", table="t-1", seats=3)
    line = json.loads(out.getvalue())
    assert {"level": "INFO", "logger": "carteado.test", "text": "table.open", "table": "t-1", "seats": 3} == {
        key: value for key, value in line.items() if key != "time"
    }


def test_what_is_below_the_level_is_not_written() -> None:
    out = written(level="warning")
    logs.note(log, "table.open")
    assert "" == out.getvalue()


@pytest.mark.parametrize("kind", ["text", "json"])
@pytest.mark.parametrize("name", ["a\nERROR forged", "a\r\x1b[31m", "a\u202eb", "a\x85b", "a\u2028b"])
def test_a_name_can_begin_no_line_and_turn_none_around(kind: str, name: str) -> None:
    out = written(kind)
    logs.note(log, "peer.hello", player=name)
    log.warning("hello of %s", name)
    assert 2 == out.getvalue().count("\n")
    assert not set(out.getvalue()) & set("\r\x1b\u202e\x85\u2028")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("seed " + 32 * "a1" + " drawn", "seed *** drawn"),
        ("postgresql+psycopg://ana:geheim@db/x", "postgresql+psycopg://ana:***@db/x"),
    ],
)
def test_secrets_are_struck_out(text: str, shown: str) -> None:
    out = written()
    log.warning(text)
    assert shown in out.getvalue()


def test_of_an_error_of_a_game_only_kind_and_place_are_written() -> None:
    out = written("json")
    try:
        try:
            raise KeyError("R7 is not in hand/2")
        except KeyError as error:
            raise PluginFault("skat", "turn", "R7 is not in hand/2") from error
    except PluginFault:
        log.exception("the game %s failed", "skat")
    line = json.loads(out.getvalue())
    assert "R7" not in out.getvalue()
    assert line["trace"].startswith("PluginFault in skat.turn at test_logs.py:")
    assert "; because of KeyError at test_logs.py:" in line["trace"]


def test_of_an_error_of_the_store_the_words_are_written() -> None:
    out = written()
    try:
        raise StoreFailure("the disk is full")
    except StoreFailure:
        log.exception("cannot save")
    assert "StoreFailure: the disk is full at " in out.getvalue()


def test_many_lines_of_one_kind_are_cut_and_counted() -> None:
    now = [0.0]
    rate = logs.Rate(lambda: now[0])
    record = lambda: logging.LogRecord("x", logging.WARNING, "", 0, "refused %s", ("a",), None)  # noqa: E731
    assert logs.BURST == sum(rate.filter(record()) for _ in range(100))
    assert 100 - logs.BURST == rate.left_out
    now[0] = 1.5
    late = record()
    assert rate.filter(late)
    assert 100 - logs.BURST == late.left_out  # type: ignore[attr-defined]
    assert rate.filter(logging.LogRecord("x", logging.WARNING, "", 0, "another kind", (), None))


def test_kinds_that_are_counted_are_bounded() -> None:
    rate = logs.Rate(lambda: 0.0)
    for number in range(2 * logs.KINDS):
        rate.filter(logging.LogRecord("x", logging.WARNING, "", 0, f"kind {number}", (), None))
    assert logs.KINDS == len(rate._kinds)


def test_a_log_file_begins_anew_and_keeps_three_old_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "_FILE", 500)
    logs.begin("text", "debug", tmp_path / "log" / "host.log")
    for number in range(200):
        log.info(f"line {number}")
    assert ["host.log", "host.log.1", "host.log.2", "host.log.3"] == sorted(path.name for path in (tmp_path / "log").iterdir())
    assert all(path.stat().st_size <= 500 for path in (tmp_path / "log").iterdir())
