"""After `x is None` has been asked, x is something: machine code is told where.

if s.goal is None:                      if s.goal is None:
    return 0                 →              return 0
return s.goal + 1                       return some(s.goal) + 1
"""

import ast
import copy
from typing import TypeVar

Node = TypeVar("Node", bound=ast.AST)


def narrow(function: ast.FunctionDef, some: str) -> None:
    """Marks what cannot be None: names that are given a value once, and their attributes and fixed items."""
    stored: dict[str, int] = {}
    for argument in [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]:
        stored[argument.arg] = 1
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            stored[node.id] = stored.get(node.id, 0) + 1
    fixed = {name for name, times in stored.items() if times == 1}
    walker = _Narrower(fixed, some)
    function.body = walker.block(function.body)


class _Narrower(ast.NodeTransformer):
    def __init__(self, fixed: set[str], some: str):
        self.fixed = fixed
        self.some = some

    def block(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        done: list[ast.stmt] = []
        for i, statement in enumerate(statements):
            rest = statements[i + 1 :]
            done.append(self.visit(statement))
            if isinstance(statement, ast.If) and not statement.orelse and _leaves(statement.body):
                known = self._refuted(statement.test)
                if known:
                    rest = _marked(rest, known, self.some)
                    return [*done, *self.block(rest)]
        return done

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        for name in ("body", "orelse", "finalbody"):
            inner = getattr(node, name, None)
            if isinstance(inner, list) and inner and isinstance(inner[0], ast.stmt):
                setattr(node, name, self.block(inner))
        return node

    def visit_If(self, node: ast.If) -> ast.AST:
        yes, no = self._proven(node.test), self._refuted(node.test)
        node.test = self._in_test(node.test)
        node.body = _marked(node.body, yes, self.some)
        node.orelse = _marked(node.orelse, no, self.some)
        return self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        yes, no = self._proven(node.test), self._refuted(node.test)
        node.test = self._in_test(node.test)
        (node.body,) = _marked([node.body], yes, self.some)
        (node.orelse,) = _marked([node.orelse], no, self.some)
        return self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        return self.generic_visit(self._in_test(node))

    def _in_test(self, test: ast.expr) -> ast.expr:
        """`x is not None and x > 3`: what comes later knows what came before."""
        if isinstance(test, ast.BoolOp):
            ask = self._proven if isinstance(test.op, ast.And) else self._refuted
            for i, value in enumerate(test.values[:-1]):
                known = ask(value)
                test.values[i + 1 :] = _marked(test.values[i + 1 :], known, self.some)
        return test

    def _proven(self, test: ast.expr) -> set[str]:
        """What is not None where a test holds."""
        match test:
            case ast.Compare(value, [ast.IsNot()], [ast.Constant(None)]):
                return self._place(value)
            case ast.BoolOp(ast.And(), values):
                return set().union(*map(self._proven, values))
            case ast.UnaryOp(ast.Not(), value):
                return self._refuted(value)
        return set()

    def _refuted(self, test: ast.expr) -> set[str]:
        """What is not None where a test does not hold."""
        match test:
            case ast.Compare(value, [ast.Is()], [ast.Constant(None)]):
                return self._place(value)
            case ast.BoolOp(ast.Or(), values):
                return set().union(*map(self._refuted, values))
            case ast.UnaryOp(ast.Not(), value):
                return self._proven(value)
        return set()

    def _place(self, value: ast.expr) -> set[str]:
        return {ast.dump(value)} if self._is_fixed(value) else set()

    def _is_fixed(self, value: ast.expr) -> bool:
        if isinstance(value, ast.Name):
            return value.id in self.fixed
        if isinstance(value, ast.Attribute):
            return self._is_fixed(value.value)
        if isinstance(value, ast.Subscript) and isinstance(value.slice, (ast.Constant, ast.Name)):
            return self._is_fixed(value.value) and (
                isinstance(value.slice, ast.Constant) or value.slice.id in self.fixed
            )
        return False


class _Marker(ast.NodeTransformer):
    def __init__(self, known: set[str], some: str):
        self.known = known
        self.some = some

    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == self.some:
            return node
        load = isinstance(getattr(node, "ctx", None), ast.Load)
        if load and isinstance(node, ast.expr) and ast.dump(node) in self.known:
            call = ast.Call(ast.Name(self.some, ast.Load()), [copy.deepcopy(node)], [])
            return ast.fix_missing_locations(ast.copy_location(call, node))
        return self.generic_visit(node)


def _marked(nodes: list[Node], known: set[str], some: str) -> list[Node]:
    """The nodes with a mark at everything that is known to be something."""
    return [_Marker(known, some).visit(node) for node in nodes] if known else nodes  # type: ignore[misc]


def _leaves(body: list[ast.stmt]) -> bool:
    return bool(body) and isinstance(body[-1], (ast.Return, ast.Raise, ast.Continue, ast.Break))
