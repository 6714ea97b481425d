"""The messages of a game that a referee keeps: every seat is told what it may see, and nothing else.

Whoever opens a game gets a key for each seat of a person. A key is for one seat: it asks what that seat sees, and plays
for it. No message names the moves, before the game is over.
"""

from typing import Annotated, Any, Literal, NotRequired, TypeAlias, TypedDict

from gametree.documents.parts import Amount, Count, Number, Share

Id: TypeAlias = str | int


# --- requests ---------------------------------------------------------------------------------------


class AskOpen(TypedDict):
    """Begins a game. Chance and the seats of engines play by themselves, until a person is to move."""

    id: Id
    do: Literal["open"]
    game: str
    settings: NotRequired[dict[str, str | float | bool]]
    position: NotRequired[str]
    """Where it begins; the beginning of the game where it is left out."""
    seats: NotRequired[list[Annotated[int, 0, 10]]]
    """Of every player the level at which an engine plays, 0 for a person; all are persons where it is left out."""


class AskSeat(TypedDict):
    """What a seat sees now, and what it can play."""

    id: Id
    do: Literal["seat"]
    key: str
    wait: NotRequired[bool]
    """Whether the last answer comes only when it is this seat's turn, or the game is over."""


class AskAct(TypedDict):
    """A move of a seat, by its name."""

    id: Id
    do: Literal["act"]
    key: str
    move: str
    wait: NotRequired[bool]


class AskHint(TypedDict):
    """An analysis of what a seat has seen."""

    id: Id
    do: Literal["hint"]
    key: str
    seconds: NotRequired[Amount]
    """1 where it is left out."""


class AskClose(TypedDict):
    """Ends a game, whether it is over or not, and tells its moves. The keys are worth nothing from then on."""

    id: Id
    do: Literal["close"]
    key: str


PlayRequest: TypeAlias = AskOpen | AskSeat | AskAct | AskHint | AskClose
PLAY_REQUESTS: dict[str, Any] = {
    "open": AskOpen,
    "seat": AskSeat,
    "act": AskAct,
    "hint": AskHint,
    "close": AskClose,
}
"""What a referee can be asked, by what `do` says."""


# --- answers ----------------------------------------------------------------------------------------


class OpenedDocument(TypedDict):
    """A game that has begun."""

    keys: list[str | None]
    """Of every player the key of the seat; null where an engine sits."""
    mover: Annotated[int, -1] | None
    """Whose turn it is, once chance and engines have played; null where the game is over."""


class OpenAnswer(TypedDict):
    """The answer to `open`."""

    id: Id
    done: Literal[True]
    opened: OpenedDocument | None
    """null where it was cancelled."""


class SeatAction(TypedDict):
    """Something that the seat can play."""

    name: str
    touches: list[str]
    """The ids of the cells that it touches on the board that the seat sees."""


class SeatDocument(TypedDict):
    """A position as one player sees it."""

    game: str
    seat: Count
    """Who sees it: 0, 1, ..."""
    players: list[str]
    mover: Annotated[int, -1] | None
    """Whose turn it is: 0, 1, ...; -1 where chance decides; null where the game is over."""
    text: str
    """What the player has seen, in words or as the game shows it."""
    board: dict[str, Any] | None
    """What the player sees of the board; null where the game makes no such board."""
    actions: list[SeatAction]
    """What the seat can play; empty where it is not its turn."""
    payoffs: list[Number] | None
    """What every player gets; null where the game goes on."""
    ended: str
    last: str
    """The name of the last move, where this seat has made it; else empty."""
    notation: None
    range: list[Number] | None
    hides: bool
    """Whether there is something that this seat does not see."""


class SeatAnswer(TypedDict):
    """An answer to `seat` or `act`: partial where the others go on playing, or the last one."""

    id: Id
    done: bool
    seat: SeatDocument | None
    """null where it was cancelled."""


class RecordDocument(TypedDict):
    """A game that has ended."""

    game: str
    settings: dict[str, str | float | bool]
    position: str | None
    moves: list[str]
    """All moves, those of chance among them, by their names."""


class CloseAnswer(TypedDict):
    """The answer to `close`."""

    id: Id
    done: Literal[True]
    record: RecordDocument | None


PlayAnswer: TypeAlias = OpenAnswer | SeatAnswer | CloseAnswer


# --- levels -------------------------------------------------------------------------------------------


class MeasuredLevel(TypedDict):
    """What a level of a bot amounts to."""

    nodes: Annotated[int, 1]
    """How many positions it may look at."""
    blur: Amount
    """How blurred it sees, in usual steps of the estimate."""
    lines: Annotated[int, 1] | None
    """How many of the best moves it weighs against each other; null for all."""
    seconds: NotRequired[Amount]
    """How long a move took it, on average."""
    score: NotRequired[Share]
    """What it made against the level below, and in how many games."""
    games: NotRequired[Count]


class LevelsDocument(TypedDict):
    """What `gametree calibrate` has measured: the levels 1 to 9 of a game, and which game that is."""

    schema: Literal["gametree.levels/1"]
    game: str
    fingerprint: str
    """Of its rules and parameters; the levels count for this game alone."""
    seconds: Amount
    """The most that a move may take."""
    levels: list[MeasuredLevel]
