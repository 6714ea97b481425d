"""One who asks: reads lines, knows which requests are under way, and passes answers on."""

import functools
from collections.abc import Callable
from typing import Any, Final

from gametree import reading
from gametree.app.serve.pool import Answer, Job, Pool
from gametree.documents.protocol import REQUESTS, GivenLimit
from gametree.errors import InputError

MOST_BYTES: Final = 64 * 1024
LONGEST_ID: Final = 100


class Client:
    """Turns lines into requests to a pool; `send` takes every answer."""

    def __init__(self, pool: Pool, send: Callable[[Answer], None]):
        self._pool = pool
        self._send = send
        self._jobs: dict[Any, Job] = {}

    @property
    def busy(self) -> bool:
        """Whether an answer is still to come."""
        return bool(self._jobs)

    def hear(self, line: str | bytes) -> None:
        """Takes a line; a bad one gets an error, and the next one is served."""
        id: Any = None
        try:
            data = _parsed(line)
            id = _id_of(data)
            self._obey(id, _checked(data))
        except InputError as error:
            self._send({"id": id, "done": True, "error": {"kind": "message", "message": str(error)}})

    def leave(self) -> None:
        """Ends whatever is under way, without a word."""
        self._send = _unheard
        for job in list(self._jobs.values()):
            self._pool.cancel(job)

    def _obey(self, id: Any, request: dict[str, Any]) -> None:
        if request["do"] == "cancel":
            job = self._jobs.get(_key(request["of"]))
            ended = job is not None and self._pool.cancel(job)
            self._send({"id": id, "done": True, "cancelled": ended})
            return
        if _key(id) in self._jobs:
            raise InputError(f"the id {id!r} belongs to a request that is under way: choose another")
        # Whoever is answered at once is not under way any more.
        job = self._pool.submit(request, functools.partial(self._tell, id))
        if not job.finished:
            self._jobs[_key(id)] = job

    def _tell(self, id: Any, answer: Answer) -> None:
        if answer["done"]:
            self._jobs.pop(_key(id), None)
        self._send({**answer, "id": id})


def _parsed(line: str | bytes) -> Any:
    if len(line) > MOST_BYTES:
        raise InputError(f"a line has at most {MOST_BYTES:,} bytes")
    try:
        text = line if isinstance(line, str) else line.decode()
    except UnicodeDecodeError:
        raise InputError("the line is no UTF-8 text") from None
    return reading.parse(text, "the line")


def _id_of(data: Any) -> Any:
    """The id of a request, where it has one that an answer can repeat."""
    id = data.get("id") if isinstance(data, dict) else None
    if isinstance(id, str):
        return id if len(id) <= LONGEST_ID else None
    return id if isinstance(id, int) and not isinstance(id, bool) and abs(id) < 2**53 else None


def _checked(data: Any) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise InputError(f"a request is an object, not {reading.short(data)}")
    if _id_of(data) is None:
        raise InputError(
            f"a request needs an id: a whole number, or a text of at most {LONGEST_ID} characters"
        )
    kind = REQUESTS.get(data["do"]) if isinstance(data.get("do"), str) else None
    if kind is None:
        raise InputError(f"do is {reading.short(data.get('do'))}: it has to be {', '.join(REQUESTS)}")
    why = reading.mismatch(data, kind, "the request")
    if why:
        raise InputError(why)
    for part, names in ((data, kind.__annotations__), (data.get("limit", {}), GivenLimit.__annotations__)):
        unknown = [name for name in part if name not in names]
        if unknown:
            raise InputError(
                f"{reading.short(unknown[0])} is not known in a request to {data['do']}: it takes {', '.join(names)}"
            )
    return data


def _key(id: Any) -> tuple[type, Any]:
    return type(id), id


def _unheard(answer: Answer) -> None:
    """Nobody is there any more."""
