"""What Monte-Carlo tree search refuses, in words that say what to do instead."""

from collections.abc import Iterator
from typing import Any

import pytest

import gametree as gt
from fixtures.kuhn_poker import KuhnPoker
from gametree.games import ConnectFour, Nim, TicTacToe
from gametree.games.tree.game import ChanceTree
from search.endless import JudgedToggle, Toggle
from search.mcts.forest import random_tree


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"tree_policy": "best"}, 'tree_policy=\'best\': it is "ucb1", "ucb1-tuned", "epsilon-greedy"'),
        ({"default_policy": "random"}, '"uniform", "prior", "greedy" or "evaluate"'),
        ({"amaf": "all"}, 'amaf=\'all\': it is "rave", "grave" or None'),
        ({"when_full": "burst"}, '"recycle" or "stop"'),
        ({"final": "best"}, '"robust", "max" or "secure"'),
        ({"epsilon": 1.5}, "epsilon=1.5: a chance, from 0 to 1"),
        ({"playout_epsilon": -1}, "playout_epsilon=-1: a chance, from 0 to 1"),
        ({"exploration": -1}, "exploration=-1: how much to explore, at least 0"),
        ({"exploration": float("nan")}, "exploration=nan"),
        ({"temperature": 0}, "temperature=0: more than 0"),
        ({"prior_temperature": float("inf")}, "prior_temperature=inf: more than 0"),
        ({"evaluation_scale": 0}, "evaluation_scale=0: more than 0"),
        ({"amaf_bias": -1}, "amaf_bias=-1: at least 0"),
        ({"bias": "much"}, "bias='much': at least 0"),
        ({"expand_after": 0}, "expand_after=0: after so many visits"),
        ({"amaf_reference": 1.5}, "amaf_reference=1.5: a number of visits"),
        ({"cutoff": -1}, "cutoff=-1: a number of plies, at least 0"),
        ({"solver": "yes"}, "solver='yes': True or False"),
        ({"transpositions": 1}, "transpositions=1: True or False"),
        ({"widening": (0, 1)}, "widening=(0, 1): two numbers (k, a)"),
        ({"widening": 3}, "widening=3: two numbers (k, a)"),
        ({"rave": True}, "mcts has no option 'rave'; it has: tree_policy,"),
        ({"threads": 0}, "threads=0: a whole number of at least 1"),
        ({"seed": 0.5}, "seed=0.5: a whole number"),
        ({"memory_mb": 0}, "memory_mb=0: the size of the tree in megabytes, more than 0"),
        ({"simulations": 0}, "simulations=0: a whole number of at least 1"),
        ({"limit": gt.Limit(depth=3)}, "mcts goes by simulations, not by depth"),
        ({"limit": 3}, "write limit=Limit(seconds=3)"),
        ({"compile": "maybe"}, 'it is "auto", "always" or "never"'),
    ],
    ids=str,
)
def test_an_option_that_is_none_is_refused_with_what_it_can_be(options: dict[str, Any], words: str) -> None:
    with pytest.raises(gt.InputError) as caught:
        gt.mcts(TicTacToe(), **{"compile": "never", **options})
    assert words in str(caught.value)


def test_games_that_hide_something_are_refused() -> None:
    with pytest.raises(
        gt.UnsuitableError, match=r"KuhnPoker hides information.*a search for imperfect information"
    ):
        gt.mcts(KuhnPoker())


def test_a_class_is_no_game() -> None:
    with pytest.raises(gt.InputError, match="takes a game, not its class"):
        gt.mcts(TicTacToe)  # type: ignore[arg-type]


def test_an_evaluation_is_asked_for_where_it_is_needed() -> None:
    for options, asked in (
        ({"cutoff": 3}, "cutoff=3"),
        ({"default_policy": "greedy"}, 'default_policy="greedy"'),
        ({"default_policy": "evaluate"}, 'default_policy="evaluate"'),
    ):
        with pytest.raises(gt.UnsuitableError) as caught:
            gt.mcts(random_tree(1), **options)
        assert f"has no `evaluate`, which {asked} needs" in str(caught.value)


def test_a_prior_is_asked_for_where_it_is_needed() -> None:
    with pytest.raises(
        gt.UnsuitableError, match='TicTacToe has no `prior`, which default_policy="prior" needs'
    ):
        gt.mcts(TicTacToe(), default_policy="prior")


class Repeating(Nim):
    """Nim with a rule that it never needs."""

    repetition = ("draw", 2)


class Unclear(Nim):
    """Nim that calls a repeated position a loss and does not say what a loss is worth."""

    payoffs = None
    repetition = ("loss", 2)


class Alone(Nim):
    """A draw among players whose payoffs have no constant sum."""

    total = None
    repetition = ("draw", 2)


class Crowd(Nim):
    """More players than a search has room for."""

    players = 65
    total = None


def test_rules_on_repeated_positions_have_to_say_what_they_are_worth() -> None:
    with pytest.raises(gt.UnsuitableError, match="transpositions are not the same"):
        gt.mcts(Repeating(), transpositions=True)
    with pytest.raises(gt.UnsuitableError, match="declare `payoffs = "):
        gt.mcts(Unclear())
    with pytest.raises(gt.UnsuitableError, match="only where two players share a constant total"):
        gt.mcts(Alone())
    with pytest.raises(gt.UnsuitableError, match="65 players; mcts takes up to 64"):
        gt.mcts(Crowd())


def test_a_game_without_end_is_refused_and_a_cut_off_helps() -> None:
    with pytest.raises(gt.TooDeepError, match="did not end within 32,768 plies"):
        gt.mcts(Toggle(), simulations=1, compile="never")
    found = gt.mcts(JudgedToggle(), simulations=20, cutoff=3, compile="never")
    assert found.nodes == 20


class Stuck(TicTacToe):
    """Nobody has a move once the middle is taken."""

    def actions(self, state: Any) -> Iterator[Any]:
        return (
            iter(())
            if self.name_action(state, 4) and "X" in self.show(state)[:30]
            else super().actions(state)
        )


class NoNumber(Nim):
    """An end that is worth nothing one could write down."""

    def utility(self, state: Any, player: int) -> float:
        return float("nan")


class Broken(Nim):
    """Rules that fail when two counters are left."""

    def result(self, state: Any, action: int) -> Any:
        after = super().result(state, action)
        if after.left == 2:
            raise ValueError("two counters are unlucky")
        return after


def test_wrong_rules_are_named() -> None:
    with pytest.raises(gt.RulesError, match="has no actions in a state that is not terminal"):
        gt.mcts(Stuck(), simulations=50, compile="never")
    with pytest.raises(gt.RulesError, match="returned nan"):
        gt.mcts(NoNumber(), simulations=50, compile="never")


def test_what_the_rules_raise_comes_with_the_way_to_it() -> None:
    with pytest.raises(ValueError, match="two counters are unlucky") as caught:
        gt.mcts(Broken(counters=9), simulations=50, compile="never")
    (note,) = caught.value.__notes__
    assert note.startswith("in Broken, after ")


@pytest.mark.slow
@pytest.mark.needs_compiler
def test_compiled_rules_fail_with_the_same_words() -> None:
    with pytest.raises(ValueError, match="two counters are unlucky") as caught:
        gt.mcts(Broken(counters=9), simulations=50, compile="always")
    (note,) = caught.value.__notes__
    assert note.startswith("in Broken, after ")


def test_analyze_takes_the_method_by_name_and_refuses_what_it_does_not_do() -> None:
    game = TicTacToe()
    found = gt.analyze(game, limit=gt.Limit(nodes=50), method="mcts", compile="never", moves=True)
    assert found.method == "mcts" and found.nodes == 50 and found.moves
    for options in ({"lines": 2}, {"actions": [1]}):
        with pytest.raises(gt.InputError, match="looks at all actions and gives one line"):
            gt.analyze(game, method="mcts", **options)
    with pytest.raises(gt.InputError, match="not by depth"):
        gt.analyze(game, depth=3, method="mcts")
    with pytest.raises(gt.InputError, match="'mcts'"):
        gt.analyze(game, method="magic")


def test_a_search_that_is_under_way_is_not_begun_again() -> None:
    search = gt.MonteCarlo(ConnectFour(4, 4), compile="never")

    def again(found: gt.Analysis) -> None:
        with pytest.raises(gt.InputError, match="the search is under way: clear when it is done"):
            search.clear()
        with pytest.raises(gt.InputError, match="the search is under way: analyze when it is done"):
            search.analyze(simulations=1)
        search.stop()

    search.analyze(simulations=5_000, on_progress=again)


def test_an_end_has_nothing_to_search_and_dice_nothing_to_choose() -> None:
    game = TicTacToe()
    over = gt.mcts(game, game.parse_state("XXX/OO./..."), compile="never")
    assert over.action is None and over.exact and over.values == (1.0, -1.0)
    dice = ChanceTree(gt.Chance([(0.25, 4), (0.75, [0, 8])]), payoffs=(0, 8), total=8)
    found = gt.mcts(dice, simulations=50, compile="never")
    assert (found.player, found.action, found.exact) == (gt.CHANCE, None, True)
    assert found.values == (7.0, 1.0)
