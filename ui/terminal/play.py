"""The player's part of a game: marking cards, pointing at things, filling forms in, sending actions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from . import intent, menus
from .boxes import Box
from .filling import Filling, Form, Picked, fit, forms_of, hinted, missed, prompt_of
from .intent import Ask, Choose, Outcome, Say, Send
from .local import Local, Notice, hand_zone
from .offers import Offer
from .scene import card_hit, place_of, zone_hit
from .session import Session

Spawn = Callable[[Coroutine[Any, Any, None]], None]
View = Mapping[str, Any]


class Play:
    """What one player does in a game, on one screen and through one session."""

    def __init__(self, session: Session, local: Local, spawn: Spawn, open_box: Callable[[Box], None]) -> None:
        """Take what starts a coroutine in the background (`spawn`) and what opens a box."""
        self._session = session
        self._local = local
        self._spawn = spawn
        self._open = open_box

    @property
    def view(self) -> View | None:
        """The view that is on the screen."""
        return self._session.view

    def hand_name(self) -> str:
        """Return the name of the player's hand, '' without one."""
        own = hand_zone(self.view) if self.view else None
        return str(own["name"]) if own else ""

    def hand_hit(self) -> str:
        """Return the hit id of the hand as a whole."""
        return zone_hit(self.hand_name())

    def press(self, view: View, offer: Offer, picked: Picked | None) -> None:
        """Name a form, with the marked cards or with cards dropped on its button."""
        form = offer.form
        if form is None:
            return
        outcome = intent.press(view, form, picked if picked is not None else self._meant_for(view, form))
        filling = outcome.filling if isinstance(outcome, Ask) else None
        proposal = hinted(view, form)
        if filling is not None and proposal is not None and self._wants_groups(filling):
            self._propose(filling, proposal)
        else:
            self.go(outcome)

    def enter(self, view: View) -> None:
        """Play the marked cards, or the one that has the focus, or do what is done by default."""
        self.go(intent.enter(view, self.meant(view), any(self._local.picked().values())))

    def meant(self, view: View) -> Picked:
        """Return the marked cards, or the card that has the focus when none is marked."""
        marked = self._local.picked()
        if any(marked.values()):
            return marked
        focus = self._local.focus
        if focus.startswith("card:") and int(focus[5:]) < len(self._local.hand):
            return {self.hand_name(): [self._local.hand.faces[int(focus[5:])]]}
        return {}

    def _meant_for(self, view: View, form: Form) -> Picked:
        """Return the marked cards, or the card that has the focus where the form can do with that one."""
        marked = self._local.picked()
        if any(marked.values()):
            return marked
        one = self.meant(view)
        blanks = form["fields"].values()
        if any(blank["kind"] == "groups" for blank in blanks):
            return {}
        faces = one.get(self.hand_name(), ())
        for blank in blanks:
            allowed = blank.get("cards")
            if (
                blank["kind"] == "pick"
                and blank["n"][0] <= 1
                and all(allowed is None or face in allowed for face in faces)
            ):
                return one
        return {}

    @staticmethod
    def _wants_groups(filling: Filling) -> bool:
        name = filling.missing()
        return name is not None and filling.form["fields"][name]["kind"] == "groups"

    def _propose(self, filling: Filling, action: Mapping[str, Any]) -> None:
        values = {name: value for name, value in action.items() if name != "type"}
        whole = Filling(filling.prompt, filling.form, values)
        self._open(menus.proposal_box(self._local, whole, lambda: self._send(whole), lambda: self._ask_for(filling)))

    def follow_hint(self, action: Mapping[str, Any]) -> None:
        """Do what a hint proposes."""
        prompt = prompt_of(self.view)
        for form in forms_of(self.view):
            if prompt is not None and form["type"] == action.get("type"):
                values = {name: value for name, value in action.items() if name != "type"}
                self._send(Filling(prompt["id"], form, values))
                return

    def play(self, faces: list[str], place: int) -> None:
        """Do with one card what Enter would do."""
        view = self.view
        if view is None:
            return
        if self._local.armed is not None:
            self._mark_only(place)
            self.confirm(self._local.armed)
        else:
            self.go(intent.enter(view, {self.hand_name(): faces}, True))

    def mark_card(self, place: int) -> None:
        """Mark a card of the hand, or take its mark away."""
        local = self._local
        if place >= len(local.hand) or local.pending is not None:
            return
        one = self._takes_one(self.hand_name())
        if one and not local.hand.marked[place]:
            local.hand.clear()
        local.hand.toggle(place)
        local.refresh(self.view)
        armed = local.armed
        if armed is not None and one and local.hand.marked[place]:
            self.confirm(armed)

    def _mark_only(self, place: int) -> None:
        self._local.hand.clear()
        self._local.hand.toggle(place)
        self._local.refresh(self.view)

    def mark_place(self, zone: str, place: int) -> None:
        """Mark a card that lies in a place, where some form takes cards from there; else point at it."""
        if not self._picks_from(zone):
            self.aim((zone, place), self._local.picked())
            return
        marks = self._local.marks.setdefault(zone, set())
        if place in marks:
            marks.discard(place)
        else:
            if self._takes_one(zone):
                marks.clear()
            marks.add(place)
        self._local.refresh(self.view)

    def use_place(self, hit: str) -> None:
        """Do what a click on a place means: use it, or mark its card."""
        zone, place = place_of(hit)
        places = any(
            blank["kind"] == "place" and blank["zone"] == zone
            for form in forms_of(self.view)
            for blank in form["fields"].values()
        )
        if self._picks_from(zone) and not places:
            self.mark_place(zone, place)
        else:
            self.aim((zone, place), self._local.picked())

    def _picks_from(self, zone: str) -> bool:
        return bool(self._picks(zone))

    def _picks(self, zone: str) -> list[Mapping[str, Any]]:
        armed = self._local.armed
        forms = [armed.form] if armed is not None else forms_of(self.view)
        return [
            blank
            for form in forms
            if not form.get("blocked")
            for blank in form["fields"].values()
            if blank["kind"] in ("pick", "groups") and blank["zone"] == zone
        ]

    def _takes_one(self, zone: str) -> bool:
        """Tell whether no form takes more than one card from a zone, so that a new mark replaces the old one."""
        blanks = self._picks(zone)
        return bool(blanks) and all(blank["kind"] == "pick" and blank["n"][1] == 1 for blank in blanks)

    def sort(self) -> None:
        """Sort the hand; sort it another way when it is sorted already."""
        local, view = self._local, self.view
        if view is None:
            return
        if local.manual:
            local.manual = False
        else:
            local.sort += 1
        name = local.sort_hand(view)
        local.keep_order(view)
        local.refresh(view)
        if name is not None:
            local.notice = Notice(["ui.sorted", {"by": name}])

    def move_card(self, step: int) -> None:
        """Move the card that has the focus within the hand."""
        local = self._local
        if not local.focus.startswith("card:"):
            return
        place = int(local.focus[5:])
        target = place + step
        if 0 <= target < len(local.hand):
            self.put_card(place, target)
            local.focus = card_hit(target)

    def put_card(self, source: int, target: int) -> None:
        """Put one card of the hand where it then is the card at `target`; from now on the order is the player's own."""
        self._local.hand.move(source, target)
        self._local.manual = True
        if self.view is not None:
            self._local.keep_order(self.view)
        self._local.refresh(self.view)

    def aim(self, spot: tuple[str, int | None], picked: Picked) -> None:
        """Point at a zone or place, with these cards."""
        view = self.view
        if view is None:
            return
        armed = self._local.armed
        if armed is not None:
            one = fit(armed.prompt, armed.form, picked, spot)
            if one.aimed and one.wrong is None:
                self.go(Ask(one.filling) if one.filling.missing() else Send(one.filling))
                return
        self.go(intent.aim(view, picked, spot, self._local.words.zone(view, spot[0])))

    def go(self, outcome: Outcome) -> None:
        """Follow an outcome: send, ask, let choose, or say why not."""
        match outcome:
            case Send(filling):
                self._send(filling)
            case Ask(filling):
                self._ask_for(filling)
            case Choose(fillings):
                self._open(menus.forms_box(self._local, fillings, self._ask_for))
            case Say(message, bad):
                self._local.notice = Notice(message, bad)

    def _ask_for(self, filling: Filling) -> None:
        """Ask for the next blank: on the table for cards, in a box for anything else."""
        view = self.view
        name = filling.missing()
        if name is None or view is None:
            self._send(filling)
            return
        if filling.form["fields"][name]["kind"] in ("pick", "groups"):
            self._local.armed = filling
            self._local.unmark(view)
            if not self._local.focus.startswith("card:") and len(self._local.hand):
                self._local.focus = card_hit(0)
        else:
            self._local.armed = None
            self._open(menus.blank_box(view, self._local, filling, name, self._ask_for))

    def confirm(self, armed: Filling) -> None:
        """Take the marked cards into the form that asked for them."""
        view = self.view
        name = armed.missing()
        if view is None or name is None:
            return
        blank = armed.form["fields"][name]
        faces = list(self.meant(view).get(blank["zone"], ()))
        if blank["kind"] == "pick":
            one = fit(armed.prompt, armed.form, {blank["zone"]: faces})
            if one.wrong is not None or not faces:
                self._local.notice = Notice(one.wrong or ["ui.mark_first", {}], bad=True)
                return
            self._ask_for(armed.put(name, faces))
            return
        held = Counter(self._local.hand.faces)
        held.subtract(armed.spent())
        held.subtract(faces)
        if not faces or min(held.values(), default=0) < 0:
            self._local.notice = Notice(["ui.used_twice" if faces else "ui.mark_first", {}], bad=True)
            return
        self._ask_for(armed.add_group(name, faces))

    def _send(self, filling: Filling, sure: bool = False) -> None:
        """Send an action; one that a player could regret is asked about first, unless he is `sure`."""
        if self._local.pending is not None:
            return
        instead = missed(self.view, filling) if self._local.confirm and not sure else None
        if instead is not None:
            self._open(menus.sure_box(self._local, filling, instead, lambda: self._send(filling, sure=True)))
            return
        self._local.armed = None
        self._local.pending = filling.action()
        self._spawn(self._sent(filling))

    async def _sent(self, filling: Filling) -> None:
        """Wait for the host's answer: marks go when it says yes, the reason is shown when it says no."""
        local = self._local
        if local.guide is not None:
            local.guide.using(str(filling.form["type"]))
        try:
            why = await self._session.act(filling.prompt, filling.action())
        finally:
            local.pending = None
        if why is None:
            local.unmark(self.view)
            # A second Enter must not play the next card: the focus rests until an arrow wakes it where it was.
            if local.focus.startswith("card:"):
                local.resting, local.focus = int(local.focus[5:]), ""
            return
        if local.guide is not None:
            local.guide.refused(str(filling.form["type"]))
        blank = str((why[1] if len(why) > 1 else {}).get("field", ""))
        asked = blank in filling.form["fields"] and blank not in filling.values
        if asked:
            # The game needs a blank that is optional in the form: it is asked for now, and nothing is wrong with that.
            self._ask_for(Filling(filling.prompt, filling.form, filling.values, asked=(blank,)))
        local.notice = Notice(list(why), bad=not asked)

    def back(self) -> None:
        """Undo the last thing that was begun: a form, then the marks, then the focus."""
        local = self._local
        if local.armed is not None:
            local.armed = None
            local.unmark(self.view)
        elif not local.unmark(self.view):
            local.focus = ""
