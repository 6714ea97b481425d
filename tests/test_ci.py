"""The stages of .ci/run begin with the command that the README gives, and name markers that there are."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
pytestmark = pytest.mark.same_in_all_modes


def test_the_first_stage_is_the_command_of_the_readme() -> None:
    command = next(
        line for line in (ROOT / "README.md").read_text(encoding="utf-8").splitlines() if ".[test]" in line
    )
    for file in (".ci/run", "CONTRIBUTING.md"):
        lines = [line.strip() for line in (ROOT / file).read_text(encoding="utf-8").splitlines()]
        assert command in lines, f"{file} has another command than the README: {command}"


def test_the_stages_name_markers_that_there_are() -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        known = tomllib.load(file)["tool"]["pytest"]["ini_options"]["markers"]
    markers = {marker.partition(":")[0] for marker in known}
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    expressions = " ".join(re.findall(r"(?:-m|usual=)\s?[\"']([^\"']+)", script))
    named = set(re.findall(r"\b[a-z_]+\b", expressions)) - {"and", "or", "not", "usual"}
    assert named and named <= markers
    subprocess.run(["bash", "-n", str(ROOT / ".ci" / "run")], check=True)
