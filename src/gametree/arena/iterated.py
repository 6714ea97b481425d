"""Tournaments of the iterated prisoner's dilemma: every strategy meets every one, itself included (Axelrod 1984).

A strategy is an automaton, whose next move depends on a state that the moves of both lead on, or a function of both
histories. Where no chance takes part the two automata soon go round in a circle, which is added up as often as it fits;
else all matches are played at once, turn by turn.
"""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from gametree.arguments import is_finite, number, whole
from gametree.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

LETTERS: Final = "CD"
AXELROD: Final = (3.0, 0.0, 5.0, 1.0)
"""Reward, sucker's payoff, temptation and punishment in Axelrod's tournaments."""

Counts = tuple[int, int, int, int]
"""How often both cooperated, only the other defected, only oneself did, and both."""


@dataclass(frozen=True)
class Automaton:
    """A strategy with a memory: in state s it defects with probability `defects[s]`; `after[s]` says which state
    follows both cooperating, the other alone defecting, itself alone defecting, and both. It begins in state 0.

    >>> Automaton((0.0, 1.0), ((0, 1, 0, 1), (0, 1, 0, 1))).is_certain
    True
    """

    defects: tuple[float, ...]
    after: tuple[tuple[int, int, int, int], ...]

    def __post_init__(self) -> None:
        size = len(self.defects)
        if not size or len(self.after) != size or not all(0 <= share <= 1 for share in self.defects):
            raise InputError(
                "an automaton has a probability from 0 to 1, and four states to follow, for each state"
            )
        if any(len(row) != 4 or not all(0 <= one < size for one in row) for row in self.after):
            raise InputError(f"each state is followed by four states, 0 to {size - 1}")

    @property
    def is_certain(self) -> bool:
        """Whether chance takes no part."""
        return all(share in (0, 1) for share in self.defects)


def _memory_one(first: float, *after: float) -> Automaton:
    """Defects with a probability for the first move, and after CC, CD, DC and DD."""
    return Automaton((first, *after), ((1, 2, 3, 4),) * 5)


def _counting(last: int, tempted: bool) -> Automaton:
    """Defects where the other defected in any of the last moves, or in all of them."""
    states = 2**last
    wanted = states - 1
    defects = tuple(float(s == wanted if tempted else s > 0) for s in range(states))
    after = tuple(((s * 2) % states, (s * 2 + 1) % states) * 2 for s in range(states))
    return Automaton(defects, tuple((a, b, c, d) for a, b, c, d in after))


_HOLD: Final = (0, 0, 0, 0)
CLASSICS: Final[Mapping[str, Automaton]] = {
    "tit for tat": _memory_one(0, 0, 1, 0, 1),
    "cooperate": Automaton((0.0,), (_HOLD,)),
    "defect": Automaton((1.0,), (_HOLD,)),
    "grim": Automaton((0.0, 1.0), ((0, 1, 0, 1), (1, 1, 1, 1))),
    "tit for two tats": _counting(2, tempted=True),
    "two tits for tat": _counting(2, tempted=False),
    "hard tit for tat": _counting(3, tempted=False),
    "win-stay lose-shift": _memory_one(0, 0, 1, 1, 0),
    "suspicious tit for tat": _memory_one(1, 0, 1, 0, 1),
    "bully": _memory_one(1, 1, 0, 1, 0),
    "alternate": Automaton((0.0, 1.0), ((1, 1, 1, 1), (0, 0, 0, 0))),
    # Defects, cooperates, cooperates; where that is never answered it defects for good, else plays tit for tat.
    "prober": Automaton(
        (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0),
        (
            (1, 1, 1, 1),
            (2, 3, 2, 3),
            (4, 6, 4, 6),
            (5, 6, 5, 6),
            (4, 4, 4, 4),
            (5, 6, 5, 6),
            (5, 6, 5, 6),
        ),
    ),
    "generous tit for tat": _memory_one(0, 0, 2 / 3, 0, 2 / 3),
    "joss": _memory_one(0, 0.1, 1, 0.1, 1),
    "random": Automaton((0.5,), (_HOLD,)),
}
"""The classical strategies by name."""

Strategy = Automaton | Callable[..., Any]


@dataclass(frozen=True)
class Standings:
    """What came of a tournament: scores a turn, on average over the repetitions."""

    names: tuple[str, ...]
    """The strategies, the best first."""
    scores: tuple[float, ...]
    """For each the average over all opponents, itself included."""
    against: tuple[tuple[float, ...], ...]
    """For each strategy its score against each."""
    cooperation: tuple[float, ...]
    """For each how often it cooperated."""
    turns: int
    repetitions: int
    noise: float
    seed: int

    @property
    def winner(self) -> str:
        return self.names[0]

    def __str__(self) -> str:
        wide = max(map(len, self.names))
        lines = [f"{'':>3} {'strategy':{wide}}  score  cooperates"]
        for place, (name, score, share) in enumerate(zip(self.names, self.scores, self.cooperation), start=1):
            lines.append(f"{place:>3} {name:{wide}}  {score:5.3f}  {share:9.0%}")
        noise = f", {self.noise:g} of all moves turned round" if self.noise else ""
        matches = (
            f"{self.repetitions} match{'es' * (self.repetitions > 1)} of {self.turns:,} turns for each pair"
        )
        return "\n".join([*lines, f"{matches}{noise}, seed {self.seed}"])

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            key: list(map(list, value)) if key == "against" else value for key, value in vars(self).items()
        }


def iterated(
    strategies: Iterable[str] | Mapping[str, Strategy] | None = None,
    *,
    turns: int = 200,
    repetitions: int = 5,
    noise: float = 0.0,
    payoffs: Sequence[float] = AXELROD,
    seed: int = 0,
) -> Standings:
    """A tournament of the iterated prisoner's dilemma: the classical strategies, some of them, or one's own by name.

    One's own is an `Automaton`, or a function of both histories, texts of C and D, that gives "C" or "D":
    `lambda mine, theirs: "D" if theirs.count("D") > 3 else "C"`. With three parameters the last draws (`.random()`).
    `payoffs` are reward, sucker's payoff, temptation and punishment. `noise` is how often a move is turned round.

    >>> print(iterated(["tit for tat", "defect", "cooperate", "grim"]))
        strategy     score  cooperates
      1 grim         2.499        75%
      2 tit for tat  2.499        75%
      3 cooperate    2.250       100%
      4 defect       2.010         0%
    5 matches of 200 turns for each pair, seed 0
    """
    field = _field(strategies)
    whole("turns", turns, "a match has at least one turn", least=1)
    whole("repetitions", repetitions, "each pair meets at least once", least=1)
    number("noise", noise, "how often a move is turned round, from 0 to 1", least=0, most=1)
    reward, sucker, temptation, punishment = _payoffs(payoffs)
    names, players = list(field), list(field.values())
    worth = (reward, sucker, temptation, punishment)
    size = len(names)
    score = [[0.0] * size for _ in names]
    cooperated = [0.0] * size
    for (one, other), counts, matches in _matches(players, turns, repetitions, noise, seed):
        flipped = (counts[0], counts[2], counts[1], counts[3])
        if one == other:
            # The same one sits on both sides: what it gets and does on average.
            tallies: list[tuple[int, int, tuple[float, ...]]] = [
                (one, one, tuple((a + b) / 2 for a, b in zip(counts, flipped)))
            ]
        else:
            tallies = [(one, other, counts), (other, one, flipped)]
        for mine, theirs, tally in tallies:
            score[mine][theirs] = sum(n * value for n, value in zip(tally, worth)) / (turns * matches)
            cooperated[mine] += (tally[0] + tally[1]) / (turns * matches) / size
    averages = [sum(row) / size for row in score]
    order = sorted(range(size), key=lambda at: (-round(averages[at], 12), names[at]))
    return Standings(
        tuple(names[at] for at in order),
        tuple(averages[at] for at in order),
        tuple(tuple(score[at][other] for other in order) for at in order),
        tuple(cooperated[at] for at in order),
        turns,
        repetitions,
        noise,
        seed,
    )


def _field(strategies: Iterable[str] | Mapping[str, Strategy] | None) -> dict[str, Strategy]:
    if strategies is None:
        return dict(CLASSICS)
    if isinstance(strategies, Mapping):
        found = dict(strategies)
        for name, one in found.items():
            if not isinstance(one, Automaton) and not callable(one):
                raise InputError(f"{name}: a strategy is an Automaton, or a function of both histories")
    elif isinstance(strategies, str) or not isinstance(strategies, Iterable):
        raise InputError(
            f"strategies={strategies!r}: a list of names, or one's own by name; there are: {', '.join(CLASSICS)}"
        )
    else:
        found = {}
        for name in strategies:
            if not isinstance(name, str) or name not in CLASSICS:
                raise InputError(f"there is no strategy {name!r}; there are: {', '.join(CLASSICS)}")
            found[name] = CLASSICS[name]
    if not found:
        raise InputError(f"a tournament needs a strategy; there are: {', '.join(CLASSICS)}")
    return found


def _payoffs(payoffs: Sequence[float]) -> tuple[float, float, float, float]:
    given = tuple(payoffs) if isinstance(payoffs, Iterable) else ()
    match given if all(map(is_finite, given)) else ():
        case (reward, sucker, temptation, punishment) if temptation > reward > punishment > sucker:
            return float(reward), float(sucker), float(temptation), float(punishment)
    raise InputError(
        f"payoffs={payoffs!r}: reward, sucker's payoff, temptation and punishment, with temptation > reward >"
        " punishment > sucker"
    )


# --- matches ----------------------------------------------------------------------------------------


def _matches(
    players: Sequence[Strategy], turns: int, repetitions: int, noise: float, seed: int
) -> Iterable[tuple[tuple[int, int], Counts, int]]:
    """The counts of each pair, summed over its matches, and how many matches these were."""
    together: list[tuple[int, int]] = []
    for one in range(len(players)):
        for other in range(one, len(players)):
            a, b = players[one], players[other]
            if not isinstance(a, Automaton) or not isinstance(b, Automaton):
                draw = random.Random(f"{seed} {one} {other}")
                played = [called(a, b, turns, noise, draw) for _ in range(repetitions)]
                yield (one, other), _sum(played), repetitions
            elif a.is_certain and b.is_certain and not noise:
                yield (one, other), circling(a, b, turns), 1
            else:
                together.append((one, other))
    if together:
        automata = [one if isinstance(one, Automaton) else CLASSICS["random"] for one in players]
        for pair, counts in zip(together, drawn(automata, together, turns, repetitions, noise, seed)):
            yield pair, counts, repetitions


def _sum(counts: Iterable[Counts]) -> Counts:
    a, b, c, d = map(sum, zip(*counts))
    return a, b, c, d


def circling(one: Automaton, other: Automaton, turns: int) -> Counts:
    """The counts of a match without chance: up to the first state that recurs, then as many rounds as fit.

    >>> circling(CLASSICS["tit for tat"], CLASSICS["defect"], 10)
    (0, 1, 0, 9)
    """
    seen: dict[tuple[int, int], int] = {}
    history: list[tuple[int, int, int, int]] = [(0, 0, 0, 0)]
    a = b = 0
    while len(history) <= turns and (a, b) not in seen:
        seen[a, b] = len(history) - 1
        x, y = int(one.defects[a]), int(other.defects[b])
        counts = list(history[-1])
        counts[2 * x + y] += 1
        history.append((counts[0], counts[1], counts[2], counts[3]))
        a, b = one.after[a][2 * x + y], other.after[b][2 * y + x]
    played = len(history) - 1
    if played == turns:
        return history[turns]
    start = seen[a, b]
    rounds, rest = divmod(turns - start, played - start)
    found = [
        first + rounds * (last - first) + (end - first)
        for first, last, end in zip(history[start], history[played], history[start + rest])
    ]
    return found[0], found[1], found[2], found[3]


def called(one: Strategy, other: Strategy, turns: int, noise: float, draw: random.Random) -> Counts:
    """The counts of a match in which a function takes part, turn by turn."""
    sides = [_mover(one), _mover(other)]
    first = second = ""
    counts = [0, 0, 0, 0]
    for _ in range(turns):
        moves = [sides[0](first, second, draw), sides[1](second, first, draw)]
        if noise:
            moves = [1 - move if draw.random() < noise else move for move in moves]
        counts[2 * moves[0] + moves[1]] += 1
        first, second = first + LETTERS[moves[0]], second + LETTERS[moves[1]]
    return counts[0], counts[1], counts[2], counts[3]


def _mover(strategy: Strategy) -> Callable[[str, str, random.Random], int]:
    """What gives the next move from both histories."""
    if isinstance(strategy, Automaton):
        state = 0

        def step(mine: str, theirs: str, draw: random.Random) -> int:
            nonlocal state
            if mine:
                state = strategy.after[state][2 * LETTERS.index(mine[-1]) + LETTERS.index(theirs[-1])]
            return int(draw.random() < strategy.defects[state])

        return step
    from inspect import signature

    wide = len(signature(strategy).parameters) > 2

    def ask(mine: str, theirs: str, draw: random.Random) -> int:
        answer = strategy(mine, theirs, draw) if wide else strategy(mine, theirs)
        if answer not in ("C", "D"):
            name = getattr(strategy, "__name__", "a strategy")
            raise InputError(f"{name} gave {answer!r}; a strategy gives 'C' to cooperate or 'D' to defect")
        return LETTERS.index(answer)

    return ask


def drawn(
    players: Sequence[Automaton],
    pairs: Sequence[tuple[int, int]],
    turns: int,
    repetitions: int,
    noise: float,
    seed: int,
) -> list[Counts]:
    """The counts of matches with chance: all repetitions of all pairs side by side, turn by turn."""
    import numpy as np

    starts = np.cumsum([0, *(len(one.defects) for one in players)])
    defects: NDArray[np.float64] = np.concatenate([one.defects for one in players])
    after = np.concatenate([np.array(one.after) + start for one, start in zip(players, starts)]).ravel()
    a = np.repeat(starts[[one for one, _ in pairs]], repetitions)
    b = np.repeat(starts[[other for _, other in pairs]], repetitions)
    generator = np.random.default_rng(seed)
    tallies = np.zeros((3, len(a)), dtype=np.int64)
    for _ in range(turns):
        x = generator.random(len(a)) < defects[a]
        y = generator.random(len(a)) < defects[b]
        if noise:
            x ^= generator.random(len(a)) < noise
            y ^= generator.random(len(a)) < noise
        tallies[0] += x
        tallies[1] += y
        tallies[2] += x & y
        a = after[4 * a + 2 * x + y]
        b = after[4 * b + 2 * y + x]
    first, second, both = tallies.reshape(3, len(pairs), repetitions).sum(axis=2).tolist()
    total = turns * repetitions
    return [(total - x - y + xy, y - xy, x - xy, xy) for x, y, xy in zip(first, second, both)]
