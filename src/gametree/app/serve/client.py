"""One who asks: reads lines, knows which requests are under way, and passes answers on."""

import functools
from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

from gametree import reading
from gametree.app.serve.pool import Answer, Pool
from gametree.app.serve.referee import Referee
from gametree.documents.protocol import REQUESTS, GivenLimit
from gametree.errors import InputError

MOST_BYTES: Final = 64 * 1024
MOST_LEVELS: Final = 100
"""So deep may objects and lists be nested: what is read has to be written again for a worker."""
LONGEST_ID: Final = 100
MOST_JOBS: Final = 1_000
"""So many requests of one who asks may be under way."""


class Pending(Protocol):
    """A request that is under way."""

    @property
    def finished(self) -> bool:
        """Whether its last answer was given."""

    def cancel(self) -> bool:
        """Ends it; whether there was anything to end."""


class Desk(Protocol):
    """Where requests are answered that are none of a worker's."""

    @property
    def requests(self) -> Mapping[str, Any]:
        """What can be asked there, by what `do` says."""

    def refusal(self, request: Mapping[str, Any]) -> str:
        """Why a request to a worker is not passed on; empty where it is."""

    def answer(self, request: Mapping[str, Any], tell: Callable[[Answer], None]) -> Pending | None:
        """Answers a request; what is under way, where it is not answered at once."""


class Client:
    """Turns lines into requests to a pool, to a referee or to a desk; `send` takes every answer."""

    def __init__(
        self,
        pool: Pool,
        send: Callable[[Answer], None],
        desk: Desk | None = None,
        referee: Referee | None = None,
    ):
        self._pool = pool
        self._send = send
        self._desk = desk
        self._referee: Final = referee or Referee(pool)
        self._kinds: Mapping[str, Any] = REQUESTS if desk is None else {**REQUESTS, **desk.requests}
        self._jobs: dict[Any, Pending] = {}

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
            self._obey(id, _checked(data, self._kinds))
        except InputError as error:
            self._send({"id": id, "done": True, "error": {"kind": "message", "message": str(error)}})

    def leave(self) -> None:
        """Ends whatever is under way, without a word."""
        self._send = _unheard
        for job in list(self._jobs.values()):
            job.cancel()

    def _obey(self, id: Any, request: dict[str, Any]) -> None:
        if request["do"] == "cancel":
            job = self._jobs.get(_key(request["of"]))
            ended = job is not None and job.cancel()
            self._send({"id": id, "done": True, "cancelled": ended})
            return
        if _key(id) in self._jobs:
            raise InputError(f"the id {id!r} belongs to a request that is under way: choose another")
        if len(self._jobs) >= MOST_JOBS:
            message = f"{MOST_JOBS:,} of your requests are under way: wait for some of them"
            self._send({"id": id, "done": True, "error": {"kind": "busy", "message": message}})
            return
        made = self._passed_on(request, functools.partial(self._tell, id))
        # Whoever is answered at once is not under way any more.
        if made is not None and not made.finished:
            self._jobs[_key(id)] = made

    def _passed_on(self, request: dict[str, Any], tell: Callable[[Answer], None]) -> Pending | None:
        if self._desk is not None:
            if request["do"] in self._desk.requests:
                return self._desk.answer(request, tell)
            if why := self._desk.refusal(request):
                raise InputError(why)
        if request["do"] in self._referee.requests:
            return self._referee.answer(request, tell)
        return self._pool.submit(request, tell)

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
    data = reading.parse(text, "the line")
    level = [data]
    for _ in range(MOST_LEVELS + 1):
        level = [one for one in level if isinstance(one, (dict, list))]
        if not level:
            return data
        level = [part for one in level for part in (one.values() if isinstance(one, dict) else one)]
    raise InputError("the line: objects and lists are nested too deeply")


def _id_of(data: Any) -> Any:
    """The id of a request, where it has one that an answer can repeat."""
    id = data.get("id") if isinstance(data, dict) else None
    if isinstance(id, str):
        return id if len(id) <= LONGEST_ID else None
    return id if isinstance(id, int) and not isinstance(id, bool) and abs(id) < 2**53 else None


def _checked(data: Any, kinds: Mapping[str, Any]) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise InputError(f"a request is an object, not {reading.short(data)}")
    if _id_of(data) is None:
        raise InputError(
            f"a request needs an id: a whole number, or a text of at most {LONGEST_ID} characters"
        )
    kind = kinds.get(data["do"]) if isinstance(data.get("do"), str) else None
    if kind is None:
        raise InputError(f"do is {reading.short(data.get('do'))}: it has to be {', '.join(kinds)}")
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
