"""Work for other processes. It lives in a module so that they can import it."""

import os
import signal
import time
from pathlib import Path
from typing import Any


class Squares:
    """Squares numbers; what else it does, the payload says."""

    def __init__(self, folder: str = ""):
        self.folder = folder

    def open(self) -> Any:
        return self.square

    def square(self, payload: Any) -> dict[str, Any]:
        number = payload["number"]
        if payload.get("dies") == "always" or (payload.get("dies") == "once" and self.first(number)):
            os.kill(os.getpid(), signal.SIGKILL)
        if "raises" in payload:
            raise ValueError(payload["raises"])
        time.sleep(payload.get("sleeps", 0))
        return {"square": number * number}

    def first(self, number: int) -> bool:
        """Whether nobody was here before, in any process."""
        try:
            Path(self.folder, str(number)).touch(exist_ok=False)
        except FileExistsError:
            return False
        return True


def pid(_: Any = None) -> int:
    return os.getpid()


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def wait(seconds: float) -> None:
    time.sleep(seconds)


def odd_error() -> None:
    class Local(Exception):
        pass

    raise Local("cannot be sent")
