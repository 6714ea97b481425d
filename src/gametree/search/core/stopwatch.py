"""The stop-watch of a search: when it began, when it has to stop, and how it runs until then.

Every way of stopping goes through here: the seconds and the nodes of a limit, a wish from any thread, Ctrl-C. Whoever
searches looks at a clock (`kernel/clock.py`) whenever so many nodes have passed. A kernel has one for each of its
threads, a search without a kernel counts by the stop-watch's own; the stop-watch tells all of them.
"""

import contextlib
import functools
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any, Final, Protocol, Self, TypeVar

from gametree.compiled import native
from gametree.errors import TooDeepError
from gametree.game import Game
from gametree.kernel.clock import BY_CLOCK, BY_DRIVER, BY_NODES, RUNNING, UNLIMITED, Clock, expired, now, poll
from gametree.result import Limit, StoppedBy
from gametree.search.core.overtime import LATE, OutOfTime, expire, stand_in, wake_at
from gametree.search.core.watchdog import GRACE, watched

T = TypeVar("T")
LOOK_UP: Final = 16
"""How many nodes of a search without machine code pass between two looks at the clock."""
REPORT: Final = 100_000_000
"""Nanoseconds between two reports."""
WRAPPING_UP: Final = 0.003
"""Seconds of a limit that are kept for putting the result together."""
_FOREVER: Final = 1e9
"""Seconds that nobody waits."""
_STACKS: Final = (512 << 20, 128 << 20, 32 << 20)
TRIAL_NODES: Final = 20_000
TRIAL_STACK: Final = 1 << 19
TRIAL_SECONDS: Final = 0.02
_RECURSION: Final = (1 << 17) + 1000
"""Calls of Python functions: two a ply for as many plies as a search without a depth goes."""
TRIAL_GRACE: Final = 0.25
_spent = threading.local()
"""How long was searched before, on this thread."""
_listening = threading.local()
"""The wish that the searches of this thread hear."""
_stack_lock = threading.Lock()
_recursion_lock = threading.Lock()
_deep: list[int] = []
"""The recursion limits that interpreted searches under way found; the first one is restored by the last."""

STOPPED_BY: Final[dict[int, StoppedBy]] = {
    BY_NODES: "nodes",
    BY_CLOCK: "seconds",
    BY_DRIVER: "cancelled",
}


class StopWatch:
    """Says when a search has to stop, and why.

    >>> watch = StopWatch(Limit(nodes=2)).begin()
    >>> [watch.count() for _ in range(3)], watch.stopped_by
    ([True, True, False], 'nodes')
    """

    def __init__(self, limit: Limit, spare: float = 0.0):
        """`spare`: seconds of the limit that are kept for the result, or an eighth of the limit if that is less."""
        self.limit = limit
        self.spare = spare
        self.begun: int = 0
        """When the search began, by `clock.now`; 0 before."""
        self.told: int = RUNNING
        """Why somebody has told the search to stop, or RUNNING."""
        self.report: Callable[[], None] | None = None
        """Called now and then, where the search counts by the stop-watch."""
        self._told_at = UNLIMITED
        """When it was told."""
        self._until = UNLIMITED
        """When somebody wants it to stop."""
        self._reported = 0
        self._clocks: dict[int, Clock] = {}
        self._wake = threading.Event()
        self._rules: dict[int, tuple[Game, Game]] = {}
        """Games by their ids, each with its stand-in."""
        self._rung = UNLIMITED
        """When the alarm is going to ring."""
        wish: Wish | None = getattr(_listening, "wish", None)
        if wish is not None:
            wish.tell(self)

    # --- time -----------------------------------------------------------------------------------------

    def begin(self, *, aside: bool = False) -> Self:
        """From now on time counts, or from the call of the search on; `aside`: this is not what was called."""
        self._reported = now()
        before = 0
        if not aside:
            before, _spent.since = getattr(_spent, "since", 0), 0
        self.begun = (before or self._reported) - getattr(_spent, "nanoseconds", 0)
        self._tell()
        return self

    @contextlib.contextmanager
    def paused(self) -> Iterator[None]:
        """Within this block time does not count: compiling is not thinking."""
        since = now()
        try:
            yield
        finally:
            self.begun += now() - since
            self._tell()

    @property
    def seconds(self) -> float:
        """Since the beginning."""
        return (now() - self.begun) / 1e9

    @property
    def deadline(self) -> int:
        """When time is over."""
        seconds = self.limit.seconds
        if seconds is None or not self.begun:
            return self._until
        return min(self._until, self.begun + _nanoseconds(seconds - self._kept(seconds)))

    def _kept(self, seconds: float) -> float:
        return min(self.spare, seconds / 8)

    @property
    def end(self) -> int:
        """When it has to stop, as far as is known: when time is over, or when it was told to."""
        return min(self.deadline, self._told_at)

    @property
    def _patience(self) -> int:
        """When a loop in the rules has taken too long."""
        end = self.end
        return UNLIMITED if end == UNLIMITED else end + _nanoseconds(GRACE)

    # --- stopping -------------------------------------------------------------------------------------

    @property
    def cancelled(self) -> bool:
        """Whether somebody has told the search to stop."""
        return self.told != RUNNING

    def stop(self, reason: int = BY_DRIVER, *, after: float | None = None) -> None:
        """Ends the search, now or `after` so many seconds, of which the last wish counts; any thread may call it."""
        if after is not None and after > 0:
            self._until = now() + _nanoseconds(after)
        else:
            self.told = reason
            self._told_at = min(self._told_at, now())
        self._tell()
        self._wake.set()

    def _tell(self) -> None:
        deadline = self.deadline
        for clock in list(self._clocks.values()):
            clock.deadline = deadline
            clock.patience = self._patience
            if self.told:
                clock.stop = self.told
        self._set_alarm()

    # --- rules ----------------------------------------------------------------------------------------

    def rules(self, game: Game) -> Game:
        """The game as it is to be asked under this stop-watch: its rules raise `OutOfTime` when time is over."""
        known = self._rules.get(id(game))
        if known is not None and (known[0] is game or known[1] is game):
            return known[1]
        made = stand_in(game)
        if made is not game:
            self._rules[id(game)] = self._rules[id(made)] = game, made
            self._set_alarm()
        return made

    @contextlib.contextmanager
    def in_time(self, clock: Clock | None = None) -> Iterator[None]:
        """Within this block rules may find that time is over: then it ends, and the clock is stopped."""
        try:
            yield
        except OutOfTime:
            clock = self.clock if clock is None else clock
            if clock.stop == RUNNING:
                clock.stop = self.told or BY_CLOCK

    def _set_alarm(self) -> None:
        end = self.end
        if end < self._rung - LATE and (self._rules or self._clocks):
            self._rung = end + LATE
            wake_at(self, self._rung)

    def ring(self) -> int | None:
        """Time may be over: then no rule answers any more. Called on a thread of its own."""
        end = self.end + LATE
        if now() < end:
            self._rung = end
            return None if end >= UNLIMITED else end
        for clock in list(self._clocks.values()):
            clock.over = True
        for _, made in list(self._rules.values()):
            expire(made)
        return None

    def reset(self, clock: Clock, nodes: int | None, stride: int) -> None:
        """Sets a clock to 0, for so many nodes and with so many between two polls; it is told when to stop."""
        self._clocks[id(clock)] = clock
        clock.nodes = 0
        clock.limit = UNLIMITED if nodes is None else nodes
        clock.stride = stride
        clock.next = min(1, clock.limit)
        clock.estimated = False
        clock.deadline = self.deadline
        clock.patience = self._patience
        clock.over = False
        self._set_alarm()
        self.resume(clock)

    def resume(self, clock: Clock) -> bool:
        """Takes back that a clock has stopped; False where somebody has told the search to stop, be it meanwhile."""
        clock.stop = RUNNING
        if self.told:
            clock.stop = self.told
        return clock.stop == RUNNING

    # --- searches without a kernel --------------------------------------------------------------------

    @functools.cached_property
    def clock(self) -> Clock:
        """What a search without a kernel counts by."""
        clock = Clock.allocate(False)
        self.reset(clock, self.limit.nodes, LOOK_UP)
        clock.next = 0  # before anything is done, too
        return clock

    @property
    def nodes(self) -> int:
        """How many have been counted."""
        return self.clock.nodes

    @property
    def stopped_by(self) -> StoppedBy | None:
        """Why the search has to stop; None where it has not, or may go on after a part of it had to."""
        return STOPPED_BY.get(self.clock.stop)

    @stopped_by.setter
    def stopped_by(self, reason: StoppedBy | None) -> None:
        self.resume(self.clock)
        if reason is not None:
            self.clock.stop = next(number for number, name in STOPPED_BY.items() if name == reason)

    def count(self) -> bool:
        """Counts a node; False where the search has to stop instead."""
        clock = self.clock
        if clock.nodes == clock.next and (not self.look_up() or poll(clock)):
            return False
        clock.nodes += 1
        return True

    def add(self, nodes: int) -> None:
        """Counts nodes that somebody else has visited, no more than were left."""
        clock = self.clock
        clock.nodes += nodes
        clock.next = min(clock.nodes + clock.stride, max(clock.limit, clock.nodes))

    def look_up(self) -> bool:
        """Looks at the clock and reports now and then; False where the search has to stop."""
        clock = self.clock
        if clock.stop == RUNNING:
            clock.stop = expired(clock)
        if clock.stop == RUNNING and self.report is not None and now() - self._reported >= REPORT:
            self._reported = now()
            self.report()
        return clock.stop == RUNNING

    def left(self, **more: Any) -> Limit | None:
        """What is left of the limit, and no more than `more` says; None where nothing is."""
        clock, seconds, nodes = self.clock, self.limit.seconds, self.limit.nodes
        if self.told:
            return None
        if nodes is not None:
            nodes -= clock.nodes
        if seconds is not None:
            seconds -= self.seconds + self._kept(seconds)
        if (nodes is not None and nodes < 1) or (seconds is not None and seconds <= 0):
            clock.stop = clock.stop or (BY_NODES if nodes is not None and nodes < 1 else BY_CLOCK)
            return None
        given = {"seconds": seconds, "nodes": nodes, "depth": self.limit.depth}
        for name, most in more.items():
            given[name] = most if given[name] is None else min(given[name], most)
        return Limit(**given)  # type: ignore[arg-type]

    # --- waiting --------------------------------------------------------------------------------------

    def wait(self, work: Callable[[], None], clock: Clock) -> None:
        """Does work on a thread of its own and waits for it, hears Ctrl-C, and keeps the clock for those who cannot."""
        done = begin(work, clock, self._wake)
        try:
            while not done.is_set():
                deadline = self.deadline
                self._wake.wait(3600.0 if deadline == UNLIMITED else max(0.0, (deadline - now()) / 1e9))
                self._wake.clear()
                if now() >= deadline and not self.told:
                    self.stop(BY_CLOCK)
        except BaseException:
            self.stop()
            done.wait(1.0)
            raise


class Wish:
    """The wish that a search may end, for searches that are functions: any thread may have it.

    >>> wish = Wish()
    >>> wish.stop()
    >>> with wish.heard():
    ...     StopWatch(Limit()).begin().count()
    False
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._watches: list[StopWatch] = []
        self._made = False

    @contextlib.contextmanager
    def heard(self) -> Iterator[None]:
        """Within this block every search that this thread begins ends by the wish."""
        before = getattr(_listening, "wish", None)
        _listening.wish = self
        try:
            yield
        finally:
            _listening.wish = before
            self._watches.clear()

    def tell(self, watch: StopWatch) -> None:
        """Takes note of a stop-watch that is to hear of it."""
        with self._lock:
            self._watches.append(watch)
            if self._made:
                watch.stop()

    def stop(self) -> None:
        """Ends the searches under way, and those that begin."""
        with self._lock:
            self._made = True
            for watch in self._watches:
                watch.stop()


def _nanoseconds(seconds: float) -> int:
    return int(min(seconds, _FOREVER) * 1e9)


@contextlib.contextmanager
def counting() -> Iterator[None]:
    """The time of the next search of this thread counts from here on, whatever comes before it begins."""
    before = getattr(_spent, "since", 0)
    _spent.since = before or now()
    try:
        yield
    finally:
        _spent.since = before


@contextlib.contextmanager
def not_counting() -> Iterator[None]:
    """What is done within this block, before a search begins, does not count: compiling is not thinking."""
    since = now()
    try:
        yield
    finally:
        if getattr(_spent, "since", 0):
            _spent.since += now() - since


@contextlib.contextmanager
def spent(seconds: float) -> Iterator[None]:
    """Within this block every search of this thread begins as if it had gone on for so long."""
    _spent.nanoseconds = _nanoseconds(seconds)
    try:
        yield
    finally:
        _spent.nanoseconds = 0


# --- running ------------------------------------------------------------------------------------------


class Runnable(Protocol):
    """What runs under a stop-watch: a kernel with its clock."""

    game: Any
    compiled: bool
    watch: StopWatch
    clock: Any
    in_place: bool

    def renew(self, *, trial: bool = False) -> None:
        """Begins to count anew, with memory that knows nothing."""

    def explained(self, error: BaseException) -> BaseException:
        """What was raised, as the author of the rules wrote it."""


def execute(run: Runnable, procedure: Callable[[], T], *, repeatable: bool = True, few: bool = False) -> T:
    """Runs a procedure that calls a kernel, under the stop-watch of its run.

    A compiled search that is over within a millisecond does not need a thread: where the procedure is `repeatable`, it
    is tried in place with few nodes first; where its nodes are `few` anyway, it runs in place and is too deep where a
    small stack does not suffice.
    """
    if not run.watch.begun:
        run.watch.begin()
    try:
        return _executed(run, procedure, repeatable, few)
    except Exception as error:
        raise run.explained(error)  # noqa: B904


def _executed(run: Runnable, procedure: Callable[[], T], repeatable: bool, few: bool) -> T:
    if not run.compiled:
        with watched(type(run.game).__name__, lambda: run.watch.end):
            return _with_deep_recursion(procedure)
    small_stacks = threading.stack_size() != 0 and threading.current_thread() is not threading.main_thread()
    if few and not small_stacks:
        run.in_place = True
        run.clock.budget = TRIAL_STACK
        run.clock.patience = min(run.clock.patience, now() + _nanoseconds(10 * GRACE))
        return procedure()
    if repeatable and not small_stacks:
        run.renew(trial=True)
        run.clock.patience = min(run.clock.patience, now() + _nanoseconds(TRIAL_GRACE))
        with contextlib.suppress(TooDeepError, native.EndlessCalls, native.EndlessLoop):
            result = procedure()
            over = now() >= run.watch.end
            if run.clock.stop == RUNNING or run.clock.nodes == run.watch.limit.nodes or over:
                return result
        run.renew()
    return _on_thread(run, procedure)


def _on_thread(run: Runnable, procedure: Callable[[], T]) -> T:
    outcome: list[Any] = [None, None]

    def work() -> None:
        try:
            outcome[0] = procedure()
        except BaseException as error:  # handed over to the caller's thread
            outcome[1] = error

    run.watch.wait(work, run.clock)
    if outcome[1] is not None:
        raise outcome[1]
    return outcome[0]  # type: ignore[no-any-return]


def begin(work: Callable[[], None], clock: Clock, wake: threading.Event | None = None) -> threading.Event:
    """Runs work on a thread with a large stack, whose kernel goes by a clock; the event tells when it is over."""
    done = threading.Event()

    def guarded() -> None:
        try:
            work()
        finally:
            done.set()
            if wake is not None:
                wake.set()

    for size in _STACKS:
        clock.budget = size // 8 * 7
        with _stack_lock:
            before = threading.stack_size(size)
            try:
                threading.Thread(target=guarded, daemon=True, name="gametree search").start()
                break
            except RuntimeError:
                if size == _STACKS[-1]:
                    raise
            finally:
                threading.stack_size(before)
    return done


def _with_deep_recursion(procedure: Callable[[], T]) -> T:
    """Runs a procedure with room for deep recursion; the limit belongs to the process, so threads take turns."""
    with _recursion_lock:
        _deep.append(sys.getrecursionlimit())
        sys.setrecursionlimit(max(_deep[0], _RECURSION))
    try:
        return procedure()
    finally:
        with _recursion_lock:
            before = _deep[0]
            _deep.pop()
            if not _deep:
                sys.setrecursionlimit(before)
