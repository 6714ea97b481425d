"""`python -m gametree` is the command `gametree`."""

import sys

from gametree.app.cli import main

if __name__ == "__main__":
    sys.exit(main())
