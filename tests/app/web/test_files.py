"""The files of the page: small, without a build step, and they ask nobody else for anything."""

import posixpath
import re
import zlib
from pathlib import Path

import pytest

from gametree.app.web.files import DOOR, KINDS, PAGE, SHARED, Files

pytestmark = pytest.mark.same_in_all_modes
MOST_BYTES = 150_000


def served() -> dict[str, Path]:
    own = {path.relative_to(folder).as_posix(): path for folder in (PAGE, DOOR) for path in folder.rglob("*")}
    return {name: path for name, path in {**own, **SHARED}.items() if path.is_file()}


def test_the_whole_page_takes_less_than_150_kb_in_the_wheel() -> None:
    sizes = {name: path.stat().st_size for name, path in served().items()}
    assert Files(PAGE, shared=SHARED).size + Files(DOOR).size == sum(sizes.values())
    # A wheel is a ZIP archive: every file is deflated on its own.
    sizes = {name: len(zlib.compress(path.read_bytes())) for name, path in served().items()}
    assert sum(sizes.values()) < MOST_BYTES, sorted(sizes.items(), key=lambda item: -item[1])


def test_every_file_has_a_kind_that_is_served() -> None:
    assert {path.suffix for path in served().values()} <= KINDS.keys()


def test_no_file_names_another_server() -> None:
    for name, path in served().items():
        text = path.read_text(encoding="utf-8")
        text = text.replace("http://www.w3.org/", "")  # the names of SVG and XHTML, which nobody opens
        assert not re.search(r"https?://", text), name


def test_no_markup_has_scripts_or_styles_of_its_own() -> None:
    for name, path in served().items():
        if path.suffix == ".html":
            text = path.read_text(encoding="utf-8")
            assert not re.search(
                r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=|javascript:", text, re.IGNORECASE
            ), name


def test_no_script_makes_markup_or_code_of_text() -> None:
    # The stepper shows pictures, which are escaped where they are made.
    for name, path in served().items():
        if path.suffix == ".js" and path not in SHARED.values():
            text = path.read_text(encoding="utf-8")
            assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|\beval\(|new Function", text), name


def test_modules_name_files_that_are_served() -> None:
    files = Files(PAGE, shared=SHARED)
    for name, path in served().items():
        if path.suffix == ".js" and path.is_relative_to(PAGE):
            for one in re.findall(
                r"""(?:from|import)\s*\(?\s*["'](\.[^"']+)["']""", path.read_text(encoding="utf-8")
            ):
                assert files.get("/" + posixpath.normpath(posixpath.join(posixpath.dirname(name), one))), one


def test_files_that_are_new_or_changed_are_served(tmp_path: Path) -> None:
    files = Files(tmp_path)
    assert files.get("/a.js") is None
    (tmp_path / "a.js").write_text("1")
    assert files.get("/a.js") == (b"1", "text/javascript; charset=utf-8")
    (tmp_path / "a.js").write_text("2")
    found = files.get("/a.js")
    assert found is not None and found.content == b"2"
    (tmp_path / "a.js").unlink()
    assert files.get("/a.js") is None


@pytest.mark.parametrize(
    "address", ["/../a.js", "/..", "/", "//a.js", "/sub/../a.js", "/a.py", "a.js/.", "/sub"]
)
def test_an_address_is_compared_with_names_and_never_opened(tmp_path: Path, address: str) -> None:
    (tmp_path / "page" / "sub").mkdir(parents=True)
    (tmp_path / "a.js").write_text("secret")
    (tmp_path / "page" / "a.js").write_text("page")
    (tmp_path / "page" / "a.py").write_text("code")
    assert Files(tmp_path / "page").get(address) is None
