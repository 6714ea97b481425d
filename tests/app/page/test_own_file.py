"""A file of one's own in the page: mistakes are told, the file is mended, the page goes on."""

from pathlib import Path

import pytest

from app.conftest import NIM
from app.page.visitor import Visitor
from app.web.served import serving
from browser import Browser

SLIP = NIM.replace("return (s[0] - a, 1 - s[1])", "return (s[0] - a, s[5])")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "mynim.py"


def test_a_mistake_is_told_and_mended_and_an_edit_is_there_after_a_reload(
    browser: Browser, file: Path
) -> None:
    file.write_text(SLIP)
    with serving("mynim.py", folder=file.parent) as served:
        visitor = Visitor(browser, served)
        visitor.shows("#main", "Mynim cannot be shown")
        assert "mynim.py:11" in visitor.text("#main .trouble")
        assert visitor.browser.violations() == []
        visitor.go()
        visitor.shows(".card", "IndexError")
        visitor.go("#/play/mynim?seats=p,p")
        visitor.shows("#main", "Mynim cannot be shown")
        file.write_text(NIM)
        visitor.click(".complaint .button.primary")
        visitor.click("[data-action='3']")
        visitor.reaches(1)
        file.write_text(NIM.replace("range(1,", "range(2,"))
        visitor.browser.driver.refresh()
        visitor.shows(".actions", "23")
        assert visitor.ply == 1
        file.write_text("def")
        visitor.browser.driver.refresh()
        visitor.shows("#main", "Mynim cannot be shown")
        assert "SyntaxError" in visitor.text("#main .trouble") or "mynim.py" in visitor.text("#main .trouble")


def test_a_mistake_that_comes_late_leaves_the_game_where_it_was(browser: Browser, file: Path) -> None:
    file.write_text(NIM.replace("s[0] - a,", "s[0] - a + 0 // (s[0] - 4),"))
    with serving("mynim.py", folder=file.parent) as served:
        visitor = Visitor(browser, served)
        visitor.play("mynim", "seats=p,p")
        visitor.click("[data-action='3']")
        visitor.shows(".stage .trouble", "ZeroDivisionError")
        assert "mynim.py:11" in visitor.text(".stage .trouble")
        assert "Mynim" in visitor.text("h1")
