"""Players who are missing: time runs out, or somebody leaves; the table goes on."""

from __future__ import annotations

from collections.abc import Iterator

from ...errors import CarteadoError, PluginFault
from ...match import DEALING, OVER, Match
from ..choosing import Chooser, DeadEnd
from ..faults import Fault
from ..recording import Moment, hand_seed
from ..registry import check
from ..swaps import branch
from ..trial import Trial, raised_at
from .matches import runs_without_faults


@check("whoever runs out of time gets an action that is accepted, at every moment")
def time_runs_out(trial: Trial) -> Iterator[Fault]:
    for moment in trial.moments():
        for seat in moment.asked:
            match = branch(moment.match)
            try:
                match.timeout(seat, match.prompts[seat].id)
            except PluginFault as error:
                if error.hook != "timeout":
                    continue
                why, stage = error.why, moment.match.prompts[seat].stage
                advice = "mark a form that needs no answer as default=True, or implement the timeout hook"
                lines = [advice, *raised_at(error.__cause__ or error)]
                yield Fault(f"{why} (stage {stage!r})", "timeout", moment.case, moment.step, seat, lines=lines)


@check("the table goes on when somebody leaves: with a substitute, and without one by the game's `leave`")
def players_leave(trial: Trial) -> Iterator[Fault]:
    for number, moment in enumerate(trial.moments()):
        seat = trial.rng("leaver", moment.case.seed, moment.step).choice(moment.match.table.players)
        substitute = number % 3 == 0 or not moment.match.rules.has("leave")
        if seat not in moment.match.left:
            yield from _leave(trial, moment, seat, substitute)


def _leave(trial: Trial, moment: Moment, seat: int, substitute: bool) -> Iterator[Fault]:
    match = branch(moment.match)
    match.options = {**match.options, "substitute": substitute}
    how = "with a substitute" if substitute else "without a substitute"
    try:
        match.leave(seat)
        _play_on(trial, moment, match)
    except CarteadoError as error:
        if _known(trial, error):
            return
        why = error.why if isinstance(error, PluginFault) else str(error)
        hook, lines = error.hook if isinstance(error, PluginFault) else "leave", raised_at(error.__cause__ or error)
        yield Fault(f"When seat {seat} left ({how}): {why}", hook, moment.case, moment.step, seat, lines=lines)
    if match.table.all_cards() != sorted(match.game.pack(match.options)):
        yield Fault(f"When seat {seat} left ({how}), cards were lost.", "leave", moment.case, moment.step, seat)


def _known(trial: Trial, error: CarteadoError) -> bool:
    """Tell whether the same goes wrong when nobody leaves: then other checks report it."""
    known: list[tuple[str, Fault]] | None = trial.kept.get("known")
    if known is None:
        known = [*trial.troubles(), *(("runs_without_faults", fault) for fault in runs_without_faults(trial))]
        trial.kept["known"] = known
    if isinstance(error, DeadEnd):
        return any(name == "no_dead_ends" for name, _ in known)
    hook, why = (error.hook, error.why) if isinstance(error, PluginFault) else ("", str(error))
    return any(why in fault.what or (hook == fault.hook and hook not in ("turn", "leave")) for _, fault in known)


def _play_on(trial: Trial, moment: Moment, match: Match) -> None:
    """Play some actions, and look at every view, after somebody left."""
    chooser = Chooser(trial.game, trial.rng("leave", moment.step), 0.5 if trial.advises else 1.0)
    for _ in range(6):
        if match.phase == OVER:
            break
        if match.phase == DEALING:
            match.deal(hand_seed(moment.case, match.hand + 1))
        else:
            seat = chooser.rng.choice(sorted(match.prompts))
            chooser.act(match, seat, match.view(seat, captions=False))
    for viewer in moment.viewers:
        match.view(viewer)
    if match.faults:
        raise match.faults[0]
