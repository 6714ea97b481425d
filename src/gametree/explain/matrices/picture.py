"""A matrix of two players as a picture: payoffs in corners, best responses framed, dominated choices crossed out."""

from collections.abc import Iterator
from itertools import product

from gametree.errors import InputError
from gametree.explain.matrices.argument import Step, argument
from gametree.explain.pictures.lettering import broken, clipped, shown, width
from gametree.explain.pictures.scene import Anchor, Box, Group, Item, Line, Scene, Text
from gametree.search.matrix.results import number
from gametree.strategic import Form

_SIZE = 17.0
_SMALL = 13.0
_TITLE = 18.0
_HIGH = 62.0
_MARGIN = 16.0
_MOST = 16
"""More choices than this are no picture."""
_LETTERS = 20


def scenes(form: Form, steps: tuple[Step, ...] | None = None, title: str = "") -> Iterator[Scene]:
    """The matrix after each step of the argument; nothing but what changes is different."""
    drawing = _Drawing(form, title)
    return map(drawing.at, steps if steps is not None else argument(form))


def scene(form: Form, step: Step | None = None, title: str = "") -> Scene:
    """The matrix after the last step of the argument, or after the given one."""
    return _Drawing(form, title).at(step or argument(form)[-1])


class _Drawing:
    """Where everything stands: the same at each step."""

    def __init__(self, form: Form, title: str):
        if form.players != 2 or max(form.sizes) > _MOST:
            raise InputError(
                f"a matrix is drawn for two players with at most {_MOST} choices each; this one has"
                f" {' × '.join(map(str, form.sizes))}"
            )
        self.form = form
        self.title = " ".join(shown(title).split())
        self.rows = [clipped(shown(name), _LETTERS) for name in form.choices[0]]
        self.columns = [clipped(shown(name), _LETTERS) for name in form.choices[1]]
        self.texts = [[number(value) for value in vector] for vector in form.payoffs]
        wide = max(width(text, _SIZE, bold=True) for pair in self.texts for text in pair)
        names = max(width(name, _SIZE, bold=True) for name in self.columns)
        self.cell = max(84.0, 2 * wide + 26, names + 18)
        head = max(width(name, _SIZE, bold=True) for name in self.rows)
        self.left = _MARGIN + width(shown(form.names[0]), _SIZE, bold=True) + 14 + head + 12
        self.top = _MARGIN + (_TITLE * 1.5 if self.title else 0) + 2 * _SIZE * 1.5
        self.width = max(340.0, self.left + self.cell * form.sizes[1] + _MARGIN)
        self.caption = broken(
            f"below left the payoff of {form.names[0]}, above right that of {form.names[1]} · framed: a best response"
            " · filled: an equilibrium · crossed out: dominated",
            self.width - 2 * _MARGIN,
            lambda text: width(text, _SMALL),
        )
        self.under = self.top + _HIGH * form.sizes[0] + 14
        self.height = self.under + len(self.caption) * _SMALL * 1.4 + _MARGIN

    def at(self, step: Step) -> Scene:
        """The picture once a step is said."""
        groups = [*self._frame()]
        groups += [self._cell(profile, step) for profile in product(*map(range, self.form.sizes))]
        groups += [self._name(0, at, step) for at in range(self.form.sizes[0])]
        groups += [self._name(1, at, step) for at in range(self.form.sizes[1])]
        rows = "; ".join(
            f"{row}: "
            + ", ".join(
                f"{column} ({', '.join(self.texts[self.form.index((i, j))])})"
                for j, column in enumerate(self.columns)
            )
            for i, row in enumerate(self.rows)
        )
        heading = (
            self.title or f"A matrix game of {shown(self.form.names[0])} and {shown(self.form.names[1])}"
        )
        return Scene(self.width, self.height, tuple(groups), heading, f"{rows}. {step.sentence}")

    def _frame(self) -> Iterator[Group]:
        form = self.form
        items: list[Item] = []
        if self.title:
            items.append(Text(self.width / 2, _MARGIN + _TITLE * 0.8, self.title, _TITLE, "title"))
        middle = self.left + self.cell * form.sizes[1] / 2
        items.append(Text(middle, self.top - _SIZE * 1.9, shown(form.names[1]), _SIZE, "row"))
        side = self.top + _HIGH * form.sizes[0] / 2 + _SIZE * 0.36
        items.append(Text(_MARGIN, side, shown(form.names[0]), _SIZE, "row", "start"))
        for at, line in enumerate(self.caption):
            y = self.under + (at + 1) * _SMALL * 1.4
            items.append(Text(_MARGIN, y, line, _SMALL, "caption", "start"))
        yield Group("caption", "", tuple(items))

    def _place(self, row: int, column: int) -> tuple[float, float]:
        return self.left + self.cell * column, self.top + _HIGH * row

    def _cell(self, profile: tuple[int, ...], step: Step) -> Group:
        row, column = profile
        x, y = self._place(row, column)
        gone = (0, row) in step.gone or (1, column) in step.gone
        role = "leaf-current" if profile in step.solved else "cell-plain"
        items: list[Item] = [Box(x, y, self.cell, _HIGH, 0, role)]
        if profile in step.cells and profile not in step.solved:
            items.append(Box(x + 4, y + 4, self.cell - 8, _HIGH - 8, 5, "cell-now"))
        corners = ((x + 8, y + _HIGH - 13), (x + self.cell - 8, y + 23))
        for player, (tx, ty) in enumerate(corners):
            text = self.texts[self.form.index(profile)][player]
            wide = width(text, _SIZE, bold=True)
            if (profile, player) in step.marked:
                left = tx - 3 if player == 0 else tx - wide - 3
                items.append(Box(left, ty - _SIZE * 0.95, wide + 6, _SIZE * 1.3, 4, "leaf-best"))
            role = "unseen" if gone else "value"
            items.append(Text(tx, ty, text, _SIZE, role, ("start", "end")[player]))
        return Group("node", f"n{row}.{column}", tuple(items))

    def _name(self, player: int, at: int, step: Step) -> Group:
        name = (self.rows, self.columns)[player][at]
        gone = (player, at) in step.gone
        wide = width(name, _SIZE, bold=True)
        anchor: Anchor = "end" if player == 0 else "middle"
        if player == 0:
            x, y = self.left - 12, self.top + _HIGH * at + _HIGH / 2 + _SIZE * 0.36
            left = x - wide
        else:
            x, y = self.left + self.cell * at + self.cell / 2, self.top - _SIZE * 0.55
            left = x - wide / 2
        items: list[Item] = [Text(x, y, name, _SIZE, "unseen" if gone else "title", anchor)]
        if gone:
            items.append(Line(((left - 3, y - _SIZE * 0.33), (left + wide + 3, y - _SIZE * 0.33)), "slash"))
        return Group("edge", f"e{player}.{at}", tuple(items))
