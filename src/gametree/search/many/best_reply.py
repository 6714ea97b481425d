"""Best-reply search: of all opponents, the one with the strongest reply moves.

Schadd & Winands, Best Reply Search for Multiplayer Games (IEEE Transactions on Computational Intelligence and AI in
Games, 2011). Between two moves of our side a single opponent moves, the one whose move hurts us most; the others pass.
Every second ply is ours, as with two players, so alpha-beta looks further ahead than paranoid search does.

What it assumes: that passing is possible and changes little, and that opponents neither combine against us nor help
each other. Positions in which others have passed cannot arise where the rules know no pass, so the value is an opinion
and not a bound, except between two sides of one player each, where it is minimax. The kernel is in `replying.py`.
"""

from collections.abc import Callable, Sequence
from typing import Any

from gametree.errors import UnsuitableError
from gametree.game import Game, offers
from gametree.result import Analysis, Limit
from gametree.search.many import best_reply_kernel
from gametree.search.many.asking import ask, at_once
from gametree.search.many.paranoid import Opposed
from gametree.search.many.root import OnProgress, Request, Walk

NAME = "best_reply"


class Replying(Opposed):
    """A root at which our side moves, and then one opponent at a time."""

    kernel = staticmethod(best_reply_kernel.value)

    def line(self, walk: Walk) -> list[Any]:
        """With several opponents, what follows the first action is no line of play: others have passed in between."""
        if len(_opponents(self.request)) > 1:
            return [] if walk.best is None else [self.actions[walk.best]]
        return super().line(walk)

    @property
    def proves(self) -> bool:  # type: ignore[override]
        return len(_opponents(self.request)) == 1


def best_reply(
    game: Game,
    state: Any = None,
    *,
    depth: int | None = None,
    limit: Limit | None = None,
    evaluation: str | Callable[[Any, int], float] | None = None,
    history: Sequence[Any] = (),
    seed: int = 0,
    compile: str = "auto",
    moves: bool = False,
    on_progress: OnProgress | None = None,
) -> Analysis:
    """What an action is worth to the player to move if only the strongest reply of one opponent follows, and so on.

    With more than one opponent the game has to define `null(state)`, the state after a pass; an opponent for whom it is
    None has to move. `exact` is never true there, as passes are no moves. Ties go to the first in the order of
    `actions`. With seconds or nodes and no depth, a game with `evaluate` is searched depth after depth.

    >>> from gametree.games import TicTacToe
    >>> result = best_reply(TicTacToe(), TicTacToe().parse_state("XX./OO./..."), compile="never")
    >>> result.name, result.value == 1, result.exact
    ('c3', True, True)
    """
    request = ask(
        NAME,
        game,
        state,
        depth=depth,
        limit=limit,
        evaluation=evaluation,
        history=history,
        compile=compile,
        moves=moves,
        chance=False,
    )
    if len(_opponents(request)) > 1 and not offers(request.game, "null"):
        raise UnsuitableError(
            f"{type(game).__name__} has {game.players} players and no `null`; best_reply lets one opponent move while"
            " the others pass. Define `null(self, state)`, the state after a pass, or use paranoid or maxn."
        )
    done = at_once(request, everybody=False)
    return Replying(request).think(on_progress) if done is None else done


def _opponents(request: Request) -> list[int]:
    ours = request.sides.of[request.player]
    return [player for player, side in enumerate(request.sides.of) if side != ours]
