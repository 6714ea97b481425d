"""How near `analyze` comes to the minimal proof tree of the very position it searches: `ordering.py --quality`.

`analyze(…, selective=False)` deepens ply by ply; what is compared is its last depth, which has the value of the minimal
proof tree to prove, and beside it the whole search. The minimal proof tree is that of a search without memory. With a
table positions are met again, so that a search may see less than that; hence the second yardstick, the smallest proof
found in which equal positions count once (see `minimal_tree.merged_proof`).

A node is a state looked at, a look that the table answers included. Evaluations made only to order actions are no
nodes and are counted apart.
"""

import random
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from gametree.game import Game
from gametree.games import ConnectFour
from gametree.kernel.primitives import WON
from gametree.result import Analysis
from gametree.search.analyze import Engine
from gametree.search.engine.answer import EngineTask
from gametree.search.engine.profiles import GENERAL, TABLE
from gametree.search.engine.root import EngineRoot
from minimal_tree import merged_proof, minimal_tree
from ordering import aligned
from position_graph import Graph, Ordered, graph_of
from uniform_trees import effective_branching, running_sums

POSITIONS = 20
ASKED = {"off": 4.0, "on": 2.0}
PROFILE = {"off": GENERAL & ~TABLE, "on": GENERAL}


@dataclass(frozen=True)
class Spent:
    """What a search looked at in its last depth, in all depths, and how often it evaluated for the order's sake."""

    last: int
    whole: int
    judged_last: int
    judged_whole: int


@dataclass(frozen=True)
class Row:
    """A position, its yardsticks, and what `analyze` spent with the table off and on."""

    name: str
    minimal: int
    merged: int
    spent: dict[str, Spent]

    def ratio(self, table: str) -> float:
        return self.spent[table].last / self.minimal


class Watched(Engine):
    """An engine whose roots can be looked at while it thinks."""

    def _roots(self, task: EngineTask) -> list[EngineRoot]:
        self.roots: list[EngineRoot] = super()._roots(task)
        return self.roots


def spend(game: Game, state: Any, depth: int, value: float, table: str, compile: str = "auto") -> Spent:
    """Searches to a depth, leaving nothing out; the value has to be that of the graph."""
    thinker = Watched(game, selective=False, profile=PROFILE[table], compile=compile)
    seen = [(0, 0)]

    def progress(found: Analysis) -> None:
        (root,) = thinker.roots
        seen.append((found.nodes, root.memory.evaluations))

    found = thinker.analyze(state, depth=depth, on_progress=progress)
    if found.depth != depth or found.values[0] != value:
        raise SystemExit(f"{state}: {found.values[0]} at depth {found.depth} is not {value} at depth {depth}")
    (nodes_before, judged_before), (nodes, judged) = seen[-2:]
    return Spent(nodes - nodes_before, nodes, judged - judged_before, judged)


def row(name: str, game: Game, state: Any, graph: Graph, compile: str = "auto") -> Row:
    value = float(graph.values()[0])
    spent = {table: spend(game, state, graph.depth, value, table, compile) for table in ASKED}
    return Row(name, minimal_tree(graph), merged_proof(graph).looks, spent)


def undecided(game: ConnectFour, depth: int, count: int, seed: int = 0) -> Iterator[tuple[str, Any, Graph]]:
    """Positions of random plays of 0 to 16 plies in which nobody can force a win within the depth.

    `analyze` stops as soon as a win is proven, so that others would not be searched to the depth. No position is the
    mirror image of another.
    """
    rng = random.Random(seed)
    known: set[Any] = set()
    while count:
        state, columns = game.initial(), ""
        for _ in range(rng.randrange(17)):
            action = rng.choice(list(game.actions(state)))
            state, columns = game.result(state, action), columns + game.name_action(state, action)
            if game.is_terminal(state):
                break
        alike = min(state, *game.symmetries(state))
        if game.is_terminal(state) or alike in known:
            continue
        known.add(alike)
        graph = graph_of(game, state, depth)
        if abs(graph.values()[0]) < WON:
            count -= 1
            yield columns or "empty", state, graph


def connect_four(depth: int, count: int) -> list[Row]:
    game = ConnectFour()
    return [row(name, game, state, graph) for name, state, graph in undecided(game, depth, count)]


def uniform(branching: int, depth: int, count: int, *, compile: str = "auto") -> list[Row]:
    """Uniform trees whose scores are running sums: the score so far is the evaluation."""
    trees = (running_sums(branching, depth, seed) for seed in range(count))
    return [
        row(f"tree {seed}", game, game.initial(), tree, compile)
        for seed, tree in enumerate(trees)
        for game in [Ordered(tree)]
    ]


def table(rows: Sequence[Row], depth: int) -> str:
    """Position by position: nodes of the last depth, their ratio to the yardsticks, all nodes, evaluations."""
    head = ["position", "minimal", "merged"]
    for name in ASKED:
        head += [name, "× minimal", "all depths", "judged", "b*"]
    lines = [head, *(_cells(one, depth) for one in rows)]
    lines[0].append("× merged")
    return aligned(lines)


def _cells(one: Row, depth: int) -> list[str]:
    cells = [one.name, f"{one.minimal:,}", f"{one.merged:,}"]
    for name, spent in one.spent.items():
        effective = effective_branching(spent.last, depth)
        cells += [f"{spent.last:,}", f"{one.ratio(name):.2f}", f"{spent.whole:,}", f"{spent.judged_last:,}"]
        cells.append(f"{effective:.2f}")
    return [*cells, f"{one.spent['on'].last / one.merged:.2f}"]


def verdicts(rows: Sequence[Row], depth: int) -> str:
    """The means, and whether they are what was asked for."""
    lines = []
    for name, asked in ASKED.items():
        ratios = [one.ratio(name) for one in rows]
        mean = statistics.fmean(ratios)
        effective = statistics.fmean(effective_branching(one.spent[name].last, depth) for one in rows)
        total = sum(one.spent[name].last for one in rows) / sum(one.minimal for one in rows)
        lines.append(
            f"table {name}: × {mean:.2f} on average ({min(ratios):.2f} to {max(ratios):.2f}),"
            f" × {total:.2f} of all nodes, asked ≤ {asked:g}:"
            f" {'met' if mean <= asked else 'missed'} on average,"
            f" met by {sum(ratio <= asked for ratio in ratios)} of {len(rows)}; b* = {effective:.2f}"
        )
    merged = statistics.fmean(one.spent["on"].last / one.merged for one in rows)
    least = statistics.fmean(effective_branching(one.minimal, depth) for one in rows)
    lines.append(f"table on against the merged proof: × {merged:.2f} on average")
    lines.append(f"the minimal proof tree itself: b* = {least:.2f}")
    return "\n".join(lines)


EXPLANATION = """\
minimal: nodes of the minimal proof tree; merged: of the smallest proof found with equal positions counted once;
off, on: nodes of the last depth with the table off and on; all depths: of the whole deepening; judged: evaluations
made to order actions in the last depth, which are no nodes; b*: 1 + b* + … + b*^depth = nodes of the last depth
"""


def report(shallower: int) -> None:
    """Prints the tables."""
    depth = 10 - shallower
    print(
        f"Connect Four, depth {depth}: {POSITIONS} positions of random plays, nobody wins within the depth\n"
    )
    rows = connect_four(depth, POSITIONS)
    print(f"{table(rows, depth)}\n\n{verdicts(rows, depth)}\n")
    depth = 8 - shallower
    print(f"Uniform trees of running sums, b = 5, depth {depth}; the evaluation is the sum so far\n")
    rows = uniform(5, depth, POSITIONS // 2)
    print(f"{table(rows, depth)}\n\n{verdicts(rows, depth)}\n")
    print(EXPLANATION)
