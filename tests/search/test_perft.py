"""Perft: the fingerprint of the rules."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import oracle
from fixtures.kuhn_poker import KuhnPoker
from gametree import Chance, Game, InputError, Tree, UnsuitableError, perft
from gametree.games import ConnectFour, Nim, TicTacToe
from gametree.search.perft import shares
from search.agreement import WAYS

TIC_TAC_TOE = [1, 9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872, 0]
CONNECT_FOUR = [1, 7, 49, 343, 2_401, 16_807, 117_649, 823_536, 5_673_234]


class PlaysOn(Nim):
    """Nim whose rules still name actions when the game is over."""

    def actions(self, state: Any) -> range:
        return range(1, 3)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("depth", range(8))
def test_tic_tac_toe_has_the_counts_of_the_literature(way: str, depth: int) -> None:
    assert perft(TicTacToe(), depth, compile=way) == TIC_TAC_TOE[depth]


@pytest.mark.needs_compiler
@pytest.mark.parametrize("depth", [8, 9, 10])
def test_tic_tac_toe_has_the_counts_of_the_literature_to_the_end(depth: int) -> None:
    assert perft(TicTacToe(), depth, compile="always") == TIC_TAC_TOE[depth]


@pytest.mark.needs_compiler
@pytest.mark.parametrize("depth", range(9))
def test_connect_four_has_the_counts_of_the_literature(depth: int) -> None:
    assert perft(ConnectFour(), depth, compile="always") == CONNECT_FOUR[depth]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "game",
    [ConnectFour(), TicTacToe(4, 3, 3), Nim(7), Tree([[1, [2, 3]], 4, [5]]), PlaysOn(2)],
    ids=lambda game: type(game).__name__,
)
def test_both_ways_of_running_count_what_the_oracle_counts(way: str, game: Game) -> None:
    for depth in range(5):
        assert perft(game, depth, compile=way) == oracle.perft(game, depth)


@pytest.mark.parametrize("way", WAYS)
def test_it_follows_actions_beyond_the_end_of_the_game(way: str) -> None:
    assert perft(PlaysOn(2), 6, compile=way) == 2**6


@pytest.mark.parametrize("way", WAYS)
def test_it_counts_from_any_state(way: str) -> None:
    game = TicTacToe()
    state = game.parse_state("X.O/.X./...")
    assert perft(game, 2, state, compile=way) == oracle.perft(game, 2, state)
    assert perft(game, 0, state, compile=way) == 1


@pytest.mark.parametrize("way", WAYS)
def test_at_depth_zero_there_is_one_line(way: str) -> None:
    assert perft(Nim(1), 0, compile=way) == 1


@pytest.mark.parametrize("game", [KuhnPoker(), Tree(Chance([(0.5, 1), (0.5, [2, 3])]))], ids=["kuhn", "tree"])
def test_chance_is_refused_by_name(game: Game) -> None:
    with pytest.raises(UnsuitableError, match=rf"{type(game).__name__} has chance nodes"):
        perft(game, 2)


@pytest.mark.parametrize("depth", [-1, None, "3", 1.5], ids=repr)
def test_a_depth_that_is_none_is_refused(depth: Any) -> None:
    with pytest.raises(InputError, match="depth"):
        perft(Nim(), depth)


def test_a_class_is_no_game() -> None:
    with pytest.raises(InputError, match=r"perft takes a game, not its class.*Nim\(\)"):
        perft(Nim, 2)  # type: ignore[arg-type]


# --- spread out -------------------------------------------------------------------------------------


def test_whoever_counts_the_counts_are_the_same(tmp_path: Path) -> None:
    game = ConnectFour()
    with ThreadPoolExecutor(2) as threads:
        assert [perft(game, depth, executor=threads) for depth in range(6)] == CONNECT_FOUR[:6]
    for depth in (0, 1, 4, 9, 10):
        file = tmp_path / f"{depth}.jsonl"
        assert perft(TicTacToe(), depth, results=file) == TIC_TAC_TOE[depth]
    assert perft(TicTacToe(), 5, jobs=2) == TIC_TAC_TOE[5]


def test_the_parts_are_those_below_each_action() -> None:
    game = Nim(counters=7)
    below = [oracle.perft(game, 3, game.result(game.initial(), take)) for take in (1, 2, 3)]
    assert shares(game, 4) == below
    assert shares(game, 0) == [1] and shares(game, 9) == [0, 0, 0]


def test_a_count_goes_on_from_its_file_and_the_file_is_for_one_count(tmp_path: Path) -> None:
    file = tmp_path / "counts.jsonl"
    assert perft(TicTacToe(), 6, results=file) == TIC_TAC_TOE[6]
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    assert perft(TicTacToe(), 6, results=file) == TIC_TAC_TOE[6] and file.read_bytes() == whole
    with pytest.raises(InputError, match="holds another experiment: its depth is 6, this one's is 7"):
        perft(TicTacToe(), 7, results=file)
    with pytest.raises(InputError, match="holds another experiment: its state is"):
        perft(TicTacToe(), 6, TicTacToe().result(TicTacToe().initial(), 0), results=file)
    with pytest.raises(InputError, match="holds another experiment: its game is"):
        perft(TicTacToe(4), 6, results=file)


def test_who_is_no_executor_is_refused() -> None:
    with pytest.raises(InputError, match=r"executor='mine' is none: give one of concurrent.futures"):
        perft(TicTacToe(), 3, executor="mine")
    with pytest.raises(InputError, match="jobs=0"):
        perft(TicTacToe(), 3, jobs=0)
