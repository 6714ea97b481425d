"""Two players meet: games, pairs, files and processes."""

import dataclasses
import itertools
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from arena import match_players as cast
from gametree import Bot, Limit
from gametree.arena.entrants import Contestant
from gametree.arena.match import Match, match
from gametree.arena.openings import Judge, Opening, Openings
from gametree.arena.playing import END, Adjudication, Played, play
from gametree.arena.ratings import Score
from gametree.arena.sprt import Sprt
from gametree.errors import InputError, UnsuitableError
from gametree.games import ConnectFour, Kuhn, Nim, TicTacToe
from gametree.view import View

COLUMNS = [Opening((column,), (str(column + 1),), 0.0) for column in range(7)]
RANDOM = Contestant("random", cast.seeded_connect_four)
OTHER = Contestant("left", lambda: cast.first_action)


def takes(*counts: int) -> list[Opening]:
    return [Opening((count,), (str(count),), 0.0) for count in counts]


# --- one game ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("counters", [4, 7, 13, 21])
@pytest.mark.parametrize("seat", [0, 1])
def test_the_points_are_those_of_the_game_played_by_hand(counters: int, seat: int) -> None:
    played = play(Nim(counters), (cast.Expert(), cast.greedy), seat=seat)
    assert played.points == cast.slow_score(counters, first_is_expert=seat == 0)
    assert (played.reason, played.seat) == (END, seat)


def test_the_record_can_be_played_again() -> None:
    game = ConnectFour()
    players = (cast.Seeded(game), cast.Seeded(game))
    for seed in range(8):
        played = play(game, players, (3, 3), seat=seed % 2, seed=seed)
        state = game.initial()
        for name in played.moves:
            assert not game.is_terminal(state)
            state = game.result(state, game.parse_action(state, name))
        assert game.is_terminal(state) and played.plies == len(played.moves)
        assert played.moves[:2] == ("4", "4")
        assert played.points == (1 + game.utility(state, seed % 2)) / 2


def test_a_player_may_move_twice_in_a_row() -> None:
    asked: list[int] = []

    def notes(state: Any, history: Sequence[Any]) -> int:
        asked.append(state.left)
        return 1

    assert play(cast.Twice(counters=11), (notes, cast.greedy), seat=0).points == 1
    assert {10, 5} & set(asked)


def test_players_get_the_path_that_led_to_the_state() -> None:
    game = Nim(counters=9)

    class Reader:
        def move(self, state: Any, history: Sequence[Any] = ()) -> int:
            path = (*history, state)
            assert path[0] == game.initial()
            assert all(
                later in [game.result(state, action) for action in game.actions(state)]
                for state, later in itertools.pairwise(path)
            )
            return 1

    assert play(game, (Reader(), Reader())).reason == END


def test_bots_are_players() -> None:
    game = TicTacToe()
    assert play(game, (Bot(game, 2, seed=1), Bot(game, 1)), (4,)).reason == END


@pytest.mark.parametrize("answer", [7, -1, None, "3", 2.5, [1], True])
@pytest.mark.parametrize("seat", [0, 1])
def test_an_illegal_move_loses(answer: Any, seat: int) -> None:
    played = play(Nim(21), (lambda state, history: answer, cast.greedy), seat=seat)
    assert played.points == 0
    assert played.reason == f"illegal move: {answer!r} is none of the 3 legal actions"
    assert play(Nim(21), (cast.greedy, lambda state, history: answer), seat=seat).points == 1


@pytest.mark.parametrize("seat", [0, 1])
def test_an_exception_loses(seat: int) -> None:
    played = play(Nim(40), (cast.Crash(), cast.greedy), seat=seat)
    assert (played.points, played.reason) == (0, "an error: ZeroDivisionError: out of luck")
    assert play(Nim(40), (cast.greedy, cast.Crash()), seat=seat).points == 1


def test_an_exception_before_the_game_loses_too() -> None:
    class Late:
        def begin(self, seed: int) -> None:
            raise OSError("the engine did not start")

        def move(self, state: Any) -> int:
            return 1

    played = play(Nim(9), (cast.greedy, Late()))
    assert (played.points, played.plies) == (1, 0)
    assert played.reason == "an error before the game: OSError: the engine did not start"


def test_ctrl_c_is_no_loss() -> None:
    def interrupted(state: Any, history: Sequence[Any]) -> int:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play(Nim(9), (interrupted, cast.greedy))


def test_a_game_without_an_end_is_a_draw_and_says_so() -> None:
    pushes = lambda state, history: 1  # noqa: E731
    played = play(cast.Endless(), (pushes, pushes), most_plies=9)
    assert (played.points, played.plies) == (0.5, 9)
    assert played.reason == "no end after 9 plies: counted as a draw"


@pytest.mark.parametrize(
    ("what", "seat", "points"),
    [("draw", 0, 0.5), ("draw", 1, 0.5), ("loss", 0, 1), ("loss", 1, 0), ("win", 0, 0), ("win", 1, 1)],
)
def test_repeated_positions_count_as_the_game_declares(what: str, seat: int, points: float) -> None:
    """The start recurs every four plies, first when player 1 has moved."""
    pushes = lambda state, history: 1  # noqa: E731
    played = play(cast.Circle(what, 3), (pushes, pushes), seat=seat)
    assert (played.points, played.plies) == (points, 8)
    assert played.reason == f"the position occurred 3 times: a {what}"


def test_a_forbidden_repetition_is_an_illegal_move() -> None:
    pushes = lambda state, history: 1  # noqa: E731
    played = play(cast.Circle("forbid", 2), (pushes, pushes))
    assert (played.points, played.plies, played.reason) == (1, 3, "illegal move: 1 repeats a position")


def test_chance_is_drawn_by_the_seed() -> None:
    game = cast.Dice()
    one, same = (play(game, (cast.keeps, cast.gives), seed=5) for _ in range(2))
    assert one == same
    games = [play(game, (cast.keeps, cast.gives), seed=seed, seat=seed % 2) for seed in range(40)]
    assert all(played.points == 1 for played in games)
    assert len({played.moves for played in games}) > 30
    assert all(played.plies == 4 and len(played.moves) == 8 for played in games)


def test_who_leads_clearly_is_declared_the_winner() -> None:
    game = ConnectFour()
    lead = Adjudication(lambda state: 9.0, win=5, win_plies=4)
    for seat, points in ((0, 1), (1, 0)):
        played = play(game, (cast.first_action, cast.first_action), seat=seat, adjudication=lead)
        assert (played.points, played.plies, played.reason) == (points, 3, "adjudicated: a clear lead")


def test_a_lead_has_to_last() -> None:
    game = ConnectFour()
    flicker = Adjudication(lambda state: 9.0 if game.player(state) else -9.0, win=5, win_plies=2)
    assert play(game, (cast.first_action, cast.first_action), adjudication=flicker).reason == END


def test_a_level_game_is_declared_drawn_after_a_while() -> None:
    level = Adjudication(lambda state: 0.1, draw=0.2, draw_plies=3, draw_from=6)
    played = play(ConnectFour(), (cast.first_action, cast.first_action), adjudication=level)
    assert (played.points, played.plies, played.reason) == (0.5, 6, "adjudicated: nobody is ahead")


def test_a_judge_without_an_opinion_ends_nothing() -> None:
    silent = Adjudication(lambda state: None, win=1, win_plies=1, draw=1, draw_plies=1, draw_from=0)
    assert play(ConnectFour(), (cast.first_action, cast.first_action), adjudication=silent).reason == END


def test_a_short_search_may_be_the_judge() -> None:
    game = ConnectFour()
    judge = Judge(game, Limit(depth=3), compile="never")
    seen = Adjudication(judge, win=1e6, win_plies=1)
    # After 1 2 1 2 1 the first player threatens to complete the first column.
    played = play(game, (cast.first_action, cast.first_action), (0, 1, 0, 1, 0, 2), adjudication=seen)
    assert (played.points, played.plies) == (1, 6)


def test_an_opening_has_to_be_legal() -> None:
    with pytest.raises(InputError, match="ply 2 of the opening is an illegal move: 9"):
        play(ConnectFour(), (cast.first_action, cast.first_action), (3, 9))


@pytest.mark.parametrize("settings", [{}, {"win": 1, "win_plies": 0}, {"draw": 1, "draw_plies": 0}])
def test_adjudications_that_make_no_sense_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        Adjudication(lambda state: 0.0, **settings)


# --- matches ----------------------------------------------------------------------------------------


def test_a_match_plays_every_opening_with_both_sides() -> None:
    found = match(Nim(21), cast.Expert(), cast.greedy, games=6, openings=takes(1, 2, 3))
    for count, one in zip((1, 2, 3), found.rounds, strict=True):
        left = 21 - count
        # After the opening the second player is to move.
        expected = [cast.slow_score(left, first_is_expert=False), cast.slow_score(left, first_is_expert=True)]
        assert [game.share(0, 1) for game in one.games] == expected
        assert [game.seats for game in one.games] == [(0, 1), (1, 0)]
        assert all(game.moves[0] == str(count) for game in one.games)
    assert found.games_played == 6 and found.names == ("Expert", "greedy")


def test_the_same_seed_gives_the_same_match_and_another_seed_another() -> None:
    one, same = (match(ConnectFour(), RANDOM, OTHER, games=14, openings=COLUMNS, seed=4) for _ in range(2))
    other = match(ConnectFour(), RANDOM, OTHER, games=14, openings=COLUMNS, seed=5)
    assert one == same and one != other and one.rounds == same.rounds != other.rounds


def test_openings_are_found_where_none_are_given() -> None:
    book = Openings(ConnectFour(), seed=9, limit=Limit(nodes=100), compile="never", margin=1e9)
    found = match(ConnectFour(), RANDOM, RANDOM, games=8, openings=book, seed=9)
    assert [one.opening for one in found.rounds] == [opening.names for opening in book.take(4)]


def test_two_processes_play_the_same_match_as_one() -> None:
    settings: dict[str, Any] = {"games": 14, "openings": COLUMNS, "seed": 2}
    random_again = Contestant("again", cast.seeded_connect_four)
    one = match(ConnectFour(), RANDOM, random_again, **settings)
    two = match(ConnectFour(), RANDOM, random_again, jobs=2, **settings)
    assert one == two and one.digest == two.digest


def test_a_test_stops_the_match_as_soon_as_it_is_sure() -> None:
    book = [Opening((1,) * i, ("1",) * i, 0.0) for i in range(100)]
    test = Sprt(0, 200)
    told: list[Match] = []
    found = match(
        Nim(1001),
        cast.Expert(),
        cast.greedy,
        games=200,
        openings=book,
        sprt=test,
        on_progress=told.append,
    )
    assert found.score.count < 100 and found.verdict == "H1" and not found.ran_out
    assert [one.verdict for one in told] == [None] * (len(told) - 1) + ["H1"]
    assert "for Elo 0 against 200: H1" in str(found) and "after the stop" in str(found)
    assert found.estimate is not None and found.estimate.low < found.estimate.elo < found.estimate.high


def test_every_round_is_told_in_order() -> None:
    told: list[int] = []
    match(
        Nim(9),
        cast.Expert(),
        cast.greedy,
        games=6,
        openings=takes(1, 2, 3),
        on_progress=lambda m: told.append(m.games_played),
    )
    assert told == [2, 4, 6]


def test_the_text_tells_the_score_and_what_went_wrong() -> None:
    found = match(Nim(40), cast.Crash(), cast.greedy, games=4, openings=takes(1, 2))
    lines = str(found).splitlines()
    assert lines[0] == "Nim(counters=40, take=3, misere=False): Crash against greedy"
    assert lines[1] == f"  score           {found.score}"
    assert lines[-1] == "  Crash           4 × an error: ZeroDivisionError: out of luck"
    assert isinstance(found.score, Score) and found.score.losses == 4
    assert "Crash" in found._repr_html_()


def test_the_longest_thoughts_are_kept() -> None:
    found = match(Nim(9), cast.Expert(), cast.greedy, games=2, openings=takes(1))
    assert all(0 < seconds < 60 for seconds in found.slowest)


# --- files ------------------------------------------------------------------------------------------


class Counted:
    """Says how often it was asked."""

    def __init__(self, calls: list[int]):
        self.calls = calls

    def move(self, state: Any, history: Sequence[Any] = ()) -> int:
        self.calls.append(1)
        return cast.greedy(state, history)


def counted(calls: list[int]) -> Any:
    return Counted(calls)


def resumable(path: Path, calls: list[int], games: int = 6, **settings: Any) -> Match:
    return match(
        Nim(21), cast.Expert(), counted(calls), games=games, openings=takes(1, 2, 3), results=path, **settings
    )


def test_a_finished_match_is_read_and_not_played(tmp_path: Path) -> None:
    calls: list[int] = []
    whole = resumable(tmp_path / "new" / "match.jsonl", calls)
    assert calls
    calls.clear()
    assert resumable(tmp_path / "new" / "match.jsonl", calls) == whole
    assert not calls


def test_a_match_that_was_stopped_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    calls: list[int] = []
    part = resumable(path, calls, games=2)
    first = len(calls)
    whole = resumable(path, calls)
    assert whole.rounds[:1] == part.rounds and len(calls) > first
    assert len(path.read_text().splitlines()) == 4
    assert whole == resumable(tmp_path / "other.jsonl", [])


def test_a_line_that_was_cut_off_is_played_again(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    whole = resumable(path, [])
    text = path.read_text()
    path.write_text(text[:-30])
    calls: list[int] = []
    assert resumable(path, calls) == whole and calls
    assert path.read_text().splitlines()[0] == text.splitlines()[0]
    assert len(path.read_text().splitlines()) == len(text.splitlines())


def test_a_missing_pair_in_the_middle_is_played_again(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    whole = resumable(path, [])
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0], lines[1], lines[3]]) + "\n")
    assert resumable(path, []) == whole


def test_an_empty_file_is_a_new_one(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    path.write_text("")
    assert len(resumable(path, []).rounds) == 3


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"seed": 7}, "its seed is 0, this one's is 7"),
        ({"most_plies": 50}, "its most_plies is 1000, this one's is 50"),
        ({"adjudication": Adjudication(lambda state: None, win=9)}, "its adjudication is None"),
    ],
)
def test_two_matches_do_not_share_a_file(tmp_path: Path, change: dict[str, Any], why: str) -> None:
    path = tmp_path / "match.jsonl"
    resumable(path, [])
    with pytest.raises(InputError, match=f"holds another experiment: {why}"):
        resumable(path, [], **change)


def test_other_openings_do_not_share_a_file(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    resumable(path, [])
    with pytest.raises(InputError, match="round 1 was played from another opening"):
        match(Nim(21), cast.Expert(), counted([]), games=2, openings=takes(3), results=path)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("hello\n", "is no file of results"),
        ("[1, 2]\n", "is no file of results"),
        ('{"schema": "gametree.analysis/1"}\n', "is no file of results"),
    ],
)
def test_a_file_of_something_else_is_refused(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "match.jsonl"
    path.write_text(text)
    with pytest.raises(InputError, match=why):
        resumable(path, [])
    assert path.read_text() == text


def test_a_file_of_bytes_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    for content, why in (
        (b"\xff\xfe\x00\x80\n", "no text in UTF-8"),
        (b"\xff", "no file of results"),
        (b"my notes", "no file"),
    ):
        path.write_bytes(content)
        with pytest.raises(InputError, match=why):
            resumable(path, [])
        assert path.read_bytes() == content


@pytest.mark.parametrize(
    "line",
    [
        "oops",
        "3",
        "{}",
        '{"task": "0"}',
        '{"task": "0", "round": -1, "players": [0, 1], "start": null, "opening": [], "games": []}',
        '{"task": "0", "round": 0, "players": [0, 1], "start": null, "opening": [1], "games": [{}, {}]}',
        "[" * 100_000,
    ],
)
def test_a_damaged_line_is_refused_with_its_number(tmp_path: Path, line: str) -> None:
    path = tmp_path / "match.jsonl"
    resumable(path, [], games=2)
    path.write_text(path.read_text() + line + "\n")
    with pytest.raises(InputError, match=r"match.jsonl, (line 3|task 0).*; delete the line"):
        resumable(path, [])


@pytest.mark.parametrize(
    ("key", "value"),
    [("points", [0.3]), ("points", [2, 0]), ("seats", [2, 3]), ("moves", [1]), ("slowest", ["1"])],
)
def test_a_damaged_game_is_refused(tmp_path: Path, key: str, value: Any) -> None:
    path = tmp_path / "match.jsonl"
    resumable(path, [], games=2)
    header, line = path.read_text().splitlines()
    pair = json.loads(line)
    pair["games"][1][key] = value
    path.write_text(f"{header}\n{json.dumps(pair)}\n")
    with pytest.raises(InputError, match="delete the line to have"):
        resumable(path, [])


# --- refusals ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("games", [0, 1, 7, -2, 2.0, True])
def test_games_come_in_pairs(games: Any) -> None:
    with pytest.raises(InputError, match="games are played in pairs"):
        match(Nim(9), cast.Expert(), cast.greedy, games=games, openings=takes(1))


@pytest.mark.parametrize("settings", [{"jobs": 0}, {"jobs": True}, {"most_plies": 0}])
def test_settings_that_make_no_sense_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="at least 1"):
        match(Nim(9), cast.Expert(), cast.greedy, openings=takes(1), **settings)


def test_who_cannot_move_is_no_player() -> None:
    with pytest.raises(InputError, match="42 is no player: write a name such as 'level:6'"):
        match(Nim(9), 42, cast.greedy, games=2, openings=takes(1))


def test_too_few_openings_are_told() -> None:
    found = match(Nim(9), cast.Expert(), cast.greedy, games=10, openings=takes(1, 2))
    assert found.ran_out and found.games_played == 4
    assert "there are openings for 4 games only, not for 10" in str(found)


def test_players_that_cannot_be_sent_are_refused_with_the_way_out() -> None:
    with pytest.raises(InputError, match=r"cannot be sent to other processes .* or jobs=1"):
        match(Nim(9), lambda state, history: 1, cast.greedy, games=2, openings=takes(1), jobs=2)


class Alone(Nim):
    players = 1


def test_in_a_game_with_hidden_information_players_are_handed_what_they_have_seen() -> None:
    handed: list[Any] = []

    def first_action(view: Any, history: Any) -> Any:
        handed.append((view, history))
        return view.actions[0]

    found = match(Kuhn(), first_action, first_action, games=4, seed=1)
    assert len(found.games) == 4
    assert all(isinstance(view, View) and history == () for view, history in handed)
    assert all(view.observation[0] in (0, 1, 2) and len(view.observation) == 3 for view, _ in handed)
    assert len({game.moves[:2] for game in found.games}) > 1


def test_games_in_which_nobody_meets_anybody_are_refused() -> None:
    with pytest.raises(UnsuitableError, match="Alone has one side only"):
        match(Alone(), cast.Expert(), cast.greedy, games=2, openings=takes(1))


def test_a_class_is_no_game() -> None:
    with pytest.raises(InputError, match=r"write Nim\(\) for Nim"):
        match(Nim, cast.Expert(), cast.greedy)  # type: ignore[arg-type]


def test_records_are_equal_where_the_games_are() -> None:
    one = Played(0, 1.0, END, 3, ("1",), (0.1, 0.2))
    assert one == dataclasses.replace(one, slowest=(3.0, math.inf))
