"""Machine code that another process made, brought back to life.

Kept apart from what compiles: a second run has no need to load that.
"""

import inspect
from typing import Any

import llvmlite.binding
import numpy as np
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target
from numba.core.runtime import rtsys

from gametree.game import PRIVATE
from gametree.kernel.memory import is_block

_kept: list[Any] = []
"""Machine code in use must stay in memory."""


def arrays_of(game: Any, attributes: set[str]) -> list[tuple[str, "np.ndarray[Any, Any]"]]:
    """The array attributes that compiled code can name, in a fixed order."""
    found = []
    for name in sorted(attributes):
        if name in PRIVATE:
            continue
        value = vars(game).get(name, getattr(type(game), name, None))
        if isinstance(value, property):  # made or read where it is first used
            value = getattr(game, name, None)
        if isinstance(value, np.ndarray):
            found.append((name, value))
    return found


def parameters(kernel: Any) -> list[tuple[str, Any]]:
    """A kernel's parameters after `game` and their annotations; `state` has none."""
    given = list(inspect.signature(kernel).parameters.values())[1:]
    return [(parameter.name, parameter.annotation) for parameter in given]


def is_resolved(symbols: list[str]) -> bool:
    """Whether this process has all of these symbols: LLVM would end it for a missing one."""
    rtsys.initialize(cpu_target.target_context)
    return all(llvmlite.binding.address_of_symbol(name) for name in symbols)


def revive(symbol: str, code: bytes) -> int:
    """The address of an entry in machine code that another process made."""
    with global_compiler_lock:
        codegen = cpu_target.target_context.codegen()
        library = codegen.create_library(symbol)
        library.enable_object_caching()
        library._set_compiled_object(code)
        library._finalize_final_module()
        _kept.append(library)
        return int(codegen._engine.get_function_address(symbol))


def address(library: Any, symbol: str) -> int:
    """The address of an entry in a library just built."""
    _kept.append(library)
    return int(library.get_pointer_to_function(symbol))


def letters(kernel: Any) -> tuple[str, str]:
    """How a kernel's arguments and its result travel: s state, a array, m block, d float, q whole number."""
    code = {int: "q", bool: "q", float: "d"}
    each = "".join(
        "s" if name == "state" else "m" if is_block(note) else code.get(note, "a")
        for name, note in parameters(kernel)
    )
    return each, code[inspect.signature(kernel).return_annotation]
