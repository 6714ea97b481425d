"""`gametree exercise` and `gametree grade`: homework made, and homework marked."""

import enum
import json
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gametree.app import failures
from gametree.app.explaining import CUTS, Bounds, Direction, Fail, Shapes
from gametree.errors import InputError

if TYPE_CHECKING:
    from gametree.course.exercise import Exercise
    from gametree.course.programs.judging import Assignment
    from gametree.explain.traces.conventions import Conventions


class Kind(str, enum.Enum):
    """What an exercise is about."""

    minimax = "minimax"
    alphabeta = "alphabeta"
    expectiminimax = "expectiminimax"
    maxn = "maxn"
    unknown = "unknown"
    ordering = "ordering"


class Ties(str, enum.Enum):
    """Whether values may be equal."""

    any = "any"
    none = "none"
    best = "best"


class Root(str, enum.Enum):
    """Who moves first."""

    max = "max"
    min = "min"


class Depends(str, enum.Enum):
    """Whether the root is to depend on x."""

    any = "any"
    yes = "yes"
    no = "no"


class Export(str, enum.Enum):
    """Where the code grader goes."""

    gradescope = "gradescope"
    nbgrader = "nbgrader"


_Cut = Annotated[str, typer.Option("--cut", metavar="ge|gt", help="Cut at ≥ or only at >.")]
_Json = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
_Seed = Annotated[int, typer.Option("--seed", metavar="N", help="Same seed, same exercise.")]


def exercise(
    kind: Annotated[Kind, typer.Option(help="What it is about.")] = Kind.alphabeta,
    depth: Annotated[int, typer.Option(metavar="N", help="Levels of moves; chance counts as one.")] = 3,
    branching: Annotated[str, typer.Option(metavar="RANGE", help="Children of a node: 2, or 2-3.")] = "2-3",
    seed: _Seed = 0,
    values: Annotated[
        str, typer.Option(metavar="RANGE", help="Values of leaves: 0..20, or -9..9.")
    ] = "0..20",
    ties: Annotated[
        Ties, typer.Option(help="Equal leaves: any; none; best for several best moves.")
    ] = Ties.any,
    cuts: Annotated[int | None, typer.Option(metavar="N", help="Exactly so many cuts.")] = None,
    deep_cut: Annotated[bool, typer.Option("--deep-cut", help="At least one deep cut.")] = False,
    ragged: Annotated[bool, typer.Option("--ragged", help="Leaves at different depths.")] = False,
    root: Annotated[Root, typer.Option(help="Who moves first.")] = Root.max,
    depends: Annotated[
        Depends, typer.Option(help="With --kind unknown: whether the root depends on x.")
    ] = Depends.any,
    parts: Annotated[
        str, typer.Option(metavar="LIST", help="What is asked, for example values,move,best-order.")
    ] = "",
    count: Annotated[
        int | None, typer.Option(metavar="N", help="A set: N exercises, seeds from --seed on.")
    ] = None,
    names: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A set: one exercise for each name, a name a line.")
    ] = None,
    out: Annotated[Path | None, typer.Option(metavar="PATH", help="A file, or the folder of a set.")] = None,
    form: Annotated[
        str, typer.Option("--format", metavar="LIST", help="html, pdf, markdown, json, moodle.")
    ] = "",
    key: Annotated[bool, typer.Option("--key", help="The key too.")] = False,
    attempts: Annotated[int, typer.Option(metavar="N", help="Give up after so many trees.")] = 5_000,
    cut: _Cut = "ge",
    fail: Annotated[Fail, typer.Option(help="Fail-soft or fail-hard.")] = Fail.soft,
    bounds: Annotated[Bounds, typer.Option(help="What stands beside the nodes.")] = Bounds.alpha_beta,
    shapes: Annotated[Shapes, typer.Option(help="What stands for MAX and MIN.")] = Shapes.squares_circles,
    direction: Annotated[
        Direction, typer.Option(help="Which child is looked at first.")
    ] = Direction.left_to_right,
    as_json: _Json = False,
) -> None:
    """Makes an exercise on a game tree, or one for each student, with a key.

    \b
    Examples:
      gametree exercise --kind alphabeta --depth 3 --branching 2-3 --seed 7
      gametree exercise --depth 4 --branching 2 --cuts 3 --deep-cut --out homework.html --key
      gametree exercise --names class.txt --seed 100 --format html,pdf --key --out week5/
      gametree exercise --kind minimax --count 30 --format moodle --out bank.xml

    Without --out it is printed as Markdown, or as JSON with --json. A set of exercises goes into a folder, with the
    JSON that `gametree grade` needs beside each, and keys in a folder of their own.
    """
    from gametree.course.generation import make_set
    from gametree.course.recipe import Recipe, span

    recipe = Recipe(
        kind=kind.value,
        depth=depth,
        branching=span(branching, "--branching"),
        values=span(values, "--values"),
        ties=ties.value,
        cuts=cuts,
        deep_cut=deep_cut,
        ragged=ragged,
        root=root.value,
        depends=depends.value,
        parts=tuple(word.strip() for word in parts.split(",") if word.strip()),
        conventions=_conventions(cut, fail, bounds, shapes, direction),
        attempts=attempts,
    )
    students = _students(count, names)
    made = make_set(recipe, seed, students)
    if out is None:
        _print(made, _forms(form or ("json" if as_json else "markdown")), key)
        return
    files = _save(made, out, form, key, is_set=count is not None or names is not None)
    if as_json:
        print(json.dumps({"files": [str(file) for file in files]}, indent=2, ensure_ascii=False))
    else:
        _tell(files, out)


def _conventions(cut: str, fail: Fail, bounds: Bounds, shapes: Shapes, direction: Direction) -> "Conventions":
    from gametree.explain.traces.conventions import Conventions

    return Conventions(
        cut=_cut_sign(cut),  # type: ignore[arg-type]
        fail=fail.value,
        bounds=bounds.value,
        shapes=shapes.value,
        direction=direction.value,
    )


def _cut_sign(cut: str) -> str:
    if cut not in CUTS:
        raise InputError(f"--cut {cut}: write ge to cut at ≥, or gt to cut at > only")
    return CUTS[cut]


def _students(count: int | None, names: Path | None) -> list[str]:
    from gametree.course.formats.files import MOST_STUDENTS, read_names

    if names is not None:
        found = read_names(names)
        if count is not None and count != len(found):
            raise InputError(f"--count {count} and {len(found)} names in {names}: leave --count out")
        return found
    if count is not None and not 1 <= count <= MOST_STUDENTS:
        raise InputError(f"--count {count}: a set has 1 to {MOST_STUDENTS:,} exercises")
    return [""] * (count or 1)


def _forms(text: str) -> list[str]:
    from gametree.course.formats.files import ENDINGS

    forms = [word.strip().lower() for word in text.split(",") if word.strip()]
    forms = ["markdown" if form == "md" else form for form in forms]
    for form in forms:
        if form not in ENDINGS:
            raise InputError(f"--format {form}: it is {', '.join(ENDINGS)}, or several with commas between")
    return forms


def _print(made: "list[Exercise]", forms: list[str], key: bool) -> None:
    from gametree.course.formats import files

    if len(forms) != 1 or forms[0] == "pdf":
        raise InputError(f"--format {','.join(forms)}: say with --out where it is to be written")
    form = forms[0]
    if form == "json":
        data: list[Any] = [one.to_dict() for one in made]
        if key:
            from gametree.course.key import key_file

            data = [{"exercise": plain, "key": key_file(one)} for plain, one in zip(data, made)]
        print(json.dumps(data[0] if len(data) == 1 else data, indent=2, ensure_ascii=False))
        return
    if form == "moodle":
        from gametree.course.formats.moodle import moodle

        print(moodle(made), end="")
        return
    texts = []
    for one in made:
        texts.append(files.written(one, form).decode())
        if key:
            texts.append(files.written_key(one, form).decode())
    print("\n---\n\n".join(texts), end="")


def _save(made: "list[Exercise]", out: Path, form: str, key: bool, *, is_set: bool) -> list[Path]:
    from gametree.course.formats import files

    if is_set and out.suffix.lower() == ".xml":
        from gametree.course.formats.moodle import moodle

        if _forms(form or "moodle") != ["moodle"]:
            raise InputError(f"--out {out} is one file for Moodle; other formats of a set go into a folder")
        return [files.put(out, moodle(made).encode("utf-8", "replace"))]
    if is_set:
        return files.write_set(made, out, _forms(form or "html"), key=key)
    forms = _forms(form) or [files.format_of(out)]
    if len(forms) > 1:
        raise InputError(
            f"--format {form}: one exercise is one file; several formats are for a set (--count)"
        )
    return files.write(made[0], out, forms[0], key=key)


def _tell(files: list[Path], out: Path) -> None:
    if len(files) <= 4:
        for file in files:
            print(file)
    else:
        print(f"{len(files)} files in {out}")


# --- grade ------------------------------------------------------------------------------------------


def grade(
    exercises: Annotated[
        Path | None,
        typer.Argument(
            metavar="EXERCISE", help="The exercise as JSON, or the folder of a set.", show_default=False
        ),
    ] = None,
    answers: Annotated[
        list[Path] | None,
        typer.Argument(metavar="ANSWERS", help="Files of answers, or a folder of them.", show_default=False),
    ] = None,
    table: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write a table; - is standard output.")
    ] = None,
    hide: Annotated[bool, typer.Option("--hide", help="Say where mistakes are, not what is right.")] = False,
    code: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Instead: grade a program, or a folder of them.")
    ] = None,
    against: Annotated[
        str,
        typer.Option(metavar="GAME", help="With --code: a game, a tree as text, or trees for random ones."),
    ] = "tic-tac-toe",
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="A parameter of the game.")
    ] = None,
    function: Annotated[str, typer.Option(metavar="NAME", help="alphabeta or minimax.")] = "alphabeta",
    positions: Annotated[
        list[str] | None, typer.Option("--position", metavar="TEXT", help="A position; may be repeated.")
    ] = None,
    count: Annotated[int, typer.Option(metavar="N", help="So many positions from random plays.")] = 5,
    seed: _Seed = 0,
    depth: Annotated[
        int | None, typer.Option(metavar="N", help="Search to a depth: f(game, state, N).")
    ] = None,
    cut: _Cut = "ge",
    seconds: Annotated[float, typer.Option(metavar="S", help="Time for a position.")] = 10,
    memory: Annotated[int, typer.Option(metavar="MB", help="Memory of the program.")] = 512,
    export: Annotated[
        Export | None, typer.Option(help="Write the code grader for another system.", show_default=False)
    ] = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Where --export goes.")] = None,
    as_json: _Json = False,
) -> None:
    """Grades answers to exercises, or a program that searches.

    \b
    Examples:
      gametree grade homework.json ann.json
      gametree grade week5/ handed-in/ --csv grades.csv
      gametree grade --code alphabeta.py --against tic-tac-toe
      gametree grade --export gradescope --against connect-four --set width=4 --out autograder.zip

    Files of answers are read, never run. A program is run in a process of its own, with limits on time and memory.
    Exits with 0 where all is right; with 1 where something is wrong or, of several files, one could not be graded.
    """
    if export is not None:
        _export(export, out, against, settings or [], function, count, seed, depth, cut, seconds, memory)
        return
    if code is not None:
        if exercises is not None:
            raise InputError("--code grades programs; leave the exercise and its answers out")
        with redirect_stdout(sys.stderr if as_json else sys.stdout):
            assigned = _assignment(
                against, settings or [], function, positions or [], count, seed, depth, cut, seconds, memory
            )
        _grade_code(code, assigned, table, as_json)
        return
    if exercises is None or not answers:
        raise InputError(
            "give an exercise and answers: gametree grade homework.json ann.json (or --code FILE)"
        )
    _grade_answers(exercises, answers, table, hide, as_json)


def _grade_answers(
    exercises: Path, answers: list[Path], table: Path | None, hide: bool, as_json: bool
) -> None:
    from gametree.course import folders

    known = folders.read_exercises(exercises)
    several = len(answers) > 1 or answers[0].is_dir() or table is not None
    rows = folders.grade_files(known, _files(answers, "*.json"))
    if not several and rows[0].report is None:
        raise InputError(rows[0].error)
    for row in rows:
        if row.report is None:
            print(f"gametree: {row.error}", file=sys.stderr)
    _write_table(table, folders.table(rows) if table is not None else "")
    if as_json:
        data = [
            {"file": row.file, "error": row.error}
            if row.report is None
            else {"file": row.file, **row.report.to_dict()}
            for row in rows
        ]
        print(json.dumps(data if several else data[0], indent=2, ensure_ascii=False))
    elif table is None:
        print("\n".join(row.report.text(hide=hide) for row in rows if row.report is not None))
    elif str(table) != "-":
        graded = [row.report for row in rows if row.report is not None]
        print(f"{len(graded)} of {len(rows)} files graded, table in {table}")
    failed = any(row.report is None for row in rows)
    wrong = not several and rows[0].report is not None and not rows[0].report.right
    if failed or wrong:
        raise typer.Exit(failures.PROBLEMS)


def _files(paths: list[Path], pattern: str) -> list[Path]:
    """Files, and those in folders, sorted."""
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = sorted(path.glob(pattern))
            if not inside:
                raise InputError(f"{path} holds no {pattern[1:]} files")
            found += inside
        else:
            found.append(path)
    return found


def _write_table(table: Path | None, text: str) -> None:
    from gametree.course.formats.files import put

    if table is None:
        return
    if str(table) == "-":
        print(text, end="")
    else:
        put(table, text.encode("utf-8", "replace"))


# --- code -------------------------------------------------------------------------------------------


def _assignment(
    against: str,
    settings: list[str],
    function: str,
    positions: list[str],
    count: int,
    seed: int,
    depth: int | None,
    cut: str,
    seconds: float,
    memory: int,
) -> "Assignment":
    from gametree.course.programs.judging import assign, assign_trees
    from gametree.course.programs.sandbox import Limits

    limits = Limits(seconds, max(1, round(seconds)), memory)
    sign = _cut_sign(cut)
    if against == "trees":
        return assign_trees(function, count=count, seed=seed, cut=sign, limits=limits)
    game, states = _game(against, settings)
    states = [game.parse_state(text) for text in positions] or states
    return assign(game, function, states, count=count, seed=seed, depth=depth, cut=sign, limits=limits)


def _game(against: str, settings: list[str]) -> tuple[Any, list[Any]]:
    if against.lstrip().startswith("["):
        from gametree.course.answers import loads
        from gametree.course.exercise import spec_from_json
        from gametree.games.tree.game import Tree

        tree = Tree(spec_from_json(loads(against, "--against")))
        return tree, [tree.initial()]
    from gametree.app.load import load

    return load(against, settings), []


def _grade_code(code: Path, assigned: "Assignment", table: Path | None, as_json: bool) -> None:
    from gametree.course.folders import grade_programs, program_table

    rows = grade_programs(_files([code], "*.py"), assigned)
    several = code.is_dir() or table is not None
    if not several and rows[0].report is None:
        raise InputError(rows[0].error)
    for row in rows:
        if row.report is None:
            print(f"gametree: {row.error}", file=sys.stderr)
    _write_table(table, program_table(rows) if table is not None else "")
    reports = [row.report for row in rows if row.report is not None]
    if as_json:
        data = [report.to_dict() for report in reports]
        print(json.dumps(data if several else data[0], indent=2, ensure_ascii=False))
    elif table is None:
        print("\n".join(str(report) for report in reports))
    elif str(table) != "-":
        print(f"{len(reports)} of {len(rows)} programs graded, table in {table}")
    failed = len(reports) < len(rows)
    if failed or (not several and not reports[0].right):
        raise typer.Exit(failures.PROBLEMS)


def _export(
    export: Export,
    out: Path | None,
    against: str,
    settings: list[str],
    function: str,
    count: int,
    seed: int,
    depth: int | None,
    cut: str,
    seconds: float,
    memory: int,
) -> None:
    from gametree import games
    from gametree.app.load import setting
    from gametree.course.formats.files import put
    from gametree.course.programs.judging import assign
    from gametree.course.programs.sandbox import Limits

    if out is None:
        raise InputError("--export: say with --out where it is to be written")
    parameters = dict(setting(text) for text in settings)
    common: dict[str, Any] = {
        "function": function,
        "count": count,
        "seed": seed,
        "depth": depth,
        "cut": _cut_sign(cut),
        "parameters": parameters,
    }
    limits = Limits(seconds, max(1, round(seconds)), memory)
    if against != "trees" or export is Export.nbgrader:
        assign(
            games.load(against, **parameters),
            function,
            count=count,
            seed=seed,
            depth=depth,
            cut=_cut_sign(cut),
        )
    if export is Export.gradescope:
        from gametree.course.programs.gradescope import archive

        put(out, archive(against, limits=limits, **common))
    else:
        from gametree.course.programs.nbgrader import notebook

        put(out, notebook(against, **common).encode())
    print(out)
