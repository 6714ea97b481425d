"""Grades code: a student's `alphabeta(game, state)` or `minimax(game, state)` against the reference.

For each position there are three points: the value, the move (any best one is right), and the number of visited
nodes. Nodes are counted by the grader: the root, and one for each call of `result`. The count earns its point where it
is the reference's, half a point where alpha-beta visits another number and fewer than minimax would.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from gametree import games
from gametree.course.generation import make
from gametree.course.programs.reference import Truth, positions, truth
from gametree.course.programs.sandbox import Call, Limits, Outcome, run
from gametree.course.random_numbers import Draws
from gametree.course.recipe import Recipe
from gametree.documents.teaching import ProgramGradesDocument
from gametree.errors import InputError, UnsuitableError
from gametree.explain.traces.notation import number
from gametree.game import Game, offers, player_name
from gametree.games.tree.game import Tree

FUNCTIONS: Final = ("alphabeta", "minimax")
POINTS: Final = 3


@dataclass(frozen=True)
class Case:
    """A position on which code is tried."""

    game: Game
    state: Any
    truth: Truth


@dataclass(frozen=True)
class Assignment:
    """What is asked of the code: which function, on which positions, with which limits."""

    function: str
    cases: tuple[Case, ...]
    depth: int | None = None
    limits: Limits = field(default_factory=Limits)

    @property
    def points(self) -> int:
        return POINTS * len(self.cases)


@dataclass(frozen=True)
class Judged:
    """The judgement on one position: for value, move and nodes what it earned and why."""

    case: Case
    outcome: Outcome
    value: tuple[float, str]
    move: tuple[float, str]
    nodes: tuple[float, str]

    @property
    def score(self) -> float:
        return self.value[0] + self.move[0] + self.nodes[0]


@dataclass(frozen=True)
class ProgramGrades:
    """The judgement on a program."""

    name: str
    assignment: Assignment
    judged: tuple[Judged, ...]

    @property
    def score(self) -> float:
        return sum(one.score for one in self.judged)

    @property
    def points(self) -> int:
        return self.assignment.points

    @property
    def right(self) -> bool:
        return self.score == self.points

    @property
    def first_problem(self) -> str:
        """The first thing that went wrong; "" where nothing did."""
        for place, one in enumerate(self.judged, 1):
            if one.outcome.problem:
                return f"position {place}: {one.outcome.text}"
            for name, (earned, text) in _named(one):
                if earned < 1:
                    return f"position {place}: {name} {text}"
        return ""

    def to_dict(self) -> ProgramGradesDocument:
        """As JSON data, by the schema gametree.code-grades/1."""
        return {
            "schema": "gametree.code-grades/1",
            "program": self.name,
            "function": self.assignment.function,
            "score": self.score,
            "points": self.points,
            "positions": [
                {
                    "position": one.case.game.show(one.case.state),
                    "score": one.score,
                    "points": POINTS,
                    "problem": one.outcome.problem,
                    "value": {"score": one.value[0], "text": one.value[1]},
                    "move": {"score": one.move[0], "text": one.move[1]},
                    "nodes": {"score": one.nodes[0], "text": one.nodes[1], "visited": one.outcome.visited},
                    "output": one.outcome.output,
                }
                for one in self.judged
            ],
        }

    def __str__(self) -> str:
        lines = [f"{self.name}, {self.assignment.function}: {self.score:g} of {self.points} points"]
        for place, one in enumerate(self.judged, 1):
            lines.append(f"  position {place}: {one.score:g} of {POINTS}")
            lines += [f"    {line}" for line in explain(one)]
        return "\n".join(lines)


def explain(one: Judged) -> list[str]:
    """The judgement on a position, line by line; the position itself where something is wrong."""
    if one.outcome.problem:
        lines = [one.outcome.text]
    else:
        lines = [f"{name:<6}{text}" for name, (_, text) in _named(one)]
    if one.score < POINTS:
        lines += ["the position:", *(f"  {line}" for line in one.case.game.show(one.case.state).splitlines())]
    if one.outcome.output.strip():
        lines.append(f"it printed: {one.outcome.output.strip()[:200]}")
    return lines


def _named(one: Judged) -> tuple[tuple[str, tuple[float, str]], ...]:
    return ("value", one.value), ("move", one.move), ("nodes", one.nodes)


# --- assignments ------------------------------------------------------------------------------------

TREES: Final = "trees"


@dataclass(frozen=True)
class AssignmentRecipe:
    """The wishes for an assignment; the same recipe makes the same assignment, here and on another machine."""

    against: str
    """A game by its name, or "trees" for random ones."""
    parameters: dict[str, Any] = field(default_factory=dict)
    function: str = "alphabeta"
    count: int = 5
    seed: int = 0
    depth: int | None = None
    cut: str = ">="
    limits: Limits = field(default_factory=Limits)

    def assignment(self) -> Assignment:
        """What is asked. It refuses what cannot be assigned."""
        options: dict[str, Any] = {
            "count": self.count, "seed": self.seed, "cut": self.cut, "limits": self.limits,
        }  # fmt: skip
        if self.against == TREES:
            return assign_trees(self.function, **options)
        game = games.load(self.against, **self.parameters)
        return assign(game, self.function, depth=self.depth, **options)


def assign(
    game: Game,
    function: str = "alphabeta",
    states: Sequence[Any] = (),
    *,
    count: int = 5,
    seed: int = 0,
    depth: int | None = None,
    cut: str = ">=",
    limits: Limits | None = None,
) -> Assignment:
    """An assignment on positions of a game: those given, or some from random plays."""
    _check(game, function, count, depth, cut)
    strict = cut == ">"
    chosen = list(states) or positions(game, function, count, seed, depth, strict)
    for state in chosen:
        if game.is_terminal(state):
            raise InputError(
                f"the game is over in this position, so there is nothing to search:\n{game.show(state)}"
            )
    cases = tuple(Case(game, state, truth(game, state, function, depth, strict)) for state in chosen)
    return Assignment(function, cases, depth, limits or Limits())


def assign_trees(
    function: str = "alphabeta",
    *,
    count: int = 5,
    seed: int = 0,
    cut: str = ">=",
    limits: Limits | None = None,
) -> Assignment:
    """An assignment on random trees, small ones first."""
    draws = Draws(seed)
    cases = []
    for place in range(count):
        recipe = Recipe(depth=2 + min(2, place // 2), branching=(2, 3))
        game = Tree(make(recipe, draws.below(1 << 32)).spec)
        _check(game, function, count, None, cut)
        cases.append(Case(game, 0, truth(game, 0, function, None, cut == ">")))
    return Assignment(function, tuple(cases), None, limits or Limits())


def _check(game: Game, function: str, count: int, depth: int | None, cut: str) -> None:
    name = type(game).__name__
    if function not in FUNCTIONS:
        raise InputError(f"function={function!r}: the grader knows {' and '.join(FUNCTIONS)}")
    if cut not in (">=", ">"):
        raise InputError(f"cut={cut!r}: it is >= or >")
    if not 1 <= count <= 100:
        raise InputError(f"count={count}: 1 to 100 positions")
    if depth is not None and depth < 1:
        raise InputError(f"depth={depth}: at least 1")
    if game.players != 2 or game.total is None or offers(game, "chance") or offers(game, "observe"):
        raise UnsuitableError(
            f"{name} is not for two players with perfect information and without chance; {function} needs that"
        )
    if depth is not None and not offers(game, "evaluate"):
        raise UnsuitableError(f"{name} has no `evaluate`, so a search cannot stop at depth={depth}")


# --- judging ----------------------------------------------------------------------------------------


def grade_program(source: str, name: str, assignment: Assignment) -> ProgramGrades:
    """Runs a student's program, each position in a process of its own, and judges what it found."""
    judged = []
    for case in assignment.cases:
        task = Call(source, name, assignment.function, case.game, case.state, assignment.depth)
        judged.append(judge(case, run(task, assignment.limits), assignment.function))
    return ProgramGrades(name, assignment, tuple(judged))


def judge(case: Case, outcome: Outcome, function: str) -> Judged:
    """Compares an outcome with the truth."""
    if outcome.problem:
        nothing = (0.0, outcome.text)
        return Judged(case, outcome, nothing, nothing, nothing)
    return Judged(case, outcome, _value(case, outcome), _move(case, outcome), _nodes(case, outcome, function))


def _value(case: Case, outcome: Outcome) -> tuple[float, str]:
    right = case.truth.value
    said = outcome.value
    if said is not None and math.isclose(said, right, rel_tol=1e-9, abs_tol=1e-9):
        return 1.0, f"right, {number(right)}"
    hint = ""
    if said is not None and math.isclose(said, -right, abs_tol=1e-9):
        first = player_name(case.game.player_names, 0)
        hint = f" (values are payoffs of {first}{'' if first == 'MAX' else ', who is MAX'}, whoever moves)"
    shown = "not a number" if said is None or math.isnan(said) else number(said)
    return 0.0, f"wrong: {shown}, right is {number(right)}{hint}"


def _move(case: Case, outcome: Outcome) -> tuple[float, str]:
    actions = list(case.game.actions(case.state))
    best = " or ".join(case.game.name_action(case.state, actions[index]) for index in case.truth.best[:5])
    if outcome.move is None or not 0 <= outcome.move < len(actions):
        said = f"{outcome.said} is no action here" if outcome.said else "no move was returned"
        return 0.0, f"wrong: {said}, right is {best}"
    name = case.game.name_action(case.state, actions[outcome.move])
    return (
        (1.0, f"right, {name}")
        if outcome.move in case.truth.best
        else (0.0, f"wrong: {name}, right is {best}")
    )


def _nodes(case: Case, outcome: Outcome, function: str) -> tuple[float, str]:
    seen, right = outcome.visited, case.truth.nodes
    if seen == right:
        return 1.0, f"right, {seen:,} visited"
    if function == "minimax":
        return 0.0, f"wrong: {seen:,} visited; minimax visits {right:,}"
    full = case.truth.minimax_nodes
    text = f"{seen:,} visited; alpha-beta in the order of `actions` visits {right:,}"
    if full is not None and seen >= full:
        return 0.0, f"wrong: {text}, and minimax {full:,}: nothing is cut"
    if seen < right:
        return 0.5, f"half: {text}. Fewer: is the order changed, or something left out?"
    return 0.5, f"half: {text}. A cut is missed somewhere"


# --- inside one process -----------------------------------------------------------------------------


def check_here(
    function: Callable[..., Any], game: Game, states: Sequence[Any] = (), **options: Any
) -> ProgramGrades:
    """Judges a function in this very process, for notebooks. Only for code that you trust: nothing limits it.

    >>> from gametree import Tree
    >>> check_here(lambda game, state: (3, 0), Tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]]), [0]).score
    2.5
    """
    assignment = assign(game, options.pop("name", "alphabeta"), states, **options)
    judged = []
    for case in assignment.cases:
        counting = _counting(case.game)
        more = () if assignment.depth is None else (assignment.depth,)
        returned = function(counting, case.state, *more)
        visited = 1 + counting.tally[0]
        value, move = returned if isinstance(returned, tuple) and len(returned) == 2 else (returned, None)
        actions = list(case.game.actions(case.state))
        place = actions.index(move) if move is not None and move in actions else None
        said = "" if move is None else repr(move)
        judged.append(judge(case, Outcome(float(value), place, said, visited), assignment.function))
    return ProgramGrades(getattr(function, "__name__", "function"), assignment, tuple(judged))


def _counting(game: Game) -> Any:
    """The same game, counting the calls of `result`."""
    cls = type(game)
    tally = [0]

    def result(self: Game, state: Any, action: Any) -> Any:
        tally[0] += 1
        return cls.result(self, state, action)

    meta: Any = type(cls)
    other: Any = object.__new__(meta(cls.__name__, (cls,), {"result": result, "tally": tally}))
    other.__dict__.update(game.__dict__)
    return other
