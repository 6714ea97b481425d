"""The server's life: a port, the workers, the browser, the end."""

import asyncio
import contextlib
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import uvicorn

from gametree.app.serve.client import MOST_BYTES
from gametree.app.serve.library import name_of
from gametree.app.serve.pool import Pool
from gametree.app.web.gate import Names
from gametree.app.web.site import Site
from gametree.app.web.visitors import Visitors, kept_key
from gametree.compiled import cache
from gametree.errors import InputError

if TYPE_CHECKING:
    from gametree.app.web.classroom import Classroom

MOST_CONNECTIONS: Final = 500
CLOSES_WITHIN: Final = 1
SOON: Final = 0.01
AFTER_PAGE: Final = 0.1
"""Seconds that the browser has to ask for the page before workers are started."""


@dataclass(frozen=True)
class Setup:
    """What the command line says."""

    targets: tuple[str, ...] = ()
    host: str = "127.0.0.1"
    port: int = 8642
    password: str | None = None
    workers: int | None = None
    open_browser: bool = True
    classroom: Path | None = None
    exercises: tuple[Path, ...] = ()
    programs: tuple[tuple[str, str], ...] = ()
    """Of every program that the class writes the function and the game."""


def serve(setup: Setup, say: Callable[[str], None]) -> None:
    """Serves until Ctrl-C."""
    with contextlib.ExitStack() as stack:
        room = None
        if setup.classroom is not None:
            # Slow to import, and few have one.
            from gametree.app.web.classroom import Classroom
            from gametree.app.web.register import Task

            tasks = tuple(Task(*one) for one in setup.programs)
            made = Classroom(setup.classroom, setup.exercises, tasks)
            room = stack.enter_context(contextlib.closing(made))
        listening = stack.enter_context(_listening(setup.host, setup.port))
        stack.enter_context(contextlib.suppress(KeyboardInterrupt))
        asyncio.run(_serve(setup, listening, say, room))


async def _serve(
    setup: Setup, listening: socket.socket, say: Callable[[str], None], room: "Classroom | None"
) -> None:
    port = listening.getsockname()[1]
    visitors = Visitors(kept_key(cache.directory()), port, setup.password)
    pool = Pool(setup.targets, setup.workers)

    def address() -> str:
        game = f"#/play/{name_of(setup.targets[0])}" if len(setup.targets) == 1 else ""
        return f"http://{_in_address(setup.host)}:{port}/?token={visitors.token}{game}"

    site = Site(
        pool,
        Names(setup.host, port),
        visitors,
        renewed=lambda: say(f"In another browser: {address()}"),
        classroom=room,
    )
    server = uvicorn.Server(
        uvicorn.Config(
            site.app,
            ws="websockets-sansio",
            ws_max_size=MOST_BYTES,
            ws_per_message_deflate=False,
            http="h11",
            lifespan="on",
            log_level="error",
            access_log=False,
            server_header=False,
            limit_concurrency=MOST_CONNECTIONS,
            timeout_graceful_shutdown=CLOSES_WITHIN,
        )
    )

    async def started() -> None:
        """Starts the workers once the page is served: to start them takes more than that."""
        while not server.started:
            await asyncio.sleep(SOON)
        await asyncio.sleep(AFTER_PAGE)
        await pool.start()

    starting = asyncio.create_task(started())
    say(f"Open {address()}")
    if setup.password:
        say(f"Others open http://{_in_address(setup.host)}:{port} and give the password.")
    say("Ctrl-C ends the server.")
    if setup.open_browser:
        threading.Thread(target=webbrowser.open, args=(address(),), daemon=True).start()
    try:
        await server.serve(sockets=[listening])
    finally:
        starting.cancel()
        await asyncio.gather(starting, return_exceptions=True)
        await pool.close()


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # With the protocol by its number: without it asyncio lets small answers wait for each other, for 40 ms.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    if sys.platform != "win32":  # there it would let two servers have the same port
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise InputError(
            f"port {port} of {host} cannot be had ({error.strerror or error}): name another with --port,"
            " or any free one with --port 0"
        ) from None
    listening.listen(128)
    return listening


def _in_address(host: str) -> str:
    if host in ("0.0.0.0", "::"):
        return socket.gethostname()
    return f"[{host}]" if ":" in host else host
