"""The tree editor, the search tree, exercises and a class, in a real browser."""

import csv
import io
import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

import gametree as gt
from app.lecture.lecture_page import LecturePage
from app.web.served import Served, serving
from browser import Browser
from explain.page_trees import HOSTILE
from gametree.course.exercise import Exercise
from gametree.course.generation import make
from gametree.course.key import right_answers
from gametree.course.recipe import Recipe
from gametree.explain.explored import explored
from gametree.explain.traces.trace import trace
from gametree.games.tree.game import Tree
from gametree.games.tree.outline import outline

pytestmark = pytest.mark.browser

UP, DOWN, LEFT, RIGHT, END = "\ue013", "\ue015", "\ue012", "\ue014", "\ue010"
ENTER, DELETE, F2 = "\ue007", "\ue017", "\ue032"
PASSWORD = "chalk"
HOMEWORK = Recipe(kind="minimax", depth=2, branching=(2, 2)), Recipe(kind="alphabeta", depth=2)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("class")
    (folder / "homework").mkdir()
    for seed, recipe in enumerate(HOMEWORK):
        (folder / "homework" / f"{seed}.json").write_text(json.dumps(make(recipe, seed).to_dict()))
    with serving(
        "--password",
        PASSWORD,
        "--classroom",
        str(folder / "class.sqlite"),
        "--exercises",
        str(folder / "homework"),
        "--program",
        "minimax:trees",
    ) as served:
        yield served


@pytest.fixture
def page(browser: Browser, site: Served) -> Iterator[LecturePage]:
    """The page of the teacher. Afterwards: nothing went wrong, and nobody else was asked for anything."""
    name, _, value = site.cookie["Cookie"].partition("=")
    browser.visit(site.origin + "/door")
    browser.driver.add_cookie({"name": name, "value": value, "path": "/", "httpOnly": True})
    yield LecturePage(browser, site.origin)
    assert [one for one in browser.complaints() if "favicon" not in one] == []
    assert all(address.startswith((site.origin, "data:", "about:")) for address in browser.requests())


# --- the tree editor --------------------------------------------------------------------------------

STEPPING = "root.querySelector('#number')"
TEXT = ".source"


def tree_of(page: LecturePage) -> str:
    return str(page.value("root.querySelector('.source').value"))


def wait_for_tree(page: LecturePage, text: str) -> None:
    page.until(f"root.querySelector('.source').value === {json.dumps(text)}")


def test_a_tree_is_drawn_by_keys_and_searched_while_it_is_drawn(page: LecturePage) -> None:
    page.visit("#/tree?t=[3,5]", STEPPING)
    keys = page.browser.press
    page.click('.handle[data-path="0"]')
    keys(ENTER)
    wait_for_tree(page, "[[3], 5]")
    keys(ENTER)
    wait_for_tree(page, "[[3, 0], 5]")
    keys(DOWN, RIGHT, "7", ENTER)
    wait_for_tree(page, "[[3, 7], 5]")
    page.until("root.activeElement?.dataset.path === '0.1'")
    keys(UP, "m")
    wait_for_tree(page, "[MAX[3, 7], 5]")
    page.until("root.activeElement?.dataset.path === '0'")
    keys(F2, "left", ENTER)
    wait_for_tree(page, "{left: MAX[3, 7], 2: 5}")
    page.until("root.activeElement?.dataset.path === '0'")
    keys(END)
    told = trace(Tree.parse("{left: MAX[3, 7], 2: 5}"))
    page.click("#last")
    assert page.text("#sentence") == told.events[-1].sentence
    assert page.text("#nodes") == str(len(told.visited))
    page.press_button("Undo")
    wait_for_tree(page, "[MAX[3, 7], 5]")
    page.press_button("Redo")
    wait_for_tree(page, "{left: MAX[3, 7], 2: 5}")
    page.click('.handle[data-path="1"]')
    page.browser.press(DELETE)
    wait_for_tree(page, "{left: MAX[3, 7]}")


def test_the_address_holds_the_tree_and_the_step(page: LecturePage) -> None:
    page.visit("#/tree", STEPPING)
    page.fill(TEXT, "[[3, 12], [2, x]]", ENTER)
    wait_for_tree(page, "[[3, 12], [2, x]]")
    page.until("root.querySelectorAll('.handle').length === 7")
    page.choose("Search", "alphabeta")
    page.until("location.hash.includes('method=alphabeta')")
    for _ in range(3):
        page.click("#next")
    page.until(
        "decodeURIComponent(location.hash).includes('[[3, 12], [2, x]]') && location.hash.includes('step=3')"
    )
    address = str(page.value("location.hash"))
    page.visit(address, STEPPING)
    page.until("root.querySelector('#number').textContent === '3'")
    assert tree_of(page) == "[[3, 12], [2, x]]"
    assert page.value("root.querySelector('select[aria-label=Search]').value") == "alphabeta"


@pytest.mark.parametrize(
    ("text", "method"),
    [
        ("[[3, 12, 8], [2, 4, 6], [14, 5, 2]]", "minimax"),
        ("[[3, 12, 8], [2, 4, 6], [14, 5, 2]]", "alphabeta"),
        ("[chance(0.5: [3, 5], 0.5: [1, 9]), 4]", "expectiminimax"),
        ("[player 2[(1, 2, 6), (4, 3, 3)], [(6, 1, 2), (7, 4, 1)]]", "maxn"),
    ],
)
def test_every_search_steps_forward_and_back_as_its_trace_tells(
    page: LecturePage, text: str, method: Any
) -> None:
    told = trace(Tree.parse(text), method)
    page.visit(f"#/tree?t={text}&method={method}", STEPPING)
    page.until(f"root.querySelector('#now-title a').textContent.endsWith('of {len(told.events)}')")
    assert page.value("root.querySelectorAll('#code li').length") == len(told.code)
    said = page.value(
        """(() => { const said = [];
        for (let i = 0; i < arguments[0]; i++) {
          root.querySelector('#next').click(); said.push(root.querySelector('#sentence').textContent); }
        return said; })()""",
        len(told.events),
    )
    assert said == [event.sentence for event in told.events]
    page.click("#back")
    assert page.text("#sentence") == told.events[-2].sentence
    # What was read back as a tree is written as the same tree.
    page.click('.handle[data-path="0"]')
    page.press_button("→")
    page.until(f"root.querySelector('.source').value !== {json.dumps(text)}")
    page.press_button("←")
    wait_for_tree(page, text)


def test_a_subtree_is_dragged_to_another_node_and_a_node_becomes_one_of_chance(page: LecturePage) -> None:
    page.visit("#/tree?t=[[3, 12], [2, 4]]", STEPPING)
    page.drag('.handle[data-path="0.1"]', '.handle[data-path="1"]')
    wait_for_tree(page, "[[3], [2, 4, 12]]")
    page.click('.handle[data-path="1"]')
    page.choose("Who decides", "chance")
    page.until("root.querySelector('.source').value.startsWith('[[3], chance(')")
    page.click('.handle[data-path="1.0"]')
    page.fill("[name=odds]", "1/2", ENTER)
    wait_for_tree(page, "[[3], chance(0.5: 2, 0.25: 4, 0.25: 12)]")
    page.click("#last")
    assert page.text("#sentence") == trace(Tree.parse(tree_of(page)), "expectiminimax").events[-1].sentence


def test_what_cannot_be_read_or_searched_is_said_and_nothing_is_lost(page: LecturePage) -> None:
    page.visit("#/tree?t=[[3, 12], [2, 4]]", STEPPING)
    page.fill(TEXT, "[[3, 12], [2, 4", ENTER)
    page.until("root.querySelector('.status').textContent.includes('is not closed')")
    assert page.value("root.querySelectorAll('.handle').length") == 7
    page.fill(TEXT, "[[x, 12], [2, 4]]", ENTER)
    page.until("root.querySelector('.status').textContent.includes('No search yet')")
    page.click('.handle[data-path="0.0"]')
    page.browser.press("9", ENTER)
    wait_for_tree(page, "[[9, 12], [2, 4]]")
    page.until("root.querySelector('#number') && root.querySelector('.status').textContent === ''")


def test_names_that_look_like_markup_are_text(page: LecturePage) -> None:
    tree = {HOSTILE[0]: {HOSTILE[1]: 3, HOSTILE[2]: 12}, HOSTILE[3]: [2, HOSTILE[2]]}
    page.visit("#/tree", STEPPING)
    page.fill(TEXT, json.dumps(tree), ENTER)
    page.until("root.querySelectorAll('.handle').length === 7")
    page.click("#last")
    assert page.value("root.querySelectorAll('script, img').length") == 0
    page.click('.handle[data-path="0"]')
    assert HOSTILE[0] in page.text(".edit strong")


# --- the search tree --------------------------------------------------------------------------------


def test_the_explorer_shows_what_alpha_beta_looked_at(page: LecturePage) -> None:
    game = gt.games.TicTacToe()
    moves = ("b2", "a1", "c1", "a3")
    state = game.initial()
    for move in moves:
        state = game.result(state, game.parse_action(state, move))
    wanted = explored(trace(outline(game, state, 3))).portion()
    page.visit(f"#/explore/tic-tac-toe?moves={','.join(moves)}&depth=3", "root.querySelector('.treeline')")
    assert f"looked at {wanted['looked']:,} nodes, cut {wanted['cut']:,} branches" in page.text(".summary")
    page.press_button("Open all")
    rows = [dict(zip(wanted["columns"], row)) for row in wanted["rows"]]
    assert page.value("Number(root.querySelector('.table').getAttribute('aria-rowcount'))") == len(rows) + 1
    shown = page.value(
        "[...root.querySelectorAll('.treeline')].map((line) => [...line.children].map((one) => one.textContent))"
    )
    for cells, row in zip(shown[1:], rows[1:]):
        assert cells[0][1:] == row["move"]
        if row["state"] == "seen":
            assert cells[4] == str(row["order"])
            assert cells[2] == row["bound"] + str(row["value"]).replace("-", "−")
        else:
            assert (cells[2], cells[4]) == ("not looked at", "–")
            assert "cut" in cells[5]
    page.until("root.querySelector('.detail svg')")


def test_the_explorer_is_walked_by_keys_and_opens_and_closes_subtrees(page: LecturePage) -> None:
    page.visit("#/explore/tic-tac-toe?depth=3", "root.querySelector('.treeline')")
    page.click('.treeline[data-row="0"]')
    page.browser.press(DOWN, RIGHT, RIGHT)
    assert page.value("root.activeElement.getAttribute('aria-level')") == "3"
    page.browser.press(LEFT, LEFT)
    assert page.value("root.activeElement.getAttribute('aria-expanded')") == "false"
    page.browser.press("n")
    assert page.value("root.activeElement.classList.contains('cut')")
    assert "cut" in page.text(".detail")


def test_thousands_of_rows_are_not_in_the_page_at_once(page: LecturePage) -> None:
    page.visit("#/explore/connect-four?depth=5", "root.querySelector('.treeline')")
    page.press_button("Open all")
    assert page.value("Number(root.querySelector('.table').getAttribute('aria-rowcount'))") > 1_000
    assert page.value("root.querySelectorAll('.treeline').length") < 80
    page.click('.treeline[data-row="0"]')
    page.browser.press(END)
    page.until("root.activeElement?.classList.contains('treeline') && root.activeElement.dataset.row > 1000")
    assert page.value("root.querySelectorAll('.treeline').length") < 80


def test_what_lies_below_the_first_portion_is_fetched_when_it_is_opened(page: LecturePage) -> None:
    page.visit("#/explore/connect-four?depth=4&method=minimax", "root.querySelector('.treeline')")
    page.press_button("Open all")
    count = "Number(root.querySelector('.table').getAttribute('aria-rowcount'))"
    before = page.value(count)
    assert before <= 2_001
    page.click('.treeline[data-row="0"]')
    page.browser.press(END)
    page.until("root.activeElement?.getAttribute('aria-expanded') === 'false'")
    level = int(page.value("root.activeElement.getAttribute('aria-level')"))
    page.browser.press(RIGHT)
    page.until(f"{count} > {before}")
    page.browser.press(RIGHT)
    page.until(f"Number(root.activeElement.getAttribute('aria-level')) === {level + 1}")


def test_the_tree_of_the_engine_is_explored(page: LecturePage) -> None:
    page.visit("#/explore/tic-tac-toe?method=engine&depth=3", "root.querySelector('.treeline')")
    assert "The engine looked at" in page.text(".summary")
    page.until("root.querySelectorAll('.treeline').length === 10")
    assert "best" in page.text('.treeline[data-row="0"]')
    assert "plies below" in page.text('.treeline[data-row="1"]')
    assert page.violations_in_both() == []


def test_a_tree_that_is_too_wide_is_explored_less_deep_where_nobody_said_how_deep(page: LecturePage) -> None:
    page.visit("#/explore/hex", "root.querySelector('.treeline')")
    assert page.value("root.querySelector('[aria-label=\"Depth in plies\"]').value") == "2"
    page.visit("#/explore/hex?depth=3", "root.querySelector('.status').textContent.includes('too many')")


def test_a_tree_of_simulations_and_a_bad_game_are_explored(page: LecturePage) -> None:
    page.visit("#/explore/tic-tac-toe?method=mcts&simulations=60&depth=2", "root.querySelector('.treeline')")
    assert "Monte-Carlo tree" in page.text(".summary")
    assert page.text('.treeline[data-row="0"] :nth-child(4)') == "60"
    page.visit("#/explore/no-such-game", "root.querySelector('.status').textContent")
    assert "there is no game 'no-such-game'" in page.text(".status")


# --- exercises --------------------------------------------------------------------------------------


def answer(page: LecturePage, exercise: Exercise, given: dict[str, Any]) -> None:
    """Answers as a person does: types into nodes, clicks edges and leaves."""
    for name, value in given.get("values", {}).items():
        node = exercise.outline.at(exercise.paths[name])
        page.fill(f'input[aria-label="Value of {name}, {node.who}"]', str(value))
    if "move" in given:
        page.click(f'input[name="move"][value="{given["move"]}"]')
    for name in given.get("leaves", ()):
        page.click(f'.spot[aria-label^="Leaf {name},"]')
    order = ["alpha shallow", "alpha deep", "beta shallow", "beta deep"]
    for one in given.get("cuts", ()):
        for _ in range(order.index(f"{one['kind']} {one['depth']}") + 1):
            page.click(f'.branch[aria-label^="Edge to {one["branch"]}:"]')


def test_an_exercise_is_answered_in_the_tree_and_marked_with_the_first_mistake_explained(
    page: LecturePage,
) -> None:
    exercise = make(Recipe(kind="alphabeta", depth=2, branching=(2, 3)), 3)
    right = right_answers(exercise)
    page.visit("#/exercise/alphabeta?seed=3&depth=2&branching=2-3", "root.querySelector('.typed')")
    wrong = {**right, "values": {**right["values"], "B": 99}}
    answer(page, exercise, wrong)
    page.press_button("Check")
    page.until("root.querySelector('.first')")
    assert "First mistake: B." in page.text(".first")
    assert "the least of" in page.text(".first")
    assert page.value("root.querySelector('.mistake').getAttribute('aria-label')") == "Value of B, MIN"
    page.fill('input[aria-label="Value of B, MIN"]', str(right["values"]["B"]))
    page.press_button("Check")
    page.until("root.querySelector('.score')")
    assert f"{exercise.points} of {exercise.points} points – all right!" in page.text(".score")
    page.press_button("Next exercise")
    page.until("location.hash.includes('seed=4') && !root.querySelector('.score')")
    page.press_button("Show the solution")
    page.until("root.querySelector('.result').textContent.includes('one right solution')")
    page.press_button("Check")
    page.until("root.querySelector('.score')?.textContent.includes('all right')")


@pytest.mark.parametrize("kind", ["expectiminimax", "maxn", "unknown", "ordering"])
def test_every_kind_of_exercise_is_right_with_its_solution(page: LecturePage, kind: str) -> None:
    page.visit(f"#/exercise/{kind}?seed=2&depth=2", "root.querySelector('.questions .main')")
    page.press_button("Show the solution")
    page.until("root.querySelector('.result').textContent.includes('one right solution')")
    page.press_button("Check")
    page.until("root.querySelector('.score')?.textContent.includes('all right')")


# --- a class ----------------------------------------------------------------------------------------


def test_a_guest_types_the_password_and_is_on_the_page(browser: Browser, site: Served) -> None:
    browser.visit(site.origin + "/door")
    browser.driver.delete_all_cookies()
    page = LecturePage(browser, site.origin)
    assert page.violations_in_both() == []
    for password, shown in (("wrong", "That is not the password."), (PASSWORD, "Which game?")):
        browser.driver.find_element("css selector", "#password").send_keys(password, ENTER)
        page.until(f"document.body.textContent.includes('{shown}')")
    assert browser.driver.current_url.startswith(site.origin + "/")
    assert "door" not in browser.driver.current_url


def test_a_student_joins_and_answers_and_the_teacher_sees_it_and_takes_it_as_csv(
    page: LecturePage, site: Served
) -> None:
    exercise = make(HOMEWORK[0], 0)
    right = right_answers(exercise)
    driver = page.browser.driver
    page.visit("#/classroom", "root.querySelector('.class')")
    page.until("root.querySelector('.class').textContent.includes('Nobody has joined yet')")
    teacher = driver.get_cookies()
    driver.delete_all_cookies()
    said = httpx.post(site.origin + "/door", data={"password": PASSWORD}, headers={"Origin": site.origin})
    name, _, value = said.headers["set-cookie"].partition(";")[0].partition("=")
    driver.add_cookie({"name": name, "value": value, "path": "/"})
    page.visit("#/classroom", "root.querySelector('form input')")
    page.fill("form input", "Ada <b>Lovelace</b>", ENTER)
    page.until("root.querySelector('.typed')")
    assert "Ada <b>Lovelace</b>" in page.text("p")
    answer(page, exercise, {**right, "move": "C" if right["move"] == "B" else "B"})
    page.press_button("Check")
    page.until("root.querySelector('.score')")
    assert page.text(".score").startswith("4 of 5 points")
    page.visit("#/classroom?n=1", "root.querySelector('.typed')?.value")
    page.click(f'input[name="move"][value="{right["move"]}"]')
    page.press_button("Check")
    page.until("root.querySelector('.score')?.textContent.includes('all right')")
    # A program runs in a process of its own; what it says is text.
    page.value(
        "[...root.querySelectorAll('button')].find((one) => one.textContent.startsWith('Program')).click()"
    )
    page.until("root.querySelector('textarea.program')")
    assert "def minimax(game, state):" in page.value("root.querySelector('textarea.program').value")
    page.fill("textarea.program", "def minimax(game, state): print('<b>here</b>')")
    page.press_button("Run and mark")
    page.until("root.querySelectorAll('.result details').length === 5")
    assert page.text(".result .score") == "0 of 15 points"
    assert (
        "<b>here</b>" in page.text(".result") and page.value("root.querySelectorAll('.result b').length") == 0
    )
    assert page.violations_in_both() == []
    # The key is nowhere that a student's browser could ask.
    document = exercise.to_dict()
    refused = page.browser.driver.execute_async_script(
        """const [document_, done] = arguments; const socket = new WebSocket(`ws://${location.host}/ws`);
        socket.onopen = () => socket.send(JSON.stringify({id: 1, do: "solution", exercise: document_}));
        socket.onmessage = (event) => done(JSON.parse(event.data));""",
        document,
    )
    assert "the key stays with the teacher" in refused["error"]["message"]
    driver.delete_all_cookies()
    for cookie in teacher:
        driver.add_cookie(cookie)
    page.visit("#/classroom", "root.querySelector('tbody')")
    row = page.value("[...root.querySelectorAll('tbody tr > *')].map((one) => one.textContent)")
    assert row[0] == "● Ada <b>Lovelace</b> (here)"
    assert row[1:5] == ["✓ 5 (2 tries)", "–", "0 (1 try)", "5"]
    assert page.value("root.querySelectorAll('tbody b').length") == 0
    assert page.violations_in_both() == []
    table = list(csv.reader(io.StringIO(site.get("/classroom.csv", headers=site.cookie).text)))
    assert table[1][0] == "Ada <b>Lovelace</b>"
    assert float(table[1][1]) == 5


# --- for everybody ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("width", "height"), [(1366, 768), (1920, 1080)])
def test_a_projector_shows_the_tree_that_is_drawn_without_scrolling(
    page: LecturePage, width: int, height: int
) -> None:
    bottoms = """["#controls", "#tree", "#sentence", "#code-box", "#path-box", ".edit"].map(
        (one) => root.querySelector(one)).filter((one) => one?.getClientRects().length).map(
        (one) => one.getBoundingClientRect().bottom)"""
    page.visit("#/tree?step=9", STEPPING, width=width, height=height)
    page.until(f"Math.max(...{bottoms}) <= {height}")
    box = "root.querySelector('#tree').getBoundingClientRect()"
    assert page.value(f"{box}.height") >= 0.5 * height
    page.browser.press("p")
    page.until("root.querySelector('#present').ariaPressed === 'true'")
    page.until(f"{box}.height >= 0.7 * {height} && Math.max(...{bottoms}) <= {height}")
    assert page.violations_in_both() == []


@pytest.mark.parametrize(
    ("address", "ready"),
    [
        ("#/tree?step=9", STEPPING),
        ("#/explore/connect-four?depth=3", "root.querySelector('.detail svg')"),
        ("#/exercise/alphabeta?seed=3", "root.querySelector('.typed')"),
        ("#/classroom", "root.querySelector('.class')"),
    ],
)
def test_axe_finds_nothing_wrong_and_a_phone_does_not_scroll_sideways(
    page: LecturePage, address: str, ready: str
) -> None:
    page.visit(address, ready, width=1366, height=768)
    assert page.violations_in_both() == []
    page.visit(address, ready, width=360, height=740, prefers_color_scheme="dark")
    assert page.browser.violations() == []
    assert page.value("document.documentElement.scrollWidth") <= 360
