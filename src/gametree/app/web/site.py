"""What is served at which address."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qs

from starlette.applications import Starlette
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from gametree.app.serve.client import MOST_BYTES, Client, Desk
from gametree.app.serve.pool import Pool
from gametree.app.serve.referee import Referee
from gametree.app.web.connection import answered, converse
from gametree.app.web.files import DOOR, PAGE, SHARED, Files
from gametree.app.web.gate import App, Gate, Names
from gametree.app.web.visitors import LASTS, Visitors

if TYPE_CHECKING:
    from gametree.app.web.classroom import Classroom

MOST_FORM_BYTES: Final = 4_096
DOUBT: Final = 0.5
"""Seconds that a wrong password takes; those who guess at the same time wait for each other."""


class Site:
    """The page and the protocol behind one gate."""

    def __init__(
        self,
        pool: Pool,
        names: Names,
        visitors: Visitors,
        renewed: Callable[[], None] = lambda: None,
        classroom: "Classroom | None" = None,
    ):
        self._pool = pool
        self._visitors = visitors
        self._renewed = renewed
        """Called when the one-time token was used, and there is a new one."""
        self._classroom = classroom
        self._referee = Referee(pool)
        self._page = Files(PAGE, shared=SHARED)
        self._door = Files(DOOR)
        self._doubt = asyncio.Lock()
        routes = [
            Route("/door", self._enter, methods=["GET", "POST"]),
            Route("/door.css", self._door_style),
            Route("/messages", self._answer_lines, methods=["POST"]),
            Route("/classroom.csv", self._class_table),
            WebSocketRoute("/ws", self._converse),
            Route("/{path:path}", self._file),
        ]
        inner = Starlette(routes=routes, lifespan=self._lifespan)
        self.app: App = Gate(inner, names, visitors, open_paths=("/", "/door", "/door.css"))

    @contextlib.asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        try:
            yield
        finally:
            await self._pool.close()

    async def _file(self, request: Request) -> Response:
        if "token" in request.query_params:
            return self._admitted(request)
        if request.scope["visitor"] is None:
            return self._at_the_door(request)
        found = self._page.get(request.scope["path"])
        if found is None:
            return PlainTextResponse("gametree: there is nothing here\n", 404)
        return Response(found.content, media_type=found.kind)

    def _admitted(self, request: Request) -> Response:
        cookie = self._visitors.admit(request.query_params["token"])
        if cookie:
            self._renewed()
            return self._with_cookie(cookie)
        if request.scope["visitor"] is not None:
            return RedirectResponse("/", 303)
        return self._at_the_door(request)

    def _at_the_door(self, request: Request) -> Response:
        if self._visitors.password is not None:
            return RedirectResponse("/door", 303)
        text = "gametree: this address was used already. gametree serve has printed another one: open that.\n"
        return PlainTextResponse(text, 401)

    async def _enter(self, request: Request) -> Response:
        if self._visitors.password is None:
            return PlainTextResponse("gametree: there is nothing here\n", 404)
        said = ""
        if request.method == "POST":
            body = b""
            async for part in request.stream():
                body += part
                if len(body) > MOST_FORM_BYTES:
                    return PlainTextResponse("gametree: that is no password\n", 413)
            given = parse_qs(body.decode("utf-8", "replace")).get("password", [""])[0]
            if cookie := self._visitors.welcome(given):
                return self._with_cookie(cookie)
            async with self._doubt:  # one guess after the other
                await asyncio.sleep(DOUBT)
            said = "That is not the password."
        page = self._door.get("/door.html")
        assert page is not None
        content = page.content.replace(b"<!-- said -->", said.encode())
        return Response(content, 403 if said else 200, media_type=page.kind)

    async def _door_style(self, request: Request) -> Response:
        style = self._door.get("/door.css")
        assert style is not None
        return Response(style.content, media_type=style.kind)

    def _with_cookie(self, value: str) -> Response:
        answer = RedirectResponse("/", 303)
        answer.set_cookie(
            self._visitors.cookie_name, value, max_age=LASTS, path="/", httponly=True, samesite="strict"
        )
        return answer

    async def _converse(self, socket: WebSocket) -> None:
        await converse(socket, lambda send: Client(self._pool, send, self._desk(socket), self._referee))

    async def _answer_lines(self, request: Request) -> Response:
        """The protocol over HTTP: lines in, lines out as they come. The messages of a class are for pages alone."""
        if self._classroom is not None and request.scope["visitor"].role != "owner":
            return PlainTextResponse("gametree: in a class only the teacher's programs may ask\n", 403)
        body = b""
        async for part in request.stream():
            body += part
            if len(body) > MOST_BYTES:
                return PlainTextResponse(f"gametree: at most {MOST_BYTES:,} bytes at once\n", 413)
        lines = [line for line in body.splitlines() if line.strip()]
        answers = answered(lines, lambda send: Client(self._pool, send, referee=self._referee))
        return StreamingResponse(answers, media_type="application/x-ndjson")

    def _desk(self, asked: HTTPConnection) -> Desk | None:
        """Where a class is asked for, if there is one."""
        if self._classroom is None:
            return None
        return self._classroom.desk(self._pool, asked.scope["visitor"])

    async def _class_table(self, request: Request) -> Response:
        if self._classroom is None:
            return PlainTextResponse("gametree: there is no class here: start it with --classroom\n", 404)
        if request.scope["visitor"].role != "owner":
            return PlainTextResponse("gametree: only the teacher sees the class\n", 403)
        headers = {"Content-Disposition": 'attachment; filename="classroom.csv"'}
        return Response(self._classroom.table(), media_type="text/csv", headers=headers)
