"""A sequence form in arrays, and what passes over it: payoffs, best responses, regret. All numbers are floats.

Sequences of all players are numbered on, the empty one of each first; so are information sets. The payoffs of a player
stand by his sequences, each with the sequences of the others that they belong to.
"""

import functools
from typing import Any, Final

from gametree.game import Game
from gametree.kernel.memory import Memory
from gametree.kernel.primitives import Floats, Ints
from gametree.search.core.runner import prepare
from gametree.search.hidden.sequence_form import SequenceForm


class Tableau(Memory, frozen=True):
    """A sequence form."""

    players: int
    sequences: Ints
    """The first sequence of each player, and how many there are in all."""
    sets: Ints
    """The first information set of each player, and how many there are in all."""
    parent: Ints
    """For each information set: the sequence that leads there …"""
    first: Ints
    """… the first sequence that ends there …"""
    count: Ints
    """… and how many do."""
    starts: Ints
    """Where the payoffs of each sequence begin."""
    others: Ints
    """For each payoff: the sequences of the other players, in their order."""
    payoffs: Floats


class Learner(Memory):
    """Regrets and strategies, a number for each sequence."""

    regrets: Floats
    local: Floats
    """The strategy of this iteration: how likely the last action is at its information set."""
    plan: Floats
    """How likely the player is to play along the whole sequence."""
    average: Floats
    """The sum of the plans so far, weighted."""
    gain: Floats
    """The payoff of what ends with the sequence; after a pass, of what begins with it."""
    iteration: int
    """How many have been made."""


class Judgement(Memory):
    """What a profile is worth, and what the best responses to it are."""

    plan: Floats
    gain: Floats
    best: Ints
    """For each information set, the place of the best action."""
    value: Floats
    response: Floats


VANILLA, PLUS, DISCOUNTED, PREDICTIVE = range(4)


def collect(tableau: Tableau, plan: Floats, gain: Floats, player: int) -> None:
    """The payoff of a player by the last of his sequences, as the others let it come about."""
    starts = tableau.starts
    others = tableau.others
    payoffs = tableau.payoffs
    begin = tableau.sequences[player]
    end = tableau.sequences[player + 1]
    if tableau.players == 2:
        for s in range(begin, end):
            total = 0.0
            for k in range(starts[s], starts[s + 1]):
                total += payoffs[k] * plan[others[k]]
            gain[s] = total
        return
    width = tableau.players - 1
    for s in range(begin, end):
        total = 0.0
        for k in range(starts[s], starts[s + 1]):
            likely = payoffs[k]
            for i in range(k * width, k * width + width):
                likely *= plan[others[i]]
            total += likely
        gain[s] = total


def settle(tableau: Tableau, learner: Learner, player: int, variant: int, keep: float) -> None:
    """Backwards over a player's information sets: regrets grow by what each action would have gained, and the next
    strategy plays actions in proportion to their regret."""
    parent = tableau.parent
    first = tableau.first
    count = tableau.count
    regrets = learner.regrets
    local = learner.local
    gain = learner.gain
    for i in range(tableau.sets[player + 1] - 1, tableau.sets[player] - 1, -1):
        begin = first[i]
        end = begin + count[i]
        worth = 0.0
        for s in range(begin, end):
            worth += local[s] * gain[s]
        gain[parent[i]] += worth
        total = 0.0
        for s in range(begin, end):
            missed = gain[s] - worth
            regret = regrets[s]
            if variant == DISCOUNTED:
                regret *= keep if regret > 0.0 else 0.5
            regret += missed
            if variant in (PLUS, PREDICTIVE):
                regret = max(regret, 0.0)
            regrets[s] = regret
            hope = regret
            if variant == PREDICTIVE:
                hope += missed
            hope = max(hope, 0.0)
            local[s] = hope
            total += hope
        if total > 0.0:
            scale = 1.0 / total
            for s in range(begin, end):
                local[s] *= scale
        else:
            even = 1.0 / count[i]
            for s in range(begin, end):
                local[s] = even


def play_along(tableau: Tableau, learner: Learner, player: int) -> None:
    """Forwards: how likely each sequence of a player is, by the strategy of this iteration."""
    parent = tableau.parent
    first = tableau.first
    count = tableau.count
    local = learner.local
    plan = learner.plan
    for i in range(tableau.sets[player], tableau.sets[player + 1]):
        along = plan[parent[i]]
        for s in range(first[i], first[i] + count[i]):
            plan[s] = along * local[s]


def add_up(tableau: Tableau, learner: Learner, player: int, weight: float) -> None:
    """The plan of this iteration counts in the average."""
    plan = learner.plan
    average = learner.average
    for s in range(tableau.sequences[player], tableau.sequences[player + 1]):
        average[s] += weight * plan[s]


def iterate(game: Any, state: Any, tableau: Tableau, learner: Learner, variant: int, iterations: int) -> int:
    """So many iterations of counterfactual regret minimisation; how many have been made in all."""
    players = tableau.players
    for _ in range(iterations):
        t = learner.iteration + 1.0
        power = t * t**0.5
        keep = power / (power + 1.0)
        weight = 1.0
        if variant == PLUS:
            weight = t
        elif variant in (DISCOUNTED, PREDICTIVE):
            weight = t * t
        if variant == VANILLA:
            for player in range(players):
                add_up(tableau, learner, player, weight)
                collect(tableau, learner.plan, learner.gain, player)
            for player in range(players):
                settle(tableau, learner, player, variant, keep)
                play_along(tableau, learner, player)
        else:
            for player in range(players):
                if player > 0:
                    add_up(tableau, learner, player, weight)
                collect(tableau, learner.plan, learner.gain, player)
                settle(tableau, learner, player, variant, keep)
                play_along(tableau, learner, player)
                if player == 0:
                    add_up(tableau, learner, player, weight)
        learner.iteration += 1
    return learner.iteration


def judge(game: Any, state: Any, tableau: Tableau, sums: Floats, judgement: Judgement) -> float:
    """What everybody gets by the plans that are sums of plans, and by a best response to the others'; NashConv.

    A sum that is 0 stands for actions that are equally likely.
    """
    parent = tableau.parent
    first = tableau.first
    count = tableau.count
    plan = judgement.plan
    gain = judgement.gain
    best = judgement.best
    for player in range(tableau.players):
        plan[tableau.sequences[player]] = 1.0
        for i in range(tableau.sets[player], tableau.sets[player + 1]):
            total = 0.0
            for s in range(first[i], first[i] + count[i]):
                total += sums[s]
            along = plan[parent[i]]
            for s in range(first[i], first[i] + count[i]):
                plan[s] = along * sums[s] / total if total > 0.0 else along / count[i]
    gap = 0.0
    for player in range(tableau.players):
        collect(tableau, plan, gain, player)
        value = 0.0
        for s in range(tableau.sequences[player], tableau.sequences[player + 1]):
            value += plan[s] * gain[s]
        for i in range(tableau.sets[player + 1] - 1, tableau.sets[player] - 1, -1):
            begin = first[i]
            most = begin
            for s in range(begin + 1, begin + count[i]):
                if gain[s] > gain[most]:
                    most = s
            best[i] = most - begin
            gain[parent[i]] += gain[most]
        judgement.value[player] = value
        judgement.response[player] = gain[tableau.sequences[player]]
        gap += judgement.response[player] - value
    return gap


class SequenceGame(Game):
    """Stands for every game that is listed: passes over arrays ask no rules, and are compiled once for all."""

    def initial(self) -> int:
        return 0

    def player(self, state: int) -> int:
        return 0

    def actions(self, state: int) -> range:
        return range(0)

    def result(self, state: int, action: int) -> int:
        return state

    def is_terminal(self, state: int) -> bool:
        return True

    def utility(self, state: int, player: int) -> float:
        return 0.0


LISTED: Final = SequenceGame()


class Passes:
    """The passes over a sequence form: compiled, or as they stand."""

    def __init__(self, form: SequenceForm, compile: str):
        self.form = form
        self._compile = compile
        self._judge = None if compile == "never" else prepare(judge, LISTED, [0], compile == "always")
        self.compiled: bool = self._judge is not None
        self.tableau: Any = tableau_of(form, self.compiled)
        self.size: int = int(self.tableau.sequences[-1])

    def floats(self, size: int) -> Any:
        """So many zeros."""
        if not self.compiled:
            return [0.0] * size
        import numpy as np

        return np.zeros(size)

    def learner(self) -> Any:
        """Regrets of 0 and a strategy that plays all actions alike."""
        names = ("regrets", "local", "plan", "average", "gain")
        learner = Learner.allocate(self.compiled, **{name: self.floats(self.size) for name in names})
        tableau = self.tableau
        for first, count in zip(tableau.first, tableau.count):
            if not count:  # nobody decides anything
                continue
            learner.local[first : first + count] = 1.0 / count if self.compiled else [1.0 / count] * count
        for player in range(self.form.players):
            learner.plan[int(tableau.sequences[player])] = 1.0
        for parent, first, count in zip(tableau.parent, tableau.first, tableau.count):
            if not count:
                continue
            even = learner.plan[parent] / count
            learner.plan[first : first + count] = even if self.compiled else [even] * count
        return learner

    def judgement(self) -> Any:
        """Memory for `judge`."""
        sets, players = len(self.tableau.first), self.form.players
        best: Any = [0] * sets
        if self.compiled:
            import numpy as np

            best = np.zeros(sets, dtype=np.int64)
        return Judgement.allocate(
            self.compiled,
            plan=self.floats(self.size),
            gain=self.floats(self.size),
            best=best,
            value=self.floats(players),
            response=self.floats(players),
        )

    @functools.cached_property
    def _iterate(self) -> Any:
        return prepare(iterate, LISTED, [0], self._compile == "always") if self.compiled else None

    def prepare(self) -> None:
        """Compiles what `iterate` needs."""
        _ = self._iterate

    def iterate(self, learner: Any, variant: int, iterations: int) -> None:
        """So many iterations."""
        (self._iterate or _plain(iterate))(0, self.tableau, learner, variant, iterations)

    def judge(self, sums: Any, judgement: Any) -> float:
        """NashConv of the profile whose plans are proportional to these sums."""
        return float((self._judge or _plain(judge))(0, self.tableau, sums, judgement))


def _plain(kernel: Any) -> Any:
    return lambda *arguments: kernel(LISTED, *arguments)


def tableau_of(form: SequenceForm, compiled: bool) -> Any:
    """The arrays of a form."""
    import numpy as np

    players = form.players
    sizes = [form.sequences(player) for player in range(players)]
    sequences = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    sets = np.concatenate(([0], np.cumsum([len(mine) for mine in form.parent]))).astype(np.int64)
    rows = np.asarray(form.rows, dtype=np.int64).reshape(-1, players) + sequences[:-1]
    gains = np.asarray(form.payoffs, dtype=np.float64).reshape(-1, players)
    starts, others, payoffs = [], [], []
    for player in range(players):
        order = np.argsort(rows[:, player], kind="stable")
        mine = np.arange(sequences[player], sequences[player + 1])
        starts.append(player * len(rows) + np.searchsorted(rows[order, player], mine))
        others.append(np.delete(rows[order], player, axis=1).reshape(-1))
        payoffs.append(gains[order, player])

    def joined(parts: Any) -> Any:
        whole = np.concatenate([np.asarray(part) for part in parts])
        whole = np.ascontiguousarray(whole if len(whole) else [0])  # an empty array has no memory to point to
        return whole if compiled else whole.tolist()

    end = np.array([players * len(rows)])
    return Tableau.allocate(
        compiled,
        players=players,
        sequences=sequences if compiled else sequences.tolist(),
        sets=sets if compiled else sets.tolist(),
        parent=joined([np.asarray(mine, np.int64) + base for mine, base in zip(form.parent, sequences)]),
        first=joined([np.asarray(mine, np.int64) + base for mine, base in zip(form.first, sequences)]),
        count=joined([np.asarray(mine, np.int64) for mine in form.count]),
        starts=joined([*starts, end]),
        others=joined(others),
        payoffs=joined(payoffs),
    )
