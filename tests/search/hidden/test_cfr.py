"""Equilibria: known values, limits, stopping and going on, and what is refused."""

import math
import threading
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gametree as gt
from gametree import Game, InputError, Limit, UnsuitableError
from gametree.games import Goofspiel, Kuhn, Leduc, LiarsDice, Nim
from gametree.search.core.stopwatch import StopWatch
from gametree.search.hidden import linear_programme
from gametree.search.hidden.cfr import VARIANTS
from gametree.search.hidden.exploitability import of_form
from gametree.search.hidden.listing import listed
from gametree.search.hidden.profile import Profile
from gametree.search.hidden.sequence_form import SequenceForm

pytestmark = pytest.mark.bounds
needs_highs = pytest.mark.skipif(not linear_programme.available(), reason="HiGHS is not installed")


@needs_highs
@pytest.mark.parametrize(
    ("game", "value"),
    [
        (Leduc(), -0.0856064240780),
        (Leduc(suits=True), -0.0856064240780),
        (LiarsDice(sides=4), 0.0625),
        pytest.param(LiarsDice(sides=5), 0.008, marks=pytest.mark.slow),
        (Goofspiel(cards=3), 0.0),
        (Goofspiel(cards=4, order="descending", pays="win"), 0.0),
        pytest.param(LiarsDice(sides=6), -0.0271317829457, marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_the_linear_programme_finds_the_known_values(game: Game, value: float) -> None:
    found = gt.solve(game).equilibrium
    assert found is not None and found.method == "linear programme"
    assert found.values[0] == pytest.approx(value, abs=1e-10)
    assert abs(float(found.nash_conv)) < 1e-9


@needs_highs
def test_kuhn_poker_is_solved_in_fractions() -> None:
    solution = gt.solve(Kuhn())
    found = solution.equilibrium
    assert found is not None and found.exact and solution.solved
    assert found.values == (Fraction(-1, 18), Fraction(1, 18))
    odds = {key: found.profile.at(0, key)[1] for key in ((0, 0, 0), (2, 0, 0), (1, 2, 2))}
    alpha = odds[0, 0, 0]
    assert odds == {(0, 0, 0): alpha, (2, 0, 0): 3 * alpha, (1, 2, 2): alpha + Fraction(1, 3)}
    assert "-1/18 for the first player" in str(solution)
    assert "the second player, Q bet      fold 66.7 %, call 33.3 %" in str(solution)


@needs_highs
def test_small_payoffs_are_solved_as_well_as_large_ones() -> None:
    for scale in (1e-9, 1e9):
        solution = gt.solve(gt.Matrix([[3 * scale, -scale], [-2 * scale, scale]]))
        assert solution.solved and float(solution.values[0]) == pytest.approx(scale / 7, rel=1e-6)


def test_what_is_only_near_is_not_called_exact() -> None:
    near = gt.solve(gt.Matrix([[2, -1], [-1, 1]]), method="cfr", exploitability=0.9)
    assert near.solved and not near.exact and near.value is not None
    assert near.error is not None and abs(float(near.value) - 0.2) <= near.error
    several = gt.solve(Kuhn(players=3), exploitability=0.01)
    assert not several.exact and several.error is None


@needs_highs
@pytest.mark.parametrize("short", [0, 1_000_000])
@pytest.mark.parametrize("way", ["stop", "seconds", "Ctrl-C"])
def test_the_linear_programme_stops_when_it_is_told(
    way: str, short: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long programme is ended, a short one left to itself."""
    form = listed(Goofspiel(cards=4))
    assert form is not None
    monkeypatch.setattr(linear_programme, "SHORT", short)
    watch = StopWatch(Limit(seconds=0.02) if way == "seconds" else Limit()).begin()
    if way == "stop":
        watch.stop(after=0.02)
    if way == "Ctrl-C":

        class Interrupted(threading.Event):
            def wait(self, timeout: float | None = None) -> bool:
                raise KeyboardInterrupt

        monkeypatch.setattr(linear_programme, "Event", Interrupted)
        with pytest.raises(KeyboardInterrupt):
            linear_programme.solved(form, watch)
    else:
        assert linear_programme.solved(form, watch) is None
    mine = [one for one in threading.enumerate() if one.name == "gametree linear programme"]
    for one in mine if not short else ():
        one.join(60)
        assert not one.is_alive()


@needs_highs
def test_what_the_linear_programme_finds_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    def even(form: SequenceForm, watch: StopWatch) -> Any:
        return np.ones(form.sequences(0) + form.sequences(1))

    monkeypatch.setattr(linear_programme, "solved", even)
    found = gt.solve(Kuhn(), compile="never", exploitability=0.01).equilibrium
    assert found is not None and float(found) <= 0.01 and found.method in VARIANTS


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(("game", "value"), [(Kuhn(), -1 / 18), (LiarsDice(sides=3), None)], ids=str)
def test_every_variant_comes_near_to_the_value(variant: str, game: Game, value: float | None) -> None:
    found = gt.cfr(game, variant=variant, iterations=400)
    assert float(found) < (0.05 if variant == "vanilla" else 0.005)
    assert found.bounds is not None
    if value is not None:
        assert found.bounds[0] - 1e-12 <= value <= found.bounds[1] + 1e-12


@needs_highs
@pytest.mark.parametrize(
    "game",
    [Kuhn(), Goofspiel(cards=3), LiarsDice(sides=3), pytest.param(Leduc(), marks=pytest.mark.slow)],
    ids=str,
)
def test_iterating_leads_to_what_the_linear_programme_finds(game: Game) -> None:
    found = gt.cfr(game, exploitability=1e-4)
    exact = gt.solve(game, method="linear-programme")
    assert found.stopped_by == "end" and float(found) <= 1e-4
    assert exact.value is not None
    assert abs(float(found.values[0]) - float(exact.values[0])) <= 2e-4


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_passes_give_what_plain_arithmetic_gives(variant: str) -> None:
    found = gt.cfr(Kuhn(3), variant=variant, iterations=20)
    again = gt.cfr(Kuhn(3), variant=variant, iterations=20, compile="never")
    assert [float(v) for v in found.values] == pytest.approx([float(v) for v in again.values], abs=1e-12)
    judged = of_form(found.form, found.profile)
    assert [float(v) for v in judged.values] == pytest.approx([float(v) for v in found.values], abs=1e-12)
    assert [float(v) for v in judged.best_responses] == pytest.approx(
        [float(v) for v in found.best_responses], abs=1e-12
    )


def test_vanilla_stays_under_its_bound() -> None:
    """Zinkevich et al. 2007: a player's average regret is at most the span of payoffs · |sets| · √actions / √T."""
    for iterations in (1, 10, 100, 1000):
        found = gt.cfr(Kuhn(), variant="vanilla", iterations=iterations)
        assert float(found.nash_conv) <= 2 * 4 * 6 * math.sqrt(2) / math.sqrt(iterations)


def test_what_was_stopped_goes_on_as_if_it_had_not_been() -> None:
    whole = gt.cfr(Kuhn(), iterations=60)
    half = gt.cfr(Kuhn(), iterations=30)
    assert gt.cfr(Kuhn(), iterations=30, resume=half).profile == whole.profile
    assert half.iterations == 30 and gt.cfr(Kuhn(), iterations=30, resume=half).iterations == 60


def test_regrets_are_kept_in_a_file_and_taken_up_from_there(tmp_path: Path) -> None:
    half = gt.cfr(Kuhn(), iterations=30)
    file = half.save(tmp_path / "kuhn.npz")
    assert gt.cfr(Kuhn(), iterations=30, resume=file).profile == gt.cfr(Kuhn(), iterations=60).profile
    with pytest.raises(InputError, match=r"is Kuhn\(players=2\)"):
        gt.cfr(Kuhn(3), resume=file)
    (tmp_path / "other.npz").write_bytes(b"no archive")
    with pytest.raises(InputError, match="no file that"):
        gt.cfr(Kuhn(), resume=tmp_path / "other.npz")
    with pytest.raises(InputError, match="cannot be read"):
        gt.cfr(Kuhn(), resume=tmp_path / "none.npz")
    with pytest.raises(InputError, match="nothing to go on from"):
        gt.solve(Kuhn()).equilibrium.save(file)  # type: ignore[union-attr]


def test_another_game_of_the_same_name_is_not_gone_on_with(tmp_path: Path) -> None:
    one, other = (
        gt.Tree([gt.Turn(1, [2, -1], set="B"), gt.Turn(1, [-1, payoff], set="B")]) for payoff in (1, 5)
    )
    assert repr(one) == repr(other)
    half = gt.cfr(one, iterations=30, compile="never")
    file = half.save(tmp_path / "tree.npz")
    for resume in (half, file):
        assert gt.cfr(one, iterations=30, resume=resume).iterations == 60
        with pytest.raises(InputError, match="other plays or payoffs"):
            gt.cfr(other, iterations=30, resume=resume)


def test_limits_and_progress_are_kept() -> None:
    points: list[Any] = []
    found = gt.cfr(Kuhn(), limit=Limit(seconds=0.15), on_progress=points.append)
    assert found.stopped_by == "seconds" and found.seconds < 1
    assert [point.iterations for point in found.history] == sorted(
        {point.iterations for point in found.history}
    )
    assert found.history[-1].exploitability == pytest.approx(float(found), abs=1e-12)
    assert gt.cfr(Kuhn(), exploitability=1e-3).stopped_by == "end"
    assert gt.cfr(Kuhn(), iterations=7).iterations == 7


def test_more_than_two_players_are_promised_what_was_measured() -> None:
    found = gt.solve(Kuhn(3), exploitability=1e-4).equilibrium
    assert found is not None
    assert "only two players with a constant sum have a value" in found.promise
    assert found.bounds is None and float(found) <= 1e-4


def test_racing_ends_where_it_was_told() -> None:
    found = gt.solve(Kuhn(), method="cfr", exploitability=1e-5)
    assert found.solved and found.equilibrium is not None
    assert found.equilibrium.method in ("pcfr+", "dcfr") and float(found.equilibrium) <= 1e-5
    stopped = gt.solve(LiarsDice(sides=3), None, Limit(seconds=1.0), method="cfr", exploitability=0)
    assert not stopped.solved and stopped.bounds is not None


def test_the_value_of_an_information_set_is_what_its_player_expects_there() -> None:
    found = gt.cfr(Kuhn(), iterations=20_000)
    worth = {(one.player, one.observation): value for one, value in found.set_values()}
    assert worth[0, (2, 2, 2)] == pytest.approx(2 * 1.0, abs=0.7)  # a king calls and wins 2 most of the time
    assert worth[1, (0, 1, 1)] == pytest.approx(-1, abs=1e-3)  # a jack that is bet into folds
    roots = [worth[0, (card, 0, 0)] for card in range(3)]
    assert sum(float(v) for v in roots if v is not None) / 3 == pytest.approx(
        float(found.values[0]), abs=1e-9
    )


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"variant": "best"}, "variant='best': it is 'pcfr\\+'"),
        ({"iterations": 0}, "iterations=0"),
        ({"exploitability": -1}, "exploitability=-1"),
        ({"limit": Limit(depth=3)}, "by seconds, iterations or exploitability"),
        ({"resume": 3}, "resume takes what cfr returned"),
        ({"compile": "maybe"}, "compile='maybe'"),
    ],
)
def test_wrong_wishes_are_refused(options: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        gt.cfr(Kuhn(), **options)


def test_a_result_is_resumed_with_its_own_game_and_variant() -> None:
    before = gt.cfr(Kuhn(), iterations=2)
    with pytest.raises(InputError, match="not Kuhn"):
        gt.cfr(Kuhn(3), resume=before)
    with pytest.raises(InputError, match='variant="pcfr\\+"'):
        gt.cfr(Kuhn(), variant="dcfr", resume=before)


def test_solving_a_hidden_game_refuses_what_does_not_fit() -> None:
    kuhn = Kuhn()
    with pytest.raises(InputError, match="solved from the beginning"):
        gt.solve(kuhn, kuhn.parse_state("K J"))
    with pytest.raises(InputError, match="'linear-programme', 'cfr'"):
        gt.solve(kuhn, method="graph")
    with pytest.raises(InputError, match="two players with a constant sum"):
        gt.solve(Kuhn(3), method="linear-programme")
    with pytest.raises(InputError, match="hides nothing"):
        gt.solve(Nim(counters=3), exploitability=0.1)
    with pytest.raises(UnsuitableError, match="more than 50 nodes"):
        gt.cfr(kuhn, most_nodes=50)


@pytest.mark.parametrize("game", [Kuhn(2), Kuhn(3), Leduc(), LiarsDice(sides=3)], ids=str)
def test_compiled_rules_list_what_plain_ones_do(game: Game) -> None:
    fast, plain = listed(game, compile="auto", most_nodes=10**6), gt.sequence_form(game)
    forced = listed(game, compile="always") if _compiles() else fast
    assert fast is not None and plain is not None and forced is not None
    for form in (fast, forced):
        assert form.sets == plain.sets
        assert [tuple(row) for row in form.rows] == [tuple(row) for row in plain.rows]
        for one, other in zip(form.payoffs, plain.payoffs):
            assert list(one) == pytest.approx(list(other), abs=1e-15)
        assert list(form.weights) == pytest.approx(list(plain.weights), abs=1e-15)


def _compiles() -> bool:
    from gametree.compiled import native

    return not native.unavailable()


def test_a_profile_that_was_found_is_one_of_the_game() -> None:
    found = gt.cfr(Leduc(), iterations=10)
    assert Profile.from_json(Leduc(), found.profile.to_json()) == found.profile


class Draws(Game):
    """So many cards are drawn, each 0 or 1; then player 0 makes so many choices, each 0 or 1. He gets the sum."""

    payoffs = (-2, 2)

    def __init__(self, cards: int, choices: int) -> None:
        self.cards = cards
        self.choices = choices

    def initial(self) -> tuple[int, ...]:
        return ()

    def player(self, state: tuple[int, ...]) -> int:
        return gt.CHANCE if len(state) < self.cards else 0

    def chance(self, state: tuple[int, ...]) -> Any:
        return ((0, 0.5), (1, 0.5))

    def actions(self, state: tuple[int, ...]) -> range:
        return range(2)

    def result(self, state: tuple[int, ...], action: int) -> tuple[int, ...]:
        return (*state, action)

    def is_terminal(self, state: tuple[int, ...]) -> bool:
        return len(state) == self.cards + self.choices

    def utility(self, state: tuple[int, ...], player: int) -> float:
        return sum(state) if player == 0 else -sum(state)

    def observe(self, state: tuple[int, ...], player: int) -> int:
        return max(-1, len(state) - self.cards)


@pytest.mark.parametrize("compile", ["never", "auto"])
@pytest.mark.parametrize(("cards", "choices", "value"), [(0, 0, 0), (2, 0, 1), (0, 1, 1), (1, 1, 1.5)])
def test_not_everybody_has_to_decide_something(cards: int, choices: int, value: float, compile: str) -> None:
    game = Draws(cards, choices)
    for variant in VARIANTS:
        found = gt.cfr(game, variant=variant, iterations=200, compile=compile)
        assert float(found.values[0]) == pytest.approx(value, abs=0.01) and float(found) <= 0.01
    for method in ("cfr", "linear-programme") if linear_programme.available() else ("cfr",):
        solution = gt.solve(game, method=method, compile=compile)
        assert float(solution.values[0]) == pytest.approx(value, abs=1e-5)
