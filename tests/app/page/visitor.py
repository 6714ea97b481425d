"""Somebody at the page: sees, points, types. Clicks and touches are the browser's own, at a place on the screen."""

import json
import time
from typing import Any

from app.web.served import Served
from browser import Browser

PATIENCE = 30.0
PAUSE = 0.01

_PLACE = """
const found = [...document.querySelectorAll(arguments[0])].filter((one) => one.getClientRects().length);
const one = found[arguments[1] ?? 0];
if (!one) return null;
one.scrollIntoView({ block: "center", inline: "center" });
const box = one.getBoundingClientRect();
return [box.left + box.width / 2, box.top + box.height / 2];
"""


class Visitor:
    """One browser at one server."""

    def __init__(self, browser: Browser, served: Served):
        self.browser = browser
        self.served = served
        browser.visit(served.address)

    def go(self, address: str = "#/", *, width: int = 1280, height: int = 900, **media: str) -> "Visitor":
        """Opens the page anew at an address; engines and dice do not wait where motion is reduced."""
        media.setdefault("prefers_reduced_motion", "reduce")
        self.browser.visit(f"{self.served.origin}/{address}", width=width, height=height, **media)
        return self

    def play(self, game: str, query: str = "", **window: Any) -> "Visitor":
        """Opens a game, and waits for its first position."""
        self.go(f"#/play/{game}?{query}", **window)
        self.until(
            "return document.querySelector('.stage[data-ply]') && document.querySelector('.status strong')"
        )
        return self

    def see(self, script: str, *arguments: Any) -> Any:
        """What a script finds in the page."""
        return self.browser.script(script, *arguments)

    def until(self, script: str, *arguments: Any, within: float = PATIENCE) -> Any:
        """What a script finds as soon as it finds something."""
        end = time.monotonic() + within
        while not (found := self.see(script, *arguments)):
            assert time.monotonic() < end, (
                f"never true: {script} {arguments}\n{self.see('return document.body.innerText')}"
            )
            time.sleep(PAUSE)
        return found

    def text(self, selector: str) -> str:
        """What stands there, once it is there."""
        return str(self.until("return document.querySelector(arguments[0])?.textContent", selector))

    def shows(self, selector: str, words: str, within: float = PATIENCE) -> str:
        """Waits until an element says something."""
        script = """const said = document.querySelector(arguments[0])?.textContent ?? "";
        return said.includes(arguments[1]) && said"""
        return str(self.until(script, selector, words, within=within))

    def place(self, selector: str, number: int = 0) -> tuple[float, float]:
        """Where an element is on the screen, which scrolls there."""
        x, y = self.until(_PLACE, selector, number)
        return x, y

    def click(self, selector: str, number: int = 0) -> None:
        """A click of the mouse in the middle of an element."""
        x, y = self.place(selector, number)
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.browser.command("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def hover(self, selector: str) -> None:
        x, y = self.place(selector)
        self.browser.command("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def tap(self, selector: str, number: int = 0) -> None:
        """A finger on the middle of an element."""
        x, y = self.place(selector, number)
        self.browser.command("Emulation.setTouchEmulationEnabled", enabled=True)
        self.browser.command("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        self.browser.command("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        self.browser.command("Emulation.setTouchEmulationEnabled", enabled=False)

    def type_into(self, selector: str, text: str) -> None:
        element = self.browser.driver.find_element("css selector", selector)
        element.clear()
        element.send_keys(text)

    def choose(self, selector: str, value: str) -> None:
        """Takes an entry of a select."""
        script = """const [where, value] = arguments; const box = document.querySelector(where);
        box.value = value; box.dispatchEvent(new Event("change", { bubbles: true })); return true"""
        self.until(script, selector, value)

    def press(self, *keys: str) -> None:
        self.browser.press(*keys)

    # --- a game ---------------------------------------------------------------------------------------

    @property
    def ply(self) -> int:
        return int(self.see("return document.querySelector('.stage').dataset.ply") or 0)

    def reaches(self, ply: int) -> None:
        """Waits for a position after so many moves."""
        self.until("return Number(document.querySelector('.stage')?.dataset.ply) >= arguments[0]", ply)

    @property
    def is_over(self) -> bool:
        return bool(self.see("return document.querySelector('.status').dataset.over === 'true'"))

    @property
    def status(self) -> str:
        return self.text(".status strong")

    @property
    def address(self) -> str:
        return str(self.see("return location.hash"))


def cell(id: str) -> str:
    """The selector of a cell or of a tile beside the board."""
    return f":is([data-cell={json.dumps(id)}].cell, [data-tile={json.dumps(id)}])"
