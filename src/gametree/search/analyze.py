"""`analyze`: think for as long as you may, and always have an answer. `Engine`: the same, with a memory.

Iterative deepening: depth 1, 2, 3 … until the limit, each by the kernel in `engine/`. Wins and losses are ordered by
their distance (a payoff at an end of `payoffs` is one), so that a proven win is preferred to every estimate, and the
nearest to all others. The root looks first at the best action of the depth before.
"""

import contextlib
import dataclasses
import functools
import math
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Unpack

from gametree.arguments import megabytes, whole
from gametree.errors import InputError, TooDeepError
from gametree.game import Game, check_state, with_evaluation, without_numbers
from gametree.kernel.clock import now
from gametree.result import Analysis, Limit
from gametree.search.books.answers import from_book
from gametree.search.books.files import find
from gametree.search.books.scores import Book
from gametree.search.choice import ENGINE, fitting
from gametree.search.core.rehearsal import rehearse
from gametree.search.core.runner import prepare
from gametree.search.core.sound import sound
from gametree.search.core.stopwatch import WRAPPING_UP, StopWatch, execute
from gametree.search.core.task import (
    UNLIMITED,
    Needs,
    OnProgress,
    Settings,
    admitted,
    complete,
    leaf,
    merged,
    spelled_out,
)
from gametree.search.databases.answers import Databases, chosen, from_database
from gametree.search.engine import kernel, profiles
from gametree.search.engine.answer import EngineTask
from gametree.search.engine.knowledge import Knowledge
from gametree.search.engine.profiles import Profile, features_for
from gametree.search.engine.proof_attempts import FIRST, SHARE, ProofAttempts
from gametree.search.engine.root import EngineRoot
from gametree.search.engine.threads import assisted
from gametree.search.engine.view import EngineTree
from gametree.search.methods import DEFAULT, even, search
from gametree.search.solve.exact.answers import hinted

FEW_NODES = 5_000
"""So few nodes are searched on the caller's own thread: to start another would take longer."""
NAME = "iterative deepening alphabeta"
PATIENCE = 60.0
"""Seconds that a search without a limit counts as, where a proof is tried."""
LONG = 1e9
"""Seconds that nobody waits."""
NEEDS = Needs("analyze", zero_sum=True, chance=False, distances=True)


class Engine:
    """A search that remembers: what it found about a position is still there after the next move.

    `hash_mb` is the size of the transposition table, which `threads` share (one thread gives the same answer every
    time, several need not); `selective=False` leaves out whatever makes the value another than that of minimax to the
    depth; `profile` is "general", or "fast" or "patient", with more of what was measured to pay in chess by the clock.
    Where only time limits it, it first looks into a `book` (one that is found, or the one given; False for none), and
    in games that give the exact solver hints it tries to prove the value. `databases` are endings that were solved
    before: a `Database` or a folder, asked in every search; True for those that are found, False for none.

    >>> from gametree.games import Nim
    >>> engine = Engine(Nim(counters=5))
    >>> engine.analyze(limit=Limit(depth=20)).action
    1
    """

    def __init__(
        self,
        game: Game,
        *,
        threads: int = 1,
        hash_mb: float = 64,
        evaluation: str | Callable[[Any, int], float] | None = None,
        compile: str = "auto",
        selective: bool = True,
        profile: Profile = "general",
        book: Book | bool = True,
        databases: Databases = True,
        seed: int = 0,
    ):
        game = admitted(NEEDS, game, evaluation, compile)
        size = megabytes(hash_mb)
        self._threads = whole("threads", threads)
        self._knowledge = Knowledge(size)
        judges = type(game).offered.evaluate
        self._choose = functools.partial(features_for, judges=judges, selective=selective)
        self._profile = profile
        self._features = self._choose(profile)
        game = game if judges else with_evaluation(game, even(game))
        self._database = chosen(game, databases)
        self._always_asked: bool = databases is not True
        self.game: Game = game if self._database is not None else without_numbers(game)
        self._compile = compile
        self._busy = threading.Lock()
        self._watch: StopWatch | None = None
        """That of the search under way."""
        self._pondering: threading.Thread | None = None
        self._rehearsed = False
        """Whether one line of play was looked at, and the search compiled for its states."""
        self._hash_mb = size
        self._proof: ProofAttempts | None = None
        self._wish: int = 0
        """When somebody wants the search under way to end, by `clock.now`; 0 where nobody does."""
        self._selective = selective
        self._own_judgement: bool = evaluation is None
        if not isinstance(book, (bool, Book)):
            raise InputError(f"book={book!r}: a Book, True for the one that is found, or False")
        if isinstance(book, Book):
            book.require(self.game)
        self._given_book: Book | bool = book

    @functools.cached_property
    def _book(self) -> Book | None:
        return (
            self._given_book
            if isinstance(self._given_book, Book)
            else find(self.game)
            if self._given_book
            else None
        )

    @functools.cached_property
    def _proves(self) -> bool:
        """Whether the exact solver helps, and nobody wants the value of a depth or of another evaluation."""
        return self._selective and self._own_judgement and hinted(self.game)

    @property
    def threads(self) -> int:
        """How many threads search together."""
        return self._threads

    @threads.setter
    def threads(self, count: int) -> None:
        self._threads = whole("threads", count)

    @property
    def hash_mb(self) -> float:
        """The size of the transposition table in megabytes; with that of the exact solver, where one helps."""
        return self._hash_mb

    @property
    def tree(self) -> EngineTree:
        """What is remembered of the nodes that were looked at."""
        return EngineTree(self.game, self._knowledge)

    def resize(self, hash_mb: float) -> None:
        """Gives the table another size; what was in it is forgotten."""
        size = megabytes(hash_mb)
        self._halt_pondering()
        with self._hold("resize"):
            self._knowledge.hash_mb = self._hash_mb = size
            self._knowledge.forget()
            self._proof = None

    @property
    def profile(self) -> Profile:
        """What the engine does to be fast; another one is for the searches to come, and what is known stays."""
        return self._profile

    @profile.setter
    def profile(self, profile: Profile) -> None:
        chosen = self._choose(profile)
        self._halt_pondering()
        with self._hold("change the profile"):
            self._profile, self._features = profile, chosen

    def clear(self) -> None:
        """Forgets everything: the next search is as the first."""
        self._halt_pondering()
        with self._hold("clear"):
            self._knowledge.hash_mb = self._hash_mb
            self._knowledge.forget()
            self._proof = None

    def stop(self, after: float | None = None) -> None:
        """Ends the search under way, now or `after` so many seconds; it returns what it has. Any thread may call it."""
        after = max(0.0, after or 0.0)
        self._wish = now() + int(min(after, LONG) * 1e9)
        watch, proof = self._watch, self._proof
        if watch is not None:
            watch.stop(after=after)
        if proof is not None:
            proof.stop(after)

    def prepare(self, state: Any = None) -> bool:
        """Compiles the search for the game, so that no search has to wait for it; whether that was possible."""
        state = check_state(self.game, state)
        return self._compile != "never" and (
            prepare(kernel.value, self.game, rehearse(self.game, state), self._compile == "always")
            is not None
        )

    def ponder(self, state: Any = None, *, history: Sequence[Any] = ()) -> None:
        """Thinks about a position in the background, until the next call; what is found stays in the table."""
        self._halt_pondering()
        given = {"history": history, "compile": self._compile, "threads": self._threads}
        task = EngineTask.at(NAME, self.game, state, UNLIMITED, **given)
        if self.game.is_terminal(task.state):
            return
        begun = threading.Event()

        def think() -> None:
            with contextlib.suppress(
                Exception
            ):  # the search that follows meets the same trouble and reports it
                self._think(task, begun)
            begun.set()

        self._pondering = threading.Thread(target=think, daemon=True, name="gametree ponder")
        self._pondering.start()
        begun.wait()

    def _halt_pondering(self) -> None:
        thread, self._pondering = self._pondering, None
        while thread is not None and thread.is_alive():
            self.stop()
            thread.join(0.01)

    @sound
    def analyze(
        self,
        state: Any = None,
        limit: Limit | None = None,
        *,
        depth: int | None = None,
        lines: int = 1,
        moves: bool = False,
        actions: Iterable[Any] | None = None,
        history: Sequence[Any] = (),
        on_progress: Callable[[Analysis], None] | None = None,
        names: bool = True,
    ) -> Analysis:
        """The best action and what it is worth, as far as the limit (one second where none is given) lets it see.

        `lines` is how many of the best lines are wanted, `moves=True` gives a value for every action, `actions` are
        the only ones looked at; `history` are the states before, oldest first, for rules on repeated positions;
        `on_progress` is called with the result of every finished depth and may call `stop`; `names=False` leaves out
        the names of the actions in lines, for programs that write them in their own way and have no time to spare.
        """
        self._halt_pondering()
        limit = merged(DEFAULT if limit is None and depth is None else limit, depth)
        whole("lines", lines, "how many of the best lines, at least 1")
        task = EngineTask.at(
            NAME,
            self.game,
            state,
            limit,
            history=history,
            compile=self._compile,
            threads=self._threads,
            lines=lines,
            actions=None if actions is None else list(actions),
            names=names,
            moves=moves,
            on_progress=on_progress,
        )
        free = limit.depth is None and limit.nodes is None and actions is None
        database = self._knowledge.database = self._database if free or self._always_asked else None
        if database is not None and actions is None and not self.game.is_terminal(task.state):
            told = from_database(database, task, lines)
            if told is not None:
                if on_progress is not None:
                    on_progress(told)
                return told
        if not (free and self._proves) or self.game.is_terminal(task.state):
            return self._think(task)
        known = None if self._book is None else from_book(self._book, task, lines)
        if known is None:
            return self._think(task) if lines != 1 else self._beside_proof(task)
        if on_progress is not None:
            on_progress(known)
        return known

    def _beside_proof(self, task: EngineTask) -> Analysis:
        """The engine for a moment, then a proof, if there is hope for one; what time is left is the engine's again."""
        self._wish = 0
        seconds = task.limit.seconds or PATIENCE
        if self._proof is None:
            self._proof = ProofAttempts(
                self.game, compile=self._compile, hash_mb=self._hash_mb / 2, threads=self._threads
            )
        proof = self._proof
        if not proof.promising(task, SHARE * seconds):
            return self._think(task)
        if self._knowledge.hash_mb == self._hash_mb:  # the other half is the solver's
            self._knowledge.hash_mb = self._hash_mb / 2
            self._knowledge.forget()
        watch = StopWatch(task.limit).begin()
        begun = self._think(dataclasses.replace(task, limit=Limit(seconds=min(FIRST * seconds, 1.0))))
        known = begun.exact and all(move.exact for move in begun.moves)
        if known or begun.stopped_by == "cancelled":
            return begun
        with watch.paused():
            proof.prepare(task.state)
        seconds_left = self._left(watch, SHARE * seconds)
        margin = None if self._book is None else self._book.probe(self.game, task.state)
        with self._hold("analyze"):
            proven = proof.attempt(task, seconds_left, margin) if seconds_left > 0 else None
        nodes = begun.nodes + proof.nodes
        if proven is None:
            seconds_left = self._left(watch, math.inf)
            if seconds_left <= 0:
                return dataclasses.replace(begun, nodes=nodes, seconds=watch.seconds, stopped_by="cancelled")
            limit = Limit() if seconds_left == math.inf else Limit(seconds=seconds_left)
            after = self._think(dataclasses.replace(task, limit=limit))
            nodes += after.nodes
            proven = begun if (after.depth or 0) < (begun.depth or 0) and not after.exact else after
        parameters = {**proven.parameters, **begun.parameters}
        return dataclasses.replace(proven, nodes=nodes, seconds=watch.seconds, parameters=parameters)

    def _left(self, watch: StopWatch, most: float) -> float:
        """The seconds that are left of a limit, and no more than so many; or until somebody wants the search to end."""
        if watch.limit.seconds is not None:
            most = min(most, watch.limit.seconds - watch.seconds)
        return min(most, (self._wish - now()) / 1e9) if self._wish else most

    @contextlib.contextmanager
    def _hold(self, what: str) -> Iterator[None]:
        if not self._busy.acquire(blocking=False):
            raise InputError(f"the engine is thinking: {what} when it is done, or call stop() first")
        try:
            yield
        finally:
            self._watch = None
            self._busy.release()

    def _think(self, task: EngineTask, begun: threading.Event | None = None) -> Analysis:
        over = bool(task.game.is_terminal(task.state))
        if over or task.limit.depth == 0:
            return leaf(task, over)
        limit = task.limit
        few = limit.seconds is None and (limit.nodes or FEW_NODES + 1) <= FEW_NODES and task.threads == 1
        with self._hold("analyze"):
            for in_place in (few, False):
                root, *others = self._roots(task)
                if begun is not None:
                    begun.set()
                search = functools.partial(assisted, root, others) if others else root.found
                try:
                    # Not tried in place first: a second attempt would find the table of the first.
                    found = execute(root.run, search, repeatable=False, few=in_place)
                    break
                except TooDeepError:
                    if not root.run.in_place:  # else once more, on a thread with room
                        raise
                finally:
                    for one in (root, *others):  # else tables would wait for the garbage collector
                        one.run.furnish = None
            self._knowledge.keep(root.memory)
        return found

    def _roots(self, task: EngineTask) -> list[EngineRoot]:
        """A root for each thread, all with one table, and each with a memory of its own for history and shelf."""
        # A wish to stop a first attempt is for the second, too.
        watch = self._watch = self._watch or StopWatch(task.limit, WRAPPING_UP).begin()
        self._knowledge.begin(task.limit)
        samples = [task.state] if self._rehearsed else None
        given = (self._knowledge, self._features, watch, samples)
        roots = [EngineRoot(task, *given)]
        self._rehearsed = True
        if task.threads > 1 and roots[0].run.compiled:  # interpreted threads would only wait for each other
            roots += [EngineRoot(task, *given, first=roots[0]) for _ in range(task.threads - 1)]
            for root in roots:
                root.features |= profiles.TOGETHER
        return roots


@spelled_out
@sound
def analyze(
    game: Game,
    state: Any = None,
    limit: Limit | None = None,
    *,
    depth: int | None = None,
    method: str = "auto",
    moves: bool = False,
    lines: int = 1,
    actions: Iterable[Any] | None = None,
    on_progress: OnProgress | None = None,
    threads: int = 1,
    hash_mb: float = 64,
    selective: bool = True,
    profile: Profile = "general",
    book: Book | bool = True,
    databases: Databases = True,
    **settings: Unpack[Settings],
) -> Analysis:
    """The best action and what it is worth, as far as the limit (one second where none is given) lets it see.

    `method` is "auto", which takes what fits the game (`search/choice.py`), or by name: "minimax", "alphabeta",
    "expectiminimax", one for many players ("maxn", "paranoid", "best-reply"), a best-first search ("mtdf", "sss",
    "dual", "pns", "dfpn"), or "mcts", Monte-Carlo tree search, which has options of its own (`gametree.mcts`) and
    counts simulations as nodes. The other arguments are those of `Engine` and `Engine.analyze`, which this is a single
    use of.

    >>> from gametree.games import Nim
    >>> result = analyze(Nim(counters=5), limit=Limit(depth=20))
    >>> result.action, str(result.value), result.exact
    (1, 'win in 3', True)
    """
    several = lines != 1 or actions is not None
    keywords = {"limit": limit, "depth": depth, **settings}
    own: dict[str, Any] = {"moves": moves, "hash_mb": hash_mb, "threads": threads}
    if method != "auto":
        own |= complete("analyze", keywords)
        return search(method, game, state, several, on_progress=on_progress, **own)
    deep = several or depth is not None or (isinstance(limit, Limit) and limit.depth is not None)
    choice = fitting(
        game,
        state,
        to_a_depth=deep,
        judged=settings.get("evaluation") is not None,
        seconds=limit.seconds if isinstance(limit, Limit) else None,
    )
    told = None if on_progress is None else lambda so_far: on_progress(choice.noted(so_far))
    given = complete("analyze", keywords)
    if choice.method != ENGINE:
        own |= given
        return choice.noted(
            search(choice.method, game, state, several, on_progress=told, **own, **choice.parts)
        )
    thinker = Engine(
        game,
        threads=threads,
        hash_mb=hash_mb,
        evaluation=given["evaluation"],
        compile=given["compile"],
        selective=selective,
        profile=profile,
        book=book,
        databases=databases,
    )
    found = thinker.analyze(
        state,
        limit,
        depth=depth,
        lines=lines,
        moves=moves,
        actions=actions,
        history=given["history"],
        on_progress=told,
    )
    return choice.noted(found)
