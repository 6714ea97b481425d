"""Are the bot's levels evenly spaced? Every level against the one below.

    python benchmarks/levels.py --jobs 2
    python benchmarks/levels.py --games othello --pairs 5 6 7 --count 40

`--pairs 5` is level 5 against level 4. Each pair of levels plays `--count` games (200) from random, even openings, both
with both sides. Asked for is a score of 65 to 85 % for the upper level. The score stands with its 95 % interval.

Levels below 10 play by depth and nodes: the same seed plays the same games on every machine. Level 10 plays by the
clock, so that with `--jobs 2` two games share the machine.

Every pair of games is a line in a file in `--results`; a run that was stopped goes on from there.
A file that another edition of the bot or of the games has begun is refused: name another folder.
"""

import argparse
import functools
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gametree as gt
from edition import edition
from gametree.arena.entrants import Contestant
from gametree.arena.match import Match, match
from gametree.arena.openings import Openings
from gametree.arena.ratings import Score
from gametree.arena.strength import LEVELS, at_level
from refusal import refuse
from smallest import parse

SMALLEST = "--games connect-four --pairs 2 --count 2 --most-plies 12 --results {new}"
GAMES = ("connect-four", "checkers", "othello", "chess")
ASKED = (0.65, 0.85)


class Player:
    """A bot that has another seed in every game."""

    def __init__(self, name: str, level: int, seconds: float):
        self.game = gt.games.load(name)
        self.level = level
        self.seconds = seconds
        self.begin(0)

    def begin(self, seed: int) -> None:
        self.bot = gt.Bot(self.game, self.level, seed, seconds=self.seconds)

    def move(self, state: Any, history: Sequence[Any] = ()) -> Any:
        return self.bot.move(state, history)


def contestant(name: str, level: int, seconds: float) -> Contestant:
    # What the other levels and games are set to changes nothing.
    played_by = edition("search", "games", "arena/bot.py", "arena/strength.py", "arena/thinking.py")
    strength = at_level(level, gt.games.load(name))
    means = f"{strength.nodes} nodes, blur {strength.blur:g}, lines {strength.lines or 'all'}"
    if level == LEVELS[-1]:
        means = f"{seconds:g} s a move"
    return Contestant(
        f"level {level}, {means}, edition {played_by}", functools.partial(Player, name, level, seconds)
    )


def meet(name: str, level: int, options: argparse.Namespace) -> Match:
    """A level against the one below."""
    game = gt.games.load(name)
    return match(
        game,
        contestant(name, level, options.seconds),
        contestant(name, level - 1, options.seconds),
        games=options.count,
        seed=options.seed,
        openings=Openings(game, seed=options.seed),
        most_plies=options.most_plies,
        results=Path(options.results) / f"{name}-{level}-{level - 1}.jsonl",
        jobs=options.jobs,
        on_progress=functools.partial(progress, f"{name}, level {level}"),
    )


def progress(label: str, so_far: Match) -> None:
    print(f"\r{label}: {so_far.score}".ljust(120), end="", file=sys.stderr, flush=True)


def verdict(played: Match) -> str:
    """Where the score lies, and whether the games suffice to say so."""
    score = played.score
    low, high = ASKED
    if score.share < low:
        where, sure = "below", score.high < low
    elif score.share > high:
        where, sure = "above", score.low > high
    else:
        where, sure = "within", low <= score.low and score.high <= high
    return where + ("" if sure else ", not sure")


def line(name: str, level: int, played: Match) -> str:
    score = played.score
    assert isinstance(score, Score)
    return (
        f"| {name:<12} | {level:>2} against {level - 1} | {100 * score.share:5.1f} % ± {100 * score.error:4.1f} |"
        f" {score.elo:+5.0f} | +{score.wins} ={score.draws} -{score.losses} | {verdict(played)} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    upper = range(LEVELS[0] + 1, LEVELS[-1] + 1)
    parser.add_argument("--games", nargs="+", choices=GAMES, default=list(GAMES), metavar="NAME")
    parser.add_argument(
        "--pairs",
        nargs="+",
        type=int,
        choices=upper,
        default=list(upper),
        metavar="LEVEL",
        help="upper levels",
    )
    parser.add_argument("--count", type=int, default=200, help="games of each pair of levels (200)")
    parser.add_argument("--most-plies", type=int, default=300, help="longer games are draws (300)")
    parser.add_argument("--seconds", type=float, default=1.0, help="what level 10 has for a move (1.0)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="processes; 2 on two cores")
    parser.add_argument("--results", default="results/levels", help="the folder of the files to go on from")
    options = parse(parser, SMALLEST)
    low, high = ASKED
    print(f"asked: {100 * low:.0f} to {100 * high:.0f} % for the upper level; {options.count} games each\n")
    print("| game | levels | score | Elo | result | asked |\n|---|---|---|---|---|---|", flush=True)
    try:
        for name in options.games:
            for level in options.pairs:
                text = line(name, level, meet(name, level, options))
                print("\r" + " " * 120 + "\r", end="", file=sys.stderr, flush=True)
                print(text, flush=True)
    except gt.InputError as error:
        refuse(error)
    except KeyboardInterrupt:
        sys.exit("\nstopped; the same command goes on from here")


if __name__ == "__main__":
    main()
