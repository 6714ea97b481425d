"""The proof check of a strategy: play it against every reply, and look at the ends.

Nothing of what the solver found is used here, only the rules and the moves of the strategy. Where one player has no
choice, what remains is a graph with one person walking in it: the worst that can happen is the worst end there is, and
where that person can walk in a circle, also that the play never ends.
"""

import math
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

from gametree.result import Value, many
from gametree.search.core.plays import root_actions
from gametree.search.solve.graph import final_score, identity
from gametree.search.solve.retrograde import value_of
from gametree.search.solve.strategy import Strategy


@dataclass(frozen=True, repr=False)
class Verification:
    """What playing a strategy against every reply has shown."""

    ok: bool
    """Whether it guarantees what it claims, and has a legal move wherever it needs one."""
    claimed: Value
    value: Value | None
    """What it guarantees; None where a move is missing or not legal."""
    positions: int
    """How many positions came up."""
    replies: int
    """How many replies of the other player were tried."""
    ends: int
    """How many different ends of the game came up."""
    plays: int | None
    """How many different plays there are; None where there is no end to them."""
    trouble: str = ""
    """What is wrong, in words."""
    line: tuple[str, ...] = ()
    """The moves that lead there."""

    def __bool__(self) -> bool:
        return self.ok

    def __str__(self) -> str:
        plays = "plays without end" if self.plays is None else many(self.plays, "play", "plays")
        parts = (
            many(self.positions, "position", "positions"),
            many(self.replies, "reply", "replies"),
            many(self.ends, "end", "ends"),
        )
        tried = f"{', '.join(parts)}, {plays} looked at"
        if self.ok:
            more = "" if self.value == self.claimed else f" (it claims no more than {self.claimed})"
            return f"right: it guarantees {self.value}{more}; {tried}"
        after = f" (after {' '.join(self.line)})" if self.line else ""
        return f"wrong: {self.trouble}{after}; {tried}"

    def __repr__(self) -> str:
        return str(self)

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data, by the schema `gametree.verification/1`."""
        return {
            "schema": "gametree.verification/1",
            "ok": self.ok,
            "claimed": self.claimed.to_dict(),
            "value": None if self.value is None else self.value.to_dict(),
            "positions": self.positions,
            "replies": self.replies,
            "ends": self.ends,
            "plays": self.plays,
            "trouble": self.trouble,
            "line": list(self.line),
        }


def verify(plan: Strategy) -> Verification:
    """Plays a strategy against every reply.

    >>> from gametree.games import Nim
    >>> from gametree.search.solve.strategy import strategy
    >>> verify(strategy(Nim(counters=6)))
    right: it guarantees win in 3; 6 positions, 3 replies, 1 end, 3 plays looked at
    """
    return _Walk(plan).verdict()


class _Walk:
    """All positions that come up, each once, breadth first."""

    def __init__(self, plan: Strategy):
        self.plan = plan
        self.game = plan.game
        self.states: list[Any] = [plan.state]
        self.children: list[list[int]] = []
        self.score: list[float] = []
        """For each position that is an end what it is worth to player 0; nan elsewhere."""
        self.parent: list[tuple[int, Any]] = [(-1, None)]
        self.replies = 0
        self.trouble = ""
        self.at = 0
        same = identity(self.game)
        number: dict[Hashable, int] = {same(plan.state): 0}
        while len(self.children) < len(self.states) and not self.trouble:
            here = len(self.children)
            self.children.append([])
            self.score.append(math.nan)
            for action in self._actions(here):
                child = self.game.result(self.states[here], action)
                node = number.setdefault(same(child), len(self.states))
                if node == len(self.states):
                    self.states.append(child)
                    self.parent.append((here, action))
                self.children[here].append(node)

    def _actions(self, here: int) -> list[Any]:
        """What can be played at a position; at an end its score is noted instead."""
        game, plan, state = self.game, self.plan, self.states[here]
        if game.is_terminal(state):
            self.score[here] = final_score(game, state)
            return []
        legal = root_actions(game, state)
        if game.player(state) != plan.player:
            self.replies += len(legal)
            return legal
        self.at = here
        if state not in plan:
            self.trouble = "the strategy has no move for a position that can arise"
            return []
        action = plan(state)
        if action not in legal:
            self.trouble = f"the strategy plays {action!r}, which is not legal"
            return []
        return [action]

    def verdict(self) -> Verification:
        ends = [node for node, score in enumerate(self.score) if not math.isnan(score)]
        if self.trouble:
            return self._verdict(None, None, ends, self.at)
        order = self._order()
        circular = len(order) < len(self.states)
        value, at = self._worst(ends, order, circular)
        if value < self.plan.value:
            end = "play need not end" if at < 0 else f"a play ends with {value}"
            self.trouble = f"{end}, and the strategy claims {self.plan.value}"
        return self._verdict(value, None if circular else self._plays(order), ends, max(at, 0))

    def _verdict(self, value: Value | None, plays: int | None, ends: list[int], at: int) -> Verification:
        return Verification(
            ok=not self.trouble,
            claimed=self.plan.value,
            value=value,
            positions=len(self.states),
            replies=self.replies,
            ends=len(ends),
            plays=plays,
            trouble=self.trouble,
            line=self._line(at) if self.trouble else (),
        )

    def _order(self) -> list[int]:
        """Positions, each after all that lead to it; those on circles, and behind them, are missing."""
        before = [0] * len(self.states)
        for children in self.children:
            for child in children:
                before[child] += 1
        order = [0] if before[0] == 0 else []
        for node in order:
            for child in self.children[node]:
                before[child] -= 1
                if before[child] == 0:
                    order.append(child)
        return order

    def _worst(self, ends: list[int], order: list[int], circular: bool) -> tuple[Value, int]:
        """What the player gets in the worst play, and where that ends; −1 where it does not."""
        player, game = self.plan.player, self.game
        sign = 1 if player == 0 else -1
        worst = min((sign * self.score[end] for end in ends), default=math.inf)
        endless = self.plan.endless
        if circular and (not ends or sign * endless < worst):
            return value_of(game, endless, 0, player), -1
        wrong = [end for end in ends if sign * self.score[end] == worst]
        lengths = self._longest(order) if worst == math.inf else self._shortest()
        pick = max if worst == math.inf else min
        at = pick(wrong, key=lambda end: lengths[end])
        return value_of(game, self.score[at], lengths[at], player), at

    def _longest(self, order: list[int]) -> list[int]:
        lengths = [0] * len(self.states)
        for node in order:
            for child in self.children[node]:
                lengths[child] = max(lengths[child], lengths[node] + 1)
        return lengths

    def _shortest(self) -> list[int]:
        """Positions came up breadth first: by the first way to each."""
        lengths = [0] * len(self.states)
        for node in range(1, len(self.states)):
            lengths[node] = lengths[self.parent[node][0]] + 1
        return lengths

    def _plays(self, order: list[int]) -> int:
        """How many ways lead to ends."""
        ways = [0] * len(self.states)
        ways[0] = 1
        for node in order:
            for child in self.children[node]:
                ways[child] += ways[node]
        return sum(ways[node] for node in order if not self.children[node])

    def _line(self, node: int) -> tuple[str, ...]:
        names = []
        while node > 0:
            parent, action = self.parent[node]
            names.append(self.game.name_action(self.states[parent], action))
            node = parent
        return tuple(reversed(names))
