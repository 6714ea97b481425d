"""Numba's own intermediate representation, as far as this room uses it."""

from collections.abc import Sequence
from typing import Any

UNDEFINED: Any

class Var:
    name: str
    def __init__(self, scope: Any, name: str, loc: Any) -> None: ...

class Arg:
    index: int

class Const:
    value: Any
    loc: Any
    def __init__(self, value: Any, loc: Any) -> None: ...

class Global:
    name: str
    value: Any
    def __init__(self, name: str, value: Any, loc: Any) -> None: ...

class FreeVar:
    name: str
    value: Any

class Expr:
    op: str
    @staticmethod
    def call(func: Var, args: Sequence[Var], kws: Sequence[Any], loc: Any) -> Expr: ...
    def __getattr__(self, part: str) -> Any: ...

class Stmt:
    loc: Any

class Assign(Stmt):
    value: Any
    target: Var
    def __init__(self, value: Any, target: Var, loc: Any) -> None: ...

class SetItem(Stmt):
    index: Var

class Del(Stmt):
    value: str

class Branch(Stmt):
    cond: Var
    truebr: int
    falsebr: int
