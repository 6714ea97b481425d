"""What the tests of notebooks share: a browser. Widgets are the same in all modes."""

import pytest

from browser import browser

__all__ = ["browser"]


def pytest_itemcollected(item: pytest.Item) -> None:
    item.add_marker(pytest.mark.same_in_all_modes)
