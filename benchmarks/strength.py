"""How strong is the chess engine? A match against another UCI engine, with an error bar.

    pip install "gametree[test]"
    python benchmarks/strength.py                       200 games against Stockfish limited to 2400, 5 s + 0.05 s
    python benchmarks/strength.py --evaluation lolli    the same with material alone
    python benchmarks/strength.py --elo 2000 --games 20 --tc 2+0.02

Both engines are processes that are spoken to by python-chess, which is also the referee. Each has one thread and a
table of 8 MB, allows 30 ms for a move to arrive, and does not ponder. Every opening is played twice, with both
colours. Openings are our own, in openings.fen: random legal moves from the start, kept where the engine itself, at a
fixed number of nodes, finds the position even. `--make-openings 120` prints new ones.

Adjudication, the same for both sides:

    a win     when both engines have agreed for 4 moves each that one side is ahead by 8 pawns or more
    a draw    after move 40, when both engines have said for 5 moves each that nobody is ahead by more than 0.1 pawns
    a draw    by the third occurrence of a position, 50 moves, stalemate, too little material, or after 250 moves
    a loss    for the engine whose flag falls, that makes an illegal move, or that ends: these are counted besides

The clock runs from the moment the position is sent until the move has been read.

Games are written to a file one by one (`--results`), and a match that was broken off goes on from there.
"""

import argparse
import contextlib
import json
import math
import random
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import chess
import chess.engine

import gametree as gt
from gametree.games import Chess
from peers import located
from smallest import parse

SMALLEST = "--games 2 --tc 0.3+0.02 --boards 1 --results {new}/games.jsonl"
OPENINGS = Path(__file__).with_name("openings.fen")
OPENING_NODES = 100_000
EVEN = 0.35  # pawns
OVERHEAD = 30
"""Milliseconds that both engines allow for a move to arrive. It takes about 3, but Stockfish, limited, thinks for four
fifths of what it has left: with 10 it lost every ninth game on time where other work shared the machine."""
HASH = 8
"""Megabytes of each engine's table: what some moves of such a game fill. Looking up in a larger one is slower."""
WIN_PAWNS, WIN_MOVES = 8.0, 4
DRAW_PAWNS, DRAW_MOVES, DRAW_FROM = 0.1, 5, 40
LONGEST = 250  # moves
FAULTS = ("time", "illegal move", "crash")


@dataclass(frozen=True)
class Terms:
    """What the match is about. A results file belongs to one such."""

    engine: str
    elo: int | None
    seconds: float
    increment: float
    evaluation: str
    our_elo: int | None


@dataclass(frozen=True)
class Game:
    """One game as it went."""

    number: int
    opening: str
    white: bool
    """Whether gametree had the white pieces."""
    score: float
    """Gametree's: 1, 0.5 or 0."""
    ended: str
    fault: str | None
    """Who did what must not happen: "gametree: time"."""
    moves: str


# --- openings ---------------------------------------------------------------------------------------


def openings() -> list[str]:
    """The positions that matches begin with."""
    return OPENINGS.read_text().splitlines()


def new_openings(count: int, seed: int, plies: int) -> Iterator[str]:
    """So many different positions that are even, as FEN; the same ones for the same seed and engine."""
    game, rng = Chess(), random.Random(seed)
    engine = gt.Engine(game, evaluation="network")
    found: set[str] = set()
    while len(found) < count:
        board = chess.Board()
        while len(board.move_stack) < plies and not board.is_game_over():
            board.push(rng.choice(list(board.legal_moves)))
        fen = board.fen()
        if board.is_game_over() or board.is_check() or fen in found:
            continue
        engine.clear()
        value = engine.analyze(game.parse_state(fen), gt.Limit(nodes=OPENING_NODES)).value
        if value is not None and value.outcome is None and abs(value.payoff) <= EVEN:
            found.add(fen)
            yield fen


# --- engines ----------------------------------------------------------------------------------------


def ours(terms: Terms) -> chess.engine.SimpleEngine:
    """Gametree as a process."""
    command = [sys.executable, "-m", "gametree", "uci", "--evaluation", terms.evaluation]
    engine = chess.engine.SimpleEngine.popen_uci(command, timeout=120)
    engine.configure({"Hash": HASH, "Move Overhead": OVERHEAD})
    if terms.our_elo is not None:
        engine.configure({"UCI_LimitStrength": True, "UCI_Elo": terms.our_elo})
    engine.ping()  # compiled, and ready
    return engine


def theirs(terms: Terms) -> chess.engine.SimpleEngine:
    """The other engine as a process."""
    engine = chess.engine.SimpleEngine.popen_uci(terms.engine, timeout=30)
    for name, value in (("Hash", HASH), ("Threads", 1), ("Move Overhead", OVERHEAD)):
        if name in engine.options:
            engine.configure({name: value})
    if terms.elo is not None:
        engine.configure({"UCI_LimitStrength": True, "UCI_Elo": terms.elo})
    return engine


class Pair:
    """The two engines of one board, started anew after a crash."""

    def __init__(self, terms: Terms):
        self.terms = terms
        self._running: dict[bool, chess.engine.SimpleEngine] = {}

    def __getitem__(self, is_ours: bool) -> chess.engine.SimpleEngine:
        if is_ours not in self._running:
            self._running[is_ours] = (ours if is_ours else theirs)(self.terms)
        return self._running[is_ours]

    def drop(self, is_ours: bool) -> None:
        """Forgets an engine that is no good any more."""
        engine = self._running.pop(is_ours, None)
        if engine is not None:
            with contextlib.suppress(Exception):
                engine.close()

    def close(self) -> None:
        """Ends both."""
        for is_ours in (True, False):
            self.drop(is_ours)


# --- a game -----------------------------------------------------------------------------------------


class Umpire:
    """Ends games that are decided: what both engines say, move by move, from White's side."""

    def __init__(self) -> None:
        self.said: list[float] = []

    def hear(self, score: chess.engine.PovScore | None) -> None:
        """An engine has moved and said what it thinks."""
        pawns = math.nan
        if score is not None:
            pawns = score.white().score(mate_score=100_000) / 100
        self.said.append(pawns)

    def verdict(self, board: chess.Board) -> str | None:
        """The result, where there is no doubt about it."""
        last = self.said[-2 * WIN_MOVES :]
        if len(last) == 2 * WIN_MOVES:
            if all(pawns >= WIN_PAWNS for pawns in last):
                return "1-0"
            if all(pawns <= -WIN_PAWNS for pawns in last):
                return "0-1"
        last = self.said[-2 * DRAW_MOVES :]
        late = board.fullmove_number > DRAW_FROM and len(last) == 2 * DRAW_MOVES
        return "1/2-1/2" if late and all(abs(pawns) <= DRAW_PAWNS for pawns in last) else None


def ended(board: chess.Board) -> tuple[str, str] | None:
    """The result of a game that is over by the rules, and why.

    A position on the board for the third time is a draw, and so are fifty moves. That the player to move could claim a
    draw by the move to come (`outcome(claim_draw=True)`) is none: whoever is ahead would rather play another.
    """
    if board.is_repetition(3):
        return "1/2-1/2", "threefold repetition"
    if board.is_fifty_moves():
        return "1/2-1/2", "fifty moves"
    outcome = board.outcome(claim_draw=False)
    if outcome is None:
        return None
    return outcome.result(), outcome.termination.name.lower().replace("_", " ")


def play(number: int, fen: str, white: bool, pair: Pair) -> Game:
    """One game; gametree has White or Black."""
    terms = pair.terms
    board, umpire = chess.Board(fen), Umpire()
    clocks = {chess.WHITE: terms.seconds, chess.BLACK: terms.seconds}

    def over(result: str, ended: str, fault: str | None = None) -> Game:
        points = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}[result]
        moves = " ".join(move.uci() for move in board.move_stack)
        return Game(number, fen, white, points if white else 1 - points, ended, fault, moves)

    for is_ours in (True, False):
        pair[is_ours].ping()
    while True:
        end = ended(board)
        if end is not None:
            return over(*end)
        if board.fullmove_number > LONGEST:
            return over("1/2-1/2", "length")
        verdict = umpire.verdict(board)
        if verdict is not None:
            return over(verdict, "adjudication")
        side = board.turn
        is_ours = side == white
        limit = chess.engine.Limit(
            white_clock=clocks[chess.WHITE],
            black_clock=clocks[chess.BLACK],
            white_inc=terms.increment,
            black_inc=terms.increment,
        )
        begun = time.perf_counter()
        fault = None
        try:
            played = pair[is_ours].play(board, limit, game=number, info=chess.engine.INFO_SCORE)
        except chess.engine.EngineTerminatedError:
            fault = "crash"
        except (chess.engine.EngineError, TimeoutError) as error:
            fault = "illegal move" if "illegal" in str(error).lower() else "crash"
        clocks[side] -= time.perf_counter() - begun
        if fault is None and clocks[side] < 0:
            fault = "time"
        if fault is None and played.move is None:
            fault = "illegal move"
        if fault is not None:
            if fault != "time":
                pair.drop(is_ours)
            who = "gametree" if is_ours else "opponent"
            return over("0-1" if side == chess.WHITE else "1-0", fault, f"{who}: {fault}")
        assert played.move is not None
        board.push(played.move)
        umpire.hear(played.info.get("score"))
        clocks[side] += terms.increment


# --- the match --------------------------------------------------------------------------------------


def read_results(path: Path, terms: Terms) -> dict[int, Game]:
    """The games that were played already, of the same match."""
    if not path.exists():
        path.write_text(json.dumps(asdict(terms)) + "\n")
        return {}
    first, *lines = path.read_text().splitlines()
    if json.loads(first) != asdict(terms):
        raise SystemExit(f"{path} belongs to another match: {first}; name another file with --results")
    games = []
    for line in lines:
        with contextlib.suppress(json.JSONDecodeError):  # the line in which the match was broken off
            games.append(Game(**json.loads(line)))
    return {game.number: game for game in games}


def match(terms: Terms, games: int, boards: int, path: Path) -> list[Game]:
    """Plays what has not been played yet, several games at a time."""
    done = read_results(path, terms)
    starts = openings()
    if games > 2 * len(starts):
        raise SystemExit(f"there are {len(starts)} openings, for {2 * len(starts)} games at most")
    left = iter([n for n in range(games) if n not in done])
    lock = threading.Lock()

    def work() -> None:
        pair = Pair(terms)
        try:
            while True:
                with lock:
                    number = next(left, None)
                if number is None:
                    return
                game = play(number, starts[number // 2], number % 2 == 0, pair)
                with lock, path.open("a") as file:
                    done[number] = game
                    file.write(json.dumps(asdict(game)) + "\n")
                    print(line_of(game, list(done.values())), flush=True)
        finally:
            pair.close()

    with ThreadPoolExecutor(boards) as pool:
        for future in [pool.submit(work) for _ in range(boards)]:
            future.result()
    return [done[number] for number in sorted(done) if number < games]


def rating(score: float) -> float:
    """The difference in Elo at which a score is expected."""
    return math.inf if score >= 1 else -math.inf if score <= 0 else -400 * math.log10(1 / score - 1)


def interval(games: Sequence[Game]) -> tuple[float, float]:
    """The score and what it may be off by, with 95 % confidence."""
    scores = [game.score for game in games]
    mean = sum(scores) / len(scores)
    # A game won and one lost besides, so that a few games that all end alike do not look like certainty.
    spread = sum((score - mean) ** 2 for score in (*scores, 0.0, 1.0)) / (len(scores) + 1)
    return mean, 1.96 * math.sqrt(spread / len(scores))


def line_of(game: Game, games: Sequence[Game]) -> str:
    """One line for a game that has ended."""
    mean, off = interval(games)
    colour = "white" if game.white else "black"
    plies = len(game.moves.split())
    return (
        f"game {game.number + 1:>3}, {colour}: {game.score:>3g} by {game.fault or game.ended}, {plies} plies;"
        f" so far {100 * mean:.1f} % ± {100 * off:.1f} of {len(games)}"
    )


def summary(terms: Terms, games: Sequence[Game]) -> str:
    """The result in words."""
    won, drawn, lost = (sum(game.score == points for game in games) for points in (1, 0.5, 0))
    mean, off = interval(games)
    low, high = rating(max(0.0, mean - off)), rating(min(1.0, mean + off))
    faults = {
        f"{who}: {fault}": sum(game.fault == f"{who}: {fault}" for game in games)
        for who in ("gametree", "opponent")
        for fault in FAULTS
    }
    limited = f" limited to {terms.elo}" if terms.elo is not None else ""
    return "\n".join(
        [
            f"gametree ({terms.evaluation} evaluation) against {Path(terms.engine).name}{limited},"
            f" {terms.seconds:g} s + {terms.increment:g} s, {len(games)} games",
            f"  {won} won, {drawn} drawn, {lost} lost: {100 * mean:.1f} % ± {100 * off:.1f} (95 %)",
            f"  a difference of {rating(mean):+.0f} Elo, between {low:+.0f} and {high:+.0f}",
            "  faults: " + ", ".join(f"{name} {count}" for name, count in faults.items()),
        ]
    )


def time_control(text: str) -> tuple[float, float]:
    """Seconds and increment from "5+0.05"."""
    seconds, _, increment = text.partition("+")
    return float(seconds), float(increment or 0)


def arguments() -> Any:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--engine", help="the other engine; Stockfish where nothing is said")
    parser.add_argument("--elo", type=int, default=2400, help="its UCI_Elo; 0 for its full strength")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--tc", type=time_control, default=(5.0, 0.05), help="for example 5+0.05")
    parser.add_argument("--evaluation", default="network", help="gametree's: network, default or lolli")
    parser.add_argument("--our-elo", type=int, help="gametree's own UCI_Elo, to measure its scale")
    parser.add_argument("--boards", type=int, default=2, help="how many games at a time")
    parser.add_argument("--make-openings", type=int, metavar="N", help="instead: prints N new openings")
    parser.add_argument("--seed", type=int, default=1, help="which openings to make")
    parser.add_argument("--plies", type=int, default=8, help="how long they are")
    parser.add_argument("--results", type=Path, help="where the games are kept")
    return parse(parser, SMALLEST)


def main() -> None:
    options = arguments()
    if options.make_openings:
        for fen in new_openings(options.make_openings, options.seed, options.plies):
            print(fen, flush=True)
        return
    engine = options.engine or located("stockfish")
    if engine is None:
        raise SystemExit("there is no stockfish here: install it, or name an engine with --engine")
    terms = Terms(
        engine=engine,
        elo=options.elo or None,
        seconds=options.tc[0],
        increment=options.tc[1],
        evaluation=options.evaluation,
        our_elo=options.our_elo,
    )
    path = options.results or Path(f"strength-{options.evaluation}-{options.elo}.jsonl")
    print(summary(terms, match(terms, options.games, options.boards, path)))


if __name__ == "__main__":
    main()
