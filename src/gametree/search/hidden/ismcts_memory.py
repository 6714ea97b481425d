"""What the kernel of information-set Monte-Carlo tree search works with."""

from gametree.kernel.memory import Memory
from gametree.kernel.primitives import Floats, Ints
from gametree.search.mcts.memory import BY_ROOM, Choosing

WORDS = 4
KEY, VISITS, AVAILABLE, SUM = range(WORDS)
"""An entry: its key, how often the action was taken and could have been, and what it brought to who took it."""
DEEPEST = 1 << 10
"""So many choices of a simulation are kept in the tree."""
LONGEST = 1 << 15
"""A simulation of so many plies is taken for endless."""
BY_FULL_TABLE = BY_ROOM
"""Why a search stops that needs a larger table."""


class Pool(Memory):
    """The worlds that fit what a player has seen."""

    states: Ints
    shares: Floats
    """The probabilities of the worlds, each with those before it added: the last is 1."""
    count: int
    room: int


class Table(Memory):
    """What is known of the actions at information sets, by their keys; open addressing."""

    cells: Ints
    slots: int
    """A power of 2."""
    used: int
    closed: bool
    """Whether nothing new is kept: a simulation that comes to an unknown information set leaves the tree there."""


class Options(Memory, frozen=True):
    """What a search was asked for and what the game says of itself."""

    players: int
    player: int
    multiple: bool
    """Whether every player has a tree of his own, by what he sees; else there is one tree, by what `player` sees."""
    exploration: float
    least: float
    spread: float


class Thread(Choosing):
    """What a thread keeps of the simulation under way."""

    entries: Ints
    """Where the actions of the information set are in the table."""
    way: Ints
    """Of every choice in the tree: the entry, and who made it."""
    plies: int
    payoffs: Floats
    """What the simulations brought to every player."""
    least: float
    greatest: float
    """The payoffs that were seen, in a game that does not declare them."""
