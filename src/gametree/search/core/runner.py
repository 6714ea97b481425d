"""Running a kernel: machine code or the function as it stands, with its clock, its path and what it keeps besides.

A kernel is a module-level function `kernel(game, state, …, clock, path)`. Interpreted, it is called as it is.
Compiled, it runs without the GIL and looks at the clock itself. When it begins and ends is for the stop-watch to say.
"""

import contextlib
import functools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from gametree.compiled import native, notices
from gametree.errors import CompileError, FellBackError, RulesError, TooDeepError
from gametree.game import Game, names_of
from gametree.kernel import primitives
from gametree.kernel.clock import BY_CLOCK, BY_NODES, Clock, now
from gametree.result import Limit
from gametree.search.core.overtime import OutOfTime
from gametree.search.core.plays import choices_at
from gametree.search.core.repetition import CLEAN, Past, Path
from gametree.search.core.stopwatch import (
    TRIAL_NODES,
    TRIAL_SECONDS,
    TRIAL_STACK,
    WRAPPING_UP,
    StopWatch,
    not_counting,
)

MAX_PLIES = 1 << 16
"""A search without a depth gives up after so many plies."""


class Run:
    """A kernel for a game on one thread: its clock, its path, its memory."""

    polls = 1024
    """How many nodes lie between two polls of machine code."""
    polls_interpreted = 4
    memory: Any = None
    """What the kernel keeps besides, as `furnish` gave it."""
    approach: tuple[Any, list[Any]] = (None, [])
    """A state, and the actions that the driver played from there before it called the kernel."""
    cut: bool = False
    """Whether a rule was asked when time was over, so that the kernel was left in its midst."""
    in_place: bool = False
    """Runs on the caller's own stack, which may be a small one."""
    start = 0
    """Where in `path` the place of the first action of the kernel call under way is."""
    stride = -1
    """Where the next one is: textbook kernels count the depth that remains, the engine plies from the root."""
    _trial = False

    def __init__(
        self,
        kernel: Any,
        game: Game,
        limit: Limit,
        compile: str,
        samples: Sequence[Any] = (),
        furnish: "Callable[[Run], Any] | None" = None,
        prepared: Any = ...,
        past: Past | None = None,
        watch: StopWatch | None = None,
    ):
        """`prepared`: what `prepare` gave, where it was called before; `watch`: that of all threads of a search.

        `furnish` gives what the kernel keeps besides.
        """
        self.game = game
        self.kernel = kernel
        self.limit = limit
        self.furnish = furnish
        self.watch: StopWatch = StopWatch(limit, WRAPPING_UP) if watch is None else watch
        if prepared is ...:
            with self.watch.paused() if self.watch.begun else not_counting():
                prepared = None if compile == "never" else prepare(kernel, game, samples, compile == "always")
        self.compiled: bool = prepared is not None
        self.rules: Game = self.watch.rules(game)
        """The game as whoever drives the kernel asks it: no rule answers when time is over."""
        self._kernel: Callable[..., Any] = prepared or functools.partial(kernel, self.rules)
        places: Any = {}
        if self.compiled:
            import numpy as np

            places = np.empty(MAX_PLIES + 2, dtype=np.int64)
            places[:64] = 0
        self.clock: Clock = Clock.allocate(self.compiled)
        self.path: Path = (
            Path.allocate(self.compiled, places=places) if past is None else past.path(self.compiled, places)
        )
        self.clock.endless = limit.depth is None
        self.watch.reset(self.clock, limit.nodes, self.polls if self.compiled else self.polls_interpreted)
        if furnish is not None:
            self.memory = furnish(self)

    def call(self, *arguments: Any) -> Any:
        """What the kernel says: it takes a state, its other arguments, the clock and the path.

        Where a rule was asked when time was over, what a kernel says that was told to stop.
        """
        try:
            return self._kernel(*arguments)
        except (OutOfTime, native.OutOfTime):
            self.cut = True
            if not self.clock.stop:
                self.clock.stop = self.watch.told or BY_CLOCK
            return _said_when_stopped(self.kernel)

    def in_time(self) -> "contextlib.AbstractContextManager[None]":
        """Within this block rules may find that time is over: then it ends, and the run is stopped."""
        return self.watch.in_time(self.clock)

    @property
    def prepared(self) -> Any:
        """The kernel as machine code, for another run; None where this one is interpreted."""
        return self._kernel if self.compiled else None

    def renew(self, *, trial: bool = False) -> None:
        """Begins to count anew, with memory that knows nothing; a `trial` gets few nodes and a small stack."""
        self._trial = trial
        nodes = self.limit.nodes
        stride = self.polls if self.compiled else self.polls_interpreted
        if trial:
            nodes = TRIAL_NODES if nodes is None else min(nodes, TRIAL_NODES)
            stride = min(stride, 64)
            self.clock.budget = TRIAL_STACK
        self.clock.endless = self.limit.depth is None
        self.watch.reset(self.clock, nodes, stride)
        if trial:
            self.clock.deadline = min(self.clock.deadline, now() + int(TRIAL_SECONDS * 1e9))
        self.path.taint = CLEAN
        if self.furnish is not None:
            self.memory = self.furnish(self)

    @contextlib.contextmanager
    def apart(self) -> Iterator[None]:
        """Within this block nodes are not counted, and limited in proportion to those before; the clock goes on."""
        clock, path, memory = self.clock, self.path, self.memory
        before = clock.nodes, clock.limit, clock.stop, clock.estimated, path.full_depth, path.taint
        if self.furnish is not None:
            self.memory = self.furnish(self)
        most = 10_000 + 4 * clock.nodes
        clock.limit = clock.nodes + (min(most, TRIAL_NODES) if self._trial else most)
        clock.next = min(clock.nodes + clock.stride, clock.limit)
        clock.estimated = False
        self.watch.resume(clock)
        try:
            yield
        finally:
            stopped, self.memory = clock.stop, memory
            clock.nodes, clock.limit, stop, clock.estimated, path.full_depth, path.taint = before
            clock.next = min(clock.nodes + clock.stride, clock.limit)
            clock.stop = stopped if stopped == BY_CLOCK or (self._trial and stopped) else stop
            if self.watch.told:
                clock.stop = self.watch.told

    @contextlib.contextmanager
    def at_most(self, nodes: int) -> Iterator[None]:
        """Within this block only so many more nodes; what runs into that limit is stopped, what comes after is not."""
        clock = self.clock
        limit = clock.limit
        clock.limit = min(limit, clock.nodes + nodes)
        clock.next = min(clock.next, clock.limit)
        try:
            yield
        finally:
            clock.limit = limit
            clock.next = min(clock.nodes + clock.stride, limit)
            if clock.stop == BY_NODES and clock.nodes < limit:
                self.watch.resume(clock)

    @property
    def nodes(self) -> int:
        """How many nodes the kernel has visited."""
        return int(self.clock.nodes)

    @property
    def stopped(self) -> int:
        """Why the kernel stopped early, or RUNNING."""
        return int(self.clock.stop)

    # --- what the rules raise -------------------------------------------------------------------------

    def explained(self, error: BaseException) -> BaseException:
        """What a search has raised, as the author of the rules wrote it, with the way there."""
        if isinstance(error, native.Overflowed):
            return self.fallen_back(
                f"at {error.place} a number leaves what 64 bits hold, where Python's ints have no end"
                if error.place is not None and error.place.line
                else "a number leaves what machine code holds, where Python's ints have no end"
            )
        if isinstance(error, native.Outgrown):
            where = f"at {error.place} " if error.place is not None and error.place.line else ""
            return self.fallen_back(
                f"{where}a text, a tuple, a set or a number beside None is larger than random plays showed"
            )
        if isinstance(error, native.EndlessLoop):
            where = f" in {error.place}" if error.place is not None and error.place.line else ""
            return RulesError(
                f"{type(self.game).__name__}: a loop{where} still ran when the search was long over: does it end?"
            )
        if isinstance(error, native.Failed):
            return self.raised()
        if not self.compiled:
            self.add_path(error)
        return error

    def fallen_back(self, reason: str) -> FellBackError:
        """Says that from now on the game runs interpreted, as its machine code cannot go on."""
        name = type(self.game).__name__
        native.interpret(self.game, reason)
        notices.once(f"{name} runs interpreted: {reason}")
        error = FellBackError(f"{name} runs interpreted from now on: {reason}. Search again")
        error.seconds = self.watch.seconds if self.watch.begun else 0.0
        return error

    def called(self) -> tuple[Any, list[str]]:
        """Where the kernel was called, and the names of the actions that lead there."""
        state, actions = self.approach
        names = names_of(self.game, state, actions)
        for action in actions:
            state = self.game.result(state, action)
        return state, list(names)

    def add_path(self, error: BaseException) -> None:
        """Tells where an interpreted search was: as deep as there are calls of the kernel on the stack."""
        calls = self.calls_in(error, self.kernel)
        if not calls:
            return
        state, names = self.called()
        places: Any = self.path.places
        for step in range(calls - 1):
            place = places.get(self._place(step), -1)
            actions = choices_at(self.game, state)
            if not 0 <= place < len(actions):
                break
            names.append(self.game.name_action(state, actions[place]))
            state = self.game.result(state, actions[place])
        self.note(error, names)

    def calls_in(self, error: BaseException, kernel: Any) -> int:
        """How many calls of a kernel there are behind an error."""
        trace, calls = error.__traceback__, 0
        while trace is not None:
            calls += trace.tb_frame.f_code is kernel.__code__
            trace = trace.tb_next
        return calls

    def note(self, error: BaseException, names: Sequence[str]) -> None:
        """Adds to an error the actions that led to it."""
        if names:
            error.add_note(f"in {type(self.game).__name__}, after {', '.join(names)}")

    def raised(self) -> Exception:
        """What the rules raise where machine code failed: the kernel's path is walked again, interpreted."""
        names: list[str] = []
        try:
            self.walk_again(names)
        except RulesError as error:
            return error
        except Exception as error:
            self.note(error, names)
            return error
        return self.fallen_back(
            "the compiled rules failed where the interpreted ones do not (`gametree check` compares the two)"
        )

    def walk_again(self, names: list[str]) -> None:
        """Asks the rules along the kernel's path whatever the kernel asks them; `names` tell how far it got."""
        game = self.game
        state, before = self.called()
        names += before
        for step in range(MAX_PLIES):
            if game.is_terminal(state):
                game.utility(state, 0)
                break
            actions = choices_at(game, state)
            if not actions:
                raise RulesError(
                    f"{type(game).__name__} has no actions in a state that is not terminal: {state!r}", names
                )
            primitives.estimate(game, state)
            for action in actions:
                child = game.result(state, action)
                if game.is_terminal(child):
                    game.utility(child, 0)
                else:
                    primitives.estimate(game, child)
            place = self._place(step)
            places = self.path.places
            index = int(places[place]) if 0 < place < len(places) else -1
            if not 0 <= index < len(actions):
                break
            names.append(game.name_action(state, actions[index]))
            state = game.result(state, actions[index])

    def _place(self, step: int) -> int:
        return self.start + self.stride * step


@functools.cache
def _said_when_stopped(kernel: Any) -> Any:
    """What a kernel returns when it was told to stop."""
    by_kind = 0 if kernel.__annotations__.get("return") in (int, "int") else math.nan
    return kernel.__globals__.get("STOPPED", by_kind)


def prepare(kernel: Any, game: Game, samples: Sequence[Any], insist: bool) -> Any:
    """The kernel compiled for a game; None, with one line that says why, where that is not possible."""
    reason = native.unavailable()
    if reason:
        if insist:
            raise CompileError(f'compile="always", but {reason}')
        return None
    try:
        return native.native(kernel, game, samples)
    except native.CannotCompile as error:
        name = type(game).__name__
        if insist:
            raise CompileError(f"{name} does not compile: {error.reason}") from None
        notices.once(f"{name} runs interpreted: {error.reason}")
        return None


def too_deep(game: Game) -> TooDeepError:
    """The message for a search that found no end."""
    name = type(game).__name__
    return TooDeepError(
        f"{name} has no end in sight: the game is too deep or goes in circles. Give a depth"
        f" (depth=8; {name} then needs `evaluate`) or end the game by a rule."
    )
