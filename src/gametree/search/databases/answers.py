"""What databases say of a position, as an `Analysis`; and which databases a search asks."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Union

from gametree.errors import InputError
from gametree.game import Game, names_of, offers
from gametree.places import data_directory
from gametree.result import Analysis, Move, Value
from gametree.search.core.plays import root_actions
from gametree.search.core.task import Task

METHOD: Final = "endgame database"

if TYPE_CHECKING:
    from gametree.search.databases.database import Database

Databases = Union["Database", str, Path, bool]
FOLDER: Final = "databases"
SUFFIX: Final = ".gtend"
_opened: "dict[tuple[type, str, Path, float], Database]" = {}


def chosen(game: Game, databases: Any) -> "Database | None":
    """What `databases=` names: a `Database`, a directory, True for those that are found, False for none."""
    if databases is False:
        return None
    if databases is True:
        return found(game, default_directory(game)) if offers(game, "slice_place") else None
    from gametree.search.databases.database import Database

    if isinstance(databases, Database):
        if not databases.fits(game):
            raise InputError(f"databases={databases!r} are not of {game!r}")
        return databases
    if isinstance(databases, (str, Path)):
        folder = Path(databases)
        if not folder.is_dir():
            raise InputError(f"databases={str(databases)!r}: there is no such folder")
        return Database(game, folder)
    raise InputError(
        f"databases={databases!r}: a Database, a folder, True for those that are found, or False"
    )


def default_directory(game: Game) -> Path:
    """Where the databases of a game are looked for: in the user's directory for data."""
    return data_directory() / FOLDER / type(game).__name__.lower()


def found(game: Game, folder: Path) -> "Database | None":
    """The databases in a folder, read once for all searches until something in it changes; None where it has none."""
    if not folder.is_dir() or not any(folder.glob(f"*{SUFFIX}")):
        return None
    from gametree.search.databases.database import Database

    key = type(game), repr(game), folder, folder.stat().st_mtime
    if key not in _opened:
        _opened.clear()
        _opened[key] = Database(game, folder)
    return _opened[key]


def from_database(database: "Database", task: Task, lines: int = 1) -> Analysis | None:
    """The proven value of a position, of all its actions, and so many of its best lines; None where it is in none."""
    game, state = task.game, task.state
    value = database.probe(state)
    if value is None or task.history or not _in_time(game, state, value):
        return None
    known = [(action, worth) for action, worth in database.moves(state) if worth is not None]
    if len(known) < len(root_actions(game, state)):
        return None
    assert game.total is not None
    player = game.player(state)
    mine, theirs = value.payoff, game.total - value.payoff
    best = []
    for action, worth in sorted(known, key=lambda pair: pair[1], reverse=True)[:lines]:
        line = (action, *database.line(game.result(state, action)))
        names = names_of(game, state, line)
        best.append(Move(action, worth, "exact", names[0], True, line, names))
    moves = (Move(action, worth, "exact", game.name_action(state, action), True) for action, worth in known)
    return task.analysis(
        method=METHOD,
        player=player,
        value=value,
        values=(mine, theirs) if player == 0 else (theirs, mine),
        line=best[0].line,
        moves=tuple(moves) if task.moves else (),
        lines=tuple(best),
        depth=None,
        nodes=1 + len(known),
        seconds=0.0,
        exact=True,
        stopped_by="end",
    )


def _in_time(game: Game, state: Any, value: Value) -> bool:
    """Whether no clock ends the game before a win."""
    if not offers(game, "clock") or value.plies is None:
        return True
    left = game.clock(state)
    return left is None or value.plies <= left
