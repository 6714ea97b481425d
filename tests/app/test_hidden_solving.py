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


def test_strategies_of_a_game_that_hides_something_are_written_and_judged(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "kuhn.json"
    shown = run("strategy", "kuhn-poker", "--out", str(file))
    assert shown.code == 0, shown.err
    assert (
        "the second player, J pass     pass 66.7 %, bet 33.3 %" in shown.out
        and "value       -1/18" in shown.out
    )
    judged = run("strategy", "kuhn-poker", "--check", str(file))
    assert judged.code == 0 and "the first player   gets -0.055555556, could get -0.055555556" in judged.out
    answer = run("strategy", "kuhn-poker", "--against", str(file)).out
    assert "A best response of the second player:" in answer and "K bet" in answer
    data = json.loads(run("strategy", "kuhn-poker", "--against", str(file), "--json").out)
    assert data["schema"] == "gametree.exploitability/1" and abs(data["nash_conv"]) < 1e-9
    assert len(data["responses"]) == 2
    alone = run("strategy", "kuhn-poker", "--player", "second").out
    assert "J pass" in alone and "J pass bet" not in alone
    assert json.loads(run("strategy", "kuhn-poker", "--json").out) == json.loads(file.read_text())


def test_what_such_strategies_are_not_is_told(run: Run, tmp_path: Path) -> None:
    assert "are written as .json" in run("strategy", "kuhn-poker", "--out", "kuhn.svg").refusal
    assert "for the whole game" in run("strategy", "kuhn-poker", "--position", "K J").refusal
    file = tmp_path / "leduc.json"
    file.write_text("{}", encoding="utf-8")
    assert "leduc.json" in run("strategy", "kuhn-poker", "--check", str(file)).refusal
    assert "it is first, second" in run("strategy", "kuhn-poker", "--player", "third").refusal


def test_what_is_stopped_while_it_is_listed_says_what_else_to_do(run: Run) -> None:
    found = run("solve", "phantom-tic-tac-toe", "--seconds", "0.05", "--compile", "never")
    said = " ".join(found.out.split())
    assert found.code == 1 and "gt.mccfr comes near to an equilibrium" in said and "alpha-beta" not in said


def test_why_refuses_hidden_information_in_its_own_name(run: Run) -> None:
    assert "why assumes that every player sees the whole state" in run("why", "kuhn-poker").refusal
