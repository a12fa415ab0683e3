"""House rules: a wrapper around scoring and one around options work on the game as they do on any other."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence

from ...errors import CarteadoError, PluginFault
from ...forms import Form
from ...hookspecs import hookimpl
from ...match import PLAYING, Match
from ...replay import step
from ...result import Result
from ...rules import Rules
from ...table import Table
from ..faults import Fault, brief, difference
from ..question import Question
from ..recording import Moment, Recording, again, new_match
from ..registry import check
from ..swaps import branch
from ..trial import Trial, raised_at

EXTRA = "house_form"


class Doubled:
    """Double the points of every hand."""

    name = "kit-doubled"

    @hookimpl(wrapper=True)
    def scoring(self, table: Table) -> Generator[None, Result | None, Result | None]:
        """Double the points of the result the game gives."""
        result = yield
        if result is not None:
            result.points = {seat: 2 * points for seat, points in result.points.items()}
        return result


class Offering:
    """Offer one more form, which no game knows."""

    name = "kit-offering"

    @hookimpl(wrapper=True)
    def options(self, table: Table, seat: int) -> Generator[None, Sequence[Form], Sequence[Form]]:
        """Put the form first."""
        forms = yield
        return [Form(EXTRA, label=["over", {}]), *forms]


@check("a house rule that doubles points doubles them, hand by hand and match by match, and changes nothing else")
def points_can_be_doubled(trial: Trial) -> Iterator[Fault]:
    for recording in [recording for recording in trial.recordings if recording.results][:3]:
        for again_ in range(2):
            try:
                match = _first_hand(trial, recording)
            except CarteadoError as error:
                yield Fault(f"With a house rule around scoring the match stops: {error}", "scoring", recording.case)
                break
            plain, doubled = recording.results[0]["points"], (match.result or {}).get("points")
            if doubled != [2 * points for points in plain]:
                yield Fault(
                    f"The first hand gives {plain}, and with doubled points {doubled}" + (" in a second match." if again_ else "."),
                    "scoring", recording.case,
                    lines=["scoring must return a new Result each time, with its points in Result.points"],
                )  # fmt: skip
                break


def _first_hand(trial: Trial, recording: Recording) -> Match:
    match = new_match(trial.game, recording.case, [Doubled()])
    for entry in recording.journal.entries:
        step(match, entry, check=False)
        if match.phase != PLAYING:
            break
    return match


@check("a house rule that offers one more form is lived with: by captions, hints, suggest and sample, which may not know it")
def forms_can_be_added(trial: Trial) -> Iterator[Fault]:
    rules = Rules(trial.game, [Offering()])
    for moment in trial.moments():
        match = branch(moment.match)
        match.rules = rules
        try:
            for viewer in moment.viewers:
                match.view(viewer)
        except PluginFault:
            continue  # options fails: see runs_without_faults
        for seat in moment.asked:
            try:
                list(Question(match, seat).advice(trial.rng("house", moment.step, seat)))
            except PluginFault as fault:
                match.faults.append(fault)
        for failed in match.faults[:1] if _captioned(moment) else ():
            where = raised_at(failed.__cause__ or failed)
            yield Fault(
                f"A form that the game does not know ({EXTRA!r}) makes {failed.hook} fail: {failed.why}",
                failed.hook, moment.case, moment.step,
                lines=[*where, "look forms up by their type; sample returns None for one it does not know"],
            )  # fmt: skip
        yield from _events_alike(trial, moment, match)


def _captioned(moment: Moment) -> bool:
    """Tell whether captions and hints do not fail anyway."""
    match = branch(moment.match)
    for viewer in moment.viewers:
        match.view(viewer)
    return not match.faults


def _events_alike(trial: Trial, moment: Moment, match: Match) -> Iterator[Fault]:
    plain = again(branch(moment.match), moment)
    wrapped = again(match, moment)
    if plain is not None and (wrapped is None or difference(plain.events(None), wrapped.events(None))):
        yield Fault(f"With one more form offered, {brief(moment.action, 60)} has another effect.", "turn", moment.case, moment.step)
