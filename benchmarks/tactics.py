"""How many tactical positions does the chess engine solve, given so much time for each?

    python benchmarks/tactics.py --data wac.epd
    python benchmarks/tactics.py --data wac.epd --nodes 200000 --jobs 2

A line of the file is a position in EPD with its best moves (`bm`), or with moves to avoid (`am`). A position is solved
when the move played after the time is one of the best, or none of those to avoid. One thread and an empty table for
each position. With `--nodes` the machine does not matter. What was missed is listed with what was played instead.
The engine is that of `gametree uci`: judged by the network, by the profile for so much time. `--evaluation` and
`--profile` name others; `--evaluation default --profile general` is the engine of `gt.analyze`.
"""

import argparse
import math
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import gametree as gt
from gametree.app.uci.options import EVALUATIONS
from gametree.app.uci.search import profile
from gametree.games import Chess
from gametree.games.chess.pgn import read_epd
from gametree.search.analyze import Engine
from gametree.search.engine.profiles import Profile
from refusal import refuse
from smallest import parse

SMALLEST = "--data {here}/examples/tactics.epd --nodes 2000"


@dataclass(frozen=True)
class Answer:
    """What came of a position."""

    name: str
    solved: bool
    played: str
    wanted: str
    depth: int
    nodes: int


_engines: dict[float, Engine] = {}


def answer(line: str, limit: gt.Limit, hash_mb: float, evaluation: str, chosen: Profile) -> Answer:
    """Searches the position of a line of EPD."""
    game = Chess()
    if hash_mb not in _engines:
        _engines[hash_mb] = Engine(game, hash_mb=hash_mb, evaluation=evaluation, profile=chosen)
        _engines[hash_mb].analyze(game.initial(), gt.Limit(nodes=1))  # compiled before the clock runs
    engine = _engines[hash_mb]
    engine.clear()
    task = read_epd(line)
    found = engine.analyze(task.state, limit)
    solved = found.action in task.best if task.best else found.action not in task.avoid
    wanted = " ".join(task.operations.get("bm", ())) or "not " + " ".join(task.operations.get("am", ()))
    played = game.name_action(task.state, found.action)
    return Answer(task.name or line, solved, played, wanted, found.depth or 0, found.nodes)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="file of positions in EPD")
    parser.add_argument("--seconds", type=float, default=1.0, help="for each position (1)")
    parser.add_argument("--nodes", type=int, help="for each position, instead of seconds")
    parser.add_argument("--hash-mb", type=float, default=64.0)
    parser.add_argument("--first", type=int, help="only so many positions")
    parser.add_argument("--jobs", type=int, default=1, help="processes; 2 on two cores")
    parser.add_argument("--evaluation", default=EVALUATIONS[0], help="how positions are judged (network)")
    parser.add_argument("--profile", metavar="NAME", help="general, fast or patient")
    given = parse(parser, SMALLEST)
    limit = gt.Limit(nodes=given.nodes) if given.nodes else gt.Limit(seconds=given.seconds)
    chosen = given.profile or profile(math.inf if given.nodes else given.seconds)
    try:
        lines = [line for line in given.data.read_text(encoding="utf-8").splitlines() if line.strip()]
        lines = lines[: given.first]
        if not lines:
            raise gt.InputError(f"{given.data} has no positions")
        answer(lines[0], gt.Limit(nodes=1), given.hash_mb, given.evaluation, chosen)  # fills the cache
        search = partial(
            answer, limit=limit, hash_mb=given.hash_mb, evaluation=given.evaluation, chosen=chosen
        )
        with ProcessPoolExecutor(given.jobs) as pool:
            answers = list(pool.map(search, lines))
    except (OSError, gt.InputError) as error:
        refuse(error)
    for one in answers:
        if not one.solved:
            print(f"{one.name}: {one.played} instead of {one.wanted}, depth {one.depth}, {one.nodes:,} nodes")
    each = f"{given.nodes:,} nodes" if given.nodes else f"{given.seconds:g} s"
    solved = sum(one.solved for one in answers)
    mean = sum(one.depth for one in answers) / len(answers)
    print(f"{solved} of {len(answers)} solved with {each} each on one thread; mean depth {mean:.1f}")


if __name__ == "__main__":
    main()
