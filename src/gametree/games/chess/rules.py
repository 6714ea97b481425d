"""Chess by the rules of FIDE, and Chess960."""

import re
from collections.abc import Iterator
from typing import Any

from gametree.board.data import Board
from gametree.errors import InputError
from gametree.game import Game, mover_at
from gametree.games.chess.board import ALL, DARK, KING, QUEEN, ROOK, WHITE, State, pieces
from gametree.games.chess.endings import (
    name_slice,
    parse_slice,
    slice_of,
    slice_place,
    slice_size,
    slice_state,
    slices,
)
from gametree.games.chess.evaluation import default_weights, features_of, judge
from gametree.games.chess.exchange import VALUES, exchange_gains, is_loud, loud_squares, priority
from gametree.games.chess.moves import (
    gives_check,
    has_move,
    in_check,
    look,
    mine_of,
    moved,
    moves,
    moves_seen,
    passed,
)
from gametree.games.chess.network import default_network, judge_by_network, new_caches
from gametree.games.chess.notation import (
    COLOURS,
    LAST_HALFMOVE,
    PIECES,
    START,
    chess960_fen,
    name_square,
    read_fen,
    read_move,
    rows_of,
    squares_of,
    write_fen,
    write_san,
    write_uci,
)
from gametree.kernel.vectors import ThreadLocal, own


class Chess(Game):
    """Checkmate the other king; with `chess960`, from any of 960 arrangements.

    Player 0 is White. A position is read from FEN and a move from SAN or UCI text. Mate, stalemate, 75 moves without
    a capture or pawn move, and material with which nobody can mate end the game; in the last two cases `actions`
    still gives the legal moves, so that `perft` counts what the literature counts.

    A position that occurs for the third time is a draw: whoever it suits claims it. A draw by 50 moves has to be
    claimed too, and `may_claim_fifty` says when; searches go on to the 75 moves that end the game without a claim.

    >>> game = Chess()
    >>> state = game.parse_state("r3k2r/8/8/8/8/8/5PPP/4K2R w Kkq - 0 1")
    >>> print(game.show(state))
    8  r . . . k . . r
    7  . . . . . . . .
    6  . . . . . . . .
    5  . . . . . . . .
    4  . . . . . . . .
    3  . . . . . . . .
    2  . . . . . P P P
    1  . . . . K . . R
       a b c d e f g h
    White to move
    >>> game.fen(game.result(state, game.parse_action(state, "O-O")))
    'r3k2r/8/8/8/8/8/5PPP/5RK1 b kq - 1 1'
    """

    kept_sums: ThreadLocal
    kept_pieces: ThreadLocal

    player_names: tuple[str, ...] = ("White", "Black")
    payoffs: tuple[float, float] | None = (-1, 1)
    repetition: tuple[str, int] | None = ("draw", 3)

    def __init__(self, chess960: bool = False):
        self.chess960: bool = bool(chess960)
        self.weights: Any = default_weights()
        self.kept_sums, self.kept_pieces = new_caches()

    # --- the rules ----------------------------------------------------------------------------------

    def initial(self) -> State:
        return read_fen(START, self.chess960)

    def player(self, state: State) -> int:
        return state.turn

    def actions(self, state: State) -> Iterator[int]:
        return moves(state, ALL)

    def result(self, state: State, action: int) -> State:
        return moved(state, action)

    def is_terminal(self, state: State) -> bool:
        return state.halfmoves >= LAST_HALFMOVE or self.insufficient(state) or not has_move(state)

    def utility(self, state: State, player: int) -> float:
        if not in_check(state) or has_move(state):
            return 0
        return -1 if player == state.turn else 1

    def insufficient(self, state: State) -> bool:
        """Whether no sequence of legal moves can mate: bare kings, one knight, or bishops of one colour only."""
        if state.pawns | state.rooks | state.queens:
            return False
        if state.knights:
            return (state.knights | state.bishops).bit_count() == 1
        return not state.bishops & DARK or not state.bishops & ~DARK

    def clock(self, state: State) -> int:
        """Plies until the rule of 75 moves ends the game."""
        return max(0, LAST_HALFMOVE - state.halfmoves)

    def may_claim_fifty(self, state: State) -> bool:
        """Whether the player to move may claim a draw: 50 moves of each side without a capture or pawn move."""
        return state.halfmoves >= 100 and has_move(state)

    def key(self, state: State) -> int:
        return state.hash

    def repetition_key(self, state: State) -> int:
        """Equal where FIDE's laws call positions the same: same pieces, same player, same moves."""
        return state.hash

    # --- judgement ----------------------------------------------------------------------------------

    def evaluate(self, state: State, player: int) -> float:
        """Features times weights, in pawns (see `evaluation.py`)."""
        judged = judge(state, self.weights)
        return float(self.weights[0] + (judged if player == state.turn else -judged))

    def features(self, state: State, player: int) -> Iterator[float]:
        return features_of(state, player)

    @property
    def network(self) -> Any:
        """The network's weights: six megabytes, read when they are first needed, and once for all games."""
        return default_network()

    def evaluate_network(self, state: State, player: int) -> float:
        """A small network, in pawns (see `network.py`)."""
        judged = judge_by_network(state, self.network, own(self.kept_sums), own(self.kept_pieces))
        return judged if player == state.turn else -judged

    def evaluate_lolli(self, state: State, player: int) -> float:
        """The material of `player` less that of the other: pawn 1, knight 3, bishop 3, rook 5, queen 9.

        >>> game = Chess()
        >>> game.evaluate_lolli(game.parse_state("4k3/8/8/8/8/8/5PPP/4K1BR b - - 0 1"), 0)
        11
        """
        own = state.white if player == WHITE else state.black
        other = state.black if player == WHITE else state.white
        total = 0
        for kind in range(KING):
            standing = pieces(state, kind)
            total += VALUES[kind] * ((standing & own).bit_count() - (standing & other).bit_count())
        return total

    def terms_lolli(self, state: State, player: int) -> Iterator[tuple[int, int]]:
        """The pieces of `player`, kind by kind, then those of the other."""
        sides = (state.white, state.black) if player == WHITE else (state.black, state.white)
        for sign, side in zip((1, -1), sides, strict=True):
            for kind in range(KING):
                yield sign * VALUES[kind], (pieces(state, kind) & side).bit_count()

    def evaluate_lecture(self, state: State, player: int) -> float:
        """u = a + 9·b + 5·c: a is how many pieces `player` has more, b whether only one side has a queen, c how many
        rooks he has more.

        >>> game = Chess()
        >>> game.evaluate_lecture(game.parse_state("4k3/8/8/8/8/8/5PPP/4K1BR b - - 0 1"), 0)
        10
        """
        own = state.white if player == WHITE else state.black
        other = state.black if player == WHITE else state.white
        queens, rooks = pieces(state, QUEEN), pieces(state, ROOK)
        total = own.bit_count() - other.bit_count()
        total += 9 * (int(queens & own != 0) - int(queens & other != 0))
        total += 5 * ((rooks & own).bit_count() - (rooks & other).bit_count())
        return total

    def terms_lecture(self, state: State, player: int) -> Iterator[tuple[int, int]]:
        """The features a, b and c with their weights."""
        own = state.white if player == WHITE else state.black
        other = state.black if player == WHITE else state.white
        queens, rooks = pieces(state, QUEEN), pieces(state, ROOK)
        yield 1, own.bit_count() - other.bit_count()
        yield 9, int(queens & own != 0) - int(queens & other != 0)
        yield 5, (rooks & own).bit_count() - (rooks & other).bit_count()

    def tactical(self, state: State) -> Iterator[int]:
        """Captures and promotions to a queen that lose nothing in the exchange; in check every legal move."""
        sight = look(state)
        check = sight.checkers != 0
        for action in moves_seen(state, sight, ALL if check else loud_squares(state)):
            if check or (is_loud(state, action) and exchange_gains(state, action, 0)):
                yield action

    def order(self, state: State, action: int) -> float:
        """Captures and promotions by what they win, then by the attacker; losing captures after quiet moves."""
        return priority(state, action)

    def null(self, state: State) -> State | None:
        """The position after passing. None in check, and where the mover has only pawns left: there having to move
        may be what hurts (zugzwang), so that passing says nothing about the best move."""
        if in_check(state) or not mine_of(state) & ~state.pawns & ~state.kings:
            return None
        return passed(state)

    def threatened(self, state: State) -> bool:
        """Whether the mover is in check."""
        return in_check(state)

    def threatens(self, state: State, action: int) -> bool:
        """Whether a move gives check."""
        return gives_check(state, action)

    # --- endgame databases --------------------------------------------------------------------------

    def slice(self, state: State) -> int:
        return slice_of(state)

    def slice_size(self, slice: int) -> int:
        return slice_size(slice)

    def slice_place(self, state: State) -> int:
        return slice_place(state)

    def slice_state(self, slice: int, place: int) -> State | None:
        return slice_state(slice, place)

    def slices(self, most: int) -> Iterator[int]:
        return slices(most)

    def name_slice(self, slice: int) -> str:
        return name_slice(slice)

    def parse_slice(self, text: str) -> int:
        return parse_slice(text)

    # --- text ---------------------------------------------------------------------------------------

    def board(self, state: State) -> Board:
        return Board.grid(
            rows_of(state),
            PIECES,
            columns="abcdefgh",
            rows="87654321",
            checkered=True,
            ground="wood",
            bottom=WHITE,
            mover=mover_at(self, state),
            status=self._status(state),
        )

    def touches(self, state: State, action: int) -> tuple[str, ...]:
        """From where and to where; by castling king and rook; en passant the pawn that is taken, too."""
        return tuple(name_square(square) for square in squares_of(state, action))

    def show(self, state: State) -> str:
        lines = [f"{8 - i}  {' '.join(row)}" for i, row in enumerate(rows_of(state))]
        return "\n".join([*lines, "   a b c d e f g h", self._status(state)])

    def _status(self, state: State) -> str:
        check = in_check(state)
        if not has_move(state):
            return f"checkmate, {COLOURS[1 - state.turn]} has won" if check else "a draw by stalemate"
        if self.insufficient(state):
            return "a draw: nobody can mate with what is left"
        if state.halfmoves >= LAST_HALFMOVE:
            return "a draw: 75 moves without a capture or pawn move"
        return f"{COLOURS[state.turn]} to move" + (" (in check)" if check else "")

    def parse_state(self, text: str) -> State:
        """The position that a FEN describes; with `chess960`, also one by its number, 0 to 959 (518 is the usual).

        >>> Chess(chess960=True).fen(Chess(chess960=True).parse_state("0"))
        'bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1'
        """
        if self.chess960 and re.fullmatch(r"\s*[0-9]{1,3}\s*", text):
            return read_fen(chess960_fen(int(text)), chess960=True)
        return read_fen(text, self.chess960)

    def fen(self, state: State) -> str:
        """A position as FEN."""
        return write_fen(state, self.chess960)

    def name_action(self, state: State, action: int) -> str:
        return write_san(state, action)

    def uci(self, state: State, action: int) -> str:
        """A move as chess programs write it to each other: "e2e4", "e7e8q"."""
        return write_uci(state, action, self.chess960)

    def parse_action(self, state: State, text: str) -> int:
        """The move from SAN ("Nf3", "exd5", "O-O", "e8=Q") or UCI text ("g1f3", "e7e8q").

        >>> game = Chess()
        >>> game.uci(game.initial(), game.parse_action(game.initial(), "Nf3"))
        'g1f3'
        """
        if self.is_terminal(state):
            raise InputError(f"the game is over: {self._status(state)}")
        return read_move(state, text)
