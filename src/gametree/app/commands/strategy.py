"""`gametree strategy`: what to do in every position that can arise."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from gametree.app import failures, printing
from gametree.app.notation import player_names
from gametree.app.options import Endless, Files, Json, MostStates, Seconds, Situation, json_only
from gametree.app.output import require_endings, write
from gametree.app.screen import width, wrapped
from gametree.app.terminal import sides
from gametree.errors import InputError
from gametree.explain.pictures import export
from gametree.explain.strategy_map import policy_map
from gametree.explain.strategy_tree import policy_outline, policy_title
from gametree.explain.traces.trace import trace
from gametree.game import Game, player_name
from gametree.reading import text_of
from gametree.result import Limit, as_text
from gametree.search.hidden.exploitability import exploitability
from gametree.search.hidden.profile import Profile
from gametree.search.solve.best_response import best_response
from gametree.search.solve.solver import solve
from gametree.search.solve.strategy import Strategy
from gametree.search.solve.strategy import strategy as find
from gametree.view import hides

TREE_ENDINGS = (".json", *export.FORMATS)
MAP_ENDINGS = (".json", ".svg", ".png", ".pdf")
_File = Path | None


def strategy(
    at: Situation,
    *,
    player: Annotated[
        str | None,
        typer.Option(
            metavar="WHO",
            help="Whose: first, second, or a player's name such as X; who moves, if not said.",
        ),
    ] = None,
    out: Annotated[
        Files,
        typer.Option(
            metavar="FILE", help=f"Write it, by its ending: {' '.join(TREE_ENDINGS)}; may be repeated."
        ),
    ] = None,
    as_map: Annotated[
        bool, typer.Option("--map", help="Pictures are a map, boards within boards, instead of a tree.")
    ] = False,
    most: Annotated[int, typer.Option(metavar="N", help="Draw no tree of more nodes than this.")] = 2_000,
    check: Annotated[
        _File, typer.Option("--check", metavar="FILE", help="Read a strategy and try it against every reply.")
    ] = None,
    against: Annotated[
        _File,
        typer.Option("--against", metavar="FILE", help="The best response to the strategy in a file."),
    ] = None,
    seconds: Seconds = None,
    endless: Endless = None,
    most_states: MostStates = 1_000_000,
    as_json: Json = False,
) -> None:
    """Finds a whole strategy, a move for every position that can arise, and plays it against every reply.

    With --check a strategy is read from a file instead; exits with 1 where it does not hold what it promises.

    Where something is hidden it is an equilibrium: how likely each action is, by all that the player has seen. --check
    then says how much every player could gain against the strategies in a file, and --against how.

    \b
    Examples:
      gametree strategy tic-tac-toe
      gametree strategy tic-tac-toe --player O --out nought.json --out o.svg
      gametree strategy tic-tac-toe --check nought.json
      gametree strategy tic-tac-toe --against nought.json
      gametree strategy tic-tac-toe --map --out crosses.svg
      gametree strategy kuhn-poker --out kuhn.json
    """
    files = out or []
    require_endings(files, MAP_ENDINGS if as_map else TREE_ENDINGS)
    _require_one({"--check": check, "--against": against, "--out": out, "--player": player})
    budget = Budget(None if seconds is None else Limit(seconds=seconds), endless, most_states, as_json)
    with json_only(as_json) as emit:
        game, state, _ = at.stand()
        if hides(game):
            if at.position is not None or at.played is not None:
                raise InputError(
                    f"{type(game).__name__} hides something: its strategies are for the whole game, so leave out"
                    " --position and --moves-played"
                )
            file = check or against
            if file is not None:
                _gains(game, file, against is not None, emit if as_json else None)
            else:
                _mixed(game, files, player, budget, emit if as_json else None)
            return
        begins = state if at.position is not None or at.played is not None else None
        if check is not None:
            _check(game, check, begins, emit if as_json else None)
        elif against is not None:
            _respond(game, against, begins, budget, emit if as_json else None)
        else:
            plan = _find(game, state, player, budget)
            verdict = plan.verify()
            pictures = _Pictures(plan, as_map, most)
            for file in files:
                write(file, pictures.content(file.suffix.lower()))
            if as_json:
                emit(plan.to_dict())
            else:
                printing.show_position(game, state)
                print(wrapped(f"{plan}\n  checked    {verdict}", width(), hanging=13))


def _require_one(options: dict[str, Any]) -> None:
    """Refuses what does not go together: a strategy that is read is neither found nor written."""
    given = [name for name, value in options.items() if value]
    if len(given) > 1 and given[0] in ("--check", "--against"):
        raise InputError(f"{' and '.join(given)} together: {given[0]} only reads; give one of them")


@dataclass(frozen=True)
class Budget:
    """How far a strategy is looked for."""

    limit: Limit | None
    endless: float | None
    most_states: int
    quiet: bool


def _find(game: Game, state: Any, player: str | None, budget: Budget) -> Strategy:
    with printing.solving(budget.quiet) as on_progress:
        return find(
            game,
            state,
            player=None if player is None else _one_player(game, player),
            limit=budget.limit,
            endless=budget.endless,
            most_states=budget.most_states,
            on_progress=on_progress,
        )


def _mixed(
    game: Game, files: list[Path], player: str | None, budget: Budget, emit: Callable[[Any], None] | None
) -> None:
    """An equilibrium of a game that hides something, printed or written down."""
    for file in files:
        if file.suffix.lower() != ".json":
            raise InputError(
                f"--out {file.name}: strategies of a game that hides something are written as .json"
            )
    with printing.solving(budget.quiet) as on_progress:
        found = solve(game, None, budget.limit, on_progress=on_progress).equilibrium
    assert found is not None
    for file in files:
        write(file, found.profile.to_json(indent=1) + "\n")
    if emit is not None:
        emit(found.profile.to_dict())
        return
    if player is None:
        print(wrapped(str(found), width(), hanging=13))
        return
    only = _one_player(game, player)
    print(
        wrapped(as_text(f"{type(game).__name__}, {found.method}", found.rows(), wide=11), width(), hanging=13)
    )
    print(_table(found.profile, only))


def _table(profile: Profile, player: int) -> str:
    """How likely each action of a player is, by what he has seen."""
    rows = [(seen, done) for who, seen, done in profile.rows() if who == player]
    wide = min(48, max((len(left) for left, _ in rows), default=0) + 2)
    return wrapped(as_text("", rows, wide=wide), width(), hanging=12)


def _gains(game: Game, file: Path, how: bool, emit: Callable[[Any], None] | None) -> None:
    """What could be gained against the strategies in a file, and by which."""
    found = exploitability(game, Profile.load(game, file))
    if emit is not None:
        emit(found.to_dict())
        return
    print(wrapped(str(found), width(), hanging=13))
    if how:
        for player, response in enumerate(found.responses):
            name = player_name(game.player_names, player)
            print(f"\nA best response of {name}:{_table(response, player)}")


def _one_player(game: Game, text: str) -> int:
    with suppress(InputError, ValueError):  # ValueError: none, or several
        (found,) = sides(game, text)
        return found
    own = [name for name in player_names(game) if " " not in name]
    raise InputError(f"--player {text}: it is {', '.join(['first', 'second', *own])}")


class _Pictures:
    """A strategy as the content of files."""

    def __init__(self, plan: Strategy, as_map: bool, most: int):
        self.plan = plan
        self.as_map = as_map
        self.most = most
        self.title = policy_title(plan, player_names(plan.game)[plan.player])

    def content(self, ending: str) -> str | bytes:
        """What a file with this ending holds."""
        if ending == ".json":
            return self.plan.to_json(indent=1) + "\n"
        if self.as_map:
            drawn = policy_map(self.plan, title=self.title)
            return drawn if ending == ".svg" else export.png(drawn) if ending == ".png" else export.pdf(drawn)
        told = trace(policy_outline(self.plan, most=self.most), "minimax")
        return export.bytes_of(told, ending, boards=True, title=self.title)


def _check(game: Game, file: Path, state: Any, emit: Callable[[Any], None] | None) -> None:
    """Reads a strategy and says what it is worth."""
    verdict = _read(game, file, state).verify()
    if emit is not None:
        emit(verdict.to_dict())
    else:
        print(wrapped(f"{file} is {verdict}", width(), hanging=2))
    if not verdict.ok:
        raise typer.Exit(failures.PROBLEMS)


def _respond(game: Game, file: Path, state: Any, budget: Budget, emit: Callable[[Any], None] | None) -> None:
    """The best response to a strategy in a file."""
    plan = _read(game, file, state)
    with printing.solving(budget.quiet) as on_progress:
        found = best_response(
            game,
            plan,
            plan.state,
            player=1 - plan.player,
            limit=budget.limit,
            endless=budget.endless,
            most_states=budget.most_states,
            on_progress=on_progress,
        )
    if emit is not None:
        emit(found.to_dict())
    else:
        print(wrapped(str(found), width(), hanging=13))


def _read(game: Game, file: Path, state: Any) -> Strategy:
    text = text_of(file)
    try:
        return Strategy.from_json(text, game, state)
    except InputError as error:
        raise InputError(f"{file}: {error}") from None
