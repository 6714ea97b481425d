"""Tasks, whoever carries them out: here, processes of this machine, any executor, a cluster.

Results come in the order of the tasks, and so the answer does not depend on who was faster. Tasks that take a moment
are given out together, so that what is given out takes a tenth of a second and more. What carries tasks out is made
once in every process (`Setting.open`); tasks and results are plain data, as JSON has it.
"""

import contextlib
import hashlib
import json
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import CancelledError, Executor, Future
from concurrent.futures import wait as wait_for
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, Protocol

from gametree.arguments import whole
from gametree.errors import GametreeError, InputError
from gametree.jobs.parcel import Parcel
from gametree.jobs.pool import MOST_DEATHS, Pool, TaskKilled
from gametree.jobs.store import Store

BATCH_SECONDS: Final = 0.1
MOST_TOGETHER: Final = 1_000
AHEAD: Final = 3
"""So many batches wait for each process, so that none is ever idle."""

Result = dict[str, Any]
Bench = Callable[[Any], Result]
"""What carries tasks out."""


class Setting(Protocol):
    """What all tasks of a run have in common. It can be sent to other processes."""

    def open(self) -> Bench:
        """Makes what carries the tasks out; once in every process, and thread."""
        ...


@dataclass(frozen=True)
class Task:
    """Something to be done, independent of all others."""

    name: str
    """What it is called in messages: "pair 12"."""
    payload: Any
    """What is to be done, as plain data."""

    @property
    def hash(self) -> str:
        """The same for the same task in every process."""
        text = json.dumps(self.payload, sort_keys=True, ensure_ascii=False)
        return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


@dataclass(frozen=True)
class Done:
    """A task and what came of it; `result` is None where it was given up, and `trouble` says why."""

    task: Task
    result: Result | None
    trouble: str = ""
    fresh: bool = True
    """Whether it was carried out now, and not read from a file."""


class Gone(GametreeError):
    """Nobody is there any more to carry tasks out. What was finished is kept."""


@dataclass(eq=False)
class _Entry:
    """A task on its way."""

    task: Task
    done: Done | None = None


@dataclass(eq=False)
class _Batch:
    entries: list[_Entry]
    future: "Future[Any]"
    alone: bool = False
    """Whether nothing else was given out at the same time."""


def spread(
    setting: Setting,
    tasks: Iterable[Task],
    *,
    jobs: int = 1,
    executor: Any = None,
    store: Store | None = None,
) -> Generator[Done, None, None]:
    """The results of tasks, in their order; what `store` knows is not done again.

    With `executor`, any of `concurrent.futures` or alike, that carries them out; a client of Dask does, too. Else
    `jobs` processes do, or with one job this one. Whoever has heard enough closes the iterator.

    >>> class Squares:
    ...     def open(self): return lambda number: {"square": number * number}
    >>> [one.result["square"] for one in spread(Squares(), (Task(f"number {n}", n) for n in range(4)))]
    [0, 1, 4, 9]
    """
    whole("jobs", jobs, "the number of processes, at least 1")
    if executor is None and jobs == 1:
        yield from _here(setting, tasks, store)
        return
    if hasattr(executor, "get_executor"):
        executor = executor.get_executor(pure=False)
    elif executor is not None and not callable(getattr(executor, "submit", None)):
        raise InputError(
            f"executor={executor!r} is none: give one of concurrent.futures, a gt.Cluster or a client of Dask"
        )
    own = Pool(jobs) if executor is None else None
    spreader = _Spreader(own or executor, Parcel.of(setting), store, jobs)
    try:
        yield from spreader.run(tasks)
    finally:
        spreader.cancel()
        if own is not None:
            own.shutdown(cancel_futures=True)


def _here(setting: Setting, tasks: Iterable[Task], store: Store | None) -> Iterator[Done]:
    bench: Bench | None = None
    try:
        for task in tasks:
            known = None if store is None else store.results.get(task.hash)
            if known is None:
                bench = bench or setting.open()
                result = bench(task.payload)
            else:
                result = known
            if store is not None:
                store.add(task.hash, result)
            yield Done(task, result, fresh=known is None)
    finally:
        close(bench)


def close(bench: Any) -> None:
    """Ends what carried tasks out, where it has processes of its own."""
    end = getattr(bench, "close", None)
    if end is not None:
        end()


class _Spreader:
    """Gives tasks out and puts the results into their order."""

    def __init__(self, executor: Executor, parcel: Parcel, store: Store | None, jobs: int):
        self.executor = executor
        self.parcel = parcel
        self.store = store
        self.jobs = jobs
        self._entries: deque[_Entry] = deque()
        self._batches: list[_Batch] = []
        self._suspects: deque[_Entry] = deque()
        """Tasks that were given to processes that died, where it is not known of which task."""
        self._source_is_empty = False
        self._seconds: float | None = None
        """How long a task takes, about."""

    @property
    def workers(self) -> int:
        count = getattr(self.executor, "workers", None) or getattr(self.executor, "_max_workers", None)
        return count if isinstance(count, int) and count > 0 else max(self.jobs, os.cpu_count() or 1)

    def run(self, tasks: Iterable[Task]) -> Iterator[Done]:
        source = iter(tasks)
        while True:
            self._give_out(source)
            while self._entries and self._entries[0].done is not None:
                yield self._next()
            if not self._entries and self._source_is_empty:
                return
            if self._batches:
                self._collect()

    def cancel(self) -> None:
        """Nobody waits for what is still to be done."""
        for batch in self._batches:
            batch.future.cancel()

    def _next(self) -> Done:
        done = self._entries.popleft().done
        assert done is not None
        if self.store is not None and done.result is not None:
            self.store.add(done.task.hash, done.result)
        return done

    def _together(self) -> int:
        """How many tasks make a batch."""
        if self._seconds is None:
            return 1
        return max(1, min(MOST_TOGETHER, int(BATCH_SECONDS / max(self._seconds, 1e-9) + 1)))

    def _give_out(self, source: Iterator[Task]) -> None:
        if self._suspects:  # one at a time, and nothing else: then it is known which one it was
            if not self._batches:
                self._submit([self._suspects.popleft()], alone=True)
            return
        # Until it is known how long one takes, only what keeps everybody busy.
        most = self.workers * (AHEAD if self._seconds is not None else 1)
        while len(self._batches) < most and len(self._entries) < most * self._together() * 4:
            fresh: list[_Entry] = []
            end = True
            for task in islice(source, self._together()):
                end = False
                known = None if self.store is None else self.store.results.get(task.hash)
                entry = _Entry(task, None if known is None else Done(task, known, fresh=False))
                self._entries.append(entry)
                if entry.done is None:
                    fresh.append(entry)
            if fresh:
                self._submit(fresh)
            if end:
                self._source_is_empty = True
                return

    def _submit(self, entries: list[_Entry], alone: bool = False) -> None:
        try:
            future = self.executor.submit(perform, self.parcel, [entry.task.payload for entry in entries])
        except Exception as error:
            raise _gone(error) from error
        self._batches.append(_Batch(entries, future, alone))

    def _collect(self) -> None:
        """Waits for a batch to be finished."""
        done, _ = wait_for([batch.future for batch in self._batches], return_when="FIRST_COMPLETED")
        ready = [batch for batch in self._batches if batch.future in done]
        # What went well first: it is kept, whatever ends the run.
        for batch in sorted(
            ready, key=lambda one: one.future.cancelled() or one.future.exception() is not None
        ):
            self._batches.remove(batch)
            try:
                seconds, results = batch.future.result()
            except (Exception, CancelledError) as error:
                self._failed(batch, error)
                continue
            each = seconds / len(batch.entries)
            self._seconds = each if self._seconds is None else 0.8 * self._seconds + 0.2 * each
            for entry, result in zip(batch.entries, results, strict=True):
                entry.done = Done(entry.task, result)
                if self.store is not None and entry is not self._entries[0]:
                    self.store.keep(entry.task.hash, result)

    def _failed(self, batch: _Batch, error: Exception) -> None:
        if not _killed(error):
            raise _gone(error) from error
        exact = isinstance(error, TaskKilled)
        if (
            len(batch.entries) > 1 and exact
        ):  # one of them did it; which one is found by giving them out alone
            for entry in batch.entries:
                self._submit([entry])
        elif not exact and not batch.alone:  # it may have been one that waited for the same worker
            self._suspects.extend(batch.entries)
        else:
            (entry,) = batch.entries
            why = str(error) if exact else f"{MOST_DEATHS} workers died of it"
            entry.done = Done(entry.task, None, f"{entry.task.name} was given up: {why}")


def _killed(error: Exception) -> bool:
    """Whether what was given out ends whoever carries it out. Dask calls it by a name of its own."""
    return isinstance(error, TaskKilled) or type(error).__name__ == "KilledWorker"


_LOST: Final = (
    "BrokenProcessPool",
    "BrokenExecutor",
    "CancelledError",
    "FutureCancelledError",
    "CommClosedError",
)


def _gone(error: Exception) -> Exception:
    """What is raised where nothing more will come; what tasks raise themselves is passed on."""
    if type(error).__name__ in _LOST or isinstance(error, (ConnectionError, RuntimeError)):
        return Gone(
            f"nobody is there any more to carry tasks out ({type(error).__name__}: {error}); what was finished is kept,"
            " and the same command goes on from there"
        )
    return error


# --- where tasks are carried out --------------------------------------------------------------------

_KEPT: Final = 4
_here_open = threading.local()


def perform(parcel: Parcel, payloads: list[Any]) -> tuple[float, list[Result]]:
    """Carries out a batch, in whatever process and thread; how long it took, and the results."""
    bench = _bench(parcel)
    began = time.perf_counter()
    results = [bench(payload) for payload in payloads]
    return time.perf_counter() - began, results


def _bench(parcel: Parcel) -> Bench:
    """Made once in every thread: what carries tasks out need not be prepared for several at a time."""
    benches: dict[str, Bench] = _here_open.__dict__.setdefault("benches", {})
    name = parcel.digest
    if name not in benches:
        while len(benches) >= _KEPT:
            with contextlib.suppress(Exception):
                close(benches.pop(next(iter(benches))))
        benches[name] = parcel.open().open()
    return benches[name]
