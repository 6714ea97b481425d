"""The JSON schemas in `src/gametree/schemas`, made from `gametree.documents`.

python tests/schemas.py              says which files are not as they would be made
python tests/schemas.py --write      makes them
"""

import ast
import inspect
import json
import sys
import types
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from gametree import documents

FOLDER: Final = Path(documents.__file__).parents[1] / "schemas"
_SIMPLE: Final = {int: "integer", float: "number", str: "string", bool: "boolean", type(None): "null"}


def schemas() -> Iterator[tuple[Path, str]]:
    """Every schema: its file and what has to be in it."""
    for name, document in {**documents.DOCUMENTS, **documents.MESSAGES}.items():
        kept: dict[str, Any] = {}
        head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": name}
        made = {**head, **(_object if is_typeddict(document) else _schema)(document, kept)}
        if kept:
            made["$defs"] = dict(sorted(kept.items()))
        file = FOLDER / f"{name.removeprefix('gametree.').partition('/')[0]}.schema.json"
        yield file, json.dumps(made, indent=2, ensure_ascii=False) + "\n"


def _object(document: Any, kept: dict[str, Any]) -> dict[str, Any]:
    told = _told(document)
    fields = {}
    for name, hint in get_type_hints(document, include_extras=True).items():
        about = {"description": told[name]} if name in told else {}
        fields[name] = {**about, **_schema(hint, kept)}
    doc = (
        inspect.cleandoc(document.__doc__) if document.__doc__ and "TypedDict" not in document.__doc__ else ""
    )
    return {
        "title": document.__name__.removesuffix("Document"),
        **({"description": doc} if doc else {}),
        "type": "object",
        "properties": fields,
        "required": [name for name in fields if name in document.__required_keys__],
        "additionalProperties": False,
    }


def _schema(kind: Any, kept: dict[str, Any]) -> dict[str, Any]:
    origin, arguments = get_origin(kind), get_args(kind)
    if is_typeddict(kind):
        name = kind.__name__.removesuffix("Document")
        if name not in kept:
            kept[name] = {}
            kept[name] = _object(kind, kept)
        return {"$ref": f"#/$defs/{name}"}
    if origin is NotRequired:
        return _schema(arguments[0], kept)
    if origin in (Union, types.UnionType):
        return {"anyOf": [_schema(one, kept) for one in arguments]}
    if origin is Literal:
        return {"const": arguments[0]} if len(arguments) == 1 else {"enum": list(arguments)}
    if origin is Annotated:
        bounds = dict(zip(("minimum", "maximum"), arguments[1:], strict=False))
        return {**_schema(arguments[0], kept), **bounds}
    if origin is list:
        return {"type": "array", "items": _schema(arguments[0], kept)}
    if origin is dict:
        return {"type": "object", "additionalProperties": _schema(arguments[1], kept)}
    return {} if kind is Any else {"type": _SIMPLE[kind]}


def _told(document: Any) -> dict[str, str]:
    """What is written under the fields of a document and of those it is made from."""
    classes = _classes()
    found: dict[str, str] = {}
    names = [document.__name__]
    for name in names:
        if name not in classes:
            continue
        names += [base.id for base in classes[name].bases if isinstance(base, ast.Name)]
        body = classes[name].body
        for field, after in pairwise(body):
            if isinstance(field, ast.AnnAssign) and isinstance(after, ast.Expr):
                assert isinstance(field.target, ast.Name) and isinstance(after.value, ast.Constant)
                found[field.target.id] = " ".join(str(after.value.value).split())
    return found


@cache
def _classes() -> dict[str, ast.ClassDef]:
    trees = (
        ast.parse(file.read_text(encoding="utf-8")) for file in Path(documents.__file__).parent.glob("*.py")
    )
    return {node.name: node for tree in trees for node in tree.body if isinstance(node, ast.ClassDef)}


def main(arguments: list[str]) -> int:
    stale = [
        file for file, text in schemas() if not file.exists() or file.read_text(encoding="utf-8") != text
    ]
    if arguments == ["--write"]:
        FOLDER.mkdir(exist_ok=True)
        for file, text in schemas():
            file.write_text(text, encoding="utf-8")
    for file in stale:
        print(file.name)
    return 1 if stale and arguments != ["--write"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
