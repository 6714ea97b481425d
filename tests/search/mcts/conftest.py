"""Monte-Carlo tree search: kernels that index arrays, so that their tests also run with every index checked."""

import pytest


def pytest_itemcollected(item: pytest.Item) -> None:
    item.add_marker(pytest.mark.bounds)
