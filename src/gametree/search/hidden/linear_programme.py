"""Equilibria of two players with a constant sum by linear programming on the sequence form.

D. Koller, N. Megiddo & B. von Stengel, Efficient Computation of Equilibria for Extensive Two-Person Games, Games and
Economic Behavior 14 (1996). Player 0 chooses a realization plan x so that the best response of player 1 leaves him the
most: maximise v₀, where the value v of an information set of player 1 is at most what each of its actions leaves,

    v(set of s) − Σ v(sets that s leads to) ≤ (Aᵀ x)(s)   for every sequence s of player 1,      E x = e,  x ≥ 0.

The duals of these rows are player 1's plan. HiGHS solves it (Huangfu & Hall 2018).
"""

from threading import Event, Thread
from typing import Any, Final, cast

from gametree.errors import InputError
from gametree.kernel.clock import now
from gametree.search.core.stopwatch import StopWatch
from gametree.search.hidden.sequence_form import SequenceForm

MOST_ENTRIES: Final = 1_000_000
"""So many payoffs are left to the linear programme; more are iterated on."""
SHORT: Final = 5_000
"""A programme with so few payoffs is not asked to end, which would slow it down; who has no time leaves it alone."""
LOOK: Final = 0.01
"""Seconds between two looks at the stop-watch."""


def available() -> bool:
    """Whether HiGHS is installed."""
    try:
        import highspy  # noqa: F401
    except ImportError:
        return False
    return True


def solved(form: SequenceForm, watch: StopWatch) -> Any:
    """The plans of both players in an equilibrium, one after the other as floats; None where it was stopped."""
    try:
        import highspy
    except ImportError:
        raise InputError(
            'the linear programme needs HiGHS: pip install "gametree[equilibria]"; method="cfr" needs nothing'
        ) from None
    import numpy as np

    lp, mine, theirs = _programme(form)
    highs: Any = cast(Any, highspy).Highs()
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("threads", 1)
    left = watch.left()
    if left is not None and left.seconds is not None:
        highs.setOptionValue("time_limit", left.seconds)
    highs.setOptionValue("solver", "simplex")  # ends in a corner, with a plan for the other player, too
    highs.passModel(lp)
    if not _ran(highs, watch, can_be_cancelled=len(form.rows) > SHORT):
        return None
    if highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    found = highs.getSolution()
    x = np.array(found.col_value[:mine])
    y = np.array(found.row_dual[:theirs])
    return np.maximum(np.concatenate((x, y)), 0.0)


def _ran(highs: Any, watch: StopWatch, can_be_cancelled: bool) -> bool:
    """Runs HiGHS on a thread of its own until Ctrl-C or a stop-watch says stop; whether it came to an end."""
    if can_be_cancelled:
        highs.HandleUserInterrupt = True
    done = Event()

    def work() -> None:
        try:
            highs.run()
        finally:
            done.set()

    Thread(target=work, daemon=True, name="gametree linear programme").start()
    try:
        while not done.wait(LOOK):
            if watch.cancelled or now() >= watch.deadline:
                if can_be_cancelled:
                    highs.cancelSolve()
                return False
    except BaseException:
        if can_be_cancelled:
            highs.cancelSolve()
            done.wait(1.0)
        raise
    return True


def _programme(form: SequenceForm) -> Any:
    """The programme, and how many columns are player 0's sequences and how many rows player 1's."""
    import highspy
    import numpy as np

    rows = np.asarray(form.rows, dtype=np.int64).reshape(-1, 2)
    payoffs = np.asarray(form.payoffs, dtype=np.float64).reshape(-1, 2)[:, 0]
    payoffs = payoffs / (np.abs(payoffs).max(initial=0.0) or 1.0)  # HiGHS works to an absolute 1e-7
    mine, theirs = form.sequences(0), form.sequences(1)
    parent, first, count = (
        [np.asarray(one, dtype=np.int64) for one in part] for part in (form.parent, form.first, form.count)
    )
    sets = [len(one) for one in parent]
    # Columns: x, then v of player 1's sets, then v₀. Rows: player 1's sequences, then E x = e.
    ends = mine + np.repeat(np.arange(sets[1]), count[1])
    last = mine + sets[1]
    own = np.repeat(np.arange(sets[0]), count[0]) + theirs + 1
    at_row = [
        rows[:, 1],  # −Aᵀ x
        np.arange(1, theirs),  # v of the set where a sequence ends
        np.array([0]),  # v₀
        parent[1],  # −v of the sets that a sequence leads to
        np.array([theirs]),  # x of the empty sequence is 1
        own,  # the actions of a set have the weight of what leads there
        np.arange(sets[0]) + theirs + 1,
    ]
    at_column = [
        rows[:, 0],
        _by_sequence(ends, first[1], count[1], theirs),
        np.array([last]),
        mine + np.arange(sets[1]),
        np.array([0]),
        _sequences(first[0], count[0]),
        parent[0],
    ]
    value = [
        -payoffs,
        np.ones(theirs - 1),
        np.ones(1),
        -np.ones(sets[1]),
        np.ones(1),
        np.ones(mine - 1),
        -np.ones(sets[0]),
    ]
    row, column, item = np.concatenate(at_row), np.concatenate(at_column), np.concatenate(value)
    order = np.lexsort((row, column))
    row, column, item = row[order], column[order], item[order]
    columns, height = last + 1, theirs + 1 + sets[0]
    infinite = highspy.kHighsInf
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = columns, height
    lp.col_cost_ = np.concatenate((np.zeros(last), [1.0]))
    lp.col_lower_ = np.concatenate((np.zeros(mine), np.full(columns - mine, -infinite)))
    lp.col_upper_ = np.full(columns, infinite)
    lp.row_lower_ = np.concatenate((np.full(theirs, -infinite), [1.0], np.zeros(sets[0])))
    lp.row_upper_ = np.concatenate((np.zeros(theirs), [1.0], np.zeros(sets[0])))
    lp.sense_ = highspy.ObjSense.kMaximize
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    lp.a_matrix_.start_ = np.searchsorted(column, np.arange(columns + 1)).astype(np.int32)
    lp.a_matrix_.index_ = row.astype(np.int32)
    lp.a_matrix_.value_ = item
    return lp, mine, theirs


def _sequences(first: Any, count: Any) -> Any:
    """The sequences that end at each information set, one set after the other."""
    import numpy as np

    before = np.cumsum(count) - count
    return np.repeat(first - before, count) + np.arange(count.sum())


def _by_sequence(values: Any, first: Any, count: Any, sequences: int) -> Any:
    """What stands by the sequences of each set in turn, in the order of the sequences from 1 on."""
    import numpy as np

    found = np.zeros(sequences, dtype=np.int64)
    found[_sequences(first, count)] = values
    return found[1:]
