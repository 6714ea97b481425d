"""`gametree engine --json`: the protocol on standard input and output."""

import asyncio
import json
import sys
from collections.abc import Iterable
from typing import BinaryIO, TextIO

from gametree.app.serve.client import Client
from gametree.app.serve.pool import Answer, Pool


async def converse(targets: Iterable[str], workers: int | None, lines: BinaryIO, answers: TextIO) -> None:
    """Answers lines until they end; then what is under way is answered, too."""
    loop = asyncio.get_running_loop()
    idle = asyncio.Event()
    pool = Pool(targets, workers)

    def send(answer: Answer) -> None:
        answers.write(json.dumps(answer, allow_nan=False) + "\n")
        answers.flush()
        loop.call_soon(lambda: None if client.busy else idle.set())

    client = Client(pool, send)
    try:
        await pool.start()
        # A thread reads: not every kind of standard input can be waited for.
        while line := await asyncio.to_thread(lines.readline):
            if line.strip():
                client.hear(line)
        while client.busy:
            idle.clear()
            await idle.wait()
    finally:
        client.leave()
        await pool.close()


def serve(targets: Iterable[str], workers: int | None) -> None:
    """Answers on standard output."""
    asyncio.run(converse(targets, workers, sys.stdin.buffer, sys.stdout))
