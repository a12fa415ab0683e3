"""Answers to prompts: checked against what was offered, applied by the game on a draft, sealed until all are in; and time that runs out."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .encoding import plain
from .errors import CarteadoError, IllegalAction, PluginFault, Refused
from .forms import Form, Unoffered
from .zones import Seat

if TYPE_CHECKING:
    from .match import Commit, Match

_NOTHING: tuple[int, tuple[Form, ...]] = (-1, ())


def act(match: Match, seat: Seat, prompt: int, action: Any) -> Commit:
    """Apply a seat's answer to its prompt. Raises: as `Match.act`."""
    forms = _asked(match, seat, prompt)
    return _apply(match, seat, prompt, _checked(match, forms, seat, action), "action")


def try_act(match: Match, seat: Seat, prompt: int, action: Any) -> None:
    """Raise what `act` would raise for this action, and change nothing."""
    forms = _asked(match, seat, prompt)
    _try_out(match, seat, _checked(match, forms, seat, action))


def timeout(match: Match, seat: Seat, prompt: int, action: Any = None) -> Commit:
    """Let a seat's time run out. Raises: as `Match.timeout`."""
    forms = _asked(match, seat, prompt)
    if action is None:
        action = match.rules.timeout(match.table, seat)
    if action is None:
        for form in sorted(forms, key=lambda form: not form.default):
            if form.blocked is None and all(field.optional for field in form.fields.values()):
                action = {"type": form.type}
                break
        else:
            action = match.rules.advise(match.view(seat, captions=False), random.Random(match._chain))
    if action is None:
        raise PluginFault(match.game.name, "timeout", "no action for a seat that ran out of time")
    try:
        return _apply(match, seat, prompt, match.rules.check(forms, action, match.table, seat), "timeout")
    except Refused as error:
        raise PluginFault(match.game.name, "timeout", f"its action was refused: {error}") from error


def open_sealed(match: Match) -> None:
    """Give all sealed answers to the game, in the order of seats, unless a sealed prompt is still open. Raises: PluginFault."""
    table = match.table
    if any(prompt.sealed for prompt in table._prompts.values()):
        return
    answers, table._sealed = table._sealed, {}
    for seat in sorted(answers):
        table.answering = table._sealed_at[seat]
        try:
            match.rules.turn(table, seat, answers[seat])
        except IllegalAction as error:
            raise PluginFault(match.game.name, "turn", f"a sealed answer was refused when opened: {error}") from error


def _asked(match: Match, seat: Seat, prompt: int) -> Sequence[Form]:
    if match.phase != "playing":
        raise Refused("over" if match.phase == "over" else "not_playing")
    if type(seat) is not int or type(prompt) is not int:
        raise Refused("not_asked")
    prompts = match.table._prompts
    asked = prompts.get(seat)
    if asked is None or asked.id != prompt:
        closed = 0 < prompt < match.table._next_prompt and all(other.id != prompt for other in prompts.values())
        raise Refused("stale" if closed else "not_asked")
    q, forms = match._offered.pop(seat, _NOTHING)
    return forms if q == match.q else match.rules.options(match.table, seat)


def _checked(match: Match, forms: Sequence[Form], seat: Seat, action: Any) -> dict[str, Any]:
    """Check an action against the forms; let the game say why not when it names what is in sight and not offered."""
    try:
        return match.rules.check(forms, action, match.table, seat)
    except Unoffered as refused:
        try:
            _try_out(match, seat, refused.action)
        except PluginFault as fault:
            match.note(fault)
        raise


def _apply(match: Match, seat: Seat, prompt: int, action: dict[str, Any], kind: str) -> Commit:
    table = match.table
    entry = {"n": match.q + 1, "k": kind, "seat": seat, "prompt": prompt, "do": _kept(action)}
    sealed = table._prompts[seat].sealed
    if sealed:
        _try_out(match, seat, action)
    table.begin()
    try:
        table.answering = table._prompts.pop(seat).stage
        if sealed:
            table._sealed = {**table._sealed, seat: action}
            table._sealed_at = {**table._sealed_at, seat: table.answering}
            assert table._events is not None
            table._events.append(("ready", seat))
        else:
            match.rules.turn(table, seat, action)
        if table._sealed:
            open_sealed(match)
        raw = table.hold()
        match._conserve("turn")
    except CarteadoError:
        table.rollback()
        raise
    return match._settle(entry, raw)


def _try_out(match: Match, seat: Seat, action: dict[str, Any]) -> None:
    table = match.table
    table.begin()
    try:
        table.answering = table._prompts.pop(seat).stage
        match.rules.turn(table, seat, plain(action))
        match._conserve("turn")
    finally:
        table.rollback()


def _kept(action: dict[str, Any]) -> dict[str, Any]:
    """Copy a checked action (texts, numbers, lists of faces, lists of such lists), whatever a hook may do to it later."""
    return {
        name: [list(item) if type(item) is list else item for item in value] if type(value) is list else value
        for name, value in action.items()
    }
