"""What a lecture asks: trees to step through, trees that a search looked at, exercises checked at once."""

import json
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest

import gametree as gt
import schemas
from app.serve.program import Program
from gametree.course.exercise import Exercise
from gametree.course.interactive import checked, sheet
from gametree.course.key import right_answers, solve
from gametree.explain.explored import explored
from gametree.explain.traces.trace import trace
from gametree.games.tree.outline import outline

pytestmark = pytest.mark.same_in_all_modes

LECTURE = "[[3,12,8],[2,x,y],[14,5,2]]"


@pytest.fixture(scope="module")
def engine() -> Iterator[Program]:
    program = Program()
    yield program
    assert program.close() == 0
    made = {json.loads(text)["$id"]: json.loads(text) for _, text in schemas.schemas()}
    validator = jsonschema.Draft202012Validator(made["gametree.answer/1"])
    for answer in program.heard:
        validator.validate(answer)


def test_a_tree_comes_with_everything_that_a_page_needs_to_step_through_it(engine: Program) -> None:
    found = engine.ask(1, do="steps", tree=LECTURE)["steps"]
    assert found["method"] == "alphabeta"
    assert found["unknown"] == ["x", "y"]
    assert [node["name"] for node in found["nodes"] if node["kind"] != "leaf"] == ["A", "B", "C", "D"]
    steps = found["steps"]
    assert len(steps["data"]["steps"]) == 31
    assert "<style" not in steps["html"]
    assert "<script" not in steps["html"]
    assert ' style="' not in steps["html"]
    assert ".gt-tree" in steps["style"]


def test_a_tree_that_cannot_be_searched_yet_comes_as_a_picture_with_the_reason(engine: Program) -> None:
    found = engine.ask(1, do="steps", tree="[[x,3],[2,y]]")["steps"]
    assert found["steps"] is None
    assert "x" in found["why"]
    assert "data-key" in found["picture"]["svg"]
    found = engine.ask(1, do="steps", tree="[[x,3],[2,y]]", values={"x": 5})["steps"]
    assert found["steps"] is not None
    found = engine.ask(1, do="steps", tree="[(1,2),(3,4)]", method="alphabeta")["steps"]
    assert "maxn" in found["why"]


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        ({"do": "steps"}, "takes a tree, or a game"),
        ({"do": "steps", "tree": "[3,"}, "a subtree is expected"),
        ({"do": "steps", "tree": "[3,4]", "conventions": {"shape": "round"}}, "no convention 'shape'"),
        ({"do": "steps", "tree": "[3,4]", "conventions": {"cut": "?"}}, "cut='?'"),
        ({"do": "steps", "tree": str([list(range(20))] * 20)}, "more than 300 nodes"),
        ({"do": "explore", "tree": "[3,4]", "method": "mcts"}, "takes a game"),
        ({"do": "explore", "game": "connect-four", "most": 50}, "Give a smaller depth"),
        ({"do": "exercise", "kind": "alphabeta", "branching": "many"}, "a whole number or a range"),
        ({"do": "check", "exercise": {"schema": "x"}, "answers": {}}, "exercise"),
    ],
)
def test_what_cannot_be_done_is_refused_in_words(
    engine: Program, request_: dict[str, Any], words: str
) -> None:
    assert words in engine.ask(1, **request_)["error"]["message"]


def test_the_explored_tree_is_what_alpha_beta_visits() -> None:
    game = gt.games.TicTacToe()
    state = game.parse_state("XOX/.O./..X")
    told = trace(outline(game, state, 3), "alphabeta")
    found = explored(told).portion()
    rows = [dict(zip(found["columns"], row)) for row in found["rows"]]
    seen = sorted((row["order"], number) for number, row in enumerate(rows) if row["state"] == "seen")
    assert [order for order, _ in seen] == list(range(1, len(told.visited) + 1))
    assert found["looked"] == gt.alphabeta(game, state, depth=3).nodes
    paths: list[tuple[int, ...]] = []
    children: dict[int, int] = {}
    for row in rows:
        above = row["parent"]
        paths.append(() if above is None else (*paths[above], children.get(above, 0)))
        if above is not None:
            children[above] = children.get(above, 0) + 1
    assert [paths[number] for _, number in seen] == list(told.visited)
    cut = {path for one in told.cuts for path in one.skipped}
    assert {paths[number] for number, row in enumerate(rows) if row["state"] == "cut"} == cut
    assert len(cut) == found["cut"] > 0
    everything = outline(game, state, 3).size
    assert len(rows) + found["below"] == everything
    for row, path in zip(rows, paths):
        if row["kind"] != "leaf" and row["state"] == "seen":
            assert row["value"] == told.values[path]


def test_nobody_is_ahead_at_the_depth_where_the_rules_do_not_judge(engine: Program) -> None:
    found = engine.ask(1, do="explore", game="nim", depth=2)["explore"]
    assert found["value"] == 0 and found["looked"] > 4


def test_the_tree_of_simulations_can_be_explored(engine: Program) -> None:
    found = engine.ask(1, do="explore", game="nim", method="mcts", simulations=200, depth=2)["explore"]
    rows = [dict(zip(found["columns"], row)) for row in found["rows"]]
    assert rows[0]["visits"] == 200
    below = [row for row in rows if row["parent"] == 0]
    assert sum(row["visits"] for row in below) in (199, 200)
    assert [row["visits"] for row in below] == sorted((row["visits"] for row in below), reverse=True)


def test_an_exercise_comes_without_its_key_and_is_marked_at_once(engine: Program) -> None:
    sheet_ = engine.ask(1, do="exercise", kind="alphabeta", seed=7, depth=2)["exercise"]
    exercise = Exercise.from_dict(sheet_["document"])
    key = solve(exercise)
    assert key.cuts
    assert [one["part"] for one in sheet_["questions"]] == ["values", "move", "leaves", "cuts"]
    text = json.dumps(sheet_)
    for value in key.values:
        assert f'"{value}": {key.values[value]}' not in text
    right = right_answers(exercise, key)
    marks = engine.ask(1, do="check", exercise=sheet_["document"], answers=right)["check"]
    assert (marks["score"], marks["mistake"]) == (sheet_["points"], None)
    solution = engine.ask(1, do="solution", exercise=sheet_["document"])["solution"]
    assert solution["answers"] == json.loads(json.dumps(right))


@pytest.mark.parametrize(
    ("kind", "tree", "answers", "part", "where", "words"),
    [
        (
            "minimax",
            [[3, 12], [2, 4]],
            {"values": {"A": 3, "B": 12, "C": 2}},
            "values",
            "B",
            "the least of 3 and 12: 3",
        ),
        ("minimax", [[3, 12], [2, 4]], {"values": {"A": 3, "C": 9}}, "values", "C", "the least of 2 and 4"),
        ("minimax", [[3, 12], [2, 4]], {"values": {"A": 3, "C": 2}}, "values", "B", "no answer yet"),
        ("minimax", [[3, 12], [2, 4]], {"move": "C"}, "move", "the root", "the greatest of 3 and 2: 3"),
        ("alphabeta", [[3, 12], [2, 4]], {"cuts": []}, "cuts", "C2", "cannot matter"),
        (
            "alphabeta",
            [[3, 12], [2, 4]],
            {"cuts": ["B2 alpha shallow", "C2 alpha shallow"]},
            "cuts",
            "B2",
            "looks at B2",
        ),
        (
            "alphabeta",
            [[3, 12], [2, 4]],
            {"leaves": "B1 B2 C1 C2"},
            "leaves",
            "leaf number 4",
            "cannot matter",
        ),
        (
            "alphabeta",
            [[3, 12], [2, 4]],
            {"leaves": "B1 C1"},
            "leaves",
            "leaf number 2",
            "Another leaf comes before C1",
        ),
        ("alphabeta", [[3, 12], [2, 4]], {"leaves": "B1 B2"}, "leaves", "leaf number 3", "not over there"),
        ("unknown", [[3, "x"], [2, 4]], {"depends": "no"}, "depends", "x", "−∞"),
    ],
)
def test_the_first_mistake_is_explained(
    kind: str, tree: Any, answers: dict[str, Any], part: str, where: str, words: str
) -> None:
    mistake = checked(Exercise(kind, tree), answers)["mistake"]  # type: ignore[arg-type]
    assert mistake is not None
    assert (mistake["part"], mistake["where"]) == (part, where)
    assert words in mistake["sentence"]


def test_the_sheet_names_every_node_of_the_picture() -> None:
    found = sheet(Exercise("alphabeta", [[3, 12], [2, 4]]))
    for node in found["nodes"]:
        assert f'data-key="n{".".join(map(str, node["path"]))}"' in found["picture"]["svg"]
    assert [node["name"] for node in found["nodes"]] == ["A", "B", "B1", "B2", "C", "C1", "C2"]


def paths_of(found: dict[str, Any]) -> dict[tuple[int, ...], dict[str, Any]]:
    """The rows by their places below the root of the portion."""
    paths: list[tuple[int, ...]] = []
    made: dict[tuple[int, ...], dict[str, Any]] = {}
    children: dict[int, int] = {}
    for values in found["rows"]:
        row = dict(zip(found["columns"], values))
        above = row.pop("parent")
        paths.append(() if above is None else (*paths[above], children.get(above, 0)))
        if above is not None:
            children[above] = children.get(above, 0) + 1
        made[paths[-1]] = row
    return made


@pytest.mark.parametrize("method", ["alphabeta", "mcts", "engine"])
def test_portions_make_the_whole_tree(engine: Program, method: str) -> None:
    asked: dict[str, Any] = {
        "do": "explore",
        "game": "tic-tac-toe",
        "method": method,
        "depth": 3,
        "simulations": 150,
    }
    whole = paths_of(engine.ask("all", **asked)["explore"])
    found: dict[tuple[int, ...], dict[str, Any]] = {}
    open_: list[tuple[int, ...]] = [()]
    while open_:
        path = open_.pop()
        part = paths_of(engine.ask(f"p{path}", **asked, path=list(path), rows=40)["explore"])
        below = {(*path, *one): row for one, row in part.items()}
        assert len(part) <= 40 or all(len(one) <= 1 for one in part)
        found |= below
        open_ += [
            one
            for one, row in below.items()
            if row["below"] and row["state"] != "cut" and one != path and (*one, 0) not in below
        ]
    assert {one: {**row, "below": 0} for one, row in found.items()} == {
        one: {**row, "below": 0} for one, row in whole.items()
    }
    assert len(whole) > 50
    assert "leads to no node" in engine.ask("x", **asked, path=[99])["error"]["message"]


@pytest.mark.parametrize("compile", ["never", "auto"])
def test_what_the_engine_remembers_bounds_what_a_new_search_finds(compile: str) -> None:
    game = gt.games.TicTacToe()
    engine = gt.Engine(game, compile=compile, selective=False)
    depth = 5
    engine.analyze(depth=depth)
    met = 0
    level = [game.initial()]
    for plies in range(1, 3):
        level = list({after for state in level for _, _, after in engine.tree.children(state)})
        for state in level:
            entry = engine.tree.entry(state, plies)
            if entry is None or game.is_terminal(state) or entry.bound == "":
                continue
            truth = gt.analyze(game, state, depth=entry.depth, selective=False, compile=compile).values[0]
            met += 1
            assert entry.depth <= depth - plies
            match entry.bound:
                case "exact":
                    assert entry.payoff == truth
                case "lower":
                    assert entry.payoff <= truth
                case "upper":
                    assert entry.payoff >= truth
    assert met > 20


def test_the_engine_explores_games_and_no_written_trees(engine: Program) -> None:
    said = engine.ask(1, do="explore", method="engine", tree="[[1,2],[3,4]]")
    assert "takes a game" in said["error"]["message"]
    assert "chance" in engine.ask(2, do="explore", method="engine", game="pig")["error"]["message"]
