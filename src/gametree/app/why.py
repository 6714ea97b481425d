"""`gametree why`: why this move, and why not mine?"""

import json
import sys
from contextlib import nullcontext, redirect_stdout
from typing import Annotated

import typer

from gametree.errors import InputError


def why(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="A game's name, or your own: mygame.py, mygame.py:Nim.")
    ],
    position: Annotated[
        str | None,
        typer.Argument(
            metavar="POSITION", help="Where, as the game writes it; the beginning where left out."
        ),
    ] = None,
    wanted: Annotated[
        str | None, typer.Option("--not", metavar="MOVE", help="The move you would have made.")
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="NAME=VALUE", help="A parameter of the game; may be given several times."
        ),
    ] = None,
    played: Annotated[
        str | None,
        typer.Option("--moves-played", metavar="MOVES", help="Moves made before, for example '4 4 5'."),
    ] = None,
    depth: Annotated[int | None, typer.Option(metavar="N", help="Look so many plies ahead.")] = None,
    seconds: Annotated[
        float | None,
        typer.Option(metavar="S", help="Think so long about each of the two moves; 3 if not said."),
    ] = None,
    nodes: Annotated[
        int | None, typer.Option(metavar="N", help="Look at so many positions for each.")
    ] = None,
    compiling: Annotated[
        str, typer.Option("--compile", metavar="auto|always|never", help="Turn the rules into machine code.")
    ] = "auto",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")] = False,
) -> None:
    """Says why the best move is best, and why yours is not: the line that refutes it, what it loses and when.

    \b
    Examples:
      gametree why connect-four 4453 --not 3
      gametree why tic-tac-toe "X.O/.X./..O" --not a1
    """
    from gametree.app import view
    from gametree.app.load import load
    from gametree.app.notation import player_names, read_action
    from gametree.app.notation import position as place
    from gametree.app.screen import width, wrapped
    from gametree.explain.reasons import why as ask
    from gametree.result import Limit

    given = {"depth": depth, "seconds": seconds, "nodes": nodes}
    chosen = {name: value for name, value in given.items() if value is not None} or {"seconds": 3}
    out = sys.stdout
    with redirect_stdout(sys.stderr) if as_json else nullcontext():
        limit = Limit(**chosen)  # type: ignore[arg-type]
        rules = load(game, settings or ())
        state = place(rules, position, played)
        if rules.is_terminal(state):
            raise InputError("the game is over here: there is no move to ask about")
        action = None if wanted is None else read_action(rules, state, wanted)
        with view.progress(as_json) as on_progress:
            answer = ask(rules, state, action, limit, compile=compiling, on_progress=on_progress)
        names = player_names(rules)
        if as_json:
            data = {**answer.to_dict(), "sentences": answer.sentences(names)}
            print(json.dumps(data, indent=2, allow_nan=False, ensure_ascii=False), file=out)
            return
    view.show_position(rules, state)
    columns = width()
    for sentence in answer.sentences(names):
        print(wrapped(sentence, columns))
    for caption, board in answer.boards():
        print(f"\n{caption}\n{board}")
