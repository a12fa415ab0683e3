"""What a host counts and measures of itself, without any library: the numbers behind `carteado admin metrics` and Prometheus."""

from __future__ import annotations

import errno
import os
import sys
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from .store import EntryRecord, ResultRecord

if sys.platform != "win32":
    import resource

if TYPE_CHECKING:
    from .feed import Turn
    from .host import Host

BOUNDS: Final = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
"""Upper bounds of the buckets of what is timed, in seconds."""
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
_FILES = Path("/proc/self/fd")


class Timing:
    """How long something took, how often: a histogram over BOUNDS. last: the newest, in seconds."""

    __slots__ = ("counts", "last", "total")

    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS) + 1)
        self.total = 0.0
        self.last = 0.0

    @property
    def count(self) -> int:
        """How often."""
        return sum(self.counts)

    def add(self, seconds: float) -> None:
        """Add one."""
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.total += seconds
        self.last = seconds

    def below(self, share: float) -> float:
        """Return the bound below which this share of all lies, in seconds; infinite beyond the last bound, 0 without any."""
        wanted, seen = share * self.count, 0
        if not wanted:
            return 0.0
        for bound, count in zip((*BOUNDS, float("inf")), self.counts, strict=True):
            seen += count
            if seen >= wanted:
                return bound
        return float("inf")


@dataclass
class Meters:
    """What a host has done since it began.

    commits: keeping a turn. views: making and sending what a turn shows. turns: from taking a turn's messages to the last view sent.
    versions: committed entries of matches. snaps: whole views sent beside the stream, to who joins or has fallen behind.
    """

    began: float = field(default_factory=time.time)
    commits: Timing = field(default_factory=Timing)
    views: Timing = field(default_factory=Timing)
    turns: Timing = field(default_factory=Timing)
    versions: int = 0
    matches: int = 0
    snaps: int = 0

    def took(self, turn: Turn, began: float, carried_out: float, kept: float, shown: float) -> None:
        """Add a turn, by the moments at which its parts ended."""
        entries = [record for record in turn.records if isinstance(record, EntryRecord)]
        if turn.records:
            self.commits.add(kept - carried_out)
        if turn.sends or turn.feed:
            self.views.add(shown - kept)
        if entries:
            self.turns.add(shown - began)
        self.snaps += turn.snaps
        self.versions += len(entries)
        self.matches += sum(isinstance(record, ResultRecord) for record in turn.records)


@dataclass(frozen=True)
class Figure:
    """One number, or one for each value of a label. kind: `counter | gauge | timing`."""

    name: str
    kind: str
    help: str
    samples: Mapping[str, float] | Timing
    label: str = ""


def resident() -> int:
    """Return the bytes of memory that this process holds now (on a Mac: has held at most); 0 where the system does not tell."""
    if sys.platform == "win32":
        return 0
    if sys.platform == "darwin":
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    try:
        return int(os.pread(_statm(), 256, 0).split()[1]) * _PAGE
    except (OSError, ValueError, IndexError):
        return 0


@cache
def _statm() -> int:
    """Return a descriptor that stays open: what memory is held can be told also when no file more can be opened."""
    return os.open("/proc/self/statm", os.O_RDONLY | os.O_CLOEXEC)


def open_files() -> tuple[int, int]:
    """Return how many files and sockets this process has open, and how many it may have; 0: the system does not tell."""
    if sys.platform == "win32":
        return 0, 0
    allowed = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    try:
        return len(os.listdir(_FILES)), allowed
    except OSError as error:
        return (allowed if error.errno == errno.EMFILE else 0), allowed  # there is not even one left to count them with


def figures(host: Host) -> Sequence[Figure]:
    """Return everything a host knows about itself in numbers; nothing in it tells a card, a key or a name."""
    meters, files = host.meters, open_files()
    chairs = [chair for table in host.tables.values() for chair in table.chairs]
    now = host.now()

    def one(name: str, kind: str, help: str, value: float) -> Figure:
        return Figure(name, kind, help, {"": value})

    return (
        one("start_time_seconds", "gauge", "When the host began, in seconds since 1970.", meters.began),
        Figure("refused_total", "counter", "Messages refused or dropped, by code.", dict(host.refused), "code"),
        Figure("tables", "gauge", "Tables, by stage.", _counted(table.stage for table in host.tables.values()), "stage"),
        one("tables_resuming", "gauge", "Tables whose matches are still to be brought back after the start.", len(host.returning)),
        Figure("seats", "gauge", "Chairs, by the line to who sits there.", _counted(chair.line(now) for chair in chairs), "line"),
        one("peers", "gauge", "Connected peers.", len(host.sessions)),
        one("watchers", "gauge", "Peers that watch a table.", sum(len(table.watchers()) for table in host.tables.values())),
        one("queue", "gauge", "Messages that wait for the next turn of the loop.", host.waiting()),
        one("thinking", "gauge", "Questions that players of the house think about.", host.thinking()),
        one("versions_total", "counter", "Committed entries of matches.", meters.versions),
        one("matches_total", "counter", "Matches that have ended.", meters.matches),
        one("snaps_total", "counter", "Whole views sent to who has joined or fallen behind.", meters.snaps),
        one("eagain_total", "counter", "Sends that found a peer's queue full.", host.refused["eagain"]),
        Figure("commit_seconds", "timing", "Time to keep a turn.", meters.commits),
        Figure("view_seconds", "timing", "Time to make and send what a turn shows.", meters.views),
        Figure("turn_seconds", "timing", "Time from taking a turn's messages to the last view sent.", meters.turns),
        one("resident_bytes", "gauge", "Memory that the host holds.", resident()),
        one("open_files", "gauge", "Open files and sockets.", files[0]),
        one("open_files_limit", "gauge", "Open files and sockets that are allowed.", files[1]),
        one("frozen", "gauge", "1 while the host waits for its store.", float(host.frozen)),
    )


def _counted(words: Iterable[str]) -> dict[str, float]:
    return {word: float(count) for word, count in sorted(Counter(words).items())}
