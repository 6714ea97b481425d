"""The page that steps through a trace, in a real browser."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from browser import Browser
from explain.page_trees import DICE, HOSTILE, LECTURE, TRIPLES, hostile, random_tree
from gametree.explain.pages.steps import page
from gametree.explain.traces.conventions import Conventions
from gametree.explain.traces.notation import number
from gametree.explain.traces.trace import Trace, trace

pytestmark = pytest.mark.browser

ARROW_LEFT, ARROW_RIGHT, HOME, END, TAB, ENTER = "\ue012", "\ue014", "\ue011", "\ue010", "\ue004", "\ue007"


def look(browser: Browser) -> dict[str, str]:
    """All that a person sees change from step to step."""
    seen: dict[str, str] = browser.script(
        """const html = (q) => document.querySelector(q).innerHTML;
        const current = [...document.querySelectorAll("[aria-current]")].map((e) => e.textContent).join("|");
        return {tree: html("#tree"), words: html(".words"), path: html("#path"), sentence: html("#sentence"),
                code: html("#code"), counters: html(".counters"), title: html("#now-title"), current,
                slider: document.querySelector("#slider").value};"""
    )
    return seen


def step_of(browser: Browser) -> int:
    return int(browser.text("#number"))


def focused(browser: Browser) -> str:
    return str(browser.script("const e = document.activeElement; return e.id || e.tagName"))


@pytest.fixture(scope="module")
def told() -> Trace:
    return trace(LECTURE)


@pytest.fixture(scope="module")
def html(told: Trace) -> str:
    return page(told, title="The tree of the lecture")


@pytest.fixture
def quiet(browser: Browser) -> Iterator[Browser]:
    """After the test: the page logged nothing, asked for nothing but itself, and showed no dialogue."""
    yield browser
    assert browser.complaints() == []
    assert len(browser.requests()) == 1


def test_buttons_step_forward_to_the_end_and_back_to_the_same_pictures(quiet: Browser) -> None:
    told = trace([[3, 8], [2, "x"]])
    quiet.open(page(told))
    forward = [look(quiet)]
    for event in told.events:
        quiet.click("#next")
        forward.append(look(quiet))
        assert quiet.text("#sentence") == event.sentence
        assert quiet.text("#code [aria-current]") == (told.code[event.line - 1])
    assert len({view["tree"] for view in forward}) > len(told.events) / 2
    quiet.click("#next")
    assert look(quiet) == forward[-1]
    for view in reversed(forward[:-1]):
        quiet.click("#back")
        assert look(quiet) == view
    quiet.click("#back")
    assert step_of(quiet) == 0
    quiet.click("#last")
    assert look(quiet) == forward[-1]
    quiet.click("#first")
    assert look(quiet) == forward[0]


def test_every_step_shows_the_counters_and_the_bounds_of_the_trace(
    quiet: Browser, html: str, told: Trace
) -> None:
    quiet.open(html)
    for step in range(len(told.events) + 1):
        snapshot = told.at(step)
        counters, rows = quiet.script(
            """const text = (element) => element.textContent;
            const all = (selector) => [...document.querySelectorAll(selector)];
            return [all('.counters dd').map(text), all('#path tr').map((row) => [...row.cells].map(text))];"""
        )
        assert counters == [str(snapshot.nodes), str(snapshot.leaves), str(snapshot.cuts)]
        path = snapshot.event.path if snapshot.event else ()
        assert len(rows) == len(path) + 1
        for length, row in enumerate(rows):
            mark = snapshot.marks[path[:length]]
            assert row[3:] == [number(mark.alpha) or "–", number(mark.beta) or "–"]
        quiet.press(ARROW_RIGHT)


def test_the_keyboard_alone_gets_everywhere(quiet: Browser, html: str, told: Trace) -> None:
    last = len(told.events)
    quiet.open(html)
    quiet.press(ARROW_RIGHT, ARROW_RIGHT, " ", ARROW_LEFT)
    assert step_of(quiet) == 2
    quiet.press(END)
    assert step_of(quiet) == last
    quiet.press(ARROW_RIGHT)
    assert step_of(quiet) == last
    quiet.press(HOME)
    assert step_of(quiet) == 0
    order = []
    for _ in range(13):
        quiet.press(TAB)
        order.append(focused(quiet))
        assert_focus_is_visible(quiet)
    assert order[:9] == ["back", "next", "cut", "first", "slider", "last", "present", "here", "tree"]


def assert_focus_is_visible(browser: Browser) -> None:
    outline, width = browser.script(
        "const s = getComputedStyle(document.activeElement); return [s.outlineStyle, parseFloat(s.outlineWidth)]"
    )
    assert outline != "none", focused(browser)
    assert width >= 2


def test_a_button_that_has_the_focus_is_pressed_once_by_space_and_by_enter(quiet: Browser, html: str) -> None:
    quiet.open(html)
    quiet.script("document.querySelector('#next').focus()")
    quiet.press(" ")
    assert step_of(quiet) == 1
    quiet.press(ENTER)
    assert step_of(quiet) == 2
    quiet.script("document.querySelector('#back').focus()")
    quiet.press(" ")
    assert step_of(quiet) == 1
    quiet.press(ENTER)
    assert step_of(quiet) == 0
    quiet.script("document.querySelector('#slider').focus()")
    quiet.press(ARROW_RIGHT)
    assert step_of(quiet) == 1
    quiet.press(END, ARROW_LEFT)
    assert step_of(quiet) == int(quiet.text("#now-title a").split()[-1]) - 1


def test_the_slider_moves_the_step(quiet: Browser, html: str, told: Trace) -> None:
    quiet.open(html)
    box = quiet.script(
        "const b = document.querySelector('#slider').getBoundingClientRect(); return [b.x, b.y, b.width, b.height]"
    )
    x, y, width, height = box
    for kind in ("mousePressed", "mouseReleased"):
        quiet.command(
            "Input.dispatchMouseEvent",
            type=kind,
            x=x + width / 2,
            y=y + height / 2,
            button="left",
            clickCount=1,
        )
    middle = step_of(quiet)
    assert abs(middle - len(told.events) / 2) <= 1
    assert quiet.text("#sentence") == told.events[middle - 1].sentence
    assert quiet.script("return document.querySelector('#slider').getAttribute('aria-valuetext')") == (
        f"step {middle} of {len(told.events)}"
    )


def test_the_button_for_cuts_goes_from_cut_to_cut(quiet: Browser) -> None:
    told = trace([[3, 12, 8], [2, 4, 6], [1, 5, 2]])
    quiet.open(page(told))
    for step, event in enumerate(told.events, 1):
        if event.kind == "cut":
            quiet.click("#cut")
            assert step_of(quiet) == step
    quiet.click("#cut")
    assert quiet.text("#cuts") == str(len(told.cuts)) == "2"


@pytest.mark.parametrize(
    ("fragment", "wanted"),
    [
        ("", 0),
        ("#step=12", 12),
        ("#step=0", 0),
        ("#step=99999", -1),
        ("#step=-3", 0),
        ("#step=<b>", 0),
        ("#x", 0),
    ],
)
def test_a_link_to_a_step_opens_it(
    quiet: Browser, html: str, told: Trace, fragment: str, wanted: int
) -> None:
    quiet.open(html, fragment)
    assert step_of(quiet) == (wanted if wanted >= 0 else len(told.events))


def test_the_address_follows_the_steps_and_the_back_button_leaves_links(quiet: Browser, html: str) -> None:
    quiet.open(html, "#step=3")
    entries = quiet.script("return history.length")
    quiet.press(ARROW_RIGHT, ARROW_RIGHT)
    wait_for(quiet, "return location.hash === '#step=5'")
    assert quiet.script("return history.length") == entries
    quiet.script("document.querySelector('#steps a[href=\"#step=9\"]').click()")
    wait_for(quiet, "return document.querySelector('#number').textContent === '9'")
    quiet.driver.back()
    wait_for(quiet, "return document.querySelector('#number').textContent === '5'")
    assert quiet.script("return location.hash") == "#step=5"
    quiet.driver.forward()
    wait_for(quiet, "return document.querySelector('#number').textContent === '9'")


def wait_for(browser: Browser, condition: str) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    WebDriverWait(browser.driver, 20, 0.02).until(lambda _: browser.script(condition), condition)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_axe_finds_nothing_wrong(quiet: Browser, html: str, scheme: str, width: int) -> None:
    quiet.open(html, "#step=14", width=width, prefers_color_scheme=scheme)
    quiet.script("document.querySelector('details').open = true")
    assert quiet.violations() == []


@pytest.mark.parametrize(("tree", "method"), [(DICE, "expectiminimax"), (TRIPLES, "maxn"), (5, "minimax")])
def test_axe_finds_nothing_wrong_with_other_searches(quiet: Browser, tree: Any, method: Any) -> None:
    quiet.open(page(trace(tree, method)), "#step=5")
    assert quiet.violations() == []


@pytest.mark.parametrize(
    "tree", [LECTURE, hostile(), {"x" * 300: 1, "y": {"z" * 90: 2}}, random_tree(random.Random(1), 90)]
)
def test_a_phone_shows_the_page_without_scrolling_it_sideways(quiet: Browser, tree: Any) -> None:
    told = trace(tree, conventions=Conventions(form="value-move"))
    quiet.open(page(told, title="w" * 80), width=360, height=740)
    quiet.script("document.querySelector('details').open = true")
    for step in ("0", str(len(told.events) // 2), str(len(told.events))):
        quiet.script("document.querySelector('#steps a[href=\"#step=' + arguments[0] + '\"]').click()", step)
        wait_for(quiet, f"return document.querySelector('#number').textContent === '{step}'")
        assert quiet.script("return document.documentElement.scrollWidth") <= 360
        too_wide = quiet.script(
            """const right = (box) => box.getBoundingClientRect().right;
            return [...document.querySelectorAll('main > *, .all')].filter((box) => right(box) > 360).length;"""
        )
        assert too_wide == 0


@pytest.mark.parametrize(("width", "height"), [(1366, 768), (1920, 1080)])
@pytest.mark.parametrize(
    "tree", [LECTURE, [[[3, 5], [6, 9]], [[1, 2], [0, -1]]], random_tree(random.Random(1), 90)]
)
def test_a_projector_shows_tree_sentence_code_and_buttons_without_scrolling(
    quiet: Browser, tree: Any, width: int, height: int
) -> None:
    quiet.open(page(trace(tree), title="w" * 50), "#step=9", width=width, height=height)
    bottoms = quiet.script(
        """return ["#controls", "#tree", "#sentence", "#code-box", "#path-box"].map(
            (one) => document.querySelector(one).getBoundingClientRect().bottom);"""
    )
    assert max(bottoms) <= height
    across, down = quiet.script(
        "const b = document.querySelector('#tree').getBoundingClientRect(); return [b.width, b.height]"
    )
    wide = quiet.script("return document.querySelector('#stage').classList.contains('wide')")
    assert down >= (0.4 if wide else 0.75) * height
    assert across >= (0.9 if wide else 0.55) * width
    hidden = quiet.script(
        "const c = document.querySelector('#code-box'); return c.scrollHeight - c.clientHeight"
    )
    assert hidden <= 1


def test_presentation_makes_everything_larger_and_escape_ends_it(quiet: Browser, html: str) -> None:
    size = "return parseFloat(getComputedStyle(document.querySelector(arguments[0])).fontSize)"
    quiet.open(html, "#step=9", width=1920, height=1080)
    before = [quiet.script(size, one) for one in ("#sentence", "#code li")]
    quiet.press("p")
    wait_for(quiet, "return document.querySelector('#present').ariaPressed === 'true'")
    after = [quiet.script(size, one) for one in ("#sentence", "#code li")]
    assert [one > 1.2 * other for one, other in zip(after, before)] == [True, True]
    assert quiet.violations() == []
    quiet.press(ARROW_RIGHT)
    assert step_of(quiet) == 10
    quiet.press("\ue00c")
    wait_for(quiet, "return document.querySelector('#present').ariaPressed === 'false'")
    assert [quiet.script(size, one) for one in ("#sentence", "#code li")] == before


def test_a_wide_tree_scrolls_in_its_own_box_to_the_node_of_the_step(quiet: Browser) -> None:
    told = trace(random_tree(random.Random(1), 90), "minimax")
    quiet.open(page(told), "#step=1", width=360, height=740, prefers_reduced_motion="reduce")
    for step in range(1, len(told.events), 15):
        quiet.script("location.hash = '#step=' + arguments[0]", step)
        wait_for(quiet, f"return document.querySelector('#number').textContent === '{step}'")
        key = "n" + ".".join(map(str, told.events[step - 1].path))
        inside = quiet.script(
            """const box = document.querySelector('#tree').getBoundingClientRect();
            const node = document.querySelector(`[data-key="${arguments[0]}"]`).getBoundingClientRect();
            return node.left >= box.left - 1 && node.right <= box.right + 1
                && node.top >= box.top - 1 && node.bottom <= box.bottom + 1;""",
            key,
        )
        assert inside, (step, key)


def test_hostile_names_are_text_at_every_step(quiet: Browser) -> None:
    told = trace(hostile())
    quiet.open(page(told, title=HOSTILE[0]))
    for _ in told.events:
        quiet.press(ARROW_RIGHT)
    assert quiet.driver.title == HOSTILE[0]
    assert quiet.text("h1") == HOSTILE[0]
    assert quiet.script("return document.querySelectorAll('script').length") == 2
    assert quiet.script("return document.querySelectorAll('img').length") == 0
    words = quiet.text(".words")
    for name in HOSTILE:
        assert name in words


def test_the_policy_of_the_page_stops_a_script_that_is_not_its_own(browser: Browser, html: str) -> None:
    browser.open(html.replace("</header>", "</header><script>document.title = 'broken in'</script>"))
    assert browser.driver.title == "The tree of the lecture"
    assert "Content Security Policy" in "".join(browser.complaints())


def test_without_scripts_the_page_is_the_last_picture_and_all_sentences(
    browser: Browser, html: str, told: Trace
) -> None:
    browser.open(html, f"#step={len(told.events)}")
    shown = {key: look(browser)[key] for key in ("tree", "path", "sentence", "code", "counters", "words")}
    browser.command("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser.open(html)
        body = browser.driver.find_element("css selector", "body").text
        controls = browser.driver.find_element("css selector", "#controls").is_displayed()
    finally:
        browser.command("Emulation.setScriptExecutionDisabled", value=False)
    assert not controls
    assert "Scripts are off" in body
    for event in told.events:
        assert event.sentence in body
    assert {key: look(browser)[key] for key in shown} == shown


def test_paper_gets_the_picture_and_all_steps_and_no_buttons(quiet: Browser, html: str) -> None:
    quiet.open(html, "#step=7", prefers_color_scheme="dark")
    dark = {"name": "prefers-color-scheme", "value": "dark"}
    quiet.command("Emulation.setEmulatedMedia", media="print", features=[dark])
    display = "return getComputedStyle(document.querySelector(arguments[0])).display"
    assert quiet.script(display, "#controls") == "none"
    assert quiet.script(display, "#tree svg") != "none"
    assert quiet.script(
        "const list = document.querySelector('#steps'); return list.scrollHeight <= list.clientHeight"
    )
    assert quiet.script("return getComputedStyle(document.body).color") == "rgb(20, 23, 26)"
    assert (
        quiet.script("return getComputedStyle(document.querySelector('.gt-paper')).fill")
        == "rgb(255, 255, 255)"
    )


def test_a_screen_reader_is_told_the_sentence_and_where_it_is(quiet: Browser, html: str, told: Trace) -> None:
    quiet.open(html, "#step=4")
    nodes = {
        (node["role"]["value"], node.get("name", {}).get("value", "").strip())
        for node in quiet.command("Accessibility.getFullAXTree")["nodes"]
        if not node["ignored"]
    }
    assert ("slider", "Step") in nodes
    assert {("button", name) for name in ("To the start", "Back", "Next", "To the end", "Next cut")} <= nodes
    assert any(role == "image" and name for role, name in nodes)
    assert quiet.script("return document.querySelector('#sentence').ariaLive") == "polite"
    assert quiet.text("#sentence") == told.events[3].sentence
