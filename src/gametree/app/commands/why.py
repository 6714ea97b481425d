"""`gametree why`: why this move, and why not mine?"""

from typing import Annotated

import typer

from gametree.app import printing
from gametree.app.notation import player_names, read_action
from gametree.app.options import Compiling, Json, Limits, Situation, json_only
from gametree.app.screen import width, wrapped
from gametree.errors import InputError
from gametree.explain.reasons import why as ask
from gametree.result import Limit


def why(
    at: Situation,
    *,
    wanted: Annotated[
        str | None, typer.Option("--not", metavar="MOVE", help="The move you would have made.")
    ] = None,
    limits: Limits,
    compile: Compiling = "auto",
    as_json: Json = False,
) -> None:
    """Says why the best move is best, and why yours is not: the line that refutes it, what it loses and when.

    The limits hold for each of the two moves; without any it thinks for three seconds about each.

    \b
    Examples:
      gametree why connect-four --position 4453 --not 3
      gametree why tic-tac-toe --position "X.O/.X./..O" --not a1
    """
    with json_only(as_json) as emit:
        limit = limits.limit(Limit(seconds=3))
        game, state, _ = at.stand()
        if game.is_terminal(state):
            raise InputError("the game is over here: there is no move to ask about")
        action = None if wanted is None else read_action(game, state, wanted)
        with printing.progress(as_json) as on_progress:
            answer = ask(game, state, action, limit, compile=compile, on_progress=on_progress)
        sentences = answer.sentences(player_names(game))
        if as_json:
            emit({**answer.to_dict(), "sentences": sentences})
            return
    printing.show_position(game, state)
    for sentence in sentences:
        print(wrapped(sentence, width()))
    for caption, board in answer.boards():
        print(f"\n{caption}\n{board}")
