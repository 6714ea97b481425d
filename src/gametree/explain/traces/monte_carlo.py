"""Monte-Carlo tree search, traced: selection, expansion, simulation, backup, simulation after simulation.

What is told is what the search does: it is run with one simulation, with two, with three, … from the same seed, and
what has changed from one tree to the next is the simulation that was added. UCT: Kocsis & Szepesvári (2006).
"""

import math
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from gametree.errors import InputError, UnsuitableError
from gametree.explain.traces.conventions import Conventions
from gametree.explain.traces.notation import count as count_of
from gametree.explain.traces.notation import number
from gametree.explain.traces.recorder import Recorder
from gametree.explain.traces.settings import Settings
from gametree.explain.traces.trace import Trace
from gametree.game import Game, check_state, offers
from gametree.games.tree.game import Tree
from gametree.games.tree.outline import Kind, Outline, Path, letters
from gametree.result import capital
from gametree.search.mcts.search import MonteCarlo
from gametree.search.mcts.view import SearchTree

UNTRIED = math.inf


@dataclass
class _Grown:
    """The tree of a search: visits and sums of payoffs to MAX, by the places of children."""

    visits: dict[Path, int] = field(default_factory=dict)
    sums: dict[Path, float] = field(default_factory=dict)


def _grown(tree: SearchTree) -> _Grown:
    grown = _Grown()
    stack: list[tuple[int, Path]] = [(tree.root, ())]
    while stack:
        node, path = stack.pop()
        grown.visits[path] = visits = tree.visits(node)
        grown.sums[path] = tree.mean(node, 0) * visits if visits else 0.0
        for child in tree.children(node):
            stack.append((child, (*path, tree.place(child))))
    return grown


def monte_carlo(
    game: Game, state: Any, conventions: Conventions, settings: Settings, most: int = 500
) -> Trace:
    """The search from a state, as many simulations as the settings say."""
    state = check_state(game, state)
    if game.players != 2 or game.total is None or offers(game, "chance") or offers(game, "observe"):
        raise UnsuitableError(
            f"{type(game).__name__}: mcts is traced for two players with a constant sum, without dice and with"
            " nothing hidden"
        )
    if game.is_terminal(state):
        raise InputError("the game is over here: there is nothing to simulate")
    keywords: dict[str, Any] = {"solver": False, "compile": "never", "seed": settings.seed}
    if settings.exploration is not None:
        keywords["exploration"] = settings.exploration
    thinker = MonteCarlo(game, **keywords)
    stages = [_Grown({(): 0}, {(): 0.0})]
    for simulations in range(1, settings.simulations + 1):
        thinker.clear()
        thinker.analyze(state, simulations=simulations)
        stages.append(_grown(thinker.tree))
    root = _outline(game, state, stages[-1], most)
    record = Recorder("mcts", root, conventions)
    told = _Told(record, game, thinker.options.c)
    for at, (before, after) in enumerate(pairwise(stages), 1):
        told.simulation(at, before, after)
    told.end(stages[-1])
    return record.trace()


def _outline(game: Game, state: Any, grown: _Grown, most: int) -> Outline:
    """The tree that has grown, as an outline. Positions that are not over are no leaves, also without children."""
    below: dict[Path, list[Path]] = {path: [] for path in grown.visits}
    for path in sorted(grown.visits):
        if path:
            below[path[:-1]].append(path)
    if len(below) > most:
        raise InputError(
            f"the tree of this search has {len(below)} nodes, too many to look at: take fewer simulations, or raise the"
            f" limit with most={len(below)}"
        )
    names: dict[Path, str] = {}
    states: dict[Path, Any] = {(): state}
    moves: dict[Path, str] = {(): ""}
    for path in sorted(below, key=lambda one: (len(one), one)):
        here = states[path]
        if not game.is_terminal(here):
            names[path] = letters(len(names))
        if below[path]:
            actions = list(game.actions(here))
            for child in below[path]:
                action = actions[child[-1]]
                states[child], moves[child] = game.result(here, action), game.name_action(here, action)
    plain = isinstance(game, Tree)
    called = dict(enumerate(game.player_names))

    def made(path: Path) -> Outline:
        here = states[path]
        over = game.is_terminal(here)
        mover = None if over else game.player(here)
        kind: Kind = "leaf" if over else "max" if mover == 0 else "min"
        return Outline(
            path,
            kind,
            mover,
            names.get(path, ""),
            moves[path],
            None,
            float(game.utility(here, 0)) if over else None,
            False,
            "" if plain else game.show(here),
            None if plain else here,
            tuple(made(child) for child in below[path]),
            board=None,
            mover=called.get(mover, "") if mover is not None else "",
        )

    return made(())


class _Told:
    """The events of one simulation after the other."""

    def __init__(self, record: Recorder, game: Game, c: float):
        self.record, self.game, self.c = record, game, c
        self.least, self.greatest = math.inf, -math.inf

    def mean(self, grown: _Grown, path: Path) -> float:
        """What simulations through a node brought MAX on average."""
        return grown.sums[path] / grown.visits[path]

    @property
    def spread(self) -> float:
        """From the least to the greatest payoff: those that the game declares, or those that were seen."""
        if self.game.payoffs is not None:
            return float(self.game.payoffs[1] - self.game.payoffs[0]) or 1.0
        return (self.greatest - self.least) or 1.0 if self.greatest > self.least else 1.0

    def uct(self, grown: _Grown, node: Outline, child: Outline) -> tuple[float, float, float]:
        """Mean to the mover, what is added for being tried little, and their sum."""
        n = grown.visits[child.path]
        if n == 0:
            return 0.0, UNTRIED, UNTRIED
        mean = self.mean(grown, child.path)
        if node.kind == "min":
            mean = float(self.game.total or 0) - mean
        bonus = self.c * self.spread * math.sqrt(math.log(grown.visits[node.path]) / n)
        return mean, bonus, mean + bonus

    def simulation(self, count: int, before: _Grown, after: _Grown) -> None:
        """What one more simulation has done."""
        record, root = self.record, self.record.root
        record.note("start", root, f"Simulation {count} begins at the root.", line="* start")
        way = self._way(before, after)
        gain = after.sums[()] - before.sums.get((), 0.0)
        gain = float(f"{gain:.9g}")
        for node, child in pairwise(way):
            if not before.visits.get(node.path) or not any(
                one.path in before.visits for one in node.children
            ):
                self._expand(node, before, after)
            self._select(node, child, before)
        last = way[-1]
        if before.visits.get(last.path) and any(one.path in after.visits for one in last.children):
            self._expand(last, before, after)
        if last.is_leaf:
            said = f"The game is over here: MAX gets {number(gain)}."
        else:
            said = f"From {last.where} moves are drawn at random until the game is over: MAX gets {number(gain)}."
        record.so_far.setdefault(last.path, gain)
        record.note("leaf" if last.is_leaf else "simulate", last, said, line="* simulate")
        if last.path not in record.visited:
            record.visited.append(last.path)
        self.least, self.greatest = min(self.least, gain), max(self.greatest, gain)
        for node in reversed(way):
            self._update(node, gain, after)

    def _way(self, before: _Grown, after: _Grown) -> list[Outline]:
        """The nodes that the simulation went through."""
        node = self.record.root
        way = [node]
        while True:
            for child in node.children:
                if after.visits.get(child.path, 0) > before.visits.get(child.path, 0):
                    node = child
                    way.append(child)
                    break
            else:
                return way

    def _expand(self, node: Outline, before: _Grown, after: _Grown) -> None:
        new = [
            child for child in node.children if child.path in after.visits and child.path not in before.visits
        ]
        if not new:
            return
        children = count_of(len(new), "child", "children")
        said = f"{capital(node.where)} has been visited before: it gets its {children}, none of them tried."
        if not node.path:
            said = f"The root gets its {children}, none of them tried."
        beside = tuple((child.path, ("N=0",)) for child in new)
        self.record.note("expand", node, said, line="* expand", beside=beside)

    def _select(self, node: Outline, child: Outline, before: _Grown) -> None:
        """Why the simulation goes to this child."""
        beside = []
        for one in node.children:
            visits = before.visits.get(one.path, 0)
            texts: tuple[str, ...] = (f"N={visits}",)
            if visits:
                texts += (f"UCT={_short(self.uct(before, node, one)[2])}",)
            else:
                texts += ("UCT=∞",)
            beside.append((one.path, texts))
        name = child.name or f"the leaf after {child.move}"
        if not before.visits.get(child.path):
            said = f"At {node.where} not every move has been tried: {name} is drawn from those that have not."
        else:
            mean, bonus, total = self.uct(before, node, child)
            n, parent = before.visits[child.path], before.visits[node.path]
            scale = self.c * self.spread
            said = (
                f"{node.who} goes from {node.where} to {name}: {_short(mean)} + {_short(scale)}·√(ln {parent} / {n})"
                f" = {_short(mean)} + {_short(bonus)} = {_short(total)} is the most."
            )
        self.record.note("select", node, said, line="* select", beside=tuple(beside))

    def _update(self, node: Outline, gain: float, after: _Grown) -> None:
        record, visits = self.record, after.visits[node.path]
        mean = self.mean(after, node.path)
        record.so_far[node.path] = record.values[node.path] = mean
        times = "once" if visits == 1 else count_of(visits, "time", "times")
        where = "The leaf" if node.is_leaf else capital(node.where)
        said = f"{where} has been visited {times} and has brought MAX {_short(mean)} on average."
        record.note("update", node, said, line="* update", beside=((node.path, (f"N={visits}",)),))

    def end(self, grown: _Grown) -> None:
        """The move that was tried most."""
        root = self.record.root
        best = max(root.children, key=lambda child: grown.visits[child.path], default=None)
        if best is None:
            return
        self.record.best[()] = best.path
        for node in root.walk():
            if node.path and any(grown.visits[one.path] for one in node.children):
                self.record.best[node.path] = max(
                    node.children, key=lambda child: grown.visits[child.path]
                ).path
        often = f"{grown.visits[best.path]} of {grown.visits[()]} simulations"
        said = f"The move that was tried most is {best.move}: {often}."
        self.record.note("end", root, said, line="* end")


def _short(value: float) -> str:
    return number(float(f"{value:.3g}"))
