"""Books as files: a heading that people can read, then keys and margins, compressed.

    gametree book 1 <crc of the heading>
    {"game": …, "rules": …, "plies": …, "sizes": [bytes of keys, bytes of margins], "sums": [crc, crc], …}
    keys, ascending, each less the one before; byte planes, the low bytes of all first     zlib
    margins, two bytes each                                                               zlib

A byte that is not as it was written is found by a sum, and the file is refused.
"""

import dataclasses
import functools
import json
import zlib
from pathlib import Path
from typing import Any, Final

from gametree.errors import InputError
from gametree.game import Game
from gametree.places import data_directory
from gametree.search.books.scores import Book, Heading

MAGIC: Final = b"gametree book 1 "
SUFFIX: Final = ".gtbook"
LONGEST: Final = 10_000
"""No heading has more bytes."""
SHIPPED: Final = Path(__file__).parents[2] / "data" / "books"


def write(book: Book, path: Path) -> None:
    """Writes a book down; the same book gives the same bytes."""
    import numpy as np

    steps = np.diff(book.keys, prepend=np.uint64(0)).astype("<u8")
    planes = np.ascontiguousarray(steps.view(np.uint8).reshape(-1, 8).T)
    blocks = [zlib.compress(planes.tobytes(), 9), zlib.compress(book.margins.astype("<i2").tobytes(), 9)]
    heading = {
        **dataclasses.asdict(book.heading),
        "sizes": [len(block) for block in blocks],
        "sums": [zlib.crc32(block) for block in blocks],
    }
    text = json.dumps(heading, ensure_ascii=True, sort_keys=True).encode() + b"\n"
    path.write_bytes(b"".join([MAGIC, b"%08x\n" % zlib.crc32(text), text, *blocks]))


def read(path: Path) -> Book:
    """Reads a book; a file that is none, is of another version, or was damaged is refused."""
    import numpy as np

    heading, sizes, sums, data = _parts(path)
    if len(data) != sum(sizes):
        raise InputError(
            f"{path.name} has {len(data):,} bytes after its heading instead of {sum(sizes):,}: it is cut off"
        )
    blocks = [data[: sizes[0]], data[sizes[0] :]]
    for name, block, total in zip(("keys", "margins"), blocks, sums):
        if zlib.crc32(block) != total:
            raise InputError(f"{path.name} is damaged: the sum of its {name} is wrong. Build it again")
    try:
        count = heading.positions
        planes = np.frombuffer(_unpacked(blocks[0], 8 * count), np.uint8).reshape(8, -1)
        keys = np.cumsum(np.ascontiguousarray(planes.T).view("<u8").ravel(), dtype=np.uint64)
        margins = np.frombuffer(_unpacked(blocks[1], 2 * count), "<i2")
    except (ValueError, zlib.error) as error:
        raise InputError(f"{path.name} is damaged: {error}. Build it again") from None
    return Book(heading, keys, margins.astype(np.int16))


def heading_of(path: Path) -> Heading:
    """What a book says of itself."""
    return _parts(path, whole=False)[0]


def _unpacked(block: bytes, size: int) -> bytes:
    """What was compressed, and no more than it should be."""
    unpacker = zlib.decompressobj()
    found = unpacker.decompress(block, size + 1)
    if len(found) != size:
        raise ValueError(f"it holds {len(found):,} bytes instead of {size:,}")
    return found


def _parts(path: Path, whole: bool = True) -> tuple[Heading, list[int], list[int], bytes]:
    try:
        with path.open("rb") as file:
            first = file.read(len(MAGIC) + 9)
            text = file.readline(LONGEST)
            rest = file.read() if whole else b""
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
    if not first.startswith(MAGIC[:14]):
        raise InputError(
            f"{path.name} is no book of gametree: it does not begin with {MAGIC[:13].decode()!r}"
        )
    if not first.startswith(MAGIC):
        raise InputError(f"{path.name} is a book of another version than 1; build it again")
    if first[len(MAGIC) :] != b"%08x\n" % zlib.crc32(text):
        raise InputError(f"{path.name} is damaged: the sum of its heading is wrong. Build it again")
    said: dict[str, Any] = json.loads(text)
    sizes, sums = said.pop("sizes"), said.pop("sums")
    return Heading(**said), sizes, sums, rest


@functools.lru_cache(maxsize=8)
def _opened(path: Path, changed: float) -> Book:
    return read(path)


def find(game: Game) -> Book | None:
    """The book for a game, from the user's data directory or the shipped ones; None where there is none."""
    for folder in (data_directory() / "books", SHIPPED):
        for path in sorted(folder.glob(f"*{SUFFIX}")):
            heading = _listed(path, path.stat().st_mtime)
            if heading is not None and heading.game == type(game).__name__:
                book = _opened(path, path.stat().st_mtime)
                if book.fits(game):
                    return book
    return None


@functools.lru_cache(maxsize=256)
def _listed(path: Path, changed: float) -> Heading | None:
    """The heading of a file that lies where books are looked for; None where it is none: nobody named it."""
    try:
        return heading_of(path)
    except InputError:
        return None
