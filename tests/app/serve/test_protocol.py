"""`gametree engine --json`: requests, answers, and what becomes of bad ones."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import gametree as gt
import schemas
from app.conftest import NIM, Run
from app.serve.program import Program
from gametree.documents import MESSAGES
from gametree.games import TicTacToe
from gametree.search.methods import function_of

pytestmark = pytest.mark.same_in_all_modes

OWN = {
    "mynim.py": NIM,
    "late.py": NIM,
    "crash.py": NIM.replace("return (s[0] - a, 1 - s[1])", "import os; os.abort()"),
    "slip.py": NIM.replace("return (s[0] - a, 1 - s[1])", "return (s[0] - a, 1 - s[1], s[5])"),
    "loud.py": NIM.replace("return s[1]\n", "print('hello'); return s[1]\n", 1),
    "script.py": NIM.replace(
        "def initial", "player_names = ('<script>alert(1)</script>', 'O')\n    def initial"
    ),
}


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("own")
    for name, text in OWN.items():
        (folder / name).write_text(text)
    return folder


@pytest.fixture(scope="module")
def engine(own: Path) -> Iterator[Program]:
    program = Program(*OWN, folder=own)
    yield program
    assert program.close() == 0
    # Whatever was said keeps to the schema.
    made = {json.loads(text)["$id"]: json.loads(text) for _, text in schemas.schemas()}
    validator = jsonschema.Draft202012Validator(made["gametree.answer/1"])
    for answer in program.heard:
        validator.validate(answer)


def test_hello_lists_the_games_with_their_parameters(engine: Program) -> None:
    said = engine.ask("h", "hello")
    assert said["protocol"] in MESSAGES and said["version"] == gt.__version__
    games = {one["name"]: one for one in said["games"]}
    assert games.keys() == {*gt.games.names(), "mynim", "late", "crash", "slip", "loud", "script"}
    assert games["connect-four"]["parameters"][0] == {"name": "width", "default": 7}
    assert games["mynim"]["parameters"] == [{"name": "counters", "default": 7}]


def test_hello_names_the_searches_and_who_plays_and_what_judges(engine: Program) -> None:
    said = engine.ask("h", "hello")
    assert said["methods"][0] == "auto" and "mcts" in said["methods"]
    games = {one["name"]: one for one in said["games"]}
    assert games["ludo"]["players"] == 4 and "default" in games["chess"]["evaluations"]


@pytest.mark.parametrize(
    ("game", "moves"),
    [
        ("chess", ["e4", "c5"]),
        ("checkers", ["11-15"]),
        ("tic-tac-toe", ["b2"]),
        ("backgammon", ["1-2"]),
        ("go", ["E5"]),
    ],
)
def test_a_position_comes_back_from_its_notation(engine: Program, game: str, moves: list[str]) -> None:
    there = engine.ask(1, "position", game=game, moves=moves)["position"]
    again = engine.ask(2, "position", game=game, position=there["notation"])["position"]
    assert again["text"] == there["text"] and again["actions"] == there["actions"]


def test_a_position_says_how_much_can_be_won_and_whether_it_can_be_written(engine: Program) -> None:
    assert engine.ask(1, "position", game="backgammon")["position"]["range"] == [-3, 3]
    assert engine.ask(2, "position", game="mynim")["position"]["notation"] is None
    assert engine.ask(3, "position", game="kuhn-poker")["position"]["hides"]
    assert not engine.ask(4, "position", game="nim")["position"]["hides"]


def test_a_position_has_its_board_its_mover_and_its_actions(engine: Program) -> None:
    at = engine.ask(1, "position", game="tic-tac-toe", moves=["b2", "a1"])["position"]
    assert (at["players"], at["mover"], at["last"], at["payoffs"]) == (["X", "O"], 0, "a1", None)
    assert at["board"]["last"] == ["a1"] and len(at["board"]["cells"]) == 9
    assert [one["touches"] for one in at["actions"]] == [[one["name"]] for one in at["actions"]]
    over = engine.ask(2, "position", game="tic-tac-toe", moves=["a1", "a2", "b1", "b2", "c1"])["position"]
    assert (over["mover"], over["payoffs"], over["actions"]) == (None, [1, -1], [])


def test_a_repetition_ends_a_game_of_chess(engine: Program) -> None:
    there_and_back = ["Nf3", "Nf6", "Ng1", "Ng8"]
    at = engine.ask(1, "position", game="chess", moves=there_and_back * 2)["position"]
    assert at["mover"] is None and at["payoffs"] == [0, 0] and "3 times" in at["ended"]


def test_chance_has_outcomes_and_they_are_drawn_by_seed(engine: Program) -> None:
    at = engine.ask(1, "position", game="pig", moves=["roll"])["position"]
    assert at["mover"] == -1
    assert sum(one["probability"] for one in at["actions"]) == pytest.approx(1)
    drawn = [engine.ask(n, "move", game="pig", moves=["roll"], seed=n % 5)["move"] for n in range(10)]
    assert drawn[:5] == drawn[5:] and set(drawn) <= {one["name"] for one in at["actions"]}
    assert len(set(drawn)) > 1


def test_settings_and_a_position_to_begin_from(engine: Program) -> None:
    small = engine.ask(1, "position", game="connect-four", settings={"width": 5, "height": 4})["position"]
    assert len(small["actions"]) == 5
    later = engine.ask(2, "position", game="tic-tac-toe", position="X.O/.X./..O")["position"]
    assert later["mover"] == 0 and len(later["actions"]) == 5


def test_an_analysis_is_that_of_the_library(engine: Program) -> None:
    moves = ["b2", "a1"]
    game = TicTacToe()
    state = game.result(game.result(game.initial(), 4), 6)
    assert game.name_action(game.result(game.initial(), 4), 6) == "a1"
    found = gt.analyze(game, state, depth=9, moves=True).to_dict()
    said = engine.ask(1, "analyze", game="tic-tac-toe", moves=moves, limit={"depth": 9}, values=True)
    answer = said["analysis"]
    for name in ("action", "value", "values", "line", "moves", "depth", "nodes", "exact", "stopped_by"):
        assert answer[name] == found[name], name
    # And once more, whatever the search has remembered.
    again = engine.ask(2, "analyze", game="tic-tac-toe", moves=moves, limit={"depth": 9}, values=True)
    assert again["analysis"]["nodes"] == found["nodes"]


@pytest.mark.parametrize(
    ("game", "method", "more"),
    [
        ("nim", "alphabeta", {"limit": {"depth": 21}}),
        ("nim", "mcts", {"limit": {"nodes": 200}, "seed": 3}),
        ("pig", "expectiminimax", {"limit": {"depth": 3}, "settings": {"goal": 10}}),
        ("mnk", "maxn", {"limit": {"depth": 3}}),
        ("nim", "dfpn", {}),
    ],
)
def test_any_search_by_name(engine: Program, game: str, method: str, more: dict[str, Any]) -> None:
    said = engine.ask(method, "analyze", game=game, method=method, **more)["analysis"]
    rules = gt.games.load(game, **more.get("settings", {}))
    given = {"seed": more["seed"]} if "seed" in more else {}
    limit = gt.Limit(**more["limit"]) if "limit" in more else None
    found = gt.analyze(rules, limit=limit, method=method, **given)
    assert (said["action"], said["nodes"]) == (found.name, found.nodes)
    assert said["values"] == list(found.values)


def test_every_search_says_what_it_can_be_told(engine: Program) -> None:
    found = {one["name"]: one["options"] for one in engine.ask(1, "methods")["methods"]}
    assert list(found) == engine.ask(2, "hello")["methods"][1:]
    fail = {"name": "fail", "kind": "choice", "default": "soft", "choices": ["soft", "hard"]}
    assert fail in found["alphabeta"] and found["minimax"] == []
    assert {"puct", "ucb1"} <= set(
        next(one for one in found["mcts"] if one["name"] == "tree_policy")["choices"]
    )


@pytest.mark.parametrize(
    ("game", "method", "options"),
    [
        ("nim", "alphabeta", {"window": [0, 1], "fail": "hard"}),
        ("nim", "dfpn", {"goal": "draw"}),
        ("mnk", "maxn", {"ties": "paranoid", "pruning": "never"}),
        ("mnk", "paranoid", {"player": 1}),
        ("pig", "expectiminimax", {"pruning": "none"}),
        ("nim", "mtdf", {"guess": 1}),
    ],
)
def test_a_search_is_told_what_it_alone_takes(
    engine: Program, game: str, method: str, options: dict[str, Any]
) -> None:
    more: dict[str, Any] = {"limit": {"depth": 3}} if game != "nim" else {}
    settings = {"pig": {"goal": 10}, "mnk": {"width": 3, "height": 3, "k": 3}}.get(game, {"counters": 6})
    said = engine.ask(1, "analyze", game=game, method=method, options=options, settings=settings, **more)
    rules = gt.games.load(game, **settings)
    limit = gt.Limit(**more["limit"]) if more else gt.Limit(seconds=1)
    given = {name: tuple(one) if isinstance(one, list) else one for name, one in options.items()}
    found = function_of(method)(rules, limit=limit, **given)
    assert (said["analysis"]["action"], said["analysis"]["nodes"]) == (found.name, found.nodes)
    assert said["analysis"]["values"] == list(found.values)


@pytest.mark.parametrize(
    ("method", "options", "why"),
    [
        ("alphabeta", {"depth": 3}, "alphabeta takes window, fail"),
        ("minimax", {"fail": "hard"}, "minimax takes none"),
        ("alphabeta", {"fail": "soon"}, "'soon' is not one of soft, hard"),
        ("alphabeta", {"window": 3}, "two numbers in a list"),
        ("mcts", {"exploration": "much"}, "not a number"),
        ("mcts", {"solver": 1}, "not true or false"),
        ("mcts", {"cutoff": 1.5}, "not a whole number"),
        ("dfpn", {"goal": 3}, "not a text"),
        ("mcts", {"evaluation": "__import__('os')"}, "mcts takes"),
        ("auto", {"fail": "hard"}, "name a method"),
    ],
)
def test_options_that_a_search_does_not_take_are_refused(
    engine: Program, method: str, options: dict[str, Any], why: str
) -> None:
    said = engine.ask(1, "analyze", game="nim", method=method, options=options)
    assert said["error"]["kind"] == "input" and why in said["error"]["message"]


def test_partial_answers_come_before_the_last_one(engine: Program) -> None:
    limit = {"seconds": 1.5}
    engine.send(
        {"id": 1, "do": "analyze", "game": "connect-four", "limit": limit, "report_every": 0.1, "lines": 2}
    )
    said = [engine.next(1)]
    while not said[-1]["done"]:
        said.append(engine.next(1))
    depths = [one["analysis"]["depth"] for one in said]
    assert len(said) > 1 and depths == sorted(depths)
    assert max(len(one["analysis"]["lines"]) for one in said) == 2


def test_an_endless_analysis_ends_when_it_is_cancelled(engine: Program) -> None:
    engine.send({"id": 1, "do": "analyze", "game": "othello", "limit": {}})
    engine.next(1)
    assert engine.ask(2, "cancel", of=1)["cancelled"]
    last = engine.last(1)["analysis"]
    assert last["action"] is not None and last["stopped_by"] == "cancelled"
    assert not engine.ask(3, "cancel", of=1)["cancelled"]
    assert not engine.ask(4, "cancel", of="never made")["cancelled"]


@pytest.mark.parametrize(
    ("game", "method"),
    [("othello", "minimax"), ("pig", "auto"), ("ludo", "auto"), ("nim", "pns")],
)
def test_every_search_ends_when_it_is_cancelled_and_its_worker_stays(
    engine: Program, game: str, method: str
) -> None:
    before = engine.workers()
    settings = {"counters": 5_000} if game == "nim" else {}
    asked = {"game": game, "settings": settings, "method": method, "limit": {}}
    engine.send({"id": 1, "do": "analyze", **asked})
    engine.ask(2, "position", game="tic-tac-toe")
    assert engine.ask(3, "cancel", of=1)["cancelled"]
    engine.last(1)
    for id in (4, 5):  # both workers are free
        assert engine.ask(id, "analyze", game="tic-tac-toe", limit={"depth": 2}, method="minimax")["analysis"]
    assert engine.workers() == before


@pytest.mark.parametrize("game", ["pig", "ludo"])
def test_games_with_dice_tell_what_was_found_on_the_way(engine: Program, game: str) -> None:
    moves = {"pig": ["roll", "3"], "ludo": ["6", "in", "4"]}[game]
    engine.send({"id": 1, "do": "analyze", "game": game, "moves": moves, "limit": {}, "report_every": 0.01})
    said = [engine.next(1) for _ in range(3)]
    assert engine.ask(2, "cancel", of=1)["cancelled"]
    depths = [one["analysis"]["depth"] for one in said]
    assert not any(one["done"] for one in said) and depths == sorted(depths) and depths[-1] > depths[0]
    assert all(one["analysis"]["action"] is not None for one in said)
    engine.last(1)


def test_a_move_at_a_level(engine: Program) -> None:
    said = engine.ask(1, "move", game="tic-tac-toe", position="XX./OO./...", level=9)
    assert said["move"] == "c3"
    over = engine.ask(2, "move", game="tic-tac-toe", position="XXX/OO./...")
    assert over["error"] == {"kind": "input", "message": "the game is over: there is nothing to move"}


def test_a_trace_of_a_tree_and_of_a_game(engine: Program) -> None:
    said = engine.ask(1, "trace", tree="[[3,12,8],[2,4,6],[14,5,2]]")["trace"]
    assert (said["method"], said["value"], len(said["cuts"])) == ("alphabeta", 3, 1)
    game = engine.ask(2, "trace", game="nim", settings={"counters": 4}, method="minimax")["trace"]
    assert game["value"] == -1 and game["method"] == "minimax"
    both = engine.ask(3, "trace", game="nim", tree="[1,2]")
    assert both["error"]["message"] == "trace takes a tree, or a game"


def test_a_game_of_ones_own_and_a_change_of_its_file(engine: Program, own: Path) -> None:
    assert len(engine.ask(1, "position", game="mynim")["position"]["actions"]) == 3
    file = own / "mynim.py"
    file.write_text(NIM.replace("min(3, s[0])", "min(5, s[0])"))
    for n in range(4):  # by every worker
        assert len(engine.ask(n, "position", game="mynim")["position"]["actions"]) == 5


def test_a_file_that_cannot_be_read_now_says_so_and_the_other_games_stay(engine: Program, own: Path) -> None:
    file = own / "late.py"
    engine.ask(1, "hello")  # the program has read its files
    try:
        file.write_text("class Late(:\n")
        games = {one["name"]: one for one in engine.ask(1, "hello")["games"]}
    finally:
        file.write_text(NIM)
    assert "SyntaxError" in games["late"]["summary"] and "late.py:1" in games["late"]["summary"]
    assert "SyntaxError" not in games["mynim"]["summary"] and "chess" in games
    again = {one["name"]: one for one in engine.ask(1, "hello")["games"]}
    assert again["late"]["parameters"] == [{"name": "counters", "default": 7}]


def test_what_rules_print_is_no_answer(engine: Program) -> None:
    assert engine.ask(1, "position", game="loud")["position"]["mover"] == 0


def test_names_are_passed_on_as_they_are(engine: Program) -> None:
    at = engine.ask(1, "position", game="script")["position"]
    assert at["players"][0] == "<script>alert(1)</script>"


def test_a_slip_in_the_rules_is_told_with_its_line(engine: Program) -> None:
    said = engine.ask(1, "analyze", game="slip", limit={"depth": 3})
    assert said["error"]["kind"] == "rules"
    assert "IndexError" in said["error"]["message"] and "slip.py" in said["error"]["message"]


def test_rules_that_end_the_process_are_told_and_the_next_request_is_served(engine: Program) -> None:
    said = engine.ask(1, "analyze", game="crash", limit={"depth": 3})
    assert said["error"]["kind"] == "rules" and "SIGABRT" in said["error"]["message"]
    assert engine.ask(2, "position", game="nim")["position"]["mover"] == 0


@pytest.mark.skipif(sys.platform != "linux", reason="finds the workers in /proc")
def test_what_a_killed_worker_was_doing_is_done_again(engine: Program) -> None:
    for n in range(4):
        engine.send({"id": n, "do": "analyze", "game": "connect-four", "limit": {"seconds": 1}})
    engine.next(0)
    engine.kill_workers()
    for n in range(4):
        assert engine.last(n)["analysis"]["action"] is not None


REFUSED: list[tuple[bytes, str]] = [
    (b"{", "is no JSON"),
    (b"[]", "a request is an object"),
    (b"3", "a request is an object"),
    (b"\xff\xfe", "no UTF-8"),
    (b'{"do":"hello"}', "needs an id"),
    (b'{"id":true,"do":"hello"}', "needs an id"),
    (b'{"id":1.5,"do":"hello"}', "needs an id"),
    (b'{"id":"%s","do":"hello"}' % (b"x" * 101), "needs an id"),
    (b'{"id":1}', "do is None"),
    (b'{"id":1,"do":"dance"}', "it has to be hello, methods, cancel, position"),
    (b'{"id":1,"do":["hello"]}', "do is"),
    (b'{"id":1,"id":2,"do":"hello"}', "stands twice"),
    (b'{"id":1,"do":"position"}', "lacks game"),
    (b'{"id":1,"do":"position","game":3}', "has to be a text"),
    (b'{"id":1,"do":"position","game":"nim","moves":"12"}', "has to be a list"),
    (b'{"id":1,"do":"position","game":"nim","movs":[]}', "'movs' is not known"),
    (b'{"id":1,"do":"analyze","game":"nim","lines":0}', "from 1 to 50"),
    (b'{"id":1,"do":"analyze","game":"nim","limit":{"seconds":-1}}', "at least 0"),
    (b'{"id":1,"do":"analyze","game":"nim","limit":{"seconds":NaN}}', "is no JSON"),
    (b'{"id":1,"do":"analyze","game":"nim","limit":{"hours":1}}', "'hours' is not known"),
    (b'{"id":1,"do":"move","game":"nim","level":11}', "from 1 to 10"),
    (b'{"id":1,"do":"hello","x":"%s"}' % (b"x" * 70_000), "at most 65,536 bytes"),
    (b'{"id":1,"do":"hello","x":' + b"[" * 30_000 + b"]" * 30_000 + b"}", "nested too deeply"),
    (
        b'{"id":1,"do":"analyze","game":"nim","options":{"c":' + b"[" * 960 + b"]" * 960 + b"}}",
        "nested too deeply",
    ),
    (
        b'{"id":1,"do":"analyze","game":"nim","options":{"c":' + b"[" * 99 + b"]" * 99 + b"}}",
        "nested too deeply",
    ),
]


@pytest.mark.parametrize(("line", "words"), REFUSED, ids=range(len(REFUSED)))
def test_a_line_that_is_no_request_gets_a_message(engine: Program, line: bytes, words: str) -> None:
    known = len(engine.heard)
    engine.send(line)
    engine.ask("after", "position", game="nim")
    errors = [one["error"] for one in engine.heard[known:] if "error" in one]
    assert len(errors) == 1 and errors[0]["kind"] == "message" and words in errors[0]["message"]


def test_a_line_may_be_nested_a_hundred_levels_deep(engine: Program) -> None:
    deep: Any = 1
    for _ in range(98):
        deep = [deep]
    said = engine.ask(1, "analyze", game="nim", method="mcts", options={"sea": deep})
    assert said["error"]["kind"] == "input"


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        ({"do": "position", "game": "nimm"}, "there is no game 'nimm'"),
        ({"do": "position", "game": "/etc/passwd"}, "there is no game"),
        ({"do": "position", "game": "mynim.py"}, "there is no game"),
        ({"do": "position", "game": "nim", "moves": ["9"]}, "move 1:"),
        ({"do": "position", "game": "nim", "settings": {"width": 3}}, "has no parameter 'width'"),
        ({"do": "position", "game": "nim", "position": "x"}, "is no position of Nim"),
        ({"do": "analyze", "game": "nim", "method": "magic"}, "there is no search 'magic'"),
        ({"do": "analyze", "game": "nim", "options": {"c": 1}}, "auto takes none"),
        ({"do": "analyze", "game": "nim", "method": "mcts", "options": {"sea": 1}}, "sea"),
        ({"do": "analyze", "game": "backgammon", "method": "alphabeta"}, "chance"),
        ({"do": "analyze", "game": "nim", "evaluation": "good"}, "good"),
        ({"do": "trace", "tree": "[[1,2"}, "not closed"),
        ({"do": "trace", "game": "chess", "depth": 4}, "nodes"),
    ],
)
def test_what_cannot_be_done_is_refused_in_words(
    engine: Program, request_: dict[str, Any], words: str
) -> None:
    said = engine.ask(1, **request_)
    assert said["error"]["kind"] == "input" and words in said["error"]["message"]


def test_an_id_that_is_in_use_is_refused(engine: Program) -> None:
    engine.send({"id": 1, "do": "analyze", "game": "othello", "limit": {}})
    engine.next(1)
    engine.send(b'{"id":1,"do":"hello"}')
    while "error" not in (said := engine.next(1)):
        pass
    assert "under way" in said["error"]["message"]
    for other in ("1", chr(0xD83D)):  # the text "1" is another id, and half a surrogate pair is one
        assert engine.ask(other, "position", game="nim")["position"]["mover"] == 0
    assert engine.ask(2, "cancel", of=1)["cancelled"]
    engine.last(1)


def test_the_lines_of_a_pipe_are_answered_to_the_last() -> None:
    program = Program()
    for n in range(20):
        program.send({"id": n, "do": "position", "game": "nim"})
    program.send({"id": "a", "do": "analyze", "game": "nim", "limit": {"seconds": 0.2}})
    assert program.close() == 0
    done = [repr(one["id"]) for one in program.heard if one["done"]]
    assert sorted(done) == sorted([*map(repr, range(20)), "'a'"])


def test_the_command_line_refuses_what_it_does_not_speak(run: Run, folder: Path) -> None:
    assert "add --json" in run("engine").refusal
    assert "does not exist" in run("engine", "--json", "nowhere.py").refusal
    for command in (("engine", "--json"), ("serve", "--no-open")):
        said = run(*command, "a/game.py", "b/game.py").refusal
        assert said == "a/game.py and b/game.py are both called game: rename one of them"
    assert "--workers" in run("engine", "--json", "--workers", "1").refusal
