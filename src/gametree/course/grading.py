"""Grades answers: what is right, what is wrong, where the first mistake is, and what that is worth.

The rule of credit, for a part worth p points:

    values       p × the share of the nodes that are right. Where nothing is pruned, a wrong value that follows
                 correctly from the student's own values below counts half.
    move, depends, threshold    all or nothing. Every best move is right.
    leaves       p × the length of the part before the first mistake ÷ the length of the longer of both rows.
    cuts         p × (branches that are right + ½ for each with the wrong kind or depth − 1 for each branch that is
                 not cut) ÷ the number of cut branches, not below 0.
    best-order, worst-order     all points for any order that attains the fewest (or the most) leaves; half for an
                 order that is possible and better (or worse) than the one drawn.
    range        half for each end.

A part is right where it earns all its points.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final

from gametree.arguments import is_number
from gametree.course import answers as read
from gametree.course.answers import Answers
from gametree.course.exercise import Exercise
from gametree.course.grades import Grades, Mistake, PartGrade
from gametree.course.key import CutBranch, Key, solve
from gametree.course.ordering import Extreme, reorder
from gametree.errors import InputError
from gametree.explain.traces.notation import number
from gametree.explain.traces.trace import Worth, trace
from gametree.games.tree.game import Tree
from gametree.games.tree.outline import Outline

TOLERANCE: Final = 0.01
"""How far a value at a chance node may be off: two decimals are enough."""
NO_ANSWER: Final = "no answer"
"""What was said where nothing was."""
_EXACT: Final = 1e-9


def grade(exercise: Exercise, answers: Answers, key: Key | None = None) -> Grades:
    """Grades one student's answers.

    >>> exercise = Exercise("minimax", [[3, 12, 8], [2, 4, 6], [14, 5, 2]])
    >>> given = {"values": {"A": 3, "B": 3, "C": 4, "D": 2}, "move": "B"}
    >>> print(grade(exercise, Answers(exercise.id, "Ann", given)).text())
    minimax-0c135e47f0 · Ann: 4 of 5 points
      values      3 of 4  partly right; first mistake at C: 4, right is 2
      move        1 of 1  right
    """
    if answers.exercise != exercise.id:
        raise InputError(
            f"these are answers to {answers.exercise[:60]!r}, and the exercise is {exercise.id!r}: each file of"
            " answers is graded against its own exercise"
        )
    key = key or solve(exercise)
    parts = []
    for part in exercise.parts:
        given = answers.given.get(part)
        if _unanswered(part, given):
            parts.append(PartGrade(part, Fraction(0), (), answered=False))
        else:
            parts.append(_PARTS[part](exercise, key, given))
    extra = [str(part)[:40] for part in answers.given if part not in exercise.parts]
    notes = (f"the exercise does not ask: {', '.join(extra)}",) if extra else ()
    return Grades(exercise, answers.student or exercise.student, tuple(parts), notes)


def _unanswered(part: str, given: Any) -> bool:
    # No cut at all is an answer: an empty list. An empty text is none.
    return given is None if part == "cuts" and not isinstance(given, str) else read.is_blank(given)


def _shown(given: Any) -> str:
    text = given if isinstance(given, str) else number(given) if _is_number(given) else str(given)
    return text[:40] + ("…" if len(text) > 40 else "")


def _is_number(given: Any) -> bool:
    # A whole number of hundreds of digits is shown as it is, cut short.
    return is_number(given) and abs(given) < 1e15


def _all_or_nothing(part: str, right: bool, where: str, said: Any, wanted: str) -> PartGrade:
    mistakes = () if right else (Mistake(where, _shown(said), wanted),)
    return PartGrade(part, Fraction(right), mistakes)


# --- values -----------------------------------------------------------------------------------------


def _values(exercise: Exercise, key: Key, given: Any) -> PartGrade:
    if not isinstance(given, dict):
        return PartGrade(
            "values", Fraction(0), (Mistake("values", _shown(given), "a value for each inner node"),)
        )
    said = {read.name(name): value for name, value in given.items()}
    earned = Fraction(0)
    mistakes = []
    marks = exercise.trace.at(len(exercise.trace.events)).marks
    bounds = {name: marks[exercise.paths[name]].proven for name in exercise.inner}
    for name in _by_search(exercise):
        value, right = said.get(name), key.values[name]
        if _same_value(value, right, exercise, bounds.get(name, "")):
            earned += 1
            continue
        if _follows(exercise, said, name):
            earned += Fraction(1, 2)
        answer = NO_ANSWER if read.is_blank(value) else _shown(value) + _unread(value, right)
        mistakes.append(Mistake(name, answer, _value_text(right)))
    for name in said:
        if name not in key.values:
            mistakes.append(Mistake(name, "a value", "nothing: there is no inner node of this name"))
            earned -= 1
    return PartGrade("values", max(Fraction(0), earned) / len(key.values), tuple(mistakes))


def _windows(exercise: Exercise, key: Key, given: Any) -> PartGrade:
    if not isinstance(given, dict):
        wanted = "α and β for each inner node"
        return PartGrade("windows", Fraction(0), (Mistake("windows", _shown(given), wanted),))
    said = {read.name(name): value for name, value in given.items()}
    earned = 0
    mistakes = []
    for name in _by_entering(exercise):
        value, right = said.get(name), key.windows[name]
        window = None if right is None else read.vector(value)
        if read.is_dash(value) if right is None else window == right:
            earned += 1
        else:
            answer = NO_ANSWER if read.is_blank(value) else _shown(value)
            mistakes.append(Mistake(name, answer, _value_text(right)))
    for name in said:
        if name not in key.windows:
            mistakes.append(Mistake(name, "a window", "nothing: there is no inner node of this name"))
            earned -= 1
    return PartGrade("windows", Fraction(max(0, earned), len(key.windows)), tuple(mistakes))


def _by_entering(exercise: Exercise) -> list[str]:
    """Inner nodes in the order in which the search calls them; those it never comes to at the end."""
    called = [exercise.names[event.path] for event in exercise.trace.events if event.kind == "enter"]
    return [*called, *(name for name in exercise.inner if name not in set(called))]


def _by_search(exercise: Exercise) -> list[str]:
    """Inner nodes in the order in which the search finishes them; those it never comes to at the end."""
    finished = [exercise.names[event.path] for event in exercise.trace.events if event.kind == "leave"]
    inner = [name for name in dict.fromkeys(finished) if name in exercise.inner]
    return [*inner, *(name for name in exercise.inner if name not in set(inner))]


def _unsigned(given: Any, bound: str) -> Any:
    """An answer without the sign of what it proves, where that sign is right: "≤9" where a node is worth at most 9."""
    if not isinstance(given, str):
        return given
    text = given.strip().replace("<=", "≤").replace(">=", "≥")
    return text[1:] if text[:1] == "=" or (bound and text[:1] == bound) else given


def _same_value(given: Any, right: Worth | None, exercise: Exercise, bound: str = "") -> bool:
    if right is None:
        return read.is_dash(given)
    if isinstance(right, tuple):
        said = read.vector(given)
        return said is not None and len(said) == len(right) and all(map(_close, said, right))
    one = read.number(_unsigned(given, bound))
    if one is None:
        return False
    # A little more than the tolerance: 0.01 is no number of binary digits.
    return abs(one - right) <= (TOLERANCE + _EXACT if exercise.method == "expectiminimax" else _EXACT)


def _unread(given: Any, right: Worth | None) -> str:
    """What is added where a number was asked for and something else was written."""
    if isinstance(right, tuple) or read.is_dash(given) or read.number(_unsigned(given, "≤")) is not None:
        return ""
    return "" if read.number(_unsigned(given, "≥")) is not None else " (which is no number)"


def _close(one: float, other: float) -> bool:
    return abs(one - other) <= _EXACT


def _value_text(value: Worth | None) -> str:
    return f"{read.NOT_VISITED} (not visited)" if value is None else number(value)


def _follows(exercise: Exercise, said: dict[str, Any], name: str) -> bool:
    """Whether a value is right for the student's own values of the children; not in a search that prunes."""
    if exercise.method == "alphabeta":
        return False
    node = exercise.outline.at(exercise.paths[name])
    below = [_own(child, said) for child in node.children]
    if any(value is None for value in below):
        return False
    backwards = exercise.conventions.direction == "right-to-left"
    return _same_value(said.get(name), _combined(node, below, backwards), exercise)


def _own(child: Outline, said: dict[str, Any]) -> Worth | None:
    if not child.children:
        return child.payoff if not isinstance(child.payoff, str) else None
    given = said.get(child.name)
    return read.vector(given) if child.kind == "player" else read.number(given)


def _combined(node: Outline, values: list[Any], backwards: bool) -> Worth:
    if node.kind == "player":
        mine = node.player or 0
        # Of equally good moves the one that is looked at first counts.
        ordered = reversed(values) if backwards else values
        fitting = [value for value in ordered if isinstance(value, tuple) and len(value) > mine]
        return max(fitting, key=lambda value: value[mine]) if fitting else ()
    if node.kind == "chance":
        return math.fsum((child.probability or 0) * value for child, value in zip(node.children, values))
    return max(values) if node.kind == "max" else min(values)  # type: ignore[no-any-return]


# --- move, leaves, cuts -----------------------------------------------------------------------------


def _move(exercise: Exercise, key: Key, given: Any) -> PartGrade:
    said = read.name(given)
    # The number of a move is as good as the name of the node it leads to.
    if said.isascii() and said.isdigit() and 1 <= int(said) <= len(exercise.moves):
        said = exercise.moves[int(said) - 1]
    return _all_or_nothing("move", said in key.moves, "the root", given, " or ".join(key.moves))


def _leaves(exercise: Exercise, key: Key, given: Any) -> PartGrade:
    said, right = read.names(given), list(key.leaves)
    if said is None:
        return PartGrade("leaves", Fraction(0), (Mistake("leaves", _shown(given), "a list of leaves"),))
    same = next(
        (i for i, pair in enumerate(zip(said, right)) if pair[0] != pair[1]), min(len(said), len(right))
    )
    if said == right:
        return PartGrade("leaves", Fraction(1))
    here = said[same] if same < len(said) else "the end"
    wanted = right[same] if same < len(right) else "the end: the search is over"
    return PartGrade(
        "leaves",
        Fraction(same, max(len(said), len(right))),
        (Mistake(f"leaf number {same + 1}", here, wanted),),
    )


def _cuts(exercise: Exercise, key: Key, given: Any) -> PartGrade:
    try:
        said = list(read.cuts(given))
    except InputError as error:
        return PartGrade("cuts", Fraction(0), (Mistake("cuts", str(error), "a list of cut branches"),))
    earned = Fraction(0)
    mistakes = {}
    seen: set[str] = set()
    for branch, kind, depth in said:
        right = key.cuts.get(branch)
        if right is None or branch in seen:
            earned -= 1
            twice = "it is given twice" if branch in seen else _no_cut(exercise, key, branch)
            mistakes[branch] = Mistake(branch, f"{kind} {depth}".strip() or "cut", twice)
        elif kind == right.kind and depth in right.depths:
            earned += 1
        else:
            earned += Fraction(1, 2)
            mistakes[branch] = Mistake(branch, f"{kind} {depth}".strip() or "no kind", _cut_text(right))
        seen.add(branch)
    for branch, right in key.cuts.items():
        if branch not in seen:
            mistakes[branch] = Mistake(branch, "not cut", _cut_text(right))
    order = {branch: place for place, branch in enumerate(key.cuts)}
    found = sorted(mistakes.values(), key=lambda one: order.get(one.where, len(order)))
    share = earned / len(key.cuts) if key.cuts else Fraction(not said)
    return PartGrade("cuts", max(Fraction(0), share), tuple(found))


def _cut_text(cut: CutBranch) -> str:
    sign = "α" if cut.kind == "alpha" else "β"
    return f"cut, {sign}, {' or '.join(cut.depths)} (at {cut.at})"


def _no_cut(exercise: Exercise, key: Key, branch: str) -> str:
    path = exercise.paths.get(branch)
    if path is None:
        return "nothing: there is no such branch"
    above = (exercise.names[path[:end]] for end in range(1, len(path)))
    hidden = next((name for name in above if name in key.cuts), None)
    return f"nothing: it lies below {hidden}, which is cut" if hidden else "not cut"


# --- orders -----------------------------------------------------------------------------------------


def _best_order(exercise: Exercise, key: Key, given: Any) -> PartGrade:
    assert key.best is not None
    return _order("best-order", exercise, key, key.best, given)


def _worst_order(exercise: Exercise, key: Key, given: Any) -> PartGrade:
    assert key.worst is not None
    return _order("worst-order", exercise, key, key.worst, given)


def _order(part: str, exercise: Exercise, key: Key, wanted: Extreme, given: Any) -> PartGrade:
    """Runs the search on the tree in the student's order: no order is compared with another."""
    said = read.names(given)
    best = " ".join(exercise.names[path] for path in wanted.order)
    right = f"an order with {wanted.leaves} leaves, for example {best}"
    if said is None or sorted(said) != sorted(exercise.leaves):
        return PartGrade(
            part, Fraction(0), (Mistake("the order", _shown(given), f"every leaf once; {right}"),)
        )
    spec = reorder(exercise.outline, exercise.spec, [exercise.paths[name] for name in said])
    if spec is None:
        wrong = "it tears children from their parent"
        return PartGrade(part, Fraction(0), (Mistake("the order", wrong, right),))
    count = len(trace(Tree(spec, exercise.movers), "alphabeta", exercise.conventions).leaves)
    if count == wanted.leaves:
        return PartGrade(part, Fraction(1))
    nearer = count < key.given if part == "best-order" else count > key.given
    return PartGrade(part, Fraction(nearer, 2), (Mistake("the order", f"{count} leaves are visited", right),))


# --- unknown leaves ---------------------------------------------------------------------------------


def _depends(exercise: Exercise, key: Key, given: Any) -> PartGrade:
    depends = key.low < key.high
    return _all_or_nothing(
        "depends", read.yes_or_no(given) is depends, "x", given, "yes" if depends else "no"
    )


def _range(exercise: Exercise, key: Key, given: Any) -> PartGrade:
    match given:
        case {"least": least, "greatest": greatest, **rest} if not rest:
            pass
        case [least, greatest]:
            pass
        case _:
            return PartGrade(
                "range", Fraction(0), (Mistake("range", _shown(given), "a least and a greatest value"),)
            )
    mistakes = [
        Mistake(where, _shown(said), number(right))
        for where, said, right in (
            ("the least value", least, key.low),
            ("the greatest value", greatest, key.high),
        )
        if not _same_bound(said, right)
    ]
    return PartGrade("range", Fraction(2 - len(mistakes), 2), tuple(mistakes))


def _same_bound(said: Any, right: float) -> bool:
    one = read.number(said)
    return one is not None and (one == right or abs(one - right) <= _EXACT)


def _threshold(exercise: Exercise, key: Key, given: Any) -> PartGrade:
    if isinstance(key.threshold, str):
        right = isinstance(given, str) and given.strip().lower() == key.threshold
        return _all_or_nothing("threshold", right, "x", given, key.threshold)
    return _all_or_nothing("threshold", _same_bound(given, key.threshold), "x", given, number(key.threshold))


_PARTS: Final[dict[str, Callable[[Exercise, Key, Any], PartGrade]]] = {
    "values": _values,
    "windows": _windows,
    "move": _move,
    "leaves": _leaves,
    "cuts": _cuts,
    "best-order": _best_order,
    "worst-order": _worst_order,
    "depends": _depends,
    "range": _range,
    "threshold": _threshold,
}
