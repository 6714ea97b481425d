"""The exercise as a page in a real browser: filled in, saved, and graded."""

import json
import time
from pathlib import Path

import pytest

from browser import Browser
from gametree.course.answers import read
from gametree.course.exercise import METHODS, POSSIBLE, Exercise
from gametree.course.formats.page import key_page, page
from gametree.course.generation import make
from gametree.course.grading import grade
from gametree.course.key import right_answers
from gametree.course.recipe import Recipe

pytestmark = pytest.mark.browser


def exercise(kind: str, student: str = "Zoë <b>") -> Exercise:
    return make(Recipe(kind=kind, depth=2, parts=POSSIBLE[kind], cuts=None), 3, student)


def fresh(browser: Browser, one: Exercise) -> None:
    """Opens the page as if for the first time."""
    browser.open(page(one))
    browser.script("localStorage.clear()")
    browser.driver.refresh()


def fill(browser: Browser, one: Exercise) -> None:
    """Types the right answers as a person would."""
    for part, answer in right_answers(one).items():
        if part in ("values", "range", "windows"):
            for name, value in answer.items():
                text = " ".join(map(str, value)) if isinstance(value, list) else str(value)
                browser.driver.find_element("id", f"{part}-{name}").send_keys(text)
        elif part in ("move", "depends"):
            browser.click(f"#{part}-{answer}")
        elif part == "cuts" and not answer:
            browser.click("#no-cuts")
        elif part == "cuts":
            for cut in answer:
                browser.driver.find_element("id", f"cuts-{cut['branch']}").send_keys(
                    f"{'α' if cut['kind'] == 'alpha' else 'β'}-cut, {cut['depth']}"
                )
        elif part == "leaves":
            for name in answer:
                browser.click(f'button[data-into="leaves-row"][data-leaf="{name}"]')
        else:
            row = " ".join(answer) if isinstance(answer, list) else str(answer)
            browser.driver.find_element("id", f"{part}-row").send_keys(row)


def saved(folder: Path) -> Path:
    for _ in range(200):
        found = list(folder.glob("*.json"))
        if found:
            return found[0]
        time.sleep(0.05)
    raise AssertionError("nothing was saved")


@pytest.mark.parametrize("kind", METHODS)
def test_the_page_is_filled_in_saved_and_graded(browser: Browser, tmp_path: Path, kind: str) -> None:
    one = exercise(kind)
    fresh(browser, one)
    browser.command("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
    fill(browser, one)
    assert browser.text("#status") == f"{len(one.parts)} of {len(one.parts)} parts have an answer."
    browser.click("button[type=submit]")
    file = saved(tmp_path)
    assert file.name == f"{one.id}-zoe-b-answers.json"
    given = read(json.loads(file.read_text(encoding="utf-8")))
    report = grade(one, given)
    assert report.right and report.student == "Zoë <b>", report.text()
    assert browser.complaints() == []
    asked = [address for address in browser.requests() if not address.startswith(("file:", "blob:"))]
    assert asked == []


def test_answers_stay_when_the_page_is_opened_again_and_a_row_can_be_taken_back(browser: Browser) -> None:
    one = exercise("alphabeta")
    fresh(browser, one)
    for leaf in one.leaves[:3]:
        browser.click(f'button[data-into="leaves-row"][data-leaf="{leaf}"]')
    browser.click('button[data-into="leaves-row"][data-undo]')
    row = browser.script("return document.getElementById('leaves-row').value")
    assert row == " ".join(one.leaves[:2])
    browser.driver.refresh()
    assert browser.script("return document.getElementById('leaves-row').value") == row
    browser.click('button[data-into="leaves-row"]:not([data-undo]):not([data-leaf])')
    assert browser.script("return document.getElementById('leaves-row').value") == ""
    assert browser.text("#status").startswith("0 of")
    browser.click("#no-cuts")
    assert browser.text("#status").startswith("1 of")


LOOKS = [(360, "light"), (1280, "dark")]


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_axe_finds_nothing_and_a_phone_does_not_scroll_sideways(
    browser: Browser, width: int, scheme: str
) -> None:
    for html in (page(exercise("alphabeta")), key_page(exercise("unknown"))):
        browser.open(html, width=width, height=800, prefers_color_scheme=scheme)
        assert browser.violations() == []
        assert browser.script("return document.documentElement.scrollWidth") <= width


def test_the_form_can_be_filled_in_with_the_keyboard_only(browser: Browser) -> None:
    one = exercise("minimax")
    fresh(browser, one)
    browser.driver.find_element("id", "values-A").send_keys("3")
    for _ in range(len(one.inner)):
        browser.press("\ue004")
    assert browser.script("return document.activeElement.name") == "move"
    browser.press(" ")
    assert browser.text("#status") == "2 of 2 parts have an answer."
