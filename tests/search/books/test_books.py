"""A book says of every position what plain recursion says, and a file that is not as it was written is refused."""

import json
import random
import shutil
import zlib
from pathlib import Path
from typing import Any

import pytest

import gametree as gt
from gametree import games
from gametree.errors import InputError, UnsuitableError
from gametree.search.books import files
from gametree.search.books.building import build
from gametree.search.books.digest import rules_digest
from gametree.search.books.keys import key_of
from gametree.search.books.scores import Book
from search.exact import slow_truth

pytestmark = pytest.mark.same_in_all_modes

SMALL = games.ConnectFour(3, 4)
PLIES = 5


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Book, Path]:
    folder = tmp_path_factory.mktemp("book")
    book = build(SMALL, PLIES, folder / "solved.txt", compile="never", made="a test")
    files.write(book, folder / "small.gtbook")
    return book, folder / "small.gtbook"


def positions(plies: int) -> list[Any]:
    """All positions with at most so many stones that are not the end."""
    found, level = [], [SMALL.initial()]
    for _ in range(plies + 1):
        level = [state for state in level if not SMALL.is_terminal(state)]
        found += level
        level = [SMALL.result(state, action) for state in level for action in SMALL.actions(state)]
    return found


def test_every_position_has_the_margin_of_plain_recursion(made: tuple[Book, Path]) -> None:
    book = files.read(made[1])
    known: dict[Any, int] = {}
    every = positions(PLIES)
    assert all(book.probe(SMALL, state) == slow_truth.margin(SMALL, state, known) for state in every)
    assert len(book) == len({key_of(SMALL, state) for state in every})


def test_a_position_beyond_the_book_is_not_known_and_one_at_its_edge_has_no_moves(
    made: tuple[Book, Path],
) -> None:
    book = made[0]
    assert book.probe(SMALL, SMALL.parse_state("123123")) is None
    assert book.score(SMALL, SMALL.parse_state("12312")) is None
    assert book.probe(SMALL, SMALL.parse_state("12312")) is not None


def test_the_moves_and_the_line_of_a_book_keep_the_margin(made: tuple[Book, Path]) -> None:
    book, known = made[0], dict[Any, int]()
    for state in positions(PLIES - 1):
        score = book.score(SMALL, state)
        assert score is not None and score.value == slow_truth.margin(SMALL, state, known)
        assert all(slow_truth.margin_of(SMALL, state, a, known) == margin for a, margin in score.moves)
        assert dict(score.moves)[score.line[0]] == score.value


def test_a_build_that_was_ended_goes_on_to_the_same_bytes(made: tuple[Book, Path], tmp_path: Path) -> None:
    whole = (made[1].parent / "solved.txt").read_bytes()
    rng = random.Random(4)
    for _ in range(6):
        store = tmp_path / "solved.txt"
        # Cut off anywhere after the heading, as a process that is killed leaves it.
        store.write_bytes(whole[: rng.randint(whole.index(b"\n") + 1, len(whole))])
        book = build(SMALL, PLIES, store, compile="never", made="a test")
        files.write(book, tmp_path / "again.gtbook")
        assert (tmp_path / "again.gtbook").read_bytes() == made[1].read_bytes()
        assert set(store.read_bytes().splitlines()) == set(whole.splitlines())


def test_a_store_of_another_build_is_refused(made: tuple[Book, Path], tmp_path: Path) -> None:
    shutil.copy(made[1].parent / "solved.txt", tmp_path / "solved.txt")
    with pytest.raises(InputError, match=r"solved\.txt is of another build"):
        build(SMALL, PLIES - 1, tmp_path / "solved.txt", compile="never")
    (tmp_path / "solved.txt").write_text(f"# ConnectFour {rules_digest(SMALL)} 2\n1 2 3\n")
    with pytest.raises(InputError, match=r"solved\.txt is damaged"):
        build(SMALL, 2, tmp_path / "solved.txt", compile="never")


def test_a_flipped_byte_anywhere_is_refused_by_name(made: tuple[Book, Path], tmp_path: Path) -> None:
    data = made[1].read_bytes()
    path = tmp_path / "flipped.gtbook"
    rng = random.Random(1)
    places = sorted(rng.sample(range(len(data)), min(1000, len(data))))
    for place in places:
        path.write_bytes(data[:place] + bytes([data[place] ^ 1 << rng.randrange(8)]) + data[place + 1 :])
        with pytest.raises(InputError, match=r"^flipped\.gtbook"):
            files.read(path)


@pytest.mark.parametrize("size", [0, 5, 20, 200, -1])
def test_a_file_that_is_cut_off_is_refused(made: tuple[Book, Path], tmp_path: Path, size: int) -> None:
    (tmp_path / "short.gtbook").write_bytes(made[1].read_bytes()[:size])
    with pytest.raises(InputError, match=r"^short\.gtbook"):
        files.read(tmp_path / "short.gtbook")


def test_what_is_no_book_or_one_of_another_version_is_refused(
    made: tuple[Book, Path], tmp_path: Path
) -> None:
    path = tmp_path / "x.gtbook"
    path.write_bytes(b"\x80\x04\x95 a pickle")
    with pytest.raises(InputError, match=r"x\.gtbook is no book of gametree"):
        files.read(path)
    path.write_bytes(made[1].read_bytes().replace(b"book 1 ", b"book 2 ", 1))
    with pytest.raises(InputError, match="another version than 1"):
        files.read(path)
    with pytest.raises(InputError, match="No such file"):
        files.read(tmp_path / "nowhere.gtbook")


def test_a_block_that_unpacks_to_more_than_it_should_is_refused(
    made: tuple[Book, Path], tmp_path: Path
) -> None:
    _first, text, rest = made[1].read_bytes().split(b"\n", 2)
    heading = json.loads(text)
    bomb = zlib.compress(b"\0" * 10_000_000)
    heading |= {"sizes": [len(bomb), heading["sizes"][1]], "sums": [zlib.crc32(bomb), heading["sums"][1]]}
    text = json.dumps(heading).encode() + b"\n"
    data = files.MAGIC + b"%08x\n" % zlib.crc32(text) + text + bomb + rest[-heading["sizes"][1] :]
    (tmp_path / "bomb.gtbook").write_bytes(data)
    with pytest.raises(InputError, match=r"bomb\.gtbook is damaged"):
        files.read(tmp_path / "bomb.gtbook")


def test_a_book_of_other_rules_is_refused(made: tuple[Book, Path]) -> None:
    class Backwards(games.ConnectFour):
        def utility(self, state: Any, player: int) -> float:
            return -super().utility(state, player)

    with pytest.raises(InputError, match=r"this book is of ConnectFour\(width=3, height=4\)"):
        gt.Engine(games.ConnectFour(4, 4), book=made[0])
    with pytest.raises(InputError, match="its rules are not those of Backwards"):
        made[0].require(Backwards(3, 4))
    with pytest.raises(InputError, match=r"book='x': a Book, True for the one that is found, or False"):
        gt.Engine(SMALL, book="x")  # type: ignore[arg-type]


def test_games_without_hints_and_too_many_positions_are_refused(tmp_path: Path, monkeypatch: Any) -> None:
    with pytest.raises(UnsuitableError, match="TicTacToe gives the exact solver no hints"):
        build(games.TicTacToe(), 2, tmp_path / "solved.txt")
    monkeypatch.setattr("gametree.search.books.building.MOST", 100)
    with pytest.raises(InputError, match="more than 100 positions within 9 plies: take fewer plies"):
        build(SMALL, 9, tmp_path / "solved.txt")


@pytest.mark.parametrize("name", ["connect-four", "tic-tac-toe", "pig", "kuhn-poker", "nim", "othello"])
def test_digests_of_rules_are_the_same_each_time_and_differ_from_game_to_game(name: str) -> None:
    assert rules_digest(games.load(name)) == rules_digest(games.load(name))
    assert rules_digest(games.load(name)) != rules_digest(SMALL)


def test_the_digest_sees_a_changed_payoff_and_a_changed_order(made: tuple[Book, Path]) -> None:
    class Other(games.ConnectFour):
        def utility(self, state: Any, player: int) -> float:
            return 2 * super().utility(state, player)

    class Sorted(games.ConnectFour):
        def actions(self, state: Any) -> Any:
            return sorted(super().actions(state))

    assert len({rules_digest(kind(3, 4)) for kind in (games.ConnectFour, Other, Sorted)}) == 3


def test_analyze_answers_from_the_book_that_is_found(
    made: tuple[Book, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "books").mkdir()
    shutil.copy(made[1], tmp_path / "books" / "mine.gtbook")
    (tmp_path / "books" / "broken.gtbook").write_bytes(b"nothing")
    monkeypatch.setenv("GAMETREE_DATA_DIR", str(tmp_path))
    told: list[gt.Analysis] = []
    found = gt.analyze(
        SMALL, limit=gt.Limit(seconds=5), lines=2, moves=True, compile="never", on_progress=told.append
    )
    assert (found.method, found.exact, found.nodes, len(found.lines)) == ("opening book", True, 1, 2)
    assert told and told[0].value == found.value
    truth = gt.solve(SMALL, moves=True, compile="never")
    assert found.value == truth.value and {m.action: m.value for m in found.moves} == {
        m.action: m.value for m in truth.moves
    }
    assert gt.analyze(SMALL, limit=gt.Limit(seconds=5), compile="never", book=False).method != "opening book"


def test_a_depth_or_a_number_of_nodes_is_searched_without_the_book(made: tuple[Book, Path]) -> None:
    engine = gt.Engine(SMALL, book=made[0], compile="never")
    assert engine.analyze(limit=gt.Limit(depth=3)).method != "opening book"
    assert engine.analyze(limit=gt.Limit(nodes=50)).method != "opening book"
    assert engine.analyze(limit=gt.Limit(seconds=9)).method == "opening book"
