"""What the pages of explain/ and course/ share: one HTML file with its own style, script and data, and no request.

The security policy of a page allows its own script and no request. Names are text in it, whatever they look like.
"""

import base64
import hashlib
import json
from functools import cache
from html import escape
from importlib.resources import files
from string import Template
from typing import Any, Final

_HERE: Final = "gametree.explain.pages"


def filled(
    package: str,
    name: str,
    title: str,
    data: Any,
    *,
    data_id: str,
    style: str = "",
    script: str = "",
    **fields: object,
) -> str:
    """A page from the files name.html, name.js and, where there is one, name.css of a package.

    `fields` fill the HTML. The script finds `data` in the element `data_id`, and what `script` declares before it;
    `style` comes after the style sheet.
    Pages put `class="card"` on boxes, `class="screen"` on what paper does not need, `class="unseen-text"` on what
    only a screen reader needs, and take colours from the variables: `--ink`, `--soft`, `--accent`, `--cut`, `--good`.
    """
    script = script + read(package, f"{name}.js")
    sheet = files(package).joinpath(f"{name}.css")
    html = Template(read(_HERE, "shell.html")).substitute(
        title=escape(title),
        hash="sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        style=read(_HERE, "style.css") + (read(package, sheet.name) if sheet.is_file() else "") + style,
        body=Template(read(package, f"{name}.html")).substitute(title=escape(title), **fields),
        data_id=data_id,
        data=embed(data),
        script=script,
    )
    # Half a surrogate pair cannot be written as UTF-8.
    return html.encode("utf-8", "replace").decode("utf-8")


def embed(data: Any) -> str:
    """JSON that can stand inside a `<script>` element: nothing in it can end the element or begin another.

    >>> embed({"</script>": "<!-- & \\u2028"})
    '{"\\\\u003c/script\\\\u003e":"\\\\u003c!-- \\\\u0026 \\\\u2028"}'
    """
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


@cache
def read(package: str, name: str) -> str:
    """A file that lies in a package.

    >>> read("gametree.explain.pages", "style.css").startswith("/*")
    True
    """
    return files(package).joinpath(name).read_text(encoding="utf-8")
