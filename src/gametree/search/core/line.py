"""The line behind the best action, which is not kept while searching: it is found again afterwards.

At each node the first action is taken that attains the score of the root. What it takes to find the line is not counted
as searched.
"""

from typing import TYPE_CHECKING, Any

from gametree.game import CHANCE
from gametree.kernel import primitives

if TYPE_CHECKING:
    from gametree.search.core.root import Root, Walk


def continue_line(root: "Root[Any]", walk: "Walk[Any]", line: list[Any]) -> None:
    """Adds to the beginning of the best line what follows, up to where chance moves."""
    game = root.game
    with root.run.apart():
        root.run.path.full_depth = walk.depth
        state, plies = root.state, 0
        for action in line:
            state = game.result(state, action)
            plies += 1
            if plies < len(line):
                _ends(root, state, plies)
        while plies < walk.depth and not _ends(root, state, plies):
            action = _attaining(root, state, walk.depth - plies, plies, walk)
            if action is None:
                break
            line.append(action)
            state = game.result(state, action)
            plies += 1


def _ends(root: "Root[Any]", state: Any, plies: int) -> bool:
    """Whether a line ends here: the game is over, a position has recurred, or chance decides."""
    over = bool(root.game.is_terminal(state)) or root.recurs(state, plies)
    return over or root.game.player(state) == CHANCE


def _attaining(root: "Root[Any]", state: Any, depth: int, plies: int, walk: "Walk[Any]") -> Any:
    """The first action that attains the score of the root; where that is proven, one without an estimate."""
    game, ledger, mover = root.game, root.run.ledger, root.game.player(state)
    children = [(action, game.result(state, action)) for action in game.actions(state)]
    if root.past.has_rule:
        children = [
            pair for pair in children if not root.past.forbids(game, pair[1], root.run.path, plies + 1)
        ]
    bounds = root.attaining(walk.score, mover)
    found = None
    for action, child in children:
        if root.exhaustive and found is None and action == children[-1][0]:
            return action  # one of them has to
        root.run.approach = (state, [action])
        ledger[primitives.ESTIMATED] = 0
        score = root.score(child, depth - 1, plies + 1, mover, bounds)
        if score is None:
            return None
        if root.attains(score, walk.score, mover):
            found = action if found is None else found
            if not root.exhaustive or walk.estimated or not ledger[primitives.ESTIMATED]:
                return action
    return found
