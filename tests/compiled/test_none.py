"""Whether something is None is answered by machine code as by Python, however rules ask; or they do not compile."""

from typing import Any

import pytest

import gametree as gt
from compiled import nones

pytestmark = pytest.mark.needs_compiler

USUAL = ("H1_Text", "H4_En", "H9_Text", "H10_En", "H17_Text", "H24_Text", "H25_En", "H12_Base")


def agrees(cls: Any) -> None:
    plain = gt.alphabeta(cls(), compile="never")
    found = gt.alphabeta(cls(), compile="auto")
    assert (found.value, found.nodes, found.line) == (plain.value, plain.nodes, plain.line)


@pytest.mark.parametrize("name", USUAL)
def test_comparisons_with_none_are_those_of_python(name: str) -> None:
    agrees(next(cls for cls in nones.CASES if cls.__name__ == name))


@pytest.mark.slow
@pytest.mark.parametrize("cls", nones.CASES, ids=lambda cls: cls.__name__)
def test_every_way_to_ask_for_none_is_that_of_python(cls: Any) -> None:
    agrees(cls)
