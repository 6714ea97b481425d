"""How values and numbers of things are written."""

import math

from gametree.explain.traces.notation import count, interval, listing, number


def test_numbers_are_written_one_way() -> None:
    assert [number(value) for value in (3.0, -5, 0.1 + 0.2, -math.inf, -0.0, 1e-7)] == [
        "3",
        "−5",
        "0.3",
        "−∞",
        "0",
        "1e−07",
    ]
    assert number((1, -2.5)) == "(1, −2.5)"
    assert interval(-math.inf, 2) == "[−∞, 2]"
    assert listing([]) == ""
    assert count(0, "leaf", "leaves") == "no leaves"
