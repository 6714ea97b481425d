"""The pages of `docs/reference` say what the package says of itself."""

from pathlib import Path

import pytest

import gametree as gt
import reference

pytestmark = pytest.mark.same_in_all_modes


@pytest.mark.parametrize(("file", "text"), [pytest.param(*one, id=one[0].name) for one in reference.files()])
def test_a_page_is_made_from_signatures_and_docstrings(file: Path, text: str) -> None:
    assert file.exists() and file.read_text(encoding="utf-8") == text, (
        "run: python tests/reference.py --write"
    )


def test_every_public_name_stands_on_one_page() -> None:
    named = [entry.written for page in reference.pages() for entry in page.entries]
    public = {f"gt.{name}" for name in gt.__all__} - {"gt.games", "gt.__version__"}
    assert public <= set(named) and len(set(named)) == len(named)


def test_there_are_no_other_pages() -> None:
    assert sorted(reference.FOLDER.iterdir()) == sorted(file for file, _ in reference.files())
