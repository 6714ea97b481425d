"""`score`: the exact margin of a state, proven; what the kernel needs around it.

The range of margins that `prospects` leaves open is halved question by question: is the margin greater than x?
"""

import contextlib
import functools
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from gametree.arguments import megabytes, whole
from gametree.errors import InputError, RulesError, UnsuitableError
from gametree.game import FARTHEST, Game, check_state, offers
from gametree.kernel import primitives
from gametree.kernel.clock import BY_DRIVER, RUNNING
from gametree.result import Limit, StoppedBy
from gametree.search.core.memory import Sparse, block, buckets_for
from gametree.search.core.plays import root_actions
from gametree.search.core.rehearsal import rehearse
from gametree.search.core.runner import Run, prepare, too_deep
from gametree.search.core.stopwatch import STOPPED_BY, StopWatch, begin, execute
from gametree.search.core.task import Needs, capabilities, require_mode
from gametree.search.solve.exact import kernel, table

HASH_MB = 64.0
FOREVER = 1 << 20
"""Plies that no game has."""
NEEDS = Needs("the exact solver", zero_sum=True, chance=False)
INTERPRETED_MB = 0.25
"""A table of Python ints is eight times the size, and a slow search fills little of it."""
Progress = Callable[[int, int, int, float], None]


@dataclass(frozen=True, kw_only=True)
class Score:
    """What is proven about a state: its margin to the player to move, or between which margins it lies."""

    low: int
    high: int
    player: int
    action: Any
    """An action that attains the margin; None where the game is over or the search was stopped."""
    line: tuple[Any, ...]
    """Perfect play to the end, as far as it was asked for and found."""
    moves: tuple[tuple[Any, int], ...]
    """Every action and its margin to the player to move, where they were asked for."""
    nodes: int
    seconds: float
    stopped_by: StoppedBy

    @property
    def exact(self) -> bool:
        """Whether the margin is known."""
        return self.low == self.high

    @property
    def value(self) -> int:
        """The margin; refused where it is not known."""
        if not self.exact:
            raise InputError(f"stopped too early: the margin lies between {self.low} and {self.high}")
        return self.low


class _Stopped(Exception):
    """The run was told to stop."""


class Exact:
    """The exact solver for one game: compiled code and a table that stays from one question to the next.

    With `lasting` so does what is in the table: what was proven of a position is true whatever is asked next. Without
    it every question begins with a table that knows nothing.

    >>> from gametree.games import ConnectFour
    >>> game = ConnectFour(4, 4)
    >>> Exact(game, compile="never").score(game.parse_state("22334"), line=False).value
    0
    """

    def __init__(self, game: Game, *, hash_mb: float = HASH_MB, compile: str = "auto", lasting: bool = False):
        capabilities(game, "score")
        require_mode(compile)
        reason = unsuited(game)
        if reason:
            raise UnsuitableError(reason)
        self.game = game
        self._hash_mb = megabytes(hash_mb)
        self._compile = compile
        self._lasting = lasting
        self._generation = 0
        self._table: Any = None
        self._most = 0
        self._last: Any = None
        self._question: _Question | None = None

    def score(
        self,
        state: Any = None,
        *,
        limit: Limit | None = None,
        moves: bool = False,
        line: bool = True,
        action: bool = True,
        known: int | None = None,
        on_progress: Progress | None = None,
        threads: int = 1,
    ) -> Score:
        """The margin of a state; with `moves` that of every action as well, with `line` best play, with `action` its
        first action at least. `known` is the margin, where somebody has proven it before.
        """
        state = check_state(self.game, state)
        whole("threads", threads, "how many threads search, a whole number of at least 1")
        question = _Question(self, state, limit or Limit(), on_progress, threads)
        if known is not None:
            question.low = question.high = known
        return question.answer(moves, FOREVER if line else 1 if action else 0)

    def prepare(self, state: Any = None) -> None:
        """Compiles the search for the game, so that no question has to wait for it."""
        if self._compile != "never":
            samples = self._samples(check_state(self.game, state))
            prepare(kernel.search, self.game, samples, self._compile == "always")

    @property
    def nodes(self) -> int:
        """How many nodes the search under way has visited."""
        question = self._question
        return 0 if question is None else question.nodes

    def stop(self, after: float | None = None) -> None:
        """Ends what is under way on another thread, now or `after` so many seconds; it answers with what is proven."""
        question = self._question
        if question is not None:
            question.run.watch.stop(after=after)

    def margins(self, states: Sequence[Any]) -> tuple[list[int], int, float]:
        """The margins of many states in one compiled loop; no state helps another.

        With nodes and seconds, the latter of the processor: what else the machine does is not counted.
        """
        if not states:
            return [], 0, 0.0
        most = table.GENERATIONS // 2
        if len(states) > most:
            first, rest = self.margins(states[:most]), self.margins(states[most:])
            return first[0] + rest[0], first[1] + rest[1], first[2] + rest[2]
        run = self._run(states[0], Limit(), len(states) + 1)
        memory = run.memory
        memory.states, memory.margins = self._tasks(run, states)
        seconds, nodes = 0.0, 0
        run.approach = (states[0], [])

        def ask(count: int) -> int:
            return int(run.call(states[0], 0, 1, 0, 0, count, memory, run.clock, run.path))

        def work() -> int:
            nonlocal seconds, nodes
            # Once for nothing: a fresh thread has neither its stack nor its shelf in memory.
            ask(1)
            memory.generation += 1
            nodes, start = run.nodes, time.thread_time()
            count = ask(len(states))
            seconds, nodes = time.thread_time() - start, run.nodes - nodes
            return count

        if execute(run, work, repeatable=False) < len(states):
            raise too_deep(self.game)
        return [int(margin) for margin in memory.margins], nodes, seconds

    def _tasks(self, run: "_ExactRun", states: Sequence[Any]) -> tuple[Any, Any]:
        if not run.compiled:
            return list(states), [0] * len(states)
        import numpy as np

        packed = b"".join(run.packed(state) for state in states)
        return np.frombuffer(packed, dtype=np.int64), np.zeros(len(states), dtype=np.int64)

    def _run(self, state: Any, limit: Limit, tasks: int = 1) -> "_ExactRun":
        """A run for so many tasks to come, each of them a generation of its own in the table."""
        run = self._new_run(state, limit)
        if self._lasting and self._table is not None:
            self._generation -= tasks
        if self._table is None or self._generation + tasks >= table.GENERATIONS:
            size = self._hash_mb if run.compiled else min(self._hash_mb, INTERPRETED_MB)
            self._most = buckets_for(size, table.LAYOUT.bucket_bytes)
            words = table.words_for(self._most)
            self._table = block(words, huge=True) if run.compiled else [0] * words
            self._generation = 0
            self._last = None
        memory = self._memory(run.compiled, min(table.FEW, self._most))
        if self._last is not None and self._last.generation == memory.generation:
            # The generation goes on: so does the size that the table has got.
            memory.buckets, memory.stored = self._last.buckets, self._last.stored
        run.memory = self._last = memory
        self._generation += tasks
        return run

    def _company(self, run: "_ExactRun", state: Any, threads: int) -> "list[_ExactRun]":
        """Runs for the other threads, which share the table."""
        # Interpreted threads would only wait for each other.
        others = (
            [self._new_run(state, Limit(), run.watch) for _ in range(threads - 1)] if run.compiled else []
        )
        if others:
            run.memory.shared, run.memory.threads = kernel.SHARED_PLIES, threads
        for other in others:
            other.memory = self._memory(True, run.memory.buckets)
            other.memory.generation, other.memory.stored = run.memory.generation, run.memory.stored
            other.memory.shared, other.memory.threads = kernel.SHARED_PLIES, threads
        return others

    def _memory(self, compiled: bool, buckets: int) -> kernel.Solving:
        """What a thread works with; the table belongs to all of them."""
        trail = kernel.TRAIL_WORDS * kernel.SHARED_PLIES
        return kernel.Solving.allocate(
            compiled,
            table=self._table,
            shelf=block(kernel.SHELF_WORDS) if compiled else Sparse(),
            capacity=kernel.SHELF_WORDS,
            buckets=buckets,
            most_buckets=self._most,
            first_buckets=min(table.FEW, self._most),
            generation=self._generation + 1,
            trail=block(trail) if compiled else Sparse(),
        )

    def _new_run(self, state: Any, limit: Limit, watch: StopWatch | None = None) -> "_ExactRun":
        return _ExactRun(kernel.search, self.game, limit, self._compile, self._samples(state), watch=watch)

    def _samples(self, state: Any) -> list[Any]:
        return [state, *rehearse(self.game, state)]


class _ExactRun(Run):
    """A run of the kernel, whose path counts sensible actions."""

    stride = 1

    def go_on(self) -> bool:
        """Takes a stop back that came from another thread of the search; False where one came from outside."""
        return self.watch.resume(self.clock)

    def packed(self, state: Any) -> bytes:
        """A state as compiled code reads it."""
        compiled: Any = self.prepared
        return compiled.native.codec.pack(state)  # type: ignore[no-any-return]

    def add_path(self, error: BaseException) -> None:
        """Tells where an interpreted search was: as deep as there are calls of `value` on the stack."""
        state, names = self.called()
        for ply in range(self.calls_in(error, kernel.value) - 1):
            action = list(self.game.sensible(state))[self.path.places[ply]]
            names.append(self.game.name_action(state, action))
            state = self.game.forced(self.game.result(state, action))
        self.note(error, names)

    def walk_again(self, names: list[str]) -> None:
        state, game = self.called()[0], self.game
        for ply in range(kernel.PLIES):
            actions = list(game.sensible(state))
            if not actions:
                raise ValueError("`sensible` gives no action in a state whose margin `prospects` leaves open")
            for action in actions:
                child = game.forced(game.result(state, action))
                primitives.prospects(game, child)
                primitives.likeness(game, child)
                game.urgency(state, action)
            place = int(self.path.places[ply])
            if not 0 <= place < len(actions):
                break
            names.append(game.name_action(state, actions[place]))
            state = game.forced(game.result(state, actions[place]))


class _Question:
    """One state, and what is found out about it."""

    def __init__(
        self, solver: Exact, state: Any, limit: Limit, on_progress: Progress | None, threads: int
    ) -> None:
        self.solver = solver
        self.game = solver.game
        self.state = state
        self.on_progress = on_progress
        self.run = solver._run(state, limit)
        self.others = solver._company(self.run, state, threads)
        self.run.watch.begin()
        self.low, self.high = primitives.prospects(self.game, state)
        self.moves: tuple[tuple[Any, int], ...] = ()
        self.line: tuple[Any, ...] = ()

    def answer(self, moves: bool, longest: int) -> Score:
        """The margin, with so many plies of best play at the most."""
        stopped_by: StoppedBy = "end"
        self.solver._question = self
        try:
            execute(self.run, lambda: self._find(moves, longest), repeatable=False)
        except _Stopped:
            if self.run.stopped not in STOPPED_BY:
                raise too_deep(self.game) from None
            stopped_by = STOPPED_BY[self.run.stopped]
        finally:
            self.solver._question = None
        return Score(
            low=self.low,
            high=self.high,
            player=self.game.player(self.state),
            action=self.line[0] if self.line else None,
            line=self.line,
            moves=self.moves,
            nodes=self.nodes,
            seconds=self.run.watch.seconds,
            stopped_by=stopped_by,
        )

    def _find(self, moves: bool, longest: int) -> None:
        self._halve()
        if self.game.is_terminal(self.state):
            return
        if moves:
            self.moves = tuple(
                (action, self._margin(self.game.result(self.state, action)))
                for action in root_actions(self.game, self.state)
            )
        self._follow(longest)

    def _halve(self) -> None:
        while self.low < self.high:
            guess = kernel.middle(self.low, self.high)
            v = self._ask(self.state, guess)
            if v > guess:
                self.low = v
            else:
                self.high = v
            if self.on_progress is not None:
                self.on_progress(self.low, self.high, self.nodes, self.run.watch.seconds)

    def _ask(self, state: Any, guess: int) -> int:
        """A margin beyond which that of the state lies, above where it is greater than the guess, else below."""
        low, high = primitives.prospects(self.game, state)
        if low > guess:
            return low
        if high <= guess:
            return high
        return self._together(state, guess) if self.others else self._alone(self.run, state, guess)

    @property
    def nodes(self) -> int:
        """How many all threads together have visited."""
        return sum(run.nodes for run in (self.run, *self.others))

    def _alone(self, run: Run, state: Any, guess: int) -> int:
        v = self._call(run, state, guess, guess + 1, 0)
        if run.stopped != RUNNING:
            raise _Stopped
        return v

    def _call(self, run: Run, state: Any, alpha: int, beta: int, count: int) -> int:
        run.approach = (state, [])
        return int(run.call(state, alpha, beta, 0, 0, count, run.memory, run.clock, run.path))

    def _together(self, state: Any, guess: int) -> int:
        """All threads ask the same; the first to know stops the others, and so does one that finds the table small."""
        runs = (self.run, *self.others)
        while True:
            found = self._race(runs, state, guess)
            room = any(run.stopped == kernel.BY_ROOM for run in runs)
            if not (found or room) or not all(run.go_on() for run in runs):
                raise _Stopped
            if room:
                self._make_room(runs)
            if found:
                return found[0]

    def _make_room(self, runs: "Sequence[_ExactRun]") -> None:
        """Gives the table twice its size, each thread a part of it."""

        def enlarge(part: int) -> None:
            self._call(runs[part], self.state, part, len(runs), -1)

        under_way = [
            begin(functools.partial(enlarge, part), runs[part].clock) for part in range(1, len(runs))
        ]
        enlarge(0)
        for done in under_way:
            done.wait()

    def _race(self, runs: "Sequence[_ExactRun]", state: Any, guess: int) -> list[int]:
        """What was found by whoever came first; nothing where the table is too small, or the first was stopped."""
        found: list[int] = []

        def ask(run: Run) -> None:
            with contextlib.suppress(_Stopped):
                found.append(self._alone(run, state, guess))
            if found or run.stopped == kernel.BY_ROOM:
                stop_others(run)

        def stop_others(run: Run) -> None:
            for other in runs:
                if other.stopped == RUNNING and other is not run:
                    other.clock.stop = BY_DRIVER

        def help_out(run: Run) -> None:
            # What fails here fails for the first thread too, if that comes there: it is the one that tells.
            with contextlib.suppress(Exception):
                ask(run)

        under_way = [begin(functools.partial(help_out, run), run.clock) for run in runs[1:]]
        try:
            ask(self.run)
        finally:
            stop_others(self.run)
            for done in under_way:
                done.wait()
        return found

    def _margin(self, child: Any) -> int:
        """The margin of a child to the player at the root."""
        turned = self.game.player(child) != self.game.player(self.state)
        low, high = primitives.prospects(self.game, child)
        # No action is better than the best.
        if turned:
            low = max(low, -self.high)
        else:
            high = min(high, self.high)
        while low < high:
            guess = kernel.middle(low, high)
            v = self._ask(child, guess)
            if v > guess:
                low = v
            else:
                high = v
        return -low if turned else low

    def _follow(self, longest: int) -> None:
        """The line of perfect play: each time an action that keeps the margin."""
        state, margin = self.state, self.low
        line: list[Any] = []
        while len(line) < longest and not self.game.is_terminal(state):
            mover = self.game.player(state)
            for action in self._likely(state):
                child = self.game.result(state, action)
                turned = self.game.player(child) != mover
                if turned and self._ask(child, -margin) <= -margin:
                    break
                if not turned and self._ask(child, margin - 1) >= margin:
                    break
            else:
                raise RulesError(
                    f"no action of {type(self.game).__name__} attains the margin {margin} of {state!r}:"
                    " `prospects`, `sensible`, `value_key` or `margin` is not right"
                )
            line.append(action)
            self.line = tuple(line)
            state, margin = child, -margin if turned else margin

    def _likely(self, state: Any) -> list[Any]:
        """All actions; the one that the table thinks best comes first."""
        actions = root_actions(self.game, state)
        low, high = primitives.prospects(self.game, state)
        if low == high:
            return actions
        key = primitives.likeness(self.game, state)
        solver = self.solver
        first = table.home(self.run.memory.buckets, key)
        words = [int(word) for word in solver._table[first : first + table.BUCKET_WORDS]]
        place = (table.probe(words, 0, key, solver._generation) >> table.ACTION_SHIFT & table.BYTE) - 1
        sensible = list(self.game.sensible(state))
        if not 0 <= place < len(sensible):
            return actions
        best = sensible[place]
        return [best, *(action for action in actions if action != best)]


def unsuited(game: Game) -> str:
    """Why the exact solver cannot take a game, in words; empty where it can."""
    name = type(game).__name__
    words = NEEDS.refusal(capabilities(game, NEEDS.method))
    if words:
        return words
    if game.total != 0:
        return f"the utilities of {name} sum to {game.total:g}; the exact solver needs what one wins the other loses"
    if game.repetition is not None:
        return f"{name} has a rule on repeated positions: a margin then depends on the path, which this solver ignores"
    if offers(game, "clock") and not offers(game, "value_key"):
        return (
            f"{name} has a clock, which its key leaves out: states with one key may then differ in margin. Define"
            " `value_key(self, state)` with the clock in it"
        )
    if not offers(game, "margin") and not all(map(_is_margin, game.payoffs or ())):
        return f"the payoffs of {name} are no whole numbers up to {FARTHEST}; define `margin(self, state, player)`"
    return ""


def _is_margin(payoff: float) -> bool:
    return abs(payoff) <= FARTHEST and payoff == int(payoff)


def score(
    game: Game,
    state: Any = None,
    *,
    limit: Limit | None = None,
    hash_mb: float = HASH_MB,
    moves: bool = False,
    line: bool = True,
    on_progress: Progress | None = None,
    threads: int = 1,
    compile: str = "auto",
) -> Score:
    """The exact margin of a state to the player to move, with a line of perfect play.

    >>> from gametree.games import ConnectFour
    >>> game = ConnectFour(4, 4)
    >>> found = score(game, game.parse_state("121212"), compile="never")
    >>> found.value, [game.name_action(game.initial(), action) for action in found.line]
    (5, ['1'])
    """
    solver = Exact(game, hash_mb=hash_mb, compile=compile)
    return solver.score(state, limit=limit, moves=moves, line=line, on_progress=on_progress, threads=threads)
