"""The shape of a game's states and actions, from those that random play shows.

One state does not tell that a tuple grows, that a None becomes a place, or how long a text can be. A few plays by fixed
dice do, or at least make it likely; what they have not shown is noticed where it turns up, and runs interpreted.
"""

import ast
import dataclasses
import inspect
import random
import time
from collections.abc import Iterator
from itertools import islice
from typing import Any

from gametree.compiled.fingerprint import unwrap
from gametree.compiled.frontend import source
from gametree.compiled.types.layout import (
    LayoutError,
    Maybe,
    Ragged,
    Row,
    Scalar,
    Shape,
    Text,
    merged,
    shape_of,
)
from gametree.game import CHANCE
from gametree.kernel import atoms

PLAYS = 12
PLIES = 80
SECONDS = 0.3
"""No more than this for all of them: rules may be slow."""
LONGEST = 32
"""Words of a text, 8 letters each."""
MOST = 96
"""Items of a tuple that grows."""


@dataclasses.dataclass(frozen=True)
class Universe:
    """What machine code of a game has room for."""

    state: Shape
    action: Shape | None
    """None where actions have the type that the rules say."""
    words: int
    """Of a text."""


def universe_of(game: Any) -> Universe:
    """The shapes of states and actions; LayoutError where some value has none."""
    known = vars(game).get("_universe")
    if known is None:
        known = _found(game)
        object.__setattr__(game, "_universe", known)
    return known  # type: ignore[no-any-return]


def _found(game: Any) -> Universe:
    initial = game.initial()
    shape = shape_of(initial)
    if type(game).__module__.startswith("gametree.games."):
        return Universe(shape, None, 1)
    action: Shape | None = None
    strange = False
    for state, actions in _plays(game, initial):
        try:
            shape = merged(shape, shape_of(state))
        except LayoutError:
            break  # the rule that makes it is named when it is compiled
        for one in actions:
            try:
                found = shape_of(one, where="an action")
                action = found if action is None else merged(action, found, "an action")
            except LayoutError:
                strange = True
    mixed = None if strange or action is None else _mixed(action)
    longest = max([8, *_lengths(shape), *(_lengths(mixed) if mixed is not None else ()), *_literals(game)])
    words = (longest + 7) // 8
    if words > LONGEST:
        raise LayoutError(f"a text of the rules has {longest} letters; keep texts below {LONGEST * 8}")
    return Universe(_sized(shape, words), None if mixed is None else _sized(mixed, words), words)


def _mixed(action: Shape) -> Shape | None:
    """The shape of actions of several forms; None where they have one, which the rules say themselves."""
    if isinstance(action, Ragged) and not action.unordered:
        return action
    if isinstance(action, Text) and len(action.kinds) > 1:
        return action
    if isinstance(action, Row) and any(
        isinstance(part, Text) and len(part.kinds) > 1 for part in action.items
    ):
        return action
    if isinstance(action, Maybe):
        return action
    if isinstance(action, Row) and any(isinstance(part, Ragged | Maybe) for part in action.items):
        return action
    return None


def _plays(game: Any, initial: Any) -> Iterator[tuple[Any, list[Any]]]:
    """States of a few random plays, with their actions; rules that fail are for others to tell."""
    dice = random.Random(1)
    start = time.perf_counter()
    for _ in range(PLAYS):
        state = initial
        for _ in range(PLIES):
            try:
                if game.is_terminal(state):
                    break
                if game.player(state) == CHANCE:
                    actions = [outcome for outcome, _ in islice(game.chance(state), 1000)]
                else:
                    actions = list(islice(game.actions(state), 1000))
                if not actions:
                    break
                state = game.result(state, dice.choice(sorted(actions, key=repr)))
            except Exception:
                return
            yield state, actions
            if time.perf_counter() - start > SECONDS:
                return


def _lengths(shape: Shape) -> Iterator[int]:
    if isinstance(shape, Text):
        yield shape.longest
    elif isinstance(shape, Ragged | Maybe):
        if shape.item is not None:
            yield from _lengths(shape.item)
    elif isinstance(shape, Row):
        for item in shape.items:
            yield from _lengths(item)


def _sized(shape: Shape, words: int) -> Shape:
    """A shape with room: texts of so many words, tuples somewhat longer than were seen."""
    if isinstance(shape, Text):
        return dataclasses.replace(shape, longest=0, words=words)
    if isinstance(shape, Ragged):
        if shape.most > MOST:
            raise LayoutError(f"a {shape} has too many parts; keep the number of parts below {MOST}")
        item = Scalar("int64") if shape.item is None else _sized(shape.item, words)
        return Ragged(item, shape.most + max(2, shape.most // 4), shape.unordered)
    if isinstance(shape, Maybe):
        return Maybe(_sized(shape.item, words))
    if isinstance(shape, Row):
        return Row(tuple(_sized(item, words) for item in shape.items), shape.cls)
    return shape


def _literals(game: Any) -> Iterator[int]:
    """The lengths of the texts that the methods of a game spell out, and of those in its attributes."""
    for base in type(game).__mro__:
        if base.__module__ == "gametree.game":
            continue
        for member in vars(base).values():
            function = unwrap(member.fget if isinstance(member, property) else member)
            if inspect.isfunction(function) and function.__name__ not in _NEVER:
                tree = source.syntax_of(function)
                if tree is not None:
                    yield from _spelt(tree)
                for name in function.__code__.co_names:
                    yield from _within(function.__globals__.get(name), 3)
            else:
                yield from _within(member, 3)
    for value in vars(game).values():
        yield from _within(value, 3)


_NEVER = frozenset(
    {"show", "name_action", "parse_state", "parse_action", "board", "touches", "__init__", "__repr__"}
)


def _spelt(tree: ast.AST) -> Iterator[int]:
    if isinstance(tree, ast.Constant) and isinstance(tree.value, str):
        yield len(tree.value)
    for name, child in ast.iter_fields(tree):
        if isinstance(tree, ast.Raise) or (isinstance(tree, ast.Assert) and name == "msg"):
            continue
        for one in child if isinstance(child, list) else [child]:
            documents = isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant)
            if isinstance(one, ast.AST) and not documents:
                yield from _spelt(one)


def _within(value: Any, depth: int) -> Iterator[int]:
    """The lengths of texts in a constant; long ones are for people."""
    if atoms.is_atom(value) and (number := atoms.number_of(value)) is not None:
        if number.bit_length() <= LONGEST * 64:
            yield (number.bit_length() + 7) // 8
    elif depth and isinstance(value, (tuple, list, set, frozenset)):
        for part in value:
            yield from _within(part, depth - 1)
    elif depth and isinstance(value, dict):
        yield from _within([*value, *value.values()], depth)
