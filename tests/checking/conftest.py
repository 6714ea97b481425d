"""Reports on rules: they are interpreted in every mode, or both ways are compared in one."""

import pytest


def pytest_itemcollected(item: pytest.Item) -> None:
    item.add_marker(pytest.mark.same_in_all_modes)
