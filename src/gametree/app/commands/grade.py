"""`gametree grade`: homework marked."""

import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from gametree.app import failures
from gametree.app.load import load, setting
from gametree.app.options import SIGNS, Cutting, Files, Json, Seed, Settings
from gametree.app.options import as_json as json_text
from gametree.app.output import require_endings
from gametree.course import folders
from gametree.course.exercise import spec_from_json
from gametree.course.folders import grade_programs, program_table
from gametree.course.formats.files import put
from gametree.course.programs.gradescope import archive
from gametree.course.programs.judging import Assignment, AssignmentRecipe, assign, assign_trees
from gametree.course.programs.nbgrader import notebook
from gametree.course.programs.sandbox import Limits
from gametree.errors import InputError
from gametree.games.tree.game import Tree
from gametree.reading import parse

ENDINGS = (".csv", ".zip", ".ipynb")


@dataclass(frozen=True)
class Grading:
    """What a program is graded on."""

    game: Annotated[
        str,
        typer.Option(metavar="GAME", help="With --code: a game, a tree as text, or trees for random ones."),
    ] = "tic-tac-toe"
    settings: Settings = None
    positions: Annotated[
        list[str] | None, typer.Option("--position", metavar="TEXT", help="A position; may be repeated.")
    ] = None
    function: Annotated[str, typer.Option(metavar="NAME", help="alphabeta or minimax.")] = "alphabeta"
    count: Annotated[int, typer.Option(metavar="N", help="So many positions from random games.")] = 5
    seed: Seed = 0
    depth: Annotated[
        int | None, typer.Option(metavar="N", help="The program takes a depth: f(game, state, N).")
    ] = None
    cut: Cutting = "ge"
    seconds: Annotated[float, typer.Option(metavar="S", help="Time for a position.")] = 10
    memory: Annotated[int, typer.Option(metavar="MB", help="Memory of the program.")] = 512

    def limits(self) -> Limits:
        """What the program may use."""
        return Limits(self.seconds, max(1, round(self.seconds)), self.memory)

    def assignment(self) -> Assignment:
        """The positions, and what is right there."""
        sign = SIGNS[self.cut]
        if self.game == "trees":
            return assign_trees(
                self.function, count=self.count, seed=self.seed, cut=sign, limits=self.limits()
            )
        if self.game.lstrip().startswith("["):
            tree = Tree(spec_from_json(parse(self.game, "--game")))
            return self._assigned(tree, [tree.initial()])
        rules = load(self.game, self.settings or ())
        return self._assigned(rules, [])

    def _assigned(self, rules: Any, states: list[Any]) -> Assignment:
        return assign(
            rules,
            self.function,
            [rules.parse_state(text) for text in self.positions or ()] or states,
            count=self.count,
            seed=self.seed,
            depth=self.depth,
            cut=SIGNS[self.cut],
            limits=self.limits(),
        )

    def exported(self, ending: str) -> bytes:
        """The grader for another system: an archive for Gradescope, a notebook for nbgrader."""
        parameters = dict(setting(text) for text in self.settings or ())
        recipe = AssignmentRecipe(
            self.game,
            parameters,
            self.function,
            self.count,
            self.seed,
            self.depth,
            SIGNS[self.cut],
            self.limits(),
        )
        return archive(recipe) if ending == ".zip" else notebook(recipe).encode()


def grade(
    exercises: Annotated[
        Path | None,
        typer.Argument(
            metavar="EXERCISE",
            help="The exercise as JSON or as its page, or the folder of a set.",
            show_default=False,
        ),
    ] = None,
    answers: Annotated[
        list[Path] | None,
        typer.Argument(metavar="ANSWERS", help="Files of answers, or a folder of them.", show_default=False),
    ] = None,
    *,
    out: Annotated[
        Files,
        typer.Option(
            metavar="FILE",
            help="Write a table (.csv), or the grader of programs for Gradescope (.zip) or nbgrader (.ipynb).",
        ),
    ] = None,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print the table as CSV and nothing else.")] = False,
    hide: Annotated[bool, typer.Option("--hide", help="Say where mistakes are, not what is right.")] = False,
    code: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Instead: grade a program, or a folder of them.")
    ] = None,
    task: Grading,
    as_json: Json = False,
) -> None:
    """Grades answers to exercises, or a program that searches.

    \b
    Examples:
      gametree grade homework.json ann.json
      gametree grade homework.html ann.json
      gametree grade week5/ handed-in/ --out grades.csv
      gametree grade --code alphabeta.py --game tic-tac-toe
      gametree grade --game connect-four --set width=4 --out autograder.zip

    Files of answers are read, never run. A program is run in a process of its own, with limits on time and memory.
    Exits with 0 where all is right; with 1 where something is wrong or, of several files, one could not be graded.
    """
    files = out or []
    require_endings(files, ENDINGS)
    graders = [file for file in files if file.suffix.lower() != ".csv"]
    if exercises is not None and (code is not None or graders):
        what = "--code grades programs" if code is not None else f"--out {graders[0]} grades programs"
        raise InputError(f"{what}; leave the exercise and its answers out")
    for file in graders:
        print(put(file, task.exported(file.suffix.lower())))
    tables = [file for file in files if file not in graders]
    shown = Shown(tables, as_csv, as_json)
    if code is not None:
        with redirect_stdout(sys.stderr if as_json else sys.stdout):
            assigned = task.assignment()
        programs = grade_programs(_files([code], "*.py"), assigned)
        graded = Graded("programs", programs, program_table(programs), str)
        _tell(graded, shown, several=code.is_dir())
    elif exercises is not None and answers:
        rows = folders.grade_files(folders.read_exercises(exercises), _files(answers, "*.json"))
        graded = Graded("files", rows, folders.table(rows), lambda report: report.text(hide=hide))
        _tell(graded, shown, several=len(answers) > 1 or answers[0].is_dir())
    elif not graders:
        raise InputError(
            "give an exercise and answers: gametree grade homework.json ann.json (or --code FILE)"
        )


@dataclass(frozen=True)
class Shown:
    """Where the grades go."""

    tables: list[Path]
    csv: bool
    json: bool


@dataclass(frozen=True)
class Graded:
    """What became of each file, the same as a table, and how a report is written for people."""

    noun: str
    rows: Sequence[Any]
    table: str
    text: Callable[[Any], str]


def _tell(graded: Graded, shown: Shown, *, several: bool) -> None:
    """Prints what became of each file, or says where the table is; exits with 1 where something is wrong."""
    rows, table = graded.rows, graded.table
    several = several or shown.csv or bool(shown.tables)
    if not several and rows[0].report is None:
        raise InputError(rows[0].error)
    for row in rows:
        if row.report is None:
            print(f"gametree: {row.error}", file=sys.stderr)
    for file in shown.tables:
        put(file, table.encode("utf-8", "replace"))
    reports = [row.report for row in rows if row.report is not None]
    if shown.json:
        data = [_data(row) for row in rows]
        print(json_text(data if several else data[0]))
    elif shown.csv:
        print(table, end="")
    elif shown.tables:
        print(
            f"{len(reports)} of {len(rows)} {graded.noun} graded, table in {', '.join(map(str, shown.tables))}"
        )
    else:
        print("\n".join(map(graded.text, reports)))
    if len(reports) < len(rows) or (not several and not reports[0].right):
        raise typer.Exit(failures.PROBLEMS)


def _data(row: Any) -> dict[str, Any]:
    return {"file": row.file, **({"error": row.error} if row.report is None else row.report.to_dict())}


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
