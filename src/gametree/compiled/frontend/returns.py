"""Functions that return iterables, in a form that has one type: generators, or one list."""

import ast
from collections.abc import Iterable

from gametree.compiled.frontend.comprehensions import PREFIX, loops, renamed
from gametree.compiled.frontend.parsing import parse


def _own_nodes(function: ast.AST) -> Iterable[ast.AST]:
    """The nodes of a function without those of functions inside it."""
    queue = list(ast.iter_child_nodes(function))
    while queue:
        node = queue.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.Lambda, ast.AsyncFunctionDef)):
            queue.extend(ast.iter_child_nodes(node))


def _returns(function: ast.FunctionDef) -> list[ast.Return]:
    return [node for node in _own_nodes(function) if isinstance(node, ast.Return)]


def _is_generator(function: ast.FunctionDef) -> bool:
    return any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in _own_nodes(function))


def is_empty(value: ast.expr | None) -> bool:
    if isinstance(value, ast.Call) and not value.args and not value.keywords:
        return isinstance(value.func, ast.Name) and value.func.id in ("list", "tuple", "range", "set")
    return isinstance(value, (ast.List, ast.Tuple)) and not value.elts


def into_generator(function: ast.FunctionDef, always: bool = False) -> None:
    """`return [a for a in …]` becomes a loop that yields; so do several returns of different types.

    `always`: so does everything, because each item has to be given the one type of all.
    """
    returns = _returns(function)
    if _is_generator(function) or not returns:
        return
    several = len(returns) > 1 or always
    if not several and not isinstance(
        returns[0].value, (ast.ListComp, ast.GeneratorExp, ast.IfExp, ast.List)
    ):
        wraps = returns[0].value
        if not (
            isinstance(wraps, ast.Call)
            and isinstance(wraps.func, ast.Name)
            and wraps.func.id in ("list", "tuple", "iter")
            and len(wraps.args) == 1
            and isinstance(wraps.args[0], (ast.GeneratorExp, ast.ListComp))
        ) and not is_empty(wraps):
            return
    _Yielder().visit(function)
    if not _is_generator(function):
        nothing = parse("if False:\n    yield 0").body
        function.body = [*nothing, *function.body]


class _Yielder(ast.NodeTransformer):
    """Turns each `return iterable` into statements that yield its items."""

    def __init__(self) -> None:
        self.count = 0

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        if self.count == 0:
            self.count = 1
            self.generic_visit(node)
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        return node

    def visit_Return(self, node: ast.Return) -> list[ast.stmt]:
        done: list[ast.stmt] = [*self._yields(node.value), ast.Return(value=None)]
        for statement in done:
            ast.copy_location(statement, node)
        return done

    def _yields(self, value: ast.expr | None) -> list[ast.stmt]:
        if value is None or is_empty(value):
            return []
        if isinstance(value, ast.IfExp):
            body = self._yields(value.body) or [ast.Pass()]
            return [ast.If(test=value.test, body=body, orelse=self._yields(value.orelse))]
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and len(value.args) == 1:
            inner = value.args[0]
            if value.func.id in ("list", "tuple", "iter") and isinstance(
                inner, (ast.GeneratorExp, ast.ListComp)
            ):
                value = inner
        if isinstance(value, (ast.ListComp, ast.GeneratorExp)):
            self.count += 1
            value = renamed(value, f"{PREFIX}{self.count}_")
            return [loops(value.generators, ast.Expr(ast.Yield(value.elt)))]
        if isinstance(value, (ast.List, ast.Tuple)):
            out: list[ast.stmt] = []
            for item in value.elts:
                if isinstance(item, ast.Starred):
                    out += self._yields(item.value)
                else:
                    out.append(ast.Expr(ast.Yield(item)))
            return out
        self.count += 1
        name = f"{PREFIX}item{self.count}"
        load, store = ast.Name(name, ast.Load()), ast.Name(name, ast.Store())
        return [ast.For(target=store, iter=value, body=[ast.Expr(ast.Yield(load))], orelse=[])]


def into_one_list(function: ast.FunctionDef) -> None:
    """`return []` beside other returns: all of them fill one list, so that it has one type."""
    returns = _returns(function)
    if _is_generator(function) or len(returns) < 2:
        return
    sequences = [r for r in returns if isinstance(r.value, (ast.List, ast.Tuple, ast.ListComp))]
    sizes = {len(r.value.elts) for r in returns if isinstance(r.value, ast.Tuple)}
    if not any(is_empty(r.value) for r in returns) and not (
        len(sequences) == len(returns) and len(sizes) > 1
    ):
        return
    if any(r.value is None or isinstance(r.value, ast.Constant) for r in returns):
        return
    name = f"{PREFIX}out"

    class Extender(ast.NodeTransformer):
        def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
            return self.generic_visit(node) if node is function else node

        def visit_Return(self, node: ast.Return) -> list[ast.stmt]:
            out: list[ast.stmt] = [ast.Return(ast.Name(name, ast.Load()))]
            if not is_empty(node.value):
                assert node.value is not None
                extend = ast.Attribute(ast.Name(name, ast.Load()), "extend", ast.Load())
                out.insert(0, ast.Expr(ast.Call(extend, [node.value], [])))
            for statement in out:
                ast.copy_location(statement, node)
            return out

    Extender().visit(function)
    start = ast.Assign([ast.Name(name, ast.Store())], ast.List([], ast.Load()))
    function.body = [ast.copy_location(start, function.body[0]), *function.body]
