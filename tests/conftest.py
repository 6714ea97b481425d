"""Every test session keeps its machine code in a cache of its own, shared by its workers and deleted afterwards."""

import os
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from gametree.compiled import native

# How fast examples are drawn says something about the machine and nothing about the code.
settings.register_profile("gametree", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("gametree")

_made = pytest.StashKey[str]()


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "needs_compiler: skipped where nothing can be compiled")
    # The process that is configured first makes the directory; xdist's workers inherit the variable.
    if "GAMETREE_CACHE_DIR" not in os.environ:
        config.stash[_made] = tempfile.mkdtemp(prefix="gametree-tests-")
        os.environ["GAMETREE_CACHE_DIR"] = config.stash[_made]
    # Nothing that the user of this machine has built takes part.
    os.environ["GAMETREE_DATA_DIR"] = str(Path(os.environ["GAMETREE_CACHE_DIR"]) / "no data")


def pytest_unconfigure(config: pytest.Config) -> None:
    made = config.stash.get(_made, None)
    if made is not None:
        del os.environ["GAMETREE_CACHE_DIR"]
        shutil.rmtree(made, ignore_errors=True)


def pytest_runtest_setup(item: pytest.Item) -> None:
    reason = native.unavailable()
    if reason and item.get_closest_marker("needs_compiler"):
        pytest.skip(reason)
