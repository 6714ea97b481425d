"""For everybody: no violations that axe can find, nothing wider than a phone, no complaints in the console."""

import pytest

from app.page.visitor import Visitor

PAGES = {
    "start": ("#/", ".card svg"),
    "playing": ("#/play/backgammon?moves=3-1&seats=p,4", ".cell"),
    "analysing": ("#/play/tic-tac-toe?mode=analyse&moves=b2,a1", ".badge"),
    "counters": ("#/play/pig?mode=analyse&moves=roll,3", ".tile"),
    "seat": ("#/seat/phantom-tic-tac-toe?seats=p,1", ".cell.can"),
    "cover": ("#/seat/kuhn-poker?seats=p,p", ".actions .button"),
    "variations": ("#/play/chess?mode=analyse&moves=e4&tree=e4,e5(c5,~Sicilian,Nf3)", ".variation"),
}
SIZES = [(360, 740), *(pytest.param(size, marks=pytest.mark.slow) for size in ((1366, 768), (1920, 1080)))]
SCHEMES = [
    pytest.param(
        name,
        scheme,
        marks=[pytest.mark.slow] if scheme == "dark" and name not in ("start", "analysing", "seat") else [],
    )
    for name in PAGES
    for scheme in ("light", "dark")
]


@pytest.mark.parametrize(("name", "scheme"), SCHEMES)
def test_axe_finds_nothing_wrong(visitor: Visitor, name: str, scheme: str) -> None:
    address, sign = PAGES[name]
    visitor.go(address, prefers_color_scheme=scheme)
    visitor.until("return document.querySelector(arguments[0])", sign)
    assert visitor.browser.violations() == []


def test_axe_finds_nothing_wrong_with_dialogs(visitor: Visitor) -> None:
    visitor.play("chess", "seats=p,p")
    for number in (0, 2, 3):
        visitor.see(
            "document.querySelectorAll('.side > .tools:last-child .button')[arguments[0]].click()", number
        )
        visitor.until("return document.querySelector('dialog[open]')")
        assert visitor.browser.violations() == []
        visitor.see("document.querySelector('dialog').close()")


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_nothing_is_wider_than_the_window(visitor: Visitor, size: tuple[int, int]) -> None:
    for address, sign in PAGES.values():
        visitor.go(address, width=size[0], height=size[1])
        visitor.until("return document.querySelector(arguments[0])", sign)
        assert visitor.see("return document.documentElement.scrollWidth") <= size[0], address


LECTURES = ("#/tree?step=9", "#/explore/connect-four?depth=3", "#/exercise/alphabeta?seed=3", "#/classroom")
MOST_BYTES = 150_000


def test_no_page_loads_more_than_150_kb_of_source(visitor: Visitor) -> None:
    frame = "document.querySelector('.lecture-frame')?.shadowRoot?.adoptedStyleSheets.length"
    for address, sign in [*PAGES.values(), *((address, "") for address in LECTURES)]:
        visitor.go(address)
        visitor.until(f"return arguments[0] ? document.querySelector(arguments[0]) : {frame}", sign)
        loaded = visitor.see("""
        return ["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind)).map(
          (one) => [one.name.replace(location.origin, ""), one.decodedBodySize])""")
        assert sum(size for _, size in loaded) < MOST_BYTES, (address, loaded)


def test_the_page_complains_of_nothing_and_asks_nobody_else(visitor: Visitor) -> None:
    for address, sign in PAGES.values():
        visitor.go(address)
        visitor.until("return document.querySelector(arguments[0])", sign)
        assert visitor.browser.complaints() == []
        asked = [one for one in visitor.browser.requests() if not one.startswith(("data:", "about:"))]
        host = visitor.served.origin.removeprefix("http")
        assert all(one.startswith(("http" + host, "ws" + host)) for one in asked), asked
