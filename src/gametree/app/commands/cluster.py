"""`gametree cluster`: a cluster of one's own, workers for one, and who is there."""

import sys
import time
from typing import Annotated, Any, Literal

import typer

from gametree.app.options import Json, Key, json_only
from gametree.errors import InputError
from gametree.jobs import hosting
from gametree.jobs.cluster import Cluster
from gametree.jobs.keys import usual_key


def cluster(
    task: Annotated[
        Literal["start", "join", "show"], typer.Argument(metavar="TASK", help="start, join or show.")
    ],
    address: Annotated[
        str | None, typer.Argument(metavar="ADDRESS", help="With join and show: tls://HOST:8786.")
    ] = None,
    *,
    workers: Annotated[int, typer.Option(metavar="N", help="How many worker processes.")] = 2,
    host: Annotated[
        str, typer.Option(metavar="NAME", help="Where it listens; with 0.0.0.0, for other machines as well.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="N", help="The port of the scheduler.")] = hosting.PORT,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Starts a cluster on this machine, joins one with more workers, or shows the workers of one.

    A cluster is a scheduler and worker processes (Dask's). It works for the commands that have `--cluster ADDRESS`. All
    of it is encrypted, and the key is a file: who has it may run programs on the cluster, so copy it to your own
    machines only. `start` makes it where there is none. Ctrl-C ends `start` and `join`.

    \b
    Examples:
      gametree cluster start --workers 2
      gametree cluster start --workers 4 --host 192.168.1.20
      gametree cluster join tls://192.168.1.20:8786 --workers 8
      gametree cluster show tls://127.0.0.1:8786
    """
    if task == "start":
        if address is not None:
            raise InputError(
                f"cluster start {address}: it is --host and --port that say where the cluster listens"
            )
        hosting.start(
            workers,
            host=host,
            port=port,
            key=key,
            on_ready=lambda found: _started(found, workers, str(key or usual_key())),
        )
        return
    if address is None:
        raise InputError(f"cluster {task}: say which cluster, tls://HOST:8786")
    if task == "join":
        given = None if host == "127.0.0.1" else host
        hosting.join(
            address,
            workers,
            key=key,
            host=given,
            on_ready=lambda found: _joined(found, workers),
            on_lost=lambda found: _say(f"nobody answers at {found}, or the key is another one; trying again"),
        )
        return
    with json_only(as_json) as emit, Cluster(address, key) as found:
        seats = found.seats()
        if as_json:
            emit({"address": address, "workers": [_document(seat) for seat in seats]})
        else:
            print(*seats, sep="\n")


def _document(seat: Any) -> dict[str, Any]:
    return {"address": seat.address, "threads": seat.threads, "running": seat.running}


def _started(address: str, workers: int, key: str) -> None:
    count = "1 worker" if workers == 1 else f"{workers} workers"
    print(f"a cluster with {count} listens at {address}")
    print(f"  its key     {key}")
    print(f"  to use it   gametree perft othello 8 --cluster {address}")
    print(f"  more hands  gametree cluster join {address} --workers 2")
    print("Ctrl-C ends it.", flush=True)


def _joined(address: str, workers: int) -> None:
    count = "1 worker" if workers == 1 else f"{workers} workers"
    _say(f"{count} joined {address}")


def _say(text: str) -> None:
    print(f"{time.strftime('%H:%M:%S')}  {text}", file=sys.stderr, flush=True)
