"""What an engine remembers from one search to the next: the table, and what it has learned about actions."""

from typing import TYPE_CHECKING, Any, Final

from gametree.result import Limit
from gametree.search.core import memory
from gametree.search.databases.shelf import empty
from gametree.search.engine.actions import MARKS
from gametree.search.engine.memory import EngineMemory, allocate, learned
from gametree.search.engine.node import AGE_MASK, LAYOUT

if TYPE_CHECKING:
    from gametree.search.databases.database import Database

INTERPRETED_MEGABYTES: Final = 0.25
"""A table of Python ints is eight times the size, and a slow search fills little of it."""
MANY_NODES: Final = 10_000
LONG_SECONDS: Final = 0.03
LONG_DEPTH: Final = 10
"""From here on a table in huge pages is worth their clearing, which takes some five milliseconds for 64 MB."""
BUCKET_BYTES: Final = LAYOUT.bucket_bytes


class Knowledge:
    """The memory of an engine. Every thread of a search has one of its own besides, and all of them the table."""

    def __init__(self, hash_mb: float):
        self.hash_mb: float = hash_mb
        """The size of the table."""
        self.table: Any = None
        self._limit: Limit = Limit()
        self._age = 0
        self.buckets: int = 0
        """How many buckets the table has."""
        self.salt: int = 0
        """What the keys of the last search were mixed with: where the past counts, a state is another one."""
        self._learned: Any = None
        self.database: Database | None = None
        """The endgame databases that are asked."""

    def forget(self) -> None:
        """The next search is as the first."""
        self.table, self._learned, self._age = None, None, 0

    def begin(self, limit: Limit) -> None:
        """A search begins; what is in the table is older from now on."""
        self._limit = limit
        self._age = self._age + 1 & AGE_MASK
        if self.table is not None:
            self.table[-MARKS:] = [0] * MARKS if isinstance(self.table, list) else 0

    def for_thread(self, compiled: bool, wary: bool, salt: int, below: int = -1) -> EngineMemory:
        """New memory for a thread of a search, with what is known; of the databases those of slices up to `below`."""
        self.salt = salt
        if self.table is None:
            # Only with as large a table both ways to run give the same answer.
            alike = compiled or self._limit.nodes is not None
            size = self.hash_mb if alike else min(self.hash_mb, INTERPRETED_MEGABYTES)
            self.buckets = memory.buckets_for(size, BUCKET_BYTES)
            words = self.buckets * BUCKET_BYTES // 8 + MARKS
            self.table = memory.block(words, huge=self._is_long) if compiled else [0] * words
        return allocate(
            compiled,
            wary=wary,
            learned=self._learned,
            table=self.table,
            buckets=self.buckets,
            age=self._age,
            salt=salt,
            endings=empty(compiled)
            if self.database is None or below < 0
            else self.database.shelf(below + 1, compiled),
        )

    @property
    def _is_long(self) -> bool:
        """Whether the search is likely to write all over its table."""
        nodes, seconds, depth = self._limit.nodes, self._limit.seconds, self._limit.depth
        if nodes is not None and nodes <= MANY_NODES:
            return False
        if seconds is not None:
            return seconds >= LONG_SECONDS
        return nodes is not None or depth is None or depth >= LONG_DEPTH

    def keep(self, thread: EngineMemory) -> None:
        """What a search has learned about actions is for the next one."""
        self._learned = learned(thread)
