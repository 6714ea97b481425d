"""A search can be ended, followed, restricted and continued, from wherever its user happens to be."""

import functools
import random
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable
from typing import Any

import pytest

import gametree as gt
import oracle
from fixtures.graphs import cycles, forest
from gametree.compiled import native
from gametree.errors import InputError
from gametree.kernel.clock import BY_CLOCK
from gametree.search.analyze import Engine
from gametree.search.core import memory
from gametree.search.core.runner import Run
from gametree.search.core.stopwatch import execute
from gametree.search.engine.profiles import GENERAL, ROOT
from gametree.search.textbook import minimax

MODES = ["never"] if native.unavailable() else ["never", "always"]
ENDLESS = gt.Limit()


@pytest.fixture(params=MODES)
def engine(request: pytest.FixtureRequest) -> Engine:
    return Engine(gt.games.load("connect-four"), compile=request.param, hash_mb=1)


def legal(engine: Engine) -> list[Any]:
    return list(engine.game.actions(engine.game.initial()))


class Background:
    """A search on another thread, without a limit; `under_way` is set when its first depth is done."""

    def __init__(self, engine: Engine):
        self.found: gt.Analysis | None = None
        self.trouble: BaseException | None = None
        self.under_way = threading.Event()
        self._engine = engine
        self._thread = threading.Thread(target=self._search, daemon=True)
        self._thread.start()
        assert self.under_way.wait(120)

    def _search(self) -> None:
        try:
            self.found = self._engine.analyze(limit=ENDLESS, on_progress=lambda found: self.under_way.set())
        except BaseException as error:
            self.trouble = error
        self.under_way.set()

    def result(self) -> gt.Analysis:
        self._thread.join(60)
        assert not self._thread.is_alive()
        assert self.trouble is None
        assert self.found is not None
        return self.found


# --- stop ---------------------------------------------------------------------------------------------


def test_stopped_from_another_thread_it_returns_what_it_has(engine: Engine) -> None:
    search = Background(engine)
    engine.stop()
    found = search.result()
    assert found.stopped_by == "cancelled"
    assert found.action in legal(engine)
    assert not found.exact


def test_stopped_after_a_while_it_counts_as_out_of_time(engine: Engine) -> None:
    search = Background(engine)
    engine.stop(after=0.02)
    found = search.result()
    assert found.stopped_by == "seconds"
    assert found.action in legal(engine)


def test_the_latest_wish_to_stop_counts(engine: Engine) -> None:
    search = Background(engine)
    engine.stop(after=3600)
    engine.stop(after=0.02)
    assert search.result().stopped_by == "seconds"


def test_a_wish_to_stop_ends_with_its_search(engine: Engine) -> None:
    search = Background(engine)
    engine.stop(after=0.5)
    engine.stop()
    search.result()
    found = engine.analyze(limit=gt.Limit(depth=3))
    assert found.stopped_by == "depth"


def test_a_listener_may_stop_the_search(engine: Engine) -> None:
    depths: list[Any] = []

    def listen(found: gt.Analysis) -> None:
        depths.append(found.depth)
        if len(depths) == 3:
            engine.stop()

    found = engine.analyze(limit=ENDLESS, on_progress=listen)
    assert depths == [1, 2, 3]
    assert (found.depth, found.stopped_by) == (3, "cancelled")
    assert found.action in legal(engine)


def test_where_nothing_is_searched_stopping_does_nothing(engine: Engine) -> None:
    engine.stop()
    engine.stop(after=0.001)
    assert engine.analyze(limit=gt.Limit(depth=2)).stopped_by == "depth"


def test_stopped_before_it_was_under_way_it_stops_at_once(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the rules are being compiled, nothing is searched yet; a wish to stop is not forgotten."""
    entered, go_on = threading.Event(), threading.Event()
    begin: Callable[[gt.Limit], None] = engine._knowledge.begin

    def slowly(limit: gt.Limit) -> None:
        entered.set()
        assert go_on.wait(60)
        begin(limit)

    monkeypatch.setattr(engine._knowledge, "begin", slowly)
    found: list[gt.Analysis] = []
    thread = threading.Thread(
        target=lambda: found.append(engine.analyze(limit=gt.Limit(nodes=10**9))), daemon=True
    )
    thread.start()
    assert entered.wait(60)
    engine.stop()
    go_on.set()
    thread.join(60)
    assert not thread.is_alive()
    assert found[0].stopped_by == "cancelled"
    assert found[0].action in legal(engine)


@pytest.mark.needs_compiler
def test_the_kernel_looks_at_the_clock_itself() -> None:
    """With few nodes a search runs in place, and nobody else keeps its clock."""
    game = gt.games.load("connect-four")
    most = 200_000_000
    for compile in MODES:
        run = Run(minimax.value, game, gt.Limit(seconds=0.05, nodes=most, depth=30), compile)
        execute(run, functools.partial(run.call, game.initial(), 30, run.clock, run.path), few=True)
        assert run.stopped == BY_CLOCK
        assert 0 < run.nodes < most


@pytest.mark.skipif(bool(native.unavailable()), reason="interpreted searches have no block of memory")
def test_what_a_table_took_is_given_back() -> None:
    block = memory.block(memory.WORTH_A_THREAD)
    pages = weakref.ref(block.base.obj)
    assert pages() is not None
    del block
    for _ in range(1000):
        if pages() is None:
            break
        time.sleep(0.01)
    assert pages() is None


@pytest.mark.skipif(bool(native.unavailable()), reason="interpreted searches have no block of memory")
def test_memory_that_lives_as_long_as_the_program_does_not_keep_it_from_ending() -> None:
    program = """
from gametree.search.core import memory
class Ring: pass
ring = Ring()
ring.ring, ring.block = ring, memory.block(memory.WORTH_A_THREAD)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


def test_two_threads_stop_together() -> None:
    engine = Engine(gt.games.load("connect-four"), threads=2, hash_mb=1)
    search = Background(engine)
    engine.stop()
    assert search.result().stopped_by == "cancelled"
    assert not [t for t in threading.enumerate() if t.name == "gametree search" and t.is_alive()]


@pytest.mark.parametrize("profile", [GENERAL, GENERAL | ROOT], ids=["by itself", "by the kernel"])
def test_what_a_search_stopped_within_a_depth_claims_is_true(profile: int) -> None:
    """Its action is as good as the best of the last finished depth, its value a bound; both as plain minimax has it."""
    trees = 6 if MODES[-1] == "always" else 1
    game = forest(72, trees, levels=8, branching=4)
    stopped_within = 0
    for root in range(trees):
        engine = Engine(game, hash_mb=0.1, selective=False, compile=MODES[-1], profile=profile)
        finished: list[gt.Analysis] = []
        whole = engine.analyze(root, depth=7, on_progress=finished.append)
        sign = 1 if game.player(root) == 0 else -1
        rng = random.Random(root)
        for nodes in sorted(rng.randrange(1, whole.nodes) for _ in range(40)):
            engine.clear()
            found = engine.analyze(root, gt.Limit(nodes=nodes, depth=7))
            before = [other for other in finished if other.nodes <= nodes]
            if not before or found.value is None:
                continue
            assert found.depth is not None
            worth = {
                action: sign * oracle.score_to_depth(game, game.result(root, action), found.depth - 1)
                for action in game.actions(root)
            }
            claimed = sign * oracle.score_of(found.value, found.player)
            if found.bound == "exact":
                assert claimed == oracle.one_ply_farther(max(worth.values()))
            else:
                stopped_within += 1
                assert found.bound == "lower"
                assert claimed <= oracle.one_ply_farther(worth[found.action])
                assert worth[found.action] >= worth[before[-1].action]
    assert stopped_within > 0 or trees == 1


def test_lines_that_are_stopped_are_distinct_and_the_best_comes_first() -> None:
    game = forest(73, 3, levels=8, branching=4)
    for root in range(3):
        engine = Engine(game, hash_mb=0.1, compile="never")
        for nodes in (5, 20, 80, 150, 300, 700, 1500):
            engine.clear()
            found = engine.analyze(root, gt.Limit(nodes=nodes, depth=7), lines=3)
            actions = [move.action for move in found.lines]
            assert len(set(actions)) == len(actions)
            assert found.action == (actions[0] if actions else found.action)


# --- one search at a time ------------------------------------------------------------------------------


def test_a_search_under_way_refuses_another_one(engine: Engine) -> None:
    search = Background(engine)
    try:
        with pytest.raises(InputError, match=r"thinking.*stop\(\)"):
            engine.analyze(limit=gt.Limit(depth=1))
        with pytest.raises(InputError, match="thinking"):
            engine.clear()
        before = engine.hash_mb
        with pytest.raises(InputError, match="thinking"):
            engine.resize(before * 2)
        assert engine.hash_mb == before
    finally:
        engine.stop()
        search.result()
    assert engine.analyze(limit=gt.Limit(depth=1)).action in legal(engine)


# --- ponder ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("compile", MODES)
def test_what_was_pondered_helps_the_search_that_follows(compile: str) -> None:
    game = forest(74, 8, levels=8, branching=4)
    engine = Engine(game, compile=compile, hash_mb=1)
    alone = {root: engine.analyze(root, gt.Limit(depth=7)).nodes for root in range(8)}
    root = max(alone, key=lambda root: alone[root])
    assert alone[root] > 200
    engine.clear()
    engine.ponder(root)
    while engine._watch is not None:  # such a small tree is pondered to its end
        time.sleep(0.01)
    found = engine.analyze(root, gt.Limit(depth=7))
    assert found.exact
    assert found.nodes < alone[root]


def test_pondering_ends_where_the_user_asks_for_something_else(engine: Engine) -> None:
    engine.ponder()
    engine.ponder(engine.game.result(engine.game.initial(), legal(engine)[0]))
    engine.clear()
    engine.ponder()
    engine.resize(0.5)
    assert engine.hash_mb == 0.5
    engine.ponder()
    engine.stop()
    assert engine.analyze(limit=gt.Limit(depth=2)).action in legal(engine)


def test_pondering_where_the_game_is_over_is_nothing() -> None:
    engine = Engine(gt.games.load("nim"), compile="never")
    state = engine.game.initial()
    while not engine.game.is_terminal(state):
        state = engine.game.result(state, next(iter(engine.game.actions(state))))
    engine.ponder(state)
    assert engine.analyze(state).action is None


# --- some actions only, several lines ----------------------------------------------------------------------


def test_only_the_given_actions_are_looked_at(engine: Engine) -> None:
    for only in ([0], [6, 1], (2, 2, 5)):
        found = engine.analyze(limit=gt.Limit(depth=4), actions=only)
        assert found.action in only
        every = engine.analyze(limit=gt.Limit(depth=4), actions=only, moves=True)
        assert {move.action for move in every.moves} == set(only)
        several = engine.analyze(limit=gt.Limit(depth=4), actions=only, lines=5)
        assert {move.action for move in several.lines} == set(only)


def test_stopped_before_anything_is_known_it_names_one_of_the_given_actions(engine: Engine) -> None:
    found = engine.analyze(limit=gt.Limit(nodes=1), actions=[4, 5])
    assert found.action in (4, 5)


def test_actions_that_are_none_are_refused(engine: Engine) -> None:
    with pytest.raises(InputError, match="not a legal action"):
        engine.analyze(limit=gt.Limit(depth=2), actions=[0, 99])
    with pytest.raises(InputError, match="at least one action"):
        engine.analyze(limit=gt.Limit(depth=2), actions=[])


@pytest.mark.parametrize("lines", [0, -1, 1.5, True, "two"])
def test_a_number_of_lines_that_is_none_is_refused(lines: Any) -> None:
    with pytest.raises(InputError, match="lines"):
        Engine(gt.games.load("nim"), compile="never").analyze(lines=lines)


@pytest.mark.parametrize("threads", [1, 2])
def test_several_lines_are_the_best_of_the_separate_searches(threads: int) -> None:
    compile = MODES[-1]
    for game in (forest(71, 40, branching=4), cycles(71, 40, branching=4)):
        engine = Engine(game, hash_mb=0.1, selective=False, compile=compile, threads=threads)
        for root in (node for node in range(40) if not game.is_terminal(node)):
            found = engine.analyze(root, depth=5, lines=3)
            apart = [engine.analyze(root, depth=5, actions=[a]).value for a in game.actions(root)]
            best = sorted((value for value in apart if value is not None), reverse=True)[:3]
            assert [move.value for move in found.lines] == best, root
            assert len({move.action for move in found.lines}) == len(best)
            assert all(move.line[0] == move.action for move in found.lines)
            assert found.lines[0].line == found.line
            assert found.lines[0].action == found.action


# --- continuing ----------------------------------------------------------------------------------------------


def test_after_a_move_the_kept_table_makes_the_next_search_smaller(engine: Engine) -> None:
    """Not each of them, for a table also changes the order; but all together."""
    game = engine.game
    depth = 10 if engine._compile == "always" else 8
    state, kept, anew = game.initial(), 0, 0
    for number in range(6):
        engine.clear()
        after = game.result(state, engine.analyze(state, gt.Limit(depth=depth)).action)
        kept += engine.analyze(after, gt.Limit(depth=depth - 1)).nodes
        engine.clear()
        anew += engine.analyze(after, gt.Limit(depth=depth - 1)).nodes
        state = game.result(state, legal(engine)[number])
    assert kept < 0.9 * anew
