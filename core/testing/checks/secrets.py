"""Secrets: whatever a viewer cannot see may change, and the viewer notices nothing.

For every viewer (each seat, and a watcher) the kit makes states that this viewer cannot tell from the true one: cards it has never seen
change places, the deck's order changes, facts that other seats keep for themselves change. Then it compares what the viewer gets.
"""

from __future__ import annotations

import copy
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ...errors import CarteadoError, PluginFault
from ...match import Commit, Match
from ...zones import Viewer
from ..faults import Fault, brief, difference
from ..question import Question
from ..recording import Moment, again
from ..registry import check
from ..swaps import SHARES, branch, changed_places, other_worlds, swapped
from ..trial import Trial

ENDING = frozenset({"points", "keep", "finish", "end"})
"""Events of a hand's end: scoring may count hidden cards."""


@dataclass
class Pair:
    """One viewer at one moment, in the true state and in one it cannot tell from it; `what` says what differs."""

    moment: Moment
    viewer: Viewer
    what: str
    true: Match
    other: Match
    true_view: dict[str, Any]
    other_view: dict[str, Any]

    def fault(self, what: str, hook: str, lines: Sequence[str] = ()) -> Fault:
        """Return the fault with what was changed in the other state."""
        changed = _changed(self.true, self.other, self.what)
        return Fault(what, hook, self.moment.case, self.moment.step, None, self.viewer, [*lines, changed])


def _look(match: Match, viewer: Viewer) -> dict[str, Any]:
    """Return a view as the host makes it: after the game was asked about everybody, so that a game that remembers betrays itself."""
    for seat in sorted(match.prompts):
        match.forms(seat)
    return match.view(viewer)


def _pairs(trial: Trial) -> list[Pair]:
    kept: list[Pair] | None = trial.kept.get("pairs")
    if kept is None:
        kept = trial.kept["pairs"] = list(_make_pairs(trial))
    return kept


def _make_pairs(trial: Trial) -> Iterator[Pair]:
    for moment in trial.moments(trial.effort.moments // 2, playing=False):
        true = branch(moment.match)
        for viewer in moment.viewers:
            rng = trial.rng("worlds", moment.case.seed, moment.step, viewer)
            for what, other in other_worlds(true, viewer, moment.labels[viewer], rng, trial.effort.worlds):
                try:
                    true_view, other_view = _look(true, viewer), _look(other, viewer)
                    if difference(true_view, _look(true, viewer)) is None:
                        yield Pair(moment, viewer, what, true, other, true_view, other_view)
                except PluginFault:
                    continue  # a state that this game cannot be in says nothing


@check("views, captions and hints are the same when what the viewer cannot see changes")
def views_keep_secrets(trial: Trial) -> Iterator[Fault]:
    for pair in _pairs(trial):
        if difference(_forms(pair.true_view), _forms(pair.other_view)):
            continue  # captions and hints may follow the forms: see forms_keep_secrets
        true, other = _without_forms(pair.true_view), _without_forms(pair.other_view)
        found = difference(true, other, "view")
        if found:
            hook = "layout" if found[0].startswith("view.layout") else "hints" if ".hints" in found[0] else "deal or turn"
            yield pair.fault(f"{found[0]} tells of it: {brief(found[1], 60)} or {brief(found[2], 60)}", hook)


@check("the forms of a seat are the same when what it cannot see changes")
def forms_keep_secrets(trial: Trial) -> Iterator[Fault]:
    for pair in _pairs(trial):
        found = difference(_forms(pair.true_view), _forms(pair.other_view), "forms")
        if found:
            yield pair.fault(f"{found[0]} tells of it: {brief(found[1], 60)} or {brief(found[2], 60)}", "options")


def _without_forms(view: dict[str, Any]) -> dict[str, Any]:
    return {**view, "prompts": [{**prompt, "forms": []} for prompt in view["prompts"]]}


def _forms(view: dict[str, Any]) -> list[Any]:
    return [prompt["forms"] for prompt in view["prompts"]]


@check("whether and why an action is refused does not depend on what its seat cannot see")
def refusals_keep_secrets(trial: Trial) -> Iterator[Fault]:
    for pair in _pairs(trial):
        seat = pair.viewer
        if seat is None or seat not in pair.true.prompts or difference(_forms(pair.true_view), _forms(pair.other_view)):
            continue
        rng = trial.rng("refusals", pair.moment.case.seed, pair.moment.step, seat)
        true, other = Question(pair.true, seat), Question(pair.other, seat)
        for form in true.open_forms:
            for action in true.fillings(form, rng, 12):
                one, two = _answer(true, action), _answer(other, action)
                if "fault" not in (one[0], two[0]) and one != two:
                    yield pair.fault(f"{brief(action)} is {one[0]}, or {two[0]}", "turn", [f"the answers: {one[1]} or {two[1]}"])


def _answer(question: Question, action: dict[str, Any]) -> tuple[str, Any]:
    try:
        refusal = question.refusal(action)
    except PluginFault:
        return "fault", None
    return ("accepted", None) if refusal is None else (f"refused ({refusal.code})", copy.deepcopy(refusal.data))


@check("suggest, hints and computer players choose the same when what their seat cannot see changes")
def advice_keeps_secrets(trial: Trial) -> Iterator[Fault]:
    sources = itertools.cycle(("suggest", *trial.game.bots))
    tried = 0
    for pair in _pairs(trial):
        seat = pair.viewer
        if seat is None or not pair.true_view["prompts"] or difference(pair.true_view, pair.other_view):
            continue
        tried += 1
        if tried > 2 * trial.effort.moments:
            return
        source = next(sources)
        one = _choice(trial, pair.true, seat, source)
        two = _choice(trial, pair.other, seat, source)
        if one != two and one == _choice(trial, pair.true, seat, source):
            yield pair.fault(f"{source} chooses {brief(one, 60)}, or {brief(two, 60)}, from the same view", source)


def _choice(trial: Trial, match: Match, seat: int, source: str) -> Any:
    view, rng = _look(match, seat), trial.rng("choice", seat)
    if source in trial.game.bots:
        return trial.game.bots[source]().choose(view, rng)
    return match.rules._read("suggest", view=view, rng=rng)


@check("the events of an action, and the view after it, tell a viewer nothing but what zones and facts declare")
def events_keep_secrets(trial: Trial) -> Iterator[Fault]:
    for moment in trial.moments():
        for viewer in moment.viewers:
            true = branch(moment.match)
            commit = again(true, moment)
            if commit is None:
                break
            for other, changed in _same_action(trial, moment, viewer, commit, true):
                fault = _compare(trial, moment, viewer, (commit, true), (changed, other))
                if fault:
                    yield fault
                    break


def _same_action(trial: Trial, moment: Moment, viewer: Viewer, commit: Commit, true: Match) -> Iterator[tuple[Match, Commit]]:
    """Iterate over other states after the same action, as long as it showed the viewer the same cards in both."""
    rng = trial.rng("events", moment.case.seed, moment.step, viewer)
    shown = _shown(commit.events(viewer))
    found = 0
    for share in (*SHARES, *[0.0] * 6):
        other = swapped(moment.match, viewer, moment.labels[viewer], rng, share)
        if other is None:
            return
        try:
            changed = again(other, moment)
        except CarteadoError:
            continue
        if changed is not None and _shown(changed.events(viewer)) == shown and (other.phase == true.phase or not _ended(commit, changed)):
            found += 1
            yield other, changed
        if found == 2:
            return


def _shown(events: Sequence[dict[str, Any]]) -> list[Any]:
    """Return the cards that events show by the visibility of zones."""
    return [[event["k"], event.get("cards"), event.get("mine", {}).get("cards")] for event in events]


def _ended(*commits: Commit) -> bool:
    return any("digest" in commit.entry for commit in commits)


def _compare(trial: Trial, moment: Moment, viewer: Viewer, true: tuple[Commit, Match], other: tuple[Commit, Match]) -> Fault | None:
    one = [event for event in true[0].events(viewer) if event["k"] not in ENDING]
    two = [event for event in other[0].events(viewer) if event["k"] not in ENDING]
    found = difference(one, two, "events")
    hook = "turn"
    if found is None and not _ended(true[0], other[0]):
        try:
            after = _without_forms(_look(true[1], viewer))
            found = difference(after, _without_forms(_look(other[1], viewer)), "view after it")
            if found and difference(after, _without_forms(_look(true[1], viewer))):
                return None  # it is never the same: see rejoining_shows_the_same
        except PluginFault:
            return None
        hook = "turn or layout"
    if found is None:
        return None
    return Fault(
        f"After {brief(moment.action, 80)} {found[0]} tells of hidden cards: {brief(found[1], 60)} or {brief(found[2], 60)}",
        hook, moment.case, moment.step, moment.seat, viewer, [_changed(true[1], other[1])],
    )  # fmt: skip


def _changed(true: Match, other: Match, what: str = "cards that are hidden there") -> str:
    """Return what differs between two states."""
    moved = changed_places(true, other)
    return f"changed: {what} ({'; '.join(moved[:3])}{'; …' if len(moved) > 3 else ''})" if moved else f"changed: {what}"
