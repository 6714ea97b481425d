"""The messages of a classroom: students join with a name, answer, and are marked; a teacher sees how far everybody is.

`gametree serve --classroom` speaks them besides those of the protocol.
"""

from typing import Annotated, Any, Literal, NotRequired, TypeAlias, TypedDict

from gametree.documents.lecturing import CheckedDocument, SheetDocument
from gametree.documents.parts import Amount, Count
from gametree.documents.protocol import Id, Trouble
from gametree.documents.teaching import GivenParts, ProgramGradesDocument

# --- requests ---------------------------------------------------------------------------------------


class AskJoin(TypedDict):
    """A student says who it is. The name belongs to that browser from then on."""

    id: Id
    do: Literal["join"]
    name: str
    """Empty where the browser has joined before."""


class AskClassExercise(TypedDict):
    """An exercise of the class, with what the student answered last."""

    id: Id
    do: Literal["class-exercise"]
    number: Annotated[int, 1]


class AskClassCheck(TypedDict):
    """Hands answers in, to be marked and kept."""

    id: Id
    do: Literal["class-check"]
    number: Annotated[int, 1]
    answers: GivenParts


class AskClassProgram(TypedDict):
    """Hands a program in. It is run where the grader runs it, marked and kept; without one, what was handed in last."""

    id: Id
    do: Literal["class-program"]
    number: Annotated[int, 1]
    source: NotRequired[str]


class AskClassView(TypedDict):
    """How far everybody is: for the teacher."""

    id: Id
    do: Literal["class-view"]


class AskClassRelease(TypedDict):
    """Lets another browser join with a name: for the teacher, where a student has changed the computer."""

    id: Id
    do: Literal["class-release"]
    name: str


ClassRequest: TypeAlias = (
    AskJoin | AskClassExercise | AskClassCheck | AskClassProgram | AskClassView | AskClassRelease
)
CLASS_REQUESTS: dict[str, Any] = {
    "join": AskJoin,
    "class-exercise": AskClassExercise,
    "class-check": AskClassCheck,
    "class-program": AskClassProgram,
    "class-view": AskClassView,
    "class-release": AskClassRelease,
}


# --- answers ----------------------------------------------------------------------------------------


class ClassExerciseDocument(TypedDict):
    """An exercise in the list that a student has."""

    number: Annotated[int, 1]
    title: str
    id: str
    points: Count
    state: Literal["open", "checked"]
    score: float | None
    """Of the last answers that were handed in."""


class ClassTaskDocument(TypedDict):
    """A program that is asked for, in the list that a student has."""

    number: Annotated[int, 1]
    title: str
    function: Literal["alphabeta", "minimax"]
    """What the program has to define: a function of a game and a state."""
    points: Count
    state: Literal["open", "checked"]
    score: float | None


class JoinedDocument(TypedDict):
    """A student, its exercises and the programs that are asked for."""

    student: int
    name: str
    exercises: list[ClassExerciseDocument]
    programs: list[ClassTaskDocument]


class JoinAnswer(TypedDict):
    """The answer to `join`."""

    id: Id
    done: Literal[True]
    joined: JoinedDocument


class ClassExerciseAnswer(TypedDict):
    """The answer to `class-exercise`."""

    id: Id
    done: Literal[True]
    exercise: SheetDocument
    answers: GivenParts


class ClassCheckAnswer(TypedDict):
    """The answer to `class-check`."""

    id: Id
    done: Literal[True]
    check: CheckedDocument | None
    """null where it was cancelled."""


class ClassProgramAnswer(TypedDict):
    """The answer to `class-program`."""

    id: Id
    done: Literal[True]
    program: ProgramGradesDocument | None
    """null where it was cancelled, or nothing was handed in yet."""
    source: str
    """What was handed in last."""


class ResultDocument(TypedDict):
    """What a student has reached in an exercise."""

    score: float
    points: Count
    tries: Annotated[int, 1]


class StudentDocument(TypedDict):
    """A student as the teacher sees it."""

    name: str
    results: list[ResultDocument | None]
    """One for each exercise and each program, in their order; null where nothing was handed in."""
    seen: Amount
    """Seconds since the student was heard of."""


class ClassHeading(TypedDict):
    """A column in the teacher's table: an exercise, or after these a program."""

    number: Annotated[int, 1]
    title: str
    points: Count


class ClassDocument(TypedDict):
    """The class."""

    exercises: list[ClassHeading]
    students: list[StudentDocument]


ClassViewAnswer = TypedDict("ClassViewAnswer", {"id": Id, "done": Literal[True], "class": ClassDocument})


class ClassReleaseAnswer(TypedDict):
    """The answer to `class-release`."""

    id: Id
    done: Literal[True]
    released: bool
    """false where nobody has that name."""


class ClassErrorAnswer(TypedDict):
    """The answer to what cannot be answered."""

    id: Id
    done: Literal[True]
    error: Trouble


ClassAnswer: TypeAlias = (
    JoinAnswer
    | ClassExerciseAnswer
    | ClassCheckAnswer
    | ClassProgramAnswer
    | ClassViewAnswer
    | ClassReleaseAnswer
    | ClassErrorAnswer
)
