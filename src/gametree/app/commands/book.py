"""`gametree book`: opening books of exact scores, built, shown and asked."""

from pathlib import Path
from typing import Annotated, Any, Final, Literal

import typer

from gametree.app import printing
from gametree.app.options import Hash, Json, Situation, Threads, json_only
from gametree.errors import InputError
from gametree.game import Game, names_of
from gametree.search.books import files
from gametree.search.books.building import build
from gametree.search.books.scores import Book
from gametree.search.solve.exact.answers import worth

STORE: Final = ".solved"


def book(
    task: Annotated[
        Literal["build", "show", "probe"],
        typer.Argument(metavar="TASK", help="build, show or probe."),
    ],
    at: Situation,
    *,
    plies: Annotated[int, typer.Option(metavar="N", help="All positions up to so many plies.")] = 6,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE.gtbook", help="Where the book is written.")
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option("--book", metavar="FILE.gtbook", help="The book; otherwise the one that is found."),
    ] = None,
    hash_mb: Hash = 64,
    threads: Threads = 1,
    as_json: Json = False,
) -> None:
    """Builds a book of exact scores, shows what is in one, or asks it about a position.

    A book has every position up to so many plies with its proven score. `build` goes on where it was ended: what is
    solved is kept beside the book, in FILE.gtbook.solved. Books are found in the folder `books` of the directory that
    GAMETREE_DATA_DIR names, or of the user's directory for data. None comes with this edition: `build` makes one.

    \b
    Examples:
      gametree book show connect-four
      gametree book probe connect-four --position 4453
      gametree book build connect-four --set height=4 --plies 6 --out low.gtbook
      gametree book probe connect-four --set height=4 --book low.gtbook
    """
    with json_only(as_json) as emit:
        game, state, _ = at.stand()
        if task == "build":
            data = _built(game, at, plies, out, hash_mb, threads)
        else:
            found = _opened(game, file)
            data = _shown(found) if task == "show" else _probed(found, game, state)
        if as_json:
            emit(data)
        else:
            _print(task, game, state, data)


def _built(
    game: Game, at: Situation, plies: int, out: Path | None, hash_mb: float, threads: int
) -> dict[str, Any]:
    if out is None:
        raise InputError("book build: say where the book is written, --out FILE.gtbook")
    if out.suffix != files.SUFFIX:
        raise InputError(f"--out {out.name}: a book is a file whose name ends in {files.SUFFIX}")
    if not 1 <= plies <= 40:
        raise InputError(f"--plies {plies}: a whole number from 1 to 40")
    if not out.parent.is_dir():
        raise InputError(f"--out {out}: there is no folder {out.parent}")
    given = "".join(f" --set {text}" for text in at.settings or ())
    made = f"gametree book build {at.game}{given} --plies {plies}"
    with printing.counting("solved") as on_solved:
        found = build(
            game,
            plies,
            out.with_name(out.name + STORE),
            hash_mb=hash_mb,
            threads=threads,
            made=made,
            on_solved=on_solved,
        )
    files.write(found, out)
    return {**_shown(found), "file": str(out), "bytes": out.stat().st_size}


def _opened(game: Game, file: Path | None) -> Book:
    found = files.find(game) if file is None else files.read(file)
    if found is None:
        raise InputError(
            f"there is no book for {game!r}; `gametree book build` makes one, --book FILE.gtbook names one"
        )
    found.require(game)
    return found


def _shown(found: Book) -> dict[str, Any]:
    heading = found.heading
    return {
        "game": heading.text,
        "plies": heading.plies,
        "positions": heading.positions,
        "rules": heading.rules,
        "made": heading.made,
    }


def _probed(found: Book, game: Game, state: Any) -> dict[str, Any]:
    margin = None if game.is_terminal(state) else found.probe(game, state)
    score = None if margin is None else found.score(game, state)
    moves = () if score is None else score.moves
    player = game.player(state)
    return {
        "margin": margin,
        "value": None if margin is None else str(worth(game, state, margin, player)),
        "moves": [
            {
                "action": game.name_action(state, action),
                "margin": each,
                "value": str(worth(game, state, each, player)),
            }
            for action, each in sorted(moves, key=lambda pair: -pair[1])
        ],
        "line": [] if score is None else list(names_of(game, state, score.line)),
    }


def _print(task: str, game: Game, state: Any, data: dict[str, Any]) -> None:
    if task != "probe":
        for label, value in data.items():
            print(f"{label:<10}{value:,}" if isinstance(value, int) else f"{label:<10}{value}")
        return
    printing.show_position(game, state)
    if data["margin"] is None:
        print("this position is not in the book")
        return
    print(f"score {data['margin']} ({data['value']})")
    for move in data["moves"]:
        print(f"  {move['action']:<6}{move['margin']:>4}  {move['value']}")
    if data["line"]:
        print("line " + " ".join(data["line"]))
