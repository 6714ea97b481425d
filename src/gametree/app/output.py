"""The files of `--out`, whose endings say what is in them."""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from gametree.errors import InputError


def require_endings(files: Iterable[Path], endings: Sequence[str], option: str = "--out") -> None:
    """Refuses a file whose ending is not among those that can be written.

    >>> require_endings([Path("tree.gif")], [".svg", ".png"])
    Traceback (most recent call last):
        ...
    gametree.errors.InputError: --out tree.gif: the ending says what is written; it is .svg or .png
    """
    for file in files:
        if file.suffix.lower() not in endings:
            known = " or ".join(filter(None, (", ".join(endings[:-1]), endings[-1])))
            raise InputError(f"{option} {file}: the ending says what is written; it is {known}")


def write(file: Path, content: str | bytes) -> None:
    """Writes a file and says so on stderr."""
    try:
        file.write_bytes(content.encode("utf-8", "replace") if isinstance(content, str) else content)
    except OSError as error:
        raise InputError(f"{file} cannot be written: {error.strerror}") from None
    print(f"wrote {file}", file=sys.stderr)
