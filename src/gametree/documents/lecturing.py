"""The messages of a lecture: trees to step through, trees that a search looked at, exercises answered in the page."""

from typing import Annotated, Any, Literal, NotRequired, TypeAlias, TypedDict

from gametree.documents.parts import Count, Number
from gametree.documents.teaching import (
    ExerciseDocument,
    GivenParts,
    KeyDocument,
    Kind,
    StepsDocument,
    TraceNode,
)

Id: TypeAlias = str | int
Searched: TypeAlias = Literal["auto", "minimax", "alphabeta", "expectiminimax", "maxn"]


# --- requests ---------------------------------------------------------------------------------------


class AskSteps(TypedDict):
    """A tree as a page steps through it: a written one, or the one below a position of a game."""

    id: Id
    do: Literal["steps"]
    tree: NotRequired[str]
    """A tree as text, "[[3,12],[2,x]]"; without it, a game."""
    game: NotRequired[str]
    settings: NotRequired[dict[str, str | float | bool]]
    position: NotRequired[str]
    moves: NotRequired[list[str]]
    method: NotRequired[Searched]
    depth: NotRequired[Count]
    """Plies below the position."""
    conventions: NotRequired[dict[str, str]]
    """The settings in which courses differ, by name: {"cut": ">", "fail": "hard"}."""
    values: NotRequired[dict[str, float]]
    """Numbers for unknown leaves."""


class AskExplore(TypedDict):
    """The tree that a search looks at below a position."""

    id: Id
    do: Literal["explore"]
    tree: NotRequired[str]
    game: NotRequired[str]
    settings: NotRequired[dict[str, str | float | bool]]
    position: NotRequired[str]
    moves: NotRequired[list[str]]
    method: NotRequired[Literal["auto", "minimax", "alphabeta", "expectiminimax", "maxn", "mcts", "engine"]]
    """engine: what the search behind `analyze` remembers of the nodes that it looked at."""
    depth: NotRequired[Count]
    """Plies below the position; 3 where it is left out."""
    path: NotRequired[list[Count]]
    """Only this node and what lies below it: from the root, the place of a child among its siblings, and so on."""
    rows: NotRequired[Annotated[int, 1, 20_000]]
    """So many rows at most, those nearest to the root; children are told together. 20,000 where it is left out."""
    simulations: NotRequired[Annotated[int, 1, 1_000_000]]
    """For mcts; 200 where it is left out."""
    most: NotRequired[Annotated[int, 1, 50_000]]
    """No tree of more nodes than this; 20,000 where it is left out."""


class AskExercise(TypedDict):
    """An exercise by its recipe and seed. The key is not in the answer."""

    id: Id
    do: Literal["exercise"]
    kind: NotRequired[Kind]
    seed: NotRequired[int]
    depth: NotRequired[Annotated[int, 1, 8]]
    branching: NotRequired[str]
    """A range, "2-3"."""
    values: NotRequired[str]
    """A range for the leaves, "0..20"."""
    cuts: NotRequired[Count]
    deep_cut: NotRequired[bool]
    parts: NotRequired[list[str]]
    conventions: NotRequired[dict[str, str]]


class AskCheck(TypedDict):
    """Marks for answers to an exercise, and the first mistake explained."""

    id: Id
    do: Literal["check"]
    exercise: ExerciseDocument
    answers: GivenParts


class AskSolution(TypedDict):
    """The key of an exercise, for one who practises and gives up."""

    id: Id
    do: Literal["solution"]
    exercise: ExerciseDocument


# --- answers ----------------------------------------------------------------------------------------


class PictureDocument(TypedDict):
    """A picture whose style sheet is kept apart, for pages whose policy allows no inline style."""

    svg: str
    style: str


class SteppedDocument(TypedDict):
    """A tree as a page shows it."""

    method: Literal["minimax", "alphabeta", "expectiminimax", "maxn"]
    nodes: list[TraceNode]
    """Every node, each before its children."""
    unknown: list[str]
    """The names of the leaves whose value is not known."""
    steps: StepsDocument | None
    """null where the tree cannot be searched as it is: then `picture` shows it, and `why` says what is missing."""
    picture: PictureDocument | None
    why: str


class StepsAnswer(TypedDict):
    """The answer to `steps`."""

    id: Id
    done: Literal[True]
    steps: SteppedDocument | None
    """null where it was cancelled."""


class ExploredDocument(TypedDict):
    """A portion of the tree that a search looked at, a row a node, each before its children."""

    method: str
    columns: list[str]
    """What the places of a row are called."""
    rows: list[list[Any]]
    value: Number | list[Number]
    looked: Count
    """How many nodes the search looked at."""
    cut: Count
    """How many branches it cut."""
    below: Count
    """How many nodes lie in what it cut."""
    note: str
    """What has to be known to read the rows; empty where nothing has."""


class ExploreAnswer(TypedDict):
    """The answer to `explore`."""

    id: Id
    done: Literal[True]
    explore: ExploredDocument | None
    """null where it was cancelled."""


class SheetNode(TypedDict):
    """A node of an exercise's tree."""

    path: list[Count]
    name: str
    who: str
    move: str
    payoff: Number | list[Number] | str | None


class SheetQuestion(TypedDict):
    """A part of an exercise."""

    part: str
    label: str
    text: str
    points: Count


class SheetDocument(TypedDict):
    """An exercise as a page shows it."""

    document: ExerciseDocument
    title: str
    introduction: str
    rules: str
    points: Count
    picture: PictureDocument
    nodes: list[SheetNode]
    questions: list[SheetQuestion]


class ExerciseAnswer(TypedDict):
    """The answer to `exercise`."""

    id: Id
    done: Literal[True]
    exercise: SheetDocument | None
    """null where it was cancelled."""


class CheckedPart(TypedDict):
    """The mark for a part."""

    part: str
    verdict: Literal["right", "partly right", "wrong", "not answered"]
    score: float
    points: Count


class FirstMistake(TypedDict):
    """The first mistake, in the order of the search."""

    part: str
    where: str
    said: str
    path: list[Count] | None
    """The node that it is about, where it is about one."""
    sentence: str
    """What is so, and why. Nothing is said about any other node."""


class CheckedDocument(TypedDict):
    """Marks for answers. The key is not in them."""

    exercise: str
    score: float
    points: Count
    parts: list[CheckedPart]
    mistake: FirstMistake | None


class CheckAnswer(TypedDict):
    """The answer to `check`."""

    id: Id
    done: Literal[True]
    check: CheckedDocument | None
    """null where it was cancelled."""


class SolutionAnswer(TypedDict):
    """The answer to `solution`."""

    id: Id
    done: Literal[True]
    solution: KeyDocument | None
    """null where it was cancelled."""


LectureRequest: TypeAlias = AskSteps | AskExplore | AskExercise | AskCheck | AskSolution
LectureAnswer: TypeAlias = StepsAnswer | ExploreAnswer | ExerciseAnswer | CheckAnswer | SolutionAnswer
LECTURE_REQUESTS: dict[str, Any] = {
    "steps": AskSteps,
    "explore": AskExplore,
    "exercise": AskExercise,
    "check": AskCheck,
    "solution": AskSolution,
}
