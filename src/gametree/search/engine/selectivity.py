"""What a selective search leaves out, and what it looks at less deep.

All of it is measured in usual steps: by how much the estimate changes from one ply to the next, on average, in the
search under way. A step is infinite while nobody knows, and then nothing is left out for its sake.

`improving` says that the mover stands better by the estimate than when he was last to move. Where he does not, a late
action is less likely to be the one.
"""

DEEPEST_GLANCE = 7
"""Plies from the horizon up to which an estimate may settle a state, or leave out an action."""
DEEPEST_LOSING = 3
"""The same for an action that the game's `order` puts below zero."""

DEEPEST_AT_ROOT = 12
"""The depth up to which late actions at the root are looked at less deep: who thinks longer can look at all of them,
and a sacrifice is late at first sight."""


def is_beyond(judged: float, ceiling: float, depth: int, improving: bool, usual: float) -> bool:
    """Whether a state is so much better than it has to be that no answer will change that (reverse futility)."""
    plies = depth - 1 if improving else depth
    return depth <= DEEPEST_GLANCE and usual > 0.0 and judged - 0.9 * usual * plies >= ceiling


def is_far_below(judged: float, floor: float, depth: int, usual: float) -> bool:
    """Whether so much is missing that only tactical actions could help (razoring)."""
    return depth <= 2 and judged + 3.0 * usual * depth <= floor


def depth_after_pass(depth: int, surplus: float, usual: float) -> int:
    """How deep to look after a pass: the less so the deeper the search, and the more there is to spare."""
    more = min(2, int(surplus / (2.0 * usual))) if usual > 0.0 else 0
    return depth - 4 - depth // 4 - more


def is_late(tried: int, depth: int, improving: bool) -> bool:
    """Whether so many actions have been tried that none of the others will be better (late move pruning)."""
    enough = 3 + depth * depth
    return tried > (enough if improving else enough // 2)


def is_hopeless(judged: float, floor: float, depth: int, usual: float) -> bool:
    """Whether too much is missing for a calm action to make up for (futility)."""
    return judged + (1.0 + 0.8 * depth) * usual <= floor
