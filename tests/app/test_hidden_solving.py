"""Games that hide something, solved on the command line."""

import json
from pathlib import Path

from app.conftest import Run


def test_an_equilibrium_is_printed_in_percent(run: Run) -> None:
    shown = run(
        "solve", "kuhn-poker", "--method", "cfr", "--compile", "never", "--exploitability", "0.01"
    ).out
    assert "Kuhn, solved by" in shown
    assert "the second player, K bet      call 100 %" in shown or "the second player, K bet" in shown
    assert "the value of the game is between" in " ".join(shown.split())


def test_an_equilibrium_is_data_for_programs(run: Run) -> None:
    given = ("--method", "cfr", "--compile", "never", "--exploitability", "0.01", "--json")
    data = json.loads(run("solve", "kuhn-poker", *given).out)
    assert data["solved"] and data["equilibrium"]["information_sets"] == 12
    assert len(data["equilibrium"]["profile"]["sets"]) == 12
    assert data["equilibrium"]["exploitability"] <= 0.01


def test_how_it_went_is_drawn(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "kuhn.svg"
    given = ("--method", "cfr", "--compile", "never", "--exploitability", "0.01")
    run("solve", "kuhn-poker", *given, "--plot", str(file))
    assert "<svg " in file.read_text(encoding="utf-8")
    assert "name end in .svg" in run("solve", "kuhn-poker", *given, "--plot", "kuhn.gif").refusal
    assert "step by step" in run("solve", "nim", "--plot", str(file)).refusal


def test_what_does_not_fit_is_refused(run: Run) -> None:
    assert "solved from the beginning" in run("solve", "kuhn-poker", "--position", "K J").refusal
    assert "hides nothing" in run("solve", "nim", "--exploitability", "0.1").refusal
