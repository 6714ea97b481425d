"""What is counted in a chess position, compared with counting square by square, without any bits."""

import random
from collections.abc import Iterator

import pytest

from gametree.games.chess.board import (
    BISHOP,
    BLACK,
    KING,
    KNIGHT,
    PAWN,
    QUEEN,
    ROOK,
    WHITE,
    State,
    able_pawns,
    bishop_attacks,
    kind_at,
    lowest,
    pawn_attacks,
    pawn_reach,
    rook_attacks,
    squares,
)
from gametree.games.chess.exchange import is_loud
from gametree.games.chess.features import Counts, Details, ahead, beside, count
from gametree.games.chess.rules import Chess

pytestmark = pytest.mark.same_in_all_modes

CHESS = Chess()
STRAIGHT = ((0, 1), (1, 0), (0, -1), (-1, 0))
OBLIQUE = ((1, 1), (1, -1), (-1, -1), (-1, 1))
LEAPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))

Place = tuple[int, int]
"""File and rank, from 0 to 7."""
Pieces = dict[Place, tuple[int, int]]
"""Kind and colour of what stands on a place."""


def place(square: int) -> Place:
    return square % 8, square // 8


def walk(seed: int, length: int) -> list[State]:
    """Positions of random games that take whenever they can, every other time."""
    rng = random.Random(seed)
    states: list[State] = []
    while len(states) < length:
        state = CHESS.initial()
        while not CHESS.is_terminal(state) and len(states) < length:
            states.append(state)
            actions = list(CHESS.actions(state))
            loud = [action for action in actions if is_loud(state, action)]
            state = CHESS.result(state, rng.choice(loud if loud and rng.random() < 0.5 else actions))
    return states


def read(state: State) -> Pieces:
    return {
        place(square): (kind_at(state, square), colour)
        for colour, owned in ((WHITE, state.white), (BLACK, state.black))
        for square in squares(owned)
    }


def inside(file: int, rank: int) -> bool:
    return 0 <= file < 8 and 0 <= rank < 8


def seen(pieces: Pieces, at: Place, kind: int, colour: int) -> Iterator[Place]:
    """The places that a piece attacks."""
    if kind in (KNIGHT, KING, PAWN):
        up = 1 if colour == WHITE else -1
        steps = {KNIGHT: LEAPS, KING: STRAIGHT + OBLIQUE, PAWN: ((-1, up), (1, up))}[kind]
        yield from ((at[0] + x, at[1] + y) for x, y in steps if inside(at[0] + x, at[1] + y))
        return
    for x, y in {ROOK: STRAIGHT, BISHOP: OBLIQUE, QUEEN: STRAIGHT + OBLIQUE}[kind]:
        file, rank = at[0] + x, at[1] + y
        while inside(file, rank):
            yield file, rank
            if (file, rank) in pieces:
                break
            file, rank = file + x, rank + y


def slowly(state: State, colour: int) -> tuple[Counts, Details]:
    """The same as `count`, square by square."""
    pieces = read(state)
    own = {at: kind for at, (kind, owner) in pieces.items() if owner == colour}
    other = {at: kind for at, (kind, owner) in pieces.items() if owner != colour}
    pawns = [at for at, kind in own.items() if kind == PAWN]
    enemies = [at for at, kind in other.items() if kind == PAWN]
    king = next(at for at, kind in own.items() if kind == KING)
    enemy_king = next(at for at, kind in other.items() if kind == KING)
    up = 1 if colour == WHITE else -1
    files = {file for file, _ in pawns}
    covered = {target for at in pawns for target in seen(pieces, at, PAWN, colour)}
    unsafe = {target for at in enemies for target in seen(pieces, at, PAWN, 1 - colour)}
    ring = set(seen(pieces, enemy_king, KING, colour))

    def before(one: Place, two: Place) -> bool:
        return (two[1] - one[1]) * up > 0

    def steps(one: Place, two: Place) -> int:
        return max(abs(one[0] - two[0]), abs(one[1] - two[1]))

    doubled = [p for p in pawns if any(q[0] == p[0] and before(p, q) for q in pawns)]
    stopped = [p for p in pawns if any(abs(q[0] - p[0]) <= 1 and before(p, q) for q in enemies)]
    passed = [p for p in pawns if p not in doubled and p not in stopped]
    height = {p: p[1] if colour == WHITE else 7 - p[1] for p in passed}
    stops = {p: (p[0], p[1] + up) for p in passed}
    mobility = dict.fromkeys(range(6), 0)
    attackers = pressure = threats = rook_threats = 0
    for at, kind in own.items():
        if kind in (PAWN, KING):
            continue
        reach = set(seen(pieces, at, kind, colour))
        mobility[kind] += round(10 * len(reach - unsafe - own.keys()) ** 0.5)
        attackers += bool(reach & ring)
        pressure += {KNIGHT: 2, BISHOP: 2, ROOK: 3, QUEEN: 5}[kind] * len(reach & ring)
        if kind in (KNIGHT, BISHOP):
            threats += sum(other.get(target) in (ROOK, QUEEN) for target in reach)
        if kind == ROOK:
            rook_threats += sum(other.get(target) == QUEEN for target in reach)
    rooks = [at for at, kind in own.items() if kind == ROOK and at[0] not in files]
    pressure = min(pressure, 32) if attackers > 1 else 0

    def safe_for_good(at: Place) -> bool:
        return not any(abs(q[0] - at[0]) == 1 and before(at, q) for q in enemies)

    def colour_of(at: Place) -> int:
        return (at[0] + at[1]) % 2

    isolated = [p for p in pawns if not {p[0] - 1, p[0] + 1} & files]
    light = [at for at, kind in own.items() if kind in (KNIGHT, BISHOP)]
    beyond = [at for at in light if 3 <= (at[1] if colour == WHITE else 7 - at[1]) <= 5]
    numbers = [sum(kind == one for one in own.values()) for kind in range(KING)]
    reaches = {
        owner: [
            (kind, set(seen(pieces, at, kind, owner))) for at, (kind, who) in pieces.items() if who == owner
        ]
        for owner in (WHITE, BLACK)
    }

    def beaten(owner: int, at: Place, *kinds: int) -> int:
        """How many pieces of a side, of some kinds or of any, attack a place."""
        return sum(at in reach for kind, reach in reaches[owner] if not kinds or kind in kinds)

    def hardly(at: Place) -> bool:
        if not beaten(colour, at) or beaten(1 - colour, at) > 1:
            return False
        return not beaten(1 - colour, at) or beaten(1 - colour, at, KING, QUEEN) == 1

    def checks(kind: int) -> int:
        """The places from which a piece of a kind could safely give check with its next move."""
        return sum(
            beaten(colour, at, kind) > 0
            and at not in own
            and (not beaten(1 - colour, at) or (hardly(at) and beaten(colour, at) > 1))
            for at in seen(pieces, enemy_king, kind, colour)
        )

    details = Details(
        king_pressure=pressure,
        rook_threats=rook_threats,
        outposts=sum(at in covered and safe_for_good(at) for at in beyond),
        passed_protected=sum(p in covered for p in passed),
        bad_bishop=sum(
            colour_of(p) == colour_of(at) for at, kind in own.items() if kind == BISHOP for p in pawns
        ),
        weak=sum(all(q[0] != p[0] for q in enemies) for p in isolated),
        king_weak=sum(map(hardly, ring)),
        knight_checks=checks(KNIGHT),
        bishop_checks=checks(BISHOP),
        rook_checks=checks(ROOK),
        queen_checks=checks(QUEEN),
        hanging=sum(beaten(colour, at) > 0 and not beaten(1 - colour, at) for at in other),
    )
    counts = Counts(
        pawns=numbers[PAWN],
        knights=numbers[KNIGHT],
        bishops=numbers[BISHOP],
        rooks=numbers[ROOK],
        queens=numbers[QUEEN],
        bishop_pair=int(numbers[BISHOP] >= 2),
        doubled=len(doubled),
        isolated=len(isolated),
        supported=sum(p in covered or (p[0] - 1, p[1]) in pawns or (p[0] + 1, p[1]) in pawns for p in pawns),
        passed_2=sum(rank == 1 for rank in height.values()),
        passed_3=sum(rank == 2 for rank in height.values()),
        passed_4=sum(rank == 3 for rank in height.values()),
        passed_5=sum(rank == 4 for rank in height.values()),
        passed_6=sum(rank == 5 for rank in height.values()),
        passed_7=sum(rank == 6 for rank in height.values()),
        passed_free=sum(height[p] for p in passed if stops[p] not in pieces),
        passed_own_king=sum(steps(king, stop) for stop in stops.values()),
        passed_their_king=sum(steps(enemy_king, stop) for stop in stops.values()),
        knight_mobility=mobility[KNIGHT],
        bishop_mobility=mobility[BISHOP],
        rook_mobility=mobility[ROOK],
        queen_mobility=mobility[QUEEN],
        rook_open=sum(all(q[0] != at[0] for q in enemies) for at in rooks),
        rook_half_open=sum(any(q[0] == at[0] for q in enemies) for at in rooks),
        shield=sum(abs(p[0] - king[0]) <= 1 and 1 <= (p[1] - king[1]) * up <= 2 for p in pawns),
        king_open=sum(0 <= file < 8 and file not in files for file in range(king[0] - 1, king[0] + 2)),
        king_attack=pressure * pressure // 8,
        pawn_threats=sum(at in covered and kind != PAWN for at, kind in other.items()),
        minor_threats=threats,
        tempo=int(state.turn == colour),
    )
    return counts, details


def compare(seed: int, length: int) -> None:
    seen_fields: set[str] = set()
    for state in walk(seed, length):
        for colour in (WHITE, BLACK):
            counted = count(state, colour)
            assert counted == slowly(state, colour), CHESS.fen(state)
            for part in counted:
                seen_fields |= {name for name, number in part._asdict().items() if number}
    assert len(seen_fields) >= len(Counts._fields) + len(Details._fields) - 1, "nearly all of them occur"


def test_counts_are_those_of_counting_square_by_square() -> None:
    compare(1, 250)


@pytest.mark.slow
def test_counts_are_those_of_counting_square_by_square_on_20_000_positions() -> None:
    compare(2, 20_000)


def test_sliders_attack_up_to_the_first_piece_in_each_direction() -> None:
    rng = random.Random(3)
    for _ in range(600):
        square, occupied = rng.randrange(64), rng.getrandbits(64) & rng.getrandbits(64)
        pieces = dict.fromkeys(map(place, squares(occupied)), (PAWN, WHITE))
        for attacks, kind in ((rook_attacks, ROOK), (bishop_attacks, BISHOP)):
            found = set(map(place, squares(attacks(square, occupied))))
            assert found == set(seen(pieces, place(square), kind, WHITE))


def test_able_pawns_are_those_that_reach_something() -> None:
    rng = random.Random(4)
    for state in walk(5, 100):
        mine, theirs = (state.white, state.black) if state.turn == WHITE else (state.black, state.white)
        pawns, occupied = state.pawns & mine, mine | theirs
        for allowed in ((1 << 64) - 1, theirs, rng.getrandbits(64)):
            able = {s for s in squares(pawns) if pawn_reach(state.turn, s, occupied, theirs) & allowed}
            assert set(squares(able_pawns(state.turn, pawns, theirs, ~occupied, allowed))) == able


def test_sets_are_moved_square_by_square() -> None:
    rng = random.Random(6)
    for _ in range(200):
        board = rng.getrandbits(64) & rng.getrandbits(64) & rng.getrandbits(64) or 1
        places = set(map(place, squares(board)))
        assert place(lowest(board)) == min(places, key=lambda at: (at[1], at[0]))
        sides = {(f + x, r) for f, r in places for x in (-1, 1) if inside(f + x, r)}
        assert set(map(place, squares(beside(board)))) == sides
        for colour, up in ((WHITE, 1), (BLACK, -1)):
            front = {(f, r + n * up) for f, r in places for n in range(1, 8) if inside(f, r + n * up)}
            assert set(map(place, squares(ahead(board, colour)))) == front
            hit = {target for at in places for target in seen({}, at, PAWN, colour)}
            assert set(map(place, squares(pawn_attacks(board, colour)))) == hit
