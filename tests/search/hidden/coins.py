"""Small games with hidden information, written for tests."""

from collections.abc import Iterator
from typing import Any

import gametree as gt
from gametree.view import view_of


class Coin(gt.Game):
    """A coin that falls on 0 with a probability of 0.7 is thrown; the second player saw it and says 0 or 1, true or
    not; the first says how it fell and wins if he is right."""

    payoffs = (-1, 1)

    def initial(self) -> Any:
        return (-1, -1, -1)

    def player(self, state: Any) -> int:
        coin, said, _ = state
        return -1 if coin < 0 else 1 if said < 0 else 0

    def chance(self, state: Any) -> Any:
        return ((0, 0.7), (1, 0.3))

    def actions(self, state: Any) -> Any:
        return range(2)

    def result(self, state: Any, action: int) -> Any:
        coin, said, guess = state
        if coin < 0:
            return (action, said, guess)
        return (coin, action, guess) if said < 0 else (coin, said, action)

    def is_terminal(self, state: Any) -> bool:
        return bool(state[2] >= 0)

    def utility(self, state: Any, player: int) -> float:
        right = 1 if state[0] == state[2] else -1
        return right if player == 0 else -right

    def observe(self, state: Any, player: int) -> Any:
        coin, said, guess = state
        return (coin if player == 1 or guess >= 0 else 0 if coin >= 0 else -1, said, guess)


class Partners(gt.Game):
    """Two partners see one bit each and name a bit in turn: they share a point if the second names the exclusive or of
    both. The first can only tell the second by what he names."""

    payoffs = (0, 1)
    total = None

    def initial(self) -> Any:
        return (-1, -1, -1, -1)

    def player(self, state: Any) -> int:
        return -1 if state[1] < 0 else 0 if state[2] < 0 else 1

    def chance(self, state: Any) -> Any:
        return ((0, 0.5), (1, 0.5))

    def actions(self, state: Any) -> Any:
        return range(2)

    def result(self, state: Any, action: int) -> Any:
        first, second, told, named = state
        if first < 0:
            return (action, second, told, named)
        if second < 0:
            return (first, action, told, named)
        return (first, second, action, named) if told < 0 else (first, second, told, action)

    def is_terminal(self, state: Any) -> bool:
        return bool(state[3] >= 0)

    def utility(self, state: Any, player: int) -> float:
        return 1 if state[3] == state[0] ^ state[1] else 0

    def team(self, player: int) -> int:
        return 0

    def observe(self, state: Any, player: int) -> Any:
        first, second, told, named = state
        return (first if player == 0 else second, told, named)


class Tricks(gt.Game):
    """Four players in two teams, partners opposite each other, and two tricks with eight cards of two suits.

    Suit is followed where it can be; the highest card of the suit that was led takes the trick. Cards are 0 to 7, the
    suit is the last bit. Nobody sees another hand, the partner's neither."""

    players = 4
    payoffs = (-2, 2)

    def initial(self) -> Any:
        return ((), ())

    def player(self, state: Any) -> int:
        dealt, played = state
        if len(dealt) < 8:
            return gt.CHANCE
        return ((self.winner(played[:4]) if len(played) >= 4 else 0) + len(played)) % 4

    def winner(self, trick: Any) -> int:
        return max(range(4), key=lambda i: (trick[i] % 2 == trick[0] % 2, trick[i]))

    def chance(self, state: Any) -> Any:
        left = [card for card in range(8) if card not in state[0]]
        return [(card, 1 / len(left)) for card in left]

    def actions(self, state: Any) -> Any:
        dealt, played = state
        hand = [card for card in self.hand(dealt, self.player(state)) if card not in played]
        follow = [card for card in hand if len(played) % 4 and card % 2 == played[-(len(played) % 4)] % 2]
        return follow or hand

    def hand(self, dealt: Any, player: int) -> Any:
        return tuple(sorted(dealt[2 * player : 2 * player + 2]))

    def result(self, state: Any, action: int) -> Any:
        dealt, played = state
        return ((*dealt, action), played) if len(dealt) < 8 else (dealt, (*played, action))

    def is_terminal(self, state: Any) -> bool:
        return len(state[1]) == 8

    def utility(self, state: Any, player: int) -> float:
        played = state[1]
        first = self.winner(played[:4])
        second = (first + self.winner(played[4:])) % 4
        return sum(1 if taker % 2 == player % 2 else -1 for taker in (first, second))

    def team(self, player: int) -> int:
        return player % 2

    def observe(self, state: Any, player: int) -> Any:
        dealt, played = state
        return (self.hand(dealt, player), len(dealt), played)

    def worlds(self, observation: Any, player: int, draw: Any) -> Any:
        """The others' cards somewhere where all have followed suit."""
        own, count, played = observation
        shown: list[list[int]] = [[], [], [], []]
        for i, card in enumerate(played):
            shown[self.player((range(8), played[:i]))].append(card)
        shown[player] = list(own)
        while True:
            left = [card for card in range(8) if not any(card in mine for mine in shown)]
            dealt: list[int] = []
            for seat in range(count):
                mine = shown[seat // 2]
                known = seat % 2 < len(mine)
                dealt.append(mine[seat % 2] if known else left.pop(draw(len(left))))
            here: Any = (tuple(dealt), ())
            for card in played:
                if card not in self.actions(here):
                    break
                here = self.result(here, card)
            else:
                return here


def alike(game: gt.Game, view: Any, state: Any, most: int = 4) -> list[tuple[Any, list[Any]]]:
    """Other states, with the states before them, in which the player has seen the same."""
    found: list[tuple[Any, list[Any]]] = []

    def walk(here: Any, before: list[Any]) -> None:
        if len(found) >= most or game.is_terminal(here):
            return
        record = view_of(game, here, before, view.player).record
        if record != view.record[: len(record)]:
            return
        mover = game.player(here)
        if mover == view.player and record == view.record:
            if here != state:
                found.append((here, before))
            return
        options = [one for one, _ in game.chance(here)] if mover == gt.CHANCE else list(game.actions(here))
        for option in options:
            walk(game.result(here, option), [*before, here])

    walk(game.initial(), [])
    return found


def plays(game: gt.Game, seed: int) -> Iterator[tuple[Any, list[Any]]]:
    """The states of a random play in which a player is to move, each with those before it."""
    from random import Random

    rng = Random(seed)
    state: Any = game.initial()
    history: list[Any] = []
    while not game.is_terminal(state):
        if game.player(state) == gt.CHANCE:
            outcomes, odds = zip(*game.chance(state))
            action = rng.choices(outcomes, odds)[0]
        else:
            yield state, list(history)
            action = rng.choice(list(game.actions(state)))
        history.append(state)
        state = game.result(state, action)
