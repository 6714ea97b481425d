"""What a search tells on its way: not too often, and with winning chances."""

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from gametree.arena.chances import Scale, scale_of
from gametree.documents.protocol import ChancesDocument
from gametree.game import Game, offers
from gametree.result import Analysis

REPORT_EVERY: Final = 0.2
PATIENCE: Final = 0.5
"""Seconds that a last answer waits for the winning chances."""

Request: TypeAlias = Mapping[str, Any]
Send: TypeAlias = Callable[[dict[str, Any]], None]


class Gauge:
    """Winning chances in a game. Its scale is found on a thread of its own, while the search goes on."""

    def __init__(self, game: Game, judged: bool):
        self._dice = offers(game, "chance")
        self._scale: Scale | None = None
        self._thread = threading.Thread(target=self._find, args=(game, judged), daemon=True)
        self._thread.start()

    def _find(self, game: Game, judged: bool) -> None:
        try:
            self._scale = scale_of(game, judged)
        except Exception:  # what the rules raise is told by the search
            self._scale = None

    def chances(self, found: Analysis, patient: bool) -> ChancesDocument | None:
        """The chances of what was found, where they are known by now."""
        if patient:
            self._thread.join(PATIENCE)
        if self._scale is None:
            return None
        players, lines, moves = self._scale.of(found, self._dice)
        return {"players": players, "lines": lines, "moves": moves}


class Reporter:
    """Sends what a search has found so far, but not too often; what it holds back is sent when its time comes."""

    def __init__(self, send: Send, request: Request):
        self._send = send
        self._id = request["id"]
        self._every = request.get("report_every", REPORT_EVERY)
        self._lock = threading.Lock()
        self._next = 0.0
        self._held: Analysis | None = None
        self._timer: threading.Timer | None = None
        self.gauge: Gauge | None = None
        """What tells the winning chances."""

    def __call__(self, so_far: Analysis) -> None:
        with self._lock:
            wait = self._next - time.monotonic()
            if wait <= 0:
                self._tell(so_far)
            else:
                self._held = so_far
                if self._timer is None:
                    self._timer = threading.Timer(wait, self._flush)
                    self._timer.daemon = True
                    self._timer.start()

    def _tell(self, so_far: Analysis) -> None:
        self._held = None
        self._next = time.monotonic() + self._every
        self._send({"id": self._id, "done": False, **self.said(so_far)})

    def said(self, found: Analysis, patient: bool = False) -> dict[str, Any]:
        """What an answer says of an analysis; `patient` where it may wait for its winning chances."""
        chances = None if self.gauge is None else self.gauge.chances(found, patient)
        return {"analysis": found.to_dict(), "chances": chances}

    def _flush(self) -> None:
        with self._lock:
            self._timer = None
            if self._held is not None:
                self._tell(self._held)

    def __enter__(self) -> "Reporter":
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._held = None
            if self._timer is not None:
                self._timer.cancel()
