"""Players by name, and what they do when they play."""

import re
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import gametree as gt
from gametree.arena.asking import Question
from gametree.arena.clocks import Clock, Clocks, Control
from gametree.arena.players import GOOD, player
from gametree.arena.playing import Played, play
from gametree.errors import InputError, UnsuitableError
from gametree.games import Chess, Go, Kuhn, Nim, Othello, TicTacToe
from gametree.result import Limit

HERE = Path(__file__).parent / "engines"
BOTS = HERE / "bots.py"
QUICK = Control(patience=0.4)


def fake(protocol: str, fault: str) -> str:
    return f"{protocol}:{sys.executable} {HERE / 'fake.py'} {protocol} {fault}"


def meet(game: gt.Game, first: str, second: str = "random", control: Control = QUICK, **more: Any) -> Played:
    players = [player(name).make(game) for name in (first, second)]
    try:
        return play(game, players, control=control, **more)
    finally:
        for one in players:
            if hasattr(one, "close"):
                one.close()


# --- names ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("", "is no name of a player; there are: random, level:1"),
        ("xyz", "there is no player 'xyz'; there are: random, level:1 to level:10, analyze"),
        ("mtcs:simulations=3", "did you mean mcts"),
        ("level", "a level is 1 to 10"),
        ("level:11", "a level is 1 to 10"),
        ("level:x", "a level is 1 to 10"),
        ("level:3,nodes=2", "a level has no setting 'nodes'; it has: seconds"),
        ("mcts:simulation=3", "mcts has no setting 'simulation'; it has: .*simulations"),
        ("mcts:simulations=0", "simulations=0: a whole number of at least 1"),
        ("mcts:simulations=many", "simulations='many': a whole number"),
        ("analyze:seconds=-1", "seconds=-1: a number above 0"),
        ("analyze:seconds", "'seconds' is no setting; write a name and a value"),
        ("analyze:seconds=1,seconds=2", "seconds stands twice"),
        ("analyze:depth=2,weights=none.json", "none.json cannot be read"),
        ("random:nodes=3", "random has no setting 'nodes'"),
        ("uci:", "a program is missing"),
        ("uci:no-such-engine-at-all", "there is no program 'no-such-engine-at-all'"),
        ("nowhere.py:Greedy", "nowhere.py does not exist"),
        (f"{BOTS}:Nobody", "has no 'Nobody'; it has: Greedy, Knowing"),
        (f"{BOTS}:Speechless", "the class has no `move"),
        (f"{BOTS}:number", "is no player: a player has `move"),
        (str(BOTS), r"has \d classes with `move`; name the player: .*bots.py:Greedy or"),
        (f"{BOTS}:Greedy,level=2", "a player of your own takes no settings"),
    ],
)
def test_a_bad_name_is_told_with_what_would_be_good(name: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        player(name).require()


def test_names_are_read() -> None:
    one = player("uci:'/some where/engine' --fast, UCI_Elo=1800,UCI_LimitStrength=true, seconds=0.1")
    assert one.place == "'/some where/engine' --fast" and one.limit == Limit(seconds=0.1)
    assert one.settings == {"UCI_Elo": 1800, "UCI_LimitStrength": True, "seconds": 0.1}
    assert player("level:6").timed is False and player("level:10").timed and player("analyze").timed is None
    assert player("analyze:nodes=100").timed is False and player("mcts:seconds=1").timed
    assert all(word.split(":")[0] for word in GOOD)
    assert player(f"{BOTS}:Greedy").identity != player(f"{BOTS}:Illegal").identity
    assert "simulations" in player("mcts:simulations=8")._repr_html_()


@pytest.mark.parametrize(
    ("game", "name"),
    [
        (TicTacToe(), "random"),
        (TicTacToe(), "level:2"),
        (TicTacToe(), "analyze:depth=2"),
        (TicTacToe(), "alphabeta:depth=2,fail=hard"),
        (TicTacToe(), "mcts:simulations=40,exploration=1.2,compile=never"),
        (TicTacToe(), "mtdf:depth=3,compile=never"),
        (Kuhn(), "level:3"),
        (Kuhn(), "random"),
        (Kuhn(), "ismcts:simulations=20,compile=never"),
        (Kuhn(), "pimc:worlds=2"),
        (Kuhn(), "equilibrium"),
        (Nim(7), f"{BOTS}:Knowing"),
        (Nim(7), f"{BOTS}:last"),
        (Nim(7), "json:gametree engine --json,level=2"),
    ],
)
def test_every_kind_of_player_plays_a_game_to_its_end(game: gt.Game, name: str) -> None:
    control = Control(patience=60)
    assert meet(game, name, control=control, seed=3).reason == "the game ended"
    assert meet(game, name, control=control, seat=1).reason == "the game ended"


def test_players_by_node_limits_answer_the_same_for_the_same_seed() -> None:
    game = TicTacToe()
    for name in ("random", "level:1", "mcts:simulations=30,compile=never"):
        one, other = player(name).make(game), player("random").make(game)
        games = [[play(game, (one, other), seed=seed).moves for seed in range(4)] for _ in range(2)]
        assert games[0] == games[1] and len(set(games[0])) > 1


# --- what players do wrong ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Hangs", "no answer in 0.4 s: the program hangs"),
        ("Exits", r"the program ended \(code 7\)"),
        ("Raises", "an error: ValueError: out of luck"),
        ("Illegal", "illegal move: 99 is none of the 3 legal actions"),
    ],
)
def test_a_player_of_the_users_own_that_fails_has_lost_and_nothing_else_happens(
    name: str, reason: str
) -> None:
    game, bad = Nim(9), player(f"{BOTS}:{name}").make(Nim(9))
    for _ in range(2):  # the next game has a new process
        played = play(game, (bad, player("random").make(game)), control=QUICK)
        assert played.points == 0 and re.match(reason, played.reason), played.reason
    bad.close()


def test_a_player_may_print_what_it_likes() -> None:
    assert meet(Nim(9), f"{BOTS}:Babbles", control=Control()).reason == "the game ended"


CASES = {
    "hangs": "no answer in 0.4 s: the program hangs",
    "dies": "the program ended (code 3)",
    "killed": "the program ended (signal 9)",
    "babbles": "the program printed 1 MB without an answer",
}


@pytest.mark.parametrize("fault", CASES)
def test_an_engine_that_fails_has_lost(fault: str) -> None:
    control = QUICK if fault == "hangs" else Control(patience=20)
    played = meet(Chess(), fake("uci", fault), "random", control)
    assert (played.points, played.reason) == (0, CASES[fault])


@pytest.mark.parametrize(
    ("game", "protocol", "fault", "reason"),
    [
        (Chess(), "uci", "lies", "illegal move: e7e9"),
        (Chess(), "uci", "garbles", "illegal move: nothing"),
        (Chess(), "uci", "mute", "the program ended (code 0)"),
        (TicTacToe(), "ugi", "lies", "illegal move: e7e9"),
        (Go(5), "gtp", "lies", "illegal move: Z99"),
        (Go(5), "gtp", "resigns", "resigned"),
        (Othello(), "gtp", "garbles", "the program refuses 'genmove black': I do not want to"),
        (Nim(), "json", "lies", "illegal move: Z99"),
        (Nim(), "json", "garbles", "the program answers '{not json', which is no JSON"),
    ],
)
def test_an_engine_that_talks_nonsense_has_lost(
    game: gt.Game, protocol: str, fault: str, reason: str
) -> None:
    played = meet(game, fake(protocol, fault), control=Control(patience=20))
    assert (played.points, played.reason) == (0, reason)


def test_an_option_that_an_engine_does_not_have_is_told() -> None:
    played = meet(Chess(), f"{fake('uci', 'lies')},Elo=3", control=Control(patience=20))
    assert (played.points, played.reason) == (0, "the engine has no option Elo")


@pytest.mark.parametrize(
    ("name", "game", "why"),
    [
        ("uci", Nim(), "uci: is for chess"),
        ("gtp", Nim(), "gtp: is for Go"),
        ("ugi", Kuhn(), "ugi: is for two"),
    ],
)
def test_engines_for_other_games_are_refused(name: str, game: gt.Game, why: str) -> None:
    with pytest.raises(UnsuitableError, match=why):
        player(fake(name, "lies")).make(game)


# --- clocks -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("5+0.05", Control(5, 0.05)),
        ("60", Control(60)),
        ("1:30+1", Control(90, 1)),
        ("40/60+0.5", Control(60, 0.5, 40)),
    ],
)
def test_time_controls_are_read_as_people_write_them(text: str, clock: Control) -> None:
    assert Control.read(text) == clock
    assert clock.timed and str(clock)


@pytest.mark.parametrize(
    "given", [{"seconds": 0}, {"each": -1}, {"seconds": 1, "each": 1}, {"nodes": 0}, {"margin": -1}]
)
def test_time_controls_that_make_no_sense_are_refused(given: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        Control(**given)
    with pytest.raises(InputError, match="write seconds and an increment"):
        Control.read("five")


def test_clocks_run_as_they_are_set() -> None:
    clocks = Clocks(Control(1.0, 0.5, moves=2, margin=0.1), 2)
    assert clocks.shown(0) == Clock((1.0, 1.0), 0, 0.5, 2)
    assert clocks.take(0, 0.8) == "" and clocks.shown(1) == Clock((pytest.approx(0.7), 1.0), 1, 0.5, 2)  # type: ignore[arg-type]
    assert clocks.take(0, 0.75) == ""  # within the margin; the next time control begins
    shown = clocks.shown(0)
    assert shown is not None and shown.own == pytest.approx(1.5) and shown.moves == 2
    assert clocks.take(1, 1.2) == "lost on time: 1.20 s for a move, with 1.00 s left"
    assert Clocks(Control(each=0.1), 2).take(0, 0.2).startswith("lost on time")


def test_who_takes_too_long_loses_on_time() -> None:
    def slow(state: Any, history: Any) -> int:
        time.sleep(0.05)
        return 1

    played = play(Nim(9), (slow, slow), control=Control(each=0.01, margin=0.01))
    assert played.points == 0 and played.reason.startswith("lost on time: 0.0")


def test_a_search_without_a_limit_of_its_own_keeps_to_that_of_the_match() -> None:
    question = Question(Nim(), Nim().initial(), clock=Clock((6.0, 1.0), 0), limit=None)
    seconds = question.allowed(None, Limit(seconds=1)).seconds
    assert seconds is not None and 0.05 < seconds < 1
    assert question.allowed(Limit(nodes=3), Limit(seconds=1)) == Limit(nodes=3)
    assert Question(Nim(), 0, limit=Limit(nodes=5)).allowed(None, Limit(seconds=1)) == Limit(nodes=5)
    assert Question(Nim(), 0).allowed(None, Limit(seconds=1)) == Limit(seconds=1)
