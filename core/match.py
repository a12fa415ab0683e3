"""A match: hands, dealer, prompts, points, leaving, the end. `(state, seat, action) -> events`, and nothing else.

The loop is fixed: check the prompt, open a draft, `turn`, check the cards, `scoring`, commit; when a hand is over: points, places, chips;
then the next `deal` waits for its seed. Time enters as an entry (`timeout`), never as a clock.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import msgpack

from . import events as _events
from .chips import FREE, KEPT, LOSS, PENALTY
from .encoding import ENCODING, digest, plain
from .ending import Ending, chips, final_places
from .errors import CarteadoError, DesignFault, IllegalAction, PluginFault, Refused
from .forms import Form, check
from .game import Game
from .journal import FORMAT, Journal
from .options import resolve
from .result import Result
from .rules import Rules
from .shuffle import Stream
from .table import Prompt, Table
from .view import view as _view
from .zones import Seat, Viewer

DEALING, PLAYING, OVER = "dealing", "playing", "over"
CHAIN = b"carteado/chain/1"


class Commit:
    """One committed entry: its number `q`, its journal `entry`, and its events, projected per viewer on demand."""

    __slots__ = ("entry", "q", "raw", "teams")

    def __init__(self, q: int, entry: dict[str, Any], raw: list[_events.Event], teams: _events.Teams) -> None:
        self.q = q
        self.entry = entry
        self.raw = raw
        self.teams = teams

    def events(self, viewer: Viewer) -> list[dict[str, Any]]:
        """Return what a viewer may know of the events."""
        return [_events.project(event, viewer, self.teams) for event in self.raw]


class Match:
    """A match of one game at one table.

    game: the plugin; options: chosen table options; seats: `[{"name": str, "bot": level or None}]` in turn order; table: the match's id;
    house: house-rule plugins around the game; rules: an existing manager to share instead (search).

    Raises: Refused for options or a number of players that the game does not take.
    """

    def __init__(
        self,
        game: Game,
        options: Mapping[str, Any] | None = None,
        seats: Sequence[Mapping[str, Any]] = (),
        table: str = "table",
        house: Sequence[Any] = (),
        rules: Rules | None = None,
    ) -> None:
        self.game = game
        self.rules = rules or Rules(game, house)
        self.options = resolve(game, options or {})
        self.seats = [{"name": str(seat["name"]), "bot": seat.get("bot")} for seat in seats]
        if not game.check_players(len(self.seats), self.options):
            low, high = game.seats
            raise Refused("bad_players", n=len(self.seats), low=low, high=high)
        groups = game.teams(len(self.seats), self.options)
        self.teams = tuple(
            frozenset(next((group for group in groups if seat in group), (seat,))) for seat in range(len(self.seats))
        ) if groups else ()  # fmt: skip
        self.id = table
        self.phase = DEALING
        self.table = Table(len(self.seats), self.options, self.teams)
        self.finished: list[list[Seat]] = []
        self.left: dict[Seat, str] = {}
        self.left_order: list[Seat] = []
        self.gone: set[Seat] = set()
        self.result: dict[str, Any] | None = None
        self.ended: Result | None = None
        self.end: dict[str, Any] | None = None
        self.faults: list[PluginFault] = []
        self._chain = hashlib.sha256(CHAIN).digest()
        self._public = hashlib.sha256(_events.START).digest()
        self._unchained: list[list[_events.Event]] = []
        self._pack_events = msgpack.Packer().pack
        self._pack = sorted(game.pack(self.options))
        self.journal = Journal(
            {
                "carteado": FORMAT, "encoding": ENCODING, "api": game.api, "game": game.name, "version": game.version,
                "table": table, "options": self.options, "house": [str(rule.name) for rule in house],
                "seats": [dict(seat) for seat in self.seats],
            }
        )  # fmt: skip

    # Reading

    @property
    def q(self) -> int:
        """The number of committed entries; every entry is one version of the match."""
        return len(self.journal.entries)

    @property
    def h(self) -> bytes:
        """The first 8 bytes of the public chain: what every viewer can check."""
        for raw in self._unchained:
            self._public = _events.chained(self._public, raw, self.teams)
        self._unchained.clear()
        return self._public[:8]

    @property
    def hand(self) -> int:
        """The number of the hand being played or last played; 0 before the first."""
        return self.table.hand

    @property
    def prompts(self) -> dict[Seat, Prompt]:
        """The open prompts by seat."""
        return dict(self.table.prompts())

    def forms(self, seat: Seat) -> Sequence[Form]:
        """Return the forms that a seat with an open prompt may fill in."""
        return self.rules.options(self.table, seat)

    def view(self, viewer: Viewer, captions: bool = True) -> dict[str, Any]:
        """Return what one seat, or a watcher (None), may see. Shape: docs/protocol.md."""
        return _view(self, viewer, captions)

    def fork(self, seed: bytes = b"") -> Match:
        """Return an independent copy for search: no journal, and randomness from `seed` only (none: shuffling is a fault)."""
        other = Match.__new__(Match)
        other.__dict__.update(self.__dict__)
        other.table = self.table.copy()
        other.table._seed = seed
        other.seats = [dict(seat) for seat in self.seats]
        other.left, other.left_order, other.gone = dict(self.left), list(self.left_order), set(self.gone)
        other.faults = []
        other._unchained = []
        other._pack_events = msgpack.Packer().pack
        other.journal = Journal(self.journal.header)
        return other

    # Entries

    def deal(self, seed: bytes, sources: Mapping[str, Any] | None = None) -> Commit:
        """Deal the next hand from a seed of 32 bytes; `sources` says where the seed came from, for the journal."""
        if self.phase != DEALING:
            raise Refused("not_dealing")
        if len(seed) != 32:
            raise DesignFault(f"a seed has 32 bytes, not {len(seed)}")
        table = self.table
        old = table.copy()
        table._clear()
        table._seed = seed
        table.seats = self._playing()
        table.placed = self._placed()
        self._rotate(seed)
        table.hand += 1
        table.begin("deal", dealing=True)
        assert table._events is not None
        table._events.append(("deal", table.hand, table.dealer, table.start, table.seats))
        try:
            self.rules.deal(table)
            if table.all_cards() != self._pack:
                raise PluginFault(self.game.name, "deal", "the zones do not hold exactly the cards of the pack")
            self._alive("deal")
        except CarteadoError:
            self.table = old
            raise
        raw = table.hold()
        previous, self.result = self.result, None
        self.phase = PLAYING
        entry = {"k": "hand", "hand": table.hand, "seed": seed.hex(), "from": plain(dict(sources or {}))}
        try:
            return self._settle(entry, raw)
        except CarteadoError:
            self.table, self.result, self.phase = old, previous, DEALING
            raise

    def act(self, seat: Seat, prompt: int, action: Any) -> Commit:
        """Apply a seat's answer to its prompt.

        Raises: Refused (nothing changed) with over, not_playing, not_asked, stale, a form's code or the game's own; PluginFault.
        """
        forms = self._asked(seat, prompt)
        checked = check(forms, action, self.table, seat)
        return self._apply(seat, prompt, checked, "action")

    def try_act(self, seat: Seat, prompt: int, action: Any) -> None:
        """Raise what `act` would raise for this action, and change nothing."""
        forms = self._asked(seat, prompt)
        self._try_out(seat, check(forms, action, self.table, seat))

    def timeout(self, seat: Seat, prompt: int) -> Commit:
        """Let a seat's time run out: the game's `timeout` action, else its first default form that needs no answer."""
        forms = self._asked(seat, prompt)
        action = self.rules.timeout(self.table, seat)
        if action is None:
            for form in sorted(forms, key=lambda form: not form.default):
                if form.blocked is None and all(field.optional for field in form.fields.values()):
                    action = {"type": form.type}
                    break
            else:
                raise PluginFault(self.game.name, "timeout", "no action for a seat that ran out of time")
        try:
            return self._apply(seat, prompt, check(forms, action, self.table, seat), "timeout")
        except Refused as error:
            raise PluginFault(self.game.name, "timeout", f"its action was refused: {error}") from error

    def leave(self, seat: Seat) -> Commit:
        """Let a player leave for good. Raises: Refused with over or left."""
        if self.phase == OVER:
            raise Refused("over")
        if seat in self.left:
            raise Refused("left")
        if any(seat in group for group in self.finished):
            how = KEPT
        elif self.finished:
            how = LOSS
        else:
            how = FREE if self.table.hand < 2 else PENALTY
        table = self.table
        substitute = how == KEPT or self.options["substitute"] or not self.rules.has("leave")
        in_hand = self.phase == PLAYING and seat in table.seats
        table.begin()
        assert table._events is not None
        table._events.append(("leave", seat, how))
        try:
            if not substitute and in_hand:
                table.seats = tuple(other for other in table.seats if other != seat)
                if seat in table._prompts:
                    table.close(seat)
                table._sealed.pop(seat, None)
                if not self.rules.leave(table, seat):
                    raise PluginFault(self.game.name, "leave", "did not take the seat out of the hand")
            raw = table.hold()
            self._conserve("leave")
        except CarteadoError:
            table.rollback()
            raise
        before = (table.placed, dict(self.seats[seat]))
        self.left[seat] = how
        self.left_order.append(seat)
        if how != KEPT:
            table.placed = self._placed()
            if substitute:
                self.seats[seat]["bot"] = self.seats[seat]["bot"] or "rule"
            else:
                self.gone.add(seat)
        try:
            if len(self._placed()) < 2 and how != KEPT:
                return self._settle({"k": "leave", "seat": seat}, raw, Result({}, over=True, reason=["over.left", {}]))
            return self._settle({"k": "leave", "seat": seat}, raw)
        except CarteadoError:
            del self.left[seat]
            self.left_order.remove(seat)
            self.gone.discard(seat)
            table.placed, self.seats[seat] = before
            raise

    def takeover(self, seat: Seat, level: str | None) -> Commit:
        """Let a computer player of this level play a seat on, or (None) hand it back."""
        if self.phase == OVER:
            raise Refused("over")
        if level is None and seat in self.left:
            raise Refused("left")
        self.seats[seat]["bot"] = level
        entry = {"k": "takeover", "seat": seat, "level": level}
        return self._record(entry, [("takeover", seat, level)])

    # The loop

    def _asked(self, seat: Seat, prompt: int) -> Sequence[Form]:
        if self.phase != PLAYING:
            raise Refused(OVER if self.phase == OVER else "not_playing")
        asked = self.table._prompts.get(seat)
        if asked is None or asked.id != prompt:
            raise Refused("stale" if type(prompt) is int and 0 < prompt < self.table._next_prompt else "not_asked")
        return self.rules.options(self.table, seat)

    def _apply(self, seat: Seat, prompt: int, action: dict[str, Any], kind: str) -> Commit:
        table = self.table
        entry = {"k": kind, "seat": seat, "prompt": prompt, "do": action}
        sealed = table._prompts[seat].sealed
        if sealed:
            self._try_out(seat, action)
        table.begin()
        try:
            del table._prompts[seat]
            if sealed:
                self._seal(seat, action)
            else:
                self.rules.turn(table, seat, action)
            raw = table.hold()
            self._conserve("turn")
        except (CarteadoError, RecursionError):
            table.rollback()
            raise
        return self._settle(entry, raw)

    def _try_out(self, seat: Seat, action: dict[str, Any]) -> None:
        table = self.table
        table.begin()
        try:
            del table._prompts[seat]
            self.rules.turn(table, seat, action)
        finally:
            table.rollback()

    def _seal(self, seat: Seat, action: dict[str, Any]) -> None:
        table = self.table
        table._sealed[seat] = action
        assert table._events is not None
        table._events.append(("ready", seat))
        if any(prompt.sealed for prompt in table._prompts.values()):
            return
        for other in sorted(table._sealed):
            answer = table._sealed.pop(other)
            try:
                self.rules.turn(table, other, answer)
            except IllegalAction as error:
                raise PluginFault(self.game.name, "turn", f"a sealed answer was refused when opened: {error}") from error

    def _conserve(self, hook: str) -> None:
        if not self.table.conserved():
            raise PluginFault(self.game.name, hook, "cards were lost or made up")

    def _alive(self, hook: str) -> None:
        if not self.table._prompts:
            raise PluginFault(self.game.name, hook, "asked nobody, and the hand is not over")

    def _settle(self, entry: dict[str, Any], raw: list[_events.Event], result: Result | None = None) -> Commit:
        """Score the draft and commit it; roll it back when scoring fails."""
        table = self.table
        try:
            if result is None and self.phase == PLAYING and not table._sealed:
                result = self.rules.scoring(table)
            if result is None and self.phase == PLAYING:
                self._alive(entry["k"])
            ending = None if result is None else self._ending(result)
        except CarteadoError:
            table.rollback()
            raise
        if ending is not None:
            self._close(ending, raw)
        table.commit()
        if ending is not None:
            entry["digest"] = self.digest()
        return self._record(entry, raw)

    def _ending(self, result: Result) -> Ending:
        table = self.table
        totals = [table.points(seat) + result.points.get(seat, 0) for seat in table.players]
        finished = [[seat for seat in group if seat not in self.left] for group in result.finished]
        places_now = [*self.finished, *[group for group in finished if group]]
        settled = {seat for group in places_now for seat in group}
        playing = [seat for seat in table.players if seat not in settled and seat not in self.left]
        over = result.over or len(playing) < (2 if self.left else 1)
        places: list[list[Seat]] = []
        money: list[int] = []
        house = 0
        if over:
            places = final_places(places_now, result.ranking, playing, totals, self.game.score, self.left_order, self.left)
            own = self.rules.settle(table, places)
            money, house = chips(self.options["stake"], len(table.players), places, self.left, own)
        return Ending(result, totals, places_now, over, places, money, house)

    def _close(self, ending: Ending, raw: list[_events.Event]) -> None:
        table, result = self.table, ending.result
        table._prompts = {}
        table._sealed = {}
        gained = [result.points.get(seat, 0) for seat in table.players]
        table._totals = tuple(ending.totals)
        raw.append(("points", table.hand, gained))
        if result.keep:
            kept = plain(result.keep)
            table.kept_facts = {**table.kept_facts, **kept}
            raw.append(("keep", kept))
        for group in ending.finished[len(self.finished) :]:
            raw.append(("finish", group))
        self.finished = ending.finished
        self.ended = result
        if table.hand or result.reason:
            self.result = {"hand": table.hand, "points": gained, "reason": result.reason, "sheet": plain(result.sheet)}
        self.phase = OVER if ending.over else DEALING
        if ending.over:
            self.end = {"places": ending.places, "chips": ending.chips, "house": ending.house}
            raw.append(("end", ending.places, ending.chips))

    def _record(self, entry: dict[str, Any], raw: list[_events.Event]) -> Commit:
        self._chain = hashlib.sha256(self._chain + self._pack_events(raw)).digest()
        self._unchained.append(raw)
        entry = {"n": self.q + 1, **entry, "h": self._chain[:8].hex()}
        self.journal.entries.append(entry)
        return Commit(self.q, entry, raw, self.teams)

    def digest(self) -> str:
        """Return the SHA-256 of the whole state in the canonical encoding, as hex."""
        return digest(
            {
                "table": self.table.state(), "finished": self.finished, "end": self.end,
                "left": [[seat, self.left[seat]] for seat in self.left_order], "phase": self.phase,
            }
        )  # fmt: skip

    def _playing(self) -> tuple[Seat, ...]:
        settled = {seat for group in self.finished for seat in group}
        return tuple(seat for seat in self.table.players if seat not in settled and seat not in self.gone)

    def _placed(self) -> tuple[Seat, ...]:
        settled = {seat for group in self.finished for seat in group}
        return tuple(seat for seat in self.table.players if seat not in settled and seat not in self.left)

    def _rotate(self, seed: bytes) -> None:
        table = self.table
        if table.hand == 0:
            table.start = table.seats[Stream(seed, "start").below(len(table.seats))]
        else:
            table.start = table.next(table.start)
        table.dealer = table.next(table.start, len(table.seats) - 1)
