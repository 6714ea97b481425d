"""The tutorial: its pictures are made by its own commands and up to date. That its blocks run, `test_readme` sees."""

import importlib.util
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from types import ModuleType

import pytest

pytestmark = pytest.mark.same_in_all_modes

DOCS = Path(__file__).parent.parent / "docs"
TEXT = (DOCS / "tutorial.md").read_text(encoding="utf-8")
SHOWN = re.findall(r"!\[([^\]]*)\]\(images/([^)]+)\)", TEXT)


def _make() -> ModuleType:
    spec = importlib.util.spec_from_file_location("tutorial_pictures", DOCS / "images" / "make.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


MAKE = _make()


@pytest.fixture(scope="module")
def made() -> dict[str, bytes]:
    pictures: dict[str, bytes] = MAKE.draw(TEXT)
    return pictures


def test_the_pictures_are_what_the_commands_draw(made: dict[str, bytes]) -> None:
    kept = {path.name: path.read_bytes() for path in (DOCS / "images").glob("tutorial-*.svg")}
    stale = sorted(name for name in {*kept, *made} if kept.get(name) != made.get(name))
    assert not stale, f"{', '.join(stale)}: run `python docs/images/make.py`, look at them and commit them"


def test_the_picture_of_boards_is_up_to_date() -> None:
    kept = (DOCS / "images" / "boards.svg").read_text(encoding="utf-8")
    assert MAKE.boards() == kept, "run `python docs/images/make.py`, look at boards.svg and commit it"


def test_every_picture_is_shown_once_and_comes_from_a_command_before_it(made: dict[str, bytes]) -> None:
    assert sorted(name for _, name in SHOWN) == sorted(made)
    for _, name in SHOWN:
        command = f"--out {name.removeprefix('tutorial-')}"
        assert -1 < TEXT.find(command) < TEXT.find(f"(images/{name})"), name


def test_every_picture_has_words_for_those_who_cannot_see_it() -> None:
    assert all(words.strip() for words, _ in SHOWN)
    assert len({words for words, _ in SHOWN}) == len(SHOWN)


def test_pictures_fit_a_page_and_follow_light_and_dark(made: dict[str, bytes]) -> None:
    for name, content in made.items():
        assert float(ET.fromstring(content).attrib["width"]) <= 1200, name
        assert b"prefers-color-scheme: dark" in content, name


def test_the_table_of_contents_leads_to_the_chapters() -> None:
    headings = re.findall(
        r"^#+ (.*)$", re.sub(r"^```.*?^```$", "", TEXT, flags=re.MULTILINE | re.DOTALL), re.MULTILINE
    )
    anchors = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
    wanted = re.findall(r"\]\(#([^)]+)\)", TEXT)
    assert len(wanted) >= 9
    assert set(wanted) <= anchors


def test_a_command_that_fails_is_told() -> None:
    with pytest.raises(SystemExit, match="ended with 2"):
        MAKE.draw('$ gametree explain "[1,," --out a.svg\n')


def test_pictures_that_nothing_makes_any_more_go(tmp_path: Path) -> None:
    for name in ("tutorial-old.svg", "tutorial-new.svg", "ordering.svg"):
        (tmp_path / name).write_text("before")
    MAKE.keep({"tutorial-new.svg": b"now"}, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["ordering.svg", "tutorial-new.svg"]
    assert (tmp_path / "tutorial-new.svg").read_text() == "now"
