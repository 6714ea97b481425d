"""What this room uses of Numba and LLVM. Neither says the types of its names: the stub files beside this one do.

What is not declared there, nobody here uses; `tests/compiled/test_toolchain.py` compares the stubs with Numba.
"""

from llvmlite import ir as llvm
from numba import extending, njit, typeof
from numba.core import cgutils, config, errors, ir, types
from numba.core.codegen import CodeLibrary, JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_lock import global_compiler_lock, require_global_compiler_lock
from numba.core.compiler_machinery import AnalysisPass, FunctionPass, register_pass
from numba.core.datamodel import default_manager, models
from numba.core.imputils import (
    RefType,
    iternext_impl,
    lower_builtin,
    lower_cast,
    lower_constant,
    lower_getattr_generic,
    lower_setattr_generic,
)
from numba.core.registry import cpu_target
from numba.core.typed_passes import NopythonTypeInference
from numba.core.typing.templates import (
    AbstractTemplate,
    AttributeTemplate,
    Signature,
    builtin_registry,
    infer,
    infer_getattr,
    infer_global,
    make_intrinsic_template,
    signature,
)
from numba.core.untyped_passes import InlineClosureLikes, ReconstructSSA
from numba.cpython.listobj import ListInstance
from numba.extending import intrinsic, register_model, typeof_impl
from numba.np.arrayobj import populate_array

INT64 = llvm.IntType(64)
DOUBLE = llvm.DoubleType()

__all__ = [
    "DOUBLE",
    "INT64",
    "AbstractTemplate",
    "AnalysisPass",
    "AttributeTemplate",
    "CodeLibrary",
    "CompilerBase",
    "DefaultPassBuilder",
    "FunctionPass",
    "InlineClosureLikes",
    "JITCodeLibrary",
    "ListInstance",
    "NopythonTypeInference",
    "ReconstructSSA",
    "RefType",
    "Signature",
    "builtin_registry",
    "cgutils",
    "config",
    "cpu_target",
    "default_manager",
    "errors",
    "extending",
    "global_compiler_lock",
    "infer",
    "infer_getattr",
    "infer_global",
    "intrinsic",
    "ir",
    "iternext_impl",
    "llvm",
    "lower_builtin",
    "lower_cast",
    "lower_constant",
    "lower_getattr_generic",
    "lower_setattr_generic",
    "make_intrinsic_template",
    "models",
    "njit",
    "populate_array",
    "register_model",
    "register_pass",
    "require_global_compiler_lock",
    "signature",
    "typeof",
    "typeof_impl",
    "types",
]
