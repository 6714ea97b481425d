"""The rules checker: does a game keep the contract? It plays, it probes, and it explains what it finds."""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final

from gametree.checking.asking import NOTHING, Asker, Failure, TimeUp, Trouble, problem, remark, short
from gametree.checking.elements import declarations, follower, teams
from gametree.checking.findings import Finding, Report, Severity
from gametree.checking.optional_members import weights_missing
from gametree.checking.relations import Node
from gametree.checking.snapshot import same
from gametree.checking.survey import Survey
from gametree.errors import InputError
from gametree.game import Game, check_state
from gametree.search.core.watchdog import watched

__all__ = ["Finding", "Report", "check"]

SECONDS: Final = 4.0
"""How long a check takes at most where nothing is said; compiling comes on top."""
_COMPARED: Final = 400
_NAMED: Final = 8


def check(
    game: Game,
    *,
    state: Any = None,
    plays: int = 100,
    seed: int = 0,
    seconds: float | None = None,
    compile: str = "auto",
) -> Report:
    """Checks the rules of a game from `state` on: random plays, all states near the start, targeted probes.

    It takes `seconds` at most (4 where nothing is said), and compiling on top where compiled and interpreted
    rules are compared; `compile="never"` leaves that out. A problem is shown with the shortest sequence of
    actions that was found to lead to it.

    >>> class Countdown(Game):
    ...     def initial(self): return (3, 0)
    ...     def player(self, s): return s[1]
    ...     def actions(self, s): return range(1, s[0] + 1)
    ...     def result(self, s, a): return (s[0] - a, 1 - s[1])
    ...     def is_terminal(self, s): return s[0] == 0
    ...     def utility(self, s, p): return 1 if p != s[1] else 0
    >>> report = check(Countdown(), compile="never")
    >>> report.ok, report.complete
    (False, True)
    >>> [(finding.kind, finding.path) for finding in report.problems]
    [('utility-sum', ('3',))]
    >>> print(report.problems[0])
      utility-sum: After 3, `utility` gives 1, 0 to players 0 to 1: these sum to 1, not to 0 (`total`).
        Every end that was seen sums to 1: declare `total = 1`.
          (0, 1)
          seen 2 times
    """
    _require(game, plays, seconds, compile)
    asker = Asker(game, SECONDS if seconds is None else seconds) if _countable(game) else None
    if asker is None:
        findings = [_finding(game, trouble, None, 1) for trouble in declarations(game)]
        return Report(game=type(game).__name__, problems=tuple(findings))
    end = int((asker.began + asker.seconds) * 1e9)
    with watched(type(game).__name__, lambda: end, _LATE):  # a loop in the rules, too, has an end
        survey = _surveyed(asker, state, plays, seed)
    compared = _compare(survey, compile)
    return _report(survey, compared)


_LATE: Final = 0.3
"""Seconds beyond those of the check that one call of a rule may take."""


def _require(game: Game, plays: int, seconds: float | None, compile: str) -> None:
    if not isinstance(game, Game):
        made = f" Write {game.__name__}() rather than {game.__name__}." if isinstance(game, type) else ""
        raise InputError(f"check takes a game, not {game!r}.{made}")
    if not isinstance(plays, int) or plays < 1:
        raise InputError(f"plays={plays!r}: it takes a whole number of at least 1")
    if seconds is not None and not (isinstance(seconds, (int, float)) and 0 < seconds < math.inf):
        raise InputError(f"seconds={seconds!r}: it takes a number above 0")
    if compile not in ("auto", "always", "never"):
        raise InputError(f'compile={compile!r}: it is "auto", "always" or "never"')


def _countable(game: Game) -> bool:
    return all(trouble.kind != "players" for trouble in declarations(game))


def _surveyed(asker: Asker, state: Any, plays: int, seed: int) -> Survey:
    game = asker.game
    begun: list[Trouble] = [*declarations(game), *weights_missing(asker)]
    try:
        if state is None:
            state = asker.ask("initial")
            again = asker.ask("initial")
            if isinstance(state, Failure):
                begun.append(state.trouble())
                state = None
            else:
                begun += list(follower(state, state, "initial"))
                if not same(state, again):
                    begun.append(
                        problem(
                            "impure-initial",
                            f"`initial` returned {short(state)} at first and {short(again)} when asked again",
                            "It always gives the same state: deal and roll in `chance`",
                        )
                    )
        else:
            state = check_state(game, state)
        if "team" in asker.offers:
            begun += list(teams(asker))
    except TimeUp:
        state = None
    survey = Survey(asker, state, seed)
    survey.note(begun, None)
    if state is not None:
        _explore(survey, plays)
    return survey


def _explore(survey: Survey, plays: int) -> None:
    # Each part may use what the ones before it left over, up to a share of the whole time.
    asker = survey.asker
    asker.within(0.5)
    try:
        survey.root = survey.arrive(survey.start)
    except TimeUp:
        survey.out_of_time = True
    survey.play(plays)
    asker.within(0.75)
    survey.spread()
    asker.within(0.85)
    survey.ask_again()
    asker.within(1.0)
    survey.shorten()
    survey.remarks()
    if survey.out_of_time:
        survey.note([_little_time(survey, plays)], None)


def _little_time(survey: Survey, plays: int) -> Trouble:
    return remark(
        "time",
        f"the time was up after {survey.plays} of {plays} plays",
        f"`check(game, seconds={2 * survey.asker.seconds:g})` looks longer",
    )


def _compare(survey: Survey, compile: str) -> bool:
    """Compares the interpreted rules with the compiled ones; returns whether that was possible."""
    if compile == "never" or not survey.nodes:
        return False
    if any(trouble.severity == "problem" for kind in survey.found for trouble, _ in survey.found[kind][:1]):
        # Machine code for rules that fail or never end could take the whole process along.
        survey.note([remark("not-compared", "the rules were not compiled", "Mend the problems first")], None)
        return False
    from gametree.checking.agreement import differences

    words, reason = differences(survey.game, _sample(survey.nodes))
    if words:
        survey.note([problem("compiled-differs", "; ".join(words), _AGREE)], None)
    if reason:
        severity: Severity = "problem" if compile == "always" else "note"
        survey.note([Trouble("not-compiled", severity, f"the rules run interpreted: {reason}", "")], None)
    return not reason


_AGREE: Final = (
    "Compiled rules count in 64-bit integers: numbers beyond 2**63, and signed ones mixed with unsigned"
    " ones, come out differently"
)


def _sample(nodes: Sequence[Node]) -> list[Any]:
    return [node.state for node in nodes[:: max(1, len(nodes) // _COMPARED)]]


# --- in words ---------------------------------------------------------------------------------------


def _report(survey: Survey, compared: bool) -> Report:
    found: dict[Severity, list[Finding]] = {"problem": [], "warning": [], "note": []}
    for kind in survey.found:
        trouble, node = survey.shortest(kind)
        finding = _finding(survey.game, trouble, node, max(1, survey.counts[kind]))
        found[finding.severity].append(finding)
    widths = [len(node.answers.moves) for node in survey.nodes if node.answers.moves]
    return Report(
        game=type(survey.game).__name__,
        problems=tuple(found["problem"]),
        warnings=tuple(found["warning"]),
        notes=tuple(found["note"]),
        plays=survey.plays,
        finished=len(survey.lengths),
        states=len(survey.nodes),
        complete=survey.complete,
        average_length=sum(survey.lengths) / len(survey.lengths) if survey.lengths else 0.0,
        branching=(min(widths), sum(widths) / len(widths), max(widths)) if widths else (0, 0.0, 0),
        compared=compared,
        seconds=survey.elapsed(),
    )


def _finding(game: Game, trouble: Trouble, node: Node | None, count: int) -> Finding:
    path = _names(game, node)
    if node is not None and trouble.action is not NOTHING:
        path = (*path, _name(game, node, trouble.action))
    what = trouble.what if isinstance(trouble.what, str) else trouble.what()
    fix = trouble.fix if isinstance(trouble.fix, str) else trouble.fix()
    if node is not None:
        what = f"{_where(path)}, {what}"
    if isinstance(trouble.other, Node):
        what += f"; the other state is the one {_where(_names(game, trouble.other)).lower()}"
    message = f"{what}. {fix}." if fix else f"{what}."
    message = message[0].upper() + message[1:]
    return Finding(trouble.kind, trouble.severity, message, path, _shown(game, node), count)


def _where(path: Sequence[str]) -> str:
    if not path:
        return "At the start"
    if len(path) <= _NAMED:
        return f"After {', '.join(path)}"
    return f"After {len(path)} actions that end with {', '.join(path[-3:])}"


def _names(game: Game, node: Node | None) -> tuple[str, ...]:
    """The names of the actions that lead to a node."""
    line = node.line() if node is not None else []
    return tuple(_name(game, parent, child.action) for parent, child in pairwise(line))


def _name(game: Game, node: Node, action: Any) -> str:
    try:
        return str(game.name_action(node.state, action))
    except Exception:  # the report has to come out whatever the rules do
        return short(action)


def _shown(game: Game, node: Node | None) -> str:
    if node is None:
        return ""
    try:
        return str(game.show(node.state))
    except Exception:  # the report has to come out whatever the rules do
        return short(node.state)
