"""`gametree dilemma`: a tournament of the iterated prisoner's dilemma."""

from pathlib import Path
from typing import Annotated

import typer

from gametree.app.options import Files, Json, Seed, json_only
from gametree.app.output import require_endings, write
from gametree.arena.iterated import CLASSICS, Standings, iterated
from gametree.errors import InputError
from gametree.explain.pictures import export
from gametree.explain.pictures.standings import standings
from gametree.explain.pictures.svg import Theme

ENDINGS = (".svg", ".png", ".pdf")


def dilemma(
    strategies: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="STRATEGY", help="Who takes part; all where none is named.", show_default=False
        ),
    ] = None,
    *,
    turns: Annotated[int, typer.Option(metavar="N", help="Turns of a match.")] = 200,
    repetitions: Annotated[int, typer.Option(metavar="N", help="Matches of each pair.")] = 5,
    noise: Annotated[float, typer.Option(metavar="P", help="How often a move is turned round.")] = 0.0,
    payoffs: Annotated[
        str, typer.Option(metavar="R,S,T,P", help="Reward, sucker's payoff, temptation, punishment.")
    ] = "3,0,5,1",
    seed: Seed = 0,
    out: Annotated[
        Files, typer.Option(metavar="FILE", help=f"Draw it: {' '.join(ENDINGS)}; may be repeated.")
    ] = None,
    theme: Annotated[Theme, typer.Option(metavar="NAME", help="light, dark, or auto.")] = "light",
    as_json: Json = False,
) -> None:
    """Plays a tournament of the iterated prisoner's dilemma: every strategy against every one, itself included.

    The strategies: tit for tat, cooperate, defect, grim, tit for two tats, two tits for tat, hard tit for tat, win-stay
    lose-shift, suspicious tit for tat, bully, alternate, prober, generous tit for tat, joss, random.

    \b
    Examples:
      gametree dilemma
      gametree dilemma "tit for tat" defect grim --noise 0.05 --out standings.svg
    """
    files = out or []
    require_endings(files, ENDINGS)
    try:
        worth = [float(word) for word in payoffs.split(",")]
    except ValueError:
        raise InputError(f"--payoffs {payoffs}: write four numbers, for example 3,0,5,1") from None
    with json_only(as_json) as emit:
        found = iterated(
            strategies or list(CLASSICS),
            turns=turns,
            repetitions=repetitions,
            noise=noise,
            payoffs=worth,
            seed=seed,
        )
        for file in files:
            write(file, _drawn(found, file, theme))
        if as_json:
            emit(found.to_dict())
        else:
            print(found)


def _drawn(found: Standings, file: Path, theme: Theme) -> bytes:
    caption = str(found).splitlines()[-1]
    scene = standings(found.names, found.scores, found.against, "The iterated prisoner's dilemma", caption)
    return export.scene_bytes(scene, file.suffix.lower(), theme)
