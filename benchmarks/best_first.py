"""When does going best first pay? Leaves and nodes of best-first searches beside those of alpha-beta.

    python benchmarks/best_first.py                 the tables of docs/best-first.md
    python benchmarks/best_first.py trees proofs    some of them: trees, games, proofs

Everything here is a count, so it is the same on every machine.

A leaf is counted once, however often it is looked at; a node each time a search comes to it. Three orders of moves: as
they fall (random), the best move first with four chances in five (good), the best always first (perfect).
"""

import argparse
import math
import random
import statistics
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import gametree as gt
from gametree import Analysis, Game, Limit
from gametree.kernel.clock import RUNNING
from gametree.search.best_first import mtd
from gametree.search.core.answer import WHOLE
from gametree.search.core.root import Payoffs, Root
from refusal import refuse
from smallest import parse

TREES = 20
MOST = Limit(nodes=50_000_000)
ORDERS = {"random": 0.0, "good": 0.8, "perfect": 1.0}


# --- random trees -------------------------------------------------------------------------------------


class Counting(gt.Tree):
    """A tree that writes down whose utility is asked for."""

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.asked: set[int] = set()

    def utility(self, state: int, player: int) -> float:
        self.asked.add(state)
        return super().utility(state, player)


@dataclass(frozen=True)
class Kind:
    """Uniform trees: so many moves everywhere, so many plies, payoffs drawn by a function, best moves first or not."""

    branching: int
    plies: int
    order: str
    values: int | None
    """How many different payoffs there are; None: no two are the same."""

    def tree(self, seed: int) -> tuple[Counting, float]:
        """A tree and its value."""
        rng = random.Random(seed)
        spec, value = self._grown(rng, self.plies, 0)
        return Counting(spec), value

    def _grown(self, rng: random.Random, plies: int, player: int) -> tuple[Any, float]:
        if plies == 0:
            payoff = rng.random() if self.values is None else float(rng.randrange(self.values))
            return payoff, payoff
        below = [self._grown(rng, plies - 1, 1 - player) for _ in range(self.branching)]
        best = (
            max(below, key=lambda entry: entry[1]) if player == 0 else min(below, key=lambda entry: entry[1])
        )
        if rng.random() < ORDERS[self.order]:
            below.remove(best)
            below.insert(0, best)
        return [spec for spec, _ in below], best[1]

    def __str__(self) -> str:
        payoffs = "all different" if self.values is None else f"{self.values} payoffs"
        return f"b = {self.branching}, {self.plies} plies, {payoffs}, {self.order} order"


KINDS = [
    Kind(branching, plies, order, None)
    for branching, plies in ((2, 12), (4, 6), (8, 4))
    for order in ("random", "good", "perfect")
] + [Kind(4, 6, "random", 2), Kind(4, 6, "random", 10)]

Search = Callable[..., Analysis]
ON_TREES: dict[str, Callable[[float], tuple[Search, dict[str, Any]]]] = {
    "alpha-beta": lambda value: (gt.alphabeta, {}),
    "SSS*": lambda value: (gt.sss, {}),
    "DUAL*": lambda value: (gt.dual, {}),
    "MTD(f), f = the value": lambda value: (gt.mtdf, {"guess": value}),
    "MTD(f), f = ½": lambda value: (gt.mtdf, {"guess": 0.5}),
}


def minimal_leaves(branching: int, plies: int) -> int:
    """The leaves that every proof of a value needs (Knuth & Moore 1975): b^⌈m/2⌉ + b^⌊m/2⌋ − 1.

    >>> minimal_leaves(2, 12)
    127
    """
    return int(branching ** math.ceil(plies / 2) + branching ** (plies // 2) - 1)


def on_trees(kinds: Sequence[Kind], trees: int = TREES) -> Iterator[str]:
    """A table of leaves, and of nodes with all that is looked at again."""
    yield table_head(["tree", "minimal", *ON_TREES])
    for kind in kinds:
        cells = [str(kind), f"{minimal_leaves(kind.branching, kind.plies):,}"]
        made = [kind.tree(seed) for seed in range(trees)]
        for method in ON_TREES.values():
            counts = [_leaves(tree, value, method) for tree, value in made]
            leaves, nodes = (statistics.mean(column) for column in zip(*counts))
            cells.append(f"{leaves:,.0f} ({nodes:,.0f})")
        yield table_row(cells)


def _leaves(
    tree: Counting, value: float, method: Callable[[float], tuple[Search, dict[str, Any]]]
) -> tuple[int, int]:
    """Leaves and nodes of a search, without what it takes to find the line afterwards."""
    search, options = method(value)
    search(tree, compile="never", limit=Limit(nodes=1), **options)  # the rehearsal happens once
    tree.asked.clear()
    with searching_only(tree):
        found = search(tree, compile="never", **options)
    assert found.values[0] == value
    return len(tree.asked), found.nodes


@contextmanager
def searching_only(tree: Counting) -> Iterator[None]:
    """Within this block no leaf is written down once a search begins to look for its line."""
    walk, line = mtd._walk, Root.line

    def closed(work: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(*args: Any) -> Any:
            known = set(tree.asked)
            found = work(*args)
            tree.asked.intersection_update(known)
            return found

        return wrapped

    mtd._walk, Root.line = closed(walk), closed(line)  # type: ignore[method-assign]
    try:
        yield
    finally:
        mtd._walk, Root.line = walk, line  # type: ignore[method-assign]


# --- games --------------------------------------------------------------------------------------------


def asked_once(window: tuple[float, float], game: Game, state: Any = None, **options: Any) -> Analysis:
    """One search with a window by alpha-beta with the table that MTD has."""

    def once(root: Payoffs, depth: int, first: float) -> mtd.Bounds:
        walk = root.walk(depth, window)
        if walk.stopped != RUNNING or walk.score is None:
            return mtd.Bounds(stopped=walk.stopped)
        return mtd.Bounds(walk.score, walk.score, walk.score, walk.best, walk.estimated)

    usual, mtd.narrowed = mtd.narrowed, once
    try:
        return gt.sss(game, state, **options)
    finally:
        mtd.narrowed = usual


def with_memory(game: Game, **options: Any) -> Analysis:
    """Alpha-beta with the whole window and a table: what best-first searches owe to the table alone."""
    return asked_once(WHOLE, game, **options)


ON_GAMES: dict[str, Search] = {
    "alpha-beta": gt.alphabeta,
    "alpha-beta with memory": with_memory,
    "MTD(f)": gt.mtdf,
    "SSS*": gt.sss,
    "DUAL*": gt.dual,
}
GAMES: list[tuple[str, Game, int | None]] = [
    ("tic-tac-toe, to the end", gt.games.TicTacToe(), None),
    ("Nim, 21 counters, to the end", gt.games.Nim(counters=21), None),
    ("Connect Four 4×4, to the end", gt.games.ConnectFour(width=4, height=4), None),
    ("Connect Four, 8 plies", gt.games.ConnectFour(), 8),
    ("Connect Four, 10 plies", gt.games.ConnectFour(), 10),
    ("Othello, 6 plies", gt.games.Othello(), 6),
    ("Othello, 8 plies", gt.games.Othello(), 8),
]


def on_games(games: Sequence[tuple[str, Game, int | None]] = tuple(GAMES)) -> Iterator[str]:
    """A table of nodes; all searches have to agree."""
    yield table_head(["game", *ON_GAMES])
    for name, game, depth in games:
        found = [search(game, depth=depth, limit=MOST) for search in ON_GAMES.values()]
        assert len({result.values[0] for result in found if result.stopped_by in ("end", "depth")}) == 1, name
        yield table_row([name, *(counted(result) for result in found)])


def counted(result: Analysis) -> str:
    """How many nodes a search took, or that it did not finish."""
    done = result.stopped_by in ("end", "depth")
    return f"{result.nodes:,}" if done else f"> {result.nodes:,}"


# --- proofs -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Question:
    """Can the player to move reach a goal, within some plies where they are given?"""

    name: str
    game: Game
    state: Any
    goal: str
    depth: int | None = None


def nobody_ahead(state: Any, player: int) -> float:
    """An evaluation that knows nothing: what is not decided within the depth is no win."""
    return 0.0


def by_alphabeta(question: Question, search: Search, compile: str = "auto") -> tuple[bool, Analysis]:
    """The same question by alpha-beta with the window of no width that asks it."""
    game = question.game
    player = game.player(question.state)
    bar = 1.0 if question.goal == "win" else 0.0
    if player == 0:
        window = (math.nextafter(bar, -math.inf), bar)
    else:
        window = (-bar, math.nextafter(-bar, math.inf))
    options: dict[str, Any] = {"depth": question.depth, "limit": MOST, "compile": compile}
    if question.depth is not None:
        options["evaluation"] = nobody_ahead
    if search is gt.alphabeta:
        found = gt.alphabeta(game, question.state, window=window, **options)
    else:
        found = asked_once(window, game, question.state, **options)
    mine = math.nan if found.value is None else float(found.value)
    return mine >= bar, found


def questions() -> list[Question]:
    """Wins by force and draws by care, in small games and in chess."""
    tic_tac_toe, small = gt.games.TicTacToe(), gt.games.ConnectFour(width=4, height=4)
    four, nim = gt.games.ConnectFour(), gt.games.Nim(counters=21)
    asked = [
        Question("tic-tac-toe: X wins?", tic_tac_toe, tic_tac_toe.initial(), "win"),
        Question("tic-tac-toe: X draws?", tic_tac_toe, tic_tac_toe.initial(), "draw"),
        Question("Nim, 21 counters: a win?", nim, nim.initial(), "win"),
        Question("Connect Four 4×4: a win?", small, small.initial(), "win"),
        Question("Connect Four 4×4: a draw?", small, small.initial(), "draw"),
    ]
    for number, moves in enumerate(THREATS, 1):
        state = four.initial()
        for name in moves:
            state = four.result(state, four.parse_action(state, name))
        asked.append(Question(f"Connect Four, won by threats ({number})", four, state, "win"))
    chess = gt.games.Chess()
    for fen, mate in MATES:
        asked.append(Question(f"chess: mate in {mate}", chess, chess.parse_state(fen), "win", 2 * mate - 1))
    return asked


THREATS = ["761471225521321", "7715267571675451", "363373362732714"]
"""Moves by column, after which the player to move wins by a row of threats."""
MATES = [
    ("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", 2),
    ("2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1", 2),
    ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
    ("8/5R2/7n/8/1K3R2/8/8/7k w - - 0 1", 3),
    ("8/1k2P1Q1/8/8/6p1/8/7K/8 w - - 0 1", 4),
    ("8/8/6k1/8/8/8/5K2/1R5R w - - 0 1", 4),
]
"""Positions, and in how many moves White mates."""


def on_proofs(asked: Sequence[Question]) -> Iterator[str]:
    """A table of nodes; all searches have to agree on the answer."""
    yield table_head(["question", "answer", "alpha-beta", "with memory", "PN", "df-pn", "proof"])
    for question in asked:
        given: dict[str, Any] = {"goal": question.goal, "depth": question.depth}
        pn = gt.pns(question.game, question.state, limit=Limit(nodes=1_000_000), **given)
        df = gt.dfpn(question.game, question.state, limit=MOST, **given)
        answers = [by_alphabeta(question, search) for search in (gt.alphabeta, with_memory)]
        said = {bool(df.proven)} | {
            answer for answer, found in answers if found.stopped_by in ("end", "depth")
        }
        assert len(said | ({bool(pn.proven)} if pn.stopped_by in ("end", "depth") else set())) == 1, (
            question.name
        )
        size = "" if df.size is None else f"{df.size:,}"
        cells = [counted(found) for _, found in answers] + [counted(pn), counted(df), size]
        yield table_row([question.name, "yes" if df.proven else "no", *cells])


# --- tables -------------------------------------------------------------------------------------------


def table_head(names: Sequence[str]) -> str:
    return table_row(names) + "\n|---|" + "--:|" * (len(names) - 1)


def table_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Prints the tables that were asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("tables", nargs="*", metavar="TABLE", help="trees, games, proofs")
    given = parse(parser, "")
    few = given.smallest
    tables: dict[str, Callable[[], Iterator[str]]] = {
        "trees": lambda: on_trees(KINDS[-1:], 1) if few else on_trees(KINDS),
        "games": lambda: on_games(GAMES[:1] if few else GAMES),
        "proofs": lambda: on_proofs(questions()[:1] if few else questions()),
    }
    for word in given.tables or tables:
        if word not in tables:
            refuse(f"{word}: there are {', '.join(tables)}")
        for line in tables[word]():
            print(line, flush=True)
        print()


if __name__ == "__main__":
    main()
