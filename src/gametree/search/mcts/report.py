"""From a tree to an `Analysis`: which action, what it is worth, what follows."""

import contextlib
import math
from collections.abc import Callable
from typing import Any

from gametree.game import CHANCE, Game
from gametree.result import Analysis, Move, StoppedBy, Value
from gametree.search.core.overtime import OutOfTime
from gametree.search.core.stopwatch import STOPPED_BY
from gametree.search.core.task import Task
from gametree.search.mcts.memory import BY_PROOF
from gametree.search.mcts.options import Options
from gametree.search.mcts.view import SearchTree


def report(
    tree: SearchTree,
    options: Options,
    task: Task,
    *,
    player: int,
    simulations: int,
    seconds: float,
    stopped: int,
    parameters: dict[str, Any],
    otherwise: Callable[[], Any],
) -> Analysis:
    """What a search has found. The value is that of the chosen action, as it fared in the simulations.

    Where there was no time for any, `otherwise` says what to play. `player` moves.
    """
    game, state = tree.game, tree.state
    line = principal_variation(tree, options)
    if player != CHANCE and not tree.count(tree.root):
        line = [otherwise()]
    chosen = tree.root
    if player != CHANCE and tree.count(tree.root):
        chosen = next(child for child, action in tree.steps(tree.root, state) if action == line[0])
    known = tree.visits(chosen) > 0 or tree.is_settled(chosen)
    exact = tree.is_settled(tree.root)
    values = tree.means(chosen) if known else ()
    viewer = max(player, 0)
    by: StoppedBy = "end" if stopped == BY_PROOF else STOPPED_BY.get(stopped, "end")
    return task.analysis(
        player=player,
        value=worth(game, values[viewer], viewer, exact) if values else None,
        values=values,
        line=line,
        moves=_moves(tree, player) if task.moves else (),
        depth=None,
        nodes=simulations,
        seconds=seconds,
        exact=exact,
        stopped_by=by,
        parameters=parameters,
    )


def worth(game: Game, payoff: float, player: int, exact: bool) -> Value:
    """What a payoff is worth to a player: proven, it is a win or a loss at the ends of `payoffs`."""
    if not exact or game.payoffs is None:
        return Value(payoff)
    low, high = map(float, game.payoffs)
    if game.players == 2 and game.total is not None and player == 1:
        low, high = game.total - high, game.total - low
    if low < high and payoff >= high:
        return Value.win(payoff)
    return Value.loss(payoff) if low < high and payoff <= low else Value(payoff)


def _moves(tree: SearchTree, player: int) -> tuple[Move, ...]:
    """Every action that was tried, with what it is worth."""
    if player == CHANCE:
        return ()
    found = []
    for child, action in tree.steps(tree.root, tree.state):
        settled = tree.is_settled(child)
        if tree.visits(child) > 0 or settled:
            value = worth(tree.game, tree.mean(child, player), player, settled)
            found.append(Move(action, value, "exact", tree.game.name_action(tree.state, action), settled))
    return tuple(found)


# --- which action -------------------------------------------------------------------------------------


def principal_variation(tree: SearchTree, options: Options) -> list[Any]:
    """The actions that fared best, one after another, as far as there are simulations; it ends where chance decides."""
    line: list[Any] = []
    with contextlib.suppress(OutOfTime):
        _follow(tree, options, line)
    return line


def _follow(tree: SearchTree, options: Options, line: list[Any]) -> None:
    node, state = tree.root, tree.state
    while tree.count(node):
        player = tree.mover(node)
        if player is None or player == CHANCE:
            break
        best = best_child(tree, node, state, player, options)
        if best is None or (tree.visits(best[0]) == 0 and not tree.is_settled(best[0]) and line):
            break
        node, action = best
        line.append(action)
        state = tree.game.result(state, action)
        if tree.game.is_terminal(state):
            break


def best_child(
    tree: SearchTree, node: int, state: Any, player: int, options: Options
) -> tuple[int, Any] | None:
    """The child to play, and its action: the best by the rule of `final`, unless a proven one is at least as good.

    What is proven gets no further visits, so that their number says nothing about it.
    """
    open_: list[tuple[int, Any]] = []
    settled: list[tuple[int, Any]] = []
    for child, action in tree.steps(node, state):
        (settled if tree.is_settled(child) else open_).append((child, action))
    floor = tree.bounds(node, player)[0]
    sure = max(settled, key=lambda step: tree.bounds(step[0], player)[0], default=None)
    rank = _RULES[options.final]
    best = max(open_, key=lambda step: rank(tree, step[0], player), default=None)
    if sure is None or best is None:
        return sure or best
    proven = tree.bounds(sure[0], player)[0]
    beaten = tree.bounds(best[0], player)[1] <= floor
    return sure if beaten or tree.visits(best[0]) == 0 or proven >= tree.mean(best[0], player) else best


def _robust(tree: SearchTree, child: int, player: int) -> tuple[float, float]:
    """The most visits; of equal ones the greatest mean."""
    visits = tree.visits(child)
    return visits, tree.mean(child, player) if visits else -math.inf


def _max(tree: SearchTree, child: int, player: int) -> tuple[float, float]:
    """The greatest mean; of equal ones the most visits."""
    visits = tree.visits(child)
    return tree.mean(child, player) if visits else -math.inf, visits


def _secure(tree: SearchTree, child: int, player: int) -> tuple[float, float]:
    """The greatest mean less one standard error, as payoffs are between the ends of `payoffs`."""
    visits = tree.visits(child)
    low, high = tree.game.payoffs or (0.0, 1.0)
    return tree.mean(child, player) - (high - low) / math.sqrt(visits) if visits else -math.inf, visits


_RULES = {"robust": _robust, "max": _max, "secure": _secure}


def at_once(task: Task) -> Analysis | None:
    """The result where the game is over."""
    game, state = task.game, task.state
    if not game.is_terminal(state):
        return None
    values = tuple(float(game.utility(state, player)) for player in range(game.players))
    return task.leaf(values[0], values, 0, True)
