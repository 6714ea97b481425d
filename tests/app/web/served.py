"""A server of our own, as somebody starts it, and those who ask it."""

import contextlib
import json
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect

PATIENCE = 60


class Served:
    """`gametree serve` on a free port of this machine."""

    def __init__(self, *arguments: str, folder: Path | None = None, port: int = 0):
        command = [sys.executable, "-m", "gametree", "serve", "--no-open", "--port", str(port), *arguments]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=folder)
        self._lines: queue.Queue[str] = queue.Queue()
        self.said: list[str] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.address = self.next_address()
        self.origin, _, self.query = self.address.partition("/?")
        self.host = self.origin.removeprefix("http://")
        self.port = int(self.origin.rpartition(":")[2])
        self._cookie: dict[str, str] = {}

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.said.append(line)
            self._lines.put(line)

    def next_address(self) -> str:
        """The address that the server prints next."""
        while True:
            line = self._lines.get(timeout=PATIENCE)
            if "http://" in line:
                return line[line.index("http://") :].strip()

    def get(self, path: str = "/", **more: Any) -> httpx.Response:
        """What a browser without a cookie gets."""
        return httpx.get(self.origin + path, timeout=PATIENCE, **more)

    @property
    def cookie(self) -> dict[str, str]:
        """The headers of one who has come in."""
        if not self._cookie:
            answer = httpx.get(self.address, timeout=PATIENCE)
            assert answer.status_code == 303, answer.text
            self._cookie = {"Cookie": answer.headers["set-cookie"].partition(";")[0]}
        return self._cookie

    def socket(self, **more: Any) -> ClientConnection:
        """A WebSocket of one who has come in from the page."""
        given: dict[str, Any] = {"origin": self.origin, "additional_headers": self.cookie}
        opened: ClientConnection = connect(
            f"ws://{self.host}/ws",
            compression=None,
            max_size=None,
            open_timeout=PATIENCE,
            **{**given, **more},
        )
        return opened

    def workers(self) -> list[int]:
        """The processes behind it."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        return [int(child) for child in children.split()]

    def kill(self) -> None:
        """Ends it at once, as a power cut would."""
        self.process.kill()
        self._end()

    def close(self) -> int:
        """Ends it as Ctrl-C does; its exit code."""
        self.process.send_signal(signal.SIGINT)
        return self._end()

    def _end(self) -> int:
        code = self.process.wait(timeout=PATIENCE)
        self._reader.join(timeout=PATIENCE)
        assert self.process.stderr is not None
        self.process.stderr.close()
        return code


@contextlib.contextmanager
def serving(*arguments: str, folder: Path | None = None, port: int = 0) -> Iterator[Served]:
    """A server that is ended afterwards, whatever happens."""
    served = Served(*arguments, folder=folder, port=port)
    try:
        yield served
    finally:
        if served.process.poll() is None:
            served.close()


def ask(socket: ClientConnection, id: Any, do: str, **given: Any) -> dict[str, Any]:
    """The last answer to a request; others are passed over."""
    socket.send(json.dumps({"id": id, "do": do, **given}))
    return last(socket, id)


def last(socket: ClientConnection, id: Any) -> dict[str, Any]:
    """The last answer with this id."""
    while True:
        answer: dict[str, Any] = json.loads(socket.recv(timeout=PATIENCE))
        if answer["id"] == id and answer["done"]:
            return answer


def alive(process: int) -> bool:
    """Whether a process is there and does something; one that nobody has asked how it ended does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] not in ("Z", "X")
    except (OSError, IndexError):
        return False
