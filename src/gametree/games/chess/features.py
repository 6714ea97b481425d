"""What is counted in a chess position besides where the pieces stand: pawns, mobility, kings, threats."""

from collections.abc import Sequence
from typing import NamedTuple, cast

import numpy as np

from gametree.games.chess.board import (
    ALL,
    BISHOP,
    BLACK,
    H_FILE,
    KING_STEPS,
    KNIGHT,
    KNIGHT_STEPS,
    NOT_A_FILE,
    QUEEN,
    ROOK,
    WHITE,
    Board,
    State,
    attacks,
    bishop_attacks,
    bit,
    lowest,
    pawn_attacks,
    rest,
    rook_attacks,
    table,
)


class Counts(NamedTuple):
    """What one side has. Distances and ranks count as many times as they are long or high."""

    pawns: int
    knights: int
    bishops: int
    rooks: int
    queens: int
    bishop_pair: int
    doubled: int
    """Pawns behind another of their own on the file."""
    isolated: int
    """Pawns without one of their own on the files beside them."""
    supported: int
    """Pawns that another one protects or stands beside."""
    passed_2: int
    """Pawns on their second rank that no pawn can stop any more, and so on."""
    passed_3: int
    passed_4: int
    passed_5: int
    passed_6: int
    passed_7: int
    passed_free: int
    """The ranks of passed pawns with nothing in front of them."""
    passed_own_king: int
    """Steps of one's own king to the squares in front of passed pawns."""
    passed_their_king: int
    knight_mobility: int
    """For every knight ten times the square root of how many squares it can safely go to; and so on."""
    bishop_mobility: int
    rook_mobility: int
    queen_mobility: int
    rook_open: int
    """Rooks on files without pawns."""
    rook_half_open: int
    """Rooks on files with pawns of the other side only."""
    shield: int
    """Pawns up to two ranks before the king, on its file and beside it."""
    king_open: int
    """Files beside and under the king without pawns of its own."""
    king_attack: int
    """How hard pieces press on the squares around the other king: it grows with the square of their number."""
    pawn_threats: int
    """Pieces of the other side that pawns attack."""
    minor_threats: int
    """Rooks and queens of the other side that knights and bishops attack."""
    tempo: int


class Details(NamedTuple):
    """What else one side has. (A call with more than thirty arguments does not compile.)"""

    king_pressure: int
    """How many squares around the other king are attacked by how strong pieces."""
    rook_threats: int
    """Queens of the other side that rooks attack."""
    outposts: int
    """Knights and bishops beyond the middle that a pawn protects and no pawn can drive away."""
    passed_protected: int
    """Passed pawns that another one protects."""
    bad_bishop: int
    """For every bishop, its own pawns on squares of its colour."""
    weak: int
    """Isolated pawns on files without pawns of the other side."""
    king_weak: int
    """Squares around the other king that are attacked and hardly defended (see `hardly_defended`)."""
    knight_checks: int
    """Squares from which a knight could safely give check with its next move; and so on."""
    bishop_checks: int
    rook_checks: int
    queen_checks: int
    hanging: int
    """Pieces and pawns of the other side that are attacked and not defended."""


MOBILITY = cast("Sequence[np.int64]", np.array([round(10 * n**0.5) for n in range(28)]))


def _file(square: int) -> int:
    return 0x0101010101010101 << square % 8


def _beside(square: int) -> int:
    """The files next to that of a square."""
    return (_file(square - 1) if square % 8 > 0 else 0) | (_file(square + 1) if square % 8 < 7 else 0)


def _ahead(square: int, colour: int) -> int:
    """All ranks before that of a square, as its owner sees it."""
    rank = square // 8
    return (1 << 64) - (1 << 8 * rank + 8) if colour == WHITE else (1 << 8 * rank) - 1


HOUSE = table(
    (_file(square) | _beside(square))
    & _ahead(square, colour)
    & ~_ahead(min(63, square + 16) if colour == WHITE else max(0, square - 16), colour)
    for colour in (0, 1)
    for square in range(64)
)
"""The squares up to two ranks before a king, on its file and beside it; at 64 + the square for Black's."""


MOST_PRESSURE = 32
"""Past this it makes no difference how hard a king is pressed."""
DARK = 0xAA55AA55AA55AA55
"""The squares of a1's colour."""


def distance(one: int, other: int) -> int:
    """How many steps a king needs."""
    return max(abs((one & 7) - (other & 7)), abs((one >> 3) - (other >> 3)))


def ahead(board: int, colour: int) -> int:
    """All squares before those of a set on their files, as a colour sees it."""
    if colour == WHITE:
        board = board << 8 & ALL
        board |= board << 8 & ALL
        board |= board << 16 & ALL
        return board | board << 32 & ALL
    board >>= 8
    board |= board >> 8
    board |= board >> 16
    return board | board >> 32


def beside(board: int) -> int:
    """The squares to the left and to the right of a set."""
    return (board & NOT_A_FILE) >> 1 | (board & ~H_FILE) << 1


class Activity(NamedTuple):
    """What the pieces of one kind do."""

    mobility: int
    attackers: int
    """How many of them attack a square around the other king."""
    attacked: int
    """How many squares around it they attack."""
    threats: int
    reach: Board
    """The squares that any of them attacks."""
    doubly: Board
    """Those that more than one of them attacks."""


def activity(kind: int, movers: int, occupied: int, safe: int, around: int, heavy: int) -> Activity:
    """What pieces of one kind and colour do: `around` is the other king, `heavy` are the other rooks and queens."""
    mobility = attackers = attacked = threats = 0
    once = doubly = movers ^ movers
    while movers:
        reach = attacks(kind, lowest(movers), occupied)
        movers = rest(movers)
        mobility += MOBILITY[(reach & safe).bit_count()].item()
        pressed = (reach & around).bit_count()
        attackers += min(1, pressed)
        attacked += pressed
        threats += (reach & heavy).bit_count()
        doubly |= once & reach
        once |= reach
    return Activity(mobility, attackers, attacked, threats, once, doubly)


class Survey(NamedTuple):
    """What all pieces of one side do."""

    knights: Activity
    bishops: Activity
    rooks: Activity
    queens: Activity
    reach: Board
    """The squares that the side attacks."""
    doubly: Board
    """Those that it attacks with more than one piece."""


def survey(state: State, colour: int) -> Survey:
    """What the pieces of a side do."""
    own = state.white if colour == WHITE else state.black
    other = state.black if colour == WHITE else state.white
    occupied = own | other
    pawns = state.pawns & own
    safe = ~own & ~pawn_attacks(state.pawns & other, 1 - colour)
    around = KING_STEPS[lowest(state.kings & other)].item()
    heavy = other & (state.rooks | state.queens)
    knights = activity(KNIGHT, state.knights & own, occupied, safe, around, heavy)
    bishops = activity(BISHOP, state.bishops & own, occupied, safe, around, heavy)
    rooks = activity(ROOK, state.rooks & own, occupied, safe, around, other & state.queens)
    queens = activity(QUEEN, state.queens & own, occupied, safe, around, heavy)
    reach = KING_STEPS[lowest(state.kings & own)].item()
    beaten = pawn_attacks(pawns, colour)
    doubly = doubly_beaten(pawns, colour) | reach & beaten
    reach |= beaten
    for kind in (knights, bishops, rooks, queens):
        doubly |= kind.doubly | reach & kind.reach
        reach |= kind.reach
    return Survey(knights, bishops, rooks, queens, reach, doubly)


def doubly_beaten(pawns: int, colour: int) -> int:
    """The squares that pawns of a colour attack from both sides."""
    if colour == WHITE:
        return (pawns & NOT_A_FILE) << 7 & (pawns & ~H_FILE) << 9 & ALL
    return (pawns & NOT_A_FILE) >> 9 & (pawns & ~H_FILE) >> 7


def hardly_defended(mine: Survey, theirs: Survey, their_king: int) -> int:
    """The squares that one side attacks and the other defends with nothing, or once, with its king or a queen."""
    alone = ~theirs.reach | KING_STEPS[their_king].item() | theirs.queens.reach
    return mine.reach & ~theirs.doubly & alone


def count(state: State, colour: int) -> tuple[Counts, Details]:
    """What a side has in a position."""
    return count_seen(state, colour, survey(state, colour), survey(state, 1 - colour))


def count_seen(state: State, colour: int, mine: Survey, theirs: Survey) -> tuple[Counts, Details]:
    """The same, from what the pieces of both sides do."""
    own = state.white if colour == WHITE else state.black
    other = state.black if colour == WHITE else state.white
    occupied = own | other
    own_pawns = state.pawns & own
    other_pawns = state.pawns & other
    king = lowest(state.kings & own)
    other_king = lowest(state.kings & other)

    # Step 1. Pawns. Byte n of `ranks` counts the passed ones on rank n + 1.
    files = own_pawns | ahead(own_pawns, WHITE) | ahead(own_pawns, BLACK)
    other_files = other_pawns | ahead(other_pawns, WHITE) | ahead(other_pawns, BLACK)
    protected = pawn_attacks(own_pawns, colour)
    doubled = own_pawns & ahead(own_pawns, 1 - colour)
    passed = own_pawns & ~doubled & ~ahead(other_pawns | beside(other_pawns), 1 - colour)
    passed_protected = (passed & protected).bit_count()
    ranks = passed_free = passed_own_king = passed_their_king = 0
    while passed:
        square = lowest(passed)
        passed = rest(passed)
        rank = square >> 3 if colour == WHITE else square >> 3 ^ 7
        stop = square + 8 if colour == WHITE else square - 8
        ranks += 1 << 8 * rank
        passed_own_king += distance(king, stop)
        passed_their_king += distance(other_king, stop)
        if not occupied & bit(stop):
            passed_free += rank

    # Step 2. Pieces: what they press on, and where the other king can be checked.
    around = KING_STEPS[other_king].item()
    hardly = hardly_defended(mine, theirs, other_king)
    knights, bishops, rooks, queens = mine.knights, mine.bishops, mine.rooks, mine.queens
    attackers = knights.attackers + bishops.attackers + rooks.attackers + queens.attackers
    pressure = 2 * (knights.attacked + bishops.attacked) + 3 * rooks.attacked + 5 * queens.attacked
    pressure = min(pressure, MOST_PRESSURE) if attackers > 1 else 0
    free = ~own & (~theirs.reach | hardly & mine.doubly)
    straight = rook_attacks(other_king, occupied) & free
    oblique = bishop_attacks(other_king, occupied) & free
    knight_checks = (KNIGHT_STEPS[other_king].item() & free & knights.reach).bit_count()
    bishop_checks = (oblique & bishops.reach).bit_count()
    rook_checks = (straight & rooks.reach).bit_count()
    queen_checks = ((straight | oblique) & queens.reach).bit_count()

    # Step 3. All together.
    bishop_count = (state.bishops & own).bit_count()
    dark_pawns = (own_pawns & DARK).bit_count()
    dark_bishops = (state.bishops & own & DARK).bit_count()
    light_pawns = own_pawns.bit_count() - dark_pawns
    bad_bishop = dark_bishops * dark_pawns + (bishop_count - dark_bishops) * light_pawns
    isolated = own_pawns & ~beside(files)
    beyond = ALL >> 16 & ~(ALL >> 40) if colour == WHITE else ALL >> 24 & ~(ALL >> 48)
    driven = pawn_attacks(other_pawns | ahead(other_pawns, 1 - colour), 1 - colour)
    king_files = state.kings & own | beside(state.kings & own)
    counts = Counts(
        own_pawns.bit_count(),
        (state.knights & own).bit_count(),
        bishop_count,
        (state.rooks & own).bit_count(),
        (state.queens & own).bit_count(),
        1 if bishop_count >= 2 else 0,
        doubled.bit_count(),
        isolated.bit_count(),
        (own_pawns & (protected | beside(own_pawns))).bit_count(),
        ranks >> 8 & 255,
        ranks >> 16 & 255,
        ranks >> 24 & 255,
        ranks >> 32 & 255,
        ranks >> 40 & 255,
        ranks >> 48 & 255,
        passed_free,
        passed_own_king,
        passed_their_king,
        knights.mobility,
        bishops.mobility,
        rooks.mobility,
        queens.mobility,
        (state.rooks & own & ~files & ~other_files).bit_count(),
        (state.rooks & own & ~files & other_files).bit_count(),
        (HOUSE[colour * 64 + king].item() & own_pawns).bit_count(),
        (king_files & ~files).bit_count(),
        pressure * pressure // 8,
        (protected & other & ~state.pawns).bit_count(),
        knights.threats + bishops.threats,
        1 if state.turn == colour else 0,
    )
    details = Details(
        pressure,
        rooks.threats,
        ((state.knights | state.bishops) & own & protected & beyond & ~driven).bit_count(),
        passed_protected,
        bad_bishop,
        (isolated & ~other_files).bit_count(),
        (around & hardly).bit_count(),
        knight_checks,
        bishop_checks,
        rook_checks,
        queen_checks,
        (other & mine.reach & ~theirs.reach).bit_count(),
    )
    return counts, details
