"""Dominance, security levels, zero-sum values, the Pareto set and correlated equilibria, against their definitions."""

import random
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

import gametree as gt
from fixtures.prisoners_dilemma import PrisonersDilemma
from gametree.search.matrix.dominance import dominated
from gametree.search.matrix.zero_sum import zero_sum
from gametree.strategic import Form
from search.matrix import naive

pytestmark = pytest.mark.interpreted_anyway

DILEMMA = gt.Matrix.parse("A/B silent betray; silent -1,-1 -3,0; betray 0,-3 -2,-2")


def forms(seed: int, count: int) -> list[Form]:
    draw = random.Random(seed)
    return [
        naive.random_form(
            draw, [draw.randint(1, 4) for _ in range(draw.choice([2, 2, 3]))], draw.choice([2, 9])
        )
        for _ in range(count)
    ]


# --- dominance --------------------------------------------------------------------------------------


@pytest.mark.parametrize("weak", [False, True])
def test_dominance_by_pure_strategies_is_the_definition(weak: bool) -> None:
    removed = 0
    for form in forms(1, 80):
        found = gt.dominance(form, weak=weak, mixed=False)
        left = [set(range(size)) for size in form.sizes]
        rounds = 0
        while True:
            gone = [
                naive.dominated_by_pure(form, [sorted(some) for some in left], player, weak)
                for player in range(form.players)
            ]
            if not any(gone):
                break
            rounds += 1
            removed += sum(map(len, gone))
            for some, out in zip(left, gone):
                some -= out
        assert [set(some) for some in found.left] == left
        assert rounds == max((one.round for one in found.removals), default=0)
    assert removed > 50


@pytest.mark.parametrize("weak", [False, True])
def test_whatever_dominates_does_so_by_the_definition(weak: bool) -> None:
    mixtures = 0
    for form in forms(2, 120):
        for removal in gt.dominance(form, weak=weak).removals:
            gains = []
            player = removal.player
            others = [some for one, some in enumerate(removal.left) if one != player]
            for rest in product(*others):
                cells = [
                    form.payoff((*rest[:player], at, *rest[player:]), player)
                    for at in range(form.sizes[player])
                ]
                gains.append(sum(s * cell for s, cell in zip(removal.by, cells)) - cells[removal.choice])
            assert sum(removal.by) == 1 and removal.by[removal.choice] == 0
            assert min(gains) >= 0 and max(gains) > 0 if weak else min(gains) > 0
            assert {at for at, share in enumerate(removal.by) if share} <= set(removal.left[player])
            mixtures += max(removal.by) < 1
    assert mixtures > 3


def test_what_is_not_dominated_is_a_best_response_to_some_belief() -> None:
    # Pearce 1984. With payoffs 0 to 2 and few columns, beliefs with a denominator of 12 are fine enough.
    draw = random.Random(3)
    for _ in range(60):
        form = naive.random_form(draw, (draw.randint(2, 4), 2), 2)
        gone = {choice for choice, _ in dominated(form, [range(s) for s in form.sizes], 0, weak=False)}
        best = set()
        for worths in naive.beliefs(form, 0, 12):
            best |= {at for at, worth in enumerate(worths) if worth == max(worths)}
        assert best == set(range(form.sizes[0])) - gone


def test_weak_dominance_is_not_being_a_best_response_to_any_belief_in_everything() -> None:
    draw = random.Random(4)
    for _ in range(60):
        form = naive.random_form(draw, (draw.randint(2, 4), 2), 2)
        gone = {choice for choice, _ in dominated(form, [range(s) for s in form.sizes], 0, weak=True)}
        best = set()
        for column_share in range(1, 48):
            shares = (Fraction(column_share, 48), 1 - Fraction(column_share, 48))
            worths = [sum(s * v for s, v in zip(shares, row)) for row in form.table(0)]
            best |= {at for at, worth in enumerate(worths) if worth == max(worths)}
        assert best == set(range(form.sizes[0])) - gone


def test_the_dilemma_is_solved_by_dominance_and_says_why() -> None:
    found = gt.dominance(DILEMMA)
    assert found.solution == (1, 1) and list(found.remaining.payoffs[0]) == [-2, -2]
    assert "whatever B does, A gets more from betray than from silent" in str(found)
    assert "no choice is strictly dominated" in str(gt.dominance(gt.Matrix([[1, -1], [-1, 1]])))


def test_a_mixture_dominates_what_no_pure_strategy_does() -> None:
    game = gt.Matrix([[(4, 0), (0, 0)], [(0, 0), (4, 0)], [(1, 0), (1, 0)]], rows=("top", "middle", "bottom"))
    assert not gt.dominance(game, mixed=False).removals
    (removal,) = gt.dominance(game).removals
    assert removal.sentence == "whatever B does, A gets more from 1/2 top + 1/2 middle than from bottom"
    weak = gt.dominance(gt.Matrix([[(1, 0), (0, 0)], [(0, 0), (0, 0)]]), weak=True)
    assert "at least as much from a1 as from a2, and sometimes more" in str(weak) and "another order" in str(
        weak
    )


# --- zero-sum values and security -------------------------------------------------------------------


@pytest.mark.parametrize("count", [120, pytest.param(3_000, marks=pytest.mark.slow)])
def test_the_value_is_what_both_can_be_sure_of(count: int) -> None:
    draw = random.Random(5)
    for _ in range(count):
        rows, columns = draw.randint(1, 6), draw.randint(1, 6)
        table = [
            [Fraction(draw.randint(-9, 9), draw.randint(1, 3)) for _ in range(columns)] for _ in range(rows)
        ]
        value, x, y = zero_sum(table)
        assert sum(x) == sum(y) == 1 and min(x) >= 0 and min(y) >= 0
        assert min(sum(s * row[j] for s, row in zip(x, table)) for j in range(columns)) == value
        assert max(sum(s * v for s, v in zip(y, row)) for row in table) == value


def test_security_is_the_value_against_everybody_else_together() -> None:
    for form in forms(6, 40):
        for player in range(form.players):
            found = gt.security(form, player)
            worst = []
            for rest in product(*(range(s) for one, s in enumerate(form.sizes) if one != player)):
                cells = [
                    form.payoff((*rest[:player], at, *rest[player:]), player)
                    for at in range(form.sizes[player])
                ]
                worst.append(sum(s * cell for s, cell in zip(found.mix, cells)))
            assert min(worst) == found.value >= found.pure_value
            # Nobody gets less in an equilibrium.
            assert all(one.values[player] >= found.value for one in gt.equilibria(form) if one.exact)
    assert str(gt.security(DILEMMA, 0)) == "A is sure of -2 by betray"


@pytest.mark.parametrize("player", [5, -1, "A", True, None])
def test_security_of_nobody_is_refused(player: Any) -> None:
    with pytest.raises(gt.InputError, match=r"a player of this game by his number: 0 \(A\), 1 \(B\)"):
        gt.security(gt.Matrix([[1, 2]]), player)


def test_the_pareto_set_is_the_definition() -> None:
    for form in forms(7, 60):
        best = [
            profile
            for profile, here in zip(form.profiles(), form.payoffs)
            if not any(there != here and all(a >= b for a, b in zip(there, here)) for there in form.payoffs)
        ]
        assert list(gt.pareto(form)) == best
    assert gt.pareto(DILEMMA) == ((0, 0), (0, 1), (1, 0))


# --- correlated equilibria --------------------------------------------------------------------------


@pytest.mark.parametrize("aim", ["sum", "least", 0])
def test_a_correlated_equilibrium_holds_and_is_no_worse_than_any_nash_equilibrium(aim: Any) -> None:
    def worth(values: tuple[Fraction, ...]) -> Fraction:
        return sum(values, Fraction(0)) if aim == "sum" else min(values) if aim == "least" else values[aim]

    for form in forms(8, 25):
        found = gt.correlated_equilibrium(form, aim=aim)
        assert sum(share for _, share in found.shares) == 1 and all(share > 0 for _, share in found.shares)
        shares = dict(found.shares)
        for player, size in enumerate(form.sizes):
            for told, instead in product(range(size), repeat=2):
                gain = Fraction(0)
                for profile, share in shares.items():
                    if profile[player] == told:
                        other = (*profile[:player], instead, *profile[player + 1 :])
                        gain += share * (form.payoff(other, player) - form.payoff(profile, player))
                assert gain <= 0
        assert all(worth(found.values) >= worth(one.values) for one in gt.equilibria(form) if one.exact)


def test_a_correlated_equilibrium_may_be_better_than_all_nash_equilibria() -> None:
    chicken = gt.Matrix.parse("A/B dare yield; dare 0,0 7,2; yield 2,7 6,6")
    found = gt.correlated_equilibrium(chicken)
    assert found.values == (Fraction(21, 4), Fraction(21, 4)) and "the greatest sum of payoffs" in str(found)
    with pytest.raises(gt.InputError, match="'sum', 'least', or the number of a player, 0 to 1"):
        gt.correlated_equilibrium(chicken, aim=2)


# --- games that are no matrices ---------------------------------------------------------------------


def test_plain_rules_with_hidden_choices_are_a_matrix() -> None:
    found = gt.equilibria(PrisonersDilemma())
    assert [one.pure for one in found] == [(1, 1)] and list(found[0].values) == [-2, -2]
    assert found.form.choices[0] == ("silent", "betray")
