"""Machine code on disk, from one process to the next: it is found again, it is never stale, and nothing breaks it."""

import json
import os
import random
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

import gametree
from gametree.compiled import cache

SOURCE = Path(gametree.__file__).parent.parent

pytestmark = [pytest.mark.needs_compiler, pytest.mark.same_in_all_modes]

TELLER = '''
"""Searches a game in this process and tells whether its machine code came from the cache."""
import json
import gametree as gt
from gametree.compiled import native
from gametree.search.textbook import alphabeta, minimax

def tell(game, kernel=None):
    if kernel is None:
        kernel = alphabeta.value
    hit = native.native(kernel, game).native.from_cache
    compiled = gt.alphabeta(game, compile="always") if kernel is alphabeta.value else None
    interpreted = gt.alphabeta(game, compile="never")
    found = compiled or interpreted
    assert (found.value, found.line, found.nodes) == (interpreted.value, interpreted.line, interpreted.nodes)
    print(json.dumps({"hit": hit, "value": float(found.value), "nodes": found.nodes}))
'''

PARENT = """
import gametree as gt

class Counters(gt.Game):
    def player(self, s): return s.mover
    def is_terminal(self, s): return s.left == 0
    def utility(self, s, p): return -1 if p == s.mover else 1
"""

HELPER = """
LARGEST = 3

def most(left):
    return min(LARGEST, left)

def unrelated():
    return 1
"""

RULES = """
from typing import NamedTuple
import helper
from parent import Counters

MORE = 0

class State(NamedTuple):
    left: int
    mover: int

class Nim(Counters):
    extra = 0
    def __init__(self, counters=7, step=1):
        self.counters = counters
        self.step = step
    def initial(self):
        return State(self.counters, 0)
    def actions(self, s):
        return range(1, helper.most(s.left) + MORE + self.extra + 1)
    def result(self, s, a):
        return State(max(0, s.left - a * self.step), 1 - s.mover)
"""

ALONE = """
import gametree as gt

class Nim(gt.Game):
    def initial(self): return (7, 0)
    def player(self, s): return s[1]
    def actions(self, s): return range(1, min(3, s[0]) + 1)
    def result(self, s, a): return (s[0] - a, 1 - s[1])
    def is_terminal(self, s): return s[0] == 0
    def utility(self, s, p): return -1 if p == s[1] else 1
"""

RUN = "from teller import tell\nfrom rules import Nim\ntell(Nim())\n"


@dataclass(frozen=True)
class Told:
    """What a child process said."""

    hit: bool
    value: float
    nodes: int


class Place:
    """A folder with rules in it, and a cache of its own."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.cache = folder / "cache"
        folder.mkdir(exist_ok=True)
        for name, text in (("teller", TELLER), ("parent", PARENT), ("helper", HELPER), ("rules", RULES)):
            self.write(f"{name}.py", text)
        self.write("run.py", RUN)

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text)

    def edit(self, name: str, old: str, new: str) -> None:
        text = (self.folder / name).read_text()
        assert text.count(old) == 1, old
        self.write(name, text.replace(old, new))

    def start(self, *arguments: str, stdin: str | None = None, **variables: str) -> "subprocess.Popen[str]":
        """A fresh Python in this folder."""
        environment = {**os.environ, "GAMETREE_CACHE_DIR": str(self.cache)}
        environment["PYTHONPATH"] = os.pathsep.join([str(self.folder), str(SOURCE)])
        environment["PYTHONDONTWRITEBYTECODE"] = "1"  # an edit within a second must not meet an old .pyc
        process = subprocess.Popen(
            [sys.executable, *(arguments or ("run.py",))],
            cwd=self.folder,
            env={**environment, **variables},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        if stdin is not None:
            assert process.stdin is not None
            process.stdin.write(stdin)
        return process

    def run(self, *arguments: str, stdin: str | None = None, **variables: str) -> Told:
        return finish(self.start(*arguments, stdin=stdin, **variables))

    @property
    def entries(self) -> list[Path]:
        return sorted(self.cache.glob(f"*{cache.SUFFIX}"))


def finish(process: "subprocess.Popen[str]") -> Told:
    """The answer of a child, which has to end well."""
    out, err = process.communicate(timeout=200)
    assert process.returncode == 0, err
    told = json.loads(out.splitlines()[-1])
    return Told(told["hit"], told["value"], told["nodes"])


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Told]:
    """A cache that one process has filled, and what it found."""
    place = Place(tmp_path_factory.mktemp("first") / "home")
    return place.cache, place.run()


@pytest.fixture
def empty(tmp_path: Path) -> Place:
    """The rules, and nothing in the cache."""
    return Place(tmp_path / "here")


@pytest.fixture
def filled(tmp_path: Path, first: tuple[Path, Told]) -> Place:
    """The rules in another folder, with the machine code that another process left."""
    place = Place(tmp_path / "elsewhere")
    shutil.copytree(first[0], place.cache)
    return place


# --- the second process -----------------------------------------------------------------------------

CELL = """
import linecache, sys
text = {text!r}
name = "/tmp/ipykernel_" + sys.argv[1] + "/1234567.py"
linecache.cache[name] = (len(text), None, text.splitlines(True), name)
space = {{"__name__": "__main__"}}
exec(compile(text, name, "exec"), space)
"""


def as_module(place: Place, turn: int) -> Told:
    return place.run()


def as_script(place: Place, turn: int) -> Told:
    place.write("script.py", ALONE + "from teller import tell\ntell(Nim())\n")
    return place.run("script.py")


def as_command(place: Place, turn: int) -> Told:
    return place.run("-c", ALONE + "from teller import tell\ntell(Nim())\n")


def as_typed(place: Place, turn: int) -> Told:
    return place.run("-", stdin=ALONE + "from teller import tell\ntell(Nim())\n")


def as_cell(place: Place, turn: int) -> Told:
    place.write("notebook.py", CELL.format(text=ALONE + "from teller import tell\ntell(Nim())\n"))
    return place.run("notebook.py", str(turn))


@pytest.mark.parametrize("way", [as_module, as_script, as_command, as_typed, as_cell])
def test_the_second_process_finds_what_the_first_one_made(
    way: Callable[[Place, int], Told], empty: Place
) -> None:
    one, other = way(empty, 1), way(empty, 2)
    assert (one.hit, other.hit) == (False, True)
    assert (one.value, one.nodes) == (other.value, other.nodes)
    assert one.value == 1


def test_entries_are_for_the_user_alone(first: tuple[Path, Told]) -> None:
    folder, _ = first
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    (entry,) = folder.iterdir()
    assert stat.S_IMODE(entry.stat().st_mode) == 0o600


# --- edits ------------------------------------------------------------------------------------------

EDITS = {
    "a helper in another file": ("helper.py", "min(LARGEST, left)", "max(1, min(LARGEST - 1, left))"),
    "a constant of an imported module": ("helper.py", "LARGEST = 3", "LARGEST = 2"),
    "a method": ("rules.py", "s.left - a * self.step", "s.left - 2 * a * self.step"),
    "a method of the parent class": ("parent.py", "-1 if p == s.mover else 1", "1 if p == s.mover else -1"),
    "a constant of the module": ("rules.py", "MORE = 0", "MORE = 1"),
    "a constant of the class": ("rules.py", "extra = 0", "extra = 1"),
    "a parameter": ("run.py", "Nim()", "Nim(step=2)"),
    "a default": ("rules.py", "step=1", "step=2"),
    "the type of a field": ("rules.py", "mover: int", "mover: bool"),
}


# Each takes two processes that compile: the most telling ones in every run, the others in the slow suite.
SLOW = pytest.mark.slow
SELDOM = ("a constant of the module", "a constant of the class", "a default", "a method")


@pytest.mark.parametrize("what", [pytest.param(it, marks=SLOW) if it in SELDOM else it for it in EDITS])
def test_after_an_edit_the_code_is_made_anew(what: str, filled: Place, first: tuple[Path, Told]) -> None:
    filled.edit(*EDITS[what])
    changed = filled.run()
    assert not changed.hit
    same = (changed.value, changed.nodes) == (first[1].value, first[1].nodes)
    assert same == (what == "the type of a field")


def test_what_only_the_initial_state_depends_on_needs_no_new_code(
    filled: Place, first: tuple[Path, Told]
) -> None:
    filled.edit("run.py", "Nim()", "Nim(counters=9)")
    told = filled.run()
    assert told.hit and told.nodes > first[1].nodes


def test_another_search_has_code_of_its_own(filled: Place) -> None:
    filled.write(
        "run.py", RUN.replace("tell(Nim())", "from teller import minimax\ntell(Nim(), minimax.value)")
    )
    assert not filled.run().hit


def test_an_edit_in_the_search_makes_the_code_anew(filled: Place) -> None:
    """A copy of the search is the search; a copy with a change is not."""
    copied = (
        "import inspect, types\n"
        "from teller import tell, alphabeta\n"
        "from rules import Nim\n"
        "text = inspect.getsource(alphabeta.value)\n"
        "assert 'i += 1' in text\n"
        "space = vars(alphabeta)\n"
        "exec(compile(text{change}, 'copied', 'exec'), space)\n"
        "tell(Nim(), space['value'])\n"
    )
    filled.write("run.py", copied.format(change=""))
    assert filled.run().hit
    filled.write("run.py", copied.format(change=".replace('i += 1', 'i += 2')"))
    assert not filled.run().hit


@pytest.mark.parametrize("flag", ["NUMBA_BOUNDSCHECK", "NUMBA_OPT"])
def test_another_compiler_flag_makes_the_code_anew(
    flag: str, filled: Place, first: tuple[Path, Told]
) -> None:
    other = {"NUMBA_BOUNDSCHECK": "0" if os.environ.get(flag) == "1" else "1", "NUMBA_OPT": "1"}[flag]
    told = filled.run(**{flag: other})
    assert not told.hit
    assert (told.value, told.nodes) == (first[1].value, first[1].nodes)


def test_code_that_was_only_moved_or_formatted_is_found(filled: Place) -> None:
    filled.edit("rules.py", "class State", "# A comment.\n\n\nclass State")
    filled.edit("rules.py", "1 - s.mover)", "\n            1 - s.mover,\n        )")
    filled.edit("helper.py", "min(LARGEST, left)", "( min( LARGEST,left ) )  # as many as there are")
    filled.edit("helper.py", "return 1", "return 2")  # nothing that the game reaches
    assert filled.run(PYTHONHASHSEED="7").hit


# --- many at once -----------------------------------------------------------------------------------


def test_processes_that_begin_at_once_on_an_empty_cache_all_answer(empty: Place) -> None:
    told = [finish(process) for process in [empty.start() for _ in range(5)]]
    assert len({(one.value, one.nodes) for one in told}) == 1
    assert sum(not one.hit for one in told) == 1  # the others waited for it
    assert len(empty.entries) == 1
    assert sorted(path.name for path in empty.cache.iterdir()) == [empty.entries[0].name]
    assert empty.run().hit


def test_who_waits_for_a_process_that_never_ends_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GAMETREE_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(cache, "LONGEST_WAIT", 0.1)
    tmp_path.chmod(0o700)
    with FileLock(tmp_path / ".lock-key"), cache.turn("key"):
        pass
    with cache.turn("key"), cache.turn("other"):
        assert len(list(tmp_path.iterdir())) == 2
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(os.name != "posix", reason="permissions are POSIX's")
def test_nobody_waits_in_a_directory_that_others_can_write_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GAMETREE_CACHE_DIR", str(tmp_path))
    tmp_path.chmod(0o777)
    with cache.turn("key"):
        assert not list(tmp_path.iterdir())


# --- damage -----------------------------------------------------------------------------------------


def header_and_body(path: Path) -> tuple[dict[str, Any], bytes]:
    header, _, body = path.read_bytes().partition(b"\n")
    return json.loads(header), body


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def cut_in_header(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:20])


def clear(path: Path) -> None:
    path.write_bytes(b"")


def scramble(path: Path) -> None:
    path.write_bytes(random.Random(0).randbytes(path.stat().st_size))


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[-len(data) // 3] ^= 0xFF
    path.write_bytes(data)


def no_dictionary(path: Path) -> None:
    path.write_bytes(b"[]\n" + header_and_body(path)[1])


def other_key(path: Path) -> None:
    header, body = header_and_body(path)
    path.write_bytes(json.dumps({**header, "key": "0" * 32}).encode() + b"\n" + body)


def missing_symbol(path: Path) -> None:
    header, body = header_and_body(path)
    path.write_bytes(json.dumps({**header, "needs": ["no_such_function"]}).encode() + b"\n" + body)


def folder_instead(path: Path) -> None:
    path.unlink()
    path.mkdir()


DAMAGES = [truncate, cut_in_header, clear, scramble, flip, no_dictionary, other_key, folder_instead]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_entry_is_no_entry(
    damage: Callable[[Path], None],
    tmp_path: Path,
    first: tuple[Path, Told],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shutil.copytree(first[0], tmp_path / "cache")
    monkeypatch.setenv("GAMETREE_CACHE_DIR", str(tmp_path / "cache"))
    (entry,) = (tmp_path / "cache").iterdir()
    assert cache.load(entry.stem) is not None
    damage(entry)
    assert cache.load(entry.stem) is None


@pytest.mark.parametrize(
    "damage",
    [
        flip,
        missing_symbol,
        *(pytest.param(it, marks=SLOW) for it in (truncate, clear, scramble, folder_instead)),
    ],
)
def test_a_process_that_meets_a_damaged_entry_makes_it_anew(
    damage: Callable[[Path], None],
    filled: Place,
    first: tuple[Path, Told],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (entry,) = filled.entries
    needs = header_and_body(entry)[0]["needs"]
    damage(entry)
    assert filled.run() == Told(False, first[1].value, first[1].nodes)
    if damage is not folder_instead:  # which nobody removes
        monkeypatch.setenv("GAMETREE_CACHE_DIR", str(filled.cache))
        mended = cache.load(entry.stem)
        assert mended is not None and mended[0]["needs"] == needs


def test_an_entry_of_another_game_under_this_name_is_not_run(filled: Place, first: tuple[Path, Told]) -> None:
    (own,) = filled.entries
    filled.edit("run.py", "Nim()", "Nim(step=2)")
    assert not filled.run().hit
    (other,) = set(filled.entries) - {own}
    shutil.copyfile(own, other)
    told = filled.run()
    assert not told.hit and told.nodes != first[1].nodes


# --- directories that cannot be used ----------------------------------------------------------------


def test_a_cache_directory_that_cannot_be_made_does_no_harm(empty: Place) -> None:
    empty.write("file", "in the way")
    for _ in range(2):
        told = empty.run(GAMETREE_CACHE_DIR=str(empty.folder / "file" / "cache"))
        assert (told.hit, told.value) == (False, 1)


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="permissions do not bind the superuser")
def test_a_cache_directory_that_cannot_be_written_does_no_harm(empty: Place) -> None:
    empty.cache.mkdir(mode=0o500)
    for _ in range(2):
        assert not empty.run().hit
    assert empty.entries == []


def test_a_full_disk_does_no_harm(empty: Place) -> None:
    pytest.importorskip("resource")
    full = "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))\n"
    empty.write("run.py", full + RUN)
    told = empty.run()
    assert (told.hit, told.value) == (False, 1)
    assert list(empty.cache.iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="permissions are POSIX's")
def test_machine_code_that_others_can_have_written_is_not_run(
    filled: Place, first: tuple[Path, Told]
) -> None:
    (entry,) = filled.entries
    filled.cache.chmod(0o777)
    assert filled.run() == Told(False, first[1].value, first[1].nodes)
    filled.cache.chmod(0o700)
    entry.chmod(0o666)
    assert filled.run() == Told(False, first[1].value, first[1].nodes)
    assert stat.S_IMODE(entry.stat().st_mode) == 0o600  # written anew
    assert filled.run().hit


# --- recursion --------------------------------------------------------------------------------------

RECURSIVE = {
    "itself": """
def triangle(n):
    return 0 if n <= 0 else n + triangle(n - 1)
def worth(s):
    return triangle(s[2])
""",
    "itself, first with a literal": """
def triangle(n):
    if n <= 0:
        return 0.5
    return n + triangle(n - 1)
def worth(s):
    return triangle(3) + triangle(s[2])
""",
    "itself, with another type inside": """
def halves(x):
    if x < 1:
        return 0.0
    return 1.0 + halves(x / 2)
def worth(s):
    return halves(s[2])
""",
    "one another": """
def is_even(n):
    return True if n == 0 else is_odd(n - 1)
def is_odd(n):
    return False if n == 0 else is_even(n - 1)
def worth(s):
    return 2 if is_even(s[2]) else 1
""",
}

METHODS = """
    def triangle(self, n):
        return 0 if n <= 0 else n + self.triangle(n - 1)
    def worth(self, s):
        return self.triangle(s[2])
"""


def recursive(helpers: str, methods: str = "", call: str = "worth(s)") -> str:
    return (
        ALONE.replace("class Nim", helpers + "\nclass Nim")
        .replace("(7, 0)", "(7, 0, 0)")
        .replace("1 - s[1])", "1 - s[1], s[2] + a * a)")
        .replace("-1 if p == s[1] else 1", f"-{call} if p == s[1] else {call}")
        + methods
    )


OFTEN = ("itself, first with a literal", "one another")


@pytest.mark.parametrize(
    "what", [it if it in OFTEN else pytest.param(it, marks=SLOW) for it in (*RECURSIVE, "through self")]
)
def test_rules_that_call_themselves_are_replayed_in_the_second_process(what: str, empty: Place) -> None:
    if what == "through self":
        text = recursive("", METHODS, "self.worth(s)")
    else:
        text = recursive(RECURSIVE[what])
    empty.write("rules.py", text)
    one, other = empty.run(), empty.run()
    assert (one.hit, other.hit) == (False, True)
    assert (one.value, one.nodes) == (other.value, other.nodes)
