"""The contract of a game: what it refuses, what it freezes, and what it takes for granted."""

from typing import Any

import pytest

from gametree import Game, InputError, RulesError
from gametree.game import (
    ESSENTIAL,
    OPTIONAL,
    REPETITIONS,
    check_state,
    evaluations,
    offers,
    with_evaluation,
)


class Coins(Game):
    """Take one or two coins in turn; whoever takes the last one wins."""

    def __init__(self, coins: int = 5):
        self.coins = coins

    def initial(self) -> Any:
        return (self.coins, 0)

    def player(self, state: Any) -> int:
        return int(state[1])

    def actions(self, state: Any) -> Any:
        return range(1, min(2, state[0]) + 1)

    def result(self, state: Any, action: Any) -> Any:
        return (state[0] - action, 1 - state[1])

    def is_terminal(self, state: Any) -> bool:
        return bool(state[0] == 0)

    def utility(self, state: Any, player: int) -> float:
        return -1 if player == state[1] else 1


# --- Game -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("missing", ESSENTIAL)
def test_a_game_without_one_of_the_six_elements_is_refused_by_name(missing: str) -> None:
    members = {name: getattr(Coins, name) for name in ESSENTIAL if name != missing}
    unfinished = type("Unfinished", (Game,), members)
    with pytest.raises(TypeError, match=rf"Unfinished does not define `{missing}\(self"):
        unfinished()


@pytest.mark.parametrize(
    ("name", "slip"),
    [("actions", "action"), ("is_terminal", "is_terminl"), ("utility", "utilty"), ("result", "results")],
)
def test_a_misspelt_method_is_pointed_at(name: str, slip: str) -> None:
    members = {slip if one == name else one: getattr(Coins, one) for one in ESSENTIAL}
    misspelt = type("Misspelt", (Game,), members)
    with pytest.raises(TypeError, match=rf"`{name}\(.*`; it has `{slip}`: is that the one\?"):
        misspelt()


def test_methods_may_be_inherited() -> None:
    class Fewer(Coins):
        pass

    assert Fewer(3).initial() == (3, 0)


def test_the_bare_contract_says_what_is_missing() -> None:
    game = Game()
    calls: list[Any] = [
        game.initial,
        lambda: game.player(0),
        lambda: game.actions(0),
        lambda: game.result(0, 0),
        lambda: game.is_terminal(0),
        lambda: game.utility(0, 0),
        lambda: game.features(0, 0),
    ]
    for call in calls:
        with pytest.raises(TypeError, match="Game does not define"):
            call()


def test_a_game_cannot_change_after_init() -> None:
    game = Coins()
    with pytest.raises(AttributeError, match=r"Coins\.coins cannot change after __init__"):
        game.coins = 7
    with pytest.raises(AttributeError, match="cannot change"):
        game.total = None
    assert game.coins == 5


def test_a_subclass_may_set_attributes_after_calling_init_of_its_base() -> None:
    class More(Coins):
        def __init__(self) -> None:
            super().__init__(9)
            self.extra = 1

    assert (More().coins, More().extra) == (9, 1)


@pytest.mark.parametrize("name", [*ESSENTIAL, *OPTIONAL])
def test_an_attribute_that_hides_a_member_of_the_contract_is_refused_by_name(name: str) -> None:
    class Hiding(Coins):
        def __init__(self) -> None:
            setattr(self, name, 3)

    with pytest.raises(AttributeError, match=rf"Hiding: the attribute `{name}` hides .* `{name}_`"):
        Hiding()
    with pytest.raises(TypeError, match=rf"Hiding: the attribute `{name}` hides"):
        type("Hiding", (Coins,), {name: 3})


def test_static_and_class_methods_are_members_too() -> None:
    class Static(Coins):
        @staticmethod
        def order(state: Any, action: Any) -> float:
            return float(action)

        @classmethod
        def clock(cls, state: Any) -> int | None:
            return 9

    assert (Static().order(0, 2), Static().clock(0)) == (2.0, 9)
    assert offers(Static(), "order") and offers(Static(), "clock")


@pytest.mark.parametrize("what", REPETITIONS)
def test_a_rule_on_repetition_may_be_declared_on_the_class_or_in_init(what: str) -> None:
    declared = type("Declared", (Coins,), {"repetition": (what, 3)})

    class Late(Coins):
        def __init__(self) -> None:
            self.repetition = (what, 2)

    assert (declared().repetition, Late().repetition) == ((what, 3), (what, 2))


@pytest.mark.parametrize("value", ["draw", ("draw",), ("tie", 3), ("draw", 1), ("draw", "3"), (3, "draw"), 3])
def test_a_rule_on_repetition_that_makes_no_sense_is_refused(value: Any) -> None:
    with pytest.raises(TypeError, match=r"Odd\.repetition is .* for example \('draw', 3\)"):
        type("Odd", (Coins,), {"repetition": value})

    class Odd(Coins):
        def __init__(self) -> None:
            self.repetition = value

    with pytest.raises(TypeError, match=r"Odd\.repetition is"):
        Odd()


def test_a_game_prints_with_its_parameters() -> None:
    assert repr(Coins(coins=7)) == "Coins(coins=7)"


# --- defaults ---------------------------------------------------------------------------------------


def test_every_optional_member_has_a_default() -> None:
    game, state = Coins(), (5, 0)
    assert list(game.tactical(state)) == []
    assert game.order(state, 1) == 0
    assert list(game.chance(state)) == []
    assert game.observe(state, 1) == state
    assert [game.team(player) for player in range(3)] == [0, 1, 2]
    assert game.key(state) == state
    assert list(game.symmetries(state)) == []
    assert game.clock(state) is None
    assert game.null(state) is None
    assert game.show(state) == "(5, 0)"
    assert game.name_action(state, 2) == "2"
    assert game.parse_action(state, " 2 ") == 2
    assert (game.players, game.payoffs, game.total) == (2, None, 0)
    assert (game.repetition, game.weights) == (None, None)
    with pytest.raises(InputError, match="Coins reads no positions"):
        game.parse_state("5")


def test_no_optional_member_is_offered_by_a_game_that_defines_none() -> None:
    assert not [name for name in OPTIONAL if offers(Coins(), name)]


def test_what_recurs_is_the_key_unless_said_otherwise() -> None:
    class Keyed(Coins):
        def key(self, state: Any) -> Any:
            return state[0]

    assert Keyed().repetition_key((5, 0)) == 5


def test_features_and_weights_make_a_linear_evaluation() -> None:
    class Weighed(Coins):
        def __init__(self) -> None:
            super().__init__()
            self.weights = (1.0, 2.0, -3.0)

        def features(self, state: Any, player: int) -> Any:
            return (state[0], player)

    assert Weighed().evaluate((5, 0), 1) == 1 + 2 * 5 - 3 * 1
    assert offers(Weighed(), "evaluate") and offers(Weighed(), "features")
    assert evaluations(Weighed()) == ("default",)


def test_the_default_reading_of_actions_ignores_case_only_where_that_is_clear() -> None:
    class Lettered(Coins):
        def name_action(self, state: Any, action: Any) -> str:
            return {1: "b1", 2: "B1", 3: "Nf3"}[action]

        def actions(self, state: Any) -> Any:
            return (1, 2, 3)

    game = Lettered()
    assert [game.parse_action((5, 0), text) for text in ("b1", "B1", "NF3")] == [1, 2, 3]
    with pytest.raises(InputError, match="'x' is not a legal action here; legal are: b1, B1, Nf3"):
        game.parse_action((5, 0), "x")


def test_a_long_list_of_legal_actions_is_cut() -> None:
    class Many(Coins):
        def actions(self, state: Any) -> Any:
            return range(100)

    with pytest.raises(InputError, match=r"18, 19, …$"):
        Many().parse_action((5, 0), "hundred")


# --- evaluations ------------------------------------------------------------------------------------


class Judged(Coins):
    def evaluate(self, state: Any, player: int) -> float:
        return 0.5

    def evaluate_bold(self, state: Any, player: int) -> float:
        return 0.1 * self.coins


def test_a_game_may_have_several_evaluations_by_name() -> None:
    assert evaluations(Judged()) == ("default", "bold")
    assert evaluations(Coins()) == ()


def test_another_evaluation_changes_the_judgement_and_nothing_else() -> None:
    game = Judged(7)
    bold = with_evaluation(game, "bold")
    assert bold.evaluate((5, 0), 0) == pytest.approx(0.7)
    assert (type(bold).__name__, repr(bold), bold.initial()) == ("Judged", "Judged(coins=7)", (7, 0))
    assert isinstance(bold, Judged)
    assert game.evaluate((5, 0), 0) == 0.5
    with pytest.raises(AttributeError, match="cannot change"):
        bold.coins = 3


def test_a_function_serves_as_an_evaluation() -> None:
    judged = with_evaluation(Coins(), lambda state, player: state[0] + player)
    assert judged.evaluate((5, 0), 1) == 6
    assert offers(judged, "evaluate") and not offers(Coins(), "evaluate")


def test_without_another_evaluation_the_game_stays_itself() -> None:
    game = Judged()
    assert with_evaluation(game, None) is game
    assert with_evaluation(game, "default") is game


def test_an_evaluation_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(InputError, match=r"no evaluation 'shy'; it has: default, bold\..*`evaluate_shy"):
        with_evaluation(Judged(), "shy")
    with pytest.raises(InputError, match="it has: none"):
        with_evaluation(Coins(), "default")


def test_a_search_begins_at_the_initial_state_and_refuses_what_is_none() -> None:
    assert check_state(Coins(), None) == (5, 0)
    assert check_state(Coins(), (3, 1)) == (3, 1)
    with pytest.raises(InputError, match=r"parse_state makes one of a text"):
        check_state(Coins(), "3 1")
    with pytest.raises(RulesError, match=r"cannot be hashed \(list changes in place\)"):
        check_state(Coins(), [3, 1])

    class Forgetful(Coins):
        def initial(self) -> Any:
            pass

    with pytest.raises(RulesError, match="initial returned None: is a `return` missing"):
        check_state(Forgetful(), None)


def test_an_error_in_the_rules_names_the_way_to_it() -> None:
    error = RulesError("no way on", ["a1", "b2"])
    assert (str(error), error.path) == ("no way on (after a1, b2)", ("a1", "b2"))
    assert str(RulesError("no way on")) == "no way on"
