"""Numbers found by playing: they go to where games are won, and the same seed finds the same, whoever plays."""

import itertools
import json
import random
from pathlib import Path
from typing import Any

import pytest

import gametree as gt
from arena.tuning_games import Row
from gametree.arena.openings import Opening
from gametree.arena.players import player
from gametree.arena.spsa import Schedule, coins, moved
from gametree.arena.tunables import tuned
from gametree.arena.tuning import Tuning, tune
from gametree.errors import InputError
from gametree.games import Nim, TicTacToe

pytestmark = pytest.mark.same_in_all_modes

BY = "alphabeta:depth=2,compile=never"
BOOK = [
    Opening(actions, tuple(map(str, actions)), 0.0)
    for actions in [(0,), (11,), (0, 1), (0, 11), (11, 10), (11, 0)]
]


def found(**given: Any) -> Tuning:
    return tune(Row(), **{"player": BY, "games": 120, "match_games": 24, "openings": BOOK, **given})


# --- the algorithm ----------------------------------------------------------------------------------


@pytest.mark.parametrize("truth", [(1.0, -1.5), (0.0, 0.5, -2.0)])
def test_the_point_goes_to_the_truth(truth: tuple[float, ...]) -> None:
    """The players' strengths are known: so many Elo less the farther from the truth."""
    schedule, draws = Schedule(4_000), random.Random(1)
    point = [0.0] * len(truth)

    def elo(at: list[float]) -> float:
        return -40 * sum((a - b) ** 2 for a, b in zip(at, truth))

    for number in range(4_000):
        flips = coins(5, number, len(truth))
        by = schedule.move(number)
        one, other = ([v + sign * by * f for v, f in zip(point, flips)] for sign in (1, -1))
        odds = 1 / (1 + 10 ** ((elo(other) - elo(one)) / 400))
        share = sum(draws.random() < odds for _ in range(2)) / 2
        point = moved(point, schedule, number, flips, share)
    assert -elo(point) < -elo([0.0] * len(truth)) / 8


def test_coins_fall_both_ways_and_the_same_in_every_process() -> None:
    thrown = list(itertools.chain.from_iterable(coins(3, number, 4) for number in range(500)))
    assert set(thrown) == {1, -1} and abs(sum(thrown)) < 150
    assert coins(3, 7, 9) == coins(3, 7, 9) != coins(4, 7, 9)


def test_a_draw_moves_nothing_and_who_loses_moves_the_other_way() -> None:
    schedule = Schedule(100)
    assert moved([1.0], schedule, 5, [1], 0.5) == [1.0]
    up, down = moved([0.0], schedule, 5, [1], 1.0), moved([0.0], schedule, 5, [1], 0.0)
    assert up[0] == -down[0] > 0 and moved([0.0], schedule, 5, [-1], 0.0) == up


# --- tuning -----------------------------------------------------------------------------------------


def test_what_matters_gains_and_what_does_not_loses_and_the_match_is_won() -> None:
    tuning = found(games=600, batch=4)
    assert tuning.found[0] > tuning.start[0] + 0.1 and abs(tuning.found[1]) < tuning.start[1] - 0.1
    assert tuning.score is not None and tuning.score.low > 0.5
    assert tuning.parameters["weights"] == (0.0, *tuning.found)
    assert tuning.games == tuning.planned == 600 and tuning.path[0] == (0, (0.5, 1.0))


def test_whoever_plays_and_wherever_it_was_stopped_the_same_is_found(tmp_path: Path) -> None:
    whole = found(results=tmp_path / "whole", batch=8)
    assert found(jobs=2, results=tmp_path / "two", batch=8) == whole
    text = (tmp_path / "whole").read_bytes()
    assert (tmp_path / "two").read_bytes() == text
    for cut in (len(text) // 3, len(text) // 2 + 7):
        (tmp_path / "cut").write_bytes(text[:cut])
        (tmp_path / "cut.match").unlink(missing_ok=True)
        assert found(results=tmp_path / "cut", batch=8) == whole
        assert (tmp_path / "cut").read_bytes() == text
    assert (tmp_path / "cut.match").read_bytes() == (tmp_path / "whole.match").read_bytes()
    with pytest.raises(InputError, match="holds another experiment: its seed is 0, this one's is 1"):
        found(results=tmp_path / "whole", batch=8, seed=1)


def test_what_was_found_is_saved_and_played_with(tmp_path: Path) -> None:
    tuning = found(match_games=0)
    tuning.save(tmp_path / "w.json")
    assert json.loads((tmp_path / "w.json").read_text())["parameters"]["weights"] == [0.0, *tuning.found]
    made = player(f"{BY},weights={tmp_path / 'w.json'}")
    assert made.identity["weights"] == [0.0, *tuning.found]
    assert tuning.score is None and "against start" not in str(tuning)
    assert tuning.svg().startswith("<svg ") and "w1" in tuning._repr_html_()


def test_numbers_of_a_player_stay_within_their_bounds_and_whole_ones_whole() -> None:
    open_ = tuned(TicTacToe(), "mcts:exploration=0.2..1.4..4,expand_after=1..3", None)
    exploration, expand_after = open_.parameters
    assert (exploration.low, exploration.start, exploration.high, exploration.whole) == (0.2, 1.4, 4.0, False)
    assert (expand_after.start, expand_after.whole, expand_after.step) == (2, True, 0.5)
    assert exploration.value(1e9) == 4.0 and exploration.value(-1e9) == 0.2
    assert [expand_after.value(steps) for steps in (-9, -1, 0, 1.2, 9)] == [1, 2, 2, 3, 3]
    assert open_.at((0.5, 3)).settings == {"simulations": 400, "exploration": 0.5, "expand_after": 3}
    tuning = tune(
        Nim(counters=7),
        "mcts:exploration=1.4",
        player="mcts:simulations=20,compile=never",
        games=8,
        match_games=2,
    )
    assert 0 <= tuning.found[0] <= 2.8 and set(tuning.parameters) == {"exploration"}


@pytest.mark.parametrize(
    ("parameters", "by", "why"),
    [
        (
            "weights",
            None,
            "TicTacToe has no `features` with `weights` to be tuned; name parameters of a player",
        ),
        ("", None, "`weights`, or the parameters of a player"),
        ("exploration=1.4", None, "whose parameters are they"),
        ("exploration=1.4", "random", "random has no parameters to be tuned"),
        ("exploration=1.4", "level:3", "level:3 has no parameters to be tuned"),
        ("mcts:explore=1.4", None, "mcts has no parameter 'explore'; it has: .*exploration"),
        ("mcts:simulations=100", None, "more is always better"),
        ("mcts:exploration", None, "is no parameter with what it begins with"),
        ("mcts:exploration=much", None, "'much' is no number"),
        ("mcts:exploration=nan", None, "'nan' is no number"),
        ("mcts:exploration=1..2..3..4", None, "is no number, and no range"),
        ("mcts:exploration=4..1..0", None, "has to rise from its least to its most"),
        ("mcts:exploration=0", None, r"from 0 no range can be told; write exploration=0\.\.0\.\.1"),
        ("mcts:exploration=1,exploration=2", None, "exploration stands twice"),
        ("mcts:exploration=1.4", "alphabeta:depth=2", "those of mcts, but the player is alphabeta:depth=2"),
        ("uci:Skill=3", None, "which engine?"),
        ("mcts:exploration=-2..1..3", None, "exploration=-2"),
    ],
)
def test_what_cannot_be_tuned_is_refused(parameters: str, by: str | None, why: str) -> None:
    with pytest.raises(InputError, match=why):
        tune(TicTacToe(), parameters, player=by, games=4)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"games": 2}, "games=2: at least 4"),
        ({"batch": 0}, "batch=0"),
        ({"match_games": -1}, "match_games=-1"),
        ({"jobs": 0}, "jobs=0"),
        ({"openings": []}, "there are no openings to play from"),
        ({"player": "random"}, "random does not judge by the game's weights"),
    ],
)
def test_numbers_that_make_no_sense_are_refused(given: dict[str, Any], why: str) -> None:
    with pytest.raises(InputError, match=why):
        found(**given)


class Broken(Row):
    def features(self, state: Any, player: int) -> Any:
        raise ValueError("no idea")


def test_a_fault_of_a_player_ends_the_run_with_its_reason() -> None:
    with pytest.raises(gt.GametreeError, match="no idea"):
        tune(Broken(), player=BY, games=4, openings=BOOK)
