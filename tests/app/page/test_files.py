"""The page is small, asks nobody else for anything, and has no script or style in its markup."""

import re
import zlib
from pathlib import Path

import gametree.app.web.files as files

MOST = 150_000
SOURCES = sorted(path for path in files.PAGE.rglob("*") if path.suffix in files.KINDS)


def test_the_whole_page_is_small_in_the_wheel() -> None:
    # A wheel is a ZIP archive: every file is deflated on its own.
    assert sum(len(zlib.compress(path.read_bytes())) for path in SOURCES) < MOST


def test_nothing_comes_from_anybody_else() -> None:
    for path in SOURCES:
        addresses = set(re.findall(r"https?://[^\s'\"`)]+", path.read_text()))
        assert addresses <= {"http://www.w3.org/2000/svg"}, f"{path.name}: {addresses}"


def test_no_script_and_no_style_stands_in_the_markup() -> None:
    for path in SOURCES:
        text = path.read_text()
        if path.suffix == ".html":
            assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son[a-z]+=", text), path.name
        assert "innerHTML" not in text and "eval(" not in text, path.name


def test_modules_name_files_that_are_there() -> None:
    for path in SOURCES:
        if path.suffix == ".js":
            named = re.findall(r"""(?:from|import)\s*\(?\s*["'](\.[^"']+)["']""", path.read_text())
            for one in named:
                assert (path.parent / one).resolve().is_file() or "stepper" in one, (
                    f"{path.name} imports {one}"
                )


def test_the_page_is_in_the_package() -> None:
    assert {path.name for path in Path(files.PAGE).iterdir()} >= {
        "index.html",
        "shell.js",
        "page.css",
        "board.js",
    }
