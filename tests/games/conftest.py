"""Rules: they index arrays and bits; interpreted and compiled are compared within the tests."""

import pytest


def pytest_itemcollected(item: pytest.Item) -> None:
    item.add_marker(pytest.mark.bounds)
    item.add_marker(pytest.mark.interpreted_anyway)
