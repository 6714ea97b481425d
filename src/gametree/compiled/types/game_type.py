"""A game as a Numba type: its constants fold into the code, its arrays are pointers, its methods are native calls.

`self.width` types as a number and lowers to a constant. `self.table`, an array, lowers to a view on memory that
the caller keeps alive; only its kind is in the type, so that games which differ in contents share machine code.
`self.actions` types as a bound function; what the contract says about its result is cast there (see `casts.py`).
"""

import inspect
import itertools
import types as python_types
from typing import Any, ClassVar

import numpy as np

from gametree.compiled.fingerprint import unwrap
from gametree.compiled.toolchain import (
    INT64,
    AbstractTemplate,
    AttributeTemplate,
    cgutils,
    errors,
    infer_getattr,
    llvm,
    lower_getattr_generic,
    models,
    populate_array,
    register_model,
    signature,
    typeof,
    types,
)
from gametree.compiled.types import casts, constants
from gametree.game import offers

_numbers = itertools.count()
DEFAULTS = {"sensible": "actions", "urgency": "order"}


class GameType(types.Type):
    """The Numba type of games with one fingerprint."""

    def __init__(self, fingerprint: str, unit: Any):
        self.unit = unit
        self.game: Any = unit.game
        # Numba takes types of one name for one type: another unit has to have another name.
        super().__init__(f"{type(unit.game).__name__}.{fingerprint}.{next(_numbers)}")

    @property
    def arrays(self) -> list[tuple[str, types.Array]]:
        """Name and Numba type of each array attribute, in the order in which they are passed."""
        return [(name, array_type(value)) for name, value in self.unit.arrays]

    @property
    def members(self) -> list[tuple[str, types.Type]]:
        """The machine representation: nothing, or where the table of data pointers and extents lies."""
        return [("table", types.CPointer(types.int64))] if self.unit.arrays else []

    def place(self, name: str) -> int:
        """Where in the table an array begins: its data pointer, then its extents."""
        position = 0
        for other, kind in self.arrays:
            if other == name:
                return position
            position += 1 + kind.ndim
        raise KeyError(name)


def array_type(value: "np.ndarray[Any, Any]") -> types.Array:
    """Arrays are copied C-contiguous before they are passed, whatever they were."""
    return types.Array(typeof(value).dtype, value.ndim, "C")


@register_model(GameType)
class _GameModel(models.StructModel):
    def __init__(self, manager: Any, kind: GameType):
        super().__init__(manager, kind, kind.members)


class Method(types.BoundFunction):
    """`game.actions`: the game and the method's name; `typing_key` finds the implementation."""

    def get_impl_key(self, sig: Any) -> Any:
        return self.template.implementations[sig.args]


@register_model(Method)
class _MethodModel(models.StructModel):
    def __init__(self, manager: Any, kind: Method):
        super().__init__(manager, kind, kind.this.members)


def _method_template(kind: GameType, name: str) -> type:
    unit = kind.unit
    static = isinstance(inspect.getattr_static(kind.game, name), staticmethod)
    dispatcher = unit.dispatcher(unwrap(inspect.getattr_static(type(kind.game), name)))

    class Template(AbstractTemplate):
        key = (kind, name)
        implementations: ClassVar[dict[Any, Any]] = {}

        def generic(self, args: Any, kws: Any) -> Any:
            if self.context.callstack.findfirst(dispatcher.py_func) is not None:
                raise errors.TypingError(f"the method {name} calls itself through self")
            args = tuple(types.unliteral(argument) for argument in args)
            kws = {key: types.unliteral(argument) for key, argument in kws.items()}
            receiver = () if static else (kind,)
            inner = types.Dispatcher(dispatcher).get_call_type(self.context, (*receiver, *args), kws)
            pysig, folded = dispatcher.fold_argument_types((*receiver, *args), kws)
            inner = signature(inner.return_type, *folded)
            outer, convert = casts.contract_cast(kind, name, inner.return_type)
            visible = folded if static else folded[1:]
            if static:
                pysig = pysig.replace(
                    parameters=[
                        inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD),
                        *pysig.parameters.values(),
                    ]
                )
            target = dispatcher.targetctx
            found = (kind, name, visible, inner.return_type)

            def implementation(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
                entry = dispatcher.get_overload(inner)
                call = context.get_function(entry, inner)
                context.add_linking_libs(getattr(call, "libs", ()))
                value = call(builder, arguments[1:] if static else arguments)
                return convert(context, builder, value)

            self.implementations[(kind, *visible)] = found
            target.insert_func_defn([(implementation, found, (kind, *visible))])
            return signature(outer, kind, *visible).replace(pysig=pysig).as_method()

    return Template


@infer_getattr
class _GameAttributes(AttributeTemplate):
    key = GameType

    def generic_resolve(self, kind: GameType, name: str) -> Any:
        unit = kind.unit
        if not hasattr(kind.game, name):
            raise errors.TypingError(f"{type(kind.game).__name__} has no attribute {name!r}")
        # What these are by default, without a method between that only hands on.
        if name in DEFAULTS and not offers(kind.game, name):
            name = DEFAULTS[name]
        if unit.is_method(name):
            known = unit.methods
            if name not in known:
                known[name] = Method(_method_template(kind, name), kind)
            return known[name]
        value = getattr(kind.game, name)
        if isinstance(value, np.ndarray):
            return array_type(value)
        found = constants.type_of(value)
        if found is None:
            raise errors.TypingError(
                f"the attribute self.{name} is {type(value).__name__}, which compiled code cannot use"
            )
        return found


@lower_getattr_generic(GameType)
def _lower_attribute(context: Any, builder: Any, kind: GameType, value: Any, name: str) -> Any:
    attribute = getattr(kind.game, name)
    if not isinstance(attribute, np.ndarray):
        found = constants.type_of(attribute)
        assert found is not None  # `_GameAttributes` has refused it
        return constants.lower(context, builder, found, attribute)
    struct = cgutils.create_struct_proxy(kind)(context, builder, value=value)
    result = array_type(attribute)
    start = kind.place(name)
    words = []
    for position in range(start, start + 1 + result.ndim):
        word = builder.load(builder.gep(struct.table, [llvm.Constant(INT64, position)]))
        # The table does not change while a kernel runs.
        word.set_metadata("invariant.load", builder.module.add_metadata([]))
        words.append(word)
    data = builder.inttoptr(words[0], context.get_data_type(result.dtype).as_pointer())
    return make_view(context, builder, result, data, words[1:])


def make_view(context: Any, builder: Any, kind: types.Array, data: Any, extents: list[Any]) -> Any:
    """A C-contiguous array over memory that somebody else owns."""
    itemsize = context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(kind.dtype)))
    strides = [itemsize]
    for extent in reversed(extents[1:]):
        strides.insert(0, builder.mul(strides[0], extent))
    array = context.make_array(kind)(context, builder)
    populate_array(array, data=data, shape=extents, strides=strides, itemsize=itemsize, meminfo=None)
    return array._getvalue()


def game_at(context: Any, builder: Any, kind: GameType, table: Any) -> Any:
    """The game whose table of arrays begins at a pointer."""
    struct = cgutils.create_struct_proxy(kind)(context, builder)
    if kind.members:
        struct.table = table
    return struct._getvalue()


def is_plain_function(value: Any) -> bool:
    """Whether a class member is code that can be compiled."""
    return isinstance(unwrap(value), python_types.FunctionType)
