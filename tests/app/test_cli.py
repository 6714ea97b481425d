"""What the commands print, refuse and exit with."""

import json
import sys
import types
from pathlib import Path
from typing import Any

import pytest

import gametree
from app.conftest import NIM, Run

COMMANDS = (
    "games",
    "play",
    "analyze",
    "calibrate",
    "compile",
    "stats",
    "perft",
    "match",
    "tournament",
    "check",
    "uci",
    "gtp",
    "ugi",
    "serve",
    "engine",
    "explain",
    "dilemma",
    "exercise",
    "grade",
    "why",
    "solve",
    "strategy",
    "book",
    "endgame",
    "cluster",
    "tune",
    "bench",
    "cache",
)


def test_the_version_is_printed(run: Run) -> None:
    assert run("--version").out == f"gametree {gametree.__version__}\n"


def test_help_lists_every_command_and_the_exit_codes(run: Run) -> None:
    outcome = run("--help")
    assert outcome.code == 0 and run().out == outcome.out
    assert all(f"\n  {name} " in outcome.out for name in COMMANDS)
    assert "Exit codes: 0" in outcome.out and "130" in outcome.out


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_every_command_has_an_example(run: Run, name: str) -> None:
    outcome = run(name, "--help")
    assert outcome.code == 0 and "Example" in outcome.out and f"  gametree {name}" in outcome.out


def test_games_lists_names_parameters_and_a_line_each(run: Run) -> None:
    outcome = run("games")
    assert "connect-four width=7 height=6\n    Drop stones" in outcome.out
    names = [entry["name"] for entry in json.loads(run("games", "--json").out)]
    assert names == sorted(names) and "nim" in names


# --- analyze ----------------------------------------------------------------------------------------


def test_analyze_shows_the_board_the_value_and_the_line(run: Run) -> None:
    outcome = run("analyze", "tic-tac-toe", "--position", "XX./OO./...", "--compile", "never")
    assert outcome.code == 0, outcome.err
    assert "3  X X ." in outcome.out and "X to move" in outcome.out and "best      c3" in outcome.out


def test_analyze_lists_every_move_best_first(run: Run) -> None:
    outcome = run("analyze", "tic-tac-toe", "--position", "XX./OO./...", "--moves", "--compile", "never")
    rows = outcome.out.split("\n\n")[-1].split("\n")
    assert rows[0].split()[0] == "c3" and len(rows) == 6


def test_analyze_writes_the_values_of_moves_as_a_picture_and_what_it_found_as_json(
    run: Run, folder: Path
) -> None:
    where = ["--position", "XX./OO./...", "--compile", "never"]
    run("analyze", "tic-tac-toe", *where, "--out", "heat.svg", "--out", "found.json")
    assert 'class="gt-heat-8"' in (folder / "heat.svg").read_text(encoding="utf-8")
    found = json.loads((folder / "found.json").read_text(encoding="utf-8"))
    assert found["action"] == "c3" and len(found["moves"]) == 5
    bad = run("analyze", "tic-tac-toe", "--out", "heat.gif")
    assert bad.code == 2 and "--out heat.gif: the ending says what is written" in bad.err


def test_analyze_plays_the_moves_it_is_given(run: Run) -> None:
    outcome = run("analyze", "nim", "--moves-played", "1 1 3", "--json", "--compile", "never")
    analysis = json.loads(outcome.out)
    assert analysis["schema"] == "gametree.analysis/1" and analysis["player"] == 1 and analysis["exact"]


def test_analyze_says_whose_turn_it_is_where_the_board_does_not(run: Run, folder: Path) -> None:
    outcome = run("analyze", "mynim.py", "--set", "counters=5", "--compile", "never")
    assert outcome.out.startswith("(5, 0)\nthe first player to move\n") and "best      1" in outcome.out


@pytest.mark.parametrize("method", ["minimax", "alphabeta"])
def test_analyze_takes_a_method_and_limits(run: Run, method: str) -> None:
    outcome = run("analyze", "connect-four", "--method", method, "--depth", "2", "--nodes", "100000",
                  "--seconds", "9", "--json", "--compile", "never")  # fmt: skip
    assert json.loads(outcome.out)["depth"] == 2


def test_json_is_all_there_is_on_stdout_even_where_rules_print(run: Run, folder: Path) -> None:
    (folder / "chatty.py").write_text(NIM.replace("def initial(self):", "def initial(self): print('hello');"))
    outcome = run("analyze", "chatty.py", "--json", "--compile", "never")
    assert json.loads(outcome.out)["game"] == "Nim" and "hello" in outcome.err


CARDS = (
    NIM
    + """
    def observe(self, state, player): return state
"""
)
DICE = NIM + "\n    def chance(self, s): return ()\n"
REFUSALS = {
    "an unknown game": ("analyze chequers", "there is no game 'chequers'"),
    "an unknown parameter": ("analyze nim --set size=3", "nim has no parameter 'size'"),
    "a bad parameter": (
        "perft nim 2 --set take=few",
        "nim: take=few is not a whole number; nim takes counters=21, take=3, misere=false",
    ),
    "a bad position": ("analyze tic-tac-toe --position XXX", "the board has 3 rows"),
    "an illegal move": ("analyze tic-tac-toe --moves-played a1,a1", "move 2: a1 is taken"),
    "a game without positions": ("analyze mynim.py --position 3", "Nim reads no positions"),
    "a missing file": ("play nowhere.py", "nowhere.py does not exist"),
    "a missing class": ("check mynim.py:Mim", "has no 'Mim'; it has: Nim"),
    "a negative depth": ("analyze nim --depth -1", "depth must be a whole number of at least 0"),
    "a negative perft": ("perft nim --compile never -- -1", "depth must be a whole number of at least 0"),
    "a division of nothing": ("perft nim 0 --divide", "--divide needs a depth of at least 1"),
    "seconds that are no number": ("analyze nim --seconds nan", "seconds must be a number"),
    "no nodes": ("analyze nim --nodes 0", "nodes must be a whole number of at least 1"),
    "an unknown evaluation": ("analyze nim --evaluation lolli", "Nim has no evaluation 'lolli'"),
    "an unsuitable game": (
        "analyze dice.py --method minimax",
        "Nim has chance nodes; minimax needs none. Use expectiminimax or maxn.",
    ),
    "dice without faces": ("analyze thrown.py", "Nim.chance gives no outcomes"),
    "an unsuitable game to search": ("analyze cards.py --method alphabeta", "hides information"),
    "an unsuitable game to count": ("perft dice.py 2", "Nim has chance nodes; perft follows actions only"),
    "an unknown method": ("analyze nim --method magic", "'magic' is not one of"),
    "a level beyond the last": ("play nim --level 11", "--level 11: it is a whole number from 1 to 10"),
    "an unknown side": ("play tic-tac-toe --player Y", "--player Y: it is first, second, both, none, X, O"),
    "an unknown option": ("analyze nim --dept 3", "--dept"),
    "an unknown command": ("analyse nim", "analyse"),
    "a missing argument": ("perft nim", "DEPTH"),
    "a word for a number": ("perft nim many", "Invalid value for 'DEPTH'"),
}


@pytest.mark.parametrize("what", REFUSALS)
def test_bad_input_is_one_line_and_exit_code_2(run: Run, folder: Path, what: str) -> None:
    (folder / "dice.py").write_text(DICE)
    (folder / "cards.py").write_text(CARDS)
    (folder / "thrown.py").write_text(
        DICE.replace("def player(self, s): return s[1]", "def player(self, s): return -1")
    )
    arguments, message = REFUSALS[what]
    # A board that is shown before a search refuses is no part of the refusal.
    words = [*arguments.split(), "--json"] if arguments.startswith("analyze") else arguments.split()
    assert message in run(*words).refusal


def test_an_error_in_the_rules_is_shown_with_the_users_own_line(run: Run, folder: Path) -> None:
    (folder / "broken.py").write_text(NIM.replace("return (s[0] - a, 1 - s[1])", "return (s[0] - a, s[7])"))
    refusal = run("perft", "broken.py", "2", "--json", "--compile", "never").refusal
    assert refusal.startswith("IndexError: tuple index out of range")
    assert "at broken.py:11 in result: def result(self, s, a): return (s[0] - a, s[7])" in refusal


def test_a_fault_of_our_own_shows_a_traceback_and_is_no_bad_input(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gametree.compiled import cache

    def broken() -> None:
        raise RuntimeError("ours")

    monkeypatch.setattr(cache, "entries", broken)
    # The line that raises is in this test, which is somebody's own code too.
    assert "RuntimeError: ours, at " in run("cache").refusal
    monkeypatch.setattr("gametree.app.failures.theirs", lambda error: None)
    outcome = run("cache")
    assert outcome.code == 70 and "Traceback" in outcome.err and "please report" in outcome.err


def test_an_interrupt_is_no_traceback(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from gametree.compiled import cache

    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cache, "entries", interrupted)
    outcome = run("cache")
    assert (outcome.code, outcome.err) == (130, "\ngametree: interrupted\n")


# --- perft, check, bench, cache ---------------------------------------------------------------------


def test_perft_counts_every_depth(run: Run) -> None:
    outcome = run("perft", "tic-tac-toe", "3", "--compile", "never")
    assert [line.split()[:2] for line in outcome.out.splitlines()] == [["1", "9"], ["2", "72"], ["3", "504"]]
    data = json.loads(run("perft", "tic-tac-toe", "3", "--compile", "never", "--json").out)
    assert [count["lines"] for count in data["counts"]] == [9, 72, 504]
    assert [count["lines"] for count in json.loads(run("perft", "nim", "0", "--json").out)["counts"]] == [1]


def test_perft_divides_the_count_among_the_moves(run: Run) -> None:
    outcome = run("perft", "nim", "3", "--position", "4", "--divide", "--compile", "never")
    assert [line.split() for line in outcome.out.splitlines()] == [
        ["1", "3"],
        ["2", "1"],
        ["3", "0"],
        ["total", "4"],
    ]
    data = json.loads(
        run("perft", "nim", "3", "--position", "4", "--divide", "--json", "--compile", "never").out
    )
    assert data == {"depth": 3, "total": 4, "moves": {"1": 3, "2": 1, "3": 0}}


def test_check_passes_a_sound_game_and_fails_a_broken_one(run: Run, folder: Path) -> None:
    assert run("check", "mynim.py", "--plays", "5", "--seed", "1").code == 0
    (folder / "greedy.py").write_text(NIM.replace("return -1 if p == s[1] else 1", "return 5"))
    outcome = run("check", "greedy.py", "--plays", "5", "--json")
    assert outcome.code == 1 and isinstance(json.loads(outcome.out), dict)


class _Report:
    rows = ()

    def __init__(self, ok: bool):
        self.ok = ok

    def __str__(self) -> str:
        return "all of it compiles"

    def to_dict(self) -> dict[str, Any]:
        return {"ok": self.ok}


@pytest.mark.needs_compiler
@pytest.mark.parametrize("ok", [True, False])
def test_check_what_compiles_prints_the_compile_report(
    run: Run, monkeypatch: pytest.MonkeyPatch, ok: bool
) -> None:
    report = types.ModuleType("gametree.compiled.diagnosis")
    report.explain = lambda game: _Report(ok)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "gametree.compiled.diagnosis", report)
    outcome = run("check", "nim", "--what-compiles")
    assert (outcome.out, outcome.code) == ("all of it compiles\n", 0 if ok else 1)
    assert json.loads(run("check", "nim", "--what-compiles", "--json").out) == {"ok": ok}


def test_check_what_compiles_says_where_the_compiler_is_missing(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gametree.compiled.native.unavailable", lambda: "Numba is not installed")
    assert run("check", "nim", "--what-compiles").refusal == "--what-compiles: Numba is not installed"


def test_cache_shows_and_clears_what_is_on_disk(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gametree.compiled import cache

    monkeypatch.setenv("GAMETREE_CACHE_DIR", str(tmp_path / "own"))
    assert run("cache").out == f"0 entries, 0 B, in {tmp_path / 'own'}\n"
    cache.save("k", {"game": "Nim", "kernel": "alphabeta"}, b"x" * 2000)
    assert "Nim alphabeta" in run("cache").out and "1 entry" in run("cache").out
    assert json.loads(run("cache", "--json").out)["entries"][0]["game"] == "Nim"
    assert run("cache", "--clear").out == f"1 removed from {tmp_path / 'own'}\n"
    assert json.loads(run("cache", "--clear", "--json").out)["removed"] == 0


def test_monte_carlo_tree_search_is_a_method(run: Run) -> None:
    outcome = run(
        "analyze",
        "tic-tac-toe",
        "--position",
        "XX./OO./...",
        "--method",
        "mcts",
        "--nodes",
        "200",
        "--compile",
        "never",
    )
    assert outcome.code == 0, outcome.err
    assert "TicTacToe, mcts" in outcome.out and "value     win for X (exact)" in outcome.out
    outcome = run("analyze", "tic-tac-toe", "--method", "mcts", "--depth", "3")
    assert outcome.code == 2 and "mcts goes by simulations, not by depth" in outcome.err


# --- one vocabulary ---------------------------------------------------------------------------------


def test_every_file_of_a_command_is_a_command() -> None:
    from gametree.app import cli

    folder = Path(gametree.__file__).parent / "app" / "commands"
    assert {path.stem for path in folder.glob("*.py")} - {"__init__"} == cli.COMMANDS.keys() == set(COMMANDS)


def test_the_list_of_commands_is_cut_off_nowhere(run: Run) -> None:
    outcome = run("--help")
    assert "..." not in outcome.out.partition("Commands:")[2]
    assert all(len(line) <= 80 for line in outcome.out.splitlines())


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_every_command_fits_a_terminal(run: Run, name: str) -> None:
    assert all(len(line) <= 80 for line in run(name, "--help").out.splitlines())


@pytest.mark.parametrize("name", COMMANDS)
def test_helps_name_no_types_of_python(run: Run, name: str) -> None:
    help = run(name, "--help").out
    usage, _, arguments = help.partition("Options:")[0].partition("Arguments:")
    shown = usage.partition("\n")[0] + arguments
    assert not any(sign in shown for sign in ("<", "{", "[[", "list["))


def test_an_option_takes_the_same_in_every_command(run: Run) -> None:
    takes: dict[str, set[str]] = {}
    for name in COMMANDS:
        for line in run(name, "--help").out.partition("Options:")[2].splitlines():
            words = line.split()
            if line.startswith("  --") and words:
                takes.setdefault(words[0], set()).add(words[1] if words[1:] and words[1].isupper() else "")
    # A file, or the folder of a set; a level of play; a tree has a depth too.
    assert {option for option, metavars in takes.items() if len(metavars) > 1} <= {"--out"}


def test_games_are_listed_without_words_that_mean_nothing(run: Run) -> None:
    outcome = run("games")
    assert "kwargs" not in outcome.out and "\nbackgammon\n" in f"\n{outcome.out}"
    assert all(len(line) <= 80 for line in outcome.out.splitlines())


SPELLED = {
    "a word for a number": (
        "play nim --level x",
        "'--level': it takes a whole number (see gametree play --help)",
    ),
    "a word for seconds": ("analyze nim --seconds x", "'--seconds': it takes a number (see"),
    "too small a number": ("engine --json --workers 1", "'--workers': it takes a number of at least 2 (see"),
    "no depth": ("perft nim", "Missing argument 'DEPTH' (see gametree perft --help)"),
    "too many positions": (
        "solve backgammon --most-states 9 --compile never",
        "Raise --most-states (each takes",
    ),
    "no threads": ("analyze nim --threads 0", "--threads 0: "),
    "no lines": ("analyze nim --lines 0", "--lines 0: "),
    "less than no table": ("analyze nim --hash -1", "--hash -1"),
    "a method that takes no lines": ("analyze nim --method minimax --lines 2", "--method minimax"),
    "a depth for simulations": ("analyze nim --method mcts --depth 3", "--depth 3: mcts goes by simulations"),
    "a proof at a depth": ("analyze nim --method pns --evaluation even", "--evaluation even"),
    "no games": ("check nim --plays 0", "--plays 0: "),
    "no plays": ("stats nim --plays 0", "--plays 0: "),
    "no positions": ("solve nim --most-states 0", "--most-states 0: "),
    "a solution by another way": ("solve pig --method search", "--method search: Pig has chance nodes"),
    "endless play that is told": ("solve chess --endless 0.5", "--endless 0.5: "),
    "a game that is too small": ("perft tic-tac-toe 2 --set width=2 --set k=4", "k=4: 4 in a row"),
    "a game that is set wrongly": ("perft ludo 2 --set teams=perhaps", "teams=perhaps"),
    "what cannot compile": ("analyze mynim.py --method pns --compile always", "--compile always: pns"),
    "no tree in sight": ("explain --game connect-four", "--most 5000"),
    "no nodes": ("gtp hex --nodes 0", "--nodes 0: "),
    "a parameter of no protocol": ("gtp hex --set swap=true", "over this protocol it is size or komi"),
    "too big a board": ("gtp go --set size=99", "size=99: boards have"),
}


@pytest.mark.parametrize("what", SPELLED)
def test_refusals_speak_the_language_of_the_command_line(run: Run, folder: Path, what: str) -> None:
    arguments, message = SPELLED[what]
    words = [*arguments.split(), "--json"] if arguments.startswith("analyze") else arguments.split()
    refusal = run(*words).refusal
    assert message in refusal
    assert '="' not in refusal and "='" not in refusal and "=True" not in refusal and "Limit(" not in refusal
