"""What gametree writes and reads as JSON: every document by the name of its schema.

A document is described once. Type checkers see it, `reading.py` checks by it what is handed in, and the JSON schemas in
`schemas/` are made from it (`python tests/schemas.py --write`; a test compares). Infinite numbers are texts, because
JSON has none. The numbers of an `Annotated` type are the least and the greatest that it may be.
"""

from typing import Annotated, Any, Final, Literal, NotRequired, TypeAlias, TypedDict, get_args, get_type_hints

Number: TypeAlias = float | Literal["inf", "-inf"]
Count: TypeAlias = Annotated[int, 0]
"""A whole number that is at least so much."""
Share: TypeAlias = Annotated[float, 0, 1]
Amount: TypeAlias = Annotated[float, 0]
Bound: TypeAlias = Literal["exact", "lower", "upper"]
Node: TypeAlias = list[Count]
"""The positions of children from the root down."""


# --- searches ---------------------------------------------------------------------------------------


class Decided(TypedDict):
    """A proven win or loss."""

    payoff: Number
    outcome: Literal["win", "loss"]
    plies: Count | None
    """How many plies away it is; null where that is not known."""


class Open(TypedDict):
    """A payoff that is neither a win nor a loss, or no proven one."""

    payoff: Number
    outcome: None
    plies: None


ValueDocument: TypeAlias = Decided | Open


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
    notes: NotRequired[list[str]]
    """What there is to say about the search besides."""


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


# --- rules and matches ------------------------------------------------------------------------------


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


class MatchDocument(TypedDict):
    """The first line of a file of match results."""

    schema: Literal["gametree.match/1"]
    game: str
    contestants: list[str]
    seed: int
    most_plies: Count
    adjudication: str | None


class GameDocument(TypedDict):
    """One game of a pair."""

    seat: Annotated[int, 0, 1]
    """Which player the first contestant is."""
    points: Share
    """Of the first contestant: 0, 0.5 or 1."""
    reason: str
    plies: Count
    moves: list[str]
    slowest: list[Amount]
    """The seconds of the slowest move of each contestant."""


class PairDocument(TypedDict):
    """Every other line: two games from one opening."""

    pair: Count
    opening: list[str]
    games: list[GameDocument]


# --- teaching ---------------------------------------------------------------------------------------


class ConventionsDocument(TypedDict):
    """The settings in which courses differ."""

    cut: Literal[">=", ">"]
    fail: Literal["soft", "hard"]
    bounds: Literal["alpha-beta", "intervals"]
    shapes: Literal["squares-circles", "triangles"]
    direction: Literal["left-to-right", "right-to-left"]
    form: Literal["aima", "bound", "value-move"]


Worth: TypeAlias = Number | list[Number]
"""A value for MAX, or one for each player."""


class CutDocument(TypedDict):
    """Where alpha-beta stopped looking."""

    path: Node
    kind: Literal["alpha", "beta"]
    depth: Literal["shallow", "deep"]
    by: Node
    """The node that set the bound."""
    skipped: list[Node]


class TraceNode(TypedDict):
    """A node of the tree."""

    path: Node
    kind: Literal["max", "min", "player", "chance", "leaf"]
    player: Count | None
    name: str
    move: str
    probability: Amount | None
    payoff: Worth | str | None
    estimated: bool
    board: str
    returned: Worth | None


class TraceEvent(TypedDict):
    """One step of the search."""

    kind: Literal["enter", "leaf", "backup", "raise", "lower", "cut", "leave"]
    path: Node
    value: Worth | None
    alpha: Number | None
    beta: Number | None
    line: Count
    """The line of the pseudo-code, counted from 1."""
    sentence: str
    best: Node | None
    cut: CutDocument | None


class TraceDocument(TypedDict):
    """A search, told from its first event to its last."""

    schema: Literal["gametree.trace/1"]
    method: Literal["minimax", "alphabeta", "expectiminimax", "maxn"]
    conventions: ConventionsDocument
    value: Worth
    move: Node | None
    line: list[Node]
    leaves: list[Node]
    cuts: list[CutDocument]
    nodes: list[TraceNode]
    code: list[str]
    events: list[TraceEvent]
    unknown: NotRequired[list[str]]
    """What the value has to do with the unknown leaves, in words."""


class WhyLine(TypedDict):
    """A move, and what follows when both play their best."""

    action: str
    value: ValueDocument
    exact: bool
    depth: Count | None
    line: list[str]
    over: bool
    """Whether the game is over at the end of the line."""


class WhyDocument(TypedDict):
    """A best move, another move, and what lies between them."""

    schema: Literal["gametree.why/1"]
    game: str
    position: str
    player: Count
    best: WhyLine
    other: WhyLine | None
    verdict: Literal["same", "slower", "sooner", "worse", "loses", "draws"] | None
    turn: Count | None
    """After how many plies of the other line the damage is done."""
    sentences: list[str]


Kind: TypeAlias = Literal["minimax", "alphabeta", "expectiminimax", "maxn", "unknown", "ordering"]


class ExerciseDocument(TypedDict):
    """A tree, the conventions, and what is asked. The key is not in it."""

    schema: Literal["gametree.exercise/1"]
    id: NotRequired[str]
    seed: NotRequired[int | None]
    student: NotRequired[str]
    kind: Kind
    tree: Any
    """A node is a list, a leaf a number or a name, a chance node {"chance": [[0.5, …], …]}, a payoff vector
    {"payoffs": [1, 2, 3]}."""
    movers: list[Count]
    conventions: ConventionsDocument
    parts: list[str]


Given: TypeAlias = float | str
"""A number; as a text it may be "−2.5", "13/4" or "∞", and "–" where the search does not come."""
Row: TypeAlias = list[str] | str
"""Leaves in order: a list, or a text such as "B1 B2 C1"."""


class GivenCut(TypedDict):
    """A branch that is not looked at."""

    branch: str
    kind: Literal["alpha", "beta", "α", "β"]
    depth: Literal["shallow", "deep"]


class GivenRange(TypedDict):
    """Between which numbers the root's value lies."""

    least: Given
    greatest: Given


GivenParts = TypedDict(
    "GivenParts",
    {
        "values": NotRequired[dict[str, Given | list[Given]]],
        "move": NotRequired[str | int],
        "leaves": NotRequired[Row],
        "cuts": NotRequired[list[str | GivenCut] | dict[str, str] | str],
        "best-order": NotRequired[Row],
        "worst-order": NotRequired[Row],
        "depends": NotRequired[Literal["yes", "no"] | bool],
        "range": NotRequired[GivenRange | list[Given]],
        "threshold": NotRequired[Given],
    },
)


class AnswersDocument(TypedDict):
    """What a student hands in. A part that is left out is not answered."""

    schema: Literal["gametree.answers/1"]
    exercise: str
    """The id of the exercise."""
    student: NotRequired[str]
    answers: GivenParts


class KeyDocument(TypedDict):
    """One right answer to each part, and in words what else is right."""

    schema: Literal["gametree.key/1"]
    exercise: str
    student: str
    answers: GivenParts
    words: dict[str, str]


class MistakeDocument(TypedDict):
    """Something that is not right."""

    where: str
    said: str
    right: str


class PartGradeDocument(TypedDict):
    """The judgement on one part."""

    part: str
    verdict: Literal["right", "partly right", "wrong", "not answered"]
    score: Amount
    points: Count
    mistakes: list[MistakeDocument]


class GradesDocument(TypedDict):
    """The judgement on a file of answers."""

    schema: Literal["gametree.grades/1"]
    exercise: str
    student: str
    score: Amount
    points: Count
    parts: list[PartGradeDocument]
    notes: list[str]


class Earned(TypedDict):
    """What was earned, and why."""

    score: Amount
    text: str


class EarnedByNodes(Earned):
    """The same for the number of visited nodes."""

    visited: Count


class PositionDocument(TypedDict):
    """The judgement on a program at one position."""

    position: str
    score: Amount
    points: Count
    problem: str
    value: Earned
    move: Earned
    nodes: EarnedByNodes
    output: str


class ProgramGradesDocument(TypedDict):
    """The judgement on a program."""

    schema: Literal["gametree.code-grades/1"]
    program: str
    function: str
    score: Amount
    points: Count
    positions: list[PositionDocument]


DOCUMENTS: Final[dict[str, Any]] = {
    get_args(get_type_hints(document)["schema"])[0]: document
    for document in (
        AnalysisDocument,
        AnswersDocument,
        CheckDocument,
        ExerciseDocument,
        GradesDocument,
        KeyDocument,
        MatchDocument,
        ProgramGradesDocument,
        ResponseDocument,
        SolutionDocument,
        StrategyDocument,
        TraceDocument,
        VerificationDocument,
        WhyDocument,
    )
}
"""Every document by the name of its schema."""
