"""Does `analyze` keep the value of the game in Connect Four, within a time a move?

    python benchmarks/connect_four_moves.py              200 positions of 4 to 12 stones, 1 s each
    python benchmarks/connect_four_moves.py --no-book              without the opening book
    python benchmarks/connect_four_moves.py --games 50             level 10 begins against a perfect player

Positions come from random play. A move keeps the value where a win stays a win and a draw a draw. The judge, and the
perfect player of the games, is bitbully with its own book of 12 plies (`pip install bitbully==0.0.79`), a program that
shares nothing with ours. The perfect player takes any of the moves with the best score, by the seed.
"""

import argparse
import importlib
import math
import random
import sys
from typing import Any

import gametree as gt
from smallest import parse

SMALLEST = "--positions 2 --seconds 0.05 --games 1"
GAME = gt.games.ConnectFour()


class Judge:
    """Exact scores of all moves, by bitbully."""

    def __init__(self) -> None:
        self._module = importlib.import_module("bitbully")
        self._solver = self._module.BitBully()

    def scores(self, moves: list[int]) -> dict[int, int]:
        """The score of every column to the player to move."""
        board = self._module.Board()
        for column in moves:
            board.play(column)
        return {int(column): int(score) for column, score in self._solver.score_all_moves(board).items()}


def sign(score: int) -> int:
    return (score > 0) - (score < 0)


def positions(count: int, rng: random.Random) -> list[list[int]]:
    """The columns played, counted from 0: nothing, then random positions that are not the end."""
    found: list[list[int]] = [[]]
    while len(found) <= count:
        state, moves = GAME.initial(), []
        for _ in range(rng.randint(4, 12)):
            if GAME.is_terminal(state):
                break
            moves.append(rng.choice(list(GAME.actions(state))))
            state = GAME.result(state, moves[-1])
        if not GAME.is_terminal(state):
            found.append(moves)
    return found


def state_of(moves: list[int]) -> Any:
    state = GAME.initial()
    for column in moves:
        state = GAME.result(state, column)
    return state


def judge_moves(judge: Judge, count: int, seconds: float, seed: int, book: bool) -> None:
    engine = gt.Engine(GAME, book=book)
    engine.prepare()
    engine.analyze(
        gt.games.ConnectFour().parse_state("12345671234567"), gt.Limit(seconds=0.2)
    )  # compiles the rest
    kept = proven = best = wrong = 0
    every = positions(count, random.Random(seed))
    for moves in every:
        scores = judge.scores(moves)
        engine.clear()
        found = engine.analyze(state_of(moves), gt.Limit(seconds=seconds))
        top = max(scores.values())
        keeps = sign(scores[found.action]) == sign(top)
        kept += keeps
        best += scores[found.action] == top
        proven += found.exact
        wrong += found.exact and found.value is not None and sign(int(found.value.payoff)) != sign(top)
        if not keeps:
            line = "".join(str(column + 1) for column in moves)
            print(f"  {line or 'empty board'}: plays {found.name} ({scores[found.action]}), best {top}")
    share, n = kept / len(every), len(every)
    error = 196 * math.sqrt(share * (1 - share) / n)
    print(
        f"{n} positions, {seconds} s each, {'with' if book else 'without'} the book:"
        f" the value is kept in {100 * share:.1f} % ± {error:.1f},"
        f" the score in {100 * best / n:.1f} %; {proven} proven, {wrong} of them wrong"
    )


def play(judge: Judge, count: int, seconds: float, seed: int) -> None:
    results = {"won": 0, "drawn": 0, "lost": 0}
    rng = random.Random(seed)
    for number in range(count):
        bot = gt.Bot(GAME, level=10, seed=number, seconds=seconds)
        state, moves = GAME.initial(), list[int]()
        while not GAME.is_terminal(state):
            if len(moves) % 2 == 0:
                column = bot.move(state)
            else:
                scores = judge.scores(moves)
                column = rng.choice([one for one, score in scores.items() if score == max(scores.values())])
            moves.append(column)
            state = GAME.result(state, column)
        paid = GAME.utility(state, 0)
        results["won" if paid > 0 else "lost" if paid < 0 else "drawn"] += 1
    told = ", ".join(f"{number} {name}" for name, number in results.items())
    print(f"{count} games, level 10 begins, {seconds} s a move, against a perfect player: {told}")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--games", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-book", action="store_true")
    given = parse(parser, SMALLEST)
    try:
        judge = Judge()
    except ImportError:
        print("bitbully is not installed: pip install bitbully==0.0.79")
        return 0
    if given.positions:
        judge_moves(judge, given.positions, given.seconds, given.seed, not given.no_book)
    if given.games:
        play(judge, given.games, given.seconds, given.seed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
