"""What is written as JSON, by the name of its schema, and how JSON is read."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_type_hints

import jsonschema
import pytest

import gametree as gt
import schemas
from arena.match_players import Expert
from gametree.arena import calibration
from gametree.arena.match import match
from gametree.arena.openings import Opening
from gametree.arena.schedule import KINDS
from gametree.arena.sprt import Sprt
from gametree.course.answers import Answers
from gametree.course.exercise import POSSIBLE, Exercise
from gametree.course.generation import make
from gametree.course.grading import grade
from gametree.course.key import answer_file, key_file, right_answers
from gametree.course.programs.judging import check_here
from gametree.course.recipe import Recipe
from gametree.documents import DOCUMENTS, MESSAGES
from gametree.documents.matches import RoundDocument
from gametree.documents.searching import AnalysisDocument
from gametree.documents.teaching import GivenParts
from gametree.errors import InputError
from gametree.explain import trace, why
from gametree.explain.traces.serialization import data as trace_data
from gametree.games import Nim, TicTacToe
from gametree.reading import mismatch, parse, text_of
from gametree.search.solve.best_response import best_response
from gametree.search.solve.strategy import strategy
from gametree.search.solve.verify import verify

pytestmark = pytest.mark.same_in_all_modes

LECTURE: Any = [[3, 12, 8], [2, "x", "y"], [14, 5, 2]]
NIM = Nim(counters=6)


def exercises() -> list[Exercise]:
    return [make(Recipe(kind=kind, depth=2, parts=parts), 3, "Zoë") for kind, parts in POSSIBLE.items()]


def match_header(folder: Path) -> Any:
    first = [Opening((1,), ("1",), 0.0)]
    match(Nim(21), Expert(), Expert(), games=2, openings=first, results=folder / "match.jsonl")
    return json.loads((folder / "match.jsonl").read_text().splitlines()[0])


def perft_header(folder: Path) -> Any:
    gt.perft(NIM, 2, results=folder / "perft.jsonl")
    return json.loads((folder / "perft.jsonl").read_text().splitlines()[0])


def tuning(match_games: int, results: Path | None = None) -> gt.Tuning:
    by = "mcts:simulations=2,compile=never"
    return gt.tune(NIM, "mcts:exploration=1.4", player=by, games=4, match_games=match_games, results=results)


def tune_header(folder: Path) -> Any:
    tuning(0, folder / "tune.jsonl")
    return json.loads((folder / "tune.jsonl").read_text().splitlines()[0])


WRITERS: dict[str, Callable[[], list[Any]]] = {
    "gametree.analysis/1": lambda: [gt.alphabeta(NIM, compile="never", moves=True).to_dict()],
    "gametree.answers/1": lambda: [answer_file(one, right_answers(one), "Ann") for one in exercises()],
    "gametree.check/1": lambda: [gt.check(NIM, compile="never").to_dict(), gt.check(Wrong()).to_dict()],
    "gametree.code-grades/1": lambda: [
        check_here(lambda game, state: (3, 0), gt.Tree([[3, 12], [2, 4]]), [0]).to_dict()
    ],
    "gametree.levels/1": lambda: [calibration.document(NIM, calibration.GENERAL, 1.0)],
    "gametree.equilibrium/1": lambda: [
        gt.cfr(gt.games.Kuhn(), iterations=20, compile="never").to_dict(),
        gt.cfr(gt.games.Kuhn(3), iterations=20, compile="never").to_dict(),
    ],
    "gametree.exercise/1": lambda: [one.to_dict() for one in exercises()],
    "gametree.exploitability/1": lambda: [
        gt.exploitability(gt.games.Kuhn(), gt.Profile.uniform(gt.games.Kuhn()), exact=exact).to_dict()
        for exact in (False, True)
    ],
    "gametree.grades/1": lambda: [
        grade(one, Answers(one.id, "Ann", given)).to_dict()
        for one in exercises()
        for given in (right_answers(one), {"move": "Z", "threshold": 0})
    ],
    "gametree.key/1": lambda: [key_file(one) for one in exercises()],
    "gametree.tuning/1": lambda: [tuning(match_games).to_dict() for match_games in (0, 2)],
    "gametree.match-result/1": lambda: (
        [
            match(NIM, Expert(), Expert(), games=2, openings="start", sprt=test).to_dict()
            for test in (None, Sprt(0, 5))
        ]
        + [match(gt.games.load("ludo"), "random", "random", games=6).to_dict()]
    ),
    "gametree.profile/1": lambda: [gt.Profile.uniform(gt.games.Kuhn()).to_dict()],
    "gametree.response/1": lambda: [
        best_response(NIM, lambda state: next(iter(NIM.actions(state)))).to_dict()
    ],
    "gametree.solution/1": lambda: [gt.solve(game, compile="never").to_dict() for game in (NIM, TicTacToe())],
    "gametree.strategy/1": lambda: [strategy(NIM).to_dict()],
    "gametree.tournament-result/1": lambda: [
        gt.tournament(NIM, Expert(), "random", "random", kind=kind, rounds=2, openings="start").to_dict()
        for kind in KINDS
    ],
    "gametree.trace/1": lambda: [
        trace_data(trace(LECTURE)),
        trace_data(trace([gt.Chance([(0.5, 1), (0.5, 3)]), 2], "expectiminimax")),
        trace_data(trace([[(4, 3, 2), (7, 4, 1)], [(1, 5, 2), (7, 7, 1)]], "maxn")),
    ],
    "gametree.verification/1": lambda: [verify(strategy(NIM)).to_dict()],
    "gametree.why/1": lambda: [
        why(NIM, compile="never").to_dict(),
        why(NIM, None, 1, compile="never").to_dict(),
    ],
}


class Wrong(Nim):
    def utility(self, state: Any, player: int) -> float:
        return 2.0


def test_every_schema_that_is_named_is_described() -> None:
    source = Path(gt.__file__).parent
    named = {
        name
        for file in source.rglob("*.py")
        for name in re.findall(r'"(gametree\.[a-z-]+/\d+)"', file.read_text(encoding="utf-8"))
    }
    assert named == DOCUMENTS.keys() | MESSAGES.keys()
    assert DOCUMENTS.keys() == {*WRITERS, "gametree.match/2", "gametree.perft/1", "gametree.tune/1"}
    for name, document in DOCUMENTS.items():
        assert mismatch(name, get_type_hints(document)["schema"]) == ""


@pytest.mark.parametrize(("file", "text"), [pytest.param(*one, id=one[0].name) for one in schemas.schemas()])
def test_the_schemas_are_made_from_the_documents(file: Path, text: str) -> None:
    assert file.read_text(encoding="utf-8") == text, "run: python tests/schemas.py --write"
    jsonschema.Draft202012Validator.check_schema(json.loads(text))


def test_there_are_no_other_schemas() -> None:
    assert sorted(schemas.FOLDER.iterdir()) == sorted(file for file, _ in schemas.schemas())


@pytest.mark.parametrize("name", WRITERS)
def test_what_is_written_keeps_to_its_schema(name: str) -> None:
    for data in WRITERS[name]():
        keeps(json.loads(json.dumps(data, allow_nan=False)), name)


def test_a_file_of_match_results_keeps_to_its_schema(tmp_path: Path) -> None:
    keeps(match_header(tmp_path), "gametree.match/2")
    keeps(perft_header(tmp_path), "gametree.perft/1")
    keeps(tune_header(tmp_path), "gametree.tune/1")
    one = json.loads((tmp_path / "match.jsonl").read_text().splitlines()[1])
    assert one.pop("task") and not mismatch(one, RoundDocument)


def keeps(data: Any, name: str) -> None:
    made = {json.loads(text)["$id"]: json.loads(text) for _, text in schemas.schemas()}
    jsonschema.Draft202012Validator(made[name]).validate(data)
    assert data["schema"] == name and mismatch(data, DOCUMENTS[name]) == ""
    # A schema that lets everything through would describe nothing.
    for key in data:
        if key in DOCUMENTS[name].__required_keys__:
            less = {other: data[other] for other in data if other != key}
            assert mismatch(less, DOCUMENTS[name], "it") == f"it lacks {key}"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**data, "surplus": 1}, made[name])


# --- reading ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"a": 1, "a": 2}', 'it: "a" stands twice in one object'),
        ('{"a": {"b": 1, "b": 1}}', 'it: "b" stands twice in one object'),
        ("[NaN]", "it: NaN is no JSON"),
        ("-Infinity", "it: -Infinity is no JSON"),
        ("1" * 10_000, "it: a number has too many digits"),
        ("[" * 100_000, "it: objects and lists are nested too deeply"),
        ("[1,", "it is no JSON: Expecting value in line 1, column 4"),
        ("", "it is no JSON: Expecting value in line 1, column 1"),
    ],
)
def test_json_is_read_strictly(text: str, words: str) -> None:
    with pytest.raises(InputError) as refused:
        parse(text, "it")
    assert str(refused.value).startswith(words)


def test_a_file_that_is_no_text_or_too_large_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    with pytest.raises(InputError, match=r"a\.json cannot be read"):
        text_of(file, 10, "file of answers")
    file.write_bytes(b'"\xff"')
    with pytest.raises(InputError, match=r"a\.json is no UTF-8 text \(byte 2\)"):
        text_of(file, 10, "file of answers")
    file.write_bytes(b'"aaaaaaaaaaaaaa"')
    with pytest.raises(InputError, match="has more than 10 bytes: that is no file of answers"):
        text_of(file, 10, "file of answers")
    file.write_bytes(b'\xef\xbb\xbf"a"')
    assert parse(text_of(file, 10, "file of answers")) == "a"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"nodes": True}, "nodes of it is True: it has to be a whole number of at least 0"),
        ({"nodes": 1.0}, "nodes of it is 1.0: it has to be a whole number of at least 0"),
        ({"nodes": -1}, "nodes of it is -1: it has to be a whole number of at least 0"),
        ({"table_fill": 1.5}, "table_fill of it is 1.5: it has to be a number from 0 to 1 or null"),
        ({"exact": 1}, "exact of it is 1: it has to be true or false"),
        ({"game": None}, "game of it is None: it has to be a text"),
        ({"line": "b2"}, "line of it is 'b2': it has to be a list"),
        ({"line": ["b2", 3]}, "entry 2 of line of it is 3: it has to be a text"),
        ({"bound": "about"}, 'bound of it is \'about\': it has to be "exact", "lower" or "upper"'),
        ({"value": {"payoff": 1, "outcome": None, "plies": 3}}, "value of it is {"),
        ({"values": [10**400]}, "entry 1 of values of it is 1000"),
        ({"parameters": []}, "parameters of it is []: it has to be an object"),
        ({"moves": [{}]}, "entry 1 of moves of it lacks action"),
    ],
)
def test_data_of_the_wrong_kind_is_told_by_its_place(change: Any, words: str) -> None:
    data = gt.alphabeta(NIM, compile="never").to_dict()
    assert mismatch(data, AnalysisDocument, "it") == ""
    assert mismatch({**data, **change}, AnalysisDocument, "it").startswith(words)


def test_parts_that_may_be_left_out_are_checked_where_they_are_there() -> None:
    assert mismatch({}, GivenParts) == ""
    assert mismatch({"values": {"A": [4, 3, "2"], "B": "–"}}, GivenParts) == ""
    assert mismatch({"values": {"A": None}}, GivenParts, "it").startswith("A of values of it is None")
    assert mismatch([], GivenParts, "it") == "it is []: it has to be an object"
