"""Text on a terminal: colours where they are wanted, lines that fit the window, ASCII where asked for."""

import os
import shutil
import sys
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from gametree.app.boards import painted, plain
from gametree.board import Board

if TYPE_CHECKING:
    from rich.console import Console

COLOURS = ("bold cyan", "bold yellow", "bold green", "bold magenta", "bold red", "bold blue")
_ASCII = str.maketrans(
    {"…": "...", "≥": ">=", "≤": "<=", "−": "-", "→": "->", "·": ".", "α": "alpha", "β": "beta"}
)


def width() -> int:
    """How many columns there are: COLUMNS, or those of the terminal, or 80."""
    return max(20, shutil.get_terminal_size().columns)


def wrapped(text: str, columns: int, hanging: int = 0) -> str:
    """Text broken into lines between words; lines after the first are indented by `hanging`."""
    return "\n".join(
        textwrap.fill(
            line, columns, subsequent_indent=" " * hanging, break_on_hyphens=False, drop_whitespace=True
        )
        if len(line) > columns
        else line
        for line in text.splitlines()
    )


class Screen:
    """Standard input and output as a place to play: asks, says, draws boards."""

    def __init__(self, *, color: bool = True, ascii: bool = False):
        self.interactive: bool = sys.stdin.isatty() and sys.stdout.isatty()
        self.width: int = width()
        encoding = (getattr(sys.stdout, "encoding", None) or "ascii").lower()
        self._ascii = ascii or not encoding.startswith("utf")
        self._color = color and not os.environ.get("NO_COLOR")
        self._console = console(color)
        if self.interactive:
            with suppress(ImportError):
                # Importing it gives `input` a line that can be edited and a history.
                import readline  # noqa: F401
        reconfigure = getattr(sys.stdin, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")

    def ask(self, prompt: str) -> str | None:
        """A line of input; None at its end. Only a person at a terminal sees the prompt."""
        if not self.interactive:
            line = sys.stdin.readline()
            return line if line else None
        try:
            return input(self._plain(prompt))
        except EOFError:
            print()
            return None

    def say(self, text: str, style: str = "") -> None:
        """A sentence or a few, broken between words where the window is narrow."""
        self._print(wrapped(self._plain(text), self.width, hanging=2), style)

    def draw(self, board: str, names: Sequence[str], shown: Board | None = None) -> None:
        """A board: its picture where there is one, or as its game shows it, the players in their colours."""
        if shown is not None:
            self._paint(shown)
            return
        from rich.text import Text

        text = Text(self._plain(board))
        for name, style in zip(names, COLOURS):
            if len(name) == 1:
                text.highlight_regex(rf"(?<!\S){_escaped(name)}(?!\S)", style)
        text.highlight_regex(r"(?<!\S)[.·](?!\S)", "dim")
        self._print(text)

    def _paint(self, shown: Board) -> None:
        from rich.text import Text

        if self._ascii or self._console.color_system is None:
            self._print(plain(shown, self._ascii))
            return
        for line in painted(shown):
            self._print(Text.assemble(*line))

    def clear(self) -> None:
        """Takes away what is on the screen, for the next person to look at it."""
        if self.interactive:
            print("\033[2J\033[3J\033[H", end="", flush=True)

    @contextmanager
    def thinking(self) -> Iterator[None]:
        """Something that moves while the machine thinks, for a person at a terminal."""
        if self.interactive and self._color:
            with self._console.status("thinking", spinner="line"):
                yield
        else:
            yield

    def _plain(self, text: str) -> str:
        if not self._ascii:
            return text
        return text.translate(_ASCII).encode("ascii", "replace").decode()

    def _print(self, text: Any, style: str = "") -> None:
        # Boards keep their own line breaks: `soft_wrap` neither breaks nor pads nor crops.
        self._console.print(text, style=style, soft_wrap=True, markup=False, highlight=False, emoji=False)


def _escaped(name: str) -> str:
    import re

    return re.escape(name)


def console(color: bool = True, stderr: bool = False) -> "Console":
    """A console that writes no escape codes at all where colours are not wanted."""
    from rich.console import Console

    if not color or os.environ.get("NO_COLOR"):
        return Console(color_system=None, stderr=stderr)
    return Console(stderr=stderr)
