"""The passes that a function of a game or of a kernel goes through."""

from typing import Any

from gametree.compiled.codegen.answers import FoldAnswers
from gametree.compiled.frontend.signedness import RefuseMixedSigns, WeighLiterals
from gametree.compiled.guards.arithmetic import CheckArithmetic
from gametree.compiled.toolchain import (
    CompilerBase,
    DefaultPassBuilder,
    InlineClosureLikes,
    NopythonTypeInference,
    ReconstructSSA,
)


class Compiler(CompilerBase):
    """Numba's own passes, and ours among them."""

    checks = False

    def define_pipelines(self) -> list[Any]:
        manager = DefaultPassBuilder.define_nopython_pipeline(self.state)
        manager.add_pass_after(FoldAnswers, InlineClosureLikes)
        manager.add_pass_after(WeighLiterals, ReconstructSSA)
        manager.add_pass_after(RefuseMixedSigns, NopythonTypeInference)
        if self.checks:
            manager.add_pass_after(CheckArithmetic, RefuseMixedSigns)
        manager.finalize()
        return [manager]


class CheckingCompiler(Compiler):
    """The same for rules whose arithmetic is checked."""

    checks = True
