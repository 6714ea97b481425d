"""Processes of this machine that carry out calls. One that dies is replaced, and its call is given out again.

`Pool` is an executor as in `concurrent.futures`. The one that Python has is broken for good when one of its processes
dies. Here a call that has taken two processes with it is given up (`TaskKilled`), and all others are carried out.
Processes are spawned, never forked: a fork of a process with threads may hang. They end with the process that made
them, however that ends, and leave Ctrl-C to it.
"""

import contextlib
import os
import pickle
import queue
import signal
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from multiprocessing import connection, get_context
from typing import Any, Final

from gametree.arguments import whole
from gametree.errors import GametreeError

MOST_DEATHS: Final = 2
"""A call is given up when so many processes have died of it."""
STILLBORN: Final = 3
"""So many processes in a row that end before they are ready say that none will ever be."""
KILLED: Final = 50
"""So many where others have ended them: that may happen to any, but not to so many in a row."""


class TaskKilled(GametreeError):
    """A call has taken processes with it, and is given up."""


@dataclass(eq=False)
class _Call:
    data: bytes
    future: "Future[Any]"
    deaths: int = 0


@dataclass(eq=False)
class _Worker:
    process: Any
    pipe: "connection.Connection[Any, Any]"
    call: _Call | None = None
    ready: bool = False


class Pool(Executor):
    """So many processes.

    >>> with Pool(1) as pool:
    ...     pool.submit(abs, -3).result()
    3
    """

    def __init__(self, jobs: int):
        self._max_workers: int = whole("jobs", jobs, "the number of processes, at least 1")
        self._calls: queue.SimpleQueue[_Call | None] = queue.SimpleQueue()
        self._waiting: deque[_Call] = deque()
        self._workers: list[_Worker] = []
        self._wake_out, self._wake_in = os.pipe()
        self._closing = False
        self._ended = False
        self._cancelled = False
        self._stillborn = 0
        self.replaced: int = 0
        """How many processes have died and were replaced."""
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="gametree pool", daemon=True)
        for _ in range(self._max_workers):
            self._hire()
        self._thread.start()

    @property
    def pids(self) -> list[int]:
        """The processes that there are at the moment."""
        return [one.process.pid for one in list(self._workers)]

    def __exit__(self, kind: Any, *_: Any) -> None:
        self.shutdown(cancel_futures=kind is not None)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        """Has a call carried out by one of the processes."""
        with self._lock:
            if self._closing or self._ended:
                raise RuntimeError("the pool is closed: it takes no more calls")
            future: Future[Any] = Future()
            self._calls.put(_Call(pickle.dumps((fn, args, kwargs)), future))
            self._wake()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Ends the processes, after what was asked for, or with `cancel_futures` at once."""
        with self._lock:
            self._closing = True
            self._cancelled |= cancel_futures
            if not self._ended:
                self._wake()
        if wait:
            self._thread.join()

    def _wake(self) -> None:
        os.write(self._wake_in, b"x")

    # --- the thread that hands out ------------------------------------------------------------------

    def _hire(self) -> None:
        context = get_context("spawn")
        ours, theirs = context.Pipe()
        # No daemon: a player may be a process of its own. `_watch` ends it with this one.
        process = context.Process(target=_work, args=(theirs,), name="gametree worker")
        process.start()
        theirs.close()
        self._workers.append(_Worker(process, ours))

    def _run(self) -> None:
        try:
            while not self._over():
                self._give_out()
                self._hear()
        except BaseException as error:
            self._fail(error)
            if not isinstance(error, GametreeError):  # whoever waits hears of it; that is enough
                raise
        finally:
            with self._lock:
                self._ended = True
            self._end()

    def _over(self) -> bool:
        while not self._calls.empty():
            call = self._calls.get()
            if call is not None:
                self._waiting.append(call)
        if self._cancelled:
            for call in self._waiting:
                call.future.cancel()
            self._waiting.clear()
            return self._closing
        return self._closing and not self._waiting and all(one.call is None for one in self._workers)

    def _give_out(self) -> None:
        for one in self._workers:
            while one.ready and one.call is None and self._waiting:
                call = self._waiting.popleft()
                if call.deaths or call.future.set_running_or_notify_cancel():
                    one.call = call
                    with contextlib.suppress(OSError):  # its death is noticed where its answers are read
                        one.pipe.send_bytes(call.data)

    def _hear(self) -> None:
        ways: list[Any] = [one.pipe for one in self._workers]
        ready = connection.wait([*ways, self._wake_out])
        if self._wake_out in ready:
            os.read(self._wake_out, 4096)
        for one in list(self._workers):
            if one.pipe in ready:
                try:
                    self._answered(one, pickle.loads(one.pipe.recv_bytes()))
                except (EOFError, OSError):
                    self._died(one)

    def _answered(self, one: _Worker, answer: Any) -> None:
        if answer is None:
            one.ready, self._stillborn = True, 0
            return
        call, one.call = one.call, None
        assert call is not None
        good, found = answer
        if good:
            call.future.set_result(found)
        else:
            call.future.set_exception(found)

    def _died(self, one: _Worker) -> None:
        self._workers.remove(one)
        one.pipe.close()
        one.process.join()
        code = one.process.exitcode
        self.replaced += 1
        if not one.ready:
            self._stillborn += 1
            if self._stillborn >= (KILLED if code is not None and code < 0 else STILLBORN):
                raise GametreeError(
                    f"processes end as soon as they are started (code {code}): under Windows and macOS, and in a script"
                    ' of your own, begin with if __name__ == "__main__":'
                )
        call = one.call
        if call is not None:
            call.deaths += 1
            if call.deaths >= MOST_DEATHS:
                call.future.set_exception(
                    TaskKilled(f"{call.deaths} processes died of it, the last one with code {code}")
                )
            else:
                self._waiting.appendleft(call)
        self._hire()

    def _fail(self, error: BaseException) -> None:
        """Nothing more will come: whoever waits hears of it."""
        with self._lock:
            self._ended = True
        self._over()
        for call in [*self._waiting, *(one.call for one in self._workers if one.call is not None)]:
            if not call.future.done():
                call.future.set_exception(error)

    def _end(self) -> None:
        for one in self._workers:
            if one.call is not None:
                one.process.kill()
                if not one.call.future.done():
                    one.call.future.set_exception(GametreeError("the pool was closed"))
            one.pipe.close()
        for one in self._workers:
            one.process.join(5)
            if one.process.is_alive():
                one.process.kill()
                one.process.join()
            one.process.close()
        os.close(self._wake_in)
        os.close(self._wake_out)


# --- in the processes -------------------------------------------------------------------------------


def _work(pipe: "connection.Connection[Any, Any]") -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_watch, daemon=True, name="gametree parent").start()
    try:
        pipe.send_bytes(pickle.dumps(None))
        while True:
            pipe.send_bytes(_answer(pipe.recv_bytes()))
    except (EOFError, OSError):  # nobody is there any more
        _leave()


def _answer(data: bytes) -> bytes:
    try:
        function, given, named = pickle.loads(data)
        return pickle.dumps((True, function(*given, **named)))
    except BaseException as error:
        try:
            found = pickle.dumps((False, error))
            pickle.loads(found)
        except Exception:
            found = pickle.dumps((False, GametreeError(f"{type(error).__name__}: {error}")))
        return found


def _watch() -> None:
    """Ends this process with the one that made it, whatever it is doing."""
    from multiprocessing import parent_process

    parent = parent_process()
    assert parent is not None
    parent.join()
    _leave()


def _leave() -> Any:
    os._exit(0)
