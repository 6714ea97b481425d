# mypy: ignore-errors
# ruff: noqa
"""Rules that ask in many ways whether there is None, on a row of cells that hold texts, enums or ints beside it."""

from enum import Enum
import gametree as gt


class Base(gt.Game):
    """cells: tuple of None/int/str; count of things via helpers with literal None."""

    payoffs = (-1, 1)
    n = 6
    X, O = 1, 2

    def initial(self):
        return ((None,) * self.n, 0)

    def player(self, s):
        return s[1]

    def actions(self, s):
        return [i for i in range(self.n) if s[0][i] is None]

    def result(self, s, a):
        c = list(s[0])
        c[a] = self.X if s[1] == 0 else self.O
        return (tuple(c), 1 - s[1])

    def winner(self, s):
        for i in range(self.n - 2):
            if s[0][i] is not None and s[0][i] == s[0][i + 1] and s[0][i] == s[0][i + 2]:
                return s[0][i]
        return None

    def is_terminal(self, s):
        return self.winner(s) is not None or self.full(s)

    def full(self, s):
        return all(c is not None for c in s[0])

    def utility(self, s, p):
        w = self.winner(s)
        if w is None:
            return 0
        return 1 if (w == self.X) == (p == 0) else -1


class Text(Base):
    X, O = "x", "o"


class St(Enum):
    B = "b"
    W = "w"


class En(Base):
    X, O = St.B, St.W


def count(cells, who):
    k = 0
    for c in cells:
        if c == who:
            k += 1
    return k


def count_is(cells, who):
    k = 0
    for c in cells:
        if c is who:
            k += 1
    return k


def count_default(cells, who=None):
    return sum(1 for c in cells if c == who)


def count_ne(cells, who):
    return len([c for c in cells if c != who])


def first(cells, who):
    for i, c in enumerate(cells):
        if c == who:
            return i
    return -1


def nested(cells, who):
    return count(cells, who)


def choose(cells, who):
    return count(cells, who if len(cells) > 2 else None)


class H1:
    def full(self, s):
        return count(s[0], None) == 0


class H2:
    def full(self, s):
        return count_is(s[0], None) == 0


class H3:
    def full(self, s):
        return count_default(s[0]) == 0


class H4:
    def full(self, s):
        return count_ne(s[0], None) == self.n


class H5:
    def full(self, s):
        return first(s[0], None) == -1


class H6:
    def full(self, s):
        return nested(s[0], None) == 0


class H7:
    def full(self, s):
        return choose(s[0], None) == 0


class H8:
    def has(self, s, who):
        return any(c == who for c in s[0])

    def full(self, s):
        return not self.has(s, None)


class H9:
    def has(self, s, who):
        return who in s[0]

    def full(self, s):
        return not self.has(s, None)


class H10:
    def full(self, s):
        empty = None
        return all(c != empty for c in s[0])


class H11:
    EMPTY = None

    def full(self, s):
        return self.EMPTY not in s[0]


class H12:
    EMPTY = None

    def full(self, s):
        return sum(c == self.EMPTY for c in s[0]) == 0


class H13:
    def full(self, s):
        return s[0].count(None) == 0


class H14:
    def full(self, s):
        f = lambda who: sum(1 for c in s[0] if c == who)
        return f(None) == 0


class H15:
    def full(self, s):
        def f(who):
            return [c for c in s[0] if c == who]

        return not f(None)


class H16:
    def full(self, s):
        return not {None} & set(s[0])


class H17:
    def full(self, s):
        return len({c for c in s[0] if c == None}) == 0


class H18:
    def full(self, s):
        k = 0
        for c in s[0]:
            match c:
                case None:
                    k += 1
                case _:
                    pass
        return k == 0


class H19:
    def full(self, s):
        return not list(filter(lambda c: c is None, s[0]))


class H20:
    def same(self, a, b):
        return a == b

    def full(self, s):
        return not any(self.same(c, None) for c in s[0])


class H21:
    def same(self, a, b):
        return (a, 1) == (b, 1)

    def full(self, s):
        return not any(self.same(c, None) for c in s[0])


class H22:
    def full(self, s):
        return not any((c, 0) == (None, 0) for c in s[0])


class H23:
    def full(self, s):
        return (None,) != s[0][:1] and not any(c in (None, 99) for c in s[0])


class H24:
    def look(self, s, who=None, *, other=None):
        return sum(c == who or c == other for c in s[0])

    def full(self, s):
        return self.look(s) == 0


class H25:
    def w(self, s):
        return None

    def full(self, s):
        e = self.w(s)
        return sum(c == e for c in s[0]) == 0


CASES = [
    type(f"{h.__name__}_{b.__name__}", (h, b), {})
    for b in (Base, Text, En)
    for h in [
        H1,
        H2,
        H3,
        H4,
        H5,
        H6,
        H7,
        H8,
        H9,
        H10,
        H11,
        H12,
        H13,
        H14,
        H15,
        H16,
        H17,
        H18,
        H19,
        H20,
        H21,
        H22,
        H23,
        H24,
        H25,
    ]
]
