"""The code grader as a notebook for nbgrader: a text, a cell for the solution, and a cell that grades it.

The metadata are those of nbgrader's cell schema 3, which every nbgrader since 0.6 reads and newer ones upgrade by
themselves. The grading cell runs in the notebook's own process, and its last line is the number of points, which
nbgrader takes as partial credit.
"""

import json
from typing import Any, Final

from gametree.course.programs.judging import TREES, AssignmentRecipe
from gametree.errors import InputError

_SOLUTION: Final = '''\
import math

def {function}(game, state{depth}):
    """Returns (value, move): the value for player 0, who is MAX, and a best action; None at the end of the game."""
    ### BEGIN SOLUTION
{body}
    ### END SOLUTION
'''
_ALPHABETA: Final = """\
    def value(state, alpha, beta{parameter}):
        if game.is_terminal(state):
            return game.utility(state, 0), None
{horizon}        largest = game.player(state) == 0
        best, move = (-math.inf if largest else math.inf), None
        for action in game.actions(state):
            found, _ = value(game.result(state, action), alpha, beta{less})
            if move is None or (found > best if largest else found < best):
                best, move = found, action
            if best >= beta if largest else best <= alpha:
                break
            if largest:
                alpha = max(alpha, best)
            else:
                beta = min(beta, best)
        return best, move

    return value(state, -math.inf, math.inf{argument})"""
_MINIMAX: Final = """\
    def value(state{parameter}):
        if game.is_terminal(state):
            return game.utility(state, 0), None
{horizon}        largest = game.player(state) == 0
        best, move = (-math.inf if largest else math.inf), None
        for action in game.actions(state):
            found, _ = value(game.result(state, action){less})
            if move is None or (found > best if largest else found < best):
                best, move = found, action
        return best, move

    return value(state{argument})"""
_HORIZON: Final = """\
        if depth == 0:
            return game.evaluate(state, 0), None
"""
_GRADING: Final = """\
# Points: for each position one for the value, one for the move, one for the number of visited nodes.
import gametree
from gametree.course.programs.judging import check_here

report = check_here({function}, gametree.games.load({against!r}{parameters}), name={function!r}, count={count},
                    seed={seed}, depth={depth!r}, cut={cut!r})
print(report)
report.score"""


def notebook(recipe: AssignmentRecipe) -> str:
    """The text of an .ipynb file: the teacher's version, from which nbgrader makes the one for students."""
    against, function, depth, cut = recipe.against, recipe.function, recipe.depth, recipe.cut
    if against == TREES:
        raise InputError("a notebook is for positions of a game: name one instead of trees")
    given = "".join(f", {name}={value!r}" for name, value in recipe.parameters.items())
    # A small game may have fewer positions than were asked for.
    assigned = recipe.assignment()
    positions = len(assigned.cases)
    bound = "beyond" if cut == ">" else "at or beyond"
    intro = (
        f"## {function}\n\nWrite `{function}(game, state{'' if depth is None else ', depth'})`. `game` has the six"
        " elements of the textbook: `player(state)`, `actions(state)`, `result(state, action)`, `is_terminal(state)`,"
        " `utility(state, player)` and `initial()`. Look at the actions in the order in which `actions` gives them,"
        " and call `result` once for each node that you visit."
        f"{f' Cut where a value is {bound} the bound.' if function == 'alphabeta' else ''}"
        f"\n\nIt is tried on {positions} positions of {against}."
    )
    cells = [
        _cell("markdown", "task", intro, locked=True),
        _cell("code", f"{function}-solution", solution(function, depth, cut), solution=True),
        _cell(
            "code",
            f"{function}-points",
            _GRADING.format(
                count=recipe.count,
                function=function,
                against=against,
                parameters=given,
                seed=recipe.seed,
                depth=depth,
                cut=cut,
            ),
            grade=True,
            locked=True,
            points=assigned.points,
        ),
    ]
    data = {
        "cells": cells,
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def solution(function: str, depth: int | None = None, cut: str = ">=") -> str:
    """The reference as a student would write it, between nbgrader's marks."""
    deep = depth is not None
    body = (_ALPHABETA if function == "alphabeta" else _MINIMAX).format(
        parameter=", depth" if deep else "",
        argument=", depth" if deep else "",
        less=", depth - 1" if deep else "",
        horizon=_HORIZON if deep else "",
    )
    if cut == ">":
        body = body.replace("best >= beta", "best > beta").replace("best <= alpha", "best < alpha")
    return _SOLUTION.format(function=function, depth=", depth" if deep else "", body=body)


def _cell(
    kind: str,
    name: str,
    source: str,
    *,
    grade: bool = False,
    locked: bool = False,
    solution: bool = False,
    points: float | None = None,
) -> dict[str, Any]:
    about: dict[str, Any] = {
        "schema_version": 3,
        "grade": grade,
        "grade_id": name,
        "locked": locked,
        "solution": solution,
        "task": False,
    }
    if points is not None:
        about["points"] = points
    cell: dict[str, Any] = {
        "id": name,
        "cell_type": kind,
        "metadata": {"nbgrader": about},
        "source": source.splitlines(keepends=True),
    }
    if kind == "code":
        cell |= {"execution_count": None, "outputs": []}
    return cell
