"""Random calculations as rules: what machine code makes of them is compared with Python, one by one."""

import random
from typing import Any

import numpy as np

import gametree as gt
from gametree.compiled import native
from gametree.kernel.primitives import Floats

NUMBERS = (
    0,
    1,
    2,
    3,
    5,
    7,
    8,
    10,
    31,
    63,
    64,
    255,
    1 << 20,
    (1 << 31) - 1,
    1 << 53,
    (1 << 62) + 3,
    (1 << 63) - 1,
)
INPUTS = (
    -(1 << 63),
    -(1 << 40),
    -65,
    -7,
    -2,
    -1,
    0,
    1,
    2,
    3,
    6,
    62,
    64,
    1000,
    1 << 33,
    (1 << 53) + 1,
    (1 << 63) - 1,
)


def calculation(draws: random.Random) -> str:
    """An expression of the ints `x` and `y`, the tuple `t` and the array `self.table`."""
    return _whole(draws, draws.randint(1, 4))


def _whole(draws: random.Random, depth: int) -> str:
    if depth == 0:
        return draws.choice(["x", "y", "x", "y", str(draws.choice(NUMBERS)), f"-{draws.choice(NUMBERS)}"])

    def part() -> str:
        return f"({_whole(draws, draws.randint(0, depth - 1))})"

    form = draws.randrange(15)
    if form < 6:
        return f"{part()} {draws.choice(['+', '-', '*', '//', '%', '&', '|', '^'])} {part()}"
    if form == 6:
        return (
            f"{part()} {draws.choice(['<<', '>>'])} {draws.choice([part(), str(draws.choice(NUMBERS[:10]))])}"
        )
    if form == 7:
        return f"{part()} ** {draws.choice([str(draws.randint(0, 9)), f'({part()} & 7)'])}"
    if form == 8:
        return f"{draws.choice(['-', '~', 'abs'])}{part()}"
    if form == 9:
        return (
            f"t[x & 1 | {part()}]"
            if draws.random() < 0.5
            else f"t[(y - {part()}) % {draws.choice([3, 7, 9])}]"
        )
    if form == 10:
        return f"int(self.table[{part()}{draws.choice(['', ' % 7', ' & 7'])}])"
    if form == 11:
        return f"({part()} if {part()} {draws.choice(['<', '==', '>=', '!='])} {part()} else {part()})"
    if form == 12:
        return f"int({part()} {draws.choice(['<', '==', '>'])} {draws.choice(['2.0 ** 53', '0.5', '1e300'])})"
    if form == 13:
        return f"{draws.choice(['sum', 'max', 'min'])}([{part()}, {part()}, {part()}])"
    return f"divmod({part()}, {part()})[{draws.randint(0, 1)}]"


HEAD = """
import gametree as gt

class Calculated(gt.Game):
    def __init__(self, table): self.table = table
    def initial(self): return (0, 0, 0)
    def player(self, s): return 0
    def actions(self, s): return (0,)
    def is_terminal(self, s): return False
    def utility(self, s, p): return 0.0
    def result(self, s, a): return (self.calculate(s[2], s[0], s[1]), 0, s[2])
    def calculate(self, which, x, y):
        t = (3, 1, 4, 1, 5, 9, 2)
"""


def kernel(game: Any, state: Any, out: Floats) -> int:
    """The number that a calculation makes of a state."""
    return int(game.result(state, 0)[0])


def differing(expressions: list[str]) -> list[str]:
    """What machine code answers otherwise than Python, where it does not give up; in words."""
    import linecache

    text = HEAD + "".join(
        f"        if which == {i}: return {expression}\n" for i, expression in enumerate(expressions)
    )
    text += "        return 0\n"
    name = f"<calculations {hash(text)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    space: dict[str, Any] = {"__name__": "calculations"}
    exec(compile(text, name, "exec"), space)  # made above
    game: gt.Game = space["Calculated"](np.array([2, 7, 1, 8, 2, 8, 1 << 40]))
    try:
        bound = native.native(kernel, game)
    except native.CannotCompile:  # constants that Numba computes by itself: interpreted, then
        half = len(expressions) // 2
        return differing(expressions[:half]) + differing(expressions[half:]) if half else []
    out = np.zeros(1)
    wrong = []
    for which, expression in enumerate(expressions):
        for x in INPUTS:
            for y in INPUTS[::4]:
                state = (x, y, which)
                try:
                    expected: Any = game.result(state, 0)[0]
                except Exception as error:
                    expected = type(error)
                try:
                    found: Any = bound(state, out)
                except native.Overflowed:
                    continue
                except native.Failed:
                    found = None
                if found != expected and not (found is None and isinstance(expected, type)):
                    wrong.append(f"{expression} with x = {x}, y = {y}: {found}, not {expected}")
                    break
    return wrong
