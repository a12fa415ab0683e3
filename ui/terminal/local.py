"""What only this screen knows: the order of the hand, marks, focus, drag, open boxes, notices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .boxes import Box
from .filling import Filling, Message, forms_of
from .guide import Guide
from .memory import HandMemory, Order
from .room import Room
from .tools import Slider, Tool
from .tricks import Tricks
from .words import Words

View = Mapping[str, Any]
Face = str

_RANKS = {"T": 10, "J": 11, "Q": 12, "K": 13, "A": 14}


class Hand:
    """The cards of the player's hand in the order the player wants, some of them marked.

    Equal faces are interchangeable for the game but not for the eye: marks and order belong to positions here, and survive a new
    view by face.
    """

    __slots__ = ("faces", "fresh", "marked")

    def __init__(self) -> None:
        self.faces: list[Face] = []
        self.marked: list[bool] = []
        self.fresh: list[bool] = []

    def __len__(self) -> int:
        return len(self.faces)

    def take(self, faces: Sequence[Face]) -> None:
        """Take over the cards of a new view: what is gone goes (marked cards first), what is new comes last."""
        surplus = Counter(self.faces)
        surplus.subtract(faces)
        gone: set[int] = set()
        for wanted in (True, False):
            for place in range(len(self.faces) - 1, -1, -1):
                face = self.faces[place]
                if surplus[face] > 0 and self.marked[place] is wanted:
                    surplus[face] -= 1
                    gone.add(place)
        kept = [place for place in range(len(self.faces)) if place not in gone]
        new = Counter(faces)
        new.subtract(self.faces[place] for place in kept)
        added = []
        for face in faces:
            if new[face] > 0:
                new[face] -= 1
                added.append(face)
        first = not self.faces
        if added or gone:
            self.fresh = [False] * len(kept) + [not first] * len(added)
        self.marked = [self.marked[place] for place in kept] + [False] * len(added)
        self.faces = [self.faces[place] for place in kept] + added

    def arrange(self, key: Callable[[Face], Any]) -> None:
        """Sort the cards; marks stay with their cards."""
        self._reorder(sorted(range(len(self.faces)), key=lambda place: key(self.faces[place])))

    def move(self, source: int, target: int) -> None:
        """Put the card at `source` where it then is the card at `target`."""
        order = list(range(len(self.faces)))
        order.insert(max(0, min(target, len(order) - 1)), order.pop(source))
        self._reorder(order)

    def toggle(self, place: int) -> None:
        """Mark a card, or take its mark away."""
        if 0 <= place < len(self.faces):
            self.marked[place] = not self.marked[place]

    def clear(self) -> None:
        """Take all marks away."""
        self.marked = [False] * len(self.faces)

    def picked(self) -> list[Face]:
        """Return the marked cards in hand order."""
        return [face for face, marked in zip(self.faces, self.marked, strict=True) if marked]

    def mark(self, faces: Sequence[Face]) -> None:
        """Mark these cards and no others."""
        wanted = Counter(faces)
        self.clear()
        for place, face in enumerate(self.faces):
            if wanted[face] > 0:
                wanted[face] -= 1
                self.marked[place] = True

    def _reorder(self, order: Sequence[int]) -> None:
        self.faces = [self.faces[place] for place in order]
        self.marked = [self.marked[place] for place in order]
        self.fresh = [self.fresh[place] for place in order]


@dataclass
class Drag:
    """A press that may become a drag: what was pressed, where, and where the pointer is."""

    hit: str
    x: int
    y: int
    at: tuple[int, int]
    moved: bool = False


@dataclass
class Notice:
    """A line that tells the player something until the next key: `bad` for a refusal."""

    message: Message
    bad: bool = False


@dataclass
class Link:
    """The connection as the title shows it: `live`, or why not."""

    state: str = "live"
    seconds: int | None = None
    closed: bool = False
    """Whether the host itself has said that it closes."""


@dataclass
class Local:
    """The state of one screen. `paint(view, local, width, height)` depends on nothing else."""

    words: Words
    hand: Hand = field(default_factory=Hand)
    marks: dict[str, set[int]] = field(default_factory=dict)
    focus: str = ""
    resting: int = 0
    """The place in the hand where an arrow begins when nothing has the focus."""
    drag: Drag | None = None
    armed: Filling | None = None
    boxes: list[Box] = field(default_factory=list)
    notice: Notice | None = None
    pending: dict[str, Any] | None = None
    sort: int = 0
    manual: bool = False
    link: Link = field(default_factory=Link)
    room: Room | None = None
    chat: list[tuple[str, str]] = field(default_factory=list)
    can_chat: bool = False
    tricks: Tricks = field(default_factory=Tricks)
    confirm: bool = True
    """Whether to ask before a card goes away while a combination could be laid."""
    mouse: bool = True
    quiet: bool = False
    tools: Sequence[Tool] = ()
    """What a bench or a viewer adds to what can be done."""
    slider: Slider | None = None
    memory: HandMemory | None = None
    purse: int | None = None
    """The reader's chips at this host after the match, once they are known."""
    guide: Guide | None = None
    """Who explains the first hand."""
    fleeting: bool = False
    """Whether the table ends with this window, and nothing keeps it."""
    hosting: bool = False
    """Whether the host ends with this window."""
    distrusted: bool = False
    """Whether the host was caught telling different people different things."""
    home: bool = False
    """Whether there is no table yet: only the menu."""
    _picked: dict[str, list[Face]] = field(default_factory=dict)
    _dealt: tuple[int, int | None] | None = None

    def picked(self) -> dict[str, list[Face]]:
        """Return the marked cards by zone."""
        return self._picked

    def see(self, view: View | None) -> None:
        """Take over a new view: hand, marks, focus and what was begun for a prompt that is closed now."""
        if view is None:
            return
        self.words.reader(view)
        own = hand_zone(view)
        dealt = (view["hand"]["number"], view.get("you"))
        if dealt != self._dealt:
            # Another hand, or another seat's: nothing in it is new among the old, and no order is the player's own yet.
            if self._dealt is not None:
                self.hand, self.manual = Hand(), False
            self._dealt = dealt
            self._recall(*dealt)
        self.hand.take(own["cards"] or [] if own else [])
        if not self.manual:
            self.sort_hand(view)
        self.tricks.see(view)
        names = {zone["name"]: zone for zone in view["zones"]}
        for name in list(self.marks):
            cards = (names.get(name) or {}).get("cards") or []
            self.marks[name] = {place for place in self.marks[name] if place < len(cards) and cards[place]}
        self.disarm(view)
        self.refresh(view)

    def disarm(self, view: View | None) -> None:
        """Forget what was begun with a form that is not there any more, or not in this shape."""
        if self.armed and all(form != self.armed.form for form in forms_of(view)):
            self.armed = None

    def _recall(self, hand: int, seat: int | None) -> None:
        """Take over how this hand was ordered before this client began."""
        order = self.memory.recall(hand, seat) if self.memory is not None and seat is not None else None
        if order is not None:
            self.sort, self.manual = order.sort, order.manual
            if order.manual:
                self.hand.take(order.faces)

    def keep_order(self, view: View) -> None:
        """Remember how the hand is ordered now."""
        if self.memory is not None and view.get("you") is not None:
            self.memory.remember(view["hand"]["number"], view["you"], Order(self.sort, self.manual, self.hand.faces))

    def refresh(self, view: View | None) -> None:
        """Work out anew which cards are marked, zone by zone."""
        picked: dict[str, list[Face]] = {}
        own = hand_zone(view) if view else None
        if own:
            picked[own["name"]] = self.hand.picked()
        for zone in (view or {}).get("zones", ()):
            places = self.marks.get(zone["name"])
            if places and zone["cards"]:
                picked[zone["name"]] = [zone["cards"][place] for place in sorted(places) if place < len(zone["cards"])]
        self._picked = picked

    def unmark(self, view: View | None) -> bool:
        """Take every mark away; tell whether there was one."""
        had = any(self._picked.values())
        self.hand.clear()
        self.marks.clear()
        self.refresh(view)
        return had

    def sort_hand(self, view: View) -> Message | None:
        """Sort the hand by the chosen order and return the order's name."""
        orders = orders_of(view, self.words)
        if not orders:
            return None
        name, key = orders[self.sort % len(orders)]
        self.hand.arrange(key)
        return name


def hand_zone(view: View) -> Mapping[str, Any] | None:
    """Return the fan the reader holds, or None for a watcher."""
    if view.get("you") is None:
        return None
    fans = [zone for zone in view["zones"] if zone["kind"] == "fan" and zone["owner"] == view["you"]]
    order = (view.get("layout") or {}).get("order") or []
    fans.sort(key=lambda zone: order.index(zone["name"]) if zone["name"] in order else len(order))
    return fans[0] if fans else None


def rank_of(face: Face) -> int:
    """Return a number to sort ranks by; a rank of letters the client does not know comes last."""
    rank = face[1:]
    return int(rank) if rank.isdigit() else _RANKS.get(rank, 99)


def _by_place(places: Mapping[Face, int]) -> Callable[[Face], Any]:
    return lambda face: places.get(face, len(places))


def orders_of(view: View, words: Words) -> list[tuple[Message, Callable[[Face], Any]]]:
    """Return the orders a hand can be sorted in: the game's own, or by suit and by rank."""
    orders: list[tuple[Message, Callable[[Face], Any]]] = []
    for sort in (view.get("layout") or {}).get("sorts") or []:
        orders.append((sort["name"], _by_place({face: place for place, face in enumerate(sort["order"])})))
    if orders:
        return orders
    suits = {suit: place for place, suit in enumerate(words.looks.get("suits", {}))}

    def by_rank(face: Face) -> Any:
        return (words.special(face), rank_of(face), suits.get(face[:1], 99), face)

    def by_suit(face: Face) -> Any:
        return (words.special(face), suits.get(face[:1], 99), rank_of(face), face)

    return [(["ui.sort.rank", {}], by_rank), (["ui.sort.suit", {}], by_suit)]
