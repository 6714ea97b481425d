"""What code asks the machine that it runs on: the time, and where its stack stands."""

import struct
import time
from typing import Any

from gametree.compiled.toolchain import INT64, cgutils, llvm

_MONOTONIC = (
    time.get_clock_info("perf_counter").implementation == "clock_gettime(CLOCK_MONOTONIC)"
    and struct.calcsize("l") == 8
)


def frame_address(builder: Any) -> Any:
    """Where the stack of the running thread stands."""
    kind = llvm.FunctionType(llvm.IntType(8).as_pointer(), [llvm.IntType(32)])
    function = cgutils.get_or_insert_function(builder.module, kind, "llvm.frameaddress.p0")
    return builder.ptrtoint(builder.call(function, [llvm.Constant(llvm.IntType(32), 0)]), INT64)


def now(builder: Any) -> Any:
    """The clock of `time.perf_counter` in nanoseconds without asking Python; long ago where it is another one."""
    if not _MONOTONIC:
        return llvm.Constant(INT64, -(1 << 63))
    kind = llvm.FunctionType(llvm.IntType(32), [llvm.IntType(32), INT64.as_pointer()])
    function = cgutils.get_or_insert_function(builder.module, kind, "clock_gettime")
    parts = cgutils.alloca_once(builder, INT64, size=2)  # struct timespec: seconds, nanoseconds
    builder.call(function, [llvm.Constant(llvm.IntType(32), time.CLOCK_MONOTONIC), parts])
    seconds, rest = (builder.load(builder.gep(parts, [llvm.Constant(INT64, i)])) for i in range(2))
    return builder.add(builder.mul(seconds, llvm.Constant(INT64, 1_000_000_000)), rest)
