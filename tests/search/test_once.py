"""Any search that is a function ends when another thread wants it to, and returns what it has."""

import threading

import pytest

import gametree as gt
from gametree.games import ChineseCheckers, Ludo, Othello, Pig
from gametree.result import Limit
from gametree.search.once import Once

pytestmark = pytest.mark.interpreted_anyway

ENDLESS: dict[str, gt.Game] = {
    "minimax": Othello(),
    "alphabeta": Othello(),
    "expectiminimax": Pig(),
    "maxn": Ludo(),
    "paranoid": ChineseCheckers(),
    "best-reply": ChineseCheckers(),
    "mtdf": Othello(),
    "sss": Othello(),
    "dual": Othello(),
    "pns": Othello(),
    "dfpn": Othello(),
    "mcts": Othello(),
}
"""None of these games is searched to its end within a lifetime."""
DEEP = Limit(depth=60)
BY_DEPTH = ("minimax", "alphabeta", "mtdf", "sss", "dual")


@pytest.mark.parametrize("method", ENDLESS)
def test_a_search_without_an_end_is_stopped_by_another_thread(method: str) -> None:
    once = Once(ENDLESS[method], method, compile="never", hash_mb=1)
    limit = DEEP if method in BY_DEPTH else Limit(seconds=1e6)
    stopped = threading.Event()

    def stop() -> None:
        while not stopped.wait(0.02):  # a search that has not begun does not hear it
            once.stop()

    thread = threading.Timer(0.1, stop)
    thread.start()
    try:
        found = once.analyze(None, limit)
    finally:
        stopped.set()
        thread.join()
    assert found.stopped_by == "cancelled" and not found.exact


def test_a_wish_ends_with_the_search_that_it_was_for() -> None:
    once = Once(Pig(), "expectiminimax", compile="never")
    once.stop()
    assert once.analyze(None, Limit(depth=2)).stopped_by != "cancelled"
    once.stop()
    assert gt.minimax(gt.games.Nim(5), compile="never").stopped_by != "cancelled"


def test_what_is_found_on_the_way_is_told() -> None:
    depths: list[int | None] = []
    once = Once(Pig(), "expectiminimax", compile="never")
    once.analyze(None, Limit(nodes=5_000), on_progress=lambda so_far: depths.append(so_far.depth))
    assert len(depths) > 1 and depths == sorted(depths, key=lambda depth: depth or 0)


def test_it_is_the_search_of_the_library() -> None:
    pig = Pig(goal=20)
    once = Once(pig, "expectiminimax", compile="never", options={"pruning": "star1"})
    found = once.analyze(None, Limit(depth=3), moves=True)
    same = gt.expectiminimax(pig, depth=3, pruning="star1", moves=True, compile="never")
    assert (found.action, found.values, found.nodes, found.moves) == (
        same.action,
        same.values,
        same.nodes,
        same.moves,
    )


def test_what_a_search_does_not_do_is_refused() -> None:
    with pytest.raises(gt.InputError, match="looks at all actions and gives one line"):
        Once(Pig(), "expectiminimax", compile="never").analyze(None, Limit(depth=1), lines=2)
