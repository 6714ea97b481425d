"""Rows of small whole numbers, added and weighed many at a time: what a network in an evaluation needs.

`row(table, i)` is a row of `LANES` numbers of an array of int16; rows are added by `+` and taken away by `-`.
Interpreted they are NumPy arrays; compiled they stay in vector registers, so that adding a row costs a few machine
instructions.

What adds up to much and changes little from one position to the next is worth keeping. A `ThreadLocal` is an array,
an attribute of a game, that compiled code may write to: each thread has its own, and finds there what it wrote, or
zeros.
"""

from typing import Any, Final

import numpy as np

from gametree.kernel.marking import primitive

LANES: Final = 256
"""How many numbers a row has."""
MOST: Final = 255
"""Where `squares` cuts off."""
LINE: Final = 64
"""Bytes that a processor takes from memory at once."""


@primitive
def row(table: Any, i: int) -> Any:
    """Row i of an array of int16 with `LANES` columns.

    >>> sums = row(np.ones((2, LANES), np.int16), 0) + row(np.ones((2, LANES), np.int16), 1)
    >>> int(sums[0]), len(sums)
    (2, 256)
    """
    return table[i]


@primitive
def put_row(table: Any, i: int, numbers: Any) -> None:
    """Makes a row the one of that number in an array of int16 with `LANES` columns.

    >>> table = np.zeros((2, LANES), np.int16)
    >>> put_row(table, 1, row(np.ones((1, LANES), np.int16), 0))
    >>> int(table[0].sum()), int(table[1].sum())
    (0, 256)
    """
    table[i] = numbers


class ThreadLocal(np.ndarray[Any, np.dtype[Any]]):
    """An array that a game may write to when it is compiled (see `own`). What is in the array itself is never used."""


def aligned(table: Any) -> Any:
    """A copy that begins where a line of memory does: a load across two of them takes twice as long."""
    room = np.empty(table.nbytes + LINE, np.uint8)
    begin = -room.ctypes.data % LINE
    copy = room[begin : begin + table.nbytes].view(table.dtype).reshape(table.shape)
    copy[...] = table
    return copy


def thread_local(shape: tuple[int, ...], kind: Any) -> ThreadLocal:
    """Such an array, of a shape and a type of numbers.

    >>> thread_local((2, 3), np.int16).shape
    (2, 3)
    """
    return np.zeros(shape, kind).view(ThreadLocal)


@primitive
def own(array: Any) -> Any:
    """The array of this thread. Interpreted nothing is kept: it is empty each time.

    >>> kept = thread_local((2,), np.int64)
    >>> own(kept)[0] = 5
    >>> int(own(kept)[0])
    0
    """
    return np.zeros(array.shape, array.dtype)


@primitive
def squares(sums: Any, weights: Any) -> int:
    """Σ c(s)² · w over two rows, where c cuts off what is below 0 or above `MOST`. A weight is from −256 to 256.

    >>> table = np.array([range(LANES), [1] * LANES], np.int16)
    >>> squares(row(table, 0), row(table, 1)) == sum(n * n for n in range(LANES))
    True
    """
    cut = sums.clip(0, MOST).astype("int32")
    return int((cut * cut * weights).sum())
