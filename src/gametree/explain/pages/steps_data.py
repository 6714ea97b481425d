"""What a step page knows of each step: the path from the root, the tree in words, and the parts of the picture.

Most of it stays as it is from one step to the next, so it is kept as timelines: for each thing that is shown, the
steps at which it changes. A page can then show any step directly, forward or back, and the same step always looks
the same.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, Generic, NamedTuple, TypeVar

from gametree.explain.pictures.scene import Group, Scene
from gametree.explain.pictures.svg import Theme, group_written, written
from gametree.explain.traces.methods import METHODS
from gametree.explain.traces.notation import interval, number
from gametree.explain.traces.trace import Mark, Snapshot, Trace
from gametree.games.tree.outline import Outline, Path

NOTHING: Final = "–"
"""What stands in a table where there is no value yet."""

KINDS: Final = {
    "enter": "enter",
    "leaf": "leaf",
    "backup": "back up",
    "raise": "α raised",
    "lower": "β lowered",
    "cut": "cut",
    "leave": "return",
    "start": "begin",
    "end": "look back",
    "order": "sort",
    "table": "table",
    "stand": "stand pat",
    "skip": "leave out",
    "select": "select",
    "expand": "expand",
    "simulate": "simulate",
    "update": "update",
}
"""What a kind of event is called on the page."""

_STATUS: Final = {
    "unseen": "not looked at yet",
    "open": "open",
    "current": "looked at now",
    "done": "done",
    "cut": "cut off",
}

_BOUNDS: Final = {"≤": "at most ", "≥": "at least "}

Thing = TypeVar("Thing")
Timeline = list[int]
"""A step, the number of what is shown from that step on, the next step at which it changes, and so on."""


@dataclass
class Shelf(Generic[Thing]):
    """Distinct things by number, each kept once.

    >>> shelf = Shelf[str]()
    >>> shelf.number("a"), shelf.number("b"), shelf.number("a"), shelf.things
    (0, 1, 0, ['a', 'b'])
    """

    things: list[Thing] = field(default_factory=list)
    _numbers: dict[Thing, int] = field(default_factory=dict)

    def number(self, thing: Thing) -> int:
        if thing not in self._numbers:
            self._numbers[thing] = len(self.things)
            self.things.append(thing)
        return self._numbers[thing]


def note(timeline: Timeline, step: int, thing: int) -> None:
    """Writes down that from this step on the thing is shown, if it was not already.

    >>> timeline = [0, 5]
    >>> note(timeline, 1, 5)
    >>> note(timeline, 2, 7)
    >>> timeline
    [0, 5, 2, 7]
    """
    if not timeline or timeline[-1] != thing:
        timeline += [step, thing]


def columns(trace: Trace) -> tuple[str, ...]:
    """The headings of the table that shows the path from the root."""
    extra = {"": (), "intervals": ("Lies in",), "alpha-beta": ("α", "β"), "beside": ("Beside it",)}
    return ("Node", "Move", "Value so far", *extra[_bounds(trace)])


def row(trace: Trace, node: Outline, mark: Mark) -> tuple[str, ...]:
    """The name of a node, its kind, and its cells in the table."""
    value = node.payoff if node.is_leaf and mark.value is None else mark.value
    cells = (node.move or NOTHING, number(value) or NOTHING)
    return (node.name, "leaf" if node.is_leaf else node.who, *cells, *_window(trace, mark))


def _bounds(trace: Trace) -> str:
    """What is known of a node besides its value: intervals, α and β, or neither."""
    about = METHODS[trace.method]
    if about.ranges and trace.conventions.bounds == "intervals":
        return "intervals"
    return "alpha-beta" if about.window else "beside" if about.repeats else ""


def _window(trace: Trace, mark: Mark) -> tuple[str, ...]:
    match _bounds(trace):
        case "beside":
            return (" ".join(mark.beside) or NOTHING,)
        case "intervals":
            return (NOTHING if mark.low is None or mark.high is None else interval(mark.low, mark.high),)
        case "alpha-beta":
            return (number(mark.alpha) or NOTHING, number(mark.beta) or NOTHING)
    return ()


def words(trace: Trace, node: Outline, mark: Mark) -> str:
    """A node in words, as it is at one step: whose it is, how far the search is with it, and what is known."""
    start = f"{node.move}: " if node.move else ""
    if node.probability is not None:
        start += f"with probability {number(node.probability)}, "
    if node.is_leaf:
        kind = "estimate" if node.estimated else "unknown leaf" if isinstance(node.payoff, str) else "leaf"
        return f"{start}{kind} {number(node.payoff)}, {_STATUS[mark.status]}"
    parts = [f"{start}{node.who} {node.name}", _STATUS[mark.status]]
    if mark.value is not None:
        bound = _BOUNDS.get(mark.proven, "") if mark.status == "done" else ""
        parts.append(f"{'value' if mark.status == 'done' else 'so far'} {bound}{number(mark.value)}")
    if mark.status in ("open", "current") and mark.alpha is not None and mark.beta is not None:
        parts.append(f"α = {number(mark.alpha)}, β = {number(mark.beta)}")
    if mark.beside:
        parts.append(" ".join(mark.beside))
    return ", ".join(parts)


class Step(NamedTuple):
    """What the page shows at one step beside the picture; the script reads it by position."""

    kind: str
    line: int
    nodes: int
    leaves: int
    cuts: int
    rows: list[int]
    """The numbers of the rows that lead from the root to the current node."""
    key: str
    """The key of the current node in the picture."""


@dataclass
class Steps:
    """All steps of a trace, from before the first event to after the last."""

    steps: list[Step] = field(default_factory=list)
    rows: Shelf[tuple[str, ...]] = field(default_factory=Shelf)
    texts: Shelf[str] = field(default_factory=Shelf)
    words: list[Timeline] = field(default_factory=list)
    """For each node in preorder, its words as a timeline."""


def steps(trace: Trace) -> Steps:
    """Gathers what the page shows beside the picture."""
    found = Steps()
    nodes = {node.path: node for node in trace.outline.walk()}
    found.words = [[] for _ in nodes]
    known: dict[Path, Mark] = {}
    for step, snapshot in enumerate(trace.snapshots()):
        for timeline, (path, node) in zip(found.words, nodes.items()):
            mark = snapshot.marks[path]
            if known.get(path) != mark:
                known[path] = mark
                note(timeline, step, found.texts.number(words(trace, node, mark)))
        found.steps.append(_step(trace, snapshot, nodes, found.rows))
    return found


def _step(trace: Trace, snapshot: Snapshot, nodes: dict[Path, Outline], rows: Shelf[tuple[str, ...]]) -> Step:
    event = snapshot.event
    here = event.path if event else ()
    path = [here[:length] for length in range(len(here) + 1)]
    numbers = [rows.number(row(trace, nodes[one], snapshot.marks[one])) for one in path]
    kind, line = (event.kind, event.line) if event else ("", 0)
    key = "n" + ".".join(map(str, here))
    return Step(kind, line, snapshot.nodes, snapshot.leaves, snapshot.cuts, numbers, key)


@dataclass
class Picture:
    """One picture of which parts change from step to step."""

    svg: str = ""
    """The whole picture at the last step."""
    width: float = 0.0
    height: float = 0.0
    parts: Shelf[str] = field(default_factory=Shelf)
    timelines: dict[str, Timeline] = field(default_factory=dict)
    """For each key of a part, when it changes."""


def picture(scenes: Iterable[Scene], theme: Theme = "auto") -> Picture:
    """Takes the scenes of all steps apart into groups with a key, which change, and all else, which does not."""
    found = Picture()
    before: dict[str, Group] = {}
    scene: Scene | None = None
    first: object = None
    for step, scene in enumerate(scenes):
        frame = (scene.width, scene.height, [group.key or group for group in scene.groups])
        first = first or frame
        if frame != first:
            raise AssertionError(f"step {step} differs from the step before outside of its parts")
        for group in scene.groups:
            if group.key and before.get(group.key) is not group:
                before[group.key] = group
                timeline = found.timelines.setdefault(group.key, [])
                note(timeline, step, found.parts.number(group_written(group)))
    assert scene is not None
    found.svg = written(scene, theme)
    found.width, found.height = round(scene.width, 1), round(scene.height, 1)
    return found
