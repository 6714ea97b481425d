"""Why rules do not compile, in the words of those who wrote them."""

import inspect
import logging
import time
from pathlib import Path
from typing import Any

import pytest

import gametree as gt
from compiled import refusals
from gametree.compiled import cache, native, notices
from gametree.compiled.diagnosis import Row, explain
from gametree.search.textbook import alphabeta

pytestmark = pytest.mark.needs_compiler

JARGON = (
    "numba",
    "unicode_type",
    "int64",
    "literal",
    "unituple",
    "optional",
    "nopython",
    "dispatcher",
    "$",
    "llvm",
)

# class: method, reason, advice
REFUSED = {
    "TextState": (
        "initial",
        "state[2] is str '●'",
        "write letters and signs of Latin-1, such as 'X' and '.', and draw others in `show`",
    ),
    "ListInState": ("initial", "state[1] is list [0]", "write a tuple: states do not change"),
    "FloatAtFirst": ("initial", "state.mover is float 0.5, but declared int", "annotate the field as float"),
    "FloatLater": (
        "result",
        "returns float for state[0] where an int is declared",
        "use // or int(…), or annotate it as float",
    ),
    "NamedFloatLater": (
        "result",
        "returns float for state.left where an int is declared",
        "use // or int(…), or annotate it as float",
    ),
    "OtherKind": (
        "result",
        "returns int where the initial state has a tuple of 2",
        "return the declared type on every path",
    ),
    "NoReturn": ("result", "returns None on some path", "is a `return` missing?"),
    "MixedSigns": (
        "result",
        "mixes uint64 with a signed int: s.stones (uint64) and a (int64) at `^`",
        "write np.uint64(…) around the signed one",
    ),
    "MixedSignsOfVariables": (
        "result",
        "mixes uint64 with a signed int: stones (uint64) and step (int64) at `|`",
        "write np.uint64(…) around the signed one",
    ),
    "Tally": ("utility", "uses Counter", "count in a loop"),
    "Queue": ("is_terminal", "uses deque", "use a list"),
    "TwoTypes": ("utility", "`best` is now int and now a tuple", "give a variable one type only"),
    "TwoKindsOfActions": ("actions", "yields different types (int and a tuple)", "yield one type only"),
    "NoActions": (
        "actions",
        "returns int, which is not a row of actions",
        "return a list, a tuple or a range, or use `yield`",
    ),
    "ImportsLate": ("utility", "imports inside the method", "import at the top of the file"),
    "WithStatement": ("utility", "uses `with`", "rules only compute: leave it out"),
    "ChangesGlobal": ("utility", "changes a global variable", "rules are pure: put it into the state"),
    "ChangesItself": (
        "utility",
        "assigns to self.seen",
        "rules are pure: put it into the state, or set it in `__init__`",
    ),
    "DeletesItem": ("utility", "deletes an item", "build a new list without it"),
    "Catches": ("utility", "catches ZeroDivisionError", "test for it beforehand, with `if`"),
    "DictAttribute": (
        "utility",
        "uses self.worth, whose type is dict",
        "write a tuple indexed by number, or a module-level dict that never changes",
    ),
    "ObjectAttribute": (
        "utility",
        "uses self.thing, whose type is object",
        "make it an int, a tuple or an array",
    ),
    "AttributeMissing": (
        "evaluate",
        "uses self.nothing, which AttributeMissing does not have",
        "set it in `__init__`",
    ),
    "NameMissing": (
        "utility",
        "uses whatever, which is not defined",
        "define or import it at the top of the file",
    ),
    "MixedIndex": (
        "result",
        "indexes a tuple whose parts have different types",
        "give all parts one type, or write the index as a number",
    ),
    "TextAsUtility": (
        "utility",
        "returns a text or None where float is expected",
        "return the declared type on every path",
    ),
    "AddsNothing": ("utility", "uses + on int and None", "write it with ints, tuples and loops"),
}


def failures(game: gt.Game) -> list[Row]:
    return [row for row in explain(game).rows if not row.ok]


def blamed(thing: Any) -> str:
    """file:line of the comment `# here` in a class or function."""
    lines, first = inspect.getsourcelines(thing)
    (found,) = [first + i for i, line in enumerate(lines) if "# here" in line]
    return f"refusals.py:{found}"


@pytest.mark.parametrize("name", REFUSED)
def test_a_refusal_names_method_line_reason_and_what_to_write_instead(name: str) -> None:
    cls = getattr(refusals, name)
    (row,) = failures(cls())
    method, reason, advice = REFUSED[name]
    assert row == Row(method, False, blamed(cls), reason, advice)
    text = (
        str(row).lower().replace("uint64", "").replace("(int64)", "" if "MixedSigns" in name else "(int64)")
    )
    assert not [word for word in JARGON if word in text]


def test_a_fault_in_a_helper_is_told_at_the_helpers_own_line() -> None:
    (row,) = failures(refusals.InHelper())
    assert (row.method, row.line, row.reason) == ("utility", blamed(refusals.count), "uses defaultdict")


def test_every_case_in_the_file_is_tested() -> None:
    cases = {
        name
        for name, thing in vars(refusals).items()
        if isinstance(thing, type) and issubclass(thing, gt.Game)
    }
    assert cases - REFUSED.keys() == {"Game", "Nim", "InHelper", "TwoFaults"}


def test_the_report_goes_on_after_the_first_fault() -> None:
    report = explain(refusals.TwoFaults())
    assert not report.ok
    assert [(row.method, row.ok) for row in report.rows] == [
        ("player", True),
        ("is_terminal", False),
        ("utility", False),
        ("actions", True),
        ("result", True),
    ]
    text = str(report)
    assert text.startswith("TwoFaults runs interpreted\n")
    assert "  player       compiles\n" in text
    assert "uses deque\n               instead: use a list" in text


def test_a_game_that_compiles_has_a_report_that_says_so() -> None:
    report = explain(refusals.Nim())
    assert report.ok and all(row.ok for row in report.rows)
    assert str(report).startswith("Nim compiles\n")
    assert report.to_dict()["methods"][0] == {
        "method": "player",
        "ok": True,
        "line": "",
        "reason": "",
        "advice": "",
    }


# --- what is said while searching -------------------------------------------------------------------


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    """What the library logs, as if it had said nothing before, and however slowly it compiles."""
    monkeypatch.setattr(notices, "_said", set())
    monkeypatch.setattr(notices, "PATIENCE", 600.0)
    caplog.set_level(logging.INFO, logger="gametree")
    return caplog


def test_a_fallback_says_why_in_one_line_and_only_once(said: pytest.LogCaptureFixture) -> None:
    game = refusals.Tally()
    for _ in range(3):
        assert not gt.alphabeta(game, compile="auto").parameters["compiled"]
    assert not gt.alphabeta(refusals.Tally(), compile="auto").parameters["compiled"]
    gt.minimax(game)
    assert said.messages == [
        f"Tally runs interpreted: utility ({blamed(refusals.Tally)}): uses Counter; count in a loop"
    ]
    assert said.records[0].name == "gametree" and said.records[0].levelno == logging.WARNING


def test_each_game_class_has_its_own_line(said: pytest.LogCaptureFixture) -> None:
    for cls in (refusals.Tally, refusals.Queue):
        gt.alphabeta(cls(), limit=gt.Limit(nodes=10))
    assert [message.partition(" ")[0] for message in said.messages] == ["Tally", "Queue"]


def test_a_game_that_compiles_says_nothing_about_it(said: pytest.LogCaptureFixture) -> None:
    assert gt.alphabeta(refusals.Nim()).parameters["compiled"]
    assert said.messages == []


def test_never_says_nothing(said: pytest.LogCaptureFixture) -> None:
    gt.alphabeta(refusals.Tally(), compile="never")
    assert said.messages == []


@pytest.mark.parametrize("name", ["Tally", "MixedSigns"])
def test_always_raises_with_the_reason_that_auto_logs(name: str, said: pytest.LogCaptureFixture) -> None:
    game = getattr(refusals, name)()
    with pytest.raises(gt.CompileError) as refusal:
        gt.alphabeta(game, compile="always")
    assert said.messages == []
    gt.alphabeta(game, compile="auto", limit=gt.Limit(nodes=20))
    (line,) = said.messages
    assert line.removeprefix(f"{name} runs interpreted: ") == str(refusal.value).removeprefix(
        f"{name} does not compile: "
    )
    assert REFUSED[name][1] in line and REFUSED[name][2] in line


def test_a_word_that_is_no_way_to_compile_is_refused() -> None:
    with pytest.raises(gt.InputError, match="auto"):
        gt.alphabeta(refusals.Nim(), compile="sometimes")


def test_slow_compiling_shows_itself_and_loading_from_the_cache_does_not(
    said: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GAMETREE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(native, "_natives", {})
    monkeypatch.setattr(notices, "PATIENCE", 0.01)
    assert not native.native(alphabeta.value, refusals.Nim()).native.from_cache
    assert said.messages == ["compiling alphabeta for Nim, first run only"]
    assert [entry.game for entry in cache.entries()] == ["Nim"]
    native._natives.clear()
    said.clear()
    assert native.native(alphabeta.value, refusals.Nim()).native.from_cache
    time.sleep(0.05)
    assert said.messages == []


def test_quick_work_stays_silent(said: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notices, "PATIENCE", 0.05)
    with notices.slow("thinking"):
        pass
    time.sleep(0.1)
    assert said.messages == []
