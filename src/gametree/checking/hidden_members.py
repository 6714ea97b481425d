"""Judging what a game says of observations: worlds that fit them, masks to be shown, what actions are worth by them."""

from collections.abc import Callable, Iterator
from typing import Any, Final

from gametree.checking.asking import Answers, Asker, Failure, Trouble, problem, short, who
from gametree.checking.elements import hashable, number, whole
from gametree.checking.snapshot import same
from gametree.kernel.random import Generator, below, seeded
from gametree.search.hidden.worlds import world_problem

_MOST: Final = 300
"""So many observations are asked about."""
_DRAWS: Final = 2
MEMBERS: Final = ("worlds", "mask", "appraise")


class HiddenMembers:
    """What `worlds`, `mask` and `appraise` have said so far: the same for one observation, whatever is hidden."""

    def __init__(self, asker: Asker):
        self.asker = asker
        self._said: dict[tuple[Any, ...], Any] = {}
        self._left = _MOST

    def judge(self, state: Any, answers: Answers) -> Iterator[Trouble]:
        """What is wrong with them at a state."""
        if self._left <= 0 or not self.asker.offers & set(MEMBERS):
            return
        self._left -= 1
        for player in range(self.asker.game.players):
            seen = answers.get("observe", player)
            if not hashable(seen) or seen is None:
                return
            if "mask" in self.asker.offers:
                yield from self._mask(seen, player)
        mover = answers.mover
        if answers.terminal is not False or answers.at_chance or not whole(mover):
            return
        seen = answers.get("observe", mover)
        if "worlds" in self.asker.offers:
            yield from self._worlds(seen, mover)
        if "appraise" in self.asker.offers:
            yield from self._appraise(seen, mover, answers)

    def _mask(self, seen: Any, player: int) -> Iterator[Trouble]:
        masked = self.asker.ask("mask", seen, player)
        yield from self._judged("mask", seen, player, masked)
        if masked is None or isinstance(masked, Failure):
            return
        for method in ("show", "board"):
            if method in self.asker.offers:
                shown = self.asker.ask(method, masked)
                if isinstance(shown, Failure):
                    yield problem(
                        "mask-shown",
                        f"`{method}` cannot show what `mask` returned for {who(self.asker.game, player)}: {shown.what}",
                        "A mask is a state for `show` and `board`, with something in the place of what is hidden",
                    )

    def _worlds(self, seen: Any, mover: int) -> Iterator[Trouble]:
        game = self.asker.game
        for seed in range(_DRAWS):
            world = self.asker.ask("worlds", seen, mover, _draw(seed))
            yield from self._judged("worlds", seen, mover, world, seed)
            if isinstance(world, Failure):
                return
            try:
                wrong = world_problem(game, seen, mover, world)
            except Exception as error:  # the rules may choke on a state that is none
                wrong = f"returned {short(world)}, where the rules raise {type(error).__name__}: {error}"
            if wrong:
                yield problem(
                    "worlds-fit",
                    f"`worlds` {wrong}",
                    "Return a state in which the player is to move and sees what he was said to see",
                )
                return

    def _appraise(self, seen: Any, mover: int, answers: Answers) -> Iterator[Trouble]:
        said = self.asker.listed("appraise", seen, mover)
        yield from self._judged("appraise", seen, mover, said)
        if isinstance(said, Failure):
            return
        odd = [one for one in said if not (isinstance(one, (tuple, list)) and len(one) == 2)]
        odd = odd or [one for one in said if number(one[1]) is None]
        if odd:
            yield problem(
                "appraise-pairs",
                f"`appraise` gave {short(odd[0])}",
                "Give pairs of an action and a number, the more the better",
            )
            return
        named = [action for action, _ in said]
        foreign = [action for action in named if action not in answers.moves]
        if foreign or len(set(named)) < len(named):
            yield problem(
                "appraise-actions",
                f"`appraise` names {short(foreign[0])}, which is no action here"
                if foreign
                else "`appraise` names an action twice",
                "Every action that it names is a legal one, and is named once; it may leave some out",
            )

    def _judged(self, method: str, seen: Any, player: int, answer: Any, *more: Any) -> Iterator[Trouble]:
        """A failure, or an answer that was another one when something else was hidden."""
        if isinstance(answer, Failure):
            yield answer.trouble()
            return
        before = self._said.setdefault((method, player, seen, *more), answer)
        if not same(before, answer):
            yield problem(
                f"{method}-peeks",
                f"`{method}` answered {short(before)} and then {short(answer)} for the same observation"
                f" {short(seen)} of {who(self.asker.game, player)}",
                "It may depend on the observation"
                + (", the player and `draw`" if method == "worlds" else " and the player")
                + " alone: not on the true state, nor on what was asked before",
            )


def _draw(seed: int) -> Callable[[int], int]:
    generator = Generator(random=seeded(seed))

    def draw(count: int) -> int:
        if not whole(count) or count < 1:
            raise ValueError(
                f"draw({count!r}): it takes a whole number of at least 1, and gives one below it"
            )
        return below(generator, int(count))

    return draw
