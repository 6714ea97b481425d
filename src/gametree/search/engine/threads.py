"""Several threads search one root: what the others find is in the table before the first thread needs it."""

import contextlib
import dataclasses
import functools
from collections.abc import Sequence

from gametree.kernel.clock import BY_DRIVER, RUNNING
from gametree.result import Analysis
from gametree.search.core.stopwatch import begin
from gametree.search.engine.root import EngineRoot, to_front


def assisted(root: EngineRoot, others: Sequence[EngineRoot]) -> Analysis:
    """What the first thread finds while others search along."""
    under_way = [
        begin(functools.partial(_assist, other, 1 + i % 2), other.run.clock) for i, other in enumerate(others)
    ]
    try:
        found = root.found()
    finally:
        for other in others:
            other.run.clock.stop = BY_DRIVER
        for done in under_way:
            done.wait(1.0)
    return dataclasses.replace(found, nodes=found.nodes + sum(other.run.nodes for other in others))


def _assist(root: EngineRoot, start: int) -> None:
    """Deepens like the thread whose result counts, for what it leaves in the table. Nobody asks for the result."""
    order = list(root.only)
    scores: list[float] = []
    with contextlib.suppress(Exception):  # the first thread meets the same trouble and reports it
        for depth in range(start, root.deepest + 1):
            look = root.within_windows(depth, root.features, order, scores)
            if look.stopped != RUNNING:
                return
            assert look.score is not None and look.best is not None
            scores.append(look.score)
            to_front(order, [look.best])
