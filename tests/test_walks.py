"""The way of a question through the package does not grow: four walks, counted by tests/walks.py."""

import pytest

import walks

pytestmark = pytest.mark.same_in_all_modes

GROWTH = 1.25
"""A walk may be so much longer or shorter than recorded, and no more."""


@pytest.mark.parametrize("name", list(walks.walks()))
def test_a_question_leads_through_no_more_of_the_package_than_before(name: str) -> None:
    recorded = walks.read(walks.RECORDED.read_text(encoding="utf-8"))
    for part, walk in walks.counts(name).items():
        for figure, now, before in zip(walk._fields, walk, recorded[part]):
            recorded_as = f"{part}: {now} {figure}, {before} recorded by tests/walks.py --record"
            assert now <= GROWTH * before, recorded_as
            assert before <= GROWTH * now, recorded_as  # much shorter: was all of it walked?
