"""What a book says of a position, as an `Analysis`."""

import dataclasses
from typing import Final

from gametree.game import names_of
from gametree.result import Analysis, Move
from gametree.search.books.scores import Book
from gametree.search.core.task import Task
from gametree.search.solve.exact import answers

METHOD: Final = "opening book"


def from_book(book: Book, task: Task, lines: int = 1) -> Analysis | None:
    """The proven value of a position and so many of its best lines; None where not all that follows is in the book."""
    game, state = task.game, task.state
    found = book.score(game, state)
    if found is None:
        return None
    known = answers.analysis(task, found, METHOD)
    best = sorted(found.moves, key=lambda pair: -pair[1])[:lines]
    told = []
    for action, margin in best:
        line = (action, *book.line(game, game.result(state, action)))
        names = names_of(game, state, line)
        value = answers.worth(game, state, margin, found.player)
        told.append(Move(action, value, "exact", names[0], True, line, names))
    return dataclasses.replace(known, lines=tuple(told))
