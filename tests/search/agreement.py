"""What it means for a search to agree with the oracle, and which nodes it looks at."""

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

import oracle
from gametree import Analysis, Game, Tree, alphabeta, minimax
from gametree.compiled import native
from gametree.search.core.answer import Walk
from gametree.search.core.root import Root

COMPILES = not native.unavailable()
WAYS = ["never", "always"] if COMPILES else ["never"]
"""The values of `compile=` that can be tried here."""
SEARCHES: dict[str, Callable[..., Analysis]] = {"minimax": minimax, "alphabeta": alphabeta}


def truth(method: str, game: Game, state: Any, depth: int | None) -> tuple[float, Any, int]:
    """The oracle's value to player 0, its action (None at a leaf) and its node count."""
    if method == "minimax":
        found = oracle.minimax(game, state, depth)
        return found.value, found.best[0] if found.best else None, found.nodes
    pruned = oracle.alphabeta(game, state, depth)
    return pruned.value, pruned.action, pruned.nodes


def follow(game: Game, state: Any, line: tuple[Any, ...]) -> Any:
    """The state at the end of a line, of which every action has to be legal."""
    for action in line:
        assert not game.is_terminal(state)
        assert action in list(game.actions(state))
        state = game.result(state, action)
    return state


def assert_agreement(
    game: Game,
    state: Any,
    depth: int | None = None,
    methods: tuple[str, ...] = ("minimax", "alphabeta"),
) -> None:
    """Interpreted = compiled = oracle: value, action, node count; and the line earns what was promised."""
    assert game.total is not None
    lines = set()
    for method in methods:
        value, action, nodes = truth(method, game, state, depth)
        for way in WAYS:
            found = SEARCHES[method](game, state, depth=depth, compile=way)
            assert (found.values[0], found.action, found.nodes) == (value, action, nodes), (method, way)
            assert found.values[1] == game.total - value
            assert found.value == found.values[found.player]
            assert found.bound == "exact"
            assert found.line[:1] == (() if action is None else (action,))
            lines.add(found.line)
    # Both methods and both ways of running have to find the same line.
    (line,) = lines
    end = follow(game, state, line)
    if game.is_terminal(end):
        assert game.utility(end, 0) == value
    else:
        assert len(line) == depth
        assert game.evaluate(end, 0) == value


def facts(found: Analysis) -> Analysis:
    """A result without what may differ from run to run: the time it took, and whether it was compiled."""
    given = {name: value for name, value in found.parameters.items() if name != "compiled"}
    return replace(found, seconds=0.0, parameters=given)


class Recording(Tree):
    """A tree that writes down which states a search looks at; interpreted only."""

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.asked: list[int] = []
        self.visited: list[int] = []
        """The states that the last search looked at, the root first."""

    def is_terminal(self, state: int) -> bool:
        self.asked.append(state)
        return super().is_terminal(state)


@contextlib.contextmanager
def recording() -> Iterator[None]:
    """Within this block a `Recording` tells searching from what precedes it (a rehearsal) and follows (the line)."""
    walk = Root.walk

    def walked(root: Root[Any], *args: Any, **kwargs: Any) -> Walk[Any]:
        assert isinstance(root.game, Recording)
        root.game.asked.clear()
        found = walk(root, *args, **kwargs)
        root.game.visited[:] = [root.state, *root.game.asked]
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Root, "walk", walked)
        yield
