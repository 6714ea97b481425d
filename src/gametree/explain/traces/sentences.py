"""The sentences of a trace. Each says what has just happened and what follows from it, in plain words."""

from collections.abc import Sequence

from gametree.explain.traces.notation import count, number
from gametree.explain.traces.outline import Outline

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")

Truth = tuple[float, float]
"""The interval in which the value of a node is known to be."""


def where(node: Outline) -> str:
    """How a sentence calls an inner node."""
    return "the root" if not node.path else node.name


def who(node: Outline) -> str:
    """How a sentence calls the one who moves."""
    if node.kind == "player":
        index = node.player or 0
        return f"the {_ORDINALS[index]} player" if index < len(_ORDINALS) else f"player number {index + 1}"
    return {"max": "MAX", "min": "MIN"}.get(node.kind, "chance")


def capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def enter(node: Outline) -> str:
    if node.kind == "chance":
        return capital(
            f"chance decides at {where(node)}, between {count(len(node.children), 'outcome', 'outcomes')}."
        )
    return capital(f"{who(node)} is to move at {where(node)}.")


def enter_with_window(node: Outline, alpha: float, alpha_at: str, beta: float, beta_at: str) -> str:
    has = f"MAX already has {number(alpha)} at {alpha_at}" if alpha_at else ""
    holds = f"MIN can already hold MAX to {number(beta)} at {beta_at}" if beta_at else ""
    known = " and ".join(part for part in (has, holds) if part)
    window = f"α = {number(alpha)} and β = {number(beta)}"
    if not known:
        return f"{who(node)} is to move at {where(node)}; nothing is known yet: {window}."
    return f"{who(node)} is to move at {where(node)}; {known}: {window}."


def leaf(node: Outline) -> str:
    shown = number(node.payoff)
    if node.estimated:
        return f"The search stops here, and the evaluation says {shown}."
    if isinstance(node.payoff, tuple):
        return f"A leaf: the players get {shown}."
    return f"A leaf: it is worth {shown} to MAX."


def backup(node: Outline, found: str, kept: str, better: bool) -> str:
    """MAX or MIN has heard what a child is worth: `found`, such as "3" or "at most 2"; `kept` is what was there."""
    at = where(node)
    if not better:
        return f"{capital(found)} changes nothing at {at}: {who(node)} keeps {kept}."
    instead = f", better than {kept}" if kept else ""
    limit = found.removeprefix("at most ").removeprefix("at least ")
    if node.kind == "max":
        if found.startswith("at most"):
            return f"So far MAX cannot get more than {limit} at {at}."
        return f"MAX can get {found} at {at}{instead}."
    if found.startswith("at least"):
        return f"So far MIN cannot hold MAX below {limit} at {at}."
    return f"MIN can hold MAX to {limit}{' or less' if found != limit else ''} at {at}{instead}."


def bound(node: Outline, value: float) -> str:
    if node.kind == "max":
        return f"MAX can count on {number(value)} at {where(node)}: α rises to {number(value)}."
    return f"MIN can hold MAX to {number(value)} at {where(node)}: β falls to {number(value)}."


def cut(node: Outline, value: float, limit: float, by: Outline, skipped: Sequence[Outline]) -> str:
    """The sentence of the lectures: why what is left cannot matter."""
    rest = others(skipped)
    if node.kind == "min":
        return (
            f"MIN can hold MAX to {number(value)} here, and MAX already has {number(limit)} at {where(by)}:"
            f" {rest} cannot matter."
        )
    return (
        f"MAX can get {number(value)} here, and MIN can already hold MAX to {number(limit)} at {where(by)}:"
        f" {rest} cannot matter."
    )


def others(skipped: Sequence[Outline]) -> str:
    one, many = ("leaf", "leaves") if all(node.is_leaf for node in skipped) else ("branch", "branches")
    if len(skipped) == 1:
        return f"the other {one}"
    return f"the other {count(len(skipped), one, many)}"


def leave(node: Outline, value: float, truth: Truth, window: Truth, hard: bool) -> str:
    at = where(node)
    worth = bounded(value, truth, window)
    if hard and truth[0] == truth[1] != value:
        return f"{capital(at)} is worth {number(truth[0])}; fail-hard, it returns its bound {number(value)}."
    return f"{capital(at)} is worth {worth}."


def bounded(value: float, truth: Truth, window: Truth) -> str:
    """A value that a node returned, with what it proves: "3", "at most 2", "at least 14".

    A value inside the window is exact. Outside of it, and where the window is empty (α = β, as fail-hard with a cut
    at > can have it), what was looked at proves one side.
    """
    low, high = window
    if truth[0] == truth[1] == value or low < value < high:
        return number(value)
    if truth[1] <= value:
        return f"at most {number(value)}"
    assert truth[0] >= value
    return f"at least {number(value)}"


def leave_exact(node: Outline, value: float | tuple[float, ...]) -> str:
    return f"{capital(where(node))} is worth {number(value)}."


def backup_chance(
    node: Outline, child: Outline, value: float | tuple[float, ...], total: float | tuple[float, ...]
) -> str:
    return (
        f"{number(value)} with probability {number(child.probability)}: the outcomes so far add up to"
        f" {number(total)} at {where(node)}."
    )


def backup_player(
    node: Outline, value: tuple[float, ...], old: tuple[float, ...] | None, better: bool
) -> str:
    me = node.player or 0
    if old is None:
        return capital(f"{who(node)} can get {number(value[me])} at {where(node)}: {number(value)}.")
    if better:
        return capital(
            f"{who(node)} prefers {number(value)} at {where(node)}: {number(value[me])} is more than {number(old[me])}."
        )
    return capital(
        f"{who(node)} keeps {number(old)} at {where(node)}: {number(value[me])} is no more than {number(old[me])}."
    )
