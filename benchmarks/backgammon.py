"""How strong is the search in backgammon, against GNU Backgammon or one depth against another, in points a game?

    python benchmarks/backgammon.py --games 200 --file bg.jsonl                       # 2 plies against 1 ply
    python benchmarks/backgammon.py --first 2 --second gnubg-0ply --games 200 --file bg0.jsonl
    python benchmarks/backgammon.py --first 2 --second gnubg-beginner --games 200 --file bg1.jsonl

A player is a number of plies of `expectiminimax`, `mcts:N` for so many simulations, `random`, or GNU Backgammon
(Debian: apt-get install gnubg) at its lowest level, `gnubg-beginner` (0-ply with a noise of 0.06), or without noise,
`gnubg-0ply`. A win counts 1, a gammon 2, a backgammon 3; no cube. Games come in pairs with the same dice and seats
swapped; the error bar is that of the pairs. Every pair is a line in the file; a match that was stopped goes on there.
"""

import argparse
import json
import math
import random
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import gametree as gt
from gametree.game import CHANCE
from gametree.games.backgammon.board import BAR, OPENING, State, number
from gametree.games.backgammon.rules import Backgammon
from peers import located
from smallest import parse

SMALLEST = "--first 1 --second gnubg-0ply --games 2 --file {new}/games.jsonl"
GAME: Final = Backgammon()
NOISE: Final = {"gnubg-beginner": "0.060", "gnubg-0ply": "0"}
Player = Callable[[State], int]


class GnuBackgammon:
    """GNU Backgammon behind its external interface, a socket that is sent boards and answers moves."""

    def __init__(self, noise: str):
        found = located("gnubg")
        if found is None:
            raise SystemExit("gnubg is not installed: apt-get install gnubg")
        self._folder = tempfile.TemporaryDirectory()
        address = str(Path(self._folder.name) / "socket")
        self._process = subprocess.Popen(
            [found, "-t", "-q"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        settings = ("plies 0", "cubeful off", f"noise {noise}", "deterministic off")
        commands = ["set jacoby off", *(f"set evaluation chequerplay evaluation {one}" for one in settings)]
        assert self._process.stdin is not None
        self._process.stdin.write("\n".join([*commands, f"external {address}"]) + "\n")
        self._process.stdin.flush()
        self._socket = socket.socket(socket.AF_UNIX)
        for _ in range(600):
            try:
                self._socket.connect(address)
                break
            except OSError:
                time.sleep(0.1)
        self._stream = self._socket.makefile("rw", encoding="ascii")

    def __call__(self, state: State) -> int:
        legal = list(GAME.actions(state))
        if len(legal) == 1:
            return legal[0]
        self._stream.write(fibs_board(state) + "\n")
        self._stream.flush()
        return GAME.parse_action(state, self._stream.readline())

    def close(self) -> None:
        """Ends the program."""
        self._stream.close()
        self._socket.close()
        self._process.kill()
        self._process.wait()
        self._folder.cleanup()


def fibs_board(state: State) -> str:
    """The board as the backgammon server FIBS writes it, seen by the player to move."""
    points = [
        number(state.mine, p) - (number(state.theirs, BAR - p) if 0 < p < BAR else 0) for p in range(26)
    ]
    points[0] = -number(state.theirs, BAR)
    off, bar = (number(state.mine, 0), number(state.theirs, 0)), (points[BAR], -points[0])
    dice = (state.dice // 10, state.dice % 10)
    words = [
        "board",
        "You",
        "him",
        0,
        0,
        0,
        *points,
        1,
        *dice,
        0,
        0,
        1,
        1,
        1,
        0,
        1,
        -1,
        0,
        25,
        *off,
        *bar,
        2,
        0,
        0,
        0,
    ]
    return ":".join(map(str, words))


def player(name: str) -> Player:
    """A player by its name."""
    if name in NOISE:
        return GnuBackgammon(NOISE[name])
    if name == "random":
        rng = random.Random(1)
        return lambda state: rng.choice(list(GAME.actions(state)))
    kind, _, count = name.partition(":")
    if kind == "mcts" and count.isdigit() and hasattr(gt, "mcts"):
        mcts: Any = gt.mcts
        return lambda state: mcts(GAME, state, simulations=int(count)).action
    if not name.isdigit():
        raise SystemExit(
            f"there is no player {name!r}: write a number of plies, mcts:N, random, {', '.join(NOISE)}"
        )
    if hasattr(gt, "expectiminimax"):
        search: Any = gt.expectiminimax
        return lambda state: search(GAME, state, depth=int(name)).action
    if name != "1":
        raise SystemExit("this version has no expectiminimax: only 1 ply can be played")
    return greedy


def greedy(state: State) -> int:
    """One ply: the turn after which the evaluation is best."""

    def worth(action: int) -> float:
        after = GAME.result(state, action)
        return (
            GAME.utility(after, state.mover) if GAME.is_terminal(after) else GAME.evaluate(after, state.mover)
        )

    return max(GAME.actions(state), key=worth)


def play(players: tuple[Player, Player], seat: int, seed: int) -> int:
    """A game; what the first player, who sits on `seat`, has won. Equal seeds throw equal dice."""
    dice = random.Random(f"dice {seed}")
    state = GAME.initial()
    while not GAME.is_terminal(state):
        if GAME.player(state) == CHANCE:
            first, second = dice.randint(1, 6), dice.randint(1, 6)
            while state.dice == OPENING and first == second:
                first, second = dice.randint(1, 6), dice.randint(1, 6)
            if state.dice != OPENING:
                first, second = max(first, second), min(first, second)
            state = GAME.result(state, 10 * first + second)
        else:
            legal = list(GAME.actions(state))
            who = players[0 if state.mover == seat else 1]
            state = GAME.result(state, legal[0] if len(legal) == 1 else who(state))
    return int(GAME.utility(state, seat))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--first", default="2")
    parser.add_argument("--second", default="1")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--file", type=Path, default=Path("backgammon_match.jsonl"))
    given = parse(parser, SMALLEST)
    lines = given.file.read_text(encoding="utf-8").splitlines() if given.file.exists() else []
    settings = [given.first, given.second]
    if lines and json.loads(lines[0]) != settings:
        raise SystemExit(f"{given.file} is of another match: {lines[0]}")
    if not lines:
        given.file.write_text(json.dumps(settings) + "\n", encoding="utf-8")
    pairs = [json.loads(line) for line in lines[1:]]
    players = (player(given.first), player(given.second))
    try:
        for seed in range(len(pairs), (given.games + 1) // 2):
            pairs.append([play(players, seat, seed) for seat in (0, 1)])
            with given.file.open("a", encoding="utf-8") as file:
                file.write(json.dumps(pairs[-1]) + "\n")
    finally:
        for one in players:
            if isinstance(one, GnuBackgammon):
                one.close()
    report(given.first, given.second, pairs)


def report(first: str, second: str, pairs: list[list[int]]) -> None:
    """Points a game with the 95 % interval of the pairs' means, and how games ended."""
    means = [sum(pair) / 2 for pair in pairs]
    mean = sum(means) / len(means)
    spread = math.sqrt(sum((one - mean) ** 2 for one in means) / max(1, len(means) - 1) / len(means))
    ends = [sum(pair.count(worth) for pair in pairs) for worth in (3, 2, 1, -1, -2, -3)]
    print(
        f"{first} against {second}: {mean:+.3f} ± {1.96 * spread:.3f} points a game in {2 * len(pairs)} games"
    )
    print("won 3, 2, 1 and lost 1, 2, 3 points: " + ", ".join(map(str, ends)))


if __name__ == "__main__":
    main()
