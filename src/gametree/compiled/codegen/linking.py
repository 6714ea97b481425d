"""Compiling in one go: machine code is made once, for the finished kernel, not for each function on the way.

Numba optimises every function's module, links it with those it calls and turns it into machine code of its own; only
the last of them is ever called here. While a kernel is built, libraries therefore only collect LLVM code. The finished
one links each of them once.
"""

import contextlib
import re
from collections.abc import Iterable, Iterator
from typing import Any

import llvmlite.binding

from gametree.compiled.toolchain import CodeLibrary, JITCodeLibrary, cgutils, require_global_compiler_lock


class _Collected(JITCodeLibrary):
    """A library that is linked into others and never run by itself."""

    def __init__(self, codegen: Any, name: str):
        CodeLibrary.__init__(self, codegen, name)
        self._linking_libraries: list[Any] = []
        self._modules: list[Any] = []
        self._whole: Any = None

    def add_ir_module(self, ir_module: Any) -> None:
        self._modules.append(ir_module)

    def add_linking_library(self, library: Any) -> None:
        self._linking_libraries.append(library)

    def finalize(self) -> None:
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        return 0

    def texts(self) -> Iterator[str]:
        """The code of this library alone."""
        for module in self._modules:
            yield cgutils.normalize_ir_text(str(module))

    def _get_module_for_linking(self) -> Any:
        """For functions of Numba that somebody else, who does not collect, compiles against later."""
        if self._whole is None:
            whole = JITCodeLibrary(self._codegen, self.name)
            for part in closure([self]):
                link(whole, part)
            whole._finalized = True
            self._whole = whole._get_module_for_linking()
        return self._whole


class Finished(JITCodeLibrary):
    """The library that is run. Nothing in it is left for Numba to patch (see `resolve`)."""

    def _optimize_functions(self, ll_module: Any) -> None:
        pass

    def _optimize_final_module(self) -> None:
        """Only the entry point is called from outside: what has one caller only can become a part of it."""
        for function in self._final_module.functions:
            if not function.is_declaration and function.name != self.name:
                function.linkage = "internal"
        passes, builder = self._codegen._module_pass_manager()
        # Numba's first round is there to prune the counting of references.
        if any("NRT_decref" in function.name for function in self._final_module.functions):
            super()._optimize_final_module()
        else:
            passes.run(self._final_module, builder)
        # What was pruned is still declared: the code would seem to need what no other process can give it.
        rest = llvmlite.binding.create_new_module_pass_manager()
        rest.add_strip_dead_prototype_pass()
        rest.run(self._final_module, builder)

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


def closure(libraries: list[Any]) -> list[Any]:
    """Libraries and all that they call, each once."""
    found = {}
    pending = list(libraries)
    while pending:
        library = pending.pop()
        if id(library) not in found:
            found[id(library)] = library
            pending += library._linking_libraries
    return list(found.values())


def link(library: Any, part: Any) -> None:
    """Adds the code of one library to another, without what it calls."""
    if isinstance(part, _Collected):
        for text in part.texts():
            library._final_module.link_in(llvmlite.binding.parse_assembly(text))
    else:
        library._final_module.link_in(part._get_module_for_linking(), preserve=True)


_UNRESOLVED = ".numba.unresolved$"


def complete(library: Any, collected: Any, others: Iterable[Any]) -> None:
    """Links a collected library and all that it calls into one that is to be finished.

    A function that calls one still being compiled does so through a variable `.numba.unresolved$NAME`, which Numba
    fills in this process only: replayed from a cache, the call would jump to nowhere. The function is among what is
    linked or in one of the `others` compiled along with it, so the variable becomes a constant.
    """
    homes = {other.fndesc.llvm_func_name: other.library for other in others}
    linked: set[int] = set()
    pending, bound = [collected], set()
    while pending:
        for part in closure(pending):
            if id(part) not in linked:
                linked.add(id(part))
                link(library, part)
        pending = []
        for variable in list(library._final_module.global_variables):
            name = variable.name.removeprefix(_UNRESOLVED)
            if name == variable.name or name in bound:
                continue
            bound.add(name)
            text = (
                f'target triple = "{llvmlite.binding.get_process_triple()}"\n'
                f'declare void @"{_escaped(name)}"()\n'
                f'@"{_escaped(variable.name)}" = constant ptr @"{_escaped(name)}"\n'
            )
            library._final_module.link_in(llvmlite.binding.parse_assembly(text))
            if name in homes:
                pending.append(homes[name])


def _escaped(name: str) -> str:
    return re.sub(r'["\\]', lambda m: f"\\{ord(m[0]):02x}", name)
