"""gametree: write the rules of a game as a plain Python class, and get an opponent and an analyst for it."""

from typing import TYPE_CHECKING, Any, Final

from gametree import games
from gametree.errors import (
    CompileError,
    GametreeError,
    InputError,
    RulesError,
    TooDeepError,
    UnsuitableError,
)
from gametree.game import CHANCE, Game
from gametree.games.tree.game import Chance, Tree, Turn, drawn_by
from gametree.kernel.put import put
from gametree.result import Analysis, Limit, Move, Value
from gametree.search.analyze import Engine, analyze
from gametree.search.chance.expectiminimax import expectiminimax
from gametree.search.textbook.alphabeta import alphabeta
from gametree.search.textbook.minimax import minimax

if TYPE_CHECKING:
    from gametree.arena.bot import Bot
    from gametree.arena.iterated import Automaton, Standings, iterated
    from gametree.arena.match import Match, match
    from gametree.arena.players import Player, player
    from gametree.arena.tournament import Tournament, tournament
    from gametree.arena.tuning import Tuning, tune
    from gametree.board.data import Board, Cell, Piece
    from gametree.checking.checker import check
    from gametree.games.matrix.game import Matrix
    from gametree.jobs.cluster import Cluster
    from gametree.search.best_first.dfpn import dfpn
    from gametree.search.best_first.dual import dual
    from gametree.search.best_first.goal import Proof
    from gametree.search.best_first.mtdf import mtdf
    from gametree.search.best_first.pns import pns
    from gametree.search.best_first.sss import sss
    from gametree.search.books.scores import Book
    from gametree.search.databases.database import Database
    from gametree.search.hidden.cfr import cfr
    from gametree.search.hidden.equilibrium import EquilibriumProfile
    from gametree.search.hidden.exploitability import Exploitability, exploitability
    from gametree.search.hidden.ismcts import ismcts
    from gametree.search.hidden.mccfr import mccfr
    from gametree.search.hidden.pimc import pimc
    from gametree.search.hidden.profile import Profile
    from gametree.search.hidden.sequence_form import SequenceForm, sequence_form
    from gametree.search.many.against import Expected, against
    from gametree.search.many.best_reply import best_reply
    from gametree.search.many.maxn import maxn
    from gametree.search.many.models import Noisy
    from gametree.search.many.paranoid import paranoid
    from gametree.search.matrix.correlated import correlated_equilibrium
    from gametree.search.matrix.dominance import dominance, pareto, security
    from gametree.search.matrix.double_oracle import double_oracle
    from gametree.search.matrix.equilibria import equilibria, equilibrium, pure_equilibria
    from gametree.search.matrix.markov import Markov, shapley
    from gametree.search.matrix.results import Correlated, Elimination, Equilibria, Equilibrium, Security
    from gametree.search.mcts.search import MonteCarlo, mcts
    from gametree.search.perft import perft
    from gametree.search.solve.best_response import best_response
    from gametree.search.solve.solution import Solution
    from gametree.search.solve.solver import Solver, solve
    from gametree.search.solve.strategy import Strategy, strategy
    from gametree.view import View, view_of

__version__ = "0.1.0"
__all__ = [
    "CHANCE",
    "Analysis",
    "Automaton",
    "Board",
    "Book",
    "Bot",
    "Cell",
    "Chance",
    "Cluster",
    "CompileError",
    "Correlated",
    "Database",
    "Elimination",
    "Engine",
    "Equilibria",
    "Equilibrium",
    "EquilibriumProfile",
    "Expected",
    "Exploitability",
    "Game",
    "GametreeError",
    "InputError",
    "Limit",
    "Markov",
    "Match",
    "Matrix",
    "MonteCarlo",
    "Move",
    "Noisy",
    "Piece",
    "Player",
    "Profile",
    "Proof",
    "RulesError",
    "Security",
    "SequenceForm",
    "Solution",
    "Solver",
    "Standings",
    "Strategy",
    "TooDeepError",
    "Tournament",
    "Tree",
    "Tuning",
    "Turn",
    "UnsuitableError",
    "Value",
    "View",
    "__version__",
    "against",
    "alphabeta",
    "analyze",
    "best_reply",
    "best_response",
    "cfr",
    "check",
    "correlated_equilibrium",
    "dfpn",
    "dominance",
    "double_oracle",
    "dual",
    "equilibria",
    "equilibrium",
    "expectiminimax",
    "exploitability",
    "games",
    "ismcts",
    "iterated",
    "match",
    "maxn",
    "mccfr",
    "mcts",
    "minimax",
    "mtdf",
    "paranoid",
    "pareto",
    "perft",
    "pimc",
    "player",
    "pns",
    "pure_equilibria",
    "put",
    "security",
    "sequence_form",
    "shapley",
    "solve",
    "sss",
    "strategy",
    "tournament",
    "tune",
    "view_of",
]


_LATER: Final = {
    "check": "checking.checker",
    "dfpn": "search.best_first.dfpn",
    "dual": "search.best_first.dual",
    "Proof": "search.best_first.goal",
    "mtdf": "search.best_first.mtdf",
    "pns": "search.best_first.pns",
    "sss": "search.best_first.sss",
    "Board": "board.data",
    "Bot": "arena.bot",
    "Book": "search.books.scores",
    "Database": "search.databases.database",
    "Cell": "board.data",
    "Piece": "board.data",
    "Cluster": "jobs.cluster",
    "Correlated": "search.matrix.results",
    "Elimination": "search.matrix.results",
    "Equilibria": "search.matrix.results",
    "Equilibrium": "search.matrix.results",
    "Markov": "search.matrix.markov",
    "Matrix": "games.matrix.game",
    "Security": "search.matrix.results",
    "MonteCarlo": "search.mcts.search",
    "Solution": "search.solve.solution",
    "Solver": "search.solve.solver",
    "Strategy": "search.solve.strategy",
    "EquilibriumProfile": "search.hidden.equilibrium",
    "cfr": "search.hidden.cfr",
    "mccfr": "search.hidden.mccfr",
    "Exploitability": "search.hidden.exploitability",
    "Profile": "search.hidden.profile",
    "SequenceForm": "search.hidden.sequence_form",
    "exploitability": "search.hidden.exploitability",
    "sequence_form": "search.hidden.sequence_form",
    "Expected": "search.many.against",
    "Noisy": "search.many.models",
    "against": "search.many.against",
    "best_reply": "search.many.best_reply",
    "best_response": "search.solve.best_response",
    "correlated_equilibrium": "search.matrix.correlated",
    "dominance": "search.matrix.dominance",
    "equilibria": "search.matrix.equilibria",
    "equilibrium": "search.matrix.equilibria",
    "mcts": "search.mcts.search",
    "maxn": "search.many.maxn",
    "paranoid": "search.many.paranoid",
    "perft": "search.perft",
    "pareto": "search.matrix.dominance",
    "pure_equilibria": "search.matrix.equilibria",
    "security": "search.matrix.dominance",
    "double_oracle": "search.matrix.double_oracle",
    "shapley": "search.matrix.markov",
    "Match": "arena.match",
    "match": "arena.match",
    "Player": "arena.players",
    "Tournament": "arena.tournament",
    "tournament": "arena.tournament",
    "player": "arena.players",
    "iterated": "arena.iterated",
    "Automaton": "arena.iterated",
    "Standings": "arena.iterated",
    "View": "view",
    "ismcts": "search.hidden.ismcts",
    "pimc": "search.hidden.pimc",
    "solve": "search.solve.solver",
    "strategy": "search.solve.strategy",
    "Tuning": "arena.tuning",
    "tune": "arena.tuning",
    "view_of": "view",
}
"""What is loaded when it is first asked for, and where it is: importing the library has to be quick."""


def __getattr__(name: str) -> Any:
    if name in _LATER:
        from importlib import import_module

        found = getattr(import_module(f"gametree.{_LATER[name]}"), name)
        globals()[name] = found
        return found
    raise AttributeError(f"module 'gametree' has no attribute {name!r}")


def _picture(tree: Any) -> str | None:
    """A tree, or an outline of one, as notebooks show it; text where a tree is too large to look at."""
    from gametree.explain.pictures.svg import svg

    return None if isinstance(tree, Tree) and len(tree.count) > 500 else svg(tree)


drawn_by(_picture)
