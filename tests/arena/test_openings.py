"""Openings: random, distinct, undecided and even."""

import math
from collections.abc import Iterable
from typing import Any

import pytest

from gametree import Chance, Game, Limit, Tree, games
from gametree.arena.openings import Judge, Openings
from gametree.errors import InputError
from gametree.games import Checkers, ConnectFour, Nim, Othello, TicTacToe

QUICK = Limit(nodes=150)


def make(game: Game, **settings: Any) -> Openings:
    """A book judged by a search so short that compiling it would take longer, with a margin that hides nothing."""
    return Openings(game, **{"limit": QUICK, "compile": "never", "margin": 1e9, **settings})


class Ladder(Game):
    """Both climb by one to three steps a turn, thirty turns; whoever is higher in the end wins the difference."""

    def initial(self) -> Any:
        return (0, 0, 0)

    def player(self, state: Any) -> int:
        return int(state[0] % 2)

    def actions(self, state: Any) -> Iterable[int]:
        return range(1, 4)

    def result(self, state: Any, action: int) -> Any:
        turn, first, second = state
        return (turn + 1, first + action, second) if turn % 2 == 0 else (turn + 1, first, second + action)

    def is_terminal(self, state: Any) -> bool:
        return bool(state[0] == 30)

    def utility(self, state: Any, player: int) -> float:
        return float(state[1] - state[2] if player == 0 else state[2] - state[1])

    def evaluate(self, state: Any, player: int) -> float:
        return self.utility(state, player)


def states(game: Game, opening: Iterable[Any], start: Any = None) -> list[Any]:
    """The path of an opening, every action of it checked."""
    path = [game.initial() if start is None else start]
    for action in opening:
        assert not game.is_terminal(path[-1])
        assert action in list(game.actions(path[-1]))
        path.append(game.result(path[-1], action))
    return path


@pytest.mark.parametrize(("name", "margin"), [("connect-four", 4), ("othello", 8), ("checkers", 0.3)])
def test_openings_are_legal_distinct_undecided_and_even(name: str, margin: float) -> None:
    game = games.load(name)
    book = make(game, seed=3, plies=(4, 8), margin=margin)
    seen: set[Any] = set()
    judge = Judge(game, QUICK, "never")
    for opening in book.take(6):
        state = states(game, opening.actions)[-1]
        assert 4 <= len(opening.actions) <= 8
        assert not game.is_terminal(state)
        assert judge(state) == opening.value and abs(opening.value) <= book.margin
        assert not seen & {game.key(image) for image in (state, *game.symmetries(state))}
        seen.add(game.key(state))


def test_the_same_seed_gives_the_same_openings_and_another_seed_others() -> None:
    game = ConnectFour()
    one, same, other = (make(game, seed=seed).take(8) for seed in (1, 1, 2))
    assert one == same and one != other


def test_more_openings_begin_with_the_same_ones() -> None:
    book = make(ConnectFour())
    assert book.take(3) == book.take(6)[:3]


def test_the_names_are_the_moves_as_people_write_them() -> None:
    game = Checkers()
    for opening in make(game, plies=(2, 4)).take(4):
        path = states(game, opening.actions)
        assert opening.names == tuple(
            game.name_action(state, action) for state, action in zip(path, opening.actions)
        )


def test_a_mirrored_opening_is_the_same_opening() -> None:
    """Seven columns, of which the mirror leaves four."""
    assert len(list(make(ConnectFour(), plies=(1, 1)))) == 4


def test_the_four_first_moves_of_othello_are_one() -> None:
    assert len(list(make(Othello(), plies=(1, 1)))) == 1


def test_the_margin_is_the_most_even_quarter_of_random_play() -> None:
    game = Ladder()
    book = make(game, plies=(6, 6), limit=Limit(depth=1), margin=None)
    # After three steps each the lead, less the mover's next step of three, spreads around zero.
    assert 0 <= book.margin <= 2
    assert all(abs(opening.value) <= book.margin for opening in book.take(5))


def test_a_margin_can_be_given() -> None:
    book = make(Ladder(), plies=(10, 14), margin=3, limit=Limit(depth=2))
    assert book.margin == 3 and all(abs(opening.value) <= 3 for opening in book.take(20))


def test_decided_positions_are_left_out() -> None:
    """In Nim a search to the end knows who wins, wherever the game stands."""
    with pytest.raises(InputError, match=r"Nim has only 0 different openings of 1 to 2 random plies"):
        make(Nim(counters=9), plies=(1, 2), limit=Limit(depth=20)).take(1)


def test_drawn_positions_are_even() -> None:
    book = make(TicTacToe(), plies=(2, 2), limit=Limit(depth=9), margin=0)
    assert {opening.value for opening in book.take(3)} == {0}


def test_where_there_are_too_few_openings_the_message_says_how_many() -> None:
    with pytest.raises(InputError, match=r"ConnectFour has only 4 .* allow more plies \(plies=…\)"):
        make(ConnectFour(), plies=(1, 1)).take(5)


def test_a_game_that_is_over_too_soon_has_no_openings() -> None:
    with pytest.raises(InputError, match="Tree has only 0"):
        make(Tree([[1, 2], [3, 4]])).take(1)


def test_openings_may_begin_anywhere() -> None:
    game = ConnectFour()
    start = game.parse_state("4444")
    for opening in make(game, plies=(2, 3), start=start).take(3):
        assert states(game, opening.actions, start)[-1] != start


def test_an_opening_of_no_plies_is_the_start() -> None:
    assert [opening.actions for opening in make(ConnectFour(), plies=(0, 0))] == [()]


def test_a_judge_sees_proven_ends_as_infinite() -> None:
    game = ConnectFour()
    judge = Judge(game, Limit(depth=4), "never")
    assert judge(game.parse_state("414141")) == math.inf
    assert Judge(Nim(counters=4), Limit(depth=9), "never")(Nim(counters=4).initial()) == -math.inf


def test_a_judge_counts_from_an_even_game() -> None:
    """Where payoffs sum to 10, five each is even."""

    class Shares(Ladder):
        total = 10.0

        def utility(self, state: Any, player: int) -> float:
            return 5 + super().utility(state, player)

        def evaluate(self, state: Any, player: int) -> float:
            return self.utility(state, player)

    assert Judge(Shares(), Limit(depth=2), "never")((0, 0, 0)) == 0


def test_games_with_dice_are_judged_by_their_mean_and_not_decided_by_it() -> None:
    tree = Tree([Chance([(0.5, [1, 2]), (0.5, [5, 6])]), [2, 4]])
    assert Judge(tree, Limit(depth=4), "never")(tree.initial()) == 3


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"plies": (5, 3)}, "the least and the most number of random plies"),
        ({"plies": (-1, 3)}, "the least and the most number of random plies"),
        ({"margin": -1}, "how far from even"),
        ({"margin": math.nan}, "how far from even"),
        ({"limit": Limit(seconds=1)}, "judged by depth or nodes"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings: dict[str, Any], why: str) -> None:
    with pytest.raises(InputError, match=why):
        Openings(ConnectFour(), **settings)
