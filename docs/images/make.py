"""Draws the pictures of the tutorial anew.

    python docs/images/make.py

Each of them is made by a command that the tutorial tells its reader to type, `gametree explain … --out NAME.svg`. This
runs these commands, with `--theme auto` added, and puts NAME.svg here as tutorial-NAME.svg. A test compares.
"""

import contextlib
import io
import re
import shlex
import sys
import tempfile
from pathlib import Path
from typing import Final

from gametree import Board, Cell, games
from gametree.app.cli import main
from gametree.explain.pictures.boards import Drawn, drawn
from gametree.explain.pictures.scene import Group, Item, Scene
from gametree.explain.pictures.svg import written

HERE: Final = Path(__file__).parent
TUTORIAL: Final = HERE.parent / "tutorial.md"
_COMMAND: Final = re.compile(r"^\$ gametree (explain .*--out .*)$", re.MULTILINE)
_FILE: Final = re.compile(r"^<!-- file: (\S+) -->\n```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def draw(text: str) -> dict[str, bytes]:
    """The pictures that the commands in a text make, by the names under which they are kept."""
    with tempfile.TemporaryDirectory() as name, contextlib.chdir(name):
        folder = Path(name)
        for file, content in _FILE.findall(text):
            (folder / file).write_text(content, encoding="utf-8")
        for command in _COMMAND.findall(text):
            _run([*shlex.split(command), "--theme", "auto"])
        return {f"tutorial-{made.name}": made.read_bytes() for made in sorted(folder.glob("*.svg"))}


def _run(words: list[str]) -> None:
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        code = main(words)
    if code:
        sys.exit(f"gametree {shlex.join(words)} ended with {code}:\n{said.getvalue()}")


def keep(pictures: dict[str, bytes], folder: Path = HERE) -> None:
    """Writes the pictures into the folder, and removes those that no command makes any more."""
    for old in folder.glob("tutorial-*.svg"):
        if old.name not in pictures:
            old.unlink()
    for name, content in pictures.items():
        (folder / name).write_bytes(content)


def boards() -> str:
    """A board of each kind, side by side."""
    positions = (
        ("chess", None),
        ("go", "E5 C3 G7 G3 C7"),
        ("hex", "b2 c3 a3 d2"),
        ("chinese-checkers", None),
    )
    shown = [_board(name, text, size=5 if name == "hex" else None) for name, text in positions]
    shown.append(_board("backgammon", "31"))
    pits = [Cell(f"{x} {y}", x, y, count=4) for y in (0, 1) for x in range(6)]
    shown.append(drawn(Board("pits", tuple(pits))))
    items: list[Item] = []
    left, high = 16.0, max(one.height for one in shown)
    for one in shown:
        items += one.at(left, 16 + (high - one.height) / 2)
        left += one.width + 24
    told = "squares, crossings, hexagons, places, points and pits"
    return written(Scene(left - 8, high + 32, (Group("node", "", tuple(items)),), "Boards", told), "auto")


def _board(name: str, text: str | None, size: int | None = None) -> Drawn:
    game = games.load(name) if size is None else games.load(name, size=size)
    return drawn(game.board(game.initial() if text is None else game.parse_state(text)))


if __name__ == "__main__":
    (HERE / "boards.svg").write_text(boards(), encoding="utf-8")
    made = draw(TUTORIAL.read_text(encoding="utf-8"))
    keep(made)
    print(f"{len(made)} pictures")
