"""Which of two Go programs is stronger? A match by the Go Text Protocol, refereed by our rules, with an error bar.

    python benchmarks/gtp_match.py --games 20 --file match.jsonl
    python benchmarks/gtp_match.py --first "gametree gtp --seconds 2" --second "gnugo --mode gtp --level 10"

The programs play alternate colours. Every game is a line in the file; a match that was stopped goes on from there.
The defaults: `gametree gtp` with a second a move against GNU Go (Debian: apt-get install gnugo) at level 1, on 9 by 9
with a komi of 7.5, area scoring; GNU Go captures all dead stones before it passes, since what is on the board at the
end counts.
"""

import argparse
import json
import math
import shlex
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Final

from gametree.app.gtp.under_way import COLOURS, UnderWay
from gametree.errors import InputError
from peers import located
from smallest import parse

OURS: Final = f"{shlex.quote(sys.executable)} -m gametree gtp go --seconds 1"
GNU_GO: Final = "gnugo --mode gtp --level 1 --chinese-rules --positional-superko --capture-all-dead"
QUICK: Final = shlex.quote(OURS.replace("--seconds 1", "--seconds 0.01"))
SMALLEST: Final = f"--first {QUICK} --games 1 --size 5 --file {{new}}/games.jsonl"
MOST_PLIES: Final = 400


class Program:
    """A program at the other end of a pipe."""

    def __init__(self, command: str):
        words = shlex.split(command)
        found = located(words[0])
        if found is None:
            raise SystemExit(f"{words[0]} is not installed (GNU Go: apt-get install gnugo)")
        self.command = command
        self._process = subprocess.Popen(
            [found, *words[1:]],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def ask(self, command: str) -> str:
        """The answer to a command; a refusal is an error."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(command + "\n")
        self._process.stdin.flush()
        lines: list[str] = []
        while True:
            line = self._process.stdout.readline()
            if not line:
                raise InputError(f"{self.command} has ended")
            if line.strip():
                lines.append(line.rstrip("\n"))
            elif lines:
                break
        if not lines[0].startswith("="):
            raise InputError(f"{self.command} answers {lines[0]!r} to {command!r}")
        return "\n".join([lines[0][1:].strip(), *lines[1:]]).strip()

    def close(self) -> None:
        """Ends the program."""
        try:
            self.ask("quit")
            self._process.wait(10)
        except (InputError, OSError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()


def play(
    programs: tuple[Program, Program], game: str, size: int, komi: float, first_is: int
) -> dict[str, Any]:
    """One game; `first_is` is the colour of the first program."""
    table = UnderWay(game, size)
    for program in programs:
        program.ask(f"boardsize {size}")
        if game == "go":
            program.ask(f"komi {komi:g}")
        program.ask("clear_board")
    if game == "go":
        table.set_komi(komi)
    moves: list[str] = []
    slowest = [0.0, 0.0]
    while not table.is_over() and len(moves) < MOST_PLIES:
        who = table.game.player(table.state)
        at = 0 if who == first_is else 1
        began = time.perf_counter()
        move = programs[at].ask(f"genmove {COLOURS[who]}")
        slowest[at] = max(slowest[at], time.perf_counter() - began)
        moves.append(move)
        if move.lower() == "resign":
            return _record(first_is, 1 - who, f"{COLOURS[who]} resigns", moves, slowest)
        try:
            table.play(who, move)
        except InputError as error:
            return _record(first_is, 1 - who, f"{COLOURS[who]}: {error}", moves, slowest)
        programs[1 - at].ask(f"play {COLOURS[who]} {move}")
    if not table.is_over() and game != "go":
        return _record(first_is, None, f"no end after {MOST_PLIES} plies", moves, slowest)
    score = table.final_score()
    return _record(first_is, {"B": 0, "W": 1}.get(score[0]), score, moves, slowest)


def _record(
    first_is: int, winner: int | None, reason: str, moves: list[str], slowest: list[float]
) -> dict[str, Any]:
    points = 0.5 if winner is None else float(winner == first_is)
    return {
        "points": points,
        "first_is": COLOURS[first_is],
        "reason": reason,
        "moves": " ".join(moves),
        "slowest": [round(one, 2) for one in slowest],
    }


def interval(points: float, games: int) -> tuple[float, float]:
    """Wilson's 95 % interval for a share."""
    z, share = 1.96, points / games
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    reach = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games)) / (1 + z * z / games)
    return middle - reach, middle + reach


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--first", default=OURS)
    parser.add_argument("--second", default=GNU_GO)
    parser.add_argument("--game", default="go")
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--komi", type=float, default=7.5)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--file", type=Path, default=Path("gtp_match.jsonl"))
    given = parse(parser, SMALLEST)
    lines = given.file.read_text(encoding="utf-8").splitlines() if given.file.exists() else []
    settings = [given.first, given.second, given.game, given.size, given.komi]
    if lines and json.loads(lines[0]) != settings:
        raise SystemExit(f"{given.file} is of another match: {lines[0]}")
    if not lines:
        given.file.write_text(json.dumps(settings) + "\n", encoding="utf-8")
    records = [json.loads(line) for line in lines[1:]]
    programs = (Program(given.first), Program(given.second))
    try:
        for number in range(len(records), given.games):
            record = play(programs, given.game, given.size, given.komi, number % 2)
            records.append(record)
            with given.file.open("a", encoding="utf-8") as file:
                file.write(json.dumps(record) + "\n")
            print(number + 1, record["first_is"], record["points"], record["reason"], flush=True)
    finally:
        for program in programs:
            program.close()
    points = sum(record["points"] for record in records)
    low, high = interval(points, len(records))
    print(f"{points:g} of {len(records)}: {points / len(records):.1%} (95 %: {low:.1%} to {high:.1%})")


if __name__ == "__main__":
    main()
