"""A trace as plain data for other programs."""

import math
from typing import Any, Final

from gametree.documents.teaching import CutDocument, TraceDocument, TraceEvent, TraceNode
from gametree.explain.traces.trace import Cut, Event, Trace, Worth
from gametree.games.tree.outline import Outline, Path

SCHEMA: Final = "gametree.trace/1"


def data(trace: Trace) -> TraceDocument:
    """A trace as dicts, lists, texts and numbers. Paths are lists of positions; ±∞ is "inf" and "-inf".

    >>> from gametree.explain.traces.trace import trace
    >>> found = data(trace([[3, 12, 8], [2, "x", "y"], [14, 5, 2]]))
    >>> found["value"], found["move"], found["cuts"][0]["skipped"]
    (3.0, [0], [[1, 1], [1, 2]])
    """
    return {
        "schema": SCHEMA,
        "method": trace.method,
        "conventions": trace.conventions.to_dict(),
        "value": _number(trace.value),
        "move": _path(trace.move),
        "line": [list(path) for path in trace.line],
        "leaves": [list(path) for path in trace.leaves],
        "cuts": [_cut(cut) for cut in trace.cuts],
        "nodes": [node_data(node, trace.values.get(node.path)) for node in trace.outline.walk()],
        "code": list(trace.code),
        "events": [_event(event) for event in trace.events],
    }


def node_data(node: Outline, returned: Worth | None) -> TraceNode:
    """A node, with what a search returned there."""
    return {
        "path": list(node.path),
        "kind": node.kind,
        "player": node.player,
        "name": node.name,
        "move": node.move,
        "probability": node.probability,
        "payoff": node.payoff if isinstance(node.payoff, str) else _number(node.payoff),
        "estimated": node.estimated,
        "board": node.shown,
        "returned": _number(returned),
    }


def _event(event: Event) -> TraceEvent:
    found: TraceEvent = {
        "kind": event.kind,
        "path": list(event.path),
        "value": _number(event.value),
        "alpha": _number(event.alpha),
        "beta": _number(event.beta),
        "line": event.line,
        "sentence": event.sentence,
        "best": _path(event.best),
        "cut": _cut(event.cut) if event.cut else None,
    }
    if event.proven:
        found["proven"] = event.proven
    if event.skipped:
        found["skipped"] = [list(path) for path in event.skipped]
    if event.beside:
        found["beside"] = [{"path": list(path), "texts": list(texts)} for path, texts in event.beside]
    if event.fresh:
        found["fresh"] = True
    return found


def _cut(cut: Cut) -> CutDocument:
    return {
        "path": list(cut.path),
        "kind": cut.kind,
        "depth": cut.depth,
        "by": list(cut.by),
        "skipped": [list(path) for path in cut.skipped],
    }


def _path(path: Path | None) -> list[int] | None:
    return None if path is None else list(path)


def _number(value: float | tuple[float, ...] | None) -> Any:
    if isinstance(value, tuple):
        return [_number(one) for one in value]
    if value is not None and math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return value
