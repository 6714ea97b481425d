"""How a benchmark says that it cannot do what it was asked: one line, exit code 2, no traceback."""

import sys
from typing import NoReturn


def refuse(why: object) -> NoReturn:
    """Ends the program with the reason."""
    print(f"error: {why}", file=sys.stderr)
    sys.exit(2)
