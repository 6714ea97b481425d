"""The page that steps through a trace, as a file: what it holds."""

import json
import random
import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest

from browser import found_browser
from explain.page_trees import DICE, HOSTILE, LECTURE, TRIPLES, hostile, random_tree
from gametree.explain.pages import steps_data
from gametree.explain.pages.shell import embed
from gametree.explain.pages.steps import page
from gametree.explain.pictures.drawing import Drawing
from gametree.explain.pictures.picture import Picture
from gametree.explain.pictures.scene import Group, Scene, Text
from gametree.explain.pictures.svg import svg
from gametree.explain.traces.conventions import Conventions
from gametree.explain.traces.notation import number
from gametree.explain.traces.trace import Trace, trace


class Elements(HTMLParser):
    """The elements of a page with their attributes, and the text of all of them."""

    def __init__(self, html: str):
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def data_of(html: str) -> dict[str, Any]:
    match = re.search(r'<script type="application/json" id="trace">(.*?)</script>', html, re.DOTALL)
    assert match
    found: dict[str, Any] = json.loads(match.group(1))
    return found


def test_a_page_refers_to_nothing_outside_itself() -> None:
    for tag, attributes in Elements(page(trace(LECTURE))).found:
        assert tag not in ("link", "img", "iframe", "object", "embed", "base"), tag
        for name in ("src", "href", "xlink:href", "action", "srcset"):
            assert (attributes.get(name) or "#").startswith("#"), (tag, attributes)


def test_every_sentence_and_the_conventions_stand_on_the_page() -> None:
    told = trace(LECTURE, conventions=Conventions(cut=">", fail="hard"))
    text = "".join(Elements(page(told)).texts)
    assert told.conventions.describe() in text
    for event in told.events:
        assert event.sentence in text
    for line in told.code:
        assert line in text


@pytest.mark.parametrize(
    ("tree", "method"),
    [
        (LECTURE, "alphabeta"),
        ([[3, 12], [2, 4]], "minimax"),
        (DICE, "expectiminimax"),
        (TRIPLES, "maxn"),
        (7, "minimax"),
    ],
)
def test_the_timelines_give_every_step_as_the_trace_tells_it(tree: Any, method: Any) -> None:
    """The page keeps changes only. Played back, they are the snapshots."""
    told = trace(tree, method)
    data = data_of(page(told))
    assert len(data["steps"]) == len(told.events) + 1
    for step, (kind, line, nodes, leaves, cuts, rows, key) in enumerate(data["steps"]):
        snapshot = told.at(step)
        event = snapshot.event
        assert (nodes, leaves, cuts) == (snapshot.nodes, snapshot.leaves, snapshot.cuts)
        assert (kind, line) == ((event.kind, event.line) if event else ("", 0))
        path = event.path if event else ()
        assert key == "n" + ".".join(map(str, path))
        assert len(rows) == len(path) + 1
        for length, row in enumerate(rows):
            assert_row(told, data["rows"][row], path[:length], step)
        for node, timeline in zip(told.outline.walk(), data["words"]):
            shown = data["texts"][holds(timeline, step)]
            assert shown == steps_data.words(told, node, snapshot.marks[node.path])


def assert_row(told: Trace, row: list[str], path: tuple[int, ...], step: int) -> None:
    node, mark = told.outline.at(path), told.at(step).marks[path]
    assert row[0] == node.name
    if mark.value is not None:
        assert row[3] == number(mark.value)
    if told.method == "alphabeta":
        assert row[4:] == [number(mark.alpha) or "–", number(mark.beta) or "–"]


def test_a_node_that_has_returned_a_bound_is_not_said_to_be_worth_it() -> None:
    told = trace([[3, 12], [2, 4], [14, 2]], conventions=Conventions(fail="hard"))
    marks = told.at(len(told.events)).marks
    said = [steps_data.words(told, node, marks[node.path]) for node in told.outline.children]
    assert [text.split(", ")[2] for text in said] == ["value 3", "value at most 3", "value at most 3"]


def holds(timeline: list[int], step: int) -> int:
    """What a timeline says of a step, found by looking at all of it."""
    return [what for at, what in zip(timeline[::2], timeline[1::2]) if at <= step][-1]


def test_the_parts_of_the_picture_put_together_are_the_picture_of_every_step() -> None:
    told = trace([[3, 12, [4, 6]], [2, 4, 1], [14, 5, 2]])
    drawings = [svg(told, step=step, theme="auto") for step in range(len(told.events) + 1)]
    found = steps_data.picture(Drawing(Picture(told, steps=True)).scenes())
    assert found.timelines.keys() >= {"n", "n0", "e0", "n0.2.1"}
    for step, drawing in enumerate(drawings):
        parts = {key: found.parts.things[holds(timeline, step)] for key, timeline in found.timelines.items()}
        keys = [re.match(r'<g .*?data-key="([\w.]+)"', line) for line in found.svg.split("\n")]
        lines = [parts[key[1]] if key else line for key, line in zip(keys, found.svg.split("\n"))]
        assert "\n".join(lines) == drawing


def test_scenes_that_differ_elsewhere_than_in_their_parts_are_no_steps_of_one_picture() -> None:
    part, text = Group("node", "a", ()), Group("caption", "", (Text(0, 0, "a", 13, "caption"),))
    scene = Scene(100, 50, (part, text), "", "")
    others = [
        replace(scene, width=101.0),
        replace(scene, groups=(text, part)),
        replace(scene, groups=(replace(part, key="b"), text)),
        replace(scene, groups=(part, replace(text, items=()))),
        replace(scene, groups=(part,)),
    ]
    for other in others:
        with pytest.raises(AssertionError, match="step 1"):
            steps_data.picture([scene, other])
    steps_data.picture([scene, replace(scene, groups=(replace(part, note="!"), text))])


def test_intervals_stand_in_the_path_where_the_conventions_ask_for_them() -> None:
    told = trace(LECTURE, conventions=Conventions(bounds="intervals"))
    data = data_of(page(told))
    assert steps_data.columns(told) == ("Node", "Move", "Value so far", "Lies in")
    assert ["A", "MAX", "–", "3", "[3, ∞]"] in data["rows"]


def test_a_tree_of_100_nodes_makes_a_page_of_less_than_a_megabyte() -> None:
    tree = random_tree(random.Random(5), 160)
    told = trace(tree, "minimax")
    assert 90 <= told.outline.size <= 160
    assert len(page(told).encode()) < 1_000_000


def test_names_that_look_like_markup_do_not_make_elements() -> None:
    harmless = tuple(letter * len(name) for letter, name in zip("abcd", HOSTILE))
    wanted = [tag for tag, _ in Elements(page(trace(hostile(harmless)))).found]
    html = page(trace(hostile()), title=HOSTILE[1])
    assert [tag for tag, _ in Elements(html).found] == wanted
    assert html.count("</script>") == 2


@pytest.mark.parametrize("text", [*HOSTILE, "\u2028\u2029", "&lt;", "\\u003c", "\ud800"])
def test_embedded_json_says_what_was_put_in(text: str) -> None:
    written = embed({text: [text]})
    assert not re.search("[<>&\u2028\u2029]", written)
    assert json.loads(written) == {text: [text]}


def test_half_a_surrogate_pair_in_a_name_can_be_written_to_a_file() -> None:
    assert page(trace({"\ud800": 3, "b": 4}), title="\udfff").encode("utf-8")


@pytest.mark.parametrize(("ci", "outcome"), [("", pytest.skip.Exception), ("true", pytest.fail.Exception)])
def test_a_missing_browser_skips_its_tests_but_fails_them_where_every_change_is_tested(
    monkeypatch: pytest.MonkeyPatch, ci: str, outcome: type[BaseException]
) -> None:
    monkeypatch.setenv("CI", ci)
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(outcome, match="apt install chromium chromium-driver"):
        found_browser()
