"""What the tests of this room share: a browser."""

from explain.browser import browser

__all__ = ["browser"]
