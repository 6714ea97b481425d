"""Compiled bodies for the primitives of `gametree.kernel.random`."""

from typing import Any

from gametree.compiled.codegen.extending import lowered
from gametree.compiled.toolchain import DOUBLE, INT64, llvm, types
from gametree.compiled.types import blocks, pointers
from gametree.kernel import keys, random

INT128 = llvm.IntType(128)


def _next(builder: Any, kind: Any, generator: Any) -> Any:
    """The next 64 bits of a generator."""
    place = blocks.at(builder, kind, generator, "random")
    word = builder.add(builder.load(place), llvm.Constant(INT64, keys.FIRST))
    builder.store(word, place)
    for shift, factor in ((30, keys.STEP_1), (27, keys.STEP_2)):
        word = builder.xor(word, builder.lshr(word, llvm.Constant(INT64, shift)))
        word = builder.mul(word, llvm.Constant(INT64, factor))
    return builder.xor(word, builder.lshr(word, llvm.Constant(INT64, 31)))


@lowered(random.below)
def _below(typing_context: Any, generator: Any, bound: Any) -> Any:
    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        generator, bound = args
        word = builder.zext(_next(builder, sig.args[0], generator), INT128)
        product = builder.mul(word, builder.zext(bound, INT128))
        return builder.trunc(builder.lshr(product, llvm.Constant(INT128, 64)), INT64)

    return types.int64(generator, types.int64), generate


@lowered(random.unit)
def _unit(typing_context: Any, generator: Any) -> Any:
    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        word = builder.lshr(_next(builder, sig.args[0], args[0]), llvm.Constant(INT64, 12))
        odd = builder.or_(builder.shl(word, llvm.Constant(INT64, 1)), llvm.Constant(INT64, 1))
        return builder.fmul(builder.sitofp(odd, DOUBLE), llvm.Constant(DOUBLE, random.HALF_STEP))

    return types.float64(generator), generate


@lowered(random.add_to, prefer_literal=True)
def _add_to(typing_context: Any, block: Any, name: Any, more: Any) -> Any:
    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        place = blocks.at(builder, block, args[0], name.literal_value)
        return builder.atomic_rmw("add", place, args[2], "monotonic")

    return types.int64(block, name, types.int64), generate


@lowered(random.add_word)
def _add_word(typing_context: Any, words: Any, at: Any, more: Any) -> Any:
    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        words, at, more = args
        place = pointers.item(context, builder, sig.args[0], words, at)
        return builder.atomic_rmw("add", place, more, "monotonic")

    return types.int64(words, types.intp, types.int64), generate


@lowered(random.add_number)
def _add_number(typing_context: Any, numbers: Any, at: Any, more: Any) -> Any:
    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        numbers, at, more = args
        place = pointers.item(context, builder, sig.args[0], numbers, at)
        builder.atomic_rmw("fadd", place, more, "monotonic")
        return context.get_dummy_value()

    return types.none(numbers, types.intp, types.float64), generate


@lowered(random.exchange)
def _exchange(typing_context: Any, words: Any, at: Any, old: Any, new: Any) -> Any:
    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        words, at, old, new = args
        place = pointers.item(context, builder, sig.args[0], words, at)
        return builder.extract_value(builder.cmpxchg(place, old, new, "seq_cst", "seq_cst"), 1)

    return types.boolean(words, types.intp, types.int64, types.int64), generate
