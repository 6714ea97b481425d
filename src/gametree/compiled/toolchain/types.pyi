"""Numba's types, as far as this room uses them."""

import typing
from collections.abc import Iterator, Sequence

from gametree.compiled.toolchain import Signature

class Type:
    name: str
    def __init__(self, name: str) -> None: ...
    def __call__(self, *arguments: Type) -> Signature: ...
    def can_convert_to(self, context: typing.Any, other: Type) -> typing.Any: ...
    @property
    def key(self) -> typing.Any: ...

# --- numbers ---

class Integer(Type):
    bitwidth: int
    signed: bool

class Float(Type):
    bitwidth: int

class Boolean(Type): ...

class Literal(Type):
    literal_type: Type
    literal_value: typing.Any

class IntegerLiteral(Literal, Integer): ...
class BooleanLiteral(Literal, Boolean): ...
class StringLiteral(Literal): ...
class UnicodeType(Type): ...

boolean: Boolean
int8: Integer
int16: Integer
int32: Integer
int64: Integer
intp: Integer
uint8: Integer
uint16: Integer
uint32: Integer
uint64: Integer
float32: Float
float64: Float
none: Type
void: Type
unicode_type: UnicodeType
Any: Type

def unliteral(kind: Type) -> Type: ...

# --- what can be walked over ---

class Sized(Type): ...
class Hashable(Type): ...

class IterableType(Type):
    @property
    def iterator_type(self) -> typing.Any: ...

class SimpleIteratorType(IterableType):
    yield_type: Type
    def __init__(self, name: str, yield_type: Type) -> None: ...

class Generator(SimpleIteratorType):
    state_types: tuple[Type, ...]
    arg_types: tuple[Type, ...]

class RangeType(IterableType):
    dtype: Type

class BaseTuple(Sized):
    @classmethod
    def from_types(cls, tys: Sequence[Type | None], pyclass: type | None = None) -> BaseTuple: ...
    def __iter__(self) -> Iterator[Type]: ...
    def __len__(self) -> int: ...

class Tuple(BaseTuple):
    def __new__(cls, types: Sequence[Type]) -> BaseTuple: ...  # type: ignore[misc]

class UniTuple(BaseTuple):
    dtype: Type
    count: int
    def __init__(self, dtype: Type, count: int) -> None: ...

class BaseNamedTuple(BaseTuple):
    fields: tuple[str, ...]
    instance_class: type

class NamedUniTuple(BaseNamedTuple):
    dtype: Type
    count: int

class List(Sized, IterableType):
    dtype: Type
    def __init__(self, dtype: Type) -> None: ...

class Set(Sized, IterableType):
    dtype: Type

class Array(IterableType):
    dtype: Type
    ndim: int
    def __init__(self, dtype: Type, ndim: int, layout: str) -> None: ...

# --- the rest ---

class SliceType(Type): ...

class Optional(Type):
    type: Type
    def __init__(self, typ: Type) -> None: ...

class NoneType(Type): ...

class Omitted(Type):
    def __init__(self, default: typing.Any) -> None: ...

class CPointer(Type):
    def __init__(self, dtype: Type) -> None: ...

class EphemeralPointer(CPointer): ...
class Dummy(Type): ...

class Callable(Type):
    def get_call_type(self, context: typing.Any, args: typing.Any, kws: typing.Any) -> typing.Any: ...
    def get_call_signatures(self) -> tuple[Sequence[Signature], bool]: ...
    def get_impl_key(self, sig: Signature) -> typing.Any: ...

class NumberClass(Callable, Dummy):
    instance_type: typing.Any

class Function(Callable, Dummy):
    typing_key: typing.Any
    def __init__(self, template: typing.Any) -> None: ...

class BoundFunction(Callable, Dummy):
    template: typing.Any
    this: typing.Any
    def __init__(self, template: type, this: Type) -> None: ...

class Dispatcher(Callable, Dummy):
    def __init__(self, dispatcher: typing.Any) -> None: ...
