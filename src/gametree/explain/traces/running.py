"""From a tree or a game to its trace: what is unfolded, what is asked about it, and which search runs."""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, cast

from gametree.errors import InputError, UnsuitableError
from gametree.explain.traces.alphabeta import alphabeta
from gametree.explain.traces.conventions import Conventions
from gametree.explain.traces.heuristic import HeuristicRecorder, deepening, heuristic
from gametree.explain.traces.maxn import maxn
from gametree.explain.traces.methods import METHODS, Method
from gametree.explain.traces.minimax import minimax
from gametree.explain.traces.monte_carlo import monte_carlo
from gametree.explain.traces.positions import Positions, in_game, in_tree
from gametree.explain.traces.proof_numbers import proof_numbers
from gametree.explain.traces.recorder import Recorder, WindowRecorder
from gametree.explain.traces.settings import USUAL, Settings
from gametree.explain.traces.sss import sss
from gametree.explain.traces.star import StarRecorder, star
from gametree.explain.traces.trace import Trace, require
from gametree.game import Game
from gametree.games.tree.game import Tree
from gametree.games.tree.outline import Interval, Outline, outline

READS: dict[str, tuple[str, ...]] = {
    "deepening": ("depth", "estimates"),
    "quiescence": ("depth", "estimates", "turbulent"),
    "transpositions": ("depth", "estimates"),
    "ordering": ("depth", "estimates"),
    "null-move": ("depth", "estimates"),
    "forward-pruning": ("depth", "estimates", "keep"),
    "star1": ("payoffs",),
    "star2": ("payoffs",),
    "mcts": ("simulations", "exploration", "seed"),
    "pns": ("at_least",),
}
"""The settings that a method reads; a depth is also the depth to which a game is unfolded."""


def run(
    tree: Any,
    method: Method,
    conventions: Conventions,
    values: Mapping[str, float],
    settings: Settings = USUAL,
    state: Any = None,
    most: int = 500,
) -> Trace:
    """The trace of a search."""
    game = tree if isinstance(tree, Game) and not isinstance(tree, Tree) else None
    _require_read(method, settings, game is not None)
    if method != "alphabeta" and METHODS[method].window:
        conventions = replace(conventions, cut=">=", fail="soft")
    if method not in ("minimax", "alphabeta"):
        conventions = replace(conventions, form="aima")
    if method == "mcts":
        rules = tree if isinstance(tree, Game) else _as_tree(tree)
        return monte_carlo(rules, state, conventions, settings, most)
    if game is not None and method in _HEURISTIC:
        positions = in_game(game, state, method, settings, most)
        return _heuristic(method, positions, conventions, settings)
    root = outline(tree, state, settings.depth if game is not None else None, most=most)
    root.require_nothing_hidden()
    if values:
        root = root.with_values(values)
    require(root, method)
    if method in _HEURISTIC:
        return _heuristic(method, in_tree(root, method, settings), conventions, settings)
    return _textbook(root, method, conventions, settings, game)


_HEURISTIC = ("deepening", "quiescence", "transpositions", "ordering", "null-move", "forward-pruning")


def _heuristic(method: Method, positions: Positions, conventions: Conventions, settings: Settings) -> Trace:
    record = HeuristicRecorder(method, positions, conventions)
    if method == "null-move" and not positions.passes and not settings.depth:
        raise UnsuitableError(
            "null-move is for a game with `null`, the state after a pass: name one with --game"
        )
    if method == "deepening":
        deepening(record, settings.depth)
    else:
        heuristic(record, settings.depth, settings.keep)
    return record.trace()


def _textbook(
    root: Outline, method: Method, conventions: Conventions, settings: Settings, game: Game | None
) -> Trace:
    if method == "alphabeta":
        within = WindowRecorder(method, root, conventions)
        alphabeta(within)
        return within.trace()
    if method == "paranoid":
        within = WindowRecorder(method, _against_all(root), conventions)
        alphabeta(within)
        return within.trace()
    if method in ("star1", "star2"):
        starred = StarRecorder(method, root, conventions)
        star(starred, _payoffs(root, settings, game), method == "star2")
        return starred.trace()
    record = Recorder(method, root, conventions)
    if method == "sss":
        sss(record)
    elif method == "pns":
        proof_numbers(record, settings.at_least)
    else:
        (maxn if method == "maxn" else minimax)(record)
    return record.trace()


def _require_read(method: Method, settings: Settings, in_game: bool) -> None:
    """Refuses settings that the method does not read: who gives one expects it to do something."""
    read = (*READS.get(method, ()), *(("depth",) if in_game else ()))
    for one in fields(Settings):
        if one.name not in read and getattr(settings, one.name) != getattr(USUAL, one.name):
            who = ", ".join(name for name, names in READS.items() if one.name in names)
            option = one.name.replace("_", "-").removesuffix("s") if one.name == "estimates" else one.name
            raise InputError(f"{option.replace('_', '-')} is not for {method}; it is for {who}")


def _as_tree(tree: Any) -> Game:
    if isinstance(tree, Outline):
        raise InputError("mcts grows a tree of its own: give it a game or the tree itself, not an outline")
    return Tree(tree)


def _payoffs(root: Outline, settings: Settings, game: Game | None) -> Interval:
    """Between which payoffs Star1 and Star2 search."""
    leaves = [leaf.payoff for leaf in root.leaves]
    known = [payoff for payoff in leaves if isinstance(payoff, float)]
    declared = settings.payoffs or (game.payoffs if game is not None else None)
    low, high = map(float, declared) if declared else (min(known, default=0.0), max(known, default=0.0))
    outside = next((payoff for payoff in known if not low <= payoff <= high), None)
    if outside is not None:
        raise InputError(f"payoff_range={low:g},{high:g}: the leaf {outside:g} lies outside")
    return low, high


def _against_all(root: Outline) -> Outline:
    """A tree as a paranoid player sees it: he is MAX, everybody else is MIN, and payoffs are his."""
    if any(node.kind == "chance" for node in root.walk()):
        raise UnsuitableError("paranoid search is traced without chance nodes")
    me = root.player or 0

    def seen(node: Outline) -> Outline:
        payoff = cast(Any, node.payoff)
        if isinstance(payoff, tuple):
            payoff = payoff[me]
        elif isinstance(payoff, float) and me == 1:
            payoff = -payoff + 0.0
        kind = node.kind if node.is_leaf else "max" if node.player == me else "min"
        return replace(node, kind=kind, payoff=payoff, children=tuple(map(seen, node.children)))

    return seen(root)
