"""A run of the kernel on one thread: its settings, its path, and what went wrong in words."""

from collections.abc import Callable, Sequence
from typing import Any

from gametree.errors import RulesError, TooDeepError
from gametree.game import CHANCE, Game, offers
from gametree.kernel import primitives
from gametree.kernel.primitives import bits
from gametree.kernel.random import seeded
from gametree.search.core.plays import MAX_ACTIONS
from gametree.search.core.root import dead_end
from gametree.search.core.runner import Run
from gametree.search.mcts import words
from gametree.search.mcts.lines import usual_judgement
from gametree.search.mcts.nodes import Nodes
from gametree.search.mcts.options import DEFAULT_POLICIES, TREE_POLICIES, Options
from gametree.search.mcts.tree import place_of

STRIDE = 8
"""How many simulations a compiled search makes before it asks again whether it has to stop."""
WORTH_TAKING = 256
"""A thread that is done takes no fewer simulations over from another."""


def width_of(game: Game) -> int:
    """How many sums a node needs: one where what one player gets the other does not, else one a player."""
    return 1 if game.players == 2 and game.total is not None else game.players


def settings(game: Game, options: Options, nodes: Nodes, threads: int) -> dict[int, int]:
    """What the kernel has to know, and where in the ledger."""
    declared = game.payoffs is not None
    least, greatest = map(float, game.payoffs or (-float("inf"), float("inf")))
    total = float(game.total or 0)
    even = total / game.players if game.total is not None or not declared else (least + greatest) / 2
    squashed = declared and offers(game, "evaluate")
    judges = squashed and (options.judges or options.uses_priors)
    scale = options.evaluation_scale
    if scale is None:
        scale = usual_judgement(game, even) if judges else 1.0
    worst = (least, greatest) if declared else (0.0, 0.0)
    plies = options.plies
    found: dict[int, int | float] = {
        words.PLAYERS: game.players,
        words.WIDTH: nodes.width,
        words.TOTAL: total,
        words.DECLARED: int(declared),
        words.LEAST: least,
        words.GREATEST: greatest,
        words.SPREAD: (greatest - least) or 1.0 if declared else 1.0,
        words.POLICY: TREE_POLICIES[options.tree_policy],
        words.EXPLORATION: options.c,
        words.EPSILON: float(options.epsilon),
        words.TEMPERATURE: float(options.temperature),
        words.EXPAND_AFTER: options.expand_after,
        words.DEFAULT: DEFAULT_POLICIES[options.default_policy],
        words.CARELESS: float(options.playout_epsilon),
        words.CUTOFF: words.LONGEST if plies is None else min(plies, words.LONGEST - 1),
        words.SQUASHED: int(squashed),
        words.SCALE: float(scale),
        words.EVEN: float(even),
        words.SOLVER: int(options.solver),
        words.BIAS: float(options.bias),
        words.PRIORS: int(options.uses_priors or offers(game, "chance")),
        words.WARMTH: float(options.prior_temperature),
        words.TUNED: int(options.tree_policy == "ucb1-tuned"),
        words.AMAF: int(options.amaf is not None),
        words.AMAF_BIAS: float(options.amaf_bias),
        words.REFERENCE: options.amaf_reference if options.amaf == "grave" else 0,
        words.TRANSPOSITIONS: int(options.transpositions),
        words.RECYCLES: int(options.when_full == "recycle" and not options.transpositions),
        words.THREADS: threads,
        words.CAPACITY: nodes.capacity,
        words.SLOTS: nodes.slots,
        words.LOSS: worst[0],
        words.OTHERS_LOSS: worst[1],
    }
    simple = options.amaf is None and not options.uses_priors and not options.transpositions
    found[words.PLAIN] = int(options.tree_policy == "ucb1" and nodes.width == 1 and simple)
    if options.widening is not None:
        found[words.WIDE], found[words.WIDER] = map(float, options.widening)
    return {place: bits(value) if isinstance(value, float) else value for place, value in found.items()}


def furnisher(chosen: dict[int, int], seed: int, compiled: bool) -> Callable[[Any], None]:
    """What writes the settings into a new ledger."""

    def furnish(ledger: Any) -> None:
        for place, word in chosen.items():
            ledger[place] = word
        ledger[words.RANDOM] = seeded(seed)
        stride = STRIDE if compiled else 1
        ledger[primitives.STRIDE] = stride
        ledger[primitives.NEXT] = min(stride, ledger[primitives.LIMIT])

    return furnish


def room_for(options: Options, players: int, words_of_action: int) -> tuple[int, int]:
    """Where the shelf begins, and how many words the ledger has behind its own."""
    shelf = words.shelf(options.amaf is not None, players)
    return shelf, shelf + MAX_ACTIONS * (words_of_action + 1) + 64 - primitives.LEDGER_SIZE


class MctsRun(Run):
    """A run of the kernel, which knows the way of the simulation under way."""

    nodes_of: Nodes
    root_state: Any
    others: "Sequence[MctsRun]" = ()
    """The other threads of the search: who stops the first, stops all."""

    def stop(self, reason: int) -> None:
        super().stop(reason)
        for other in self.others:
            other.stop(reason)

    def go_on(self) -> bool:
        """Takes back a stop for want of room; False where another came from outside."""
        return self.stopped in (words.BY_ROOM, primitives.RUNNING) and self._resume()

    def has_more(self) -> bool:
        """Whether the run has stopped before its end: it was about to be relieved."""
        if self.stopped != primitives.BY_NODES or self.nodes >= self.ledger[primitives.LIMIT]:
            return False
        return self._resume()

    def relieve(self, other: "MctsRun") -> bool:
        """Takes half of what another thread has still to do; False where that is hardly worth while."""
        limit = int(other.ledger[primitives.LIMIT])
        half = (limit - other.nodes) // 2
        if half < WORTH_TAKING or other.stopped != primitives.RUNNING or self.stopped != primitives.BY_NODES:
            return False
        other.ledger[primitives.LIMIT] = limit - half
        if other.nodes + STRIDE > limit - half:  # it went on meanwhile, and may be past that
            other.ledger[primitives.LIMIT] = limit
            return False
        self.ledger[primitives.LIMIT] += half
        return self._resume()

    def _resume(self) -> bool:
        """Takes back a stop of the run's own; False where it was told to stop from outside, be it meanwhile."""
        self.ledger[primitives.STOP] = primitives.RUNNING
        if self._halted != primitives.RUNNING:
            self.ledger[primitives.STOP] = self._halted
        return self.stopped == primitives.RUNNING

    def _way(self) -> tuple[list[Any], list[str]]:
        """The states of the simulation under way, and the names of the actions between them."""
        game, state, parent = self.game, self.root_state, self.nodes_of.arrays["parent"]
        states, names = [state], []
        depth, plies = int(self.ledger[words.DEPTH]), int(self.ledger[words.PLIES])
        for ply in range(plies):
            if ply < depth:
                place = place_of(int(parent[self.path.places[ply + 1]]))
            else:
                place = int(self.path.places[words.MOVES + ply])
            choices = _choices(game, state)
            if not 0 <= place < len(choices):
                break
            names.append(game.name_action(state, choices[place]))
            state = game.result(state, choices[place])
            states.append(state)
        return states, names

    def _add_path(self, error: Exception, state: Any) -> None:
        names = self._way()[1]
        if names:
            error.add_note(f"in {type(self.game).__name__}, after {', '.join(names)}")

    def explain_failure(self, root: Any) -> None:
        """Plays the simulation again, interpreted, until the rules raise what they raised."""
        game = self.game
        names: list[str] = []
        try:
            states, names = self._way()
            state = states[-1]
            for after in (state, *(game.result(state, action) for action in _choices(game, state))):
                if game.is_terminal(after):
                    for player in range(game.players):
                        game.utility(after, player)
                else:
                    game.player(after)
                    primitives.estimate(game, after)
        except Exception as error:
            if names:
                error.add_note(f"in {type(game).__name__}, after {', '.join(names)}")
            raise
        raise self.foreign(names)

    def trouble(self) -> Exception:
        """Why the kernel could not go on, in words."""
        name = type(self.game).__name__
        states, names = self._way()
        if self.stopped == primitives.BY_PLIES:
            return TooDeepError(
                f"a random game of {name} did not end within {words.LONGEST:,} plies. Give a cut-off (cutoff=40; {name}"
                " then needs `evaluate`) or end the game by a rule."
            )
        wrong = int(self.ledger[words.WRONG])
        if wrong == words.NO_NUMBER:
            return RulesError(f"{name}.evaluate or .utility returned nan", names)
        if wrong == words.MANY_ACTIONS:
            return RulesError(
                f"{name}.actions gave more than {MAX_ACTIONS:,} actions in one state: does it end?"
            )
        if wrong == words.NO_ACTIONS and not _choices(self.game, states[-1]):
            return RulesError(f"{name} has no actions in a state that is not terminal: {states[-1]!r}", names)
        return dead_end(self.game)


def _choices(game: Game, state: Any) -> list[Any]:
    """The actions, or at a chance node the outcomes."""
    if game.is_terminal(state):
        return []
    if offers(game, "chance") and game.player(state) == CHANCE:
        return [outcome for outcome, _ in game.chance(state)]
    return list(game.actions(state))
