"""Keywords of the library as options of the command line."""

from types import SimpleNamespace
from typing import Any

import pytest

from gametree.app.spelling import spelled


def option(name: str, *opts: str, flag: bool = False, no: str = "", metavar: str = "N") -> Any:
    return SimpleNamespace(
        name=name, opts=list(opts), secondary_opts=[no] if no else [], is_flag=flag, metavar=metavar
    )


OPTIONS = [
    option("depth", "--depth"),
    option("seconds", "--seconds"),
    option("compile", "--compile"),
    option("hash_mb", "--hash"),
    option("evaluation", "--evaluation", metavar="NAME"),
    option("moves", "--moves", flag=True),
    option("selective", "--selective", flag=True, no="--no-selective"),
    option("most_states", "--most-states"),
    option("game", "GAME"),
]


@pytest.mark.parametrize(
    ("python", "command_line"),
    [
        ('compile="always", but it does not', "--compile always, but it does not"),
        ("ask for compile='never'.", "ask for --compile never."),
        ("hash_mb=-1: the size", "--hash -1: the size"),
        ("Limit(depth=-1): depth must be", "--depth -1: depth must be"),
        ("write limit=Limit(seconds=1.5, depth=8).", "write --seconds 1.5 --depth 8."),
        ("pass evaluation=…, or", "pass --evaluation NAME, or"),
        ("with moves=True it", "with --moves it"),
        ("depth=(2, 3): a range", "--depth 2..3: a range"),
        ("seconds=(-9, 9): a range", "--seconds -9..9: a range"),
        ("selective=False leaves", "--no-selective leaves"),
        ("moves=False here", "no --moves here"),
        ("evaluation='two words'", "--evaluation 'two words'"),
        ("cutoff=… limits", "cutoff=… limits"),
        ("nim takes counters=21, misere=False", "nim takes counters=21, misere=false"),
        ("'depth=3' is no move", "'depth=3' is no move"),
        ("--value depth=much: write", "--value depth=much: write"),
        ("Raise most_states (each takes", "Raise --most-states (each takes"),
        ("'most_states' is no move", "'most_states' is no move"),
        ("at least most_plies of them", "at least most_plies of them"),
        ("α=3 β=∞ and game=7", "α=3 β=∞ and game=7"),
    ],
)
def test_a_keyword_is_spelled_as_the_option_that_sets_it(python: str, command_line: str) -> None:
    assert spelled(python, OPTIONS) == command_line


def test_a_parameter_of_the_game_is_no_option() -> None:
    assert spelled("depth=0: the depth of the pit", OPTIONS, ["depth=0"]) == "depth=0: the depth of the pit"
