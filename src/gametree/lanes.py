"""Rows of small whole numbers, added and weighed many at a time: what a network in an evaluation needs.

`row(table, i)` is a row of `LANES` numbers of an array of int16; rows are added by `+`. Interpreted they are NumPy
arrays; compiled they stay in vector registers, so that adding a row costs a few machine instructions.
"""

from typing import Any, Final

from gametree.compiled.primitives import primitive

LANES: Final = 128
"""How many numbers a row has."""
MOST: Final = 255
"""Where `squares` cuts off."""


@primitive
def row(table: Any, i: int) -> Any:
    """Row i of an array of int16 with `LANES` columns.

    >>> import numpy as np
    >>> sums = row(np.ones((2, LANES), np.int16), 0) + row(np.ones((2, LANES), np.int16), 1)
    >>> int(sums[0]), len(sums)
    (2, 128)
    """
    return table[i]


@primitive
def squares(sums: Any, weights: Any) -> int:
    """Σ c(s)² · w over two rows, where c cuts off what is below 0 or above `MOST`. A weight is from −256 to 256.

    >>> import numpy as np
    >>> table = np.array([range(LANES), [1] * LANES], np.int16)
    >>> squares(row(table, 0), row(table, 1)) == sum(n * n for n in range(LANES))
    True
    """
    cut = sums.clip(0, MOST).astype("int32")
    return int((cut * cut * weights).sum())
