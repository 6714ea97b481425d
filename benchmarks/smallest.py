"""Every benchmark has a smallest form, `--smallest`, in which it does all that it does, with next to nothing to do.

It shows that a script runs, with its peers where they are installed; its figures mean nothing.
"""

import argparse
import shlex
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).parent


def words_of(smallest: str, words: Sequence[str] | None = None) -> list[str]:
    """The words of a command line, with those of the smallest form in the place of `--smallest`.

    In the smallest form `{here}` is the folder of the benchmarks and `{new}` a new one for what is written.

    >>> words_of("--runs 1 --nodes 5", ["--smallest", "--nodes", "9"])
    ['--runs', '1', '--nodes', '5', '--nodes', '9']
    """
    given = sys.argv[1:] if words is None else list(words)
    if "--smallest" not in given:
        return given
    new = tempfile.mkdtemp(prefix="gametree-smallest-") if "{new}" in smallest else ""
    begin = [word.replace("{here}", str(HERE)).replace("{new}", new) for word in shlex.split(smallest)]
    return [*begin, *(word for word in given if word != "--smallest")]


def parse(
    parser: argparse.ArgumentParser, smallest: str, words: Sequence[str] | None = None
) -> argparse.Namespace:
    """The options of a benchmark; its smallest form is given by the options that it stands for."""
    parser.add_argument(
        "--smallest", action="store_true", help="only to see that it runs: next to nothing is done"
    )
    return parser.parse_args(words_of(smallest, words))
