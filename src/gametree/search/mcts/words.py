"""What Monte-Carlo tree search keeps in its ledger, and where; floats are there as their bits.

The ledger belongs to one thread. What the threads of one search share is in `SHARED`.
"""

from gametree.kernel.primitives import BY_RULES, CODES, LEDGER_SIZE

(
    RANDOM,  # the state of the random generator
    PLAYERS,
    WIDTH,  # how many sums a node has: one where the other player gets the rest, else one a player
    TOTAL,  # what the payoffs of two players sum to
    DECLARED,  # whether the game declares its least and greatest payoff
    LEAST,
    GREATEST,
    SPREAD,  # the difference between these two
    POLICY,
    EXPLORATION,
    EPSILON,
    TEMPERATURE,
    EXPAND_AFTER,  # so many visits make a leaf an inner node
    DEFAULT,
    CARELESS,  # the ε of the default policy
    CUTOFF,
    SQUASHED,  # whether an evaluation has to be brought between the payoffs
    SCALE,  # the evaluation that is half-way between an even game and a won one
    EVEN,  # the evaluation of an even game
    SOLVER,
    WIDE,  # progressive widening: how many children the first visit opens
    WIDER,  # and the power with which they become more
    BIAS,
    PRIORS,
    WARMTH,
    TUNED,
    AMAF,
    AMAF_BIAS,
    REFERENCE,
    TRANSPOSITIONS,
    RECYCLES,
    THREADS,
    CAPACITY,
    DEPTH,  # how deep in the tree the simulation under way is
    PLIES,  # how long it is altogether
    WRONG,  # why the rules cannot be right
    SLOTS,  # how many buckets the table of transpositions has
    LOSS,  # the payoff to player 0 where he loses; 0 where it is not declared
    OTHERS_LOSS,  # and where player 1 does
    PLAIN,  # whether the tree policy is UCB1 and nothing else, for two players with a constant total
    BUSY_PLIES,  # so many nodes on the way of the simulation under way are looked at by all threads all the time
    HEAVIEST,  # the greatest prior that playouts have met
) = range(LEDGER_SIZE, LEDGER_SIZE + 42)

MOST_PLAYERS = 64
REFERENCES = LEDGER_SIZE + 48
"""For each player the last node on the way whose AMAF values can be relied on."""
APART = REFERENCES + MOST_PLAYERS
"""What a thread has still to add to nodes at which all threads add: places of PURSE words, for a node by its low bits.

In a place are the node plus one, the number of simulations, and what they brought.
"""
PURSES = 64
PURSE = 2 + MOST_PLAYERS
BUSY_VISITS = 1 << 11
"""From so many visits on one more or less makes no difference: a thread adds to such a node only now and then."""
MOST_APART = 32
SEEN_SLOTS = 1 << 10
SEEN_HERE = APART + PURSES * PURSE
"""By the low bits of their keys, which positions the simulation under way has seen."""
STAMPS = SEEN_HERE + SEEN_SLOTS
"""For each player and code of an action when it was played last: the simulation, and the ply in it."""
PLY_BITS = 20

# What the threads share.
USED, ROOT, FULL, SEEN, SEEN_LEAST, SEEN_GREATEST, SWEEP_FROM, SWEEP_TO, SWEEP_LEAST = range(9)
SHARED_SIZE = 16

BY_ROOM = BY_RULES + 1
"""Why a search stops that needs room for more nodes."""
BY_PROOF = BY_RULES + 2
"""Why a search stops at whose root nothing is left to find out."""

# Why the rules cannot be right.
NO_NUMBER, NO_ACTIONS, MANY_ACTIONS = range(1, 4)

# Tree policies.
UCB1, UCB1_TUNED, EPSILON_GREEDY, BOLTZMANN, PUCT = range(5)
# Default policies.
UNIFORM, GREEDY, LIKELY = range(3)

DEEPEST = 1 << 12
"""No node of the tree is deeper."""
LONGEST = 1 << 15
"""A simulation of so many plies is taken for endless."""
MOVES = DEEPEST + 2
"""The path of a simulation: up to here the nodes in the tree, from here on the places of the actions behind it."""


def shelf(amaf: bool, players: int) -> int:
    """Where the actions of one state are laid down."""
    return STAMPS + (players * CODES if amaf else 0)
