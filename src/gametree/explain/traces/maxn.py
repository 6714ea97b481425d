"""Max^n, traced: every player takes the child that is best for that player (Luckhardt & Irani 1986)."""

from typing import cast

from gametree.explain.traces import sentences
from gametree.explain.traces.conventions import Conventions
from gametree.explain.traces.outline import Outline
from gametree.explain.traces.pseudocode import maxn_code
from gametree.explain.traces.recorder import Recorder
from gametree.explain.traces.trace import Trace

Vector = tuple[float, ...]


def trace_maxn(root: Outline, conventions: Conventions) -> Trace:
    chance = any(node.kind == "chance" for node in root.walk())
    record = Recorder("maxn", root, conventions, maxn_code(chance))

    def value(node: Outline) -> Vector:
        if node.is_leaf:
            return cast(Vector, record.leaf(node))
        return chance_value(node) if node.kind == "chance" else player_value(node)

    def player_value(node: Outline) -> Vector:
        record.enter(node, sentences.enter(node))
        me = cast(int, node.player)
        v: Vector | None = None
        for child in record.children(node):
            w = value(child)
            old, better = v, v is None or w[me] > v[me]
            if better:
                v = w
                record.so_far[node.path] = w
                record.best[node.path] = child.path
            record.note("backup", node, sentences.backup_player(node, w, old, better))
        assert v is not None
        record.leave(node, v, sentences.leave_exact(node, v))
        return v

    def chance_value(node: Outline) -> Vector:
        record.enter(node, sentences.enter(node))
        v: Vector | None = None
        for child in record.children(node):
            w = value(child)
            odds = cast(float, child.probability)
            v = tuple((0.0 if v is None else v[player]) + odds * share for player, share in enumerate(w))
            record.so_far[node.path] = v
            record.note("backup", node, sentences.backup_chance(node, child, w, v))
        assert v is not None
        record.leave(node, v, sentences.leave_exact(node, v))
        return v

    value(root)
    return record.trace()
