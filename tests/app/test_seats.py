"""Games with dice, and with more than two seats, at a board."""

import pytest

from app.test_terminal import played
from gametree import Chance, Tree
from gametree.app.notation import player_names
from gametree.app.terminal import sides
from gametree.errors import InputError
from gametree.games import MNK, Pig, TicTacToe


def test_chance_is_told_and_the_board_shown_to_who_moves_then() -> None:
    session, place = played("roll", "hold", game=Pig(goal=20), people=(0, 1), seed=1)
    thrown = [line for line in place.said if line.startswith("Chance gives")]
    assert thrown and len(session.taken) >= 2
    at = place.said.index(thrown[0])
    assert "first" in place.said[at + 2]


def test_the_same_seed_throws_the_same_dice() -> None:
    texts = [played("roll", "roll", "roll", game=Pig(), seed=seed)[1].text for seed in (4, 4, 5)]
    assert texts[0] == texts[1] != texts[2]


def test_undo_goes_back_before_the_dice() -> None:
    session, _ = played("roll", "undo", game=Pig(), people=(0, 1), seed=2)
    assert session.state == Pig().initial()


def test_a_machine_plays_with_dice() -> None:
    _, place = played(game=Pig(goal=12), people=(), level=2, seed=3)
    assert place.said[-1].endswith("has won.")


def test_three_people_play() -> None:
    _, place = played("a1", "a2", "a3", "b1", "b2", "b3", "c1", game=MNK(), people=(0, 1, 2))
    assert place.said[-1] == "X has won, 2 to -1 to -1."
    assert place.prompts[:3] == ["X> ", "O> ", "Y> "]


def test_one_person_and_two_machines_play() -> None:
    session, place = played("a1", game=MNK(), people=(0,), level=2)
    assert [mover for _, mover in session.taken] == [0, 1, 2]
    assert "you are X" in place.said[0]


def test_who_resigns_among_three_leaves_the_others_alone() -> None:
    assert played("resign", game=MNK(), people=(0,))[1].said[-1] == "You resign."
    assert played("resign", game=MNK(), people=(0, 1, 2))[1].said[-1] == "X resigns."


SHARED = Tree([(1, 1, -2), (2, 0, -2)], movers=(0, 1, 2))


@pytest.mark.parametrize(
    ("people", "words"),
    [
        ((0,), "You have won, with the second player, 1 to 1 to -2."),
        ((2,), "You have lost, to the first player and the second player, 1 to 1 to -2."),
        ((0, 1, 2), "The first player and the second player have won, 1 to 1 to -2."),
    ],
)
def test_who_wins_together_is_told(people: tuple[int, ...], words: str) -> None:
    game = SHARED if 0 in people else Tree([(1, 1, -2)], movers=(0, 1, 2))
    lines = [game.name_action(game.initial(), 0)] if 0 in people else []
    assert played(*lines, game=game, people=people)[1].said[-1] == words


def test_seats_have_names_and_numbers() -> None:
    assert player_names(MNK()) == ("X", "O", "Y")
    wanted = {"third": (2,), "1,3": (0, 2), "all": (0, 1, 2), "y, x": (0, 2), "none": (), "2 third": (1, 2)}
    assert {text: sides(MNK(), text) for text in wanted} == wanted
    assert player_names(Pig()) == ("the first player", "the second player")


@pytest.mark.parametrize("text", ["fourth", "0", "4", "", "x q", "none x"])
def test_seats_that_there_are_not_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="it is first, second, third, all, none, X, O, Y"):
        sides(MNK(), text)
    with pytest.raises(InputError, match="it is first, second, both, none, X, O"):
        sides(TicTacToe(), "third")


def test_dice_decide_at_the_root_of_a_tree() -> None:
    _, place = played(game=Tree(Chance([(0.5, 1), (0.5, 1)])), people=())
    assert any(line.startswith("Chance gives") for line in place.said)
    assert place.said[-1] == "MAX has won."
