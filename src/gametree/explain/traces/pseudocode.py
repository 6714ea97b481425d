"""The pseudo-code that a trace follows, in the three forms of the lectures.

A line is written as `tag | text`; the tag names the event that happens there. What differs between MAX and MIN
is in braces, so that both halves come from one text.
"""

from collections.abc import Collection

from gametree.explain.traces.conventions import Conventions
from gametree.explain.traces.listings import LISTINGS
from gametree.explain.traces.methods import Method

Listing = tuple[tuple[str, ...], dict[str, int]]
"""The lines, and for each tag the number of its line, counted from 1."""

_FIELDS = ("ME", "YOU", "me", "you", "a", "b", "none", "is", "up")
_WORDS = {
    "max": dict(zip(_FIELDS, ("MAX", "MIN", "max", "min", "α", "β", "−∞", "≥", ">"), strict=True)),
    "min": dict(zip(_FIELDS, ("MIN", "MAX", "min", "max", "β", "α", "+∞", "≤", "<"), strict=True)),
}

_MINIMAX = {
    "aima": """
enter | function {ME}-VALUE(state) returns a value
leaf |   if IS-TERMINAL(state) then return UTILITY(state)
 |   v ← {none}
 |   for each a in ACTIONS(state) do
backup |     v ← {ME}(v, {YOU}-VALUE(RESULT(state, a)))
leave |   return v
""",
    "bound": """
enter |   if J is a {ME} node then
 |     v ← {none}
 |     for each child K of J do
backup |       v ← {me}(v, V(K))
leave |     return v
""",
    "value-move": """
enter | function minimax-{me}(p)
leaf |   if p is terminal then return ⟨u(p), none⟩
 |   ⟨v, best⟩ ← ⟨{none}, none⟩
 |   for each ⟨move, p′⟩ in succ(p) do
 |     ⟨v′, best′⟩ ← minimax-{you}(p′)
backup |     if v′ {up} v then ⟨v, best⟩ ← ⟨v′, move⟩
leave |   return ⟨v, best⟩
""",
}

_SOFT = {
    "aima": """
enter | function {ME}-VALUE(state, α, β) returns a value
leaf |   if IS-TERMINAL(state) then return UTILITY(state)
 |   v ← {none}
 |   for each a in ACTIONS(state) do
backup |     v ← {ME}(v, {YOU}-VALUE(RESULT(state, a), α, β))
cut |     if v {is} {b} then return v
bound |     {a} ← {ME}({a}, v)
leave |   return v
""",
    "bound": """
enter |   if J is a {ME} node then
 |     v ← {none}
 |     for each child K of J do
backup |       v ← {me}(v, V(K, α, β))
cut |       if v {is} {b} then return v
bound |       {a} ← {me}({a}, v)
leave |     return v
""",
    "value-move": """
enter | function alpha-beta-{me}(p, α, β)
leaf |   if p is terminal then return ⟨u(p), none⟩
 |   ⟨v, best⟩ ← ⟨{none}, none⟩
 |   for each ⟨move, p′⟩ in succ(p) do
 |     ⟨v′, best′⟩ ← alpha-beta-{you}(p′, α, β)
backup |     if v′ {up} v then ⟨v, best⟩ ← ⟨v′, move⟩
cut |     if v {is} {b} then return ⟨v, none⟩
bound |     {a} ← {me}({a}, v)
leave |   return ⟨v, best⟩
""",
}

_HARD = {
    "aima": """
enter | function {ME}-VALUE(state, α, β) returns a value
leaf |   if IS-TERMINAL(state) then return UTILITY(state)
 |   for each a in ACTIONS(state) do
backup bound |     {a} ← {ME}({a}, {YOU}-VALUE(RESULT(state, a), α, β))
cut |     if {a} {is} {b} then return {b}
leave |   return {a}
""",
    "bound": """
enter |   if J is a {ME} node then
 |     for each child K of J do
backup bound |       {a} ← {me}({a}, V(K, α, β))
cut |       if {a} {is} {b} then return {b}
leave |     return {a}
""",
    "value-move": """
enter | function alpha-beta-{me}(p, α, β)
leaf |   if p is terminal then return ⟨u(p), none⟩
 |   best ← none
 |   for each ⟨move, p′⟩ in succ(p) do
 |     ⟨v′, best′⟩ ← alpha-beta-{you}(p′, α, β)
backup bound |     if v′ {up} {a} then ⟨{a}, best⟩ ← ⟨v′, move⟩
cut |     if {a} {is} {b} then return ⟨{b}, none⟩
leave |   return ⟨{a}, best⟩
""",
}

_CHANCE = """
chance enter | function CHANCE-VALUE(state) returns a value
chance leaf |   if IS-TERMINAL(state) then return UTILITY(state)
 |   v ← 0
 |   for each outcome r of state do
chance backup |     v ← v + P(r) · VALUE(RESULT(state, r))
chance leave |   return v
 |
 | function VALUE(state): MAX-VALUE, MIN-VALUE or CHANCE-VALUE, by who moves
"""

_MAXN = """
 | function VALUE(state) returns a payoff for each player
player leaf |   if IS-TERMINAL(state) then return UTILITY(state)
player enter |   p ← the player to move
 |   v ← none
 |   for each a in ACTIONS(state) do
 |     w ← VALUE(RESULT(state, a))
player backup |     if v is none or w[p] > v[p] then v ← w
player leave |   return v
"""

_MAXN_CHANCE = """
chance enter |   if chance decides in state then
chance backup |     v ← the sum of P(r) · VALUE(RESULT(state, r)) over the outcomes r
chance leave |     return v
"""


def listing(
    method: Method, conventions: Conventions, kinds: Collection[str], alternating: bool = True
) -> Listing:
    """The code of a method for the conventions (fail-soft or fail-hard, cut at ≥ or at >) and for the kinds of nodes.

    Where MAX and MIN do not take turns (`alternating=False`) the two functions call VALUE, which looks at who moves.

    >>> lines, numbers = listing("alphabeta", Conventions(form="bound", fail="hard"), ("max", "min"))
    >>> print("\\n".join(lines[:7]), numbers["max cut"])
    function V(J, α, β) returns a value
      if J is a leaf then return its payoff
      if J is a MAX node then
        for each child K of J do
          α ← max(α, V(K, α, β))
          if α ≥ β then return β
        return α 6
    """
    if method in LISTINGS:
        return _read(LISTINGS[method])
    if method in ("alphabeta", "paranoid"):
        forms = _SOFT if conventions.fail == "soft" else _HARD
        both = _both(forms[conventions.form], conventions, "V(J, α, β)")
        return _read(both if alternating else _by_mover(both, conventions.form, "alpha-beta", ", α, β"))
    if method == "minimax":
        both = _both(_MINIMAX[conventions.form], conventions, "V(J)")
        return _read(both if alternating else _by_mover(both, conventions.form, "minimax", ""))
    if method == "expectiminimax":
        both = _both(_MINIMAX["aima"], conventions, "")
        return _read(
            f"{both}\n |{_CHANCE}".replace("MIN-VALUE(R", "VALUE(R").replace("MAX-VALUE(R", "VALUE(R")
        )
    before, after = _MAXN.split("player enter", 1)
    return _read(f"{before}{_MAXN_CHANCE if 'chance' in kinds else ''}player enter{after}")


def _by_mover(both: str, form: str, name: str, window: str) -> str:
    """The two functions do not call each other, but the one that belongs to the player who moves."""
    if form == "bound":
        return both
    if form == "aima":
        for side in ("MIN", "MAX"):
            both = both.replace(f"{side}-VALUE(RESULT", "VALUE(RESULT")
        return f"{both}\n |\n | function VALUE(state{window}): MAX-VALUE or MIN-VALUE, by who moves"
    for side in ("min", "max"):
        both = both.replace(f"{name}-{side}(p′", f"{name}(p′")
    return f"{both}\n |\n | function {name}(p{window}): {name}-max or {name}-min, by who moves"


def _both(half: str, conventions: Conventions, head: str) -> str:
    """Both halves of a form: that of MAX, then that of MIN."""
    texts = []
    for side, words in _WORDS.items():
        if conventions.cut == ">":
            words = {**words, "is": words["is"].replace("≥", ">").replace("≤", "<")}
        lines = []
        for line in half.strip("\n").format(**words).splitlines():
            tags, _, shown = line.partition("|")
            lines.append(f"{' '.join(f'{side} {tag}' for tag in tags.split())}|{shown}")
        texts.append("\n".join(lines))
    if conventions.form == "bound" and head:
        first = (
            f" | function {head} returns a value\nmax leaf min leaf |   if J is a leaf then return its payoff"
        )
        return f"{first}\n{texts[0]}\n{texts[1]}"
    return f"{texts[0]}\n |\n{texts[1]}"


def _read(text: str) -> Listing:
    lines: list[str] = []
    numbers: dict[str, int] = {}
    for line in text.strip("\n").splitlines():
        tags, _, shown = line.partition("|")
        lines.append(shown.removeprefix(" ").rstrip())
        words = tags.split()
        for side, tag in zip(words[::2], words[1::2], strict=True):
            numbers[f"{side} {tag}"] = len(lines)
    return tuple(lines), numbers
