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

from gametree.app.cli import main

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


if __name__ == "__main__":
    made = draw(TUTORIAL.read_text(encoding="utf-8"))
    keep(made)
    print(f"{len(made)} pictures")
