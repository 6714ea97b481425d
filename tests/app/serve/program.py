"""A program at the other end of `gametree engine --json`."""

import json
import os
import queue
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

PATIENCE = 120


class Program:
    """Asks, and collects the answers by their id."""

    def __init__(self, *games: str, workers: int = 2, folder: Path | None = None):
        command = [sys.executable, "-m", "gametree", "engine", "--json", "--workers", str(workers), *games]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=folder
        )
        self.answers: dict[Any, queue.Queue[dict[str, Any]]] = {}
        self.heard: list[dict[str, Any]] = []
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            answer = json.loads(line)
            self.heard.append(answer)
            self._answers(answer["id"]).put(answer)

    def _answers(self, id: Any) -> "queue.Queue[dict[str, Any]]":
        return self.answers.setdefault(repr(id), queue.Queue())

    def send(self, line: "bytes | dict[str, Any]") -> None:
        assert self.process.stdin is not None
        if isinstance(line, dict):  # what was said before under this id is not about this
            self.answers[repr(line["id"])] = queue.Queue()
        text = line if isinstance(line, bytes) else json.dumps(line).encode()
        self.process.stdin.write(text + b"\n")
        self.process.stdin.flush()

    def next(self, id: Any) -> dict[str, Any]:
        """The next answer with this id."""
        return self._answers(id).get(timeout=PATIENCE)

    def last(self, id: Any) -> dict[str, Any]:
        """The last answer with this id."""
        while not (answer := self.next(id))["done"]:
            pass
        return answer

    def ask(self, id: Any, do: str, **given: Any) -> dict[str, Any]:
        self.send({"id": id, "do": do, **given})
        return self.last(id)

    def workers(self) -> list[int]:
        """The processes behind it."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        return [int(child) for child in children.split()]

    def kill_workers(self) -> None:
        for worker in self.workers():
            os.kill(worker, signal.SIGKILL)

    def close(self) -> int:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        code = self.process.wait(timeout=PATIENCE)
        self.reader.join()
        self.process.stdout.close()
        return code
