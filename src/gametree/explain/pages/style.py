"""The look that the pages of this room share, as one style sheet for a `<style>` element."""

from functools import cache
from importlib.resources import files


def css() -> str:
    """Colours (light and dark), type, cards, buttons, tables, visible focus and paper.

    Pages put `class="card"` on boxes, `class="screen"` on what paper does not need, `class="unseen-text"` on what
    only a screen reader needs, and take colours from the variables: `--ink`, `--soft`, `--accent`, `--cut`, `--good`.

    >>> "prefers-color-scheme: dark" in css()
    True
    """
    return read("style.css")


@cache
def read(name: str) -> str:
    """A file that lies beside this one.

    >>> read("style.css").startswith("/*")
    True
    """
    return files("gametree.explain.pages").joinpath(name).read_text(encoding="utf-8")
