"""Numba is as it was after we have compiled, also where that failed."""

import gc

import pytest

from compiled.refusals import Nim
from gametree import minimax
from gametree.compiled import native

pytestmark = pytest.mark.needs_compiler


def test_numba_is_left_as_it_was() -> None:
    from numba.core.compiler_lock import global_compiler_lock

    from gametree.compiled.codegen import lean

    before = [getattr(owner, name) for owner, name, _ in lean.REPLACED]
    with global_compiler_lock, pytest.raises(ZeroDivisionError), lean.lean():
        assert not gc.isenabled()
        assert all(getattr(owner, name) is made for owner, name, made in lean.REPLACED)
        raise ZeroDivisionError
    assert gc.isenabled()
    assert before == [getattr(owner, name) for owner, name, _ in lean.REPLACED]


def test_functions_of_numba_compiled_on_the_way_still_serve_others() -> None:
    """`min` of Numba is collected with our code first, and linked into code of somebody else after."""
    import numba

    assert not native.unavailable()
    minimax(Nim(), compile="always")
    smaller = numba.njit(lambda one, other: min(one, other) + abs(one))
    assert smaller(3, 4) == 6
