"""`gametree match` and `gametree tournament`: what a user sees, the files, and what is refused."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from app.conftest import Run
from gametree.app.meetings import Pace
from gametree.documents.matches import MatchResultDocument
from gametree.games import Chess
from gametree.games.checkers.pdn import read_pdn
from gametree.games.chess.pgn import read_pgn
from gametree.reading import mismatch

pytestmark = pytest.mark.same_in_all_modes

BOT = """
class First:
    def __init__(self, game): self.game = game
    def move(self, state): return list(self.game.actions(state))[0]

class Last:
    def __init__(self, game): self.game = game
    def move(self, state): return list(self.game.actions(state))[-1]
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mybot.py").write_text(BOT)
    return tmp_path


def test_a_match_is_told_kept_and_taken_up_again(run: Run, here: Path) -> None:
    words = ["match", "tic-tac-toe", "mybot.py:First", "random", "--openings", "start", "--games", "12"]
    first = run(*words)
    assert first.code == 0, first.err
    assert re.search(r"score +\+\d+ =\d+ -\d+ of 12 games: .* Elo .*, pairs (\d+/){4}\d+", first.out)
    (file,) = here.glob("match-TicTacToe-*.jsonl")
    assert f"results: {file.name}" in first.err
    before = file.read_bytes()
    again = run(*words)
    assert again.out == first.out and file.read_bytes() == before
    assert run(*words, "--seed", "4").code == 0 and len(list(here.glob("match-*.jsonl"))) == 2


def test_json_says_the_same_to_programs(run: Run, here: Path) -> None:
    found = run(
        "match",
        "tic-tac-toe",
        "random",
        "random",
        "--games",
        "4",
        "--sprt",
        "0,50",
        "--json",
        "--openings",
        "start",
    )
    data = json.loads(found.out)
    assert not mismatch(data, MatchResultDocument) and data["games"] == 4
    table = run(
        "tournament",
        "tic-tac-toe",
        "random",
        "mybot.py:Last",
        "random",
        "--rounds",
        "1",
        "--json",
        "--openings",
        "start",
    )
    assert len(json.loads(table.out)["standings"]) == 3


def test_every_kind_of_file_is_written(run: Run, here: Path) -> None:
    files = ["a.html", "a.json", "a.svg", "own.jsonl", "a.pgn"]
    options = [word for file in files for word in ("--out", file)]
    found = run(
        "match", "chess", "random", "mybot.py:First", "--games", "2", "--most-plies", "9", *options,
        "--pgn", "b.pgn", "--openings", "start",
    )  # fmt: skip
    assert found.code == 0, found.err
    assert (here / "a.pgn").read_text() == (here / "b.pgn").read_text()
    records = list(read_pgn((here / "a.pgn").read_text()))
    assert len(records) == 2 and all(len(record.actions) == 9 for record in records)
    assert {record.tags["White"] for record in records} == {"random", "mybot.py:First"}
    page = (here / "a.html").read_text()
    (data,) = re.findall(r'<script type="application/json" id="match">(.*?)</script>', page)
    games = json.loads(data)["games"]
    assert [len(game["frames"]) for game in games] == [10, 10] and "Chess" in page
    assert (here / "a.svg").read_text().startswith("<svg ")
    assert len((here / "own.jsonl").read_text().splitlines()) == 2


def test_games_of_checkers_go_and_othello_have_their_own_formats(run: Run, here: Path) -> None:
    words = ["random", "random", "--games", "2", "--most-plies", "12", "--openings", "start"]
    for game, file in (("checkers", "a.pdn"), ("go", "b.sgf"), ("othello", "c.sgf"), ("hex", "d.sgf")):
        found = run("match", game, *words, "--out", file)
        assert found.code == 0, found.err
    assert len(read_pdn((here / "a.pdn").read_text())) == 2
    for file, number in (("b.sgf", 1), ("c.sgf", 2), ("d.sgf", 11)):
        text = (here / file).read_text()
        assert text.count(f"GM[{number}]") == 2 and text.count(";B[") >= 10 and text.count("(;") == 2


def test_a_tournament_has_a_table_and_a_picture(run: Run, here: Path) -> None:
    words = [
        "tournament",
        "tic-tac-toe",
        "random",
        "mybot.py:First",
        "mybot.py:Last",
        "--rounds",
        "2",
        "--openings",
        "start",
    ]
    found = run(*words, "--out", "a.svg", "--out", "a.html", "--kind", "swiss")
    assert found.code == 0, found.err
    assert "player" in found.out and "against 3" in found.out and "swiss" in found.out
    assert "heat-" in (here / "a.svg").read_text() and "<noscript>" in (here / "a.html").read_text()


def test_openings_come_from_files(run: Run, here: Path) -> None:
    (here / "moves.txt").write_text("b2 a1  # the centre\n\na1 b2\nb2 a1\nX../.O./...\n")
    found = run("match", "tic-tac-toe", "random", "random", "--games", "20", "--openings", "moves.txt")
    assert "there are openings for 6 games only, not for 20" in found.out
    (here / "book.pgn").write_text("1. e4 e5 2. Nf3 *\n\n1. d4 d5 *\n")
    (here / "book.epd").write_text("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;\n")
    for file, games in (("book.pgn", 4), ("book.epd", 2)):
        options = ["--openings", file, "--opening-plies", "2", "--most-plies", "6", "--games", str(games)]
        found = run("match", "chess", "random", "random", *options, "--shuffle", "--out", f"{file}.pgn")
        records = list(read_pgn((here / f"{file}.pgn").read_text()))
        assert len(records) == games, found.err
        assert (file == "book.epd") == (records[0].start != Chess().initial())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("nim level:3 levl:4", "there is no player 'levl:4'; did you mean level?"),
        ("nim random nobody.py:Bot", "nobody.py does not exist"),
        ("nim random uci:stockfish", "uci: is for chess|there is no program"),
        ("nim random random --games 7", "--games 7: games are played in pairs"),
        ("nim random random --tc five", "--tc five: write seconds and an increment"),
        ("nim random random --tc 5 --seconds 1", "choose one of them"),
        ("nim random random --nodes 0", "--nodes 0: a whole number of at least 1"),
        ("nim random random --jobs 0", "--jobs 0"),
        ("nim random random --sprt 5", "--sprt 5: write two differences in Elo, 0,20"),
        ("nim random random --sprt 20,0", "the first less than the second"),
        ("nim random random --out a.pgn", "Nim has no games in .pgn; its games are in the .jsonl file"),
        ("checkers random random --out a.pgn", "Checkers has no games in .pgn; it has .pdn"),
        ("nim random random --out a.txt", "the ending says what is written"),
        ("nim random random --out a.jsonl --out b.jsonl", "there is one file of results"),
        ("nim random random --openings none.txt", "none.txt cannot be read"),
        ("nim random random --openings mybot.py", "mybot.py, line 2: this is no position of Nim"),
        ("nim random random --openings a.pgn", "a.pgn cannot be read"),
        ("nim random random --opening-plies x", "--opening-plies x: write two numbers, 4-10"),
        ("nim random random --results mybot.py", "is no file of results"),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(run: Run, here: Path, words: str, said: str) -> None:
    before = (here / "mybot.py").read_bytes()
    found = run("match", *words.split())
    assert found.code == 2 and re.search(said, found.err) and "Traceback" not in found.err, found.err
    assert (here / "mybot.py").read_bytes() == before


def test_ctrl_c_tells_how_it_stands_and_how_to_go_on(here: Path) -> None:
    words = ["match", "connect-four", "mybot.py:First", "random", "--games", "100000", "--results", "r.jsonl"]
    command = [sys.executable, "-m", "gametree", *words, "--openings", "start"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as process:
        for _ in range(600):
            if (here / "r.jsonl").exists() and len((here / "r.jsonl").read_bytes().splitlines()) > 3:
                break
            time.sleep(0.05)
        os.kill(process.pid, signal.SIGINT)
        told = process.communicate()[1]
    assert process.returncode == 130 and "Traceback" not in told
    assert "to go on: gametree match connect-four mybot.py:First random --games 100000" in told
    assert re.search(r"stopped after [\d,]+ games, kept in r.jsonl", told) and "score" in told


def test_the_pace_is_of_the_games_played_now() -> None:
    class Stands:
        games_played, planned, fresh = 60, 100, 20

    pace = Pace()
    pace._began -= 10
    rows = dict(pace.rows(Stands()))  # type: ignore[arg-type]
    assert rows["games"] == "60 of 100" and rows["time left"] in ("20 s", "21 s")
    assert 6_500 < int(rows["games an hour"].replace(",", "")) < 7_300
