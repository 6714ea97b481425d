"""Why a chess move is not legal, in a sentence, and which legal ones are near it."""

import difflib
import re
from typing import Final

from gametree.games.chess.board import (
    ALL,
    KING,
    KNIGHT,
    NOWHERE,
    PAWN,
    PAWN_STEPS,
    State,
    attacks,
    between,
    bit,
    kind_at,
    lowest,
    pieces,
    squares,
)
from gametree.games.chess.moves import in_check, mine_of, moves, theirs_of
from gametree.games.chess.notation import COLOURS, LETTERS, name_square, square_of, write_san

NAMES: Final = ("pawn", "knight", "bishop", "rook", "queen", "king")
_MOST: Final = 8


def refusal(state: State, wanted: str, found: "re.Match[str] | None") -> str:
    """What to say of a move that is not legal. `found` are its parts; None for castling.

    >>> from gametree.games import Chess
    >>> Chess().parse_action(Chess().initial(), "Qd3")
    Traceback (most recent call last):
    gametree.errors.InputError: Qd3 is not legal here: something stands between d1 and d3; near are: d3
    """
    if found is None:
        why = _castling(state, long=sum(letter in "Oo0" for letter in wanted) == 3)
    else:
        why = _move(state, found)
    return f"{wanted} is not legal here: {why}; {_near(state, wanted, found)}"


def _castling(state: State, long: bool) -> str:
    king = lowest(state.kings & mine_of(state))
    rooks = [rook for rook in squares(state.castling & mine_of(state)) if (rook < king) == long]
    side = "queen's" if long else "king's"
    if not rooks:
        return f"{_side(state)} may not castle on the {side} side any more"
    if in_check(state):
        return f"{_side(state)} is in check"
    inner = between(king, rooks[0]) & ~bit(rooks[0])
    if inner & (state.white | state.black):
        return "there are pieces between king and rook"
    return "the king would pass or reach a square that is attacked"


def _move(state: State, found: "re.Match[str]") -> str:
    target = square_of(found["target"])
    whole = found["file"] is not None and found["rank"] is not None
    source = square_of(found["file"] + found["rank"]) if whole else None
    occupied = state.white | state.black
    if source is not None:
        if not occupied & bit(source):
            return f"there is nothing on {name_square(source)}"
        if not mine_of(state) & bit(source):
            other = f"{COLOURS[1 - state.turn]}'s {NAMES[kind_at(state, source)]}"
            return f"{other} stands on {name_square(source)}, and {_side(state)} is to move"
    kind = LETTERS.index(found["kind"].lower()) if found["kind"] else PAWN
    if source is not None and not found["kind"]:
        kind = kind_at(state, source)
    if mine_of(state) & bit(target):
        return f"{_side(state)}'s own {NAMES[kind_at(state, target)]} stands on {name_square(target)}"
    own = [square for square in squares(pieces(state, kind) & mine_of(state)) if _fits(square, found)]
    if not own:
        where = f" on {found['file'] or ''}{found['rank'] or ''}" if found["file"] or found["rank"] else ""
        return f"{_side(state)} has no {NAMES[kind]}{where}"
    able = [square for square in own if _reaches(state, kind, square, target)]
    if not able:
        return _too_far(state, kind, own, target)
    if found["promotion"] and (kind != PAWN or 8 <= target < 56):
        return f"no {NAMES[kind]} is promoted on {name_square(target)}"
    if kind == KING:
        return f"{name_square(target)} is attacked"
    if in_check(state):
        return f"{_side(state)} is in check, and that does not help"
    return f"the {NAMES[kind]} is pinned: the king would be in check"


def _too_far(state: State, kind: int, own: list[int], target: int) -> str:
    clear = [square for square in own if kind != PAWN and attacks(kind, square, 0) & bit(target)]
    if clear and kind not in (KNIGHT, KING):
        return f"something stands between {name_square(clear[0])} and {name_square(target)}"
    what = f"the {NAMES[kind]} on {name_square(own[0])}" if len(own) == 1 else f"no {NAMES[kind]}"
    can = "cannot" if len(own) == 1 else "can"
    return f"{what} {can} go to {name_square(target)}"


def _reaches(state: State, kind: int, square: int, target: int) -> bool:
    """Whether a piece could go there if only its own king were safe."""
    occupied = state.white | state.black
    if kind != PAWN:
        return attacks(kind, square, occupied) & bit(target) != 0
    victims = theirs_of(state) | (bit(state.passant) if state.passant != NOWHERE else 0)
    if PAWN_STEPS[state.turn * 64 + square].item() & bit(target):
        return victims & bit(target) != 0
    step = 8 if state.turn == 0 else -8
    home = square // 8 == (1 if state.turn == 0 else 6)
    if occupied & bit(target):
        return False
    return target == square + step or (
        home and target == square + 2 * step and not occupied & bit(square + step)
    )


def _fits(square: int, found: "re.Match[str]") -> bool:
    return found["file"] in (None, "abcdefgh"[square % 8]) and found["rank"] in (None, str(square // 8 + 1))


def _near(state: State, wanted: str, found: "re.Match[str] | None") -> str:
    """The legal moves to the same square, of the same piece, or with a similar name."""
    legal = {action: write_san(state, action) for action in moves(state, ALL)}
    if not legal:
        return "there is no legal move"
    near: list[str] = []
    if found is not None:
        target = square_of(found["target"])
        near = [name for action, name in legal.items() if action >> 6 & 63 == target]
        if found["file"] and found["rank"]:
            source = square_of(found["file"] + found["rank"])
            near += [name for action, name in legal.items() if action & 63 == source]
        elif found["kind"]:
            kind = found["kind"].upper()
            near += [name for name in legal.values() if name[0] == kind or (kind == "K" and name[0] == "O")]
    near = list(dict.fromkeys(near or difflib.get_close_matches(wanted, legal.values(), _MOST, 0.5)))
    if near:
        return f"near are: {', '.join(near[:_MOST])}" + (", …" if len(near) > _MOST else "")
    names = list(legal.values())
    return f"legal are: {', '.join(names[:20])}" + (", …" if len(names) > 20 else "")


def _side(state: State) -> str:
    return COLOURS[state.turn]
