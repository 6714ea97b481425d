"""An interpreter of the pseudo-code that stands beside a trace: it reads the very lines, and runs them one by one.

It knows nothing of how traces are made. What it is given is the text of the code and a tree; what it gives back is one
`Record` for every line that ran, with all variables of the call as they are after that line.
"""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from gametree.games.tree.outline import Outline, Path

TOKEN = re.compile(r"\s*(?:([A-Za-zα-ω][A-Za-z0-9α-ω]*(?:-[A-Za-z]+)*′?)|([∞0-9]+)|(.))")
WORDS = {"is", "or", "then", "in", "a"}


class Record(NamedTuple):
    """A line that has run, at a node."""

    line: int
    path: Path
    variables: dict[str, Any]
    returned: Any = None


@dataclass
class Statement:
    line: int
    text: str
    body: "list[Statement]"


class Returned(Exception):
    def __init__(self, value: Any, line: int):
        self.value, self.line = value, line


class Interpreter:
    """Runs the code of a trace on a tree."""

    def __init__(self, code: tuple[str, ...], root: Outline, direction: str):
        self.direction = direction
        self.records: list[Record] = []
        self.functions: dict[str, tuple[list[str], Statement]] = {}
        self.dispatchers: set[str] = set()
        for statement in blocks(code):
            head = re.fullmatch(r"function ([A-Za-z-]+)\(([^)]*)\)(.*)", statement.text)
            assert head, statement.text
            if head[3].startswith(":"):
                self.dispatchers.add(head[1])
            else:
                self.functions[head[1]] = [one.strip() for one in head[2].split(",")], statement
        self.root = root
        first = next(iter(self.functions))
        parameters = self.functions[first][0]
        window = [-math.inf, math.inf] if "β" in parameters else []
        self.value = self.call(first, [root, *window])

    # --- calls --------------------------------------------------------------------------------------

    def call(self, name: str, arguments: list[Any]) -> Any:
        node = arguments[0]
        # Whose function it is follows from who moves. A leaf has no mover: it goes to the function that is named.
        if node.is_leaf and name in self.dispatchers:
            above = self.root.at(node.path[:-1]).kind if node.path else "min"
            name = self.function_of("min" if above == "max" else "max")
        elif not node.is_leaf:
            if name in self.dispatchers or not node.path:
                name = self.function_of(node.kind)
            elif len(self.functions) > 1:
                assert name == self.function_of(node.kind), f"{name} is called at a node of {node.kind}"
        elif not node.path:
            name = self.function_of("max")
        parameters, body = self.functions[name]
        variables = dict(zip(parameters, arguments, strict=True))
        node = variables[parameters[0]]
        self.note(body, node, variables)
        try:
            self.run(body.body, node, variables)
        except Returned as found:
            self.records.append(Record(found.line, node.path, dict(variables), found.value))
            return found.value
        raise AssertionError(f"{name} comes to its end without a return")

    def function_of(self, kind: str) -> str:
        if len(self.functions) == 1:
            return next(iter(self.functions))
        ends = (f"{kind.upper()}-VALUE", f"-{kind}")
        (name,) = (name for name in self.functions if name.endswith(ends))
        return name

    # --- statements ---------------------------------------------------------------------------------

    def run(self, statements: list[Statement], node: Outline, variables: dict[str, Any]) -> None:
        for statement in statements:
            self.step(statement, statement.text, node, variables)

    def step(self, at: Statement, text: str, node: Outline, variables: dict[str, Any]) -> None:
        if found := re.fullmatch(r"if (.*?) then(.*)", text):
            if self.evaluate(found[1], node, variables):
                if found[2]:
                    self.step(at, found[2].strip(), node, variables)
                else:
                    self.note(at, node, variables)
                    self.run(at.body, node, variables)
            elif found[2]:
                self.note(at, node, variables)
        elif found := re.fullmatch(r"for each (.*?) (?:in|of) .*? do", text):
            self.loop(at, found[1], node, variables)
        elif found := re.fullmatch(r"return (.*)", text):
            raise Returned(self.evaluate(found[1], node, variables), at.line)
        elif text == "p ← the player to move":
            variables["p"] = node.player
            self.note(at, node, variables)
        elif found := re.fullmatch(r"v ← the sum of (.*) over the outcomes r", text):
            total: Any = None
            for child in self.in_order(node):
                variables["r"] = child
                odds, worth = child.probability, self.evaluate(found[1].split(" · ")[1], node, variables)
                before = total or [0.0] * len(worth)
                total = tuple(old + odds * new for old, new in zip(before, worth, strict=True))
                variables["v"] = total
                self.note(at, node, variables)
        elif found := re.fullmatch(r"(.*?) ← (.*)", text):
            self.assign(found[1], self.evaluate(found[2], node, variables), variables)
            self.note(at, node, variables)
        else:
            raise AssertionError(f"what does this line do? {text!r}")

    def loop(self, at: Statement, names: str, node: Outline, variables: dict[str, Any]) -> None:
        for child in self.in_order(node):
            match names.split():
                case ["⟨move,", "p′⟩"]:
                    variables |= {"move": child.path, "p′": child}
                case ["a"]:
                    variables["a"] = child
                case ["child", "K"]:
                    variables["K"] = child
                case ["outcome", "r"]:
                    variables["r"] = child
                case other:
                    raise AssertionError(f"a loop over {other}")
            self.run(at.body, node, variables)

    def in_order(self, node: Outline) -> tuple[Outline, ...]:
        return node.children if self.direction == "left-to-right" else node.children[::-1]

    def assign(self, target: str, value: Any, variables: dict[str, Any]) -> None:
        if target.startswith("⟨"):
            for name, one in zip(target.strip("⟨⟩").split(", "), value, strict=True):
                variables[name] = one
        else:
            variables[target] = value

    def note(self, at: Statement, node: Outline, variables: dict[str, Any]) -> None:
        self.records.append(Record(at.line, node.path, dict(variables)))

    # --- expressions --------------------------------------------------------------------------------

    def evaluate(self, text: str, node: Outline, variables: dict[str, Any]) -> Any:
        match text:
            case "IS-TERMINAL(state)" | "p is terminal" | "J is a leaf":
                return node.is_leaf
            case "J is a MAX node" | "J is a MIN node":
                return node.kind == text.split()[3].lower()
            case "chance decides in state":
                return node.kind == "chance"
            case "its payoff":
                return node.payoff
        parser = Parser(self, text, node, variables)
        value = parser.either()
        assert parser.at == len(parser.tokens), f"not understood after {parser.tokens[: parser.at]}: {text!r}"
        return value


class Parser:
    """Comparisons, sums, products, calls and pairs, from the weakest to the strongest."""

    def __init__(self, run: Interpreter, text: str, node: Outline, variables: dict[str, Any]):
        self.run, self.node, self.variables = run, node, variables
        self.tokens = [found[1] or found[2] or found[3] for found in TOKEN.finditer(text)]
        self.at = 0

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, wanted: str = "") -> str:
        token = self.peek()
        assert not wanted or token == wanted, f"{wanted!r} is missing in {self.tokens}"
        self.at += 1
        return token

    def either(self) -> Any:
        value = self.comparison()
        if self.peek() == "or":
            self.take()
            if value:
                self.at = len(self.tokens)
                return True
            return self.comparison()
        return value

    def comparison(self) -> Any:
        left = self.sum()
        match self.peek():
            case "≥":
                return self.take() and left >= self.sum()
            case "≤":
                return self.take() and left <= self.sum()
            case ">":
                return self.take() and left > self.sum()
            case "<":
                return self.take() and left < self.sum()
            case "is":
                self.take()
                self.take("none")
                return left is None
        return left

    def sum(self) -> Any:
        total = self.product()
        while self.peek() == "+":
            self.take()
            total = total + self.product()
        return total

    def product(self) -> Any:
        value = self.single()
        while self.peek() == "·":
            self.take()
            value = value * self.single()
        return value

    def single(self) -> Any:
        token = self.take()
        if token in "+−":
            value = self.single()
            return value if token == "+" else -value
        if token == "∞":
            return math.inf
        if token.isdigit():
            return float(token)
        if token == "none":
            return None
        if token == "⟨":
            return self.listed("⟩")
        if self.peek() == "(":
            self.take()
            return self.called(token, list(self.listed(")")))
        if self.peek() == "[":
            self.take()
            (index,) = self.listed("]")
            return self.variables[token][index]
        return self.variables[token]

    def listed(self, end: str) -> tuple[Any, ...]:
        values = [self.either()]
        while self.peek() == ",":
            self.take()
            values.append(self.either())
        self.take(end)
        return tuple(values)

    def called(self, name: str, arguments: list[Any]) -> Any:
        match name:
            case "MAX" | "max":
                return max(arguments)
            case "MIN" | "min":
                return min(arguments)
            case "RESULT":
                return arguments[1]
            case "UTILITY" | "u":
                return arguments[0].payoff
            case "P":
                return arguments[0].probability
        return self.run.call(name, arguments)


def blocks(code: tuple[str, ...]) -> list[Statement]:
    """The lines as functions with what is indented below them. A line below an empty one begins at the left."""
    whole: list[Statement] = []
    open_at: list[tuple[int, Statement]] = []
    for line, text in enumerate(code, 1):
        if not text:
            continue
        indent = len(text) - len(text.lstrip())
        statement = Statement(line, text.strip(), [])
        while open_at and open_at[-1][0] >= indent:
            open_at.pop()
        (open_at[-1][1].body if open_at else whole).append(statement)
        open_at.append((indent, statement))
    return whole


def displayed(record: Record, node: Outline, form: str, hard: bool) -> dict[str, Any]:
    """Of the variables of a call, those that a step shows: the value so far, α, β and the best move."""
    variables = record.variables
    shown = {"alpha": variables.get("α"), "beta": variables.get("β")}
    value = variables.get("v")
    if hard and not node.is_leaf:
        # There is no v in this code: what MAX has so far is α.
        value = shown["alpha" if node.kind == "max" else "beta"]
    if record.returned is not None:
        value = record.returned[0] if form == "value-move" else record.returned
    shown["value"] = value
    if form == "value-move" and not node.is_leaf:
        shown["best"] = variables.get("best")
    return shown


def unset(value: Any) -> bool:
    """Nothing has been found yet: no value, or the one with which v begins."""
    return value is None or (isinstance(value, float) and math.isinf(value)) or value == 0


def mismatches(told: Any) -> Iterator[str]:
    """Where the steps of a trace differ from the lines that really run, with all variables."""
    form = told.conventions.form
    if told.method in ("expectiminimax", "maxn"):
        form = "aima"
    hard = told.method == "alphabeta" and told.conventions.fail == "hard"
    run = Interpreter(told.code, told.outline, told.conventions.direction)
    nodes = {node.path: node for node in told.outline.walk()}
    records = run.records
    at = -1
    last: dict[Path, dict[str, Any]] = {}
    for step, event in enumerate(told.events, 1):
        shown = {"alpha": event.alpha, "beta": event.beta, "value": event.value}
        if form == "value-move" and nodes[event.path].children:
            shown["best"] = event.best
        if (
            event.kind == "leave"
            and at >= 0
            and (records[at].line, records[at].path) == (event.line, event.path)
        ):
            # The line on which a cut was told returns: one line, two steps.
            pass
        else:
            at += 1
            while at < len(records) and (records[at].line, records[at].path) != (event.line, event.path):
                # A line that no step tells changes nothing that a step shows.
                node = nodes[records[at].path]
                now, before = displayed(records[at], node, form, hard), last.get(node.path)
                if before is not None and node.children:
                    if before["value"] is None and hard:
                        now["value"] = None
                    for name, value in now.items():
                        if value != before[name] and not (unset(value) and unset(before[name])):
                            yield f"before step {step}, line {records[at].line} sets {name} to {value} unseen"
                at += 1
            if at == len(records):
                yield f"step {step} ({event.kind}, line {event.line}) never happens"
                return
        real = displayed(records[at], nodes[event.path], form, hard)
        if event.kind == "enter":
            real["value"] = None
        elif event.kind == "cut":
            # Told while the line is about to return: the value so far, not yet what is returned.
            real["value"] = displayed(records[at]._replace(returned=None), nodes[event.path], form, hard)[
                "value"
            ]
        for name, value in real.items():
            if shown[name] != value and not (event.kind != "leave" and unset(shown[name]) and unset(value)):
                yield f"step {step} ({event.kind}, line {event.line}): {name} is {value}, not {shown[name]}"
        last[event.path] = {**real}
    if run.value != told.value and not (form == "value-move" and run.value[0] == told.value):
        yield f"the code returns {run.value}, the trace {told.value}"
