"""Games as the files of their world: PGN for chess, PDN for checkers, SGF for Go, Hex and Othello."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from gametree.arena.rounds import Round
from gametree.errors import InputError
from gametree.game import Game

FORMATS: Final = (".pgn", ".pdn", ".sgf")


def format_of(game: Game) -> str | None:
    """The ending of files that hold games of this kind; None where there is no such format.

    >>> from gametree.games import Chess, Nim
    >>> format_of(Chess()), format_of(Nim())
    ('.pgn', None)
    """
    from gametree.games.checkers.rules import Checkers
    from gametree.games.chess.rules import Chess
    from gametree.games.go.rules import Go
    from gametree.games.hex import Hex
    from gametree.games.othello import Othello

    for kind, ending in ((Chess, ".pgn"), (Checkers, ".pdn"), (Go, ".sgf"), (Hex, ".sgf"), (Othello, ".sgf")):
        if isinstance(game, kind):
            return ending
    return None


def require_format(game: Game, ending: str) -> None:
    """Refuses a format that is not this game's."""
    wanted = format_of(game)
    if wanted != ending:
        has = f"; it has {wanted}" if wanted else "; its games are in the .jsonl file, and on the .html page"
        raise InputError(f"{type(game).__name__} has no games in {ending}{has}")


def written(game: Game, names: Sequence[str], rounds: Iterable[Round]) -> Iterator[str]:
    """Every game as text."""
    kind = format_of(game)
    write = {".pgn": _pgn, ".pdn": _pdn, ".sgf": _sgf}[kind or ".pgn"]
    for one in rounds:
        for number, played in enumerate(one.games, 1):
            state = game.initial() if one.start is None else game.parse_state(one.start)
            start, actions = state, []
            for name in played.moves:
                action = game.parse_action(state, name)
                actions.append(action)
                state = game.result(state, action)
            seats = [names[seat] for seat in played.seats]
            tags = {
                "Event": type(game).__name__,
                "Round": f"{one.number + 1}.{number}",
                "White": seats[0],
                "Black": seats[1],
            }
            points = {(1.0, 0.0): "1-0", (0.0, 1.0): "0-1"}.get(
                (played.points[0], played.points[1]), "1/2-1/2"
            )
            yield write(game, start, actions, points, {**tags, "Termination": played.reason})


def _pgn(game: Any, start: Any, actions: list[Any], points: str, tags: dict[str, str]) -> str:
    from gametree.games.chess.pgn import Record, write_pgn

    return write_pgn(Record(start, tuple(actions), points, tags, game.chess960))


def _pdn(game: Any, start: Any, actions: list[Any], points: str, tags: dict[str, str]) -> str:
    from gametree.games.checkers.pdn import Record, write_pdn

    # Black moves first in English draughts, and is player 0.
    tags = {**tags, "White": tags["Black"], "Black": tags["White"]}
    points = {"1-0": "0-1", "0-1": "1-0"}.get(points, points)
    return write_pdn(Record(start, tuple(actions), points, tags))


def _sgf(game: Any, start: Any, actions: list[Any], points: str, tags: dict[str, str]) -> str:
    """Smart Game Format, version 4 (Anders Kierulf, Martin Müller, Arno Hollosi)."""
    from gametree.games.go.rules import Go
    from gametree.games.hex import Hex

    kind = 1 if isinstance(game, Go) else 11 if isinstance(game, Hex) else 2
    won = {"1-0": "B+", "0-1": "W+"}.get(points, "0")
    head = f"(;FF[4]GM[{kind}]CA[UTF-8]AP[gametree]SZ[{getattr(game, 'size', 8)}]"
    if kind == 1:
        head += f"KM[{game.komi:g}]"
    told = {
        "PB": tags["White"],
        "PW": tags["Black"],
        "RO": tags["Round"],
        "RE": won,
        "GC": tags["Termination"],
    }
    head += "".join(f"{name}[{_escaped(value)}]" for name, value in told.items())
    state, moves = start, []
    for action in actions:
        colour = "BW"[game.player(state)]
        moves.append(f";{colour}[{_point(game, game.name_action(state, action), kind)}]")
        state = game.result(state, action)
    lines = ["".join(moves[at : at + 10]) for at in range(0, len(moves), 10)]
    return "\n".join([head, *lines]) + ")\n"


def _point(game: Any, name: str, kind: int) -> str:
    """A point as SGF writes it: Go counts rows from the top, Hex as people do."""
    letters = name.lower()
    if letters == "pass":
        return ""
    if kind != 1:
        return letters
    column = "abcdefghjklmnopqrstuvwxyz".index(letters[0])
    row = game.size - int(letters[1:])
    return "abcdefghijklmnopqrstuvwxyz"[column] + "abcdefghijklmnopqrstuvwxyz"[row]


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")
