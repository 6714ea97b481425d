"""Code objects by what they do."""

import types


def code_parts(code: types.CodeType) -> tuple[object, ...]:
    """What a code object does, without where it stands."""
    constants = tuple(
        code_parts(c) if isinstance(c, types.CodeType) else (type(c).__name__, repr(c))
        for c in code.co_consts
    )
    return (
        code.co_name,
        code.co_code,
        constants,
        code.co_names,
        code.co_varnames,
        code.co_freevars,
        code.co_cellvars,
        code.co_argcount,
        code.co_kwonlyargcount,
        code.co_flags,
        getattr(code, "co_exceptiontable", b""),
    )
