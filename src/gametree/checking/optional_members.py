"""Judging the optional members of a game at one state: judgement, order, keys, clock, text."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from gametree.checking.asking import (
    Answers,
    Asker,
    Failure,
    Trouble,
    problem,
    remark,
    short,
    slug,
    warning,
    who,
)
from gametree.checking.elements import TOLERANCE, Ends, follower, hashable, number, repeated, whole
from gametree.checking.hints import hints
from gametree.checking.relations import Node
from gametree.checking.snapshot import equal, same
from gametree.errors import GametreeError
from gametree.game import Game

_MOST_NAMES = 60
_NONSENSE = "\N{BULLET} no such thing \N{BULLET}"


def optional_members(
    asker: Asker, state: Any, start: Any, answers: Answers, thorough: bool
) -> Iterator[Trouble]:
    """What is wrong with the optional members at a state."""
    game = asker.game
    if answers.terminal is False:
        for method in asker.evaluations:
            yield from _evaluation(game, method, answers)
        yield from _features(game, answers)
        yield from _ordering(answers)
        yield from _null(asker, start, answers)
        yield from _threats(asker, answers)
    for method in ("key", "repetition_key"):
        key = answers.get(method)
        if not hashable(key):
            yield problem(
                f"{slug(method)}-unhashable",
                f"`{method}` returned {short(key)}, which cannot be hashed",
                "Return a number, a string or a tuple of these",
            )
    for player in range(game.players):
        seen = answers.get("observe", player)
        if not hashable(seen):
            yield problem(
                "observe-unhashable",
                f"`observe` returned {short(seen)} for {who(game, player)}, which cannot be hashed",
                "Return a number, a string or a tuple of these",
            )
    yield from _clock(answers)
    if thorough:
        yield from _symmetries(asker, state, start, answers)
        yield from hints(asker, state, answers)
        if asker.offers & {"board", "touches"}:
            # Imported late: `import gametree` does without boards.
            from gametree.checking.boards import boards

            yield from boards(asker, state, start, answers)
        yield from _text(asker, state, answers)


# --- judgement --------------------------------------------------------------------------------------


def _evaluation(game: Game, method: str, answers: Answers) -> Iterator[Trouble]:
    values = []
    for player in range(game.players):
        said = answers.said.get((method, player))
        if isinstance(said, Failure):
            return
        value = number(said)
        if value is None:
            missing = ": is a `return` missing?" if said is None else ""
            yield problem(
                f"{slug(method)}-number",
                f"`{method}` returned {short(said)} for {who(game, player)}{missing}",
                "An evaluation is a number",
            )
            return
        values.append(value)
    if game.players == 2 and number(game.total) is not None:
        yield from _viewpoint(game, method, values)


def outbid(
    game: Game, methods: Sequence[str], ends: Ends, nodes: Sequence[Node]
) -> Iterator[tuple[Node, Trouble]]:
    """Estimates beyond the wins and losses that were seen, where a search takes them for better than a win.

    Where `payoffs` says what a win is, a win found is beyond every estimate for `analyze` and its like, and an
    evaluation may have any scale: only a textbook search to a depth compares the two as they stand.
    """
    if not ends.seen:
        return
    declared: Any = game.payoffs
    known = declared is not None and tuple(declared) == (ends.least, ends.greatest)
    least, greatest = (ends.least, ends.greatest) if declared is None or not ends.by_margin else declared
    for method in methods:
        for node in nodes:
            if node.answers.terminal is not False:
                continue
            beyond = _beyond(game, method, least, greatest, node)
            if beyond is None:
                continue
            player, value = beyond
            what = (
                f"`{method}` returned {value:.6g} for {who(game, player)}, and `utility` at the ends that were seen is"
                f" {ends.least:g} to {ends.greatest:g}"
            )
            seen = f"`payoffs = ({ends.least:g}, {ends.greatest:g})`"
            if known:
                yield (
                    node,
                    remark(
                        f"{slug(method)}-range",
                        what,
                        "`analyze` puts every win before every estimate, as `payoffs` says what a win is; minimax"
                        " and alphabeta to a depth compare payoffs as they stand: such an estimate is more than a win",
                    ),
                )
            elif declared is None:
                yield (
                    node,
                    warning(
                        f"{slug(method)}-range",
                        what,
                        f"Such an estimate counts for more than a win, which a search then declines: declare {seen}",
                    ),
                )
            else:
                low, high = declared
                yield (
                    node,
                    warning(
                        f"{slug(method)}-range",
                        what,
                        f"A win counts as one where it is an end of `payoffs`, which is ({low:g}, {high:g}), and such"
                        f" an estimate for more: declare {seen}, if `utility` is never beyond",
                    ),
                )
            break


def _beyond(game: Game, method: str, least: float, greatest: float, node: Node) -> tuple[int, float] | None:
    """A player and an estimate that is no less than a win, or no more than a loss."""
    for player in range(game.players):
        value = number(node.answers.get(method, player))
        if value is not None and not least < value < greatest:
            return player, value
    return None


def _viewpoint(game: Game, method: str, values: list[float]) -> Iterator[Trouble]:
    assert game.total is not None
    expected = game.total - values[0]
    if values[1] != expected and not abs(values[1] - expected) <= TOLERANCE * max(1.0, *map(abs, values)):
        mover_first = "it seems to judge for the player to move: judge for the player in the argument"
        yield warning(
            f"{slug(method)}-viewpoint",
            f"`{method}` returned {values[0]:.6g} for {who(game, 0)} and {values[1]:.6g} for {who(game, 1)}, which"
            f" is not {game.total:g} − {values[0]:.6g}",
            f"Searches for two players ask for {who(game, 0)} only; "
            + (mover_first if values[0] == values[1] else "what is good for one is bad for the other"),
        )


def _features(game: Game, answers: Answers) -> Iterator[Trouble]:
    for player in range(game.players):
        features = answers.get("features", player)
        if features is None:
            continue
        odd = next((one for one in features if number(one) is None), None)
        if any(number(one) is None for one in features):
            yield problem(
                "features-number",
                f"`features` gives {short(odd)} for {who(game, player)}",
                "Features are numbers",
            )
            return
        weights = game.weights
        if weights is not None and hasattr(weights, "__len__") and len(weights) != len(features) + 1:
            yield problem(
                "features-weights",
                f"`features` gives {len(features)} numbers for {who(game, player)}, but there are"
                f" {len(weights)} weights",
                "The first weight stands alone, every feature has one more: w0 + w1·f1 + … + wn·fn",
            )
            return


def weights_missing(asker: Asker) -> Iterator[Trouble]:
    """`features` alone makes no evaluation."""
    if "features" in asker.offers and asker.lacks_weights:
        yield problem(
            "weights-missing",
            "`features` is defined, but `weights` is None",
            "Set `self.weights` in `__init__` to w0, w1 … wn, or define `evaluate`",
        )


def _ordering(answers: Answers) -> Iterator[Trouble]:
    for i, action in enumerate(answers.moves[:20]):
        said = answers.said.get(("order", i), 0)
        if not isinstance(said, Failure) and number(said) is None:
            yield problem(
                "order-number",
                f"`order` returned {short(said)} for the action {short(action)}",
                "Return a number: bigger ones are looked at earlier",
            )
            break
    tactical = answers.get("tactical")
    if tactical:
        actions = answers.moves
        known = set(actions) if all(map(hashable, [*actions, *tactical])) else actions
        foreign = [action for action in tactical if action not in known]
        if foreign:
            yield problem(
                "tactical-subset",
                f"`tactical` gives {short(foreign[0])}, which is not among `actions`: {short(actions)}",
                "Tactical actions are some of the legal ones",
            )
        elif len(tactical) > len(actions):
            yield problem(
                "tactical-duplicate",
                f"`tactical` gives {short(repeated(tactical))} more than once",
                "Give every action once",
            )


def _null(asker: Asker, start: Any, answers: Answers) -> Iterator[Trouble]:
    passed = answers.get("null")
    if passed is None:
        return
    looks = list(follower(start, passed, "null"))
    yield from looks
    if looks:
        return
    mover = asker.collect(passed, only_essential=True).mover
    if mover is not None and equal(mover, answers.mover):
        yield problem(
            "null-mover",
            f"`null` leaves the turn with {who(asker.game, mover)}",
            "Passing hands the turn over: return the state where somebody else moves, or None where"
            " passing makes no sense",
        )


def _threats(asker: Asker, answers: Answers) -> Iterator[Trouble]:
    for i, action in enumerate(answers.moves):
        foreseen, after = answers.get("threatens", i), answers.get("result", i)
        if foreseen is None or after is None:
            continue
        seen = asker.ask("threatened", after)
        if not isinstance(seen, Failure) and bool(seen) != bool(foreseen):
            yield problem(
                "threatens-truth",
                f"`threatens` returned {short(foreseen)} for the action {short(action)}, and `threatened` says"
                f" {short(seen)} of the state after it",
                "Both answer one question, before an action and after it. Without `threatens` it is asked after it",
            )
            return


def _clock(answers: Answers) -> Iterator[Trouble]:
    clock = answers.get("clock")
    if clock is None:
        return
    if not whole(clock) or isinstance(clock, bool) or clock < 0:
        yield problem(
            "clock-number",
            f"`clock` returned {short(clock)}",
            "It counts the plies that are left: a whole number of at least 0, or None",
        )
    elif clock == 0 and answers.terminal is False:
        yield problem(
            "clock-zero",
            "`clock` returned 0, but `is_terminal` says that the game is not over",
            "At 0 the rule has ended the game: let `is_terminal` be true, or count one more",
        )


# --- identity ---------------------------------------------------------------------------------------


def _symmetries(asker: Asker, state: Any, start: Any, answers: Answers) -> Iterator[Trouble]:
    for twin in (answers.get("symmetries") or [])[:16]:
        looks = list(follower(start, twin, "symmetries"))
        yield from looks
        if looks:
            return
        theirs = asker.collect(twin, only_essential=True)
        difference = _told_apart(asker.game, answers, theirs) or _told_apart_later(
            asker, answers, state, theirs, twin
        )
        if difference:
            yield problem(
                "symmetries",
                f"`symmetries` gives {short(twin)}, but there {difference}",
                "Symmetric states are the same but for how they look: turn or mirror everything in the state",
            )
            return


def _told_apart(game: Game, ours: Answers, theirs: Answers) -> str:
    """What shows that two states are not the same thing turned around; empty where nothing does."""
    if ours.terminal != theirs.terminal:
        return "the game is over" if theirs.terminal else "the game is not over"
    if not equal(ours.mover, theirs.mover):
        return f"{who(game, theirs.mover)} moves, not {who(game, ours.mover)}"
    if len(ours.moves) != len(theirs.moves):
        return f"are {len(theirs.moves)} actions, not {len(ours.moves)}"
    payoffs = [(key, said) for key, said in ours.said.items() if key[0] == "utility"]
    if not all(equal(said, theirs.said.get(key)) for key, said in payoffs):
        return "the utilities differ"
    return ""


def _told_apart_later(asker: Asker, ours: Answers, state: Any, theirs: Answers, twin: Any) -> str:
    """The same one ply later: a wrong mirror often shows only in what can follow."""
    if ours.at_chance or ours.endless or len(ours.moves) > _MOST_NAMES:
        return ""

    def children(parent: Any, moves: list[Any]) -> Counter[tuple[Any, ...]]:
        found: Counter[tuple[Any, ...]] = Counter()
        for move in moves:
            child = asker.ask("result", parent, move)
            if child is None or isinstance(child, Failure):
                continue
            answers = asker.collect(child, only_essential=True)
            found[answers.terminal, len(answers.moves), number(answers.get("utility", 0))] += 1
        return found

    return "" if children(state, ours.moves) == children(twin, theirs.moves) else "other states follow"


# --- text -------------------------------------------------------------------------------------------


def _text(asker: Asker, state: Any, answers: Answers) -> Iterator[Trouble]:
    shown = answers.get("show")
    if "show" in asker.offers and not isinstance(shown, str):
        if not isinstance(answers.said.get(("show",)), Failure):
            yield problem("show-text", f"`show` returned {short(shown)}", "Return a text")
    elif "parse_state" in asker.offers:
        yield from _parse_state(asker, state, shown)
    # The default `parse_action` reads all of `actions`, and would not come back.
    if answers.terminal is False and not answers.at_chance and "actions" not in asker.endless:
        yield from _names(asker, state, answers.moves[:_MOST_NAMES])


def _names(asker: Asker, state: Any, actions: list[Any]) -> Iterator[Trouble]:
    names: dict[str, Any] = {}
    for action in actions:
        name = asker.ask("name_action", state, action)
        if isinstance(name, Failure):
            yield name.trouble()
            return
        if not isinstance(name, str) or not name.strip():
            yield problem(
                "name-action-text",
                f"`name_action` returned {short(name)} for the action {short(action)}",
                "Return a text that is not empty",
            )
            return
        if name in names and not same(names[name], action):
            yield problem(
                "name-action-unique",
                f"`name_action` calls both {short(names[name])} and {short(action)} {name!r}",
                "Give every action of a state a name of its own",
            )
            return
        names[name] = action
    for name, action in list(names.items())[:20]:
        parsed = asker.ask("parse_action", state, name)
        if isinstance(parsed, Failure) or not equal(parsed, action):
            got = parsed.what if isinstance(parsed, Failure) else f"`parse_action` returned {short(parsed)}"
            yield problem(
                "parse-action",
                f"{got} for the text {name!r}, which `name_action` gives to {short(action)}",
                "`parse_action` has to understand every name that `name_action` gives",
            )
            return
    if "parse_action" in asker.offers:
        yield from _refusal(asker, "parse_action", state, _NONSENSE)


def _parse_state(asker: Asker, state: Any, shown: str | None) -> Iterator[Trouble]:
    yield from _refusal(asker, "parse_state", _NONSENSE)
    if shown is None:
        return
    parsed = asker.ask("parse_state", shown)
    if not isinstance(parsed, Failure) and not same(parsed, state):
        yield remark(
            "parse-state",
            f"`parse_state` reads what `show` prints as {short(parsed)}",
            "That is another state. It is allowed, but a board copied from the screen then misleads",
        )


def _refusal(asker: Asker, method: str, *arguments: Any) -> Iterator[Trouble]:
    """What cannot be understood is to be refused in words, by an InputError or another ValueError."""
    try:
        answer = getattr(asker.game, method)(*arguments)
    except (GametreeError, ValueError):
        return
    except Exception as error:  # the slip that is looked for
        what = f"`{method}` raised {type(error).__name__} ({error})"
    else:
        what = f"`{method}` returned {short(answer)}"
    yield warning(
        f"{slug(method)}-refusal",
        f"{what} for the text {arguments[-1]!r}",
        "Raise `gametree.InputError` with words that say what can be written instead",
    )
