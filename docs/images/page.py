"""Takes the picture of the page that the README shows: a game of chess that is analysed.

    python docs/images/page.py

It needs what the tests of the page need: Chromium, its driver, and the extra `test`.
"""

import sys
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1] / "tests"))

from app.page.visitor import Visitor  # noqa: E402
from app.web.served import serving  # noqa: E402
from browser import Browser, found_browser, started  # noqa: E402

GAME: Final = "e4,e5,Nf3,Nc6,Bb5,a6,Ba4,Nf6,O-O"
TREE: Final = "e4,e5(c5,~The%20Sicilian,Nf3,d6),Nf3,Nc6,Bb5,a6(Nf6,O-O,Nxe4),Ba4,Nf6,O-O"
DEPTH: Final = 12
# Machine code may have to be made first.
DEEP_ENOUGH: Final = """
const deeper = document.querySelector(".head > .button");
if (!deeper.hidden) deeper.click();
return Number(/depth (\\d+)/.exec(document.querySelector(".progress").textContent)?.[1]) >= arguments[0];
"""


def main() -> None:
    chrome = started(*found_browser())
    try:
        with serving() as served:
            visitor = Visitor(Browser(chrome, HERE), served)
            visitor.play("chess", f"moves={GAME}&mode=analyse&tree={TREE}", width=1366, height=768)
            visitor.until(DEEP_ENOUGH, DEPTH, within=300)
            visitor.until("return document.querySelectorAll('.lines li').length === 3")
            visitor.browser.screenshot(HERE / "page.png")
    finally:
        chrome.quit()


if __name__ == "__main__":
    main()
