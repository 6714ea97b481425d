"""Checkers: the rules against a board that is walked over, the lecture's case study, FEN and PDN."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametree as gt
import oracle
from gametree.checking.agreement import differences
from gametree.compiled import native
from gametree.errors import InputError
from gametree.game import with_evaluation
from gametree.games.checkers.notation import bits, number, read_fen, squares_of, write_fen
from gametree.games.checkers.pdn import Record, read_pdn, write_pdn
from gametree.games.checkers.rules import BOARD, Checkers, State
from openspiel_games import their_words

GAME = Checkers()
MODES = ["never"] if native.unavailable() else ["never", "always"]
# The lectures' Black, moving toward square 1, is White here; their Red is Black.
LECTURE = "W:W20,21,K31:B23,K22"


def names(state: State) -> list[str]:
    return sorted(GAME.name_action(state, action) for action in GAME.actions(state))


def after(state: State, *moves: str) -> State:
    for move in moves:
        state = GAME.result(state, GAME.parse_action(state, move))
    return state


def mirrored(state: State) -> State:
    """The board turned around and the colours exchanged: the same game for the other player."""
    black, white, kings = (
        bits(*(33 - square for square in squares_of(pieces)))
        for pieces in (state.white, state.black, state.kings)
    )
    return State(black, white, kings, 1 - state.mover, state.quiet)


@st.composite
def played(draw: st.DrawFn) -> tuple[State, list[int]]:
    """A state that was reached by play, and the actions."""
    rng = random.Random(draw(st.integers(0, 10_000)))
    state, actions = GAME.initial(), []
    for _ in range(draw(st.integers(0, 120))):
        if GAME.is_terminal(state):
            break
        actions.append(rng.choice(list(GAME.actions(state))))
        state = GAME.result(state, actions[-1])
    return state, actions


@st.composite
def placed(draw: st.DrawFn) -> State:
    """Any pieces anywhere, many kings among them: here jumps are long."""
    squares = draw(st.permutations(range(1, 33)))
    few, many = draw(st.integers(1, 6)), draw(st.integers(1, 12))
    mover = draw(st.integers(0, 1))
    sides = (squares[:few], squares[few : few + many])
    black, white = sides if mover == 0 else sides[::-1]
    kings = set(draw(st.sets(st.sampled_from(range(1, 33)))))
    kings |= {square for square in black if square > 28} | {square for square in white if square < 5}
    kings &= {*black, *white}
    return State(bits(*black), bits(*white), bits(*kings), mover, 0)


# --- a board without bits ---------------------------------------------------------------------------


def place(square: int) -> tuple[int, int]:
    """Row and column, from the top left."""
    row, at = divmod(square - 1, 4)
    return row, 2 * at + (row + 1) % 2


SQUARES = {place(square): square for square in range(1, 33)}


def walk(state: State) -> set[tuple[int, ...]]:
    """All legal actions as the squares that they touch, by plain recursion."""
    mine, theirs = (state.black, state.white) if state.mover == 0 else (state.white, state.black)
    own, other = set(squares_of(mine)), set(squares_of(theirs))
    forwards = 1 if state.mover == 0 else -1

    def ways(square: int) -> list[int]:
        return [1, -1] if state.kings & bits(square) else [forwards]

    def jumps(path: tuple[int, ...], gone: set[int]) -> set[tuple[int, ...]]:
        row, column = place(path[-1])
        found: set[tuple[int, ...]] = set()
        for down in ways(path[0]):
            for right in (1, -1):
                over = SQUARES.get((row + down, column + right))
                landing = SQUARES.get((row + 2 * down, column + 2 * right))
                if over in other - gone and landing and landing not in (own | other) - {path[0]}:
                    found |= jumps((*path, landing), gone | {over})
        return found or ({path} if len(path) > 1 else set())

    captures = {path for square in own for path in jumps((square,), set())}
    steps: set[tuple[int, ...]] = set()
    for square in own:
        row, column = place(square)
        for down in ways(square):
            for right in (1, -1):
                to = SQUARES.get((row + down, column + right))
                if to and to not in own | other:
                    steps.add((square, to))
    return captures or steps


@given(st.one_of(placed(), played().map(lambda play: play[0])))
def test_actions_and_results_are_those_found_by_walking(state: State) -> None:
    actions = list(GAME.actions(state))
    found = {tuple(GAME.squares(action)): action for action in actions}
    assert set(found) == walk(state)
    assert len(found) == len(actions)
    assert GAME.can_move(state) == bool(found)
    for path, action in found.items():
        follows = GAME.result(state, action)
        mine, theirs = GAME.split(state)
        then_theirs, then_mine = GAME.split(follows)
        over = {
            SQUARES[(a + c) // 2, (b + d) // 2]
            for (a, b), (c, d) in zip(map(place, path), map(place, path[1:]))
            if abs(a - c) == 2
        }
        assert set(squares_of(then_mine)) == (set(squares_of(mine)) - {path[0]}) | {path[-1]}
        assert set(squares_of(then_theirs)) == set(squares_of(theirs)) - over
        crowned = bool(state.kings & bits(path[0])) or place(path[-1])[0] in (0, 7)
        assert bool(follows.kings & bits(path[-1])) == crowned
        assert follows.kings & ~(follows.black | follows.white) == 0
        assert follows.quiet == (state.quiet + 1 if state.kings & bits(path[0]) and not over else 0)
        assert follows.mover == 1 - state.mover
        assert (follows.black | follows.white) & ~BOARD == 0


@pytest.mark.needs_compiler
def test_perft_agrees_with_figures_from_outside_to_ply_ten() -> None:
    known = [7, 49, 302, 1469, 7361, 36_768, 179_740, 845_931, 3_963_680, 18_391_564]
    assert [gt.perft(GAME, ply, compile="always") for ply in range(1, 11)] == known


@pytest.mark.slow
@pytest.mark.needs_compiler
def test_perft_agrees_with_figures_from_outside_at_ply_eleven() -> None:
    assert gt.perft(GAME, 11, compile="always") == 85_242_128


@pytest.mark.needs_compiler
def test_compiled_rules_are_the_interpreted_ones() -> None:
    rng = random.Random(3)
    states: list[State] = []
    while len(states) < 600:
        state = GAME.initial()
        while not GAME.is_terminal(state):
            states.append(state)
            state = GAME.result(state, rng.choice(list(GAME.actions(state))))
        states.append(state)
    assert differences(GAME, states) == ([], "")


def test_the_rules_keep_the_contract() -> None:
    # Where kings walk the clock goes down.
    state = GAME.parse_state("B:W21,22,26,30,K32:B3,5,9,10,K1")
    report = gt.check(GAME, state=state, seconds=2, compile="never")
    assert report.ok, str(report)
    assert not report.warnings


# --- the rules in words -----------------------------------------------------------------------------


def test_who_can_jump_has_to() -> None:
    assert names(after(GAME.initial(), "11-15", "22-18")) == ["15x22"]


def test_jumps_go_on_as_long_as_they_can_and_any_path_may_be_chosen() -> None:
    assert names(GAME.parse_state("B:W6,7,15:B2")) == ["2x11x18", "2x9"]


def test_a_man_that_becomes_a_king_stops_there() -> None:
    state = GAME.parse_state("W:W11:B6,7,8")
    assert names(state) == ["11x2", "11x4"]
    assert names(GAME.parse_state("W:WK11:B6,7,8")) == ["11x2x9", "11x4"]


def test_a_king_may_return_to_where_it_began_in_two_ways() -> None:
    ring = GAME.parse_state("B:W10,11,18,19:BK7")
    assert names(ring) == ["7x14x23x16x7", "7x16x23x14x7"]
    for action in GAME.actions(ring):
        assert GAME.result(ring, action) == State(bits(7), 0, bits(7), 1, 0)


def test_no_piece_is_jumped_twice() -> None:
    state = GAME.parse_state("B:W10:BK6")
    assert names(state) == ["6x15"]


def test_who_has_no_move_has_lost() -> None:
    blocked = GAME.parse_state("W:W28:B24,19,23")
    assert GAME.is_terminal(blocked)
    assert (GAME.utility(blocked, 0), GAME.utility(blocked, 1)) == (100, -100)
    assert GAME.show(blocked).splitlines()[-1] == "Black has won: White has no move"
    assert GAME.utility(GAME.parse_state("B:WK1,K2:B"), 0) == -100


def test_kings_that_only_walk_draw_after_forty_moves_each() -> None:
    state = GAME.parse_state("B:WK32:BK1")
    assert GAME.clock(state) == 80
    for ply in range(80):
        assert not GAME.is_terminal(state)
        assert GAME.clock(state) == 80 - ply
        home = {0: 1, 1: 32}[state.mover]
        pieces = squares_of(GAME.split(state)[0])
        away = next(iter(GAME.actions(state)))
        back = [action for action in GAME.actions(state) if GAME.squares(action)[-1] == home]
        state = GAME.result(state, back[0] if back and pieces != [home] else away)
    assert GAME.is_terminal(state)
    assert GAME.utility(state, 0) == GAME.utility(state, 1) == 0
    assert "a draw" in GAME.show(state)


def test_a_man_that_steps_starts_the_count_anew() -> None:
    game = Checkers(draw_after=1)
    state = game.parse_state("B:WK32,21:BK1,9")
    quiet = after(state, "1-5")
    assert quiet.quiet == 1
    assert after(quiet, "21-17").quiet == 0
    assert game.is_terminal(after(quiet, "32-28"))
    assert not GAME.is_terminal(after(quiet, "32-28"))


# --- the lecture ------------------------------------------------------------------------------------


def test_the_lectures_case_study() -> None:
    state = GAME.parse_state(LECTURE)
    lecturer = 1
    assert GAME.evaluate_lecture(state, lecturer) == 1
    assert names(state) == ["20-16", "21-17", "31-26", "31-27"]
    offered = after(state, "31-26")
    assert names(offered) == ["22x31", "23x30"]
    assert GAME.evaluate_lecture(after(offered, "22x31"), lecturer) == -4
    crowned = after(offered, "23x30")
    assert crowned.kings & bits(30)
    assert GAME.evaluate_lecture(crowned, lecturer) == -8


@pytest.mark.parametrize("mode", MODES)
def test_three_plies_of_minimax_on_the_lectures_case_study(mode: str) -> None:
    state = GAME.parse_state(LECTURE)
    found = gt.minimax(GAME, state, depth=3, evaluation="lecture", moves=True, compile=mode)
    values = {GAME.name_action(state, move.action): float(move.value) for move in found.moves or ()}
    assert values == {"20-16": 1, "21-17": 0, "31-26": -8, "31-27": -8}
    truth = oracle.minimax(with_evaluation(GAME, "lecture"), state, depth=3)
    assert found.values == (truth.value, -truth.value) == (-1, 1)
    assert found.action == truth.best[0]


# --- judgement --------------------------------------------------------------------------------------


@given(st.one_of(placed(), played().map(lambda play: play[0])))
def test_evaluations_are_the_same_for_both_sides(state: State) -> None:
    for evaluate in (GAME.evaluate, GAME.evaluate_lecture):
        value = evaluate(state, 0)
        assert evaluate(state, 1) == -value
        assert evaluate(mirrored(state), 0) == pytest.approx(-value)
        assert -100 < value < 100
    assert len(list(GAME.actions(mirrored(state)))) == len(list(GAME.actions(state)))


def test_kings_that_are_ahead_hunt() -> None:
    far = GAME.parse_state("W:WK5,K2:BK32")
    near = GAME.parse_state("W:WK23,K2:BK32")
    assert GAME.hunt(near, 1) > GAME.hunt(far, 1)
    # Who is not ahead stays away.
    even = GAME.parse_state("W:WK23:BK32")
    assert GAME.evaluate(even, 1) == pytest.approx(GAME.places(even, 1) - GAME.places(even, 0) + 0.05)


def test_exchanging_pays_for_who_is_ahead() -> None:
    before, later = (GAME.parse_state(text) for text in ("W:WK1,K2,K3:BK25,K27", "W:WK1,K2:BK25"))
    assert GAME.evaluate(later, 1) > GAME.evaluate(before, 1) + 0.1


def test_six_pieces_beat_a_king_before_the_game_is_drawn() -> None:
    game = Checkers(draw_after=20)
    state = game.parse_state("W:WK6,K7,K9,K10,K11,29:BK19")
    engine, history = gt.Engine(game), []
    while not game.is_terminal(state):
        history.append(state)
        state = game.result(state, engine.analyze(state, gt.Limit(nodes=500), history=history[:-1]).action)
    assert game.utility(state, 1) > 0 and len(history) < 40


@given(st.one_of(placed(), played().map(lambda play: play[0])))
def test_jumps_are_the_tactical_actions(state: State) -> None:
    jumps = [action for action in GAME.actions(state) if "x" in GAME.name_action(state, action)]
    assert list(GAME.tactical(state)) == jumps


def test_long_jumps_come_first_and_men_before_kings() -> None:
    state = GAME.parse_state("B:W6,7,15:B2")
    assert [GAME.order(state, GAME.parse_action(state, move)) for move in ("2x11x18", "2x9")] == [102, 101]
    state = GAME.parse_state("B:W32:BK10,25")
    ranks = {name: GAME.order(state, GAME.parse_action(state, name)) for name in names(state)}
    assert max(ranks, key=ranks.__getitem__).startswith("25-")


# --- text -------------------------------------------------------------------------------------------


@given(st.one_of(placed(), played().map(lambda play: play[0])))
def test_what_is_shown_and_the_fen_are_read_back(state: State) -> None:
    assert GAME.parse_state(GAME.show(state)) == state
    fen = GAME.fen(state)
    assert GAME.parse_state(fen) == state
    assert State(*read_fen(fen)) == state
    assert write_fen(*read_fen(fen)) == fen
    for action in GAME.actions(state):
        assert GAME.parse_action(state, GAME.name_action(state, action)) == action


@given(played())
def test_a_game_is_written_as_pdn_and_read_back(play: tuple[State, list[int]]) -> None:
    state, actions = play
    record = Record(GAME.initial(), tuple(actions), "0-1", {"Event": 'a "test" \\ of', "Result": "0-1"})
    assert record.states()[-1] == state
    (read,) = read_pdn(write_pdn(record))
    assert (read.start, read.actions, read.result) == (record.start, record.actions, record.result)
    assert read.tags["Event"] == record.tags["Event"]
    assert GAME.parse_state(" ".join(record.moves())) == state
    half = len(actions) // 2
    later = Record(record.states()[half], tuple(actions[half:]))
    (read,) = read_pdn(write_pdn(later))
    assert (read.start, read.actions, read.result) == (later.start, later.actions, "*")


def test_squares_have_numbers_and_bits() -> None:
    assert [number(bit) for bit in range(35) if BOARD >> bit & 1] == list(range(1, 33))
    assert bits(*range(1, 33)) == BOARD


@pytest.mark.parametrize("text", ["B:W21-32:B1-12", "b : w 21-32 : b 1-12 .", "B:B1-12:W21-32:H0:F1"])
def test_a_fen_may_be_written_in_other_ways(text: str) -> None:
    assert GAME.parse_state(text) == GAME.initial()
    assert GAME.parse_state("B:W32:B1:H7").quiet == 7


def test_landings_may_be_left_out_where_nothing_else_is_meant() -> None:
    state = GAME.parse_state("B:W6,7,15:B2")
    assert GAME.parse_action(state, "2x18") == GAME.parse_action(state, " 2 X 11 x 18 ")
    ring = GAME.parse_state("B:W10,11,18,19:BK7")
    assert GAME.parse_action(ring, "7x14x23x7") == GAME.parse_action(ring, "7x14x23x16x7")
    with pytest.raises(InputError, match=r"7x7 can be 7x.*: write the whole path"):
        GAME.parse_action(ring, "7x7")


@pytest.mark.parametrize(
    ("position", "text", "message"),
    [
        ("", "hello", "'hello' is no move: write 11-15, or 22x15x8 for jumps"),
        ("", "11", "'11' is no move"),
        ("", "", "'' is no move"),
        ("", "9" * 5000, "is no move"),
        ("", "11-33", "there is no square 33; they are 1 to 32"),
        ("", "0-4", "there is no square 0"),
        ("", "15-19", "there is no piece on 15, and Black is to move; legal are: "),
        ("", "22-18", "there is a piece of White on 22, and Black is to move"),
        ("", "11-19", "11-19 is not legal here; legal are: "),
        ("11-15 22-18", "8-11", "who can jump has to, to the end; legal are: 15x22"),
        ("B:W6,15:B2", "2x11", "legal are: .*2x9"),
        (
            "W:W28:B24,19,23",
            "28-19",
            r"the game is over \(Black has won: White has no move\); legal are: none",
        ),
    ],
)
def test_what_is_no_legal_move_is_refused(position: str, text: str, message: str) -> None:
    state = GAME.parse_state(position)
    with pytest.raises(InputError, match=message):
        GAME.parse_action(state, text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (":W1:B2", "does not say who moves: write it as W:W20,21"),
        ("B:W20", "does not list the pieces of Black"),
        ("B:W20:W21:B1", "'W21' in the FEN .* lists no side's pieces"),
        ("B:W20:Z21:B1", "'Z21' in the FEN .* lists no side's pieces"),
        ("B:W20,x:B1", "'X' in the FEN .* is no piece"),
        ("B:W33:B1", "there is no square 33"),
        ("B:W20,20:B1", "square 20 is listed twice"),
        ("B:W20:B20", "square 20 has a black and a white piece"),
        ("B:W2:B20", "White's man on 2 stands on its last row, so it is a king: K2"),
        ("B:W20:B30", "Black's man on 30 stands on its last row, so it is a king: K30"),
        ("B:W20:B1-13", "Black has 13 pieces; there are 12 of each side"),
        ("B:" + "W" * 3000, "a FEN has at most 2000 characters"),
        ("11-15 11-15", "move 2 of '11-15 11-15': 11-15 is not legal here: there is no piece on 11"),
        (". .\n. .\nnobody", "the last line of a board says who moves"),
        (". .\n. .\nBlack to move", "the board has 8 rows, this text has 2"),
        (". . . .\n" * 7 + ". . .\nBlack to move", "row 8 is '...': each has four dark squares"),
        (". .\n" + "x" * 3000, "a board has at most 2000 characters"),
    ],
)
def test_a_text_that_is_no_position_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        GAME.parse_state(text)


@pytest.mark.parametrize("value", [0, -1, 1.5, True])
def test_a_number_of_moves_to_a_draw_that_is_none_is_refused(value: Any) -> None:
    with pytest.raises(InputError, match="draw_after must be a whole number of at least 1"):
        Checkers(draw_after=value)


PDN = """\
% written by hand
[Event "first"] [Black "A"] [White "B"]
[Result "1-0"]

1. 11-15 {a comment (with brackets)} 23-19 $1 (1... 22-18 {worse} (22-17) 15x22)
2.8-11! ; to the end of the line 3. 22-17
22-17 ?! 3... 1-0

[Event "second"]
[GameType "21,B,8,1,0"]
[FEN "W:W20,21,K31:B23,K22"]
1... 31-26 23x30 1/2-1/2

[Event "third"]
1. 9-13
[Event "fourth"]
*
"""


def test_comments_and_variations_of_pdn_are_read_over() -> None:
    first, second, third, fourth = read_pdn(PDN)
    assert first.moves() == ["11-15", "23-19", "8-11", "22-17"]
    assert first.tags == {"Event": "first", "Black": "A", "White": "B", "Result": "1-0"}
    assert (first.result, second.result, third.result) == ("1-0", "1/2-1/2", "*")
    assert second.start == GAME.parse_state(LECTURE)
    assert second.moves() == ["31-26", "23x30"]
    assert (third.moves(), fourth.moves()) == (["9-13"], [])
    assert 'FEN "W:W20,21,K31:BK22,23"' in write_pdn(second)
    assert write_pdn(second).splitlines()[-1] == "1... 31-26 2. 23x30 1/2-1/2"
    assert read_pdn("") == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("11-15 {never ends", "line 1 of the PDN text: .* is a comment that does not end"),
        ("11-15 (23-19", "ends within a variation"),
        ("11-15\n)", r"line 2 of the PDN text: a \) without its \("),
        ("[Event oops] 11-15", "is no tag, move or comment"),
        ("11-15 11-15", "game 1, ply 2: 11-15 is not legal here"),
        ("* hello", "game 2, ply 1: 'hello' is no move"),
        ('[FEN "W:W99:B1"] *', "game 1, tag FEN: there is no square 99"),
        ('[GameType "20"] 1. 32-28', "game 1 has GameType '20'; only English draughts, 21, is read here"),
    ],
)
def test_what_is_no_pdn_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_pdn(text)


def test_a_record_that_cannot_be_written_is_refused() -> None:
    with pytest.raises(InputError, match="'won' is no result"):
        write_pdn(Record(GAME.initial(), (), "won"))
    with pytest.raises(InputError, match="'two words' is no name of a tag"):
        write_pdn(Record(GAME.initial(), (), "*", {"two words": ""}))


def test_mutated_texts_are_read_or_refused_and_nothing_else() -> None:
    rng = random.Random(5)
    alphabet = "0123456789xKWB:-,.;{}()[]\"'\\ \n%$*!?²√abc"
    for text in [PDN, LECTURE, GAME.show(GAME.initial()), "11-15 23-19 8-11"]:
        for _ in range(500):
            letters = list(text)
            for _ in range(rng.randint(1, 5)):
                at = rng.randrange(len(letters))
                letters[at : at + rng.randint(0, 2)] = rng.choices(alphabet, k=rng.randint(0, 2))
            for read in (GAME.parse_state, read_pdn):
                try:
                    read("".join(letters))
                except InputError as error:
                    assert str(error)


# --- OpenSpiel --------------------------------------------------------------------------------------


@pytest.mark.slow
def test_legal_actions_are_those_of_open_spiel_on_100000_positions() -> None:
    """The rules differ in two things: OpenSpiel plays every jump as an action, and draws after 40 plies without a
    capture, whether or not men have moved. So games are compared until it ends them."""
    pyspiel = pytest.importorskip("pyspiel")
    theirs, rng = pyspiel.load_game("checkers"), random.Random(1)
    seen = 0
    while seen < 100_000:
        state, other = GAME.initial(), theirs.new_initial_state()
        while not other.is_terminal():
            paths = their_words("checkers", other)
            actions = {tuple(GAME.squares(action)): action for action in GAME.actions(state)}
            assert set(paths) == set(actions)
            path = rng.choice(sorted(paths))
            state = GAME.result(state, actions[path])
            for step in paths[path]:
                other.apply_action(step)
            seen += 1
        if other.returns()[0] != 0:
            assert GAME.utility(state, 0) == 100 * other.returns()[0]
