"""The life of a table: chairs, the lobby, one match after the other, the pause between hands, leaving.

A table knows no socket. Whatever happens goes through a `Tick`, which keeps it first and shows it afterwards. Every method that
a peer can cause raises `Refused` before anything has changed, or changes everything it says.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

from carteado.core.errors import CarteadoError, PluginFault, Refused
from carteado.core.game import Game
from carteado.core.match import OVER, Commit, Match
from carteado.core.rules import Rules

from . import limits, purse
from .chairs import AWAY, Chair
from .clock import Clock
from .deadline import within
from .dealing import Dealing
from .face import BETWEEN, BROKEN, ENDED, LOBBY, PAUSED, PLAYING, STAGES
from .logs import note
from .protocol import Ack
from .rounds import Rounds
from .seating import SEATED, Seeds, Tick
from .sessions import Session
from .store import AnswerRecord, EntryRecord, MatchRecord, StoredTable, TableRecord
from .terms import Terms
from .timekeeping import Timekeeper

if TYPE_CHECKING:
    from .feed import Showing

__all__ = ["BETWEEN", "BROKEN", "ENDED", "LOBBY", "PAUSED", "PLAYING", "STAGES", "Table"]

log = logging.getLogger(__name__)


class Table(Rounds):
    """A table for one game; `number` counts its matches.

    head: number, version and public chain of what was shown last. showing: the version that is shown now.
    """

    def __init__(
        self, id: str, game: Game, options: Mapping[str, Any], places: int, seeds: Seeds, clock: Clock,
        hand_pause: float = 0.0, policy: str = SEATED, opener: bytes | None = None, house: Sequence[Any] = (),
        terms: Terms | None = None,
    ) -> None:  # fmt: skip
        super().__init__(id, game, options, house, places, policy, opener)
        self.deal_at: float | None = None
        self._alone: float | None = None
        self.head = (0, 0, bytes(8))
        self.showing: Showing | None = None
        self.purses = purse.Purses()
        self._clock = clock
        self._hand_pause = hand_pause
        self.time = Timekeeper(self, terms or Terms(), clock.now())
        self.dealing = Dealing(id, seeds)
        self.past = deque(maxlen=limits.PAST)

    def whole(self) -> Table:
        """Return this table."""
        return self

    # Reading

    def record(self) -> TableRecord:
        """Return what must not be forgotten of the table besides its journal."""
        record = super().record()
        if self.held or self.pending:
            return record
        return replace(record, terms=to_builtins(self.time.terms), banks=self.time.banks(self._clock.now()))

    @cached_property
    def settles(self) -> bool:
        """Whether the game says itself what a match costs."""
        return Rules(self.game, self.house).has("settle")

    # Leaving

    def leave(self, session: Session, tick: Tick) -> None:
        """Give the chair up for good; in a match, the game or a computer player goes on without its player."""
        if session.seat is not None and self.held is None:
            self.vacate(self.chairs[session.seat], tick)
        self.part(session, tick)

    def vacate(self, chair: Chair, tick: Tick) -> None:
        """Take a chair from its player for good, as by the player's own wish."""
        if self.resting:
            chair.clear()
        else:
            self._desert(chair, tick)
        tick.save(self.record())
        tick.changed(self)

    # Play

    def start(self, session: Session, tick: Tick) -> None:
        """Start the first match. Raises: Refused with running, bad_players, not_allowed."""
        self._demand(session)
        self._may_begin()
        if self.match is not None:
            raise Refused("running" if self.match.phase != OVER else "started")
        self._begin(tick)

    def rematch(self, session: Session, tick: Tick) -> None:
        """Start another match with who is here. Raises: Refused with not_started, running, bad_players, not_allowed."""
        self._demand(session)
        self._may_begin()
        if self.match is None:
            raise Refused("not_started")
        if self.match.phase != OVER:
            raise Refused("running")
        self._begin(tick)

    def ready(self, session: Session, on: bool, tick: Tick) -> None:
        """Note who is ready; when all people at the table are, go on: start, deal, or another match.

        While a hand is played it changes nothing: what the player is ready for has begun. Raises: Refused("broken").
        """
        chair = self._own(session)
        stage = self.stage
        if stage == BROKEN:
            raise Refused("broken")
        if stage in (PLAYING, PAUSED):
            return
        if on and stage != BETWEEN:
            self._may_begin()
        chair.ready = on
        tick.save(self.record())
        tick.changed(self)
        people = [other for other in self.chairs if other.person and (stage == LOBBY or other.line(tick.now) != AWAY)]
        if not all(other.ready for other in people):
            return
        if stage == BETWEEN:
            self._deal(tick)
        elif (stage == ENDED or not any(other.free for other in self.chairs)) and self._enough():
            self._begin(tick)

    def pause(self, session: Session, on: bool, tick: Tick) -> None:
        """Stop the table or let it go on. Raises: Refused with not_started, not_allowed."""
        self._demand(session)
        if self.resting:
            raise Refused("not_started")
        self.halt(on, tick)

    def halt(self, on: bool, tick: Tick) -> None:
        """Stop the table or let it go on, whoever wants it; a match is going on."""
        self.paused = on
        self.time.tend(tick)
        if not on and self.stage == BETWEEN:
            self._rest(tick)
        tick.save(self.record())
        tick.changed(self)

    def act(self, session: Session, number: int, prompt: int, action: dict[str, Any], tick: Tick) -> int:
        """Apply a command of the session's own seat; return the version that came of it.

        Raises: Refused with the table's own codes, the core's, or the game's.
        """
        chair = self._own(session)
        if chair.fresh and self.match is not None:
            raise Refused("stale_match")
        q = self.play(chair.seat, number, prompt, action, tick)
        chair.spent = 0.0
        return q

    def play(self, seat: int, number: int, prompt: int, action: dict[str, Any], tick: Tick) -> int:
        """Apply a seat's answer, its player's or the house's; return the version that came of it. Raises: Refused as `act` does."""
        if self.match is None:
            raise Refused("not_started")
        if number != self.number:
            raise Refused("stale_match")
        if self.why:
            raise Refused("broken")
        if self.paused:
            raise Refused("paused")
        commit = self._guarded(lambda match: match.act(seat, prompt, action), tick)
        self._after(commit, tick, seat)
        return commit.q

    def due(self, tick: Tick) -> None:
        """Deal when the pause between two hands is over, and close what has run out of time."""
        self.time.tend(tick)
        if self.deal_at is not None and self.deal_at <= tick.now and self.stage == BETWEEN:
            self._deal(tick)

    def look(self, tick: Tick) -> None:
        """Notice lines that got worse or better, and while no match is going on, players who have gone away."""
        if self.pending is not None:
            return
        if self.resting:
            for chair in self.chairs:
                if chair.person and chair.session is None and chair.quiet(tick.now) >= limits.VACANT:
                    chair.clear()
                    tick.save(self.record())
                    tick.changed(self)
        self.time.look(tick)
        if any(chair.shown != chair.line(tick.now) for chair in self.chairs):
            tick.changed(self)

    def deserted(self, now: float) -> float:
        """Return for how many seconds no human being has had a chair here or watched; 0 for a table of the house."""
        people = any(chair.person for chair in self.chairs) or any(session.bot is None for session in self.audience)
        if people or self.opener is None or self.held or self.pending:
            self._alone = None
            return 0.0
        if self._alone is None:
            self._alone = now
        return now - self._alone

    def unattended(self, now: float) -> float:
        """Return for how many seconds nobody was here who has a chair, or watches; 0 for a table of the house."""
        if self.opener is None or self.held or self.pending or any(session.bot is None for session in self.audience):
            return 0.0
        return min((chair.quiet(now) for chair in self.chairs if chair.person), default=0.0)

    def stop(self, why: str, tick: Tick) -> None:
        """Stop the table for good because its game, or what was made of it, has a fault."""
        log.error("table %s is stopped: %s", self.id, why)
        self.why = why
        opened = self.dealing.aborted(self.match)
        if opened is not None:
            tick.tell(self, opened)
        tick.changed(self)

    # Keeping

    def expect(self, stored: StoredTable, tick: Tick) -> None:
        """Become what was kept, but for the match if there is one: that comes later (`restore`), and nobody comes in before."""
        kept = stored.table
        self.number, self.paused = kept.number, kept.paused
        self.players, self.ref = kept.players, kept.ref
        self.chairs = [Chair.restored(seat, record, tick.now) for seat, record in enumerate(kept.chairs)]
        if stored.header is not None:
            self.pending = stored
            return
        self._answered(stored.answers)
        tick.save(self.record())

    def restore(self, match: Match, answers: Sequence[AnswerRecord], tick: Tick) -> None:
        """Go on with the match that was kept: same versions, same hashes, same owners. The time until now was nobody's."""
        assert self.pending is not None
        banks, self.pending = self.pending.table.banks, None
        self.match, self.head = match, (self.number, match.q, match.h)
        if len(self.players) != len(match.seats):  # kept before there were purses
            self.players = tuple(chair.key if chair.person else None for chair in self.chairs[: len(match.seats)])
            self.ref = f"{self.id}/{self.number}/{match.journal.entries[0]['h'] if match.q else ''}"
        self._answered(answers)
        self.dealing.restore(self.number, match)
        self._go_on(banks, tick)
        for chair in self.chairs:
            chair.since = tick.now
            chair.ready = chair.ready and self.stage not in (PLAYING, PAUSED)  # what they were ready for has begun
        tick.save(self.record())
        if self.stage == BETWEEN:
            self._rest(tick)
        tick.changed(self)

    def _answered(self, answers: Sequence[AnswerRecord]) -> None:
        for answer in answers:
            if answer.seat < len(self.chairs):
                self.chairs[answer.seat].answers.put(Ack(answer.id, answer.q))

    def hold(self, stored: StoredTable, why: str, tick: Tick) -> None:
        """Keep the seats of a match that cannot go on, and say why; nothing that was kept of it is changed."""
        self.held, self.number, self.paused = stored.table, stored.table.number, stored.table.paused
        self.chairs = [Chair.restored(seat, record, tick.now) for seat, record in enumerate(stored.table.chairs)]
        self.why = why

    # Inside

    def _desert(self, chair: Chair, tick: Tick) -> None:
        commit = self._guarded(lambda match: match.leave(chair.seat), tick)
        name = chair.name
        chair.clear()
        chair.left, chair.name = True, name
        assert self.match is not None
        if self.match.phase != OVER and self.match.seats[chair.seat]["bot"]:
            self._hire(chair, str(self.match.seats[chair.seat]["bot"]))
            chair.left, chair.name = True, name
        self._after(commit, tick)

    def _may_begin(self) -> None:
        if self.closing:
            raise Refused("draining")

    def _begin(self, tick: Tick) -> None:
        """Start a match with the chairs that are taken; the others are put away and the rest numbered anew."""
        taken = self._taken()
        seats = [{"name": chair.name, "bot": chair.bot} for chair in taken]
        match = Match(self.game, self.options, seats, self.id, self.house, fair=self.dealing.begin(self.number + 1, taken, tick.now))
        moved = []
        for seat, chair in enumerate(taken):
            if chair.seat != seat:
                moved.append(chair)
            chair.seat = seat
            chair.ready = chair.fresh = chair.left = False
        self.chairs = taken
        self.match, self.number, self.paused = match, self.number + 1, False
        self.players = tuple(chair.key if chair.person else None for chair in taken)
        self.ref = purse.new_ref()
        self.showing = None
        self.past.clear()
        self.time.begin(tick.now)
        tick.save(self.record())
        tick.save(MatchRecord(self.id, self.number, match.journal.header))
        for record in self.purses.begin(self):
            tick.save(record)
        note(log, "match.begin", table=self.id, match=self.number, game=self.game.name, seats=len(seats))
        for chair in moved:
            if chair.session is not None:
                chair.session.seat = chair.seat
                tick.seat(chair.session)
        tick.changed(self)
        self._deal(tick)

    def _deal(self, tick: Tick) -> None:
        if not self._asked(tick):
            return
        self.deal_at = None
        for chair in self.chairs:
            chair.ready = False
        assert self.match is not None
        seed, sources = self.dealing.draw(self.match)
        tick.changed(self)
        try:
            commit = self._guarded(lambda match: match.deal(seed, sources), tick)
        except Refused:
            self.stop(f"{self.game.name} cannot deal hand {self.match.hand + 1}", tick)
            return
        self._after(commit, tick)

    def _after(self, commit: Commit, tick: Tick, moved: int | None = None) -> None:
        assert self.match is not None
        tick.save(EntryRecord(self.id, self.number, commit.q - 1, commit.entry))
        if self.time.clock is not None:
            self.time.follow(tick.now, moved)
            tick.save(self.record())
        self.past.append(commit)
        tick.show(self, commit)
        if self.stage == BETWEEN:
            self._rest(tick)
        elif self.match.phase == OVER:
            for record in purse.settled(self):
                tick.save(record)
            note(log, "match.over", table=self.id, match=self.number, game=self.game.name, versions=self.match.q)
            self._open_chairs()
            tick.save(self.record())
            tick.changed(self)
        if self.time.clock is not None:
            self.time.tend(tick)

    def _open_chairs(self) -> None:
        """Make room for another match: the chairs of those who left, and those that were put away at the start."""
        for chair in self.chairs:
            chair.ready = False
            chair.substitute = None
            if chair.key is None:
                chair.clear()
        self.chairs += [Chair(seat) for seat in range(len(self.chairs), self.places)]

    def _rest(self, tick: Tick) -> None:
        """Wait for people to read the result, if there are any; the next hand is dealt by the alarm or by `ready`."""
        people = any(chair.person and chair.line(tick.now) != AWAY for chair in self.chairs)
        pause = self._hand_pause if people else 0.0
        self.deal_at = tick.now + pause
        tick.alarm(self, pause)
        tick.changed(self)

    def _guarded(self, step: Callable[[Match], Commit], tick: Tick) -> Commit:
        """Take one step of the match; a game that fails is blamed in the log and refused with `fault`, nothing changes."""
        assert self.match is not None
        tick.advance(self)
        try:
            with within():
                return step(self.match)
        except Refused:
            raise
        except (CarteadoError, RecursionError) as error:
            named = error.hook if isinstance(error, PluginFault) else type(error).__name__
            log.exception("the game %s failed at table %s in %s", self.game.name, self.id, named)
            raise Refused("fault") from error
