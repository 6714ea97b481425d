"""Rules as people write them: most compile as they stand, and then play as they do interpreted."""

import importlib.util
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import idioms.idioms
from gametree import CompileError, Game, alphabeta, expectiminimax
from gametree.game import offers
from idioms.idioms import IDIOMS

SLOW = pytest.mark.slow
FEW = ("stones", "col", "dots_and_boxes", "kalah", "konane", "othello", "toads_and_frogs", "tron")
"""The games that every run tries; all idioms are tried on their own, too."""
GAMES = sorted(path.stem for path in (Path(__file__).parent / "games").glob("*.py"))


def line_of(text: str) -> int:
    """The only line of the idioms that holds a text."""
    lines = Path(idioms.idioms.__file__).read_text().splitlines()
    (found,) = [i for i, line in enumerate(lines, 1) if text in line]
    return found


# What does not compile, and the line that says why and what to write instead.
IDIOMS_NOT_COMPILED = {
    "CounterTally": f"utility (idioms.py:{line_of('Counter(s.board[:3])')}): uses Counter; count in a loop",
}
GAMES_NOT_COMPILED: dict[str, str] = {}


@cache
def module(name: str) -> ModuleType:
    """One of the games, each a file of its own."""
    path = Path(__file__).parent / "games" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"idiomatic_{name}", path)
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = made
    spec.loader.exec_module(made)
    return made


def _nothing(state, player):  # type: ignore[no-untyped-def]
    return 0


def examine(game: Game, depth: int | None, obstacle: str | None) -> None:
    search: Any = expectiminimax if offers(game, "chance") else alphabeta
    given: dict[str, Any] = {} if depth is None or offers(game, "evaluate") else {"evaluation": _nothing}
    interpreted = search(game, depth=depth, compile="never", **given)
    if obstacle is not None:
        with pytest.raises(CompileError) as refusal:
            search(game, depth=depth, compile="always", **given)
        assert str(refusal.value) == f"{type(game).__name__} does not compile: {obstacle}"
        return
    compiled = search(game, depth=depth, compile="always", **given)
    assert compiled.parameters["compiled"]
    assert compiled.value == interpreted.value
    assert compiled.line == interpreted.line
    assert compiled.nodes == interpreted.nodes
    assert [type(action) for action in compiled.line] == [type(action) for action in interpreted.line]


@pytest.mark.needs_compiler
@pytest.mark.parametrize("idiom", IDIOMS, ids=lambda cls: cls.__name__)
def test_an_idiom_compiles_and_plays_as_interpreted_or_says_what_to_write(idiom: type[Game]) -> None:
    examine(idiom(), None, IDIOMS_NOT_COMPILED.get(idiom.__name__))


@pytest.mark.needs_compiler
@pytest.mark.parametrize("name", [name if name in FEW else pytest.param(name, marks=SLOW) for name in GAMES])
def test_a_game_compiles_and_plays_as_interpreted_or_says_what_to_write(name: str) -> None:
    rules = module(name)
    examine(rules.GAME(), rules.DEPTH, GAMES_NOT_COMPILED.get(name))


def test_nine_idioms_in_ten_compile() -> None:
    names = {idiom.__name__ for idiom in IDIOMS}
    assert len(names) == 50
    assert names >= IDIOMS_NOT_COMPILED.keys()
    assert len(IDIOMS_NOT_COMPILED) <= len(names) / 10


def test_nine_games_in_ten_compile() -> None:
    assert len(GAMES) == 37
    assert set(GAMES) >= GAMES_NOT_COMPILED.keys()
    assert len(GAMES_NOT_COMPILED) <= len(GAMES) / 10
