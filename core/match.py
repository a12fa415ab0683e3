"""A match: hands, dealer, prompts, points, leaving, the end. `(state, seat, action) -> events`, and nothing else.

The loop is fixed: check the prompt, open a draft, `turn`, check the cards, `scoring`, commit; when a hand is over: points, places, chips;
then the next `deal` waits for its seed. Time enters as an entry (`timeout`), never as a clock.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import msgpack

from . import answering
from . import events as _events
from .encoding import ENCODING, canonical, digest, ordered, plain
from .ending import Ending, placed, playing, work_out
from .errors import CarteadoError, DesignFault, PluginFault, Refused
from .forms import Form
from .game import Game
from .journal import FORMAT, Journal
from .leaving import leave as _leave
from .opening import Openings
from .options import resolve
from .result import Result
from .rules import Rules
from .shuffle import Stream
from .table import Prompt, Table
from .takeover import takeover as _takeover
from .teams import teams_of
from .view import Seen
from .view import view as _view
from .zones import Seat, Viewer

DEALING, PLAYING, OVER = "dealing", "playing", "over"
CHAIN = b"carteado/chain/1"
FAULTS_KEPT = 20
HOOKS = {"hand": "deal", "action": "turn", "timeout": "turn", "leave": "leave", "takeover": "takeover"}
"""Kinds of journal entries, and the hook that a fault while applying one is put down to."""


class Commit:
    """One committed entry: its number `q`, its journal `entry`, and its events, projected per viewer on demand."""

    __slots__ = ("_public", "entry", "q", "raw", "teams")

    def __init__(self, q: int, entry: dict[str, Any], raw: list[_events.Event], teams: _events.Teams) -> None:
        self.q = q
        self.entry = entry
        self.raw = raw
        self.teams = teams
        self._public: list[dict[str, Any]] | None = None

    def events(self, viewer: Viewer, own: bool = True) -> list[dict[str, Any]]:
        """Return what a viewer may know of the events.

        own: whether the caller may change them; else what is public is shared with other viewers, to be encoded or looked at, and in
        the order of the canonical encoding.
        """
        if own:
            return [_events.project(event, viewer, self.teams) for event in self.raw]
        if self._public is None:
            self._public = ordered(self.events(None))
        if viewer is None:
            return self._public
        return [_events.project(event, viewer, self.teams, public) for event, public in zip(self.raw, self._public, strict=True)]


class Match:
    """A match of one game at one table.

    game: the plugin; options: chosen table options; seats: `[{"name": str, "bot": level or None}]` in turn order; table: the match's id;
    house: house-rule plugins around the game; rules: an existing manager to share instead (search); fair: anchors of the chains that seeds
    come from.

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
        fair: Mapping[str, Any] | None = None,
    ) -> None:
        self.game = game
        self.rules = rules or Rules(game, house)
        fact = self.rules.fact
        self.options: dict[str, Any] = plain(fact("check_options", lambda: resolve(game, options or {})))
        self.seats: list[dict[str, Any]] = plain([{"name": str(seat["name"]), "bot": seat.get("bot")} for seat in seats])
        players = len(self.seats)
        if not fact("check_players", lambda: game.check_players(players, self.options)):
            low, high = game.seats
            raise Refused("bad_players", n=players, low=low, high=high)
        self.teams = teams_of([tuple(group) for group in fact("teams", lambda: game.teams(players, self.options))], players)
        self.id = table
        self.phase = DEALING
        computers = [number for number, seat in enumerate(self.seats) if seat["bot"]]
        self.table = Table(players, self.options, self.teams, computers)
        self.finished: list[list[Seat]] = []
        self.left: dict[Seat, str] = {}
        self.left_order: list[Seat] = []
        self.gone: set[Seat] = set()
        self.result: dict[str, Any] | None = None
        self.ended: Result | None = None
        self.end: dict[str, Any] | None = None
        self.faults: list[PluginFault] = []
        self._public = hashlib.sha256(_events.START).digest()
        self._unchained: list[bytes] = []
        self._newest: Commit | None = None
        self._pack_entry = msgpack.Packer().pack
        self._observed = self.rules.has("observe")
        self._shared: dict[str, Any] | None = None
        self._copies: dict[str, tuple[Any, Any]] = {}
        self._offered: dict[Seat, tuple[int, Sequence[Form]]] = {}
        self._zones: dict[Viewer, Seen] = {}
        self._pack = sorted(fact("pack", lambda: game.pack(self.options)))
        header = {
            "carteado": FORMAT, "encoding": ENCODING, "api": game.api, "game": game.name, "version": game.version,
            "table": table, "options": self.options, "house": [str(rule.name) for rule in house], "seats": self.seats,
        }  # fmt: skip
        header |= {"reveal": game.reveal} if game.reveal != "hand" else {}
        header |= {"fair": fair} if fair else {}
        self._openings = Openings(game.reveal)
        self.journal = Journal(plain(header))
        self._chain = hashlib.sha256(CHAIN + canonical(header)).digest()

    # Reading

    @property
    def q(self) -> int:
        """The number of committed entries; every entry is one version of the match."""
        return len(self.journal.entries)

    @property
    def public(self) -> bytes:
        """The public chain's last link, 32 bytes: what every viewer can work out from the events it gets."""
        if self._newest is not None and self._unchained:
            for packed in self._unchained[:-1]:
                public = [_events.project(event, None, self.teams) for event in msgpack.unpackb(packed, use_list=False)[1]]
                self._public = _events.chained(self._public, canonical(public))
            # The newest commit's public events are needed anyway, and made once.
            self._public = _events.chained(self._public, msgpack.packb(self._newest.events(None, own=False)))
            self._unchained.clear()
        return self._public

    @property
    def h(self) -> bytes:
        """The first 8 bytes of the public chain."""
        return self.public[:8]

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

    def offered(self, seat: Seat) -> Sequence[Form]:
        """Return the same, and remember it: an answer to this very version is checked against what was offered."""
        forms = self.forms(seat)
        self._offered[seat] = self.q, forms
        return forms

    def view(self, viewer: Viewer, captions: bool = True, own: bool = True) -> dict[str, Any]:
        """Return what one seat, or a watcher (None), may see; see `view.view` for the arguments. Shape: docs/protocol.md."""
        if viewer is not None and (type(viewer) is not int or viewer not in self.table.players):
            raise DesignFault(f"there is no seat {viewer!r} at this table")
        return _view(self, viewer, captions, own)

    def fork(self, seed: bytes = b"") -> Match:
        """Return an independent copy for search: no journal, and randomness from `seed` only (none: shuffling is a fault)."""
        other = Match.__new__(Match)
        other.__dict__.update(self.__dict__)
        other.table = self.table.copy()
        other.table._seed = seed
        other.seats = [dict(seat) for seat in self.seats]
        other.left, other.left_order, other.gone = dict(self.left), list(self.left_order), set(self.gone)
        other.faults = []
        other._openings = Openings("hand")
        other._shared = None
        other._copies = {}
        other._offered = {}
        other._zones = {}
        other._unchained = []
        other._newest = None
        other._observed = False
        other._pack_entry = msgpack.Packer().pack
        other.journal = Journal(self.journal.header)
        return other

    def note(self, fault: PluginFault) -> None:
        """Keep a fault that cost nothing but captions or a reason in `faults`, the newest `FAULTS_KEPT` of them."""
        self.faults.append(fault)
        del self.faults[:-FAULTS_KEPT]

    # Entries

    def deal(self, seed: bytes, sources: Mapping[str, Any] | None = None) -> Commit:
        """Deal the next hand from a seed of 32 bytes; `sources` says where the seed came from, for the journal."""
        if self.phase != DEALING:
            raise Refused("not_dealing")
        if type(seed) is not bytes or len(seed) != 32:
            raise DesignFault("a seed is 32 bytes")
        came_from = plain(dict(sources or {}))
        table = self.table
        old = table.copy()
        old._log = list(table._log)
        table._clear()
        table._seed = seed
        table.seats = playing(self)
        table.placed = placed(self)
        self._rotate(seed)
        table.hand += 1
        table.begin("deal", dealing=True)
        assert table._events is not None
        table._events.append(("deal", table.hand, table.dealer, table.start, table.seats))
        table._events.extend(self._openings.begin(table.hand, came_from))
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
        openings = self._openings.copy()
        self._openings.dealt(table.hand, came_from, raw)
        self.phase = PLAYING
        entry = {"n": self.q + 1, "k": "hand", "hand": table.hand, "seed": seed.hex(), "from": came_from}
        try:
            return self._settle(entry, raw)
        except CarteadoError:
            self.table, self.result, self.phase, self._openings = old, previous, DEALING, openings
            raise

    def act(self, seat: Seat, prompt: int, action: Any) -> Commit:
        """Apply a seat's answer to its prompt.

        Raises: Refused (nothing changed) with over, not_playing, not_asked, stale, a form's code or the game's own; PluginFault.
        """
        return answering.act(self, seat, prompt, action)

    def try_act(self, seat: Seat, prompt: int, action: Any) -> None:
        """Raise what `act` would raise for this action, and change nothing."""
        answering.try_act(self, seat, prompt, action)

    def timeout(self, seat: Seat, prompt: int, action: Any = None) -> Commit:
        """Let a seat's time run out: the game's `timeout` action, else a form that needs no answer (default forms first), else its advice.

        action: what was done when this is played again from a journal. Raises: Refused as `act` does when the prompt is not open.
        """
        return answering.timeout(self, seat, prompt, action)

    def leave(self, seat: Seat) -> Commit:
        """Let a player leave for good. Raises: Refused with no_seat, over or left."""
        return _leave(self, seat)

    def takeover(self, seat: Seat, level: str | None) -> Commit:
        """Let a computer player of this level play a seat on, or (None) hand it back. Raises: Refused with no_seat, over or left."""
        return _takeover(self, seat, level)

    # The loop

    def _seat(self, seat: Seat) -> None:
        if type(seat) is not int or seat not in self.table.players:
            raise Refused("no_seat")

    def _conserve(self, hook: str) -> None:
        if not self.table.conserved():
            raise PluginFault(self.game.name, hook, "cards were lost or made up")

    def _alive(self, hook: str) -> None:
        if not self.table._prompts:
            raise PluginFault(self.game.name, hook, "asked nobody, and the hand is not over")

    def _settle(self, entry: dict[str, Any], raw: list[_events.Event], result: Result | None = None) -> Commit:
        """Score the draft and commit it; roll it back when scoring fails, or when a hook wrote what has no encoding."""
        table = self.table
        try:
            if result is None and self.phase == PLAYING and not table._sealed:
                result = self.rules.scoring(table)
            if result is None and self.phase == PLAYING:
                self._alive(HOOKS[entry["k"]])
            ending = None if result is None else work_out(self, result)
            packed = self._packed(entry, raw)
        except CarteadoError:
            table.rollback()
            raise
        if ending is None:
            table.commit()
            return self._record(entry, raw, packed)
        self._close(ending, raw)
        table.commit()
        entry["digest"] = self.digest()
        return self._record(entry, raw, self._packed(entry, raw))

    def _close(self, ending: Ending, raw: list[_events.Event]) -> None:
        table, result = self.table, ending.result
        table._prompts = {}
        table._sealed = {}
        gained = [result.points.get(seat, 0) for seat in table.players]
        table._totals = tuple(ending.totals)
        raw.append(("points", table.hand, gained))
        if result.keep:
            table.kept_facts = {**table.kept_facts, **result.keep}
            raw.append(("keep", result.keep))
        for group in ending.finished[len(self.finished) :]:
            raw.append(("finish", group))
        self.finished = ending.finished
        self.ended = result
        if table.hand or result.reason:
            self.result = {"hand": table.hand, "points": gained, "reason": result.reason, "sheet": result.sheet}
        self.phase = OVER if ending.over else DEALING
        if ending.over:
            self.end = {"places": ending.places, "chips": ending.chips, "house": ending.house}
            raw.append(("end", ending.places, ending.chips))
        raw.extend(self._openings.end(table._rng, ending.over))

    def _packed(self, entry: dict[str, Any], raw: list[_events.Event]) -> bytes:
        """Return what the chain covers: the entry (without its own `h`) and its events."""
        try:
            return self._pack_entry((entry, raw))  # type: ignore[no-any-return]
        except (TypeError, ValueError, OverflowError) as error:
            raise PluginFault(self.game.name, HOOKS[entry["k"]], f"wrote what has no encoding: {error}") from error

    def _record(self, entry: dict[str, Any], raw: list[_events.Event], packed: bytes) -> Commit:
        """Add the entry to the journal, its chain link being SHA-256 of the last link and what `_packed` gave."""
        self._chain = hashlib.sha256(self._chain + packed).digest()
        self._unchained.append(packed)
        entry["h"] = self._chain[:8].hex()
        self.journal.entries.append(entry)
        commit = self._newest = Commit(entry["n"], entry, raw, self.teams)
        if self._observed:
            self._tell(commit)
        return commit

    def _tell(self, commit: Commit) -> None:
        """Tell observers; one that fails is kept in `faults` and changes nothing."""
        try:
            self.rules.observe(self.view(None, captions=False), commit.events(None))
        except PluginFault as fault:
            self.note(fault)

    def digest(self) -> str:
        """Return the SHA-256 of the whole state in the canonical encoding, as hex."""
        return digest(
            {
                "table": self.table.state(), "finished": self.finished, "end": self.end,
                "left": [[seat, self.left[seat]] for seat in self.left_order], "phase": self.phase,
            }
        )  # fmt: skip

    def _rotate(self, seed: bytes) -> None:
        table = self.table
        if table.hand == 0:
            table.start = table.seats[Stream(seed, "start").below(len(table.seats))]
        else:
            table.start = table.next(table.start)
        table.dealer = table.next(table.start, len(table.seats) - 1)
