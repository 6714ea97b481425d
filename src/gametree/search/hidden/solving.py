"""Solving games in which players do not see everything: by a linear programme, or by regret until it is good enough."""

import math
import time
from collections.abc import Callable
from typing import Any, Final

from gametree.errors import InputError
from gametree.game import Game
from gametree.result import Value
from gametree.search.core.stopwatch import StopWatch
from gametree.search.core.task import require_mode
from gametree.search.hidden import linear_programme
from gametree.search.hidden.cfr import Minimizer, OnPoint, result_of
from gametree.search.hidden.equilibrium import EquilibriumProfile, Point
from gametree.search.hidden.exploitability import of_form
from gametree.search.hidden.listing import listed
from gametree.search.hidden.profile import Profile
from gametree.search.hidden.sequence_form import SequenceForm, rational, sequence_form
from gametree.search.hidden.tableau import Passes
from gametree.search.solve.solution import Progress, Solution
from gametree.search.solve.task import SolveTask

METHODS: Final = ("auto", "linear-programme", "cfr")
PROGRAMME: Final = "linear programme"
ENOUGH: Final = 1e-6
"""The share of the greatest payoff that may be gained by leaving a profile, where nothing else was asked."""
ROUNDING: Final = 1e-12
"""The share of the greatest payoff that is lost in floats, so that nobody can ask a programme for less."""
FEW_NODES: Final = 1_000
"""A game of so few nodes is looked at in fractions, too."""
FEW_ENTRIES: Final = 5_000
"""So few payoffs are looked at before a compiler is loaded."""
MOST_ITERATIONS: Final = 100_000
"""Where more iterations need not help, this many have to do."""


def solve_hidden(
    task: SolveTask,
    method: str = "auto",
    exploitability: float | None = None,
    on_point: OnPoint | None = None,
) -> Solution | None:
    """The solution of a game with hidden information from its beginning; None where it was stopped while listing."""
    game = task.game
    if method not in METHODS:
        raise InputError(
            f"method={method!r}: for a game that hides something it is {', '.join(map(repr, METHODS))}"
        )
    require_mode(task.compile)
    if task.state != game.initial():
        raise InputError(
            f"{type(game).__name__} hides something, so what to do rests on what might have been: it is solved from the"
            " beginning. Then ask at any position: solve(game).equilibrium.profile(state)"
        )
    found = equilibrium(game, task.watch, task.compile, method, exploitability, task.report, on_point)
    if found is None:
        return None
    value = Value(float(found.values[max(task.player, 0)]))
    good = found.stopped_by == "end"
    analysis = task.analysis(
        method=found.method,
        player=task.player,
        value=value if good or not found.zero_sum else None,
        values=tuple(map(float, found.values)),
        depth=None,
        nodes=found.form.nodes,
        seconds=task.watch.seconds,
        exact=found.exact,
        stopped_by=found.stopped_by if found.stopped_by in ("end", "seconds", "cancelled") else "nodes",
    )
    return Solution(
        analysis=analysis,
        strong=task.strong,
        solved=good,
        outcome=None,
        bounds=None if good else found.bounds,
        error=float(max(found.gains)) if found.zero_sum else None,
        equilibrium=found,
    )


def equilibrium(
    game: Game,
    watch: StopWatch,
    compile: str = "auto",
    method: str = "auto",
    enough: float | None = None,
    report: Callable[[Progress], None] | None = None,
    on_point: OnPoint | None = None,
) -> EquilibriumProfile | None:
    """An equilibrium, or what comes near to one; None where it was stopped while the game was being listed."""
    form = listed(game, compile=compile, watch=watch)
    if form is None:
        return None
    zero_sum = game.players == 2 and game.total is not None
    if method == "linear-programme" and not zero_sum:
        raise InputError(
            f'the linear programme is for two players with a constant sum; for {type(game).__name__} use method="cfr"'
        )
    largest = max((abs(float(end)) for end in game.payoffs or ()), default=1.0) or 1.0
    target = ENOUGH * largest if enough is None else enough
    programme = method == "linear-programme" or (
        method == "auto"
        and zero_sum
        and linear_programme.available()
        and len(form.rows) <= linear_programme.MOST_ENTRIES
    )
    if programme:
        found = by_programme(form, watch, compile, max(target, ROUNDING * largest))
        if found is not None:
            return found
    if on_point is None and report is not None:
        tell = report

        def on_point(point: Point) -> None:
            gap = 2 * point.exploitability
            tell(
                Progress(stage="iterating", nodes=point.iterations, low=0.0, high=gap, seconds=watch.seconds)
            )

    return raced(form, watch, compile, target, on_point)


def by_programme(
    form: SequenceForm, watch: StopWatch, compile: str, target: float
) -> EquilibriumProfile | None:
    """By a linear programme, looked at in fractions where the game is small.

    None where time ran out, or where its answer can be exploited by more than `target`.
    """
    sums = linear_programme.solved(form, watch) if watch.look_up() else None
    if sums is None:
        watch.look_up()
        return None
    with watch.paused():
        passes = Passes(form, "never" if compile == "auto" and len(form.rows) <= FEW_ENTRIES else compile)
    judgement = passes.judgement()
    sums = sums if passes.compiled else sums.tolist()
    gap = passes.judge(sums, judgement) / form.players
    found = result_of(form, PROGRAMME, judgement, sums, iterations=0, seconds=watch.seconds, stopped_by="end")
    return in_fractions(found, watch) or (found if gap <= target else None)


def in_fractions(found: EquilibriumProfile, watch: StopWatch | None = None) -> EquilibriumProfile | None:
    """The same with the simple fractions that its probabilities stand for, if that is an equilibrium exactly."""
    if found.form.nodes > FEW_NODES:
        return None
    form = sequence_form(found.game, exact=True, watch=watch)
    if form is None:
        return None
    local = [[_simple(odds) for odds in mine] for mine in found.local]
    if any(sum(odds) != 1 for mine in local for odds in mine):
        return None
    judged = of_form(form, Profile.of(form, local))
    if judged.nash_conv != 0:
        return None
    return EquilibriumProfile(
        game=found.game,
        method=found.method,
        form=form,
        local=local,
        values=judged.values,
        best_responses=judged.best_responses,
        iterations=found.iterations,
        seconds=found.seconds,
        stopped_by=found.stopped_by,
        history=found.history,
    )


def _simple(odds: Any) -> list[Any]:
    return [rational(p).limit_denominator(1_000) for p in odds]


def raced(
    form: SequenceForm, watch: StopWatch, compile: str, target: float, on_point: OnPoint | None
) -> EquilibriumProfile:
    """By predictive and by discounted regret in turn, until one of them is good enough: neither is always faster."""
    zero_sum = form.game.players == 2 and form.game.total is not None
    with watch.paused():
        racers = [Minimizer(form, variant, compile) for variant in ("pcfr+", "dcfr")]
    spent = [0.0] * len(racers)
    ahead = racers[0]
    if on_point is not None:
        watch.report = lambda: on_point(ahead.point)
    stopped_by = "end"
    try:
        while True:
            turn = min(range(len(racers)), key=spent.__getitem__)
            racer, begun = racers[turn], time.process_time()
            racer.step()
            if racer.due:
                racer.ask(watch.seconds)
            spent[turn] += time.process_time() - begun
            ahead = min(racers, key=lambda one: one.point.exploitability)
            if ahead.point.exploitability <= target:
                break
            if not zero_sum and racer.iteration >= MOST_ITERATIONS:
                stopped_by = "iterations"
                break
            if not watch.look_up():
                stopped_by = str(watch.stopped_by)
                break
        for racer in racers:
            racer.ask(watch.seconds)
    finally:
        watch.report = None
    best = min(
        racers, key=lambda one: one.point.exploitability if math.isfinite(one.point.exploitability) else 1e300
    )
    return best.result(watch.seconds, stopped_by)
