"""Idioms of plain Python: what they mean compiled and interpreted is compared within every test."""

import pytest


def pytest_itemcollected(item: pytest.Item) -> None:
    item.add_marker(pytest.mark.same_in_all_modes)
