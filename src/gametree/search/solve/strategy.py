"""`strategy`: the whole policy of a solved game, a move for every position that can arise under it.

A strategy is not a move and not a line: it says what to do after everything that the other player may do, and nothing
about positions that it does not let arise. That makes it small, and it makes it a proof: play it against every reply,
and no play ends worse than promised (`Strategy.verify`). The other player's strategy is the other half of the proof.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from gametree.arguments import is_whole
from gametree.errors import InputError
from gametree.game import Game, check_state, player_name
from gametree.result import Limit, Shown, Value
from gametree.search.core.sound import sound
from gametree.search.core.stopwatch import StopWatch
from gametree.search.core.variant import Variant
from gametree.search.solve.graph import identity
from gametree.search.solve.solution import Progress
from gametree.search.solve.solver import MOST_STATES, CannotFinishError, Solver

if TYPE_CHECKING:
    from gametree.board.data import Board
    from gametree.search.solve.verify import Verification

MOST_MOVES: Final = 200_000
"""A strategy of more positions is refused unless asked for."""
_SHOWN: Final = 12


@dataclass(frozen=True, repr=False, eq=False)
class Strategy(Shown):
    """What one player does, wherever the play may go; call it with a state for the action.

    >>> from gametree.games import Nim
    >>> plan = strategy(Nim(counters=5))
    >>> plan(plan.state), len(plan), str(plan.value)
    (1, 4, 'win in 3')
    >>> plan.verify().ok
    True
    """

    game: Game
    state: Any
    """Where it begins."""
    player: int
    """Whose strategy it is."""
    value: Value
    """What it guarantees the player."""
    moves: Mapping[Any, Any]
    """For each state where the player moves and that can arise, the action; in the order in which they arise."""
    endless: float = 0.0
    """What play that never ends is worth to player 0."""
    _places: Mapping[Hashable, Any] = field(init=False)

    def __post_init__(self) -> None:
        same = identity(self.game)
        object.__setattr__(self, "moves", MappingProxyType(dict(self.moves)))
        object.__setattr__(self, "_places", {same(state): action for state, action in self.moves.items()})

    def __reduce__(self) -> Any:
        return Strategy, (self.game, self.state, self.player, self.value, dict(self.moves), self.endless)

    def __call__(self, state: Any) -> Any:
        """The action at a state, refused where the strategy has none."""
        try:
            return self._places[identity(self.game)(state)]
        except KeyError:
            raise InputError(self._why_none(state)) from None

    move = __call__

    def __contains__(self, state: Any) -> bool:
        return identity(self.game)(state) in self._places

    def __len__(self) -> int:
        return len(self.moves)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.moves)

    @property
    def owner(self) -> str:
        """What the player is called whose strategy it is."""
        return player_name(self.game.player_names, self.player)

    def _why_none(self, state: Any) -> str:
        game = self.game
        if game.is_terminal(state):
            return f"the game is over at {state!r}: there is nothing to do"
        if game.player(state) != self.player:
            mover = player_name(game.player_names, game.player(state))
            return f"at {state!r} {mover} moves; this is the strategy of {self.owner}"
        return f"{state!r} does not arise under this strategy, so it has no move there"

    # --- what can be made of it -----------------------------------------------------------------------

    def verify(self) -> "Verification":
        """Plays it against every reply and tells what it really guarantees."""
        from gametree.search.solve.verify import verify

        return verify(self)

    def pruned(self) -> "Pruned":
        """The game in which the player has no choice but this strategy: its tree is the strategy's tree."""
        return Pruned(self)

    def to_dict(self) -> dict[str, Any]:
        """The strategy as plain data, by the schema `gametree.strategy/1`."""
        from gametree.search.solve.strategy_json import to_dict

        return to_dict(self)

    def to_json(self, indent: int | None = None) -> str:
        """The strategy as JSON text, which `Strategy.from_json` reads."""
        from gametree.search.solve.strategy_json import to_json

        return to_json(self, indent)

    @staticmethod
    def from_json(text: str, game: Game, state: Any = None) -> "Strategy":
        """The strategy that a text describes, for this game; refused where it is not one. Nothing in it is run.

        `state` is where it begins, needed only where that is not the initial state and the game reads no positions.
        """
        from gametree.search.solve.strategy_json import from_json

        return from_json(text, game, state)

    # --- as people see it -----------------------------------------------------------------------------

    def steps(self) -> Iterator[tuple[tuple[str, ...], str]]:
        """For each position of the strategy a way to it, by names of moves, and the move there."""
        from gametree.search.solve.strategy_json import ways

        for _, way, name in ways(self):
            yield way, name

    _wide = 10

    def _title(self) -> str:
        return f"{type(self.game).__name__}, strategy of {self.owner}"

    def _rows(self) -> list[tuple[str, str]]:
        rows = [
            ("guarantees", str(self.value)),
            ("moves", f"{len(self):,}, one for every position that can arise"),
        ]
        for number, (way, name) in enumerate(self.steps()):
            if number == _SHOWN:
                rows.append(("", f"… and {len(self) - _SHOWN:,} more"))
                break
            rows.append(("", f"{'after ' + ' '.join(way) if way else 'at first'}: {name}"))
        return rows


class Pruned(Variant):
    """A game in which one player follows a strategy: one action wherever it has one, all of them elsewhere."""

    def __init__(self, plan: Strategy):
        super().__init__(plan.game)
        self.plan = plan

    def initial(self) -> Any:
        return self.plan.state

    def actions(self, state: Any) -> Iterable[Any]:
        game = self.game
        return [self.plan(state)] if game.player(state) == self.plan.player else list(game.actions(state))

    def symmetries(self, state: Any) -> Iterable[Any]:
        """Only to merge what is drawn: a strategy need not play symmetric positions alike."""
        return self.game.symmetries(state)

    def key(self, state: Any) -> Hashable:
        return self.game.key(state)

    def show(self, state: Any) -> str:
        return self.game.show(state)

    def board(self, state: Any) -> "Board | None":
        return self.game.board(state)

    def touches(self, state: Any, action: Any) -> Sequence[str]:
        return self.game.touches(state, action)

    def name_action(self, state: Any, action: Any) -> str:
        return self.game.name_action(state, action)


@sound
def strategy(
    game: Game,
    state: Any = None,
    *,
    player: int | None = None,
    limit: Limit | None = None,
    endless: float | None = None,
    most_states: int = MOST_STATES,
    most_moves: int = MOST_MOVES,
    on_progress: Callable[[Progress], None] | None = None,
    compile: str = "auto",
) -> Strategy:
    """A best strategy of a player (of the one who moves, where none is named) from a state to the end of the game.

    It wins soonest where it can win, else it draws or gets the most there is, else it loses latest. Ties go to the
    first action.

    >>> from gametree.games import TicTacToe
    >>> x, o = strategy(TicTacToe(), player=0), strategy(TicTacToe(), player=1)
    >>> float(x.value), float(o.value), x.verify().ok, o.verify().ok
    (0.0, 0.0, True, True)
    """
    state = check_state(game, state)
    if game.is_terminal(state):
        raise InputError("the game is over here: there is nothing to choose")
    solver = Solver(game, endless=endless, most_states=most_states, compile=compile)
    solver.require_certainty()
    if player is None:
        player = game.player(state)
    if not is_whole(player) or player not in (0, 1):
        raise InputError(f"player={player!r}: whose strategy, 0 or 1")
    watch = StopWatch(limit or Limit()).begin()
    left = watch.left()
    moves, rules, done = dict[Any, Any](), watch.rules(game), False
    if left is not None:
        solved = solver.values(state, left, on_progress=on_progress)
        with watch.in_time():
            moves = dict(_policy(rules, state, player, lambda at: solved.best(at)[0], most_moves))
            done = True
    if not done:
        raise CannotFinishError(
            f"stopped by {watch.stopped_by} before the strategy of {type(game).__name__} was complete"
        )
    return Strategy(game, state, player, solved.value(state, player), moves, solver.endless)


def _policy(
    game: Game, state: Any, player: int, choose: Callable[[Any], Any], most: int
) -> Iterator[tuple[Any, Any]]:
    """The states at which a player moves and that can arise, each with the chosen action, breadth first."""
    same = identity(game)
    seen, waiting, count = {same(state)}, [state], 0
    for at in waiting:
        if game.is_terminal(at):
            continue
        actions: Sequence[Any]
        if game.player(at) == player:
            actions = [choose(at)]
            count += 1
            if count > most:
                raise InputError(
                    f"the strategy has more than {most:,} moves: begin nearer to the end of the game, or raise"
                    " most_moves"
                )
            yield at, actions[0]
        else:
            actions = list(game.actions(at))
        for action in actions:
            child = game.result(at, action)
            if same(child) not in seen:
                seen.add(same(child))
                waiting.append(child)
