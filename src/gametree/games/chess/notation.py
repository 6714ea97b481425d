"""Chess as people and programs write it: FEN for positions, SAN and UCI for moves.

FEN is the standard of S. J. Edwards (1994), with X-FEN and Shredder-FEN castling rights in Chess960. A position holds
its en passant square only where taking is legal, and so does the FEN written from it.
"""

import re
from typing import Final

from gametree.board.data import Piece
from gametree.errors import InputError
from gametree.games.chess.board import (
    BLACK,
    KING,
    NOWHERE,
    PAWN,
    WHITE,
    State,
    bit,
    kind_at,
    lowest,
    pieces,
    squares,
    zobrist,
)
from gametree.games.chess.exchange import is_capture
from gametree.games.chess.moves import (
    castled_king,
    castled_rook,
    has_move,
    in_check,
    look,
    mine_of,
    moved,
    moves,
    passant_victim,
    settled,
    theirs_of,
)

START: Final = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
LETTERS: Final = "pnbrqk"
COLOURS: Final = ("White", "Black")
PIECES: Final = {
    letter: Piece(letter, int(letter.islower()), shape, "black" if letter.islower() else "white")
    for shape, letters in zip(
        ("pawn", "knight", "bishop", "rook", "queen", "king"), zip(LETTERS, LETTERS.upper())
    )
    for letter in letters
}
LAST_HALFMOVE: Final = 150
"""Here the rule of 75 moves ends the game."""
_FIELDS: Final = "board, side to move, castling, en passant square, and the two counters"


def name_square(square: int) -> str:
    """A square as people write it.

    >>> name_square(0), name_square(63)
    ('a1', 'h8')
    """
    return "abcdefgh"[square % 8] + str(square // 8 + 1)


def square_of(name: str) -> int:
    """The square that people write so."""
    return (int(name[1]) - 1) * 8 + "abcdefgh".index(name[0])


# --- positions --------------------------------------------------------------------------------------


def read_fen(text: str, chess960: bool = False) -> State:
    """The position that a FEN describes; the counters may be left out, as in EPD."""
    fields = text.split()
    if len(fields) not in (4, 6):
        raise InputError(
            f"a FEN has six fields ({_FIELDS}) or, without the counters, four; this text has {len(fields)}:"
            f" {_short(text)}"
        )
    kinds, colours = _read_board(fields[0])
    if fields[1] not in ("w", "b"):
        raise InputError(f"the side to move is w or b, not {_short(fields[1])}")
    turn = WHITE if fields[1] == "w" else BLACK
    halfmoves, number = 0, 1
    if len(fields) == 6:
        halfmoves = _counter("the number of moves without capture or pawn move", fields[4], LAST_HALFMOVE)
        number = max(1, _counter("the number of the move", fields[5], 99_999))
    state = State._make((*kinds, *colours, 0, turn, NOWHERE, halfmoves, number, 0))
    _check_pieces(state)
    state = state._replace(castling=_read_castling(state, fields[2], chess960))
    state = state._replace(hash=zobrist(state))
    passant = _read_passant(state, fields[3])
    return state if passant == NOWHERE else settled(state._replace(passant=passant))


def chess960_fen(number: int) -> str:
    """The start of Chess960 by its number from 0 to 959 (Reinhard Scharnagl's): bishops, queen, knights, the rest."""
    if not 0 <= number < 960:
        raise InputError(f"the starts of Chess960 have the numbers 0 to 959; {number} is none")
    rest_of_it, light = divmod(number, 4)
    rest_of_it, dark = divmod(rest_of_it, 4)
    knights, queen = divmod(rest_of_it, 6)
    row = [""] * 8
    row[light * 2 + 1] = row[dark * 2] = "b"
    for piece, place in (("q", queen), *_KNIGHTS[knights]):
        row[[file for file in range(8) if not row[file]][place]] = piece
    for piece in "rkr":
        row[row.index("")] = piece
    back = "".join(row)
    return f"{back}/pppppppp/8/8/8/8/PPPPPPPP/{back.upper()} w KQkq - 0 1"


# The places of the two knights among the squares left free, the right one first so that the left keeps its place.
_KNIGHTS: Final = [(("n", j), ("n", i)) for i in range(5) for j in range(i + 1, 5)]


def _short(text: str) -> str:
    return repr(text if len(text) <= 80 else text[:77] + "...")


def _counter(what: str, text: str, most: int) -> int:
    if not re.fullmatch(r"[0-9]{1,5}", text) or int(text) > most:
        raise InputError(f"{what} is 0 to {most}, not {_short(text)}")
    return int(text)


def _read_board(text: str) -> tuple[list[int], list[int]]:
    rows = text.split("/")
    if len(rows) != 8:
        raise InputError(f"the board of a FEN has 8 ranks separated by /, not {len(rows)}: {_short(text)}")
    kinds, colours = [0] * 6, [0] * 2
    for rank, row in zip(range(7, -1, -1), rows):
        file, last = 0, ""
        for letter in row:
            if letter in "12345678":
                if last in "12345678" and last:
                    raise InputError(f"rank {rank + 1} has two numbers in a row: {_short(row)}")
                file += int(letter)
            elif letter.lower() in LETTERS:
                if file < 8:
                    here = 1 << rank * 8 + file
                    kinds[LETTERS.index(letter.lower())] |= here
                    colours[WHITE if letter.isupper() else BLACK] |= here
                file += 1
            else:
                raise InputError(f"{letter!r} on rank {rank + 1} is no piece: use PNBRQK and pnbrqk")
            last = letter
        if file != 8:
            raise InputError(f"rank {rank + 1} has {file} squares, not 8: {_short(row)}")
    return kinds, colours


def _check_pieces(state: State) -> None:
    for name, own in zip(COLOURS, (state.white, state.black)):
        kings = (state.kings & own).bit_count()
        if kings != 1:
            raise InputError(f"{name} has {kings or 'no'} king{'s' if kings > 1 else ''}, and must have one")
        pawns = (state.pawns & own).bit_count()
        if pawns > 8:
            raise InputError(f"{name} has {pawns} pawns; there are eight")
        if own.bit_count() > 16:
            raise InputError(f"{name} has {own.bit_count()} pieces; there are sixteen")
    for square in squares(state.pawns):
        if not 8 <= square < 56:
            raise InputError(f"a pawn cannot stand on {name_square(square)}")
    other = state._replace(turn=1 - state.turn)
    if in_check(other):
        raise InputError(
            f"{COLOURS[state.turn]} is to move, but {COLOURS[1 - state.turn]}'s king is in check:"
            " it would have been left there"
        )
    if look(state).checkers.bit_count() > 2:
        raise InputError(f"{COLOURS[state.turn]}'s king is attacked by more than two pieces at once")


def _read_castling(state: State, text: str, chess960: bool) -> int:
    rights = 0
    if text == "-":
        return rights
    for letter in text:
        if letter.lower() not in ("abcdefghkq" if chess960 else "kq"):
            files = ", or the file of a rook" if chess960 else "; files of rooks belong to chess960=True"
            raise InputError(f"castling rights are - or some of KQkq{files}; not {_short(text)}")
        name = COLOURS[WHITE if letter.isupper() else BLACK]
        own = state.white if letter.isupper() else state.black
        home = 0 if letter.isupper() else 56
        king = lowest(state.kings & own)
        if not home <= king < home + 8 or (not chess960 and king != home + 4):
            raise InputError(f"{name} cannot have castling rights with the king on {name_square(king)}")
        rooks = list(squares(state.rooks & own & 0xFF << home))
        side = letter.lower()
        if not chess960:
            wanted = [home + (7 if side == "k" else 0)]
        elif side == "k":
            wanted = [square for square in rooks[-1:] if square > king]
        elif side == "q":
            wanted = [square for square in rooks[:1] if square < king]
        else:
            wanted = [home + "abcdefgh".index(side)]
        if not wanted or wanted[0] not in rooks:
            where = f" on {name_square(wanted[0])}" if wanted else f" on that side of {name_square(king)}"
            raise InputError(f"castling right {letter}: {name} has no rook{where}")
        there = bit(wanted[0])
        same_side = [square for square in squares(rights & own) if (square > king) == (wanted[0] > king)]
        if rights & there or same_side:
            raise InputError(f"castling rights name the same side of {name} twice: {_short(text)}")
        rights |= there
    return rights


def _read_passant(state: State, text: str) -> int:
    if text == "-":
        return NOWHERE
    rank = "6" if state.turn == WHITE else "3"
    if not re.fullmatch(f"[a-h]{rank}", text):
        raise InputError(
            f"the en passant square is - or, with {COLOURS[state.turn]} to move, on rank {rank};"
            f" not {_short(text)}"
        )
    square = square_of(text)
    forward = -8 if state.turn == WHITE else 8
    pawn, origin = square + forward, square - forward
    occupied = state.white | state.black
    if not state.pawns & theirs_of(state) & bit(pawn) or occupied & (bit(square) | bit(origin)):
        raise InputError(
            f"en passant on {text}: no pawn can just have moved from {name_square(origin)}"
            f" to {name_square(pawn)}"
        )
    return square


def write_fen(state: State, chess960: bool = False) -> str:
    """A position as FEN."""
    rows = []
    for row in rows_of(state):
        rows.append(re.sub(r"\.+", lambda gap: str(len(gap[0])), "".join(row)))
    passant = "-" if state.passant == NOWHERE else name_square(state.passant)
    castling = _write_castling(state, chess960)
    turn = "wb"[state.turn]
    return f"{'/'.join(rows)} {turn} {castling} {passant} {state.halfmoves} {state.number}"


def symbol(state: State, square: int) -> str:
    """The letter of what stands on a square, a capital for White; a dot where nothing does."""
    if not (state.white | state.black) & bit(square):
        return "."
    letter = LETTERS[kind_at(state, square)]
    return letter.upper() if state.white & bit(square) else letter


def rows_of(state: State) -> list[list[str]]:
    """The letters of the board, the eighth rank first."""
    return [[symbol(state, rank * 8 + file) for file in range(8)] for rank in range(7, -1, -1)]


def squares_of(state: State, action: int) -> tuple[int, ...]:
    """The squares that a move touches: from, to, those of the rook by castling, that of a pawn taken en passant."""
    source, target = action & 63, action >> 6 & 63
    if mine_of(state) & bit(target):
        return source, castled_king(state, target), target, castled_rook(state, target)
    if kind_at(state, source) == PAWN and target == state.passant:
        return source, target, passant_victim(state)
    return source, target


def _write_castling(state: State, chess960: bool) -> str:
    text = ""
    for own, home in ((state.white, 0), (state.black, 56)):
        king = lowest(state.kings & own)
        rooks = list(squares(state.rooks & own & 0xFF << home))
        for rook in sorted(squares(state.castling & own), reverse=True):
            outermost = rook == (rooks[-1] if rook > king else rooks[0])
            letter = ("k" if rook > king else "q") if outermost or not chess960 else "abcdefgh"[rook % 8]
            text += letter if home else letter.upper()
    return text or "-"


# --- moves ------------------------------------------------------------------------------------------


def write_uci(state: State, action: int, chess960: bool = False) -> str:
    """A move as programs write it: "e2e4", "e7e8q"; castling is "e1g1", in Chess960 "e1h1"."""
    target = action >> 6 & 63
    if mine_of(state) & bit(target) and not chess960:
        target = castled_king(state, target)
    promotion = LETTERS[action >> 12] if action >> 12 else ""
    return name_square(action & 63) + name_square(target) + promotion


def write_san(state: State, action: int) -> str:
    """A move in standard algebraic notation: "Nbd2", "exd6", "O-O", "e8=Q#"."""
    source, target = action & 63, action >> 6 & 63
    kind = kind_at(state, source)
    if mine_of(state) & bit(target):
        text = "O-O" if target > source else "O-O-O"
    elif kind == PAWN:
        text = f"{'abcdefgh'[source % 8]}x" if is_capture(state, action) else ""
        text += name_square(target) + (f"={LETTERS[action >> 12].upper()}" if action >> 12 else "")
    else:
        others = [
            other & 63
            for other in moves(state, bit(target))
            if other != action and pieces(state, kind) & bit(other & 63)
        ]
        text = LETTERS[kind].upper() + _apart(source, others)
        text += ("x" if is_capture(state, action) else "") + name_square(target)
    after = moved(state, action)
    if in_check(after):
        text += "+" if has_move(after) else "#"
    return text


def _apart(source: int, others: list[int]) -> str:
    """What tells a piece from others of its kind that can go to the same square: its file, its rank, or both."""
    if not others:
        return ""
    name = name_square(source)
    if all(other % 8 != source % 8 for other in others):
        return name[0]
    return name[1] if all(other // 8 != source // 8 for other in others) else name


_CASTLING: Final = re.compile(r"([Oo0])-?\1(-?\1)?")
_MOVE: Final = re.compile(
    r"(?P<kind>[NBRQKnrqk])?(?P<file>[a-h])?(?P<rank>[1-8])?[-x:]?(?P<target>[a-h][1-8])"
    r"(?:=?\(?(?P<promotion>[NBRQnbrq])\)?)?(?: ?e\.?p\.?)?"
)


def read_move(state: State, text: str) -> int:
    """The legal move that a text names, in SAN, in UCI or nearly so: "Nf3", "e8Q", "0-0", "g1f3", "Ng1-f3"."""
    wanted = re.sub(r"[+#!?]+$", "", text.strip())
    castling = _CASTLING.fullmatch(wanted)
    found = _MOVE.fullmatch(wanted)
    if castling:
        fits = _castlings(state, long=castling[2] is not None)
    elif found:
        fits = _named(state, found)
    else:
        raise InputError(f"{_short(text.strip())} is no chess move: write Nf3, exd5, O-O, e8=Q or g1f3")
    if len(fits) == 1:
        return fits[0]
    if not fits:
        from gametree.games.chess.refusal import refusal  # late: it writes moves as this module does

        raise InputError(refusal(state, wanted, None if castling else found))
    raise InputError(f"{wanted} may be one of several moves: {_some(state, fits)}")


def _some(state: State, actions: list[int]) -> str:
    names = [write_san(state, action) for action in actions[:20]]
    return (", ".join(names) or "none") + (", …" if len(actions) > 20 else "")


def _castlings(state: State, long: bool) -> list[int]:
    own = state.castling & mine_of(state)
    return [action for action in moves(state, own) if (action >> 6 & 63 < action & 63) == long] if own else []


def _named(state: State, found: "re.Match[str]") -> list[int]:
    """The legal moves that fit a move's parts."""
    target = square_of(found["target"])
    kind = LETTERS.index(found["kind"].lower()) if found["kind"] else PAWN
    promotion = LETTERS.index(found["promotion"].lower()) if found["promotion"] else 0
    whole = found["file"] is not None and found["rank"] is not None
    fits = []
    for action in moves(state, bit(target)):
        source = action & 63
        moving = kind_at(state, source)
        if mine_of(state) & bit(target) and not whole:
            continue
        if moving != kind and not (whole and not found["kind"]):
            continue
        if found["file"] not in (None, "abcdefgh"[source % 8]) or found["rank"] not in (
            None,
            str(source // 8 + 1),
        ):
            continue
        if action >> 12 == promotion or (not promotion and action >> 12):
            fits.append(action)
    if not fits and whole and kind in (PAWN, KING):
        # A king that castles is also written as going where it ends up.
        king = square_of(found["file"] + found["rank"])
        fits = [
            action
            for action in _castlings(state, long=target < king)
            if action & 63 == king and castled_king(state, action >> 6 & 63) == target
        ]
    return fits
