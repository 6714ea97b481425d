"""Backgammon: planes of bits against checkers that are moved one by one on a list."""

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gametree as gt
from gametree.checking.agreement import differences
from gametree.errors import InputError
from gametree.game import CHANCE
from gametree.games.backgammon.board import (
    BAR,
    NO_DICE,
    OPENING,
    PASS,
    Side,
    State,
    added,
    number,
    occupied,
    pips,
    removed,
    seen_by_other,
    towers,
)
from gametree.games.backgammon.evaluation import equity, in_contact, prime
from gametree.games.backgammon.notation import write_id, write_turn
from gametree.games.backgammon.rules import Backgammon

GAME = Backgammon()
Board = tuple[tuple[int, ...], tuple[int, ...]]
"""How many checkers the mover and the other have on 0 (off) to 25 (bar), each by its own numbers."""
FIRST_PLAYS = (
    (11, 42), (21, 15), (22, 75), (31, 16), (32, 17), (33, 73), (41, 14), (42, 18), (43, 17), (44, 52), (51, 8),
    (52, 8), (53, 9), (54, 9), (55, 4), (61, 10), (62, 14), (63, 14), (64, 14), (65, 7), (66, 11),
)  # fmt: skip
"""How many plays GNU Backgammon 1.07 lists for every throw at the beginning (`hint`)."""


# --- the slow and obvious rules ---------------------------------------------------------------------


def board(state: State) -> Board:
    return tuple(number(state.mine, p) for p in range(26)), tuple(number(state.theirs, p) for p in range(26))


def steps(position: Board, die: int) -> list[Board]:
    """All positions after one checker has moved by one die."""
    mine, theirs = position
    found = []
    for point in range(1, 26):
        if mine[point] == 0 or (mine[BAR] and point != BAR):
            continue
        target = point - die
        if target > 0 and theirs[25 - target] >= 2:
            continue
        if target <= 0 and (any(mine[7:]) or (target < 0 and any(mine[point + 1 :]))):
            continue
        after, other = list(mine), list(theirs)
        after[point] -= 1
        after[max(0, target)] += 1
        if target > 0 and other[25 - target] == 1:
            other[25 - target] = 0
            other[BAR] += 1
        found.append((tuple(after), tuple(other)))
    return found


def turns(position: Board, dice: tuple[int, ...]) -> list[tuple[tuple[int, ...], Board]]:
    """All ways to play dice in this order as far as they can be played: the dice played, and the position."""
    found = []
    if dice:
        for after in steps(position, dice[0]):
            found += [((dice[0], *played), end) for played, end in turns(after, dice[1:])]
    return found or [((), position)]


def plays(state: State) -> set[Board]:
    """The positions after a legal turn, by the book."""
    high, low = divmod(state.dice, 10)
    found = turns(board(state), (high,) * 4 if high == low else (high, low))
    if high != low:
        found += turns(board(state), (low, high))
    most = max(len(played) for played, _ in found)
    found = [turn for turn in found if len(turn[0]) == most]
    if most == 1 and high != low and any(played == (high,) for played, _ in found):
        found = [turn for turn in found if turn[0] == (high,)]
    return {position for _, position in found}


def side(counts: dict[int, int]) -> Side:
    """Fifteen checkers; those that are not placed are off."""
    placed = Side(0, 0)
    for point, count in (counts | {0: 15 - sum(counts.values())}).items():
        for _ in range(count):
            placed = added(placed, point)
    return placed


def setup(rng: random.Random) -> State:
    """A position that play may or may not lead to: few checkers or many, on the bar, at home, anywhere."""
    mine: Counter[int] = Counter()
    theirs: Counter[int] = Counter()
    points = range(1, 1 + rng.choice((6, 12, 25)))
    for _ in range(rng.randint(1, 15)):
        mine[rng.choice(points)] += 1
    free = [p for p in range(1, 26) if p == BAR or not mine[25 - p]]
    for _ in range(rng.randint(1, 15)):
        theirs[rng.choice(free[-rng.randint(3, 25) :])] += 1
    dice = rng.choice([outcome for outcome, _ in GAME.chance(State(Side(0, 0), Side(0, 0), 0, NO_DICE))])
    return State(side(mine), side(theirs), rng.randint(0, 1), dice)


def played(rng: random.Random, plies: int) -> State:
    """A state that random play has led to, with dice."""
    state = GAME.initial()
    while plies > 0 or state.dice <= OPENING:
        if GAME.player(state) == CHANCE:
            state = GAME.result(state, rng.choice([outcome for outcome, _ in GAME.chance(state)]))
            continue
        after = GAME.result(state, rng.choice(list(GAME.actions(state))))
        if GAME.is_terminal(after):
            break
        state = after
        plies -= 1
    return state


def compare(state: State) -> None:
    """One action for each position that the book allows, and no other."""
    mover = state.mover
    after = [GAME.result(state, action) for action in GAME.actions(state)]
    found = [(theirs, mine) for mine, theirs in map(board, after)]
    assert len(found) == len(set(found)), GAME.show(state)
    assert set(found) == plays(state), GAME.show(state)
    assert all(one.mover == 1 - mover and one.dice == NO_DICE for one in after)


# --- the rules --------------------------------------------------------------------------------------


def test_random_games_are_played_by_the_book() -> None:
    rng = random.Random(1)
    for plies in range(0, 120, 3):
        compare(played(rng, plies))


def test_positions_of_all_kinds_are_played_by_the_book() -> None:
    rng = random.Random(2)
    for _ in range(300):
        compare(setup(rng))


@pytest.mark.slow
def test_twenty_thousand_positions_are_played_by_the_book() -> None:
    rng = random.Random(3)
    for number_of in range(20_000):
        compare(setup(rng) if number_of % 2 else played(rng, rng.randrange(100)))


@pytest.mark.parametrize(("dice", "count"), FIRST_PLAYS)
def test_the_first_throw_has_as_many_plays_as_gnu_backgammon_lists(dice: int, count: int) -> None:
    assert sum(1 for _ in GAME.actions(GAME.initial()._replace(dice=dice))) == count


def test_the_dice_are_fair() -> None:
    outcomes = dict(GAME.chance(GAME.initial()._replace(dice=NO_DICE)))
    assert len(outcomes) == 21 and sum(outcomes.values()) == pytest.approx(1, abs=1e-15)
    assert {dice for dice, chance in outcomes.items() if chance == 1 / 36} == {11, 22, 33, 44, 55, 66}
    first = dict(GAME.chance(GAME.initial()))
    assert len(first) == 30 and set(first.values()) == {1 / 30}


def test_the_higher_die_begins() -> None:
    for dice, mover in ((63, 0), (36, 1)):
        state = GAME.result(GAME.initial(), dice)
        assert (GAME.player(state), state.dice) == (mover, 63)


def turn_names(text: str) -> set[str]:
    state = GAME.parse_state(text)
    return {GAME.name_action(state, action) for action in GAME.actions(state)}


def placed(mine: dict[int, int], theirs: dict[int, int], dice: int) -> State:
    return State(side(mine), side(theirs), 0, dice)


def names(state: State) -> set[str]:
    return {GAME.name_action(state, action) for action in GAME.actions(state)}


def test_who_is_on_the_bar_enters_first_or_waits() -> None:
    home = {6: 2, 5: 2, 4: 2, 3: 2, 2: 2}
    assert names(placed({BAR: 1, 13: 1}, home, 61)) == {"bar/24 13/7", "bar/18"}
    assert names(placed({BAR: 2, 13: 1}, home, 61)) == {"bar/24"}
    assert names(placed({BAR: 1, 13: 1}, home, 62)) == {"pass"}
    assert names(placed({BAR: 1, 13: 1}, home | {1: 2}, 66)) == {"pass"}


def test_both_dice_are_played_where_that_is_possible() -> None:
    # The 6 is blocked from 10, not from 9.
    assert names(placed({10: 1}, {21: 2, 13: 2}, 61)) == {"10/3"}


def test_where_only_one_die_can_be_played_it_is_the_higher() -> None:
    # 13/7 and 13/11 are possible, and nothing after either.
    state = placed({13: 1}, {20: 2, 16: 1}, 62)
    assert names(state) == {"13/7"}
    # The higher one is blocked.
    assert names(placed({13: 1}, {18: 2, 20: 2}, 62)) == {"13/11"}


def test_bearing_off_needs_everybody_at_home_and_larger_dice_take_the_farthest() -> None:
    assert names(placed({6: 1, 3: 1, 7: 1}, {1: 2}, 61)) == {"7/1 6/5", "7/off", "7/1 3/2"}
    assert names(placed({4: 1, 2: 1}, {1: 2}, 65)) == {"4/off 2/off"}
    assert names(placed({4: 2, 2: 1}, {1: 2}, 61)) == {"4/off 4/3", "4/off 2/1"}
    assert names(placed({3: 3, 1: 2}, {1: 2}, 66)) == {"3/off(3) 1/off"}


def test_a_gammon_counts_two_and_a_backgammon_three() -> None:
    for loser, worth in (
        ({1: 14}, 1),
        ({1: 15}, 2),
        ({18: 1, 1: 14}, 2),
        ({19: 1, 1: 14}, 3),
        ({BAR: 1, 1: 14}, 3),
    ):
        state = State(side(loser), side({}), 1, NO_DICE)
        assert GAME.is_terminal(state)
        assert (GAME.utility(state, 0), GAME.utility(state, 1)) == (worth, -worth)
        assert list(GAME.actions(state._replace(dice=31))) == []


@given(st.integers(0, 10_000))
@settings(max_examples=40)
def test_checkers_are_never_lost(seed: int) -> None:
    state = setup(random.Random(seed))
    for action in GAME.actions(state):
        after = GAME.result(state, action)
        assert [sum(half) for half in board(after)] == [15, 15]


@given(st.lists(st.integers(0, 25), min_size=1, max_size=15))
def test_planes_count_as_lists_do(points: list[int]) -> None:
    placed_, counts = Side(0, 0), Counter(points)
    for point in points:
        placed_ = added(placed_, point)
    assert {p: number(placed_, p) for p in range(26) if number(placed_, p)} == dict(counts)
    assert pips(placed_) == sum(points)
    assert occupied(placed_) == sum(1 << p for p in counts if p)
    assert towers(placed_) == sum(1 << p for p, count in counts.items() if count > 1)
    for point in points:
        placed_ = removed(placed_, point)
    assert placed_ == Side(0, 0)


@given(st.sets(st.integers(0, 25)), st.sets(st.integers(0, 25)))
def test_the_other_side_numbers_the_points_from_its_own_end(low: set[int], high: set[int]) -> None:
    seen = seen_by_other(sum(1 << p for p in low) | sum(1 << 32 + p for p in high))
    assert seen == sum(1 << 25 - p for p in low) | sum(1 << 57 - p for p in high)


# --- both modes -------------------------------------------------------------------------------------


@pytest.mark.needs_compiler
def test_compiled_and_interpreted_rules_agree() -> None:
    rng = random.Random(4)
    states = [setup(rng) for _ in range(60)] + [played(rng, plies) for plies in range(0, 90, 3)]
    assert differences(GAME, states) == ([], "")


def test_the_rules_keep_the_contract() -> None:
    report = gt.check(GAME, compile="never", plays=2, seconds=1)
    assert report.ok, report


# --- judgement --------------------------------------------------------------------------------------


@given(st.integers(0, 10_000))
@settings(max_examples=60)
def test_the_evaluation_is_a_payoff_and_what_one_wins_the_other_loses(seed: int) -> None:
    rng = random.Random(seed)
    for state in (setup(rng), played(rng, rng.randrange(80))):
        worth = GAME.evaluate(state, 0)
        assert -3 < worth < 3 and worth == -GAME.evaluate(state, 1)
        assert GAME.evaluate_pips(state, 0) == -GAME.evaluate_pips(state, 1)


def test_the_evaluation_likes_what_players_like() -> None:
    start = GAME.initial().mine

    def after(text: str, dice: int) -> float:
        state = State(start, start, 0, dice)
        return GAME.evaluate(GAME.result(state, GAME.parse_action(state, text)), 0)

    assert after("8/5 6/5", 31) > after("13/9", 31) > after("6/5 6/3", 31)
    assert after("13/7 8/7", 61) > after("13/6", 61)
    assert equity(start, start) > 0  # it is good to be about to throw


def test_contact_ends_when_the_last_checkers_have_passed() -> None:
    assert in_contact(occupied(side({13: 1})), occupied(side({13: 1})))
    assert not in_contact(occupied(side({12: 1})), occupied(side({12: 1})))


def test_a_row_of_points_blocks_from_four_on() -> None:
    assert [prime(((1 << length) - 1) << 3) for length in range(8)] == [0, 0, 0, 0, 1, 4, 9, 16]


# --- text -------------------------------------------------------------------------------------------


def test_boards_ids_and_turns_are_read_as_they_are_written() -> None:
    rng = random.Random(5)
    for number_of in range(60):
        state = setup(rng) if number_of % 2 else played(rng, rng.randrange(90))
        assert GAME.parse_state(GAME.show(state)) == state
        assert GAME.parse_state(f"{write_id(state)} {'XO'[state.mover]} {state.dice}") == state
        legal = list(GAME.actions(state))[:20]
        written = [GAME.name_action(state, action) for action in legal]
        assert len(set(written)) == len(legal)
        assert [GAME.parse_action(state, text) for text in written] == legal
    assert GAME.parse_state(GAME.show(GAME.initial())) == GAME.initial()


@pytest.mark.parametrize(
    ("dice", "text", "name"),
    [
        (31, "6/5 8/5", "8/5 6/5"),
        (31, " 8/5, 6/5 ", "8/5 6/5"),
        (64, "24/18/14", "24/14"),
        (64, "24/20/14", "24/14"),
        (11, "6/5 6/5 8/7 8/7", "8/7(2) 6/5(2)"),
        (66, "24/18(2) 13/7 ( 2 )", "24/18(2) 13/7(2)"),
        (65, "24/18/13", "24/13"),
    ],
)
def test_turns_are_read_in_any_order_and_spelling(dice: int, text: str, name: str) -> None:
    state = GAME.initial()._replace(dice=dice)
    assert GAME.name_action(state, GAME.parse_action(state, text)) == name


def test_a_hit_on_the_way_is_another_turn() -> None:
    state = placed({24: 1}, {7: 1, 24: 2}, 64)
    assert names(state) == {"24/18*/14", "24/14"}
    assert write_turn(state, GAME.parse_action(state, "24/14")) == "24/14"
    assert write_turn(state, GAME.parse_action(state, "24/18/14")) == "24/18*/14"
    assert write_turn(state, GAME.parse_action(state, "24/18* 18/14")) == "24/18*/14"


def test_the_game_so_far_is_a_position() -> None:
    state = GAME.parse_state("31 8/5 6/5 64 24/14")
    assert (state.mover, state.dice) == (0, NO_DICE)
    assert GAME.parse_state("13 24/23 13/10").mover == 0
    assert GAME.show(state).endswith("X to throw")


def test_ends_are_shown() -> None:
    state = State(side({1: 15}), side({}), 1, NO_DICE)
    assert GAME.show(state).endswith("X has won a gammon, O would be the next")
    assert GAME.parse_state(GAME.show(state)) == state
    with pytest.raises(InputError, match="the game is over: X has won a gammon"):
        GAME.parse_action(state, "6/5")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("31 8/5 6/4", "word 2 of the text: '8/5 6/4' is not legal with these dice; legal are: "),
        ("31 pass", "who can move has to; legal are: "),
        ("31 hello", "'hello' is no turn: write 8/5 6/5, bar/22"),
        ("33", "at the beginning the dice differ"),
        ("79", "'79' is no throw of two dice: write 3-1"),
        ("//////////////", "is no position ID: it has too many checkers"),
        ("a\nb\nc\nd", "a board has 10 rows of 13 places"),
    ],
)
def test_what_is_no_position_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        GAME.parse_state(text)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("off: X 0, O 0", "off: X 1, O 0", "X has 15 checkers on the board and 1 off"),
        ("X to play 3-1", "whose turn?", "does not say who moves"),
        (" X  .  .  .  O  .   .  O", " X  .  .  .  X  .   .  O", "on point 17 is no stack"),
        (
            " O  .  .  .  X  .   .  X  .",
            " 9  .  .  .  X  .   .  X  .",
            "O has 19 checkers on the board and 0 off",
        ),
    ],
)
def test_boards_that_cannot_be_are_refused(old: str, new: str, message: str) -> None:
    text = GAME.show(GAME.result(GAME.initial(), 31))
    assert old in text
    with pytest.raises(InputError, match=message):
        GAME.parse_state(text.replace(old, new, 1))


def test_a_turn_without_a_move_is_called_pass() -> None:
    state = placed({BAR: 1}, dict.fromkeys(range(1, 7), 2), 31)
    assert list(GAME.actions(state)) == [PASS]
    assert GAME.name_action(state, PASS) == "pass" and GAME.parse_action(state, "Pass") == PASS
