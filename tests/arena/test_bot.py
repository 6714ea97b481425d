"""An opponent of ten levels."""

import asyncio
import time
from collections.abc import Iterable
from typing import Any

import pytest

from gametree import Chance, Game, Limit, Tree, analyze
from gametree.arena.bot import Bot
from gametree.arena.calibration import MEASURED, Level
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


def test_a_move_at_the_strongest_level_takes_well_under_two_seconds() -> None:
    bot = Bot(ConnectFour(), 10)
    bot.move(bot.game.initial())
    start = time.perf_counter()
    bot.move(bot.game.initial())
    assert time.perf_counter() - start < 2


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
