"""The views of a lecture in a real browser. They stand in a frame of their own, a shadow root."""

import time
from typing import TYPE_CHECKING, Any

from browser import Browser

if TYPE_CHECKING:
    from selenium.webdriver.remote.webelement import WebElement

_ROOT = "const root = document.querySelector('.lecture-frame')?.shadowRoot;"
PATIENCE = 20


class LecturePage:
    """A view as a person uses it: it is looked at, clicked and typed into."""

    def __init__(self, browser: Browser, origin: str):
        self.browser = browser
        self.origin = origin

    def visit(self, address: str, wait: str = "true", **more: Any) -> "LecturePage":
        self.browser.visit(f"{self.origin}/{address}", **more)
        self.until(f"root?.adoptedStyleSheets.length && ({wait})")
        return self

    def value(self, expression: str, *arguments: Any) -> Any:
        """A JavaScript expression over `root`, the inside of the frame."""
        return self.browser.script(f"{_ROOT} return ({expression});", *arguments)

    def until(self, condition: str) -> None:
        end = time.monotonic() + PATIENCE
        while not self.value(condition):
            assert time.monotonic() < end, (condition, self.browser.complaints(), self.text("*"))
            time.sleep(0.02)

    def find(self, selector: str) -> "WebElement":
        found: WebElement | None = self.value("root.querySelector(arguments[0])", selector)
        assert found is not None, selector
        return found

    def text(self, selector: str) -> str:
        return str(self.value("root?.querySelector(arguments[0])?.textContent ?? ''", selector))

    def click(self, selector: str) -> None:
        self.find(selector).click()

    def press_button(self, name: str) -> None:
        button: WebElement | None = self.value(
            "[...root.querySelectorAll('button')].find((one) => one.textContent === arguments[0])", name
        )
        assert button is not None, name
        button.click()

    def fill(self, selector: str, text: str, *keys: str) -> None:
        field = self.find(selector)
        self.browser.script("arguments[0].value = ''", field)
        field.send_keys(text, *keys)

    def choose(self, label: str, value: str) -> None:
        """Chooses in a select."""
        from selenium.webdriver.support.ui import Select

        Select(self.find(f'select[aria-label="{label}"]')).select_by_value(value)

    def drag(self, start: str, end: str) -> None:
        """Drags with a mouse from the middle of one element to the middle of another."""
        middle = """(() => { const b = root.querySelector(arguments[0]).getBoundingClientRect();
            return [b.x + b.width / 2, b.y + b.height / 2]; })()"""
        (x, y), (to_x, to_y) = self.value(middle, start), self.value(middle, end)
        places = [("mousePressed", x, y)]
        places += [("mouseMoved", x + (to_x - x) * k / 6, y + (to_y - y) * k / 6) for k in range(1, 7)]
        for kind, at_x, at_y in [*places, ("mouseReleased", to_x + 4, to_y)]:
            self.browser.command(
                "Input.dispatchMouseEvent", type=kind, x=at_x, y=at_y, button="left", buttons=1, clickCount=1
            )

    def violations_in_both(self) -> list[str]:
        """What axe finds by day and by night."""
        found = self.browser.violations()
        self.browser.command(
            "Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}]
        )
        return found + self.browser.violations()
