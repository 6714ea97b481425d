"""Max^n, traced: every player takes the child that is best for that player (Luckhardt & Irani 1986)."""

from typing import cast

from gametree.explain.traces.recorder import Recorder, Vector
from gametree.games.tree.outline import Outline


def maxn(record: Recorder) -> None:
    def value(node: Outline) -> Vector:
        if node.is_leaf:
            return cast(Vector, record.leaf(node))
        v = chance_value(node) if node.kind == "chance" else player_value(node)
        record.leave(node, v)
        return v

    def player_value(node: Outline) -> Vector:
        me = cast(int, node.player)
        v: Vector | None = None
        for child in record.enter(node):
            w = value(child)
            old, better = v, v is None or w[me] > v[me]
            v = w if better else v
            record.choose(node, child, w, old, better)
        assert v is not None
        return v

    def chance_value(node: Outline) -> Vector:
        v: Vector | None = None
        for child in record.enter(node):
            w = value(child)
            odds = cast(float, child.probability)
            v = tuple((0.0 if v is None else v[player]) + odds * share for player, share in enumerate(w))
            record.add_outcome(node, child, w, v)
        assert v is not None
        return v

    value(record.root)
