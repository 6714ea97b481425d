"""Integers as Python programmers use them, where Numba is narrower."""

import math
from typing import Any

from gametree.compiled.codegen.extending import overload, overload_method
from gametree.compiled.toolchain import INT64, intrinsic, llvm, types


@intrinsic
def _popcount(typing_context: Any, value: Any) -> Any:
    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        count = builder.ctpop(args[0])
        return count if count.type == INT64 else builder.zext(count, INT64)

    return types.int64(value), generate


@overload_method(types.Integer, "bit_count")
def _bit_count(value: Any) -> Any:
    if value.signed:
        return lambda value: _popcount(abs(value))
    return lambda value: _popcount(value)


@intrinsic
def _leading_zeros(typing_context: Any, value: Any) -> Any:
    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.ctlz(args[0], llvm.Constant(llvm.IntType(1), 0))

    return types.int64(types.int64), generate


@overload_method(types.Integer, "bit_length")
def _bit_length(value: Any) -> Any:
    if value.signed:
        return lambda value: 64 - _leading_zeros(abs(value))
    return lambda value: 64 - _leading_zeros(value)


@overload(math.isqrt)
def _isqrt(n: Any) -> Any:
    if not isinstance(n, types.Integer):
        return None

    def root(n):  # type: ignore[no-untyped-def]
        if n < 0:
            raise ValueError("isqrt of a negative number")
        guess = int(math.sqrt(n))
        while guess * guess > n:
            guess -= 1
        while (guess + 1) * (guess + 1) <= n:
            guess += 1
        return guess

    return root


@overload(math.comb)
def _comb(n: Any, k: Any) -> Any:
    if not (isinstance(n, types.Integer) and isinstance(k, types.Integer)):
        return None

    def choose(n, k):  # type: ignore[no-untyped-def]
        if k > n:
            return 0
        result = 1
        for i in range(1, min(k, n - k) + 1):
            result = result * (n - i + 1) // i
        return result

    return choose
