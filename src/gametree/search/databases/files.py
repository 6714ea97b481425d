"""A slice as a file: a heading that people can read, then its places in blocks, each compressed for itself.

    gametree endings 1 <crc of the heading>
    {"game": …, "rules": …, "ending": "KQK", "places": …, "block": …, "index": …, "longest": …, …}
    index      for each block its length and its checksum, four bytes each; compressed
    blocks     of each: who wins, two bits a place, then the plies, a byte or two a place; compressed

A place that no state has repeats what stands before it, which costs nothing. A byte that is not as it was written is
found by a checksum, and the file is refused.
"""

import dataclasses
import json
import mmap
import os
import zlib
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from gametree.errors import InputError
from gametree.search.databases.codes import DRAW, WIN

VERSION: Final = 1
MAGIC: Final = b"gametree endings %d " % VERSION
BLOCK: Final = 1 << 14
"""So many places are compressed together."""
LONGEST: Final = 10_000
"""No heading has more bytes."""
KEPT: Final = 64
"""So many blocks of a file stay unpacked."""
_DRAWN, _WON, _LOST = range(3)


@dataclass(frozen=True)
class Heading:
    """What a file says of itself."""

    game: str
    """The name of the class of the game."""
    text: str
    """The game as `repr` writes it, for people."""
    rules: str
    """The digest of the rules, and one of how the positions are numbered."""
    numbers: str
    ending: str
    """The name of the slice."""
    slice: int
    places: int
    positions: int
    won: int
    drawn: int
    lost: int
    longest: int
    """How many plies the longest win takes."""


def write(path: Path, heading: Heading, codes: Any) -> int:
    """Writes a slice down, all or nothing; the same slice gives the same bytes. How many bytes they are."""
    flat = np.asarray(codes, dtype=np.int64).view(np.uint16)[: heading.places]
    flat = _filled(flat)
    wide = heading.longest > 255
    blocks, index = [], []
    for begin in range(0, len(flat), BLOCK):
        part = flat[begin : begin + BLOCK]
        packed = zlib.compress(_outcomes(part) + _plies(part, wide), 9)
        blocks.append(packed)
        index += [len(packed), zlib.crc32(packed)]
    table = zlib.compress(np.array(index, dtype="<u4").tobytes(), 9)
    about = {
        **dataclasses.asdict(heading),
        "block": BLOCK,
        "index": [len(table), zlib.crc32(table)],
        "blocks": sum(map(len, blocks)),
    }
    text = json.dumps(about, ensure_ascii=True, sort_keys=True).encode() + b"\n"
    data = b"".join([MAGIC, b"%08x\n" % zlib.crc32(text), text, table, *blocks])
    draft = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with draft.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
    return len(data)


def _filled(flat: Any) -> Any:
    """The codes, with what stands before wherever no state has the place."""
    last = np.maximum.accumulate(np.where(flat != 0, np.arange(len(flat)), 0))
    filled = flat[last]
    filled[filled == 0] = DRAW  # before the first position
    return filled


def _outcomes(part: Any) -> bytes:
    kinds = np.where(part == DRAW, _DRAWN, np.where(part & 1 == 0, _WON, _LOST)).astype(np.uint8)
    kinds = np.pad(kinds, (0, -len(kinds) % 4)).reshape(-1, 4)
    return (kinds[:, 0] | kinds[:, 1] << 2 | kinds[:, 2] << 4 | kinds[:, 3] << 6).astype(np.uint8).tobytes()


def _plies(part: Any, wide: bool) -> bytes:
    plies = np.where(part == DRAW, 0, part - WIN >> 1)
    return plies.astype("<u2" if wide else np.uint8).tobytes()


def _codes(data: bytes, places: int, wide: bool) -> Any:
    """The codes of a block that was unpacked."""
    quarter = -(-places // 4)
    packed = np.frombuffer(data, np.uint8, quarter)
    kinds = np.stack([packed >> shift & 3 for shift in (0, 2, 4, 6)], axis=1).ravel()[:places]
    plies = np.frombuffer(data, "<u2" if wide else np.uint8, places, quarter).astype(np.uint16)
    return np.where(kinds == _DRAWN, DRAW, WIN + 2 * plies + (kinds == _LOST)).astype(np.uint16)


class EndingFile:
    """A file that is open for reading: it is mapped into memory, and blocks are unpacked when they are asked for."""

    def __init__(self, path: Path):
        self.path = path
        try:
            with path.open("rb") as file:
                self._data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as error:
            raise InputError(f"{path}: {getattr(error, 'strerror', None) or 'it is empty'}") from None
        first = self._data[: len(MAGIC) + 9]
        if not first.startswith(MAGIC[:17]):
            raise InputError(
                f"{path.name} is no endgame database of gametree: it does not begin with 'gametree endings'"
            )
        if not first.startswith(MAGIC):
            raise InputError(f"{path.name} is a database of another version than {VERSION}; build it again")
        end = self._data.find(b"\n", len(first), len(first) + LONGEST) + 1
        text = self._data[len(first) : end]
        if first[len(MAGIC) :] != b"%08x\n" % zlib.crc32(text):
            raise self._damaged("the checksum of its heading is wrong")
        about: dict[str, Any] = json.loads(text)
        self._block = int(about.pop("block"))
        size, checksum = about.pop("index")
        length = int(about.pop("blocks"))
        self.heading: Heading = Heading(**about)
        if len(self._data) != end + size + length:
            raise self._damaged(f"it has {len(self._data):,} bytes instead of {end + size + length:,}")
        table = self._data[end : end + size]
        if zlib.crc32(table) != checksum:
            raise self._damaged("the checksum of its index is wrong")
        rows = np.frombuffer(zlib.decompress(table), "<u4").reshape(-1, 2).astype(np.int64)
        self._checksums = rows[:, 1]
        self._ends = end + size + np.cumsum(rows[:, 0])
        self._starts = self._ends - rows[:, 0]
        self._wide = self.heading.longest > 255
        self._unpacked: OrderedDict[int, Any] = OrderedDict()

    def code(self, place: int) -> int:
        """The code of a place; the block that it stands in stays unpacked for a while."""
        number, within = divmod(place, self._block)
        block = self._unpacked.get(number)
        if block is None:
            block = self._read(number)
            self._unpacked[number] = block
            if len(self._unpacked) > KEPT:
                self._unpacked.popitem(last=False)
        else:
            self._unpacked.move_to_end(number)
        return int(block[within])

    def codes(self) -> Any:
        """All codes, four a word."""
        places = self.heading.places
        words = np.zeros((places + 3) // 4, dtype=np.int64)
        flat = words.view(np.uint16)
        for number in range(len(self._starts)):
            begin = number * self._block
            flat[begin : min(begin + self._block, places)] = self._read(number)
        return words

    def _read(self, number: int) -> Any:
        packed = self._data[self._starts[number] : self._ends[number]]
        if zlib.crc32(packed) != self._checksums[number]:
            raise self._damaged(f"the checksum of block {number:,} is wrong")
        places = min(self._block, self.heading.places - number * self._block)
        return _codes(zlib.decompress(packed), places, self._wide)

    def _damaged(self, how: str) -> InputError:
        return InputError(f"{self.path.name} is damaged: {how}. Build it again")
