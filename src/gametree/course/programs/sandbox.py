"""A student's code in a process of its own: started, fed, counted, limited, and ended whatever it does."""

import contextlib
import json
import math
import os
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from gametree.errors import InputError
from gametree.game import Game

MOST_SOURCE: Final = 500_000
MOST_BYTES: Final = 4 * MOST_SOURCE
KEPT_OUTPUT: Final = 2_000
MOST_OUTPUT: Final = 10_000_000
_LONGEST_LINE: Final = 100_000
_POSIX: Final = os.name == "posix"


@dataclass(frozen=True)
class Limits:
    """What a student's code may use for one position."""

    seconds: float = 10
    """By the clock on the wall."""
    cpu: int = 10
    """Seconds of processor time."""
    memory: int = 512
    """Megabytes."""

    def __post_init__(self) -> None:
        if not (0 < self.seconds <= 3600 and 1 <= self.cpu <= 3600 and 64 <= self.memory <= 65536):
            raise InputError(
                f"limits of {self.seconds:g} s, {self.cpu} s of processor time and {self.memory} MB: take at most an"
                " hour, and at least 64 MB"
            )


@dataclass(frozen=True)
class Outcome:
    """What came of a run. Where it failed, `problem` is a word and `text` a sentence."""

    value: float | None = None
    move: int | None = None
    """The place of the chosen action among the actions of the state."""
    said: str = ""
    visited: int = 1
    """How many nodes the code looked at, counted here: the root, and one for each call of `result`."""
    problem: str = ""
    text: str = ""
    output: str = ""
    seconds: float = 0.0


@dataclass(frozen=True)
class Call:
    """Which function of which program is run on which state."""

    source: str
    name: str
    function: str
    game: Game
    state: Any
    depth: int | None = None


def run(task: Call, limits: Limits | None = None) -> Outcome:
    """Runs a student's function on a state. Never raises because of what the student's code does."""
    if not _POSIX:
        raise InputError("grading code needs Linux or macOS: the limits on a process come from there")
    if len(task.source) > MOST_SOURCE:
        return Outcome(problem="source", text=f"{task.name} has more than {MOST_SOURCE:,} characters")
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="gametree-grade-") as folder:
        session = _Session(task, limits or Limits(), folder)
        try:
            outcome = session.follow()
        finally:
            session.end()
    return Outcome(**{**vars(outcome), "output": session.shown, "seconds": time.monotonic() - begun})


class _Session:
    """One run: the process, the socket to it, and the nodes it has seen."""

    def __init__(self, task: Call, limits: Limits, folder: str):
        self.task, self.limits = task, limits
        self.deadline = time.monotonic() + limits.seconds
        self.numbers: dict[Any, int] = {}
        self.states: list[Any] = []
        self.actions: list[list[Any]] = []
        self.visited = 1
        self.output = bytearray()
        self.printed = 0
        self.buffer = bytearray()
        self.sock, theirs = socket.socketpair()
        try:
            # -I: no environment, no user's folder; -S: nothing but the standard library; -u: what is printed is seen
            # even where the process has to be ended.
            self.process = subprocess.Popen(
                [
                    sys.executable,
                    "-I",
                    "-u",
                    "-S",
                    "-B",
                    str(Path(__file__).with_name("student.py")),
                    str(theirs.fileno()),
                ],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                pass_fds=(theirs.fileno(),),
                cwd=folder,
                env={"LANG": "C.UTF-8", "HOME": folder, "TMPDIR": folder, "PATH": "/usr/bin:/bin"},
                start_new_session=True,
            )
        except BaseException:
            self.sock.close()
            raise
        finally:
            theirs.close()
        assert self.process.stdout is not None
        self.out = self.process.stdout

    @property
    def shown(self) -> str:
        """What the code printed, cut short."""
        text = bytes(self.output).decode(errors="replace")
        more = f"… ({self.printed:,} bytes)" if self.printed > KEPT_OUTPUT else ""
        return text + more

    # --- the conversation -----------------------------------------------------------------------------

    def follow(self) -> Outcome:
        try:
            self._send(self._opening())
            with selectors.DefaultSelector() as selector:
                selector.register(self.sock, selectors.EVENT_READ)
                selector.register(self.out, selectors.EVENT_READ)
                while True:
                    left = self.deadline - time.monotonic()
                    if left <= 0:
                        return self._failed("time", f"it had not finished after {self.limits.seconds:g} s")
                    for key, _ in selector.select(left):
                        if key.fileobj is self.out:
                            if not self._drain():
                                selector.unregister(self.out)
                            if self.printed > MOST_OUTPUT:
                                return self._failed(
                                    "output", f"it printed more than {MOST_OUTPUT // 10**6} MB"
                                )
                        else:
                            outcome = self._listen()
                            if outcome is not None:
                                return outcome
        except TimeoutError:
            return self._failed("time", f"it had not finished after {self.limits.seconds:g} s")
        except (BrokenPipeError, ConnectionResetError):
            return self._gone()

    def _opening(self) -> dict[str, Any]:
        task = self.task
        return {
            "source": task.source,
            "name": task.name,
            "function": task.function,
            "depth": task.depth,
            "players": task.game.players,
            "root": self._node(task.state),
            "recursion": 5_000,
            "limits": {"cpu": self.limits.cpu, "memory": self.limits.memory},
        }

    def _listen(self) -> Outcome | None:
        data = self.sock.recv(65536)
        if not data:
            return self._gone()
        self.buffer += data
        while (end := self.buffer.find(b"\n")) >= 0:
            line = bytes(self.buffer[:end])
            del self.buffer[: end + 1]
            outcome = self._answer(line)
            if outcome is not None:
                return outcome
        if len(self.buffer) > _LONGEST_LINE:
            return self._failed("protocol", "it wrote into the grader's own channel")
        return None

    def _answer(self, line: bytes) -> Outcome | None:
        try:
            message = json.loads(line)
            match message:
                case {"result": [int(number), int(index)]}:
                    self.visited += 1
                    self._send(self._child(number, index))
                    return None
                case {"evaluate": [int(number), int(player)]}:
                    self._send({"value": float(self.task.game.evaluate(self.states[number], player))})
                    return None
                case {"show": [int(number)]}:
                    self._send({"text": self.task.game.show(self.states[number])})
                    return None
                case {"returned": {"value": str(value), "said": str(said), "move": (int() | None) as move}}:
                    return Outcome(float(value), move, said[:80], self.visited)
                case {"failed": {"kind": str(kind), "text": str(text)}}:
                    return self._failed(kind[:20], text[:400])
        except (ValueError, IndexError, RecursionError):
            pass
        return self._failed("protocol", "it wrote into the grader's own channel")

    def _send(self, message: dict[str, Any]) -> None:
        self.sock.settimeout(max(0.01, self.deadline - time.monotonic()))
        self.sock.sendall(json.dumps(message).encode() + b"\n")

    # --- the game -------------------------------------------------------------------------------------

    def _child(self, number: int, index: int) -> dict[str, Any]:
        if not 0 <= number < len(self.states) or index < 0:
            raise IndexError(number)
        return self._node(self.task.game.result(self.states[number], self.actions[number][index]))

    def _node(self, state: Any) -> dict[str, Any]:
        game = self.task.game
        terminal = bool(game.is_terminal(state))
        if state not in self.numbers:
            self.numbers[state] = len(self.states)
            self.states.append(state)
            self.actions.append([] if terminal else list(game.actions(state)))
        return {
            "id": self.numbers[state],
            "player": int(game.player(state)),
            "terminal": terminal,
            "utility": [float(game.utility(state, player)) for player in range(game.players)]
            if terminal
            else None,
            "actions": [_plain(action) for action in self.actions[self.numbers[state]]],
        }

    # --- the process ----------------------------------------------------------------------------------

    def _drain(self) -> bool:
        data = os.read(self.out.fileno(), 65536)
        self.printed += len(data)
        self.output += data[: max(0, KEPT_OUTPUT - len(self.output))]
        return bool(data)

    def _gone(self) -> Outcome:
        """The process ended without an answer."""
        try:
            code = self.process.wait(max(0.1, self.deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            return self._failed("protocol", "it closed the grader's own channel")
        if code >= 0:
            return self._failed("exit", f"it ended the process (exit code {code}) instead of returning")
        if -code in (signal.SIGXCPU, signal.SIGKILL):
            return self._failed("time", f"it used more than {self.limits.cpu} s of processor time")
        return self._failed("signal", f"it crashed Python ({signal.Signals(-code).name})")

    def _failed(self, problem: str, text: str) -> Outcome:
        return Outcome(visited=self.visited, problem=problem, text=text)

    def end(self) -> None:
        """Ends the process and all that it started in its session."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        with contextlib.suppress(OSError):
            os.set_blocking(self.out.fileno(), False)
            while self._drain():
                pass
        self.out.close()
        self.sock.close()


def _plain(action: Any) -> Any:
    """An action as JSON can hold it."""
    if isinstance(action, (tuple, list)):
        return [_plain(one) for one in action]
    if isinstance(action, (bool, str)) or action is None:
        return action
    if hasattr(action, "__index__"):
        return int(action)
    if isinstance(action, float) and math.isfinite(action):
        return action
    raise InputError(
        f"actions of this game cannot be handed to a student's program: {str(action)[:60]!r} is no number, text"
        " or tuple"
    )
