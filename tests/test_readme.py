"""Everything the documents show is run, and prints what they say.

A Python block is executed; the blocks of one document share their names, in order. Before a block there may be a
comment of one line:

    <!-- output -->          the `text` block is what the Python block before it printed
    <!-- file: nim.py -->    the Python block is also written to a file, for the commands that follow
    <!-- compiled -->        the block holds only where rules can be compiled

In a `console` block every line that begins with `$` is a command and what follows is its output. `…` stands for
anything within a line; alone on a line, for any number of lines. Seconds and nodes per second may differ.
"""

import contextlib
import io
import re
import shlex
import sys
import types
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from gametree.app.cli import main
from gametree.compiled.native import unavailable

pytestmark = pytest.mark.same_in_all_modes

ROOT = Path(__file__).parent.parent
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
_BLOCK = re.compile(
    r"^(?:<!-- (?P<marks>[^\n]*?) -->\n)?```(?P<kind>\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)
_TIMES = (
    (re.compile(r"in [\d.e-]+ s\b(, [\d.]+( [kMGT])? nodes/s)?"), "in some s"),
    (re.compile(r" +(-|[\d.]+( [kMGT])? nodes/s)"), " at some nodes/s"),
    (re.compile(r", [\d.]+ s$", re.MULTILINE), ", some s"),
)
_LINK = re.compile(r"\]\((?!https?:)([^)#\s]+)")


@dataclass(frozen=True)
class Block:
    """A fenced block of a document."""

    kind: str
    text: str
    line: int
    marks: str

    @property
    def file(self) -> str | None:
        """The name under which it is written to disk."""
        found = re.search(r"file: (\S+)", self.marks)
        return found[1] if found else None

    @property
    def applies(self) -> bool:
        """Whether it holds on this machine."""
        return "compiled" not in self.marks or not unavailable()


def blocks(document: Path) -> Iterator[Block]:
    text = document.read_text(encoding="utf-8")
    for found in _BLOCK.finditer(text):
        line = text.count("\n", 0, found.start("text")) + 1
        yield Block(found["kind"], found["text"], line, found["marks"] or "")


def tidy(output: str) -> str:
    """An output without what differs from run to run."""
    text = "\n".join(line.rstrip() for line in output.strip("\n").splitlines())
    for timing, instead in _TIMES:
        text = timing.sub(instead, text)
    return text


def same(output: str, expected: str, where: str) -> None:
    lines = [re.escape(line).replace("…", ".*") for line in tidy(expected).splitlines()]
    pattern = "".join(r"(?:.*\n)*?" if line == ".*" else f"{line}\n" for line in lines)
    if not re.fullmatch(pattern, tidy(output) + "\n" if lines else tidy(output)):
        pytest.fail(f"{where} printed\n\n{output}\n\nand is said to print\n\n{expected}")


def commands(block: Block) -> Iterator[tuple[str, str]]:
    """Each command of a console block with the output that is shown for it."""
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield command, output


def shell(command: str) -> tuple[str, str]:
    """Runs `gametree …`, with `printf '…' |` before it where it reads; its output and its exit code."""
    words = shlex.split(command)
    given = ""
    if words[0] == "printf":
        given = words[1].replace("\\n", "\n")
        assert words[2] == "|", command
        words = words[3:]
    assert words[0] == "gametree", command
    written = io.BytesIO()
    out = io.TextIOWrapper(written, encoding="utf-8", newline="\n", write_through=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.StringIO(given))
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            code = main(words[1:])
    return written.getvalue().decode(), str(code)


class Reader:
    """Works through one document as a reader would, in a folder of its own."""

    def __init__(self, document: Path, folder: Path):
        self.document = document
        self.folder = folder
        # A module of its own: classes look up their annotations in the module that defines them.
        self.module = types.ModuleType(f"shown_in_{document.stem.replace('-', '_')}")
        sys.modules[self.module.__name__] = self.module
        self.printed: str | None = None
        self.code = "0"

    def read(self, block: Block) -> None:
        where = f"{self.document.name}:{block.line}"
        if block.kind == "python":
            self.printed = self.execute(block)
        elif block.kind == "text" and "output" in block.marks:
            assert self.printed is not None, f"{where}: the output of nothing"
            same(self.printed, block.text, where)
        elif block.kind == "console":
            for command, expected in commands(block):
                if command == "echo $?":
                    output = self.code
                else:
                    output, self.code = shell(command)
                same(output, expected, f"{where}: {command}")

    def execute(self, block: Block) -> str:
        name = block.file or f"{self.module.__name__}_{block.line}.py"
        path = self.folder / name
        path.write_text(block.text, encoding="utf-8")
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(block.text, str(path), "exec", dont_inherit=True), vars(self.module))
        return out.getvalue()


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_a_document_shows_what_happens(
    document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(sys, "path", list(sys.path))
    before = set(sys.modules)
    try:
        reader = Reader(document, tmp_path)
        for block in blocks(document):
            if block.applies:
                reader.read(block)
    finally:
        for name in set(sys.modules) - before:
            if name.startswith("shown_in_") or str(tmp_path) in str(sys.modules[name]):
                del sys.modules[name]


@pytest.mark.parametrize("document", [*DOCUMENTS, ROOT / "CONTRIBUTING.md"], ids=lambda path: path.name)
def test_links_between_documents_lead_somewhere(document: Path) -> None:
    for target in _LINK.findall(document.read_text(encoding="utf-8")):
        assert (document.parent / target).exists(), f"{document.name} links to {target}"


def test_wildcards_match_within_a_line_and_over_lines() -> None:
    same("a 12 b\nc\nd\ne\n", "a … b\n…\ne", "here")
    same("a\nb\n", "…\na\nb\n…", "here")
    with pytest.raises(pytest.fail.Exception):
        same("a\nb", "a", "here")
