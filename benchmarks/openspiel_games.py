"""OpenSpiel beside ours: the games that both have, whose action is which, and its C++ MCTSBot as a player of matches.

Whatever both call an action by is a *word*, and every word is one whole action of ours:

    Othello, Connect Four   the number, the same on both sides: square a1 of Othello is 0, h8 is 63, 64 is the pass
    checkers                the squares that are touched. OpenSpiel's player 0 begins at the bottom of its board, ours
                            on squares 1 to 12: their a1 is our square 4, their h8 our 29, the board turned around. They
                            play every jump of a capture as an action of its own
    Go                      the point, row by row, and the number of points for the pass
    backgammon              the dice; then the position that a turn leads to. Doubles are two actions of theirs

Rules differ in this. Checkers: they draw after 40 plies without a capture, also when men move; ours draw after 80 plies
of kings' steps alone. `OpenSpielCheckers` is played by their rule. Go: a position that comes back ends their game as a
draw; ours forbids it. Backgammon: with doubles they let a player move fewer checkers than possible. Where their bot
would do what ours forbids, it does what it likes next best.
"""

import itertools
import random
from collections.abc import Sequence
from typing import Any

import gametree as gt
from gametree.games.backgammon.board import State as BackgammonState
from gametree.games.backgammon.board import number
from gametree.games.backgammon.notation import sides
from gametree.games.backgammon.rules import Backgammon
from gametree.games.checkers.rules import Checkers, State
from gametree.games.go.rules import PASS, Go
from gametree.search.core.plays import choices_at

THEIRS = {
    "connect-four": "connect_four",
    "checkers": "checkers",
    "othello": "othello",
    "go": "go(board_size=9)",
    "backgammon": "backgammon",
}
LONG = {"go": "go(board_size=9,max_game_length=1000)"}
"""For matches: their Go ends after 162 plies, whatever is on the board."""
DRAW_PLIES = 40
"""OpenSpiel's kMaxMovesWithoutCapture."""

Position = tuple[tuple[int, ...], tuple[int, ...]]
BAR = 100
"""Where OpenSpiel keeps what was hit."""
POINTS = (*range(24, 0, -1), 25)
X_PLACES = (*range(24), BAR)
O_PLACES = (*range(23, -1, -1), BAR)


class OpenSpielCheckers(Checkers):
    """Checkers that is drawn after 40 plies without a capture, as OpenSpiel has it."""

    def __init__(self) -> None:
        self.draw_after = DRAW_PLIES // 2

    def result(self, state: State, action: int) -> State:
        after = Checkers.result(self, state, action)
        quiet = 0 if action >> 6 & 15 else state.quiet + 1
        return State(after.black, after.white, after.kings, after.mover, quiet)

    def utility(self, state: State, player: int) -> float:
        if state.quiet >= DRAW_PLIES:
            return 0
        return -100 if player == state.mover else 100


# --- words ------------------------------------------------------------------------------------------


def our_word(game: gt.Game, state: Any, action: int) -> Any:
    """An action of ours, or an outcome of our dice, in words that both sides understand."""
    if isinstance(game, Checkers):
        return tuple(game.squares(action))
    if isinstance(game, Go):
        return game.size**2 if action == PASS else action // 10 * game.size + action % 10
    if isinstance(game, Backgammon):
        return action if game.player(state) == gt.CHANCE else our_position(game.result(state, action))
    return action


def their_words(name: str, state: Any) -> dict[Any, list[int]]:
    """Every whole action of theirs in the same words, with the steps that it takes."""
    if name == "checkers":
        return _ways(state)
    if name == "backgammon":
        return _throws(state) if state.is_chance_node() else their_turns(state)
    return {step: [step] for step in state.legal_actions()}


def _ways(state: Any, path: tuple[int, ...] = ()) -> dict[Any, list[int]]:
    found: dict[Any, list[int]] = {}
    for step in state.legal_actions():
        text = state.action_to_string(step)
        here, there = turned(text[:2]), turned(text[2:])
        child = state.child(step)
        if not child.is_terminal() and child.current_player() == state.current_player():
            for rest, steps in _ways(child, (*path, here)).items():
                found[rest] = [step, *steps]
        else:
            found[(*path, here, there)] = [step]
    return found


def turned(square: str) -> int:
    """The number of a square of checkers by OpenSpiel's name of it: "a1" is 4, "h8" is 29."""
    row, column = int(square[1]) - 1, 7 - "abcdefgh".index(square[0])
    return 4 * row + column // 2 + 1


def our_position(state: BackgammonState) -> Position:
    """The checkers of X and of O, each from its point 24 down to 1 and then on the bar."""
    x, o = sides(state)
    return tuple([number(x, p) for p in POINTS]), tuple([number(o, p) for p in POINTS])


def their_position(state: Any) -> Position:
    board = state.board
    return tuple([board(0, place) for place in X_PLACES]), tuple([board(1, place) for place in O_PLACES])


def their_turns(state: Any) -> dict[Any, list[int]]:
    """The positions after a whole turn of backgammon."""
    mover = state.current_player()
    halfway: dict[Position, tuple[int, Any]] = {}
    for action in state.legal_actions():
        after = state.child(action)
        halfway.setdefault(their_position(after), (action, after))
    found: dict[Any, list[int]] = {}
    for position, (action, after) in halfway.items():
        if after.is_terminal() or after.is_chance_node() or after.current_player() != mover:
            found[position] = [action]
        else:
            found |= {ending: [action, *rest] for ending, rest in their_turns(after).items()}
    return found


def _throws(state: Any) -> dict[Any, list[int]]:
    """Dice as ours are written: the higher first, but the lower where O begins the game."""
    found: dict[Any, list[int]] = {}
    for outcome, _ in state.chance_outcomes():
        text = state.action_to_string(gt.CHANCE, outcome)
        low, high = sorted(text[-3:-1])
        found[int(low + high if "O starts" in text else high + low)] = [outcome]
    return found


def actions_of(game: gt.Game, path: Sequence[Any]) -> list[Any]:
    """The actions that lead from state to state."""
    return [
        next(action for action in choices_at(game, before) if game.result(before, action) == after)
        for before, after in itertools.pairwise(path)
    ]


def agree(name: str, game: gt.Game, positions: int = 2000) -> None:
    """Plays both games at random, side by side: before a match both have to have the same rules."""
    import pyspiel

    theirs, rng = pyspiel.load_game(THEIRS[name]), random.Random(1)
    while positions > 0:
        state, other = game.initial(), theirs.new_initial_state()
        while not other.is_terminal():
            steps = their_words(name, other)
            actions = {our_word(game, state, action): action for action in game.actions(state)}
            assert set(steps) == set(actions) and game.player(state) == other.current_player()
            word = rng.choice(sorted(steps))
            state = game.result(state, actions[word])
            for step in steps[word]:
                other.apply_action(step)
            positions -= 1
        payoff = game.utility(state, 0)
        assert game.is_terminal(state) and (payoff > 0) - (payoff < 0) == other.returns()[0]


# --- their player -----------------------------------------------------------------------------------


def mcts_bot(theirs: Any, limit: gt.Limit, exploration: float, seed: int, rollouts: int = 1) -> Any:
    """OpenSpiel's MCTSBot with random playouts and a limit of simulations or seconds."""
    import pyspiel

    return pyspiel.MCTSBot(
        theirs,
        pyspiel.RandomRolloutEvaluator(rollouts, seed % 2**31),
        exploration,
        limit.nodes or 2**31 - 1,
        1000,  # megabytes
        True,  # solve: proven wins and losses are played as such
        seed % 2**31,
        False,  # verbose
        pyspiel.ChildSelectionPolicy.UCT,
        limit.seconds or 0,
    )


class Mcts:
    """OpenSpiel's MCTSBot as a player, which follows our game in a state of its own."""

    def __init__(self, name: str, game: gt.Game, limit: gt.Limit, exploration: float, rollouts: int = 1):
        import pyspiel

        self.name, self.game = name, game
        self.theirs = pyspiel.load_game(LONG.get(name, THEIRS[name]))
        self.limit, self.exploration, self.rollouts = limit, exploration, rollouts
        self.begin(0)

    def begin(self, seed: int) -> None:
        self.bot = mcts_bot(self.theirs, self.limit, self.exploration, seed, self.rollouts)
        self.state = self.theirs.new_initial_state()
        self.path: list[Any] = [self.game.initial()]

    def follow(self, path: Sequence[Any]) -> None:
        """Makes the moves in their game that have been made in ours since the last time."""
        known = path[len(self.path) - 1 :]
        for before, action in zip(known, actions_of(self.game, known)):
            for step in their_words(self.name, self.state)[our_word(self.game, before, action)]:
                self.state.apply_action(step)
        self.path = list(path)

    def search(self, state: Any) -> Any:
        """Their tree. Where the time suffices for one simulation only, it has no children; then again."""
        while True:
            root = self.bot.mcts_search(state)
            if root.explore_count > 1:
                return root

    def step(self, state: Any, legal: set[int]) -> int:
        """The best one of their actions that is legal in our game too, or one that comes to the same."""
        if len(legal) == 1:
            return next(iter(legal))
        root = self.search(state)
        same = {str(state.child(action)): action for action in sorted(legal)}
        favourites = [root.best_child(), *sorted(root.children, key=lambda child: -child.explore_count)]
        texts = (str(state.child(favourite.action)) for favourite in favourites)
        return next(same[text] for text in texts if text in same)

    def move(self, state: Any, history: Sequence[Any] = ()) -> Any:
        game = self.game
        self.follow((*history, state))
        legal = {our_word(game, state, action): action for action in game.actions(state)}
        if game.repetition == ("forbid", 2):
            seen = {game.repetition_key(before) for before in history}
            legal = {
                word: action
                for word, action in legal.items()
                if game.repetition_key(game.result(state, action)) not in seen
            }
        words = their_words(self.name, self.state)
        by_steps = {tuple(steps): legal[word] for word, steps in words.items() if word in legal}
        chosen: list[int] = []
        child = self.state.clone()
        while tuple(chosen) not in by_steps:
            at = len(chosen)
            chosen.append(self.step(child, {steps[at] for steps in by_steps if [*steps[:at]] == chosen}))
            child.apply_action(chosen[-1])
        return by_steps[tuple(chosen)]
