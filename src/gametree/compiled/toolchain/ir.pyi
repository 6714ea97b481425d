"""Numba's own intermediate representation, as far as this room uses it."""

from typing import Any

class Var:
    name: str

class Arg:
    index: int

class Const:
    value: Any
    loc: Any
    def __init__(self, value: Any, loc: Any) -> None: ...

class Global:
    name: str
    value: Any

class FreeVar:
    name: str
    value: Any

class Expr:
    op: str
    def __getattr__(self, part: str) -> Any: ...

class Stmt:
    loc: Any

class Assign(Stmt):
    value: Any
    target: Var

class SetItem(Stmt):
    index: Var

class Del(Stmt):
    value: str

class Branch(Stmt):
    cond: Var
    truebr: int
    falsebr: int
