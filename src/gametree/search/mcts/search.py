"""`mcts`: Monte-Carlo tree search on a state. `MonteCarlo`: the same, with a tree that outlives the move."""

import contextlib
import dataclasses
import functools
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from gametree.arguments import is_whole, megabytes, whole
from gametree.errors import InputError
from gametree.game import CHANCE, Game, check_state, offers
from gametree.kernel.clock import BY_CLOCK, BY_DRIVER, BY_NODES, RUNNING
from gametree.result import Analysis, Limit
from gametree.search.core.plays import dead_end, root_actions
from gametree.search.core.repetition import Past
from gametree.search.core.runner import prepare
from gametree.search.core.sound import sound
from gametree.search.core.stopwatch import STOPPED_BY, WRAPPING_UP, StopWatch, begin, execute
from gametree.search.core.task import Needs, OnProgress, Task, admitted
from gametree.search.mcts import kernel
from gametree.search.mcts.lines import samples
from gametree.search.mcts.memory import BY_PROOF, BY_ROOM, DEEPEST, LONGEST, MOST_PLAYERS
from gametree.search.mcts.nodes import MEMORY_MB, Nodes
from gametree.search.mcts.options import Options, limit_of
from gametree.search.mcts.report import at_once, report
from gametree.search.mcts.running import MctsRun, settings_for, thread_for, width_of
from gametree.search.mcts.view import SearchTree

NEEDS = Needs("mcts", repetition="playouts", most_players=MOST_PLAYERS)
FEW = 200
"""So few simulations run on the caller's own thread: to start another would take longer."""
_ENDS = (BY_CLOCK, BY_DRIVER, BY_PROOF)
FIRST_REPORT = 1000
"""After so many simulations progress is told for the first time, and whenever there are twice as many."""


class MonteCarlo:
    """Monte-Carlo tree search with a memory: the part of the tree below the moves that were made is kept.

    `threads` search one tree together (one thread gives the same answer every time, several need not), which takes at
    most `memory_mb`; the other arguments are the parts of the search, see `Options`.

    >>> from gametree.games import Nim
    >>> thinker = MonteCarlo(Nim(counters=5), seed=1, compile="never")
    >>> thinker.analyze(limit=Limit(nodes=500)).action
    1
    """

    def __init__(
        self,
        game: Game,
        *,
        threads: int = 1,
        memory_mb: float = MEMORY_MB,
        seed: int = 0,
        evaluation: str | Callable[[Any, int], float] | None = None,
        compile: str = "auto",
        **options: Any,
    ):
        self.game: Game = admitted(NEEDS, game, evaluation, compile)
        whole("threads", threads)
        if not is_whole(seed):
            raise InputError(f"seed={seed!r}: a whole number")
        self.options: Options = _options(options)
        self.options.require(self.game)
        self.threads = threads
        self.seed = seed
        self._memory_mb = megabytes(memory_mb, "memory_mb", "tree")
        self._compile = compile
        self._nodes: Nodes | None = None
        self._fresh = True
        self._state: Any = None
        self._searches = 0
        self._busy = threading.Lock()
        self._watch: StopWatch | None = None
        """That of the search under way."""
        self._rehearsed = False
        """Whether the states of one line of play fit machine types, and the search is compiled for them."""
        self._telling = 0.0
        """How long it took to put the last result together, in seconds."""

    def prepare(self, state: Any = None) -> bool:
        """Compiles the search for the game, so that no search has to wait for it; whether that was possible."""
        state = check_state(self.game, state)
        return self._compile != "never" and self._prepared(state) is not None

    def clear(self) -> None:
        """Forgets everything: the next search is as the first."""
        with self._hold("clear"):
            self._fresh = True
            self._searches = 0

    def stop(self) -> None:
        """Ends the search under way, which returns what it has. Any thread may call it."""
        watch = self._watch
        if watch is not None:
            watch.stop()

    @property
    def tree(self) -> SearchTree:
        """The tree as it is: refused where nothing has been searched yet."""
        if self._nodes is None or self._fresh:
            raise InputError("there is no tree yet: call analyze first")
        return SearchTree(self.game, self._state, self._nodes)

    @sound
    def analyze(
        self,
        state: Any = None,
        limit: Limit | None = None,
        *,
        simulations: int | None = None,
        moves: bool = False,
        history: Sequence[Any] = (),
        on_progress: OnProgress | None = None,
    ) -> Analysis:
        """The best action and what it is worth, after as many simulations as the limit allows (one second by default).

        `Limit(nodes=…)` and `simulations` count simulations, with those of this call only. `history` are the states
        before, oldest first, for rules on repeated positions, and to find the state in the tree of the last search.
        """
        limit = limit_of("mcts", limit, simulations, "; cutoff=… limits how far a playout goes")
        task = Task.at(
            NEEDS.method,
            self.game,
            state,
            limit,
            history=history,
            seed=self.seed,
            compile=self._compile,
            threads=self.threads,
            moves=moves,
            on_progress=on_progress,
        )
        done = at_once(task)
        if done is not None:
            return done
        with self._hold("analyze"):
            # What was found has to be told in time, too.
            self._watch = watch = StopWatch(limit, WRAPPING_UP + self._telling).begin()
            return self._think(task, watch)

    @contextlib.contextmanager
    def _hold(self, what: str) -> Iterator[None]:
        if not self._busy.acquire(blocking=False):
            raise InputError(f"the search is under way: {what} when it is done, or call stop() first")
        try:
            yield
        finally:
            self._watch = None
            self._busy.release()

    def _prepared(self, state: Any) -> Any:
        if self._compile == "never":
            return None
        line = () if self._rehearsed else samples(self.game, state)
        prepared = prepare(kernel.search, self.game, [*line, state], self._compile == "always")
        self._rehearsed = True
        return prepared

    def _think(self, task: Task, watch: StopWatch) -> Analysis:
        state, limit, history, on_progress = task.state, task.limit, task.history, task.on_progress
        with watch.paused():  # compiling is not thinking; everything else is
            prepared = self._prepared(state)
        choices = _choices(self.game, state)
        nodes = self._planted(state, choices, prepared is not None, history, watch)
        runs = self._runs(state, choices, limit, history, nodes, prepared, watch)
        before = int(nodes.tree.visits[nodes.growth.root])
        task = dataclasses.replace(task, game=watch.rules(self.game))
        mover = self.game.player(state)

        def tell() -> Analysis:
            asked = watch.seconds
            found = report(
                SearchTree(task.game, state, nodes, choices),
                self.options,
                task,
                player=mover,
                simulations=sum(run.nodes for run in runs),
                seconds=asked,
                stopped=_reason(runs),
                parameters=self._parameters(runs[0].compiled, before),
                otherwise=lambda: self._any_action(state, choices, history),
            )
            self._telling = watch.seconds - asked
            return found

        few = limit.seconds is None and len(runs) == 1 and (limit.nodes or FEW + 1) <= FEW
        try:
            execute(
                runs[0],
                lambda: self._simulate(runs, nodes, tell if on_progress else None, on_progress),
                repeatable=False,
                few=few,
            )
        except BaseException:
            self._fresh = True  # a simulation may have been left half-way
            raise
        if any(run.cut for run in runs) and (len(runs) > 1 or self.options.uses_priors):
            self._fresh = True  # the same; elsewhere nothing is left of it
        return tell()

    def _parameters(self, compiled: bool, before: int) -> dict[str, Any]:
        given: dict[str, Any] = {"seed": self.seed, "threads": self.threads, "memory_mb": self._memory_mb}
        if before:
            given["kept"] = before
        return {**given, **self.options.asked(), "compiled": compiled}

    def _any_action(self, state: Any, actions: Sequence[Any], history: Sequence[Any]) -> Any:
        """What to play where there was no time for a single simulation: the first action that is allowed."""
        past = Past(self.game, state, history, 2) if self.game.repetition is not None else None
        if past is None:
            return actions[0]
        path = past.path(False, {})
        for action in actions:
            if not past.forbids(self.game, self.game.result(state, action), path):
                return action
        raise dead_end(self.game)

    # --- the tree -------------------------------------------------------------------------------------

    def _planted(
        self, state: Any, choices: Sequence[Any], compiled: bool, history: Sequence[Any], watch: StopWatch
    ) -> Nodes:
        """The tree to go on with: what the last search left of it, or a new one."""
        nodes = self._nodes
        fresh, self._fresh = self._fresh, False
        usable = nodes is not None and nodes.compiled == compiled and not fresh
        found = False
        if nodes is not None and usable:
            with watch.in_time():
                found = self._rerooted(nodes, state, choices, history, watch)
        if nodes is not None and found:
            self._state = state
            return nodes
        self._state = state
        if nodes is None or nodes.compiled != compiled:
            action = choices[0]
            nodes = Nodes(
                self._memory_mb,
                self.options,
                width_of(self.game),
                _words_of(action) if compiled else 1,
                offers(self.game, "chance"),
                compiled,
            )
        least, greatest = map(float, self.game.payoffs or (-float("inf"), float("inf")))
        nodes.require_room(len(choices))
        nodes.plant(least, greatest)
        self._nodes = nodes
        return nodes

    def _rerooted(
        self, nodes: Nodes, state: Any, choices: Sequence[Any], history: Sequence[Any], watch: StopWatch
    ) -> bool:
        """Makes the state the root of the tree, where it is found in it."""
        if nodes.growth.sweep_from:
            return False  # stopped while it made room
        tree = SearchTree(watch.rules(self.game), self._state, nodes)
        node = tree.find(state, history)
        if node is None or (self.options.transpositions and 2 * tree.size > nodes.capacity):
            return False
        if node != tree.root and self.game.repetition is not None and self.game.repetition[0] != "forbid":
            return False  # what a position is worth depends on the way to it
        if tree.count(node) == 0 and nodes.capacity - tree.size <= len(choices):
            return False
        if node != tree.root:
            # Nobody has moved to a root: its sums are counted from 0.
            for i in range(nodes.width):
                nodes.tree.sums[node * nodes.width + i] += tree.visits(node) * tree.base(node, i)
            nodes.growth.root = node
        nodes.growth.full = False
        return True

    def _runs(
        self,
        state: Any,
        choices: Sequence[Any],
        limit: Limit,
        history: Sequence[Any],
        nodes: Nodes,
        prepared: Any,
        watch: StopWatch,
    ) -> list[MctsRun]:
        """A run for each thread, all on one tree, each with a clock and a seed of its own."""
        compiled = prepared is not None
        # Interpreted threads would only wait for each other.
        threads = self.threads if compiled else 1
        if limit.nodes is not None:
            threads = min(threads, limit.nodes)
        settings = settings_for(self.game, self.options, nodes, threads, watch)
        past = None
        if self.game.repetition is not None:
            past = Past(self.game, state, history, LONGEST + DEEPEST)
        words = _words_of(choices[0])
        made = []
        for number in range(threads):
            share = None if limit.nodes is None else (limit.nodes + threads - 1 - number) // threads
            seed = (self.seed << 20) + (self._searches << 10) + number
            run = MctsRun(
                kernel.search,
                self.game,
                Limit(nodes=share),
                self._compile,
                prepared=prepared,
                past=past,
                watch=watch,
            )
            run.nodes_of, run.root_state, run.settings = nodes, state, settings
            run.thread = thread_for(self.game, settings, words, seed, compiled)
            made.append(run)
        self._searches += 1
        return made

    # --- simulating -----------------------------------------------------------------------------------

    def _simulate(
        self,
        runs: Sequence[MctsRun],
        nodes: Nodes,
        tell: Callable[[], Analysis] | None,
        on_progress: OnProgress | None,
    ) -> None:
        """Lets all threads simulate until they are told to stop; makes room between, and tells how it goes."""
        slice_ = FIRST_REPORT
        left = list(runs)
        while left:
            if tell is None:
                self._together(left, nodes, relieve=True)
            else:
                with contextlib.ExitStack() as stack:
                    for run in left:
                        stack.enter_context(run.at_most(slice_))
                    self._together(left, nodes)
            _raise_trouble(left)
            if any(run.stopped in _ENDS for run in runs):
                return
            left = [run for run in left if run.stopped != BY_NODES]
            if any(run.stopped == BY_ROOM for run in left):
                going_on = [run.go_on() for run in left]
                if not all(going_on) or not self._make_room(left[0], nodes):
                    return
            elif tell is not None and on_progress is not None:
                slice_ *= 2
                on_progress(tell())

    def _together(self, runs: Sequence[MctsRun], nodes: Nodes, relieve: bool = False) -> None:
        """Runs all threads until each has stopped; who stops for another reason than its number of nodes stops all.

        Who is done with its share may `relieve` others of theirs: cores are not equally fast.
        """
        first, *others = runs
        wrong: list[BaseException] = []
        turn = threading.Lock()

        def more(run: MctsRun) -> bool:
            with turn:
                return run.has_more() or any(run.relieve(other) for other in runs if other is not run)

        def simulate(run: MctsRun) -> None:
            try:
                run.simulate()
                while relieve and more(run):
                    run.simulate()
            except BaseException as error:  # handed over to the first thread
                wrong.append(run.explained(error) if run.compiled else error)
                _stop(runs, BY_DRIVER)
            if run.stopped != BY_NODES:
                _stop(runs, run.stopped)

        under_way = [begin(functools.partial(simulate, run), run.clock) for run in others]
        try:
            simulate(first)
        finally:
            for done in under_way:
                done.wait()
        if wrong:
            raise wrong[0]

    def _make_room(self, run: MctsRun, nodes: Nodes) -> bool:
        """Gives up what has the fewest visits, until half of the tree is free; False where told to stop meanwhile."""
        return run.simulate(max(1, nodes.capacity // 2)) == 1


def _reason(runs: Sequence[MctsRun]) -> int:
    """Why a search has stopped: for the reason of whoever did not just come to the end of its share."""
    return next((run.stopped for run in runs if run.stopped in _ENDS), runs[0].stopped)


def _stop(runs: Sequence[MctsRun], reason: int) -> None:
    for run in runs:
        if run.stopped == RUNNING:
            run.clock.stop = reason


def _raise_trouble(runs: Sequence[MctsRun]) -> None:
    fine = (*STOPPED_BY, RUNNING, BY_ROOM, BY_PROOF)
    for run in runs:
        if run.stopped not in fine:
            raise run.trouble()


def _choices(game: Game, state: Any) -> list[Any]:
    if offers(game, "chance") and game.player(state) == CHANCE:
        return [outcome for outcome, _ in game.chance(state)]
    return root_actions(game, state)


def _words_of(action: Any) -> int:
    """How many words an action takes."""
    return sum(map(_words_of, action)) if isinstance(action, tuple) else 1


def _options(given: dict[str, Any]) -> Options:
    known = Options.__dataclass_fields__
    for name in given:
        if name not in known:
            raise InputError(f"mcts has no option {name!r}; it has: {', '.join(known)}")
    return Options(**given)


@sound
def mcts(
    game: Game,
    state: Any = None,
    limit: Limit | None = None,
    *,
    simulations: int | None = None,
    seed: int = 0,
    threads: int = 1,
    memory_mb: float = MEMORY_MB,
    moves: bool = False,
    history: Sequence[Any] = (),
    on_progress: OnProgress | None = None,
    evaluation: str | Callable[[Any, int], float] | None = None,
    compile: str = "auto",
    **options: Any,
) -> Analysis:
    """Monte-Carlo tree search: many simulations, and the action that fared best.

    It needs no evaluation, takes chance and any number of players, and its answer gets better the longer it may think.
    The limit counts simulations or seconds (one second where none is given). `options` are the parts of the search,
    among them `tree_policy`, `default_policy`, `exploration`, `cutoff`, `amaf`, `solver`; see docs/mcts.md.

    >>> from gametree.games import TicTacToe
    >>> game = TicTacToe()
    >>> found = mcts(game, game.parse_state("XX./OO./..."), simulations=200, compile="never")
    >>> found.name, str(found.value), found.exact
    ('c3', 'win', True)
    """
    thinker = MonteCarlo(
        game,
        threads=threads,
        memory_mb=memory_mb,
        seed=seed,
        evaluation=evaluation,
        compile=compile,
        **options,
    )
    return thinker.analyze(
        state, limit, simulations=simulations, moves=moves, history=history, on_progress=on_progress
    )
