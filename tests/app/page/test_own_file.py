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


MARKUP = "<img src=x onerror=document.title=1>"
HOSTILE = NIM.replace(
    "    def initial",
    f'''    player_names = ("{MARKUP}", "<script>alert(1)</script>")
    def name_action(self, s, a): return f"<b>{{a}}</b>"
    def parse_action(self, s, text): return int(text[3:-4])
    def show(self, s): return f"<svg onload=alert(1)> {{s}}"
    def initial''',
).replace("class Nim(gt.Game):", f'class Nim(gt.Game):\n    """{MARKUP}"""')


def test_names_in_rules_that_look_like_markup_are_text(browser: Browser, file: Path) -> None:
    file.write_text(HOSTILE)
    with serving("mynim.py", folder=file.parent) as served:
        visitor = Visitor(browser, served)
        visitor.go()
        visitor.shows(".card", MARKUP)
        ours = (
            "return document.querySelectorAll('img, script:not([src]), .stage b, [onerror], [onload]').length"
        )
        assert visitor.see(ours) == 0
        for mode in ("", "&mode=analyse"):
            visitor.play("mynim", "moves=%3Cb%3E1%3C%2Fb%3E&seats=p,p" + mode)
            visitor.shows(".status", "<script>alert(1)</script> to move")
            visitor.shows(".actions", "<b>3</b>")
            visitor.shows(".moves", "<b>1</b>")
            assert "<svg onload=alert(1)>" in visitor.text(".as-text")
            assert visitor.see(ours) == 0 and "Mynim" in visitor.see("return document.title")
        visitor.go("#/explore/mynim")
        inside = "document.querySelector('.lecture-frame')?.shadowRoot"
        visitor.until(f"return {inside}?.textContent.includes('<b>2</b>')")
        assert visitor.see(f"return {inside}.querySelectorAll('img, script, b, [onload]').length") == 0
