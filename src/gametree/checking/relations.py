"""Judging states against each other: purity, equality, keys, information states, clocks."""

from collections.abc import Hashable, Iterator, Sequence
from typing import Any, Final

from gametree.checking.asking import (
    Answers,
    Asker,
    Failure,
    Trouble,
    differing,
    problem,
    remark,
    short,
    slug,
    warning,
    who,
)
from gametree.checking.elements import hashable, whole
from gametree.checking.hidden_members import HiddenMembers
from gametree.checking.snapshot import equal, same
from gametree.game import Game

_MOST_PAIRS: Final = 150
_LONGEST_MEMORY: Final = 64


class Node:
    """A state that was seen, and the shortest way to it that is known."""

    __slots__ = ("action", "answers", "depth", "parent", "revisits", "state")

    def __init__(self, state: Any, parent: "Node | None" = None, action: Any = None):
        self.state: Any = state
        self.parent: Node | None = parent
        self.action: Any = action
        self.depth: int = 0 if parent is None else parent.depth + 1
        self.answers: Answers = Answers()
        self.revisits: int = 0

    def actions(self) -> list[Any]:
        """The actions that lead here from the root."""
        return [node.action for node in self.line()[1:]]

    def line(self) -> "list[Node]":
        """The nodes from the root to here."""
        nodes: list[Node] = []
        node: Node | None = self
        while node is not None:
            nodes.append(node)
            node = node.parent
        return nodes[::-1]


# --- purity -----------------------------------------------------------------------------------------


def impure(game: Game, first: Answers, second: Answers, when: str) -> Iterator[Trouble]:
    """What a second question about the same state was answered differently."""
    different = differing(first, second)
    for key in different:
        method = str(key[0])
        one, other = first.said[key], second.said[key]
        # These were asked about actions by number: other actions, other answers.
        if method in ("result", "order", "threatens") and ("actions",) in different:
            continue
        if method == "actions" and _same_but_for_order(one, other):
            yield _other_order(one, other, when)
            continue
        yield problem(
            f"impure-{slug(method)}",
            f"{_question(game, key, first)} answered {_answer(one)} at first and {_answer(other)} {when}",
            "A method may depend on its arguments and on fixed attributes only: not on chance, time, counters"
            " or what was asked before",
        )


def unequal_twins(game: Game, node: Node, twin: Answers) -> Iterator[Trouble]:
    """What is answered differently for a state that is equal to one seen before."""
    for key in differing(node.answers, twin):
        method = str(key[0])
        one, other = node.answers.said[key], twin.said[key]
        if method == "actions" and _same_but_for_order(one, other):
            yield _other_order(one, other, "for an equal state reached in another way")
            continue
        yield problem(
            "equal-states",
            f"two states are equal, but {_question(game, key, node.answers)} answers {_answer(one)} for one and"
            f" {_answer(other)} for the other",
            "Whatever the methods use has to take part in `==` and `hash`: a NamedTuple does that by itself",
        )
        return


def twice(one: Any, other: Any, action: Any) -> Iterator[Trouble]:
    """What is wrong where `result` was asked twice for the same action."""
    if equal(one, other):
        if hashable(one) and hashable(other) and hash(one) != hash(other):
            yield problem(
                "state-hash",
                f"`result` was asked twice for {short(action)}: the states are equal, their hashes are not",
                "Compute `__hash__` from what `__eq__` compares, or use a NamedTuple",
                action,
            )
    elif same(one, other):
        yield problem(
            "state-equality",
            f"`result` was asked twice for {short(action)}: the states hold the same, but are not equal",
            "Define `__eq__` and `__hash__`, or use a NamedTuple or a frozen dataclass",
            action,
        )
    else:
        yield problem(
            "impure-result",
            f"`result` was asked twice for {short(action)} and returned {short(one)}, then {short(other)}",
            "The same action leads to the same state: put dice and cards into `chance`",
            action,
        )


def hash_pairs(nodes: Sequence[Node]) -> Iterator[tuple[Node, Trouble]]:
    """Equal states with unequal hashes, among a sample: a dictionary never brings these together."""
    sample = [node for node in nodes[:: max(1, len(nodes) // _MOST_PAIRS)] if hashable(node.state)]
    for i, node in enumerate(sample):
        for other in sample[:i]:
            if equal(node.state, other.state) and hash(node.state) != hash(other.state):
                yield (
                    node,
                    problem(
                        "state-hash",
                        f"two states are equal, their hashes are not: {short(node.state)}",
                        "Compute `__hash__` from what `__eq__` compares, or use a NamedTuple",
                        other=other,
                    ),
                )
                return


def _same_but_for_order(one: Any, other: Any) -> bool:
    if not (isinstance(one, list) and isinstance(other, list)) or len(one) != len(other):
        return False
    return same(sorted(map(repr, one)), sorted(map(repr, other)))


def _other_order(one: Any, other: Any, when: str) -> Trouble:
    return problem(
        "actions-order",
        f"`actions` gives {short(one)} at first and {short(other)} {when}: the same in another order",
        "The order decides between equal moves: sort what comes out of a set",
    )


def _question(game: Game, key: tuple[Hashable, ...], answers: Answers) -> str:
    match key:
        case ("order" | "result" as method, int(i)):
            return f"`{method}` for the action {short(answers.moves[i])}"
        case (method, int(player)):
            return f"`{method}` for {who(game, player)}"
    return f"`{key[0]}`"


def _answer(answer: Any) -> str:
    return "with an exception" if isinstance(answer, Failure) else short(answer)


# --- many states ------------------------------------------------------------------------------------


class Relations:
    """What has been seen so far: keys, information states, lengths of features, steps of the clock."""

    def __init__(self, asker: Asker):
        self.asker = asker
        self.hidden: HiddenMembers = HiddenMembers(asker)
        self.keys: dict[Hashable, Node] = {}
        self.seen: dict[tuple[int, Hashable], Node] = {}
        self.hides: bool = False
        """Whether two different states ever looked the same to a player."""
        self.memories: dict[tuple[int, Hashable], tuple[Any, ...]] = {}
        self.lengths: dict[int, Node] = {}
        self.clock_steps: int = 0
        self.clock_runs: bool = False

    def judge(self, node: Node) -> Iterator[Trouble]:
        """What is wrong with a new state, compared with those seen before."""
        if "key" in self.asker.offers:
            yield from self._key(node)
        if "observe" in self.asker.offers:
            yield from self._observe(node)
            yield from self.hidden.judge(node.state, node.answers)
        if "features" in self.asker.offers:
            yield from self._lengths(node)

    def _key(self, node: Node) -> Iterator[Trouble]:
        key = node.answers.get("key")
        if key is None or not hashable(key):
            return
        other = self.keys.setdefault(key, node)
        if other is node:
            return
        difference = _told_apart(self.asker.game, node.answers, other.answers)
        if difference:
            yield problem(
                "key-collision",
                f"`key` returned {short(key)} for two states that differ: {difference}",
                "States with equal keys have the same player, actions and values: put what tells them apart"
                " into the key",
                other=other,
            )

    def _observe(self, node: Node) -> Iterator[Trouble]:
        for player in range(self.asker.game.players):
            info = node.answers.get("observe", player)
            if not hashable(info):
                return
            other = self.seen.setdefault((player, info), node)
            self.hides = self.hides or (other is not node and not equal(node.state, other.state))
        mover = node.answers.mover
        if node.answers.terminal is not False or node.answers.at_chance or not whole(mover):
            return
        info = node.answers.get("observe", mover)
        other = self.seen.setdefault((~mover, info), node)
        if other is not node and not _same_actions(node.answers, other.answers):
            yield problem(
                "observe-actions",
                f"`observe` returned {short(info)} for {who(self.asker.game, mover)}, who moves, in two states with"
                f" other actions: {short(node.answers.moves)} and {short(other.answers.moves)}",
                "What a player cannot tell apart has the same actions: let the player see what decides them",
                other=other,
            )

    def recall(self, mover: int, info: Any, memory: tuple[Any, ...]) -> Iterator[Trouble]:
        """Whether a player who sees `info` can tell what they saw and did before."""
        if len(memory) > _LONGEST_MEMORY or not hashable(info):
            return
        before = self.memories.setdefault((mover, info), memory)
        if not same(before, memory):
            name = who(self.asker.game, mover)
            yield warning(
                "observe-recall",
                f"`observe` returned {short(info)} for {name} after this, and also after other things"
                f" that {name} saw and did",
                "An information state holds everything that the player ever saw and did: methods for hidden"
                " information rely on it",
            )

    def _lengths(self, node: Node) -> Iterator[Trouble]:
        for player in range(self.asker.game.players):
            features = node.answers.get("features", player)
            if features is None:
                continue
            self.lengths.setdefault(len(features), node)
            few, many = min(self.lengths), max(self.lengths)
            if few != many and len(features) != next(iter(self.lengths)):
                yield problem(
                    "features-length",
                    f"`features` gives {len(features)} numbers, but {next(iter(self.lengths))} elsewhere",
                    "Give the same number of features in every state: 0 where one does not apply",
                    other=next(iter(self.lengths.values())),
                )
                return

    def step(self, parent: Node, child: Node) -> Iterator[Trouble]:
        """How the clock goes from a state to the next. It may start anew, as after a capture in chess."""
        before, after = parent.answers.get("clock"), child.answers.get("clock")
        if not whole(before) or not whole(after):
            return
        self.clock_steps += 1
        self.clock_runs = self.clock_runs or after < before
        if after < before - 1:
            yield warning(
                "clock-jumps",
                f"`clock` went from {before} to {after} in one ply",
                "It counts plies: one less after each, or more where it starts anew",
            )

    def remarks(self, complete: bool, plays: int) -> Iterator[Trouble]:
        """What is only seen when all is seen, or much."""
        # A clock that starts anew with every move of a man may stand still for the better part of a game.
        if self.clock_steps >= 5 and not self.clock_runs and (complete or plays >= 10):
            yield problem(
                "clock-stands",
                f"`clock` never went down in {self.clock_steps} plies",
                "It counts the plies that are left until a rule ends the game: one less after each",
            )
        if "clock" in self.asker.offers and "key" not in self.asker.offers:
            yield remark(
                "clock-in-key",
                "`clock` is defined, but `key` is not",
                "The default key is the whole state with what the clock counts: positions that differ in it"
                " only are then searched one by one",
            )
        if complete and "observe" in self.asker.offers and self.seen and not self.hides:
            yield remark(
                "observe-hides-nothing",
                "`observe` tells all states apart for every player",
                "Where nothing is hidden, leave it out: then the searches for perfect information apply",
            )


def _told_apart(game: Game, one: Answers, other: Answers) -> str:
    if one.terminal != other.terminal:
        return "one is terminal, the other is not"
    if not equal(one.mover, other.mover):
        return f"in one {who(game, one.mover)} moves, in the other {who(game, other.mover)}"
    if not _same_actions(one, other):
        return f"their actions are {short(one.moves)} and {short(other.moves)}"
    if one.terminal:
        for key, said in one.said.items():
            if key[0] == "utility" and not same(said, other.said.get(key)):
                theirs = _answer(other.said.get(key))
                return f"the utility for {who(game, key[1])} is {_answer(said)} and {theirs}"
    return ""


def _same_actions(one: Answers, other: Answers) -> bool:
    return same(one.moves, other.moves) or _same_but_for_order(one.moves, other.moves)
