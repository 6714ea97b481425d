"""Equilibria of matrix games: each one by definition, all of them by a naive search and by Gambit."""

import io
import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest

import gametree as gt
from gametree.games.matrix.spec import form_of
from gametree.search.matrix import bimatrix, vertices
from gametree.search.matrix.lemke_howson import lemke_howson
from gametree.strategic import Form
from search.matrix import naive

pytestmark = pytest.mark.interpreted_anyway


def games(seed: int, count: int, most: int = 4) -> Iterator[Form]:
    """Games of two players: a third with payoffs that are hardly ever equal, and two thirds with few values."""
    draw = random.Random(seed)
    for at in range(count):
        sizes = draw.randint(1, most), draw.randint(1, most)
        yield naive.random_form(draw, sizes, (1000, 1, 3)[at % 3])


def extreme(found: gt.Equilibria) -> set[Any]:
    return {one.mixes for one in found}


def agree_with_the_naive_search(form: Form) -> None:
    found = gt.equilibria(form)
    assert extreme(found) == naive.extreme_equilibria(form)
    assert all(naive.is_equilibrium(form, one.mixes) for one in found)


def test_all_equilibria_are_those_of_a_naive_search() -> None:
    for form in games(1, 120, 3):
        agree_with_the_naive_search(form)


@pytest.mark.slow
def test_all_equilibria_of_many_games_are_those_of_a_naive_search() -> None:
    for form in games(2, 3_000):
        agree_with_the_naive_search(form)


def of_gambit(form: Form) -> set[Any]:
    """The extreme equilibria that Gambit finds in the file that we write for it."""
    gambit: Any = pytest.importorskip("pygambit")
    game = gambit.read_nfg(io.BytesIO(gt.Matrix(form).to_nfg().encode()))
    found = gambit.nash.enummixed_solve(game, rational=True).equilibria
    return {
        tuple(tuple(Fraction(str(share)) for _, share in profile[player]) for player in game.players)
        for profile in found
    }


@pytest.mark.parametrize(
    ("count", "most"), [(180, 4), pytest.param(10_000, 5, marks=pytest.mark.slow)], ids=["some", "many"]
)
def test_all_equilibria_are_those_of_gambit(count: int, most: int) -> None:
    for form in games(3, count, most):
        found = gt.equilibria(form)
        assert all(naive.is_equilibrium(form, one.mixes) for one in found)
        assert extreme(found) == of_gambit(form), gt.Matrix(form).to_nfg()


def test_whole_numbers_and_proven_floating_point_find_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = random.Random(4)
    forms = [naive.random_form(draw, (draw.randint(2, 5), draw.randint(2, 5)), 10_000) for _ in range(25)]
    proven = [gt.equilibria(form) for form in forms]
    assert any(len(found) > 1 for found in proven)
    monkeypatch.setattr(bimatrix, "fitting", lambda *_: None)
    assert [gt.equilibria(form) for form in forms] == proven


def test_floating_point_is_not_trusted_with_what_it_cannot_prove() -> None:
    # The two differ by less than a float can tell; the first has an equilibrium of its own, the other a whole edge.
    near = [[2**39 + 1, 1], [2**39, 2**39]]
    assert vertices.fitting([[2**40, 1], [1, 1]], [[1, 1], [1, 1]]) is None
    assert vertices.fitting([[2, 1], [1, 2]], [[1, 1], [1, 1]]) is None
    for low in (0, 1):
        table = [[(one, one) for one in row] for row in [[near[0][0] - low, near[0][1]], near[1]]]
        agree_with_the_naive_search(gt.Matrix(table).form)


def test_payoffs_of_any_size_are_exact() -> None:
    huge = 10**60
    agree_with_the_naive_search(
        gt.Matrix([[(huge + 1, 0), (huge, 1)], [(huge, Fraction(1, huge)), (huge + 1, 0)]]).form
    )


def test_every_path_of_lemke_and_howson_ends_at_an_equilibrium() -> None:
    for form in games(5, 90):
        for label in range(sum(form.sizes)):
            assert form.is_equilibrium(lemke_howson(form, label))


def test_scaling_and_moving_payoffs_changes_no_equilibrium() -> None:
    for form in games(6, 30, 3):
        other = Form(
            form.names, form.choices, tuple((a * Fraction(7, 3) - 5, b / 11 + 2) for a, b in form.payoffs)
        )
        assert extreme(gt.equilibria(form)) == extreme(gt.equilibria(other))


# --- degenerate games -------------------------------------------------------------------------------


def test_a_component_is_said_whole() -> None:
    found = gt.equilibria(gt.Matrix.parse("A/B left right; up 1,1 0,1; down 1,0 0,0"))
    assert found.degenerate and found.complete
    (component,) = found.components
    # Nobody minds what he does himself: every pair of strategies is an equilibrium.
    assert not component.is_point and len(component.equilibria) == 4 and len(component.subsets) == 1
    assert "infinitely many" in str(found) and "any mixture of" in str(found)


def test_mixtures_within_a_nash_subset_are_equilibria_and_mixtures_across_need_not_be() -> None:
    draw = random.Random(7)
    across = 0
    for form in games(8, 120):
        for component in gt.equilibria(form).components:
            for xs, ys in component.subsets:
                shares = [Fraction(draw.randint(1, 9)) for _ in (*xs, *ys)]
                x, y = mixed(xs, shares[: len(xs)]), mixed(ys, shares[len(xs) :])
                assert naive.is_equilibrium(form, (x, y))
            if len(component.subsets) > 1:
                firsts = [xs for xs, _ in component.subsets]
                lasts = [ys for _, ys in component.subsets]
                across += not all(
                    form.is_equilibrium((x, y)) for xs in firsts for ys in lasts for x in xs for y in ys
                )
    assert across > 5


def mixed(mixes: Any, weights: list[Fraction]) -> tuple[Fraction, ...]:
    total = sum(weights)
    return tuple(sum(w * share for w, share in zip(weights, column)) / total for column in zip(*mixes))


def test_components_do_not_touch_and_hold_every_extreme_equilibrium() -> None:
    for form in games(9, 90):
        found = gt.equilibria(form)
        sides = [
            {mixes for xs, ys in one.subsets for mixes in [("x", x) for x in xs] + [("y", y) for y in ys]}
            for one in found.components
        ]
        # Two components may share a strategy of one player, never an equilibrium.
        pairs = [{(x, y) for xs, ys in one.subsets for x in xs for y in ys} for one in found.components]
        assert all(sides) and sum(map(len, pairs)) == len(set().union(*pairs)) == len(found)


def test_a_game_is_degenerate_where_a_vertex_has_a_label_too_many() -> None:
    assert not gt.equilibria(gt.Matrix([[1, -1], [-1, 1]])).degenerate
    assert gt.equilibria(gt.Matrix([[(1, 1), (1, 1)], [(0, 0), (0, 0)]])).degenerate
    # Degenerate away from any equilibrium.
    assert gt.equilibria(gt.Matrix([[(5, 5), (4, 0)], [(0, 1), (0, 1)]])).degenerate


# --- more players -----------------------------------------------------------------------------------


def test_equilibria_of_three_players_hold_by_definition() -> None:
    draw = random.Random(10)
    three = mixing = rounded = 0
    for _ in range(60):
        form = naive.random_form(draw, [2, 2, draw.randint(1, 3)], 20)
        found = gt.equilibria(form)
        for one in found:
            if one.exact:
                assert naive.is_equilibrium(form, one.mixes)
                three += all(len(support) == 2 for support in one.supports)
            else:
                assert max(form.gains(one.mixes)) < Fraction(1, 10**25)
                rounded += 1
            mixing += one.pure is None
        pure = {one.pure for one in found if one.pure is not None}
        assert pure == {p for p in form.profiles() if naive.is_equilibrium(form, form.pure(p))}
    assert mixing > 10 and rounded > 3


def test_an_irrational_equilibrium_is_rounded_and_says_so() -> None:
    # Nash's poker has three players and irrational probabilities; so has this one, q = (√17 − 3) / 2 or so.
    draw = random.Random(11)
    while True:
        form = naive.random_form(draw, [2, 2, 2], 5)
        some = [one for one in gt.equilibria(form) if not one.exact]
        if some:
            break
    assert "irrational, rounded" in str(some[0]) and "≈" in str(some[0])


def test_three_players_two_choices_have_an_odd_number_of_equilibria_where_nothing_is_degenerate() -> None:
    draw = random.Random(12)
    whole = 0
    for _ in range(25):
        found = gt.equilibria(naive.random_form(draw, [2, 2, 2], 10_000))
        if found.complete:
            whole += 1
            assert len(found) % 2 == 1, str(found)
    assert whole > 20


def test_players_who_are_indifferent_to_one_opponent_mix_as_well() -> None:
    # Jordan's matching pennies: A wants to match B, B to match C, and C not to match A.
    cells = [[[(a == b, b == c, a != c) for c in range(2)] for b in range(2)] for a in range(2)]
    jordan = gt.Matrix(
        [[[tuple(2 * won - 1 for won in cell) for cell in row] for row in one] for one in cells]
    )
    found = gt.equilibria(jordan)
    half = (Fraction(1, 2),) * 2
    assert [one.mixes for one in found] == [(half, half, half)] and found.complete
    assert gt.equilibrium(jordan).mixes == (half, half, half)


def test_whatever_is_said_to_be_complete_does_not_depend_on_the_order_of_three_players() -> None:
    draw = random.Random(19)
    mixing = whole = 0
    for _ in range(300):
        form = naive.random_form(draw, [2, 2, 2], 2)
        found = gt.equilibria(form)
        assert all(naive.is_equilibrium(form, one.mixes) for one in found if one.exact)
        assert all(max(form.gains(one.mixes)) < Fraction(1, 10**25) for one in found)
        mixing += any(min(map(len, one.supports)) == 2 for one in found)
        if not found.complete:
            continue
        whole += 1
        assert len(found) % 2 == 1
        for order in permutations(range(3)):
            turned = [
                tuple(form.payoff([at for _, at in sorted(zip(order, profile))], player) for player in order)
                for profile in form.profiles()
            ]
            again = gt.equilibria(form_of((2, 2, 2), turned, [None] * 3, None))
            assert again.complete
            assert {one.mixes for one in again if one.exact} == {
                tuple(one.mixes[player] for player in order) for one in found if one.exact
            }
    assert mixing > 5 and whole > 20, (mixing, whole)


def test_four_players_are_looked_at_as_far_as_is_said() -> None:
    found = gt.equilibria(naive.random_form(random.Random(13), [2, 2, 2, 2], 9))
    assert not found.complete and "two players mix at most" in str(found)


# --- one good one -----------------------------------------------------------------------------------


def test_a_good_equilibrium_is_the_best_for_all_where_there_is_one() -> None:
    stag = gt.Matrix.parse("A/B stag hare; stag 4,4 0,3; hare 3,0 3,3")
    assert str(gt.equilibrium(stag)) == "A: stag; B: stag → 4, 4"
    assert "the best of 3 equilibria" in gt.equilibrium(stag).method
    for form in games(14, 60):
        one = gt.equilibrium(form)
        assert naive.is_equilibrium(form, one.mixes)
        assert not any(
            other.values != one.values and all(a >= b for a, b in zip(other.values, one.values))
            for other in gt.equilibria(form)
        )


def test_a_good_equilibrium_avoids_dominated_choices() -> None:
    # (down, right) is an equilibrium, too, but both choices are weakly dominated.
    game = gt.Matrix([[(1, 1), (0, 0)], [(0, 0), (0, 0)]])
    assert gt.equilibrium(game).pure == (0, 0)


def test_a_good_equilibrium_of_a_larger_game_is_found() -> None:
    form = naive.random_form(random.Random(15), (14, 13), 1000)
    one = gt.equilibrium(form)
    assert form.is_equilibrium(one.mixes) and "found" in one.method


def test_many_choices_of_three_players_are_looked_at_for_pure_equilibria_alone() -> None:
    form = naive.random_form(random.Random(15), (13, 13, 13), 9)
    found = gt.equilibria(form)
    assert found.note == "looked at: supports in which nobody mixes"
    assert len(found) > 0 and gt.equilibrium(form).pure is not None
    without = gt.Matrix([[[(0, 1, 0), (1, 0, 0)], [(1, 0, 0), (0, 1, 0)]]])
    assert gt.equilibrium(without).method.startswith("support enumeration")


def test_a_large_zero_sum_game_is_a_linear_programme() -> None:
    draw = random.Random(16)
    game = gt.Matrix([[draw.randint(-9, 9) for _ in range(20)] for _ in range(15)])
    one = gt.equilibrium(game)
    assert one.method == "linear programming" and game.form.is_equilibrium(one.mixes)


def test_too_many_vertices_are_refused_with_a_way_out() -> None:
    form = naive.random_form(random.Random(17), (6, 6), 1000)
    table = [[int(value) + 1 for value in row] for row in form.table(0)]
    refusal = r"more than 5 vertices .* equilibrium\(game\) finds a good one"
    with pytest.raises(gt.UnsuitableError, match=refusal):
        vertices.fitting(table, table, 5)
    with pytest.raises(gt.UnsuitableError, match=refusal):
        vertices.exact_vertices(table, 5)


def test_a_result_prints_says_its_method_and_becomes_plain_data() -> None:
    found = gt.equilibria(gt.Matrix.parse("A/B opera fight; opera 2,1 0,0; fight 0,0 1,2"))
    assert str(found).splitlines()[0] == "3 equilibria" and str(found).endswith("by vertex enumeration")
    mixed_one = found[2]
    assert mixed_one.probability(0, "opera") == Fraction(2, 3) and not mixed_one.strict and found[0].strict
    data = found.to_dict()
    assert data["components"][2][0]["strategies"]["A"] == {"opera": "2/3", "fight": "1/3"}


def test_what_is_no_game_of_one_choice_is_refused() -> None:
    with pytest.raises(gt.UnsuitableError, match="Nim goes on after the first choice"):
        gt.equilibria(gt.games.Nim())
    with pytest.raises(gt.InputError, match="is no game"):
        gt.equilibria([[1, 2]])  # type: ignore[arg-type]


def test_an_equilibrium_is_a_profile_that_nobody_gains_by_leaving() -> None:
    for game in (
        gt.Matrix.parse("A/B opera fight; opera 2,1 0,0; fight 0,0 1,2"),
        gt.games.RockPaperScissors(),
    ):
        for one in gt.equilibria(game):
            profile = one.profile(game)
            assert gt.exploitability(game, profile, exact=True).nash_conv == 0
            assert gt.Profile.from_json(game, profile.to_json()) == profile
    three = gt.Matrix([[[(1, 0, 2), (0, 1, 0)]], [[(2, 2, 0), (0, 0, 1)]]])
    assert gt.exploitability(three, gt.equilibrium(three).profile(three), exact=True).nash_conv == 0


def test_an_equilibrium_of_another_game_is_refused() -> None:
    found = gt.equilibrium(gt.Matrix([[1, -1], [-1, 1]]))
    with pytest.raises(gt.InputError, match="an equilibrium of another game"):
        found.profile(gt.games.RockPaperScissors())
