"""A book of exact scores, built: the positions at the last ply are solved, those before follow from them.

Positions are solved in the order of a depth-first walk, so that neighbours meet in the solver's table. What is solved
is written down at once, a line a position; a build that was ended goes on from there and comes to the same book.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from gametree.errors import InputError, UnsuitableError
from gametree.game import Game
from gametree.search.books.digest import rules_digest
from gametree.search.books.keys import key_of
from gametree.search.books.scores import Book, Heading
from gametree.search.solve.exact.answers import hinted
from gametree.search.solve.exact.scores import Exact

MOST: Final = 2_000_000
"""No more positions are listed."""
FLUSH: Final = 50
OnSolved = Callable[[int, int], None]
"""Told how many positions are solved, and of how many."""


def build(
    game: Game,
    plies: int,
    store: Path,
    *,
    hash_mb: float = 1024,
    threads: int = 1,
    compile: str = "auto",
    made: str = "",
    on_solved: OnSolved | None = None,
) -> Book:
    """The book of all positions up to so many plies; what is solved is kept in `store`, where a build goes on."""
    if not hinted(game):
        raise UnsuitableError(
            f"{type(game).__name__} gives the exact solver no hints (`margin`, `prospects`): a book of exact scores"
            " needs them"
        )
    levels = _levels(game, plies)
    solved = _resumed(game, plies, store)
    last = levels[plies]
    solver: Exact | None = None
    with store.open("a", encoding="ascii") as file:
        for number, (key, state) in enumerate(last.items(), 1):
            if key not in solved:
                if solver is None:
                    solver = Exact(game, hash_mb=hash_mb, compile=compile, lasting=True)
                margin = solver.score(state, line=False, action=False, threads=threads).value
                solved[key] = margin
                file.write(f"{key} {margin}\n")
            if number % FLUSH == 0 or number == len(last):
                file.flush()
                os.fsync(file.fileno())
                if on_solved is not None:
                    on_solved(number, len(last))
    return _bound(game, plies, levels, solved, made)


def _levels(game: Game, plies: int) -> list[dict[int, Any]]:
    """For every ply the positions that are not the end, by their keys, in the order of a depth-first walk."""
    levels: list[dict[int, Any]] = [{} for _ in range(plies + 1)]
    count = 0

    def walk(state: Any, ply: int) -> None:
        nonlocal count
        if game.is_terminal(state):
            return
        key = key_of(game, state)
        if key in levels[ply]:
            return
        levels[ply][key] = state
        count += 1
        if count > MOST:
            raise InputError(
                f"{type(game).__name__} has more than {MOST:,} positions within {plies} plies: take fewer plies"
            )
        if ply < plies:
            for action in game.actions(state):
                walk(game.result(state, action), ply + 1)

    walk(game.initial(), 0)
    return levels


def _resumed(game: Game, plies: int, store: Path) -> dict[int, int]:
    """What an earlier build has solved; its last line may be cut off."""
    heading = f"# {type(game).__name__} {rules_digest(game)} {plies}\n"
    if not store.exists() or not store.read_bytes():
        store.write_text(heading, encoding="ascii")
        return {}
    lines = store.read_text(encoding="ascii", errors="replace").splitlines(keepends=True)
    if lines[0] != heading:
        raise InputError(
            f"{store.name} is of another build ({lines[0].strip()[:80]}): name another file, or take that one away"
        )
    if not lines[-1].endswith("\n"):
        store.write_text("".join(lines[:-1]), encoding="ascii")
        lines.pop()
    try:
        return {int(key): int(margin) for key, margin in (line.split() for line in lines[1:])}
    except ValueError:
        raise InputError(f"{store.name} is damaged: a line is no key with a margin. Take it away") from None


def _bound(game: Game, plies: int, levels: list[dict[int, Any]], solved: dict[int, int], made: str) -> Book:
    """All levels from the last one: a position is worth what its best action is worth."""
    import numpy as np

    known = {key: solved[key] for key in levels[plies]}
    every = dict(known)
    for ply in range(plies - 1, -1, -1):
        known = {key: _best(game, state, known) for key, state in levels[ply].items()}
        every.update(known)
    keys = np.array(sorted(every), dtype=np.uint64)
    margins = np.array([every[int(key)] for key in keys], dtype=np.int16)
    text = f"{type(game).__name__}({', '.join(f'{name}={value!r}' for name, value in _parameters(game))})"
    heading = Heading(
        game=type(game).__name__,
        text=text,
        rules=rules_digest(game),
        plies=plies,
        positions=len(keys),
        made=made,
    )
    return Book(heading, keys, margins)


def _best(game: Game, state: Any, known: dict[int, int]) -> int:
    mover, margins = game.player(state), []
    for action in game.actions(state):
        child = game.result(state, action)
        if game.is_terminal(child):
            margins.append(game.margin(child, mover))
        else:
            margin = known[key_of(game, child)]
            margins.append(margin if game.player(child) == mover else -margin)
    return max(margins)


def _parameters(game: Game) -> list[tuple[str, Any]]:
    import inspect

    names = list(inspect.signature(type(game).__init__).parameters)[1:]
    return [(name, getattr(game, name)) for name in names if hasattr(game, name)]
