"""The pictures whose SVG is kept in golden/: one for each style, and the trees of the lectures.

Run `PYTHONPATH=tests python -m explain.gallery` to draw them anew, and look at what has changed.
"""

from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

from gametree import games
from gametree.explain.pictures.svg import svg
from gametree.explain.traces.conventions import Conventions
from gametree.explain.traces.trace import Trace, trace
from gametree.game import Game
from gametree.games.tree.game import Chance, Tree
from gametree.games.tree.outline import Outline, outline

GOLDEN = Path(__file__).parent / "golden"
AIMA = [[3, 12, 8], [2, "x", "y"], [14, 5, 2]]
DEEP = [10, [[[5, [9, 3]], 11], 12]]
"""The root has 10; D is worth at most 5: what is below E cannot matter."""
SHALLOW = [[10, [14, [7, 2]]], 4]
"""The node below B has 10; B is worth at least 14."""


def three_players() -> Tree:
    return Tree([[(4, 3, 2), (7, 4, 1)], [(1, 5, 2), (7, 7, 1)]], movers=(0, 2))


def gamble() -> Tree:
    return Tree(
        {
            "risky": Chance([(0.5, [3, -9]), (0.5, [20, 1])]),
            "safe": Chance([(1 / 3, [2, 5]), (2 / 3, [0, 4])]),
        }
    )


class Matches(Game):
    """Three matches; take one or two; the last one wins. Its board is text with words in it."""

    def initial(self) -> tuple[int, int]:
        return 3, 0

    def player(self, state: tuple[int, int]) -> int:
        return state[1]

    def actions(self, state: tuple[int, int]) -> range:
        return range(1, min(2, state[0]) + 1)

    def result(self, state: tuple[int, int], action: int) -> tuple[int, int]:
        return state[0] - action, 1 - state[1]

    def is_terminal(self, state: tuple[int, int]) -> bool:
        return state[0] == 0

    def utility(self, state: tuple[int, int], player: int) -> float:
        return -1 if player == state[1] else 1

    def show(self, state: tuple[int, int]) -> str:
        return f"{'|' * state[0]}\n{state[0]} left"


def position(name: str, text: str | None = None, depth: int | None = None, **settings: Any) -> Outline:
    game = games.load(name, **settings)
    return outline(game, None if text is None else game.parse_state(text), depth, merge_symmetric=True)


def aima(shapes: str, bounds: str) -> Trace:
    return trace(AIMA, conventions=Conventions(shapes=shapes, bounds=bounds))  # type: ignore[arg-type]


PICTURES: dict[str, Callable[[], str]] = {
    f"aima-{shapes}-{bounds}-{theme}": lambda shapes=shapes, bounds=bounds, theme=theme: svg(
        aima(shapes, bounds), theme=theme
    )
    for shapes, bounds, theme in product(
        ("squares-circles", "triangles"), ("alpha-beta", "intervals"), ("light", "dark", "auto")
    )
} | {
    "question": lambda: svg(AIMA, title="Does the value of the root depend on x and y?"),
    "step": lambda: svg(trace(AIMA), step=14),
    "right-to-left": lambda: svg(trace([[3, 12, 8], [2, 4, 6]], conventions=Conventions(direction="right-to-left"))),
    "deep": lambda: svg(trace(DEEP), title="A deep cut-off"),
    "shallow": lambda: svg(trace(SHALLOW), title="A shallow cut-off"),
    "three-players": lambda: svg(trace(three_players(), "maxn")),
    "chance": lambda: svg(trace(gamble(), "expectiminimax")),
    "chance-triangles": lambda: svg(
        trace(gamble(), "expectiminimax", Conventions(shapes="triangles", bounds="intervals"))
    ),
    "tic-tac-toe": lambda: svg(trace(position("tic-tac-toe", "XOX/.O./X.O")), boards=True),
    "tic-tac-toe-two-plies": lambda: svg(trace(position("tic-tac-toe", depth=2), "minimax"), boards=True),
    "larger-board": lambda: svg(trace(position("tic-tac-toe", depth=1, width=6, height=5), "minimax"), boards=True),
    "fail-hard": lambda: svg(trace([[3, 12, 8], [2, 4, 6], [14, 5, 2]], conventions=Conventions(fail="hard"))),
    "checkers": lambda: svg(trace(position("checkers", "W:W20,21,K31:B23,K22", 2)), boards=True),
    "checkers-dark": lambda: svg(trace(position("checkers", "W:WK30:B22,K2", 1)), boards=True, theme="dark"),
    "chess": lambda: svg(trace(position("chess", "8/P6k/8/8/8/8/8/K7 w - - 0 1", 1), "minimax"), boards=True),
    "connect-four": lambda: svg(trace(position("connect-four", "4453", 1), "minimax"), boards=True, theme="auto"),
    "hex": lambda: svg(position("hex", "b2 a2", 1, size=3), boards=True, theme="dark"),
    "letters": lambda: svg(trace(outline(Matches()), "minimax"), boards=True),
}  # fmt: skip

if __name__ == "__main__":
    for name, draw in PICTURES.items():
        (GOLDEN / f"{name}.svg").write_text(draw(), encoding="utf-8")
