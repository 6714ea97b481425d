"""The command `gametree explain`: what it prints, writes, refuses and exits with."""

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from gametree.app import trace_steps
from gametree.app.cli import main
from gametree.explain.traces.trace import trace

AIMA = "[[3,12,8],[2,x,y],[14,5,2]]"


class Outcome(NamedTuple):
    """What a run of the command left behind."""

    code: int
    out: str
    err: str


Run = Callable[..., Outcome]


@pytest.fixture
def explain(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    def call(*arguments: str, stdin: str = "") -> Outcome:
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        capsys.readouterr()
        code = main(["explain", *arguments])
        captured = capsys.readouterr()
        return Outcome(code, captured.out, captured.err)

    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)
    return call


# --- what it says -----------------------------------------------------------------------------------


def test_it_draws_the_tree_and_says_what_it_found(explain: Run) -> None:
    outcome = explain(AIMA)
    assert outcome.code == 0 and outcome.err == ""
    assert "C (≤2) α=3 β=∞" in outcome.out and "C: shallow α-cut" in outcome.out
    assert "value 3, best move 1 to B" in outcome.out
    assert "alphabeta looked at 7 of 9 leaves" in outcome.out
    assert outcome.out.endswith("The value is 3 whatever x and y are.\n")


def test_the_help_shows_what_the_example_prints(explain: Run) -> None:
    said = [line.strip() for line in explain("--help").out.splitlines()]
    drawn = [line.strip() for line in explain(AIMA).out.splitlines()[:7]]
    at = said.index(drawn[0])
    assert said[at : at + 7] == drawn


def test_where_the_search_needs_a_number_the_answer_is_given_without_it(explain: Run) -> None:
    outcome = explain("[[5,9],[x,9]]")
    assert outcome.code == 0 and "The value is 5 if x ≤ 5, else x, at most 9." in outcome.out
    assert "--value" in outcome.out
    assert "value 7, best move 2 to C" in explain("[[5,9],[x,9]]", "--value", "x=7").out


def test_all_steps_are_printed_where_nobody_types(explain: Run) -> None:
    outcome = explain(AIMA, "--steps")
    lines = outcome.out.splitlines()
    assert lines[0].split()[0] == "1" and "the other two" in outcome.out
    steps = [line.split()[0] for line in lines if line[:2].strip().isdigit() and line[2:4] == "  "]
    assert steps == [
        str(number) for number in range(1, len(trace([[3, 12, 8], [2, "x", "y"], [14, 5, 2]]).events) + 1)
    ]
    assert max(map(len, lines)) <= 80


def test_a_tree_comes_from_a_file_or_from_standard_input(explain: Run, tmp_path: Path) -> None:
    (tmp_path / "tree.txt").write_text("MAX\n  left: MIN\n    3\n    12\n  right: 2\n")
    assert "value 3, best move left to B" in explain("tree.txt").out
    (tmp_path / "tree").write_text("[[1, 2], 3]")
    assert "value 3" in explain("tree").out
    assert "value 4" in explain("-", stdin="[4, 1]").out
    assert "value 7" in explain("7").out


def test_a_position_of_a_game_is_explained(explain: Run) -> None:
    outcome = explain("--game", "tic-tac-toe", "--position", "XOX/.O./X.O")
    assert "value 1, best move a2" in outcome.out
    two = explain("--game", "tic-tac-toe", "--depth", "2", "--merge", "--method", "minimax")
    assert "value 1, best move b2" in two.out and "a3 ×4" in two.out
    played = explain("--game", "tic-tac-toe", "--moves-played", "b2 a1", "--depth", "1", "--set", "k=3")
    assert played.code == 0 and "looked at 7 of 7 leaves" in played.out


def test_a_whole_strategy_is_drawn(explain: Run) -> None:
    outcome = explain("--game", "tic-tac-toe", "--strategy", "--out", "all.svg")
    assert outcome.code == 0 and "minimax looked at" in outcome.out
    assert Path("all.svg").read_text().count('class="node"') > 100


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--cut", "gt"), "cut at >"),
        (("--fail", "hard"), "fail-hard"),
        (("--bounds", "intervals"), "[3, 3]"),
        (("--shapes", "triangles"), "△3"),
        (("--direction", "right-to-left"), "right to left"),
    ],
)
def test_every_convention_can_be_set(explain: Run, options: tuple[str, ...], says: str) -> None:
    assert says in explain("[[3,12,8],[2,4,6],[14,5,2]]", *options).out


@pytest.mark.parametrize("form", ["aima", "bound", "value-move"])
def test_every_form_of_the_code_can_be_asked_for(explain: Run, form: str) -> None:
    found = json.loads(explain(AIMA, "--json", "--form", form).out)
    assert found["conventions"]["form"] == form and len(found["code"]) > 5


def test_movers_make_it_a_game_of_three(explain: Run) -> None:
    outcome = explain("[[(4,3,2),(7,4,1)],[(1,5,2),(7,7,1)]]", "--movers", "0,2")
    assert "value (4, 3, 2)" in outcome.out and "maxn looked at 4 of 4 leaves" in outcome.out


def test_chance_is_explained_by_expectiminimax(explain: Run) -> None:
    assert "value 3" in explain("[chance(1/2: 2, 0.5: 4), 1]").out


def test_ascii_is_ascii(explain: Run) -> None:
    outcome = explain(AIMA, "--ascii", "--steps")
    assert outcome.out.isascii() and "alpha=3" in outcome.out


def test_a_step_draws_the_tree_at_that_step(explain: Run) -> None:
    assert "┊ not looked at yet" in explain(AIMA, "--step", "3").out


def test_a_step_does_not_give_the_answer_away(explain: Run) -> None:
    events = trace([[3, 12, 8], [2, "x", "y"], [14, 5, 2]]).events
    result = explain(AIMA).out.split("\n\n")[-1]
    assert result.startswith("value 3, best move 1 to B\n")
    for step in range(len(events) + 1):
        said = explain(AIMA, "--step", str(step)).out.split("\n\n")[-1]
        sentence = events[step - 1].sentence if step else "Nothing has been looked at yet."
        head = f"step {step} of {len(events)}: {sentence}"
        assert " ".join(said.split()) == " ".join([head, *result.split()] if step == len(events) else [head])


def test_json_is_the_trace_and_nothing_else(explain: Run) -> None:
    outcome = explain(AIMA, "--json")
    found = json.loads(outcome.out)
    assert found["schema"] == "gametree.trace/1" and found["value"] == 3 and found["move"] == [0]
    assert found["cuts"] == [
        {"path": [1], "kind": "alpha", "depth": "shallow", "by": [], "skipped": [[1, 1], [1, 2]]}
    ]
    assert found["events"][0]["alpha"] == "-inf" and found["unknown"] == [
        "The value is 3 whatever x and y are."
    ]
    assert [node["payoff"] for node in found["nodes"] if node["path"] == [1, 1]] == ["x"]


# --- files ------------------------------------------------------------------------------------------


def test_pictures_and_pages_are_written(explain: Run) -> None:
    pytest.importorskip("cairosvg")
    files = {
        "svg": b"<svg ",
        "png": b"\x89PNG",
        "pdf": b"%PDF",
        "tex": b"\\documentclass",
        "html": b"<!DOCTYPE html>",
        "json": b"{",
        "txt": b"MAX",
    }
    options = [part for kind in files for part in ("--out", f"out.{kind}")]
    outcome = explain(AIMA, *options, "--theme", "dark", "--title", "Mine")
    assert outcome.code == 0, outcome.err
    assert outcome.err.splitlines() == [f"wrote out.{kind}" for kind in files]
    for kind, begin in files.items():
        assert Path(f"out.{kind}").read_bytes().startswith(begin)
    assert explain(AIMA, "--out", "alone.tikz").code == 0
    assert Path("alone.tikz").read_text().startswith("\\begin{tikzpicture}")


def test_an_outline_is_drawn_where_there_is_no_search(explain: Run) -> None:
    assert explain("[[5,9],[x,9]]", "--out", "tree.svg").code == 0
    assert ">x</text>" in Path("tree.svg").read_text()


def test_boards_are_drawn_for_games_unless_refused(explain: Run) -> None:
    start = ("--game", "tic-tac-toe", "--position", "XOX/.O./X.O", "--out", "tree.svg")
    explain(*start)
    with_boards = Path("tree.svg").read_text()
    explain(*start, "--no-boards")
    assert 'class="gt-cross"' in with_boards and 'class="gt-cross"' not in Path("tree.svg").read_text()


# --- refusals ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "there is nothing to explain"),
        (("missing.txt",), "missing.txt does not exist"),
        (("folder/tree",), "does not exist"),
        ((AIMA, "--game", "nim"), "not both"),
        (("[[3,12,8],[2,4,6]]", "--depth", "2"), "depth is not for alphabeta; it is for deepening"),
        ((AIMA, "--depth", "0"), "the search goes so many plies deep, at least 1"),
        ((AIMA, "--cut", "eq"), "'eq' is not one of 'ge', 'gt'"),
        ((AIMA, "--value", "x"), "--value x: write a name and a number"),
        ((AIMA, "--value", "x=much"), "write a name and a number"),
        ((AIMA, "--value", "z=1"), "no unknown leaf 'z'"),
        ((AIMA, "--movers", "a,b"), "--movers a,b: write MAX, MIN or numbers"),
        ((AIMA, "--step", "99"), "steps 0 to"),
        ((AIMA, "--method", "maxn"), "maxn is not for such a tree. Use --method alphabeta"),
        (("[[5,9],[x,9]]", "--steps"), "--steps: "),
        (("[[5,9],[x,9]]", "--json"), "--value x=3"),
        (("[[5,9],[x,9]]", "--out", "x.html"), "--out x.html: "),
        (
            (AIMA, "--out", "x.gif"),
            "--out x.gif: that is for all steps: say --slides, too",
        ),
        ((AIMA, "--out", "tree"), "--out tree: the ending says what is written"),
        ((AIMA, "--out", "no/such/folder.svg"), "cannot be written"),
        (("--game", "tic-tac-toe", "--strategy", "--depth", "1"), "leave --depth out"),
        (("--game", "tic-tac-toe", "--depth", "5"), "with --most 5000"),
        ((AIMA, "--most", "5"), "more than 5 nodes"),
        (("--game", "no-such-game"), "no-such-game"),
    ],
)
def test_what_cannot_be_explained_is_refused_in_one_line(
    explain: Run, arguments: tuple[str, ...], says: str
) -> None:
    outcome = explain(*arguments)
    assert outcome.code == 2 and outcome.out == "", outcome
    assert outcome.err.startswith("gametree: ") and outcome.err.count("\n") == 1 and says in outcome.err


@pytest.mark.parametrize("text", ["[[3,12,8],[2,x,y", "[3,,4]", "[3 4]", "[]", "[[1,2],[3,]]]", "[1, (2"])
def test_a_malformed_tree_is_pointed_at(explain: Run, text: str) -> None:
    outcome = explain(text)
    assert outcome.code == 2 and outcome.out == "" and outcome.err.startswith("gametree: ")
    lines = outcome.err.splitlines()
    assert len(lines) == 1 or set(lines[-1].strip()) == {"^"}
    assert "Traceback" not in outcome.err


def test_a_file_that_is_no_text_is_refused(explain: Run, tmp_path: Path) -> None:
    (tmp_path / "tree.bin").write_bytes(b"\xff\xfe\x00")
    assert "is no UTF-8 text" in explain("tree.bin").err


def test_hostile_names_do_nothing_to_the_terminal(explain: Run) -> None:
    outcome = explain('["\x1b[2J\u202e", 1]')
    assert outcome.code == 0 and "\x1b" not in outcome.out and "\u202e" not in outcome.out


# --- step by step with keys -------------------------------------------------------------------------


def walk(
    keys: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, lines: str = "40"
) -> list[str]:
    """The pages that somebody sees who presses these keys."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", lines)
    pressed = iter(keys.split(" ") if keys else [])
    trace_steps.step_through(trace([[3, 12, 8], [2, "x", "y"], [14, 5, 2]]), read=lambda: next(pressed, ""))
    return capsys.readouterr().out.split(trace_steps._HELP)[:-1]


def test_keys_lead_forward_and_back(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = walk("n \x1b[C \x1b[D p \x1b[F n \x1b[1~ k q", capsys, monkeypatch)
    steps = [page.split("step ")[1].split(" of ")[0] for page in pages]
    assert steps == ["0", "1", "2", "1", "0", "30", "30", "0", "0"]
    assert "Nothing has been looked at yet." in pages[0] and "► " in pages[1]


def test_a_small_window_shows_what_fits(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (page,) = walk("q", capsys, monkeypatch, lines="12")
    assert len(page.splitlines()) <= 12 and "…" in page


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("\x1b[D", "left"),
        ("\x1bOC", "right"),
        ("\x1b[H", "home"),
        ("\x1b[4~", "end"),
        ("\x1b[9X", "unknown"),
        ("", ""),
    ],
)
def test_keys_have_names(typed: str, name: str) -> None:
    assert trace_steps.named(typed) == name


def test_keys_that_arrive_together_are_all_heard() -> None:
    chunks = iter(["\x1b[C\x1b[C n", "q\x1b[1~\x1b", ""])
    assert list(trace_steps.typed_keys(lambda: next(chunks))) == [
        "right",
        "right",
        " ",
        "n",
        "q",
        "home",
        "escape",
    ]
