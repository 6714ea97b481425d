"""Numba's front end without what our code has no use for: half of the time that a first search waits is spent there.

Within `lean()` Numba does the same work by shorter ways, for every function that is compiled, its own included:

    liveness of variables      computed where it is read, and not after each of ten passes
    deletion of variables      only of those that count references: rules and kernels mostly have numbers
    single assignment          blocks that do not mention a variable are not copied for it
    array expressions          looked for only where a function computes with whole arrays
    closures                   looked for only where a function has some
    calls                      resolved once for each row of types, operators once for each pair
    new registrations          looked for only where there are some
    wrappers for Python and C  left out: nobody calls a function on the way (see `linking.py`)
    the passes themselves      run without events, timers and checks of Numba's own making
    guards of users' rules     put in where the unit is checked (see `guards/`)

What comes out is the same code. What is replaced belongs to Numba 0.68 and 0.69, the versions that we depend on; the
whole of it holds Numba's lock.
"""

import contextlib
import functools
import gc
import operator
import sys
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any

from numba.core import (
    base,
    cgutils,
    errors,
    ir,
    lowering,
    postproc,
    ssa,
    transforms,
    typed_passes,
    types,
    untyped_passes,
)
from numba.core.compiler_lock import require_global_compiler_lock
from numba.core.compiler_machinery import PassManager
from numba.core.funcdesc import FunctionDescriptor
from numba.core.typing import context as typing_context
from numba.cpython import setobj

from gametree.compiled.frontend.signedness import Whole
from gametree.compiled.guards import plumbing

_DEEP = 5000
"""Numba calls itself some forty times for each function within a function."""


@contextlib.contextmanager
def lean() -> Iterator[None]:
    """Within this block Numba compiles by the shorter ways."""
    require_global_compiler_lock()
    deep = sys.getrecursionlimit()
    sys.setrecursionlimit(max(deep, _DEEP))
    collects = gc.isenabled()
    gc.disable()  # nearly all that a compiler makes stays
    before = [(owner, name, getattr(owner, name)) for owner, name, _ in REPLACED]
    for owner, name, made in REPLACED:
        setattr(owner, name, made)
    try:
        yield
    finally:
        sys.setrecursionlimit(deep)
        for owner, name, old in before:
            setattr(owner, name, old)
        _resolved.clear()
        if collects:
            gc.enable()


# --- liveness and deletion --------------------------------------------------------------------------

_process = postproc.PostProcessor.run


def _post_process(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
    function = self.func_ir
    if function.is_generator or extend_lifetimes:
        _process(self, emit_dels, extend_lifetimes)
        return
    function.blocks = transforms.canonicalize_cfg(function.blocks)
    function.variable_lifetime = postproc.VariableLifetime(function.blocks)  # which computes when it is asked
    function.generator_info = None
    if emit_dels:
        self._insert_var_dels()


def _legalize(self: Any, state: Any) -> bool:
    """The last step before lowering: variables are deleted as soon as nobody reads them any more."""
    function = state.func_ir
    counted = _counted(state)
    if not counted and not function.is_generator:
        _post_process(postproc.PostProcessor(function))
        return True
    postproc.PostProcessor(function).run(True)
    for block in function.blocks.values():
        block.body = [step for step in block.body if not isinstance(step, ir.Del) or step.value in counted]
    return True


def _counted(state: Any) -> set[str]:
    """The variables that count references. An array that is a constant of the code never goes."""
    models = state.targetctx.data_model_manager
    counts = {kind: models[kind].contains_nrt_meminfo() for kind in set(state.typemap.values())}
    counted = {name for name, kind in state.typemap.items() if counts[kind]}
    if counted:
        constant: set[str] = set()
        other: set[str] = set()
        for block in state.func_ir.blocks.values():
            for assign in block.find_insts(ir.Assign):
                is_constant = isinstance(assign.value, (ir.Global, ir.FreeVar))
                (constant if is_constant else other).add(assign.target.name)
        counted -= constant - other
    return counted


# --- static single assignment -----------------------------------------------------------------------

_reconstruct = ssa._run_ssa
_rewrite_blocks = ssa._run_block_rewrite
_mentions: dict[int, set[str]] = {}
"""The variables that each block of the function at hand mentions."""


def _single_assignment(blocks: Any) -> Any:
    _mentions.clear()
    for label, block in blocks.items():
        _mentions[label] = {variable.name for step in block.body for variable in step.list_vars()}
    return _reconstruct(blocks)


def _rewrite_mentions(blocks: Any, states: Any, handler: Any) -> Any:
    """A variable at a time is renamed: blocks that do not mention it stay as they are."""
    name = states["varname"]
    mentioning = {label: block for label, block in blocks.items() if name in _mentions[label]}
    return {**blocks, **_rewrite_blocks(mentioning, states, handler)}


# --- passes that look for something -----------------------------------------------------------------

_rewrite_typed = typed_passes.NopythonRewrites.run_pass
_inline_closures = untyped_passes.InlineClosureLikes.run_pass
_COMPUTES = ("binop", "inplace_binop", "unary", "call")


def _rewrites(self: Any, state: Any) -> bool:
    """Array expressions are fused, and items by name are told apart: no other function has to be looked through."""
    kinds = state.typemap
    for block in state.func_ir.blocks.values():
        for step in block.body:
            value = step.value if isinstance(step, ir.Assign) else None
            if isinstance(step, ir.SetItem):
                found = isinstance(kinds[step.index.name], types.StringLiteral)
            elif not isinstance(value, ir.Expr):
                continue
            elif value.op == "getitem":
                found = isinstance(kinds[value.index.name], types.StringLiteral)
            else:
                found = value.op in _COMPUTES and isinstance(kinds[step.target.name], types.Array)
            if found:
                return bool(_rewrite_typed(self, state))
    return False


def _closures(self: Any, state: Any) -> bool:
    code = state.func_id.code
    if "reduce" in code.co_names or "stencil" in code.co_names:
        return bool(_inline_closures(self, state))
    if any(isinstance(constant, CodeType) for constant in code.co_consts) or state.func_ir.is_generator:
        return bool(_inline_closures(self, state))
    return False


# --- typing -----------------------------------------------------------------------------------------

_call_type = types.functions.BaseFunction.get_call_type
_resolved: dict[Any, Any] = {}
"""The signature of a function for some types, and where its code is found, as long as a kernel is compiled."""
_OPERATORS = frozenset(value for name, value in vars(operator).items() if not name.startswith("_"))
_NUMBERS = (types.Integer, types.Float, types.Boolean, types.IntegerLiteral, types.BooleanLiteral)
_typed: dict[Any, Any] = {}
"""The signature of an operator for some types, and where its code is found."""


def _function_type(self: Any, context: Any, args: Any, kws: Any) -> Any:
    """What a call of a function is typed as: each call is resolved once, each operator once for each pair of types."""
    if kws:
        return _call_type(self, context, args, kws)
    kinds = tuple(map(_number, args)) if self.typing_key in _OPERATORS else (None,)
    memory, key = (_resolved, (self, args)) if None in kinds else (_typed, (self, kinds))
    known = memory.get(key)
    if known is None:
        found = _call_type(self, context, args, kws)
        if found is not None and (
            memory is _resolved or not any(isinstance(kind, types.Literal) for kind in found.args)
        ):
            memory[key] = found, self._impl_keys[found.args]
        return found
    found, self._impl_keys[known[0].args] = known
    return found


def _number(kind: Any) -> Any:
    """What the type of an operand counts as; None where it is no number."""
    if isinstance(kind, Whole):
        return Whole
    return types.unliteral(kind) if isinstance(kind, _NUMBERS) else None


def _refreshing(refresh: Callable[[Any], None]) -> Callable[[Any], None]:
    """`refresh`, but only where something has been registered since the last time."""
    seen = -1

    def quick(self: Any) -> None:
        nonlocal seen
        now = sum(
            len(getattr(registry, name))
            for registry, loader in self._registries.items()
            for name in loader.registry_items
        )
        if now != seen:
            seen = now
            refresh(self)

    return quick


# --- lowering, and the machinery of passes ----------------------------------------------------------


def _lower_block(self: Any, block: Any) -> None:
    self.pre_block(block)
    with plumbing.lowering_of():
        plumbing.begin_in_time(self, block)
        plumbing.look_at_the_clock(self, block)
        for step in block.body:
            self.loc = step.loc
            plumbing.arrive(self, step)
            try:
                self.lower_inst(step)
            except Exception:
                with errors.new_error_context(
                    'lowering "{inst}" at {loc}',
                    inst=step,
                    loc=self.loc,
                    errcls_=functools.partial(errors.LoweringError, loc=self.loc),
                ):
                    raise
    self.post_block(block)


def _no_wrapper(self: Any, release_gil: bool = False) -> None:
    pass


def _run_pass(self: Any, index: int, step: Any, state: Any) -> None:
    step.analysis = self._analysis
    step.run_initialization(state)
    step.run_pass(state)
    step.run_finalizer(state)


_analyses: dict[Any, Any] = {}


def _finalize(self: Any) -> None:
    key = tuple(step for step, _ in self.passes)
    if key not in _analyses:
        _analyses[key] = self.dependency_analysis()
    self._analysis = _analyses[key]
    self._print_after, self._print_before, self._print_wrap = self._debug_init()
    self._finalized = True


def _module_at_hand(lookup_module: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The module of a function without asking the importer for it.

    Where a program searches while its module is still being imported, the importer would make this thread wait for that
    module, and the module waits for this thread.
    """

    def at_hand(self: Any) -> Any:
        return sys.modules.get(self.modname) or lookup_module(self)

    return at_hand


class _WalkOverSet(setobj.SetIterInstance):  # type: ignore[misc]
    """A walk over a set.

    Numba's own begins with a read from address 0 and counts on that being left out as of no use; where its run time is
    called and not made a part of the code, as here, it is not.
    """

    @classmethod
    def from_set(cls, context: Any, builder: Any, iter_type: Any, set_val: Any) -> Any:
        """The beginning of a walk."""
        walked = setobj.SetInstance(context, builder, iter_type.container, set_val)
        begun = object.__new__(cls)
        begun._iter = context.make_helper(builder, iter_type)
        begun._iter.index = cgutils.alloca_once_value(builder, context.get_constant(types.intp, 0))
        begun._iter.meminfo = walked.meminfo
        return begun


REPLACED: tuple[tuple[Any, str, Any], ...] = (
    (setobj, "SetIterInstance", _WalkOverSet),
    (postproc.PostProcessor, "run", _post_process),
    (typed_passes.IRLegalization, "run_pass", _legalize),
    (ssa, "_run_ssa", _single_assignment),
    (ssa, "_run_block_rewrite", _rewrite_mentions),
    (typed_passes.NopythonRewrites, "run_pass", _rewrites),
    (untyped_passes.InlineClosureLikes, "run_pass", _closures),
    (types.functions.BaseFunction, "get_call_type", _function_type),
    (base.BaseContext, "refresh", _refreshing(base.BaseContext.refresh)),
    (typing_context.BaseContext, "refresh", _refreshing(typing_context.BaseContext.refresh)),
    (lowering.BaseLower, "lower_block", _lower_block),
    (lowering.BaseLower, "create_cfunc_wrapper", _no_wrapper),
    (lowering.BaseLower, "create_cpython_wrapper", _no_wrapper),
    (PassManager, "_runPass", _run_pass),
    (PassManager, "finalize", _finalize),
    (FunctionDescriptor, "lookup_module", _module_at_hand(FunctionDescriptor.lookup_module)),
    *plumbing.REPLACED,
)
