"""The vocabulary of the command line: what several commands ask for has one name and one meaning in all of them.

A command names a group of options by its dataclass, `analyze(at: Situation, limits: Limits, …)`, and `cli.as_command`
turns the fields into options. A parameter is called as the library calls it (`hash_mb`, `most_states`), whatever its
option is called: that is how a refusal of the library is spelled in the words of the command line.
"""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

import typer

from gametree.errors import InputError

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from gametree.game import Game
    from gametree.result import Limit


# --- options ----------------------------------------------------------------------------------------

Target = Annotated[
    str,
    typer.Argument(
        metavar="GAME", help="A game's name, or your own: mygame.py, mygame.py:Nim, package.module:Nim."
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="A parameter of the game; may be repeated."),
]
Position = Annotated[str | None, typer.Option(metavar="TEXT", help="Where to begin, as the game writes it.")]
Played = Annotated[
    str | None,
    typer.Option("--moves-played", metavar="MOVES", help="Moves made from there, for example '4 4 5'."),
]
Depth = Annotated[int | None, typer.Option(metavar="N", help="Stop after so many plies.")]
Seconds = Annotated[float | None, typer.Option(metavar="S", help="Stop after so many seconds.")]
Nodes = Annotated[int | None, typer.Option(metavar="N", help="Stop after so many nodes.")]
Moves = Annotated[bool, typer.Option("--moves", help="The value of every move.")]
Evaluation = Annotated[str | None, typer.Option(metavar="NAME", help="One of the game's evaluations.")]
Threads = Annotated[int, typer.Option(metavar="N", help="How many threads search together.")]
Hash = Annotated[float, typer.Option("--hash", metavar="MB", help="The size of the transposition table.")]
Compiling = Annotated[
    Literal["auto", "always", "never"],
    typer.Option("--compile", metavar="MODE", help="Machine code from the rules: auto, always, never."),
]
Seed = Annotated[int, typer.Option(metavar="N", help="The same seed gives the same answer.")]
MostStates = Annotated[
    int, typer.Option("--most-states", metavar="N", help="List no more positions than this.")
]
Endless = Annotated[
    float | None,
    typer.Option(metavar="X", help="What endless play is worth to the first player; half if not said."),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
Ascii = Annotated[bool, typer.Option("--ascii", help="Nothing but ASCII characters.")]
Files = list[Path] | None
Jobs = Annotated[int, typer.Option(metavar="N", help="How many processes of this machine take part.")]
ClusterAddress = Annotated[
    str | None,
    typer.Option("--cluster", metavar="ADDRESS", help="A Dask cluster takes part: tls://HOST:8786."),
]
Key = Annotated[
    Path | None,
    typer.Option(
        "--cluster-key", metavar="FILE", help="The key of the cluster, as `gametree cluster` makes it."
    ),
]


# --- groups -----------------------------------------------------------------------------------------


class Standing(NamedTuple):
    """A game, the state it is in, and the states before that, oldest first."""

    game: "Game"
    state: Any
    history: list[Any]


@dataclass(frozen=True)
class Situation:
    """A game and where it stands."""

    game: Target
    settings: Settings = None
    position: Position = None
    played: Played = None

    def stand(self) -> Standing:
        """The game after the moves that were made."""
        from gametree.app.load import load
        from gametree.app.notation import place_with_history

        rules = load(self.game, self.settings or ())
        if self.position is None and self.played is None:
            return Standing(rules, rules.initial(), [])
        return Standing(rules, *place_with_history(rules, self.position, self.played))


@dataclass(frozen=True)
class Limits:
    """When to stop."""

    depth: Depth = None
    seconds: Seconds = None
    nodes: Nodes = None

    def limit(self, otherwise: "Limit | None" = None) -> "Limit | None":
        """The limit that was given, or another one where there is none."""
        from gametree.result import Limit

        given = {name: value for name, value in vars(self).items() if value is not None}
        return Limit(**given) if given else otherwise


@dataclass(frozen=True)
class Resources:
    """What a search may use."""

    threads: Threads = 1
    hash_mb: Hash = 64
    compile: Compiling = "auto"

    def keywords(self) -> dict[str, Any]:
        """The same for a search of the library."""
        return dict(vars(self))


@dataclass(frozen=True)
class Spreading:
    """Who carries out what can be spread out: processes of this machine, or a cluster."""

    jobs: Jobs = 1
    cluster: ClusterAddress = None
    key: Key = None

    @contextmanager
    def executor(self, quiet: bool = False) -> "Iterator[Executor | None]":
        """Whoever does the work; None where it is this process. A person at a terminal is shown the workers."""
        if self.cluster is None:
            if self.key is not None:
                raise InputError(
                    f"--cluster-key {self.key}: a key of which cluster? Name it with --cluster ADDRESS"
                )
            if self.jobs == 1:
                yield None
                return
            from gametree.jobs.pool import Pool

            pool = Pool(self.jobs)
            try:
                yield pool
            finally:
                pool.shutdown(cancel_futures=True)
            return
        if self.jobs != 1:
            raise InputError(f"--jobs {self.jobs}: processes of this machine, or --cluster: one of the two")
        from gametree.jobs.cluster import Cluster

        cluster = Cluster(self.cluster, self.key)
        try:
            if not quiet and sys.stderr.isatty():
                print(*cluster.seats(), sep="\n", file=sys.stderr)
            yield cluster
        finally:
            cluster.shutdown(cancel_futures=True)


Cutting = Annotated[
    Literal["ge", "gt"], typer.Option("--cut", metavar="ge|gt", help="Cut at ≥, or only at >.")
]
SIGNS: dict[str, Literal[">=", ">"]] = {"ge": ">=", "gt": ">"}


@dataclass(frozen=True)
class Conventions:
    """How alpha-beta is taught and drawn."""

    cut: Cutting = "ge"
    fail: Annotated[
        Literal["soft", "hard"], typer.Option(metavar="soft|hard", help="Fail-soft or fail-hard.")
    ] = "soft"
    bounds: Annotated[
        Literal["alpha-beta", "intervals"],
        typer.Option(metavar="NAME", help="Beside the nodes: alpha-beta, or intervals."),
    ] = "alpha-beta"
    shapes: Annotated[
        Literal["squares-circles", "triangles"],
        typer.Option(metavar="NAME", help="MAX and MIN: squares-circles, or triangles."),
    ] = "squares-circles"
    direction: Annotated[
        Literal["left-to-right", "right-to-left"],
        typer.Option(metavar="NAME", help="Children: left-to-right, or right-to-left."),
    ] = "left-to-right"

    def keywords(self) -> dict[str, Any]:
        """The same for `gametree.explain`."""
        return {**vars(self), "cut": SIGNS[self.cut]}


# --- what comes of them -----------------------------------------------------------------------------


@contextmanager
def json_only(asked: bool) -> Iterator[Callable[[Any], None]]:
    """A function that prints JSON; what rules print in the meantime goes to stderr."""
    out = sys.stdout

    def emit(data: Any) -> None:
        print(as_json(data), file=out)

    with redirect_stdout(sys.stderr) if asked else nullcontext():
        yield emit


def as_json(data: Any) -> str:
    """Plain data as JSON for people and programs."""
    return json.dumps(data, indent=2, allow_nan=False, ensure_ascii=False)
