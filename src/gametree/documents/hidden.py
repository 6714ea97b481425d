"""What is written about games in which players do not see everything."""

from typing import Any, Literal, TypedDict

from gametree.documents.parts import Amount, Count


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
    """As the game writes itself."""
    rules: str
    """The digest of the rules' code."""
    parameters: str
    """The digest of the game's parameters and arrays: games may be written alike."""
    complete: bool
    """Whether it names all information sets; where it does not, actions are equally likely at the others."""
    sets: list[InformationSetDocument]


class PointDocument(TypedDict):
    """How far an iteration had come."""

    seconds: Amount
    iterations: Count
    exploitability: Amount


class EquilibriumDocument(TypedDict):
    """A profile and how far it is from an equilibrium: gametree.EquilibriumProfile.to_dict()."""

    schema: Literal["gametree.equilibrium/1"]
    game: str
    method: str
    values: list[float | str]
    """What every player gets; a fraction is a text: "-1/18"."""
    best_responses: list[float | str]
    """What every player could get by a best response to the others."""
    nash_conv: float | str
    """The sum of what the players could gain."""
    exploitability: float
    """The mean of it."""
    bounds: list[float] | None
    """Between which two numbers the value of the game lies for player 0; null where there is none."""
    promise: str
    information_sets: Count
    iterations: Count
    seconds: Amount
    stopped_by: str
    history: list[PointDocument]
    profile: ProfileDocument | None


class ExploitabilityDocument(TypedDict):
    """What could be gained against a profile: gametree.exploitability(game, profile).to_dict()."""

    schema: Literal["gametree.exploitability/1"]
    game: str
    values: list[float | str]
    """What every player gets; a fraction is a text: "-1/18"."""
    best_responses: list[float | str]
    """What every player could get by a best response to the others."""
    nash_conv: float | str
    """The sum of what the players could gain."""
    exploitability: float
    """The mean of it."""
    responses: list[ProfileDocument]
    """For every player the profile with a best response in the place of his strategy."""
