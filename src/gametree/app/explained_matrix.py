"""A matrix game explained in a terminal and in files."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gametree.app.options import as_json
from gametree.app.output import require_endings, write
from gametree.app.screen import width, wrapped
from gametree.errors import InputError
from gametree.explain.matrices import page, picture
from gametree.explain.matrices.argument import Step, argument
from gametree.explain.matrices.tree import outline_of
from gametree.explain.pictures import export
from gametree.explain.pictures.ascii import spelled, text_tree
from gametree.explain.pictures.svg import Theme
from gametree.games.matrix.game import Matrix
from gametree.games.matrix.game import table as table_of
from gametree.search.matrix.equilibria import equilibria
from gametree.strategic import Form

ENDINGS = (".svg", ".png", ".pdf", ".tex", ".tikz", ".html", ".json", ".nfg")


@dataclass(frozen=True)
class Explained:
    """A matrix game with the argument about it."""

    matrix: Matrix
    theme: Theme
    title: str
    step: int | None
    tree: bool
    """Whether files hold the tree and not the matrix."""

    @property
    def form(self) -> Form:
        return self.matrix.form

    def told(self) -> tuple[Step, ...]:
        """The steps up to the one that is wanted."""
        steps = argument(self.form)
        if self.step is None:
            return steps
        if not 0 <= self.step < len(steps):
            raise InputError(f"step {self.step}: the argument has the steps 0 to {len(steps) - 1}")
        return steps[: self.step + 1]

    def write(self, files: Sequence[Path]) -> None:
        """Each file by its ending."""
        require_endings(files, ENDINGS)
        for file in files:
            write(file, self._content(file.suffix.lower()))

    def _content(self, ending: str) -> str | bytes:
        if ending == ".html":
            return page.page(self.form, self.title)
        if ending == ".json":
            return as_json(self.data()) + "\n"
        if ending == ".nfg":
            return self.matrix.to_nfg(self.title)
        if self.tree:
            return export.bytes_of(outline_of(self.form), ending, theme=self.theme, title=self.title)
        scene = picture.scene(self.form, self.told()[-1], self.title)
        return export.scene_bytes(scene, ending, self.theme)

    def data(self) -> dict[str, Any]:
        """Plain data: the sentences and the equilibria."""
        return {
            "players": list(self.form.names),
            "actions": [list(some) for some in self.form.choices],
            "argument": [{"kind": step.kind, "sentence": step.sentence} for step in argument(self.form)],
            **equilibria(self.form).to_dict(),
        }

    def show(self, ascii_only: bool) -> None:
        """The matrix, the argument, and the tree."""
        encoding = (getattr(sys.stdout, "encoding", None) or "ascii").lower()
        unicode = not ascii_only and encoding.startswith("utf")

        def say(text: str, hanging: int = 0) -> None:
            print(wrapped(text if unicode else spelled(text), width(), hanging=hanging))

        print(*(line if unicode else spelled(line) for line in table_of(self.form)), sep="\n", end="\n\n")
        for number, step in enumerate(self.told()):
            say(f"{number}. {step.sentence}", 4)
        if self.tree:
            print()
            print(text_tree(outline_of(self.form), columns=width(), unicode=unicode))
