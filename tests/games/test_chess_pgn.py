"""Chess games as PGN, positions as EPD."""

import random

import pytest

from gametree.errors import InputError
from gametree.games.chess.pgn import Record, read_epd, read_pgn, write_pgn
from gametree.games.chess.rules import Chess

pytestmark = pytest.mark.same_in_all_modes

CHESS = Chess()

TWO_GAMES = r"""
% a line for programs only
[Event "A \"friendly\" game"]
[White "Ann \\ Bob"]
[Result "1-0"]

{ Before the first move. } 1. e4 e5 $1 ; the rest of the line { is a comment
2.Bc4!? Nc6 (2... Nf6 3. d3 (3. Nc3 {nested} Nxe4) 3... c6) 3. Qh5
3... Nf6?? 4. Qxf7# 1-0

[Event "?"]
[Result "*"]
[SetUp "1"]
[FEN "4k3/P7/8/8/8/8/8/4K3 w - - 0 40"]

40.a8=Q+ Kd7
41 . Qb7+ *
"""


def played(record: Record) -> list[str]:
    return [CHESS.uci(state, action) for state, action in zip(record.states(), record.actions)]


def test_games_are_read_with_comments_variations_and_annotations_left_out() -> None:
    first, second = read_pgn(TWO_GAMES)
    assert first.tags == {"Event": 'A "friendly" game', "White": "Ann \\ Bob", "Result": "1-0"}
    assert played(first) == ["e2e4", "e7e5", "f1c4", "b8c6", "d1h5", "g8f6", "h5f7"]
    assert first.result == "1-0"
    assert played(second) == ["a7a8q", "e8d7", "a8b7"]
    assert CHESS.fen(second.start) == "4k3/P7/8/8/8/8/8/4K3 w - - 0 40"
    assert CHESS.is_terminal(list(first.states())[-1])


def test_the_main_line_is_written_and_read_back() -> None:
    for record in read_pgn(TWO_GAMES):
        text = write_pgn(record)
        (again,) = read_pgn(text)
        assert (again.start, again.actions, again.result) == (record.start, record.actions, record.result)
        assert again.tags.items() >= record.tags.items()
        assert write_pgn(again) == text


def test_a_game_is_written_with_its_seven_tags_in_order_and_short_lines() -> None:
    rng = random.Random(4)
    state = CHESS.initial()
    actions: list[int] = []
    while len(actions) < 120 and not CHESS.is_terminal(state):
        actions.append(rng.choice(list(CHESS.actions(state))))
        state = CHESS.result(state, actions[-1])
    lines = write_pgn(
        Record(CHESS.initial(), tuple(actions), tags={"Round": "3", "Annotator": "x"})
    ).splitlines()
    assert [line.split()[0] for line in lines[:8]] == [
        *("[Event", "[Site", "[Date", "[Round", "[White", "[Black", "[Result", "[Annotator")
    ]
    assert lines[2:4] == ['[Date "????.??.??"]', '[Round "3"]']
    assert lines[8] == ""
    assert max(map(len, lines)) < 80
    assert len(lines) > 10


def test_a_game_that_begins_with_black_says_so() -> None:
    start = CHESS.parse_state("4k3/8/8/8/8/8/4P3/4K3 b - - 0 7")
    record = Record(start, (CHESS.parse_action(start, "Kd7"),))
    assert write_pgn(record).splitlines()[-3:] == [
        '[FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 0 7"]',
        "",
        "7... Kd7 *",
    ]


def test_a_mate_decides_the_result_that_nobody_wrote_down() -> None:
    (record,) = read_pgn("1. f3 e5 2. g4 Qh4")
    assert write_pgn(record).splitlines()[-1] == "1. f3 e5 2. g4 Qh4# 0-1"


def test_chess960_games_keep_their_variant() -> None:
    game = Chess(chess960=True)
    start = game.parse_state("4k3/8/8/8/8/8/8/5KR1 w G - 0 1")
    record = Record(start, (game.parse_action(start, "O-O"),), chess960=True)
    (again,) = read_pgn(write_pgn(record))
    assert again.chess960
    assert (again.start, again.actions) == (start, record.actions)


def test_texts_without_games_hold_none() -> None:
    assert list(read_pgn("")) == list(read_pgn("\ufeff \n; nothing\n")) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1. e4 e5 2. Ke3", r"game 1: move 2\.: Ke3 is not legal here"),
        ("1. e4 e5 2. Nf3 Nc6 3. zz", r"game 1: move 3\.: 'zz' is no chess move"),
        ("1. e4 *\n\n1. e4 d4 *", r"game 2: move 1\.\.\.: d4 is not legal"),
        ("1. e4 (1. d4 d5 2. c4", "game 1: a variation does not end"),
        ("1. e4) e5", r"move 1\.\.\.: a variation ends that did not begin"),
        ("1. e4 {never closed", "is neither a move nor a comment"),
        ("1. e4 @", "'@' is neither a move nor a comment"),
        ("[Event x]\n1. e4", r"a tag of PGN looks like \[Event \"a name\"\]"),
        ('[FEN "8/8 w - - 0 1"]\n*', "game 1: .*8 ranks"),
        ('[Result "2-0"]\n1. e4', "the result is one of"),
        ("1. --", "is neither a move nor a comment"),
    ],
)
def test_a_broken_game_is_refused_where_it_breaks(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        list(read_pgn(text))


def test_a_text_with_a_slip_is_read_or_refused_in_words() -> None:
    rng = random.Random(2)
    read = refused = 0
    for _ in range(500):
        text = list(TWO_GAMES)
        for _ in range(rng.randrange(1, 6)):
            at = rng.randrange(len(text))
            text[at : at + rng.randrange(4)] = rng.choice('(){}[];"$%.*01eNx \n\\é')
        try:
            for record in read_pgn("".join(text)):
                assert write_pgn(record)
            read += 1
        except InputError as error:
            assert str(error)
            refused += 1
    assert read and refused


# --- EPD --------------------------------------------------------------------------------------------

EPD = "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - -"


def test_a_task_has_a_position_a_name_and_moves() -> None:
    task = read_epd(f'{EPD} bm Qg6; am Qh4 Nxd5; id "a mate; in three"; acn 12;')
    assert CHESS.fen(task.state) == f"{EPD} 0 1"
    assert [CHESS.name_action(task.state, action) for action in task.best] == ["Qg6"]
    assert [CHESS.uci(task.state, action) for action in task.avoid] == ["g3h4", "f6d5"]
    assert task.name == "a mate; in three"
    assert task.operations["acn"] == ("12",)


def test_a_task_may_have_the_counters_of_a_fen_and_nothing_else() -> None:
    assert CHESS.fen(read_epd(f"{EPD} 3 40 bm Qg6").state) == f"{EPD} 3 40"
    assert read_epd(EPD).operations == {}
    assert read_epd(EPD).name == ""


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "EPD begins with four fields of a FEN; this line has 0"),
        (f"{EPD} bm Ka9;", "'Ka9' is no chess move"),
        (f"{EPD} am Qa1;", "Qa1 is not legal here"),
        (f'{EPD} id "open;', "operations of EPD look like"),
        (f"{EPD} ;;", "operations of EPD look like"),
        ("8/8 w - - bm e4;", "8 ranks"),
    ],
)
def test_a_broken_task_is_refused(line: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_epd(line)
