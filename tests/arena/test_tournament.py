"""Many players meet: who meets whom, where everybody sits, and what comes of it."""

import itertools
import math
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametree as gt
from arena import match_players as cast
from gametree.arena.field import rate
from gametree.arena.schedule import meetings, swiss
from gametree.arena.seating import seatings
from gametree.errors import InputError
from gametree.games import Kuhn, Nim

TWO_PLAYERS: Any = (cast.Expert(), cast.greedy)


# --- seats ------------------------------------------------------------------------------------------


@given(st.integers(2, 6), st.integers(2, 6), st.integers(0, 50))
def test_everybody_has_every_seat_as_often(sides: int, players: int, number: int) -> None:
    players = min(sides, players)
    found = seatings(sides, players, number)
    assert len(set(found)) == len(found) <= 36
    for seats in found:
        assert len(seats) == sides and set(seats) == set(range(players))
        counts = Counter(seats).values()
        assert max(counts) - min(counts) <= 1
    for side in range(sides):
        assert len({Counter(seats[side] for seats in found)[player] for player in range(players)}) == 1


def test_three_seats_for_two_players_are_all_six_ways() -> None:
    assert len(seatings(3, 2)) == 6 and (0, 1, 0) in seatings(3, 2)


# --- who meets whom ---------------------------------------------------------------------------------


def test_in_a_round_robin_everybody_meets_everybody_once() -> None:
    assert set(meetings("round-robin", 5, 2)) == set(itertools.combinations(range(5), 2))
    assert set(meetings("round-robin", 5, 3)) == set(itertools.combinations(range(5), 3))
    assert meetings("gauntlet", 4, 2) == ((0, 1), (0, 2), (0, 3))


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6, 7, 8, 9])
def test_a_swiss_tournament_pairs_alike_without_meeting_again(players: int) -> None:
    met: Counter[frozenset[int]] = Counter()
    byes = [0] * players
    points = [0.0] * players
    rounds = max(1, math.ceil(math.log2(players)))
    for _ in range(rounds):
        tables, idle = swiss(points, lambda a, b: met[frozenset((a, b))], byes, 2)
        seen = [one for table in tables for one in table]
        assert sorted([*seen, *idle]) == list(range(players)) and len(idle) == players % 2
        for one in idle:
            byes[one] += 1
            points[one] += 1
        for table in tables:
            met[frozenset(table)] += 1
            points[min(table)] += 1  # who was entered first is the better one
    assert max(met.values()) == 1 and max(byes) <= 1
    assert points[0] == rounds


# --- tournaments ------------------------------------------------------------------------------------


def shy(state: Any, history: Any) -> int:
    return 1


@pytest.mark.parametrize("kind", ["round-robin", "gauntlet", "swiss"])
def test_the_better_player_stands_first_and_the_numbers_fit(kind: Any) -> None:
    found = gt.tournament(
        Nim(21), cast.Expert(), cast.greedy, shy, "random", kind=kind, rounds=4, openings="start"
    )
    assert found.names[0] == "Expert"
    games = found.games
    assert found.games_played == found.planned == len(games)
    assert sum(found.reasons.values()) == len(games)
    for one in found.standings:
        made = sum(game.points_of(one.number) for game in games if one.number in game.seats)
        assert one.games == sum(one.number in game.seats for game in games)
        assert one.points == pytest.approx(made + one.byes)
        assert all(map(math.isfinite, (one.rated.elo, one.rated.low, one.rated.high)))
    for row, column in itertools.combinations(range(4), 2):
        mine, theirs = found.cross[row][column], found.cross[column][row]
        assert (mine is None) == (theirs is None)
        if mine is not None and theirs is not None:
            assert mine.share == pytest.approx(1 - theirs.share) and mine.count == theirs.count
    assert "against 1" in str(found) and "Expert" in found._repr_html_()


def test_three_players_at_a_table_are_ranked() -> None:
    game = gt.games.load("ludo")
    found = gt.tournament(game, "random", "random", "random", "random", "random", rounds=1)
    assert found.games_played == len(meetings("round-robin", 5, 4)) * 4
    assert all(set(one.players) == set(game.seats) for one in found.rounds for game in one.games)
    assert found.digest == gt.tournament(game, *["random"] * 5, rounds=1).digest


def test_two_kinds_of_players_share_a_table_of_three() -> None:
    game = gt.games.load("mnk", width=4, height=4, k=3, players=3)
    found = gt.match(game, "maxn:depth=2", "paranoid:depth=2", games=12, openings="start")
    assert found.games_played == 12 and found.score.count == 2
    assert {game.seats for game in found.games} == set(seatings(3, 2))
    assert "of 2 rounds" in str(found)


def test_teams_are_sides() -> None:
    game = gt.games.load("ludo", teams=True)
    found = gt.match(game, "random", "random", games=4)
    assert all(len(one.points) == 2 for one in found.games) and found.games_played == 4


def test_the_dice_are_the_same_when_seats_are_changed() -> None:
    found = gt.match(cast.Dice(), cast.keeps, cast.gives, games=20, openings="start")
    for one in found.rounds:
        rolls = [[move for at, move in enumerate(game.moves) if at % 2 == 0] for game in one.games]
        assert rolls[0] == rolls[1]
    assert len({one.games[0].moves for one in found.rounds}) > 5


def test_players_see_only_what_they_may() -> None:
    found = gt.tournament(Kuhn(3), "random", "random", "ismcts:simulations=20,compile=never", rounds=2)
    assert found.games_played == 12 and set(found.reasons) == {"the game ended"}


def test_a_swiss_tournament_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    path = tmp_path / "swiss.jsonl"
    settings: dict[str, Any] = {"kind": "swiss", "rounds": 4, "results": path}
    players = ["random", "level:1", "alphabeta:depth=3,compile=never", "random", "random"]
    whole = gt.tournament(Nim(21), *players, **settings)
    lines = path.read_bytes().splitlines(keepends=True)
    for kept in (1, 3, 6):
        path.write_bytes(b"".join(lines[:kept]) + lines[kept][:20])
        again = gt.tournament(Nim(21), *players, **settings)
        assert again == whole and again.fresh == whole.games_played - 2 * (kept - 1)
        assert path.read_bytes() == b"".join(lines)


@pytest.mark.parametrize(
    ("players", "settings", "why"),
    [
        (["random"], {}, "a tournament needs two players"),
        (["random", "random"], {"kind": "cup"}, "kind='cup': one of round-robin, gauntlet, swiss"),
        (["random", "random"], {"rounds": 0}, "rounds=0: how often they meet"),
        (["random", "rndom"], {}, "there is no player 'rndom'; did you mean random"),
    ],
)
def test_tournaments_that_make_no_sense_are_refused(
    players: list[str], settings: dict[str, Any], why: str
) -> None:
    with pytest.raises(InputError, match=why):
        gt.tournament(Nim(21), *players, **settings)


# --- ratings ----------------------------------------------------------------------------------------


def test_ratings_of_two_are_the_elo_of_their_score() -> None:
    groups = [[((0,), (1,))]] * 3 + [[((1,), (0,))]]
    one, other = rate(2, groups)
    assert one.elo - other.elo == pytest.approx(400 * math.log10(3), abs=0.5)
    counted = rate(2, [groups[0], groups[3]], [3, 1])
    assert counted[0].elo == pytest.approx(one.elo) and counted[0].low == pytest.approx(one.low)


@pytest.mark.parametrize(
    "groups",
    [
        [],
        [[((0,), (1,))]],
        [[((0, 1),)]],
        [[((0,), (1,), (2,))]] * 50,
        [[((0, 1, 2),)]] * 3,
        [[((0,), (1,))]] * 10_000,
    ],
)
def test_ratings_are_numbers_on_any_counts(groups: Any) -> None:
    for one in rate(3, groups):
        assert all(map(math.isfinite, (one.elo, one.low, one.high))) and one.low <= one.elo <= one.high


def test_ratings_are_those_of_choix() -> None:
    import choix
    import numpy as np

    draws = np.random.default_rng(7)
    strengths = draws.normal(size=6)
    pairs = []
    for one, other in itertools.permutations(range(6), 2):
        for _ in range(30):
            wins = draws.random() < 1 / (1 + math.exp(strengths[other] - strengths[one]))
            pairs.append((one, other) if wins else (other, one))
    theirs = choix.opt_pairwise(6, pairs, alpha=0.0)
    ours = rate(6, [[((one,), (other,))] for one, other in pairs])
    elo = 400 / math.log(10) * (theirs - theirs.mean())
    assert [one.elo for one in ours] == pytest.approx(elo.tolist(), abs=0.1)
    rankings = [tuple(draws.permutation(6).tolist()[:4]) for _ in range(200)]
    theirs = choix.opt_rankings(6, rankings, alpha=0.0)
    ours = rate(6, [[tuple((one,) for one in ranking)] for ranking in rankings])
    elo = 400 / math.log(10) * (theirs - theirs.mean())
    assert [one.elo for one in ours] == pytest.approx(elo.tolist(), abs=0.1)
