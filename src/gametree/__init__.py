"""gametree: write the rules of a game as a plain Python class, and get an opponent and an analyst for it."""

from gametree import games
from gametree.arena.bot import Bot
from gametree.check import check
from gametree.errors import (
    CompileError,
    GametreeError,
    InputError,
    RulesError,
    TooDeepError,
    UnsuitableError,
)
from gametree.game import CHANCE, Game
from gametree.games.tree import Chance, Tree, Turn, drawn_by
from gametree.put import put
from gametree.result import Analysis, Limit, Move, Value
from gametree.search.alphabeta import alphabeta
from gametree.search.analyze import Engine, analyze
from gametree.search.minimax import minimax
from gametree.search.perft import perft

__version__ = "0.1.0"
__all__ = [
    "CHANCE",
    "Analysis",
    "Bot",
    "Chance",
    "CompileError",
    "Engine",
    "Game",
    "GametreeError",
    "InputError",
    "Limit",
    "Move",
    "RulesError",
    "TooDeepError",
    "Tree",
    "Turn",
    "UnsuitableError",
    "Value",
    "__version__",
    "alphabeta",
    "analyze",
    "check",
    "games",
    "minimax",
    "perft",
    "put",
]


def _picture(tree: Tree) -> str | None:
    """A tree as notebooks show it; text where it is too large to look at."""
    from gametree.explain.svg import svg

    return svg(tree) if len(tree.count) <= 500 else None


drawn_by(_picture)
