"""Makes exercises: trees drawn by a seed until one is as the recipe wants it."""

import math
from collections.abc import Sequence
from typing import Any, Final

from gametree.course.exercise import Exercise
from gametree.course.key import best_moves, solve
from gametree.course.ordering import extreme
from gametree.course.random_numbers import Draws
from gametree.course.recipe import MOST_LEAVES, Recipe
from gametree.errors import InputError
from gametree.explain.traces.conventions import Conventions
from gametree.games.tree.game import Chance

_ODDS: Final = {
    1: ((1.0,),),
    2: ((0.5, 0.5), (0.25, 0.75), (0.75, 0.25), (0.2, 0.8), (0.6, 0.4), (0.1, 0.9)),
    3: ((0.25, 0.25, 0.5), (0.5, 0.25, 0.25), (0.2, 0.3, 0.5), (0.1, 0.3, 0.6), (0.4, 0.4, 0.2)),
    4: ((0.25, 0.25, 0.25, 0.25), (0.1, 0.2, 0.3, 0.4), (0.4, 0.2, 0.2, 0.2)),
    5: ((0.2, 0.2, 0.2, 0.2, 0.2), (0.1, 0.1, 0.2, 0.2, 0.4)),
}
"""Probabilities that can be reckoned with by hand."""
_PLAYERS: Final = 3


def make(recipe: Recipe, seed: int, student: str = "") -> Exercise:
    """The exercise of a recipe and a seed.

    >>> make(Recipe(kind="minimax", depth=2), 7).spec == make(Recipe(kind="minimax", depth=2), 7).spec
    True
    """
    draws = Draws(seed)
    seen: list[str] = []
    for _ in range(recipe.attempts):
        spec = _tree(recipe, draws)
        if spec is None:
            continue
        lacks = _lacks_cuts(recipe, spec)
        if lacks is None:
            exercise = Exercise(
                recipe.kind, spec, _movers(recipe), recipe.conventions, recipe.parts, seed, student
            )
            lacks = _lacks(recipe, exercise)
            if lacks is None:
                return exercise
        seen.append(lacks)
    raise InputError(_refusal(recipe, seen))


def of_tree(
    recipe: Recipe, spec: Any, movers: tuple[int, ...] = (0, 1), students: Sequence[str] = ("",)
) -> list[Exercise]:
    """The same exercise for everybody, on a tree that the teacher has: `spec` is what a `Tree` is made of."""
    made = [
        Exercise(recipe.kind, spec, movers, recipe.conventions, recipe.parts, None, name) for name in students
    ]
    first = made[0]
    if len(first.leaves) > MOST_LEAVES:
        raise InputError(f"the tree has {len(first.leaves)} leaves; an exercise has at most {MOST_LEAVES}")
    if len(first.moves) < 2:
        raise InputError("the root of the tree has no choice: an exercise needs at least two moves there")
    unknowns = first.outline.unknowns
    if recipe.kind == "unknown" and len(unknowns) != 1:
        raise InputError("an exercise on an unknown leaf needs a tree with one, such as [[3,12],[2,x]]")
    if recipe.kind != "unknown" and unknowns:
        raise InputError(
            f"the leaf {unknowns[0]} has no number, which only an exercise of --kind unknown can have"
        )
    solve(first)
    return made


def make_set(recipe: Recipe, seed: int, students: list[str]) -> list[Exercise]:
    """Exercises with the seeds seed, seed + 1, …; one for each student."""
    return [make(recipe, seed + index, name) for index, name in enumerate(students)]


def _movers(recipe: Recipe) -> tuple[int, ...]:
    if recipe.kind == "maxn":
        return tuple(range(_PLAYERS))
    return (0, 1) if recipe.root == "max" else (1, 0)


# --- trees ------------------------------------------------------------------------------------------


def _tree(recipe: Recipe, draws: Draws) -> Any | None:
    """A random tree, or None where it is too large."""
    shape = _shape(recipe, draws, 0)
    leaves = _count(shape)
    if leaves > MOST_LEAVES:
        return None
    payoffs = _payoffs(recipe, draws, leaves)
    if payoffs is None:
        return None
    return _filled(shape, iter(payoffs), recipe, draws, 0)


def _shape(recipe: Recipe, draws: Draws, level: int) -> Any:
    if level == recipe.depth or (recipe.ragged and level and draws.below(4) == 0):
        return None
    return [_shape(recipe, draws, level + 1) for _ in range(draws.between(*recipe.branching))]


def _count(shape: Any) -> int:
    return 1 if shape is None else sum(_count(child) for child in shape)


def _payoffs(recipe: Recipe, draws: Draws, leaves: int) -> list[Any] | None:
    low, high = recipe.values

    def column() -> list[int]:
        if recipe.ties == "none":
            return draws.sample(low, high, leaves)
        return [draws.between(low, high) for _ in range(leaves)]

    if recipe.ties == "none" and high - low + 1 < leaves:
        return None
    if recipe.kind == "maxn":
        return list(zip(*(column() for _ in range(_PLAYERS))))
    found: list[Any] = list(column())
    if recipe.kind == "unknown":
        found[draws.below(leaves)] = "x"
    return found


def _filled(shape: Any, payoffs: Any, recipe: Recipe, draws: Draws, level: int) -> Any:
    if shape is None:
        return next(payoffs)
    children = [_filled(child, payoffs, recipe, draws, level + 1) for child in shape]
    if recipe.kind == "expectiminimax" and level % 2:
        return Chance(zip(draws.choice(_ODDS[len(children)]), children))
    return children


# --- wishes -----------------------------------------------------------------------------------------


def _lacks(recipe: Recipe, exercise: Exercise) -> str | None:
    """What an exercise lacks; None where it is as the recipe wants it."""
    if len(exercise.moves) < 2:
        return "a choice at the root"
    if recipe.kind == "unknown":
        key = solve(exercise)
        depends = "yes" if key.low < key.high else "no"
        return None if recipe.depends in ("any", depends) else f"depends {depends}"
    if recipe.ties == "best" and len(best_moves(exercise)) < 2:
        return "two best moves"
    if recipe.kind == "ordering":
        fewest, most = (
            extreme(exercise.outline, exercise.conventions, most=asked).leaves for asked in (False, True)
        )
        if fewest == most:
            return "orders that differ"
    return None


def _lacks_cuts(recipe: Recipe, spec: Any) -> str | None:
    """What the cuts of a tree lack; asked first, because it is quick and most trees fail here."""
    if recipe.method != "alphabeta":
        return None
    found = cuts(spec, _movers(recipe), recipe.conventions)
    if recipe.cuts is not None and len(found) != recipe.cuts:
        return f"cuts {len(found)}"
    if recipe.deep_cut and "deep" not in found:
        return "a deep cut"
    # Nobody learns from an alpha-beta that never cuts, unless it is asked for.
    if recipe.kind == "alphabeta" and recipe.cuts is None and recipe.depth > 1 and not found:
        return "cuts 0"
    return None


def _refusal(recipe: Recipe, seen: list[str]) -> str:
    """Why nothing came of it, and what to change."""
    low, high = recipe.branching
    tree = f"tree of depth {recipe.depth} and branching {low}-{high}"
    tried = f"in {recipe.attempts:,} tries"
    if not seen:
        return (
            f"no {tree} fits {tried}: it has at most {MOST_LEAVES} leaves"
            + (", all different, out of the range of values" if recipe.ties == "none" else "")
            + "; take a smaller depth or branching, or a wider range of values"
        )
    counts = sorted(int(word[5:]) for word in seen if word.startswith("cuts "))
    wishes = [
        f"exactly {recipe.cuts} cuts" if recipe.cuts is not None else "",
        "a deep cut" if recipe.deep_cut else "",
        "two best moves" if recipe.ties == "best" else "",
        "orders that differ" if recipe.kind == "ordering" else "",
        f"a root that {'depends' if recipe.depends == 'yes' else 'does not depend'} on x"
        if recipe.depends != "any"
        else "",
    ]
    wanted = " and ".join(wish for wish in wishes if wish) or "a cut"
    span = f"; the number of cuts was {counts[0]} to {counts[-1]}" if counts else ""
    return (
        f"no {tree} with {wanted} {tried}{span}. Ask for something else: other cuts, a greater depth,"
        " a wider branching or range of values, or more attempts"
    )


# --- cuts -------------------------------------------------------------------------------------------

Bound = tuple[float, int]
"""α or β, and the level of the node that set it; −1 where nobody has yet."""


def cuts(spec: Any, movers: tuple[int, ...], conventions: Conventions) -> list[str]:
    """ "shallow" or "deep" for each cut of alpha-beta, as a trace would find them.

    Nested lists, and no story told: most trees that are drawn are thrown away again.

    >>> cuts([[3, 12, 8], [2, 4, 6], [14, 5, 2]], (0, 1), Conventions())
    ['shallow']
    """
    found: list[str] = []
    strict, hard = conventions.cut == ">", conventions.fail == "hard"
    backwards = conventions.direction == "right-to-left"

    def value(node: Any, alpha: Bound, beta: Bound, level: int) -> float:
        if not isinstance(node, list):
            return float(node)
        is_max = movers[level % len(movers)] == 0
        v = (alpha[0] if is_max else beta[0]) if hard else (-math.inf if is_max else math.inf)
        limit = beta if is_max else alpha
        left = len(node)
        for child in reversed(node) if backwards else node:
            left -= 1
            below = value(child, alpha, beta, level + 1)
            v = max(v, below) if is_max else min(v, below)
            beyond = v > limit[0] if is_max else v < limit[0]
            if beyond or (v == limit[0] and not strict):
                if left and limit[1] >= 0:
                    found.append("shallow" if limit[1] == level - 1 else "deep")
                break
            if is_max and v > alpha[0]:
                alpha = (v, level)
            elif not is_max and v < beta[0]:
                beta = (v, level)
        if hard:
            return min(v, limit[0]) if is_max else max(v, limit[0])
        return v

    value(spec, (-math.inf, -1), (math.inf, -1), 0)
    return found
