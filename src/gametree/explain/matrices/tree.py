"""A matrix game as a tree: the players choose one after the other, and a dashed line joins what they cannot tell
apart.
"""

from dataclasses import replace
from typing import Any

from gametree.errors import InputError
from gametree.games.tree.game import Tree
from gametree.games.tree.outline import Outline, outline
from gametree.games.tree.spec import Turn
from gametree.strategic import Form

MOST_CELLS = 200


def tree_of(form: Form) -> Tree:
    """The tree of a matrix game, with an information set for each player but the first.

    >>> from gametree.games.matrix.classics import PrisonersDilemma
    >>> print(tree_of(PrisonersDilemma().form).show(0))
    player 0
      silent: player 1 in B
        silent: (-1, -1)
        betray: (-3, 0)
      betray: player 1 in B
        silent: (0, -3)
        betray: (-2, -2)
    """
    if len(form.payoffs) > MOST_CELLS:
        raise InputError(
            f"the tree would have {len(form.payoffs):,} leaves: more than {MOST_CELLS} are no picture"
        )

    def below(at: tuple[int, ...]) -> Any:
        player = len(at)
        if player == form.players:
            return tuple(map(float, form.payoffs[form.index(at)]))
        moves = {name: below((*at, choice)) for choice, name in enumerate(form.choices[player])}
        return Turn(player, moves, form.names[player] if at else None)

    return Tree(below(()))


def outline_of(form: Form) -> Outline:
    """The same to be drawn: the players have their names, the nodes none."""

    def named(node: Outline) -> Outline:
        who = "" if node.player is None else form.names[node.player]
        return replace(node, name="", mover=who, children=tuple(map(named, node.children)))

    return named(outline(tree_of(form)))
