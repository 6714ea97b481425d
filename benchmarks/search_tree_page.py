"""Does the tree of a search scroll without stutter in the page, however many nodes it has?

    python benchmarks/search_tree_page.py
    python benchmarks/search_tree_page.py --frames 300 --trees chess:3,connect-four:5:minimax

Opens the search tree of `gametree serve` in Chromium, opens every subtree, and scrolls on by a screen a frame, so that
every frame draws rows that were not there before. The work of a frame is what the page itself does in it. The peer is
the same page with a table so high that all of its rows stand in the page, as they would without virtualisation: there
the time is that of drawing them once. A tree is a game, a depth and, where one is named, a search.
"""

import argparse
import statistics
import sys
import time
from pathlib import Path
from typing import Any

from smallest import parse

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from app.web.served import serving
from browser import found_browser, started

SMALLEST = "--frames 3 --trees tic-tac-toe:2"
TREES = "connect-four:5,chess:3,connect-four:5:minimax"
ROOT = "const root = document.querySelector('.lecture-frame')?.shadowRoot, table = root?.querySelector('.table');"
ROWS = f"{ROOT} return Number(table?.getAttribute('aria-rowcount') ?? 0)"
OPEN = f"""{ROOT} const done = arguments[0], start = performance.now();
[...root.querySelectorAll('button')].find((one) => one.textContent === 'Open all').click();
table.getBoundingClientRect();
requestAnimationFrame(() => done(performance.now() - start));"""
SCROLL = f"""{ROOT} const [frames, done] = arguments, spent = [];
let left = frames, way = 1;
(function frame() {{
  const start = performance.now();
  if (table.scrollTop + table.clientHeight >= table.scrollHeight - 1) way = -1;
  if (table.scrollTop === 0) way = 1;
  table.scrollTop += way * table.clientHeight;
  table.dispatchEvent(new Event('scroll'));
  requestAnimationFrame(() => {{
    // The page draws in a callback that was asked for before this one.
    table.getBoundingClientRect();
    spent.push(performance.now() - start);
    if (--left) setTimeout(frame); else done(spent);
  }});
}})();"""
ALL = f"""{ROOT} const rows = Number(table.getAttribute('aria-rowcount'));
table.style.height = table.style.maxHeight = `${{30 * rows}}px`;
const start = performance.now();
[...root.querySelectorAll('button')].find((one) => one.textContent === 'Open all').click();
table.getBoundingClientRect();
return [performance.now() - start, root.querySelectorAll('.treeline').length];"""
PATIENCE = 120.0


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--frames", type=int, default=200)
    parser.add_argument("--trees", default=TREES, help="games with a depth, separated by commas")
    given = parse(parser, SMALLEST)
    try:
        driver = started(*found_browser())
    except BaseException as error:  # the tests skip here: a benchmark says so
        print(f"Chromium or its driver is not here: {error}")
        return 0
    print(
        "tree                       rows   in the page   open all ms   frame ms median   p99   all rows at once ms"
    )
    with serving() as site:
        driver.set_script_timeout(PATIENCE)
        driver.get(site.address)
        for tree in given.trees.split(","):
            game, depth, method = (*tree.split(":"), "auto")[:3]
            driver.get("about:blank")
            driver.get(f"{site.origin}/#/explore/{game}?depth={depth}&method={method}")
            end = time.monotonic() + PATIENCE
            while not driver.execute_script(ROWS):
                assert time.monotonic() < end, f"no tree of {game} to depth {depth}"
                time.sleep(0.05)
            opened: float = driver.execute_async_script(OPEN)
            rows: int = driver.execute_script(ROWS)
            spent: list[float] = driver.execute_async_script(SCROLL, given.frames)
            shown: int = driver.execute_script(f"{ROOT} return root.querySelectorAll('.treeline').length")
            whole: list[Any] = driver.execute_script(ALL)
            p99 = sorted(spent)[min(len(spent) - 1, int(0.99 * len(spent)))]
            print(
                f"{tree:<24}{rows - 1:>7,}{shown:>14}{opened:>14.1f}{statistics.median(spent):>18.1f}"
                f"{p99:>6.1f}{whole[0]:>22.0f}"
            )
    driver.quit()
    return 0


if __name__ == "__main__":
    sys.exit(main())
