"""What the tests of this room share: a browser."""

from browser import browser

__all__ = ["browser"]
