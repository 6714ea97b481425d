"""The protocol over the network: a request a frame and an answer a frame on a WebSocket, or lines of a POST."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable, Iterable
from typing import Any, Final, TypeAlias

from starlette.websockets import WebSocket, WebSocketDisconnect

from gametree.app.serve.client import Client
from gametree.app.serve.pool import Answer

MOST_UNSENT: Final = 200
"""So many answers may wait to be sent; until they are fewer, no more requests are read."""
PATIENCE: Final = 30.0
"""Seconds in which one who is sent an answer has to take it."""


class Outbox:
    """Answers that are to be sent. Of partial answers to a request only the newest is kept."""

    def __init__(self) -> None:
        self._answers: dict[Any, Answer] = {}
        self._numbers = 0
        self._filled = asyncio.Event()
        self._drained = asyncio.Event()
        self._drained.set()

    def put(self, answer: Answer) -> None:
        """Takes an answer."""
        partial = not answer["done"]
        self._numbers += 1
        key = ("partial", type(answer["id"]), answer["id"]) if partial else ("final", self._numbers)
        if not partial:  # what was found on the way is told by the last answer
            self._answers.pop(("partial", type(answer["id"]), answer["id"]), None)
        self._answers[key] = answer
        self._filled.set()
        if len(self._answers) >= MOST_UNSENT:
            self._drained.clear()

    async def take(self) -> Answer:
        """The next answer; waits until there is one."""
        while not self._answers:
            self._filled.clear()
            await self._filled.wait()
        answer = self._answers.pop(next(iter(self._answers)))
        if len(self._answers) < MOST_UNSENT:
            self._drained.set()
        return answer

    @property
    def empty(self) -> bool:
        """Whether everything was taken."""
        return not self._answers

    async def has_room(self) -> None:
        """Waits until not too many answers are unsent."""
        await self._drained.wait()


Make: TypeAlias = Callable[[Callable[[Answer], None]], Client]


async def answered(lines: Iterable[bytes], make: Make) -> AsyncIterator[str]:
    """The answers to lines, each a line, as they come; whoever goes away before the last one ends what is under way."""
    outbox = Outbox()
    client = make(outbox.put)
    try:
        for line in lines:
            client.hear(line)
        while client.busy or not outbox.empty:
            yield _text(await outbox.take()) + "\n"
    finally:
        client.leave()


async def converse(socket: Any, make: Make) -> None:
    """Answers frames until the other side goes; `make` gives the client that hears them."""
    await socket.accept()
    outbox = Outbox()
    client = make(outbox.put)
    listening = asyncio.create_task(_listen(socket, client, outbox))
    telling = asyncio.create_task(_tell(socket, outbox))
    try:
        await asyncio.wait([listening, telling], return_when=asyncio.FIRST_COMPLETED)
    finally:
        client.leave()
        for task in (listening, telling):
            task.cancel()
        await asyncio.gather(listening, telling, return_exceptions=True)


async def _listen(socket: WebSocket, client: Client, outbox: Outbox) -> None:
    with contextlib.suppress(WebSocketDisconnect):
        while True:
            frame = await socket.receive()
            if frame["type"] != "websocket.receive":
                return
            client.hear(frame.get("text") or frame.get("bytes") or "")
            await outbox.has_room()


async def _tell(socket: WebSocket, outbox: Outbox) -> None:
    """Sends what there is to send; gives up on one who does not read."""
    with contextlib.suppress(WebSocketDisconnect, TimeoutError):
        while True:
            text = _text(await outbox.take())
            async with asyncio.timeout(PATIENCE):
                await socket.send_text(text)


def _text(answer: Answer) -> str:
    # In ASCII: an id may be half a surrogate pair, which is no UTF-8.
    return json.dumps(answer, allow_nan=False)
