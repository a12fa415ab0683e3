"""What a host writes about itself: one line an event, as text or JSON, escaped, without secrets, and never more than a reader can take.

No hidden card, seed, token or secret key is ever logged. So that a game's own exception cannot tell one either, of errors in a log
line only the kinds and places are written, with the words of those that are about files, sockets and settings.
"""

from __future__ import annotations

import json
import logging
import re
import sys
import time
from logging.handlers import RotatingFileHandler
from pathlib import Path
from traceback import extract_tb
from typing import Any, Final, TextIO

from carteado.core.errors import LoadFailure, PluginFault

from . import buckets
from .errors import NetError
from .table_ids import SECRET, SHORT

BURST: Final = 20
"""Lines of one kind that are written at once; then one each second, with the number of those left out."""
KINDS: Final = 512
"""Kinds of lines that are counted."""
_LONGEST = 2000
_FILE, _OLD = 5 << 20, 3
_TELLING = (OSError, NetError, LoadFailure)
_SECRETS = (
    (re.compile(r"(://[^:/@\s]*):[^@\s]+@"), r"\1:***@"),  # the password in the address of a database
    (re.compile(r"\b[0-9a-fA-F]{64}\b"), "***"),  # seeds, secret keys
    (SECRET, SHORT),  # whoever has read it could join
)
_ODD = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]")


def note(log: logging.Logger, event: str, level: int = logging.INFO, **fields: Any) -> None:
    """Log an event (`table.open`, `match.over`) with its fields: plain values that everybody at the host may know."""
    if log.isEnabledFor(level):
        log.log(level, event, extra={"fields": fields})


def escaped(text: str) -> str:
    """Return a text as a log line holds it: on one line, not too long, secrets struck out."""
    for pattern, instead in _SECRETS:
        text = pattern.sub(instead, text)
    return one_line(text[:_LONGEST] + "..." if len(text) > _LONGEST else text)


def many(number: int, one: str, more: str = "") -> str:
    """Return a number with its noun: `1 match`, `2 matches`. more: the plural, if it is not made with an s."""
    return f"{number} {one if number == 1 else more or one + 's'}"


def one_line(text: str) -> str:
    """Return a text on one line: whatever would break the line or its order is written as an escape."""
    return _ODD.sub(lambda odd: f"\\u{ord(odd[0]):04x}" if ord(odd[0]) > 0xFF else f"\\x{ord(odd[0]):02x}", text)


def trace(error: BaseException) -> str:
    """Return what was raised and where, from the cause outwards; words only of errors that cannot know a card."""
    parts: list[str] = []
    seen: set[int] = set()
    one: BaseException | None = error
    while one is not None and id(one) not in seen and len(parts) < 5:
        seen.add(id(one))
        frames = reversed([frame for frame in extract_tb(one.__traceback__) if Path(frame.filename).parent.name != "pluggy"][-6:])
        where = " < ".join(f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames)
        words = f": {one}" if isinstance(one, _TELLING) else f" in {one.plugin}.{one.hook}" if isinstance(one, PluginFault) else ""
        parts.append(f"{type(one).__name__}{words} at {where or '?'}")
        one = one.__cause__ or (None if one.__suppress_context__ else one.__context__)
    return "; because of ".join(parts)


class TextLines(logging.Formatter):
    """Write `time LEVEL logger text key=value`."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        facts = _facts(record)
        more = "".join(f" {key}={_quoted(value)}" for key, value in facts.pop("fields").items())
        why = f" | {facts['trace']}" if "trace" in facts else ""
        return f"{facts['time']} {facts['level']} {facts['logger']} {facts['text']}{more}{why}"


class JsonLines(logging.Formatter):
    """Write one JSON object a line: `time`, `level`, `logger`, `text`, the event's own fields, and `trace`."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        facts = _facts(record)
        return json.dumps({**facts.pop("fields"), **facts}, ensure_ascii=False, default=str)


def _facts(record: logging.LogRecord) -> dict[str, Any]:
    moment = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03}Z"
    fields = {key: escaped(value) if isinstance(value, str) else value for key, value in getattr(record, "fields", {}).items()}
    left_out = getattr(record, "left_out", 0)
    if left_out:
        fields["left_out"] = left_out
    facts = {"time": moment, "level": record.levelname, "logger": record.name, "text": escaped(record.getMessage()), "fields": fields}
    if record.exc_info and record.exc_info[1] is not None:
        facts["trace"] = escaped(trace(record.exc_info[1]))
    return facts


def _quoted(value: Any) -> str:
    text = str(value)
    return json.dumps(text, ensure_ascii=False) if not text or any(sign in text for sign in ' "=\\') else text


class Rate(logging.Filter):
    """Let only so many lines of one kind through (the same words before anything is filled in), and count those that are left out."""

    def __init__(self, clock: Any = time.monotonic) -> None:
        super().__init__()
        self.left_out = 0
        self._clock = clock
        self._kinds = buckets.Buckets(buckets.Rate(1, BURST), room=KINDS)
        self._left_out: dict[tuple[str, str], int] = {}  # since the last line of a kind

    def filter(self, record: logging.LogRecord) -> bool:
        """Tell whether a line is written."""
        kind = (record.name, str(record.msg))
        if self._kinds.take(kind, self._clock()):
            record.left_out = self._left_out.pop(kind, 0)
            return True
        self._left_out[kind] = self._left_out.get(kind, 0) + 1
        self.left_out += 1
        if len(self._left_out) > KINDS:
            del self._left_out[next(iter(self._left_out))]
        return False


def begin(kind: str = "text", level: str = "warning", path: Path | None = None, stream: TextIO | None = None) -> Rate:
    """Write this program's log as `text` or `json` lines from this level on, to a file or (None) to standard error.

    Returns the rate limit, which counts what is left out. Raises: OSError for a file that cannot be written.
    """
    handler: logging.Handler
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        handler = RotatingFileHandler(path, maxBytes=_FILE, backupCount=_OLD, encoding="utf-8")
    else:
        handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines() if kind == "json" else TextLines())
    rate = Rate()
    handler.addFilter(rate)
    root = logging.getLogger()
    for old in list(root.handlers):
        root.removeHandler(old)
        old.close()
    root.addHandler(handler)
    root.setLevel(level.upper())
    for chatty in ("asyncio", "alembic", "sqlalchemy"):
        logging.getLogger(chatty).setLevel(max(logging.WARNING, root.level))
    logging.raiseExceptions = False  # a full disk under the log is no reason to write to a broken standard error
    return rate
