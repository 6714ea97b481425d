"""The moves of chess: which are legal, and what they do.

A move is an int: where it begins, where it ends, what a pawn becomes.

    bits 0–5 source   bits 6–11 target   bits 12–14 KNIGHT, BISHOP, ROOK or QUEEN for a promotion, else 0

Castling is written as the king taking its own rook, which is unambiguous in Chess960 too.
"""

from collections.abc import Iterator

from gametree.games.chess.board import (
    ALL,
    BISHOP,
    BLACK,
    CASTLING,
    KING,
    KING_STEPS,
    KNIGHT,
    KNIGHT_STEPS,
    NOWHERE,
    PASSANT,
    PAWN,
    PAWN_STEPS,
    QUEEN,
    RANKS_1_AND_8,
    ROOK,
    TURN,
    WHITE,
    ZOBRIST,
    Sight,
    State,
    able_pawns,
    attackers,
    between,
    bishop_attacks,
    bit,
    kind_at,
    lowest,
    pawn_reach,
    rest,
    rook_attacks,
    through,
)

# --- what is legal ----------------------------------------------------------------------------------


def mine_of(state: State) -> int:
    """The pieces of the player to move."""
    return state.white if state.turn == WHITE else state.black


def theirs_of(state: State) -> int:
    """The pieces of the other player."""
    return state.black if state.turn == WHITE else state.white


def look(state: State) -> Sight:
    """Who is whose, who gives check, and who is pinned."""
    mine = mine_of(state)
    theirs = theirs_of(state)
    king = lowest(state.kings & mine)
    straight = theirs & (state.rooks | state.queens)
    oblique = theirs & (state.bishops | state.queens)
    # What would see the king if only their own pieces stood in the way.
    seers = rook_attacks(king, theirs) & straight | bishop_attacks(king, theirs) & oblique
    checkers = theirs & (
        KNIGHT_STEPS[king].item() & state.knights | PAWN_STEPS[state.turn * 64 + king].item() & state.pawns
    )
    pinned = mine ^ mine
    while seers:
        seer = lowest(seers)
        seers = rest(seers)
        shields = between(king, seer) & mine
        if not shields:
            checkers |= bit(seer)
        elif not rest(shields):
            pinned |= shields
    return Sight(mine, theirs, king, checkers, pinned)


def in_check(state: State) -> bool:
    """Whether the king of the player to move is attacked."""
    mine = mine_of(state)
    theirs = theirs_of(state)
    king = lowest(state.kings & mine)
    return attackers(state, king, state.turn, mine | theirs) & theirs != 0


def gives_check(state: State, action: int) -> bool:
    """Whether a legal move attacks the other king, with the piece that moves or with one behind it."""
    source = action & 63
    target = action >> 6 & 63
    mine = mine_of(state)
    if mine & bit(target) or target == state.passant:  # castling moves two pieces, en passant may lift two
        return in_check(moved(state, action))
    placed = action >> 12 if action >> 12 else kind_at(state, source)
    there = bit(target)
    occupied = (state.white | state.black) & ~bit(source) | there
    king = lowest(state.kings & theirs_of(state))
    if placed == KNIGHT and KNIGHT_STEPS[king].item() & there:
        return True
    if placed == PAWN and PAWN_STEPS[(1 - state.turn) * 64 + king].item() & there:
        return True
    own = mine & ~bit(source)
    straight = (state.rooks | state.queens) & own
    oblique = (state.bishops | state.queens) & own
    if placed in (ROOK, QUEEN):
        straight |= there
    if placed in (BISHOP, QUEEN):
        oblique |= there
    return rook_attacks(king, occupied) & straight != 0 or bishop_attacks(king, occupied) & oblique != 0


def moves(state: State, wanted: int) -> Iterator[int]:
    """The legal moves that end on one of the wanted squares; castling ends on the rook's."""
    return moves_seen(state, look(state), wanted)


def moves_seen(state: State, sight: Sight, wanted: int) -> Iterator[int]:
    """The same, from what was seen before.

    Piece after piece: where it can go is a set, and all moves but promotions come from one `yield`, since what a
    generator still needs is stored there and loaded.
    """
    king, mine, theirs, pinned = sight.king, sight.mine, sight.theirs, sight.pinned
    turn, passant = state.turn, state.passant
    occupied = mine | theirs
    allowed = wanted & ~mine
    if sight.checkers:
        allowed &= between(king, lowest(sight.checkers))
    movers = mine ^ mine if rest(sight.checkers) else mine  # of a double check only the king gets out
    takers = passant_takers(state) if passant != NOWHERE else mine ^ mine
    pawns = (
        state.pawns & movers & (able_pawns(turn, state.pawns & movers, theirs, ~occupied, allowed) | takers)
    )
    knights = state.knights & movers & ~pinned
    oblique = (state.bishops | state.queens) & movers
    straight = (state.rooks | state.queens) & movers
    source = king
    reach = _king_reach(state, sight, wanted)
    while True:
        while reach:
            yield source | lowest(reach) << 6
            reach = rest(reach)
        if pawns:
            source = lowest(pawns)
            reach = pawn_reach(turn, source, occupied, theirs) & allowed
            if pinned & bit(source):
                reach &= through(king, source)
            if takers & bit(source):
                reach |= bit(passant) & wanted
            pawns = rest(pawns)
            while reach & RANKS_1_AND_8:
                promotion = QUEEN
                while promotion >= KNIGHT:
                    yield source | lowest(reach) << 6 | promotion << 12
                    promotion -= 1
                reach = rest(reach)
        elif knights:
            source = lowest(knights)
            reach = KNIGHT_STEPS[source].item() & allowed
            knights = rest(knights)
        elif oblique:
            source = lowest(oblique)
            reach = bishop_attacks(source, occupied) & allowed
            if pinned & bit(source):
                reach &= through(king, source)
            oblique = rest(oblique)
        elif straight:
            source = lowest(straight)
            reach = rook_attacks(source, occupied) & allowed
            if pinned & bit(source):
                reach &= through(king, source)
            straight = rest(straight)
        else:
            return


def passant_takers(state: State) -> int:
    """The mover's pawns that may take en passant. Two pawns leave their rank at once, so each is tried out."""
    mine = mine_of(state)
    theirs = theirs_of(state)
    king = lowest(state.kings & mine)
    taken = bit(passant_victim(state))
    takers = PAWN_STEPS[(1 - state.turn) * 64 + state.passant].item() & state.pawns & mine
    legal = takers
    while takers:
        taker = takers & -takers
        occupied = (mine | theirs) ^ taken ^ taker ^ bit(state.passant)
        if attackers(state, king, state.turn, occupied) & theirs & ~taken:
            legal ^= taker
        takers = rest(takers)
    return legal


def passant_victim(state: State) -> int:
    """Where the pawn stands that can be taken en passant."""
    return state.passant - 8 if state.turn == WHITE else state.passant + 8


def _king_reach(state: State, sight: Sight, wanted: int) -> int:
    """Which of the wanted squares the king can go to, and the rooks among them with which it can castle."""
    occupied = (sight.mine | sight.theirs) ^ bit(sight.king)
    reach = KING_STEPS[sight.king].item() & ~sight.mine & wanted
    untried = reach
    while untried:
        square = lowest(untried)
        untried = rest(untried)
        if attackers(state, square, state.turn, occupied) & sight.theirs:
            reach ^= bit(square)
    if sight.checkers:
        return reach
    rooks = state.castling & sight.mine & wanted
    while rooks:
        rook = lowest(rooks)
        rooks = rest(rooks)
        if _may_castle(state, sight, rook):
            reach |= bit(rook)
    return reach


def castled_king(state: State, rook: int) -> int:
    """Where the king goes by castling with a rook: the c file or the g file."""
    king = lowest(state.kings & mine_of(state))
    return (king & 56) + (6 if rook > king else 2)


def castled_rook(state: State, rook: int) -> int:
    """Where the rook goes by castling: the d file or the f file."""
    king = lowest(state.kings & mine_of(state))
    return (king & 56) + (5 if rook > king else 3)


def _may_castle(state: State, sight: Sight, rook: int) -> bool:
    """Whether the way is free for king and rook, and the king crosses no attacked square. It is not in check."""
    king_to = castled_king(state, rook)
    rook_to = castled_rook(state, rook)
    others = (sight.mine | sight.theirs) ^ bit(sight.king) ^ bit(rook)
    if (between(sight.king, king_to) | between(rook, rook_to)) & others:
        return False
    way = between(sight.king, king_to)
    while way:
        square = lowest(way)
        way = rest(way)
        if attackers(state, square, state.turn, others | bit(rook)) & sight.theirs:
            return False
    # In Chess960 the rook may have shielded the king from an attack along the rank.
    return not attackers(state, king_to, state.turn, others | bit(rook_to)) & sight.theirs


def has_move(state: State) -> bool:
    """Whether there is any legal move."""
    mine = mine_of(state)
    occupied = mine | theirs_of(state)
    # Almost always some pawn can step: no need to look further than for checks and pins.
    ahead = ~occupied >> 8 if state.turn == WHITE else ~occupied << 8
    if ahead & state.pawns & mine:
        sight = look(state)
        if not sight.checkers and ahead & state.pawns & mine & ~sight.pinned:
            return True
    for _ in moves(state, ALL):
        return True
    return False


# --- what a move does -------------------------------------------------------------------------------


def moved(state: State, action: int) -> State:
    """The position after a legal move."""
    source = action & 63
    target = action >> 6 & 63
    promotion = action >> 12
    turn = state.turn
    mine = state.white if turn == WHITE else state.black
    theirs = state.black if turn == WHITE else state.white
    if mine & bit(target):
        return _castled(state, target)
    kind = kind_at(state, source)
    placed = promotion if promotion else kind

    # Step 1. Take what is taken, and lift the piece.
    victim = passant_victim(state) if kind == PAWN and target == state.passant else target
    taken = theirs & bit(victim)
    key = (
        state.hash
        ^ ZOBRIST[(kind * 2 + turn) * 64 + source].item()
        ^ ZOBRIST[(placed * 2 + turn) * 64 + target].item()
    )
    if taken:
        key ^= ZOBRIST[(kind_at(state, victim) * 2 + 1 - turn) * 64 + victim].item()
    stay = ~(bit(source) | taken)
    pawns = state.pawns & stay
    knights = state.knights & stay
    bishops = state.bishops & stay
    rooks = state.rooks & stay
    queens = state.queens & stay
    kings = state.kings & stay

    # Step 2. Put the piece down.
    there = bit(target)
    if placed == PAWN:
        pawns |= there
    elif placed == KNIGHT:
        knights |= there
    elif placed == BISHOP:
        bishops |= there
    elif placed == ROOK:
        rooks |= there
    elif placed == QUEEN:
        queens |= there
    else:
        kings |= there
    mine = mine & stay | there
    theirs = theirs & stay

    # Step 3. What the move costs in rights, and what it offers the other side.
    castling = state.castling & stay
    if kind == KING:
        castling &= theirs
    lost = castling ^ state.castling
    while lost:
        key ^= ZOBRIST[CASTLING + lowest(lost)].item()
        lost = rest(lost)
    if state.passant != NOWHERE:
        key ^= ZOBRIST[PASSANT + state.passant].item()
    passant = NOWHERE
    if kind == PAWN and abs(target - source) == 16:
        passant = (source + target) // 2
        if not PAWN_STEPS[turn * 64 + passant].item() & pawns & theirs:
            passant = NOWHERE
    after = State(
        pawns,
        knights,
        bishops,
        rooks,
        queens,
        kings,
        mine if turn == WHITE else theirs,
        theirs if turn == WHITE else mine,
        castling,
        1 - turn,
        passant,
        0 if kind == PAWN or taken else state.halfmoves + 1,
        state.number + turn,
        key ^ ZOBRIST[TURN].item(),
    )
    return after if passant == NOWHERE else settled(after)


def settled(state: State) -> State:
    """A position whose en passant square is not in its key yet: kept where taking is legal, else left out."""
    if passant_takers(state):
        return state._replace(hash=state.hash ^ ZOBRIST[PASSANT + state.passant].item())
    return state._replace(passant=NOWHERE)


def passed(state: State) -> State:
    """The position after passing, which no rule allows."""
    key = state.hash ^ ZOBRIST[TURN].item()
    if state.passant != NOWHERE:
        key ^= ZOBRIST[PASSANT + state.passant].item()
    return state._replace(
        turn=1 - state.turn,
        passant=NOWHERE,
        halfmoves=state.halfmoves + 1,
        number=state.number + state.turn,
        hash=key,
    )


def _castled(state: State, rook: int) -> State:
    """The position after castling with a rook."""
    turn = state.turn
    mine = mine_of(state)
    king = lowest(state.kings & mine)
    king_to = castled_king(state, rook)
    rook_to = castled_rook(state, rook)
    kings = state.kings ^ bit(king) | bit(king_to)
    rooks = state.rooks ^ bit(rook) | bit(rook_to)
    placed = mine ^ bit(king) ^ bit(rook) | bit(king_to) | bit(rook_to)
    key = (
        state.hash
        ^ ZOBRIST[(KING * 2 + turn) * 64 + king].item()
        ^ ZOBRIST[(KING * 2 + turn) * 64 + king_to].item()
        ^ ZOBRIST[(ROOK * 2 + turn) * 64 + rook].item()
        ^ ZOBRIST[(ROOK * 2 + turn) * 64 + rook_to].item()
        ^ ZOBRIST[TURN].item()
    )
    lost = state.castling & mine
    while lost:
        key ^= ZOBRIST[CASTLING + lowest(lost)].item()
        lost = rest(lost)
    if state.passant != NOWHERE:
        key ^= ZOBRIST[PASSANT + state.passant].item()
    return State(
        state.pawns,
        state.knights,
        state.bishops,
        rooks,
        state.queens,
        kings,
        placed if turn == WHITE else state.white,
        placed if turn == BLACK else state.black,
        state.castling & ~mine,
        1 - turn,
        NOWHERE,
        state.halfmoves + 1,
        state.number + turn,
        key,
    )
