"""Slides: every step once, in every format, and nothing twice that stays as it is."""

import io
import re
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from gametree.app.cli import main
from gametree.explain.pictures.scene import Text
from gametree.explain.pictures.slides import SHAPE, animated, beamer, content, layers, numbered, slides
from gametree.explain.traces.settings import Settings
from gametree.explain.traces.trace import Trace, trace
from gametree.games.tic_tac_toe import TicTacToe
from gametree.games.tree.outline import outline

TREE: Any = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]
draws = pytest.mark.skipif(find_spec("cairosvg") is None, reason="needs the extra draw")


def told() -> list[Trace]:
    game = TicTacToe()
    end = outline(game, game.parse_state("XOX/.O./X.O"))
    return [trace(TREE), trace(TREE, "mcts", settings=Settings(simulations=4)), trace(end)]


def test_there_is_a_slide_for_every_step_and_all_are_of_the_shape_of_a_projector() -> None:
    for one in told():
        made = slides(one, boards=True)
        assert len(made) == len(one.events) + 1
        assert {(scene.width, scene.height) for scene in made} == {(made[0].width, made[0].height)}
        assert made[0].width / made[0].height == pytest.approx(SHAPE, rel=0.01)
        for scene, event in zip(made[1:], one.events, strict=True):
            last = scene.groups[-1].items
            words = " ".join(one.text for one in last if isinstance(one, Text) and one.role == "number")
            assert words == event.sentence


def test_layers_show_at_each_step_what_its_scene_shows() -> None:
    for one in told():
        made = slides(one)
        every = list(layers(made))
        for step, scene in enumerate(made):
            seen = [
                layer.group for layer in every if any(first <= step <= last for first, last in layer.spans)
            ]
            assert seen == list(scene.groups)
        assert len(every) < len(made) * len(made[0].groups) / 3


def test_an_animation_is_well_formed_and_rests_where_motion_is_not_wanted() -> None:
    for one in told():
        text = animated(slides(one, boards=True), "auto")
        root = ElementTree.fromstring(text)
        style = next(node.text or "" for node in root.iter() if node.tag.endswith("style"))
        names = {node.get("class") for node in root.iter() if (node.get("class") or "").startswith("s")}
        assert names
        assert all(f"@keyframes {name}{{" in style for name in names)
        assert "prefers-reduced-motion" in style


def test_numbered_pictures_are_in_order() -> None:
    made = list(numbered(slides(trace(TREE)), "tree-#.svg"))
    assert [name for name, _ in made][::30] == ["tree-00.svg", "tree-30.svg"]
    assert all(ElementTree.fromstring(text) is not None for _, text in made)


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
@pytest.mark.same_in_all_modes
def test_beamer_compiles_and_has_a_page_for_every_step(tmp_path: Path) -> None:
    one = trace([[3, 2], [1, 5]])
    (tmp_path / "slides.tex").write_text(beamer(slides(one)), encoding="utf-8")
    command = ["pdflatex", "-no-shell-escape", "-interaction=nonstopmode", "-halt-on-error", "slides.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    assert f"({len(one.events) + 1} pages" in done.stdout.replace("\n", "")


@draws
@pytest.mark.skipif(shutil.which("pdfinfo") is None, reason="needs poppler-utils")
def test_pages_and_frames_are_counted(tmp_path: Path) -> None:
    from PIL import Image

    made = slides(trace([3, 12]))
    file = tmp_path / "a.pdf"
    file.write_bytes(content(made, ".pdf"))
    done = subprocess.run(["pdfinfo", str(file)], capture_output=True, text=True, check=True)
    assert re.search(r"Pages:\s+9\b", done.stdout)
    moving = Image.open(io.BytesIO(content(made, ".gif")))
    assert getattr(moving, "n_frames", 1) == len(made)
    assert moving.size[0] == 1280


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--slides"], "name a file with --out"),
        (["--slides", "--out", "a.png"], "it is .pdf, .tex, .svg or .gif"),
        (["--slides", "--out", "a-#.pdf"], "numbered pictures are .svg"),
        (["--slides", "--step", "3", "--out", "a.svg"], "leave --step out"),
        (["--out", "a.gif"], "say --slides, too"),
        (["--out", "a-#.svg"], "say --slides, too"),
    ],
)
def test_files_that_cannot_be_written_are_refused(
    arguments: list[str],
    says: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["explain", "[3, 12]", *arguments]) == 2
    assert says in " ".join(capsys.readouterr().err.split())
    assert list(tmp_path.iterdir()) == []


def test_every_file_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    files = ["--out", "a.svg", "--out", "a.tex", "--out", "s-#.svg"]
    assert main(["explain", "[3, 12]", "--slides", *files]) == 0
    assert len(list(tmp_path.glob("s-*.svg"))) == 9
    assert {path.name for path in tmp_path.iterdir()} > {"a.svg", "a.tex"}
    assert capsys.readouterr().err.count("wrote") == 11
