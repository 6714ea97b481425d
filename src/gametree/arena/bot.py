"""An opponent for your own program."""

import contextlib
import dataclasses
import functools
import random
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, Generic

from gametree.arena.calibration import Level, levels_of
from gametree.arena.lasting import lasting_text
from gametree.arena.strength import LEVELS, at_level, choose, usual_step
from gametree.arena.thinking import Thinker, Wanted, consider
from gametree.arguments import is_whole
from gametree.errors import InputError
from gametree.game import A, Game, S, check_state
from gametree.result import Analysis, Limit
from gametree.search.core.task import require_game
from gametree.view import View, hides, view_of

_LOOK: Final = 0.02
"""Seconds between two looks at whether somebody still waits."""
STEPS: Final = 20
"""Between a loss and a win in a game with hidden information."""


class _Call:
    """A question to a bot."""

    def __init__(self) -> None:
        self.cancelled = False
        """Whether nobody waits for the answer any more."""


class Bot(Generic[S, A]):
    """Plays a game at a level from 1 (a beginner) to 10 (as strong as `seconds` a move allow).

    The lower levels look at fewer positions and confuse moves that are close to each other; from level 6 on none of
    them walks into a loss that it sees. No level takes longer than `seconds` for a move, however slow the rules are.
    Within that time levels 1 to 9 answer the same state with the same action as long as the seed is the same, and with
    any seed where a level confuses nothing (6 to 9 in chess, 9 in checkers); level 10 uses all of it, and remembers
    what it thought before. While machine code is being made, which takes seconds the first time, it thinks interpreted.

    What the levels of a game of your own amount to is measured by `gametree calibrate mygame.py`; the file that it
    writes beside the game is found here, or named: `levels="weak.levels.json"`.

    A bot answers one question at a time: who asks meanwhile, from another thread, waits.

    >>> from gametree.games import TicTacToe
    >>> game = TicTacToe()
    >>> state = game.parse_state("XX./OO./...")
    >>> game.name_action(state, Bot(game, level=9).move(state))
    'c3'
    """

    def __init__(
        self,
        game: Game[S, A],
        level: int = 5,
        seed: int = 0,
        *,
        seconds: float = 1.0,
        hash_mb: float = 16,
        threads: int = 1,
        levels: str | Path | Sequence[Level] | None = None,
    ):
        require_game(game, "Bot")
        if not is_whole(level) or level not in LEVELS:
            raise InputError(f"level={level!r}: it is a whole number from {LEVELS[0]} to {LEVELS[-1]}")
        self.game = game
        self.level = level
        self.seed = seed
        self._strength = at_level(level, game, levels_of(game, levels))
        # Node limits make every level but the last give the same move for the same seed, on any machine that is fast
        # enough for them.
        self._by_clock = level == LEVELS[-1]
        timed = Limit(seconds=seconds)
        self._limit = timed if self._by_clock else Limit(nodes=self._strength.nodes)
        self._most = None if self._by_clock else timed.seconds
        self._turn = threading.Lock()
        self._asked: _Call | None = None
        """The call that is thought about."""
        wanted = Wanted(game, hash_mb=hash_mb, threads=threads, seed=seed)
        choice = wanted.choice()
        if choice.method == "equilibrium" and not self._by_clock:  # which knows no levels
            choice = dataclasses.replace(choice, method="ismcts")
        self._thinkers = wanted.standby(choice)
        self._thinkers.current()  # what the search refuses is refused here

    def move(self, state: S | View, history: Sequence[S] = ()) -> A:
        """The action this bot chooses. `history` are the states before, for rules on repeated positions.

        In a game with hidden information `state` may be a `View`. Else one is made, of the state and of `history`, and
        from then on the bot knows nothing but what its player has seen.
        """
        return self._move(state, history, _Call())

    def _move(self, state: S | View, history: Sequence[S], call: "_Call") -> A:
        seen: Any = state
        if hides(self.game):
            seen, history = view_of(self.game, state, history), ()
        analysis = self._think(seen, history, call)
        action: A
        weighed = analysis.moves or analysis.lines
        if analysis.strategy is not None:
            action = self._drawn(analysis, seen)
        elif len(weighed) > 1:
            action = choose(weighed, self._strength, self._step, self._random(seen)).action
        elif analysis.action is not None:
            action = analysis.action
        else:
            actions = list(seen.actions if isinstance(seen, View) else self.game.actions(seen))
            action = actions[int(self._random(seen).random() * len(actions))]
        return action

    def _drawn(self, analysis: Analysis, view: View) -> Any:
        """An action by the probabilities of a mixed strategy, which has them in the order of the actions."""
        odds = [probability for _, probability in analysis.strategy or ()]
        return self._random(view).choices(view.actions, odds)[0]

    @functools.cached_property
    def _step(self) -> float:
        if hides(self.game):  # such values are payoffs
            low, high = self.game.payoffs or (-1, 1)
            return float(high - low) / STEPS
        return usual_step(self.game)

    async def move_async(self, state: S | View, history: Sequence[S] = ()) -> A:
        """As `move`, on a thread, so that an event loop stays responsive. Cancelled, it leaves nothing running."""
        # Slow to import, and most programs have no event loop.
        import asyncio

        call = _Call()
        thinking = asyncio.ensure_future(asyncio.to_thread(self._move, state, history, call))
        try:
            return await asyncio.shield(thinking)
        except asyncio.CancelledError:
            call.cancelled = True
            while not thinking.done():
                if self._asked is call:
                    self.stop()
                await asyncio.wait([thinking], timeout=_LOOK)
            with contextlib.suppress(Exception):
                thinking.result()
            raise

    def think(self, state: S | View, history: Sequence[S] = ()) -> Analysis:
        """What the choice is made from: a search as far as the level looks."""
        return self._think(state, history, _Call())

    def _think(self, state: S | View, history: Sequence[S], call: "_Call") -> Analysis:
        if hides(self.game):
            state, history = view_of(self.game, state, history), ()
        else:
            state = check_state(self.game, state)
        if not state.actions if isinstance(state, View) else self.game.is_terminal(state):
            raise InputError("the game is over: there is nothing to move")

        def ask(thinker: Thinker, limit: Limit) -> Analysis:
            if call.cancelled:
                limit = Limit(nodes=1)
            return consider(thinker, state, limit, self._strength.lines, history)

        while not self._turn.acquire(timeout=_LOOK):
            if call.cancelled:
                raise InputError("nobody waits for this move any more")
        try:
            self._asked = call
            if not self._by_clock:  # the same answer, whatever was asked before
                for thinker in self._thinkers.made():
                    thinker.clear()
            return self._thinkers.think(ask, self._limit, self._most)
        finally:
            self._asked = None
            self._turn.release()

    def stop(self) -> None:
        """Ends the thinking under way, from any thread: `move` returns the best it has."""
        self._thinkers.stop()

    def _random(self, state: Any) -> random.Random:
        return random.Random(f"{self.seed} {self.level} {lasting_text(state)}")

    def __repr__(self) -> str:
        return f"Bot({self.game!r}, level={self.level}, seed={self.seed})"
