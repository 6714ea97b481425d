"""What is asked, in words. The same words stand in every format."""

from dataclasses import dataclass
from typing import Final

from gametree.course.answers import NOT_VISITED
from gametree.course.exercise import POINTS, Exercise
from gametree.course.key import unknown_leaf

TITLES: Final = {
    "minimax": "Minimax",
    "alphabeta": "Alpha-beta",
    "expectiminimax": "Expectiminimax",
    "maxn": "Max^n",
    "unknown": "An unknown leaf",
    "ordering": "Move ordering",
}
LABELS: Final = {
    "values": "Values",
    "move": "Best move",
    "leaves": "Visited leaves",
    "cuts": "Cut branches",
    "windows": "α and β",
    "best-order": "Best order",
    "worst-order": "Worst order",
    "depends": "Does it matter?",
    "range": "Range",
    "threshold": "Which x?",
}


@dataclass(frozen=True)
class Question:
    """One part of an exercise as a student reads it."""

    part: str
    label: str
    points: int
    text: str


def title(exercise: Exercise) -> str:
    """The heading of an exercise."""
    return TITLES[exercise.kind]


def questions(exercise: Exercise) -> list[Question]:
    """The parts, in order.

    >>> [question.label for question in questions(Exercise("minimax", [[3, 12], [2, 4]]))]
    ['Values', 'Best move']
    """
    return [Question(part, LABELS[part], POINTS[part], _text(part, exercise)) for part in exercise.parts]


def introduction(exercise: Exercise) -> str:
    """How the tree is to be read."""
    naming = "Inner nodes have letters."
    if exercise.method == "alphabeta":
        first = exercise.outline.leaves[0]
        parent, place = exercise.names[first.path[:-1]], first.path[-1] + 1
        naming += (
            f" A leaf is called by its parent and its place there: {first.name} is child {place} of {parent}."
        )
    match exercise.kind:
        case "maxn":
            return (
                "Three players move in turn, the first at the root; a leaf gives a payoff to each. Each wants the"
                f" most for itself; of equally good moves the one that is looked at first is taken. {naming}"
            )
        case "expectiminimax":
            return f"At a chance node the branches carry their probabilities. Leaves are payoffs of MAX. {naming}"
        case "unknown":
            x, _ = unknown_leaf(exercise)
            return f"The leaf {x} may be any number. Leaves are payoffs of MAX. {naming}"
    return f"Leaves are payoffs of MAX. {naming}"


def rules(exercise: Exercise) -> str:
    """The conventions by which it is graded, on one line."""
    kinds = {node.kind for node in exercise.outline.walk() if node.children}
    return exercise.conventions.describe(exercise.method, kinds)


def _text(part: str, exercise: Exercise) -> str:
    fewest = part == "best-order"
    match part:
        case "values":
            return _values_text(exercise)
        case "move":
            return (
                "Which move is best at the root? Name the node it leads to, any of them if several are best."
            )
        case "leaves":
            return "Which leaves does alpha-beta look at? List them in the order in which it does."
        case "cuts":
            return (
                "Which branches are cut? Name the node at the lower end of each, only the uppermost where one lies"
                " below another, with the kind: an α-cut is at a MIN node, a β-cut at a MAX node. It is shallow"
                " where the parent set the bound, deep where a node further up did."
            )
        case "windows":
            return (
                "With which α and β is each inner node called? Write both, for example −∞ 3, and"
                f" {NOT_VISITED} for a node that the search does not come to."
            )
        case "best-order" | "worst-order":
            return (
                "Children of a node may change places. Put the leaves in an order, from left to right, in which"
                f" alpha-beta looks at {'as few' if fewest else 'as many'} leaves as possible. List every leaf."
            )
        case "depends":
            return f"Does the value of the root depend on {unknown_leaf(exercise)[0]}?"
        case "range":
            return (
                "What are the least and the greatest value that the root can have, whatever"
                f" {unknown_leaf(exercise)[0]} is? Write ∞ or −∞ where there is no bound."
            )
    x, towards = unknown_leaf(exercise)
    sign, side = ("≥", "from which") if exercise.outline.kind == "max" else ("≤", "up to which")
    return (
        f"For which {x} is {towards} a best move at the root (alone or with others)? Give the number {side} on that is"
        f" so, {x} {sign} …, or write always or never."
    )


def _values_text(exercise: Exercise) -> str:
    match exercise.method:
        case "alphabeta":
            return (
                "What does each inner node return? That is its value where the search looked at all that matters, and"
                f" a bound where it was cut. Write {NOT_VISITED} for a node that the search does not come to."
            )
        case "maxn":
            return "What is the payoff vector of each inner node?"
        case "expectiminimax":
            return "What is the value of each inner node? Two decimals are enough."
    return "What is the minimax value of each inner node?"
