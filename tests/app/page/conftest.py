"""What the tests of the page share: a browser, and a server with games of one's own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.page.visitor import Visitor
from app.web.served import serving
from browser import Browser, browser

__all__ = ["browser"]

OWN = Path(__file__).parents[2] / "idioms" / "games"


def pytest_itemcollected(item: pytest.Item) -> None:
    item.add_marker(pytest.mark.same_in_all_modes)
    if "visitor" in getattr(item, "fixturenames", ()):
        item.add_marker(pytest.mark.browser)


def own_games() -> list[str]:
    """The files of the corpus, each with the name of its class."""
    found = []
    for path in sorted(OWN.glob("*.py")):
        name = next(
            line for line in path.read_text().splitlines() if line.startswith("class ") and "Game" in line
        )
        found.append(f"{path}:{name.removeprefix('class ').partition('(')[0]}")
    return found


@pytest.fixture(scope="package")
def visitor(browser: Browser) -> Iterator[Visitor]:
    """Somebody who has come in."""
    with serving(*own_games()) as served:
        yield Visitor(browser, served)
