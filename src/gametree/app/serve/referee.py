"""Keeps games whose players must not see everything: who plays has a key for a seat, and the moves stay here.

A program or a page that is told the moves of a card game knows every hand. So whoever opens a game here gets a key for
each seat of a person, and with it nothing but what this seat sees. Rules run in the worker processes, as for every
other request; this process keeps the moves in between, in memory: when it ends, the games have ended, too.
"""

import secrets
from collections.abc import Callable, Mapping
from typing import Any, Final

from gametree.app.serve.pool import Answer, Job, Pool
from gametree.documents.playing import PLAY_REQUESTS
from gametree.errors import InputError

MOST_GAMES: Final = 500
"""So many games are kept; the one that was left alone for the longest time is forgotten first."""
MOST_MOVES: Final = 5_000

Tell = Callable[[Answer], None]


class Referee:
    """The games of everybody who asks one pool."""

    requests: Mapping[str, Any] = PLAY_REQUESTS

    def __init__(self, pool: Pool):
        self._pool = pool
        self._games: dict[str, _Kept] = {}
        """Every game by each of its keys; those that were asked for last at the end."""

    def answer(self, request: Mapping[str, Any], tell: Tell) -> "Job | Opening | Looking | None":
        """Answers a request, at once or by and by; what is under way then can be cancelled."""
        if request["do"] == "open":
            return self._open(request, tell)
        game, seat = self._game(request["key"])
        match request["do"]:
            case "close":
                tell({"done": True, "record": self._close(game)})
                return None
            case "hint":
                game.require_rest()
                limit = {"seconds": request.get("seconds", 1)}
                return self._pool.submit({"do": "hint", **game.place, "seat": seat, "limit": limit}, tell)
            case "act":
                looking = Looking(game, seat, tell, request.get("wait", False))
                game.act(seat, request["move"], looking)
            case _:
                looking = Looking(game, seat, tell, request.get("wait", False))
                game.look(looking)
        return looking

    def _open(self, request: Mapping[str, Any], tell: Tell) -> "Opening":
        begins = {name: request[name] for name in ("game", "settings", "position") if name in request}
        levels = request.get("seats") or []
        if levels and all(levels):
            raise InputError("seats: engines alone need no referee; 0 is the seat of a person")
        opening = Opening(_Kept(self._pool, begins, levels), tell, self._keep)
        opening.game.begin(opening)
        return opening

    def _keep(self, game: "_Kept") -> None:
        self._games.update({key: game for key in game.keys if key is not None})
        while len({id(one) for one in self._games.values()}) > MOST_GAMES:
            self._close(next(iter(self._games.values())))

    def _game(self, key: str) -> tuple["_Kept", int]:
        game = self._games.get(key)
        if game is None:
            raise InputError("no game has this key: it was closed, or the server was started anew since")
        for one in game.keys:
            if one is not None:
                self._games[one] = self._games.pop(one)
        return game, game.keys.index(key)

    def _close(self, game: "_Kept") -> dict[str, Any]:
        for key in game.keys:
            self._games.pop(key or "", None)
        game.close()
        begins = game.begins
        return {
            "game": begins["game"],
            "settings": begins.get("settings", {}),
            "position": begins.get("position"),
            "moves": game.moves,
        }


class Opening:
    """Somebody who waits for the keys of a new game, until a person is to move there."""

    def __init__(self, game: "_Kept", tell: Tell, keep: Callable[["_Kept"], None]):
        self.game = game
        self.finished: bool = False
        self._tell = tell
        self._keep = keep

    def hear(self, answer: Answer) -> None:
        """Takes what a worker says of the first moves."""
        if self.finished or answer.get("goes_on", False):
            return
        self.finished = True
        if "players" not in answer:
            self._tell({"done": True, **_trouble(answer, "opened")})
            return
        game = self.game
        levels = game.levels or [0] * answer["players"]
        game.keys = [None if level else secrets.token_urlsafe(16) for level in levels]
        self._keep(game)
        self._tell({"done": True, "opened": {"keys": game.keys, "mover": answer["mover"]}})

    def cancel(self) -> bool:
        """Has the game not begin."""
        ended = not self.finished
        self.game.close()
        self.hear({})
        return ended


class Looking:
    """Somebody at a seat who waits for what is to be seen there."""

    def __init__(self, game: "_Kept", seat: int, tell: Tell, wait: bool):
        self.game = game
        self.seat = seat
        self.wait = wait
        self.finished: bool = False
        self._tell = tell
        self._latest: Any = None

    def hear(self, seen: Any, rests: bool) -> None:
        """Passes on what is seen, where it is something new; `rests` where the others have played."""
        if self.finished:
            return
        if rests and (not self.wait or seen["mover"] in (None, self.seat)):
            self.end({"seat": seen})
        elif seen != self._latest:
            self._latest = seen
            self._tell({"done": False, "seat": seen})

    def end(self, found: Answer) -> None:
        """Gives the last answer."""
        if not self.finished:
            self.finished = True
            self.game.forget(self)
            self._tell({"done": True, **found})

    def cancel(self) -> bool:
        """Ends the waiting, not the game."""
        ended = not self.finished
        self.end({"seat": None})
        return ended


class _Kept:
    """A game with its moves, which go on by themselves while chance or an engine is to move."""

    def __init__(self, pool: Pool, begins: dict[str, Any], levels: list[int]):
        self.begins = begins
        self.levels = levels
        self.keys: list[str | None] = []
        self.moves: list[str] = []
        self._pool = pool
        self._opening: Opening | None = None
        self._lookers: list[Looking] = []
        self._busy: Job | None = None
        """What the referee is doing."""
        self._rests = False
        self._is_closed = False

    @property
    def place(self) -> dict[str, Any]:
        """Where it stands, as workers are asked."""
        return {**self.begins, "moves": list(self.moves)}

    def begin(self, opening: Opening) -> None:
        """Lets chance and engines play until a person is to move."""
        self._opening = opening
        self._step(self._heard)

    def look(self, looking: Looking) -> None:
        """Shows a seat what it sees, now or when the others have played."""
        self._lookers.append(looking)
        self._show(looking)
        if not self._rests and self._busy is None:  # something went wrong the last time
            self._step(self._heard)

    def act(self, seat: int, move: str, looking: Looking) -> None:
        """Plays a move of a seat, and shows what comes of it."""
        self.require_rest()

        def heard(answer: Answer) -> None:
            if "players" in answer:
                self._lookers.append(looking)
                self._heard(answer)
            else:
                self._busy, self._rests = None, True
                looking.end(_trouble(answer, "seat"))

        self._rests = False
        self._step(heard, seat=seat, chosen=move)

    def require_rest(self) -> None:
        """Refuses what can be done only when chance and the engines have played."""
        if not self._rests:
            raise InputError(
                "the others are still playing: ask for the seat first, and wait for its last answer"
            )

    def forget(self, looking: Looking) -> None:
        """Shows nothing any more to one who does not wait."""
        if looking in self._lookers:
            self._lookers.remove(looking)

    def close(self) -> None:
        """Ends it, for everybody who waits."""
        self._is_closed = True
        if self._busy is not None:
            self._busy.cancel()
        for looking in list(self._lookers):
            looking.end({"error": {"kind": "input", "message": "the game was closed"}})

    def _step(self, heard: Tell, **more: Any) -> None:
        def last(answer: Answer) -> None:
            if answer["done"]:
                heard(answer)

        request = {"do": "referee", **self.place, "levels": self.levels, "seed": secrets.randbits(48), **more}
        job = self._pool.submit(request, last)
        if not job.finished:  # a pool that is full ends it at once
            self._busy = job

    def _heard(self, answer: Answer) -> None:
        """One move further, or at rest."""
        self._busy = None
        if self._is_closed:
            return
        if self._opening is not None:
            self._opening.hear(answer)
        if "players" not in answer:
            for looking in list(self._lookers):
                looking.end(_trouble(answer, "seat"))
            return
        if answer["played"] is not None:
            self.moves.append(answer["played"])
        if len(self.moves) > MOST_MOVES:
            self.close()
            return
        self._rests = not answer["goes_on"]
        for looking in list(self._lookers):
            self._show(looking)
        if not self._rests:
            self._step(self._heard)

    def _show(self, looking: Looking) -> None:
        """Asks a worker what a seat sees now."""
        rests, number = self._rests, len(self.moves)

        def heard(answer: Answer) -> None:
            if not answer["done"] or number != len(self.moves) or rests != self._rests:
                return  # another picture is on its way
            if answer.get("seat") is None:
                looking.end(_trouble(answer, "seat"))
            else:
                looking.hear(answer["seat"], rests)

        self._pool.submit({"do": "position", **self.place, "seat": looking.seat}, heard)


def _trouble(answer: Answer, name: str) -> Answer:
    """What is told where there is nothing to see: what went wrong, or that it was cancelled."""
    return {"error": answer["error"]} if "error" in answer else {name: None}
