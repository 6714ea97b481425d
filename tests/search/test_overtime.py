"""Rules that are asked when time is over do not answer any more, in whatever search they are asked."""

import pickle
import time
from collections.abc import Callable, Iterable
from typing import Any

import pytest

import gametree as gt
from gametree.result import Limit
from gametree.search.core.overtime import OutOfTime, expire, stand_in
from gametree.search.core.stopwatch import StopWatch, Wish


class Slow(gt.Game):
    """Take one to five of sixty. At the call with a certain number somebody wants the search to end, and it takes
    until every rule knows."""

    payoffs = (-1, 1)

    def __init__(self, wish: Wish, at: int, longest: float = 20.0):
        self.log: list[int] = [0, 0]
        """How many rules were asked, and how many of them when time was over."""
        self.wish = wish
        self.at = at
        self.longest = longest

    def count(self) -> None:
        self.log[0] += 1
        if self.log[0] > self.at:
            self.log[1] += 1
        if self.log[0] == self.at:
            self.wish.stop()
            until = time.monotonic() + self.longest
            while time.monotonic() < until and not late(self):
                time.sleep(0.001)

    def initial(self) -> Any:
        return (60, 0, 1)

    def player(self, state: Any) -> int:
        self.count()
        return int(state[1])

    def actions(self, state: Any) -> Iterable[int]:
        self.count()
        return range(1, min(5, state[0]) + 1)

    def result(self, state: Any, action: int) -> Any:
        self.count()
        return (state[0] - action, 1 - state[1], (7 * state[2] + action) % 1009)

    def is_terminal(self, state: Any) -> bool:
        self.count()
        return bool(state[0] == 0)

    def utility(self, state: Any, player: int) -> float:
        self.count()
        return -1 if (player == state[1]) == (state[2] % 2 == 0) else 1


class Judged(Slow):
    def evaluate(self, state: Any, player: int) -> float:
        self.count()
        return float((state[2] % 17 - 8) / 10 * (1 if player == 0 else -1))


def late(game: Any) -> bool:
    return "_raise" in type(game).is_terminal.__name__


LONG = Limit(seconds=1000.0)
SEARCHES: dict[str, tuple[type[Slow], Callable[[Any], Any]]] = {
    "minimax": (Slow, lambda game: gt.minimax(game, limit=LONG, compile="never")),
    "alphabeta": (Judged, lambda game: gt.alphabeta(game, depth=9, limit=LONG, compile="never")),
    "analyze": (Judged, lambda game: gt.analyze(game, limit=LONG, compile="never")),
    "mtdf": (Judged, lambda game: gt.mtdf(game, limit=LONG, compile="never")),
    "sss": (Judged, lambda game: gt.sss(game, depth=9, form="list", limit=LONG)),
    "mcts": (Slow, lambda game: gt.mcts(game, limit=LONG, compile="never")),
    "pns": (Slow, lambda game: gt.pns(game, limit=LONG)),
    "dfpn": (Slow, lambda game: gt.dfpn(game, limit=LONG, compile="never")),
    "maxn": (Judged, lambda game: gt.maxn(game, limit=LONG, compile="never")),
    "paranoid": (Judged, lambda game: gt.paranoid(game, limit=LONG, compile="never")),
    "expectiminimax": (Judged, lambda game: gt.expectiminimax(game, limit=LONG, compile="never")),
    "solve": (Slow, lambda game: gt.solve(game, limit=LONG, compile="never")),
}


@pytest.mark.same_in_all_modes
@pytest.mark.parametrize("at", [300, 701])
@pytest.mark.parametrize("name", SEARCHES)
def test_no_rule_begins_when_time_is_over(name: str, at: int) -> None:
    wish = Wish()
    kind, search = SEARCHES[name]
    game = kind(wish, at)
    object.__setattr__(game, "_rehearsed", [game.initial()])
    with wish.heard():
        found = search(game)
    assert found.stopped_by == "cancelled"
    # `solve` still plays a little, to say what it would take.
    assert game.log[1] == 0 or name == "solve"


def test_a_stand_in_answers_as_the_game_does_until_it_is_late() -> None:
    game = gt.games.Nim(7)
    made = stand_in(game)
    assert made is not game and isinstance(made, gt.games.Nim) and repr(made) == repr(game)
    state = made.initial()
    assert list(made.actions(state)) == list(game.actions(state))
    assert type(made).offered == type(game).offered
    expire(made)
    assert made.name_action(state, 1) == "1" and type(made).offered == type(game).offered
    with pytest.raises(OutOfTime):
        made.actions(state)
    assert list(game.actions(state)) == [1, 2, 3]


def test_a_class_that_wants_no_heirs_is_asked_itself() -> None:
    class Last(gt.games.Nim):
        def __init_subclass__(cls, **options: Any) -> None:
            raise TypeError("no heirs")

    game = Last(5)
    assert stand_in(game) is game
    assert gt.mcts(game, limit=Limit(seconds=0.05), compile="never").action in (1, 2, 3)


def test_a_watch_that_rings_too_early_says_when_to_ring_again() -> None:
    watch = StopWatch(Limit(seconds=1000)).begin()
    rules = watch.rules(gt.games.Nim(3))
    again = watch.ring()
    assert again is not None and again > watch.deadline and not rules.is_terminal(rules.initial())
    watch.stop()
    time.sleep(0.01)
    watch.ring()
    with pytest.raises(OutOfTime):
        rules.is_terminal(gt.games.Nim(3).initial())


def test_what_is_kept_of_a_search_asks_the_game_itself() -> None:
    game = gt.games.TicTacToe()
    solver = gt.Solver(game)
    solved = solver.values(limit=Limit(seconds=60))
    engine = gt.Engine(game)
    engine.analyze(limit=Limit(seconds=0.05))
    thinker = gt.MonteCarlo(game) if hasattr(gt, "MonteCarlo") else None
    time.sleep(0.1)
    assert solved.value(game.initial(), 0) == 0
    assert engine.analyze(depth=2).action is not None
    if thinker is not None:
        thinker.analyze(limit=Limit(seconds=0.02))
        time.sleep(0.05)
        assert thinker.tree.choices(game.initial())


@pytest.mark.parametrize(
    "made",
    [
        lambda: gt.Tree([[3, 12, 8], [2, 4, 6]]),
        lambda: gt.Tree([gt.Chance([(0.5, 3), (0.5, [1, 2])]), 2]),
        lambda: gt.strategy(gt.games.Nim(6), compile="never"),
        lambda: gt.best_response(gt.games.Nim(6), lambda state: 1),
        lambda: gt.solve(gt.games.Kuhn(), compile="never").equilibrium,
    ],
)
def test_trees_strategies_and_responses_can_be_pickled(made: Callable[[], Any]) -> None:
    one = made()
    other = pickle.loads(pickle.dumps(one))
    assert repr(other) == repr(one) and str(other) == str(one)


def test_a_pickled_strategy_plays_on() -> None:
    plan = gt.strategy(gt.games.Nim(6), compile="never")
    other = pickle.loads(pickle.dumps(plan))
    assert dict(other.moves) == dict(plan.moves) and other.verify().ok
    with pytest.raises(TypeError):
        other.moves[0] = 1
