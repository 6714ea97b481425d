"""What the searches of many players promise besides values: ties, pruning, limits, and words for what does not fit."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from fixtures.kuhn_poker import KuhnPoker
from gametree import (
    Analysis,
    Chance,
    Game,
    InputError,
    Limit,
    RulesError,
    TooDeepError,
    Tree,
    UnsuitableError,
    analyze,
    best_reply,
    maxn,
    minimax,
    paranoid,
)
from gametree.games import MNK, ChineseCheckers, Ludo, Nim, TicTacToe
from gametree.search.many.sides import sides_of
from search.agreement import WAYS
from search.many.random_games import Numbers, RandomGame

SEARCHES = pytest.mark.parametrize("search", [maxn, paranoid, best_reply], ids=lambda search: search.__name__)
# Player 1 is indifferent in the first subtree, and what it does decides for the others.
TIED = Tree([[(1, 5, 3), (4, 5, 0)], [(2, 4, 3), (2, 4, 3)]], movers=(0, 1, 2))


# --- ties -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ties", "values"),
    [
        ("first", (2, 4, 3)),
        ("paranoid", (2, 4, 3)),
        ("friendly", (4, 5, 0)),
        ("spiteful", (2, 4, 3)),
        ("generous", (2, 4, 3)),
    ],
)
def test_the_rule_on_ties_decides_and_is_part_of_the_result(ties: Any, values: tuple[int, ...]) -> None:
    found = maxn(TIED, ties=ties, compile="never")
    assert found.values == values
    assert found.parameters["ties"] == ties


def test_who_is_spiteful_minds_the_sum_of_all_others() -> None:
    tree = Tree([[(5, 1, 1), (2, 1, 9)]], movers=(0, 1, 2))
    assert maxn(tree, ties="spiteful", compile="never").values == (5, 1, 1)
    assert maxn(tree, ties="generous", compile="never").values == (2, 1, 9)


# --- pruning ----------------------------------------------------------------------------------------

PAYS = [[(3, 3, 3), (9, 0, 0)], [(0, 9, 0), (1, 4, 4)]]


@pytest.mark.parametrize(
    ("tree", "words", "nodes"),
    [
        (Tree(PAYS, movers=(0, 1, 2)), "off: `payoffs` is not declared", 7),
        (Tree(PAYS, movers=(0, 1, 2), payoffs=(0, 9)), "immediate and shallow", 6),
        (Tree([[(1, 1)], [(0, 3)]], payoffs=(0, 3)), "immediate: the sum of the payoffs is not bounded", 5),
        (Tree([[1, 2], [0, 3]]), "alpha-beta: two sides, constant sum", 6),
    ],
    ids=lambda part: part if isinstance(part, str) else "",
)
def test_a_result_says_what_was_pruned(tree: Tree, words: str, nodes: int) -> None:
    found = maxn(tree, compile="never")
    assert (found.parameters["pruning"], found.nodes) == (words, nodes)


def test_a_bound_on_the_sum_is_enough() -> None:
    tree = Tree([[(1, 1, 1), (2, 0, 0)], [(0, 2, 0), (3, 0, 0)]], movers=(0, 1, 2), payoffs=(0, 3))
    assert tree.total is None
    plain = maxn(tree, compile="never")
    found = maxn(tree, sum_at_most=3, compile="never")
    assert found.parameters["pruning"] == "immediate and shallow"
    assert found.values == plain.values
    assert (found.nodes, plain.nodes) == (6, 7)


def test_estimates_are_pruned_only_on_a_promise() -> None:
    game = MNK(width=3, height=3)
    plain = maxn(game, depth=3, compile="never")
    assert plain.parameters["pruning"] == "off: estimates need not keep to `payoffs`"
    pruned = maxn(game, depth=3, pruning="always", compile="never")
    assert pruned.parameters["pruning"] == "immediate and shallow"
    assert pruned.values == plain.values
    assert not pruned.exact


@pytest.mark.parametrize("way", ["never", *[pytest.param(way, marks=pytest.mark.slow) for way in WAYS[1:]]])
def test_a_promise_that_is_broken_is_noticed(way: str) -> None:
    def boastful(state: Any, player: int) -> float:
        return 5.0

    with pytest.raises(RulesError, match=r'pruning="always" promises.*an evaluation of Bounded does not'):
        maxn(Bounded(3), Numbers(11, 4, 0), depth=2, pruning="always", evaluation=boastful, compile=way)


class Bounded(RandomGame):
    """A random game that says what it pays."""

    payoffs = (-3, 3)


def test_promises_need_payoffs() -> None:
    with pytest.raises(InputError, match=r'pruning="always": RandomGame does not declare `payoffs`'):
        maxn(RandomGame(), depth=2, pruning="always")


# --- limits -----------------------------------------------------------------------------------------


@SEARCHES
@pytest.mark.parametrize("nodes", [1, 2, 17, 40])
def test_a_node_limit_is_exact(search: Any, nodes: int) -> None:
    found = search(TicTacToe(), limit=Limit(nodes=nodes, depth=4), compile="never")
    assert (found.nodes, found.stopped_by) == (nodes, "nodes")
    assert found.values == ()
    assert found.value is None or found.bound == "lower"


@SEARCHES
def test_a_limit_without_a_depth_deepens(search: Any) -> None:
    seen: list[Analysis] = []
    found = search(MNK(), limit=Limit(nodes=1_000), compile="never", on_progress=seen.append)
    assert [one.depth for one in seen] == list(range(1, len(seen) + 1))
    assert found.depth == len(seen)
    assert found.nodes == 1_000
    assert found.stopped_by == "nodes"
    assert found.parameters["deepening"] is True
    whole = search(MNK(), depth=found.depth, compile="never")
    assert (found.action, found.value, found.values, found.line) == (
        whole.action,
        whole.value,
        whole.values,
        whole.line,
    )


@SEARCHES
def test_deepening_ends_where_the_game_does(search: Any) -> None:
    game = TicTacToe()
    found = search(game, game.parse_state("XOX/O.O/X.."), limit=Limit(seconds=60), compile="never")
    assert (found.exact, found.stopped_by, found.depth) == (True, "end", None)


@SEARCHES
def test_seconds_are_kept(search: Any) -> None:
    found = search(ChineseCheckers(players=3, size=2), limit=Limit(seconds=0.2), compile="never")
    assert found.stopped_by == "seconds"
    assert found.action is not None


@SEARCHES
@pytest.mark.slow
def test_what_has_no_end_is_told_apart(search: Any) -> None:
    class Round(NamedTuple):
        mover: int

    class Endless(Game):
        players = 3

        def initial(self) -> Round:
            return Round(0)

        def player(self, state: Round) -> int:
            return state.mover

        def actions(self, state: Round) -> Iterator[int]:
            yield 0

        def result(self, state: Round, action: int) -> Round:
            return Round((state.mover + 1) % 3)

        def is_terminal(self, state: Round) -> bool:
            return False

        def utility(self, state: Round, player: int) -> float:
            return 0

        def null(self, state: Round) -> Round:
            return self.result(state, 0)

    with pytest.raises(TooDeepError, match=r"Endless has no end in sight.*depth="):
        search(Endless(), compile="never")


@pytest.mark.needs_compiler
def test_a_compiled_search_stops_when_it_is_told() -> None:
    game, state = RandomGame(3), Numbers(50, 60, 0)
    counted = maxn(game, state, compile="always", limit=Limit(nodes=300, depth=50))
    assert (counted.nodes, counted.stopped_by) == (300, "nodes")
    timed = maxn(game, state, compile="always", limit=Limit(seconds=0.1, depth=50))
    assert timed.stopped_by == "seconds"
    deepened = maxn(game, state, compile="always", limit=Limit(seconds=0.1))
    assert (deepened.stopped_by, deepened.parameters["deepening"]) == ("seconds", True)
    same = maxn(game, state, compile="always", depth=deepened.depth)
    assert (deepened.action, deepened.values) == (same.action, same.values)


# --- teams ------------------------------------------------------------------------------------------


class Quarrelling(Tree):
    """A team whose members do not get the same."""

    def team(self, player: int) -> int:
        return player % 2


QUARREL = Quarrelling([[(1, 0, 1, 0), (1, 0, 2, 0)], [(0, 1, 0, 1)]], movers=(0, 1, 2, 3))


@pytest.mark.parametrize("search", [maxn, paranoid])
def test_a_team_whose_members_get_different_payoffs_is_refused(search: Any) -> None:
    with pytest.raises(RulesError) as refusal:
        search(QUARREL, compile="never")
    for words in (
        "Quarrelling",
        "players 0, 2 and players 1, 3 are teams",
        "share a payoff",
        "leave `team` out",
    ):
        assert words in str(refusal.value)
    with pytest.raises(RulesError, match="share a payoff"):
        search(QUARREL, QUARREL.result(QUARREL.result(0, 0), 1), compile="never")


def test_teams_are_called_by_the_names_of_their_players() -> None:
    said = sides_of(QUARREL).in_words(("North", "East", "South", "West"))
    assert said == "North with South and East with West"


def test_a_team_that_is_no_number_is_refused() -> None:
    class Odd(Tree):
        def team(self, player: int) -> Any:
            return [player]

    with pytest.raises(RulesError, match=r"Odd.team\(0\) is \[0\]: a team is a number"):
        maxn(Odd([(1, 2, 3)], movers=(0, 1, 2)), compile="never")


def test_players_of_one_team_are_one_side_to_paranoid_search() -> None:
    game = Ludo(tokens=1, teams=True, quarter=2)
    state = game.parse_state("A home / B 12 / C 12 / D home / C to move a 1")
    found = paranoid(game, state, depth=1, compile="never")
    assert (found.values, found.name) == ((1, -1, 1, -1), "12-home")


# --- repetition -------------------------------------------------------------------------------------


class Circle(NamedTuple):
    place: int
    mover: int


class Roundabout(Game):
    """Three players go round a circle of three places, or leave it for payoffs of 1 in all; circling is a draw."""

    players = 3
    total = 3
    repetition: Any = ("draw", 2)

    def initial(self) -> Circle:
        return Circle(0, 0)

    def player(self, state: Circle) -> int:
        return state.mover

    def actions(self, state: Circle) -> Iterator[int]:
        yield 0
        yield 1

    def result(self, state: Circle, action: int) -> Circle:
        if action == 1:
            return Circle(state.place + 10, state.mover)
        return Circle((state.place + 1) % 3, (state.mover + 1) % 3)

    def is_terminal(self, state: Circle) -> bool:
        return state.place >= 10

    def utility(self, state: Circle, player: int) -> float:
        return (0.5, 2.0, 0.5)[(player - state.mover + 1) % 3]


@pytest.mark.parametrize("way", WAYS[:1])
def test_a_position_that_recurs_is_shared_by_all(way: str) -> None:
    found = maxn(Roundabout(), compile=way)
    # Leaving pays two; going round pays one to each.
    assert found.values == (2.0, 0.5, 0.5)
    assert found.action == 1
    assert paranoid(Roundabout(), compile=way).value == 2.0


def test_a_position_that_must_not_recur_is_not_gone_to() -> None:
    class Superko(Roundabout):
        repetition = ("forbid", 2)

    assert maxn(Superko(), compile="never").values == (2.0, 0.5, 0.5)

    class NoWayOut(Superko):
        def actions(self, state: Circle) -> Iterator[int]:
            yield 0

    for search in (maxn, paranoid):
        with pytest.raises(RulesError, match="every action leads to a position that must not recur"):
            search(NoWayOut(), compile="never")


# --- games that do not fit --------------------------------------------------------------------------


class Lossy(Roundabout):
    """Circling loses, which does not say what the others get."""

    repetition = ("loss", 2)


class Unshared(Roundabout):
    """Circling is a draw of nobody knows what."""

    total = None  # type: ignore[assignment]


UNSUITABLE: list[tuple[Game, list[str]]] = [
    (KuhnPoker(), ["KuhnPoker", "hides information", "imperfect information"]),
    (Lossy(), ["Lossy", "a repeated position is a loss for one player", "let a repeated position be a draw"]),
    (Unshared(), ["Unshared", "a repeated position is a draw", "declare `total`"]),
]


@SEARCHES
@pytest.mark.parametrize(("game", "words"), UNSUITABLE, ids=[words[0] for _, words in UNSUITABLE])
def test_a_game_that_does_not_fit_is_refused_by_name(search: Any, game: Game, words: list[str]) -> None:
    with pytest.raises(UnsuitableError) as refusal:
        search(game)
    for word in (*words, search.__name__):
        assert word in str(refusal.value)


def test_best_reply_knows_no_dice() -> None:
    with pytest.raises(
        UnsuitableError, match=r"Ludo has chance nodes; best_reply needs none\. Use maxn or paranoid"
    ):
        best_reply(Ludo())


def test_best_reply_of_many_needs_a_pass() -> None:
    with pytest.raises(UnsuitableError, match=r"Tree has 3 players and no `null`.*paranoid or maxn"):
        best_reply(TIED)


def test_two_player_searches_name_what_fits() -> None:
    for game, words in (
        (TIED, "has 3 players; minimax needs two. Use maxn or paranoid"),
        (Tree([(1, 1), (0, 5)]), "minimax assumes that. Use maxn"),
        (Tree(Chance([(0.5, [1, 2]), (0.5, 3)])), "has chance nodes.*maxn"),
    ):
        with pytest.raises(UnsuitableError, match=words):
            minimax(game)
    assert maxn(Tree([(1, 1), (0, 5)]), compile="never").values == (1, 1)


@SEARCHES
def test_what_every_search_refuses_these_refuse(search: Any) -> None:
    name = search.__name__
    with pytest.raises(InputError, match=rf"{name} takes a game, not its class"):
        search(TicTacToe)
    with pytest.raises(InputError, match=rf"{name} takes a game"):
        search("tic-tac-toe")
    with pytest.raises(InputError, match="a state of Nim is a State"):
        search(Nim(), 3)
    with pytest.raises(InputError, match=r"limit=.*Limit\(seconds="):
        search(Nim(), limit=3)
    with pytest.raises(InputError, match="depth must be a whole number"):
        search(Nim(), depth=-1)
    with pytest.raises(InputError, match=r'compile=.*"auto", "always" or "never"'):
        search(Nim(counters=3), compile="maybe")
    with pytest.raises(InputError, match="TicTacToe has no evaluation 'best'"):
        search(TicTacToe(), depth=1, evaluation="best")


@SEARCHES
@pytest.mark.parametrize("depth", [0, 1, 2])
def test_a_depth_needs_an_evaluation(search: Any, depth: int) -> None:
    with pytest.raises(UnsuitableError) as refusal:
        search(Nim(counters=21), depth=depth, compile="never")
    for word in ("Nim has no `evaluate`", search.__name__, f"depth {depth}"):
        assert word in str(refusal.value)


@SEARCHES
def test_a_value_of_nan_is_refused(search: Any) -> None:
    for depth in (0, 1, 2):
        with pytest.raises(RulesError, match="nan"):
            search(TicTacToe(), depth=depth, evaluation=lambda state, player: float("nan"), compile="never")


def test_options_that_are_none_are_refused() -> None:
    with pytest.raises(InputError, match=r"ties='last': it is one of 'first', 'paranoid'"):
        maxn(TIED, ties="last")  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r'pruning=.*"auto", "always" or "never"'):
        maxn(TIED, pruning=True)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="sum_at_most=nan"):
        maxn(TIED, sum_at_most=float("nan"))
    with pytest.raises(InputError, match="the payoffs of TicTacToe sum to 0"):
        maxn(TicTacToe(), sum_at_most=-1)
    with pytest.raises(InputError, match="player=3: Tree has the players 0 to 2"):
        paranoid(TIED, player=3)


@SEARCHES
def test_somebody_who_does_not_play_is_refused(search: Any) -> None:
    class Stranger(RandomGame):
        """Sometimes a fourth player moves."""

        chance = Game.chance  # type: ignore[assignment]

        def player(self, state: Numbers) -> int:
            return 3 if state.left < 4 else state.mover

    game = Stranger(3)
    over, deep, near = Numbers(5, 6, 0), Numbers(50, 6, 0), Numbers(50, 3, 0)
    search(game, over, compile="never")  # rehearsed where nobody moves
    with pytest.raises(RulesError, match=r"Stranger\.player returned somebody who does not play: .* 0 to 2"):
        search(game, deep, compile="never")
    with pytest.raises(RulesError, match=r"Stranger\.player returned somebody who does not play"):
        search(game, near, compile="never")


def test_a_player_count_that_is_none_is_refused() -> None:
    class Nobody(Nim):
        players = 0

    with pytest.raises(RulesError, match=r"Nobody.players is 0"):
        maxn(Nobody())


# --- by name ----------------------------------------------------------------------------------------


def test_analyze_knows_them_by_name() -> None:
    assert analyze(TIED, method="maxn", compile="never").values == maxn(TIED, compile="never").values
    assert analyze(TIED, method="paranoid", compile="never").method == "paranoid"
    found = analyze(MNK(), method="best-reply", limit=Limit(nodes=100), compile="never")
    assert (found.method, found.nodes) == ("best_reply", 100)
    with pytest.raises(InputError, match="looks at all actions and gives one line"):
        analyze(TIED, method="maxn", lines=2)
    with pytest.raises(InputError, match=r"'best-reply'"):
        analyze(TIED, method="maxm")


def test_a_result_shows_what_everybody_gets() -> None:
    assert "payoffs   2, 4, 3 to players 0 to 2" in str(maxn(TIED, compile="never"))
