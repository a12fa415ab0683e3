"""A recorded match on this screen: step, jump, let it play, and see what the rule player would have done."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from carteado.core.words import C, L, Message, P
from carteado.net.timeline import Timeline, advice

from .boxes import Box
from .grid import Line
from .inprocess import InProcess
from .local import Notice
from .menus import keyed
from .scene import zone_of
from .tools import Tool

TOOLS: Sequence[Tool] = (
    ("back", "[", "left"),
    ("forth", "]", "right"),
    ("play", "k", " "),
    ("hands", "h", ""),
    ("seat", "v", ""),
    ("whole", "o", ""),
    ("slower", "-", ""),
    ("faster", "+", "="),
    ("hand_back", "{", "pageup"),
    ("hand_forth", "}", "pagedown"),
    ("begin", "0", "home"),
    ("finish", "$", "end"),
)
SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
"""Entries a second."""


class ViewerSession(InProcess):
    """A place to look at a recorded match from; all cards lie open until one wants to see as a seat saw."""

    def __init__(
        self, timeline: Timeline, lang: str = "en", pause: Callable[[float], Awaitable[None]] = asyncio.sleep
    ) -> None:
        """`pause` waits between two entries while the match plays by itself."""
        super().__init__(timeline, lang)
        self.speed = SPEEDS.index(1.0)
        self._pause = pause
        self._playing: asyncio.Task[None] | None = None
        timeline.go(1)

    @property
    def stage(self) -> str:
        """The table's stage: a recording waits for nobody."""
        return "over" if self.timeline.match.phase == "over" else "playing"

    def dressed(self, view: dict[str, Any]) -> dict[str, Any]:
        """Return the view with what comes next instead of a prompt."""
        layout = dict(view.get("layout") or {})
        title = layout.get("title") or [["ui.title.hand", {"n": view["hand"]["number"]}]]
        place: Message = ["ui.replay.all", {}] if self.whole else ["ui.dev.own", {}]
        where: list[Message] = [] if self.seat is None else [["ui.replay.seat", {"who": P(self.seat)}]]
        return {**view, "prompts": [], "layout": {**layout, "title": [*title, *where, place], "prompt": self.coming(view)}}

    def coming(self, view: Mapping[str, Any]) -> Message:
        """Return what happens next, and what the rule player would do in its place."""
        entry, match = self.timeline.next(), self.timeline.match
        if entry is None:
            return ["ui.replay.end", {}]
        if entry["k"] == "hand":
            return ["ui.replay.hand", {"n": entry["hand"]}]
        seat = entry["seat"]
        if entry["k"] not in ("action", "timeout"):
            return [f"ui.replay.{entry['k']}", {"who": P(seat)}]
        forms = [form.wire() for form in match.forms(seat)]
        done = action_said(view, forms, entry["do"])
        if entry["k"] == "timeout":
            return ["ui.replay.timeout", {"who": P(seat), "done": done}]
        advised = advice(match, seat)
        if advised is None:
            return ["ui.replay.action", {"who": P(seat), "done": done}]
        if advised == entry["do"]:
            return ["ui.replay.same", {"who": P(seat), "done": done}]
        return ["ui.replay.other", {"who": P(seat), "done": done, "rule": action_said(view, forms, advised)}]

    async def close(self) -> None:
        """Stop playing and end the changes."""
        self.halt()
        await super().close()

    # the tools

    @property
    def tools(self) -> Sequence[Tool]:
        """What the viewer adds to the table."""
        return TOOLS

    def slide(self, place: int) -> None:
        """Stand after the first `place` entries; a match that plays by itself stops."""
        self.halt()
        super().slide(place)

    def do(self, name: str) -> None:
        """Do one of the viewer's things."""
        match name:
            case _ if self.walk(name):
                pass
            case "begin":
                self.slide(1)
            case "finish":
                self.slide(len(self.timeline.entries))
            case "hands":
                self._open_hands()
            case "play":
                self._toggle()
            case "slower" | "faster":
                self.speed = max(0, min(len(SPEEDS) - 1, self.speed + (1 if name == "faster" else -1)))
                self._notice(["ui.replay.speed", {"n": f"{SPEEDS[self.speed]:g}"}])

    def halt(self) -> None:
        """Stop playing by itself."""
        if self._playing is not None:
            self._playing.cancel()
            self._playing = None

    def _toggle(self) -> None:
        if self._playing is not None:
            self.halt()
            self._notice(["ui.replay.halted", {}])
            return
        if self.timeline.next() is None:
            super().slide(1)
        self._playing = asyncio.get_running_loop().create_task(self._play())
        self._notice(["ui.replay.speed", {"n": f"{SPEEDS[self.speed]:g}"}])

    async def _play(self) -> None:
        while self.timeline.next() is not None:
            await self._pause(1 / SPEEDS[self.speed])
            super().slide(self.timeline.place + 1)
        self._playing = None

    def _notice(self, message: Message) -> None:
        if self._controls is not None:
            self._controls.local.notice = Notice(list(message))

    def _open_hands(self) -> None:
        if self._controls is None:
            return
        words = self._controls.local.words

        def to(place: int) -> Callable[[], None]:
            return lambda: self.slide(place)

        rows: list[tuple[Line, Callable[[], None]]] = []
        for number, place in enumerate(self.timeline.hands(), 1):
            rows.append(([(words("ui.points.last", n=number), "")], to(place)))
        box = Box("hands", words("ui.tool.hands"), items=keyed(rows), foot=words("ui.foot.menu"), sticky=True)
        box.cursor = max(0, sum(1 for place in self.timeline.hands() if place <= self.timeline.place) - 1)
        self._controls.open_box(box)


def action_said(view: Mapping[str, Any], forms: Sequence[Mapping[str, Any]], action: Mapping[str, Any]) -> Message:
    """Return an action as a message: the caption of its form, and what was filled in."""
    form = next((form for form in forms if form["type"] == action.get("type")), None)
    if form is None:
        return ["ui.told", {"text": str(action.get("type", ""))}]
    parts = [part for name, value in action.items() if name != "type" for part in _filled(view, form["fields"].get(name), value)]
    return ["ui.replay.filled", {"form": form["label"], "what": L(parts)}] if parts else form["label"]


def _filled(view: Mapping[str, Any], blank: Mapping[str, Any] | None, value: Any) -> list[Any]:
    """Return what stands in one blank as arguments of a message."""
    kind = blank["kind"] if blank is not None else ""
    if kind == "pick":
        return [C(face) for face in value]
    if kind == "groups":
        return [["ui.replay.cards", {"cards": L([C(face) for face in group])}] for group in value]
    if kind == "choice" and blank is not None:
        return [one["label"] for one in blank["of"] if one["value"] == value]
    if kind == "place" and blank is not None:
        cards = (zone_of(view, blank["zone"]) or {}).get("cards") or []
        known = cards[value] if value < len(cards) else ""
        return [C(known)] if known and known != "?" else [["ui.place_number", {"n": value + 1}]]
    if kind == "target":
        label = (view.get("layout") or {}).get("labels", {}).get(value)
        zone = zone_of(view, value) or {}
        cards = [C(face) for face in zone.get("cards") or ()]
        return [label if label is not None else ["ui.replay.cards", {"cards": L(cards)}] if cards else value]
    return [value]
