"""What `gametree match` and `gametree tournament` share: options, the table while they play, and what they write."""

import shlex
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from gametree.app.options import Files, Seed
from gametree.app.output import require_endings, write
from gametree.errors import InputError

if TYPE_CHECKING:
    from gametree.arena.match import Match
    from gametree.arena.tournament import Tournament
    from gametree.game import Game

ENDINGS: Final = (".jsonl", ".html", ".json", ".svg", ".png", ".pdf", ".pgn", ".pdn", ".sgf")
QUIET: Final = 30.0
"""Seconds between two lines where nobody watches a table."""


@dataclass(frozen=True)
class Playing:
    """How games are played."""

    tc: Annotated[
        str | None,
        typer.Option("--tc", metavar="CLOCK", help="A clock for the game, in seconds: 5+0.05, 40/60+0.5."),
    ] = None
    seconds: Annotated[float | None, typer.Option(metavar="S", help="Seconds for each move.")] = None
    nodes: Annotated[int | None, typer.Option(metavar="N", help="Nodes for each move.")] = None
    depth: Annotated[int | None, typer.Option(metavar="N", help="Plies for each move.")] = None
    margin: Annotated[
        float, typer.Option(metavar="S", help="What a move may take to arrive, beyond its clock.")
    ] = 0.05
    openings: Annotated[
        str,
        typer.Option(
            metavar="FILE",
            help=".pgn, .pdn, .epd, or a position or moves a line; random (and even) ones, or start for none.",
        ),
    ] = "random"
    opening_plies: Annotated[
        str | None,
        typer.Option(
            metavar="A-B", help="How long random openings are (4-10); of recorded games one number (16)."
        ),
    ] = None
    shuffle: Annotated[
        bool, typer.Option("--shuffle", help="The openings of a file in an order by the seed.")
    ] = False
    most_plies: Annotated[int, typer.Option(metavar="N", help="A longer game is a draw.")] = 1_000
    win_from: Annotated[
        float | None,
        typer.Option(
            metavar="X", help="A game is won where a short search sees so much ahead, six times in a row."
        ),
    ] = None
    draw_within: Annotated[
        float | None,
        typer.Option(
            metavar="X", help="A game is drawn where it sees nobody further ahead, 20 times from ply 80 on."
        ),
    ] = None
    seed: Seed = 0
    results: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Where results are kept, to go on from; named by the experiment if not said."
        ),
    ] = None
    pgn: Annotated[Path | None, typer.Option("--pgn", metavar="FILE", help="The games of chess as PGN.")] = (
        None
    )
    out: Annotated[
        Files,
        typer.Option(
            metavar="FILE",
            help="Write .jsonl (results to go on from), .html, .json, .svg, .png, .pdf, .pgn, .pdn, .sgf; may be"
            " repeated.",
        ),
    ] = None

    @property
    def files(self) -> list[Path]:
        """All files that were asked for."""
        return [*(self.out or []), *([self.pgn] if self.pgn else [])]

    def keywords(self, game: "Game") -> dict[str, Any]:
        """The same for the library; what cannot be written is refused before anything is played."""
        from gametree.arena.clocks import Control
        from gametree.arena.openings import Judge
        from gametree.arena.playing import Adjudication
        from gametree.arena.report.notation import FORMATS, require_format

        require_endings(self.out or [], ENDINGS)
        for file in self.files:
            if file.suffix.lower() in FORMATS or file == self.pgn:
                require_format(game, ".pgn" if file == self.pgn else file.suffix.lower())
        more: dict[str, Any] = {"nodes": self.nodes, "depth": self.depth, "margin": self.margin}
        control = Control(each=self.seconds, **more)
        if self.tc is not None:
            control = Control.read(self.tc, each=self.seconds, **more)
        judged = None
        if self.win_from is not None or self.draw_within is not None:
            judged = Adjudication(Judge(game), win=self.win_from, draw=self.draw_within)
        return {
            "control": control,
            "openings": self._book(game),
            "most_plies": self.most_plies,
            "adjudication": judged,
            "seed": self.seed,
            "results": self._results(),
        }

    def _results(self) -> Path:
        """The file to go on from; without one, a file in this folder that is named by the experiment."""
        files = [file for file in self.out or [] if file.suffix.lower() == ".jsonl"]
        files += [self.results] if self.results is not None else []
        if len(files) > 1:
            raise InputError(f"{files[0]} and {files[1]}: there is one file of results")
        return files[0] if files else Path()

    def _book(self, game: "Game") -> Any:
        from gametree.arena.opening_files import PLIES, OpeningFile
        from gametree.arena.openings import Openings
        from gametree.arena.series import START

        least, most = _plies(self.opening_plies)
        if self.openings == START:
            return START
        if self.openings != "random":
            return OpeningFile(game, self.openings, plies=most or PLIES, shuffle=self.shuffle, seed=self.seed)
        if most is None:
            return None
        return Openings(game, seed=self.seed, plies=(least, most), judged=game.players == 2)


def _plies(text: str | None) -> tuple[int, int | None]:
    """The least and the most: "4-10", or one number for both."""
    if text is None:
        return 0, None
    words = text.split("-")
    if len(words) > 2 or not all(word.strip().isdecimal() for word in words):
        raise InputError(f"--opening-plies {text}: write two numbers, 4-10, or one")
    return int(words[0]), int(words[-1])


# --- while they play --------------------------------------------------------------------------------


class Pace:
    """How fast games are played, and how long the rest will take."""

    def __init__(self) -> None:
        self._began = time.monotonic()

    def rows(self, found: "Match | Tournament") -> list[tuple[str, str]]:
        """Games, games an hour, time left."""
        took = time.monotonic() - self._began
        rows = [("games", f"{found.games_played:,} of {found.planned:,}")]
        if found.fresh and took > 0.5:
            rate = found.fresh / took
            rows.append(("games an hour", f"{3600 * rate:,.0f}"))
            rows.append(("time left", duration((found.planned - found.games_played) / rate)))
        return rows


def duration(seconds: float) -> str:
    """A time for people.

    >>> duration(42), duration(3723), duration(200_000)
    ('42 s', '1 h 02 min', '2 d 07 h')
    """
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 3600:
        return f"{seconds / 60:.0f} min"
    if seconds < 86_400:
        return f"{int(seconds // 3600)} h {int(seconds % 3600 // 60):02d} min"
    return f"{int(seconds // 86_400)} d {int(seconds % 86_400 // 3600):02d} h"


@contextmanager
def watched(quiet: bool) -> Iterator[Callable[[Any], None]]:
    """Shows how it stands: a table that changes for a person at a terminal, else a line now and then on stderr."""
    pace = Pace()
    if quiet:
        yield lambda found: None
    elif not sys.stderr.isatty():
        told = time.monotonic()

        def tell(found: Any) -> None:
            nonlocal told
            if time.monotonic() - told >= QUIET:
                told = time.monotonic()
                stands = ", ".join(text for _, text in [*pace.rows(found), *_stand(found)[:1]])
                print(stands, file=sys.stderr, flush=True)

        yield tell
    else:
        yield from _live(pace)


def _live(pace: Pace) -> Iterator[Callable[[Any], None]]:
    from rich.live import Live
    from rich.text import Text

    from gametree.app.screen import console

    latest: list[Any] = []

    def drawn() -> Any:
        if not latest:
            return Text("playing the first games")
        found = latest[0]
        rows = [*pace.rows(found), *_stand(found)]
        wide = max(len(label) for label, _ in rows)
        return Text(
            "\n".join(f"  {label:<{wide}}  {text}".rstrip() for label, text in rows), overflow="ellipsis"
        )

    with Live(get_renderable=drawn, console=console(stderr=True), refresh_per_second=4, transient=True):

        def show(found: Any) -> None:
            latest[:] = [found]

        yield show


def _stand(found: Any) -> list[tuple[str, str]]:
    if hasattr(found, "standings"):
        return [("", line) for line in str(found).splitlines()[1:]]
    return list(found.rows())


def play(run: Callable[..., Any], as_json: bool) -> Any:
    """Plays with a table; Ctrl-C tells how it stands, and the line that goes on."""
    latest: list[Any] = []

    def heard(found: Any) -> None:
        latest[:] = [found]
        show(found)

    try:
        with watched(as_json) as show:
            return run(on_progress=heard)
    except KeyboardInterrupt:
        if latest:
            print(latest[0], file=sys.stderr)
            print(
                f"\nstopped after {latest[0].games_played:,} games, kept in {latest[0].path}", file=sys.stderr
            )
        print(f"to go on: {command_line()}", file=sys.stderr)
        raise


def command_line() -> str:
    """The command that was given, to be given again."""
    return shlex.join(["gametree", *sys.argv[1:]])


# --- what they write --------------------------------------------------------------------------------


def write_files(found: Any, game: "Game", names: Sequence[str], playing: Playing) -> None:
    """Every file that was asked for."""
    from gametree.app.options import as_json
    from gametree.arena.report.notation import FORMATS, written
    from gametree.arena.report.page import page
    from gametree.arena.report.pictures import picture
    from gametree.explain.pictures import export

    for file in playing.files:
        ending = ".pgn" if file == playing.pgn else file.suffix.lower()
        if ending == ".html":
            write(file, page(found, game, names))
        elif ending == ".json":
            write(file, as_json(found.to_dict()) + "\n")
        elif ending in FORMATS:
            write(file, "\n".join(written(game, names, found.each_round())))
        elif ending != ".jsonl":
            write(file, export.scene_bytes(picture(found), ending))
    print(f"results: {found.path}", file=sys.stderr)
