"""The first lines of files of results that a run goes on from: what is done in it."""

from typing import Any, Literal, TypedDict

from gametree.documents.parts import Count


class PerftDocument(TypedDict):
    """A count of lines of play. Every other line has the hash of a part as `task`, and its `lines`."""

    schema: Literal["gametree.perft/1"]
    game: str
    rules: str
    """The fingerprint of the game: its rules, parameters and arrays."""
    state: str
    """A digest of the position."""
    depth: Count


class TuneDocument(TypedDict):
    """A tuning. Every other line has the hash of a round as `task`, the first player's `share`, and the `plies`."""

    schema: Literal["gametree.tune/1"]
    game: str
    fingerprint: str
    player: dict[str, Any]
    parameters: list[list[Any]]
    """Of each its name, where it begins, its least and its most."""
    rounds: Count
    batch: Count
    openings: dict[str, Any]
    seed: int
    most_plies: Count
