"""Interpreted and compiled rules side by side: where do they part?"""

import itertools
import math
import struct
from collections.abc import Iterator, Sequence
from typing import Any

from gametree.compiled import native
from gametree.compiled.types.layout import Codec, LayoutError, shape_of
from gametree.game import Game, offers
from gametree.kernel.primitives import Ints, estimate, store

PLAYER, TERMINAL, UTILITY, ACTIONS, ACTION, RESULT, EVALUATE = range(7)


def examine(game: Any, state: Any, question: int, index: int, words: Ints) -> float:
    """One question about a state; a state or an action is written to `words`, with its length as the answer."""
    if question == PLAYER:
        return float(game.player(state))
    if question == TERMINAL:
        return 1.0 if game.is_terminal(state) else 0.0
    if question == UTILITY:
        return float(game.utility(state, index))
    if question == EVALUATE:
        return float(estimate(game, state))
    i = 0
    for action in game.actions(state):
        if i == index and question == ACTION:
            return float(store(action, words, 0))
        if i == index and question == RESULT:
            return float(store(game.result(state, action), words, 0))
        i += 1
    return float(i)


def differences(game: Game, states: Sequence[Any]) -> tuple[list[str], str]:
    """What compiled rules answer otherwise than interpreted ones, in words; and why nothing was compared, if so."""
    import numpy as np

    reason = native.unavailable()
    if reason:
        return [], reason
    try:
        compiled = native.native(examine, game, states[:1])
    except native.CannotCompile as error:
        return [], error.reason
    words = np.zeros(max(64, 2 * compiled.native.codec.size), dtype=np.int64)
    twin = _Twin(game, compiled, words)
    found: dict[str, str] = {}
    for state in states:
        for kind, text in twin.compare(state):
            found.setdefault(kind, text)
    return list(found.values()), ""


class _Twin:
    """Asks both kinds of rules the same questions."""

    def __init__(self, game: Game, compiled: Any, words: Any):
        self.game = game
        self.compiled = compiled
        self.words = words
        self.judges = offers(game, "evaluate")

    def ask(self, state: Any, question: int, index: int = 0) -> float:
        answer: float = self.compiled(state, question, index, self.words)
        return answer

    def compare(self, state: Any) -> Iterator[tuple[str, str]]:
        """The kinds of differences at a state, each with a sentence."""
        game, name = self.game, type(self.game).__name__
        at = f"at {state!r}"
        try:
            terminal = bool(game.is_terminal(state))
            if bool(self.ask(state, TERMINAL)) != terminal:
                yield (
                    "is_terminal",
                    f"{name}.is_terminal is {terminal} interpreted, {not terminal} compiled {at}",
                )
                return
            if terminal:
                for player in range(game.players):
                    yield from self._numbers(
                        f"utility(…, {player})",
                        game.utility(state, player),
                        self.ask(state, UTILITY, player),
                        at,
                    )
                return
            yield from self._numbers("player", game.player(state), self.ask(state, PLAYER), at)
            if self.judges:
                yield from self._numbers(
                    "evaluate(…, 0)", estimate(game, state), self.ask(state, EVALUATE), at
                )
            yield from self._moves(state, at)
        except native.Failed:
            yield (
                "failed",
                f"the compiled rules of {name} raise an exception {at}, the interpreted ones do not",
            )
        except LayoutError as error:
            yield "layout", f"a state of {name} has no machine form {at}: {error}"

    def _numbers(self, what: str, one: Any, other: float, at: str) -> Iterator[tuple[str, str]]:
        if not math.isclose(float(one), other, rel_tol=1e-12, abs_tol=1e-12):
            yield what, f"{type(self.game).__name__}.{what} is {one!r} interpreted, {other:g} compiled {at}"

    def _moves(self, state: Any, at: str) -> Iterator[tuple[str, str]]:
        game, name = self.game, type(self.game).__name__
        actions = list(itertools.islice(game.actions(state), 10_000))
        count = int(self.ask(state, ACTIONS, -1))
        if count != len(actions):
            yield "actions", f"{name}.actions gives {len(actions)} actions interpreted, {count} compiled {at}"
            return
        for i, action in enumerate(actions):
            codec = Codec(shape_of(action, where="the action"))
            if self._words(state, ACTION, i) != codec.pack(action):
                yield "order", f"{name}.actions has {action!r} at place {i + 1} only interpreted {at}"
                return
            follows = game.result(state, action)
            data = self._words(state, RESULT, i)
            if data != self.compiled.native.codec.pack(follows):
                shown = self.compiled.native.codec.unpack(data)
                yield (
                    "result",
                    f"{name}.result of {action!r} is {follows!r} interpreted, {shown!r} compiled {at}",
                )

    def _words(self, state: Any, question: int, index: int) -> bytes:
        count = int(self.ask(state, question, index))
        return struct.pack(f"={count}q", *self.words[:count].tolist())
