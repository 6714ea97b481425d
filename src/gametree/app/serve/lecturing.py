"""Answers to what a lecture asks: trees to step through, trees that a search looked at, exercises."""

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from gametree.app.serve.positions import Reached
from gametree.course.exercise import Exercise
from gametree.course.generation import make
from gametree.course.interactive import checked, sheet
from gametree.course.key import key_file
from gametree.course.recipe import Recipe, span
from gametree.documents.lecturing import SteppedDocument
from gametree.errors import InputError, UnsuitableError
from gametree.explain.explored import MOST_ROWS, Explored, explored, grown, remembered
from gametree.explain.pages.steps import apart, part
from gametree.explain.pictures.svg import svg
from gametree.explain.traces.conventions import Conventions
from gametree.explain.traces.serialization import data, node_data
from gametree.explain.traces.trace import suggest, trace
from gametree.game import offers, with_evaluation
from gametree.games.tree.game import Tree
from gametree.games.tree.outline import Outline, outline
from gametree.search.analyze import Engine
from gametree.search.mcts.search import MonteCarlo
from gametree.search.methods import even

MOST_TRACED: Final = 2_000
"""No larger tree is traced, where nobody says more."""
MOST_DRAWN: Final = 300
"""No larger tree is drawn step by step: the page would be many megabytes."""
MOST_EXPLORED: Final = 20_000
DEPTH: Final = 3
HASH_MB: Final = 8
SIMULATIONS: Final = 200
"""So many are played sooner than machine code for them is made."""

Request = Mapping[str, Any]
Reach = Callable[[Request], Reached]
Keep = Callable[[Any, Callable[[], Any]], Any]
"""keep(key, make): what was made for a key, for the next request."""


def traced(request: Request, reach: Reach) -> dict[str, Any]:
    """The trace of a search, for programs."""
    root = _root(request, reach, request.get("most", MOST_TRACED))
    method = request.get("method", "auto")
    return {"trace": data(trace(root, suggest(root) if method == "auto" else method))}


def stepped(request: Request, reach: Reach) -> dict[str, Any]:
    """The trace of a search, for a page to step through."""
    root = _root(request, reach, MOST_DRAWN)
    if "values" in request:
        root = root.with_values(request["values"])
    wished = request.get("method", "auto")
    method: Any = suggest(root) if wished == "auto" else wished
    kept = _conventions(request)
    told, why = None, ""
    try:
        told = trace(root, method, kept)
    except (InputError, UnsuitableError) as error:
        # How numbers are given to a function is nothing for a page.
        why = str(error).partition(" To trace the search")[0].removesuffix(".")
    found: SteppedDocument = {
        "method": method,
        "nodes": [node_data(node, None) for node in root.walk()],
        "unknown": list(root.unknowns),
        "steps": None if told is None else part(told, boards="game" in request),
        "picture": None,
        "why": why,
    }
    if told is None:
        picture, style = apart(svg(root, conventions=kept, theme="auto"))
        found["picture"] = {"svg": picture, "style": style}
    return {"steps": found}


def explorable(request: Request, reach: Reach, keep: Keep) -> dict[str, Any]:
    """A portion of the tree that a search looked at. The tree is kept for the portions to come."""
    about = {name: request[name] for name in request if name not in ("id", "path", "rows", "priority")}
    tree: Explored = keep(("explore", json.dumps(about, sort_keys=True)), lambda: _searched(request, reach))
    return {"explore": tree.portion(request.get("path", ()), request.get("rows", MOST_ROWS))}


def _searched(request: Request, reach: Reach) -> Explored:
    """Searches, and shows what the search looked at."""
    depth, most = request.get("depth", DEPTH), request.get("most", MOST_EXPLORED)
    method = request.get("method", "auto")
    if method in ("mcts", "engine") and "game" not in request:
        raise InputError(f"explore by {method} takes a game: a written tree is searched as a whole")
    if method == "engine":
        at = reach(request)
        engine = Engine(at.game, hash_mb=HASH_MB, compile="never" if depth <= DEPTH else "auto")
        found = engine.analyze(at.state, depth=max(1, depth), history=at.history)
        return remembered(engine.tree, found, at.state, depth)
    if method == "mcts":
        at = reach(request)
        simulations = request.get("simulations", SIMULATIONS)
        thinker = MonteCarlo(at.game, compile="never" if simulations <= SIMULATIONS else "auto")
        thinker.analyze(at.state, simulations=simulations, history=at.history)
        return grown(thinker.tree, depth)
    root = _root({"depth": DEPTH, **request}, reach, most, boards=False, judged=True)
    return explored(trace(root, suggest(root) if method == "auto" else method))


def exercise(request: Request, reach: Reach) -> dict[str, Any]:
    """An exercise by its recipe and seed."""
    given = {name: request[name] for name in ("kind", "depth", "cuts", "deep_cut") if name in request}
    given |= {name: span(request[name], name) for name in ("branching", "values") if name in request}
    recipe = Recipe(**given, parts=tuple(request.get("parts", ())), conventions=_conventions(request))
    return {"exercise": sheet(make(recipe, request.get("seed", 0)))}


def marked(request: Request, reach: Reach) -> dict[str, Any]:
    """Marks for answers."""
    return {"check": checked(Exercise.from_dict(request["exercise"]), request["answers"])}


def solved(request: Request, reach: Reach) -> dict[str, Any]:
    """The key, for one who gives up."""
    return {"solution": key_file(Exercise.from_dict(request["exercise"]))}


TASKS: Final[dict[str, Callable[[Request, Reach], dict[str, Any]]]] = {
    "trace": traced,
    "steps": stepped,
    "exercise": exercise,
    "check": marked,
    "solution": solved,
}
"""What can be asked besides `explore`, by what `do` says."""


def _root(request: Request, reach: Reach, most: int, *, boards: bool = True, judged: bool = False) -> Outline:
    """What is searched; `judged`: where the rules judge no position, nobody is ahead at the depth."""
    if ("tree" in request) == ("game" in request):
        raise InputError(f"{request['do']} takes a tree, or a game")
    if "tree" in request:
        return outline(Tree.parse(request["tree"]), most=most)
    at = reach(request)
    if judged and not offers(at.game, "evaluate"):
        judging = with_evaluation(at.game, even(at.game))
        return outline(judging, at.state, request.get("depth"), most=most, boards=boards)
    return outline(at.game, at.state, request.get("depth"), most=most, boards=boards)


def _conventions(request: Request) -> Conventions:
    given = request.get("conventions", {})
    known = Conventions.__dataclass_fields__
    for name in given:
        if name not in known:
            raise InputError(f"there is no convention {name!r}; there are: {', '.join(known)}")
    return Conventions(**given)
