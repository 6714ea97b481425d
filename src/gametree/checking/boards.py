"""Judging the boards that a game tells, and what it says that actions touch."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from gametree.board.data import Board, Cell, Piece
from gametree.checking.asking import Answers, Asker, Failure, Trouble, problem, short, warning

_MOST_ACTIONS = 20


def boards(asker: Asker, state: Any, start: Any, answers: Answers) -> Iterator[Trouble]:
    """What is wrong with the board of a state, and with the cells that its actions touch."""
    board = answers.get("board")
    if "touches" in asker.offers and "board" not in asker.offers:
        yield warning(
            "touches-without-board",
            "`touches` is defined and `board` is not",
            "Its cells are those of `board`: define that, too",
        )
        return
    if board is None:
        return
    if not isinstance(board, Board):
        yield problem(
            "board-type",
            f"`board` returned {short(board)}",
            "Return a gametree.Board, for example Board.grid(rows), or None where a state has none",
        )
        return
    wrong = list(_parts(board))
    yield from wrong
    if wrong:
        return
    yield from _turn(board, answers)
    if asker.first_cells is None:
        first = asker.ask("board", start)
        asker.first_cells = set(first.ids) if isinstance(first, Board) else set(board.ids)
    if asker.first_cells != set(board.ids):
        odd = sorted(asker.first_cells ^ set(board.ids))
        yield warning(
            "board-cells",
            f"`board` has other cells than at the start: {short(odd)}",
            "The places of a game stay the same: leave them empty where nothing stands there",
        )
    yield from _touched(asker, state, answers, set(board.ids))


def _parts(board: Board) -> Iterator[Trouble]:
    """What a board is made of."""
    odd = [cell for cell in (*board.cells, *board.beside) if not _is_cell(cell)]
    if odd:
        yield problem(
            "board-parts",
            f"`board` has the cell {short(odd[0])}",
            "A cell is a gametree.Cell with a text as its id and a gametree.Piece, or none, on it",
        )
        return
    twice = [id for id, count in Counter(board.ids).items() if count > 1]
    if twice:
        yield problem(
            "board-ids",
            f"`board` has several cells with the id {twice[0]!r}",
            "Give every cell an id of its own",
        )
    named = {*board.last, *(id for edge in board.edges for id in edge)}
    unknown = sorted(named - set(board.ids), key=str)
    if unknown:
        yield problem(
            "board-unknown",
            f"`board` names the cell {short(unknown[0])} in `last` or `edges`, which it does not have",
            f"Its cells are {short(board.ids)}",
        )
    try:
        hash(board)
    except TypeError as error:
        yield problem(
            "board-hash",
            f"`board` returned a board that cannot be hashed ({error})",
            "Use tuples instead of lists in it",
        )


def _is_cell(cell: Any) -> bool:
    return isinstance(cell, Cell) and isinstance(cell.id, str) and isinstance(cell.piece, Piece | None)


def _turn(board: Board, answers: Answers) -> Iterator[Trouble]:
    mover = None if answers.terminal else answers.mover
    if board.mover is not None and mover is not None and board.mover != mover:
        yield problem(
            "board-mover",
            f"`board` says that it is the turn of {board.mover}, and `player` returned {short(mover)}",
            "Both say who moves: leave `mover` out, or give what `player` returns",
        )


def _touched(asker: Asker, state: Any, answers: Answers, ids: set[str]) -> Iterator[Trouble]:
    if "touches" not in asker.offers:
        return
    for action in answers.moves[:_MOST_ACTIONS]:
        touched = asker.ask("touches", state, action)
        if isinstance(touched, Failure):
            yield touched.trouble(action=action)
            return
        if not isinstance(touched, (tuple, list)) or not all(isinstance(id, str) for id in touched):
            yield problem(
                "touches-type",
                f"`touches` returned {short(touched)} for the action {short(action)}",
                "Return the ids of cells as a tuple of texts; the empty one where an action touches none",
            )
            return
        unknown = [id for id in touched if id not in ids]
        if unknown:
            yield problem(
                "touches-cells",
                f"`touches` returned {short(touched)} for the action {short(action)}, and `board` has no cell"
                f" {unknown[0]!r}",
                f"The cells are {short(sorted(ids))}",
            )
            return
