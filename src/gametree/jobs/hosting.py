"""A cluster of one's own: a scheduler with workers on this machine, and workers that join one elsewhere.

All of it runs until it is told to stop, by Ctrl-C or SIGTERM, and leaves no process behind. A worker that dies is
replaced by its nanny; workers that lost their scheduler join it again when it is back.
"""

import asyncio
import contextlib
import logging
import signal
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from gametree.arguments import whole
from gametree.errors import InputError
from gametree.jobs import cluster
from gametree.jobs.addresses import checked
from gametree.jobs.keys import key_file, made_key

PORT: Final = 8786
AGAIN: Final = 1.0
"""Seconds until workers that lost their scheduler try it again."""

Told = Callable[[str], None]


def start(
    workers: int, *, host: str = "127.0.0.1", port: int = PORT, key: str | Path | None = None, on_ready: Told
) -> None:
    """Runs a scheduler and `workers` worker processes until it is stopped; `on_ready` hears the address."""
    whole("workers", workers, "the number of worker processes, at least 0", least=0)
    if not 0 <= whole("port", port, "a port from 0 to 65535", least=0) <= 65535:
        raise InputError(f"port={port!r}: a port from 0 to 65535")
    cluster.library()
    file = made_key(key)
    with _ours() as folder:
        asyncio.run(_start(workers, host, port, file, folder, on_ready))


def join(
    address: str,
    workers: int,
    *,
    key: str | Path | None = None,
    host: str | None = None,
    on_ready: Told,
    on_lost: Told,
) -> None:
    """Runs worker processes for the cluster at an address until it is stopped.

    `on_ready` hears when they have joined, `on_lost` when nobody answers there: then they try it again and again.
    """
    whole("workers", workers, "the number of worker processes, at least 1")
    checked(address)
    cluster.library()
    if address.startswith("tls:"):
        key = key_file(key)
    with _ours() as folder:
        asyncio.run(_join(address, workers, key, host, folder, on_ready, on_lost))


@contextlib.contextmanager
def _ours() -> Iterator[str]:
    """Dask as we want it, with a folder of its own."""
    import dask

    with (
        tempfile.TemporaryDirectory(prefix="gametree-cluster-", ignore_cleanup_errors=True) as folder,
        cluster.settings(),
        dask.config.set({"temporary-directory": folder}),
        cluster.quiet(),
    ):
        yield folder


async def _start(workers: int, host: str, port: int, key: Path, folder: str, on_ready: Told) -> None:
    from distributed import Scheduler

    stop = _told_to_stop()
    security = cluster.security("tls://", key)
    scheduler = Scheduler(
        host=host,
        port=port,
        protocol="tls://",
        security=security,
        dashboard=False,
        dashboard_address="127.0.0.1:0",
    )
    try:
        await scheduler
    except (OSError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or error.__cause__ or error
        raise InputError(
            f"nobody can listen at {host}:{port} ({reason}); --port names another port"
        ) from None
    try:
        await _work(
            scheduler.address, workers, security, host, folder, stop, lambda: on_ready(scheduler.address)
        )
    finally:
        await scheduler.close()


async def _join(
    address: str, workers: int, key: Any, host: str | None, folder: str, on_ready: Told, on_lost: Told
) -> None:
    stop = _told_to_stop()
    security = cluster.security(address, key)
    while not stop.is_set():
        if not await _answers(address, security):
            on_lost(address)
            while not stop.is_set() and not await _answers(address, security):
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(stop.wait(), AGAIN)
        if not stop.is_set():
            await _work(address, workers, security, host, folder, stop, lambda: on_ready(address))
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), AGAIN)


async def _answers(address: str, security: Any) -> bool:
    """Whether a scheduler lets us in."""
    from distributed import comm

    try:
        there = await comm.connect(  # type: ignore[no-untyped-call, attr-defined]
            address, timeout=2, **security.get_connection_args("worker")
        )
    except (OSError, TimeoutError):
        return False
    there.abort()
    return True


async def _work(
    address: str,
    workers: int,
    security: Any,
    host: str | None,
    folder: str,
    stop: asyncio.Event,
    on_ready: Callable[[], None],
) -> None:
    """Runs workers until they are told to stop, or one of them has lost the scheduler for good."""
    from distributed import Nanny

    nannies: list[Any] = [
        Nanny(
            address,
            nthreads=1,
            security=security,
            host=host,
            memory_limit=0,
            dashboard=False,
            dashboard_address="127.0.0.1:0",
            local_directory=folder,
            silence_logs=logging.CRITICAL,
            preload=[__name__],
            death_timeout=f"{cluster.SILENT}s",
        )
        for _ in range(workers)
    ]
    ended: asyncio.Future[Any] = asyncio.ensure_future(stop.wait())
    try:
        starting: asyncio.Future[Any] = asyncio.gather(*nannies)
        await asyncio.wait([starting, ended], return_when=asyncio.FIRST_COMPLETED)
        if starting.done() and starting.exception() is None:
            on_ready()
            lost: list[asyncio.Future[Any]] = [asyncio.ensure_future(one.finished()) for one in nannies]
            await asyncio.wait([ended, *lost], return_when=asyncio.FIRST_COMPLETED)
            for task in lost:
                task.cancel()
        starting.cancel()
    finally:
        ended.cancel()
        await asyncio.gather(*(one.close(timeout=2) for one in nannies), return_exceptions=True)
        for one in nannies:  # whoever has not come as far as to be closed
            if one.process is not None:
                with contextlib.suppress(Exception):
                    await one.process.kill(timeout=2)


def dask_setup(_worker: Any) -> None:
    """Called by Dask in every worker process: Ctrl-C is for the process that has started it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _told_to_stop() -> asyncio.Event:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, stop.set)
        except NotImplementedError:  # Windows
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(stop.set))
    return stop
