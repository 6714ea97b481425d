"""A Dask cluster carries out tasks: `Cluster` is an executor as in `concurrent.futures`.

Whoever can speak to a cluster runs programs on all of its machines. So it is reached by TLS, with a key that all of it
share (`keys.py`), or not beyond this machine. A parcel travels to each worker once (`delivery.py`). A worker that dies
or falls silent is the scheduler's business: its tasks are given to others.
"""

import contextlib
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from gametree.errors import GametreeError, InputError
from gametree.jobs.addresses import checked
from gametree.jobs.keys import key_file
from gametree.jobs.parcel import Parcel
from gametree.jobs.pool import MOST_DEATHS

PATIENCE: Final = 10.0
"""Seconds in which a scheduler answers, and a first worker is there."""
SILENT: Final = 120
"""Seconds after which a connection on which nothing is heard is given up: a cut link may come back before."""


@dataclass(frozen=True)
class Seat:
    """A worker of a cluster."""

    address: str
    threads: int
    running: int
    """How many calls it has at the moment."""

    def __str__(self) -> str:
        calls = "1 call" if self.running == 1 else f"{self.running} calls"
        return f"{self.address}  {self.threads} {'thread' if self.threads == 1 else 'threads'}, {calls}"


class Cluster(Executor):
    """A Dask cluster at an address, `tls://host:8786` or `tcp://127.0.0.1:8786`.

    `key` is the file that `gametree cluster start` has made; without it, the one in the user's directory for data, or
    what Dask's own configuration names.
    """

    def __init__(self, address: str, key: str | Path | None = None, *, patience: float = PATIENCE):
        checked(address)
        distributed = library()
        self.address = address
        self._parcels: dict[str, str] = {}
        self._running: set[Any] = set()
        self._quiet = contextlib.ExitStack()
        self._quiet.enter_context(quiet())
        with settings():
            try:
                self._client: Any = distributed.Client(
                    address,
                    security=security(address, key),
                    timeout=patience,
                    set_as_default=False,
                    name="gametree",
                )
            except (OSError, TimeoutError) as error:
                self._quiet.close()
                raise InputError(
                    f"nobody answers at {address} ({_reason(error)}); `gametree cluster start` starts a cluster on this"
                    " machine"
                ) from None
        self._await_worker(patience)

    @property
    def workers(self) -> int:
        """How many calls are carried out at a time."""
        return sum(seat.threads for seat in self.seats()) or 1

    @property
    def there(self) -> bool:
        """Whether the scheduler is still heard of."""
        return bool(self._client.status == "running")

    def seats(self) -> list[Seat]:
        """The workers that there are at the moment."""
        found = self._client.scheduler_info(n_workers=-1)["workers"]
        return [
            Seat(address, one["nthreads"], one.get("metrics", {}).get("executing", 0))
            for address, one in sorted(found.items())
        ]

    def __exit__(self, kind: Any, *_: Any) -> None:
        self.shutdown(cancel_futures=kind is not None)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        """Has a call carried out by one of the workers."""
        if not self.there:
            raise RuntimeError(f"the cluster at {self.address} is not there any more")
        from gametree.jobs.delivery import call

        given = [self._sent(one) if isinstance(one, Parcel) else one for one in args]
        theirs = self._client.submit(call, fn, given, kwargs, pure=False)
        ours: Future[Any] = _Call(self, theirs)
        ours.set_running_or_notify_cancel()
        self._running.add(theirs)
        theirs.add_done_callback(lambda done: self._finished(done, ours))
        return ours

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leaves the cluster, which goes on without us; calls that wait are taken back."""
        if wait and not cancel_futures and self.there:
            for one in list(self._running):
                with contextlib.suppress(Exception):
                    one.result()
        if self.there:  # what is lost is not to be taken back
            for one in list(self._running):
                with contextlib.suppress(Exception):
                    one.cancel()
            for name in self._parcels.values():
                with contextlib.suppress(Exception):
                    self._client.unregister_worker_plugin(name)
        self._parcels.clear()
        lost = not self.there
        with contextlib.suppress(Exception):
            self._client.close(timeout=2)
        if not lost:  # else Dask goes on to complain
            self._quiet.close()

    def _sent(self, parcel: Parcel) -> Any:
        """Brings a parcel to all workers, where that was not done before; what stands for it."""
        from gametree.jobs.delivery import Delivery, Ticket

        if parcel.digest not in self._parcels:
            delivery = Delivery(parcel)
            self._client.register_plugin(delivery)
            self._parcels[parcel.digest] = delivery.name
        return Ticket(parcel.digest)

    def _finished(self, theirs: Any, ours: "Future[Any]") -> None:
        self._running.discard(theirs)
        if ours.done():
            return
        try:
            found = theirs.result()
        except BaseException as error:
            ours.set_exception(error if isinstance(error, Exception) else GametreeError(str(error)))
        else:
            ours.set_result(found)

    def _await_worker(self, patience: float) -> None:
        end = time.monotonic() + patience
        while not self.seats():
            if time.monotonic() > end:
                self.shutdown(cancel_futures=True)
                raise InputError(
                    f"the cluster at {self.address} has no workers; `gametree cluster join {self.address}` starts some"
                )
            time.sleep(0.1)


class _Call(Future[Any]):
    """A call on its way; taking it back takes it back from the cluster."""

    def __init__(self, cluster: Cluster, theirs: Any):
        super().__init__()
        self._cluster = cluster
        self._theirs = theirs

    def cancel(self) -> bool:
        """Takes the call back, also where it is being carried out: nobody will hear of it."""
        if self._cluster.there:
            with contextlib.suppress(Exception):
                self._theirs.cancel()
        return False


def _reason(error: BaseException) -> str:
    text = str(error).partition("\n")[0]
    return text if len(text) <= 120 else f"{text[:119]}…"


# --- what Dask needs to be told ---------------------------------------------------------------------


def library() -> Any:
    """The library `distributed`, or a refusal with the way to have it."""
    try:
        import distributed
    except ImportError:
        raise InputError(
            "a cluster needs the extra `cluster`: pip install 'gametree[cluster]', or in a copy of the repository"
            " .venv/bin/pip install '.[cluster]'"
        ) from None
    return distributed


def security(address: str, key: str | Path | None) -> Any:
    """What Dask has to know to reach an address; a key that is wanted and not there is refused."""
    distributed = library()
    if address.startswith("tcp:"):
        return distributed.Security(require_encryption=False)
    import dask

    if key is None and dask.config.get("distributed.comm.tls.ca-file", None):
        return distributed.Security(require_encryption=True)
    file = str(key_file(key))
    roles = {f"tls_{role}_cert": file for role in ("client", "scheduler", "worker")}
    return distributed.Security(require_encryption=True, tls_ca_file=file, **roles)


@contextlib.contextmanager
def settings() -> Iterator[None]:
    """Dask's own settings, where ours are others."""
    library()
    import dask

    seconds = f"{SILENT}s"
    ours = {
        "distributed.comm.timeouts.tcp": seconds,
        "distributed.scheduler.allowed-failures": MOST_DEATHS - 1,
        "distributed.scheduler.worker-ttl": "5 minutes",
        # Pages about the cluster, which anybody could read.
        "distributed.scheduler.http.routes": [],
        "distributed.worker.http.routes": [],
        "distributed.worker.profile.enabled": False,
        "logging.distributed": "critical",
    }
    with dask.config.set(ours):
        yield


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """What Dask tells of lost connections is told by us."""
    import logging

    names = [name for name in logging.root.manager.loggerDict if name.partition(".")[0] == "distributed"]
    before = [(logger, logger.level) for logger in map(logging.getLogger, names)]
    for logger, _ in before:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in before:
            logger.setLevel(level)
