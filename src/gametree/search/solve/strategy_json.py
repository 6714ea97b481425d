"""Strategies as JSON: a move for each position, and a way to it by the names of moves.

States are Python objects and mean nothing to other programs, so none are written. A reader plays the moves again from
the beginning, by the rules: what is not legal is refused, and nothing in the file is ever run.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final, Literal

from gametree.arguments import is_finite
from gametree.documents.parts import Count, Number
from gametree.errors import InputError
from gametree.game import Game, check_state, names_of
from gametree.kernel.keys import state_key
from gametree.reading import mismatch, parse, short
from gametree.result import Value
from gametree.search.core.plays import root_actions
from gametree.search.core.task import Needs, require_game
from gametree.search.solve.graph import identity
from gametree.search.solve.strategy import Strategy

NEEDS: Final = Needs("a strategy", zero_sum=True, chance=False)
SCHEMA: Final = "gametree.strategy/1"
_FIELDS: Final = {"schema", "game", "player", "position", "key", "value", "endless", "moves"}
Word = str | int
"""A move: its name, or its place in the order of `actions` where several have one name."""


def to_json(plan: Strategy, indent: int | None = None) -> str:
    """The text; with an indent, still one line for each move."""
    data = to_dict(plan)
    if indent is None:
        return json.dumps(data, allow_nan=False, ensure_ascii=False)
    moves = data.pop("moves")
    head = json.dumps(data, indent=indent, allow_nan=False, ensure_ascii=False)
    rows = ",\n".join(" " * 2 * indent + json.dumps(move, ensure_ascii=False) for move in moves)
    pad = " " * indent
    return f'{head[:-2]},\n{pad}"moves": [\n{rows}\n{pad}]\n}}'


def to_dict(plan: Strategy) -> dict[str, Any]:
    """The strategy as plain data."""
    return {
        "schema": SCHEMA,
        "game": repr(plan.game),
        "player": plan.player,
        "position": plan.game.show(plan.state),
        "key": f"{state_key(plan.state):016x}",
        "value": plan.value.to_dict(),
        "endless": plan.endless,
        "moves": [{"after": list(way), "play": word} for way, word in _written(plan)],
    }


def ways(plan: Strategy) -> Iterator[tuple[Any, tuple[str, ...], str]]:
    """Each state of a strategy, the names of the moves on a way to it, and the name of the move there."""
    for state, way in _arising(plan):
        names = names_of(plan.game, plan.state, way)
        yield state, names, plan.game.name_action(state, plan(state))


def _written(plan: Strategy) -> Iterator[tuple[tuple[Word, ...], Word]]:
    game = plan.game
    for state, way in _arising(plan):
        words, at = [], plan.state
        for action in way:
            words.append(_word(game, at, action))
            at = game.result(at, action)
        yield tuple(words), _word(game, state, plan(state))


def _arising(plan: Strategy) -> Iterator[tuple[Any, tuple[Any, ...]]]:
    """The states of a strategy, breadth first, each with a shortest way to it."""
    game, same = plan.game, identity(plan.game)
    waiting: list[tuple[Any, tuple[Any, ...]]] = [(plan.state, ())]
    seen = {same(plan.state)}
    for state, way in waiting:
        if game.is_terminal(state):
            continue
        actions: Sequence[Any] = list(game.actions(state))
        if game.player(state) == plan.player:
            if state not in plan:
                continue
            yield state, way
            actions = [plan(state)]
        for action in actions:
            child = game.result(state, action)
            if same(child) not in seen:
                seen.add(same(child))
                waiting.append((child, (*way, action)))


def _word(game: Game, state: Any, action: Any) -> Word:
    actions = list(game.actions(state))
    names = [game.name_action(state, other) for other in actions]
    name = game.name_action(state, action)
    return name if names.count(name) == 1 else actions.index(action)


# --- reading ------------------------------------------------------------------------------------------


def from_json(text: str, game: Game, state: Any = None) -> Strategy:
    """The strategy that a text describes; whatever is wrong with it is told."""
    require_game(game, "Strategy.from_json")
    NEEDS.require(game)
    data = _parsed(text)
    if data["game"] != repr(game):
        raise InputError(f"the strategy is for {short(data['game'])}, not for {game!r}")
    player, endless = data["player"], data["endless"]
    if mismatch(player, Literal[0, 1]):
        raise InputError(f"the strategy is that of player {short(player)}: it has to be 0 or 1")
    if not is_finite(endless):
        raise InputError(f"endless is {short(endless)} in the strategy: it has to be a number")
    root = _root(game, data, state)
    moves = _moves(game, root, player, data["moves"])
    return Strategy(game, root, player, _value(data["value"]), moves, float(endless))


def _parsed(text: str) -> dict[str, Any]:
    try:
        data = parse(text, "the strategy")
    except InputError as error:
        raise InputError(f"the strategy is not JSON: {error}") from None
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        raise InputError(f'the text is no strategy: it has to be JSON with "schema": "{SCHEMA}"')
    missing = sorted(_FIELDS - data.keys())
    if missing:
        raise InputError(f"the strategy lacks {', '.join(missing)}")
    return data


def _root(game: Game, data: dict[str, Any], state: Any) -> Any:
    """Where the strategy begins: what was given, the initial state, or what the game reads from the text."""
    key, text = data["key"], data["position"]
    if not isinstance(key, str) or not isinstance(text, str):
        raise InputError("key and position of a strategy are texts")
    if state is None and f"{state_key(game.initial()):016x}" == key:
        state = game.initial()
    if state is None:
        try:
            state = game.parse_state(text)
        except (ValueError, LookupError, TypeError):  # a game of somebody's own may raise any of these
            raise InputError(
                f"the strategy does not begin at the initial state, and {type(game).__name__} cannot read where it"
                " does; give that state"
            ) from None
    state = check_state(game, state)
    if f"{state_key(state):016x}" != key:
        raise InputError(f"the strategy begins at another position:\n{text[:500]}")
    return state


def _value(data: Any) -> Value:
    match data:
        case {"payoff": payoff, "outcome": "win" | "loss" | None as outcome, "plies": plies}:
            if not mismatch(payoff, Number) and not mismatch(plies, int | None):
                return Value(float(payoff), outcome, plies)
    raise InputError(f"the value of the strategy is {short(data)}: it has to have payoff, outcome and plies")


def _moves(game: Game, root: Any, player: int, rows: Any) -> dict[Any, Any]:
    if not isinstance(rows, list):
        raise InputError("the moves of a strategy are a list")
    same, found, actions = identity(game), dict[Any, Any](), dict[Any, Any]()
    for number, row in enumerate(rows, 1):
        match row:
            case {"after": list(way), "play": play}:
                pass
            case _:
                raise InputError(
                    f"move {number} of the strategy is {short(row)}: it has to have after and play"
                )
        state = root
        for word in way:
            state = game.result(state, _read(game, state, word, number))
        action = _read(game, state, play, number)
        if game.player(state) != player:
            raise InputError(f"move {number} of the strategy is one of the other player's")
        key = same(state)
        if key in actions and actions[key] != action:
            raise InputError(
                f"move {number} of the strategy contradicts an earlier one for the same position"
            )
        actions[key] = action
        found.setdefault(state, action)
    return found


def _read(game: Game, state: Any, word: Any, number: int) -> Any:
    if game.is_terminal(state):
        raise InputError(f"move {number} of the strategy goes on after the end of the game")
    actions = root_actions(game, state)
    if not mismatch(word, Count) and word < len(actions):
        return actions[word]
    if isinstance(word, str):
        named = [action for action in actions if game.name_action(state, action) == word]
        if len(named) == 1:
            return named[0]
    raise InputError(f"move {number} of the strategy has {short(word)}, which is not a legal move there")
