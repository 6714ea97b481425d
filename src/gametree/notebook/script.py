"""Several JavaScript modules as one script: a notebook loads a widget as a single module, from no address."""

import re
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

_PLACES: Final = (
    files("gametree.notebook"),
    files("gametree.explain.pages"),
    files("gametree.app.web") / "page",
)
"""Where modules are looked for: the names in one place are not those in another."""
_IMPORT: Final = re.compile(r'^import \{([^}]*)\} from "\./([\w.]+)";$', re.MULTILINE)
_EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:const|let|function|class) (\w+))", re.MULTILINE)


def script(name: str) -> str:
    """A module with all that it imports, each in a function of its own. The module itself says `export default`.

    >>> text = script("steps_widget.js")
    >>> "const stepper_js = (() => {" in text, "\\nimport" in text, text.count("\\nexport ")
    (True, False, 1)
    """
    parts: dict[str, str] = {}

    def take(name: str) -> str:
        text = _found(name).read_text(encoding="utf-8")
        for needed in _IMPORT.finditer(text):
            if needed[2] not in parts:
                parts[needed[2]] = ""
                parts[needed[2]] = _enclosed(needed[2], take(needed[2]))
        return _IMPORT.sub(
            lambda one: f"const {{{one[1].replace(' as ', ': ')}}} = {_variable(one[2])};", text
        )

    last = take(name)
    # A module stands after those that it needs: they were finished before it.
    return "\n".join([*_in_order(parts), last])


def _in_order(parts: dict[str, str]) -> list[str]:
    done: list[str] = []

    def add(name: str) -> None:
        for other in parts:
            if other != name and f"= {_variable(other)};" in parts[name] and parts[other] not in done:
                add(other)
        if parts[name] not in done:
            done.append(parts[name])

    for name in parts:
        add(name)
    return done


def _enclosed(name: str, text: str) -> str:
    exported = ", ".join(one[1] for one in _EXPORT.finditer(text))
    return f"const {_variable(name)} = (() => {{\n{_EXPORT.sub('', text)}\nreturn {{{exported}}};\n}})();"


def _variable(name: str) -> str:
    return name.replace(".", "_")


def _found(name: str) -> Traversable:
    return next(place / name for place in _PLACES if (place / name).is_file())


def sheet(*names: str) -> str:
    """Style sheets as one, for a shadow root."""
    return "\n".join(_found(name).read_text(encoding="utf-8") for name in names)
