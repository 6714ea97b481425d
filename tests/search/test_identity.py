"""One fingerprint of a game: rules, parameters and arrays."""

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gametree as gt
from gametree.games import ConnectFour, Nim
from gametree.search.core.identity import Identity, code_digest, digest, fingerprint

pytestmark = pytest.mark.same_in_all_modes


class Coins(gt.Game):
    """Take a coin from an end of the row."""

    kinds = ("left", "right")

    def __init__(self, row: Any = (8, 15, 3, 7)):
        self.row = row

    def initial(self) -> Any:
        return (0, 4, 0)

    def player(self, state: Any) -> int:
        return int(state[2])

    def actions(self, state: Any) -> Iterable[int]:
        return (0, 1)

    def result(self, state: Any, action: int) -> Any:
        return (state[0] + (action == 0), state[1] - (action == 1), 1 - state[2])

    def is_terminal(self, state: Any) -> bool:
        return bool(state[0] == state[1])

    def utility(self, state: Any, player: int) -> float:
        return 0


def test_games_that_are_written_alike_are_told_apart_by_their_parameters() -> None:
    one, other = Coins((1, 100, 1, 1)), Coins((8, 15, 3, 7))
    assert repr(one) == repr(other) and fingerprint(one) != fingerprint(other)
    assert Identity.of(one).difference(Identity.of(other)) == (
        "the parameters are others, though the game is written alike"
    )
    assert fingerprint(Coins((1, 2))) == fingerprint(Coins((1, 2)))


def test_trees_that_are_written_alike_are_told_apart() -> None:
    assert fingerprint(gt.Tree([[3, 12], [2, 4]])) != fingerprint(gt.Tree([[3, 12], [2, 5]]))
    assert fingerprint(gt.Tree([[3, 12], [2, 4]])) == fingerprint(gt.Tree([[3, 12], [2, 4]]))


def test_the_contents_of_arrays_count() -> None:
    one, other = Coins(np.array([1, 2])), Coins(np.array([1, 3]))
    assert fingerprint(one) != fingerprint(other)
    before = fingerprint(one)
    one.row[0] = 7
    assert fingerprint(one) != before


def test_other_rules_are_another_game() -> None:
    changed = type("Coins", (Coins,), {"utility": lambda self, state, player: 1})
    same = Identity.of(Coins())
    assert same.difference(Identity.of(changed())) == "the rules are others: their code has changed"
    assert same.difference(Identity.of(Nim())).startswith("it is Nim(")
    assert same.difference(Identity.of(Coins())) == ""


def test_what_the_rules_reach_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    before = code_digest(Reaching)
    monkeypatch.setattr(sys.modules[__name__], "reached", lambda: 2)
    assert code_digest(Reaching) != before


def reached() -> int:
    return 1


class Reaching(Coins):
    def utility(self, state: Any, player: int) -> float:
        return reached()


class Holder:
    def __init__(self, value: Any):
        self.value = value


def test_objects_count_by_what_they_hold_and_not_by_their_address() -> None:
    assert digest(Holder(3)) == digest(Holder(3)) != digest(Holder(4))
    assert digest(lambda x: x + 1) != digest(lambda x: x + 2)
    assert digest((lambda n: lambda: n)(1)) != digest((lambda n: lambda: n)(2))
    assert digest({"a": {1, 2}}) == digest({"a": {2, 1}}) != digest({"a": [1, 2]})
    circle: list[Any] = [1]
    circle.append(circle)
    again: list[Any] = [1]
    again.append(again)
    assert digest(circle) == digest(again)


def test_it_is_the_same_in_every_process() -> None:
    """Texts are hashed differently in every process; sets of texts are written in another order."""
    script = (
        "import gametree as gt, sys; sys.path.insert(0, sys.argv[1]); import test_identity as t\n"
        "from gametree.search.core.identity import fingerprint\n"
        "games = (gt.games.ConnectFour(), gt.games.Chess(), gt.games.Ludo(), t.Coins())\n"
        "print(*map(fingerprint, games), gt.games.ConnectFour() and t.code_digest(t.worded))"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", script, str(Path(__file__).parent)],
            env={"PYTHONHASHSEED": seed, "PATH": "", "PYTHONPATH": str(Path(gt.__file__).parents[1])},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(said) == 1 and fingerprint(ConnectFour()) in said.pop()


def worded(text: str) -> bool:
    return text in {"draw", "loss", "win", "forbid"}
