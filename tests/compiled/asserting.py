# mypy: ignore-errors
"""Rules with `assert` in them, in a file that pytest leaves as it is."""

from compiled.refusals import Nim


class Asserted(Nim):
    def actions(self, s):
        assert s[0] != 3, "never three"  # raises
        return range(1, min(3, s[0]) + 1)


class AssertedInGenerator(Nim):
    def actions(self, s):
        for i in range(1, min(3, s[0]) + 1):
            assert s[0] != 3, "never three"  # raises
            yield i
