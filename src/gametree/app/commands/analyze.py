"""`gametree analyze`: the best move and what it is worth."""

import enum
from typing import Annotated, Any

import typer

from gametree.app import printing
from gametree.app.notation import read_action, words_of
from gametree.app.options import Evaluation, Files, Json, Limits, Moves, Resources, Seed, Situation, json_only
from gametree.app.options import as_json as json_text
from gametree.app.output import require_endings, write
from gametree.arena.thinking import Wanted, analyze_at_once
from gametree.explain.pictures import export
from gametree.explain.pictures.heat import heat_scene
from gametree.search.analyze import analyze as search

PICTURES = (".svg", ".png", ".pdf")
ENDINGS = (*PICTURES, ".json")


class Method(str, enum.Enum):
    """How to search."""

    auto = "auto"
    minimax = "minimax"
    alphabeta = "alphabeta"
    expectiminimax = "expectiminimax"
    maxn = "maxn"
    paranoid = "paranoid"
    best_reply = "best-reply"
    mtdf = "mtdf"
    sss = "sss"
    dual = "dual"
    pns = "pns"
    dfpn = "dfpn"
    mcts = "mcts"
    ismcts = "ismcts"
    pimc = "pimc"
    equilibrium = "equilibrium"
    appraise = "appraise"


def analyze(
    at: Situation,
    limits: Limits,
    *,
    method: Annotated[
        Method, typer.Option(metavar="NAME", help=f"Which search: {', '.join(one.value for one in Method)}.")
    ] = Method.auto,
    moves: Moves = False,
    lines: Annotated[int, typer.Option(metavar="N", help="How many of the best lines.")] = 1,
    actions: Annotated[
        str | None, typer.Option("--only", metavar="MOVES", help="Look at these moves alone.")
    ] = None,
    evaluation: Evaluation = None,
    selective: Annotated[
        bool, typer.Option(help="Follow some lines further and others less far than the depth.")
    ] = True,
    out: Annotated[
        Files,
        typer.Option(
            metavar="FILE",
            help=f"Draw how good every move is on the board, {' '.join(PICTURES)}, or write .json; may be repeated.",
        ),
    ] = None,
    seed: Seed = 0,
    using: Resources,
    as_json: Json = False,
) -> None:
    """Finds the best move and what it is worth. Without a limit it thinks for a second.

    Where machine code has to be made first, a search with a time limit begins interpreted and is done in time.

    \b
    Examples:
      gametree analyze tic-tac-toe --position "X.O/.X./..O" --moves
      gametree analyze connect-four --moves-played "4 4 5" --seconds 2
      gametree analyze chess --lines 3 --threads 2 --hash 256 --seconds 10
      gametree analyze othello --method mcts --seconds 2
      gametree analyze chinese-checkers --set players=3 --method paranoid
      gametree analyze mygame.py:Nim --set counters=9
      gametree analyze battleship --out heat.svg --moves-played "a1> a2> a3> a4>
        a5> a1> a2> a3> a4> a5> e5"
    """
    with json_only(as_json) as emit:
        limit, resources = limits.limit(), using.keywords()
        files = out or []
        require_endings(files, ENDINGS)
        drawn = [file for file in files if file.suffix.lower() in PICTURES]
        game, state, history = at.stand()
        only = None if actions is None else [read_action(game, state, text) for text in words_of(actions)]
        asked: dict[str, Any] = {
            "moves": moves or bool(drawn),
            "lines": lines,
            "actions": only,
            "history": history,
        }
        if not as_json:
            printing.show_position(game, state, history)
        with printing.progress(as_json) as on_progress:
            asked["on_progress"] = on_progress
            by_clock = limit is None or limit.seconds is not None
            if by_clock and method is Method.auto and using.compile == "auto":
                wanted = Wanted(game, using.hash_mb, using.threads, seed, evaluation, selective)
                analysis = analyze_at_once(wanted, state, limit, **asked)
            else:
                asked |= {"evaluation": evaluation, "selective": selective, "seed": seed, **resources}
                analysis = search(game, state, limit, method=method.value, **asked)
        for file in drawn:
            scene = heat_scene(game, state, analysis, history)
            write(file, export.scene_bytes(scene, file.suffix.lower()))
        for file in files:
            if file not in drawn:
                write(file, json_text(analysis.to_dict()) + "\n")
        if as_json:
            emit(analysis.to_dict())
        else:
            printing.show_analysis(game, analysis)
    printing.keep_machine_code(as_json)
