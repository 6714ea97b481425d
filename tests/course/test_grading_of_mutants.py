"""The grader accepts every correct answer and rejects every answer with one change that makes it wrong.

What is correct is decided by `homework.Judge`, which shares no code with the grader.
"""

import copy
import random
from collections.abc import Iterator
from typing import Any

import pytest

from course.homework import Judge, order_count
from gametree.course.answers import Answers
from gametree.course.exercise import Exercise
from gametree.course.generation import make
from gametree.course.grading import grade
from gametree.course.key import right_answers, solve
from gametree.course.recipe import Recipe
from gametree.explain.traces.conventions import Conventions

KINDS = ("minimax", "alphabeta", "expectiminimax", "maxn", "unknown", "ordering")


def recipe(rng: random.Random) -> Recipe:
    """A recipe of any kind, with any conventions; trees are small where orders are tried one by one."""
    kind = rng.choice(KINDS)
    rules = Conventions(
        cut=rng.choice((">=", ">")),
        fail=rng.choice(("soft", "hard")),
        direction=rng.choice(("left-to-right", "right-to-left")),
    )
    high = rng.choice((3, 9, 30))
    depth = 2 if kind == "ordering" else rng.choice((2, 2, 3, 3, 4))
    return Recipe(
        kind=kind,
        depth=depth,
        branching=(2, 2) if depth == 4 else (2, 3),
        values=(rng.choice((0, -high)), high),
        ragged=rng.random() < 0.3,
        root="max" if kind == "maxn" else rng.choice(("max", "min")),
        conventions=rules,
    )


def exercises(count: int, seed: int) -> Iterator[Exercise]:
    rng = random.Random(seed)
    while count:
        exercise = make(recipe(rng), rng.getrandbits(32))
        if "best-order" in exercise.parts and order_count(exercise.spec) > 1000:
            continue
        count -= 1
        yield exercise


def mutants(part: str, answer: Any, exercise: Exercise, rng: random.Random) -> Iterator[Any]:
    """Answers with one change."""
    nodes = list(exercise.names.values())[1:]
    match part:
        case "values":
            for name in answer:
                for other in (*_other_values(answer[name]), None):
                    changed = copy.deepcopy(answer)
                    if other is None:
                        del changed[name]
                    else:
                        changed[name] = other
                    yield changed
        case "move":
            yield from exercise.moves
        case "leaves" | "best-order" | "worst-order":
            yield from _other_rows(answer, exercise.leaves, rng)
        case "cuts":
            yield from _other_cuts(answer, nodes, rng)
        case "depends":
            yield from ("yes", "no")
        case "range":
            for end in ("least", "greatest"):
                for other in (*_other_values(answer[end]), "∞", "−∞"):
                    yield {**answer, end: other}
        case "threshold":
            yield from ("always", "never", *_other_values(answer))


def _other_values(value: Any) -> Iterator[Any]:
    if isinstance(value, list):
        for place in range(len(value)):
            yield [one + (here == place) for here, one in enumerate(value)]
        yield value[:-1]
    elif isinstance(value, str):
        yield from (0, 3)
    else:
        yield from (value + 1, value - 1, -value, value + 0.02, "–")


def _other_rows(row: list[str], leaves: tuple[str, ...], rng: random.Random) -> Iterator[list[str]]:
    for place in range(len(row)):
        yield row[:place] + row[place + 1 :]
        other = rng.randrange(len(row))
        swapped = list(row)
        swapped[place], swapped[other] = swapped[other], swapped[place]
        yield swapped
        yield [*row[:place], rng.choice(leaves), *row[place:]]
        yield [*row[:place], rng.choice(leaves), *row[place + 1 :]]


def _other_cuts(cuts: list[dict[str, str]], nodes: list[str], rng: random.Random) -> Iterator[Any]:
    for place, cut in enumerate(cuts):
        rest = cuts[:place] + cuts[place + 1 :]
        yield rest
        yield [*rest, {**cut, "kind": "beta" if cut["kind"] == "alpha" else "alpha"}]
        yield [*rest, {**cut, "depth": "deep" if cut["depth"] == "shallow" else "shallow"}]
        yield [*rest, {**cut, "branch": rng.choice(nodes)}]
        yield [*rest, {"branch": cut["branch"], "kind": cut["kind"]}]
        yield [*cuts, cut]
    for name in nodes:
        if name not in {cut["branch"] for cut in cuts}:
            yield [*cuts, {"branch": name, "kind": "alpha", "depth": "shallow"}]


def check(count: int, seed: int) -> tuple[int, int]:
    """How many correct answers were accepted and how many wrong ones rejected."""
    rng = random.Random(seed)
    accepted = rejected = 0
    for exercise in exercises(count, seed):
        key = solve(exercise)
        judge = Judge(exercise)
        right = right_answers(exercise, key)
        report = grade(exercise, Answers(exercise.id, "", right), key)
        assert report.right and report.score == report.points, (exercise.to_dict(), report.text())
        for part in exercise.parts:
            assert judge.correct(part, right[part]), (part, exercise.to_dict(), right[part])
            for other in mutants(part, right[part], exercise, rng):
                correct = judge.correct(part, other)
                report = grade(exercise, Answers(exercise.id, "", {**right, part: other}), key)
                verdict = next(one for one in report.parts if one.part == part)
                assert verdict.right == correct, (part, other, exercise.to_dict(), report.text())
                assert report.right == correct and (correct or verdict.mistakes or not verdict.answered)
                assert 0 <= verdict.score <= verdict.points
                accepted += correct
                rejected += not correct
    return accepted, rejected


def test_every_correct_answer_is_accepted_and_every_mutant_that_is_wrong_is_rejected() -> None:
    accepted, rejected = check(70, seed=1)
    assert accepted > 100 and rejected > 2_500


@pytest.mark.slow
def test_the_same_on_ten_thousand_exercises() -> None:
    accepted, rejected = check(10_000, seed=2)
    assert accepted > 20_000 and rejected > 400_000
