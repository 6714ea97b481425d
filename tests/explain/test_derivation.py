"""Values worked out on paper: every line is equal to the one before, whatever the unknown leaves are."""

import random
import re
from typing import Any

import pytest

import gametree as gt
import oracle
from gametree.app.cli import main
from gametree.errors import UnsuitableError
from gametree.explain.derivation import derivation
from gametree.explain.traces.trace import trace
from gametree.games.tree.outline import outline

NAMES = ("x", "y", "z")
EXTREMES = {"max": lambda *some: max(some), "min": lambda *some: min(some)}


def with_unknowns(rng: random.Random) -> Any:
    spec = [oracle.random_tree_spec(rng, depth=3, branching=3) for _ in range(rng.randint(1, 3))]

    def put(node: Any) -> Any:
        if isinstance(node, list):
            return [put(one) for one in node]
        return rng.choice(NAMES) if rng.random() < 0.2 else node

    return put(spec)


def equal(line: str, known: dict[str, float]) -> float | None:
    """What a line says, worked out by Python; None where it ends in words."""
    said = line.partition("; ")[0]
    expression, _, where = said.partition("   where ")
    for name, worth in re.findall(r"(\w+) = ((?:[^,≤≥]|,(?! \w+ = ))+)", where):
        known[name] = eval(worth.replace("−", "-").strip(), EXTREMES, dict(known))
    for name, sign, number in re.findall(r"(\w+) = (?:(?!, \w+ = )[^≤≥])*?([≤≥]) (−?[\d.]+)", where):
        bound = float(number.replace("−", "-"))
        assert known[name] <= bound if sign == "≤" else known[name] >= bound
    return float(eval(expression.replace("−", "-").strip(), EXTREMES, dict(known)))


@pytest.mark.parametrize("count", [300, pytest.param(10_000, marks=pytest.mark.slow)])
def test_every_line_is_equal_to_the_one_before(count: int) -> None:
    rng = random.Random(5)
    ends = {"number": 0, "words": 0}
    for _ in range(count):
        tree = outline(with_unknowns(rng), most=5000)
        lines = derivation(tree)
        for _ in range(3):
            known: dict[str, float] = {name: float(rng.randint(-7, 7)) for name in NAMES}
            truth = trace(tree.with_values({name: known[name] for name in tree.unknowns}), "minimax").value
            if tree.is_leaf:
                continue
            assert {equal(line.partition("= ")[2], known) for line in lines} == {truth}
        ends["words" if ";" in lines[-1] else "number"] += 1
    assert min(ends.values()) > count / 20


def test_the_tree_of_the_lecture_is_worked_out_in_its_four_lines(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "[[3,12,8],[2,x,y],[14,5,2]]", "--derive"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert [line.partition("= ")[2] for line in said] == [
        "max(min(3, 12, 8), min(2, x, y), min(14, 5, 2))",
        "max(3, min(2, x, y), 2)",
        "max(3, z, 2)   where z = min(2, x, y) ≤ 2",
        "3",
    ]


def test_chance_is_not_worked_out() -> None:
    with pytest.raises(UnsuitableError, match="without chance"):
        derivation(outline(gt.Tree(gt.Chance([(1, 3)]))))


# --- the words of the lectures -----------------------------------------------------------------------


def test_leaves_may_be_called_won_lost_and_draw(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "[WON, [LOST, DRAW]]", "--steps"]) == 0
    said = capsys.readouterr().out
    assert "A leaf: WON, which is worth 1 to MAX." in said
    assert "LOST" in said and "DRAW" in said
    assert "value 1, best move 1" in said
    assert gt.minimax(gt.Tree(["WON", ["LOST", "DRAW"]])).values == (1.0, -1.0)


def test_max_and_min_may_be_movers_and_round_brackets_may_be_nodes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["explain", "[[3,1],[2,9]]", "--movers", "MIN,MAX", "--json"]) == 0
    assert '"value": 3' in capsys.readouterr().out
    assert main(["explain", "((3,12),(2,4))"]) == 0
    assert "value 3" in capsys.readouterr().out
    assert main(["explain", "(3,12)"]) == 0
    assert "(3, 12)" in capsys.readouterr().out
    assert main(["explain", "[1,2]", "--movers", "me"]) == 2
    assert "MIN,MAX" in capsys.readouterr().err


def test_stats_tell_what_the_textbook_says_of_a_tree_and_of_a_game(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["stats", "[[3,12,8],[2,4,6],[14,5,2]]", "--plays", "5"]) == 0
    said = capsys.readouterr().out
    for words in (
        "complete",
        "optimal",
        "time, b^m             9",
        "space, b·m            6",
        "b^(m/2)         3",
    ):
        assert words in said
    assert main(["stats", "backgammon", "--plays", "2"]) == 0
    assert "that takes two players" in capsys.readouterr().out
    assert main(["stats", "nim", "--level", "2", "--plays", "3"]) == 0
    assert "3 plays of level 2" in capsys.readouterr().out
    assert main(["stats", "[[3,1],2]", "--position", "x"]) == 2
    assert "not for a tree" in capsys.readouterr().err
