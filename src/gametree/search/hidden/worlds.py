"""Which states a player may be in, by what he has seen: worlds, sampled or listed.

Nothing here is ever given the true state. `Sampler.sample` takes a `View` (`gametree/view.py`), which holds what one
player has seen, and the rules; from these two alone come the worlds. Three ways, the first that applies:

1. The game's own `worlds(observation, player, draw)`. Each of its answers is checked against the observation.
2. Listing: every way to play that agrees with what the player has seen, where these are few. Exact.
3. Replaying: a particle filter (`replay_kernel.py`), which works for every game.

The probability of a world is that of the chance in it, with all actions of the others alike: what they meant by what
they did is for a search to find out, not for the sampler.
"""

import functools
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, Final

from gametree.errors import InputError, RulesError, UnsuitableError
from gametree.game import CHANCE, Game, offers, player_name
from gametree.kernel.clock import BY_CLOCK, BY_DRIVER, BY_PLIES
from gametree.kernel.primitives import signed_key
from gametree.kernel.random import Generator, below, seeded
from gametree.result import Limit
from gametree.search.core.plays import MAX_ACTIONS
from gametree.search.core.runner import Run, prepare, too_deep
from gametree.search.core.stopwatch import StopWatch
from gametree.search.hidden.ismcts_memory import Pool
from gametree.search.hidden.replay_kernel import Record, replay
from gametree.search.mcts.lines import samples
from gametree.search.mcts.memory import Choosing
from gametree.view import View, observed

FEW: Final = 2_000
"""So many nodes are listed before particles are sent out."""
MANY: Final = 200_000
"""And so many where the record does not say how the game began."""
ATTEMPTS: Final = 50
"""So many attempts a particle, on average, before the search for worlds is given up."""
RETRIES: Final = 3
"""So often all begins anew, each time with four times as many particles."""
FEWEST: Final = 32
"""So many particles are sent out, at least, where time is over before a world is found."""
LISTED, GIVEN, REPLAYED = "listed", "given by the rules", "replayed"


@dataclass(frozen=True)
class Worlds:
    """States that fit what a player has seen, each with its probability."""

    states: tuple[Any, ...]
    weights: tuple[float, ...]
    how: str
    """LISTED (all of them), GIVEN or REPLAYED (a sample)."""

    @property
    def exact(self) -> bool:
        """Whether these are all worlds there are, with their probabilities."""
        return self.how == LISTED


class Sampler:
    """Finds worlds for the players of a game."""

    def __init__(self, game: Game, compile: str = "auto"):
        self.game = game
        self.compile = compile

    def sample(self, view: View, most: int = 1000, seed: int = 0, watch: StopWatch | None = None) -> Worlds:
        """Worlds in which the player sees what he sees: all of them, or at most so many that were sampled."""
        if offers(self.game, "worlds"):
            return self._given(view, most, seed, watch or StopWatch(Limit()).begin())
        found: Any = _listed(self.game, view, FEW if view.complete else MANY)
        if found is None and not view.complete:
            raise InputError(
                f"{type(self.game).__name__} is too large to find out how the player came to see what he sees: give"
                " history=…, the states before, from the first one on; or define `worlds(observation, player, draw)`"
            )
        if found is None:
            found = self._replayed(view, most, seed, watch or StopWatch(Limit()).begin())
        if not found:
            raise _nothing_fits(self.game, view)
        how = LISTED if isinstance(found, dict) else REPLAYED
        weighed = found if isinstance(found, dict) else _merged(found)
        total = sum(weighed.values())
        return Worlds(tuple(weighed), tuple(weight / total for weight in weighed.values()), how)

    # --- the game's own -------------------------------------------------------------------------------

    def _given(self, view: View, most: int, seed: int, watch: StopWatch) -> Worlds:
        """As many as were asked for, or as a quarter of the time allows."""
        game, generator = self.game, Generator(random=seeded(seed))
        draw: Callable[[int], int] = functools.partial(below, generator)
        found: dict[Any, int] = {}
        seconds = watch.limit.seconds
        drawn = 0
        while drawn < most:
            if drawn >= FEWEST and (watch.told or (seconds is not None and watch.seconds > seconds / 4)):
                break
            drawn += 1
            state = game.worlds(view.observation, view.player, draw)
            problem = world_problem(game, view.observation, view.player, state) if state not in found else ""
            if problem:
                raise RulesError(f"{type(game).__name__}.worlds {problem}")
            found[state] = found.get(state, 0) + 1
        return Worlds(tuple(found), tuple(count / drawn for count in found.values()), GIVEN)

    # --- replaying ------------------------------------------------------------------------------------

    def _replayed(self, view: View, most: int, seed: int, watch: StopWatch) -> list[tuple[Any, float]]:
        game = self.game
        first = game.initial()
        prepared = None
        if self.compile != "never":
            with watch.paused():
                prepared = prepare(replay, game, samples(game, first), self.compile == "always")
        attempt = 0
        while attempt < RETRIES:
            particles = _Particles(game, first, view, most << (2 * attempt), seed + attempt, prepared, watch)
            if particles.follow():
                return particles.states()
            attempt += 1
            if particles.late:  # without a world there is no answer
                most, watch, attempt = min(most, FEWEST), StopWatch(Limit()).begin(), 0
        raise _lost(game, view)


class _Particles:
    """A filter under way."""

    def __init__(
        self, game: Game, first: Any, view: View, most: int, seed: int, prepared: Any, watch: StopWatch
    ):
        self.game = game
        self.first = first
        self.codec: Any = None if prepared is None else prepared.native.codec
        self.most = most
        self.late = False
        """Whether it had to stop before its attempts were used up."""
        self.run = Run(replay, game, Limit(), "never", prepared=prepared, watch=watch)
        compiled = self.run.compiled
        self.words: int = self.codec.size if self.codec is not None else 1
        keys = [signed_key(seen) for seen in view.record]
        self.record = Record.allocate(
            compiled,
            keys=_array(keys, "int64") if compiled else keys,
            length=len(keys),
            player=view.player,
            mover=view.player if view.actions else CHANCE,
            step=-1,
        )
        self.thread = choosing(Choosing, game, first, seed, compiled)
        self.here = self._pool()

    def _pool(self) -> Pool:
        compiled = self.run.compiled
        return Pool.allocate(
            compiled,
            states=room_for(self.words * self.most, "int64", compiled),
            shares=room_for(self.most, "float64", compiled),
            count=0,
            room=self.most,
        )

    def follow(self) -> bool:
        """From entry to entry of the record; False where no particle is left."""
        clock = self.run.clock
        for step in range(-1, max(self.record.length - 1, 0)):
            there = self._pool()
            self.record.step = step
            clock.limit = clock.nodes + ATTEMPTS * self.most
            clock.next = clock.nodes
            run = self.run
            run.call(self.first, self.here, there, self.record, self.thread, clock, run.path)
            if clock.stop == BY_PLIES:
                raise too_deep(self.game)
            self.late = clock.stop in (BY_CLOCK, BY_DRIVER)
            self.run.watch.resume(clock)
            if there.count == 0:
                return False
            _accumulate(there)
            self.here = there
        return True

    def states(self) -> list[tuple[Any, float]]:
        """The worlds at the end, each with its weight."""
        shares = [float(self.here.shares[at]) for at in range(self.here.count)]
        found = []
        for at, share in enumerate(shares):
            weight = share - (shares[at - 1] if at else 0.0)
            if self.codec is None:
                found.append((self.here.states[at], weight))
            else:
                words: Any = self.here.states
                begin = at * self.words
                found.append((self.codec.unpack(words[begin : begin + self.words].tobytes()), weight))
        return found


def _accumulate(pool: Pool) -> None:
    total = sum(pool.shares[at] for at in range(pool.count))
    so_far = 0.0
    for at in range(pool.count):
        so_far += pool.shares[at] / total
        pool.shares[at] = so_far


def _merged(found: list[tuple[Any, float]]) -> dict[Any, float]:
    worlds: dict[Any, float] = {}
    for state, weight in found:
        worlds[state] = worlds.get(state, 0.0) + weight
    return worlds


# --- listing ------------------------------------------------------------------------------------------


def _listed(game: Game, view: View, most: int) -> dict[Any, float] | None:
    """All worlds with their weights; None where there is more to look at than `most` nodes."""
    found: dict[Any, float] = {}
    stack: list[tuple[Any, int, float]] = [(game.initial(), 0, 1.0)]
    record, player = view.record, view.player
    end = len(record) - 1
    if view.complete and observed(game, stack[0][0], player) != record[0]:
        return {}
    nodes = 0
    while stack:
        state, at, weight = stack.pop()
        nodes += 1
        if nodes > most:
            return None
        if game.is_terminal(state):
            continue
        mover = game.player(state)
        is_target = mover == (player if view.actions else CHANCE)
        if is_target and (at == end if view.complete else game.observe(state, player) == record[-1]):
            found[state] = found.get(state, 0.0) + weight
            continue
        if mover == CHANCE:
            following = [(outcome, float(odds)) for outcome, odds in game.chance(state) if odds > 0]
        else:
            actions = list(game.actions(state))[: MAX_ACTIONS + 1]
            following = [(action, 1.0 if mover == player else 1.0 / len(actions)) for action in actions]
        for action, share in reversed(following):
            after = game.result(state, action)
            step = _step(observed(game, after, player), record, at) if view.complete else 0
            if step is not None:
                stack.append((after, step, weight * share))
    return found


def _step(seen: Hashable, record: tuple[Hashable, ...], at: int) -> int | None:
    """How much of the record a player has seen who has now seen this; None where it disagrees."""
    if at + 1 < len(record) and seen == record[at + 1]:
        return at + 1
    return at if seen == record[at] else None


# --- what is wrong ------------------------------------------------------------------------------------


def world_problem(game: Game, observation: Hashable, player: int, state: Any) -> str:
    """What is wrong with a world that the rules gave; "" where nothing is."""
    if state is None:
        return "returned None: is a `return` missing?"
    seen, who = observed(game, state, player), player_name(game.player_names, player)
    if seen != observation:
        return f"returned {state!r}, in which {who} sees {seen!r}, not {observation!r}"
    if game.is_terminal(state) or game.player(state) != player:
        return f"returned {state!r}, in which {who} is not to move"
    return ""


def _nothing_fits(game: Game, view: View) -> RulesError:
    who = player_name(game.player_names, view.player)
    return RulesError(
        f"no play of {type(game).__name__} shows {who} what he is said to have seen"
        f" ({view.observation!r} at last, when it is his turn): does the history belong to the state, and is"
        " `observe` the same function of the state at every time?"
    )


def _lost(game: Game, view: View) -> UnsuitableError:
    name, who = type(game).__name__, player_name(game.player_names, view.player)
    return UnsuitableError(
        f"of many thousand random plays of {name} none agreed with what {who} has seen; define"
        " `worlds(observation, player, draw)`, which draws a state that does"
    )


# --- memory -------------------------------------------------------------------------------------------


def room_for(length: int, kind: str, compiled: bool) -> Any:
    """An array for a kernel."""
    if not compiled:
        return [0 if kind == "int64" else 0.0] * length
    import numpy as np

    return np.zeros(length, kind)


def _array(numbers: list[int], kind: str) -> Any:
    import numpy as np

    return np.array(numbers, kind)


def choosing(cls: Any, game: Game, state: Any, seed: int, compiled: bool, **more: Any) -> Any:
    """What a thread needs to draw actions, of a class that is `Choosing` or more."""
    words = 8  # more than an action takes
    length = MAX_ACTIONS if compiled else 1 << 14
    return cls.allocate(
        compiled,
        random=seeded(seed),
        shelf=room_for(length * words + 64, "int64", compiled),
        odds=room_for(length, "float64", compiled),
        **more,
    )
