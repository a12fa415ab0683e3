"""Hands that do a given action on the screen as people do: by keyboard, by mouse, or with lines. They know the client, and no game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from carteado.ui.terminal.boxes import Box
from carteado.ui.terminal.cards import HAND_KEYS
from carteado.ui.terminal.filling import forms_of, hinted
from carteado.ui.terminal.line import LineClient
from carteado.ui.terminal.local import Local, hand_zone
from carteado.ui.terminal.menus import MENU_KEYS, blank_values
from carteado.ui.terminal.offers import offers
from carteado.ui.terminal.scene import card_hit, place_hit, zone_hit
from carteado.ui.terminal.spoken import cards_of, value_lines

from .harness import Pilot

Action = Mapping[str, Any]
Form = Mapping[str, Any]
STEPS = 30
"""More steps than one action ever takes."""


class Doing(Protocol):
    """One way to use the client."""

    async def mark(self, place: int) -> None:
        """Mark a card of the hand."""

    async def name(self, form: Form) -> None:
        """Name a form."""

    async def item(self, number: int) -> None:
        """Choose an entry of a box."""

    async def confirm(self) -> None:
        """Say yes."""

    async def direct(self, view: Any, form: Form, action: Action) -> bool:
        """Do the whole action in a way of its own; tell whether that was possible."""


class Keyboard:
    """Everything by keys."""

    def __init__(self, one: Pilot) -> None:
        self._one = one

    async def mark(self, place: int) -> None:
        await self._one.keys(HAND_KEYS[place])

    async def name(self, form: Form) -> None:
        local = self._one.client.local
        offer = next(offer for offer in offers(self._one.session.view, local) if offer.name == f"form:{form['type']}")
        await self._one.keys(offer.key)

    async def item(self, number: int) -> None:
        await self._one.keys(MENU_KEYS[number])

    async def confirm(self) -> None:
        await self._one.keys("\r")

    async def direct(self, view: Any, form: Form, action: Action) -> bool:
        return False


class Mouse:
    """Everything by clicks and by dragging cards."""

    def __init__(self, one: Pilot) -> None:
        self._one = one

    async def mark(self, place: int) -> None:
        await self._one.click(card_hit(place))

    async def name(self, form: Form) -> None:
        await self._one.click(f"do:form:{form['type']}")

    async def item(self, number: int) -> None:
        await self._one.click(f"item:{number}")

    async def confirm(self) -> None:
        await self._one.click("do:confirm")

    async def direct(self, view: Any, form: Form, action: Action) -> bool:
        local, fields = self._one.client.local, form["fields"]
        goal = aimed(form, action)
        picks = [name for name, blank in fields.items() if blank["kind"] == "pick" and action.get(name)]
        if goal is None or self._one.client.controls.grid.find(goal) is None or any(blank["kind"] == "groups" for blank in fields.values()):
            return False
        if [len(action[name]) for name in picks] == [1] and fields[picks[0]]["zone"] == (hand_zone(view) or {}).get("name"):
            await self._one.drag(card_hit(local.hand.faces.index(action[picks[0]][0])), goal)
            return True
        if not picks:
            await self._one.click(goal)
            return True
        return False


def aimed(form: Form, action: Action) -> str | None:
    """Return the hit of what an action points at: a place, a zone, or the zone that stands for its form."""
    for name, blank in form["fields"].items():
        if blank["kind"] == "place" and name in action:
            return place_hit(blank["zone"], action[name])
        if blank["kind"] == "target" and name in action:
            return zone_hit(action[name])
    return zone_hit(form["on"]) if form.get("on") else None


async def do(one: Pilot, hands: Doing, action: Action, done: Callable[[], bool]) -> None:
    """Do an action on the screen until it is `done`."""
    view = one.session.view
    local = one.client.local
    form = next(form for form in forms_of(view) if form["type"] == action["type"])
    fields = form["fields"]
    asked: set[str] = set()
    if not await hands.direct(view, form, action):
        for name, blank in fields.items():
            if blank["kind"] == "pick" and action.get(name):
                await mark_all(hands, local, action[name])
        await hands.name(form)
    for _ in range(STEPS):
        await one.settle()
        if done():
            return
        if local.boxes:
            await answer(hands, local.boxes[-1], view, local, form, action, asked)
        elif local.armed is not None:
            name = local.armed.missing()
            assert name is not None
            wanted = action[name] if fields[name]["kind"] == "pick" else action[name][len(local.armed.groups)]
            await mark_all(hands, local, wanted)
            if local.armed is not None:  # a single card that is marked for a form of one card goes at once
                await hands.confirm()
    raise AssertionError(f"{dict(action)} was never done:\n{one.text()}")


async def mark_all(hands: Doing, local: Local, faces: Sequence[str]) -> None:
    """Mark these cards of the hand."""
    left = list(faces)
    for place, face in enumerate(list(local.hand.faces)):
        if face in left and not local.hand.marked[place]:
            left.remove(face)
            await hands.mark(place)
    assert not left, f"{left} not in hand"


async def answer(hands: Doing, box: Box, view: Any, local: Local, form: Form, action: Action, asked: set[str]) -> None:
    """Answer the box that is open."""
    if box.name == "proposal":
        await hands.item(0 if hinted(view, form) == dict(action) else 1)
    elif box.name == "sure":
        await hands.item(1)
    elif box.name == "forms":
        label = local.words.text(form["label"])
        await hands.item(next(number for number, item in enumerate(box.items) if item.words() == label))
    elif box.name == "blank":
        shown = [item.label for item in box.items]
        for name, blank in form["fields"].items():
            if name in asked or blank["kind"] not in ("choice", "number", "target", "place"):
                continue
            values = blank_values(view, local.words, blank)
            if [line for line, _ in values] == shown:
                asked.add(name)
                wanted = action.get(name, values[0][1])
                await hands.item(next(number for number, (_, value) in enumerate(values) if value == wanted))
                return
        raise AssertionError(f"nothing is known about the box {box.title!r}")
    else:
        await hands.confirm()


async def do_by_lines(client: LineClient, view: Any, action: Action) -> list[str]:
    """Do an action with lines; return what was typed."""
    forms = forms_of(view)
    number = next(number for number, form in enumerate(forms, 1) if form["type"] == action["type"])
    form = forms[number - 1]
    typed = [str(number)]
    await client.take(typed[-1])
    for _ in range(STEPS):
        question = client._question
        if question is None:
            return typed
        blank = form["fields"][question.name]
        if question.proposal is not None:
            typed.append("1" if question.proposal.action() == dict(action) else "2")
        elif blank["kind"] in ("pick", "groups"):
            wanted = action[question.name] if blank["kind"] == "pick" else action[question.name][len(question.filling.groups)]
            typed.append(" ".join(numbers(cards_of(view, client.local, blank["zone"]), wanted)))
        else:
            values = [value for _, value in value_lines(view, client.local, blank)]
            typed.append(str(values.index(action.get(question.name, values[0])) + 1))
        await client.take(typed[-1])
    raise AssertionError(f"{dict(action)} was never done by {typed}")


def numbers(hand: Sequence[str], faces: Sequence[str]) -> list[str]:
    """Return where cards stand in a numbered hand."""
    left = list(faces)
    found = []
    for number, face in enumerate(hand, 1):
        if face in left:
            left.remove(face)
            found.append(str(number))
    return found
