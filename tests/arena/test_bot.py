"""An opponent of ten levels."""

import asyncio
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from gametree import CHANCE, Chance, Game, Limit, Tree, analyze
from gametree.arena.bot import Bot
from gametree.arena.calibrating import calibrate
from gametree.arena.calibration import GENERAL, MEASURED, Level, document, levels_of
from gametree.arena.lasting import lasting_text
from gametree.arena.strength import LEVELS
from gametree.errors import InputError
from gametree.games import ConnectFour, Hex, Nim, PhantomTicTacToe, TicTacToe
from gametree.search.choice import fitting
from gametree.view import view_of


class Plain(Game):
    """Nim without declarations, evaluation or anything that compiles: its states hold text."""

    def __init__(self, counters: int = 21):
        self.counters = counters

    def initial(self) -> Any:
        return ("|" * self.counters, 0)

    def player(self, state: Any) -> int:
        return int(state[1])

    def actions(self, state: Any) -> Iterable[int]:
        return range(1, min(3, len(state[0])) + 1)

    def result(self, state: Any, action: int) -> Any:
        return (state[0][action:], 1 - state[1])

    def is_terminal(self, state: Any) -> bool:
        return not state[0]

    def utility(self, state: Any, player: int) -> float:
        return -1 if player == state[1] else 1


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_plays_a_legal_move(level: int) -> None:
    game = TicTacToe()
    state = game.parse_state("X../.O./...")
    assert Bot(game, level).move(state) in list(game.actions(state))


@pytest.mark.parametrize("level", [1, 4, 9])
def test_the_same_seed_gives_the_same_moves(level: int) -> None:
    game = TicTacToe()
    states = [game.initial(), game.parse_state("X../.O./..."), game.parse_state("X.O/.X./..O")]
    first, second = ([Bot(game, level, seed=7).move(state) for state in states] for _ in range(2))
    assert first == second


def test_other_seeds_give_other_moves() -> None:
    game = TicTacToe()
    assert len({Bot(game, 1, seed).move(game.initial()) for seed in range(20)}) > 3


@pytest.mark.parametrize("level", [4, 7, 10])
def test_a_win_at_hand_is_taken(level: int) -> None:
    game = ConnectFour()
    state = game.parse_state("414141")
    assert all(Bot(game, level, seed).move(state) == 3 for seed in range(3))


def set_levels(monkeypatch: pytest.MonkeyPatch, level: Level) -> None:
    """Makes levels 1 to 9 of Connect Four the same."""
    monkeypatch.setitem(MEASURED, "ConnectFour", (level,) * 9)


def test_a_level_of_few_lines_chooses_among_the_best_only(monkeypatch: pytest.MonkeyPatch) -> None:
    game = ConnectFour()
    state = game.parse_state("44")
    best = {move.action for move in analyze(game, state, Limit(nodes=500), lines=2).lines}
    set_levels(monkeypatch, Level(500, 1000.0, 2))
    assert {Bot(game, 7, seed).move(state) for seed in range(20)} == best and len(best) == 2
    set_levels(monkeypatch, Level(500, 1000.0))
    assert {Bot(game, 7, seed).move(state) for seed in range(60)} == set(game.actions(state))


def test_fewer_lines_let_a_level_see_further(monkeypatch: pytest.MonkeyPatch) -> None:
    game = ConnectFour()
    depths = []
    for lines in (None, 4):
        set_levels(monkeypatch, Level(2_000, 0.5, lines))
        depths.append(Bot(game, 8).think(game.initial()).depth or 0)
    assert depths[0] < depths[1]


@pytest.mark.parametrize("lines", [None, 7, 2])
def test_from_level_six_on_no_blur_walks_into_a_loss_that_is_seen(
    monkeypatch: pytest.MonkeyPatch, lines: int | None
) -> None:
    game = ConnectFour()
    set_levels(monkeypatch, Level(300, 1000.0, lines))
    threatened, winning = game.parse_state("41414"), game.parse_state("414141")
    for state in (threatened, winning):
        assert {Bot(game, 6, seed).move(state) for seed in range(20)} == {3}
        assert len({Bot(game, 5, seed).move(state) for seed in range(20)}) > 1


def test_a_search_that_tells_no_lines_values_every_move(monkeypatch: pytest.MonkeyPatch) -> None:
    class Slippery(ConnectFour):
        """The column may be another one, so that neither lines nor the engine will do."""

        def chance(self, state: Any) -> Iterable[tuple[Any, float]]:
            return ()

    game = Slippery()
    assert fitting(game).method != "engine"
    set_levels(monkeypatch, Level(300, 1000.0, 2))
    assert len({Bot(game, 7, seed).move(game.initial()) for seed in range(40)}) > 2


def test_the_strongest_level_never_loses_at_tic_tac_toe() -> None:
    game = TicTacToe()
    strong, weak = Bot(game, 10), Bot(game, 3, seed=3)
    for strong_first in (True, False):
        state = game.initial()
        while not game.is_terminal(state):
            state = game.result(
                state, (strong if (game.player(state) == 0) == strong_first else weak).move(state)
            )
        assert game.utility(state, 0 if strong_first else 1) >= 0


def test_a_higher_level_beats_a_lower_one_more_often() -> None:
    game = TicTacToe()
    score = 0.0
    for seed in range(20):
        bots = (Bot(game, 7, seed), Bot(game, 1, seed))
        state = game.initial()
        while not game.is_terminal(state):
            state = game.result(state, bots[game.player(state) ^ seed & 1].move(state))
        score += game.utility(state, seed & 1)
    assert score >= 10


@pytest.mark.parametrize("level", LEVELS)
def test_a_game_without_an_evaluation_can_be_played(level: int) -> None:
    game = Plain()
    assert Bot(game, level).move(game.initial()) in (1, 2, 3)


def test_without_an_evaluation_the_ends_within_reach_decide() -> None:
    game = Plain(6)
    assert all(Bot(game, 7, seed).move(game.initial()) == 2 for seed in range(5))


def test_a_move_at_the_strongest_level_has_well_under_two_seconds() -> None:
    seconds = Bot(ConnectFour(), 10)._limit.seconds
    assert seconds is not None and seconds < 2


def test_an_event_loop_may_wait_for_a_move() -> None:
    game = Nim(counters=6)
    assert asyncio.run(Bot(game, 9).move_async(game.initial())) == 2


def test_after_the_end_there_is_nothing_to_move() -> None:
    game = TicTacToe()
    with pytest.raises(InputError, match="the game is over"):
        Bot(game).move(game.parse_state("XXX/OO./..."))


@pytest.mark.parametrize("level", [0, 11, 2.5, "3", True, None])
def test_levels_are_one_to_ten(level: Any) -> None:
    with pytest.raises(InputError, match="it is a whole number from 1 to 10"):
        Bot(TicTacToe(), level)


def test_a_class_is_not_a_game() -> None:
    with pytest.raises(InputError, match=r"write TicTacToe\(\) for TicTacToe"):
        Bot(TicTacToe)  # type: ignore[arg-type]


def test_in_a_game_with_hidden_information_a_bot_knows_what_its_player_has_seen() -> None:
    """The other's marks are moved to where the player has not looked: the answer stays."""
    game = PhantomTicTacToe()
    first = [game.parse_state(text) for text in ("", "a1", "a1 b2")]
    second = [game.parse_state(text) for text in ("", "a1", "a1 c3")]
    for level in (1, 4, 7):
        bot = Bot(game, level=level, seed=3)
        answers = [bot.move(states[-1], states[:-1]) for states in (first, second)]
        answers.append(bot.move(view_of(game, second[-1], second[:-1])))
        assert len(set(answers)) == 1
        assert answers[0] != game.parse_action(game.initial(), "a1")


@pytest.mark.parametrize(
    ("game", "method", "best"),
    [
        (Tree([(1, 2, 6), (4, 3, 2), (2, 9, 0)], movers=(0, 1, 2)), "maxn", 1),
        (Tree([Chance([(0.5, 1), (0.5, 9)]), 3]), "expectiminimax", 0),
        (TicTacToe(), "engine", None),
        (Hex(size=11), "mcts", None),
    ],
    ids=["three players", "dice", "a small tree", "a large tree"],
)
def test_every_other_game_is_played_by_the_search_that_fits(
    game: Game, method: str, best: int | None
) -> None:
    assert fitting(game).method == method
    bot = Bot(game, 9 if best is not None else 2)
    action = bot.move(game.initial())
    assert action in list(game.actions(game.initial()))
    assert best is None or action == best


# --- time, turns and levels of one's own -----------------------------------------------------------


class Costly(Plain):
    """Rules that count how often they were asked, each time for a moment."""

    def __init__(self, counters: int = 40, moment: float = 0.002):
        super().__init__(counters)
        self.moment = moment
        self.asked: list[int] = [0]

    def is_terminal(self, state: Any) -> bool:
        self.asked[0] += 1
        time.sleep(self.moment)
        return super().is_terminal(state)

    def evaluate(self, state: Any, player: int) -> float:
        return 0.1 * (len(state[0]) % 4) * (1 if player == state[1] else -1)


def test_a_level_of_many_nodes_ends_by_its_time_where_rules_are_slow() -> None:
    game = Costly()
    bot = Bot(game, 9, seconds=0.2)
    for _ in range(2):  # the first time it may wait for machine code
        assert bot.move(game.initial()) in (1, 2, 3)
    found = bot.think(game.initial())
    assert found.stopped_by in ("seconds", "cancelled") and found.nodes < GENERAL[8].nodes / 10


def test_a_cancelled_move_leaves_nothing_running() -> None:
    game = Costly()
    bot = Bot(game, 10, seconds=1000)
    bot._thinkers.start()  # what makes machine code asks the rules, too
    bot._thinkers.join()
    game.asked[0] = 0

    async def cancelled() -> int:
        task = asyncio.create_task(bot.move_async(game.initial()))
        while game.asked[0] < 50:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return game.asked[0]

    asked = asyncio.run(cancelled())
    assert not bot._turn.locked() and not bot._thinkers.thinks
    time.sleep(0.05)
    assert game.asked[0] == asked
    bot._limit = Limit(nodes=20)
    assert bot.move(game.initial()) in (1, 2, 3)


class Three(Costly):
    """Three take turns, so that neither engine nor Monte-Carlo search thinks."""

    players = 3
    total = None

    def result(self, state: Any, action: int) -> Any:
        return (state[0][action:], (state[1] + 1) % 3)

    def utility(self, state: Any, player: int) -> float:
        return 1 if player == state[1] else 0


class Thrown(Costly):
    """A throw says how many may be taken at most."""

    def initial(self) -> Any:
        return ("|" * self.counters, 0, 0)

    def player(self, state: Any) -> int:
        return int(state[1]) if state[2] else CHANCE

    def chance(self, state: Any) -> Any:
        return [(1, 0.5), (2, 0.5)]

    def actions(self, state: Any) -> Iterable[int]:
        return range(1, min(state[2], len(state[0])) + 1)

    def result(self, state: Any, action: int) -> Any:
        return (state[0][action:], 1 - state[1], 0) if state[2] else (state[0], state[1], action)


@pytest.mark.parametrize("kind", [Three, Thrown])
def test_stop_ends_the_thinking_about_dice_and_about_many_players(kind: Any) -> None:
    game = kind()
    state = game.initial() if kind is Three else game.result(game.initial(), 2)
    bot = Bot(game, 10, seconds=1000)
    done: list[Any] = []
    thread = threading.Thread(target=lambda: done.append(bot.move(state)))
    thread.start()
    while game.asked[0] < 50:
        time.sleep(0.01)
    while thread.is_alive():
        bot.stop()
        thread.join(0.05)
    assert done[0] in list(game.actions(state))


def test_who_asks_a_bot_that_thinks_waits() -> None:
    game = Costly(counters=12, moment=0.0005)
    bot = Bot(game, 4, seconds=0.3)
    done: list[Any] = []
    threads = [threading.Thread(target=lambda: done.append(bot.move(game.initial()))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(done) == 3 and set(done) <= {1, 2, 3}


def test_states_of_sets_have_one_text_in_every_process() -> None:
    shown = lasting_text(
        (frozenset({"knight", "bishop", "rook"}), {"b": 1, "a": 2}, [State(3, frozenset("ab"))])
    )
    assert shown == "({'bishop', 'knight', 'rook'}, {'a': 2, 'b': 1}, [State(3, {'a', 'b'})])"


class State(NamedTuple):
    left: int
    seen: frozenset[str]


@pytest.mark.slow
def test_a_bot_plays_alike_whatever_the_hashes_of_texts_are() -> None:
    code = (
        "import gametree as gt\n"
        "class Sets(gt.Game):\n"
        "    payoffs = (-1, 1)\n"
        "    def initial(self): return (frozenset({'ant', 'bee', 'cow', 'dog', 'elk'}), 0)\n"
        "    def player(self, s): return s[1]\n"
        "    def actions(self, s): return sorted(s[0])\n"
        "    def result(self, s, a): return (s[0] - {a}, 1 - s[1])\n"
        "    def is_terminal(self, s): return len(s[0]) < 2\n"
        "    def utility(self, s, p): return (1 if 'bee' in s[0] else -1) * (1 if p == 0 else -1)\n"
        "    def evaluate(self, s, p): return len(s[0]) / 10 * (1 if p == 0 else -1)\n"
        "game = Sets()\n"
        "print([gt.Bot(game, level, seed).move(game.initial()) for level in (1, 4, 7) for seed in range(6)])\n"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("0", "1", "77")
    }
    assert len(said) == 1


def test_levels_of_a_game_are_given_or_read_and_those_of_other_rules_refused(tmp_path: Path) -> None:
    game = Plain(9)
    levels = [Level(10 + k, 5.0 - k / 2) for k in range(9)]
    assert Bot(game, 3, levels=levels)._strength.nodes == 12
    file = tmp_path / "plain.levels.json"
    file.write_text(json.dumps(document(game, tuple(levels), 1.0)))
    assert Bot(Plain(9), 3, levels=file)._strength.nodes == 12
    with pytest.raises(InputError, match=r"plain.levels.json has the levels of other rules .*calibrate"):
        Bot(Plain(10), 3, levels=file)
    with pytest.raises(InputError, match="8 were given"):
        Bot(game, 3, levels=levels[:8])
    with pytest.raises(InputError, match="level 1 looks at 0 nodes"):
        Bot(game, 3, levels=[Level(0, 1.0), *levels[1:]])
    file.write_text('{"schema": "gametree.levels/1"}')
    with pytest.raises(InputError, match="lacks game"):
        Bot(game, 3, levels=file)


def test_levels_beside_the_game_are_found_and_old_ones_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    game = Plain(11)
    file = tmp_path / "mygame.levels.json"
    monkeypatch.setattr("gametree.arena.calibration.file_of", lambda game: file)
    file.write_text(json.dumps(document(game, tuple(Level(5, 1.0) for _ in range(9)), 1.0)))
    assert Bot(game, 9)._strength.nodes == 5
    assert Bot(Plain(12), 9)._strength.nodes == GENERAL[8].nodes
    assert "other rules" in caplog.text


def test_calibrating_gives_nine_levels_of_no_fewer_nodes_each() -> None:
    told: list[Any] = []
    found = calibrate(Plain(9), seconds=0.05, games=2, on_level=told.append)
    nodes = [level.nodes for level in found.levels]
    assert nodes == sorted(nodes) and len(nodes) == 9 == len(told)
    assert [one.score is None for one in found.measured] == [True] + [False] * 8
    assert levels_of(Plain(9), found.levels) == found.levels
    with pytest.raises(InputError, match="games=3"):
        calibrate(Plain(9), games=3)
