"""A file of results, one line of JSON a task, so that a run that was stopped at any moment goes on.

The first line says what is done, and the run that goes on has to be the same one. Every other line is the result of a
task, in the order of the tasks, whatever order they were finished in: so the file of a run that was stopped and taken
up again is that of a run that nobody disturbed, byte for byte. Results that wait for an earlier one are kept in a
second file beside it (`….waiting`), which goes when the run is over. A line that was cut off is dropped.
"""

import contextlib
import json
import os
import time
from pathlib import Path
from typing import IO, Any, Final

from gametree.errors import InputError
from gametree.reading import parse

SYNC_EVERY: Final = 1.0
"""Seconds after which results are on the disk, and not in the memory of the system."""

SMALL: Final = 200
"""A result of no more letters stays in memory after its turn."""


class Store:
    """A file of results that belongs to one run. No other process writes to it in the meantime."""

    def __init__(self, path: Path, header: dict[str, Any]):
        self.path = path
        self.header = header
        self.results: dict[str, dict[str, Any]] = {}
        """What is known of every task, by its hash."""
        self._written: set[str] = set()
        self._waiting = path.with_name(path.name + ".waiting")
        self._kept: IO[str] | None = None
        self._synced = 0.0
        if path.is_dir():
            raise InputError(f"{path} is a folder; name a file for the results")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file: IO[str] = path.open("a+", encoding="utf-8", newline="\n")
        except OSError as error:
            raise InputError(f"{path} cannot be written: {error.strerror or error}") from None
        try:
            self._lock()
            if path.stat().st_size and path.read_bytes().strip():
                self._read()
            else:
                self._file.truncate(0)
                self._line(self._file, header)
        except BaseException:
            self._file.close()
            raise

    def add(self, task: str, result: dict[str, Any]) -> None:
        """Writes the result of the task whose turn it is."""
        if task not in self._written:
            self._written.add(task)
            self._line(self._file, {"task": task, **result})
        if len(repr(result)) > SMALL:  # it is in the file; a run of a hundred thousand games keeps its memory
            self.results.pop(task, None)
        else:
            self.results[task] = result

    def keep(self, task: str, result: dict[str, Any]) -> None:
        """Keeps the result of a task whose turn is still to come."""
        if task in self.results:
            return
        self.results[task] = result
        if self._kept is None:
            self._kept = self._waiting.open("a", encoding="utf-8", newline="\n")
            if not self._waiting.stat().st_size:
                self._line(self._kept, self.header)
        self._line(self._kept, {"task": task, **result})

    def close(self, done: bool = False) -> None:
        """Leaves the file to others. `done`: nothing waits any more."""
        for file in (self._file, self._kept):
            if file is not None and not file.closed:
                file.flush()
                with contextlib.suppress(OSError):
                    os.fsync(file.fileno())
        if self._kept is not None:
            self._kept.close()
        if done:
            self._waiting.unlink(missing_ok=True)
        self._file.close()

    def _line(self, file: IO[str], data: dict[str, Any]) -> None:
        file.write(_line(data).decode())
        file.flush()
        now = time.monotonic()
        if now - self._synced > SYNC_EVERY:
            self._synced = now
            os.fsync(file.fileno())

    def _lock(self) -> None:
        """Two runs in one file would mix; the system gives the lock back whenever this process ends."""
        try:
            import fcntl
        except ImportError:  # Windows has none
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InputError(
                f"{self.path} is being written by another run; wait for it, or name another file"
            ) from None

    # --- going on -----------------------------------------------------------------------------------

    def _read(self) -> None:
        lines = _lines(self.path)
        if not lines and not _line(self.header).startswith(self.path.read_bytes()):
            raise InputError(
                f"{self.path} is no file of results ({self.header['schema']}); name another file"
            )
        whole = "".join(line + "\n" for line in lines)
        if len(whole.encode()) < self.path.stat().st_size:  # the last line was cut off
            self._file.truncate(len(whole.encode()))
        if not lines:
            self._line(self._file, self.header)
            return
        try:
            head = parse(lines[0])
        except InputError:
            head = None
        self._compare(head)
        for number, line in enumerate(lines[1:], 2):
            where = f"{self.path}, line {number}"
            task, result = _result(_parsed(line, where), where)
            self.results[task] = result
            self._written.add(task)
        self._read_waiting()

    def _read_waiting(self) -> None:
        """What is kept beside the file; whatever is wrong with it is done again."""
        with contextlib.suppress(OSError, InputError):
            lines = _lines(self._waiting)
            if not lines or parse(lines[0]) != json.loads(json.dumps(self.header)):
                self._waiting.unlink()
                return
            for line in lines[1:]:
                task, result = _result(parse(line), "")
                self.results.setdefault(task, result)

    def _compare(self, found: Any) -> None:
        """Refuses to mix two runs in one file."""
        schema = self.header["schema"]
        if not isinstance(found, dict) or found.get("schema") != schema:
            raise InputError(f"{self.path} is no file of results ({schema}); name another file")
        for key in sorted({*self.header, *found}):
            theirs, ours = found.get(key), json.loads(json.dumps(self.header.get(key)))
            if theirs != ours:
                raise InputError(
                    f"{self.path} holds another experiment: its {key} is {_short(theirs)}, this one's is"
                    f" {_short(ours)}. Name another file, or delete this one to begin again."
                )


def _line(data: dict[str, Any]) -> bytes:
    return (json.dumps(data, ensure_ascii=False, allow_nan=False) + "\n").encode()


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 200 else f"{text[:199]}…"


def _lines(path: Path) -> list[str]:
    """The whole lines of a file."""
    try:
        lines = path.read_bytes().decode("utf-8").split("\n")
    except UnicodeDecodeError as error:
        if b"\n" not in path.read_bytes()[error.start :]:  # cut off in the middle of a letter
            return path.read_bytes()[: error.start].decode("utf-8").split("\n")[:-1]
        raise InputError(f"{path} is no file of results: it is no text in UTF-8") from None
    return lines[:-1]


def _parsed(line: str, where: str) -> Any:
    try:
        return parse(line, where)
    except InputError:
        raise InputError(f"{where} is no JSON; delete the line to have it done again") from None


def _result(data: Any, where: str) -> tuple[str, dict[str, Any]]:
    if not isinstance(data, dict) or not isinstance(data.get("task"), str):
        raise InputError(f"{where} is no result of a task; delete the line to have it done again")
    return data["task"], {name: value for name, value in data.items() if name != "task"}
