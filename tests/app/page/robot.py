"""A robot that only clicks what it sees: cells that are marked as the beginning of a move, tiles, and buttons.

It knows no rules. The mouse is the browser's own, and what lies above a thing would catch its click.
"""

import random
import time

from app.page.visitor import Visitor

PATIENCE = 60.0
PAUSE = 0.005

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
return [[x, y, one === top || one.contains(top), one.dataset.cell ?? one.textContent], sign];
"""
)
_STATE = (
    _SIGN
    + """
const trouble = document.querySelector(".trouble:not([hidden])")?.textContent;
return [sign, document.querySelector(".status").dataset.over === "true", trouble];
"""
)


_SEEN = "return document.querySelector('.stage').innerText"


def play_to_the_end(visitor: Visitor, seed: int = 0, most: int = 5000) -> int:
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
            for kind in ("mousePressed", "mouseReleased"):
                visitor.browser.command(
                    "Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1
                )
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
