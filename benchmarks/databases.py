"""How fast are endgame databases built, verified and asked, and how large are they?

    python benchmarks/databases.py --game chess --most 4 --threads 2
    python benchmarks/databases.py --game checkers --most 4 --threads 2 --verify

Builds all endings up to so many men or pieces in a new folder (or in --folder, where what is there is not built again).
Asked are random positions: from Python one by one, and in machine code, where each position is made from its number
first. The search is the engine's on positions a capture away from a database, with and without them, in turns; nodes a
second of processor time.
"""

import argparse
import random
import statistics
import tempfile
import time
import zlib
from pathlib import Path
from typing import Any

import numpy as np

import gametree as gt
from gametree.kernel.primitives import Ints
from gametree.search.core.runner import prepare
from gametree.search.databases import files
from gametree.search.databases.shelf import Shelf, lookup
from smallest import parse

POSITIONS = {
    "chess": ("8/8/3k4/3r4/8/3K4/3P4/3R4 w - - 0 1", "8/8/3k4/3q4/8/1N1K4/8/3R4 w - - 0 1"),
    "checkers": ("B:W30,K12,27:BK5,10,14", "W:WK30,K12,27:BK5,10,14"),
}


def ask(game: Any, state: Any, places: Ints, count: int, slice: int, shelf: Shelf) -> int:
    """How many of the places have a state that is in a database."""
    known = 0
    for i in range(count):
        here = game.slice_state(slice, places[i])
        if here is not None and lookup(game, here, shelf) > 0:
            known += 1
    return known


def build(game: Any, folder: Path, options: argparse.Namespace) -> gt.Database:
    database = gt.Database(game, folder, memory_mb=4096)
    begin, work = time.perf_counter(), time.process_time()
    positions = 0
    for slice, found, new in database.build(game.slices(options.most), threads=options.threads):
        positions += found.positions
        if options.each:
            known = "" if new else ", there before"
            name = game.name_slice(slice)
            print(f"  {name:<10}{found.positions:>12,} positions, longest {found.longest} plies{known}")
    seconds, worked = time.perf_counter() - begin, time.process_time() - work
    size = sum(path.stat().st_size for path in folder.glob("*.gtend"))
    print(
        f"{len(database)} endings, {positions:,} positions: built in {seconds:.1f} s,"
        f" {worked:.1f} s of processors, compiling included"
    )
    print(f"on disk {size / 1e6:.2f} MB; wins, draws and losses alone {outcomes(database) / 1e6:.2f} MB")
    return database


def outcomes(database: gt.Database) -> int:
    """The bytes of a file that says only who wins."""
    total = 0
    for slice in database:
        words = database._files[slice].codes()
        flat = files._filled(words.view(np.uint16)[: database.game.slice_size(slice)])
        for begin in range(0, len(flat), 1 << 16):
            total += len(zlib.compress(files._outcomes(flat[begin : begin + (1 << 16)]), 9))
    return total


def probes(game: Any, database: gt.Database, count: int) -> None:
    rng = random.Random(0)
    slice = max(database, key=lambda one: game.slice_size(one))
    places = [rng.randrange(game.slice_size(slice)) for _ in range(count)]
    states = [
        state for place in places[: count // 50] if (state := game.slice_state(slice, place)) is not None
    ]
    states = [state for state in states if not game.is_terminal(state)]
    database.probe(states[0])
    begin = time.process_time()
    for state in states:
        database.probe(state)
    print(f"probes from Python: {len(states) / (time.process_time() - begin):,.0f} a second")
    native = prepare(ask, game, (), False)
    if native is None:
        return
    shelf, array = database.shelf(slice + 1, True), np.array(places, dtype=np.int64)
    native(game.initial(), array, count, slice, shelf)
    begin = time.process_time()
    known = native(game.initial(), array, count, slice, shelf)
    print(
        f"probes in machine code: {count / (time.process_time() - begin):,.0f} a second,"
        f" {known / count:.0%} of the places have a position"
    )


def search(game: Any, database: gt.Database, options: argparse.Namespace) -> None:
    for text in POSITIONS[options.game]:
        state = game.parse_state(text)
        rates: dict[bool, list[float]] = {True: [], False: []}
        for _ in range(options.rounds):
            for on in (True, False):
                engine = gt.Engine(game, databases=database if on else False)
                engine.prepare(state)
                begin = time.process_time()
                found = engine.analyze(state, limit=gt.Limit(nodes=options.nodes))
                rates[on].append(found.nodes / (time.process_time() - begin))
        ratio = statistics.median(a / b for a, b in zip(rates[True], rates[False]))
        print(
            f"search from {text}: {statistics.median(rates[True]):,.0f} nodes/s with databases,"
            f" {ratio:.2f} of those without"
        )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", choices=sorted(POSITIONS), default="chess")
    parser.add_argument("--most", type=int, default=3, help="all endings up to so many men or pieces")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--folder", type=Path, help="where the databases are kept")
    parser.add_argument("--verify", action="store_true", help="verify every entry, too")
    parser.add_argument("--each", action="store_true", help="a line for every ending")
    parser.add_argument("--probes", type=int, default=1_000_000)
    parser.add_argument("--nodes", type=int, default=300_000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parse(parser, "--game checkers --most 2 --probes 5000 --nodes 300 --rounds 1 --verify")
    game: Any = gt.games.load(options.game)
    with tempfile.TemporaryDirectory() as new:
        folder = options.folder or Path(new)
        folder.mkdir(parents=True, exist_ok=True)
        database = build(game, folder, options)
        if options.verify:
            begin = time.perf_counter()
            wrong = [
                game.name_slice(slice)
                for slice, place in database.verify(threads=options.threads)
                if place is not None
            ]
            print(
                f"verified in {time.perf_counter() - begin:.1f} s: {', '.join(wrong) or 'every entry follows'}"
            )
        probes(game, database, options.probes)
        search(game, database, options)


if __name__ == "__main__":
    main()
