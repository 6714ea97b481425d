"""The reference of the Python interface in `docs/reference`, made from signatures and docstrings.

python tests/reference.py            says which pages are not as they would be made
python tests/reference.py --write    makes them
"""

import ast
import inspect
import re
import sys
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import FunctionType
from typing import Any, Final, NamedTuple

import gametree as gt
from gametree import board, explain, games
from gametree.arena import (
    clocks,
    entrants,
    field,
    opening_files,
    openings,
    playing,
    ratings,
    rounds,
    sprt,
    tournament,
)
from gametree.course import answers, exercise, generation, grades, grading, key, recipe
from gametree.result import Shown

FOLDER: Final = Path(__file__).parents[1] / "docs" / "reference"
_ROOT: Final = "gametree as gt"
_RULES: Final = ("Game", "CHANCE", "put", "check")
_TREES: Final = ("Tree", "Chance", "Turn")
_BOARDS: Final = ("Board", "Cell", "Piece")
_ANSWERS: Final = ("Analysis", "Move", "Value", "Limit", "Proof")
_SOLVING: Final = (
    "solve",
    "Solver",
    "Solution",
    "strategy",
    "Strategy",
    "best_response",
    "against",
    "Expected",
    "Book",
    "Database",
)

_MATRIX: Final = (
    "Matrix",
    "dominance",
    "pure_equilibria",
    "equilibria",
    "equilibrium",
    "correlated_equilibrium",
    "pareto",
    "security",
    "Equilibria",
    "Equilibrium",
    "Elimination",
    "Correlated",
    "Security",
    "shapley",
    "double_oracle",
    "Markov",
    "iterated",
    "Automaton",
    "Standings",
)
_HIDDEN: Final = (
    "cfr",
    "mccfr",
    "EquilibriumProfile",
    "Profile",
    "exploitability",
    "Exploitability",
    "sequence_form",
    "SequenceForm",
)


_ARENA: Final = (
    "Bot",
    "player",
    "Player",
    "match",
    "Match",
    "tournament",
    "Tournament",
    "tune",
    "Tuning",
    "Cluster",
)


class Entry(NamedTuple):
    """A public name, and how one writes it after `import gametree as gt` or after an import of its own."""

    name: str
    written: str
    value: Any


class Page(NamedTuple):
    """A page of the reference."""

    name: str
    title: str
    about: str
    entries: list[Entry]


def pages() -> list[Page]:
    """All pages; every name of `gametree.__all__` stands on one of them."""
    errors = sorted(name for name in gt.__all__ if name.endswith("Error"))
    shown = (*_RULES, *_TREES, *_BOARDS, *_ANSWERS, *_SOLVING, *_MATRIX, *_HIDDEN, *_ARENA)
    elsewhere = {*shown, *errors, "games", "__version__"}
    others = sorted(set(gt.__all__) - elsewhere, key=str.lower)
    return [
        Page(
            "rules", "Rules", "What a game says of itself, and what looks for mistakes in it.", _root(_RULES)
        ),
        Page("trees", "Trees", "Trees from a lecture are games, too.", _root(_TREES)),
        Page("games", "Games", "The games that are shipped.", _of(games, games.__all__)),
        Page("boards", "Boards", "Positions as data.", [*_root(_BOARDS), *_of(board, ["board_of"])]),
        Page("searches", "Searches", "What takes a game and says what to do.", _root(others)),
        Page(
            "answers",
            "Answers",
            "What searches return, when they stop, and refusals.",
            _root((*_ANSWERS, *errors)),
        ),
        Page(
            "solving",
            "Solving",
            "Proven values, strategies, opponents who err, books and databases.",
            _root(_SOLVING),
        ),
        Page(
            "matrix",
            "Matrix games",
            "Everybody chooses once, at the same time: dominance and equilibria in exact fractions.",
            _root(_MATRIX),
        ),
        Page("hidden", "Hidden information", "Profiles, best responses, equilibria.", _root(_HIDDEN)),
        Page(
            "opponents",
            "Opponents and matches",
            "An opponent for a program of one's own, and who is stronger.",
            [
                *_root(_ARENA),
                *_of(entrants, ["Contestant"]),
                *_of(clocks, ["Control"]),
                *_of(openings, ["Opening", "Openings"]),
                *_of(opening_files, ["OpeningFile"]),
                *_of(playing, ["Adjudication"]),
                *_of(rounds, ["GamePlayed", "Round"]),
                *_of(ratings, ["Sample", "Score"]),
                *_of(sprt, ["Estimate", "Sprt"]),
                *_of(tournament, ["Standing"]),
                *_of(field, ["Rated"]),
            ],
        ),
        Page(
            "explaining",
            "Explaining",
            "Traces, pictures, unknown leaves, and why.",
            _of(explain, explain.__all__),
        ),
        Page(
            "exercises",
            "Exercises",
            "Exercises, their keys and their grading.",
            [
                *_of(recipe, ["Recipe"]),
                *_of(generation, ["make", "make_set"]),
                *_of(exercise, ["Exercise"]),
                *_of(key, ["solve", "Key"]),
                *_of(answers, ["read", "Answers"]),
                *_of(grading, ["grade"]),
                *_of(grades, ["Grades"]),
            ],
        ),
    ]


def _root(names: Any) -> list[Entry]:
    return [Entry(name, f"gt.{name}", getattr(gt, name)) for name in names]


def _of(module: Any, names: list[str]) -> list[Entry]:
    return [
        Entry(name, f"{module.__name__}.{name}", getattr(module, name))
        for name in sorted(names, key=str.lower)
    ]


# --- a page -----------------------------------------------------------------------------------------


def text_of(page: Page) -> str:
    """A page as Markdown."""
    lines = [f"# {page.title}", "", f"{page.about} Made from the docstrings by `tests/reference.py`.", ""]
    for entry in page.entries:
        lines += [f"## {entry.name}", "", *_described(entry), ""]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines).rstrip()) + "\n"


def index() -> str:
    """The page that leads to the others."""
    lines = [
        "# Reference",
        "",
        "The public names of gametree. In Python, `help(gt.analyze)` says the same.",
        "",
    ]
    for page in pages():
        names = ", ".join(f"[{entry.name}]({page.name}.md#{entry.name.lower()})" for entry in page.entries)
        lines += [f"- [{page.title}]({page.name}.md): {names}"]
    return "\n".join(lines) + "\n"


def _described(entry: Entry) -> Iterator[str]:
    value = entry.value
    if isinstance(value, FunctionType):
        yield from _code(f"{entry.written}{_signature(value)}")
        yield from _doc(value)
    elif inspect.isclass(value):
        made = (
            "" if issubclass(value, Exception) or value is gt.Game else _signature(value).partition(" -> ")[0]
        )
        yield from _code(f"class {entry.written}{made}")
        yield from _doc(value)
        if not (issubclass(value, gt.Game) and value is not gt.Game):
            yield from _members(value)
    else:
        yield from _code(f"{entry.written} = {value!r}")


def _members(cls: type) -> Iterator[str]:
    """What a class defines itself under names without an underscore: attributes, properties, methods."""
    yield ""
    for name, kind, about in _attributes(cls):
        yield f"- `{name}: {kind}`" + (f": {about}" if about else "")
    yield ""
    shown = {"to_json": Shown.to_json} if Shown in cls.__bases__ else {}
    for name, member in {**vars(cls), **shown, **vars(cls)}.items():
        made = member.__func__ if isinstance(member, (classmethod, staticmethod)) else member
        if name.startswith("_"):
            continue
        if isinstance(member, property):
            yield from _code(f".{name}")[:-1]
        elif isinstance(made, FunctionType):
            yield from _code(f".{name}{_signature(made)}")[:-1]
        else:
            continue
        yield ""
        yield from _doc(member)
        yield ""


def _attributes(cls: type) -> Iterator[tuple[str, str, str]]:
    """The attributes that a class declares: name, type, and what is written under each."""
    body = _body(cls)
    for line, after in pairwise([*body, ast.Pass()]):
        if not isinstance(line, ast.AnnAssign) or not isinstance(line.target, ast.Name):
            continue
        told = after.value if isinstance(after, ast.Expr) else None
        about = str(told.value) if isinstance(told, ast.Constant) else ""
        kind = ast.unparse(line.annotation).strip("'")
        if not line.target.id.startswith("_") and not kind.startswith("ClassVar"):
            yield line.target.id, kind, " ".join(about.split())


def _body(cls: type) -> list[ast.stmt]:
    file = inspect.getsourcefile(cls)
    assert file is not None
    return next(node.body for node in _classes(file) if node.name == cls.__name__)


@cache
def _classes(file: str) -> list[ast.ClassDef]:
    tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    return [node for node in tree.body if isinstance(node, ast.ClassDef)]


def _signature(function: Any) -> str:
    """A signature without the modules of its types; a parameter a line where it is long."""
    signature = inspect.signature(function)
    written = [str(one) for one in signature.parameters.values() if one.name != "self"]
    kinds = [one.kind for one in signature.parameters.values() if one.name != "self"]
    if inspect.Parameter.KEYWORD_ONLY in kinds and inspect.Parameter.VAR_POSITIONAL not in kinds:
        written.insert(kinds.index(inspect.Parameter.KEYWORD_ONLY), "*")
    written = [_plain(one) for one in written]
    to = str(signature).rpartition(" -> ")[2] if signature.return_annotation is not signature.empty else ""
    together = ", ".join(written)
    inside = together if len(together) < 80 else "".join(f"\n    {one}," for one in written) + "\n"
    return f"({inside})" + (f" -> {_plain(to)}" if to else "")


def _plain(text: str) -> str:
    text = re.sub(r"<function (\w+) at 0x\w+>", r"\1", text)
    text = re.sub(r"(?<![\w.'])(?:[A-Za-z_]\w*\.)+([A-Za-z_]\w*)", r"\1", text)
    return re.sub(r"(^|: )'([^']+)'", r"\1\2", text)


def _code(text: str) -> list[str]:
    return ["```text", text, "```", ""]


def _doc(value: Any) -> Iterator[str]:
    """A docstring, its examples in blocks."""
    example = False
    for line in (inspect.getdoc(value) or "").splitlines():
        begins, ends = line.startswith(">>>") and not example, example and not line
        if begins or ends:
            yield "```pycon" if begins else "```"
            example = begins
        yield line
    if example:
        yield "```"


# --- files ------------------------------------------------------------------------------------------


def files() -> Iterator[tuple[Path, str]]:
    """Every page: its file and what has to be in it."""
    yield FOLDER / "README.md", index()
    for page in pages():
        yield FOLDER / f"{page.name}.md", text_of(page)


def main(arguments: list[str]) -> int:
    stale = [(file, text) for file, text in files() if not file.exists() or file.read_text("utf-8") != text]
    for file, text in stale:
        print(file.name)
        if arguments == ["--write"]:
            FOLDER.mkdir(exist_ok=True)
            file.write_text(text, encoding="utf-8")
    return 1 if stale and arguments != ["--write"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
