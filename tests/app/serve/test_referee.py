"""A game that a referee keeps: every seat is told what it may see, over the protocol, too."""

import json
import os
import random
import signal
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest

import schemas
from app.serve.program import Program
from gametree import games
from gametree.app.serve.positions import Ways
from gametree.app.serve.seats import seen
from gametree.game import Game
from gametree.search.core.plays import choices_at
from gametree.view import hides, seen_by, view_of

pytestmark = pytest.mark.same_in_all_modes

SMALLER: dict[str, dict[str, Any]] = {
    "battleship": {"width": 5, "height": 4, "fleet": "3 2"},
    "grid-soccer": {"width": 4, "height": 2},
}
HIDING = [name for name in games.names() if hides(games.load(name))]


@pytest.fixture(scope="module")
def engine() -> Iterator[Program]:
    program = Program()
    yield program
    assert program.close() == 0
    made = {json.loads(text)["$id"]: json.loads(text) for _, text in schemas.schemas()}
    validator = jsonschema.Draft202012Validator(made["gametree.answer/1"])
    for answer in program.heard:
        validator.validate(answer)


def refusal(said: dict[str, Any]) -> str:
    return str(said["error"]["message"])


# --- what a seat sees -------------------------------------------------------------------------------


def test_some_games_hide_something() -> None:
    assert {"kuhn-poker", "leduc-poker", "liars-dice", "phantom-tic-tac-toe", "battleship"} <= set(HIDING)


def positions(game: Game, seed: int, most: int = 60) -> Iterator[tuple[tuple[Any, ...], tuple[str, ...]]]:
    """The states of a game played by chance, each with those before it, and the names of the moves."""
    rng = random.Random(seed)
    states: tuple[Any, ...] = (game.initial(),)
    words: tuple[str, ...] = ()
    for _ in range(most):
        yield states, words
        if game.is_terminal(states[-1]):
            return
        action = rng.choice(choices_at(game, states[-1]))
        words = (*words, game.name_action(states[-1], action))
        states = (*states, game.result(states[-1], action))


@pytest.mark.parametrize("name", HIDING)
def test_a_seat_is_told_the_same_wherever_it_has_seen_the_same(name: str) -> None:
    """Two positions of one view are the same message: nothing in it can depend on what is hidden."""
    game = games.load(name, **SMALLER.get(name, {}))
    told: dict[Any, Any] = {}
    met = 0
    for seed in range(40):
        ways = Ways()
        for states, words in positions(game, seed, most=10):
            at = ways.reach(game, name, None, words)
            for seat in range(game.players):
                view = view_of(game, states[-1], states[:-1], seat)
                message: dict[str, Any] = {**seen(at, seat)}
                mover = None if game.is_terminal(states[-1]) else game.player(states[-1])
                key = (seat, view.observation, view.actions, mover, str(message.pop("payoffs")))
                # Whose move was the last one is known to who made it.
                last = message.pop("last")
                assert last == "" or game.player(states[-2]) == seat
                met += key in told
                assert told.setdefault(key, message) == message
    assert met > 20


@pytest.mark.parametrize("name", HIDING)
def test_a_board_of_a_seat_is_made_from_what_it_has_seen(name: str) -> None:
    game = games.load(name, **SMALLER.get(name, {}))
    for states, words in positions(game, 1, most=14):
        at = Ways().reach(game, name, None, words)
        for seat in range(game.players):
            view = view_of(game, states[-1], states[:-1], seat)
            masked = seen_by(game, view)
            shown = seen(at, seat)
            board = None if masked is None else game.board(masked)
            assert shown["board"] == (None if board is None else board.to_json())
            ids = () if board is None else board.ids
            assert all(set(one["touches"]) <= set(ids) for one in shown["actions"]), shown["actions"]
            mine = not game.is_terminal(states[-1]) and game.player(states[-1]) == seat
            assert [one["name"] for one in shown["actions"]] == [
                game.name_action(states[-1], action) for action in (view.actions if mine else ())
            ]


# --- a game -----------------------------------------------------------------------------------------


def test_a_game_of_kuhn_poker_between_two_seats(engine: Program) -> None:
    opened = engine.ask(1, "open", game="kuhn-poker")["opened"]
    keys = opened["keys"]
    assert opened["mover"] == 0 and len(set(keys)) == 2
    first = engine.ask(2, "seat", key=keys[0])["seat"]
    second = engine.ask(3, "seat", key=keys[1])["seat"]
    assert (first["seat"], first["mover"], second["seat"], second["mover"]) == (0, 0, 1, 0)
    assert [one["name"] for one in first["actions"]] == ["pass", "bet"] and second["actions"] == []
    cards = {one["text"].split(";")[0].split(",")[0] for one in (first, second)}
    assert len(cards) == 2, "two seats hold two cards"
    assert "not the turn" in refusal(engine.ask(4, "act", key=keys[1], move="bet"))
    assert "not a legal action" in refusal(engine.ask(5, "act", key=keys[0], move="raise"))
    after = engine.ask(6, "act", key=keys[0], move="bet")["seat"]
    assert (after["mover"], after["last"], after["actions"]) == (1, "bet", [])
    over = engine.ask(7, "act", key=keys[1], move="fold")["seat"]
    assert over["mover"] is None and over["payoffs"] == [1, -1]
    record = engine.ask(8, "close", key=keys[0])["record"]
    assert record["moves"][-2:] == ["bet", "fold"] and len(record["moves"]) == 4
    assert "no game has this key" in refusal(engine.ask(9, "seat", key=keys[1]))
    # What was hidden can be looked at now.
    at = engine.ask(10, "position", game="kuhn-poker", moves=record["moves"])["position"]
    assert at["payoffs"] == over["payoffs"]


def test_no_message_of_a_game_tells_the_card_of_another_seat(engine: Program) -> None:
    """The text of a seat is that of its own observation, in forty deals."""
    game = games.load("kuhn-poker")
    for number in range(40):
        (key, _) = engine.ask(f"o{number}", "open", game="kuhn-poker", seats=[0, 3])["opened"]["keys"]
        heard = len(engine.heard)
        shown = engine.ask(f"s{number}", "seat", key=key)["seat"]
        said = json.dumps(engine.heard[heard:])
        record = engine.ask(f"c{number}", "close", key=key)["record"]
        state = game.initial()
        for word in record["moves"]:
            state = game.result(state, game.parse_action(state, word))
        own, other = record["moves"][:2]
        assert game.show_observation(game.observe(state, 0), 0) == shown["text"]
        assert own in shown["text"] and other not in said.replace(own, "")


def test_chance_and_engines_play_by_themselves_until_a_seat_is_to_move(engine: Program) -> None:
    keys = engine.ask(1, "open", game="leduc-poker", seats=[2, 0])["opened"]["keys"]
    assert keys[0] is None
    shown = engine.ask(2, "seat", key=keys[1])["seat"]
    number = 3
    while shown["payoffs"] is None:
        assert shown["mover"] == 1 and shown["actions"]
        shown = engine.ask(number, "act", key=keys[1], move=shown["actions"][-1]["name"])["seat"]
        number += 1
    assert engine.ask(99, "close", key=keys[1])["record"]["moves"]


@pytest.mark.parametrize("name", HIDING)
def test_every_game_that_hides_something_can_be_played_to_its_end(engine: Program, name: str) -> None:
    settings = SMALLER.get(name, {})
    keys = engine.ask("o", "open", game=name, settings=settings)["opened"]["keys"]
    shown = engine.ask("s", "seat", key=keys[0])["seat"]
    rng = random.Random(5)
    for number in range(1_000):
        if shown["payoffs"] is not None:
            break
        if not shown["actions"]:
            shown = engine.ask(number, "seat", key=keys[shown["mover"]])["seat"]
        key = keys[shown["seat"]]
        shown = engine.ask(number, "act", key=key, move=rng.choice(shown["actions"])["name"])["seat"]
    assert len(shown["payoffs"]) == len(keys)
    assert len(engine.ask("c", "close", key=keys[0])["record"]["moves"]) >= 2


def test_a_seat_waits_for_its_turn(engine: Program) -> None:
    keys = engine.ask(1, "open", game="matching-pennies" if "matching-pennies" in HIDING else "kuhn-poker")[
        "opened"
    ]["keys"]
    first = engine.ask(2, "seat", key=keys[0])["seat"]
    engine.send({"id": 3, "do": "seat", "key": keys[1], "wait": True})
    waiting = engine.next(3)
    assert not waiting["done"] and waiting["seat"]["actions"] == []
    engine.ask(4, "act", key=keys[0], move=first["actions"][0]["name"])
    assert engine.last(3)["seat"]["mover"] == 1
    # Who waits can leave, and the game goes on.
    engine.send({"id": 5, "do": "seat", "key": keys[0], "wait": True})
    engine.next(5)
    assert engine.ask(6, "cancel", of=5)["cancelled"] and engine.last(5)["seat"] is None
    assert engine.ask(7, "seat", key=keys[1])["seat"]["actions"]
    # Who waits hears that the other has closed the game.
    engine.send({"id": 8, "do": "seat", "key": keys[0], "wait": True})
    engine.next(8)
    engine.ask(9, "close", key=keys[1])
    assert "was closed" in refusal(engine.last(8))


def test_a_hint_is_made_from_what_the_seat_has_seen(engine: Program) -> None:
    keys = engine.ask(1, "open", game="kuhn-poker")["opened"]["keys"]
    found = engine.ask(2, "hint", key=keys[0], seconds=0.2)["analysis"]
    assert found["action"] in ("pass", "bet")
    assert "for the seat that is to move" in refusal(engine.ask(3, "hint", key=keys[1]))
    engine.ask(4, "close", key=keys[0])


@pytest.mark.parametrize(
    ("request_", "why"),
    [
        ({"do": "open", "game": "no-game"}, "there is no game"),
        ({"do": "open", "game": "kuhn-poker", "seats": [0, 0, 0]}, "has 2, not 3"),
        ({"do": "open", "game": "kuhn-poker", "seats": [0, 11]}, "11"),
        ({"do": "open", "game": "kuhn-poker", "seats": [1, 1]}, "0 is the seat of a person"),
        ({"do": "open", "game": "kuhn-poker", "moves": ["J"]}, "moves"),
        ({"do": "seat", "key": "guessed"}, "no game has this key"),
        ({"do": "act", "key": "guessed", "move": "bet"}, "no game has this key"),
        ({"do": "close", "key": ""}, "no game has this key"),
        ({"do": "position", "game": "kuhn-poker", "seat": 0}, "seat"),
        ({"do": "referee", "game": "kuhn-poker"}, "do is"),
    ],
)
def test_what_a_referee_refuses(engine: Program, request_: dict[str, Any], why: str) -> None:
    assert why in refusal(engine.ask("r", **request_))


def test_a_game_goes_on_after_its_worker_died(engine: Program) -> None:
    keys = engine.ask(1, "open", game="kuhn-poker")["opened"]["keys"]
    before = engine.ask(2, "seat", key=keys[0])["seat"]
    os.kill(engine.workers()[0], signal.SIGKILL)
    assert engine.ask(3, "seat", key=keys[0])["seat"] == before
    assert engine.ask(4, "act", key=keys[0], move="bet")["seat"]["mover"] == 1
    engine.ask(5, "close", key=keys[0])


def test_games_without_secrets_have_seats_too(engine: Program) -> None:
    keys = engine.ask(1, "open", game="tic-tac-toe", seats=[0, 1])["opened"]["keys"]
    shown = engine.ask(2, "act", key=keys[0], move="b2")["seat"]
    taken = {cell["id"] for cell in shown["board"]["cells"] if "piece" in cell}
    assert (shown["hides"], shown["mover"], len(taken)) == (False, 0, 2) and "b2" in taken
    assert all(one["touches"] == [one["name"]] for one in shown["actions"])
