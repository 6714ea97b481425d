"""Where a game names its players, findings call them by their names; where it does not, by number."""

import re
from typing import Any

import pytest

from checking import race, test_elements, test_hints, test_optional_members, test_purity
from gametree import Game
from gametree.checking.asking import who
from gametree.checking.checker import check

NUMBERED = re.compile(r"\bplayers? [0-9]")
SLIPS = {
    name: member
    for module in (test_elements, test_optional_members, test_purity, test_hints)
    for name, member in vars(module).items()
    if isinstance(member, type)
    and issubclass(member, Game)
    and member is not Game
    and not member.player_names
}
for counter in ("GlobalCounter", "GrowsTired"):  # what they count is for their own tests
    SLIPS.pop(counter)


@pytest.mark.parametrize("name", SLIPS)
def test_no_finding_numbers_players_who_have_names(name: str) -> None:
    names = tuple(f"Dame {letter}" for letter in "ABCDEF")[: SLIPS[name].players]
    made: Any = type(Game)(name, (SLIPS[name],), {"player_names": names})  # type: ignore[misc]
    report = check(made(), plays=3, seconds=0.2, compile="never")
    assert not NUMBERED.search(" ".join(finding.message for finding in report.findings))


def test_players_are_numbered_where_the_game_names_none_or_wrong_ones() -> None:
    game = race.Race()
    assert (who(game, 0), who(game, None), who(game, 7)) == ("player 0", "player None", "player 7")

    class Named(race.Race):
        player_names = ("Left", "Right")

    assert (who(Named(), 1), who(Named(), 2), who(Named(), "x")) == ("Right", "player 2", "player 'x'")
