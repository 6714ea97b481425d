"""A robot that only clicks what it sees: cells that are marked as the beginning of a move, tiles, and buttons.

It knows no rules. The mouse and the finger are the browser's own, and what lies above a thing would catch its click. By
keys it goes from where the focus is with Tab and the arrows alone.
"""

import random
import time
from collections.abc import Callable
from typing import Any

from app.page.visitor import Visitor

PATIENCE = 60.0
PAUSE = 0.005
MOST_KEYS = 150

_SIGN = """
const sign = [location.hash, document.querySelector(".stage").dataset.ply, document.querySelectorAll(".act").length,
  document.querySelectorAll('[aria-selected="true"], .tile.chosen').length,
  document.querySelector(".status").textContent].join("|");
"""
_CHOICES = (
    _SIGN
    + """
const seen = (one) => one.getClientRects().length && !one.disabled;
const chooser = [...document.querySelectorAll(".chooser:not([hidden]) .act")].filter(seen);
const buttons = [...document.querySelectorAll(".actions .button")].filter(seen);
const cells = [...document.querySelectorAll(".cell.start, .tile.start")].filter(seen);
const found = chooser.length ? chooser : [...buttons, ...cells];
const one = found[Math.floor(arguments[0] * found.length)];
if (!one) return [null, sign];
let box = one.getBoundingClientRect();
if (box.top < 0 || box.bottom > innerHeight || box.left < 0 || box.right > innerWidth) {
  one.scrollIntoView({ block: "center", inline: "center" });
  box = one.getBoundingClientRect();
}
const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
const top = document.elementFromPoint(x, y);
window.wanted = one;
return [[x, y, one === top || one.contains(top), one.dataset.cell ?? one.textContent], sign];
"""
)
_NEXT_KEY = """
const [here, there] = [document.activeElement, window.wanted];
if (here === there) return "Enter";
if (here.closest(".cells") && there.closest(".cells")) {
  const middle = (one) => {
    const box = one.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  };
  const [[x, y], [goalX, goalY]] = [middle(here), middle(there)];
  // Where the straight way does not lead on, each direction gets its turn: that reaches whatever can be reached.
  const ways = { ArrowLeft: x - goalX, ArrowRight: goalX - x, ArrowUp: y - goalY, ArrowDown: goalY - y };
  const { tried } = window;
  const count = (key) => tried.get(here.dataset.cell + key) ?? 0;
  const [key] = Object.keys(ways).sort((a, b) => count(a) - count(b) || ways[b] - ways[a]);
  tried.set(here.dataset.cell + key, count(key) + 1);
  return key;
}
const cells = there.closest(".cells");
const stop = cells ? cells.querySelector('[tabindex="0"]') : there;
const follows = here === document.body || here.compareDocumentPosition(stop) & Node.DOCUMENT_POSITION_FOLLOWING;
return follows ? "Tab" : "Shift+Tab";
"""
_CODES = {"Enter": 13, "Tab": 9, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}
_SHIFT = 8
_STATE = (
    _SIGN
    + """
const trouble = document.querySelector(".trouble:not([hidden])")?.textContent;
return [sign, document.querySelector(".status").dataset.over === "true", trouble];
"""
)


_SEEN = "return document.querySelector('.stage').innerText"
Way = Callable[[Visitor, float, float], None]
"""How the robot does what it has chosen, which stands at a place of the window."""


def by_mouse(visitor: Visitor, x: float, y: float) -> None:
    for kind in ("mousePressed", "mouseReleased"):
        visitor.browser.command("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)


def by_finger(visitor: Visitor, x: float, y: float) -> None:
    visitor.browser.command("Emulation.setTouchEmulationEnabled", enabled=True)
    visitor.browser.command("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
    visitor.browser.command("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])


def by_keys(visitor: Visitor, x: float, y: float) -> None:
    visitor.see("window.tried = new Map()")
    for _ in range(MOST_KEYS):
        key: str = visitor.see(_NEXT_KEY)
        name = key.removeprefix("Shift+")
        pressed: dict[str, Any] = {"key": name, "code": name, "windowsVirtualKeyCode": _CODES[name]}
        pressed["modifiers"] = _SHIFT if name != key else 0
        text = {"text": "\r"} if name == "Enter" else {}
        visitor.browser.command("Input.dispatchKeyEvent", type="keyDown", **pressed, **text)
        visitor.browser.command("Input.dispatchKeyEvent", type="keyUp", **pressed)
        if name == "Enter":
            return
    raise AssertionError(f"keys do not lead there at {visitor.address}: {visitor.see(_SEEN)}")


def play_to_the_end(visitor: Visitor, seed: int = 0, most: int = 5000, way: Way = by_mouse) -> int:
    """Plays for all seats by chance until the game is over; how many moves it had."""
    dice = random.Random(seed)
    for _ in range(most):
        sign, over, trouble = visitor.see(_STATE)
        assert not trouble, f"after {visitor.address}: {trouble}"
        if over:
            return visitor.ply
        place, sign = visitor.see(_CHOICES, dice.random())
        if place is not None:
            x, y, is_free, what = place
            assert is_free, f"{what} lies under something at {visitor.address}"
            way(visitor, x, y)
        end = time.monotonic() + PATIENCE
        while not _is_further(visitor, sign):
            assert time.monotonic() < end, (
                f"nothing happens at {visitor.address} after a click on {place}: {visitor.see(_SEEN)}"
            )
            time.sleep(PAUSE)
    raise AssertionError(f"not over after {most} clicks: {visitor.address[:300]}")


def _is_further(visitor: Visitor, sign: str) -> bool:
    """Whether something has happened since; dice and engines may have ended the game before it was looked at."""
    now, over, trouble = visitor.see(_STATE)
    return now != sign or over or bool(trouble)
