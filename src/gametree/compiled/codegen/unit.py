"""One game and one kernel become one piece of machine code.

A `Unit` holds what the compiler needs to know of a game: the shape of its states, its arrays, and a dispatcher
for each function reached. `build` compiles a kernel for it behind an entry point of our own:

    int64 entry(int64 *words)

`words` holds, one after another, the kernel's arguments (numbers as words, arrays as pointer and length, the
state as its scalars), then pointer and extents of each array attribute; the result is written to words[0].
The entry returns 0, 1 where the rules raised an exception, or the number of a place where they gave up (see
`guards/`). No Python object crosses: what is cached is plain object code, and no Numba type is ever pickled.
"""

import contextlib
import functools
import inspect
import types as python_types
from collections.abc import Callable, Iterator
from typing import Any

from gametree.compiled import guards
from gametree.compiled.codegen import lean, linking, pipeline, primitives, recursion, rows, texts
from gametree.compiled.fingerprint import unwrap
from gametree.compiled.frontend import functions
from gametree.compiled.guards import plumbing, sums
from gametree.compiled.guards.places import Place
from gametree.compiled.loading import arrays_of, parameters
from gametree.compiled.toolchain import INT64, cpu_target, errors, global_compiler_lock, llvm, njit, types
from gametree.compiled.types import arguments, blocks, bounded, casts, game_type
from gametree.compiled.types.layout import Maybe, Ragged, Row, Shape, Text
from gametree.compiled.types.universe import Universe
from gametree.game import ESSENTIAL, OPTIONAL, offers
from gametree.kernel.clock import Clock

OPTIONS = {"nogil": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}


class Unit:
    """A game as the compiler sees it."""

    def __init__(self, game: Any, universe: Universe, fingerprint: str, attributes: set[str]):
        self.game = game
        self.universe = universe
        shape = universe.state
        self.room: bounded.Room = bounded.Room(universe.words, list(_rows(arguments.numba_type(shape))))
        self.arrays: list[tuple[str, Any]] = arrays_of(game, attributes)
        self.state_type: types.Type = arguments.numba_type(shape)
        self.methods: dict[str, Any] = {}
        self._made: list[Any] = []
        self.translator: functions.Translator = functions.Translator(
            type(game), (*ESSENTIAL, *OPTIONAL), _named_tuples(shape), self._jit
        )
        self.has_evaluation: bool = offers(game, "evaluate")
        self.type: game_type.GameType = game_type.GameType(fingerprint, self)
        self.translator.sums = sums
        self.translator.stand_ins = python_types.SimpleNamespace(
            sum_of=sums.sum_of,
            str_of=texts.str_of,
            chr_of=texts.chr_of,
            unpackers=rows.unpacker,
            as_tuple=rows.as_tuple,
            as_frozenset=rows.as_frozenset,
            some=rows.some,
        )
        if universe.action is not None:
            self.translator.as_action = casts.caster(arguments.numba_type(universe.action), "actions")
        self.translator.as_state = casts.caster(self.state_type)
        self.translator.recursion = self._recursion
        self.translator.game = game

    def signature(self, kernel: Any) -> tuple[Any, tuple[Any, ...]]:
        """What a kernel returns and takes, by its annotations."""
        kinds = (
            self.state_type if name == "state" else arguments.parameter_type(note)
            for name, note in parameters(kernel)
        )
        return arguments.parameter_type(inspect.signature(kernel).return_annotation), (self.type, *kinds)

    def _recursion(self, function: Any) -> recursion.SelfCall:
        return recursion.SelfCall(*self.signature(function))

    def _jit(self, function: python_types.FunctionType) -> Any:
        assert primitives.REGISTERED
        checked = guards.is_checked(self.game, function)
        compiler = pipeline.CheckingCompiler if checked else pipeline.Compiler
        made = njit(pipeline_class=compiler, boundscheck=True if checked else None, **OPTIONS)(function)
        made.get_call_template = functools.partial(_for_any_number, made.get_call_template)
        self._made.append(made)
        return made

    def compiled(self) -> Iterator[Any]:
        """Everything compiled so far for this game."""
        for dispatcher in self._made:
            yield from dispatcher.overloads.values()

    def dispatcher(self, function: Any) -> Any:
        """The compiled twin of a function that the game reaches."""
        return self.translator.twin(unwrap(function))

    @functools.cached_property
    def action_type(self) -> Any:
        """What `actions` gives, one at a time."""
        dispatcher = self.dispatcher(inspect.getattr_static(type(self.game), "actions"))
        dispatcher.compile((self.type, self.state_type))
        returned = dispatcher.overloads[(self.type, self.state_type)].signature.return_type
        return types.unliteral(casts.item_type(returned))

    def is_method(self, name: str) -> bool:
        """Whether an attribute of the game is code."""
        if name in vars(self.game):
            return False
        member = inspect.getattr_static(type(self.game), name, None)
        return not isinstance(member, (property, type)) and game_type.is_plain_function(member)


def _for_any_number(
    get_call_template: Callable[[Any, Any], Any], args: tuple[Any, ...], kws: dict[str, Any]
) -> Any:
    """What a call of a function is typed by: once for all numbers where that is possible, else for each one written.

    Numba would compile f(1) and f(2) apart. That takes time, and only what indexes a tuple of mixed types needs it.
    """
    plain = tuple(map(_whole, args)), {name: _whole(kind) for name, kind in kws.items()}
    if plain != (args, kws):
        with contextlib.suppress(errors.NumbaError):
            return get_call_template(*plain)
    return get_call_template(args, kws)


def _whole(kind: Any) -> Any:
    return types.unliteral(kind) if isinstance(kind, types.IntegerLiteral) else kind


@global_compiler_lock
def build(unit: Unit, kernel: Any, symbol: str) -> tuple[Any, list[Place]]:
    """Compiles a kernel for a unit: the finished library defines `symbol`; and where its rules may give up."""
    with bounded.of_universe(unit.room), plumbing.guarding(guards.is_guarded(unit.game)) as places:
        return _built(unit, kernel, symbol), places


def _built(unit: Unit, kernel: Any, symbol: str) -> Any:
    target = cpu_target.target_context
    cpu_target.typing_context.refresh()
    target.refresh()
    returned, (_, *kinds) = unit.signature(kernel)
    dispatcher = unit.dispatcher(kernel)
    with lean.lean(), linking.collecting(target.codegen()):
        dispatcher.compile(returned(unit.type, *kinds))
    (result,) = dispatcher.overloads.values()
    clock = None

    library = linking.Finished(target.codegen(), symbol)
    library.enable_object_caching()
    module = library.create_ir_module(symbol)
    entry = llvm.Function(module, llvm.FunctionType(INT64, [INT64.as_pointer()]), symbol)
    builder = llvm.IRBuilder(entry.append_basic_block())
    reader = arguments.Reader(target, builder, entry.args[0])
    given = [reader.argument(kind) for kind in kinds]
    for kind, argument in zip(kinds, given):
        if isinstance(kind, blocks.Block) and issubclass(kind.cls, Clock):
            clock = arguments.mark_stack(builder, kind, argument)
    game = game_type.game_at(target, builder, unit.type, reader.rest())
    callee = target.declare_function(module, result.fndesc)
    status, value = plumbing.enter(
        target, builder, callee, returned, (unit.type, *kinds), (game, *given), clock
    )
    builder.store(arguments.to_word(builder, value), entry.args[0])
    code = builder.sext(status.code, INT64)
    builder.ret(builder.select(status.is_error, code, llvm.Constant(INT64, 0)))
    library.add_ir_module(module)
    linking.complete(library, result.library, unit.compiled())
    library.finalize()
    return library


def needs(library: Any) -> list[str]:
    """The symbols that finished code takes from outside: Numba's run time, the mathematics library."""
    module = library._final_module
    names = [f.name for f in module.functions if f.is_declaration and not f.name.startswith("llvm.")]
    return names + [v.name for v in module.global_variables if v.is_declaration]


def object_code(library: Any) -> bytes:
    """The machine code of a finished library."""
    return bytes(library._get_compiled_object())


def _rows(kind: types.Type) -> Iterator[bounded.Bounded]:
    """The tuples of varying length and frozensets in a state."""
    if isinstance(kind, bounded.Bounded):
        yield kind
        yield from _rows(kind.dtype)
    elif isinstance(kind, types.Optional):
        yield from _rows(kind.type)
    elif isinstance(kind, types.BaseTuple):
        for part in kind:
            yield from _rows(part)


def _named_tuples(shape: Shape) -> Iterator[type]:
    """The named tuples, dataclasses and enums of a state: their methods and properties are the rules', too."""
    if isinstance(shape, Text):
        yield from shape.classes
    elif isinstance(shape, Ragged | Maybe) and shape.item is not None:
        yield from _named_tuples(shape.item)
    elif isinstance(shape, Row):
        if shape.cls is not None:
            yield shape.cls
        for item in shape.items:
            yield from _named_tuples(item)
