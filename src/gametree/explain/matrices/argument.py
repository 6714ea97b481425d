"""The argument about a matrix game in sentences, one step after the other, as a lecture makes it."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Literal

from gametree.search.matrix.dominance import dominance, pareto
from gametree.search.matrix.equilibria import equilibria, equilibrium
from gametree.search.matrix.results import Equilibrium, Removal, number
from gametree.strategic import Form, Profile

MOST_STEPS = 200
_MOST_CHOICES = 12
"""With more choices one good equilibrium is told, not all."""
Kind = Literal["start", "best response", "dominance", "equilibrium", "better for all"]
Mark = tuple[Profile, int]
"""A cell, and the player whose payoff there is marked."""


@dataclass(frozen=True)
class Step:
    """One sentence of the argument, and what the picture shows once it is said."""

    kind: Kind
    sentence: str
    cells: tuple[Profile, ...] = ()
    """The cells that the sentence is about."""
    marked: frozenset[Mark] = frozenset()
    """The payoffs that were found to be best responses so far."""
    gone: frozenset[tuple[int, int]] = frozenset()
    """The choices that were removed so far: the player and the choice."""
    solved: frozenset[Profile] = frozenset()
    """The cells that were found to be equilibria so far."""


def argument(form: Form) -> tuple[Step, ...]:
    """The whole argument: best responses, dominance, equilibria, and whether all could do better.

    >>> from gametree.games.matrix.classics import PrisonersDilemma
    >>> argument(PrisonersDilemma().form)[-1].sentence
    'All would gain by (silent, silent), with -1, -1 instead of -2, -2; but there A alone gains by betray.'
    """
    return tuple(_steps(form))


def _steps(form: Form) -> Iterator[Step]:
    marked: set[Mark] = set()
    names = " and ".join((", ".join(form.names[:-1]), form.names[-1])) if form.players > 1 else form.names[0]
    yield Step("start", f"{names} choose at the same time: nobody sees what the others choose.")
    for player in range(form.players):
        others = [range(size) if one != player else (0,) for one, size in enumerate(form.sizes)]
        for rest in product(*others):
            if len(marked) > MOST_STEPS:
                break
            step = _response(form, player, rest, marked)
            marked |= step.marked
            yield step
    shown = frozenset(marked)
    gone: set[tuple[int, int]] = set()
    for removal in dominance(form).removals:
        gone.add((removal.player, removal.choice))
        yield Step("dominance", _dominated(form, removal), _line(form, removal), shown, frozenset(gone))
    found = tuple(equilibria(form)) if max(form.sizes) <= _MOST_CHOICES else (equilibrium(form),)
    solved: set[Profile] = set()
    for one in found:
        if one.pure is not None:
            solved.add(one.pure)
        cells = (one.pure,) if one.pure is not None else tuple(product(*one.supports))
        yield Step("equilibrium", _stays(one), cells, shown, frozenset(gone), frozenset(solved))
    end = _conclusion(form, found)
    if end is not None:
        yield Step("better for all", end[0], (end[1],), shown, frozenset(gone), frozenset(solved))


def _response(form: Form, player: int, rest: Profile, marked: set[Mark]) -> Step:
    """What a player gets from each choice where the others' are known, and which is best."""
    worths = form.against(player, rest)
    best = form.best_responses(player, rest)
    names = form.choices[player]
    who = form.names[player]
    if_ = " and ".join(
        f"{name} chooses {form.choices[one][rest[one]]}"
        for one, name in enumerate(form.names)
        if one != player
    )
    gets = " and ".join(f"{number(worth)} from {name}" for worth, name in zip(worths, names))
    better = " and ".join(names[at] for at in best)
    told = f"{better} {'is' if len(best) == 1 else 'are'} best" if len(names) > 1 else "there is no choice"
    cells = tuple((*rest[:player], at, *rest[player + 1 :]) for at in range(len(names)))
    now = marked | {(cells[at], player) for at in best}
    start = f"If {if_}, " if if_ else ""
    return Step("best response", f"{start}{who} gets {gets}: {told}.", cells, frozenset(now))


def _dominated(form: Form, removal: Removal) -> str:
    """Why a choice goes, in a sentence."""
    sentence = removal.sentence
    names = form.choices[removal.player]
    again = "" if removal.round == 1 else "Among what is left, "
    start = sentence if again else sentence[0].upper() + sentence[1:]
    return f"{again}{start}: {form.names[removal.player]} never chooses {names[removal.choice]}."


def _line(form: Form, removal: Removal) -> tuple[Profile, ...]:
    """The cells of a choice among what is left."""
    sides = [some if one != removal.player else (removal.choice,) for one, some in enumerate(removal.left)]
    return tuple(product(*sides))


def _stays(one: Equilibrium) -> str:
    """Why nobody leaves an equilibrium."""
    form = one.form
    if one.pure is not None:
        worths = ", ".join(map(number, one.values))
        alone = "alone loses" if one.strict else "alone gains nothing"
        return (
            f"At {form.told(one.pure)} everybody gets {worths}, and whoever changes {alone}: an equilibrium."
        )
    parts = str(one).replace(" → ", ": everybody gets ")
    told = [
        f"{form.names[player]} finds {' and '.join(form.choices[player][at] for at in support)} worth the same"
        for player, support in enumerate(one.supports)
        if len(support) > 1
    ]
    return f"{parts}. {'; '.join(told)}: an equilibrium."


def _conclusion(form: Form, found: tuple[Equilibrium, ...]) -> tuple[str, Profile] | None:
    """Where there is one equilibrium and a cell that is better for all: that cell, and who would leave it."""
    if len(found) != 1:
        return None
    here = found[0].values
    for profile in pareto(form):
        there = form.payoffs[form.index(profile)]
        if all(a > b for a, b in zip(there, here)):
            for player in range(form.players):
                worths = form.against(player, profile)
                if max(worths) > worths[profile[player]]:
                    better = form.choices[player][worths.index(max(worths))]
                    return (
                        f"All would gain by {form.told(profile)}, with {', '.join(map(number, there))} instead of"
                        f" {', '.join(map(number, here))}; but there {form.names[player]} alone gains by {better}.",
                        profile,
                    )
    return None
