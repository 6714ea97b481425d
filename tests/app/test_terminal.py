"""The conversation of a game, without a terminal."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

from app.test_notation import Cards
from gametree import Game
from gametree.app.terminal import Session, sides
from gametree.games import Battleship, Chess, Kuhn, Nim, PhantomTicTacToe, TicTacToe
from search.endless import Toggle


class Scripted:
    """A place where somebody types a script."""

    width = 40

    def __init__(self, *lines: str, interactive: bool = False):
        self.interactive = interactive
        self.lines = list(lines)
        self.prompts: list[str] = []
        self.said: list[str] = []

    def ask(self, prompt: str) -> str | None:
        self.prompts.append(prompt)
        return self.lines.pop(0) if self.lines else None

    def say(self, text: str, style: str = "") -> None:
        self.said.append(text)

    def draw(self, board: str, names: Sequence[str], shown: object = None) -> None:
        self.said.append(board)

    def clear(self) -> None:
        self.said.append("<clear>")

    @contextmanager
    def thinking(self) -> Iterator[None]:
        yield

    @property
    def text(self) -> str:
        return "\n".join(self.said)


def played(
    *lines: str,
    game: Game | None = None,
    interactive: bool = False,
    people: Sequence[int] = (0, 1),
    **more: Any,
) -> tuple[Session, Scripted]:
    """A session after its script has been typed."""
    place = Scripted(*lines, interactive=interactive)
    session = Session(game or TicTacToe(), place, title="a game", people=people, **more)
    session.run()
    return session, place


def test_two_people_play_a_game_to_its_end() -> None:
    _, place = played("a1", "a2", "b1", "b2", "c1")
    assert place.said[-1] == "X has won." and "X has won" in place.said[-2]


def test_a_draw_is_called_a_draw() -> None:
    _, place = played("a1", "b2", "c3", "b1", "b3", "a3", "c1", "c2", "a2")
    assert place.said[-1] == "A draw."


def test_the_machine_answers_every_move() -> None:
    session, place = played("b2", people=(0,))
    assert len(session.taken) == 2 and "O plays" in place.text


def test_the_machine_begins_where_the_person_plays_second() -> None:
    session, _ = played(people=(1,))
    assert [mover for _, mover in session.taken] == [0]


def test_whoever_beats_the_machine_is_told_so() -> None:
    game = TicTacToe()
    _, place = played("c3", game=game, state=game.parse_state("XX./OO./..."), people=(0,))
    assert place.said[-1] == "You have won."


def test_whoever_loses_to_the_machine_is_told_so() -> None:
    game = TicTacToe()
    _, place = played("a1", game=game, state=game.parse_state("X.X/OO./..."), people=(0,), level=9)
    assert place.said[-1] == "You have lost."


def test_machines_play_each_other() -> None:
    session, place = played(game=Nim(counters=5), people=())
    assert session.game.is_terminal(session.state) and place.said[-1].endswith("has won.")
    assert place.prompts == []


def test_a_wrong_move_is_one_message_and_the_game_goes_on() -> None:
    session, place = played("zz", "a1", "a1", "", "a2")
    assert "'zz' is no square" in place.text and "a1 is taken" in place.text and len(session.taken) == 2


def test_undo_goes_back_to_the_persons_own_last_turn() -> None:
    session, _ = played("b2", "undo", people=(0,))
    assert session.state == session.game.initial() and session.taken == []


def test_undo_between_two_people_takes_one_move_back() -> None:
    session, _ = played("a1", "a2", "UNDO")
    assert len(session.taken) == 1


def test_there_may_be_nothing_to_take_back() -> None:
    _, place = played("undo", people=(1,))
    assert "There is nothing to take back." in place.text


def test_whoever_resigns_has_lost() -> None:
    assert played("resign", people=(0,))[1].said[-1] == "You resign: O has won."
    assert played("a1", "resign")[1].said[-1] == "O resigns: X has won."


def test_a_question_mark_shows_every_move_best_first() -> None:
    game = TicTacToe()
    _, place = played("?", game=game, state=game.parse_state("XX./OO./..."), people=(0,))
    rows = next(text for text in place.said if text.startswith("The best first (proven)")).splitlines()[1:]
    assert rows[0].split()[0] == "c3" and len(rows) == 5


def test_hints_need_no_evaluation() -> None:
    _, place = played("?", game=Nim(counters=5), people=(0,))
    assert "The best first (proven):\n  1  " in place.text


def test_the_legal_moves_can_be_listed() -> None:
    assert "a3 b3 c3 a2 b2 c2 a1 b1 c1" in played("moves")[1].said


def test_the_board_can_be_seen_again() -> None:
    _, place = played("board")
    assert place.said.count(TicTacToe().show(TicTacToe().initial())) == 2


def test_the_level_can_be_asked_for_and_changed() -> None:
    session, place = played("level", "level 11", "level x", "level 7", people=(0,))
    assert "I play at level 5" in place.text and place.text.count("levels are 1 to 10") == 2
    assert session.bot.level == 7


def test_help_fits_a_narrow_terminal() -> None:
    _, place = played("help")
    text = next(text for text in place.said if "resign" in text)
    assert all(len(line) <= 40 for line in text.splitlines())


@pytest.mark.parametrize("word", ["quit", "exit", "q", "Quit"])
def test_a_person_may_leave(word: str) -> None:
    assert played(word, "a1")[1].said[-1] == "Bye."


def test_the_end_of_the_input_ends_the_game() -> None:
    assert played("a1")[1].said[-1] == "The input ends here, and so does the game."


def test_another_game_is_offered_to_a_person_only() -> None:
    script = ("a1", "a2", "b1", "b2", "c1")
    assert "Another game? [y/n/undo] " not in played(*script)[1].prompts
    session, place = played(*script, "perhaps", "y", "b2", "quit", interactive=True)
    assert place.prompts.count("Another game? [y/n/undo] ") == 2 and len(session.taken) == 1


def test_the_last_move_can_be_taken_back_after_the_end() -> None:
    session, _ = played("a1", "a2", "b1", "b2", "c1", "undo", interactive=True)
    assert len(session.taken) == 4


def test_a_resignation_can_be_taken_back() -> None:
    session, _ = played("a1", "resign", "undo", "b2", interactive=True)
    assert len(session.taken) == 2


class Words(Cards):
    """A game whose moves are called like commands."""

    def name_action(self, state: int, action: int) -> str:
        return ("undo", "quit", "?")[action]


def test_a_games_own_notation_comes_before_the_commands() -> None:
    _, place = played("quit", "?", game=Words())
    assert place.said[-1] == "A draw."


class Scores(Cards):
    """A game that is about more than winning."""

    total = 10

    def utility(self, state: int, player: int) -> float:
        return 7 if player == 0 else 3


def test_a_score_is_told_where_there_is_one() -> None:
    _, place = played("0", "0", game=Scores())
    assert place.said[-1] == "The first player has won, 7 to 3."


def test_sides_have_names() -> None:
    game = TicTacToe()
    assert [sides(game, text) for text in ("first", "SECOND", "both", "none", "x", "O")] == [
        (0,), (1,), (0, 1), (), (0,), (1,),
    ]  # fmt: skip


SHUFFLE = ("Nf3", "Nf6", "Ng1", "Ng8")


def test_a_position_for_the_third_time_ends_a_game_of_chess() -> None:
    _, place = played(*SHUFFLE, *SHUFFLE, "e4", game=Chess())
    assert place.lines == ["e4"]
    assert place.said[-2:] == ["The position occurred 3 times.", "A draw."]


def test_a_repetition_can_be_taken_back() -> None:
    session, place = played(*SHUFFLE, *SHUFFLE, "undo", "d5", "n", game=Chess(), interactive=True)
    assert "d5" not in place.lines and len(session.taken) == 8


class Lost(Toggle):
    payoffs = (-1, 1)
    repetition = ("loss", 2)


class Forbidden(Toggle):
    repetition = ("forbid", 2)


def test_who_repeats_may_lose_by_it() -> None:
    _, place = played("0", "1", game=Lost())
    assert "The position occurred 2 times." in place.text
    assert place.said[-1].endswith("has won.") and "irst" in place.said[-1]


def test_a_forbidden_repetition_is_refused_and_the_game_goes_on() -> None:
    _, place = played("0", "1", game=Forbidden())
    assert "1 would repeat a position, which the rules forbid" in place.text
    assert place.said[-1] == "The input ends here, and so does the game."


# --- hidden information ---------------------------------------------------------------------------------


def test_a_person_sees_his_own_card_and_never_the_others() -> None:
    """Whatever the machine holds, the screen says the same until the cards are shown."""
    kuhn = Kuhn()
    texts = set()
    for deal in ("Q J", "Q K"):
        _, place = played("pass", game=kuhn, people=(0,), state=kuhn.parse_state(deal), level=1, seed=4)
        before = place.text.partition("has moved")[0]
        texts.add(before)
        assert "Q" in before and "K" not in before.replace("Kuhn", "") and "J" not in before
    assert len(texts) == 1


def test_what_the_machine_does_unseen_is_not_announced() -> None:
    _, place = played("b2", "a1", game=PhantomTicTacToe(), people=(0,), level=3, seed=1)
    assert "has moved." in place.text and "plays" not in place.text
    assert not any("O" in said.replace("O has", "").replace("O to", "") for said in place.said[1:4])


def test_people_at_one_screen_are_asked_before_a_hand_is_shown() -> None:
    kuhn = Kuhn()
    state = kuhn.parse_state("J K")
    _, place = played("", "pass", "", "bet", game=kuhn, people=(0, 1), state=state, interactive=True)
    assert place.prompts[0] == "The first player looks now, and nobody else. Press Enter. "
    assert place.prompts[2] == "The second player looks now, and nobody else. Press Enter. "
    first, _, second = place.text.partition("<clear>")[2].partition("<clear>")
    assert "J" in first and "K" not in first
    assert "K" in second.partition("<clear>")[0] and "J" not in second.partition("<clear>")[0]


def test_nothing_is_taken_back_where_somebody_has_seen_something() -> None:
    _, place = played("b2", "undo", game=PhantomTicTacToe(), people=(0, 1))
    assert "no move is taken back" in place.text


def test_a_hint_is_made_from_what_the_person_sees() -> None:
    game = Battleship(width=4, height=4, fleet="2")
    _, place = played("?", game=game, people=(0,), state=game.parse_state("a1> c3> a1 b2"), level=3)
    assert "by what you have seen" in place.text
