"""The widgets in a real notebook: JupyterLab in Chromium, with a kernel of its own."""

import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from browser import Browser
from explain.page_trees import LECTURE
from gametree.explain.traces.trace import trace

pytestmark = [
    pytest.mark.notebook,
    pytest.mark.browser,
    pytest.mark.skipif(find_spec("jupyterlab") is None, reason="this test needs the extra `test-notebook`"),
]

CELLS = (
    "import gametree as gt\nfrom gametree import notebook\n"
    "steps = notebook.steps([[3, 12, 8], [2, 'x', 'y'], [14, 5, 2]])\nsteps",
    "board = notebook.board(gt.games.TicTacToe(), moves=['b2', 'a1'], seconds=0.3)\nboard",
    "'step', steps.step, 'moves', list(board.moves)",
)
PATIENCE = 150
_SEEN = "return document.querySelector('.jp-Notebook')?.innerText.slice(0, 3000)"


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a notebook in a JupyterLab of our own."""
    import nbformat.v4 as v4

    folder = tmp_path_factory.mktemp("notebook")
    cells = [v4.new_code_cell(text) for text in CELLS]  # type: ignore[no-untyped-call]
    book = v4.new_notebook(  # type: ignore[no-untyped-call]
        cells=cells, metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    )
    import nbformat

    nbformat.write(book, folder / "lecture.ipynb")  # type: ignore[no-untyped-call]
    token = secrets.token_hex(8)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    options = {
        "ServerApp.port": port,
        "ServerApp.ip": "127.0.0.1",
        "ServerApp.root_dir": folder,
        "IdentityProvider.token": token,
        "LabApp.expose_app_in_browser": True,
        "LabApp.check_for_updates_class": "jupyterlab.NeverCheckForUpdate",
    }
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"]
    command += [f"--{name}={value}" for name, value in options.items()]
    with (Path(folder) / "log").open("w") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder)
    end = time.monotonic() + PATIENCE
    while not _answers(port):
        assert time.monotonic() < end and process.poll() is None, (folder / "log").read_text()
        time.sleep(0.1)
    try:
        yield f"http://127.0.0.1:{port}/lab/tree/lecture.ipynb?token={token}"
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE)


def _answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


def test_a_search_is_stepped_through_and_a_board_is_played_on_in_a_notebook(
    browser: Browser, lab: str
) -> None:
    def until(condition: str, *arguments: Any) -> Any:
        end = time.monotonic() + PATIENCE
        while not (found := browser.script(f"return ({condition})", *arguments)):
            assert time.monotonic() < end, (condition, browser.complaints()[-3:], browser.script(_SEEN))
            time.sleep(0.1)
        return found

    def run(command: str) -> None:
        browser.script("window.jupyterapp.commands.execute(arguments[0])", command)

    root = "[...document.querySelectorAll('.gametree-widget')].map((one) => one.shadowRoot)"
    browser.open("")
    browser.driver.get(lab)
    until("window.jupyterapp?.shell?.currentWidget?.sessionContext?.session?.kernel?.status === 'idle'")
    run("notebook:run-all-cells")
    until(f"{root}.some((one) => one.querySelector('#next'))")
    told = trace(LECTURE)
    for step in range(1, 15):
        browser.script(f"{root}.find((one) => one.querySelector('#next')).querySelector('#next').click()")
        said = browser.script(
            f"return {root}.find((one) => one.querySelector('#next')).querySelector('#sentence').textContent"
        )
        assert said == told.events[step - 1].sentence
    until(f"{root}.some((one) => one.querySelector('[data-move=c3]'))")
    until(f"{root}.some((one) => /c3 +\\S/.test(one.querySelector('[data-move=c3]')?.textContent ?? ''))")
    browser.script(
        f"{root}.find((one) => one.querySelector('.cell')).querySelector('.cell[data-cell=c3]').click()"
    )
    until(f"{root}.some((one) => one.querySelector('.told')?.textContent.startsWith('O is to move'))")
    browser.script("window.jupyterapp.shell.currentWidget.content.activeCellIndex = 2")
    run("notebook:run-cell")
    until(
        "[...document.querySelectorAll('.jp-OutputArea-output')].some((one) =>"
        " one.textContent.includes(\"('step', 14, 'moves', ['b2', 'a1', 'c3'])\"))"
    )
    assert not [one for one in browser.complaints() if "gametree" in one]
