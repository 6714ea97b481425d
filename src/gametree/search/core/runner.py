"""Running a kernel: compiled on a thread of its own or interpreted in place, with a clock and a way to stop.

A kernel is a module-level function `kernel(game, state, …, clock, path)`. Interpreted, it is called as it is.
Compiled, it runs without the GIL on a thread with a large stack and looks at the clock itself, while the calling
thread waits, hears Ctrl-C and keeps the clock as well, for what is not the kernel's work; both talk through `Clock`.
"""

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from gametree.compiled import native, notices
from gametree.errors import CompileError, RulesError, TooDeepError
from gametree.game import Game, names_of
from gametree.kernel import primitives
from gametree.kernel.clock import UNLIMITED, Clock, Ledger, poll
from gametree.kernel.memory import is_block
from gametree.result import Limit, StoppedBy
from gametree.search.core.plays import choices_at
from gametree.search.core.repetition import Past, Path

T = TypeVar("T")
MAX_PLIES = 1 << 16
"""A search without a depth gives up after so many plies."""
_STACKS = (512 << 20, 128 << 20, 32 << 20)
_TRIAL_NODES = 20_000
_TRIAL_STACK = 1 << 19
WRAPPING_UP = 0.003
"""Seconds of a limit that are kept for putting the result together, or an eighth of the limit if that is less."""
_stack_lock = threading.Lock()
_recursion_lock = threading.Lock()
_deep: list[int] = []
"""The recursion limits that interpreted searches under way found; the first one is restored by the last."""

STOPPED_BY: dict[int, StoppedBy] = {
    primitives.BY_NODES: "nodes",
    primitives.BY_CLOCK: "seconds",
    primitives.BY_DRIVER: "cancelled",
}


class Run:
    """One search under way: a kernel for a game, its ledger, its clock."""

    def __init__(
        self,
        kernel: Any,
        game: Game,
        limit: Limit,
        compile: str,
        samples: Sequence[Any] = (),
        room: int = 0,
        furnish: Callable[[Any], Any] | None = None,
        prepared: Any = ...,
        past: Past | None = None,
    ):
        """`prepared`: what `prepare` gave, where it was called before.

        `room`: how many words follow the ledger proper; `furnish` writes what every new one has to have.
        """
        self.game = game
        self.kernel = kernel
        self.limit = limit
        self.deadline: float = float("inf")
        self.room = room
        self.furnish = furnish
        self.past = past
        self._takes_clock = any(
            is_block(note) and issubclass(note, Clock) for note in kernel.__annotations__.values()
        )
        if prepared is ...:
            prepared = None if compile == "never" else prepare(kernel, game, samples, compile == "always")
        self._native = prepared
        self.compiled: bool = self._native is not None
        self.new_ledger(limit.nodes)

    def new_ledger(self, nodes: int | None) -> None:
        """Starts to count anew; a clock that has stopped the run stays stopped."""
        stride = 16 if not self.compiled else 64 if self._trial else 1024
        limit = UNLIMITED if nodes is None else nodes
        if self._trial:
            limit = min(limit, _TRIAL_NODES)
        entries = [0] * primitives.LEDGER_SIZE
        entries[primitives.NEXT] = min(stride, limit)
        entries[primitives.LIMIT] = limit
        entries[primitives.STRIDE] = stride
        entries[primitives.ENDLESS] = int(self.limit.depth is None)
        if self.compiled:
            import numpy as np

            entries[primitives.BUDGET] = _TRIAL_STACK if self._trial else self._budget
            self.ledger: Any = np.zeros(len(entries) + self.room, dtype=np.int64)
            self.ledger[: len(entries)] = entries
            clock: Any = Clock.allocate(True)
            clock.ints = self.ledger.data
            clock.address = self.ledger.ctypes.data
            self.clock: Any = clock
            places: Any = np.empty(MAX_PLIES + 2, dtype=np.int64)
            places[:64] = 0
        else:
            self.clock = self.ledger = Ledger([*entries, *[0] * self.room])
            places = {}
        self._set_clock()
        if self.past is None:
            self.path: Path = Path.allocate(self.compiled, places=places)
        else:
            self.path = self.past.path(places, self.compiled)
        if self.furnish is not None:
            self.memory = self.furnish(self.ledger)
        # Told to stop while the ledger was being changed: whoever told it may have seen the old one only.
        if self._halted:
            self.clock.stop = self._halted

    def _set_clock(self) -> None:
        """Tells the ledger when to stop: machine code reads the clock itself where it can."""
        never = self.deadline == float("inf")
        self.clock.deadline = UNLIMITED if never else int(self.deadline * 1e9)

    @contextlib.contextmanager
    def apart(self) -> Iterator[None]:
        """Within this block nodes are not counted, and limited in proportion to those before; the clock goes on."""
        clock, ledger, path, memory = self.clock, self.ledger, self.path, self.memory
        self.new_ledger(10_000 + 4 * self.nodes)
        self.clock.endless = clock.endless
        self.path.full_depth = path.full_depth
        try:
            yield
        finally:
            if self._trial and self.stopped != primitives.RUNNING:
                clock.stop = self.stopped
            if self.stopped == primitives.BY_CLOCK:
                clock.stop = primitives.BY_CLOCK
            self.clock, self.ledger, self.path, self.memory = clock, ledger, path, memory
            if self._halted:
                self.clock.stop = self._halted

    @contextlib.contextmanager
    def at_most(self, nodes: int) -> Iterator[None]:
        """Within this block only so many more nodes; what runs into that limit is stopped, what comes after is not."""
        clock = self.clock
        limit = clock.limit
        clock.limit = min(limit, self.nodes + nodes)
        clock.next = min(clock.next, clock.limit)
        try:
            yield
        finally:
            clock.limit = limit
            clock.next = min(self.nodes + clock.stride, limit)
            if self.stopped == primitives.BY_NODES and self.nodes < limit:
                clock.stop = self._halted

    @property
    def nodes(self) -> int:
        """How many nodes the kernel has visited."""
        return int(self.clock.nodes)

    def count(self) -> bool:
        """Counts a node that the driver visits itself; False when told to stop."""
        clock = self.clock
        if clock.nodes == clock.next and self._poll():
            return False
        clock.nodes += 1
        return True

    def _poll(self) -> bool:
        clock = self.clock
        if self._native is None:
            return poll(clock)
        if clock.stop == primitives.RUNNING and clock.nodes >= clock.limit:
            clock.stop = primitives.BY_NODES
        step = clock.nodes + clock.stride
        clock.next = min(step, clock.limit)
        return bool(clock.stop != primitives.RUNNING)

    @property
    def stopped(self) -> int:
        """Why the kernel stopped early, or RUNNING."""
        return int(self.clock.stop)

    def call(self, state: Any, *arguments: Any) -> Any:
        """The kernel's result at a state; an exception in the rules surfaces as their author wrote it."""
        if self._native is None:
            try:
                return self.kernel(self.game, state, *arguments, self._shared, self.path)
            except Exception as error:
                self._add_path(error, state)
                raise
        try:
            return self._native(state, *arguments, self._shared, self.path)
        except native.Failed:
            self.explain_failure(state)
            raise

    @property
    def _shared(self) -> Any:
        return self.clock if self._takes_clock else self.ledger

    def execute(
        self,
        procedure: Callable[[], T],
        repeatable: bool = True,
        begun: float | None = None,
        few: bool = False,
    ) -> T:
        """Runs a procedure that calls the kernel, under the limit's clock, which may have `begun` before.

        A compiled search that is over within a millisecond does not need a thread: where the procedure is
        `repeatable`, it is tried in place with few nodes first; where its nodes are `few` anyway, it runs in place
        and is too deep where a small stack does not suffice.
        """
        if self.limit.seconds is not None:
            seconds = self.limit.seconds - min(self.wrapping_up, self.limit.seconds / 8)
            self.deadline = (time.perf_counter() if begun is None else begun) + seconds
            self._set_clock()
        if self._native is None:
            return _with_deep_recursion(procedure)
        small_stacks = (
            threading.stack_size() != 0 and threading.current_thread() is not threading.main_thread()
        )
        if few and not small_stacks:
            self.in_place = True
            self._budget = self.clock.budget = _TRIAL_STACK
            return procedure()
        if repeatable and not small_stacks:
            done = self._in_place(procedure)
            if done:
                return done[0]
        return self._on_thread(procedure)

    def _in_place(self, procedure: Callable[[], T]) -> tuple[T] | None:
        endless = self.clock.endless
        self._trial = True
        self.new_ledger(self.limit.nodes)
        self.clock.endless = endless
        try:
            result = procedure()
            whole = self.stopped == primitives.RUNNING or self.nodes == self.limit.nodes
        except TooDeepError:
            whole = False
        finally:
            self._trial = False
        if whole:
            return (result,)
        self.new_ledger(self.limit.nodes)
        self.clock.endless = endless
        return None

    def stop(self, reason: int) -> None:
        """Tells the run to stop; it may be another thread's."""
        self._halted = reason
        self.clock.stop = reason

    def _on_thread(self, procedure: Callable[[], T]) -> T:
        outcome: list[Any] = [None, None]

        def work() -> None:
            try:
                outcome[0] = procedure()
            except BaseException as error:  # handed over to the caller's thread
                outcome[1] = error

        done = self.begin(work)
        try:
            while not done.wait(self._patience()):
                if time.perf_counter() >= self.deadline:
                    self.stop(primitives.BY_CLOCK)
                    self.deadline = float("inf")
        except BaseException:
            self.stop(primitives.BY_DRIVER)
            done.wait(1.0)
            raise
        if outcome[1] is not None:
            raise outcome[1]
        return outcome[0]  # type: ignore[no-any-return]

    def _patience(self) -> float | None:
        if self.deadline == float("inf"):
            return 3600.0
        return max(0.0, self.deadline - time.perf_counter())

    def begin(self, work: Callable[[], None]) -> threading.Event:
        """Runs `work` on a thread with a large stack; the event tells when it is over."""
        done = threading.Event()

        def guarded() -> None:
            try:
                work()
            finally:
                done.set()

        self._start(guarded)
        return done

    def _start(self, work: Callable[[], None]) -> None:
        for size in _STACKS:
            self._budget = size // 8 * 7
            self.clock.budget = self._budget
            with _stack_lock:
                before = threading.stack_size(size)
                try:
                    threading.Thread(target=work, daemon=True, name="gametree search").start()
                    return
                except RuntimeError:
                    if size == _STACKS[-1]:
                        raise
                finally:
                    threading.stack_size(before)

    def _approach_names(self) -> list[str]:
        """The names of the actions that the driver itself played before it called the kernel."""
        return list(names_of(self.game, *self.approach))

    def _add_path(self, error: Exception, state: Any) -> None:
        """Tells where an interpreted search was: as deep as there are calls of the kernel on the stack."""
        trace, calls = error.__traceback__, 0
        while trace is not None:
            calls += trace.tb_frame.f_code is self.kernel.__code__
            trace = trace.tb_next
        names = self._approach_names()
        places: Any = self.path.places
        for step in range(calls - 1):
            place = places.get(self._place(step), -1)
            actions = choices_at(self.game, state)
            if not 0 <= place < len(actions):
                break
            names.append(self.game.name_action(state, actions[place]))
            state = self.game.result(state, actions[place])
        if names:
            error.add_note(f"in {type(self.game).__name__}, after {', '.join(names)}")

    def explain_failure(self, root: Any) -> None:
        """Walks the kernel's path again, interpreted, until the rules raise what they raised."""
        state, names = root, self._approach_names()
        game = self.game
        try:
            for step in range(MAX_PLIES):
                if game.is_terminal(state):
                    game.utility(state, 0)
                    break
                actions = choices_at(game, state)
                if not actions:
                    raise RulesError(
                        f"{type(game).__name__} has no actions in a state that is not terminal: {state!r}",
                        names,
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
        except GeneratorExit:
            raise
        except RulesError:
            raise
        except Exception as error:
            if names:
                error.add_note(f"in {type(game).__name__}, after {', '.join(names)}")
            raise
        raise self.foreign(names)

    def foreign(self, names: Sequence[str]) -> RulesError:
        """What to say where only machine code fails."""
        return RulesError(
            f"the compiled rules of {type(self.game).__name__} failed where the interpreted ones do not;"
            ' `gametree check` compares the two, compile="never" avoids it',
            names,
        )

    memory: Any = None
    """What the kernel keeps besides, as `furnish` gave it for the clock under way."""
    approach: tuple[Any, list[Any]] = (None, [])
    """A state, and the actions that the driver played from there before it called the kernel."""
    _halted = primitives.RUNNING
    wrapping_up = WRAPPING_UP
    """Seconds of the limit that are kept for the result."""
    in_place: bool = False
    """Runs on the caller's own stack, which may be a small one."""
    _trial = False
    _budget = 0
    start = 0
    """Where in `path` the place of the first action of the kernel call under way is."""
    stride = -1
    """Where the next one is: textbook kernels count the depth that remains, the engine plies from the root."""

    def _place(self, step: int) -> int:
        return self.start + self.stride * step


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


def _with_deep_recursion(procedure: Callable[[], T]) -> T:
    """Runs a procedure with room for deep recursion; the limit belongs to the process, so threads take turns."""
    with _recursion_lock:
        _deep.append(sys.getrecursionlimit())
        sys.setrecursionlimit(max(_deep[0], MAX_PLIES * 2 + 1000))
    try:
        return procedure()
    finally:
        with _recursion_lock:
            before = _deep[0]
            _deep.pop()
            if not _deep:
                sys.setrecursionlimit(before)


def too_deep(game: Game) -> TooDeepError:
    """The message for a search that found no end."""
    name = type(game).__name__
    return TooDeepError(
        f"{name} has no end in sight: the game is too deep or goes in circles. Give a depth"
        f" (depth=8; {name} then needs `evaluate`) or end the game by a rule."
    )
