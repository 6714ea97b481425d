"""`match` as the chain of tests that it stands for: machine code knows no patterns."""

import ast
import copy
from typing import Any

from gametree.compiled.frontend.comprehensions import PREFIX


def without_match(function: ast.FunctionDef, known: dict[str, str]) -> None:
    """Writes each `match` of a function as `if`s. A pattern that cannot be written so stays, and is refused later.

    `known`: the fields of classes by their global names.
    """
    _Matcher(known).visit(function)
    ast.fix_missing_locations(function)


class _Matcher(ast.NodeTransformer):
    def __init__(self, known: dict[str, str]):
        self.known = known
        self.count = 0

    def visit_Match(self, node: ast.Match) -> Any:
        self.generic_visit(node)
        subject = f"{PREFIX}subject{self.count}"
        done = f"{PREFIX}matched{self.count}"
        self.count += 1
        store = ast.Assign([ast.Name(subject, ast.Store())], node.subject)
        simple = all(_binds_nothing(case.pattern) for case in node.cases[:-1])
        statements: list[ast.stmt] = [store]
        try:
            cases = [(self._tests(case.pattern, _load(subject)), case) for case in node.cases]
        except _Unknown:
            return node
        if simple or not any(case.guard for case in node.cases):
            statements += _chain(cases)
        else:
            statements += _one_by_one(cases, done)
        statements = [
            copy.deepcopy(statement) for statement in statements
        ]  # the subject stands in many tests
        for statement in statements:
            for inner in ast.walk(statement):
                if isinstance(inner, (ast.stmt, ast.expr)) and not hasattr(inner, "lineno"):
                    ast.copy_location(inner, node)
        return statements

    def _tests(self, pattern: ast.pattern, value: ast.expr) -> tuple[list[ast.expr], list[ast.stmt]]:
        """The conditions of a pattern, each after those before it hold, and what it gives names to."""
        match pattern:
            case ast.MatchValue(other):
                return [ast.Compare(value, [ast.Eq()], [other])], []
            case ast.MatchSingleton(other):
                return [ast.Compare(value, [ast.Is()], [ast.Constant(other)])], []
            case ast.MatchAs(None, None):
                return [], []
            case ast.MatchAs(None, name):
                return [], [ast.Assign([ast.Name(str(name), ast.Store())], value)]
            case ast.MatchAs(inner, name) if inner is not None:
                tests, bound = self._tests(inner, value)
                return tests, [*bound, ast.Assign([ast.Name(str(name), ast.Store())], value)]
            case ast.MatchOr(patterns):
                each = [self._tests(one, value) for one in patterns]
                if any(bound for _, bound in each):
                    raise _Unknown
                return [ast.BoolOp(ast.Or(), [_all(tests) for tests, _ in each])], []
            case ast.MatchSequence(patterns):
                return self._sequence(patterns, value)
            case ast.MatchClass(ast.Name(name), patterns, names, inner) if (
                " " in self.known.get(name, "") + " "
            ):
                fields = self.known.get(name, "").split()
                if not fields or self.known[name] in ("enum", "replace", "deque", "module"):
                    raise _Unknown
                pairs = [*zip(fields, patterns), *zip(names, inner)]
                parts = [self._tests(one, ast.Attribute(value, field, ast.Load())) for field, one in pairs]
                return [t for tests, _ in parts for t in tests], [b for _, bound in parts for b in bound]
        raise _Unknown

    def _sequence(
        self, patterns: list[ast.pattern], value: ast.expr
    ) -> tuple[list[ast.expr], list[ast.stmt]]:
        length = ast.Call(ast.Name("len", ast.Load()), [value], [])
        star = next((i for i, one in enumerate(patterns) if isinstance(one, ast.MatchStar)), None)
        count = len(patterns) - (star is not None)
        sign: ast.cmpop = ast.Eq() if star is None else ast.GtE()
        tests: list[ast.expr] = [ast.Compare(length, [sign], [ast.Constant(count)])]
        bound: list[ast.stmt] = []
        for i, one in enumerate(patterns):
            after = len(patterns) - i
            if isinstance(one, ast.MatchStar):
                if one.name is not None:
                    end = ast.UnaryOp(ast.USub(), ast.Constant(after - 1)) if after > 1 else None
                    part = ast.Subscript(value, ast.Slice(ast.Constant(i), end), ast.Load())
                    listed = ast.Call(ast.Name("list", ast.Load()), [part], [])
                    bound.append(ast.Assign([ast.Name(one.name, ast.Store())], listed))
                continue
            at: ast.expr = ast.Constant(i)
            if star is not None and i > star:
                at = ast.UnaryOp(ast.USub(), ast.Constant(after))
            more, names = self._tests(one, ast.Subscript(value, at, ast.Load()))
            tests += more
            bound += names
        return tests, bound


class _Unknown(Exception):
    """A pattern that stays as it is."""


def _load(name: str) -> ast.expr:
    return ast.Name(name, ast.Load())


def _all(tests: list[ast.expr]) -> ast.expr:
    if not tests:
        return ast.Constant(True)
    return tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests)


def _binds_nothing(pattern: ast.pattern) -> bool:
    return not any(isinstance(one, (ast.MatchAs, ast.MatchStar)) and one.name for one in ast.walk(pattern))


def _chain(cases: list[tuple[tuple[list[ast.expr], list[ast.stmt]], ast.match_case]]) -> list[ast.stmt]:
    """if, elif … where no guard needs a name that its pattern gives."""
    if not cases:
        return []
    ((tests, bound), case), *rest = cases
    guarded = [*tests, *([case.guard] if case.guard is not None else [])]
    if not guarded:
        return [*bound, *case.body]
    if bound and case.guard is not None:
        guarded = tests
        inner: list[ast.stmt] = [*bound, ast.If(case.guard, case.body, [])]
        if not rest:
            return [ast.If(_all(tests), inner, [])] if tests else inner
    return [ast.If(_all(guarded), [*bound, *case.body], _chain(rest))]


def _one_by_one(
    cases: list[tuple[tuple[list[ast.expr], list[ast.stmt]], ast.match_case]], done: str
) -> list[ast.stmt]:
    """Each case where none before it has matched."""
    statements: list[ast.stmt] = [ast.Assign([ast.Name(done, ast.Store())], ast.Constant(False))]
    for (tests, bound), case in cases:
        body: list[ast.stmt] = [ast.Assign([ast.Name(done, ast.Store())], ast.Constant(True)), *case.body]
        if case.guard is not None:
            body = [ast.If(case.guard, body, [])]
        test = _all([ast.UnaryOp(ast.Not(), _load(done)), *tests])
        statements.append(ast.If(test, [*bound, *body], []))
    return statements
