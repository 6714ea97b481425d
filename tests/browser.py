"""A real browser for the pages that people open: Chromium without a window, one for the whole test session.

Debian's packages are `chromium` and `chromium-driver`. Where they are missing the tests that need them are skipped,
except where the environment variable CI is set: there a missing browser is a failure, so that nobody overlooks it.
"""

import json
import os
import shutil
from collections.abc import Iterator
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import pytest

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

_NAMES = ("chromium", "chromium-browser", "google-chrome")
_TO_AXE = "const done = arguments[arguments.length - 1]; axe.run(document).then(done, (e) => done({error: String(e)}));"


class Browser:
    """Opens pages from files, presses keys, and tells what a page logged and asked the network for."""

    def __init__(self, driver: "Chrome", folder: Path):
        self.driver = driver
        self._folder = folder
        self._pages = 0

    def open(
        self, html: str, fragment: str = "", *, width: int = 1280, height: int = 900, **media: str
    ) -> "Browser":
        """Opens a page in a window of a size; media are features such as prefers_color_scheme="dark"."""
        self._pages += 1
        path = self._folder / f"page-{self._pages}.html"
        path.write_text(html, encoding="utf-8")
        return self.visit(path.as_uri() + fragment, width=width, height=height, **media)

    def visit(self, address: str, *, width: int = 1280, height: int = 900, **media: str) -> "Browser":
        """Goes to an address in a window of a size, as if nothing had been open before."""
        features = [{"name": name.replace("_", "-"), "value": value} for name, value in media.items()]
        self.command("Emulation.setEmulatedMedia", features=features)
        self.command(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        # Where only the fragment differs the page would not be loaded anew.
        self.driver.get("about:blank")
        for name in ("browser", "performance"):
            self._log(name)
        self.driver.get(address)
        return self

    def command(self, name: str, **parameters: Any) -> Any:
        """A command of the Chrome DevTools Protocol."""
        return self.driver.execute_cdp_cmd(name, parameters)

    def script(self, text: str, *arguments: Any) -> Any:
        """The result of a script that runs in the page, whatever the page's own policy is."""
        return self.driver.execute_script(text, *arguments)

    def press(self, *keys: str) -> None:
        """Presses keys one after the other, on whatever has the focus."""
        from selenium.webdriver import ActionChains

        for key in keys:
            ActionChains(self.driver, duration=0).send_keys(key).perform()

    def text(self, selector: str) -> str:
        return str(self.script("return document.querySelector(arguments[0]).textContent", selector))

    def click(self, selector: str) -> None:
        """A click as of a mouse: what lies above the element would catch it."""
        self.driver.find_element("css selector", selector).click()

    def complaints(self) -> list[str]:
        """What the page wrote to the console: errors and warnings."""
        return [entry["message"] for entry in self._log("browser")]

    def requests(self) -> list[str]:
        """The addresses that the page asked for since it was opened, its own file first."""
        messages = [json.loads(entry["message"])["message"] for entry in self._log("performance")]
        sent = [message for message in messages if message["method"] == "Network.requestWillBeSent"]
        return [message["params"]["request"]["url"] for message in sent]

    def _log(self, name: str) -> list[Any]:
        """What was logged since the last look."""
        entries: list[Any] = self.driver.get_log(name)  # type: ignore[no-untyped-call]
        return entries

    def violations(self) -> list[str]:
        """What axe, the checker of accessibility, finds wrong with the page as it stands."""
        axe = files("selenium_axe_python").joinpath("axe-core", "axe.min.js").read_text(encoding="utf-8")
        self.script(axe)
        found = self.driver.execute_async_script(_TO_AXE)
        assert "error" not in found, found
        return [
            f"{rule['id']}: {[node['html'][:200] for node in rule['nodes']]}" for rule in found["violations"]
        ]

    def screenshot(self, path: Path) -> None:
        self.driver.save_screenshot(str(path))


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """One browser for all tests; every page is opened afresh."""
    chrome = started(*found_browser())
    try:
        yield Browser(chrome, tmp_path_factory.mktemp("pages"))
    finally:
        chrome.quit()


def found_browser() -> tuple[str, str]:
    """Where Chromium and its driver are; the test is skipped, or fails, where they are not."""
    if find_spec("selenium") is None or find_spec("selenium_axe_python") is None:
        _missing("the packages selenium and selenium-axe-python (pip install 'gametree[test]')")
    chromium = next(filter(None, map(shutil.which, _NAMES)), None)
    driver = shutil.which("chromedriver")
    if chromium is None or driver is None:
        _missing("Chromium and its driver (Debian: apt install chromium chromium-driver)")
    return chromium, driver


def _missing(what: str) -> NoReturn:
    reason = f"this test needs {what}"
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


def started(chromium: str, chromedriver: str) -> "Chrome":
    """Chromium without a window."""
    from selenium.webdriver import Chrome, ChromeOptions
    from selenium.webdriver.chrome.service import Service

    options = ChromeOptions()
    options.binary_location = chromium
    # The pages are our own; in a container Chromium has no rights for a sandbox and little shared memory.
    for flag in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return Chrome(options=options, service=Service(chromedriver))
