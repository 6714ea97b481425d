"""Counts from outside: how many games and positions there are."""

from pathlib import Path
from typing import Any

import pytest

import oracle
from gametree import games
from gametree.game import Game

HERE = Path(__file__).parent
AT_ONCE = 160_000
SLOWLY = 6_000_000


def table(name: str) -> list[tuple[str, Game, list[str]]]:
    """The lines of a data file: a label, the game, the figures."""
    entries = []
    for line in (HERE / name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            game, figures, _source = (part.strip() for part in line.split("|"))
            label, *settings = game.split()
            params = dict(setting.split("=") for setting in settings)
            entries.append((game, games.load(label, **params), figures.split()))
    return entries


def perft_cases() -> list[Any]:
    cases = []
    for label, game, figures in table("perft.txt"):
        for figure in figures:
            ply, count = map(int, figure.split(":"))
            # What is beyond reach of plain Python is there for compiled code.
            if count <= SLOWLY:
                marks = [] if count <= AT_ONCE else [pytest.mark.slow]
                cases.append(pytest.param(game, ply, count, marks=marks, id=f"{label}, ply {ply}"))
    return cases


@pytest.mark.parametrize(("game", "ply", "count"), perft_cases())
def test_perft_agrees_with_figures_from_outside(game: Game, ply: int, count: int) -> None:
    assert oracle.perft(game, ply) == count


@pytest.mark.parametrize(
    ("game", "counts"),
    [
        pytest.param(game, list(map(int, figures)), id=label)
        for label, game, figures in table("positions.txt")
    ],
)
def test_the_number_of_positions_agrees_with_figures_from_outside(game: Game, counts: list[int]) -> None:
    states = {game.initial()}
    for ply, count in enumerate(counts):
        assert len(states) == count, f"ply {ply}"
        if count > 50_000:
            break
        states = {game.result(state, action) for state in states for action in game.actions(state)}


@pytest.mark.slow
def test_connect_four_has_184275_positions_after_eight_plies() -> None:
    game = games.load("connect-four")
    states = {game.initial()}
    for _ in range(8):
        states = {game.result(state, action) for state in states for action in game.actions(state)}
    assert len(states) == 184_275


def test_tic_tac_toe_has_255168_games_and_549946_nodes() -> None:
    game = games.load("tic-tac-toe")
    ends = {1: 0, 0: 0, -1: 0}
    nodes = 0
    stack = [game.initial()]
    while stack:
        state = stack.pop()
        nodes += 1
        if game.is_terminal(state):
            ends[int(game.utility(state, 0))] += 1
        stack += [game.result(state, action) for action in game.actions(state)]
    assert nodes == 549_946
    assert ends == {1: 131_184, 0: 46_080, -1: 77_904}
    assert sum(ends.values()) == 255_168
