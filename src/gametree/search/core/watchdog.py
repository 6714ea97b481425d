"""Rules that do not come back: a call that runs on and on, long after the time was over, is interrupted.

Interpreted rules run on the thread of whoever searches, which cannot look at the clock meanwhile. Another thread looks
now and then at what is under way there. Where one and the same call of the rules has run all the time since a search
should have ended, and GRACE seconds more, it raises `Overdue` within it. Machine code looks at the time by itself.
"""

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any, Final

from gametree.errors import RulesError
from gametree.kernel.clock import UNLIMITED, now

GRACE: Final = 2.0
"""Seconds that a call of the rules may go on when the time is over."""
_LOOK: Final = 0.2
"""Seconds between two looks."""
_HOME: Final = str(Path(__file__).parents[2])
"""Where code of ours lies; games that are shipped are rules like others."""
_GAMES: Final = str(Path(_HOME) / "games")


class Overdue(BaseException):
    """Raised within rules that do not come back; no `except Exception` of theirs stops it."""


class _Watched:
    """A thread that searches."""

    def __init__(self, end: Callable[[], int], grace: float):
        self.thread = threading.get_ident()
        self.end = end
        self.grace = int(grace * 1e9)
        self.call: FrameType | None = None
        """The call of the rules that was under way at the last look."""
        self.since = 0
        self.raised = False


_lock = threading.Lock()
_wake = threading.Event()
_watched: list[_Watched] = []
_watching: list[threading.Thread] = []
_resting: list[bool] = []
"""Whether the watchdog sleeps until somebody searches: to wake it takes longer than a small search."""


@contextlib.contextmanager
def watched(name: str, end: Callable[[], int], grace: float = GRACE) -> Iterator[None]:
    """Within this block a call of the rules of `name` ends `grace` seconds after `end` at the latest, in an error."""
    one = _Watched(end, grace)
    with _lock:
        _watched.append(one)
        if not _watching or not _watching[0].is_alive():
            _watching[:] = [threading.Thread(target=_watch, daemon=True, name="gametree watchdog")]
            try:
                _watching[0].start()
            except RuntimeError:  # where there are no threads
                _watching.clear()
        if _resting:
            _wake.set()
    try:
        try:
            yield
        finally:
            with _lock:
                _watched.remove(one)
                if one.raised:
                    _raise_in(one.thread, None)
    except Overdue as error:
        where = rule_in(error.__traceback__)
        raise RulesError(f"{name}{where} does not come back: is there a loop that does not end?") from None


def rule_in(trace: TracebackType | None, only_place: bool = False) -> str:
    """The rule that a traceback goes through and the line it came to: ".actions (mygame.py:12)"; "" where none is."""
    rule = place = ""
    while trace is not None:
        code = trace.tb_frame.f_code
        if _is_rule(code.co_filename):
            rule = rule or code.co_name
            place = f"{Path(code.co_filename).name}:{trace.tb_lineno}"
        trace = trace.tb_next
    if not rule:
        return ""
    return f" ({place})" if only_place else f".{rule} ({place})"


def is_ours(file: str) -> bool:
    """Whether a file is code of the library, and no rules."""
    return file.startswith(_HOME) and not file.startswith(_GAMES)


def _is_rule(file: str) -> bool:
    return not is_ours(file) and "contextlib" not in file


def _call_of(thread: int) -> FrameType | None:
    """The outermost call of rules that code of ours has under way on a thread; None where there is none."""
    frame = sys._current_frames().get(thread)
    call = None
    while frame is not None:
        if is_ours(frame.f_code.co_filename):
            return call
        call = frame
        frame = frame.f_back
    return None


def _watch() -> None:
    while True:
        time.sleep(_LOOK)
        with _lock:
            for one in _watched:
                _look_at(one)
            if not _watched:
                _wake.clear()
                _resting.append(True)
        if _resting:
            _wake.wait()
            _resting.clear()


def _look_at(one: _Watched) -> None:
    present, end = now(), one.end()
    if end == UNLIMITED or present < end:
        one.call = None
        return
    call = _call_of(one.thread)
    if call is not one.call or call is None:
        one.call, one.since = call, present
    elif present - max(one.since, end) >= one.grace:
        one.raised = True
        _raise_in(one.thread, Overdue)


def _raise_in(thread: int, kind: Any) -> None:
    """Raises an exception in a thread, where it runs Python code; takes it back where `kind` is None."""
    import ctypes

    with contextlib.suppress(AttributeError):
        given = None if kind is None else ctypes.py_object(kind)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), given)
