"""An interpreted search answers while machine code is being made."""

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import gametree as gt
from gametree.arena import standby
from gametree.arena.standby import Standby
from gametree.arena.thinking import Wanted, analyze_at_once, consider
from gametree.games import ConnectFour, Hex, TicTacToe
from gametree.result import Analysis, Limit, StoppedBy


class Search:
    """A search that takes as long as its limit, or as long as the test says, or until it is stopped."""

    def __init__(self, mode: str, lasts: float = 60.0):
        self.mode = mode
        self.lasts = lasts
        self.asked: list[Limit] = []
        self._stopped = threading.Event()

    def stop(self) -> None:
        self._stopped.set()

    def analyze(self, limit: Limit) -> Analysis:
        self.asked.append(limit)
        stopped = self._stopped.wait(min(self.lasts, limit.seconds or 60.0))
        self._stopped.clear()
        by: StoppedBy = "cancelled" if stopped else "nodes" if limit.seconds is None else "seconds"
        return Analysis(
            game="Nim", method="test", player=0, action=self.mode, value=None, values=(), line=(), names=(),
            depth=9 if self.mode == "auto" else 2, nodes=1, seconds=0.0, exact=False, stopped_by=by,
        )  # fmt: skip


@pytest.fixture
def compiler() -> Iterator[threading.Event]:
    """A compiler that is done when the test says so."""
    done = threading.Event()
    yield done
    done.set()
    standby.finish()


def pair(compiler: threading.Event, **options: Any) -> tuple[Standby[Search], list[Search]]:
    made: list[Search] = []

    def make(mode: str) -> Search:
        made.append(Search(mode, **options))
        return made[-1]

    return Standby(make, lambda search: compiler.wait(20)), made


def ask(search: Search, limit: Limit) -> Analysis:
    return search.analyze(limit)


def later(seconds: float, what: Callable[[], None]) -> None:
    threading.Timer(seconds, what).start()


def test_within_a_time_the_interpreted_search_answers(compiler: threading.Event) -> None:
    both, _ = pair(compiler)
    begun = time.monotonic()
    assert both.think(ask, Limit(seconds=0.2)).action == "never"
    assert time.monotonic() - begun < 5 and not both.ready


def test_machine_code_takes_over_when_it_is_there_and_gets_what_is_left_of_the_time(
    compiler: threading.Event,
) -> None:
    both, made = pair(compiler, lasts=0.3)
    later(0.1, compiler.set)
    found = both.think(ask, Limit(seconds=20))
    assert found.action == "auto" and both.ready
    compiled = next(search for search in made if search.mode == "auto")
    assert compiled.asked[0].seconds is not None and compiled.asked[0].seconds < 20


def test_whoever_is_done_first_answers_a_limit_by_nodes(compiler: threading.Event) -> None:
    both, _ = pair(compiler, lasts=0.05)
    assert both.think(ask, Limit(nodes=100)).action == "never"


def test_a_slow_search_by_nodes_is_given_up_for_machine_code(compiler: threading.Event) -> None:
    lasts = {"never": 60.0, "auto": 0.0}
    both = Standby(lambda mode: Search(mode, lasts[mode]), lambda search: compiler.wait(20))
    later(0.1, compiler.set)
    assert both.think(ask, Limit(nodes=100)).action == "auto"


def test_machine_code_is_waited_for_where_a_depth_is_asked_for(compiler: threading.Event) -> None:
    both, made = pair(compiler, lasts=0.0)
    later(0.1, compiler.set)
    assert both.think(ask, Limit(depth=3)).action == "auto"
    assert all(not search.asked for search in made if search.mode == "never")


def test_thinking_ends_when_it_is_told_to(compiler: threading.Event) -> None:
    both, _ = pair(compiler)
    later(0.1, both.stop)
    begun = time.monotonic()
    assert both.think(ask, Limit(seconds=50)).action == "never" and time.monotonic() - begun < 10


def test_machine_code_that_is_there_needs_no_other_search(compiler: threading.Event) -> None:
    compiler.set()
    both, made = pair(compiler, lasts=0.0)
    assert both.think(ask, Limit(seconds=1)).action == "auto"
    assert all(not search.asked for search in made if search.mode == "never")


def test_a_compiler_that_fails_is_no_reason_not_to_answer(caplog: pytest.LogCaptureFixture) -> None:
    def broken(search: Search) -> bool:
        raise OSError("no space left on device")

    both = Standby(lambda mode: Search(mode, 0.1), broken)
    assert both.think(ask, Limit(seconds=1)).action == "never"
    assert "no machine code: OSError: no space left on device" in caplog.text
    assert both.ready and both.join()


def test_what_a_search_refuses_is_refused_before_anything_is_compiled() -> None:
    def refuses(mode: str) -> Search:
        raise gt.InputError("no such evaluation")

    both = Standby(refuses, lambda search: True)
    with pytest.raises(gt.InputError, match="no such evaluation"):
        both.think(ask, Limit(seconds=1))
    assert both.join() and not both.ready


# --- the searches themselves ------------------------------------------------------------------------


@pytest.mark.needs_compiler
@pytest.mark.parametrize("game", [TicTacToe(), ConnectFour(), Hex(size=5)], ids=repr)
@pytest.mark.parametrize("nodes", [50, 700])
def test_a_limit_by_nodes_gives_the_same_answer_both_ways(game: gt.Game, nodes: int) -> None:
    wanted = Wanted(game, hash_mb=16, seed=3)
    state, first, *_ = game.initial(), *game.actions(game.initial())
    state = game.result(state, first)
    answers = []
    for mode in ("never", "auto"):
        thinker = wanted.make(wanted.choice(), mode)
        found = consider(thinker, state, Limit(nodes=nodes), None)
        answers.append(
            (found.action, found.nodes, [(move.action, float(move.value)) for move in found.moves])
        )
    assert answers[0] == answers[1]


def test_a_bot_answers_the_same_whether_or_not_machine_code_is_there() -> None:
    game = ConnectFour()
    state = game.parse_state("4453")
    first = gt.Bot(game, level=4, seed=5).move(state)
    standby.finish()
    assert gt.Bot(game, level=4, seed=5).move(state) == first


def test_an_analysis_at_once_is_that_of_analyze() -> None:
    game = TicTacToe()
    heard: list[Analysis] = []
    state = game.parse_state("XX./OO./...")
    found = analyze_at_once(Wanted(game), state, None, moves=True, on_progress=heard.append)
    assert game.name_action(state, found.action) == "c3" and len(found.moves) == 5
    assert (
        found.parameters["why"] == heard[-1].parameters["why"] == "two players, no chance, and an evaluation"
    )


@pytest.mark.needs_compiler
def test_a_module_may_play_while_it_is_being_imported(tmp_path: Path) -> None:
    ten_lines = Path(__file__).parents[1] / "fixtures" / "typed_games" / "nim.py"
    (tmp_path / "program.py").write_text(ten_lines.read_text())
    done = subprocess.run(
        [sys.executable, "-c", "import program"], cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert (done.returncode, done.stdout.split()[-1]) == (0, "1"), done.stderr
