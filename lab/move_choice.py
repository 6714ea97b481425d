"""Which of two engines chooses the better moves in chess, judged by Stockfish where they differ?

    python benchmarks/strength.py --results match.jsonl
    python lab/move_choice.py --games match.jsonl --count 2000 --against general

Two engines of ours search the same positions, each with the same number of nodes and an empty table. One is that of
`gametree uci` in fast games; `--profile`, `--without`, `--evaluation` and `--nodes` change it, `--against`,
`--against-without`, `--against-evaluation` and `--against-nodes` say what the other is (where nothing is said, like the
first). Where their moves differ, Stockfish
looks at both for `--judge-nodes` nodes, and its judgements are turned into winning chances, 1/2 for an even position
and 0.73 for 1.5 pawns. Printed is the mean gain in winning chances a move, in percent, with its standard error.

Positions are drawn from the games of a match; those where the first engine sees a side ahead by more than 4 pawns do
not count. Games between the two would tell the same: such pairs tell it with fewer nodes, because what both do alike
costs no luck. A gain is no rating: twice the nodes, measured in the same way, is the yardstick.
"""

import argparse
import json
import math
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import chess
import chess.engine

import gametree as gt
from engines import NotHereError, refuse, stockfish
from gametree.app.uci.options import EVALUATIONS
from gametree.games import Chess
from gametree.search.analyze import Engine
from gametree.search.engine.profiles import features, features_of

AHEAD = 4.0
"""Pawns from which on a position is decided."""
PAWNS = 1.5
"""Ahead by so many the winning chance is 0.73."""
FIRST = 2
"""So many plies of a game are left out."""


def positions(lines: Sequence[str], count: int, seed: int) -> list[str]:
    """Some of the positions of the games that `strength.py` wrote, each once, as FEN."""
    found: dict[str, None] = {}
    for number, line in enumerate(lines[1:], 2):
        try:
            game = json.loads(line)
            board, moves = chess.Board(game["opening"]), game["moves"].split()
            for ply, move in enumerate(moves):
                if ply >= FIRST and board.legal_moves.count() > 1:
                    found[board.fen()] = None
                board.push_uci(move)
        except (AttributeError, KeyError, TypeError, ValueError):
            raise ValueError(f"line {number} is no game as `strength.py --results` writes them") from None
    if not found:
        raise ValueError("there are no games, and so no positions")
    return random.Random(seed).sample(list(found), min(count, len(found)))


def choices(engine: Engine, nodes: int, fens: Sequence[str]) -> Iterator[tuple[str, float]]:
    """What an engine plays, and how far it sees the player to move ahead."""
    game = Chess()
    for fen in fens:
        engine.clear()
        state = game.parse_state(fen)
        found = engine.analyze(state, gt.Limit(nodes=nodes), names=False)
        yield game.uci(state, found.action), math.inf if found.value is None else float(found.value)


def chance(pawns: float) -> float:
    """The winning chance of a player who is ahead by so many pawns."""
    return 1 / (1 + math.exp(-pawns / PAWNS))


class Judge:
    """Stockfish, asked for a number of nodes at a time."""

    def __init__(self, engine: Any, nodes: int):
        self.engine = engine
        self.limit = chess.engine.Limit(nodes=nodes)

    def __call__(self, fen: str, move: str) -> float:
        """The winning chance of the player who makes a move."""
        board = chess.Board(fen)
        board.push_uci(move)
        if board.is_game_over():
            return 1.0 if board.is_checkmate() else 0.5
        said = self.engine.analyse(board, self.limit, game=object())["score"].pov(not board.turn)
        return chance(min(max(said.score(mate_score=3000) / 100, -30.0), 30.0))


def gains(
    fens: Sequence[str], ours: Sequence[tuple[str, float]], theirs: Sequence[tuple[str, float]], judge: Any
) -> list[float]:
    """By how much better the first engine's move is than the second's, at each position that counts."""
    found = []
    for fen, (move, value), (other, _) in zip(fens, ours, theirs):
        if abs(value) <= AHEAD:
            found.append(0.0 if move == other else judge(fen, move) - judge(fen, other))
    return found


def summary(found: Sequence[float]) -> str:
    """The mean gain with its standard error."""
    count = len(found)
    if count < 2:
        raise ValueError(f"{count} of the positions count; it takes two at least")
    mean = sum(found) / count
    error = math.sqrt(sum((gain - mean) ** 2 for gain in found) / (count - 1) / count)
    same = sum(gain == 0.0 for gain in found) / count
    return (
        f"gain {100 * mean:+.2f} % ± {100 * error:.2f} a move (standard error),"
        f" {count} positions, {100 * same:.0f} % of them no difference"
    )


def compare(given: argparse.Namespace) -> str:
    if min(given.count, given.nodes, given.against_nodes or 1, given.judge_nodes) < 1:
        raise ValueError("--count, --nodes, --against-nodes and --judge-nodes are at least 1")
    lines = given.games.read_text(encoding="utf-8").splitlines()
    fens = positions(lines, given.count, given.seed)
    profile = features_of(given.profile)
    other = profile if given.against is None else features_of(given.against)
    pairs = [
        (given.evaluation, profile & ~features(given.without), given.nodes),
        (
            given.against_evaluation or given.evaluation,
            other & ~features(given.against_without),
            given.against_nodes or given.nodes,
        ),
    ]
    engines = [
        (Engine(Chess(), hash_mb=16, evaluation=evaluation, profile=profile), nodes)
        for evaluation, profile, nodes in pairs
    ]
    # The judge first: that there is none should be said at once.
    peer = chess.engine.SimpleEngine.popen_uci(given.engine or stockfish())
    try:
        ours, theirs = (list(choices(engine, nodes, fens)) for engine, nodes in engines)
        return summary(gains(fens, ours, theirs, Judge(peer, given.judge_nodes)))
    finally:
        peer.quit()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=Path, required=True, help="what `strength.py --results` wrote")
    parser.add_argument("--count", type=int, default=2000, help="positions (2000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--nodes", type=int, default=60_000, help="for each position (60000)")
    parser.add_argument("--against-nodes", type=int, help="for the other engine")
    parser.add_argument("--profile", default="fast", metavar="NAME", help="general, fast or patient (fast)")
    parser.add_argument("--without", nargs="*", default=[], metavar="NAME", help="features to switch off")
    parser.add_argument("--against", metavar="NAME", help="the other engine's profile")
    parser.add_argument("--against-without", nargs="*", default=[], metavar="NAME", help="without these")
    parser.add_argument("--evaluation", default=EVALUATIONS[0], help="how positions are judged (network)")
    parser.add_argument("--against-evaluation", help="by the other engine")
    parser.add_argument("--judge-nodes", type=int, default=60_000, help="of Stockfish for each move (60000)")
    parser.add_argument("--engine", help="Stockfish; the one on this machine where nothing is said")
    try:
        print(compare(parser.parse_args()))
    except (OSError, ValueError, NotHereError, gt.InputError) as reason:
        refuse(reason)


if __name__ == "__main__":
    main()
