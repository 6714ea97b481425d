"""Matrix games explained: the lecture's argument, the picture, the tree with its dashed line, the page, the command."""

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest

import gametree as gt
from gametree.app.cli import main
from gametree.explain import svg
from gametree.explain.matrices.argument import argument
from gametree.explain.matrices.page import page
from gametree.explain.matrices.picture import scene, scenes
from gametree.explain.matrices.tree import outline_of
from gametree.explain.pictures.svg import written

pytestmark = pytest.mark.same_in_all_modes
DILEMMA = gt.games.PrisonersDilemma()
PENNIES = gt.games.MatchingPennies()


def test_the_dilemma_is_argued_as_in_the_lecture() -> None:
    said = [step.sentence for step in argument(DILEMMA.form)]
    assert "If B chooses silent, A gets -1 from silent and 0 from betray: betray is best." in said
    assert "Whatever B does, A gets more from betray than from silent: A never chooses silent." in said
    assert said[-1].startswith("All would gain by (silent, silent), with -1, -1 instead of -2, -2")


def test_marks_grow_step_by_step_and_are_the_best_responses() -> None:
    steps = argument(PENNIES.form)
    for before, after in pairwise(steps):
        assert before.marked <= after.marked and before.gone <= after.gone and before.solved <= after.solved
    want = {
        ((*profile[:player], choice, *profile[player + 1 :]), player)
        for profile in PENNIES.form.profiles()
        for player in (0, 1)
        for choice in PENNIES.form.best_responses(player, profile)
    }
    assert steps[-1].marked == want
    assert "A finds heads and tails worth the same" in steps[-1].sentence


def test_the_picture_has_a_frame_for_each_best_response_and_the_same_places_at_each_step() -> None:
    drawn = written(scene(DILEMMA.form))
    assert drawn.count('class="gt-leaf-best"') == 4 and drawn.count('class="gt-slash"') == 2
    assert drawn.count('class="gt-leaf-current"') == 1
    frames = {
        (one.width, one.height, tuple(group.key for group in one.groups)) for one in scenes(DILEMMA.form)
    }
    assert len(frames) == 1


def test_names_are_text_whatever_they_look_like() -> None:
    hostile = gt.Matrix([[(1, 1), (0, 0)]], rows=("</svg><script>",), columns=("a&b", "\u202ex"))
    drawn = written(scene(hostile.form))
    assert "<script>" not in drawn and "a&amp;b" in drawn and "\u202e" not in drawn
    assert "<script>x" not in page(hostile.form)


def test_the_tree_has_one_dashed_line_through_what_the_second_player_cannot_tell_apart() -> None:
    drawn = svg(outline_of(DILEMMA.form))
    lines = re.findall(r'class="gt-information" points="([^"]+)"', drawn)
    assert len(lines) == 1 and len(lines[0].split()) == 2
    one, other = (point.split(",") for point in lines[0].split())
    assert one[1] == other[1] and float(one[0]) < float(other[0])


def test_the_page_shows_each_step_and_asks_for_nothing() -> None:
    html = page(DILEMMA.form)
    found = re.search(r'id="argument">(.*?)</script>', html)
    assert found and html.count("<li>") == len(argument(DILEMMA.form)) + html.count("<ul><li>")
    data = json.loads(found[1])
    assert set(data["picture"]) >= {"n0.0", "n1.1", "e0.0"} and "http://" not in html.replace(
        "http://www.w3.org", ""
    )


def test_the_command_explains_a_matrix(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "A/B silent betray; silent -1,-1 -3,0; betray 0,-3 -2,-2"
    file = tmp_path / "dilemma.txt"
    file.write_text(text.replace("; ", "\n"))
    files = [tmp_path / f"it{ending}" for ending in (".svg", ".tex", ".tikz", ".html", ".json", ".nfg")]
    outs = [word for one in files for word in ("--out", str(one))]
    assert main(["explain", "--matrix", str(file), "--as-tree", *outs]) == 0
    shown = capsys.readouterr().out
    assert "never chooses silent" in " ".join(shown.split()) and "(−2, −2)" in shown
    assert all(one.stat().st_size for one in files)
    assert gt.Matrix.parse(files[-1].read_text()).form.payoffs == DILEMMA.form.payoffs
    assert main(["explain", "--matrix", text, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["argument"][-1]["kind"] == "better for all"
    assert main(["explain", "--game", "matching-pennies", "--step", "1", "--ascii"]) == 0
    assert capsys.readouterr().out.isascii()


@pytest.mark.parametrize(
    ("words", "refusal"),
    [
        (["--matrix", "1e400 0; 0 1"], "the payoff '1e400' is no number"),
        (["--matrix", "1 2; 3"], "has 1 cells and the row above 2"),
        (["--matrix", "1 2", "--game", "nim"], "not two of them"),
        (["--matrix", "1 2", "--depth", "3"], "--depth is about a game"),
        (["--matrix", "1 2", "--step", "99"], "the argument has the steps 0 to"),
        (["--matrix", "1 2", "--out", "x.gif"], "the ending says what is written"),
        (["[3, 5]", "--as-tree"], "--as-tree draws a matrix as a tree"),
        (["--game", "colonel-blotto", "--out", "x.svg"], "drawn for two players with at most 16 choices"),
        (["MIN in B [3, 5]"], "the tree has information sets"),
    ],
)
def test_what_cannot_be_explained_is_refused(
    words: list[str], refusal: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", *words]) == 2
    assert refusal in capsys.readouterr().err
