"""The matrix games that are shipped: what is known of them, and what they refuse."""

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

import gametree as gt
from gametree.games.matrix.repeated import Repeated

pytestmark = pytest.mark.interpreted_anyway
SMALL: list[tuple[str, dict[str, Any]]] = [
    ("prisoners-dilemma", {}),
    ("iterated-prisoners-dilemma", {"rounds": 3}),
    ("rock-paper-scissors", {"weapons": 5}),
    ("matching-pennies", {}),
    ("colonel-blotto", {"soldiers": 4, "fields": 2, "enemy": 3}),
]


@pytest.mark.parametrize(("name", "params"), SMALL)
def test_shipped_matrix_games_pass_the_checker(name: str, params: dict[str, Any]) -> None:
    report = gt.check(gt.games.load(name, **params))
    assert not report.findings, str(report)


@pytest.mark.parametrize("weapons", [3, 5, 7, 9])
def test_all_weapons_are_alike(weapons: int) -> None:
    game = gt.games.RockPaperScissors(weapons)
    (one,) = gt.equilibria(game)
    assert set(one.mixes[0]) == {Fraction(1, weapons)} and not any(one.values)
    beaten = [sum(value > 0 for value in row) for row in game.form.table(0)]
    assert beaten == [weapons // 2] * weapons


def test_spock_smashes_scissors_and_is_poisoned_by_the_lizard() -> None:
    game = gt.games.RockPaperScissors(5)
    for pair in (
        "spock scissors",
        "spock rock",
        "lizard spock",
        "lizard paper",
        "rock lizard",
        "paper spock",
    ):
        assert game.utility(game.parse_state(pair), 0) == 1, pair


def test_pennies_are_worth_nothing_and_the_dilemma_is_one() -> None:
    (one,) = gt.equilibria(gt.games.MatchingPennies())
    assert str(one) == "A: 1/2 heads + 1/2 tails; B: 1/2 heads + 1/2 tails → 0, 0"
    dilemma = gt.games.PrisonersDilemma()
    assert gt.dominance(dilemma).solution == (1, 1) and (1, 1) not in gt.pareto(dilemma)


def test_blotto_counts_fields_and_is_worth_nothing_to_equals() -> None:
    game = gt.games.ColonelBlotto(soldiers=3, fields=3)
    for one, other in product(range(game.sizes[0]), repeat=2):
        ours, theirs = ([int(n) for n in game.form.choices[0][at].split("-")] for at in (one, other))
        won = sum(a > b for a, b in zip(ours, theirs)) - sum(a < b for a, b in zip(ours, theirs))
        assert sum(ours) == 3 and game.utility((one, other), 0) == won
    assert not any(gt.equilibrium(gt.games.ColonelBlotto(5, 3)).values)
    assert gt.equilibrium(gt.games.ColonelBlotto(4, 2, enemy=3)).values[0] > 0


def test_a_repeated_game_adds_up_and_shows_the_past() -> None:
    game = gt.games.IteratedPrisonersDilemma(rounds=3)
    state = game.parse_state("silent betray betray betray silent silent")
    assert game.is_terminal(state) and [game.utility(state, player) for player in (0, 1)] == [-6, -3]
    assert game.parse_state(game.show(state)) == state
    # In the last round nobody sees what the other is choosing, and everybody what both chose before.
    early = game.parse_state("silent betray betray")
    assert game.observe(early, 1) == game.observe(game.parse_state("silent betray silent"), 1)
    assert game.observe(early, 1) != game.observe(game.parse_state("silent silent betray"), 1)
    three = Repeated(gt.Matrix([[[(1, 2, 3), (3, 2, 1)]]]), 2)
    end = three.parse_state("a1 b1 c2 a1 b1 c1")
    assert [three.utility(end, player) for player in range(3)] == [4, 4, 4]


@pytest.mark.parametrize(
    ("name", "params", "words"),
    [
        ("prisoners-dilemma", {"reward": 1}, "it is no dilemma"),
        ("rock-paper-scissors", {"weapons": 4}, "with an odd number"),
        ("rock-paper-scissors", {"weapons": 1}, "at least 3"),
        ("colonel-blotto", {"soldiers": 30, "fields": 6}, "the matrix would have"),
        ("iterated-prisoners-dilemma", {"rounds": 40}, "at most 30 rounds"),
    ],
)
def test_bad_parameters_are_refused(name: str, params: dict[str, Any], words: str) -> None:
    with pytest.raises(gt.InputError, match=words):
        gt.games.load(name, **params)
    with pytest.raises(gt.InputError, match="one choice too many: there are 1 rounds"):
        gt.games.IteratedPrisonersDilemma(1).parse_state("silent silent betray")
