"""The syntax tree of a function that is already running, where its source can be had and is still true."""

import ast
import functools
import linecache
import sys
import types
from collections.abc import Iterator

from gametree.compiled.frontend.parsing import parse
from gametree.kernel.digest import code_parts

Function = ast.FunctionDef


class _Sources:
    """The functions of one file, cell or `-c` text by name and line."""

    def __init__(self, text: str, filename: str):
        self.trees: dict[tuple[str, int], Function | None] = {}
        self.codes: dict[tuple[str, int], types.CodeType] = {}
        try:
            tree = parse(text)
            module = compile(text, filename, "exec", dont_inherit=True)
        except (SyntaxError, ValueError):
            return
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                line = min([node.lineno, *(d.lineno for d in node.decorator_list)])
                key = (node.name, line)
                self.trees[key] = None if key in self.trees else node
        for code in _nested(module):
            self.codes[(code.co_name, code.co_firstlineno)] = code


def _nested(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _nested(constant)


@functools.lru_cache(maxsize=32)
def _sources(text: str, filename: str) -> _Sources:
    return _Sources(text, filename)


def syntax_of(function: types.FunctionType) -> Function | None:
    """The definition of a function; None where the source is missing, has changed since, or is ambiguous."""
    code = function.__code__
    text = _text(function)
    if not text:
        return None
    found = _sources(text, code.co_filename)
    key = (code.co_name, code.co_firstlineno)
    same = found.codes.get(key)
    if same is None or code_parts(same) != code_parts(code):
        return None
    return found.trees.get(key)


def _text(function: types.FunctionType) -> str:
    filename = function.__code__.co_filename
    lines = linecache.getlines(filename, function.__globals__)
    if not lines and filename == "<string>" and "-c" in sys.orig_argv:
        return sys.orig_argv[sys.orig_argv.index("-c") + 1]
    return "".join(lines)


def names_of_messages(function: types.FunctionType) -> set[str]:
    """Names that a function uses in the messages of exceptions only: compiled code has no messages."""
    syntax = syntax_of(function)
    if syntax is None:
        return set()
    spoken: set[str] = set()
    used: set[str] = set()

    def visit(node: ast.AST, message: bool) -> None:
        if isinstance(node, ast.Name):
            (spoken if message else used).add(node.id)
        elif isinstance(node, ast.Attribute):
            (spoken if message else used).add(node.attr)
        for name, value in ast.iter_fields(node):
            inside = (
                message or isinstance(node, ast.Raise) or (isinstance(node, ast.Assert) and name == "msg")
            )
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    visit(child, inside)

    visit(syntax, False)
    return spoken - used
