"""The messages of `gametree engine`: requests and answers, each a JSON object on a line of its own.

Whoever asks chooses an `id`; every answer repeats it. The last answer to a request has `done: true`.
"""

from typing import Annotated, Any, Literal, NotRequired, TypeAlias, TypedDict

from gametree.documents.lecturing import LECTURE_REQUESTS, LectureAnswer, LectureRequest
from gametree.documents.parts import Amount, Count, Number, Share
from gametree.documents.playing import PLAY_REQUESTS, PlayAnswer, PlayRequest
from gametree.documents.searching import AnalysisDocument
from gametree.documents.teaching import TraceDocument

Id: TypeAlias = str | int
Setting: TypeAlias = str | float | bool


# --- requests ---------------------------------------------------------------------------------------


class Hello(TypedDict):
    """Which games there are, and which version of the protocol is spoken."""

    id: Id
    do: Literal["hello"]


class AskMethods(TypedDict):
    """Which searches `analyze` knows by name, and what each can be told in `options`."""

    id: Id
    do: Literal["methods"]


class Cancel(TypedDict):
    """Ends another request. That one is answered for the last time, with what was found so far."""

    id: Id
    do: Literal["cancel"]
    of: Id
    """The id of the request that ends."""


class Place(TypedDict):
    """A game, and the moves that led to where it stands."""

    game: str
    """The name of a game, as `hello` lists it."""
    settings: NotRequired[dict[str, Setting]]
    """The game's parameters by name; what is left out has its default."""
    position: NotRequired[str]
    """Where the moves begin, as the game writes it; the beginning of the game where it is left out."""
    moves: NotRequired[list[str]]
    """The moves that were made from there, by their names."""


class AskPosition(Place):
    """The board, whose turn it is, and what can be played."""

    id: Id
    do: Literal["position"]


class GivenLimit(TypedDict):
    """When a search stops. Without any of these it goes on until it is cancelled."""

    seconds: NotRequired[Amount | None]
    depth: NotRequired[Count | None]
    nodes: NotRequired[Annotated[int, 1] | None]


class AskAnalysis(Place):
    """The best move and what it is worth, with partial answers on the way."""

    id: Id
    do: Literal["analyze"]
    method: NotRequired[str]
    """Which search: "auto", or its name."""
    options: NotRequired[dict[str, Any]]
    """What that search takes besides, by name, as `methods` lists it."""
    limit: NotRequired[GivenLimit]
    """One second where it is left out."""
    lines: NotRequired[Annotated[int, 1, 50]]
    """How many of the best lines; 1 where it is left out."""
    values: NotRequired[bool]
    """Whether every legal move gets a value."""
    evaluation: NotRequired[str]
    """One of the game's evaluations, by name."""
    seed: NotRequired[int]
    report_every: NotRequired[Amount]
    """Seconds between two partial answers at the least; 0.2 where it is left out."""
    priority: NotRequired[Annotated[int, -10, 10]]
    """Of two requests that wait, the one with the greater number is served first; 0 where it is left out."""


class AskMove(Place):
    """A move at a level; at a chance node, an outcome by its probability."""

    id: Id
    do: Literal["move"]
    level: NotRequired[Annotated[int, 1, 10]]
    """How well it is chosen; 5 where it is left out."""
    seed: NotRequired[int]
    """The same seed gives the same move; 0 where it is left out."""
    priority: NotRequired[Annotated[int, -10, 10]]


class AskTrace(TypedDict):
    """The tree that a textbook search looks at, with every step: of a written tree, or below a position of a game."""

    id: Id
    do: Literal["trace"]
    tree: NotRequired[str]
    """A tree as text, "[[3,12],[2,x]]"; without it, a game."""
    game: NotRequired[str]
    settings: NotRequired[dict[str, Setting]]
    position: NotRequired[str]
    moves: NotRequired[list[str]]
    method: NotRequired[Literal["auto", "minimax", "alphabeta", "expectiminimax", "maxn"]]
    depth: NotRequired[Count]
    """Plies below the position."""
    most: NotRequired[Annotated[int, 1, 50_000]]
    """No tree of more nodes than this; 2,000 where it is left out."""


RequestDocument: TypeAlias = (
    Hello
    | AskMethods
    | Cancel
    | AskPosition
    | AskAnalysis
    | AskMove
    | AskTrace
    | PlayRequest
    | LectureRequest
)
REQUESTS: dict[str, Any] = {
    "hello": Hello,
    "methods": AskMethods,
    "cancel": Cancel,
    "position": AskPosition,
    "analyze": AskAnalysis,
    "move": AskMove,
    "trace": AskTrace,
    **PLAY_REQUESTS,
    **LECTURE_REQUESTS,
}
"""What can be asked for, by what `do` says."""


# --- answers ----------------------------------------------------------------------------------------


class GameParameter(TypedDict):
    """A parameter of a game."""

    name: str
    default: Setting | None
    """null where it has to be given."""


class GameDocument(TypedDict):
    """A game that can be named."""

    name: str
    summary: str
    parameters: list[GameParameter]
    players: Annotated[int, 1]
    """How many play it, where its parameters have their defaults."""
    evaluations: list[str]
    """What its positions can be judged by, by name."""


class Welcome(TypedDict):
    """The answer to `hello`."""

    id: Id
    done: Literal[True]
    protocol: Literal["gametree.answer/1"]
    version: str
    games: list[GameDocument]
    methods: list[str]
    """The searches that `analyze` knows by name, "auto" first."""


class OptionDocument(TypedDict):
    """Something that one search can be told."""

    name: str
    kind: Literal["number", "whole", "flag", "text", "pair", "choice"]
    """pair: two numbers in a list. choice: one of `choices`."""
    default: Any
    """null where the search finds it itself, or goes without."""
    choices: list[str]


class MethodDocument(TypedDict):
    """A search by its name."""

    name: str
    options: list[OptionDocument]


class MethodsAnswer(TypedDict):
    """The answer to `methods`."""

    id: Id
    done: Literal[True]
    methods: list[MethodDocument] | None
    """null where it was cancelled."""


class ActionDocument(TypedDict):
    """Something that can be played, or an outcome of chance."""

    name: str
    touches: list[str]
    """The ids of the cells that it touches on the board, in the order in which a person points at them."""
    probability: NotRequired[Share]
    """Of an outcome of chance."""


class PositionDocument(TypedDict):
    """A position as a person sees it."""

    game: str
    players: list[str]
    """What the players are called, in their order."""
    mover: Annotated[int, -1] | None
    """Whose turn it is: 0, 1, ...; -1 where chance decides; null where the game is over."""
    text: str
    """The position as the game shows it."""
    board: dict[str, Any] | None
    """Cells with places and pieces: gametree.Board.to_json(); null where no board is known."""
    actions: list[ActionDocument]
    payoffs: list[Number] | None
    """What every player gets; null where the game goes on."""
    ended: str
    """Why the game is over, in words; empty where it goes on."""
    last: str
    """The name of the last move; empty at the beginning."""
    notation: str | None
    """The position as a text that `position` of a request reads again; null where the game reads none."""
    range: list[Number] | None
    """The least and the greatest payoff; null where the game does not say."""
    hides: bool
    """Whether no player sees the whole of it. This message tells all, to whoever knows the moves; in a game that a
    referee keeps (`open`) nobody does, and a seat is told what it may see."""


class PositionAnswer(TypedDict):
    """The answer to `position`."""

    id: Id
    done: Literal[True]
    position: PositionDocument | None
    """null where it was cancelled."""


class ChancesDocument(TypedDict):
    """Winning chances, from 0 to 1: 1 is a win, a half (among n players 1/n) nobody ahead."""

    players: list[Share]
    """Of every player; empty where the analysis does not know their values."""
    lines: list[Share]
    """Of the lines of the analysis, in its order, to the player who moves there."""
    moves: list[Share]
    """Of its moves."""


class AnalysisAnswer(TypedDict):
    """An answer to `analyze`: partial, or the last one."""

    id: Id
    done: bool
    analysis: AnalysisDocument | None
    """null where it was cancelled before anything was known."""
    chances: NotRequired[ChancesDocument | None]
    """null where nobody knows by what the values of the game are measured, or not yet."""


class MoveAnswer(TypedDict):
    """The answer to `move`; `move` is null where it was cancelled."""

    id: Id
    done: Literal[True]
    move: str | None


class TraceAnswer(TypedDict):
    """The answer to `trace`."""

    id: Id
    done: Literal[True]
    trace: TraceDocument | None
    """null where it was cancelled."""


class CancelAnswer(TypedDict):
    """The answer to `cancel`."""

    id: Id
    done: Literal[True]
    cancelled: bool
    """false where that request had its last answer already, or was never made."""


class Trouble(TypedDict):
    """Why there is no answer."""

    kind: Literal["message", "input", "rules", "busy", "fault"]
    """message: the line is no request. input: what it asks for cannot be done. rules: the rules of the game raised an
    error. busy: too much waits already. fault: an error in gametree itself."""
    message: str
    """In words for a person."""


class ErrorAnswer(TypedDict):
    """The answer to what cannot be answered."""

    id: Id | None
    """null where the line had none that could be read."""
    done: Literal[True]
    error: Trouble


AnswerDocument: TypeAlias = (
    Welcome
    | MethodsAnswer
    | PositionAnswer
    | AnalysisAnswer
    | MoveAnswer
    | TraceAnswer
    | PlayAnswer
    | LectureAnswer
    | CancelAnswer
    | ErrorAnswer
)
