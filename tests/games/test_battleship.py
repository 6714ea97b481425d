"""Battleship: the rules, what is told, and what can be known."""

import itertools
import random
from typing import Any

import pytest

import gametree as gt
from gametree.explain.pictures.heat import heat_map, heat_scene
from gametree.explain.pictures.svg import written
from gametree.games import Battleship
from gametree.games.battleship.posterior import HIT, MISS, SUNK, UNKNOWN, Places, posterior


def all_fleets(places: Places) -> list[list[set[int]]]:
    """Every way to lay the ships so that they do not cross, one by one."""
    options = [[set(map(int, mask.nonzero()[0])) for mask in masks] for masks in places.masks]
    return [
        list(fleet)
        for fleet in itertools.product(*options)
        if len(set().union(*fleet)) == sum(map(len, fleet))
    ]


def told(fleet: list[set[int]], shots: list[int]) -> list[int]:
    """What is told of every cell, after shots in this order."""
    seen: dict[int, int] = {}
    for shot in shots:
        seen[shot] = MISS
        for ship, cells in enumerate(fleet):
            if shot in cells:
                seen[shot] = SUNK + ship if cells <= seen.keys() else HIT
    return [seen.get(cell, UNKNOWN) for cell in range(64)]


@pytest.mark.parametrize("seed", range(25))
def test_the_posterior_is_what_counting_all_fleets_gives(seed: int) -> None:
    rng = random.Random(seed)
    width, height = rng.choice([(4, 4), (5, 3), (4, 3), (3, 5)])
    places = Places(width, height, rng.choice([(3, 2), (2, 2, 1), (3, 2, 2), (2,), (3, 1), (2, 1, 1)]))
    fleets = all_fleets(places)
    shots = rng.sample(range(places.cells), rng.randrange(places.cells))
    seen = told(rng.choice(fleets), shots)[: places.cells]
    order = [shots.index(cell) + 1 if cell in shots else 0 for cell in range(places.cells)]
    fitting = [fleet for fleet in fleets if told(fleet, shots)[: places.cells] == seen]
    found = posterior(places, tuple(seen), tuple(order))
    assert found is not None and found.exact
    assert found.fleets == pytest.approx(len(fitting))
    for cell in range(places.cells):
        share = sum(any(cell in ship for ship in fleet) for fleet in fitting) / len(fitting)
        assert found.occupied[cell] == pytest.approx(share, abs=1e-9)


def test_what_is_sampled_comes_close_to_what_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    from gametree.games.battleship import posterior as room

    places = Places(6, 6, (4, 3, 3, 2))
    seen = [UNKNOWN] * 36
    seen[14], seen[0], seen[35] = HIT, MISS, MISS
    exact = posterior(places, tuple(seen))
    monkeypatch.setattr(room, "MOST_LISTED", 0)
    sampled = posterior(places, tuple(seen), samples=20_000)
    assert exact is not None and exact.exact
    assert sampled is not None and not sampled.exact
    assert sampled.fleets == pytest.approx(exact.fleets, rel=0.02)
    assert sampled.occupied == pytest.approx(exact.occupied, abs=0.01)


def test_a_fleet_fits_in_as_many_ways_as_is_known() -> None:
    """Two ships of 2 on 2 by 2 lie side by side, across or down."""
    found = posterior(Places(2, 2, (2, 2)), (UNKNOWN,) * 4)
    assert found is not None
    assert found.fleets == 4


def test_shots_that_no_fleet_explains_are_refused() -> None:
    assert posterior(Places(3, 1, (2,)), (MISS, UNKNOWN, MISS)) is None


def test_ships_sink_and_the_shooter_is_told() -> None:
    game = Battleship(width=3, height=3, fleet="2 1")
    state = game.parse_state("a1> c3> a1> c3> a1 b2 b1")
    assert game.seen(game.observe(state, 0)) == (HIT, SUNK, 0, 0, 0, 0, 0, 0, 0)
    assert game.seen(game.observe(state, 1)) == (0, 0, 0, 0, MISS, 0, 0, 0, 0)
    over = game.result(game.result(state, 0), 8)
    assert game.is_terminal(over)
    assert game.utility(over, 0) == 1
    assert game.utility(over, 1) == -1


def test_who_leaves_no_room_for_a_ship_has_lost() -> None:
    game = Battleship(width=3, height=1, fleet="1 2")
    state = game.parse_state("b1>")
    assert game.is_terminal(state)
    assert game.utility(state, 0) == -1


def test_the_others_ships_are_in_nothing_that_a_player_sees() -> None:
    game = Battleship(width=4, height=4, fleet="2 2")
    one, other = (game.parse_state(f"a1> a2> {ships} a4 d1") for ships in ("a1> a2>", "c1v a3>"))
    assert game.observe(one, 0) == game.observe(other, 0)
    assert game.observe(one, 1) != game.observe(other, 1)
    shown = game.show_observation(game.observe(one, 0), 0)
    assert shown.count("#") == 4
    assert game.show(one).count("#") == 8


@pytest.mark.parametrize("seed", range(4))
def test_what_a_shooter_sees_is_enough_to_know_the_shots_and_their_cells(seed: int) -> None:
    """A page draws and asks for moves from this alone: to look for a fleet that agrees with it can take long."""
    game = Battleship()
    rng = random.Random(seed)
    state = game.initial()
    while not game.is_terminal(state):
        player = game.player(state)
        shown = game.mask(game.observe(state, player), player)
        if game.placing(state) == game.ships:
            assert game.player(shown) == player and not game.is_terminal(shown)
            assert list(game.actions(shown)) == list(game.actions(state))
            for action in game.actions(state):
                assert game.touches(shown, action) == game.touches(state, action)
        state = game.result(state, rng.choice(list(game.actions(state))))


@pytest.mark.parametrize("player", [0, 1])
def test_worlds_agree_with_what_was_seen_and_come_as_likely_as_fleets(player: int) -> None:
    game = Battleship(width=4, height=3, fleet="3 2")
    state = game.parse_state("a1> a2> b1v d1v b1 b2" + (" c3" if player else ""))
    observation = game.observe(state, player)
    found = gt.ismcts(game, state, simulations=10, compile="never")
    assert "sampled by the rules" in found.notes[0]
    rng = random.Random(5)
    worlds = [game.worlds(observation, player, rng.randrange) for _ in range(3000)]
    assert {game.observe(world, player) for world in worlds} == {observation}
    occupied = game.posterior(observation).occupied
    shots = [world.second if player == 0 else world.first for world in worlds]
    for cell in range(game.cells):
        share = sum(any(game.covers(p, i, cell) for i, p in enumerate(ships)) for ships in shots) / 3000
        assert share == pytest.approx(occupied[cell], abs=0.04)


def test_the_bot_shoots_where_a_ship_most_likely_is() -> None:
    game = Battleship(width=5, height=5, fleet="3 2")
    state = game.parse_state("a1> a2> a1> a2> c3 e5")
    found = gt.analyze(game, state, moves=True)
    assert found.method == "appraise"
    occupied = game.posterior(game.observe(state, 0)).occupied
    assert max(float(move.value) for move in found.moves) == pytest.approx(max(occupied))
    assert gt.Bot(game, level=10).move(state) == found.action


def test_where_the_rules_say_nothing_one_of_the_actions_is_drawn_by_the_seed() -> None:
    game = Battleship()
    drawn = {gt.Bot(game, seed=seed).move(game.initial()) for seed in range(6)}
    assert len(drawn) > 3
    assert drawn == {gt.Bot(game, seed=seed).move(game.initial()) for seed in range(6)}


def test_a_heat_map_is_as_warm_as_the_chance_to_hit() -> None:
    game = Battleship(width=5, height=5, fleet="3 2")
    state = game.parse_state("a1> a2> a1> a2> c3 e5")
    analysis = gt.analyze(game, state, moves=True)
    board = heat_map(game, state, analysis)
    best = board.cell(f"second {analysis.name}")
    assert best.heat == 1
    assert best.count == round(100 * float(analysis.value or 0))
    assert board.cell("second c3").heat == 0
    assert 'class="gt-heat-8"' in written(heat_scene(game, state, analysis))
    with pytest.raises(gt.InputError, match="needs the values of the moves"):
        heat_map(game, state, gt.analyze(game, state))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"fleet": "5 x"}, "it takes the lengths"),
        ({"fleet": ""}, "it takes the lengths"),
        ({"fleet": "11"}, "none is longer than 10"),
        ({"width": 12}, "at most 11"),
        ({"width": 0}, "at least 1"),
        ({"width": 2, "height": 2, "fleet": "2 2 2"}, "do not fit"),
    ],
)
def test_a_board_or_a_fleet_that_cannot_be_is_refused(given: dict[str, Any], words: str) -> None:
    with pytest.raises(gt.InputError, match=words):
        Battleship(**given)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("j1>", "no place for a ship of 5"),
        ("a1", "no place for a ship of 5"),
        ("a1> a1>", "clear of the others"),
    ],
)
def test_a_ship_that_cannot_lie_there_is_refused(text: str, words: str) -> None:
    with pytest.raises(gt.InputError, match=words):
        Battleship().parse_state(text)


def test_a_shot_at_the_same_cell_is_refused() -> None:
    game = Battleship(width=3, height=3, fleet="2")
    with pytest.raises(gt.InputError, match="'a1' is no shot"):
        game.parse_state("a1> a1> a1 a2 a1")
