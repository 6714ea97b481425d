"""The widgets themselves: what they show lives in their traits, what is asked of them is answered here."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import traitlets

from gametree.app.load import load
from gametree.app.serve.library import Library, name_of
from gametree.app.serve.positions import Ways
from gametree.app.serve.worker import Worker
from gametree.errors import InputError
from gametree.explain.pages.steps import part
from gametree.explain.traces.conventions import Conventions
from gametree.explain.traces.methods import Method
from gametree.explain.traces.trace import Trace, suggest, trace
from gametree.game import Game
from gametree.games.tree.game import Tree
from gametree.games.tree.outline import outline
from gametree.notebook.script import script, sheet

if TYPE_CHECKING:

    class AnyWidget(traitlets.HasTraits):
        """What is used of `anywidget.AnyWidget`, whose own base classes say no types."""

        def __init__(self, **traits: Any) -> None: ...
        def send(self, content: Any, buffers: Any = None) -> None: ...
        def on_msg(self, callback: Callable[[object, Any, object], None], remove: bool = False) -> None: ...

else:
    from anywidget import AnyWidget


class Steps(AnyWidget):
    """A search that is stepped through."""

    _esm = script("steps_widget.js")
    document: "traitlets.Dict[str, Any]" = traitlets.Dict().tag(sync=True)
    sheet: "traitlets.Unicode[str, str | bytes]" = traitlets.Unicode().tag(sync=True)
    height: "traitlets.Int[int, int]" = traitlets.Int(560).tag(sync=True)
    step: "traitlets.Int[int, int]" = traitlets.Int(0).tag(sync=True)

    def __init__(self, told: Trace, height: int):
        self.trace: Trace = told
        boards = any(node.board is not None for node in told.outline.walk())
        super().__init__(
            document=dict(part(told, boards=boards)), sheet=sheet("style.css", "stepper.css"), height=height
        )

    @traitlets.validate("step")
    def _within(self, proposal: Any) -> int:
        return int(max(0, min(len(self.trace.events), proposal["value"])))


def stepped(
    tree: Any,
    method: Method | None,
    values: Mapping[str, float] | None,
    height: int,
    conventions: Mapping[str, str],
) -> Steps:
    """The widget for a tree."""
    if isinstance(tree, Trace):
        if method or values or conventions:
            raise InputError("a trace is a search already: give method, values and conventions to trace()")
        return Steps(tree, height)
    root = outline(Tree.parse(tree) if isinstance(tree, str) else tree)
    for name in conventions:
        if name not in Conventions.__dataclass_fields__:
            known = ", ".join(Conventions.__dataclass_fields__)
            raise InputError(f"there is no convention {name!r}; there are: {known}")
    kept = Conventions(**conventions)  # type: ignore[arg-type]
    return Steps(trace(root, method or suggest(root), kept, values), height)


class _One(Library):
    """A library of a single game, which may have been made in the notebook."""

    def __init__(self, name: str, game: Game):
        super().__init__()
        self._name, self._game = name, game

    @property
    def names(self) -> tuple[str, ...]:
        return (self._name,)

    def game(self, name: str, settings: Mapping[str, Any] | None = None) -> Game:
        if name != self._name:
            raise InputError(f"this widget shows {self._name!r}, not {name!r}")
        return self._game


class Board(AnyWidget):
    """A board to play and analyse on. It asks in the messages of `gametree engine`, and is answered in the kernel."""

    _esm = script("board_widget.js")
    sheet: "traitlets.Unicode[str, str | bytes]" = traitlets.Unicode().tag(sync=True)
    game: "traitlets.Unicode[str, str | bytes]" = traitlets.Unicode().tag(sync=True)
    position: "traitlets.Unicode[str | None, str | bytes | None]" = traitlets.Unicode(
        allow_none=True, default_value=None
    ).tag(sync=True)
    moves: "traitlets.List[str]" = traitlets.List(traitlets.Unicode()).tag(sync=True)
    seconds: "traitlets.Float[float, int | float]" = traitlets.Float(0.5).tag(sync=True)
    level: "traitlets.Int[int, int]" = traitlets.Int(5).tag(sync=True)

    def __init__(self, name: str, game: Game, moves: Sequence[str], position: str | None, seconds: float):
        Ways().reach(game, name, position, moves)
        self._worker = Worker(_One(name, game), self.send)
        super().__init__(
            sheet=sheet("style.css", "board.css"),
            game=name,
            position=position,
            moves=list(moves),
            seconds=seconds,
        )
        self.on_msg(self._asked)

    def _asked(self, _: object, request: Any, buffers: object) -> None:
        if isinstance(request, dict) and request.get("do") in ("position", "analyze", "move"):
            self._worker.answer(request)


def played(game: Game | str, moves: Sequence[str], position: str | None, seconds: float) -> Board:
    """The widget for a game."""
    if isinstance(game, str):
        return Board(name_of(game), load(game, []), moves, position, seconds)
    return Board(type(game).__name__, game, moves, position, seconds)
