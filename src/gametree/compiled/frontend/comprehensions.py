"""Comprehensions as the loops that they stand for, and what is done with them, as statements."""

import ast
import copy
import sys
from collections.abc import Callable

from gametree.compiled.frontend.parsing import parse

PREFIX = "_gt_"
"""What names made by rewriting begin with."""
COMPENSATED = sys.version_info >= (3, 12)
"""Whether Python adds floats with what rounding loses."""

Keys = dict[str | None, ast.expr]
Fold = Callable[[ast.expr, list[ast.comprehension], Keys], list[ast.stmt]]


def loops(generators: list[ast.comprehension], body: ast.stmt) -> ast.stmt:
    """The nested for and if statements that a comprehension stands for."""
    for clause in reversed(generators):
        for test in reversed(clause.ifs):
            body = ast.If(test=test, body=[body], orelse=[])
        body = ast.For(target=clause.target, iter=clause.iter, body=[body], orelse=[])
    return body


class Rename(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]):
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.AST:
        node.id = self.names.get(node.id, node.id)
        return node


def targets(generators: list[ast.comprehension]) -> set[str]:
    return {n.id for g in generators for n in ast.walk(g.target) if isinstance(n, ast.Name)}


def renamed(
    comprehension: "ast.ListComp | ast.GeneratorExp", prefix: str
) -> "ast.ListComp | ast.GeneratorExp":
    """A comprehension that may become loops in its function: its variables get names of their own.

    The first iterable is evaluated outside the comprehension's scope and keeps its names.
    """
    names = {name: prefix + name for name in targets(comprehension.generators)}
    first = comprehension.generators[0].iter
    renamed = Rename(names).visit(copy.deepcopy(comprehension))
    renamed.generators[0].iter = first
    return renamed  # type: ignore[no-any-return]


def _load(name: str) -> ast.Name:
    return ast.Name(PREFIX + name, ast.Load())


def _template(text: str, clauses: list[ast.comprehension], **parts: ast.expr | None) -> list[ast.stmt]:
    """Statements from text, in which LOOP is the comprehension's loops and capitals stand for expressions."""
    given = {name: value for name, value in parts.items() if value is not None}

    class Fill(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.AST:
            return given.get(node.id, node)

        def visit_While(self, node: ast.While) -> ast.AST:
            self.generic_visit(node)
            block = ast.If(test=ast.Constant(True), body=node.body, orelse=[])
            nest = loops(clauses, block)
            for inner in ast.walk(nest):
                for name in ("body", "orelse"):
                    if block in (getattr(inner, name, None) or []):
                        where = getattr(inner, name)
                        at = where.index(block)
                        where[at : at + 1] = block.body
                        return nest
            return nest

    tree = parse(text)
    for node in ast.walk(tree):  # the given parts keep the lines of the user's file
        for name in ("lineno", "end_lineno", "col_offset", "end_col_offset"):
            if hasattr(node, name):
                delattr(node, name)
    return Fill().visit(tree).body  # type: ignore[no-any-return]


def _any(item: ast.expr, clauses: list[ast.comprehension], keys: Keys) -> list[ast.stmt]:
    return _template("while LOOP:\n if ITEM:\n  return True\nreturn False", clauses, ITEM=item)


def _all(item: ast.expr, clauses: list[ast.comprehension], keys: Keys) -> list[ast.stmt]:
    return _template("while LOOP:\n if not ITEM:\n  return False\nreturn True", clauses, ITEM=item)


def _sum(item: ast.expr, clauses: list[ast.comprehension], keys: Keys) -> list[ast.stmt]:
    start = keys.get("start", ast.Constant(0))
    text = "_gt_t = START\nwhile LOOP:\n _gt_t += ITEM\nreturn _gt_t"
    if COMPENSATED:
        text = (
            "_gt_t = START\n"
            "_gt_lost = 0.0\n"
            "while LOOP:\n"
            " _gt_t, _gt_lost = _gt_sum_add(_gt_t, _gt_lost, ITEM)\n"
            "return _gt_sum_end(_gt_t, _gt_lost)"
        )
    return _template(text, clauses, ITEM=item, START=start)


def _extreme(sign: str) -> Fold:
    def fold(item: ast.expr, clauses: list[ast.comprehension], keys: Keys) -> list[ast.stmt]:
        default = keys.get("default")
        text = (
            "_gt_none = True\n"
            "while LOOP:\n"
            " _gt_v = ITEM\n"
            " _gt_k = KEY\n"
            " if _gt_none:\n"
            "  _gt_best_key = _gt_k\n"
            "  _gt_best = _gt_v\n"
            "  _gt_none = False\n"
            f" elif _gt_k {sign} _gt_best_key:\n"
            "  _gt_best_key = _gt_k\n"
            "  _gt_best = _gt_v\n"
            "if _gt_none:\n"
            + (" return DEFAULT\n" if default is not None else " raise ValueError\n")
            + "return _gt_best"
        )
        key = keys.get("key", _load("v"))
        return _template(text, clauses, ITEM=item, KEY=key, DEFAULT=default)

    return fold


def _list(item: ast.expr, clauses: list[ast.comprehension], keys: Keys) -> list[ast.stmt]:
    return _template("_gt_t = []\nwhile LOOP:\n _gt_t.append(ITEM)\nreturn _gt_t", clauses, ITEM=item)


def _set(item: ast.expr, clauses: list[ast.comprehension], keys: Keys) -> list[ast.stmt]:
    return _template("_gt_t = set()\nwhile LOOP:\n _gt_t.add(ITEM)\nreturn _gt_t", clauses, ITEM=item)


def _finally(fold: Fold, made: str) -> Fold:
    """What is made of the items in the end."""

    def folded(item: ast.expr, clauses: list[ast.comprehension], keys: Keys) -> list[ast.stmt]:
        *body, last = fold(item, clauses, keys)
        assert isinstance(last, ast.Return) and last.value is not None
        last.value = ast.Call(_load(f"as_{made}"), [last.value], [])
        return [*body, last]

    return folded


def _dict(item: ast.expr, clauses: list[ast.comprehension], keys: Keys) -> list[ast.stmt]:
    text = "_gt_t = {}\nwhile LOOP:\n _gt_k, _gt_v = ITEM\n _gt_t[_gt_k] = _gt_v\nreturn _gt_t"
    return _template(text, clauses, ITEM=item)


def _sorted(item: ast.expr, clauses: list[ast.comprehension], keys: Keys) -> list[ast.stmt]:
    text = (
        "_gt_items = []\n_gt_keys = []\n"
        "while LOOP:\n"
        " _gt_v = ITEM\n"
        " _gt_k = KEY\n"
        " _gt_j = len(_gt_keys)\n"
        " _gt_items.append(_gt_v)\n"
        " _gt_keys.append(_gt_k)\n"
        " while_not_sorted\n"
        "return _gt_items"
    )
    reverse = keys.get("reverse", ast.Constant(False))
    shift = parse(
        "while _gt_j > 0 and (_gt_keys[_gt_j - 1] < _gt_k if REVERSE else _gt_k < _gt_keys[_gt_j - 1]):\n"
        "  _gt_keys[_gt_j] = _gt_keys[_gt_j - 1]\n"
        "  _gt_items[_gt_j] = _gt_items[_gt_j - 1]\n"
        "  _gt_j -= 1\n"
        "_gt_keys[_gt_j] = _gt_k\n"
        "_gt_items[_gt_j] = _gt_v\n"
    ).body

    class Shift(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.AST:
            return reverse if node.id == "REVERSE" else node

        def visit_Expr(self, node: ast.Expr) -> "ast.AST | list[ast.stmt]":
            if isinstance(node.value, ast.Name) and node.value.id == "while_not_sorted":
                return [Shift().visit(statement) for statement in shift]
            return node

    for node in ast.walk(ast.Module(shift, [])):
        for name in ("lineno", "end_lineno", "col_offset", "end_col_offset"):
            if hasattr(node, name):
                delattr(node, name)
    filled = _template(text, clauses, ITEM=item, KEY=keys.get("key", _load("v")))
    return Shift().visit(ast.Module(filled, [])).body  # type: ignore[no-any-return]


def _next(item: ast.expr, clauses: list[ast.comprehension], keys: Keys) -> list[ast.stmt]:
    default = keys.get("default")
    last = "return DEFAULT" if default is not None else "raise ValueError"
    return _template(f"while LOOP:\n return ITEM\n{last}", clauses, ITEM=item, DEFAULT=default)


FOLDS: dict[str, Fold] = {
    "any": _any,
    "all": _all,
    "sum": _sum,
    "min": _extreme("<"),
    "max": _extreme(">"),
    "list": _list,
    "tuple": _finally(_list, "tuple"),
    "set": _set,
    "frozenset": _finally(_set, "frozenset"),
    "dict": _dict,
    "sorted": _sorted,
    "next": _next,
}
