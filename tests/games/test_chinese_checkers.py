"""Chinese checkers against rules written anew, in other coordinates and with sets."""

import random
from functools import cache

import pytest

import oracle
from gametree import check, perft
from gametree.errors import InputError
from gametree.games import ChineseCheckers
from gametree.games.chinese_checkers.rules import HALF, PASS, has

Cube = tuple[int, int, int]
STEPS: list[Cube] = [(1, -1, 0), (1, 0, -1), (0, 1, -1), (-1, 1, 0), (-1, 0, 1), (0, -1, 1)]
# Clockwise: which coordinate, with which sign, is great in the triangle.
POINTS = [(0, 1), (2, -1), (1, 1), (0, -1), (2, 1), (1, -1)]
SEATS = {2: (0, 3), 3: (0, 2, 4), 4: (0, 1, 3, 4), 6: (0, 1, 2, 3, 4, 5)}


@cache
def star(size: int) -> frozenset[Cube]:
    """Three coordinates that sum to zero; a star is where none is above the size, or none is below its negative."""
    around = range(-2 * size, 2 * size + 1)
    cubes = [(x, y, -x - y) for x in around for y in around]
    return frozenset(cube for cube in cubes if max(cube) <= size or min(cube) >= -size)


def home(size: int, seat: int) -> frozenset[Cube]:
    axis, sign = POINTS[seat]
    return frozenset(cube for cube in star(size) if sign * cube[axis] > size)


def added(one: Cube, other: Cube, times: int = 1) -> Cube:
    return one[0] + times * other[0], one[1] + times * other[1], one[2] + times * other[2]


def ends(size: int, taken: frozenset[Cube], start: Cube) -> set[Cube]:
    """Where a piece can go: every way of jumping is tried."""
    others = taken - {start}
    found = {cube for step in STEPS if (cube := added(start, step)) in star(size) and cube not in others}

    def jump(at: Cube, seen: frozenset[Cube]) -> None:
        for step in STEPS:
            end = added(at, step, 2)
            if added(at, step) in others and end in star(size) and end not in others and end not in seen:
                found.add(end)
                jump(end, seen | {end})

    jump(start, frozenset({start}))
    return found - {start}


def slow_perft(size: int, pieces: tuple[frozenset[Cube], ...], mover: int, depth: int) -> int:
    if depth == 0:
        return 1
    taken = frozenset().union(*pieces)
    count = 0
    for start in pieces[mover]:
        for end in ends(size, taken, start):
            moved = pieces[mover] - {start} | {end}
            after = (*pieces[:mover], moved, *pieces[mover + 1 :])
            count += slow_perft(size, after, (mover + 1) % len(pieces), depth - 1)
    return count


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_a_star_has_its_holes(size: int) -> None:
    game = ChineseCheckers(size=size)
    assert game.holes == len(star(size)) == 6 * size * (size + 1) + 1
    assert all(len(start) == len(home(size, 0)) == size * (size + 1) // 2 for start in game.starts)


@pytest.mark.parametrize(
    ("players", "size", "depth"),
    [(2, 1, 1), (2, 2, 4), (3, 2, 4), (4, 2, 3), (6, 2, 3), (2, 4, 3), (6, 4, 2)],
)
def test_perft_is_that_of_rules_written_anew(players: int, size: int, depth: int) -> None:
    pieces = tuple(home(size, seat) for seat in SEATS[players])
    game = ChineseCheckers(players=players, size=size)
    for plies in range(1, depth + 1):
        assert oracle.perft(game, plies) == slow_perft(size, pieces, 0, plies)


def test_there_are_fourteen_first_moves_whoever_plays() -> None:
    for players in (2, 3, 4, 6):
        game = ChineseCheckers(players=players)
        assert len(list(game.actions(game.initial()))) == 14


@pytest.mark.needs_compiler
@pytest.mark.slow
def test_compiled_rules_count_the_same() -> None:
    assert [perft(ChineseCheckers(), depth, compile="always") for depth in (3, 4, 5)] == [
        4760,
        115_600,
        3_188_520,
    ]


def test_a_piece_steps_or_jumps_over_anybody_and_on() -> None:
    game = ChineseCheckers(size=2)
    state = game.parse_state("A/A./...A.../..B.../...../.B..../......./../B/A to move")
    moves = {game.name_action(state, action) for action in game.actions(state)}
    ends = {move[3:] for move in moves if move.startswith("c4")}
    assert ends == {"b2", "c3", "c5", "d4", "e2", "g2"}


def test_who_has_all_pieces_opposite_has_won_against_all_others() -> None:
    game = ChineseCheckers(players=3, size=1)
    state = game.initial()
    for move in ("a1-b2", "d4-c3", "d1-d2", "b2-c2", "c3-c1"):
        state = game.result(state, game.parse_action(state, move))
    assert not game.is_terminal(state)
    for move in ("d2-d3", "c2-d2", "c1-c2", "d3-d4", "d2-e1"):
        state = game.result(state, game.parse_action(state, move))
    assert game.is_terminal(state)
    assert [game.utility(state, player) for player in range(3)] == [2, -1, -1]
    assert "A has won" in game.show(state)
    assert list(game.actions(state)) == []


def test_a_game_that_nobody_wins_ends_after_its_rounds() -> None:
    game = ChineseCheckers(size=1, rounds=2)
    state = game.initial()
    while not game.is_terminal(state):
        state = game.result(state, next(iter(game.actions(state))))
    assert state.ply == 4
    assert [game.utility(state, player) for player in (0, 1)] == [0, 0]
    assert game.clock(state) == 0
    assert "a draw" in game.show(state)


def test_who_cannot_move_passes() -> None:
    game = ChineseCheckers(players=6, size=1)
    state = game.parse_state("A/.BC./D.E/F.../.")
    assert list(game.actions(state)) == [PASS]
    assert game.name_action(state, PASS) == "pass"
    after = game.result(state, PASS)
    assert (after.low, game.player(after)) == (state.low, 1)
    assert after == game.null(state)


def test_what_is_shown_is_read() -> None:
    rng = random.Random(1)
    for players in (2, 3, 6):
        game = ChineseCheckers(players=players, size=3)
        state = game.initial()
        for _ in range(12):
            assert game.parse_state(game.show(state)) == state
            action = rng.choice(list(game.actions(state)))
            assert game.parse_action(state, game.name_action(state, action)) == action
            state = game.result(state, action)


def test_estimates_sum_to_nothing_and_stay_within_the_payoffs() -> None:
    game = ChineseCheckers(players=3, size=2)
    rng, state = random.Random(2), game.initial()
    assert game.payoffs == (-1, 2)
    while not game.is_terminal(state):
        estimates = [game.evaluate(state, player) for player in range(3)]
        assert sum(estimates) == pytest.approx(0, abs=1e-12)
        assert all(-1 < estimate < 2 for estimate in estimates)
        state = game.result(state, rng.choice(list(game.actions(state))))


def test_a_set_is_two_integers() -> None:
    assert has(1 << 60, 1 << 3, 60)
    assert has(0, 1 << 3, HALF + 3)
    assert not has(1 << 60, 1 << 3, HALF)


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"players": 5}, "two, three, four or six"),
        ({"size": 5}, "at most 4 rows"),
        ({"size": 0}, "at least 1"),
        ({"rounds": 0}, "at least 1"),
    ],
)
def test_stars_that_cannot_be_are_refused(params: dict[str, int], words: str) -> None:
    with pytest.raises(InputError, match=words):
        ChineseCheckers(**params)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "a star has rows of"),
        ("A/..../.../..../.", "B has 0 pieces"),
        ("A/..X./.../..../B", "'X' in b3 is no piece"),
        ("A/..../.../.../B", "this text has 1, 4, 3, 3, 1"),
        ("A/..../.../..../B/B to move, move 3", "cannot be"),
    ],
)
def test_texts_that_are_no_position_are_refused(text: str, words: str) -> None:
    game = ChineseCheckers(size=1)
    assert game.parse_state("A/..../.../..../B") == game.initial()
    with pytest.raises(InputError, match=words):
        game.parse_state(text)


@pytest.mark.parametrize("way", ["never", pytest.param("auto", marks=pytest.mark.slow)])
def test_the_rules_keep_the_contract(way: str) -> None:
    report = check(ChineseCheckers(players=3, size=1, rounds=6), plays=8, seconds=0.3, compile=way)
    assert report.exit_code == 0, str(report)
