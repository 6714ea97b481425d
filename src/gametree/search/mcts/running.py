"""A run of the kernel on one thread: its settings, its path, and what went wrong in words."""

from typing import Any

from gametree.errors import RulesError, TooDeepError
from gametree.game import CHANCE, Game, offers
from gametree.kernel import primitives
from gametree.kernel.clock import BY_NODES, BY_PLIES, RUNNING
from gametree.kernel.primitives import CODES
from gametree.kernel.random import seeded
from gametree.search.core.memory import Sparse
from gametree.search.core.plays import MAX_ACTIONS, dead_end
from gametree.search.core.runner import Run
from gametree.search.core.stopwatch import StopWatch
from gametree.search.mcts.kernel import PURSES
from gametree.search.mcts.lines import usual_judgement
from gametree.search.mcts.memory import (
    BY_ROOM,
    LONGEST,
    MANY_ACTIONS,
    MOST_PLAYERS,
    MOVES,
    NO_ACTIONS,
    NO_NUMBER,
    Settings,
    Thread,
)
from gametree.search.mcts.nodes import Nodes, roots
from gametree.search.mcts.options import DEFAULT_POLICIES, TREE_POLICIES, Options
from gametree.search.mcts.recurring import HERE
from gametree.search.mcts.tree import place_of

SMALL = 1 << 14
"""An interpreted thread has so much room at once; more only where something is put."""

STRIDE = 8
"""How many simulations a compiled search makes before it asks again whether it has to stop."""
WORTH_TAKING = 256
"""A thread that is done takes no fewer simulations over from another."""


def width_of(game: Game) -> int:
    """How many sums a node needs: one where what one player gets the other does not, else one a player."""
    return 1 if game.players == 2 and game.total is not None else game.players


def settings_for(game: Game, options: Options, nodes: Nodes, threads: int, watch: StopWatch) -> Settings:
    """What the kernel has to know of the game and of what was asked for."""
    declared = game.payoffs is not None
    least, greatest = map(float, game.payoffs or (-float("inf"), float("inf")))
    total = float(game.total or 0)
    even = total / game.players if game.total is not None or not declared else (least + greatest) / 2
    squashed = declared and offers(game, "evaluate")
    judges = squashed and (options.judges or options.uses_priors)
    scale = options.evaluation_scale
    if scale is None:
        scale = usual_judgement(game, even, watch) if judges else 1.0
    simple = options.amaf is None and not options.uses_priors and not options.transpositions
    wide, wider = options.widening or (0.0, 0.0)
    return Settings.allocate(
        nodes.compiled,
        players=game.players,
        width=nodes.width,
        total=total,
        declared=declared,
        least=least,
        greatest=greatest,
        loss=least if declared else 0.0,
        others_loss=greatest if declared else 0.0,
        policy=TREE_POLICIES[options.tree_policy],
        exploration=options.c,
        epsilon=options.epsilon,
        temperature=options.temperature,
        plain=options.tree_policy == "ucb1" and nodes.width == 1 and simple,
        tuned=options.tree_policy == "ucb1-tuned",
        expand_after=options.expand_after,
        default_policy=DEFAULT_POLICIES[options.default_policy],
        playout_epsilon=options.playout_epsilon,
        cutoff=LONGEST if options.plies is None else min(options.plies, LONGEST - 1),
        squashed=squashed,
        scale=scale,
        even=even,
        solver=options.solver,
        wide=wide,
        wider=wider,
        bias=options.bias,
        priors=options.uses_priors or offers(game, "chance"),
        prior_temperature=options.prior_temperature,
        amaf=options.amaf is not None,
        amaf_bias=options.amaf_bias,
        reference=options.amaf_reference if options.amaf == "grave" else 0,
        transpositions=options.transpositions,
        recycles=options.when_full == "recycle" and not options.transpositions,
        threads=threads,
        roots=roots(nodes.compiled),
    )


def thread_for(game: Game, settings: Settings, words_of_action: int, seed: int, compiled: bool) -> Thread:
    """What one thread keeps for itself; `words_of_action`: how many words an action takes."""

    def room(length: int, kind: str) -> Any:
        if not compiled:
            return [0] * length if length <= SMALL else Sparse()
        import numpy as np

        return np.zeros(length, kind)

    return Thread.allocate(
        compiled,
        random=seeded(seed),
        spread=settings.greatest - settings.least or 1.0 if settings.declared else 1.0,
        gains=room(max(settings.width, game.players) + 16, "float64"),
        shelf=room(MAX_ACTIONS * words_of_action + 64, "int64"),
        odds=room(MAX_ACTIONS if offers(game, "chance") else 1, "float64"),
        references=room(MOST_PLAYERS, "int64"),
        stamps=room(game.players * CODES if settings.amaf else 1, "int64"),
        here=room(HERE, "int64"),
        apart=room(2 * PURSES, "int64"),
        apart_sums=room(PURSES * MOST_PLAYERS, "float64"),
    )


class MctsRun(Run):
    """A run of the kernel, which knows the way of the simulation under way."""

    nodes_of: Nodes
    settings: Settings
    thread: Thread
    root_state: Any
    polls = STRIDE
    polls_interpreted = 1

    def simulate(self, room: int = 0) -> int:
        """Lets the kernel simulate, or make room for more nodes."""
        tree = self.nodes_of.tree
        return int(self.call(self.root_state, room, tree, self.settings, self.thread, self.clock, self.path))

    def go_on(self) -> bool:
        """Takes back a stop for want of room; False where another came from outside."""
        return self.stopped in (BY_ROOM, RUNNING) and self.watch.resume(self.clock)

    def has_more(self) -> bool:
        """Whether the run has stopped before its end: it was about to be relieved."""
        if self.stopped != BY_NODES or self.nodes >= self.clock.limit:
            return False
        return self.watch.resume(self.clock)

    def relieve(self, other: "MctsRun") -> bool:
        """Takes half of what another thread has still to do; False where that is hardly worth while."""
        limit = other.clock.limit
        half = (limit - other.nodes) // 2
        if half < WORTH_TAKING or other.stopped != RUNNING or self.stopped != BY_NODES:
            return False
        other.clock.limit = limit - half
        if other.nodes + STRIDE > limit - half:  # it went on meanwhile, and may be past that
            other.clock.limit = limit
            return False
        self.clock.limit += half
        return self.watch.resume(self.clock)

    def _way(self) -> tuple[list[Any], list[str]]:
        """The states of the simulation under way, and the names of the actions between them."""
        game, state, parent = self.game, self.root_state, self.nodes_of.tree.parent
        states, names = [state], []
        depth, plies = self.thread.depth, self.thread.plies
        for ply in range(plies):
            if ply < depth:
                place = place_of(int(parent[self.path.places[ply + 1]]))
            else:
                place = int(self.path.places[MOVES + ply])
            choices = _choices(game, state)
            if not 0 <= place < len(choices):
                break
            names.append(game.name_action(state, choices[place]))
            state = game.result(state, choices[place])
            states.append(state)
        return states, names

    def add_path(self, error: BaseException) -> None:
        self.note(error, self._way()[1])

    def walk_again(self, names: list[str]) -> None:
        """Asks the rules at the end of the simulation whatever the kernel asks them."""
        game = self.game
        states, way = self._way()
        names += way
        state = states[-1]
        for after in (state, *(game.result(state, action) for action in _choices(game, state))):
            if game.is_terminal(after):
                for player in range(game.players):
                    game.utility(after, player)
            else:
                game.player(after)
                primitives.estimate(game, after)

    def trouble(self) -> Exception:
        """Why the kernel could not go on, in words."""
        name = type(self.game).__name__
        states, names = self._way()
        if self.stopped == BY_PLIES:
            return TooDeepError(
                f"a random game of {name} did not end within {LONGEST:,} plies. Give a cut-off (cutoff=40; {name}"
                " then needs `evaluate`) or end the game by a rule."
            )
        wrong = self.thread.wrong
        if wrong == NO_NUMBER:
            return RulesError(f"{name}.evaluate or .utility returned nan", names)
        if wrong == MANY_ACTIONS:
            return RulesError(
                f"{name}.actions gave more than {MAX_ACTIONS:,} actions in one state: does it end?"
            )
        if wrong == NO_ACTIONS and not _choices(self.game, states[-1]):
            return RulesError(f"{name} has no actions in a state that is not terminal: {states[-1]!r}", names)
        return dead_end(self.game)


def _choices(game: Game, state: Any) -> list[Any]:
    """The actions, or at a chance node the outcomes."""
    if game.is_terminal(state):
        return []
    if offers(game, "chance") and game.player(state) == CHANCE:
        return [outcome for outcome, _ in game.chance(state)]
    return list(game.actions(state))
