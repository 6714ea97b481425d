"""`gametree check`: do the rules keep the contract, and do they compile?"""

from typing import Annotated, Any

import typer

from gametree.app import failures
from gametree.app.load import load
from gametree.app.options import Compiling, Json, Seed, Settings, Target, json_only
from gametree.checking.checker import check as examine
from gametree.compiled import native
from gametree.errors import InputError
from gametree.game import Game


def check(
    game: Target,
    settings: Settings = None,
    what_compiles: Annotated[
        bool, typer.Option("--what-compiles", help="Instead: what of the rules compiles, and what to change.")
    ] = False,
    plays: Annotated[int, typer.Option(metavar="N", help="How many random games.")] = 100,
    seed: Seed = 0,
    compile: Compiling = "auto",
    as_json: Json = False,
) -> None:
    """Plays random games and looks for mistakes in the rules. Exits with 1 where it finds any.

    \b
    Examples:
      gametree check mygame.py
      gametree check mygame.py:Nim --what-compiles
    """
    with json_only(as_json) as emit:
        rules = load(game, settings or ())
        report: Any
        if what_compiles:
            report = _diagnosis(rules)
            code = failures.OK if report.ok else failures.PROBLEMS
        else:
            report = examine(rules, plays=plays, seed=seed, compile=compile)
            code = report.exit_code
        if as_json:
            emit(report.to_dict())
        else:
            print(report)
    if code:
        raise typer.Exit(code)


def _diagnosis(rules: Game) -> Any:
    missing = native.unavailable()
    if missing:
        raise InputError(f"--what-compiles: {missing}")
    # Needs the compiler to be there.
    from gametree.compiled.diagnosis import explain

    return explain(rules)
