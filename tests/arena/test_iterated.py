"""The iterated prisoner's dilemma: equal to a plain loop and to Axelrod's library."""

import json
import random
from itertools import combinations_with_replacement, product
from pathlib import Path
from typing import Any

import pytest

import gametree as gt
from gametree.app.cli import main
from gametree.arena.iterated import CLASSICS, Automaton, called, circling, drawn, iterated

pytestmark = pytest.mark.interpreted_anyway
CERTAIN = [name for name, one in CLASSICS.items() if one.is_certain]
LIBRARY = {
    "tit for tat": "TitForTat",
    "cooperate": "Cooperator",
    "defect": "Defector",
    "grim": "Grudger",
    "tit for two tats": "TitFor2Tats",
    "two tits for tat": "TwoTitsForTat",
    "hard tit for tat": "HardTitForTat",
    "win-stay lose-shift": "WinStayLoseShift",
    "suspicious tit for tat": "SuspiciousTitForTat",
    "bully": "Bully",
    "alternate": "Alternator",
    "prober": "Prober",
}


def slow(one: Automaton, other: Automaton, turns: int) -> tuple[int, ...]:
    """Turn by turn, as one would play by hand."""
    counts = dict.fromkeys(product((0, 1), repeat=2), 0)
    a = b = 0
    for _ in range(turns):
        x, y = int(one.defects[a]), int(other.defects[b])
        counts[x, y] += 1
        a, b = one.after[a][2 * x + y], other.after[b][2 * y + x]
    return tuple(counts.values())


def test_going_round_in_circles_is_playing_turn_by_turn() -> None:
    draw = random.Random(1)
    machines = list(CLASSICS.values())
    for _ in range(40):
        size = draw.randint(1, 6)
        after = tuple(tuple(draw.randrange(size) for _ in range(4)) for _ in range(size))
        machines.append(Automaton(tuple(float(draw.randint(0, 1)) for _ in range(size)), after))  # type: ignore[arg-type]
    machines = [one for one in machines if one.is_certain]
    for one, other in zip(machines, reversed(machines)):
        for turns in (1, 2, 3, 7, 50, 201):
            assert circling(one, other, turns) == slow(one, other, turns)
            assert called(one, other, turns, 0, random.Random(0)) == slow(one, other, turns)
    assert drawn(machines, [(0, 1), (2, 2)], 31, 3, 0.0, 5) == [
        tuple(3 * n for n in slow(machines[a], machines[b], 31)) for a, b in ((0, 1), (2, 2))
    ]


@pytest.mark.slow  # importing the library takes long
def test_scores_of_certain_strategies_are_those_of_axelrods_library() -> None:
    library: Any = pytest.importorskip("axelrod")
    assert set(LIBRARY) == set(CERTAIN)
    for one, other in combinations_with_replacement(CERTAIN, 2):
        match = library.Match(
            (getattr(library, LIBRARY[one])(), getattr(library, LIBRARY[other])()), turns=57
        )
        match.play()
        counts = circling(CLASSICS[one], CLASSICS[other], 57)
        ours = [sum(n * v for n, v in zip(counts, worth)) for worth in ((3, 0, 5, 1), (3, 5, 0, 1))]
        assert ours == list(match.final_score()), (one, other)


def test_chance_keeps_to_its_probabilities() -> None:
    (counts,) = drawn([CLASSICS["random"], CLASSICS["joss"]], [(0, 1)], 4000, 20, 0.0, 3)
    total = sum(counts)
    assert total == 80_000 and abs((counts[0] + counts[1]) / total - 0.5) < 0.01
    (noisy,) = drawn([CLASSICS["cooperate"]], [(0, 0)], 4000, 20, 0.1, 3)
    assert abs(noisy[0] / sum(noisy) - 0.81) < 0.01


def test_generous_strategies_survive_noise_and_the_same_seed_gives_the_same() -> None:
    quiet, noisy = iterated(turns=100), iterated(turns=100, noise=0.05, seed=4)
    assert noisy == iterated(turns=100, noise=0.05, seed=4) != iterated(turns=100, noise=0.05, seed=5)
    by_name = dict(zip(noisy.names, (dict(zip(noisy.names, row)) for row in noisy.against)))
    generous, strict = by_name["generous tit for tat"], by_name["tit for tat"]
    assert generous["generous tit for tat"] > strict["tit for tat"]
    assert dict(zip(quiet.names, quiet.scores))["defect"] < quiet.scores[0]


def test_functions_take_part() -> None:
    def spiteful(mine: str, theirs: str) -> str:
        return "D" if "D" in theirs else "C"

    found = iterated({"mine": spiteful, **{name: CLASSICS[name] for name in CERTAIN}}, turns=40)
    scores = dict(zip(found.names, found.scores))
    rows = dict(zip(found.names, found.against))
    assert scores["mine"] == pytest.approx(scores["grim"]) and rows["mine"] == pytest.approx(rows["grim"])
    drawing = iterated({"coin": lambda mine, theirs, draw: "CD"[draw.random() < 0.5]}, turns=400)
    assert abs(drawing.cooperation[0] - 0.5) < 0.05


@pytest.mark.parametrize(
    ("strategies", "options", "words"),
    [
        (["nobody"], {}, "there is no strategy 'nobody'"),
        ([], {}, "a tournament needs a strategy"),
        ({"x": 3}, {}, "a strategy is an Automaton, or a function"),
        ({"x": lambda mine, theirs: "maybe"}, {}, "gave 'maybe'"),
        (3, {}, "strategies=3: a list of names"),
        ("grim", {}, "strategies='grim': a list of names"),
        ([3], {}, "there is no strategy 3"),
        ([["grim"]], {}, "there is no strategy"),
        (["grim"], {"noise": "x"}, "noise='x': how often"),
        (["grim"], {"payoffs": 3}, "payoffs=3: reward"),
        (["grim"], {"payoffs": "3051"}, "payoffs='3051': reward"),
        (["grim"], {"turns": 0}, "at least one turn"),
        (["grim"], {"repetitions": 0}, "at least once"),
        (["grim"], {"noise": 2}, "from 0 to 1"),
        (["grim"], {"payoffs": (1, 2, 3)}, "temptation > reward"),
    ],
)
def test_bad_tournaments_are_refused(strategies: Any, options: Any, words: str) -> None:
    with pytest.raises(gt.InputError, match=words):
        iterated(strategies, **options)
    with pytest.raises(gt.InputError, match="probability from 0 to 1"):
        Automaton((), ())
    with pytest.raises(gt.InputError, match="followed by four states"):
        Automaton((0.0,), ((0, 0, 0, 7),))


def test_the_command_prints_a_table_and_draws_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "it.svg"
    assert main(["dilemma", "tit for tat", "defect", "--turns", "20", "--out", str(file)]) == 0
    assert "tit for tat" in capsys.readouterr().out
    assert file.read_text().count('class="gt-bar"') == 2
    assert main(["dilemma", "--turns", "20", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["names"]) == len(CLASSICS)
    assert main(["dilemma", "--payoffs", "a,b"]) == 2
    assert "write four numbers" in capsys.readouterr().err
