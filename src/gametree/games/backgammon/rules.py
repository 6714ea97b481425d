"""Backgammon: race fifteen checkers home against the dice; a checker that stands alone can be hit."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from gametree.board.data import Board
from gametree.errors import InputError
from gametree.game import CHANCE, Game, mover_at
from gametree.games.backgammon import notation as notation
from gametree.games.backgammon.board import (
    ALL_OFF,
    BAR,
    HALF,
    MASK,
    NO_DICE,
    OPENING,
    PASS,
    POINTS,
    SOURCE,
    Side,
    State,
    added,
    lowest,
    moved,
    number,
    occupied,
    pips,
    removed,
    seen_by_other,
    sources,
    towers,
)
from gametree.games.backgammon.evaluation import equity

HIGHER_FIRST, LOWER_FIRST, LAST, DOUBLES = range(4)

THROWS: Final = tuple(
    (10 * first + second, 1 / 36 if first == second else 2 / 36)
    for first in range(1, 7)
    for second in range(1, first + 1)
)
FIRST_THROWS: Final = tuple(
    (10 * first + second, 1 / 30) for first in range(1, 7) for second in range(1, 7) if first != second
)


class View(NamedTuple):
    """What the turns with two dice depend on, as the mover numbers the points."""

    mine: int
    single: int
    """Where one checker stands alone."""
    landing: int
    """Where a checker may land."""
    with_a: int
    """From where the higher die can be played first."""
    blots: int
    """Where the other can be hit."""
    a: int
    b: int


class Doubles(NamedTuple):
    """How far the walk over the turns with doubles has come: checkers that have moved already, their sources, how many
    they are (−1 at the end), below which point the next one starts, and from where the last one can."""

    side: Side
    turn: int
    moved: int
    below: int
    last: int


class Backgammon(Game):
    """Race fifteen checkers home against the dice; a win counts 1, a gammon 2 and a backgammon 3.

    Player 0 is X, player 1 is O; each moves from its point 24 to its point 1 and off. An action is a whole turn. Both
    dice are played where that is possible, all four of doubles; where only one of two can be, it is the higher one
    that can. Two turns that leave the same position are one action. There is no doubling cube.

    Dice are chance nodes: 21 throws, doubles with 1/36 and others with 2/36. The first throw decides who begins:
    each player throws one die until they differ, 30 outcomes, of which the first number is X's. Later an outcome is 63
    for six and three.

    >>> game = Backgammon()
    >>> state = game.result(game.initial(), 31)
    >>> print(game.show(state))
    13 14 15 16 17 18 bar 19 20 21 22 23 24
     X  .  .  .  O  .   .  O  .  .  .  .  X
     X  .  .  .  O  .   .  O  .  .  .  .  X
     X  .  .  .  O  .   .  O  .  .  .  .  .
     X  .  .  .  .  .   .  O  .  .  .  .  .
     X  .  .  .  .  .   .  O  .  .  .  .  .
    <BLANKLINE>
     O  .  .  .  .  .   .  X  .  .  .  .  .
     O  .  .  .  .  .   .  X  .  .  .  .  .
     O  .  .  .  X  .   .  X  .  .  .  .  .
     O  .  .  .  X  .   .  X  .  .  .  .  O
     O  .  .  .  X  .   .  X  .  .  .  .  O
    12 11 10  9  8  7 bar  6  5  4  3  2  1
    off: X 0, O 0
    X to play 3-1
    >>> best = game.parse_action(state, "8/5 6/5")
    >>> game.name_action(state, best)
    '8/5 6/5'
    """

    player_names: tuple[str, ...] = ("X", "O")
    payoffs: tuple[float, float] | None = (-3, 3)

    # --- the rules ----------------------------------------------------------------------------------

    def initial(self) -> State:
        side = Side(0, 0)
        for point, count in ((24, 2), (13, 5), (8, 3), (6, 5)):
            for _ in range(count):
                side = added(side, point)
        return State(side, side, 0, OPENING)

    def player(self, state: State) -> int:
        return CHANCE if state.dice <= OPENING else state.mover

    def chance(self, state: State) -> tuple[tuple[int, float], ...]:
        """The throws; at the first one who throws which die counts."""
        return FIRST_THROWS if state.dice == OPENING else THROWS

    def actions(self, state: State) -> Iterator[int]:
        """The turns: all that begin alike come from one set, so there is a single `yield`."""
        if state.dice <= OPENING or self.is_terminal(state):
            return
        a, b = state.dice // 10, state.dice % 10
        mine = occupied(state.mine)
        single = mine & ~towers(state.mine)
        walls = towers(state.theirs)
        seen = seen_by_other(walls | (occupied(state.theirs) & ~walls) << HALF)
        landing = POINTS & ~seen
        blots = seen >> HALF & POINTS
        view = View(mine, single, landing, sources(mine, landing, a), blots, a, b)
        most = self.most_doubles(state.mine, landing, a) if a == b else 0
        walk = Doubles(state.mine, 0, 0, BAR + 1, 0)
        begun, points, shift = 0, 0, SOURCE
        left = view.with_a
        phase = DOUBLES if a == b else HIGHER_FIRST
        found = False
        while True:
            while points:
                found = True
                yield begun | lowest(points) << shift
                points &= points - 1
            if phase == DOUBLES and most > 0 and walk.moved >= 0:
                walk = self.walk_on(walk, landing, a, most)
                begun, points, shift = walk.turn, walk.last, SOURCE * (most - 1)
            elif phase == HIGHER_FIRST and left:
                begun = lowest(left)
                left &= left - 1
                points = self.after_higher(view, begun)
            elif phase == HIGHER_FIRST:
                phase = LOWER_FIRST
                # A checker that `b` bears off opens nothing new.
                left = sources(mine, landing, b) >> b + 1 << b + 1
                shift = 0
            elif phase == LOWER_FIRST and left:
                q = lowest(left)
                left &= left - 1
                begun = q << SOURCE
                points = self.after_lower(view, q)
            elif found:
                return
            elif phase == LOWER_FIRST:
                # Only one die can be played, the higher one if that is possible, or none.
                begun = 0
                points = view.with_a
                if points == 0:
                    points = sources(mine, landing, b)
                    shift = SOURCE
                phase = LAST
            else:
                points = 1  # point 0: PASS
                begun, shift = PASS, 0

    # Two turns (p, q), with the higher die `a` from p and the lower `b` from q, leave the same position in two cases
    # only. One checker goes q, q − a, q − a − b or q, q − b, q − a − b, and hits nothing on the way: the second form,
    # (q − b, q), is left out. Or two checkers are borne off, and either die does for either: `b` first is left out.

    def after_higher(self, view: View, p: int) -> int:
        """From where `b` can be played after `a` from p."""
        second = sources(moved(view.mine, view.single, p, view.a), view.landing, view.b)
        q = p + view.b
        if second >> q & 1 and self.does_either(view, q):
            second ^= 1 << q
        return second

    def after_lower(self, view: View, q: int) -> int:
        """From where `a` can be played only after `b` from q."""
        second = sources(moved(view.mine, view.single, q, view.b), view.landing, view.a) & ~view.with_a
        p = q - view.b
        if second >> p & 1 and self.does_either(view, q):
            second ^= 1 << p
        return second

    def does_either(self, view: View, q: int) -> bool:
        """Whether a checker on q can also play `a` and then `b`, with the same result as the other way round."""
        hits = view.blots << view.a | view.blots << view.b
        if q <= view.a or (view.with_a & ~hits) >> q & 1 == 0:
            return False
        after = moved(view.mine, view.single, q, view.a)
        return sources(after, view.landing, view.b) >> q - view.a & 1 == 1

    # Doubles move checkers in falling order of their sources: any turn can be played so, and in one way only.

    def walk_on(self, walk: Doubles, landing: int, die: int, most: int) -> Doubles:
        """Depth first to the next turn that lacks its last checker, with all that the last one can be."""
        side, turn, count, below, last = walk
        while True:
            left = 0
            if last == 0:
                left = sources(occupied(side), landing, die) & (1 << below) - 1
            if left and count == most - 1:
                return Doubles(side, turn, count, below, left)
            if left:
                point = left.bit_length() - 1
                side = added(removed(side, point), max(0, point - die))
                turn |= point << SOURCE * count
                count += 1
                below = point + 1
            else:
                last = 0
                count -= 1
                if count < 0:
                    return Doubles(side, 0, -1, 0, 0)
                point = turn >> SOURCE * count & MASK
                turn ^= point << SOURCE * count
                side = added(removed(side, max(0, point - die)), point)
                below = point

    def most_doubles(self, side: Side, landing: int, die: int) -> int:
        """How many checkers doubles can move, at most four."""
        most = 4
        while most > 0 and self.walk_on(Doubles(side, 0, 0, BAR + 1, 0), landing, die, most).moved < 0:
            most -= 1
        return most

    def result(self, state: State, action: int) -> State:
        if state.dice <= OPENING:
            first, second = action // 10, action % 10
            if state.dice == NO_DICE:
                return State(state.mine, state.theirs, state.mover, action)
            mover = 0 if first > second else 1
            return State(state.mine, state.theirs, mover, 10 * max(first, second) + min(first, second))
        die, other = state.dice // 10, state.dice % 10
        mine, theirs = state.mine, state.theirs
        for _ in range(4):
            point = action & MASK
            if point:
                target = max(0, point - die)
                mine = added(removed(mine, point), target)
                if target and theirs.low >> BAR - target & 1 and number(theirs, BAR - target) == 1:
                    theirs = added(removed(theirs, BAR - target), BAR)
            action >>= SOURCE
            die = other
        return State(theirs, mine, 1 - state.mover, NO_DICE)

    def is_terminal(self, state: State) -> bool:
        """Whether the one who moved last has borne off all fifteen."""
        return state.theirs.low & state.theirs.high & ALL_OFF == ALL_OFF

    def utility(self, state: State, player: int) -> float:
        worth = 1
        if number(state.mine, 0) == 0:
            # A checker on the bar or in the winner's home board makes it a backgammon.
            worth = 3 if occupied(state.mine) >> 19 else 2
        return -worth if player == state.mover else worth

    # --- judgement ----------------------------------------------------------------------------------

    def evaluate(self, state: State, player: int) -> float:
        """The payoff that is to be expected, before the dice are thrown: see `backgammon_evaluation`."""
        worth = equity(state.mine, state.theirs)
        return worth if player == state.mover else -worth

    def evaluate_pips(self, state: State, player: int) -> float:
        """Who is ahead in the race, in pips: what a beginner counts."""
        ahead = (pips(state.theirs) - pips(state.mine)) / 150
        return ahead if player == state.mover else -ahead

    # --- text ---------------------------------------------------------------------------------------

    def show(self, state: State) -> str:
        return notation.draw(state, self._status(state))

    def board(self, state: State) -> Board:
        return notation.board(state, mover_at(self, state), self._status(state))

    def touches(self, state: State, action: int) -> tuple[str, ...]:
        return notation.touched(state, action)

    def _status(self, state: State) -> str:
        mover = notation.NAMES[state.mover]
        if self.is_terminal(state):
            worth = int(-self.utility(state, state.mover))
            how = ("", "", " a gammon", " a backgammon")[worth]
            return f"{notation.NAMES[1 - state.mover]} has won{how}, {mover} would be the next"
        if state.dice == OPENING:
            return "both throw a die"
        if state.dice == NO_DICE:
            return f"{mover} to throw"
        return f"{mover} to play {state.dice // 10}-{state.dice % 10}"

    def parse_state(self, text: str) -> State:
        """The state from a board as `show` prints it; from a position ID of GNU Backgammon with who moves and the
        dice, "4HPwATDgc/ABMA X 31"; or from the throws and turns so far, "31 8/5 6/5 42"."""
        if notation.is_board(text):
            return notation.read_board(text)
        if notation.is_id(text):
            return notation.read_id(text)
        return notation.read_game(self, text)

    def name_action(self, state: State, action: int) -> str:
        """`8/5 6/5`, `24/18*/14`, `13/7(2)`, `bar/22`, `6/off`; dice are `3-1`."""
        if state.dice <= OPENING:
            return f"{action // 10}-{action % 10}"
        return notation.write_turn(state, action)

    def parse_action(self, state: State, text: str) -> int:
        """The turn from its moves in any order, with or without the signs for hits and the points in between."""
        if self.is_terminal(state):
            raise InputError(f"the game is over: {self._status(state)}")
        if state.dice <= OPENING:
            return notation.read_dice(text, [outcome for outcome, _ in self.chance(state)])
        return notation.read_turn(state, text, list(self.actions(state)))
