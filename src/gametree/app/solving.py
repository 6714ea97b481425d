"""`gametree solve` and `gametree strategy`: what a position is worth, proven, and what to do about it."""

import enum
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gametree.app import failures
from gametree.app.options import Compile, Compiling, Json, Played, Position, Settings, Target, json_only
from gametree.errors import InputError

if TYPE_CHECKING:
    from gametree.game import Game
    from gametree.search.solve.solution import Progress
    from gametree.search.solve.strategy import Strategy

_Endless = Annotated[
    float | None,
    typer.Option(
        metavar="X", help="What play that never ends is worth to the first player; half if not said."
    ),
]
_Most = Annotated[int, typer.Option("--most-states", metavar="N", help="List no more positions than this.")]
_File = Path | None
_MOST_STATES = 1_000_000
_MOST_NODES = 2_000
"""A picture of more nodes is nothing to look at."""


class Way(str, enum.Enum):
    """How to solve."""

    auto = "auto"
    graph = "graph"
    search = "search"


def solve(
    game: Target,
    settings: Settings = None,
    position: Position = None,
    played: Played = None,
    strong: Annotated[
        bool, typer.Option("--strong/--weak", help="How soon or by how much it is won, or only who wins.")
    ] = True,
    moves: Annotated[bool, typer.Option("--moves", help="The value of every move.")] = False,
    method: Annotated[
        Way, typer.Option(help="List all positions (graph), search the tree, or what fits.")
    ] = Way.auto,
    seconds: Annotated[float | None, typer.Option(metavar="S", help="Stop after so long.")] = None,
    nodes: Annotated[int | None, typer.Option(metavar="N", help="Stop after so many positions.")] = None,
    depth: Annotated[int | None, typer.Option(metavar="N", help="Search no deeper than this.")] = None,
    endless: _Endless = None,
    most_states: _Most = _MOST_STATES,
    threads: Annotated[int, typer.Option(metavar="N", help="How many threads search together.")] = 1,
    hash_mb: Annotated[
        float, typer.Option("--hash", metavar="MB", help="The size of the transposition table.")
    ] = 64,
    compiling: Compiling = Compile.auto,
    as_json: Json = False,
) -> None:
    """Proves what a position is worth: win, draw or loss, how soon or by how much, with best play and the proof's size.

    Without a limit it goes on until it is done, and refuses what would never be. Exits with 1 where a limit ended it
    before.

    \b
    Examples:
      gametree solve tic-tac-toe
      gametree solve connect-four --set width=5 --set height=4 --moves
      gametree solve connect-four --position 444444 --weak
      gametree solve mygame.py:Chase --endless 0
      gametree solve chess --seconds 10
    """
    from gametree.app import view
    from gametree.app.load import load
    from gametree.app.notation import place_with_history
    from gametree.result import Limit
    from gametree.search.solve.solver import solve as prove

    limits = {"seconds": seconds, "nodes": nodes, "depth": depth}
    given = {name: value for name, value in limits.items() if value is not None}
    with json_only(as_json) as emit:
        limit = Limit(**given) if given else None  # type: ignore[arg-type]
        rules = load(game, settings or ())
        state, history = place_with_history(rules, position, played)
        with _progress(as_json) as on_progress:
            found = prove(
                rules,
                state,
                limit,
                strong=strong,
                moves=moves,
                method=method.value,
                endless=endless,
                history=history,
                on_progress=on_progress,
                most_states=most_states,
                compile=compiling.value,
                hash_mb=hash_mb,
                threads=threads,
            )
        if as_json:
            emit(found.to_dict())
    if not as_json:
        from gametree.app.screen import width, wrapped

        view.show_position(rules, state)
        print(wrapped(str(found), width(), hanging=12))
    if not found.solved:
        raise typer.Exit(failures.PROBLEMS)


def strategy(
    game: Target,
    settings: Settings = None,
    position: Position = None,
    played: Played = None,
    player: Annotated[
        str | None,
        typer.Option(
            metavar="first|second", help="Whose strategy; that of the player who moves if not said."
        ),
    ] = None,
    out: Annotated[_File, typer.Option(metavar="FILE", help="Write it as JSON.")] = None,
    svg: Annotated[_File, typer.Option(metavar="FILE", help="Draw its tree as SVG.")] = None,
    chart: Annotated[
        _File,
        typer.Option("--map", metavar="FILE", help="Draw it as a map, boards within boards, as SVG."),
    ] = None,
    check: Annotated[
        _File, typer.Option("--check", metavar="FILE", help="Read a strategy and try it against every reply.")
    ] = None,
    against: Annotated[
        _File,
        typer.Option("--against", metavar="FILE", help="The best response to the strategy in a file."),
    ] = None,
    seconds: Annotated[float | None, typer.Option(metavar="S", help="Give up after so long.")] = None,
    endless: _Endless = None,
    most_states: _Most = _MOST_STATES,
    as_json: Json = False,
) -> None:
    """Finds a whole strategy, a move for every position that can arise, and plays it against every reply.

    With --check a strategy is read from a file instead; exits with 1 where it does not hold what it promises.

    \b
    Examples:
      gametree strategy tic-tac-toe
      gametree strategy tic-tac-toe --player second --out noughts.json --svg noughts.svg
      gametree strategy tic-tac-toe --check noughts.json
      gametree strategy tic-tac-toe --against noughts.json
      gametree strategy tic-tac-toe --map crosses.svg
    """
    from gametree.app.load import load
    from gametree.app.notation import position as place
    from gametree.result import Limit

    chosen = {"--out": out, "--svg": svg, "--map": chart, "--player": player}
    with json_only(as_json) as emit:
        limit = None if seconds is None else Limit(seconds=seconds)
        rules = load(game, settings or ())
        state = place(rules, position, played)
        begins = state if position is not None or played is not None else None
        if check is not None or against is not None:
            both = "--check and --against" if check is not None and against is not None else ""
            extra = both or ", ".join(name for name, value in chosen.items() if value is not None and check)
            if extra:
                raise InputError(f"{extra} together: --check only reads; give one of them")
        if check is not None:
            _check(rules, check, begins, emit if as_json else None)
            return
        if against is not None:
            _respond(rules, against, begins, limit, endless, most_states, emit if as_json else None)
            return
        plan = _find(rules, state, player, limit, endless, most_states, as_json)
        verdict = plan.verify()
        files = _pictures(plan, svg, chart)
        if out is not None:
            files[out] = plan.to_json(indent=1) + "\n"
        for file, text in files.items():
            _write(file, text)
        if as_json:
            emit(plan.to_dict())
            return
    from gametree.app.screen import width, wrapped
    from gametree.app.view import show_position

    show_position(rules, state)
    print(wrapped(f"{plan}\n  checked    {verdict}", width(), hanging=13))


def _find(
    rules: "Game", state: Any, player: str | None, limit: Any, endless: float | None, most: int, quiet: bool
) -> "Strategy":
    from gametree.app.terminal import sides
    from gametree.search.solve.strategy import strategy as find

    who = None
    if player is not None:
        found = sides(rules, player) if player in ("first", "second") else _named(rules, player)
        (who,) = found
    with _progress(quiet) as on_progress:
        return find(
            rules,
            state,
            player=who,
            limit=limit,
            endless=endless,
            most_states=most,
            on_progress=on_progress,
        )


def _named(rules: "Game", player: str) -> tuple[int, ...]:
    from gametree.app.notation import player_names

    names = player_names(rules)
    folded = [name.casefold() for name in names]
    if player.strip().casefold() in folded:
        return (folded.index(player.strip().casefold()),)
    own = [name for name in names if " " not in name]
    raise InputError(f"--player {player}: it is {', '.join(['first', 'second', *own])}")


def _pictures(plan: "Strategy", svg: _File, chart: _File) -> dict[Path, str]:
    files: dict[Path, str] = {}
    if svg is None and chart is None:
        return files
    from gametree.app.notation import player_names
    from gametree.explain.strategy_map import policy_map
    from gametree.explain.strategy_tree import drawing, policy_title

    title = policy_title(plan, player_names(plan.game)[plan.player])
    if svg is not None:
        files[svg] = drawing(plan, most=_MOST_NODES, title=title)
    if chart is not None:
        files[chart] = policy_map(plan, title=title)
    return files


def _check(rules: "Game", file: Path, state: Any, emit: Callable[[Any], None] | None) -> None:
    """Reads a strategy and says what it is worth."""
    verdict = _read(rules, file, state).verify()
    if emit is not None:
        emit(verdict.to_dict())
    else:
        from gametree.app.screen import width, wrapped

        print(wrapped(f"{file} is {verdict}", width(), hanging=2))
    if not verdict.ok:
        raise typer.Exit(failures.PROBLEMS)


def _respond(
    rules: "Game",
    file: Path,
    state: Any,
    limit: Any,
    endless: float | None,
    most: int,
    emit: Callable[[Any], None] | None,
) -> None:
    """The best response to a strategy in a file."""
    from gametree.search.solve.best_response import best_response

    plan = _read(rules, file, state)
    with _progress(emit is not None) as on_progress:
        found = best_response(
            rules,
            plan,
            plan.state,
            player=1 - plan.player,
            limit=limit,
            endless=endless,
            most_states=most,
            on_progress=on_progress,
        )
    if emit is not None:
        emit(found.to_dict())
    else:
        from gametree.app.screen import width, wrapped

        print(wrapped(str(found), width(), hanging=13))


def _read(rules: "Game", file: Path, state: Any) -> "Strategy":
    from gametree.search.solve.strategy import Strategy

    try:
        text = file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise InputError(f"{file} is not a text file in UTF-8") from None
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror}") from None
    try:
        return Strategy.from_json(text, rules, state)
    except InputError as error:
        raise InputError(f"{file}: {error}") from None


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"{file} cannot be written: {error.strerror}") from None
    print(f"wrote {file}", file=sys.stderr)


@contextmanager
def _progress(quiet: bool) -> "Iterator[Callable[[Progress], None] | None]":
    """A line that changes while solving goes on, for a person at a terminal; None where nobody watches."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from gametree.app.screen import console

    with console(stderr=True).status("solving", spinner="line") as status:
        yield lambda progress: status.update(str(progress))
