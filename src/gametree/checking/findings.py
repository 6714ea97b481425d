"""What the rules checker says: findings, and the report that holds them."""

import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from gametree.documents.searching import CheckDocument, FindingDocument

SCHEMA: Final = "gametree.check/1"

Severity = Literal["problem", "warning", "note"]
_WIDTH: Final = 100
_MOST_LINES: Final = 14


@dataclass(frozen=True)
class Finding:
    """One kind of thing that was found, with the shortest way to it that is known."""

    kind: str
    """A slug that stays the same from version to version: "utility-sum"."""
    severity: Severity
    message: str
    path: tuple[str, ...] = ()
    """The names of the actions that lead there from the state where the check began."""
    state_text: str = ""
    count: int = 1
    """At how many states it was found."""

    def __str__(self) -> str:
        lines = textwrap.wrap(
            f"{self.kind}: {self.message}", _WIDTH, initial_indent="  ", subsequent_indent="    "
        )
        after = f"fter {', '.join(self.path)}"
        if self.path and after not in self.message:
            after = f"a{after}"
            lines += textwrap.wrap(after, _WIDTH, initial_indent=" " * 6, subsequent_indent=" " * 8)
        if self.state_text:
            shown = self.state_text.splitlines()
            lines += [" " * 6 + _cut(line, _WIDTH - 6) for line in shown[:_MOST_LINES]]
            lines += [" " * 6 + "…"] if len(shown) > _MOST_LINES else []
        if self.count > 1:
            lines.append(f"      seen {self.count:,} times")
        return "\n".join(lines)

    def to_dict(self) -> "FindingDocument":
        """The finding as plain data."""
        return {
            "kind": self.kind,
            "severity": self.severity,
            "message": self.message,
            "path": list(self.path),
            "state": self.state_text,
            "count": self.count,
        }


@dataclass(frozen=True, kw_only=True)
class Report:
    """What `check` found. It prints well; `ok` tells whether the rules keep the contract."""

    game: str
    problems: tuple[Finding, ...] = ()
    """What breaks the contract: searches may fail or give wrong answers."""
    warnings: tuple[Finding, ...] = ()
    """What is allowed but most likely not meant, or costs something."""
    notes: tuple[Finding, ...] = ()
    """What is good to know."""
    plays: int = 0
    finished: int = 0
    """How many of the plays came to an end."""
    states: int = 0
    """How many different states were looked at."""
    complete: bool = False
    """Whether these are all the states that can be reached."""
    average_length: float = 0.0
    """Plies in a play that came to an end."""
    branching: tuple[int, float, int] = (0, 0.0, 0)
    """The least, the mean and the greatest number of actions (or chance outcomes) in a state."""
    compared: bool = False
    """Whether compiled and interpreted rules were compared."""
    seconds: float = 0.0

    @property
    def ok(self) -> bool:
        """Whether no problems were found; warnings and notes do not count."""
        return not self.problems

    @property
    def exit_code(self) -> int:
        """0 where no problems were found, 1 otherwise."""
        return 0 if self.ok else 1

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Everything, the gravest first."""
        return self.problems + self.warnings + self.notes

    def __str__(self) -> str:
        verdict = "no problems found" if self.ok else _count(len(self.problems), "problem")
        if self.warnings:
            verdict += f", {_count(len(self.warnings), 'warning')}"
        lines = [_cut(f"{self.game}: {verdict}", _WIDTH), *_wrapped(self._seen())]
        for title, findings in (
            ("problems", self.problems),
            ("warnings", self.warnings),
            ("notes", self.notes),
        ):
            if findings:
                lines += ["", title, *map(str, findings)]
        return "\n".join(lines)

    def _seen(self) -> str:
        least, mean, greatest = self.branching
        reach = "all there are" if self.complete else "not all there are"
        text = f"{_count(self.plays, 'random play')}, {_count(self.states, 'state')} ({reach})"
        if self.finished:
            text += f", {self.average_length:.3g} plies a play"
        if greatest:
            text += f", {least} to {greatest} actions in a state ({mean:.3g} on average)"
        text += ", compiled and interpreted rules compared" if self.compared else ""
        return f"{text}, {self.seconds:.1f} s"

    def to_dict(self) -> "CheckDocument":
        """The report as plain data, for JSON."""
        return {
            "schema": SCHEMA,
            "game": self.game,
            "ok": self.ok,
            "problems": [finding.to_dict() for finding in self.problems],
            "warnings": [finding.to_dict() for finding in self.warnings],
            "notes": [finding.to_dict() for finding in self.notes],
            "plays": self.plays,
            "finished": self.finished,
            "states": self.states,
            "complete": self.complete,
            "average_length": self.average_length,
            "branching": list(self.branching),
            "compared": self.compared,
            "seconds": self.seconds,
        }


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH, initial_indent="  ", subsequent_indent="  ")


def _cut(line: str, width: int) -> str:
    return line if len(line) <= width else line[: width - 1] + "…"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
