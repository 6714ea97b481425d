"""Runs a student's function in a process of its own. The grader starts this file; nothing else imports it.

The game is not here: what the student gets is a stand-in that asks the grader, over a socket, what follows each
action. So the grader counts the visited nodes, and nothing that the student's code does can change the count. The
process runs without site-packages, with limits on time and memory, and behind an audit hook that refuses to start
processes, to open sockets and to open files outside of Python and of the temporary folder.

The fence keeps accidents and simple tricks out. It is no jail: where submissions may be hostile, run the grader in a
container.
"""

import json
import os
import resource
import socket
import sys
import traceback
from typing import Any

MEGABYTE = 1 << 20


class Channel:
    """Lines of JSON to and from the grader."""

    def __init__(self, sock: socket.socket):
        self._file = sock.makefile("rwb")

    def send(self, message: dict[str, Any]) -> None:
        self._file.write(json.dumps(message).encode() + b"\n")
        self._file.flush()

    def ask(self, message: dict[str, Any]) -> Any:
        self.send(message)
        return self.receive()

    def receive(self) -> Any:
        line = self._file.readline()
        if not line:
            os._exit(3)
        return json.loads(line)


class State:
    """A state of the game. It can be compared, kept in sets and shown; what is in it only the game knows."""

    __slots__ = ("_actions", "_id", "_player", "_terminal", "_utility")

    def __init__(self, node: dict[str, Any]):
        self._id: int = node["id"]
        self._player: int = node["player"]
        self._terminal: bool = node["terminal"]
        self._utility: list[float] = node["utility"]
        self._actions = tuple(hashable(action) for action in node["actions"])

    def __repr__(self) -> str:
        return f"state {self._id}"


class Game:
    """The game as a student's program sees it: the six elements of the textbook."""

    def __init__(self, channel: Channel, root: dict[str, Any], players: int):
        self._channel = channel
        self._states: dict[int, State] = {}
        self._root = self._state(root)
        self.players = players

    def _state(self, node: dict[str, Any]) -> State:
        if node["id"] not in self._states:
            self._states[node["id"]] = State(node)
        return self._states[node["id"]]

    def initial(self) -> State:
        return self._root

    def player(self, state: State) -> int:
        return state._player

    def actions(self, state: State) -> tuple[Any, ...]:
        return state._actions

    def is_terminal(self, state: State) -> bool:
        return state._terminal

    def result(self, state: State, action: Any) -> State:
        if action not in state._actions:
            raise ValueError(f"{action!r} is no action there; the actions are {state._actions!r}")
        return self._state(self._channel.ask({"result": [state._id, state._actions.index(action)]}))

    def utility(self, state: State, player: int) -> float:
        if not state._terminal:
            raise ValueError("only terminal states have a utility, and this one is not terminal")
        return state._utility[player]

    def evaluate(self, state: State, player: int) -> float:
        return float(self._channel.ask({"evaluate": [state._id, int(player)]})["value"])

    def name_action(self, state: State, action: Any) -> str:
        return str(action)

    def show(self, state: State) -> str:
        return str(self._channel.ask({"show": [state._id]})["text"])


def hashable(value: Any) -> Any:
    return tuple(hashable(one) for one in value) if isinstance(value, list) else value


def limit(given: dict[str, int]) -> None:
    """Limits that this process cannot raise again; one that the system does not know is left out."""
    wanted = {
        "RLIMIT_CPU": (given["cpu"], given["cpu"] + 1),
        "RLIMIT_AS": (given["memory"] * MEGABYTE,) * 2,
        "RLIMIT_FSIZE": (MEGABYTE, MEGABYTE),
        "RLIMIT_CORE": (0, 0),
        "RLIMIT_NPROC": (0, 0),
        "RLIMIT_NOFILE": (64, 64),
    }
    for name, bounds in wanted.items():
        try:
            resource.setrlimit(getattr(resource, name), bounds)
        except (AttributeError, ValueError, OSError):
            continue


def _library() -> str:
    return os.path.dirname(os.__file__)  # noqa: PTH120


def fence(folder: str) -> None:
    """Refuses what a search has no business with. A hook cannot be taken away again."""
    forbidden = (
        "os.fork", "os.posix_spawn", "os.spawn", "os.exec", "os.system", "os.kill", "os.putenv", "os.remove",
        "os.rename", "os.rmdir", "os.mkdir", "os.link", "os.symlink", "os.chmod", "os.chown", "os.truncate",
        "subprocess.", "socket.", "ctypes.", "pty.", "signal.", "gc.", "shutil.", "urllib.", "http.", "ftplib.",
        "sys.addaudithook", "sys.setprofile", "sys.settrace", "mmap.", "fcntl.", "resource.",
    )  # fmt: skip
    modules = {
        "_posixsubprocess",
        "_ctypes",
        "ctypes",
        "multiprocessing",
        "_multiprocessing",
        "subprocess",
        "gametree",
    }
    readable = tuple(
        os.path.realpath(place) + os.sep
        for place in {sys.prefix, sys.base_prefix, sys.exec_prefix, _library(), folder}
    )
    home = os.path.realpath(folder) + os.sep
    realpath, fspath, separator = os.path.realpath, os.fspath, os.sep
    writing = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "import" and arguments[0] in modules:
            raise PermissionError(f"the grader does not allow to import {arguments[0]}")
        if event == "open" and not isinstance(arguments[0], int) and arguments[0] is not None:
            path = realpath(fspath(arguments[0]))
            if isinstance(path, bytes):
                path = path.decode(errors="replace")
            changes = bool(arguments[2] and arguments[2] & writing)
            if not (path + separator).startswith((home,) if changes else readable):
                raise PermissionError(f"the grader does not allow to open {path}")
        elif event.startswith(forbidden):
            raise PermissionError(f"the grader does not allow {event}")

    sys.addaudithook(hook)


def problem(kind: str, text: str) -> dict[str, Any]:
    return {"failed": {"kind": kind, "text": text}}


def complaint(error: BaseException, name: str) -> str:
    """What went wrong, with the student's own line."""
    lines = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == name]
    at = f" (line {lines[-1].lineno} in {lines[-1].name})" if lines else ""
    text = " ".join(str(error).split())[:300]
    return f"{type(error).__name__}{': ' if text else ''}{text}{at}"


def run(task: dict[str, Any], channel: Channel) -> dict[str, Any]:
    name = task["name"]
    try:
        code = compile(task["source"], name, "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None)
        return problem(
            "syntax", f"{name} is no Python: {error}{'' if line is None else f' (line {line})'}"[:300]
        )
    names: dict[str, Any] = {"__name__": "student", "__file__": name, "__builtins__": __builtins__}
    game = Game(channel, task["root"], task["players"])
    try:
        exec(code, names)
        function = names.get(task["function"])
        if not callable(function):
            return problem("missing", f"{name} defines no function {task['function']}(game, state)")
        more = () if task["depth"] is None else (task["depth"],)
        returned = function(game, game.initial(), *more)
        return {"returned": plain(returned, game.initial(), task["function"])}
    except SystemExit:
        return problem("exit", "the program called exit instead of returning")
    except MemoryError:
        return problem("memory", f"it needed more than {task['limits']['memory']} MB of memory")
    except ModuleNotFoundError as error:
        return problem("import", f"it imports {error.name}, which is not there; the standard library is")
    except RecursionError:
        return problem("recursion", "it calls itself without end")
    except KeyboardInterrupt:
        return problem("exit", "it was interrupted")
    except BaseException as error:
        return problem("raised", complaint(error, name))


def plain(returned: Any, state: State, function: str) -> dict[str, Any]:
    """The value as a number and the move by its place among the actions."""
    value, move = returned if isinstance(returned, tuple) and len(returned) == 2 else (returned, None)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"{function} returned {str(returned)[:80]!r}; it has to return (value, move)")
    known = move is not None and move in state._actions
    return {
        "value": repr(float(value)),
        "move": state._actions.index(move) if known else None,
        "said": "" if move is None else repr(move)[:80],
    }


def main() -> None:
    sock = socket.socket(fileno=int(sys.argv[1]))
    channel = Channel(sock)
    task = channel.receive()
    sys.setrecursionlimit(task["recursion"])
    limit(task["limits"])
    fence(os.getcwd())  # noqa: PTH109
    answer = run(task, channel)
    try:
        channel.send(answer)
    finally:
        os._exit(0)


if __name__ == "__main__":
    main()
