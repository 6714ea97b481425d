"""Plain Python that Numba refuses, rewritten into plain Python that it takes. The meaning stays.

Every rule works on the syntax tree of one function. Comprehensions inside `any`, `sum`, `max` and the like become
functions of their own ("lifting"), with the variables they use as parameters; `actions` that return something become
generators; what the interpreter alone has to say (messages of exceptions) is left out, because errors are replayed
interpreted anyway.
"""

import ast
import copy
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from gametree.compiled.frontend import matching, narrowing
from gametree.compiled.frontend.comprehensions import FOLDS, PREFIX, Rename, targets
from gametree.compiled.frontend.returns import into_generator, into_one_list, is_empty

ITERABLES = frozenset({"actions", "tactical", "features", "chance", "symmetries"})
"""Members of the contract that return an iterable."""
AS_STATE = "_gt_as_state"
AS_ACTION = "_gt_as_action"
SOME = "_gt_some"


@dataclass
class Context:
    """What the rules need to know about the function's surroundings."""

    contract: frozenset[str]
    """Names of the members of the contract."""
    methods: frozenset[str]
    """Methods of the game that are not members of the contract."""
    parts: dict[str, str]
    """Methods and properties of named tuples: name → "method" or "property"."""
    is_method: bool
    """Whether the first parameter is the game."""
    returns_state: bool = False
    """Whether the contract wants a state from it."""
    for_none: ast.expr | None = None
    """What stands for None where the contract lets a method return it."""
    returns_action: bool = False
    """Whether it gives actions, which have several forms in this game."""
    text: Callable[[str], str] = str
    """The name under which compiled code knows a text."""
    known: dict[str, str] = field(default_factory=dict)
    """Global names of which the rules have to know what they are: see `functions._known`."""
    measured: frozenset[str] = frozenset()
    """Members that the rules themselves call: they may ask for len() or an index, so they stay lists."""


@dataclass
class Rewritten:
    """The new function, and functions that were lifted out of it."""

    function: ast.FunctionDef
    lifted: list[ast.FunctionDef] = field(default_factory=list)


def rewrite(function: ast.FunctionDef, context: Context) -> Rewritten:
    """Applies every rule to a copy of a function."""
    node = copy.deepcopy(function)
    node.decorator_list = []
    node.returns = None
    for argument in [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]:
        argument.annotation = None
    matching.without_match(node, context.known)
    narrowing.narrow(node, SOME)
    if context.returns_action:
        _cast_appended(node)
        into_generator(node, always=True)
    elif node.name in ITERABLES and node.name not in context.measured:
        into_generator(node)
    else:
        into_one_list(node)
    lifter = _Rules(node, context)
    node = lifter.whole()
    ast.fix_missing_locations(node)
    for part in lifter.lifted:
        ast.fix_missing_locations(part)
    return Rewritten(node, lifter.lifted)


def _cast_appended(function: ast.FunctionDef) -> None:
    """What is appended to a list that is returned is an action."""
    returned = {
        node.value.id
        for node in ast.walk(function)
        if isinstance(node, ast.Return) and isinstance(node.value, ast.Name)
    }
    for node in ast.walk(function):
        match node:
            case ast.Call(ast.Attribute(ast.Name(name), "append"), [item]) if name in returned:
                node.args = [ast.copy_location(ast.Call(ast.Name(AS_ACTION, ast.Load()), [item], []), item)]
            case ast.Assign([ast.Name(name)], ast.List(items)) if name in returned:
                calls = [ast.Call(ast.Name(AS_ACTION, ast.Load()), [item], []) for item in items]
                node.value.elts = [ast.copy_location(call, node) for call in calls]  # type: ignore[attr-defined]
            case ast.Assign([ast.Name(name)], ast.ListComp(item)) if name in returned:
                call = ast.Call(ast.Name(AS_ACTION, ast.Load()), [item], [])
                node.value.elt = ast.copy_location(call, item)  # type: ignore[attr-defined]


def _alike(items: list[ast.expr]) -> bool:
    """Whether a list display may stand as a tuple: not empty, and not ints mixed with floats."""
    return bool(items) and len({type(item.value) for item in items if isinstance(item, ast.Constant)}) <= 1


def _unwalrus(test: ast.expr) -> tuple[ast.expr, list[ast.stmt]]:
    """A test without assignment expressions that are always evaluated, and the assignments to make before it."""
    before: list[ast.stmt] = []

    class Hoist(ast.NodeTransformer):
        def visit_NamedExpr(self, node: ast.NamedExpr) -> ast.AST:
            self.generic_visit(node)
            store = ast.Name(node.target.id, ast.Store())
            before.append(ast.copy_location(ast.Assign([ast.copy_location(store, node)], node.value), node))
            return ast.copy_location(ast.Name(node.target.id, ast.Load()), node)

        def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
            node.values[0] = self.visit(node.values[0])
            return node

        def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
            node.test = self.visit(node.test)
            return node

        def _leave(self, node: ast.AST) -> ast.AST:
            return node

        visit_Lambda = visit_ListComp = visit_GeneratorExp = visit_SetComp = visit_DictComp = _leave  # noqa: N815

    test = Hoist().visit(test)
    return test, before


_FOLDS = frozenset({"any", "all", "sum", "min", "max", "set", "frozenset", "list", "tuple", "sorted", "next"})


class _Rules(ast.NodeTransformer):
    """The rules on statements and expressions, innermost first."""

    def __init__(self, function: ast.FunctionDef, context: Context):
        self.function = function
        self.context = context
        self.lifted: list[ast.FunctionDef] = []
        self.local = self._local_names(function)
        self.inner: list[set[str]] = []
        self.depth = 0
        arguments = [*function.args.posonlyargs, *function.args.args]
        self.me = arguments[0].arg if context.is_method and arguments else None

    @staticmethod
    def _local_names(function: ast.FunctionDef) -> set[str]:
        a = function.args
        names = {p.arg for p in [*a.posonlyargs, *a.args, *a.kwonlyargs]}
        for node in ast.walk(function):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                names.add(node.id)
            elif isinstance(node, (ast.FunctionDef,)) and node is not function:
                names.add(node.name)
            elif isinstance(node, ast.arg):
                names.add(node.arg)
            elif isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name:
                names.add(node.name)
        return names

    def whole(self) -> ast.FunctionDef:
        """The function with every rule applied."""
        defaults = self.function.args.defaults, self.function.args.kw_defaults
        self.function.args.defaults, self.function.args.kw_defaults = [], []
        node = self.generic_visit(self.function)
        assert isinstance(node, ast.FunctionDef)
        node.args.defaults, node.args.kw_defaults = defaults
        return node

    # --- statements ---

    def visit_Return(self, node: ast.Return) -> ast.AST:
        self.generic_visit(node)
        if self.context.for_none is not None and self.depth == 0:
            node.value = _without_none(node.value, self.context.for_none)
        if self.context.returns_state and node.value is not None and self.depth == 0:
            call = ast.Call(ast.Name(AS_STATE, ast.Load()), [node.value], [])
            node.value = ast.copy_location(call, node.value)
        return node

    def visit_Yield(self, node: ast.Yield) -> ast.AST:
        self.generic_visit(node)
        if self.context.returns_action and node.value is not None and self.depth == 0:
            node.value = ast.copy_location(ast.Call(ast.Name(AS_ACTION, ast.Load()), [node.value], []), node)
        return node

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        if node.exc is None:
            return node
        plain = ast.Raise(exc=ast.Name("ValueError", ast.Load()), cause=None)
        return ast.copy_location(plain, node)

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        node.msg = None
        return self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        if isinstance(node.value, ast.YieldFrom):
            name = self._fresh("each")
            loop = ast.For(
                target=ast.Name(name, ast.Store()),
                iter=node.value.value,
                body=[ast.Expr(ast.Yield(ast.Name(name, ast.Load())))],
                orelse=[],
            )
            self.local.add(name)
            return self.visit(ast.copy_location(loop, node))  # type: ignore[no-any-return]
        if isinstance(node.value, ast.Constant):
            return ast.copy_location(ast.Pass(), node)
        if (
            isinstance(node.value, ast.Call)
            and isinstance(node.value.func, ast.Attribute)
            and node.value.func.attr == "sort"
            and any(k.arg == "key" for k in node.value.keywords)
            and isinstance(node.value.func.value, ast.Name)
        ):
            call = node.value
            target = call.func.value  # type: ignore[attr-defined]
            ordered = ast.Call(ast.Name("sorted", ast.Load()), [copy.deepcopy(target)], call.keywords)
            whole = ast.Slice(None, None, None)
            store = ast.Subscript(copy.deepcopy(target), whole, ast.Store())
            return self.visit(ast.copy_location(ast.Assign([store], ordered), node))  # type: ignore[no-any-return]
        return self.generic_visit(node)

    def visit_If(self, node: ast.If) -> "ast.AST | list[ast.stmt]":
        node.test, before = _unwalrus(node.test)
        self.generic_visit(node)
        return [*(self.visit(assign) for assign in before), node]

    def visit_While(self, node: ast.While) -> "ast.AST | list[ast.stmt]":
        """`while (x := f()) > 0:` assigns at the head of an endless loop and leaves it by a break."""
        test, before = _unwalrus(node.test)
        if before and not node.orelse:
            leave = ast.If(ast.UnaryOp(ast.Not(), test), [ast.Break()], [])
            for statement in ast.walk(leave):
                ast.copy_location(statement, node.test)
            node.test = ast.copy_location(ast.Constant(True), node.test)
            node.body = [*before, leave, *node.body]
        return self.generic_visit(node)

    def visit_For(self, node: ast.For) -> ast.AST:
        if isinstance(node.iter, ast.List) and _alike(node.iter.elts):
            node.iter = ast.copy_location(ast.Tuple(node.iter.elts, ast.Load()), node.iter)
        if isinstance(node.iter, ast.GeneratorExp):
            node.iter = ast.copy_location(ast.ListComp(node.iter.elt, node.iter.generators), node.iter)
        return self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        if len(node.targets) == 1 and isinstance(node.targets[0], (ast.Tuple, ast.List)):
            names = node.targets[0].elts
            stars = [i for i, name in enumerate(names) if isinstance(name, ast.Starred)]
            if len(stars) == 1:
                return self.visit(ast.copy_location(self._unstarred(node, names, stars[0]), node))  # type: ignore[no-any-return]
            if not stars and not isinstance(node.value, (ast.Tuple, ast.List)):
                unpack = ast.Name(f"{PREFIX}unpack_{len(names)}", ast.Load())
                node.value = ast.copy_location(ast.Call(unpack, [node.value], []), node.value)
        return self.generic_visit(node)

    def _unstarred(self, node: ast.Assign, names: list[ast.expr], star: int) -> ast.Assign:
        """`a, *b, c = t` takes items and a slice."""
        after = len(names) - star - 1
        parts: list[ast.expr] = []
        targets: list[ast.expr] = []
        loaded = {
            n.id for n in ast.walk(self.function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)
        }
        for i, name in enumerate(names):
            value = copy.deepcopy(node.value)
            if (
                isinstance(name, ast.Starred)
                and isinstance(name.value, ast.Name)
                and name.value.id not in loaded
            ):
                continue
            if isinstance(name, ast.Starred):
                low = ast.Constant(star) if star else None
                high = ast.UnaryOp(ast.USub(), ast.Constant(after)) if after else None
                index: ast.expr = ast.Slice(low, high)
                targets.append(name.value)
            else:
                at = i if i < star else i - len(names)
                index = ast.Constant(at) if at >= 0 else ast.UnaryOp(ast.USub(), ast.Constant(-at))
                targets.append(name)
            part: ast.expr = ast.Subscript(value, index, ast.Load())
            if isinstance(name, ast.Starred):
                part = ast.Call(ast.Name("list", ast.Load()), [part], [])
            parts.append(part)
        return ast.Assign([ast.Tuple(targets, ast.Store())], ast.Tuple(parts, ast.Load()))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        for argument in node.args.args:
            argument.annotation = None
        self.depth += 1
        self.generic_visit(node)
        self.depth -= 1
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value is None:
            return ast.copy_location(ast.Pass(), node)
        plain = ast.Assign([node.target], node.value)
        return self.visit(ast.copy_location(plain, node))  # type: ignore[no-any-return]

    # --- expressions ---

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if isinstance(node.value, str):
            return ast.copy_location(ast.Name(self.context.text(node.value), ast.Load()), node)
        return node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        """f"{a}{b}" is a + b, where nothing is said about the format."""
        whole: ast.expr | None = None
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                if part.format_spec is not None or part.conversion not in (-1, 115):
                    return node
                part = ast.Call(ast.Name("str", ast.Load()), [part.value], [])
            whole = part if whole is None else ast.BinOp(whole, ast.Add(), part)
        made = ast.Constant("") if whole is None else whole
        for inner in ast.walk(made):
            if not hasattr(inner, "lineno"):
                ast.copy_location(inner, node)
        return self.visit(made)  # type: ignore[no-any-return]

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """An enum by its name alone is the tuple of its members."""
        if self._is_known(node, "enum"):
            return ast.copy_location(ast.Name(f"{PREFIX}members_{node.id}", ast.Load()), node)
        return node

    def _is_known(self, node: ast.expr, what: str) -> bool:
        return (
            isinstance(node, ast.Name)
            and isinstance(node.ctx, ast.Load)
            and self.context.known.get(node.id) == what
            and node.id not in self.local
        )

    def _called(self, node: ast.Call, name: str) -> bool:
        """Whether a call is one of a function that rules know by this name."""
        if isinstance(node.func, ast.Attribute):
            return node.func.attr == name and self._is_known(node.func.value, "module")
        return self._is_known(node.func, name)

    def visit_Tuple(self, node: ast.Tuple) -> ast.AST:
        """(*t, x) is t + (x,)."""
        if isinstance(node.ctx, ast.Load) and any(isinstance(part, ast.Starred) for part in node.elts):
            whole: ast.expr | None = None
            for part in node.elts:
                spread = isinstance(part, ast.Starred)
                piece = part.value if isinstance(part, ast.Starred) else ast.Tuple([part], ast.Load())
                if spread and isinstance(piece, (ast.GeneratorExp, ast.ListComp)):
                    piece = ast.Call(ast.Name("tuple", ast.Load()), [piece], [])
                whole = piece if whole is None else ast.BinOp(whole, ast.Add(), piece)
            assert whole is not None
            for inner in ast.walk(whole):
                if not hasattr(inner, "lineno"):
                    ast.copy_location(inner, node)
            return self.visit(whole)  # type: ignore[no-any-return]
        return self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        """A range here and a list there are two lists."""
        if any(map(_is_range, (node.body, node.orelse))) and not all(
            map(_is_range, (node.body, node.orelse))
        ):
            node.body, node.orelse = _as_list(node.body), _as_list(node.orelse)
        return self.generic_visit(node)

    def _of_library(self, node: ast.Call) -> ast.AST | None:
        """What enums, dataclasses and deques are made with, and `frozenset()`."""
        new: ast.expr | None = None
        if self._is_known(node.func, "enum") and len(node.args) == 1:
            name = node.func.id  # type: ignore[attr-defined]
            values = ast.Name(f"{PREFIX}values_{name}", ast.Load())
            place = ast.Call(ast.Attribute(values, "index", ast.Load()), node.args, [])
            new = ast.Subscript(ast.Name(f"{PREFIX}members_{name}", ast.Load()), place, ast.Load())
        elif self._called(node, "replace") and len(node.args) == 1:
            new = ast.Call(ast.Attribute(node.args[0], "_replace", ast.Load()), [], node.keywords)
        elif self._called(node, "deque") and not node.keywords:
            listed = ast.Call(ast.Name("list", ast.Load()), node.args, [])
            plain = node.args and isinstance(node.args[0], ast.List)
            new = node.args[0] if plain else listed if node.args else ast.List([], ast.Load())
        elif isinstance(node.func, ast.Name) and node.func.id == "frozenset" and not node.args:
            new = ast.Tuple([], ast.Load())
        elif isinstance(node.func, ast.Name) and node.func.id == "frozenset" and len(node.args) == 1:
            if not isinstance(node.args[0], (ast.GeneratorExp, ast.ListComp, ast.SetComp)):
                return self._packed(node, "frozenset")
        elif isinstance(node.func, ast.Name) and node.func.id == "tuple" and len(node.args) == 1:
            if (
                not isinstance(node.args[0], (ast.GeneratorExp, ast.ListComp))
                and node.func.id not in self.local
            ):
                return self._packed(node, "tuple")
        elif isinstance(node.func, ast.Attribute) and node.func.attr == "popleft":
            new = ast.Call(ast.Attribute(node.func.value, "pop", ast.Load()), [ast.Constant(0)], [])
        elif isinstance(node.func, ast.Attribute) and node.func.attr == "appendleft":
            new = ast.Call(
                ast.Attribute(node.func.value, "insert", ast.Load()), [ast.Constant(0), *node.args], []
            )
        if new is None:
            return None
        for inner in ast.walk(new):
            if not hasattr(inner, "lineno"):
                ast.copy_location(inner, node)
        return self.visit(new)  # type: ignore[no-any-return]

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        match node:
            case ast.Compare(ast.Constant(None), [ast.In() | ast.NotIn() as how], [row]):
                asked: Any = ast.parse("any(_gt_one is None for _gt_one in ROW)", mode="eval").body
                asked.args[0].generators[0].iter = row
                for inner in ast.walk(asked):
                    if isinstance(inner, ast.expr):
                        ast.copy_location(inner, node)
                made = asked if isinstance(how, ast.In) else ast.UnaryOp(ast.Not(), asked)
                return self.visit(ast.copy_location(made, node))  # type: ignore[no-any-return]
        for i, operator in enumerate(node.ops):
            right = node.comparators[i]
            if (
                isinstance(operator, (ast.In, ast.NotIn))
                and isinstance(right, (ast.Set, ast.List))
                and right.elts
            ):
                node.comparators[i] = ast.copy_location(ast.Tuple(right.elts, ast.Load()), right)
        if (
            len(node.ops) == 1
            and isinstance(node.ops[0], (ast.Eq, ast.NotEq))
            and is_empty(node.comparators[0])
        ):
            length = ast.Call(ast.Name("len", ast.Load()), [node.left], [])
            node = ast.copy_location(ast.Compare(length, node.ops, [ast.Constant(0)]), node)
        return self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if not self._is_known(node.value, "enum"):
            self.generic_visit(node)
        mine = isinstance(node.value, ast.Name) and node.value.id == self.me
        if isinstance(node.ctx, ast.Load) and self.context.parts.get(node.attr) == "property" and not mine:
            name = ast.Name(f"{PREFIX}part_{node.attr}", ast.Load())
            return ast.copy_location(ast.Call(name, [node.value], []), node)
        return node

    def visit_SetComp(self, node: ast.SetComp) -> ast.AST:
        return self._lift("set", node, [], node)

    def visit_ListComp(self, node: ast.ListComp) -> ast.AST:
        return self._lift("list", node, [], node)

    def visit_DictComp(self, node: ast.DictComp) -> ast.AST:
        pair = ast.ListComp(ast.Tuple([node.key, node.value], ast.Load()), node.generators)
        return self._lift("dict", pair, [], node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.AST:
        return self._lift("list", node, [], node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("count", "index"):
            # Where an argument is None, Numba leaves out comparisons with it.
            node.args = [_nothing_for(part) for part in node.args]
        special = self._of_library(node) or self._super(node) or self._bits(node) or self._fold(node)
        if special is not None:
            return special
        for keyword in node.keywords:
            if keyword.arg == "start" and isinstance(node.func, ast.Name) and node.func.id == "enumerate":
                node.args.append(keyword.value)
                node.keywords = [k for k in node.keywords if k is not keyword]
        if isinstance(node.func, ast.Attribute) and isinstance(node.func.ctx, ast.Load):
            owner, name = node.func.value, node.func.attr
            mine = isinstance(owner, ast.Name) and owner.id == self.me
            if mine and name in self.context.methods:
                node.func = ast.copy_location(ast.Name(f"{PREFIX}own_{name}", ast.Load()), node.func)
                node.args.insert(0, owner)
            elif not mine and self.context.parts.get(name) == "method":
                node.func = ast.copy_location(ast.Name(f"{PREFIX}part_{name}", ast.Load()), node.func)
                node.args.insert(0, owner)
        return self.generic_visit(node)

    def _packed(self, node: ast.Call, made: str) -> ast.AST:
        """`tuple(x)` in the form in which the state has such tuples."""
        plain: Any = self._fold(node) or self.generic_visit(node)
        call = ast.Call(ast.Name(f"{PREFIX}as_{made}", ast.Load()), [plain], [])
        return ast.fix_missing_locations(ast.copy_location(call, node))

    def _super(self, node: ast.Call) -> ast.AST | None:
        """`super().result(s, a)` names the next class's method directly."""
        match node.func:
            case ast.Attribute(ast.Call(ast.Name("super"), _, _), name) if self.me:
                node.func = ast.copy_location(ast.Name(f"{PREFIX}super_{name}", ast.Load()), node.func)
                node.args.insert(0, ast.Name(self.me, ast.Load()))
                return self.generic_visit(node)
        return None

    def _bits(self, node: ast.Call) -> ast.AST | None:
        """`bin(x).count("1")` counts bits."""
        match node:
            case ast.Call(
                ast.Attribute(ast.Call(ast.Name("bin"), [number], []), "count"), [ast.Constant("1")], []
            ):
                call = ast.Call(ast.Attribute(number, "bit_count", ast.Load()), [], [])
                return self.visit(ast.copy_location(call, node))  # type: ignore[no-any-return]
        return None

    def _fold(self, node: ast.Call) -> ast.AST | None:
        if not (isinstance(node.func, ast.Name) and node.func.id in _FOLDS and node.args):
            return None
        kind = node.func.id
        if kind in self.local:
            return None
        source = node.args[0]
        keys = {k.arg: k.value for k in node.keywords}
        rest = node.args[1:]
        if kind == "next":
            if (
                isinstance(source, ast.Call)
                and isinstance(source.func, ast.Name)
                and source.func.id == "iter"
            ):
                source = source.args[0]
            elif not isinstance(source, ast.GeneratorExp):
                return None
            if rest:
                keys["default"] = rest[0]
            rest = []
        comprehension = isinstance(source, (ast.GeneratorExp, ast.ListComp))
        if not comprehension:
            if (kind in ("min", "max") and not rest and keys) or (kind in ("sorted", "next")):
                pass
            else:
                return None
        if kind in ("min", "max") and rest:
            return None
        if not isinstance(source, (ast.GeneratorExp, ast.ListComp)):
            name = self._fresh("x")
            target = ast.Name(name, ast.Store())
            clause = ast.comprehension(target=target, iter=source, ifs=[], is_async=0)
            source = ast.copy_location(ast.GeneratorExp(ast.Name(name, ast.Load()), [clause]), node)
            ast.fix_missing_locations(source)
        extra = [ast.keyword(arg, value) for arg, value in keys.items()]
        if rest:
            extra.append(ast.keyword("start", rest[0]))
        return self._lift(kind, source, extra, node)

    # --- lifting ---

    def _fresh(self, what: str) -> str:
        return f"{PREFIX}{what}_{self.function.name}_{len(self.lifted)}_{len(self.inner)}"

    def _lift(
        self,
        kind: str,
        source: "ast.ListComp | ast.GeneratorExp | ast.SetComp",
        extra: list[ast.keyword],
        at: ast.AST,
    ) -> ast.AST:
        """A comprehension, and what is done with it, as a function of its own."""
        bound = targets(source.generators)
        name = f"{PREFIX}lift_{self.function.name}_{id(at):x}"
        self.inner.append(bound)
        item = self.visit(source.elt)
        clauses = []
        for clause in source.generators:
            if isinstance(clause.iter, ast.List) and _alike(clause.iter.elts):
                clause.iter = ast.copy_location(ast.Tuple(clause.iter.elts, ast.Load()), clause.iter)
            clauses.append(
                ast.comprehension(
                    target=clause.target,
                    iter=self.visit(clause.iter),
                    ifs=[self.visit(test) for test in clause.ifs],
                    is_async=0,
                )
            )
        keys = {k.arg: self._prepared(k.arg, k.value) for k in extra}
        self.inner.pop()
        body = FOLDS[kind](item, clauses, keys)
        known = self.local | set().union(*self.inner) if self.inner else set(self.local)
        used = {n.id for s in body for n in ast.walk(s) if isinstance(n, ast.Name)}
        free = sorted((used & known) - bound)
        index = len(self.lifted)
        name = f"{PREFIX}lift{index}_{self.function.name}"
        function = ast.FunctionDef(
            name=name,
            args=ast.arguments(
                posonlyargs=[], args=[ast.arg(n) for n in free], kwonlyargs=[], kw_defaults=[], defaults=[]
            ),
            body=body,
            decorator_list=[],
        )
        if hasattr(function, "type_params"):
            function.type_params = []
        ast.copy_location(function, at)
        for statement in ast.walk(function):
            if isinstance(statement, (ast.stmt, ast.expr)) and not hasattr(statement, "lineno"):
                ast.copy_location(statement, at)
        self.lifted.append(function)
        call = ast.Call(ast.Name(name, ast.Load()), [ast.Name(n, ast.Load()) for n in free], [])
        return ast.fix_missing_locations(ast.copy_location(call, at))

    def _prepared(self, name: str | None, value: ast.expr) -> ast.expr:
        """A key function stays a lambda to be put in place; other arguments are rewritten."""
        if name == "key" and isinstance(value, ast.Lambda):
            parameter = value.args.args[0].arg
            body = Rename({parameter: f"{PREFIX}v"}).visit(copy.deepcopy(value.body))
            return self.visit(body)  # type: ignore[no-any-return]
        if name == "key":
            if isinstance(value, ast.Name) and value.id == "len":
                pass
            call = ast.Call(value, [ast.Name(f"{PREFIX}v", ast.Load())], [])
            return self.visit(ast.fix_missing_locations(ast.copy_location(call, value)))  # type: ignore[no-any-return]
        return self.visit(value)  # type: ignore[no-any-return]


def _nothing_for(node: ast.expr) -> ast.expr:
    if isinstance(node, ast.Constant) and node.value is None:
        return ast.copy_location(ast.Name(f"{PREFIX}nothing_", ast.Load()), node)
    return node


def _is_range(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range"


def _as_list(node: ast.expr) -> ast.expr:
    if isinstance(node, (ast.List, ast.ListComp)):
        return node
    return ast.copy_location(ast.Call(ast.Name("list", ast.Load()), [node], []), node)


def _without_none(value: ast.expr | None, instead: ast.expr) -> ast.expr:
    """`return None`, and `return x if c else None`, with something else for None."""
    if value is None or (isinstance(value, ast.Constant) and value.value is None):
        made = copy.deepcopy(instead)
        return made if value is None else ast.copy_location(made, value)
    if isinstance(value, ast.IfExp):
        value.body = _without_none(value.body, instead)
        value.orelse = _without_none(value.orelse, instead)
    return value
