"""What captures are worth: the exchange on one square, and the order in which moves are worth a look."""

from typing import Final

from gametree.games.chess.board import (
    ALL,
    BISHOP,
    KING,
    KNIGHT,
    NOWHERE,
    PAWN,
    PAWN_STEPS,
    QUEEN,
    RANKS_1_AND_8,
    ROOK,
    WHITE,
    State,
    attackers,
    bishop_attacks,
    bit,
    kind_at,
    pieces,
    rook_attacks,
)
from gametree.games.chess.moves import mine_of, passant_victim, theirs_of

VALUES: Final = (1, 3, 3, 5, 9, 100)
"""Giambattista Lolli's values of the pieces (1763), by kind; the king is worth more than all."""


def is_capture(state: State, action: int) -> bool:
    """Whether a move takes a piece."""
    target = action >> 6 & 63
    return theirs_of(state) & bit(target) != 0 or is_passant(state, action)


def is_loud(state: State, action: int) -> bool:
    """Whether a move takes a piece or makes a queen; lesser promotions, even with a capture, are not worth it."""
    if action >> 12:
        return action >> 12 == QUEEN
    return is_capture(state, action)


def loud_squares(state: State) -> int:
    """Where loud moves can end, and hardly any others."""
    ends = theirs_of(state)
    if state.passant != NOWHERE:
        ends |= bit(state.passant)
    seventh = ALL >> 56 << 48 if state.turn == WHITE else ALL >> 56 << 8
    return ends | RANKS_1_AND_8 if state.pawns & mine_of(state) & seventh else ends


def is_passant(state: State, action: int) -> bool:
    """Whether a move takes en passant."""
    return action >> 6 & 63 == state.passant and state.pawns & bit(action & 63) != 0


def gain(state: State, action: int) -> int:
    """What a move wins at once: the value of what it takes, and of what a pawn becomes."""
    target = action >> 6 & 63
    won = 0
    if is_passant(state, action):
        won = VALUES[PAWN]
    elif theirs_of(state) & bit(target):
        won = VALUES[kind_at(state, target)]
    if action >> 12:
        won += VALUES[action >> 12] - VALUES[PAWN]
    return won


def exchange_gains(state: State, action: int, least: int) -> bool:
    """Whether a move wins at least so much when both sides then take on its target as long as it pays.

    Static exchange evaluation: every capture is by the least valuable piece, pieces behind it join in, pins are
    overlooked. `balance` is what the side to take still has to win back; whoever cannot, loses the exchange.
    """
    source = action & 63
    target = action >> 6 & 63
    if mine_of(state) & bit(target):
        return least <= 0  # castling
    balance = gain(state, action) - least
    if balance < 0:
        return False
    placed = action >> 12 if action >> 12 else kind_at(state, source)
    balance = VALUES[placed] - balance
    if balance <= 0:
        return True
    occupied = (state.white | state.black) & ~bit(source) | bit(target)
    if is_passant(state, action):
        occupied ^= bit(passant_victim(state))
    straight = state.rooks | state.queens
    oblique = state.bishops | state.queens
    turn = state.turn
    # Pawns of both colours attack the target, each from its own side.
    other_pawns = PAWN_STEPS[(1 - turn) * 64 + target].item() & state.pawns
    all_attackers = attackers(state, target, turn, occupied) | other_pawns
    wins = True
    while True:
        turn = 1 - turn
        all_attackers &= occupied
        own = all_attackers & (state.white if turn == WHITE else state.black)
        if not own:
            return wins
        wins = not wins
        kind = _least(state, own)
        if kind == KING:
            # A king takes only what nobody defends.
            return wins if own == all_attackers else not wins
        balance = VALUES[kind] - balance
        if balance < (1 if wins else 0):
            return wins
        taker = own & pieces(state, kind)
        occupied ^= taker & -taker
        if kind in (PAWN, BISHOP, QUEEN):
            all_attackers |= bishop_attacks(target, occupied) & oblique
        if kind in (ROOK, QUEEN):
            all_attackers |= rook_attacks(target, occupied) & straight


def _least(state: State, own: int) -> int:
    """The kind of the least valuable piece in a set that is not empty."""
    if own & state.pawns:
        return PAWN
    if own & state.knights:
        return KNIGHT
    if own & state.bishops:
        return BISHOP
    if own & state.rooks:
        return ROOK
    return QUEEN if own & state.queens else KING


def priority(state: State, action: int) -> float:
    """Captures by most valuable victim, then least valuable attacker; losing ones after everything else."""
    won = gain(state, action)
    if won == 0 and not action >> 12:
        return 0.0
    attacker = VALUES[kind_at(state, action & 63)]
    if won < attacker and not exchange_gains(state, action, 0):
        return won / 16.0 - 10.0
    return 16.0 * won - min(attacker, 10)
