"""Walking through a game: random plays, all states near the start, shorter ways to what was found."""

import random
import time
from collections import Counter, deque
from collections.abc import Hashable, Iterable
from dataclasses import replace
from typing import Any, Final

from gametree.checking import snapshot
from gametree.checking.asking import NOTHING, Asker, Failure, TimeUp, Trouble, problem, remark, short, warning
from gametree.checking.elements import Ends, elements, follower, hashable, whole
from gametree.checking.optional_members import optional_members, outbid
from gametree.checking.relations import Node, Relations, hash_pairs, impure, twice, unequal_twins
from gametree.game import Game

LONG: Final = 1_000
"""A play that has not ended after so many plies is left."""
_SELDOM: Final = 0.8
"""Where more plays than this share are left, the game hardly ever ends."""
_NEAR: Final = 6_000
"""How many states are looked at, level by level, from the start."""
_THOROUGH: Final = 300
"""At how many states texts and symmetries are looked at as well."""
_AGAIN: Final = 3_000
"""How many questions are asked once more at the end, about the first states that were seen."""
_AGAIN_STATES: Final = 50
_MOST_INSTANCES: Final = 2_000
_REVISITS: Final = 2
_WATCHED: Final = 40
"""For how many states it is looked after each whether the game has changed; later after each play."""


class Survey:
    """All that was seen of a game, and all that was found."""

    def __init__(self, asker: Asker, start: Any, seed: int):
        self.asker = asker
        self.game: Game = asker.game
        self.start = start
        self.rng: random.Random = random.Random(seed)
        self.index: dict[Hashable, Node] = {}
        self.nodes: list[Node] = []
        self.found: dict[str, list[tuple[Trouble, Node | None]]] = {}
        self.counts: Counter[str] = Counter()
        self.counting: bool = True
        self.ends: Ends = Ends(self.game)
        self.relations: Relations = Relations(asker)
        self.plays: int = 0
        self.lengths: list[int] = []
        self.unfinished: int = 0
        """How many plays were left after so many plies."""
        self.longest: int = 0
        self.recurring: Node | None = None
        self.complete: bool = False
        self.out_of_time: bool = False
        self.expanded_depth: int = 0
        self._attributes = snapshot.attributes(self.game)
        self._globals = snapshot.global_names(self.game)
        self._watching = 0.0
        self.root: Node | None = None

    # --- what is found ------------------------------------------------------------------------------

    def note(self, troubles: Iterable[Trouble], node: Node | None) -> None:
        """Writes down what was found at a node."""
        kinds = set()
        for trouble in troubles:
            instances = self.found.setdefault(trouble.kind, [])
            if len(instances) < _MOST_INSTANCES:
                instances.append((trouble, node))
            kinds.add(trouble.kind)
        if self.counting:
            self.counts.update(kinds)

    def shortest(self, kind: str) -> tuple[Trouble, Node | None]:
        """The instance with the shortest way to it."""
        return min(self.found[kind], key=_steps)

    def elapsed(self) -> float:
        """Seconds since the check began."""
        return time.perf_counter() - self.asker.began

    # --- one state ----------------------------------------------------------------------------------

    def arrive(self, state: Any, parent: Node | None = None, action: Any = None) -> Node:
        """The node of a state; a new one is looked at from all sides."""
        token: Hashable = state if hashable(state) else ("cannot be hashed", repr(state))
        try:
            node = self.index.get(token)
        except Exception:  # a user's __eq__ may raise anything; `twice` has told so
            token = ("cannot be compared", repr(state))
            node = self.index.get(token)
        if node is None:
            node = Node(state, parent, action)
            self._examine(node)
            self.index[token] = node
            self.nodes.append(node)
            self._watch(node, always=len(self.nodes) <= _WATCHED)
            return node
        if parent is not None and parent.depth + 1 < node.depth:
            node.parent, node.action, node.depth = parent, action, parent.depth + 1
        if node.revisits < _REVISITS and state is not node.state:
            node.revisits += 1
            again = self.asker.collect(state)
            if not any(kind.startswith("impure") for kind in self.found):
                self.note(unequal_twins(self.game, node, again), node)
        return node

    def _examine(self, node: Node) -> None:
        asker, state = self.asker, node.state
        # Near the start and on shorter ways too: what only shows there should show by a short path.
        thorough = len(self.nodes) < _THOROUGH or node.depth <= 2 or not self.counting
        asker.changed.clear()
        node.answers = answers = asker.collect(state, thorough)
        self.note(elements(asker, answers), node)
        if answers.terminal:
            self.note(self.ends.judge(asker, answers), node)
        self.note(optional_members(asker, state, self.start, answers, thorough), node)
        self.note(self.relations.judge(node), node)
        # Other states are asked about in between: an answer must not depend on what was asked before.
        if self.nodes:
            asker.collect(self.rng.choice(self.nodes).state)
        self.note(impure(self.game, answers, asker.collect(state, thorough), "when asked again"), node)
        self.note(asker.changed.values(), node)
        asker.changed.clear()

    def step(self, node: Node, action: Any) -> Node | None:
        """The node that an action leads to; None where it leads nowhere."""
        asker = self.asker
        asker.changed.clear()
        state = asker.ask("result", node.state, action)
        if isinstance(state, Failure):
            self.note([state.trouble(action=action)], node)
            return None
        again = asker.ask("result", node.state, action)
        self.note(asker.changed.values(), node)
        asker.changed.clear()
        looks = list(follower(self.start, state, "result", action))
        self.note(looks, node)
        if state is None or any(trouble.kind == "state-type" for trouble in looks):
            return None
        if not isinstance(again, Failure):
            self.note(twice(state, again, action), node)
        child = self.arrive(state, node, action)
        self.note(self.relations.step(node, child), child)
        return child

    def _watch(self, node: Node, always: bool = False) -> None:
        """Looks whether attributes or globals have changed, as long as that does not take too much time."""
        began = time.perf_counter()
        share = 0.2 * self.asker.seconds if always else 0.1 * (began - self.asker.began)
        if self._watching > share:
            return
        attributes = snapshot.attributes(self.game)
        for name in _changed(self._attributes, attributes):
            self.note(
                [
                    problem(
                        "game-changed",
                        f"{self._culprit(node, name)} changed the attribute `{name}`",
                        "The rules are fixed while a game is played: put what changes into the state",
                    )
                ],
                node,
            )
        variables = snapshot.global_names(self.game)
        for name in _changed(self._globals, variables):
            self.note(
                [
                    warning(
                        "global-changed",
                        f"the rules changed the global variable `{name}`",
                        "Compiled rules see it as it was at first: put what changes into the state",
                    )
                ],
                node,
            )
        self._attributes, self._globals = snapshot.attributes(self.game), variables
        self._watching += time.perf_counter() - began

    def _culprit(self, node: Node, name: str) -> str:
        """The method that changes an attribute each time it is called, where there is one."""
        try:
            for key in node.answers.said:
                before = snapshot.attributes(self.game).get(name)
                self.asker.repeat(node.state, node.answers, key)
                if snapshot.attributes(self.game).get(name) != before:
                    return f"`{key[0]}`"
        except TimeUp:
            pass
        return "a method"

    # --- plays --------------------------------------------------------------------------------------

    def play(self, plays: int) -> None:
        """Plays at random from the start."""
        if self.root is None:
            return
        try:
            for _ in range(plays):
                self._play(self.root)
                self.plays += 1
        except TimeUp:
            self.out_of_time = True

    def _play(self, node: Node) -> None:
        memories: dict[int, tuple[Any, ...]] = {}
        on_path = {id(node)}
        for ply in range(LONG + 1):
            self.longest = max(self.longest, ply)
            if node.answers.terminal:
                self.lengths.append(ply)
                break
            moves = node.answers.moves
            if not moves or ply == LONG:
                self.unfinished += ply == LONG
                break
            action = self.rng.choice(moves)
            self._remember(node, action, memories)
            child = self.step(node, action)
            if child is None:
                break
            if id(child) in on_path:
                self.recurring = self.recurring or child
            on_path.add(id(child))
            node = child
        self._watch(node)

    def _remember(self, node: Node, action: Any, memories: dict[int, tuple[Any, ...]]) -> None:
        mover = node.answers.mover
        if "observe" not in self.asker.offers or node.answers.at_chance or not whole(mover):
            return
        info = node.answers.get("observe", mover)
        memory = memories.get(mover, ())
        self.note(self.relations.recall(mover, info, memory), node)
        memories[mover] = (*memory, (info, action))

    # --- near the start -----------------------------------------------------------------------------

    def spread(self) -> None:
        """Looks at all states level by level, as far as time allows: the ways to these are the shortest."""
        if self.root is None:
            return
        queue = deque([self.root])
        queued = {id(self.root)}
        nowhere = False
        try:
            while queue:
                node = queue.popleft()
                self.expanded_depth = node.depth
                nowhere = nowhere or bool(node.answers.endless) or node.answers.terminal is None
                for action in node.answers.moves:
                    child = self.step(node, action)
                    nowhere = nowhere or child is None
                    if child is None or id(child) in queued:
                        continue
                    queued.add(id(child))
                    queue.append(child)
                if len(queued) > _NEAR:
                    return
        except TimeUp:
            return
        self.complete = not nowhere

    # --- shorter ways -------------------------------------------------------------------------------

    def shorten(self) -> None:
        """Leaves out actions on the way to what was found, as long as it still shows."""
        self.counting = False
        try:
            for kind in list(self.found):
                self._shorten(kind)
        except TimeUp:
            return

    def _shorten(self, kind: str) -> None:
        trouble, node = self.shortest(kind)
        if node is None or trouble.severity == "note" or node.depth <= self.expanded_depth:
            return
        # A problem of two states is not seen again by walking to one of them.
        if trouble.other is not None:
            return
        chunk = max(1, node.depth // 2)
        while chunk:
            i = 0
            while node is not None and i < node.depth:
                actions = node.actions()
                tail = [] if trouble.action is NOTHING else [trouble.action]
                self._follow(actions[:i] + actions[i + chunk :] + tail)
                best = self.shortest(kind)
                if _steps(best) < _steps((trouble, node)):
                    trouble, node = best
                else:
                    i += chunk
            chunk //= 2

    def _follow(self, actions: list[Any]) -> None:
        node: Node | None = self.root
        for action in actions:
            if node is None or not any(snapshot.equal(action, move) for move in node.answers.moves):
                return
            node = self.step(node, action)

    # --- the end ------------------------------------------------------------------------------------

    def ask_again(self) -> None:
        """Asks single questions once more, in no order: no answer may depend on time or on the last one."""
        early = self.nodes[:_AGAIN_STATES]
        try:
            for _ in range(_AGAIN if early else 0):
                node = self.rng.choice(early)
                key = self.rng.choice(list(node.answers.said))
                if key[0] not in self.asker.endless:
                    again = self.asker.repeat(node.state, node.answers, key)
                    self.note(impure(self.game, node.answers, again, "later, after other questions"), node)
            for node, trouble in hash_pairs(self.nodes):
                self.note([trouble], node)
        except TimeUp:
            return

    def remarks(self) -> None:
        """What is only seen when all is seen."""
        self.note(self.ends.remarks(self.complete), None)
        self.note(self.relations.remarks(self.complete, self.plays), None)
        self._one_length()
        for trouble in _lengths(self):
            self.note([trouble], self.recurring)
        self.note(self._start(), None)
        for node, trouble in outbid(self.game, self.asker.evaluations, self.ends, self.nodes):
            self.note([trouble], node)

    def _start(self) -> Iterable[Trouble]:
        if self.root is not None and self.root.answers.terminal:
            yield warning(
                "over-at-once",
                "the game is over before anybody has moved",
                "`is_terminal` should say so where the game is over only: is its condition the wrong way round?",
            )

    def _one_length(self) -> None:
        """Tuples of two lengths are a slip; of more, they are meant to grow or shrink."""
        lengths = {len(node.state) for node in self.nodes if isinstance(node.state, tuple)}
        if len(lengths) == 2 and "state-length" in self.found:
            instances = self.found["state-length"]
            self.found["state-length"] = [
                (replace(trouble, severity="problem"), node) for trouble, node in instances
            ]


def _steps(instance: tuple[Trouble, Node | None]) -> int:
    trouble, node = instance
    if node is None:
        return 0
    beside = trouble.other.depth if isinstance(trouble.other, Node) else 0
    return node.depth + (trouble.action is not NOTHING) + beside


def _changed(before: dict[str, Hashable], after: dict[str, Hashable]) -> list[str]:
    return [name for name in sorted({*before, *after}) if before.get(name) != after.get(name)]


def _lengths(survey: Survey) -> Iterable[Trouble]:
    """Remarks on plays that do not come to an end."""
    ends = survey.game.repetition is not None or "clock" in survey.asker.offers
    if survey.plays and not survey.lengths and survey.longest >= LONG:
        yield remark(
            "no-end",
            f"no play came to an end within {survey.longest:,} plies",
            "Searches then need a depth. A rule on positions that recur (`repetition`) or a limit on moves,"
            " with `clock`, ends such games",
        )
    elif survey.unfinished > _SELDOM * (survey.unfinished + len(survey.lengths)):
        yield warning(
            "seldom-ends",
            f"only {len(survey.lengths)} of {survey.unfinished + len(survey.lengths)} random plays came to an end"
            f" within {LONG:,} plies",
            "Searches that play to the end, such as mcts, learn next to nothing from such plays. A rule on positions"
            " that recur (`repetition`) or a limit on moves, with `clock`, ends them",
        )
    elif survey.recurring is not None and not ends:
        yield remark(
            "cycle",
            f"the position {short(survey.recurring.state)} came up twice in one play",
            "Searches without a depth may go in circles: `repetition` says what such a position is worth",
        )
