"""What it means for a search to agree with the oracle, and how to run many small searches quickly."""

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import oracle
from gametree import Analysis, Game, alphabeta, minimax
from gametree.compiled import native, primitives
from gametree.search.run import Run

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


@contextlib.contextmanager
def without_threads() -> Iterator[None]:
    """Within this block compiled searches run on the thread that asks: a thread costs more than a small tree.

    Nothing else differs. The kernel, the walk over the root and the line are those of every search.
    """

    def in_place(run: Run, procedure: Callable[[], Any]) -> Any:
        budget = 2 << 20
        run._budget = budget
        run.ledger[primitives.BUDGET] = budget
        return procedure()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Run, "_on_thread", in_place)
        yield
