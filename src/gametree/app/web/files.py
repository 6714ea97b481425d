"""The files of the page. A path from the browser is looked up among the names of these, and never opened."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

import gametree

PAGE: Final = Path(__file__).parent / "page"
DOOR: Final = Path(__file__).parent / "door"
_STEPPER: Final = Path(gametree.__file__).parent / "explain" / "pages"
SHARED: Final = {f"lecture/{name}": _STEPPER / name for name in ("stepper.js", "stepper.css", "style.css")}
"""The stepper and its look, which pages in files have, too."""
KINDS: Final = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
"""What is served, by its suffix, and as what."""


class File(NamedTuple):
    """What a browser gets."""

    content: bytes
    kind: str


class Files:
    """The files below a folder by their addresses; those that are changed or new are read anew."""

    def __init__(self, folder: Path, *, shared: Mapping[str, Path] | None = None):
        self._folder = folder
        self._shared = dict(shared or {})
        """Files of other folders by their addresses, without the first slash."""
        self._known: dict[str, Path] = {}

    @property
    def size(self) -> int:
        """Bytes of all of them."""
        return sum(path.stat().st_size for path in self._listed().values())

    def get(self, address: str) -> File | None:
        """The file at an address, `/` being index.html."""
        name = "index.html" if address == "/" else address.removeprefix("/")
        if name not in self._known:
            self._known = self._listed()
        path = self._known.get(name)
        if path is None or not path.is_file():
            return None
        return File(path.read_bytes(), KINDS[path.suffix])

    def _listed(self) -> dict[str, Path]:
        own = {path.relative_to(self._folder).as_posix(): path for path in self._folder.rglob("*")}
        return {
            name: path
            for name, path in {**own, **self._shared}.items()
            if path.suffix in KINDS and path.is_file()
        }
