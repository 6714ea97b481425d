"""Compiling in one go: machine code is made once, for the finished kernel, not for each function on the way.

Numba optimises every function's module and turns it into machine code of its own; only the last of them is ever
called here. While a kernel is built, libraries therefore only collect LLVM code.
"""

import contextlib
from collections.abc import Iterator
from typing import Any

from numba.core import codegen as numba_codegen
from numba.core.compiler_lock import require_global_compiler_lock


class _Collected(numba_codegen.JITCodeLibrary):  # type: ignore[misc]
    """A library that is linked into others and never run by itself."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        return 0


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
