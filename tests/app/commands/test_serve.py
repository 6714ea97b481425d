"""`gametree serve` from the command line: what is refused before a port is opened."""

import importlib.util
from pathlib import Path

import pytest

from app.conftest import Run

pytestmark = pytest.mark.same_in_all_modes


@pytest.mark.parametrize("missing", ["starlette", "uvicorn", "websockets"])
def test_a_missing_extra_is_named_with_the_way_to_have_it(
    run: Run, monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    known = importlib.util.find_spec
    monkeypatch.setattr(
        "gametree.app.commands.serve.find_spec", lambda name: None if name == missing else known(name)
    )
    found = run("serve", "--no-open")
    assert found.code == 2
    assert found.refusal == f"serve needs {missing}: pip install 'gametree[web]'"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("serve", "--host", "0.0.0.0"), "add --password"),
        (("serve", "--exercises", "week5"), "add --classroom"),
        (("serve", "nowhere.py"), "nowhere.py does not exist"),
        (("serve", "--program", "alphabeta:nim"), "add --classroom"),
        (("serve", "--classroom", "c.sqlite", "--program", "mcts:nim"), "alphabeta or minimax"),
        (("serve", "--classroom", "c.sqlite", "--program", "minimax:pig"), "without chance"),
        (("serve", "--classroom", "c.sqlite", "--program", "minimax:nowhere"), "there is no game 'nowhere'"),
    ],
)
def test_what_cannot_be_served_is_refused(run: Run, words: tuple[str, ...], why: str, folder: Path) -> None:
    found = run(*words)
    assert found.code == 2 and why in found.refusal
