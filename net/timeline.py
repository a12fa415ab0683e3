"""A recorded match that can be looked at after any of its entries, with every card face up."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from carteado.core.bots import player
from carteado.core.errors import CarteadoError
from carteado.core.game import Game
from carteado.core.journal import Journal
from carteado.core.match import Commit, Match
from carteado.core.replay import replay, step
from carteado.core.view import zone_view
from carteado.core.zones import Viewer, Zone

from .inventory import load, load_house

Entry = dict[str, Any]


class Timeline:
    """A match and all its entries; `match` stands after the first `place` of them."""

    def __init__(self, game: Game, header: Mapping[str, Any], entries: Sequence[Entry] = (), house: Sequence[Any] = ()) -> None:
        """Stand before the first entry. Raises: JournalMismatch for a header this program cannot follow."""
        self.game = game
        self.house = tuple(house)
        self.header = dict(header)
        self.entries = list(entries)
        self.match = self._start()

    @property
    def place(self) -> int:
        """The number of entries that are played."""
        return self.match.q

    def hands(self) -> list[int]:
        """Return the places right after each deal."""
        return [entry["n"] for entry in self.entries if entry["k"] == "hand"]

    def next(self) -> Entry | None:
        """Return the entry that comes next, None at the end."""
        return self.entries[self.place] if self.place < len(self.entries) else None

    def go(self, place: int, check: bool = False) -> Commit | None:
        """Stand after the first `place` entries; return the last commit on the way there. Raises: JournalMismatch."""
        place = max(0, min(place, len(self.entries)))
        if place < self.place:
            self.match = self._start()
        commit = None
        for entry in self.entries[self.place : place]:
            commit = step(self.match, entry, check)
        return commit

    def view(self, seat: Viewer, whole: bool) -> dict[str, Any]:
        """Return a seat's view, or a watcher's; with `whole` every card of every zone is in sight."""
        view = self.match.view(seat)
        if whole:
            view["zones"] = [face_up(zone) for zone in self.match.table.zones()]
        return view

    def _start(self) -> Match:
        return replay(Journal(self.header), self.game, house=self.house, check=False)


def recorded(file: Path) -> Timeline:
    """Return the match of a journal, every hash in it checked.

    Raises: JournalMismatch for a journal that is damaged or replays to something else, LoadFailure, OSError.
    """
    journal = Journal.load(file.read_bytes())
    game = load(journal.header["game"])
    house = [load_house(str(rule)) for rule in journal.header.get("house", [])]
    replay(journal, game, house=house)
    return Timeline(game, journal.header, journal.entries, house)


def advice(match: Match, seat: int, level: str = "rule") -> dict[str, Any] | None:
    """Return what a computer player would do for a seat that is asked; None when it does not know."""
    try:
        return player(match.game, level).choose(match.view(seat), random.Random(match.q))
    except CarteadoError:  # a game without advice, or whose advice fails: then there is none to show
        return None


def face_up(zone: Zone) -> dict[str, Any]:
    """Return a zone as a view shows it to somebody who may see everything."""
    shown = zone_view(zone, None, frozenset())
    plain = {"name": zone.name, "kind": zone.kind, "owner": zone.owner, "see": list(zone.see), "facts": dict(zone.facts)}
    return {**(shown or plain), "n": len(zone.cards), "cards": list(zone.cards)}


def differences(before: Any, after: Any, path: str = "") -> Iterator[str]:
    """Yield in a line each where two states differ: `zones/discard/cards: [...] -> [...]`."""
    if before == after:
        return
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in sorted({*before, *after}, key=str):
            yield from differences(before.get(key), after.get(key), f"{path}/{key}" if path else str(key))
        return
    yield f"{path}: {_brief(before)} -> {_brief(after)}"


def state_of(match: Match) -> dict[str, Any]:
    """Return the whole state with its zones by name, for people and for `differences`."""
    state = match.table.state()
    zones = {
        zone.name: {"cards": " ".join(card or "." for card in zone.cards), "facts": dict(zone.facts), "see": list(zone.see)}
        for zone in match.table.zones()
    }
    return {**state, "zones": zones, "phase": match.phase}


def _brief(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 120 else text[:119] + "…"
