"""`gametree compile`: the machine code of a game beforehand, for an image or a package."""

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from gametree.app.options import Json, Settings, Target, json_only
from gametree.arena.thinking import Wanted
from gametree.compiled import cache as store
from gametree.errors import InputError
from gametree.game import Game
from gametree.result import Limit
from gametree.search.methods import METHODS, function_of


def compile(
    game: Target,
    settings: Settings = None,
    *,
    target: Annotated[
        Path | None,
        typer.Option("--target", metavar="FOLDER", help="Where to; the cache of this user if left out."),
    ] = None,
    searches: Annotated[
        list[str] | None,
        typer.Option(
            "--search", metavar="NAME", help="For this search, too: mcts, alphabeta … (repeatable)."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Makes the machine code of a game beforehand, so that its first search need not wait.

    That is the search that `analyze` and `Bot` take for the game, and those that are named. With --target it is put
    into a folder to ship, in an image or a package: set GAMETREE_CACHE_DIR to that folder where it runs. It is for
    the same processor, the same versions of Python, Numba and gametree, and for these rules; where anything differs,
    it is made anew.

    \b
    Examples:
      gametree compile mygame.py
      gametree compile mygame.py --target build/code --search mcts
    """
    for name in searches or ():
        if name not in METHODS:
            raise InputError(f"--search {name}: there is no such search; there are {', '.join(METHODS)}")
    if target is not None:
        os.environ["GAMETREE_CACHE_DIR"] = str(target)
    with json_only(as_json) as emit:
        from gametree.app.load import load

        rules = load(game, settings or ())
        before = {entry.path for entry in store.entries()} if store.directory().exists() else set()
        told = []
        for name, seconds in _made(rules, searches or []):
            told.append({"search": name, "seconds": round(seconds, 3)})
            if not as_json:
                print(f"{name:<16} {seconds:6.1f} s", flush=True)
        after = store.entries() if store.directory().exists() else []
        if not after:
            raise InputError(f"nothing could be kept in {store.directory()}")
        new = [entry for entry in after if entry.path not in before]
        if as_json:
            emit(
                {
                    "directory": str(store.directory()),
                    "searches": told,
                    "new": len(new),
                    "entries": len(after),
                }
            )
        else:
            size = sum(entry.size for entry in after) / 1e6
            print(f"{len(new)} new of {len(after)}, {size:.1f} MB, in {store.directory()}")


def _made(rules: Game, names: list[str]) -> Iterator[tuple[str, float]]:
    """The searches whose machine code was made, each with how long that took."""
    wanted = Wanted(rules)
    choice = wanted.choice()
    begun = time.perf_counter()
    wanted.make(choice, "always").prepare()
    yield choice.method, time.perf_counter() - begun
    for name in names:
        begun = time.perf_counter()
        function_of(name)(rules, limit=Limit(nodes=1), compile="always")
        yield name, time.perf_counter() - begun
