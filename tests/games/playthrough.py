"""A game that was played, as text: the moves, every board, the payoffs.

The first line names the game with its parameters, the second the moves; the rest follows from them. To write
a new one, put these two lines into a file and run `python -m games.playthrough FILE` in `tests`.
"""

import sys
from pathlib import Path

from gametree import games


def replay(text: str) -> str:
    """The whole playthrough, from its first two lines."""
    first, second = text.splitlines()[:2]
    name, *settings = first.removeprefix("game: ").split()
    moves = second.removeprefix("moves: ").split()
    game = games.load(name, **dict(setting.split("=") for setting in settings))
    state = game.initial()
    lines = [first, second, "", game.show(state)]
    for move in moves:
        mover = game.player(state)
        state = game.result(state, game.parse_action(state, move))
        lines += ["", f"player {mover}: {move}", game.show(state)]
    if game.is_terminal(state):
        payoffs = " ".join(f"{game.utility(state, player):g}" for player in range(game.players))
        lines += ["", f"payoffs: {payoffs}"]
    else:
        legal = " ".join(game.name_action(state, action) for action in game.actions(state))
        lines += ["", f"legal: {legal}"]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    for name in sys.argv[1:]:
        path = Path(name)
        path.write_text(replay(path.read_text(encoding="utf-8")), encoding="utf-8")
