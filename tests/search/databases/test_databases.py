"""Databases of endings: they say what plain sweeps over the whole graph say, and a file is as it was written."""

import random
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gametree as gt
from gametree import games
from gametree.errors import InputError, RulesError, UnsuitableError
from gametree.games.checkers import endings
from gametree.search.databases import files
from gametree.search.databases.database import Database
from search.databases.tokens import Token

pytestmark = pytest.mark.same_in_all_modes


def sign(payoff: float) -> int:
    return (payoff > 0) - (payoff < 0)


def standing(game: Any, state: Any) -> Any:
    """The state that stands for a position, where several have the same place."""
    return state if game.is_terminal(state) else game.slice_state(game.slice(state), game.slice_place(state))


def truth(game: Any, most: int = 99) -> dict[Any, tuple[int, int]]:
    """Of every position the outcome to the mover (1, 0, −1) and the distance, by sweeping until nothing changes.

    Slow and obvious: a position is won in n where an action leads to one that is lost in n − 1, and no earlier; lost in
    n where all actions lead to positions won in n − 1 or earlier; drawn where neither is ever so.
    """
    states = [
        state
        for slice in game.slices(most)
        for place in range(game.slice_size(slice))
        if (state := game.slice_state(slice, place)) is not None
    ]
    known = {s: (sign(game.utility(s, s.mover)), 0) for s in states if game.is_terminal(s)}
    for plies in range(1, 2 * len(states) + 2):
        found = {}
        for state in states:
            if state in known:
                continue
            after = []
            for action in game.actions(state):
                child = game.result(state, action)
                if game.is_terminal(child):
                    known[child] = (sign(game.utility(child, child.mover)), 0)
                worth = known.get(standing(game, child))
                after.append(None if worth is None else worth[0] * (1 if child.mover == state.mover else -1))
            if 1 in after:
                found[state] = (1, plies)
            elif all(worth == -1 for worth in after):
                found[state] = (-1, plies)
        known.update(found)
        if not found:
            break
    return {state: known.get(state, (0, 0)) for state in states}


def told(database: Database, state: Any) -> tuple[int, int]:
    value = database.probe(state)
    assert value is not None
    return sign(value.payoff), value.plies or 0


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), slices=st.integers(1, 4), degree=st.integers(1, 4))
def test_a_database_says_of_every_position_what_sweeping_says(seed: int, slices: int, degree: int) -> None:
    game = Token(seed, slices, 7, degree)
    database = Database(game)
    built = [slice for slice, _, _ in database.build(game.slices(99), compile="never")]
    assert built == list(range(slices))
    for state, worth in truth(game).items():
        assert told(database, state) == worth
    assert all(wrong is None for _, wrong in database.verify(compile="never"))


def test_machine_code_finds_the_same_codes(tmp_path: Path) -> None:
    game = Token(5, 3, 500, 3)
    ways = {}
    for way in ("never", "auto"):
        database = Database(game, tmp_path / way)
        list(database.build(game.slices(9), compile=way, threads=2))
        ways[way] = [path.read_bytes() for path in sorted((tmp_path / way).glob("*.gtend"))]
        assert all(wrong is None for _, wrong in database.verify(compile=way))
    assert ways["never"] == ways["auto"]


def test_what_an_ending_leads_to_is_built_with_it(tmp_path: Path) -> None:
    game = Token(8, 4, 9)
    database = Database(game, tmp_path)
    order = [slice for slice, _, _ in database.build([3], compile="never")]
    assert order[-1] == 3 and order == sorted(order) and len(order) > 1
    again = Database(game, tmp_path)
    assert [new for _, _, new in again.build(order, compile="never")] == [False] * len(order)


def test_a_wrong_entry_is_found() -> None:
    game = Token(3, 2, 9)
    database = Database(game)
    list(database.build(game.slices(9), compile="never"))
    rng = random.Random(1)
    found = 0
    for _ in range(40):
        slice, place = rng.randrange(2), rng.randrange(18)
        if game.slice_state(slice, place) is None:
            continue
        words = database._open[slice]
        kept = words[place // 4]
        shift = place % 4 * 16
        code = kept >> shift & 0x7FFF
        other = rng.choice([one for one in range(1, 12) if one != code])
        words[place // 4] = kept & ~(0x7FFF << shift) | other << shift
        assert any(wrong is not None for _, wrong in database.verify(compile="never")), (
            slice,
            place,
            code,
            other,
        )
        words[place // 4] = kept
        found += 1
    assert found > 20


@pytest.fixture
def kept(tmp_path: Path) -> tuple[Any, Path]:
    game = Token(2, 2, 40)
    list(Database(game, tmp_path / "kept").build([1], compile="never"))
    return game, tmp_path / "kept"


def test_a_flipped_byte_is_refused_wherever_it_is(kept: tuple[Any, Path]) -> None:
    game, folder = kept
    path = folder / "1.gtend"
    data = path.read_bytes()
    rng = random.Random(0)
    for at in {*rng.sample(range(len(data)), 120), 0, len(data) - 1}:
        path.write_bytes(data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :])
        with pytest.raises(InputError, match=r"1\.gtend"):
            files.EndingFile(path).codes()
    path.write_bytes(data)
    assert len(Database(game, folder)) == 2


@pytest.mark.parametrize("cut", [0, 5, 40, -1])
def test_a_file_that_is_cut_off_is_refused(kept: tuple[Any, Path], cut: int) -> None:
    game, folder = kept
    path = folder / "1.gtend"
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(InputError):
        Database(game, folder)


def test_databases_of_other_rules_are_refused(kept: tuple[Any, Path]) -> None:
    folder = kept[1]
    with pytest.raises(InputError, match="rules are not those of"):
        Database(Token(3, 2, 40), folder)
    with pytest.raises(InputError, match="rules are not those of"):
        Database(games.Chess(), folder)
    (folder / "other.gtend").write_text("gametree endings 9 00000000\n")
    with pytest.raises(InputError, match="another version"):
        Database(kept[0], folder)


def test_games_that_databases_cannot_hold_are_refused_by_what_they_lack() -> None:
    with pytest.raises(UnsuitableError, match="slice_size, slice_place, slice_state"):
        Database(games.Nim())

    class Rising(Token):
        def slice(self, s: Any) -> Any:
            return s.slice if s.node else s.slice + 1

    with pytest.raises((RulesError, InputError), match=r"higher|not solved"):
        list(Database(Rising(1)).build([0], compile="never"))

    class Forbidding(Token):
        repetition = ("forbid", 2)

    with pytest.raises(UnsuitableError, match="recurs"):
        Database(Forbidding())


def test_a_search_goes_by_the_databases_that_it_is_given() -> None:
    game = Token(11, 3, 12)
    database = Database(game)
    list(database.build([0, 1], compile="never"))
    below = truth(game)
    asked = 0
    for state in below:
        if state.slice != 2 or game.is_terminal(state):
            continue
        children = [game.result(state, action) for action in game.actions(state)]
        if any(child.slice == 2 and not game.is_terminal(child) for child in children):
            continue
        found = gt.analyze(game, state, depth=1, databases=database, compile="never")
        assert found.value is not None
        assert (int(found.value.payoff), found.value.plies or 0) == below[state] and found.exact
        asked += 1
    assert asked > 2


def test_what_is_in_a_database_is_answered_at_once_with_every_move() -> None:
    game = Token(11, 2, 12)
    database = Database(game)
    list(database.build([1], compile="never"))
    for state, worth in truth(game).items():
        if game.is_terminal(state):
            continue
        found = gt.analyze(game, state, databases=database, moves=True, compile="never")
        assert found.method == "endgame database" and found.exact and found.value is not None
        assert (int(found.value.payoff), found.value.plies or 0) == worth
        assert max(move.value for move in found.moves) == found.value
    with pytest.raises(InputError, match="no such folder"):
        gt.analyze(game, databases="nowhere")
    with pytest.raises(InputError, match="are not of"):
        gt.analyze(Token(12), databases=database)


# --- chess ------------------------------------------------------------------------------------------


def test_every_position_of_chess_has_the_place_from_which_it_is_made() -> None:
    game, rng = games.Chess(), random.Random(4)
    for slice in game.slices(4):
        for _ in range(12):
            place = rng.randrange(game.slice_size(slice))
            state = game.slice_state(slice, place)
            if state is None:
                continue
            assert game.slice(state) == slice and game.slice_place(state) == place
            for action in game.actions(state):
                child = game.result(state, action)
                below = game.slice(child)
                assert below <= slice
                again = game.slice_state(below, game.slice_place(child))
                assert again is not None and len(list(game.actions(again))) == len(list(game.actions(child)))


@pytest.mark.parametrize("names", ["KQKR", "KPK", "KBNK", "KQQKPP"])
def test_the_names_of_endings_are_read_again(names: str) -> None:
    game = games.Chess()
    assert game.name_slice(game.parse_slice(names)) == names
    assert game.name_slice(game.parse_slice("KRKQ")) == "KQKR"


@pytest.mark.parametrize("text", ["", "KQ", "QK", "KXK", "KQKRK", "KQQQQQKQQ"])
def test_what_is_no_ending_of_chess_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        games.Chess().parse_slice(text)


@pytest.fixture(scope="module")
def three_men(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from gametree.compiled.native import unavailable

    if unavailable():
        pytest.skip("takes minutes interpreted")
    folder = tmp_path_factory.mktemp("endings")
    game = games.Chess()
    list(Database(game, folder).build([game.parse_slice(name) for name in ("KPK",)], threads=2))
    return folder


def test_the_longest_wins_of_three_men_are_those_of_the_literature(three_men: Path) -> None:
    game = games.Chess()
    database = Database(game, three_men)
    longest = {game.name_slice(slice): database.statistics(slice).longest for slice in database}
    # Moves to mate: 10, 16 and 28 (Ströhlein 1970; Thompson 1986).
    assert longest == {"KQK": 2 * 10, "KRK": 2 * 16, "KPK": 2 * 28}
    assert all(wrong is None for _, wrong in database.verify(threads=2))


def test_best_play_by_the_databases_mates_as_soon_as_they_say(three_men: Path) -> None:
    game = games.Chess()
    database = Database(game, three_men)
    state = game.parse_state("8/8/8/8/8/2k5/8/K5Q1 w - - 0 1")
    value = database.probe(state)
    line = database.line(state)
    assert value is not None and value.plies == len(line)
    for action in line:
        state = game.result(state, action)
    assert game.is_terminal(state) and game.utility(state, 0) == 1


def test_a_search_of_chess_sees_the_database_behind_a_capture(three_men: Path) -> None:
    game = games.Chess()
    database = Database(game, three_men)
    # White takes the knight; with the databases that is a proven win, without them an estimate.
    state = game.parse_state("8/8/8/8/8/5k2/3Q4/K2n4 w - - 0 1")
    found = gt.analyze(game, state, depth=3, databases=database)
    alone = gt.analyze(game, state, depth=3, databases=False)
    assert found.method == alone.method and found.name == "Qxd1+"
    assert found.value is not None and found.value.outcome == "win"
    assert alone.value is not None and alone.value.outcome is None
    pawn = game.parse_state("8/8/8/8/3k4/8/2pK4/8 w - - 0 1")
    told = gt.analyze(game, pawn, databases=database)
    assert told.exact and told.method == "endgame database" and told.value == 0


def test_a_win_that_a_clock_ends_before_is_no_win(three_men: Path) -> None:
    game = games.Chess()
    database = Database(game, three_men)
    late = game.parse_state("8/8/8/8/8/2k5/8/K5Q1 w - - 145 90")
    found = gt.analyze(game, late, depth=1, databases=database)
    assert found.method != "endgame database"


@pytest.mark.slow
def test_the_longest_wins_of_four_men(tmp_path: Path) -> None:
    """Moves to mate by Nalimov's tables, as Wikipedia's "Endgame tablebase" and Thompson (1986) give them."""
    game = games.Chess()
    wanted = {"KBBK": 19, "KBNK": 33, "KQKR": 35, "KRKB": 29, "KRKN": 40}
    database = Database(game, tmp_path)
    list(database.build([game.parse_slice(name) for name in wanted], threads=2))
    for name, moves in wanted.items():
        assert (database.statistics(game.parse_slice(name)).longest + 1) // 2 == moves, name


def test_the_same_slice_gives_the_same_bytes(kept: tuple[Any, Path], tmp_path: Path) -> None:
    game, folder = kept
    shutil.rmtree(tmp_path / "again", ignore_errors=True)
    list(Database(game, tmp_path / "again").build([1], compile="never"))
    for path in folder.glob("*.gtend"):
        assert path.read_bytes() == (tmp_path / "again" / path.name).read_bytes()


# --- checkers ---------------------------------------------------------------------------------------


def test_checkers_has_as_many_positions_as_chinook_counts() -> None:
    """120 with one piece, 6,972 with two, 261,224 with three (Schaeffer et al. 1992), empty sides included."""
    for pieces, wanted in ((1, 120), (2, 6_972)):
        count = 0
        for first in ((kings, men) for kings in range(pieces + 1) for men in range(pieces + 1 - kings)):
            for kings in range(pieces - sum(first) + 1):
                codes = [first[0] << 3 | first[1], kings << 3 | pieces - sum(first) - kings]
                if codes[0] < codes[1]:
                    continue
                men = first[1] + pieces - sum(first) - kings
                slice = (
                    pieces << endings.PIECES | men << 2 * endings.SIDE | codes[0] << endings.SIDE | codes[1]
                )
                places = range(endings.slice_size(slice))
                count += sum(any(endings.unnumbered(slice, place)[:2]) for place in places)
        assert count == wanted


def test_every_position_of_checkers_has_the_place_from_which_it_is_made() -> None:
    game, rng = games.Checkers(), random.Random(6)
    for slice in game.slices(5):
        for _ in range(20):
            place = rng.randrange(game.slice_size(slice))
            state = game.slice_state(slice, place)
            if state is None:
                continue
            assert game.slice(state) == slice and game.slice_place(state) == place
            assert game.slice(game.parse_state(notation_of(game, state))) == slice
            if not game.is_terminal(state):
                assert all(game.slice(game.result(state, action)) <= slice for action in game.actions(state))


def notation_of(game: Any, state: Any) -> str:
    """A position as checkers players write it, made from the board alone."""
    sides: dict[int, list[str]] = {0: [], 1: []}
    for bit in range(35):
        for side, own in enumerate((state.black, state.white)):
            if own >> bit & 1:
                sides[side].append(("K" if state.kings >> bit & 1 else "") + str(endings.square_of(bit) + 1))
    return f"{'BW'[state.mover]}:W{','.join(sides[1])}:B{','.join(sides[0])}"


def test_a_piece_of_checkers_against_one_is_what_sweeping_says() -> None:
    game = games.Checkers()
    database = Database(game)
    list(database.build(game.slices(2), compile="never"))
    known = {state: worth for state, worth in truth(game, 2).items() if not game.is_terminal(state)}
    assert len(known) > 2000
    for state, worth in known.items():
        assert told(database, state) == worth


@pytest.mark.parametrize("text", ["", "K", "1K", "0K-1K", "8K-1K", "K-K", "1K-1Q"])
def test_what_is_no_ending_of_checkers_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        games.Checkers().parse_slice(text)
