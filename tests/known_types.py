"""How much of the public names has a type that every checker knows, and not only the one that guesses like mypy?

    python tests/known_types.py          lists the names whose types are unknown or guessed
    python tests/known_types.py --least 98.5

It asks basedpyright (`--verifytypes`). The exit code is 1 where less than --least percent are known: all of them,
where nothing else is said. Numba and LLVM say no types; the stub files of `compiled/toolchain` do.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent / "src"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--least", type=float, default=100.0, metavar="PERCENT")
    given = parser.parse_args()
    command = [sys.executable, "-m", "basedpyright", "--pythonpath", sys.executable, "--outputjson"]
    command += ["--verifytypes", "gametree", "--ignoreexternal"]
    # basedpyright does not follow the .pth file of an editable installation.
    places = {**os.environ, "PYTHONPATH": str(SOURCE)}
    said = subprocess.run(command, capture_output=True, text=True, env=places).stdout
    found = json.loads(said)["typeCompleteness"]
    if not found["symbols"]:
        print(f"basedpyright found no public names under {SOURCE}")
        return 1
    for symbol in found["symbols"]:
        if symbol["isExported"] and not (symbol["isTypeKnown"] and not symbol["isTypeAmbiguous"]):
            print(symbol["name"])
    known = 100 * found["completenessScore"]
    print(f"{known:.2f} % of the public names have types that are known")
    return 0 if known >= given.least else 1


if __name__ == "__main__":
    sys.exit(main())
