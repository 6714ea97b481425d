"""What the kernel of Monte-Carlo tree search works with: settings, a tree that threads share, and what each has alone.

A node is a number, the root is 0 to begin with. The children of a node follow each other; all are made at once.
"""

from gametree.kernel.clock import BY_RULES
from gametree.kernel.memory import Memory
from gametree.kernel.primitives import Floats, Ints
from gametree.kernel.random import Generator

BY_ROOM = BY_RULES + 1
"""Why a search stops that needs room for more nodes."""
BY_PROOF = BY_RULES + 2
"""Why a search stops at whose root nothing is left to find out."""

# Why the rules cannot be right.
NO_NUMBER, NO_ACTIONS, MANY_ACTIONS = range(1, 4)

MOST_PLAYERS = 64
DEEPEST = 1 << 12
"""No node of the tree is deeper."""
LONGEST = 1 << 15
"""A simulation of so many plies is taken for endless."""
MOVES = DEEPEST + 2
"""The path of a simulation: up to here the nodes in the tree, from here on the places of the actions behind it."""


class Settings(Memory, frozen=True):
    """What a search was asked for and what the game says of itself."""

    players: int
    width: int
    """How many sums a node has: one where the other player gets the rest, else one a player."""
    total: float
    """What the payoffs of two players sum to."""
    declared: bool
    """Whether the game declares its least and greatest payoff."""
    least: float
    greatest: float
    loss: float
    """The payoff to player 0 where he loses; 0 where it is not declared."""
    others_loss: float
    """And where player 1 does."""
    policy: int
    exploration: float
    epsilon: float
    temperature: float
    plain: bool
    """Whether the tree policy is UCB1 and nothing else, for two players with a constant total."""
    tuned: bool
    expand_after: int
    """So many visits make a leaf an inner node."""
    default_policy: int
    playout_epsilon: float
    cutoff: int
    squashed: bool
    """Whether an evaluation has to be brought between the payoffs."""
    scale: float
    """The evaluation that is half-way between an even game and a won one."""
    even: float
    """The evaluation of an even game."""
    solver: bool
    wide: float
    """Progressive widening: how many children the first visit opens; 0 where all are open."""
    wider: float
    """And the power with which they become more."""
    bias: float
    priors: bool
    prior_temperature: float
    amaf: bool
    amaf_bias: float
    reference: int
    transpositions: bool
    recycles: bool
    threads: int
    roots: Floats
    """See `policies.listed_roots`."""


class Growth(Memory):
    """How far a tree has grown, and the pass that makes room in it; apart, for threads write to it all the time."""

    used: int
    """How many nodes there are."""
    root: int
    full: bool
    """Whether there is room for no more."""
    seen: bool
    """Whether a payoff was seen, in a game that does not declare the least and the greatest one."""
    seen_least: float
    seen_greatest: float
    sweep_from: int
    sweep_to: int
    sweep_least: int


class Tree(Memory, frozen=True):
    """The nodes: arrays in memory that is set aside beforehand and touched only where nodes are."""

    visits: Ints
    """How many simulations went through a node."""
    sums: Floats
    """What they brought: to player 0 where two players share a constant total, else to each player in turn; counted
    from the payoff that is worst for who moved here (see `tree.worst`)."""
    about: Ints
    """
        bit 0–35   its first child; 0 where it has none, BUSY while a thread makes them
        bit 36–53  how many children      54–60  kind: who moves here
        bit 61     something is proven of its children      62  the rules on repeated positions bar it
    """
    parent: Ints
    """
        bit 0–35   the node above      36–53  the place of its action there; DEAD, ROOT_HERE
    """
    actions: Ints
    """The action that leads here, as many words as it takes."""
    low: Floats
    """What is proven of its value, as many numbers as `sums` has: at least this …"""
    high: Floats
    """… and at most this."""
    prior: Floats
    """How likely its action is before anything is known; at a chance node the probability."""
    squares: Floats
    """The sum of squares of what the simulations brought, for UCB1-tuned."""
    heard: Ints
    """AMAF: simulations in which the action was played later on …"""
    echoes: Floats
    """… and what these brought to who plays it."""
    table: Ints
    """The children of states that were expanded, where transpositions are taken for one (see `expansion.py`)."""
    slots: int
    """How many buckets the table has."""
    capacity: int
    """For how many nodes there is room."""
    growth: Growth


class Choosing(Generator):
    """What a thread needs to draw an action or an outcome of chance."""

    wrong: int
    """Why the rules cannot be right."""
    shelf: Ints
    """The actions of a state."""
    odds: Floats
    """Their probabilities, where the dice decide."""


class Thread(Choosing):
    """What one thread keeps of the simulation under way, and what it has still to add to the tree."""

    spread: float = 1.0
    """The difference between the least and the greatest payoff, as far as it is known."""
    heaviest: float
    """The greatest prior that playouts have met."""
    depth: int
    """How deep in the tree the simulation is."""
    plies: int
    """How long it is altogether."""
    busy_plies: int
    """So many nodes on its way are looked at by all threads all the time."""
    gains: Floats
    """What everybody gets."""
    references: Ints
    """For each player the last node on the way whose AMAF values can be relied on."""
    stamps: Ints
    """For each player and code of an action when it was played last: the simulation, and the ply in it."""
    here: Ints
    """By the low bits of their keys, which positions the simulation has seen."""
    apart: Ints
    """What a thread has still to add to nodes at which all threads add, for a node by its low bits: the node plus one,
    and the number of simulations."""
    apart_sums: Floats
    """What these brought, to as many players as there can be."""
