"""What explanations and courses write and read."""

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

from gametree.documents.parts import Amount, Count, Number, ValueDocument

Node: TypeAlias = list[Count]
"""The positions of children from the root down."""


Method = Literal[
    "minimax",
    "alphabeta",
    "expectiminimax",
    "maxn",
    "paranoid",
    "deepening",
    "quiescence",
    "transpositions",
    "ordering",
    "null-move",
    "forward-pruning",
    "star1",
    "star2",
    "mcts",
    "sss",
    "pns",
]
"""The searches that can be traced."""

EventKind = Literal[
    "enter",
    "leaf",
    "backup",
    "raise",
    "lower",
    "cut",
    "leave",
    "start",
    "end",
    "order",
    "table",
    "stand",
    "skip",
    "select",
    "expand",
    "simulate",
    "update",
]
"""What happens at a step. "start" begins a new round: a depth, a simulation. "end" looks back on all of them."""


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


class BesideDocument(TypedDict):
    """What stands beside a node: visits and UCT terms, proof numbers, merits."""

    path: Node
    texts: list[str]


class TraceEvent(TypedDict):
    """One step of the search."""

    kind: EventKind
    path: Node
    value: Worth | None
    alpha: Number | None
    beta: Number | None
    line: Count
    """The line of the pseudo-code, counted from 1."""
    sentence: str
    best: Node | None
    cut: CutDocument | None
    proven: NotRequired[Literal["=", "≤", "≥"]]
    """How the node's value compares with `value`, where the search says so itself."""
    skipped: NotRequired[list[Node]]
    """What is left out for another reason than α and β."""
    beside: NotRequired[list[BesideDocument]]
    """What stands beside nodes from now on."""
    fresh: NotRequired[bool]
    """Whether the search begins at the root again, as if nothing had been looked at."""


class TraceDocument(TypedDict):
    """A search, told from its first event to its last."""

    schema: Literal["gametree.trace/1"]
    method: Method
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


class StepsDocument(TypedDict):
    """A trace as a page shows it: what gametree/explain/pages/stepper.js steps through."""

    html: str
    """Markup without script and style; what names in the tree look like makes no difference."""
    style: str
    """The style sheet of the picture."""
    data: dict[str, Any]
    """What changes from step to step."""


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
        "windows": NotRequired[dict[str, Given | list[Given]]],
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
