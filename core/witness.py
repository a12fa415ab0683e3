"""Check a hand from what one viewer saw of it, without the game's rules.

When a hand is opened, everybody can work out from its seed where each card lay after the deal, and follow the events from there. A card
that was seen anywhere else was not dealt. What a viewer cannot follow (which card somebody chose from a hand) is only checked as far as
it must be one of those that are left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from .course import follow, put, take
from .shuffle import Stream
from .zones import SLOTTED

Card = str | None
"""A face, '' for an empty place, None for a card that cannot be followed."""
BACK = "?"
MOST = 10_000
"""Cards in one place that are followed."""


class Seen(NamedTuple):
    """One version as a viewer saw it. zones: name -> (kind, number of cards or None, faces or None); None: only the events are known."""

    events: Sequence[Mapping[str, Any]]
    zones: Mapping[str, tuple[str, int | None, Sequence[str] | None]] | None


class NotDealt(Exception):
    """Say which card was seen where it cannot have been."""


class NotFollowed(Exception):
    """Say why the events cannot be followed; code: `plan | draws | moves | missed`."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


class Witness:
    """Follow one hand. checked: how many faces were found where they had to be."""

    def __init__(self, seed: bytes, course: Any, words: Mapping[str, int]) -> None:
        """Deal the cards. Raises: NoCourse; NotFollowed when the deal drew more than its shuffles."""
        deal = Stream(seed, "deal")
        spread = follow(course, deal)
        if deal.at != words.get("deal", 0):
            raise NotFollowed("draws", "the deal drew numbers besides its shuffles")
        self.checked = 0
        self._words = words
        self._turn = Stream(seed, "turn")
        self._zones: dict[str, list[Card]] = {name: list(cards) for name, cards in spread.zones.items()}
        self._kinds = dict(spread.kinds)
        self._open: set[str] = set()
        """Places whose cards this viewer sees all of: only from there can a card be taken by its face."""
        self._pool: Counter[str] = Counter()
        """The faces of all cards that cannot be followed, wherever they are."""

    def dealt(self, seen: Seen) -> None:
        """Compare what was seen after the deal. Raises: NotDealt, NotFollowed."""
        if seen.zones is None:
            raise NotFollowed("missed", "the cards were not seen after the deal")
        for name in list(self._zones):
            if name not in seen.zones:
                self._forget(name)
        for name, (_, n, faces) in seen.zones.items():
            if name not in self._zones:
                raise NotDealt(f"the deal has no place {name!r}")
            self._look(name, n, faces)

    def went_on(self, seen: Seen) -> None:
        """Follow the events of one version and compare what was seen after it. Raises: NotDealt, NotFollowed."""
        try:
            for event in seen.events:
                self._event({**event, **event["mine"]} if "mine" in event else event)
        except NotDealt as error:
            if seen.zones is None:  # a place may have come out of sight in what was not seen
                raise NotFollowed("missed", str(error)) from error
            raise
        if seen.zones is None:
            return
        for name in [name for name in self._zones if name not in seen.zones]:
            self._forget(name)
        for name, (kind, n, faces) in seen.zones.items():
            if name not in self._zones:
                self._zones[name], self._kinds[name] = [None] * _room(n), kind
            self._look(name, n, faces)

    def ended(self) -> None:
        """Check at the end that the shuffles seen were all that was drawn. Raises: NotFollowed."""
        if self._turn.at != self._words.get("turn", 0):
            raise NotFollowed("draws", "the game drew numbers besides its shuffles")

    # Inside

    def _event(self, event: Mapping[str, Any]) -> None:
        kind = event["k"]
        if kind == "move":
            self._move(event)
        elif kind == "create":
            empty = [""] * _room(event.get("n"))
            self._zones[event["zone"]], self._kinds[event["zone"]] = list(event.get("cards", empty)), event["kind"]
        elif kind == "shuffle":
            self._shuffle(event["zone"], event.get("cards"))
        elif kind == "show":
            for place, face in zip(event["places"], event.get("cards", ()), strict=False):
                self._observe(event["zone"], place, face)
        elif kind == "drop":
            self._forget(event["zone"])

    def _move(self, event: Mapping[str, Any]) -> None:
        src, dst, n, faces = event["from"], event["to"], event["n"], event.get("cards")
        if n is None:
            raise NotFollowed("moves", "cards moved between places where they cannot be counted")
        taken = self._take(src, n, faces, event.get("places")) if src is not None else self._from_nowhere(n, faces)
        if dst is None:
            self._pool.update(card for card in taken if card)
            return
        try:
            put(self._zone(dst), self._kinds[dst], taken, event.get("place"))
        except (IndexError, ValueError) as error:
            raise NotDealt(f"a card has no place in {dst!r}") from error

    def _take(self, src: str, n: int, faces: Sequence[str] | None, places: Sequence[int] | None) -> list[Card]:
        zone, kind = self._zone(src), self._kinds[src]
        if places is None:
            if kind == "fan":
                return self._out_of_hand(src, n, faces)
            top = [place for place in range(len(zone) - 1, -1, -1) if zone[place] != ""][:n]
            places = top if faces is None or src not in self._open or self._fits(zone, top, faces) else self._places(zone, faces)
        if len(places) != n or any(not 0 <= place < len(zone) or zone[place] == "" for place in places):
            raise NotDealt(f"there are no such cards in {src!r}")
        for place, face in zip(places, faces or (), strict=False):
            self._observe(src, place, face)
        return take(zone, kind, places)

    def _out_of_hand(self, src: str, n: int, faces: Sequence[str] | None) -> list[Card]:
        """Take cards that somebody has chosen from a hand: by face if they are seen, else nobody knows which are left."""
        zone = self._zone(src)
        chosen = list(faces) if faces is not None else [BACK] * n
        taken: list[Card] = []
        for face in chosen:
            if face == BACK:
                taken.append(None)
                continue
            if face in zone:
                zone.remove(face)
                self.checked += 1
            elif None in zone and self._pool[face] > 0:
                zone.remove(None)
                self._pool[face] -= 1
                self.checked += 1
            else:
                raise NotDealt(f"{face} came out of {src!r}, where it cannot have been")
            taken.append(face)
        unseen = taken.count(None)
        if unseen:
            if unseen > len(zone):
                raise NotDealt(f"there are no such cards in {src!r}")
            if unseen < len(zone) or len(set(zone)) > 1:
                self._pool.update(card for card in zone if card)
                zone[:] = [None] * (len(zone) - unseen)
            else:
                taken = [card if card is not None else zone.pop() for card in taken]
        return taken

    def _from_nowhere(self, n: int, faces: Sequence[str] | None) -> list[Card]:
        """Take cards out of places that this viewer does not know of."""
        taken: list[Card] = []
        for face in faces or [BACK] * n:
            if face == BACK:
                taken.append(None)
                continue
            self._found(face, "a hidden place")
            taken.append(face)
        return taken

    def _shuffle(self, name: str, faces: Sequence[str] | None) -> None:
        zone = self._zone(name)
        if None in zone:
            self._turn.shuffled([""] * len(zone))
            self._pool.update(card for card in zone if card)
            zone[:] = [None] * len(zone)
        else:
            zone[:] = self._turn.shuffled([card or "" for card in zone])
            if faces is not None and list(faces) != zone:
                raise NotDealt(f"{name!r} was shuffled into another order than the seed's")

    def _look(self, name: str, n: int | None, faces: Sequence[str] | None) -> None:
        """Compare a place with what was seen there."""
        zone = self._zone(name)
        if n is not None and n != sum(1 for card in zone if card != "") and n != len(zone):
            raise NotFollowed("moves", f"{name!r} holds {n} cards, and not what the events have put there")
        (self._open.discard if faces is None or BACK in faces else self._open.add)(name)
        if faces is None:
            return
        if BACK in faces or self._kinds[name] in SLOTTED:
            for place, face in enumerate(faces):
                if face not in (BACK, ""):
                    self._observe(name, place, face)
            return
        have, want = Counter(card for card in zone if card), Counter(faces)
        if have == want:
            self.checked += len(faces)
        else:
            for face in (have - want).elements():
                raise NotDealt(f"{face} must lie in {name!r}, and is not seen there")
            for face in (want - have).elements():
                self._found(face, name)
        zone[:] = faces

    def _observe(self, name: str, place: int, face: str) -> None:
        if face == BACK:
            return
        zone = self._zone(name)
        if not 0 <= place < len(zone):
            raise NotDealt(f"{name!r} has no place {place}")
        if zone[place] is None:
            self._found(face, name)
            zone[place] = face
        elif zone[place] != face:
            raise NotDealt(f"{face} was seen in {name!r}, where {zone[place] or 'nothing'} must lie")
        else:
            self.checked += 1

    def _found(self, face: str, where: str) -> None:
        if self._pool[face] <= 0:
            raise NotDealt(f"{face} was seen in {where}, and all of its kind are elsewhere")
        self._pool[face] -= 1
        self.checked += 1

    def _forget(self, name: str) -> None:
        """Lose sight of a place: its cards may go anywhere."""
        self._pool.update(card for card in self._zones.pop(name, []) if card)
        self._open.discard(name)

    def _zone(self, name: str) -> list[Card]:
        try:
            return self._zones[name]
        except KeyError:
            raise NotFollowed("moves", f"nothing is known of a place {name!r}") from None

    @staticmethod
    def _fits(zone: Sequence[Card], places: Sequence[int], faces: Sequence[str]) -> bool:
        return len(places) == len(faces) and all(
            face == BACK or zone[place] is None or zone[place] == face for place, face in zip(places, faces, strict=True)
        )

    @staticmethod
    def _places(zone: Sequence[Card], faces: Sequence[str]) -> list[int]:
        """Return where cards that are taken by face lie, as far as that is known."""
        places: list[int] = []
        for face in faces:
            fitting = [place for place, card in enumerate(zone) if card == face and place not in places]
            fitting = fitting or [place for place, card in enumerate(zone) if card is None and place not in places]
            if not fitting:
                raise NotDealt(f"{face} was taken where it cannot have been")
            places.append(fitting[0])
        return places


def _room(n: int | None) -> int:
    if n is not None and n > MOST:
        raise NotFollowed("moves", f"a place with {n} cards is not followed")
    return n or 0


def seen_of(view: Mapping[str, Any], events: Sequence[Mapping[str, Any]]) -> Seen:
    """Return what a view and the events before it show of the cards."""
    return Seen(events, {zone["name"]: (zone["kind"], zone["n"], zone["cards"]) for zone in view["zones"]})
