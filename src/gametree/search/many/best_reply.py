"""Best-reply search: of all opponents, the one with the strongest reply moves.

Schadd & Winands, Best Reply Search for Multiplayer Games (IEEE Transactions on Computational Intelligence and AI in
Games, 2011). Between two moves of our side a single opponent moves, the one whose move hurts us most; the others pass.
Every second ply is ours, as with two players, so alpha-beta looks further ahead than paranoid search does.

What it assumes: that passing is possible and changes little, and that opponents neither combine against us nor help
each other. Positions in which others have passed cannot arise where the rules know no pass, so the value is an opinion
and not a bound, except between two sides of one player each, where it is minimax. The kernel is in
`best_reply_kernel.py`.
"""

from collections.abc import Sequence
from typing import Any, Unpack

from gametree.errors import UnsuitableError
from gametree.game import Game, offers
from gametree.result import Analysis
from gametree.search.core.answer import Walk
from gametree.search.core.sound import sound
from gametree.search.core.task import Keywords, Needs, OnProgress, Task, spelled_out
from gametree.search.many import best_reply_kernel
from gametree.search.many.paranoid import Opposed
from gametree.search.many.root import Score
from gametree.search.many.task import ManyTask, ask, at_once

NEEDS = Needs("best_reply", chance=False, repetition="shared")


class Replying(Opposed):
    """A root at which our side moves, and then one opponent at a time."""

    kernel: Any = staticmethod(best_reply_kernel.value)

    def line(self, walk: Walk[Score], known: Sequence[Any] = ()) -> list[Any]:
        """With several opponents, what follows the first action is no line of play: others have passed in between."""
        if len(_opponents(self.task)) > 1:
            return [] if walk.best is None else [self.actions[walk.best]]
        return super().line(walk, known)

    @property
    def proves(self) -> bool:  # type: ignore[override]
        return len(_opponents(self.task)) == 1


@spelled_out
@sound
def best_reply(
    game: Game,
    state: Any = None,
    *,
    moves: bool = False,
    on_progress: OnProgress | None = None,
    **keywords: Unpack[Keywords],
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
    task = ask(Task.of(NEEDS, game, state, moves=moves, on_progress=on_progress, **keywords))
    if len(_opponents(task)) > 1 and not offers(game, "null"):
        raise UnsuitableError(
            f"{type(game).__name__} has {game.players} players and no `null`; best_reply lets one opponent move while"
            " the others pass. Define `null(self, state)`, the state after a pass, or use paranoid or maxn."
        )
    done = at_once(task, everybody=False)
    return Replying.search(task) if done is None else done


def _opponents(task: ManyTask) -> list[int]:
    ours = task.sides.of[task.player]
    return [player for player, side in enumerate(task.sides.of) if side != ours]
