"""What writes down the events of a traced search."""

from collections.abc import Iterator
from typing import cast

from gametree.errors import InputError
from gametree.explain.traces import sentences
from gametree.explain.traces.conventions import Conventions
from gametree.explain.traces.outline import Outline, Path
from gametree.explain.traces.pseudocode import Listing
from gametree.explain.traces.trace import Cut, Event, Method, Trace, Worth


class Recorder:
    """Takes notes while a search runs, and makes a `Trace` of them at the end."""

    def __init__(self, method: Method, root: Outline, conventions: Conventions, code: Listing):
        self.method = method
        self.root = root
        self.conventions = conventions
        self.code, self.lines = code
        self.events: list[Event] = []
        self.values: dict[Path, Worth] = {}
        self.best: dict[Path, Path] = {}
        self.visited: list[Path] = []
        self.so_far: dict[Path, Worth] = {}

    def children(self, node: Outline) -> Iterator[Outline]:
        """The children in the order in which the convention has them looked at."""
        backwards = self.conventions.direction == "right-to-left"
        return reversed(node.children) if backwards else iter(node.children)

    def note(
        self,
        kind: str,
        node: Outline,
        sentence: str,
        *,
        window: tuple[float, float] | None = None,
        line: str = "",
        cut: Cut | None = None,
    ) -> None:
        """Writes down an event at a node, with the node's value so far."""
        alpha, beta = window or (None, None)
        tag = line or f"{node.kind} {kind}"
        self.events.append(
            Event(
                kind,  # type: ignore[arg-type]
                node.path,
                self.so_far.get(node.path),
                alpha,
                beta,
                self.lines[tag],
                sentence,
                cut,
                self.best.get(node.path),
            )
        )

    def enter(self, node: Outline, sentence: str, window: tuple[float, float] | None = None) -> None:
        self.visited.append(node.path)
        self.note("enter", node, sentence, window=window)

    def leaf(self, node: Outline, window: tuple[float, float] | None = None) -> Worth:
        """What a leaf is worth; refused where that is not known."""
        if isinstance(node.payoff, str):
            raise InputError(self._needs(node))
        value = cast(Worth, node.payoff)
        self.visited.append(node.path)
        self.values[node.path] = self.so_far[node.path] = value
        self.note("leaf", node, sentences.leaf(node), window=window, line=f"{self._called(node)} leaf")
        return value

    def _called(self, leaf: Outline) -> str:
        """Which function of the pseudo-code a leaf is handed to: MIN's below MAX, MAX's below MIN."""
        parent = self.root.at(leaf.path[:-1])
        return {"max": "min", "min": "max"}.get(parent.kind, "max" if self.method != "maxn" else "player")

    def _needs(self, leaf: Outline) -> str:
        from gametree.explain.unknowns.dependence import dependence

        parent = self.root.at(leaf.path[:-1])
        place = f"move {leaf.move} at {sentences.where(parent)}" if leaf.path else "the root"
        return (
            f"{self.method} has to look at the unknown leaf {leaf.payoff!r} ({place}) and cannot go on without a"
            f" number for it. What is known without: {dependence(self.root).sentence} To trace the search, give"
            f" it a number, for example values={{{leaf.payoff!r}: 4}}"
        )

    def leave(
        self,
        node: Outline,
        value: Worth,
        sentence: str,
        window: tuple[float, float] | None = None,
        line: str = "",
    ) -> None:
        self.values[node.path] = self.so_far[node.path] = value
        self.note("leave", node, sentence, window=window, line=line)

    def trace(self) -> Trace:
        line: list[Path] = []
        path: Path | None = self.best.get(())
        while path is not None:
            line.append(path)
            path = self.best.get(path)
        return Trace(
            self.method,
            self.root,
            self.conventions,
            tuple(self.events),
            self.code,
            self.values[()],
            self.best.get(()),
            tuple(line),
            self.values,
            tuple(self.visited),
            tuple(event.path for event in self.events if event.kind == "leaf"),
            tuple(event.cut for event in self.events if event.cut is not None),
        )
