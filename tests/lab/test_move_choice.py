"""Two engines compared by the moves they choose: the positions, what counts, and the error bar."""

import json
import math

import pytest

import move_choice
from gametree.games import Chess
from gametree.search.analyze import Engine

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
GAME = {"opening": START, "moves": "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6"}
LINES = [json.dumps({"engine": "peer"}), json.dumps(GAME), json.dumps(GAME)]


def test_positions_are_drawn_once_each_and_by_the_seed() -> None:
    drawn = move_choice.positions(LINES, 3, seed=1)
    assert len(set(drawn)) == 3 and drawn == move_choice.positions(LINES, 3, seed=1)
    every = move_choice.positions(LINES, 99, seed=1)
    assert len(every) == 4 and set(drawn) < set(every)
    assert START not in every


def test_the_judge_is_asked_only_where_the_moves_differ_and_nobody_has_won() -> None:
    asked = []

    def judge(fen: str, move: str) -> float:
        asked.append((fen, move))
        return {"good": 0.7, "bad": 0.4}[move]

    ours = [("good", 0.1), ("good", 0.2), ("bad", -3.9), ("good", 4.1)]
    theirs = [("good", 0.1), ("bad", 0.2), ("good", 0.0), ("bad", 0.0)]
    found = move_choice.gains(["a", "b", "c", "d"], ours, theirs, judge)
    assert found == pytest.approx([0.0, 0.3, -0.3])
    assert asked == [("b", "good"), ("b", "bad"), ("c", "bad"), ("c", "good")]


def test_the_error_bar_is_that_of_a_mean() -> None:
    text = move_choice.summary([0.0, 0.0, 0.02, 0.02])
    assert text.startswith(f"gain +1.00 % ± {100 * math.sqrt(4e-4 / 3 / 4):.2f} a move")
    assert "4 positions, 50 % of them no difference" in text
    with pytest.raises(ValueError, match="two at least"):
        move_choice.summary([0.1])


def test_mate_and_stalemate_need_no_judge() -> None:
    judge = move_choice.Judge(None, 1)
    assert judge("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "g6g7") == 1.0
    assert judge("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", "g5g6") == 0.5
    assert move_choice.chance(0.0) == 0.5 and move_choice.chance(1.5) == pytest.approx(0.731, abs=1e-3)


def test_an_engine_chooses_as_it_does() -> None:
    engine = Engine(Chess(), hash_mb=1, evaluation="lolli")
    mate = "7k/8/5KQ1/8/8/8/8/8 w - - 0 1"
    ((move, value),) = move_choice.choices(engine, 200, [mate])
    assert move in ("g6g7", "g6e8", "g6h5", "g6h6") and value == 1.0
