"""`cfr`: equilibria by counterfactual regret minimisation on the sequence form.

M. Zinkevich, M. Johanson, M. Bowling & C. Piccione, Regret Minimization in Games with Incomplete Information, NIPS
2007. In every iteration each information set plays its actions in proportion to how much is regretted that they were
not played; the average of the plays of all iterations comes near to an equilibrium where two players share a constant
sum. What differs between the variants is how regret is kept and how iterations are weighed:

    vanilla  all regret, all iterations alike, all players at once
    cfr+     no regret below 0, iteration t counts t, players in turn (Tammelin 2014)
    dcfr     old regret fades, by t^1.5 / (t^1.5 + 1) above 0 and by half below; t counts t² (Brown & Sandholm 2019)
    pcfr+    as cfr+, and plays as if the last regret came once more; t counts t² (Farina, Kroer & Sandholm 2021)
"""

import math
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

from gametree.arguments import number, whole
from gametree.errors import InputError, UnsuitableError
from gametree.game import Game
from gametree.result import Limit
from gametree.search.core.sound import sound
from gametree.search.core.stopwatch import StopWatch
from gametree.search.core.task import merged, require_game, require_mode
from gametree.search.hidden.equilibrium import FORM, KEPT, EquilibriumProfile, Point
from gametree.search.hidden.listing import listed
from gametree.search.hidden.sequence_form import MOST_NODES, SequenceForm
from gametree.search.hidden.tableau import DISCOUNTED, PLUS, PREDICTIVE, VANILLA, Passes

VARIANTS: Final = {"pcfr+": PREDICTIVE, "dcfr": DISCOUNTED, "cfr+": PLUS, "vanilla": VANILLA}
ITERATIONS: Final = 1_000
"""So many iterations are made where nobody says when to stop."""
CHUNK: Final = 2_000_000
"""About so many numbers are touched between two looks at the clock."""
GROWTH: Final = 1.15
"""How exploitable the average is, is asked again after so many times the iterations."""
OnPoint = Callable[[Point], None]


@sound
def cfr(
    game: Game,
    *,
    variant: str = "pcfr+",
    limit: Limit | None = None,
    iterations: int | None = None,
    exploitability: float | None = None,
    resume: EquilibriumProfile | str | Path | None = None,
    on_progress: OnPoint | None = None,
    compile: str = "auto",
    most_nodes: int = MOST_NODES,
) -> EquilibriumProfile:
    """A profile near an equilibrium: `variant` is "pcfr+", "dcfr", "cfr+" or "vanilla".

    It ends after `limit=Limit(seconds=…)` or so many `iterations`, or where the `exploitability` is no more than that,
    whichever comes first; after 1,000 iterations where nothing is said. `resume` goes on from a result, for as much
    again, or from a file that its `save` wrote. `on_progress` is called now and then with a `Point`.

    >>> from gametree.games import Kuhn
    >>> found = cfr(Kuhn(), iterations=1000)
    >>> round(found.values[0], 4), float(found) < 1e-5
    (-0.0556, True)
    """
    require_game(game, "cfr")
    require_mode(compile)
    if variant not in VARIANTS:
        raise InputError(f"variant={variant!r}: it is {', '.join(map(repr, VARIANTS))}")
    within = merged(limit, None)
    if within.depth is not None or within.nodes is not None:
        raise InputError("cfr ends by seconds, iterations or exploitability: write limit=Limit(seconds=…)")
    if iterations is not None:
        whole("iterations", iterations)
    if exploitability is not None:
        number("exploitability", exploitability, "the mean of what players could gain, at least 0", least=0)
    if iterations is None and exploitability is None and within.seconds is None:
        iterations = ITERATIONS
    watch = StopWatch(within).begin()
    before = resume if not isinstance(resume, str | Path) else None
    kept = _read(Path(resume), game, variant) if isinstance(resume, str | Path) else None
    if before is not None:
        _may_resume(before, game, variant)
        most_nodes = max(most_nodes, before.form.nodes)
    form = listed(game, compile=compile, most_nodes=most_nodes, watch=watch)
    if form is None:
        raise UnsuitableError(
            f"{type(game).__name__} could not be listed within {within.seconds or 0.0:g} s, and cfr lists all of a game"
            " before it iterates: give it more time, or sample the game: gt.mccfr(game)"
        )
    with watch.paused():
        if before is not None:
            _same(form, before.form.rows, before.form.payoffs)
        elif kept is not None:
            _same(form, *kept[4:])
        run = Minimizer(form, variant, compile)
        if before is not None:
            run.take_up(before.learner, before.iterations, before.history)
        elif kept is not None:
            run.take_up(*kept[:3])
    stopped_by = run.go(watch, iterations, exploitability or 0.0, on_progress)
    earlier = before.seconds if before is not None else kept[3] if kept is not None else 0.0
    return run.result(watch.seconds + earlier, stopped_by)


def _may_resume(before: EquilibriumProfile, game: Game, variant: str) -> None:
    if not isinstance(before, EquilibriumProfile) or before.learner is None:
        raise InputError("resume takes what cfr returned; a linear programme leaves nothing to go on from")
    if repr(before.game) != repr(game):
        raise InputError(f"resume: that is {before.game!r}, not {game!r}")
    if before.method != variant:
        raise InputError(f'resume: that was variant="{before.method}"; go on with the same')


def _same(form: SequenceForm, rows: Any, payoffs: Any) -> None:
    """Refuses to go on in another game, whose plays end otherwise or pay otherwise: `repr` does not tell all."""
    import numpy as np

    there, paid = np.asarray(form.payoffs, np.float64), np.asarray(payoffs, np.float64)
    if not np.array_equal(np.asarray(form.rows), np.asarray(rows)) or (
        there.shape != paid.shape or not np.allclose(there, paid, rtol=1e-9, atol=0)
    ):
        raise InputError(
            f"resume: that is another {form.game!r}, with other plays or payoffs; begin anew, without resume"
        )


def _read(file: Path, game: Game, variant: str) -> tuple[Any, int, tuple[Point, ...], float, Any, Any]:
    """What was kept in a file: regrets and the rest by name, iterations, history, seconds, and rows and payoffs."""
    import numpy as np

    try:
        with np.load(file, allow_pickle=False) as data:
            found = {name: np.array(data[name]) for name in (*KEPT, "about", "numbers", "history", *FORM)}
        known, method = (str(word) for word in found["about"])
        iterations, seconds = (float(one) for one in found["numbers"])
        history = tuple(Point(float(a), int(b), float(c)) for a, b, c in found["history"])
        learned = {name: found[name].astype(np.float64) for name in KEPT}
    except OSError as error:
        raise InputError(f"{file.name} cannot be read: {error.strerror or error}") from None
    except (KeyError, ValueError, TypeError, EOFError, zipfile.BadZipFile):
        raise InputError(f"{file.name} is no file that EquilibriumProfile.save wrote") from None
    if known != repr(game) or method != variant:
        raise InputError(f'resume: {file.name} is {known} by "{method}", not {game!r} by "{variant}"')
    if not all(np.isfinite(one).all() for one in learned.values()):
        raise InputError(f"{file.name}: its numbers are not finite")
    return SimpleNamespace(**learned), int(iterations), history, seconds, found["rows"], found["payoffs"]


class Minimizer:
    """Iterations on a sequence form, which can be taken up again."""

    def __init__(self, form: SequenceForm, variant: str, compile: str):
        self.form = form
        self.variant = variant
        self._passes = Passes(form, compile)
        self._passes.prepare()
        self._learner = self._passes.learner()
        self._judgement = self._passes.judgement()
        self.history: list[Point] = []
        cost = self._passes.size + len(self._passes.tableau.payoffs)
        self.chunk: int = max(1, (CHUNK if self._passes.compiled else CHUNK // 200) // cost)
        """So many iterations at once."""
        self._asked = 0
        """The iteration at which was asked how exploitable the average is."""
        self.point: Point = Point(0.0, self.iteration, math.inf)

    def take_up(self, learned: Any, iterations: int, history: Sequence[Point]) -> None:
        """Goes on from the numbers of an earlier run."""
        for name in KEPT:
            numbers = getattr(learned, name)
            if len(numbers) != self._passes.size:
                raise InputError(
                    f"resume: {len(numbers):,} sequences were kept, the game has {self._passes.size:,}"
                )
            getattr(self._learner, name)[:] = (
                numbers if self._passes.compiled else [float(one) for one in numbers]
            )
        self._learner.iteration = iterations
        self.history = list(history)

    @property
    def iteration(self) -> int:
        """How many have been made."""
        return int(self._learner.iteration)

    def step(self, most: float = math.inf) -> None:
        """Some iterations, no more than `most`."""
        due = max(self._asked + 1, int(self._asked * GROWTH)) - self.iteration
        self._passes.iterate(self._learner, VARIANTS[self.variant], int(min(self.chunk, max(1, due), most)))

    @property
    def due(self) -> bool:
        """Whether it is time to ask how exploitable the average is."""
        return self.iteration >= max(self._asked + 1, int(self._asked * GROWTH))

    def ask(self, seconds: float) -> Point:
        """How exploitable the average is."""
        if self._asked < self.iteration or not self._asked:
            self._asked = self.iteration
            gap = self._passes.judge(self._learner.average, self._judgement)
            self.point = Point(seconds, self.iteration, max(0.0, gap) / self.form.players)
            self.history.append(self.point)
        return self.point

    def go(self, watch: StopWatch, iterations: int | None, enough: float, on_progress: OnPoint | None) -> str:
        """Iterates until it is told to stop; says why it did."""
        base = self.history[-1].seconds if self.history else 0.0
        last = math.inf if iterations is None else self.iteration + iterations
        if on_progress is not None:
            watch.report = lambda: on_progress(self.point)
        try:
            while True:
                if self.iteration >= last:
                    self.ask(base + watch.seconds)
                    return "end" if self.point.exploitability <= enough else "iterations"
                if not watch.look_up():
                    self.ask(base + watch.seconds)
                    return str(watch.stopped_by)
                self.step(last - self.iteration)
                if self.due and self.ask(base + watch.seconds).exploitability <= enough:
                    return "end"
        finally:
            watch.report = None

    def result(self, seconds: float, stopped_by: str) -> EquilibriumProfile:
        """The average so far, with what it is worth."""
        self._passes.judge(self._learner.average, self._judgement)
        return result_of(
            self.form,
            self.variant,
            self._judgement,
            self._learner.average,
            iterations=self.iteration,
            seconds=seconds,
            stopped_by=stopped_by,
            history=tuple(self.history),
            learner=self._learner,
        )


def result_of(form: SequenceForm, method: str, judgement: Any, sums: Any, **more: Any) -> EquilibriumProfile:
    """The profile whose plans are proportional to some sums, as it was judged."""
    local, base = [], 0
    for player in range(form.players):
        mine = []
        for first, count in zip(form.first[player], form.count[player]):
            weights = [float(weight) for weight in sums[base + first : base + first + count]]
            total = math.fsum(weights)
            mine.append([weight / total for weight in weights] if total > 0 else [1.0 / count] * count)
        local.append(mine)
        base += form.sequences(player)
    return EquilibriumProfile(
        game=form.game,
        method=method,
        form=form,
        local=local,
        values=tuple(map(float, judgement.value)),
        best_responses=tuple(map(float, judgement.response)),
        **more,
    )
