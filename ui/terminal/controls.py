"""What keys and pointer do: they change the local state, or send an action through the session."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from . import menus, pages
from .asking import Asking
from .boxes import NONE, Box, frame
from .cards import HAND_KEYS
from .filling import Picked, prompt_of, stage_of
from .focus import neighbour, next_area
from .grid import LEAST_HEIGHT, LEAST_WIDTH, Grid
from .hand import dragged_places, gap_at
from .invite import invite_page
from .local import Local, Notice
from .offers import Offer, is_tool, nothing_for, offers
from .play import Play, Spawn
from .rules import rules_page
from .scene import card_hit, place_of, spot_of
from .session import Session
from .tools import Tools

View = Mapping[str, Any]

_ARROWS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
_MOVES = {"a-left": -1, "a-right": 1, "s-left": -1, "s-right": 1, "c-left": -1, "c-right": 1, "<": -1, ">": 1}


class Controls:
    """One player's hands: they act on the local state of one screen and on one session."""

    def __init__(
        self,
        session: Session,
        local: Local,
        spawn: Spawn,
        leave: Callable[[], None],
        tools: Tools | None = None,
        speak: Callable[[], None] | None = None,
    ) -> None:
        """`spawn` starts a coroutine in the background, `leave` ends the program, `speak` goes on to the next language.

        `tools` are those of a bench or a viewer.
        """
        self.session = session
        self.local = local
        self.grid = Grid(LEAST_WIDTH, LEAST_HEIGHT)
        """The screen as it was last drawn: what a click or an arrow refers to."""
        self.play = Play(session, local, spawn, self.open_box)
        self.spawn = spawn
        self.asking = Asking(session, local, spawn, leave, self.open_box)
        self._next_language = speak
        self.tools = tools
        if tools is not None:
            tools.attach(self)

    @property
    def view(self) -> View | None:
        """The view that is on the screen."""
        return self.session.view

    # keys

    def key(self, key: str) -> None:
        """Take one key by name: a character, or `enter`, `left`, `f1`, `c-p`, `a-left`..."""
        local = self.local
        local.notice = None
        local.tricks.saw()
        local.drag = None if key == "escape" else local.drag
        if key == "c-c":
            self.asking.quit(alone=self.tools is not None)  # nobody waits for whoever looks at a recording or sits at a bench
        elif not self.grid.roomy:
            pass  # nothing is done that nobody can see
        elif self._tool_key(key):
            pass
        elif local.boxes:
            self._box_key(local.boxes[-1], key)
        elif not self._table_key(key):
            self._command_key(key)

    def paste(self, text: str) -> None:
        """Take pasted text; it counts only where something is being typed."""
        box = self.local.boxes[-1] if self.local.boxes else None
        if box is not None and box.entry is not None:
            box.entry.insert(text.replace("\n", " "))

    def _tool_key(self, key: str) -> bool:
        """Use a tool by its key; a page that is open does not stand in its way, a box to choose or type in does."""
        if self.tools is None or any(box.items or box.entry for box in self.local.boxes[-1:]):
            return False
        for name, *keys in self.local.tools:
            if key in keys:
                self.tools.do(name)
                return True
        return False

    def _table_key(self, key: str) -> bool:
        local, view = self.local, self.view
        match key:
            case "escape":
                self.play.back()
            case "tab" | "s-tab":
                local.focus = next_area(self.grid, view, local.focus, 1 if key == "tab" else -1, self.play.hand_hit())
            case "left" | "right" | "up" | "down" if not local.focus and len(local.hand):
                local.focus = card_hit(min(local.resting, len(local.hand) - 1))
            case "left" | "right" | "up" | "down":
                local.focus = neighbour(self.grid, view, local.focus, *_ARROWS[key], self.play.hand_hit())
            case "enter":
                self._enter()
            case " ":
                self._toggle(local.focus)
            case _ if key in _MOVES:
                self.play.move_card(_MOVES[key])
            case _ if key in HAND_KEYS and view is not None and HAND_KEYS.index(key) < len(local.hand):
                self.play.mark_card(HAND_KEYS.index(key))
            case _:
                return False
        return True

    def _command_key(self, key: str) -> None:
        for offer in offers(self.view, self.local):
            if key in (offer.key, offer.second):
                self.do(offer)
                return
        nothing = nothing_for(key) if self.view is not None else ""
        if nothing:
            self.local.notice = Notice([nothing, {}])

    def _box_key(self, box: Box, key: str) -> None:
        items = box.shown()
        page = max(1, self.grid.height - 8)
        if key == "escape":
            self.close_box()
        elif key == "enter":
            self._box_enter(box)
        elif key == "tab" and box.complete is not None:
            box.complete()
        elif box.entry is not None and (len(key) == 1 or box.entry.edit(key)):
            if len(key) == 1:
                box.entry.insert(key)
            box.cursor = 0 if box.filters else NONE
        elif key in ("up", "down") and items:
            first = -1 if box.entry is not None and not box.filters else 0  # from a line to type in one gets back to it
            box.cursor = first + (box.cursor - first + (1 if key == "down" else -1)) % (len(items) - first)
        elif key in ("up", "down", "pageup", "pagedown", "home", "end", " "):
            far = 100_000
            steps = {"up": -1, "down": 1, "pageup": -page, "pagedown": page, " ": page, "home": -far, "end": far}
            self.scroll(steps[key])
        elif box.entry is None:
            for item in items:
                if key == item.key:
                    self._choose(item.do, blocked=item.blocked)
                    return
            if box.through and (key in HAND_KEYS or key.isalpha() or key.startswith(("f", "c-", "tab"))):
                self._pass_through()
                self.key(key)
            elif not items:
                # A page that is only read closes with the key that opened it, or any other that does nothing here.
                self.close_box()

    def _box_enter(self, box: Box) -> None:
        items = box.shown()
        if items and box.cursor != NONE:
            item = items[min(box.cursor, len(items) - 1)]
            self._choose(item.do, blocked=item.blocked)
        elif box.submit is not None and box.entry is not None:
            text = box.entry.text.strip()
            if text or box.empty:
                box.submit(text)
        elif not box.filters:
            self.close_box()
            if box.name == "hand_over":
                self.asking.wish("ready")

    def _choose(self, do: Callable[[], None], blocked: bool = False) -> None:
        if not blocked:
            self.local.boxes.pop()
        do()

    # boxes

    def open_box(self, box: Box) -> None:
        """Open a box, or bring it up to date when it is open already."""
        self.local.boxes = [one for one in self.local.boxes if one.name != box.name]
        self.local.boxes.append(box)

    def close_box(self) -> None:
        """Close the top box."""
        box = self.local.boxes.pop()
        if box.closed is not None:
            box.closed()

    def _pass_through(self) -> None:
        """Put a page of the guide away for what the player does on the table; what else it had to say waits for another time."""
        self.local.boxes.pop()

    def next_lesson(self) -> None:
        """Show the next page of the guide, if there is one."""
        guide = self.local.guide
        page = guide.turn() if guide is not None else []
        if page:
            self.open_box(pages.guide_page(self.local, page, self.next_lesson))

    # pointer

    def click(self, hit: str, double: bool) -> None:
        """Do what a click on something means: mark a card, use a zone, press a button, choose an entry."""
        local = self.local
        local.notice = None
        local.tricks.saw()
        if local.boxes and local.boxes[-1].through and hit.startswith(("card:", "place:", "zone:", "do:")):
            self._pass_through()
        if local.boxes:
            self._box_click(local.boxes[-1], hit)
            return
        kind, _, rest = hit.partition(":")
        if kind == "card":
            local.focus = hit
            if double:
                self.play.play([local.hand.faces[int(rest)]], int(rest))
            else:
                self.play.mark_card(int(rest))
        elif kind == "place":
            self.play.use_place(hit)
        elif kind == "zone" and hit != self.play.hand_hit():
            self.play.aim((rest, None), local.picked())
        elif kind == "do":
            self._do_named(rest)
        elif kind == "seat" and self.asking.is_free(int(rest)):
            self.asking.fill(int(rest))
        elif kind == "slide" and self.tools is not None:
            self.tools.slide(int(rest))

    def _box_click(self, box: Box, hit: str) -> None:
        if hit.startswith("item:"):
            box.cursor = int(hit[5:])
            item = box.shown()[box.cursor]
            self._choose(item.do, blocked=item.blocked)
        elif hit.startswith("scroll:"):
            self.scroll(-5 if hit == "scroll:up" else 5)
        elif hit != "box" or (not box.items and box.entry is None):
            self.close_box()
            if box.name == "hand_over":
                self.asking.wish("ready")

    def drop(self, source: str, hit: str, x: int, y: int) -> None:
        """Do what a drop means: reorder the hand, or use the dropped cards where they fell."""
        local = self.local
        local.notice = None
        local.boxes = [box for box in local.boxes if not box.through]
        kind, _, rest = hit.partition(":")
        if source.startswith("card:"):
            pressed = int(source[5:])
            if pressed >= len(local.hand):
                return
            places = dragged_places(local.hand.marked, pressed)
            if kind == "card" or hit == self.play.hand_hit():
                self.play.put_card(pressed, gap_at(self.grid, len(local.hand), pressed, x, y))
                return
            picked = {**local.picked(), self.play.hand_name(): [local.hand.faces[place] for place in places]}
            if kind == "do":
                self._do_named(rest, picked)
            elif kind in ("zone", "place"):
                self.play.aim(spot_of(hit), picked)
        elif hit != source and (kind == "card" or hit == self.play.hand_hit()):
            # From a pile or a place to the hand: to take what lies there.
            self.play.aim(spot_of(source), {})
        elif hit == source and kind in ("zone", "place"):
            self.click(hit, False)

    def scroll(self, lines: int) -> None:
        """Scroll the top box."""
        if not self.local.boxes:
            return
        box = self.local.boxes[-1]
        if box.items:
            box.cursor = max(0, min(len(box.shown()) - 1, box.cursor + (1 if lines > 0 else -1)))
            return
        laid = frame(box, self.local.words.glyphs, self.grid.width, self.grid.height)
        box.scroll = max(0, min(laid.limit, laid.top + lines)) - laid.start

    # what can be done

    def do(self, offer: Offer, picked: Picked | None = None) -> None:
        """Do one of the things on offer."""
        local, view = self.local, self.view
        if offer.form is not None and view is not None:
            self.play.press(view, offer, picked)
            return
        match offer.name:
            case "sort":
                self.play.sort()
            case "unmark":
                local.unmark(view)
            case "help":
                self.open_box(pages.help_page(view, local))
            case "invite":
                self.open_box(invite_page(local))
            case "rules":
                self.open_box(rules_page(local, self.session.rules, stage_of(view)))
            case "palette":
                self.open_box(menus.palette_box(local, offers(view, local), self.do))
            case "guide" if local.guide is not None:
                self.open_box(pages.guide_page(local, local.guide.last))
            case "chat":
                self.open_box(menus.chat_box(local, self.asking.say))
            case "quit":
                self.asking.quit(alone=self.tools is not None)  # nobody waits for whoever looks at a recording or sits at a bench
            case "lang":
                self.next_language()
            case "mouse":
                local.mouse = not local.mouse
                local.notice = Notice(["ui.mouse.on" if local.mouse else "ui.mouse.off", {}])
            case "careful":
                local.confirm = not local.confirm
                local.notice = Notice(["ui.confirm.on" if local.confirm else "ui.confirm.off", {}])
            case "quiet":
                local.quiet = not local.quiet
                local.notice = Notice(["ui.quiet.on" if local.quiet else "ui.quiet.off", {}])
            case "fill":
                self.asking.fill()
            case "ready" | "start" | "pause" | "resume" | "rematch":
                self.asking.wish(offer.name)
            case _ if is_tool(offer) and self.tools is not None:
                self.tools.do(offer.name.partition(":")[2])
            case _ if view is not None:
                self._open_page(offer.name, view)

    def next_language(self) -> None:
        """Go on to the next language."""
        if self._next_language is not None:
            self._next_language()

    def _open_page(self, name: str, view: View) -> None:
        local = self.local
        if name == "hint":
            self.open_box(menus.hints_box(view, local, self.play.follow_hint))
        elif name == "points":
            self.open_box(pages.points_page(view, local))
        elif name == "log":
            self.open_box(pages.log_page(view, local))
        elif name == "fair":
            self.open_box(pages.fair_page(local))
        elif name == "groups":
            self.open_box(pages.groups_page(view, local))
        elif name == "trick":
            self.open_box(pages.trick_page(view, local))

    def _do_named(self, name: str, picked: Picked | None = None) -> None:
        if name == "confirm":
            self._enter()
        elif name == "back":
            self.play.back()
        for offer in offers(self.view, self.local):
            if offer.name == name:
                self.do(offer, picked)
                return

    def _enter(self) -> None:
        local, view = self.local, self.view
        if local.armed is not None:
            self.play.confirm(local.armed)
        elif local.focus.startswith("do:") and self.grid.find(local.focus):
            self._do_named(local.focus[3:])
        elif local.focus.startswith(("zone:", "place:")) and self.grid.find(local.focus):
            self.play.aim(spot_of(local.focus), local.picked())
        elif view is None or not prompt_of(view):
            self._default_wish()
        else:
            self.play.enter(view)

    def _default_wish(self) -> None:
        for offer in offers(self.view, self.local):
            if offer.default and offer.form is None:
                self.do(offer)
                return
        view = self.view
        if view is not None:
            self.play.enter(view)

    def _toggle(self, focus: str) -> None:
        kind, _, rest = focus.partition(":")
        if kind == "card":
            self.play.mark_card(int(rest))
        elif kind == "place":
            self.play.mark_place(*place_of(focus))
        elif kind in ("zone", "do"):
            self._enter()
