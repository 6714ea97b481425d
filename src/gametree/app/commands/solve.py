"""`gametree solve`: what a position is worth, proven."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from gametree.app import failures, printing
from gametree.app.options import Endless, Json, Limits, MostStates, Moves, Resources, Situation, json_only
from gametree.app.screen import width, wrapped
from gametree.errors import InputError
from gametree.search.solve.solution import Solution
from gametree.search.solve.solver import solve as prove


def solve(
    at: Situation,
    limits: Limits,
    *,
    strong: Annotated[
        bool, typer.Option("--strong/--weak", help="How soon or by how much it is won, or only who wins.")
    ] = True,
    moves: Moves = False,
    method: Annotated[
        Literal["auto", "graph", "search", "linear-programme", "cfr"],
        typer.Option(
            metavar="NAME",
            help="List all positions (graph), search the tree (search), or auto; where something is hidden"
            " linear-programme, cfr, or auto.",
        ),
    ] = "auto",
    endless: Endless = None,
    most_states: MostStates = 1_000_000,
    exploitability: Annotated[
        float | None,
        typer.Option(
            metavar="PAYOFF", help="Where something is hidden: iterate until no more can be gained."
        ),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.svg", help="Where something is hidden: a picture of how the iteration went."
        ),
    ] = None,
    using: Resources,
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
      gametree solve kuhn-poker
    """
    with json_only(as_json) as emit:
        limit = limits.limit()
        game, state, history = at.stand()
        with printing.solving(as_json) as on_progress:
            found = prove(
                game,
                state,
                limit,
                strong=strong,
                moves=moves,
                method=method,
                endless=endless,
                history=history,
                exploitability=exploitability,
                on_progress=on_progress,
                most_states=most_states,
                **using.keywords(),
            )
        if plot is not None:
            drawn(found, plot)
        if as_json:
            emit(found.to_dict())
        else:
            printing.show_position(game, state)
            print(wrapped(str(found), width(), hanging=12))
    if not found.solved:
        raise typer.Exit(failures.PROBLEMS)


def drawn(found: Solution, file: Path) -> None:
    """Writes down how the iteration went."""
    from gametree.explain.pictures.convergence import convergence_svg

    history = () if found.equilibrium is None else found.equilibrium.history
    if found.equilibrium is None or not history:
        raise InputError("--plot: only --method cfr on a game that hides something comes near step by step")
    if file.suffix.lower() != ".svg":
        raise InputError(f"--plot {file.name}: the picture is an SVG file; let its name end in .svg")
    text = convergence_svg({found.equilibrium.method: history}, title=f"{found.game}: exploitability")
    file.write_text(text, encoding="utf-8")
