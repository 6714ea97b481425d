"""`gametree play`: a game against the machine."""

import secrets
from typing import Annotated

import typer

from gametree.app.options import Ascii, Situation
from gametree.app.screen import Screen
from gametree.app.terminal import Session, sides


def play(
    at: Situation,
    level: Annotated[int, typer.Option(metavar="1-10", help="How well the machine plays.")] = 5,
    player: Annotated[
        str,
        typer.Option(
            metavar="WHO", help="Whom you play: first, second, both, none, or a player's name such as X."
        ),
    ] = "first",
    seed: Annotated[
        int | None,
        typer.Option(metavar="N", help="The same seed gives the same answer; another each time if not said."),
    ] = None,
    no_color: Annotated[bool, typer.Option("--no-color", help="No colours; NO_COLOR does the same.")] = False,
    ascii_only: Ascii = False,
) -> None:
    """Plays a game against you; type `help` in it to see what you can do. Moves may come from a pipe.

    \b
    Examples:
      gametree play connect-four --level 7 --player second
      printf 'b2\\na1\\n' | gametree play tic-tac-toe --seed 1
    """
    game, state, _ = at.stand()
    session = Session(
        game,
        Screen(color=not no_color, ascii=ascii_only),
        title=at.game,
        state=state,
        people=sides(game, player),
        level=level,
        seed=secrets.randbits(32) if seed is None else seed,
    )
    session.run()
