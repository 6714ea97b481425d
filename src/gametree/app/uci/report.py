"""What the engine says: `info` lines from an analysis, scores as the protocol writes them."""

from gametree.app.uci.position import line_text
from gametree.games.chess.board import State
from gametree.result import Analysis, Bound, Move, Value

_BOUNDS = {"exact": "", "lower": " lowerbound", "upper": " upperbound"}
_FAR = 29_999
"""A win whose distance is not known, in centipawns."""


def score(value: Value, bound: Bound = "exact") -> str:
    """A value, which evaluations give in pawns, in centipawns; a proven win or loss in moves until mate.

    >>> score(Value(0.25)), score(Value.win(plies=3)), score(Value.loss(plies=4)), score(Value(-1), "upper")
    ('cp 25', 'mate 2', 'mate -2', 'cp -100 upperbound')
    """
    if value.outcome is None:
        payoff = min(max(value.payoff, -_FAR / 100), _FAR / 100)
        text = f"cp {round(100 * payoff)}"
    elif value.plies is None:
        text = f"cp {_FAR if value.outcome == 'win' else -_FAR}"
    else:
        moves = (value.plies + 1) // 2
        text = f"mate {moves if value.outcome == 'win' else -moves}"
    return text + _BOUNDS[bound]


def info_lines(analysis: Analysis, state: State, chess960: bool, seconds: float) -> list[str]:
    """An `info` line for every line of play that was asked for, the best first."""
    if analysis.value is None:
        return []
    best = Move(analysis.action, analysis.value, analysis.bound, analysis.name or "", analysis.exact)
    lines: list[tuple[Move, tuple[int, ...]]] = [(best, analysis.line)]
    if len(analysis.lines) > 1:
        lines = [(move, move.line or (move.action,)) for move in analysis.lines]
    return [_info(analysis, n, *line, state, chess960, seconds) for n, line in enumerate(lines, 1)]


def _info(
    analysis: Analysis,
    number: int,
    move: Move,
    line: tuple[int, ...],
    state: State,
    chess960: bool,
    seconds: float,
) -> str:
    depth = analysis.depth if analysis.depth is not None else len(line)
    words = [f"info depth {depth}"]
    if analysis.selective_depth is not None:
        words.append(f"seldepth {analysis.selective_depth}")
    words.append(f"multipv {number} score {score(move.value, move.bound)}")
    words.append(f"nodes {analysis.nodes} nps {round(analysis.nodes / max(seconds, 1e-6))}")
    if analysis.table_fill is not None:
        words.append(f"hashfull {round(1000 * analysis.table_fill)}")
    words.append(f"time {round(1000 * seconds)}")
    if line:
        words.append(f"pv {line_text(state, line, chess960)}")
    return " ".join(words)
