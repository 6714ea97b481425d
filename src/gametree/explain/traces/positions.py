"""What a search asks about nodes besides payoffs: estimates, moves to follow, positions that are the same.

In a game the rules say it: `evaluate`, `tactical`, `threatened`, `order`, `key`, `null`. In a tree that somebody wrote
down the settings say it, and subtrees that are equal are the same position.
"""

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

from gametree.errors import InputError, UnsuitableError
from gametree.explain.traces.methods import Method
from gametree.explain.traces.settings import Settings
from gametree.game import CHANCE, Game, check_state, offers
from gametree.games.tree.outline import Outline, Path, outline, outlined, unfold

BEYOND: Final = 6
"""Past the horizon so many plies are followed at most: captures may go on for long."""
REDUCTION: Final = 1
"""By so many plies the search after a pass is shallower than after a move."""


@dataclass(frozen=True)
class Positions:
    """A tree with what is known of its nodes."""

    root: Outline
    estimates: Mapping[Path, float] = field(default_factory=dict)
    """What nodes seem to be worth to MAX."""
    followed: Mapping[Path, tuple[Path, ...]] = field(default_factory=dict)
    """The children that quiescence follows past the horizon, of nodes that are not quiet."""
    threatened: frozenset[Path] = frozenset()
    """Where nobody may stand pat."""
    keys: Mapping[Path, Hashable] = field(default_factory=dict)
    """What is the same where positions are."""
    passes: Mapping[Path, Path] = field(default_factory=dict)
    """The child to which a pass leads."""
    ranks: Mapping[Path, float] = field(default_factory=dict)
    """How good a node seems to whoever moves to it: the greater the earlier."""
    by: str = ""
    """Who says so, in words."""

    def estimate(self, node: Outline, depth: int | None) -> float:
        """What a node seems to be worth; refused where nobody says it."""
        if node.path in self.estimates:
            return self.estimates[node.path]
        raise InputError(
            f"the search stops at {node.name} (depth {depth}) and needs an estimate of it: give one, for example"
            f" --estimate {node.name}=4, or look deeper"
        )


def in_tree(root: Outline, method: Method, settings: Settings) -> Positions:
    """A tree that was written down."""
    names = {node.name: node for node in root.walk() if not node.is_leaf}
    for name in (*settings.estimates, *settings.turbulent):
        if name not in names:
            raise InputError(f"the tree has no inner node {name!r}; they are called {', '.join(names)}")
    estimates = {names[name].path: float(value) for name, value in settings.estimates.items()}
    followed = {
        names[name].path: tuple(child.path for child in names[name].children) for name in settings.turbulent
    }
    ranks, by = _by_value(root, estimates) if method == "ordering" else _by_estimate(root, estimates)
    shapes = _shapes(root) if method == "transpositions" else {}
    return Positions(root, estimates, followed, keys=shapes, ranks=ranks, by=by)


def _by_estimate(root: Outline, estimates: Mapping[Path, float]) -> tuple[dict[Path, float], str]:
    ranks = {}
    for node in root.walk():
        sign = -1.0 if node.kind == "min" else 1.0
        for child in node.children:
            seems = child.payoff if isinstance(child.payoff, float) else estimates.get(child.path)
            if seems is not None:
                ranks[child.path] = sign * seems
    return ranks, "estimates"


def _by_value(root: Outline, estimates: Mapping[Path, float]) -> tuple[dict[Path, float], str]:
    """By estimates where every node has one, or else by the values, as a perfect evaluation would tell them."""
    ranks, by = _by_estimate(root, estimates)
    if all(node.path in ranks for node in root.walk() if node.path):
        return ranks, by
    values = values_of(root)
    for node in root.walk():
        sign = -1.0 if node.kind == "min" else 1.0
        ranks |= {child.path: sign * values[child.path] for child in node.children}
    return ranks, "a perfect evaluation"


def values_of(root: Outline) -> dict[Path, float]:
    """The minimax value of every node; unknown leaves are refused."""
    values: dict[Path, float] = {}
    for node in reversed(list(root.walk())):
        if node.is_leaf:
            if not isinstance(node.payoff, float):
                raise InputError(f"the leaf {node.payoff!r} has no number: give it one with values")
            values[node.path] = node.payoff
        else:
            below = [values[child.path] for child in node.children]
            values[node.path] = (
                max(below)
                if node.kind == "max"
                else min(below)
                if node.kind == "min"
                else node.average(below)
            )
    return values


def _shapes(root: Outline) -> dict[Path, Hashable]:
    shapes: dict[Path, Hashable] = {}
    for node in reversed(list(root.walk())):
        below = tuple((child.move, shapes[child.path]) for child in node.children)
        shapes[node.path] = (node.kind, node.payoff, below)
    return shapes


# --- games ------------------------------------------------------------------------------------------


class _Step(NamedTuple):
    """A state, and what is left of the search there."""

    state: Any
    left: int
    """Plies to the horizon; negative past it."""
    passed: bool


class _Unfolding(Game):
    """The part of a game that a search unfolds: plies beyond the horizon, and passes."""

    def __init__(self, game: Game, method: Method, depth: int):
        self.game, self.method, self.depth = game, method, depth
        self.players, self.total, self.player_names = game.players, game.total, game.player_names

    def initial(self) -> _Step:
        return _Step(self.game.initial(), self.depth, False)

    def player(self, step: _Step) -> int:
        return self.game.player(step.state)

    def passing(self, step: _Step) -> Any:
        """The state after a pass, where one is tried."""
        tried = self.method == "null-move" and step.left >= 2 and not step.passed and step.left < self.depth
        if not tried or self.game.threatened(step.state):
            return None
        return self.game.null(step.state)

    def actions(self, step: _Step) -> Iterator[Any]:
        for action in self.follow(step):
            yield (action,)
        if self.passing(step) is not None:
            yield ()

    def follow(self, step: _Step) -> list[Any]:
        """The moves that are looked at."""
        if step.left > 0 or self.game.threatened(step.state):
            return list(self.game.actions(step.state))
        return list(self.game.tactical(step.state))

    def result(self, step: _Step, action: tuple[Any, ...]) -> _Step:
        if not action:
            return _Step(self.game.null(step.state), step.left - 1 - REDUCTION, True)
        return _Step(self.game.result(step.state, action[0]), step.left - 1, False)

    def stops(self, step: _Step) -> bool:
        """Whether the search goes no further here."""
        if step.left > 0:
            return False
        return self.method != "quiescence" or step.left <= -BEYOND or not self.follow(step)

    def is_terminal(self, step: _Step) -> bool:
        return self.game.is_terminal(step.state)

    def utility(self, step: _Step, player: int) -> float:
        return self.game.utility(step.state, player)

    def evaluate(self, step: _Step, player: int) -> float:
        return self.game.evaluate(step.state, player)

    def name_action(self, step: _Step, action: tuple[Any, ...]) -> str:
        return self.game.name_action(step.state, action[0]) if action else "pass"


_NEEDED: Final = {
    "quiescence": ("tactical", "names the moves that quiescence follows"),
    "null-move": ("null", "gives the state after a pass"),
}


def in_game(game: Game, state: Any, method: Method, settings: Settings, most: int) -> Positions:
    """The tree of a game from a state on."""
    name = type(game).__name__
    if settings.estimates or settings.turbulent:
        raise InputError(f"estimates and turbulent nodes are for trees; {name} says them by its own rules")
    if offers(game, "chance") and method not in ("star1", "star2"):
        raise UnsuitableError(f"{name} has chance nodes; {method} is not for such a game. Use star1 or star2")
    needed, does = _NEEDED.get(method, ("", ""))
    if needed and not offers(game, needed):
        raise UnsuitableError(f"{method} needs `{needed}`, which {does}; {name} has none")
    depth = settings.depth
    if method not in _NEEDED or depth is None:
        if method in _NEEDED:
            raise InputError(f"{method} has a horizon: give a depth, for example --depth 2")
        root = outline(game, state, depth, most=most)
    else:
        under = _Unfolding(game, method, depth)
        start = _Step(check_state(game, state), depth, False)
        nodes = unfold(under, start, None, False, most, under.stops)
        for node in nodes:
            node.state = node.state.state
        root = outlined(game, nodes)
        return _known(game, replace(root), _shifted(game, root, method, depth))
    return _known(game, root, {})


def _shifted(game: Game, root: Outline, method: Method, depth: int) -> dict[str, Any]:
    """Where passes lead, and what is followed past the horizon."""
    if method == "null-move":
        passes = {node.path[:-1]: node.path for node in root.walk() if node.path and node.move == "pass"}
        return {"passes": passes}
    far = [node for node in root.walk() if len(node.path) >= depth and node.children]
    return {
        "followed": {node.path: tuple(child.path for child in node.children) for node in far},
        "threatened": frozenset(node.path for node in far if game.threatened(node.state)),
    }


def _known(game: Game, root: Outline, more: dict[str, Any]) -> Positions:
    """What the rules say about every node."""
    inner = [node for node in root.walk() if not node.is_leaf and node.kind != "chance"]
    estimates = {}
    if offers(game, "evaluate") or offers(game, "features"):
        estimates = {node.path: float(game.evaluate(node.state, 0)) for node in inner}
    keys = {node.path: (game.key(node.state), game.player(node.state)) for node in inner}
    ranks, by = _by_estimate(root, estimates)
    if offers(game, "order"):
        by = "the game's own order"
        for node in inner:
            if game.player(node.state) == CHANCE:
                continue
            named = {game.name_action(node.state, one): one for one in game.actions(node.state)}
            for child in node.children:
                if child.move in named:
                    ranks[child.path] = float(game.order(node.state, named[child.move]))
    return Positions(root, estimates, keys=keys, ranks=ranks, by=by, **more)
