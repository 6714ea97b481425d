"""An exercise as a page, as PDF, as Markdown, as JSON: everything is asked, nothing is given away, names stay text."""

import json
import re
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest

from gametree.course.exercise import METHODS, POSSIBLE, Exercise
from gametree.course.formats import pdf as paper
from gametree.course.formats.files import (
    ENDINGS,
    format_of,
    read_names,
    slug,
    write,
    write_set,
    written,
    written_key,
)
from gametree.course.formats.markdown import markdown, markdown_key
from gametree.course.formats.page import key_page, page
from gametree.course.generation import make, make_set
from gametree.course.key import key_file, right_answers
from gametree.course.questions import questions, rules
from gametree.course.recipe import Recipe
from gametree.errors import InputError
from gametree.explain.pictures import export
from gametree.explain.traces.conventions import Conventions

HOSTILE = "<script>alert(1)</script>\"'&]]>\\input{x}|`*"
KINDS = list(METHODS)


def exercise(kind: str, student: str = "") -> Exercise:
    rules = Conventions(cut=">", direction="right-to-left", shapes="triangles")
    return make(Recipe(kind=kind, depth=2, parts=POSSIBLE[kind], conventions=rules), 5, student)


class Reader(HTMLParser):
    """Collects the elements of a page, and complains about those that are not closed."""

    VOID = frozenset({"meta", "input", "br", "img", "rect", "line", "path"})

    def __init__(self, html: str):
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words = ""
        self.feed(html)
        self.close()
        assert self.open == [], self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open[-1] == tag, (tag, self.open)
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.words += data

    def fields(self, part: str) -> list[dict[str, str | None]]:
        return [found for _, found in self.tags if found.get("data-part") == part]


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_has_a_field_for_every_answer_and_nothing_of_the_key(kind: str) -> None:
    one = exercise(kind, "Ann")
    seen = Reader(page(one))
    for question in questions(one):
        assert question.text in seen.words and seen.fields(question.part)
    ids = [found["id"] for _, found in seen.tags if "id" in found]
    assert len(ids) == len(set(ids))
    if "values" in one.parts:
        assert [found["data-name"] for found in seen.fields("values")] == list(one.inner)
        values = [found for found in seen.fields("values") if found.get("value")]
        assert values == []
    if "cuts" in one.parts:
        assert {found["data-name"] for found in seen.fields("cuts")} == set(one.names.values()) - {"A"}
    for tag, found in seen.tags:
        for name in ("src", "href", "action"):
            assert not (found.get(name) or "").startswith(("http", "//")), (tag, found)
    data = json.loads(re.search(r'id="about">(.*?)</script>', page(one))[1])  # type: ignore[index]
    assert data == {"exercise": one.id, "parts": list(one.parts), "document": one.to_dict()}


@pytest.mark.parametrize("kind", KINDS)
def test_the_pages_and_texts_of_a_key_hold_every_answer(kind: str) -> None:
    one = exercise(kind)
    words = key_file(one)["words"]
    assert set(words) == set(one.parts) == set(right_answers(one))
    seen = Reader(key_page(one)).words
    assert all(text in seen and text in markdown_key(one) for text in words.values())
    assert not any(
        text in markdown(one) for part, text in words.items() if part in ("values", "leaves", "cuts")
    )


@pytest.mark.parametrize("kind", KINDS)
def test_conventions_are_named_in_every_format(kind: str) -> None:
    one = exercise(kind)
    named = rules(one)
    assert named in Reader(page(one)).words and named in Reader(key_page(one)).words
    for form in ("markdown", "moodle"):
        # In Moodle's XML the question is HTML as text.
        assert named in unescape(unescape(written(one, form).decode()))
    assert written(one, "json").decode().count('"cut": ">"') == 1
    assert named.split(" · ")[0] in " ".join(paper_text(one))


def paper_text(one: Exercise) -> list[str]:
    """What stands on the pages of a PDF, from the SVG that we draw."""
    sheets: list[str] = []

    def keep(pages: list[str], wide: float, high: float, otherwise: str) -> bytes:
        sheets.extend(pages)
        return b""

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(paper, "pages", keep)
        paper.pdf(one)
        paper.pdf_key(one)
    return [text.replace("&gt;", ">") for text in re.findall(r">([^<]+)</text>", "".join(sheets))]


@pytest.mark.parametrize("kind", KINDS)
def test_a_hostile_name_is_text_in_every_format(kind: str) -> None:
    one = exercise(kind, HOSTILE)
    for html in (page(one), key_page(one)):
        seen = Reader(html)
        assert HOSTILE in seen.words and [tag for tag, _ in seen.tags].count("script") == 2
    for text in (markdown(one), markdown_key(one)):
        assert "<script" not in text and r"\`\*" in text
    assert any("<script>".replace(">", "&gt;") in text or "&lt;script" in text for text in paper_text(one))
    assert json.loads(written(one, "json"))["student"] == HOSTILE
    assert "<script" not in written(one, "moodle").decode()


def test_an_exercise_of_many_words_goes_on_to_the_next_page() -> None:
    large = make(Recipe(depth=4, branching=(2, 3), parts=POSSIBLE["alphabeta"]), 1)
    pages: list[str] = []

    def keep(drawn: list[str], wide: float, high: float, otherwise: str) -> bytes:
        pages.extend(drawn)
        return b""

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(paper, "pages", keep)
        paper.pdf(large)
    assert len(pages) >= 2 and "page 2 of" in pages[1]
    for drawn in pages:
        heights = [float(y) for y in re.findall(r'<text x="[\d.]+" y="([\d.]+)" font-family', drawn)]
        assert max(heights) <= paper.HIGH - 30
        assert all(0 <= float(x) <= paper.WIDE for x in re.findall(r'<rect x="([\d.]+)"', drawn))


def test_lines_are_broken_where_they_have_to_be() -> None:
    lines = paper.wrapped("a " * 30 + "b" * 200, 14, 200)
    assert " ".join(lines).replace(" ", "") == "a" * 30 + "b" * 200 and len(lines) > 8
    assert paper.wrapped("", 14, 200) == []


def test_pdf_is_made_by_cairo(tmp_path: Path) -> None:
    pytest.importorskip("cairosvg")
    data = paper.pdf(exercise("ordering", "Zoë"))
    assert data.startswith(b"%PDF-") and data.count(b"/Type /Page\n") + data.count(b"/Type /Page ") >= 1
    assert paper.pdf_key(exercise("ordering")).startswith(b"%PDF-")


def test_pdf_without_cairo_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(export, "import_module", missing)
    with pytest.raises(InputError, match="PDF needs CairoSVG: pip install"):
        paper.pdf(exercise("minimax"))


# --- files ------------------------------------------------------------------------------------------


def test_a_file_says_its_format() -> None:
    assert {form: format_of(Path(f"x{ending}")) for form, ending in ENDINGS.items()} == {
        form: form for form in ENDINGS
    }
    with pytest.raises(InputError, match=r"ends in \.html, \.pdf, \.md, \.json, \.xml"):
        format_of(Path("x.docx"))


def test_an_exercise_and_its_key_are_written_beside_each_other(tmp_path: Path) -> None:
    made = write(exercise("minimax"), tmp_path / "deep" / "e.html", "html", key=True)
    assert [path.name for path in made] == ["e.html", "e-key.html"]
    assert all(path.read_text().startswith("<!DOCTYPE html>") for path in made)


def test_a_set_has_a_file_for_each_student_and_keys_apart(tmp_path: Path) -> None:
    names = ["Ann", "../../etc/passwd", "李明", "=1+1", "Ann"]
    made = make_set(Recipe(depth=2), 10, names)
    files = write_set(made, tmp_path / "set", ["html", "markdown", "moodle"], key=True)
    there = sorted(path.relative_to(tmp_path / "set").as_posix() for path in files)
    assert there == sorted(
        [
            f"{name}{ending}"
            for name in ("01-ann", "02-etc-passwd", "03", "04-1-1", "05-ann")
            for ending in (".html", ".json", ".md")
        ]
        + [
            f"keys/{name}-key{ending}"
            for name in ("01-ann", "02-etc-passwd", "03", "04-1-1", "05-ann")
            for ending in (".html", ".json", ".md")
        ]
        + ["moodle.xml", "set.csv"]
    )
    lines = (tmp_path / "set" / "set.csv").read_text().splitlines()
    assert lines[0] == "file,student,seed,exercise" and lines[4].startswith("04-1-1,'=1+1,13,")
    assert len({line.rpartition(",")[2] for line in lines[1:]}) == 5


def test_names_become_parts_of_file_names() -> None:
    assert slug("a" * 99) == "a" * 40 and slug("...") == "" and slug("Ünal & Söhne") == "unal-sohne"


def test_what_cannot_be_written_or_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    one = exercise("minimax")
    with pytest.raises(InputError, match="a set of exercises goes into a folder"):
        write_set([one], tmp_path / "file", ["html"])
    with pytest.raises(InputError, match="cannot be written"):
        write(one, tmp_path / "file" / "e.md", "markdown")
    with pytest.raises(InputError, match="holds its own key"):
        written_key(one, "moodle")
    with pytest.raises(InputError, match="form='docx'"):
        written(one, "docx")
    with pytest.raises(InputError, match="cannot be read: No such file"):
        read_names(tmp_path / "gone")
    for data, message in (
        (b"\xff", "no UTF-8"),
        (b" \n\n", "holds no name"),
        (b"x\n" * 2001, "more than 2,000"),
    ):
        (tmp_path / "names").write_bytes(data)
        with pytest.raises(InputError, match=message):
            read_names(tmp_path / "names")
    (tmp_path / "names").write_text("\ufeffAnn  Lee \n\nBob\n", encoding="utf-8")
    assert read_names(tmp_path / "names") == ["Ann Lee", "Bob"]


@pytest.mark.parametrize("kind", KINDS)
def test_the_picture_names_the_conventions_that_the_exercise_names(kind: str) -> None:
    made = exercise(kind)
    for text in (markdown(made), page(made), markdown_key(made), key_page(made)):
        assert ("cut at >" in text.replace("&gt;", ">")) == (made.method == "alphabeta")
