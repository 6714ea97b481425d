"""What `gametree explain` does: finds the tree, searches it, shows it, writes it to files."""

import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

from gametree.app import failures, stepping
from gametree.app.load import load
from gametree.app.notation import position as place
from gametree.app.screen import width, wrapped
from gametree.errors import GametreeError, InputError
from gametree.explain.pictures import export
from gametree.explain.pictures.ascii import spelled, text_tree
from gametree.explain.pictures.lettering import shown
from gametree.explain.strategy_tree import policy_outline
from gametree.explain.traces.conventions import Conventions
from gametree.explain.traces.notation import number
from gametree.explain.traces.serialization import data
from gametree.explain.traces.trace import Method, Trace, suggest, trace
from gametree.explain.unknowns.dependence import dependence
from gametree.games.tree.game import Tree
from gametree.games.tree.outline import Outline, outline
from gametree.search.solve.strategy import strategy

_MOST_STATES = 200_000
"""A game of more positions has no strategy that fits a picture."""
_EXAMPLE = '"[[3,12,8],[2,x,y],[14,5,2]]"'


# --- which tree -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Start:
    """A position of a game, and how much of the tree below it is wanted."""

    game: str | None
    settings: Sequence[str] | None
    position: str | None
    played: str | None
    depth: int | None
    merge: bool
    strategy: bool

    def outline(self, tree: str | None) -> Outline:
        """The tree below the position."""
        if tree is not None:
            raise InputError("give a tree or --game, not both")
        rules = load(self.game or "", self.settings or ())
        state = place(rules, self.position, self.played)
        if not self.strategy:
            return outline(rules, state, self.depth, merge_symmetric=self.merge)
        if self.depth is not None:
            raise InputError("--strategy goes to the end of the game: leave --depth out")
        return policy_outline(strategy(rules, state, most_states=_MOST_STATES))

    def given(self) -> list[str]:
        """The options that were given and mean nothing without a game."""
        options = {
            "--set": self.settings,
            "--position": self.position,
            "--moves-played": self.played,
            "--depth": self.depth,
            "--merge": self.merge,
            "--strategy": self.strategy,
        }
        return [name for name, value in options.items() if value is not None and value is not False]


def of_text(text: str | None, movers: str | None, start: Start) -> Outline:
    """The tree that a text, or the file it names, describes."""
    if text is None:
        raise InputError(f"there is nothing to explain: give a tree, for example {_EXAMPLE}, or --game")
    if start.given():
        raise InputError(f"{', '.join(start.given())} is about a game: name it with --game, without a tree")
    order = (0, 1)
    if movers is not None:
        try:
            order = tuple(int(word) for word in movers.split(","))  # type: ignore[assignment]
        except ValueError:
            raise InputError(f"--movers {movers}: write numbers, for example 0,1 or 0,2") from None
    try:
        return outline(Tree.parse(_read(text), order))
    except InputError as error:
        if "\n" not in str(error):
            raise
        # The lines below the message point at the place.
        print(f"gametree: {error}", file=sys.stderr)
        raise typer.Exit(failures.BAD_INPUT) from None


def _read(text: str) -> str:
    """The text of the tree: what was given, or what is in the file that it names."""
    if text == "-":
        return sys.stdin.read()
    if text.lstrip().startswith(("[", "(", "{")) or "\n" in text:
        return text
    path = Path(text)
    try:
        if path.is_file():
            return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{text} is not a text file in UTF-8") from None
    except OSError as error:
        raise InputError(f"{text} cannot be read: {error.strerror}") from None
    if path.suffix or "/" in text or "\\" in text:
        raise InputError(f"{text} does not exist; a tree is written like {_EXAMPLE}")
    return text


# --- the search -------------------------------------------------------------------------------------


def search(root: Outline, method: Method | str, kept: Conventions, values: Sequence[str]) -> "Seen":
    """Searches a tree; where unknown leaves are in the way, says so later."""
    numbers = dict(_setting(text) for text in values)
    if numbers:
        root = root.with_values(numbers)
    which: Any = suggest(root) if method == "auto" else method
    try:
        return Seen(root, kept, trace(root, which, kept))
    except InputError as error:
        if not root.unknowns:
            raise
        return Seen(root, kept, None, error)


def _setting(text: str) -> tuple[str, float]:
    name, _, value = text.partition("=")
    try:
        return name.strip(), float(value.replace("−", "-"))
    except ValueError:
        raise InputError(f"--value {text}: write a name and a number, for example --value x=3") from None


@dataclass(frozen=True)
class Seen:
    """A tree, and the search on it; without one, why there is none."""

    root: Outline
    kept: Conventions
    trace: Trace | None
    missing: InputError | None = None

    def require(self, options: Sequence[str]) -> None:
        """Refuses options that need a search where there is none."""
        if options and self.missing is not None:
            raise InputError(
                f"{', '.join(options)}: {self.missing}. Numbers are given with --value, for example --value"
                f" {self.root.unknowns[0]}=3"
            )

    def print_json(self) -> None:
        assert self.trace is not None
        found = {**data(self.trace), "unknown": list(self._depends())}
        print(json.dumps(found, indent=2, allow_nan=False, ensure_ascii=False))

    # --- in the terminal ----------------------------------------------------------------------------

    def show(self, *, steps: bool, step: int | None, ascii_only: bool) -> None:
        """The steps where they are wanted, the picture, the result."""
        encoding = (getattr(sys.stdout, "encoding", None) or "ascii").lower()
        unicode = not ascii_only and encoding.startswith("utf")
        if steps and self.trace is not None:
            if sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb":
                stepping.step_through(self.trace, unicode=unicode)
            else:
                print(*stepping.sentences(self.trace, unicode), sep="\n", end="\n\n")
        subject = self.trace or self.root
        print(text_tree(subject, step=step, columns=width(), unicode=unicode, conventions=self.kept))
        print()
        for line in self._told() if step is None else self._so_far(step):
            print(wrapped(line if unicode else spelled(line), width(), hanging=2))

    def _so_far(self, step: int) -> Iterator[str]:
        """What has happened up to a step: the result is told at the last one only."""
        told = self.trace
        assert told is not None
        snapshot, last = told.at(step), len(told.events)
        said = shown(snapshot.event.sentence) if snapshot.event else "Nothing has been looked at yet."
        yield f"step {step} of {last}: {said}"
        if step == last:
            yield from self._told()

    def _told(self) -> Iterator[str]:
        """The result in a few lines."""
        told = self.trace
        if told is not None:
            line = f"value {number(told.value)}"
            if told.move is not None:
                best = told.outline.at(told.move)
                line += f", best move {shown(best.move)}" + (f" to {shown(best.name)}" if best.name else "")
            yield line
            yield f"{told.method} looked at {len(told.leaves)} of {len(told.outline.leaves)} leaves"
        yield from self._depends()
        if self.missing is not None:
            yield "No search is shown: it would need numbers for unknown leaves; give them with --value."

    def _depends(self) -> Iterator[str]:
        """What the value has to do with the unknown leaves."""
        if self.root.unknowns:
            try:
                yield shown(dependence(self.root).sentence)
            except GametreeError as error:
                yield shown(str(error))

    # --- in files -----------------------------------------------------------------------------------

    def save(
        self, files: Mapping[str, Path | None], theme: str, boards: bool, options: dict[str, Any]
    ) -> None:
        """Writes the files asked for, each in the format of its ending here, whatever it is called."""
        for kind, file in files.items():
            if file is None:
                continue
            if kind == ".html":
                content = self._page(options["title"], boards)
            else:
                format_ = ".tikz" if kind == ".tex" and file.suffix == ".tikz" else kind
                content = export.bytes_of(
                    self.trace or self.root,
                    format_,
                    theme=theme,  # type: ignore[arg-type]
                    boards=boards,
                    **options,
                )
            try:
                file.write_bytes(content)
            except OSError as error:
                raise InputError(f"{file} cannot be written: {error.strerror}") from None
            print(f"wrote {file}", file=sys.stderr)

    def _page(self, title: str, boards: bool) -> bytes:
        from gametree.explain.pages.steps import page

        assert self.trace is not None
        return page(self.trace, title=title, boards=boards).encode()
