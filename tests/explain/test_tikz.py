"""Pictures for LaTeX: they compile with a real one, and names stay text."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from explain.gallery import AIMA, DEEP, gamble, position, three_players
from explain.hostile import NAMES
from gametree.errors import InputError
from gametree.explain.pictures.tikz import escaped, tikz
from gametree.explain.traces.conventions import Conventions
from gametree.explain.traces.trace import trace
from gametree.games.tree.game import Tree

needs_latex = pytest.mark.skipif(
    shutil.which("pdflatex") is None and not os.environ.get("CI"), reason="pdflatex is not installed"
)


def compiled(text: str, folder: Path) -> str:
    """The log of a run that found nothing to complain about; the page is in page.pdf."""
    (folder / "page.tex").write_text(text, encoding="utf-8")
    command = ["pdflatex", "-no-shell-escape", "-interaction=nonstopmode", "-halt-on-error", "page.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=120)
    assert done.returncode == 0, done.stdout[-3000:]
    log = (folder / "page.log").read_text(errors="replace")
    assert "Missing character" not in log and "Overfull" not in log
    return log


@needs_latex
def test_documents_compile(tmp_path: Path) -> None:
    pictures = [
        trace(AIMA),
        trace(DEEP, conventions=Conventions(shapes="triangles", bounds="intervals")),
        trace(three_players(), "maxn"),
        trace(gamble(), "expectiminimax"),
    ]
    drawn = [
        tikz(one, document=False, theme="dark" if at % 2 else "light") for at, one in enumerate(pictures)
    ]
    board = tikz(trace(position("tic-tac-toe", "XOX/.O./X.O")), boards=True, title="100% of {it}")
    # One page for all of them.
    board = re.sub(r"paper(width|height)=[0-9.]+pt", r"paper\1=900pt", board)
    body = "\n\n\\newpage\n".join(drawn)
    log = compiled(board.replace("\\end{document}", f"\\newpage\n{body}\n\\end{{document}}"), tmp_path)
    assert "(5 pages" in log


@needs_latex
def test_hostile_names_are_printed_and_nothing_else_happens(tmp_path: Path) -> None:
    tree = Tree({f"{name} {at}": [name if name.strip() else "x", at] for at, name in enumerate(NAMES)})
    log = compiled(tikz(tree, title=NAMES[1]), tmp_path)
    assert "passwd" not in log
    assert "(1 page" in log
    if shutil.which("pdftotext"):
        subprocess.run(["pdftotext", "page.pdf"], cwd=tmp_path, check=True)
        printed = "".join((tmp_path / "page.txt").read_text().split())
        assert "\\input{/etc/passwd}" in printed and "root:" not in printed


@pytest.mark.parametrize("name", NAMES)
def test_no_command_of_a_name_survives(name: str) -> None:
    text = tikz(Tree([name if name.strip() else "x", 1]), title=name, document=False)
    written = "".join(re.findall(r" at \([^)]*\) \{(.*)\};$", text, re.MULTILINE))
    commands = set(re.findall(r"\\([a-zA-Z]+)", written))
    known = {
        "textbackslash",
        "textasciicircum",
        "textasciitilde",
        "textless",
        "textgreater",
        "textbar",
        "ldots",
    }
    known |= {"ensuremath", "alpha", "beta", "geq", "leq", "cdot", "infty"}
    assert commands <= known
    assert text.isascii() and "\n\n" not in text


def test_every_sign_becomes_ascii_with_balanced_braces() -> None:
    for code in (*range(0x20, 0x250), *range(0x370, 0x400), 0x2022, 0x240A, 0x1F600):
        text = escaped(chr(code))
        assert text.isascii() and text
        bare = re.sub(r"\\[{}]", "", text)
        assert bare.count("{") == bare.count("}")


def test_the_picture_alone_is_an_environment() -> None:
    alone, whole = (tikz(AIMA, document=document) for document in (False, True))
    assert (
        alone.strip() in whole.replace("}%", "}")
        and "\\usepackage{tikz}" in whole
        and "usetikzlibrary" not in whole
    )


def test_a_theme_that_paper_cannot_follow_is_refused() -> None:
    with pytest.raises(InputError, match="light or dark"):
        tikz(AIMA, theme="auto")  # type: ignore[arg-type]
