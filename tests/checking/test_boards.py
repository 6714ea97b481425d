"""The rules checker on boards, on what actions touch, and on the names of players."""

from itertools import count
from typing import Any

import pytest

from checking.race import Race, found
from gametree import Board, Cell, games
from gametree.checking.checker import check


class Seen(Race):
    """Sound: a row of five places that fill up."""

    player_names: Any = ("Ann", "Ben")

    def board(self, state: Any) -> Any:
        return Board.grid(["#" * state.high + "." * (5 - state.high)], mover=None)

    def touches(self, state: Any, action: Any) -> Any:
        return tuple(str(at) for at in range(state.high, min(5, state.high + action)))


def test_a_sound_board_is_not_complained_about() -> None:
    report = check(Seen(), compile="never", seconds=10, plays=20)
    assert report.ok and not report.findings, str(report)


class Text(Seen):
    def board(self, state: Any) -> Any:
        return "#####"


class Twins(Seen):
    def board(self, state: Any) -> Any:
        return Board("counters", (Cell("a"), Cell("a")))


class Numbered(Seen):
    def board(self, state: Any) -> Any:
        return Board("counters", (Cell(7),))  # type: ignore[arg-type]


class Strange(Seen):
    def board(self, state: Any) -> Any:
        return Board("counters", (Cell("a", piece="#"),))  # type: ignore[arg-type]


class Elsewhere(Seen):
    def board(self, state: Any) -> Any:
        return Board("graph", (Cell("a"), Cell("b")), edges=(("a", "z"),))


class Memory(Seen):
    def board(self, state: Any) -> Any:
        return super().board(state).marked(["9"])


class Listed(Seen):
    def board(self, state: Any) -> Any:
        board = super().board(state)
        object.__setattr__(board, "last", [])
        return board


class Turnless(Seen):
    def board(self, state: Any) -> Any:
        return Board.grid(["....."], mover=0)


class Growing(Seen):
    def board(self, state: Any) -> Any:
        return Board.grid(["#" * (state.high + 1)])

    def touches(self, state: Any, action: Any) -> Any:
        return ()


class Moody(Seen):
    calls = count()

    def board(self, state: Any) -> Any:
        return Board("counters", (Cell("a", count=next(self.calls)),))

    def touches(self, state: Any, action: Any) -> Any:
        return ()


class Falling(Seen):
    def board(self, state: Any) -> Any:
        return Board.grid([["#"][state.high]])


class Beyond(Seen):
    def touches(self, state: Any, action: Any) -> Any:
        return (str(state.high + action),)


class OneText(Seen):
    def touches(self, state: Any, action: Any) -> Any:
        return "0"


class Numbers(Seen):
    def touches(self, state: Any, action: Any) -> Any:
        return (0,)


class Throwing(Seen):
    def touches(self, state: Any, action: Any) -> Any:
        raise KeyError(action)


class Blind(Race):
    def touches(self, state: Any, action: Any) -> Any:
        return ()


class TooMany(Race):
    player_names: Any = ("Ann", "Ben", "Cas")


class Alike(Race):
    player_names: Any = ("Ann", "Ann")


class OneName(Race):
    player_names: Any = "XO"


@pytest.mark.parametrize(
    ("game", "kind", "words"),
    [
        (Text, "board-type", "returned '#####'"),
        (Twins, "board-ids", "several cells with the id 'a'"),
        (Numbered, "board-parts", "has the cell"),
        (Strange, "board-parts", "has the cell"),
        (Elsewhere, "board-unknown", "names the cell 'z'"),
        (Memory, "board-unknown", "names the cell '9'"),
        (Listed, "board-hash", "cannot be hashed"),
        (Turnless, "board-mover", "it is the turn of 0, and `player` returned 1"),
        (Growing, "board-cells", "other cells than at the start: ['1'"),
        (Falling, "board-raises", "`board` raised IndexError"),
        (Beyond, "touches-cells", "has no cell"),
        (OneText, "touches-type", "returned '0' for the action 1"),
        (Numbers, "touches-type", "returned (0,) for the action 1"),
        (Throwing, "touches-raises", "`touches` raised KeyError"),
        (Blind, "touches-without-board", "`touches` is defined and `board` is not"),
        (TooMany, "player-names", "and there are 2 players"),
        (Alike, "player-names", "('Ann', 'Ann')"),
        (OneName, "player-names", "`player_names` is 'XO'"),
    ],
)
def test_what_is_wrong_is_found(game: type[Race], kind: str, words: str) -> None:
    finding = found(game(), kind)
    assert words in finding.message


def test_equal_states_have_equal_boards() -> None:
    report = check(Moody(), compile="never", seconds=10, plays=20)
    assert any("`board`" in str(finding) and "impure" in finding.kind for finding in report.findings), str(
        report
    )


@pytest.mark.parametrize("name", games.names())
def test_shipped_games_tell_sound_boards(name: str) -> None:
    report = check(games.load(name), compile="never", seconds=3, plays=3)
    odd = [f for f in report.findings if f.kind.startswith(("board", "touches", "player-names", "impure"))]
    assert not odd, str(report)
