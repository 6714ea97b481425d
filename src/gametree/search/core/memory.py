"""Memory for tables: how much the user allows, how many buckets that is, and the words themselves."""

import _thread
import contextlib
import mmap
import sys
from collections.abc import Callable
from typing import Any

from gametree.arguments import megabytes

WORTH_A_THREAD = 4 << 20
"""Bytes that take longer to give back than a thread takes to start."""


def buckets_for(hash_mb: Any, bucket_bytes: int) -> int:
    """How many buckets fit: a power of two, at least eight.

    >>> buckets_for(1, 64), buckets_for(1e-6, 64)
    (16384, 8)
    """
    fitting = int(megabytes(hash_mb) * (1 << 20)) // bucket_bytes
    return 1 << max(3, fitting.bit_length() - 1)


class Sparse(dict[int, Any]):
    """A table of an interpreted search: as large as it is asked for, and no larger than what is in it."""

    def __missing__(self, place: int) -> int:
        return 0


class _Pages(mmap.mmap):
    """Memory that is given back in the background: nobody who waits for a result waits for that.

    To unmap 64 MB takes some six milliseconds, where a search has written all over them.
    """

    def __del__(self, is_late: Callable[[], bool] = sys.is_finalizing) -> None:
        if is_late() or len(self) < WORTH_A_THREAD:
            return  # no thread begins while the interpreter ends, and nobody would wait for less
        with contextlib.suppress(RuntimeError):  # no more threads to be had: then here and now
            _thread.start_new_thread(self.close, ())


def block(words: int, huge: bool = False) -> Any:
    """So many words for a compiled search, all 0; memory that costs nothing until it is used.

    The first touch of a huge page clears megabytes, on which a short search would spend its time; a long one that
    reads all over the place gains by them (`huge`).
    """
    import numpy as np

    advice = getattr(mmap, "MADV_HUGEPAGE" if huge else "MADV_NOHUGEPAGE", None)
    if advice is None:
        return np.frombuffer(_Pages(-1, 8 * words), dtype=np.int64)
    # Only memory that is not shared comes in huge pages.
    memory = _Pages(-1, 8 * words, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    with contextlib.suppress(OSError):
        memory.madvise(advice)
    return np.frombuffer(memory, dtype=np.int64)
