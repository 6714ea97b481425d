"""Go: sets of bits against a board that is walked over, and hand-made cases of every rule."""

import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gametree as gt
from gametree.arena.playing import play
from gametree.checking.agreement import differences
from gametree.errors import InputError
from gametree.games.go.board import (
    WIDTH,
    Points,
    at,
    beside_two,
    connected,
    either,
    first,
    is_single,
    members,
    size,
)
from gametree.games.go.notation import name
from gametree.games.go.rules import NOWHERE, PASS, Go, State

GAMES = {n: Go(n) for n in (2, 3, 5, 9)}
Place = tuple[int, int]
Stones = dict[Place, int]


# --- the slow and obvious rules ---------------------------------------------------------------------


def stones(state: State) -> Stones:
    """Who stands where, by row and column."""
    found = {divmod(point, WIDTH): state.mover for point in members(state.mine)}
    return found | {divmod(point, WIDTH): 1 - state.mover for point in members(state.theirs)}


def places_of(n: int) -> list[Place]:
    return [(row, column) for row in range(n) for column in range(n)]


def neighbours(place: Place, n: int) -> list[Place]:
    row, column = place
    around = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    return [(r, c) for r, c in around if 0 <= r < n and 0 <= c < n]


def group(board: Stones, place: Place, n: int) -> tuple[set[Place], set[Place]]:
    """The stones connected with one, and their liberties."""
    found, liberties, left = {place}, set(), [place]
    while left:
        for other in neighbours(left.pop(), n):
            if other not in board:
                liberties.add(other)
            elif board[other] == board[place] and other not in found:
                found.add(other)
                left.append(other)
    return found, liberties


def placed(board: Stones, place: Place, who: int, n: int) -> tuple[Stones, set[Place]] | None:
    """The board after a stone and what it took; None where it is suicide."""
    after, taken = board | {place: who}, set()
    for other in neighbours(place, n):
        if after.get(other) == 1 - who:
            found, liberties = group(after, other, n)
            if not liberties:
                taken |= found
    after = {where: owner for where, owner in after.items() if where not in taken}
    return (after, taken) if group(after, place, n)[1] else None


def compare(n: int, rng: random.Random, plies: int) -> None:
    """A random game by both rules."""
    game = GAMES[n]
    state = game.initial()
    board: Stones = {}
    ko: Place | None = None
    for _ in range(plies):
        legal = list(game.actions(state))
        found = {place: placed(board, place, state.mover, n) for place in places_of(n)}
        allowed = {p for p, after in found.items() if p not in board and after is not None and p != ko}
        assert legal == [*sorted(WIDTH * row + column for row, column in allowed), PASS]
        action = rng.choice(legal)
        ko = None
        if action != PASS:
            after = found[divmod(action, WIDTH)]
            assert after is not None
            board, taken = after
            own, liberties = group(board, divmod(action, WIDTH), n)
            if len(taken) == len(own) == len(liberties) == 1:
                (ko,) = taken
        state = game.result(state, action)
        assert stones(state) == board
        assert state.ko == (NOWHERE if ko is None else WIDTH * ko[0] + ko[1])
        atari = {place for place in board if len(group(board, place, n)[1]) == 1}
        assert {divmod(point, WIDTH) for point in members(state.atari)} == atari
        assert game.score(state) == area(board, n) - game.komi
        if game.is_terminal(state):
            return


def area(board: Stones, n: int) -> int:
    """Black's stones and territory less White's: an empty region belongs to whom alone it touches."""
    worth = sum(1 if who == 0 else -1 for who in board.values())
    for place in places_of(n):
        if place not in board:
            seen, left = {place}, [place]
            touched: set[int] = set()
            while left:
                for other in neighbours(left.pop(), n):
                    if other in board:
                        touched.add(board[other])
                    elif other not in seen:
                        seen.add(other)
                        left.append(other)
            worth += 1 if touched == {0} else -1 if touched == {1} else 0
    return worth


@pytest.mark.parametrize("n", GAMES)
def test_random_games_go_as_on_a_board_that_is_walked_over(n: int) -> None:
    rng = random.Random(n)
    for _ in range({9: 1, 5: 2}.get(n, 10)):
        compare(n, rng, 70)


@pytest.mark.slow
@pytest.mark.parametrize("n", GAMES)
def test_many_random_games_go_as_on_a_board_that_is_walked_over(n: int) -> None:
    rng = random.Random(n + 100)
    for _ in range(100):
        compare(n, rng, 400)


# --- sets of points ---------------------------------------------------------------------------------

PLACES = st.sets(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=40)


def points(places: set[Place]) -> Points:
    found = Points(0, 0)
    for row, column in places:
        found = either(found, at(WIDTH * row + column))
    return found


@given(PLACES)
@settings(max_examples=60)
def test_sets_know_their_size_and_neighbours(places: set[Place]) -> None:
    found = points(places)
    assert [divmod(point, WIDTH) for point in members(found)] == sorted(places)
    assert size(found) == len(places) and is_single(found) == (len(places) == 1)
    twice = {p for p in places_of(9) if len(places & set(neighbours(p, 9))) > 1}
    on_board = GAMES[9].all_points
    crowded = beside_two(found)
    assert {
        divmod(p, WIDTH) for p in members(Points(crowded.low & on_board.low, crowded.high & on_board.high))
    } == twice
    if places:
        seed = min(places)
        expected = group(dict.fromkeys(places, 0), seed, 9)[0]
        assert {divmod(p, WIDTH) for p in members(connected(at(first(found)), found))} == expected


# --- hand-made cases --------------------------------------------------------------------------------


def state_of(rows: str, mover: str = "X", n: int = 5) -> State:
    return GAMES[n].parse_state(f"{rows}/{mover} to move")


def board_after(state: State, *moves: str, n: int = 5) -> str:
    for move in moves:
        state = GAMES[n].result(state, GAMES[n].parse_action(state, move))
    lines = GAMES[n].show(state).splitlines()[:n]
    return "/".join("".join(line.split()[1:]) for line in lines)


def test_a_group_without_liberties_is_taken() -> None:
    state = state_of("...../.XX../XOOX./.X.../.....")
    assert board_after(state, "C2") == "...../.XX../X..X./.XX../....."


def test_suicide_is_illegal_for_one_stone_and_for_several() -> None:
    state = state_of(".O.../O..../.OO../OX.O./.OO..")
    for move in ("A5", "C2"):
        with pytest.raises(
            InputError, match=f"a stone on {move} would have no liberty: suicide is not allowed"
        ):
            GAMES[5].parse_action(state, move)
    assert board_after(state, "pass", "C2") == ".O.../O..../.OO../O.OO./.OO.."


def test_what_takes_is_no_suicide() -> None:
    state = state_of(".OX../OX.../X..../...../.....")
    assert board_after(state, "A5") == "X.X../.X.../X..../...../....."


def test_a_ko_is_not_retaken_at_once_but_after_another_move() -> None:
    game = GAMES[5]
    state = state_of(".XO../XO.O./.XO../...../.....")
    state = game.result(state, game.parse_action(state, "C4"))
    assert board_after(state, "E1") == ".XO../X.XO./.XO../...../....O"
    with pytest.raises(InputError, match="B4 would retake the ko at once; play elsewhere first"):
        game.parse_action(state, "B4")
    assert game.show(state).endswith("O to move, ko at B4")
    for move in ("E1", "D1"):
        state = game.result(state, game.parse_action(state, move))
    assert board_after(state, "B4") == ".XO../XO.O./.XO../...../...XO"


def test_taking_two_stones_is_no_ko_and_a_snapback_takes_back_at_once() -> None:
    game = GAMES[5]
    # Black throws in at B1, White takes it, and Black takes all five.
    state = state_of("...../...../XXXX./OOOX./O..X.", "X")
    after = board_after(state, "B1", "C1")
    assert after == "...../...../XXXX./OOOX./O.OX."
    assert board_after(state, "B1", "C1", "B1") == "...../...../XXXX./...X./.X.X."
    assert game.result(state, game.parse_action(state, "B1")).ko == NOWHERE


def cycle(game: Go) -> list[State]:
    """States from one without a ko to another with the same stones, by the fewest moves and no pass."""
    starts = [game.initial()]
    known = set(starts)
    for start in starts:
        paths, met = [[start]], {start}
        for path in paths:
            for action in game.actions(path[-1]):
                after = game.result(path[-1], action)
                if action == PASS:
                    continue
                if game.repetition_key(after) == game.repetition_key(start):
                    return [*path, after]
                if after not in met:
                    met.add(after)
                    paths.append([*path, after])
                if after not in known:
                    known.add(after)
                    starts.append(after)
    raise AssertionError("there is no cycle")


def test_superko_forbids_what_the_simple_ko_does_not() -> None:
    game = GAMES[2]
    states = cycle(game)
    actions = [
        next(action for action in game.actions(one) if game.result(one, action) == other)
        for one, other in itertools.pairwise(states)
    ]
    assert len(actions) > 2 and states[-2].ko != actions[-1]

    def follow(state: State, history: tuple[State, ...]) -> int:
        return actions[len(history)]

    last = game.name_action(states[-2], actions[-1])
    assert play(game, (follow, follow), start=states[0]).reason == f"illegal move: {last} repeats a position"
    for history, forbidden in ((states[:-2], True), ((), False)):
        found = gt.analyze(game, states[-2], gt.Limit(depth=1), moves=True, history=history, compile="never")
        assert (last not in [move.name for move in found.moves]) == forbidden


def test_a_pass_repeats_nothing_and_two_end_the_game() -> None:
    game = GAMES[5]
    state = game.parse_state("C3 pass")
    assert game.repetition_key(state) != game.repetition_key(game.parse_state("C3"))
    assert not game.is_terminal(state)
    state = game.result(state, PASS)
    assert game.is_terminal(state) and list(game.actions(state)) == []
    assert (game.utility(state, 0), game.utility(state, 1)) == (1, -1)
    assert game.show(state).endswith("X has won by 17.5, O would be the next")
    with pytest.raises(InputError, match=r"the game is over: X has won by 17\.5"):
        game.parse_action(state, "A1")


def test_in_a_seki_whoever_fills_a_shared_liberty_is_in_atari() -> None:
    game = GAMES[5]
    for mover in "XO":
        state = state_of("XO.XO/XO.XO/XOOXO/XXXOO/.X.O.", mover)
        assert size(state.atari) == 0
        for move in ("C5", "C4"):
            after = game.result(state, game.parse_action(state, move))
            assert is_in(after.atari, game.parse_action(state, move))


def is_in(stones: Points, point: int) -> bool:
    return point in list(members(stones))


@pytest.mark.parametrize(
    ("rows", "score"),
    [
        ("...../...../...../...../.....", 0),
        ("...../...../..X../...../.....", 25),
        ("..XO./..XO./..XO./..XO./..XO.", 5),
        (".OXXX/OOX.X/XXXXX/...../.....", 17),
        # Seki: neither can fill the two liberties that both groups share; they count for nobody.
        ("XO.XO/XO.XO/XOOXO/XXXOO/.X.O.", 0),
    ],
)
def test_the_score_is_stones_and_what_one_colour_surrounds(rows: str, score: int) -> None:
    state = state_of(rows)
    assert Go(5, komi=0).score(state) == score == area(stones(state), 5)
    assert Go(5, komi=7.5).score(state) == score - 7.5


@pytest.mark.parametrize(
    ("rows", "point", "eye"),
    [
        (".X.../XX.../...../...../.....", "A5", True),
        (".X.../XO.../...../...../.....", "A5", False),  # its corner is lost
        ("X.X../XXX../...../...../.....", "B5", True),
        ("X.X../XXO../...../...../.....", "B5", False),  # at the edge one lost corner is too many
        (".XXX./.X.X./.XXX./...../.....", "C4", True),
        (".XXO./.X.X./.XXX./...../.....", "C4", True),  # in the middle two are
        (".XXO./.X.X./.OXX./...../.....", "C4", False),
        (".X.../OX.../...../...../.....", "A5", False),
        (".XO../XO.../O..../...../.....", "A5", False),  # who is about to be taken has no eye
        (".XOXX/XOOX./OOOX./...../.....", "A5", False),
        ("...../...../...../...../.....", "C3", False),
        (".OOO./.O.O./.OOO./...../.....", "C4", False),  # an eye of the other
    ],
)
def test_nobody_fills_his_own_eye_in_a_playout(rows: str, point: str, eye: bool) -> None:
    game, state = Go(5), state_of(rows)
    action = WIDTH * (int(point[1]) - 1) + "ABCDE".index(point[0])
    assert game.is_eye(state, action) is eye
    assert game.prior(state, action) == (0 if eye else 1) and 0 < game.prior(state, PASS) < 0.1


def test_a_whole_komi_allows_draws() -> None:
    game = Go(5, komi=25)
    state = game.parse_state("C3 pass pass")
    assert (game.utility(state, 0), game.utility(state, 1)) == (0, 0)
    assert game.show(state).endswith("a draw, O would be the next")
    assert game.parse_state(game.show(state)) == state


# --- counts from outside ----------------------------------------------------------------------------


def legal_boards(n: int) -> set[tuple[int, ...]]:
    """The placements in which every group has a liberty, as keys of repetition."""
    game = GAMES[n]
    found: set[tuple[int, ...]] = set()
    places = places_of(n)
    for owners in itertools.product((None, 0, 1), repeat=len(places)):
        board = {p: owner for p, owner in zip(places, owners) if owner is not None}
        black, white = (points({p for p, who in board.items() if who == one}) for one in (0, 1))
        try:
            found.add(game.repetition_key(game.place(black, white, 0)))
        except InputError:
            continue
    return found


def reached_boards(n: int) -> set[tuple[int, ...]]:
    """The placements that play leads to from the empty board."""
    game = GAMES[n]
    met = {game.initial()}
    left = list(met)
    while left:
        state = left.pop()
        for action in game.actions(state):
            after = game.result(state, action)
            if not game.is_terminal(after) and after not in met:
                met.add(after)
                left.append(after)
    return {(*game.repetition_key(state)[:4], 0) for state in met}


@pytest.mark.parametrize(
    ("n", "count"), [(2, 57), pytest.param(3, 12_675, marks=pytest.mark.slow)], ids=["2 by 2", "3 by 3"]
)
def test_there_are_as_many_positions_as_tromp_has_counted(n: int, count: int) -> None:
    legal = legal_boards(n)
    assert len(legal) == count
    assert reached_boards(n) == legal


# --- both modes, contract, text ---------------------------------------------------------------------


@pytest.mark.needs_compiler
def test_compiled_and_interpreted_rules_agree() -> None:
    game, rng = GAMES[9], random.Random(9)
    state = game.initial()
    states: list[State] = []
    while not game.is_terminal(state) and len(states) < 300:
        states.append(state)
        state = game.result(state, rng.choice(list(game.actions(state))))
    assert differences(game, states[::6]) == ([], "")


@pytest.mark.parametrize("game", [Go(2), Go(3, komi=0)], ids=repr)
def test_the_rules_keep_the_contract(game: Go) -> None:
    report = gt.check(game, compile="never", plays=10, seconds=1)
    assert report.ok, report


def test_boards_and_moves_are_read_as_they_are_written() -> None:
    game, rng = GAMES[9], random.Random(10)
    state = game.initial()
    for _ in range(120):
        assert game.parse_state(game.show(state)) == state
        action = rng.choice(list(game.actions(state)))
        assert game.parse_action(state, game.name_action(state, action).lower()) == action
        state = game.result(state, action)
        if game.is_terminal(state):
            break


def test_points_have_letters_without_i() -> None:
    assert [name(point) for point in (0, 8, 44, 88)] == ["A1", "J1", "E5", "J9"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("I5", "'I5' is no point of this board: they are A1 .* to E5, or pass; there is no column I"),
        ("F1", "'F1' is no point of this board"),
        ("A0", "'A0' is no point"),
        ("C3 C3", "move 2: there is a stone on C3"),
        ("hello", "move 1: 'hello' is no point of this board"),
        ("...../...../...../...../.....", "does not say who moves"),
        ("XO.../O..../...../...../...../X to move", "the group at A5 has no liberty"),
        ("X..../...../...../...../...../X to move, ko at A5", "there is a stone on A5: no ko can be there"),
        ("..../..../X to move", "the board has 5 rows"),
    ],
)
def test_what_is_no_position_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        GAMES[5].parse_state(text)


@pytest.mark.parametrize(
    ("settings_", "message"),
    [
        ({"size": 10}, "size=10: boards have 2 to 9 rows"),
        ({"size": 1}, "size=1: size must be a whole number of at least 2"),
        ({"komi": 0.3}, "komi counts whole and half points"),
        ({"komi": float("nan")}, "komi is a number of points"),
        ({"komi": "many"}, "komi is a number of points"),
    ],
)
def test_boards_that_do_not_fit_are_refused(settings_: dict[str, int], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Go(**settings_)
