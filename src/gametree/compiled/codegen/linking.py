"""Compiling in one go: machine code is made once, for the finished kernel, not for each function on the way.

Numba optimises every function's module and turns it into machine code of its own; only the last of them is ever
called here. While a kernel is built, libraries therefore only collect LLVM code.
"""

import contextlib
import re
from collections.abc import Iterable, Iterator
from typing import Any

import llvmlite.binding
from numba.core import codegen as numba_codegen
from numba.core.compiler_lock import require_global_compiler_lock


class _Collected(numba_codegen.JITCodeLibrary):
    """A library that is linked into others and never run by itself."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        return 0


class Finished(numba_codegen.JITCodeLibrary):
    """The library that is run. Nothing in it is left for Numba to patch (see `resolve`)."""

    def _optimize_final_module(self) -> None:
        """Only the entry point is called from outside: what has one caller only can become a part of it."""
        for function in self._final_module.functions:
            if not function.is_declaration and function.name != self.name:
                function.linkage = "internal"
        super()._optimize_final_module()

    def _finalize_specific(self) -> None:
        self._codegen._engine.finalize_object()


@contextlib.contextmanager
def collecting(codegen: Any) -> Iterator[None]:
    """Within this block new libraries only collect code."""
    require_global_compiler_lock()
    before = codegen._library_class
    codegen._library_class = _Collected
    codegen.set_env = lambda name, env: None
    try:
        yield
    finally:
        codegen._library_class = before
        del codegen.set_env


_UNRESOLVED = ".numba.unresolved$"


def resolve(library: Any, collected: Any, others: Iterable[Any]) -> None:
    """Binds recursive calls that Numba leaves to be patched at run time.

    A function that calls one still being compiled does so through a variable `.numba.unresolved$NAME`, which Numba
    fills in this process only: replayed from a cache, the call would jump to nowhere. The function is in `collected`
    or in one of the `others` compiled along with it, so the variable becomes a constant.
    """
    homes = {}
    for other in others:
        other.library._ensure_finalized()
        homes[other.fndesc.llvm_func_name] = other.library
    pending, bound = [collected], set()
    while pending:
        source = pending.pop()
        source._ensure_finalized()
        defined = {f.name for f in source._final_module.functions if not f.is_declaration}
        for variable in source._final_module.global_variables:
            name = variable.name.removeprefix(_UNRESOLVED)
            if name == variable.name or name in bound:
                continue
            if name not in defined:
                library.add_linking_library(homes[name])
                pending.append(homes[name])
            bound.add(name)
            text = (
                f'target triple = "{llvmlite.binding.get_process_triple()}"\n'
                f'declare void @"{_escaped(name)}"()\n'
                f'@"{_escaped(variable.name)}" = constant ptr @"{_escaped(name)}"\n'
            )
            library.add_llvm_module(llvmlite.binding.parse_assembly(text))


def _escaped(name: str) -> str:
    return re.sub(r'["\\]', lambda m: f"\\{ord(m[0]):02x}", name)
