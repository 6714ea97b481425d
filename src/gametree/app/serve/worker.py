"""A process that answers one request at a time: `python -m gametree.app.serve.worker GAME …`, JSON lines in and out.

The rules of users run here. Where they crash, this process is gone and nothing else; `pool.py` starts another.
"""

import json
import os
import queue
import random
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, Protocol
from weakref import WeakKeyDictionary

import gametree
from gametree.app import failures
from gametree.app.serve.library import Library
from gametree.app.serve.positions import Reached, Ways, described
from gametree.app.serve.reports import Gauge, Reporter, Request, Send
from gametree.app.serve.seats import read_move, seen, view_at
from gametree.arena.bot import Bot
from gametree.arena.standby import Standby
from gametree.arena.thinking import Wanted, analyze_at_once
from gametree.compiled import native
from gametree.documents.lecturing import LECTURE_REQUESTS
from gametree.documents.protocol import MethodDocument, OptionDocument
from gametree.errors import GametreeError, InputError, RulesError
from gametree.game import CHANCE, Game
from gametree.result import Analysis, Limit
from gametree.search import methods
from gametree.search.analyze import Engine, analyze
from gametree.search.choice import ENGINE, Choice
from gametree.search.core.plays import draw_outcome
from gametree.search.mcts.search import MonteCarlo
from gametree.search.methods import DEFAULT, METHODS
from gametree.search.once import Once
from gametree.view import hides

KEPT: Final = 4
"""So many searches remember what they found."""
HASH_MB: Final = 16
FOREVER: Final = 1e9
"""Seconds that a search gets which is to go on until it is cancelled."""
IDLE: Final = 0.3
"""Seconds without a request after which a worker gets ready to compile."""
SHORT: Final = 2.0
"""A search of so many seconds does not begin before that: to load the compiler would take most of its time."""
PROGRAM_SECONDS: Final = 5
"""What a student's program has for a position."""
REMEMBERING: Final = (ENGINE, "mcts")
"""Searches that go on from what they found before."""
AGAIN: Final = 0.004
"""Seconds until a search that has not heard `stop` is told once more."""


class _Stoppable(Protocol):
    def stop(self) -> None: ...


class Worker:
    """Answers requests with the games of a library; `send` takes the answers."""

    def __init__(self, library: Library, send: Send):
        self._library = library
        self._send = send
        self._kept: dict[Any, Any] = {}
        self._gauges: WeakKeyDictionary[Game, dict[bool, Gauge]] = WeakKeyDictionary()
        self._ways = Ways()
        self._running: _Stoppable | None = None
        self._id: Any = None
        self._newest: Any = None
        self._dropped: Any = None
        self._cancelled = threading.Event()
        self._loading = threading.Thread(target=native.unavailable, daemon=True, name="gametree compiler")
        self._tasks: dict[str, Callable[[Request], None]] = {
            "hello": self._hello,
            "position": self._position,
            "methods": self._methods,
            "analyze": self._analyze,
            "move": self._move,
            "referee": self._referee,
            "hint": self._hint,
            "program": self._program,
            **dict.fromkeys(("trace", *LECTURE_REQUESTS), self._lecture),
        }

    def answer(self, request: Request) -> None:
        """Answers a request; whatever goes wrong is an answer too."""
        self._cancelled.clear()
        self._id = request["id"]
        try:
            if self._id == self._dropped:
                found = "analysis" if request["do"] == "analyze" else request["do"]
                self._done(request, **{found: None})
                return
            self._tasks[request["do"]](request)
        except Exception as error:
            self._send({"id": request["id"], "done": True, "error": trouble(error)})
        finally:
            self._id = self._running = None

    def get_ready(self) -> None:
        """Begins to load the compiler, which takes a second."""
        if self._loading.ident is None:
            self._loading.start()

    def expect(self, id: Any) -> None:
        """Takes note of a request that will be answered soon, from the thread that cancels."""
        self._dropped = None
        self._newest = id

    def cancel(self, id: Any) -> None:
        """Ends the request under way, or the one that is next, from another thread."""
        if id == self._newest:
            self._dropped = id
        if id == self._id:
            self._cancelled.set()
        while id == self._id and self._cancelled.is_set():
            if self._running is not None:
                self._running.stop()
            time.sleep(AGAIN)

    # --- what can be asked for ----------------------------------------------------------------------

    def _hello(self, request: Request) -> None:
        self._done(
            request,
            protocol="gametree.answer/1",
            version=gametree.__version__,
            games=self._library.described(),
            methods=["auto", *METHODS],
        )

    def _methods(self, request: Request) -> None:
        found: list[MethodDocument] = []
        for name in METHODS:
            told: list[OptionDocument] = []
            for one in methods.options(name):
                default = None if one.kind == "pair" else one.default
                told.append(
                    {"name": one.name, "kind": one.kind, "default": default, "choices": list(one.choices)}
                )
            found.append({"name": name, "options": told})
        self._done(request, methods=found)

    def _position(self, request: Request) -> None:
        at = self._reach(request)
        if "seat" in request:
            self._done(request, seat=seen(at, request["seat"]))
        else:
            self._done(request, position=described(at))

    def _move(self, request: Request) -> None:
        at = self._reach(request)
        if at.ended() is not None:
            raise InputError("the game is over: there is nothing to move")
        action = self._chosen(at, request.get("level", 5), request.get("seed", 0))
        self._done(request, move=at.game.name_action(at.state, action))

    def _chosen(self, at: Reached, level: int, seed: int) -> Any:
        """An outcome of chance, or the move of an engine."""
        if at.game.player(at.state) == CHANCE:
            return draw_outcome(at.game, at.state, random.Random(f"dice {seed} {len(at.actions)}"))
        bot = self._keep(("move", at.game, level, seed), lambda: Bot(at.game, level, seed))
        self._running = bot
        return bot.move(at.state, at.history)

    def _referee(self, request: Request) -> None:
        """A move of a game that a referee keeps, of a seat, an engine, chance or nobody; and who is next."""
        at = self._reach(request)
        levels = request["levels"] or [0] * at.game.players
        if len(levels) != at.game.players:
            raise InputError(f"seats: {request['game']} has {at.game.players}, not {len(levels)}")
        played = None
        if "chosen" in request:
            action = read_move(at, request["seat"], request["chosen"])
            played = at.game.name_action(at.state, action)
        elif _plays_by_itself(at, levels):
            level = levels[max(0, at.game.player(at.state))]
            played = at.game.name_action(at.state, self._chosen(at, level, request["seed"]))
        if played is not None:
            at = self._reach({**request, "moves": [*request["moves"], played]})
        mover = None if at.ended() is not None else at.game.player(at.state)
        self._done(
            request, played=played, mover=mover, goes_on=_plays_by_itself(at, levels), players=len(levels)
        )

    def _hint(self, request: Request) -> None:
        """An analysis of what a seat has seen: nothing else is handed to the search."""
        at = self._reach(request)
        if at.ended() is not None or at.game.player(at.state) != request["seat"]:
            raise InputError("a hint is for the seat that is to move")
        asked: Any = view_at(at, request["seat"]) if hides(at.game) else at.state
        history = () if hides(at.game) else at.history
        wanted = Wanted(at.game, hash_mb=HASH_MB)
        found = analyze_at_once(wanted, asked, Limit(**request["limit"]), moves=True, history=history)
        self._done(request, analysis=found.to_dict())

    def _analyze(self, request: Request) -> None:
        at = self._reach(request)
        method = request.get("method", "auto")
        if method != "auto" and method not in METHODS:
            raise InputError(f"there is no search {method!r}; there are: auto, {', '.join(METHODS)}")
        given = request.get("limit")
        limit = DEFAULT if given is None else Limit(**given)
        if limit.seconds is not None and limit.seconds <= SHORT:
            self.get_ready()
            self._loading.join()
        with Reporter(self._send, request) as told:
            by_time = limit.depth is None and limit.nodes is None
            if (method in ("auto", "mcts") or by_time) and at.ended() is None:
                found = self._think(request, at, method, limit, told)
            else:
                found = self._search(request, at, method, limit, told)
        self._done(request, **told.said(found, patient=True))

    def _think(self, request: Request, at: Reached, method: str, limit: Limit, told: Reporter) -> Analysis:
        """By a search that answers at once; one that remembers goes on from what it found, if time alone ends it."""
        lines, values = request.get("lines", 1), request.get("values", False)
        evaluation, seed = request.get("evaluation"), request.get("seed", 0)
        wanted = Wanted(at.game, hash_mb=HASH_MB, seed=seed, evaluation=evaluation)
        options = request.get("options", {})
        named = method != "auto"
        if named:
            choice = Choice(method, "it was named", methods.read_options(method, options))
        else:
            if options:
                raise InputError(f"options: {', '.join(options)}: auto takes none; name a method")
            choice = wanted.choice(at.state, to_a_depth=lines != 1 or limit.depth is not None)
        told.gauge = self._gauge(at.game, judged=choice.method != "mcts")
        key = (
            "analyze",
            at.game,
            choice.method,
            json.dumps(dict(choice.parts), sort_keys=True),
            evaluation,
            seed,
        )
        thinkers: Standby[Any] = self._keep(key, lambda: _standby(wanted, choice))
        if limit.depth is not None or limit.nodes is not None:  # the same answer, whatever was asked before
            for thinker in thinkers.made():
                thinker.clear()

        def ask(thinker: Any, left: Limit) -> Analysis:
            more: dict[str, Any] = {"on_progress": lambda so_far: told(choice.noted(so_far))}
            if isinstance(thinker, Engine) or (named and isinstance(thinker, Once)):
                more["lines"] = lines
            elif lines != 1:
                raise InputError(f"lines: {lines}: {choice.method} gives one line; ask for values instead")
            answer: Analysis = thinker.analyze(at.state, left, moves=values, history=at.history, **more)
            return answer

        endless = limit == Limit()
        remembers = isinstance(thinkers.current(), (Engine, MonteCarlo))
        self._started(request, remembers)
        self._running = thinkers
        return choice.noted(thinkers.think(ask, Limit(seconds=FOREVER) if endless else limit))

    def _search(self, request: Request, at: Reached, method: str, limit: Limit, told: Reporter) -> Analysis:
        """By a search that begins anew."""
        self._started(request, remembers=False)
        told.gauge = self._gauge(at.game, judged=True)
        given: dict[str, Any] = {
            "moves": request.get("values", False),
            "lines": request.get("lines", 1),
            "history": at.history,
            "on_progress": told,
        }
        own: dict[str, Any] = {
            "evaluation": request.get("evaluation"),
            "hash_mb": HASH_MB,
            "seed": request.get("seed", 0),
        }
        if method == "auto":  # the game is over
            return analyze(at.game, at.state, limit, **given, **own)
        options = methods.read_options(method, request.get("options", {}))
        searching = self._running = Once(at.game, method, options=options, **own)
        return searching.analyze(at.state, limit, **given)

    def _lecture(self, request: Request) -> None:
        # Slow to import, and most programs never ask.
        from gametree.app.serve.lecturing import TASKS, explorable

        if request["do"] == "explore":
            self._done(request, **explorable(request, self._reach, self._keep))
        else:
            self._done(request, **TASKS[request["do"]](request, self._reach))

    def _program(self, request: Request) -> None:
        """Grades a student's program, which runs in a process of its own with limits, as `gametree grade --code`."""
        from gametree.course.programs.judging import Assignment, assign, assign_trees, grade_program
        from gametree.course.programs.sandbox import Limits

        function, name = request["function"], request["game"]

        def make() -> Assignment:
            limits = Limits(seconds=PROGRAM_SECONDS, cpu=PROGRAM_SECONDS)
            if name == "trees":
                return assign_trees(function, limits=limits)
            return assign(self._library.game(name), function, limits=limits)

        assignment = self._keep(("program", name, function), make)
        graded = grade_program(request["source"], f"{function}.py", assignment)
        self._done(request, program=graded.to_dict())

    # --- what they share ----------------------------------------------------------------------------

    def _reach(self, request: Request) -> Reached:
        game = self._library.game(request["game"], request.get("settings"))
        return self._ways.reach(game, request["game"], request.get("position"), request.get("moves", ()))

    def _done(self, request: Request, **found: Any) -> None:
        self._send({"id": request["id"], "done": True, **found})

    def _started(self, request: Request, remembers: bool) -> None:
        """Tells the pool whether this search can be ended and go on later. Nobody else hears it."""
        self._send({"id": request["id"], "done": False, "remembers": remembers})

    def _gauge(self, game: Game, judged: bool) -> Gauge:
        gauges = self._gauges.setdefault(game, {})
        if judged not in gauges:
            gauges[judged] = Gauge(game, judged)
        return gauges[judged]

    def _keep(self, key: Any, make: Callable[[], Any]) -> Any:
        """What was made for the same question before; the oldest are forgotten."""
        kept = self._kept.pop(key, None) or make()
        self._kept[key] = kept
        while len(self._kept) > KEPT:
            del self._kept[next(iter(self._kept))]
        return kept


def _standby(wanted: Wanted, choice: Choice) -> Standby[Any]:
    """The search that fits, which answers at once, interpreted until its machine code is there."""
    if choice.method in REMEMBERING:
        return wanted.standby(choice)

    def make(compile: str) -> Once:
        return Once(
            wanted.game,
            choice.method,
            compile=compile,
            evaluation=wanted.evaluation,
            hash_mb=wanted.hash_mb,
            seed=wanted.seed,
            options=choice.parts,
        )

    return Standby(make, lambda search: search.prepare())


def _plays_by_itself(at: Reached, levels: Sequence[int]) -> bool:
    """Whether chance or an engine is to move."""
    if at.ended() is not None:
        return False
    mover = at.game.player(at.state)
    return mover == CHANCE or levels[mover] > 0


def trouble(error: Exception) -> dict[str, str]:
    """What went wrong, as an answer says it."""
    line = failures.message(error)
    if line is None:
        return {"kind": "fault", "message": f"a fault in gametree itself: {type(error).__name__}: {error}"}
    is_theirs = isinstance(error, RulesError) or not isinstance(error, GametreeError)
    return {"kind": "rules" if is_theirs else "input", "message": line}


def run(worker: Worker, lines: Iterable[bytes]) -> None:
    """Answers line after line. A thread reads them, so that one that cancels is heard while another is answered."""
    waiting: queue.SimpleQueue[Request] = queue.SimpleQueue()

    def read() -> None:
        for line in lines:
            request = json.loads(line)
            if request["do"] == "cancel":
                worker.cancel(request["of"])
            else:
                worker.expect(request["id"])
                waiting.put(request)
        # Nobody is there any more: a search that goes on would go on for ever.
        os._exit(0)

    threading.Thread(target=read, daemon=True, name="gametree requests").start()
    while True:
        try:
            worker.answer(waiting.get(timeout=IDLE))
        except queue.Empty:
            worker.get_ready()
            worker.answer(waiting.get())


def main(targets: Iterable[str]) -> None:
    """The process: answers go to standard output, and what rules print to standard error."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8", newline="\n")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    lock = threading.Lock()

    def send(answer: dict[str, Any]) -> None:
        line = json.dumps(answer, allow_nan=False)
        with lock:
            answers.write(line + "\n")
            answers.flush()

    run(Worker(Library(targets), send), sys.stdin.buffer)


if __name__ == "__main__":
    main(sys.argv[1:])
