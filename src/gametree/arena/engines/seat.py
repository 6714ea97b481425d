"""A class or a function of the user's, played in a process of its own.

There it may hang, crash, end the process or print what it likes. It is handed what the rules let it see, and answers
with the place of an action among the legal ones: nothing that comes back is unpickled.
"""

import contextlib
import json
import os
import pickle
import struct
import sys
from typing import Any, BinaryIO, Final

from gametree.arena.asking import Forfeit, Question
from gametree.arena.engines.program import START, Engine, Program
from gametree.game import Game
from gametree.jobs.parcel import Parcel
from gametree.view import View

_SIZE: Final = struct.Struct("!Q")
_LONGEST: Final = 200


class Seated(Engine):
    """A player in a process of its own."""

    def __init__(self, game: Game, factory: Any):
        super().__init__([sys.executable, "-m", "gametree.arena.engines.seat"])
        self.game = game
        self._parcel = Parcel.of((game, factory))

    def greet(self, program: Program) -> None:
        self._ask(program, self._parcel, START)

    def begin(self, seed: int) -> None:
        self._ask(self.running(), ("begin", seed), START)

    def answer(self, question: Question) -> Any:
        """The player's move."""
        state = question.state
        asked = ("move", state, tuple(question.history), question.clock)
        index = self._ask(self.running(), asked, question.patience)
        legal = list(state.actions if isinstance(state, View) else self.game.actions(state))
        if not isinstance(index, int) or not 0 <= index < len(legal):
            raise Forfeit(f"an answer that is no move: {index!r}")
        return legal[index]

    def _ask(self, program: Program, message: Any, patience: float) -> Any:
        program.write(_frame(message))
        answer = json.loads(program.hear(lambda line: line.startswith("{"), patience))
        if "wrong" in answer:
            raise Forfeit(str(answer["wrong"])[:_LONGEST])
        return answer.get("index")

    def close(self) -> None:
        if self._program is not None:
            self._program.kill()
            self._program = None


def _frame(message: Any) -> bytes:
    data = pickle.dumps(message)
    return _SIZE.pack(len(data)) + data


# --- in the process ---------------------------------------------------------------------------------


def main() -> None:
    """Answers until nobody asks any more. What the player prints goes nowhere."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    questions = os.fdopen(os.dup(sys.stdin.fileno()), "rb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    seat: Any = None
    while (message := _read(questions)) is not None:
        try:
            if seat is None:
                seat = _Seat(message.open())
                said: dict[str, Any] = {"index": 0}
            else:
                said = seat.obey(message)
        except Forfeit as forfeit:
            said = {"wrong": str(forfeit)}
        except BaseException as error:
            said = {"wrong": f"an error: {type(error).__name__}: {error}"[:_LONGEST]}
        print(json.dumps(said), file=answers, flush=True)


def _read(source: BinaryIO) -> Any:
    head = source.read(_SIZE.size)
    if len(head) < _SIZE.size:
        return None
    return pickle.loads(source.read(_SIZE.unpack(head)[0]))


class _Seat:
    def __init__(self, content: tuple[Game, Any]):
        from gametree.arena.playing import player_of

        self.game, factory = content
        self.player = player_of(factory, self.game)

    def obey(self, message: Any) -> dict[str, Any]:
        from gametree.arena.playing import asked, begin, same

        if message[0] == "begin":
            begin(self.player, message[1])
            return {"index": 0}
        _, state, history, clock = message
        action = asked(self.player, Question(self.game, state, history, clock=clock))
        legal = list(state.actions if isinstance(state, View) else self.game.actions(state))
        for index, one in enumerate(legal):
            if same(action, one):
                return {"index": index}
        with contextlib.suppress(Exception):
            return {"wrong": f"illegal move: {action!r} is none of the {len(legal)} legal actions"}
        return {"wrong": f"illegal move: none of the {len(legal)} legal actions"}


if __name__ == "__main__":
    main()
