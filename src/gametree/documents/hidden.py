"""What is written about games in which players do not see everything."""

from typing import Any, Literal, TypedDict

from gametree.documents.parts import Count


class LikelyAction(TypedDict):
    """An action at an information set."""

    action: Any
    """The action itself: a number, a text, or a list of these."""
    name: str
    probability: float | str
    """A number from 0 to 1, or a fraction as text: "1/3"."""


class InformationSetDocument(TypedDict):
    """What a player does after an observation."""

    player: Count
    seen: str
    """The observation as people read it."""
    observation: Any
    """The observation itself: a number, a text, or a list of these."""
    actions: list[LikelyAction]


class ProfileDocument(TypedDict):
    """A strategy for every player: gametree.Profile.to_dict()."""

    schema: Literal["gametree.profile/1"]
    game: str
    complete: bool
    """Whether it names all information sets; where it does not, actions are equally likely at the others."""
    sets: list[InformationSetDocument]
