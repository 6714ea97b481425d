"""`ismcts`: information-set Monte-Carlo tree search, for games in which players do not see everything.

P. Cowling, E. Powley & D. Whitehouse, "Information Set Monte Carlo Tree Search", 2012. Single observer (SO-ISMCTS) and
multiple observers (MO-ISMCTS).
"""

import contextlib
import threading
from collections.abc import Callable, Sequence
from typing import Any, Final, Literal

from gametree.arguments import is_whole, megabytes, number, whole
from gametree.errors import InputError, RulesError
from gametree.game import CHANCE, Game
from gametree.kernel.clock import BY_NODES, BY_PLIES
from gametree.kernel.memory import LINE
from gametree.result import Analysis, Limit, Move, Value
from gametree.search.core.memory import Sparse, block
from gametree.search.core.runner import Run, prepare, too_deep
from gametree.search.core.sound import sound
from gametree.search.core.stopwatch import STOPPED_BY, WRAPPING_UP, StopWatch, execute
from gametree.search.core.task import Needs, OnProgress, Task, admitted
from gametree.search.hidden.ismcts_kernel import search
from gametree.search.hidden.ismcts_memory import (
    BY_FULL_TABLE,
    DEEPEST,
    KEY,
    SUM,
    VISITS,
    WORDS,
    Options,
    Pool,
    Table,
    Thread,
)
from gametree.search.hidden.worlds import GIVEN, LISTED, REPLAYED, Sampler, Worlds, choosing, room_for
from gametree.search.mcts.lines import samples
from gametree.search.mcts.memory import NO_NUMBER
from gametree.search.mcts.options import limit_of
from gametree.view import View, view_of

NEEDS: Final = Needs("ismcts", hidden=True, repetition="none", estimates=False)
FEW: Final = 1_000
"""So few simulations run on the caller's own thread."""
EXPLORATION: Final = 0.7
WORLDS: Final = 1_000
SLOTS: Final = 1 << 12
"""With so many slots a table begins."""
MEMORY_MB: Final = 256.0
FULL: Final = "the memory for the tree was used up: what was met after that was played at random"
FIRST_REPORT: Final = 1_000
Observers = Literal["multiple", "single"]
Final_ = Literal["robust", "mixed"]


class InformationSetMCTS:
    """Information-set Monte-Carlo tree search for the players of a game; see `ismcts`.

    >>> from gametree.games import PhantomTicTacToe
    >>> InformationSetMCTS(PhantomTicTacToe(), compile="never").analyze(limit=Limit(nodes=300)).nodes
    300
    """

    def __init__(
        self,
        game: Game,
        *,
        observers: Observers = "multiple",
        exploration: float = EXPLORATION,
        worlds: int = WORLDS,
        final: Final_ = "robust",
        memory_mb: float = MEMORY_MB,
        seed: int = 0,
        compile: str = "auto",
    ):
        self.game: Game = admitted(NEEDS, game, None, compile)
        if observers not in ("multiple", "single"):
            raise InputError(f'observers={observers!r}: it is "multiple" or "single"')
        if final not in ("robust", "mixed"):
            raise InputError(f'final={final!r}: it is "robust" or "mixed"')
        if not is_whole(seed):
            raise InputError(f"seed={seed!r}: a whole number")
        number("exploration", exploration, "how much to explore, at least 0", 0)
        whole("worlds", worlds, "how many worlds are sampled at most, at least 1")
        self._multiple = observers == "multiple"
        self._exploration = float(exploration)
        self._worlds = worlds
        self._mixed = final == "mixed"
        self._memory_mb = megabytes(memory_mb, "memory_mb", "table")
        self._seed = seed
        self._compile = compile
        self._busy = threading.Lock()
        self._watch: StopWatch | None = None
        self._told: dict[str, Any] = {"observers": observers, "seed": seed, "worlds": worlds}
        if self._mixed:
            self._told["final"] = final

    def prepare(self, state: Any = None) -> bool:
        """Compiles the search for the game, so that no search has to wait for it; whether that was possible."""
        return self._prepared() is not None

    def clear(self) -> None:
        """Nothing is kept from one search to the next."""

    def stop(self) -> None:
        """Ends the search under way, which returns what it has. Any thread may call it."""
        watch = self._watch
        if watch is not None:
            watch.stop()

    def _prepared(self) -> Any:
        if self._compile == "never":
            return None
        first = self.game.initial()
        return prepare(search, self.game, samples(self.game, first), self._compile == "always")

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
        """The best action for whoever is to move, by what he sees.

        `state` may be a `View`; else the view is made of it and of `history`, the states before, and from then on
        nothing is known but the view.
        """
        limit = limit_of("ismcts", limit, simulations)
        if not isinstance(state, View):
            done = over(NEEDS.method, self.game, state, limit)
            if done is not None:
                return done
        view = view_of(self.game, state, history)
        with self._hold():
            prepared = self._prepared()
            self._watch = watch = StopWatch(limit, WRAPPING_UP).begin()
            return _Search(self, view, limit, prepared, watch, moves, on_progress).found()

    @contextlib.contextmanager
    def _hold(self) -> Any:
        if not self._busy.acquire(blocking=False):
            raise InputError("the search is under way: ask again when it is done, or call stop() first")
        try:
            yield
        finally:
            self._watch = None
            self._busy.release()


class SimulationRun(Run):
    """A run of simulations, which can be made again."""

    polls = 16
    polls_interpreted = 1
    again: Callable[[], None]

    def walk_again(self, names: list[str]) -> None:
        """Makes the same simulations interpreted, so that the rules raise what they raised."""
        self.again()


class _Search:
    """One search from one view."""

    def __init__(
        self,
        asked: InformationSetMCTS,
        view: View,
        limit: Limit,
        prepared: Any,
        watch: StopWatch,
        moves: bool,
        on_progress: OnProgress | None,
    ):
        self.asked = asked
        self.game = game = asked.game
        self.view = view
        self.limit = limit
        self.watch = watch
        self.moves = moves
        self.on_progress = on_progress
        sampler = Sampler(game, asked._compile)
        self.worlds: Worlds = sampler.sample(view, asked._worlds, asked._seed, watch)
        self.run = SimulationRun(
            search, game, Limit(nodes=limit.nodes), "never", prepared=prepared, watch=watch
        )
        self.run.again = self._again
        compiled = self.run.compiled
        self.pool = _pool(self.worlds, None if prepared is None else prepared.native.codec)
        self.table = self._table(SLOTS)
        self.before = self._table(0)
        least, greatest = map(float, game.payoffs or (0.0, 0.0))
        infinite = float("inf")
        self.thread: Thread = choosing(
            Thread,
            game,
            self.worlds.states[0],
            asked._seed,
            compiled,
            entries=room_for(1 << 14, "int64", compiled),
            way=room_for(2 * DEEPEST + 2, "int64", compiled),
            payoffs=room_for(game.players + 16, "float64", compiled),
            least=infinite,
            greatest=-infinite,
        )
        self.options = Options.allocate(
            compiled,
            players=game.players,
            player=view.player,
            multiple=asked._multiple,
            exploration=asked._exploration,
            least=least,
            spread=greatest - least,
        )

    def _table(self, slots: int) -> Table:
        compiled = self.run.compiled
        cells = block(max(1, slots) * WORDS + LINE) if compiled else Sparse()
        return Table.allocate(compiled, cells=cells, slots=slots, used=0, closed=False)

    # --- simulating -----------------------------------------------------------------------------------

    def found(self) -> Analysis:
        few = self.limit.seconds is None and (self.limit.nodes or FEW + 1) <= FEW
        execute(self.run, self._simulate, repeatable=False, few=few)
        return self._report()

    def _simulate(self) -> None:
        slice_ = FIRST_REPORT
        run = self.run
        while True:
            if self.on_progress is None:
                self._call()
                ended = run.stopped
            else:
                with run.at_most(slice_):
                    self._call()
                    ended = run.stopped
            if ended == BY_FULL_TABLE:
                self._grow()
                if self.watch.resume(run.clock):
                    continue
            if self.thread.wrong or ended == BY_PLIES:
                raise self._trouble()
            sliced = ended == BY_NODES and run.nodes < run.clock.limit
            if not sliced:
                return
            if self.on_progress is not None:
                self.on_progress(self._report())
                slice_ *= 2

    def _call(self) -> None:
        run = self.run
        world = self.worlds.states[0]
        run.call(world, self.pool, self.table, self.before, self.options, self.thread, run.clock, run.path)

    def _again(self) -> None:
        limit = Limit(nodes=self.run.nodes + 1)
        watch = StopWatch(limit).begin()
        _Search(self.asked, self.view, limit, None, watch, False, None)._simulate()

    def _grow(self) -> None:
        """A table of twice the size; where the memory is used up, nothing new is kept from now on."""
        slots = 2 * self.table.slots
        if slots * WORDS * 8 > self.asked._memory_mb * (1 << 20):
            self.table.closed = True
        else:
            self.before, self.table = self.table, self._table(slots)

    def _trouble(self) -> Exception:
        name = type(self.game).__name__
        if self.run.stopped == BY_PLIES:
            return too_deep(self.game)
        if self.thread.wrong == NO_NUMBER:
            return RulesError(f"{name}.utility returned nan")
        return RulesError(
            f"{name} has no actions, or no end of them, in a state that is not terminal; `gametree check` finds it"
        )

    # --- what was found -------------------------------------------------------------------------------

    def _report(self) -> Analysis:
        game, view, run = self.game, self.view, self.run
        world = self.worlds.states[0]
        task = Task.at(NEEDS.method, game, world, self.limit)
        nodes = run.nodes
        values = tuple(float(self.thread.payoffs[i]) / nodes for i in range(game.players)) if nodes else ()
        mover = view.player if view.actions else CHANCE
        tried = self._tried() if view.actions else []
        best = max(tried, key=lambda one: one[1], default=None)
        line = [view.actions[0]] if view.actions else []
        value = values[view.player] if values else None
        if best is not None and best[1]:
            line, value = [best[0]], best[2]
        visits = sum(one[1] for one in tried)
        strategy = None
        if self.asked._mixed and visits:
            strategy = tuple((game.name_action(world, one[0]), one[1] / visits) for one in tried)
        found = (
            ()
            if not self.moves
            else tuple(
                Move(action, Value(mean), "exact", game.name_action(world, action))
                for action, count, mean in tried
                if count
            )
        )
        return task.analysis(
            player=mover,
            value=None if value is None else Value(value),
            values=values,
            line=line,
            moves=found,
            depth=None,
            nodes=nodes,
            seconds=self.watch.seconds,
            exact=False,
            stopped_by=STOPPED_BY.get(run.stopped, "end"),
            strategy=strategy,
            notes=(about(self.worlds), *((FULL,) if self.table.closed else ())),
            parameters={**self.asked._told, "compiled": run.compiled},
        )

    def _tried(self) -> list[tuple[Any, int, float]]:
        """The actions at the root, each with its visits and what it brought on average."""
        from gametree.kernel.primitives import signed_key, unbits

        home = signed_key(self.view.observation)
        found = []
        for place, action in enumerate(self.view.actions):
            at = self._find(signed_key((home, self.view.player, place)))
            visits = 0 if at is None else int(self.table.cells[at + VISITS])
            mean = unbits(int(self.table.cells[at + SUM])) / visits if at is not None and visits else 0.0
            found.append((action, visits, mean))
        return found

    def _find(self, key: int) -> int | None:
        mask = self.table.slots - 1
        slot = key & mask
        while True:
            seen = int(self.table.cells[slot * WORDS + KEY])
            if seen in (key, 0):
                return slot * WORDS if seen == key else None
            slot = slot + 1 & mask


def _pool(worlds: Worlds, codec: Any) -> Pool:
    """The worlds as a kernel draws from them."""
    count = len(worlds.states)
    so_far = 0.0
    shares = []
    for weight in worlds.weights:
        so_far += weight
        shares.append(so_far)
    if codec is None:
        return Pool(states=list(worlds.states), shares=shares, count=count, room=count)
    import numpy as np

    words = np.frombuffer(b"".join(map(codec.pack, worlds.states)) + bytes(LINE), np.int64).copy()
    return Pool.allocate(True, states=words, shares=np.array(shares), count=count, room=count)


def about(worlds: Worlds) -> str:
    """Which worlds a search was played in, in a sentence."""
    many = len(worlds.states)
    if many == 1:
        return "one world fits what the player has seen"
    how = {
        LISTED: "all of them",
        GIVEN: "sampled by the rules of the game",
        REPLAYED: "sampled by replaying the rules",
    }[worlds.how]
    return f"{many:,} worlds that fit what the player has seen, {how}"


def over(method: str, game: Game, state: Any, limit: Limit) -> Analysis | None:
    """The result where the game is over; None where it is not."""
    task = Task.at(method, game, state, limit)
    if not game.is_terminal(task.state):
        return None
    values = tuple(float(game.utility(task.state, player)) for player in range(game.players))
    return task.leaf(values[0], values, 0, True)


@sound
def ismcts(
    game: Game,
    state: Any = None,
    limit: Limit | None = None,
    *,
    simulations: int | None = None,
    observers: Observers = "multiple",
    exploration: float = EXPLORATION,
    worlds: int = WORLDS,
    final: Final_ = "robust",
    seed: int = 0,
    memory_mb: float = MEMORY_MB,
    moves: bool = False,
    history: Sequence[Any] = (),
    on_progress: OnProgress | None = None,
    compile: str = "auto",
) -> Analysis:
    """Information-set Monte-Carlo tree search: the best action by what the player to move sees.

    Worlds that fit what he has seen are sampled (at most so many `worlds`); each simulation is played in one of them,
    and what it teaches is kept for all worlds that look the same to whoever chooses. With `observers="multiple"`
    everybody chooses by what he himself sees, with "single" all by what the player to move sees. `state` is a state,
    with the states before it as `history`, or a `View`. `final="mixed"` gives a strategy, in proportion to the visits.

    >>> from gametree.games import PhantomTicTacToe
    >>> ismcts(PhantomTicTacToe(), simulations=2000, compile="never").name
    'b2'
    """
    thinker = InformationSetMCTS(
        game,
        observers=observers,
        exploration=exploration,
        worlds=worlds,
        final=final,
        memory_mb=memory_mb,
        seed=seed,
        compile=compile,
    )
    return thinker.analyze(
        state, limit, simulations=simulations, moves=moves, history=history, on_progress=on_progress
    )
