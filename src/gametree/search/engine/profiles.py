"""What the engine does to be fast: features that can be measured one by one, and the profiles that users choose from.

A feature is a bit. A profile is the set of features that was best together, where it is meant for
(docs/benchmarks.md):

    general    every game, and few nodes a move: what helped in at least one of four games and hurt in none
    fast       chess by the clock: a tenth of a second a move, 100,000 nodes and more
    patient    chess with half a second a move or more: an action without an equal is followed further

Whether the value is that of minimax to the depth is another question: who wants that leaves out `SELECTIVE`.
"""

from collections.abc import Iterable
from typing import Final

from gametree.arguments import is_whole
from gametree.errors import InputError

Profile = str | int
"""The name of a profile, or features as bits: so a benchmark or a test switches a single one on or off."""

FEATURE_NAMES: Final = (
    "table",
    "pvs",
    "killers",
    "history",
    "counter",
    "evaluation-order",
    "quiescence",
    "singular",
    "reduction",
    "null",
    "lmr",
    "futility",
    "lmp",
    "aspiration",
    "foresight",
    "root",
    "wary",
)
(
    TABLE,
    PVS,
    BY_KILLERS,
    BY_HISTORY,
    BY_COUNTER,
    BY_EVALUATION,
    QUIESCENCE,
    SINGULAR,
    REDUCTION,
    NULL,
    LMR,
    FUTILITY,
    LMP,
    ASPIRATION,
    FORESIGHT,
    ROOT,
    WARY,
) = (1 << i for i in range(len(FEATURE_NAMES)))
TOGETHER: Final = 1 << len(FEATURE_NAMES)
"""Several threads search: see `threads.py`. No feature, and in no profile: the number of threads sets it."""

PRUNING: Final = REDUCTION | NULL | LMR | FUTILITY | LMP | FORESIGHT
"""What leaves lines out or cuts them short: a win may then be found later than the nearest."""
SELECTIVE: Final = QUIESCENCE | SINGULAR | PRUNING
"""What makes the value another than that of minimax to the depth."""

GENERAL: Final = TABLE | PVS | BY_HISTORY | BY_EVALUATION | QUIESCENCE | NULL | LMR | FUTILITY
FAST: Final = GENERAL | ASPIRATION | BY_COUNTER | FORESIGHT | BY_KILLERS | LMP | REDUCTION | ROOT | WARY
PATIENT: Final = FAST | SINGULAR
PROFILES: Final = {"general": GENERAL, "fast": FAST, "patient": PATIENT}


def features(names: Iterable[str]) -> int:
    """The bits of some features.

    >>> features(["table", "pvs"])
    3
    """
    names = set(names)
    for name in sorted(names - set(FEATURE_NAMES)):
        raise InputError(f"{name!r} is no feature of the engine; they are: {', '.join(FEATURE_NAMES)}")
    return sum(1 << FEATURE_NAMES.index(name) for name in names)


def features_for(profile: Profile, *, judges: bool, selective: bool) -> int:
    """The features that a profile has for a game; `judges`: whether it has an evaluation to go by."""
    on = features_of(profile)
    if not judges:  # nobody is ahead anywhere
        on &= ~(BY_EVALUATION | FUTILITY | NULL)
    return on if selective else on & ~SELECTIVE


def features_of(profile: Profile) -> int:
    """The features of a profile.

    >>> features_of("fast") == features_of("patient") & ~SINGULAR
    True
    """
    if is_whole(profile) and 0 <= profile < TOGETHER:
        return profile
    if not isinstance(profile, str) or profile not in PROFILES:
        raise InputError(f'profile={profile!r}: it is "general", "fast" or "patient"')
    return PROFILES[profile]
