"""The searches that can be traced: what each is called, and what is shown of it."""

from dataclasses import dataclass
from typing import Final, Literal

from gametree.documents.teaching import Method as Method


@dataclass(frozen=True)
class About:
    """What pictures and pages have to know of a method."""

    title: str
    window: bool = False
    """Whether its nodes have α and β."""
    ranges: bool = False
    """Whether the leaves seen so far prove between what a value lies: every leaf is a payoff or counts as one."""
    trees: Literal["one number", "chance", "vectors"] = "one number"
    """The most that it is defined for."""
    repeats: bool = False
    """Whether it comes back to nodes: searches depth after depth, simulation after simulation."""


METHODS: Final[dict[str, About]] = {
    "minimax": About("Minimax", ranges=True),
    "alphabeta": About("Alpha-beta", window=True, ranges=True),
    "expectiminimax": About("Expectiminimax", ranges=True, trees="chance"),
    "maxn": About("Max^n", trees="vectors"),
    "paranoid": About("Paranoid search", window=True, trees="vectors"),
    "deepening": About("Iterative deepening", window=True, repeats=True),
    "quiescence": About("Alpha-beta with quiescence", window=True),
    "transpositions": About("Alpha-beta with a table", window=True),
    "ordering": About("Alpha-beta with ordered moves", window=True),
    "null-move": About("Alpha-beta with null moves", window=True),
    "forward-pruning": About("Alpha-beta with forward pruning", window=True),
    "star1": About("Star1", window=True, trees="chance"),
    "star2": About("Star2", window=True, trees="chance"),
    "mcts": About("Monte-Carlo tree search", repeats=True),
    "sss": About("SSS*", repeats=True),
    "pns": About("Proof-number search", repeats=True),
}
