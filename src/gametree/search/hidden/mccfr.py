"""Games too large to be listed: regret minimisation by sampled walks, and what can be said of the profile it finds."""

import math
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Literal

from gametree.arguments import number, whole
from gametree.errors import InputError, RulesError, UnsuitableError
from gametree.game import CHANCE, Game, check_state, player_name
from gametree.kernel.primitives import signed_key
from gametree.kernel.random import seeded
from gametree.result import Limit, as_text
from gametree.search.core.plays import root_actions
from gametree.search.core.rehearsal import rehearse
from gametree.search.core.runner import prepare
from gametree.search.core.sound import sound
from gametree.search.core.stopwatch import StopWatch
from gametree.search.core.task import merged, require_game, require_mode
from gametree.search.hidden.profile import Profile
from gametree.search.hidden.sampling import ENDLESS, FINE, FULL, NOBODY, WRONG, Pool, walk
from gametree.search.hidden.sequence_form import endless, observed

WAYS: Final = ("external", "outcome")
ITERATIONS: Final = 10_000
CHUNK: Final = 64
BYTES: Final = 64
"""About what an information set takes."""
ACTIONS_EACH: Final = 4
DEEPEST: Final = 1 << 18
"""Room for so many values of actions on one walk."""


class SampledProfile(Profile):
    """The average strategies of sampled walks, looked up by the keys of observations; elsewhere actions are alike."""

    def __init__(self, game: Game, pool: Any, iterations: int):
        super().__init__(game, [{} for _ in range(game.players)], known=False)
        self._pool = pool
        self._places: dict[int, int] = {int(key): i for i, key in enumerate(pool.keys[: pool.sets])}
        self.iterations: int = iterations

    def __call__(self, state: Any) -> Mapping[Any, Any]:
        """How likely each action is at a state, as its player sees it."""
        game = self.game
        mover = CHANCE if game.is_terminal(state) else game.player(state)
        if mover == CHANCE:
            return super().__call__(state)
        legal = root_actions(game, state)
        place = self._places.get(signed_key(observed(game, state, mover)) ^ mover + 1)
        weights = [] if place is None else self._weights(place)
        total = math.fsum(weights)
        if len(weights) != len(legal) or total <= 0:
            return MappingProxyType(dict.fromkeys(legal, 1 / len(legal)))
        return MappingProxyType({action: weight / total for action, weight in zip(legal, weights)})

    def _weights(self, place: int) -> list[float]:
        first, count = int(self._pool.first[place]), int(self._pool.count[place])
        return [float(weight) for weight in self._pool.average[first : first + count]]

    def __len__(self) -> int:
        """How many information sets were walked over."""
        return len(self._places)

    def listed(self) -> Profile:
        """The same by observations, in a game that is small enough to be listed."""
        profile = Profile.uniform(self.game)
        form = profile.form
        assert form is not None
        local = [[list(self(one.state).values()) for one in sets] for sets in form.sets]
        return Profile.of(form, local)


@dataclass(frozen=True, repr=False, eq=False)
class Sampled:
    """What sampled walks found. How exploitable it is, is not known; `lower_bound` says at least how much."""

    game: Game
    method: str
    profile: SampledProfile
    iterations: int
    information_sets: int
    seconds: float
    stopped_by: str

    def __str__(self) -> str:
        rows = [
            ("walked over", f"{self.information_sets:,} information sets, {self.iterations:,} iterations"),
            ("in", f"{self.seconds:.3g} s, stopped by {self.stopped_by}"),
            (
                "promise",
                "the average comes near to an equilibrium with time, where two players share a constant sum;"
                " how near is not known. lower_bound(…) says how much can be gained at least",
            ),
        ]
        return as_text(f"{type(self.game).__name__}, {self.method} sampling", rows, wide=11)

    __repr__ = __str__

    def lower_bound(self, *, iterations: int = 20_000, plays: int = 4_000, seed: int = 1) -> "LowerBound":
        """At least so much can be gained by leaving the profile: what responses gain that were searched for.

        For every player a response learns against the others' averages, and is then played against them.
        """
        whole("iterations", iterations)
        whole("plays", plays, "at least 2 plays", 2)
        gains, errors = [], []
        for player in range(self.game.players):
            response = _responded(self, player, iterations, seed)
            draw = random.Random(f"{seed} {player}")
            differences = [
                _payoff(self.game, self.profile, response, player, draw)
                - _payoff(self.game, self.profile, self.profile, player, draw)
                for _ in range(plays)
            ]
            mean = math.fsum(differences) / plays
            gains.append(mean)
            errors.append(
                math.sqrt(math.fsum((one - mean) ** 2 for one in differences) / (plays - 1) / plays)
            )
        return LowerBound(self.game.player_names, tuple(gains), tuple(errors))


@dataclass(frozen=True)
class LowerBound:
    """What searched responses gain over a profile, measured in plays: the best responses gain at least that."""

    players: tuple[str, ...]
    gains: tuple[float, ...]
    errors: tuple[float, ...]
    """One standard error of each gain."""

    def __float__(self) -> float:
        """The mean of the gains, two standard errors off: a lower bound on the exploitability."""
        low = [max(0.0, gain - 2 * error) for gain, error in zip(self.gains, self.errors)]
        return math.fsum(low) / len(low)

    def __str__(self) -> str:
        rows = [
            (player_name(self.players, player), f"can gain {gain:.3g} ± {2 * error:.2g} at least")
            for player, (gain, error) in enumerate(zip(self.gains, self.errors))
        ]
        rows.append(("exploitable", f"by at least {float(self):.3g} (a lower bound by searched responses)"))
        return as_text("Lower bound", rows, wide=max(len(left) for left, _ in rows) + 1)


@sound
def mccfr(
    game: Game,
    *,
    sampling: Literal["external", "outcome"] = "external",
    limit: Limit | None = None,
    iterations: int | None = None,
    seed: int = 0,
    memory_mb: float = 512,
    on_progress: Callable[[int], None] | None = None,
    compile: str = "auto",
) -> Sampled:
    """A profile by Monte-Carlo regret minimisation, for games that are too large to be listed.

    `sampling` is "external" or "outcome". It ends after the `limit` in seconds or so many `iterations`, 10,000 where
    nothing is said; an iteration is a walk for each player. The same seed gives the same profile.

    >>> from gametree.games import Kuhn
    >>> found = mccfr(Kuhn(), iterations=2000, compile="never")
    >>> found.information_sets, float(found.profile(Kuhn().parse_state("Q K"))[1]) < 0.2
    (12, True)
    """
    require_game(game, "mccfr")
    require_mode(compile)
    if sampling not in WAYS:
        raise InputError(f"sampling={sampling!r}: it is {' or '.join(map(repr, WAYS))}")
    within = merged(limit, None)
    if within.depth is not None or within.nodes is not None:
        raise InputError("mccfr ends by seconds or iterations: write limit=Limit(seconds=…)")
    if iterations is not None:
        whole("iterations", iterations)
    number("memory_mb", memory_mb, "the memory for information sets in megabytes, more than 0", least=0.01)
    if iterations is None and within.seconds is None:
        iterations = ITERATIONS
    state = check_state(game, None)
    rehearse(game, state)
    native = None if compile == "never" else prepare(walk, game, [state], compile == "always")
    room = int(memory_mb * (1 << 20)) // (BYTES + 32 * ACTIONS_EACH)
    pool = pool_for(native is not None, room, seed)
    pool.outcome = sampling == "outcome"
    watch = StopWatch(within).begin()
    if on_progress is not None:
        watch.report = lambda: on_progress(int(pool.done))
    stopped_by = _walked(game, state, native, pool, watch, iterations)
    profile = SampledProfile(game, pool, int(pool.done))
    return Sampled(game, sampling, profile, int(pool.done), int(pool.sets), watch.seconds, stopped_by)


def pool_for(compiled: bool, room: int, seed: int) -> Any:
    """Memory for so many information sets; interpreted for fewer at first."""
    sets = 1 << max(4, room.bit_length() - 1)
    if not compiled:
        sets = min(sets, 1 << 17)
    sizes = {"keys": sets, "slots": 2 * sets, "first": sets, "count": sets}
    floats = {
        "regrets": ACTIONS_EACH * sets,
        "average": ACTIONS_EACH * sets,
        "values": DEEPEST if compiled else 1 << 14,
    }
    arrays: dict[str, Any]
    if compiled:
        import numpy as np

        arrays = {name: np.zeros(size, dtype=np.int64) for name, size in sizes.items()}
        arrays |= {name: np.zeros(size) for name, size in floats.items()}
    else:
        arrays = {name: [0] * size for name, size in sizes.items()}
        arrays |= {name: [0.0] * size for name, size in floats.items()}
    return Pool.allocate(
        compiled,
        mask=2 * sets - 1,
        most_sets=sets,
        most_numbers=ACTIONS_EACH * sets,
        random=seeded(seed),
        **arrays,
    )


def _walked(
    game: Game,
    state: Any,
    native: Any,
    pool: Any,
    watch: StopWatch,
    iterations: int | None,
    player: int = NOBODY,
) -> str:
    """Walks until it is told to stop; says why it did."""
    last = math.inf if iterations is None else pool.done + iterations
    chunk = CHUNK if native is not None else 1
    rules = watch.rules(game)
    while True:
        if pool.done >= last:
            return "iterations"
        if not watch.look_up():
            return str(watch.stopped_by)
        pool.rounds = int(min(chunk, last - pool.done))
        before = watch.seconds
        if native is None:
            done = False
            with watch.in_time():
                walk(rules, state, player, 1.0, 1.0, 1.0, pool)
                done = True
            if not done:  # what was left half-way
                pool.top = pool.depth = 0
                continue
        else:
            native(state, player, 1.0, 1.0, 1.0, pool)
        if player != NOBODY:
            pool.top = pool.depth = 0
            pool.done += 1
        if native is not None and player == NOBODY:
            took = watch.seconds - before
            chunk = max(1, min(1 << 20, chunk * 2 if took < 0.005 else chunk // 2 if took > 0.02 else chunk))
        if pool.trouble != FINE:
            _refuse(game, int(pool.trouble), int(pool.sets))


def _refuse(game: Game, trouble: int, sets: int) -> None:
    name = type(game).__name__
    if trouble == FULL:
        raise UnsuitableError(
            f"{name} has more information sets than there is memory for ({sets:,} were met): raise memory_mb"
        )
    if trouble == ENDLESS:
        raise UnsuitableError(endless(game))
    assert trouble == WRONG
    raise RulesError(
        f"{name}.observe gives the same in two states with different numbers of actions; gt.check(game) finds them"
    )


def _responded(found: Sampled, player: int, iterations: int, seed: int) -> Profile:
    """A response to the others' averages that was searched for: regret of one player alone, by external sampling."""
    game, state = found.game, found.game.initial()
    before = found.profile._pool
    compiled = hasattr(before.keys, "dtype")
    native = prepare(walk, game, [state], False) if compiled else None
    pool = pool_for(compiled, before.most_sets, seed)
    for name in ("keys", "slots", "first", "count", "average"):
        size = len(getattr(before, name))
        getattr(pool, name)[:size] = getattr(before, name)
    pool.sets, pool.used, pool.mask = before.sets, before.used, before.mask
    pool.fixed = True
    _walked(game, state, native, pool, StopWatch(Limit()).begin(), iterations, player)
    # The response plays what it regrets most not to have played.
    for place in range(int(pool.sets)):
        first, count = int(pool.first[place]), int(pool.count[place])
        regrets = [float(one) for one in pool.regrets[first : first + count]]
        best = max(range(count), key=regrets.__getitem__)
        for i in range(count):
            pool.average[first + i] = 1.0 if i == best else 0.0
    return SampledProfile(game, pool, iterations)


def _payoff(game: Game, profile: Profile, response: Profile, player: int, draw: random.Random) -> float:
    """What a player gets in one play, who responds to the others."""
    state = game.initial()
    while not game.is_terminal(state):
        mover = game.player(state)
        if mover == CHANCE:
            outcomes = list(game.chance(state))
            state = game.result(state, draw.choices([o for o, _ in outcomes], [p for _, p in outcomes])[0])
        else:
            state = game.result(state, (response if mover == player else profile).play(state, draw))
    return float(game.utility(state, player))
