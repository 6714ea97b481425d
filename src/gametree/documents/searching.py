"""What searches, the checker of rules and matches write."""

from typing import Annotated, Any, Literal, NotRequired, TypeAlias, TypedDict

from gametree.documents.hidden import EquilibriumDocument
from gametree.documents.parts import Amount, Count, Number, Share, ValueDocument

Bound: TypeAlias = Literal["exact", "lower", "upper"]


class MoveDocument(TypedDict):
    """An action at the root."""

    action: str
    value: ValueDocument
    bound: Bound
    exact: bool


class LineDocument(MoveDocument):
    """One of the best lines."""

    line: list[str]


class Payoff(TypedDict):
    """A payoff that best play can end with."""

    payoff: Number
    probability: Amount


class AnalysisDocument(TypedDict):
    """What a search found, how far it looked, and how sure it is: gametree.Analysis.to_dict()."""

    schema: Literal["gametree.analysis/1"]
    game: str
    players: list[str]
    """What the players are called, in their order; empty where the game names nobody."""
    method: str
    player: Annotated[int, -1]
    """Who moves at the root: 0, 1, ...; -1 where chance decides."""
    action: str | None
    """The name of the best action; null at a terminal state, or where none was found."""
    value: ValueDocument | None
    """What the root is worth to the player who moves there; null where the search was stopped before it knew."""
    values: list[Number]
    """What the root is worth to every player, player 0 first; empty where that is not known."""
    bound: Bound
    """exact, or on which side of the true value it lies: a lower bound is at most the true value."""
    line: list[str]
    """The principal variation, by the names of its actions."""
    moves: list[MoveDocument]
    """Every action at the root with its value to the player who moves there, where asked for."""
    lines: list[LineDocument]
    """The best lines, the best first, as many as were asked for."""
    depth: Count | None
    """How many plies were searched; null means to the end of the game."""
    selective_depth: Count | None
    """How many plies the longest line had that was looked at; null where all have the same length."""
    table_fill: Share | None
    """Which share of the transposition table this search has filled; null without a table."""
    nodes: Count
    seconds: Amount
    exact: bool
    """True only where the value is proven to the end of the game."""
    stopped_by: Literal["end", "depth", "nodes", "seconds", "cancelled"]
    parameters: dict[str, Any]
    """What the method was asked for: how to get this result again."""
    distribution: NotRequired[list[Payoff]]
    """Where asked for: what best play can end with for the player who moves (player 0 where chance decides), the least
    payoff first."""
    strategy: NotRequired[list["PlayedDocument"]]
    """Where the best is to mix actions: with which probability each is played."""
    notes: NotRequired[list[str]]
    """What there is to say about the search besides."""


class PlayedDocument(TypedDict):
    """An action of a mixed strategy."""

    action: str
    probability: Share


class EstimateDocument(TypedDict):
    """What it would take to solve a game, from random plays."""

    plays: Count
    branching: Amount
    """Actions in a state, on average over the plays."""
    length: Amount
    """Plies in a play, on average."""
    longest: Count
    tree_log10: float
    endless: bool
    speed: Amount
    """Nodes in a second."""
    least_log10: float
    seconds_log10: float


class SolutionDocument(TypedDict):
    """What solving a game found."""

    schema: Literal["gametree.solution/1"]
    solved: bool
    strong: bool
    """Whether every position that can be reached is solved."""
    outcome: str | None
    """For the player who moves."""
    margin: float | None
    """The exact score to the player who moves, where the game counts by how much it is won."""
    margins: list[float]
    """The exact scores of the moves, in their order, where the game counts so."""
    bounds: list[float] | None
    """Between which scores the value lies, where a game that counts so is not solved yet."""
    positions: Count | None
    """How many positions the game has from here, symmetric ones counted once, where all were looked at."""
    proof: Count | None
    """How many positions have to be checked to believe it."""
    circular: bool | None
    """Whether play can go in circles; null where that is not known."""
    assumed: float | None
    """What play that never ends counts for player 0, where nobody has said it."""
    estimate: EstimateDocument | None
    error: NotRequired[Amount]
    """How far an expected payoff may be off."""
    equilibrium: NotRequired[EquilibriumDocument]
    """Of a game that hides something."""
    analysis: AnalysisDocument


class StrategyMove(TypedDict):
    """What to play in one position."""

    after: list[str | Count]
    """A way to the position: the names of moves, or their places where several have one name."""
    play: str | Count


class StrategyDocument(TypedDict):
    """A move for every position that can arise."""

    schema: Literal["gametree.strategy/1"]
    game: str
    player: Literal[0, 1]
    position: str
    """Where it begins, as the game shows it."""
    key: str
    """The key of that position, 16 hexadecimal digits."""
    value: ValueDocument
    endless: float
    """What play that never ends is worth to player 0."""
    moves: list[StrategyMove]


class VerificationDocument(TypedDict):
    """A strategy, played against every reply."""

    schema: Literal["gametree.verification/1"]
    ok: bool
    claimed: ValueDocument
    value: ValueDocument | None
    positions: Count
    replies: Count
    ends: Count
    plays: Count | None
    """null where plays go on without end."""
    trouble: str
    line: list[str]
    """The moves that lead to the trouble."""


class ResponseDocument(TypedDict):
    """The best response to a policy."""

    schema: Literal["gametree.response/1"]
    game: str
    player: Literal[0, 1]
    value: ValueDocument
    guarantee: ValueDocument
    """What the player has against everybody."""
    gain: float
    certain: bool
    """Whether the value comes about in every play."""
    exact: bool
    line: list[str]
    positions: Count


class FindingDocument(TypedDict):
    """One thing that `check` found."""

    kind: str
    severity: Literal["problem", "warning", "note"]
    message: str
    path: list[str]
    """The moves that lead to the state."""
    state: str
    """As the game shows it; empty where it is about no state."""
    count: Count
    """How often it was seen."""


class CheckDocument(TypedDict):
    """Whether rules keep the contract."""

    schema: Literal["gametree.check/1"]
    game: str
    ok: bool
    problems: list[FindingDocument]
    warnings: list[FindingDocument]
    notes: list[FindingDocument]
    plays: Count
    finished: Count
    """How many of the plays came to an end."""
    states: Count
    complete: bool
    """Whether these are all the states that can be reached."""
    average_length: Amount
    branching: list[Amount]
    """The fewest actions in a state, the average and the most."""
    compared: bool
    """Whether compiled and interpreted rules were compared."""
    seconds: Amount
