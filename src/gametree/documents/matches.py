"""What matches and tournaments write."""

from typing import Any, Literal, TypedDict

from gametree.documents.parts import Amount, Count, Number, Share


class EntrantDocument(TypedDict):
    """A player of a match."""

    name: str
    identity: dict[str, Any]
    """Everything that makes it this player: kind, settings, code."""


class MatchDocument(TypedDict):
    """The first line of a file of the results of a match or tournament: what is played."""

    schema: Literal["gametree.match/2"]
    kind: Literal["match", "round-robin", "gauntlet", "swiss"]
    game: str
    fingerprint: str
    """Of the game's rules, parameters and arrays."""
    players: list[EntrantDocument]
    openings: dict[str, Any]
    seed: int
    most_plies: Count
    control: dict[str, Any]
    """How much everybody may think; empty where nothing is said."""
    adjudication: str | None


class GameDocument(TypedDict):
    """One game of a round."""

    seats: list[Count]
    """The player at every side, by number."""
    points: list[Share]
    """What every side made: the share of the others that it has beaten, ties counted by half."""
    reason: str
    plies: Count
    moves: list[str]
    fault: Count | None
    """The player who did what ends a game at once."""
    slowest: list[Amount]
    """The seconds of the slowest move of every side; empty where no clock counts."""


class RoundDocument(TypedDict):
    """Every other line, with the hash of its task: the games from one opening."""

    round: Count
    players: list[Count]
    start: str | None
    """The position that the opening begins in; null is the usual one."""
    opening: list[str]
    games: list[GameDocument]


class SampleDocument(TypedDict):
    """What one player made against another, with the ends of 95 % intervals."""

    rounds: Count
    wins: Count | None
    """null where more than two sides play."""
    draws: Count | None
    losses: Count | None
    pairs: list[Count] | None
    """How many pairs of games brought 0, ½, 1, 1½ and 2 points."""
    share: Share
    low: Share
    high: Share
    elo: Number
    elo_low: Number
    elo_high: Number
    nelo: Number
    """Normalised Elo."""
    nelo_error: Amount
    superiority: Share
    """How likely it is that the first is the better one."""


class TestDocument(TypedDict):
    """A sequential test."""

    elo: list[Number]
    """Of the two hypotheses."""
    errors: list[Share]
    llr: Number
    bounds: list[Number]
    verdict: Literal["H0", "H1"] | None
    after: list[Number] | None
    """The difference in Elo seen from after the stop, and its 95 % interval."""


class MatchResultDocument(TypedDict):
    """What came of a match."""

    schema: Literal["gametree.match-result/1"]
    game: str
    players: list[str]
    score: SampleDocument
    """Of the first player."""
    games: Count
    planned: Count
    plies: Count
    reasons: dict[str, Count]
    """How the games ended, and how often."""
    faults: list[dict[str, Count]]
    """What each player did that ended a game at once, and how often."""
    slowest: list[Amount]
    troubles: list[str]
    """Rounds that were given up, and why."""
    digest: str
    """Equal where every move of every game is."""
    sprt: TestDocument | None


class StandingDocument(TypedDict):
    """A player of a tournament."""

    place: Count
    name: str
    elo: Number
    """Above the average of the field."""
    elo_low: Number
    elo_high: Number
    points: Amount
    games: Count
    byes: Count
    faults: dict[str, Count]


class TournamentResultDocument(TypedDict):
    """What came of a tournament."""

    schema: Literal["gametree.tournament-result/1"]
    game: str
    kind: Literal["round-robin", "gauntlet", "swiss"]
    standings: list[StandingDocument]
    """The best first."""
    cross: list[list[SampleDocument | None]]
    """What each made against each, in the order of the standings; null where they did not meet."""
    games: Count
    planned: Count
    plies: Count
    reasons: dict[str, Count]
    troubles: list[str]
    digest: str


class TuningDocument(TypedDict):
    """What tuning has found."""

    schema: Literal["gametree.tuning/1"]
    game: str
    player: str
    parameters: dict[str, Any]
    """What was found, as a player is told it: `weights`, or settings by name."""
    names: list[str]
    start: list[Number]
    found: list[Number]
    games: Count
    planned: Count
    path: list[list[Number]]
    """After so many games the values that follow."""
    score: SampleDocument | None
    """What the found parameters made against those at the start."""
