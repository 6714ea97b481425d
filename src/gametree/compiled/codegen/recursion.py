"""A kernel that calls itself: the signature is known beforehand, so nothing has to be inferred and nothing can differ.

Numba would infer the inner call from the outer one, twice over, and compile a second version where the types of the two
are not the same to the letter; replayed from a cache, that crashes. Here the inner call has the declared types by
construction, and machine code calls the very function that it is in.
"""

from typing import Any

from gametree.compiled.toolchain import (
    Signature,
    cgutils,
    cpu_target,
    models,
    register_model,
    signature,
    typeof_impl,
    types,
)


class SelfCall:
    """Stands for a kernel inside itself."""

    def __init__(self, returned: types.Type, arguments: tuple[types.Type, ...]):
        self.signature: Signature = signature(returned, *arguments)


class SelfCallType(types.Callable, types.Dummy):
    """The type of a kernel inside itself."""

    def __init__(self, call: SelfCall):
        self.call = call
        super().__init__(f"itself({call.signature})")

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        assert not kws and len(args) == len(self.call.signature.args)
        return self.call.signature

    def get_call_signatures(self) -> Any:
        return [self.call.signature], False

    def get_impl_key(self, sig: Any) -> Any:
        return SelfCallType


@typeof_impl.register(SelfCall)
def _typeof_self_call(call: SelfCall, context: Any) -> SelfCallType:
    arguments = call.signature.args
    overloads = cpu_target.target_context._defns[SelfCallType]
    if not any(formal == arguments for formal, _ in overloads.versions):
        overloads.append(_call_self, arguments)
    return SelfCallType(call)


def _call_self(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    status, value = context.call_conv.call_function(
        builder, builder.function, sig.return_type, sig.args, args
    )
    with cgutils.if_unlikely(builder, status.is_error):
        context.call_conv.return_status_propagate(builder, status)
    return value


register_model(SelfCallType)(models.OpaqueModel)
