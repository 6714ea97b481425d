"""Does each feature of the engine help? The engine with it against the engine without it, at the same number of nodes.

    python benchmarks/features.py                                         every feature, on every game that is judged
    python benchmarks/features.py --games othello --features lmr null --nodes 20000 --jobs 2

A player is an engine whose table is kept from move to move and emptied between games. Both get the same number of
nodes a move, so that the machine and its load do not matter and the same seed plays the same games. Games come in pairs
from one random, even opening with sides swapped.

A sequential probability ratio test decides, on the pairs: H0, the feature is worth `--elo0`, against H1, it is worth
`--elo1`, with errors `--alpha` and `--beta`. The LLR and its bounds are printed. "undecided" means that neither bound
was reached in `--max-games` games; the Elo difference and its 95 % interval stand beside it. (After a test that stops
by what it sees, the interval is a little too narrow, and the difference a little too large.)

The other features are those of the profile "general", or of the one that `--profile` names. At the same
number of nodes a feature that makes nodes dearer (ordering by evaluation, say) looks better than it is by the clock,
and one that makes them cheaper worse.

Every pair of games is a line in a file in `--results`; a run that was stopped goes on from there.
A file that another edition of the engine or of the games has begun is refused: name another folder.
"""

import argparse
import functools
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gametree as gt
from edition import edition
from gametree.arena.entrants import Contestant
from gametree.arena.match import Match, match
from gametree.arena.openings import Openings
from gametree.arena.ratings import Score
from gametree.arena.sprt import Sprt
from gametree.game import offers
from gametree.search.analyze import Engine
from gametree.search.engine.profiles import FEATURE_NAMES, GENERAL, PROFILES, features
from refusal import refuse
from smallest import parse

SMALLEST = "--games connect-four --features table --nodes 300 --max-games 2 --most-plies 20 --results {new}"
GAMES = ("connect-four", "checkers", "othello", "chess")
"""The games that have an evaluation, tic-tac-toe left out: it is searched to its end at once."""
MEANT = {"H1": "helps", "H0": "does not help", None: "undecided"}


class Player:
    """An engine that thinks for a number of nodes and remembers the game it is in."""

    def __init__(self, name: str, nodes: int, hash_mb: float, profile: int):
        self.engine = Engine(gt.games.load(name), hash_mb=hash_mb, profile=profile)
        self.limit = gt.Limit(nodes=nodes)

    def begin(self, seed: int) -> None:
        self.engine.clear()

    def move(self, state: Any, history: Sequence[Any] = ()) -> Any:
        return self.engine.analyze(state, self.limit, history=history).action


@dataclass(frozen=True)
class Row:
    """A feature in a game, and what came of it."""

    feature: str
    game: str
    played: Match
    test: Sprt

    @property
    def cells(self) -> list[str]:
        score = self.played.score
        assert isinstance(score, Score)
        verdict = self.test.verdict(score)
        return [
            self.feature + ("" if GENERAL & features([self.feature]) else " (off by default)"),
            self.game,
            f"{score.elo:+.0f}",
            f"{score.elo_low:+.0f} to {score.elo_high:+.0f}",
            f"{self.test.of(score):+.2f}",
            f"{verdict or '–'} ({MEANT[verdict]})",
            f"{score.games}",
            f"+{score.wins} ={score.draws} -{score.losses}",
        ]


HEADINGS = ["feature", "game", "Elo", "95 %", "LLR", "verdict", "games", "result"]


def applies(feature: str, game: gt.Game) -> bool:
    """Whether a feature can make a difference in a game at all."""
    if feature == "null":
        return offers(game, "null")
    if feature == "evaluation-order":
        return not offers(game, "order")
    return True


def contestants(
    feature: str, name: str, profile: str, nodes: int, hash_mb: float
) -> tuple[Contestant, Contestant]:
    """The engine with a feature, and without it; everything else is that of the profile."""
    bit, others = features([feature]), PROFILES[profile]
    make = functools.partial(Player, name, nodes, hash_mb)
    played_by = f"{profile}, {nodes} nodes, {hash_mb:g} MB, edition {edition('search', 'games')}"
    return (
        Contestant(f"with {feature}, {played_by}", functools.partial(make, others | bit)),
        Contestant(f"without {feature}, {played_by}", functools.partial(make, others & ~bit)),
    )


def row(feature: str, name: str, options: argparse.Namespace, test: Sprt) -> Row:
    """Plays one feature in one game until the test is decided."""
    game = gt.games.load(name)
    first, second = contestants(feature, name, options.profile, options.nodes, options.hash_mb)
    played = match(
        game,
        first,
        second,
        games=options.max_games,
        seed=options.seed,
        openings=Openings(game, seed=options.seed),
        most_plies=options.most_plies,
        sprt=test,
        results=Path(options.results) / f"{name}-{options.profile}-{feature}-{options.nodes}.jsonl",
        jobs=options.jobs,
        on_progress=functools.partial(progress, f"{name}, {feature}", test),
    )
    return Row(feature, name, played, test)


def progress(label: str, test: Sprt, so_far: Match) -> None:
    if so_far.score.count % 10 == 0:
        score = so_far.score
        text = f"{label}: {so_far.games_played} games, {100 * score.share:.1f} %, {test.report(score)}"
        print(f"\r{text:<110}", end="", file=sys.stderr, flush=True)


def table(rows: Sequence[Row]) -> str:
    """The rows as a table that is also Markdown."""
    lines = [HEADINGS, *(one.cells for one in rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(HEADINGS))]
    texts = ["| " + " | ".join(cell.ljust(w) for cell, w in zip(line, widths)) + " |" for line in lines]
    return "\n".join([texts[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *texts[1:]])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", nargs="+", choices=GAMES, default=list(GAMES), metavar="NAME")
    parser.add_argument(
        "--features", nargs="+", choices=FEATURE_NAMES, default=list(FEATURE_NAMES), metavar="NAME"
    )
    parser.add_argument("--profile", choices=PROFILES, default="general", help="the other features (general)")
    parser.add_argument("--nodes", type=int, default=10_000, help="nodes a move (10000)")
    parser.add_argument("--max-games", type=int, default=1000, help="games until the test gives up (1000)")
    parser.add_argument("--most-plies", type=int, default=300, help="longer games are draws (300)")
    parser.add_argument("--elo0", type=float, default=0.0)
    parser.add_argument("--elo1", type=float, default=20.0)
    parser.add_argument("--alpha", type=float, default=0.05)
    parser.add_argument("--beta", type=float, default=0.05)
    parser.add_argument("--hash-mb", type=float, default=8.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="processes; 2 on two cores")
    parser.add_argument("--results", default="results/features", help="the folder of the files to go on from")
    options = parse(parser, SMALLEST)
    try:
        test = Sprt(options.elo0, options.elo1, options.alpha, options.beta)
        lower, upper = test.bounds
        print(
            f"H0: {test.elo0:g} Elo, accepted at LLR {lower:.2f}; H1: {test.elo1:g} Elo, accepted at LLR {upper:.2f};"
            f" {options.nodes} nodes a move, at most {options.max_games} games, seed {options.seed}"
        )
        rows = []
        for name in options.games:
            for feature in options.features:
                if applies(feature, gt.games.load(name)):
                    rows.append(row(feature, name, options, test))
                    print("\r" + " ".join(rows[-1].cells).ljust(110), file=sys.stderr, flush=True)
        print(table(rows))
    except gt.InputError as error:
        refuse(error)
    except KeyboardInterrupt:
        sys.exit("\nstopped; the same command goes on from here")


if __name__ == "__main__":
    main()
