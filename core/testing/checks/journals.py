"""The journal is the match: everything that travels survives the codecs, and replaying gives the same match anywhere."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import msgpack

from ...errors import CarteadoError, JournalMismatch
from ...journal import Journal
from ...replay import replay, step
from ..apart import elsewhere, portraits
from ..faults import Case, Fault, brief, difference, named, not_plain
from ..recording import Moment, Recording, again
from ..registry import check
from ..swaps import branch
from ..trial import Trial

PROCESS_MATCHES, PROCESS_ENTRIES, PROCESS_MOMENTS = 4, 500, 10
"""What other processes replay, each: matches, journal entries of a match, moments looked at in a match."""


@check("every view, form, event, refusal and journal entry is plain data and comes back the same from JSON and from msgpack")
def codecs_round_trip(trial: Trial) -> Iterator[Fault]:
    for recording in trial.recordings:
        for entry in recording.journal.entries:
            yield from _lost("a journal entry", entry, recording.case, entry["n"])
        for at, seat, action, refusal in recording.refused:
            yield from _lost(f"the refusal of {brief(action, 60)}", refusal.message, recording.case, at, "turn", seat)
        loaded = Journal.load(recording.journal.dump())
        found = difference(loaded.entries, recording.journal.entries, "entries")
        if found:
            yield Fault(f"The journal reads back differently: {found}", "turn", recording.case)
    for moment in trial.moments(playing=False):
        match = branch(moment.match)
        try:
            for viewer in moment.viewers:
                yield from _lost(f"the view of {named(viewer)}", match.view(viewer), moment.case, moment.step)
            commit = again(match, moment)
        except CarteadoError:
            continue
        for viewer in moment.viewers if commit is not None else ():
            yield from _lost(f"an event for {named(viewer)}", commit.events(viewer), moment.case, moment.step) if commit else ()


def _lost(what: str, value: Any, case: Case, at: int, hook: str | None = None, seat: int | None = None) -> Iterator[Fault]:
    """Yield a fault when a value is not plain data, or is changed by a codec."""
    bad = not_plain(value)
    found = None
    if bad is None:
        found = difference(value, json.loads(json.dumps(value, ensure_ascii=False)))
        found = found or difference(value, msgpack.unpackb(msgpack.packb(value), strict_map_key=True))
    if bad or found:
        only = "only None, bool, int, str, list and dict with str keys travel"
        yield Fault(f"In {what}, {bad or found}; {only}.", hook, case, at, seat)


@check("a match replayed from its journal gives every hash again, to every prefix")
def replays(trial: Trial) -> Iterator[Fault]:
    for recording in trial.recordings:
        journal = Journal.load(recording.journal.dump())
        states = {moment.step: moment.match.digest() for moment in recording.moments}
        try:
            match = replay(journal, trial.game, 0)
            for entry in journal.entries:
                step(match, entry)
                if match.q in states and match.digest() != states[match.q]:
                    yield Fault("Replaying the match to here gives another state.", "turn", recording.case, match.q)
                    break
            for upto in list(states)[: trial.effort.prefixes]:
                if replay(journal, trial.game, upto).digest() != states[upto]:
                    yield Fault("Replaying the match to here from its start gives another state.", "turn", recording.case, upto)
                    break
        except JournalMismatch as error:
            yield _astray(recording, error)


def _astray(recording: Recording, error: JournalMismatch) -> Fault:
    return Fault(
        f"The replay goes astray: {error}", "deal or turn", recording.case,
        lines=["what a hook does may depend on the table and its arguments alone: the plugin object remembers nothing"],
    )  # fmt: skip


@check("whoever drops out and rejoins sees what those see who stayed: a match rebuilt from the journal gives the same views")
def rejoining_shows_the_same(trial: Trial) -> Iterator[Fault]:
    each = max(2, 3 * trial.effort.moments // max(1, len(trial.recordings)))
    for recording in trial.recordings:
        journal = Journal.load(recording.journal.dump())
        try:
            match = replay(journal, trial.game, 0)
            every = max(1, len(recording.moments) // each)
            moments = {moment.step: moment for moment in recording.moments[::every]}
            for entry in journal.entries:
                step(match, entry, check=False)
                moment = moments.get(match.q)
                if moment is not None:
                    yield from _same_views(moment, match)
        except CarteadoError:
            continue  # a replay that goes astray, a hook that fails: other checks say so


def _same_views(moment: Moment, rebuilt: Any) -> Iterator[Fault]:
    stayed = branch(moment.match)
    for viewer in moment.viewers:
        found = difference({**stayed.view(viewer), "q": 0}, {**rebuilt.view(viewer), "q": 0}, "view")
        if found:
            yield Fault(
                f"Who stayed sees {found[0]} as {brief(found[1], 60)}, who rejoins as {brief(found[2], 60)}.",
                "layout" if found[0].startswith("view.layout") else "options", moment.case, moment.step, None, viewer,
                lines=["a view may depend on the table alone: the plugin object remembers nothing"],
            )  # fmt: skip


@check("the same match in other processes, with other hash seeds, gives the same states, views, forms and advice")
def processes_agree(trial: Trial) -> Iterator[Fault]:
    jobs, chosen = [], []
    for recording in trial.recordings[:: max(1, len(trial.recordings) // PROCESS_MATCHES)]:
        steps = [moment.step for moment in recording.moments if 0 < moment.step <= PROCESS_ENTRIES][:PROCESS_MOMENTS]
        if steps:
            journal = Journal(recording.journal.header, recording.journal.entries[: steps[-1]])
            jobs.append({"journal": journal.dump().decode(), "steps": steps})
            chosen.append(recording)
    expected = portraits(trial.game, jobs)
    for seed, answer in elsewhere(trial.game, jobs, trial.effort.hash_seeds).items():
        process = f"a process with PYTHONHASHSEED={seed}"
        if isinstance(answer, str):
            yield Fault(f"In {process} the game cannot be played: {answer}", lines=["define the game at the top level of a module"])
            return
        for recording, mine, theirs in zip(chosen, expected, answer, strict=True):
            for here, there in zip(mine, theirs, strict=False):
                found = difference(here, there)
                if found:
                    yield Fault(
                        f"In {process} {found[0][1:]} is not the same as here: {brief(found[1], 60)}, {brief(found[2], 60)}.",
                        None, recording.case, here.get("step"),
                        lines=["do not iterate over sets or use hash(); remember nothing in the plugin object"],
                    )  # fmt: skip
                    return
