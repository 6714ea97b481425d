"""The passes that a function of a game or of a kernel goes through."""

from typing import Any

from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.typed_passes import NopythonTypeInference
from numba.core.untyped_passes import InlineClosureLikes, ReconstructSSA

from gametree.compiled.codegen.answers import FoldAnswers
from gametree.compiled.frontend.signedness import RefuseMixedSigns, WeighLiterals


class Compiler(CompilerBase):
    """Numba's own passes, and ours among them."""

    def define_pipelines(self) -> list[Any]:
        manager = DefaultPassBuilder.define_nopython_pipeline(self.state)
        manager.add_pass_after(FoldAnswers, InlineClosureLikes)
        manager.add_pass_after(WeighLiterals, ReconstructSSA)
        manager.add_pass_after(RefuseMixedSigns, NopythonTypeInference)
        manager.finalize()
        return [manager]
