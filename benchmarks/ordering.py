"""What is the order of actions worth to alpha-beta? Nodes against depth, measured beside the theory.

    python benchmarks/ordering.py                         the tables
    python benchmarks/ordering.py --out docs/images       the figures, too
    python benchmarks/ordering.py --quality               `analyze` beside the minimal proof tree of each position

Searched are uniform trees and Connect Four, all by `gt.minimax` and `gt.alphabeta` as they come: only the order in
which `actions` gives the actions differs.

worst       the action that is worst for its mover first, by its exact value at this depth
random      shuffled
evaluated   by an estimate of the state after one action, best first
best        the best action first, by its exact value at this depth
minimal     the child that the minimal proof tree needs first

A node is a state that a search looks at, the root and the leaves included. The formulas count leaves. Counts do not
depend on the machine.
"""

import argparse
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import gametree as gt
from gametree.games import ConnectFour
from minimal_tree import cheapest_proof, minimal_tree
from position_graph import Graph, Indices, Numbers, Ordered, graph_of
from smallest import parse
from uniform_trees import independent, minimal_leaves, random_order_rate, running_sums

SMALLEST = "--shallower 4 --out {new}"
ORDERS = ("worst", "random", "evaluated", "best", "minimal")
FORMULAS: dict[str, Callable[[int, int], float]] = {
    "b^m": lambda b, m: float(b) ** m,
    "b^(3m/4)": lambda b, m: float(b) ** (3 * m / 4),
    "Pearl R^m": lambda b, m: random_order_rate(b) ** m,
    "minimal leaves": lambda b, m: minimal_leaves(b, m),
}


@dataclass
class Subject:
    """A kind of position: for each seed a graph, and what its evaluation tells."""

    title: str
    about: str
    branching: int
    depth: int
    seeds: int
    graph: Callable[[int], Graph]
    estimates: Callable[[Graph, int], Numbers]
    """What the evaluated order goes by, for every node of a graph: to player 0."""
    counts: dict[str, list[float]] = field(default_factory=dict)
    """Nodes by method, from depth 1 on: means over the seeds."""


# --- orders -----------------------------------------------------------------------------------------


def by(graph: Graph, keys: Numbers) -> Indices:
    """The rows of a graph, what the keys say is best for the mover first; equals stay in their order."""
    rows = graph.children
    signs = np.where(graph.maximizing[: len(rows)], 1.0, -1.0)[:, None]
    wishes = np.where(rows >= 0, signs * keys[rows], -np.inf)
    return np.take_along_axis(rows, np.argsort(-wishes, axis=1, kind="stable"), axis=1)


def shuffled(graph: Graph, seed: int) -> Indices:
    """The rows in an order that is a matter of chance."""
    rows = graph.children
    wishes = np.where(rows >= 0, np.random.default_rng(seed).random(rows.shape), -1.0)
    return np.take_along_axis(rows, np.argsort(-wishes, axis=1), axis=1)


def rows_in(order: str, graph: Graph, estimates: Numbers, seed: int) -> Indices:
    """The rows of a graph in one of the `ORDERS`."""
    if order == "random":
        return shuffled(graph, seed)
    if order == "evaluated":
        return by(graph, estimates)
    if order == "minimal":
        return cheapest_proof(graph).rows
    values = graph.values()
    return by(graph, values if order == "best" else -values)


def scores(graph: Graph, seed: int) -> Numbers:
    """The score of a node is an estimate as it is."""
    return graph.scores


def disturbed(graph: Graph, seed: int) -> Numbers:
    """Exact values with as much noise as they vary within their layer: the correlation is 1/√2, about 0.71.

    Where scores are independent of each other, the score of a node says nothing; so somebody has to know something.
    """
    values = graph.values()
    noise = np.random.default_rng(seed).standard_normal(len(values))
    for ply in range(graph.depth + 1):
        noise[graph.layer(ply)] *= values[graph.layer(ply)].std()
    return values + noise


# --- counting ---------------------------------------------------------------------------------------


def measure(subject: Subject, *, compile: str = "auto") -> None:
    """Searches every graph of a subject to every depth in every order."""
    sums: dict[str, list[float]] = {name: [0.0] * subject.depth for name in ("minimax", *ORDERS, "proof")}
    for seed in range(subject.seeds):
        whole = subject.graph(seed)
        for m in range(1, subject.depth + 1):
            graph = whole.cut(m)
            value = float(graph.values()[0])
            estimates = subject.estimates(graph, seed)
            searches = {"minimax": gt.minimax(Ordered(graph), compile=compile)}
            for order in ORDERS:
                game = Ordered(graph, rows_in(order, graph, estimates, seed))
                searches[order] = gt.alphabeta(game, compile=compile)
            for name, found in searches.items():
                if found.values[0] != value:
                    raise SystemExit(f"{name} at depth {m}: {found.values[0]} is not the value {value}")
                sums[name][m - 1] += found.nodes
            sums["proof"][m - 1] += minimal_tree(graph)
    subject.counts = {name: [total / subject.seeds for total in row] for name, row in sums.items()}
    if subject.counts["minimal"] != subject.counts.pop("proof"):
        raise SystemExit(f"{subject.title}: alpha-beta did not see the minimal proof tree and nothing else")


def subjects(scale: int, *, compile: str = "auto") -> list[Subject]:
    """What is measured; `scale` plies less deep than in the documents."""
    start = graph_of(ConnectFour(), None, 10 - scale, compile=compile)
    known = "evaluated: exact values with noise, correlation 0.71"
    return [
        Subject(
            "Uniform random trees, b = 3",
            f"independent leaf values, all different; {known}",
            3,
            12 - scale,
            10,
            lambda seed: independent(3, 12 - scale, seed),
            disturbed,
        ),
        Subject(
            "Uniform random trees, b = 8",
            f"independent leaf values, all different; {known}",
            8,
            7 - scale,
            5,
            lambda seed: independent(8, 7 - scale, seed),
            disturbed,
        ),
        Subject(
            "Uniform trees of running sums, b = 5",
            "a leaf is worth the sum of the actions on its path; evaluated: the sum so far",
            5,
            8 - scale,
            10,
            lambda seed: running_sums(5, 8 - scale, seed),
            scores,
        ),
        Subject(
            "Connect Four, empty board",
            "evaluated: `evaluate` after one action",
            7,
            10 - scale,
            1,
            lambda seed: start,
            scores,
        ),
    ]


# --- telling ----------------------------------------------------------------------------------------


def growth(counts: Sequence[float]) -> float:
    """By what factor counts grew a ply, over the last two (odd and even depths differ)."""
    return math.sqrt(counts[-1] / counts[-3])


def table(subject: Subject) -> str:
    columns = {**subject.counts}
    for name, formula in FORMULAS.items():
        columns[name] = [formula(subject.branching, m) for m in range(1, subject.depth + 1)]
    rows = [["m", *columns]]
    for m in range(1, subject.depth + 1):
        rows.append([str(m), *(f"{counts[m - 1]:,.0f}" for counts in columns.values())])
    rows.append(["a ply", *(f"× {growth(counts):.2f}" for counts in columns.values())])
    return aligned(rows)


def aligned(rows: Sequence[Sequence[str]]) -> str:
    """Rows of text in columns, to the right, with a rule below the first."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths)) for row in rows]
    lines.insert(1, "-" * len(lines[0]))
    return "\n".join(lines)


COLOURS = {"minimax": "C7", "worst": "C3", "random": "C1", "evaluated": "C0", "best": "C2", "minimal": "C4"}
LABELS = {
    "b^m": "$b^m$",
    "b^(3m/4)": "$b^{3m/4}$",
    "Pearl R^m": "Pearl: $RATE^m$",
    "minimal leaves": "$b^{⌈m/2⌉} + b^{⌊m/2⌋} − 1$",
    "minimal": "minimal proof tree",
    "best": "best first",
    "worst": "worst first",
}


def plot(axes: Any, subject: Subject) -> None:
    """A subject's counts, solid, and the theory of its branching factor, dashed."""
    depths = range(1, subject.depth + 1)
    for name, counts in subject.counts.items():
        if name == "minimal" and counts == subject.counts["best"]:
            continue  # one line on top of the other
        axes.plot(depths, counts, color=COLOURS[name], marker=".", label=LABELS.get(name, name))
    for (name, formula), dashes in zip(FORMULAS.items(), ("--", "-.", ":", (0, (5, 3, 1, 3, 1, 3)))):
        label = LABELS[name].replace("RATE", f"{random_order_rate(subject.branching):.2f}")
        leaves = [formula(subject.branching, m) for m in depths]
        axes.plot(depths, leaves, color="0.5", linestyle=dashes, linewidth=1, label=label)
    axes.set(title=subject.title, xlabel="depth m, in plies", ylabel="nodes", yscale="log")
    axes.legend(title="solid: nodes, counted\ndashed: leaves, by formula", fontsize="small")
    axes.grid(alpha=0.3)


def draw(measured: Sequence[Subject], folder: Path) -> None:
    import matplotlib

    matplotlib.use("svg")
    # The same counts give the same figure: no date, no names drawn by lot; and its text stays text.
    matplotlib.rcParams |= {"svg.hashsalt": "gametree", "svg.fonttype": "none"}
    from matplotlib import pyplot

    folder.mkdir(parents=True, exist_ok=True)
    for name, some in (("ordering-random.svg", measured[:2]), ("ordering-informed.svg", measured[2:])):
        figure, panels = pyplot.subplots(1, len(some), figsize=(11, 5), layout="constrained")
        for axes, subject in zip(panels, some):
            plot(axes, subject)
        path = folder / name
        figure.savefig(path, metadata={"Date": None})
        pyplot.close(figure)
        print(f"wrote {path}")


def main() -> None:
    parser = argparse.ArgumentParser(description="What the order of actions is worth to alpha-beta.")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="write the figures there")
    parser.add_argument("--shallower", type=int, default=0, choices=range(5), help="so many plies less")
    parser.add_argument("--quality", action="store_true", help="`analyze` beside the minimal proof tree")
    options = parse(parser, SMALLEST)
    if options.quality:
        import ordering_quality

        ordering_quality.report(options.shallower)
        return
    measured = subjects(options.shallower)
    for subject in measured:
        measure(subject)
        trees = f"; mean of {subject.seeds} trees" if subject.seeds > 1 else ""
        print(f"{subject.title}: nodes against depth m{trees}\n{subject.about}\n\n{table(subject)}\n")
    if options.out is not None:
        draw(measured, options.out)


if __name__ == "__main__":
    main()
