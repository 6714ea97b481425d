"""`gametree explain`: a tree, searched before your eyes."""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from gametree.app import failures, options, trace_steps
from gametree.app.explained_matrix import Explained
from gametree.app.options import Ascii, Files, Json, MostStates, Played, Position, Settings
from gametree.app.options import as_json as json_text
from gametree.app.output import require_endings, write
from gametree.app.screen import width, wrapped
from gametree.app.searched import OfSearch, setting
from gametree.errors import GametreeError, InputError
from gametree.explain.derivation import derivation
from gametree.explain.pages.steps import page
from gametree.explain.pictures import export, slides
from gametree.explain.pictures.ascii import spelled, text_tree
from gametree.explain.pictures.lettering import shown
from gametree.explain.pictures.svg import Theme
from gametree.explain.strategy_tree import policy_outline
from gametree.explain.terms import seen_from, with_terms
from gametree.explain.traces.conventions import Conventions
from gametree.explain.traces.methods import METHODS
from gametree.explain.traces.notation import number
from gametree.explain.traces.running import READS, run
from gametree.explain.traces.serialization import data
from gametree.explain.traces.settings import USUAL
from gametree.explain.traces.settings import Settings as Asked
from gametree.explain.traces.trace import Trace, suggest, trace
from gametree.explain.unknowns.dependence import dependence
from gametree.game import Game, with_evaluation
from gametree.games.matrix.game import Matrix
from gametree.games.tree.game import Tree
from gametree.games.tree.outline import Outline, outline
from gametree.reading import text_of
from gametree.search.solve.strategy import strategy

ENDINGS = (*export.FORMATS, ".html", ".json")
"""What one step is written as, and what the whole search."""
_EXAMPLE = '"[[3,12,8],[2,x,y],[14,5,2]]"'


@dataclass(frozen=True)
class OfGame:
    """A position of a game, and how much of the tree below it is wanted."""

    game: Annotated[
        str | None, typer.Option(metavar="GAME", help="Instead of a tree: a game's name, or your own file.")
    ] = None
    settings: Settings = None
    position: Position = None
    played: Played = None
    depth: Annotated[int | None, typer.Option(metavar="N", help="Plies below the position.")] = None
    merge_symmetric: Annotated[bool, typer.Option("--merge", help="Merge moves that are mirror images.")] = (
        False
    )
    evaluation: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="One of the game's evaluations, for the states at the --depth."),
    ] = None
    max: Annotated[
        str | None,
        typer.Option("--max", metavar="PLAYER", help="Who is MAX: a player's name or number."),
    ] = None
    strategy: Annotated[
        bool, typer.Option("--strategy", help="The mover's best strategy against every answer.")
    ] = False
    most_states: MostStates = 200_000

    def stand(self, tree: str | None) -> tuple[Game, Any]:
        """The rules and the position."""
        if tree is not None:
            raise InputError("give a tree or --game, not both")
        at = options.Situation(self.game or "", self.settings, self.position, self.played)
        rules, state, _ = at.stand()
        return rules if self.evaluation is None else with_evaluation(rules, self.evaluation), state

    def player(self, game: Game) -> int:
        """Who is MAX."""
        if self.max is None:
            return 0
        names = [name.casefold() for name in game.player_names]
        if self.max.casefold() in names:
            return names.index(self.max.casefold())
        if self.max in ("0", "1"):
            return int(self.max)
        known = ", ".join((*game.player_names, "0", "1"))
        raise InputError(f"--max {self.max}: {type(game).__name__} has the players {known}")

    def outline(self, tree: str | None, most: int) -> Outline:
        """The tree below the position."""
        rules, state = self.stand(tree)
        if not self.strategy:
            root = outline(rules, state, self.depth, merge_symmetric=self.merge_symmetric, most=most)
            player = self.player(rules)
            root = with_terms(root, rules, player, self.evaluation)
            return root if self.max is None else seen_from(root, player, float(rules.total or 0))
        if self.max is not None or self.evaluation is not None:
            raise InputError("--strategy goes to the end of the game: leave --max and --evaluation out")
        if self.depth is not None:
            raise InputError("--strategy goes to the end of the game: leave --depth out")
        return policy_outline(strategy(rules, state, most_states=self.most_states), most=most)

    def given(self) -> list[str]:
        """The options that were given and mean nothing without a game."""
        given = {
            "--set": self.settings,
            "--position": self.position,
            "--moves-played": self.played,
            "--merge": self.merge_symmetric,
            "--strategy": self.strategy,
            "--evaluation": self.evaluation,
            "--max": self.max,
        }
        return [name for name, value in given.items() if value is not None and value is not False]


@dataclass(frozen=True)
class Pictures:
    """How files are drawn."""

    theme: Annotated[
        Theme, typer.Option(metavar="NAME", help="The colours of pictures: light, dark, or auto.")
    ] = "light"
    title: Annotated[str, typer.Option(metavar="TEXT", help="Above the picture.")] = ""
    slides: Annotated[
        bool,
        typer.Option(
            "--slides",
            help="All steps: --out a .pdf of pages, .tex (Beamer), .gif, an animated .svg, or numbered tree-#.svg.",
        ),
    ] = False
    boards: Annotated[
        bool | None, typer.Option("--boards/--no-boards", help="Draw the game's positions at the nodes.")
    ] = None


def explain(
    tree: Annotated[
        str | None,
        typer.Argument(
            metavar="TREE",
            help="The tree as text, a file with it, or - for standard input; nothing with --game.",
            show_default=False,
        ),
    ] = None,
    *,
    method: Annotated[
        str, typer.Option(metavar="NAME", help=f"Which search: auto, {', '.join(METHODS)}.")
    ] = "auto",
    steps: Annotated[
        bool, typer.Option("--steps", help="Every step: with keys in a terminal, else all in a row.")
    ] = False,
    step: Annotated[int | None, typer.Option(metavar="N", help="Draw the tree after N steps.")] = None,
    values: Annotated[
        list[str] | None,
        typer.Option("--value", metavar="NAME=NUMBER", help="A number for an unknown leaf; may be repeated."),
    ] = None,
    movers: Annotated[
        str | None,
        typer.Option(metavar="LIST", help="Who moves at each level, for example MIN,MAX or 0,2; 0 is MAX."),
    ] = None,
    below: OfGame,
    of_search: OfSearch,
    matrix: Annotated[
        str | None,
        typer.Option(
            "--matrix",
            metavar="MATRIX",
            help="A matrix of payoffs, or a file with it: dominance, equilibria.",
        ),
    ] = None,
    as_tree: Annotated[
        bool, typer.Option("--as-tree", help="A matrix game as a tree with its information sets.")
    ] = False,
    most: Annotated[int, typer.Option(metavar="N", help="Look at no tree of more nodes than this.")] = 500,
    derive: Annotated[
        bool, typer.Option("--derive", help="Work the value out as max and min, line by line.")
    ] = False,
    conventions: options.Conventions,
    form: Annotated[
        Literal["aima", "bound", "value-move"],
        typer.Option(metavar="NAME", help="Which pseudo-code: aima, bound, or value-move."),
    ] = "aima",
    out: Annotated[
        Files,
        typer.Option(metavar="FILE", help=f"Write it, by its ending: {' '.join(ENDINGS)}; may be repeated."),
    ] = None,
    drawn: Pictures,
    as_json: Json = False,
    ascii_only: Ascii = False,
) -> None:
    """Searches a tree and shows what happens: values, α and β, what is cut and why, what x and y change.

    An .html file is a page to step through, a .tex file a document, a .tikz file the picture alone; .png and .pdf need
    the extra `draw`.

    \b
    Examples:
      gametree explain "[[3,12,8],[2,x,y],[14,5,2]]" --steps
      gametree explain homework.txt --method minimax --out tree.svg --out tree.tex
      gametree explain --matrix "A/B s b; s -1,-1 -3,0; b 0,-3 -2,-2" --as-tree
      gametree explain --game tic-tac-toe --position "XOX/.O./X.O" --out it.html
      gametree explain "[[3,12,8],[2,4,6]]" --method mcts --simulations 20 --steps
      gametree explain --game checkers --method quiescence --depth 2 --most 2000

    \b
    The first of these draws
      MAX                  A [3] α=3 β=∞
              ┌────────────────┼──────────────┐
              ┃                │              │
      MIN  B (3) α=−∞ β=3  C (≤2) α=3 β=∞  D (2) α=3 β=5
           ┌───┼──┐         ┌──┼──┐        ┌──┼──┐
           ┃   │  │         │  ╪  ╪        │  │  │
           3  12  8         2  x  y       14  5  2
    and says that the value is 3 whatever x and y are, because C
    was left after its first leaf.
    """
    files = out or []
    found = _matrix(matrix, tree, below)
    if found is not None:
        explained = Explained(found, drawn.theme, drawn.title, step, as_tree)
        explained.write(files)
        if as_json:
            print(json_text(explained.data()))
        else:
            explained.show(ascii_only)
        return
    if as_tree:
        raise InputError(
            "--as-tree draws a matrix as a tree: give one with --matrix, or name a matrix game with --game"
        )
    _require_files(files, drawn.slides, step)
    kept = Conventions(**conventions.keywords(), form=form)
    # What the rules of a user's game print must not get between the lines of JSON.
    with redirect_stdout(sys.stderr if as_json else sys.stdout):
        seen = _seen(tree, movers, below, of_search, most, method, kept, values or ())
    needs = {"--json": as_json, "--steps": steps, "--step": step is not None}
    needs["--slides"] = drawn.slides
    needs |= {f"--out {file}": file.suffix.lower() in (".html", ".json") for file in files}
    seen.require([option for option, asked in needs.items() if asked])
    boards = below.game is not None if drawn.boards is None else drawn.boards
    _write(seen, files, step, boards, drawn)
    if as_json:
        print(seen.json())
    elif derive:
        for line in derivation(seen.root):
            print(shown(line) if not ascii_only else spelled(line))
    else:
        seen.show(steps=steps, step=step, ascii_only=ascii_only)


def _require_files(files: Sequence[Path], all_steps: bool, step: int | None) -> None:
    """Refuses files that cannot be written, before anything is searched."""
    if not all_steps:
        if moving := [file for file in files if file.suffix.lower() == ".gif" or "#" in file.name]:
            raise InputError(f"--out {moving[0]}: that is for all steps: say --slides, too")
        require_endings(files, ENDINGS)
        return
    if step is not None:
        raise InputError("--slides shows every step: leave --step out")
    if not files:
        raise InputError(f"--slides: name a file with --out; its ending is {', '.join(slides.KINDS)}")
    require_endings(files, slides.KINDS)
    if odd := [file for file in files if "#" in file.name and file.suffix.lower() != ".svg"]:
        raise InputError(f"--out {odd[0]}: numbered pictures are .svg, for example tree-#.svg")


def _write(seen: "Seen", files: Sequence[Path], step: int | None, boards: bool, drawn: Pictures) -> None:
    """Writes the files: of one step, or of all."""
    if not drawn.slides:
        for file in files:
            write(file, seen.content(file.suffix.lower(), step, boards, drawn))
        return
    assert seen.trace is not None
    scenes = slides.slides(seen.trace, boards=boards, title=drawn.title)
    for file in files:
        if "#" in file.name:
            for name, picture in slides.numbered(scenes, file.name, drawn.theme):
                write(file.with_name(name), picture)
        else:
            write(file, slides.content(scenes, file.suffix.lower(), drawn.theme))


def _matrix(text: str | None, tree: str | None, below: OfGame) -> Matrix | None:
    """The matrix game that is to be explained; None where it is a tree."""
    if text is None:
        if below.game is None:
            return None
        rules = options.Situation(below.game, below.settings).stand().game
        return rules if isinstance(rules, Matrix) else None
    if tree is not None or below.game is not None:
        raise InputError("give a tree, --game or --matrix, not two of them")
    if given := [*below.given(), *(["--depth"] if below.depth is not None else [])]:
        raise InputError(f"{', '.join(given)} is about a game: name it with --game, without a matrix")
    path = Path(text)
    return Matrix.parse(
        text_of(path) if text != "-" and _is_file(path) else sys.stdin.read() if text == "-" else text
    )


# --- which tree -------------------------------------------------------------------------------------


def _of_text(text: str | None, movers: str | None, start: OfGame) -> Tree:
    """The tree that a text, or the file it names, describes."""
    if text is None:
        raise InputError(f"there is nothing to explain: give a tree, for example {_EXAMPLE}, or --game")
    if start.given():
        raise InputError(f"{', '.join(start.given())} is about a game: name it with --game, without a tree")
    order = (0, 1)
    if movers is not None:
        try:
            order = tuple(_mover(word.strip()) for word in movers.split(","))  # type: ignore[assignment]
        except ValueError:
            raise InputError(
                f"--movers {movers}: write MAX, MIN or numbers, for example MIN,MAX or 0,2"
            ) from None
    try:
        return Tree.parse(_read(text), order)
    except InputError as error:
        if "\n" not in str(error):
            raise
        # The lines below the message point at the place.
        print(f"gametree: {error}", file=sys.stderr)
        raise typer.Exit(failures.BAD_INPUT) from None


def _mover(word: str) -> int:
    """A player by number; MAX is 0, MIN is 1."""
    return {"MAX": 0, "MIN": 1}[word.upper()] if word.upper() in ("MAX", "MIN") else int(word)


def _read(text: str) -> str:
    """The text of the tree: what was given, or what is in the file that it names."""
    if text == "-":
        return sys.stdin.read()
    if text.lstrip().startswith(("[", "(", "{")) or "\n" in text:
        return text
    path = Path(text)
    if _is_file(path):
        return text_of(path)
    if path.suffix or "/" in text or "\\" in text:
        raise InputError(f"{text} does not exist; a tree is written like {_EXAMPLE}")
    return text


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a text too long to be a name
        return False


# --- the search -------------------------------------------------------------------------------------


def _seen(
    tree: str | None,
    movers: str | None,
    below: OfGame,
    of_search: OfSearch,
    most: int,
    method: str,
    kept: Conventions,
    values: Sequence[str],
) -> "Seen":
    """The tree of the text or of the game, and the search on it."""
    if method != "auto" and method not in METHODS:
        raise InputError(f"--method {method}: it is auto, {', '.join(METHODS)}")
    by_rules = below.game is not None and method in READS and not below.strategy
    settings = of_search.settings(below.depth if by_rules or below.game is None else None)
    if by_rules:
        rules, state = below.stand(tree)
        if below.max is not None:
            raise InputError(f"--max is not for --method {method}: its MAX is the first player")
        if values:
            raise InputError(f"--value is for trees with unknown leaves; {type(rules).__name__} has none")
        told = run(rules, method, kept, {}, settings, state, most)  # type: ignore[arg-type]
        return Seen(told.outline, told.conventions, told)
    if below.game is not None:
        # Nothing is cut off a strategy: it is there to be read whole.
        which = "minimax" if below.strategy and method == "auto" else method
        return search(below.outline(tree, most), which, kept, values, settings)
    found = _of_text(tree, movers, below)
    numbers = dict(setting("--value", text) for text in values)
    if method == "mcts":
        told = run(found, "mcts", kept, {}, settings, None, most)
        return Seen(told.outline, told.conventions, told)
    return _searched(outline(found, most=most), method, kept, numbers, settings)


def search(
    root: Outline, method: str, kept: Conventions, values: Sequence[str], settings: Asked = USUAL
) -> "Seen":
    """Searches a tree; where unknown leaves are in the way, says so later."""
    return _searched(root, method, kept, dict(setting("--value", text) for text in values), settings)


def _searched(
    root: Outline, method: str, kept: Conventions, numbers: dict[str, float], settings: Asked
) -> "Seen":
    if numbers:
        root = root.with_values(numbers)
    which: Any = suggest(root) if method == "auto" else method
    try:
        told = trace(root, which, kept, settings=settings)
        return Seen(told.outline, told.conventions, told)
    except InputError as error:
        if not root.unknowns:
            raise
        return Seen(root, kept, None, error)


def _looked_at(told: Trace) -> str:
    if told.method == "mcts":
        rounds = sum(event.kind == "start" for event in told.events)
        return f"mcts made {rounds} simulations, and a tree of {told.outline.size} nodes"
    leaves = len(told.outline.leaves)
    return f"{told.method} looked at {len(set(told.leaves) & _ends(told))} of {leaves} leaves"


def _ends(told: Trace) -> set[tuple[int, ...]]:
    return {leaf.path for leaf in told.outline.leaves}


@dataclass(frozen=True)
class Seen:
    """A tree, and the search on it; without one, why there is none."""

    root: Outline
    kept: Conventions
    trace: Trace | None
    missing: InputError | None = None

    def require(self, options: Sequence[str]) -> None:
        """Refuses options that need a search where there is none."""
        if options and self.missing is not None:
            raise InputError(
                f"{', '.join(options)}: {self.missing}. Numbers are given with --value, for example --value"
                f" {self.root.unknowns[0]}=3"
            )

    def json(self) -> str:
        """The trace, and what the value has to do with unknown leaves."""
        assert self.trace is not None
        return json_text({**data(self.trace), "unknown": list(self._depends())})

    # --- in the terminal ----------------------------------------------------------------------------

    def show(self, *, steps: bool, step: int | None, ascii_only: bool) -> None:
        """The steps where they are wanted, the picture, the result."""
        encoding = (getattr(sys.stdout, "encoding", None) or "ascii").lower()
        unicode = not ascii_only and encoding.startswith("utf")
        if steps and self.trace is not None:
            if sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb":
                trace_steps.step_through(self.trace, unicode=unicode)
            else:
                print(*trace_steps.sentences(self.trace, unicode), sep="\n", end="\n\n")
        subject = self.trace or self.root
        print(text_tree(subject, step=step, columns=width(), unicode=unicode, conventions=self.kept))
        print()
        for line in self._told() if step is None else self._so_far(step):
            print(wrapped(line if unicode else spelled(line), width(), hanging=2))

    def _so_far(self, step: int) -> Iterator[str]:
        """What has happened up to a step: the result is told at the last one only."""
        told = self.trace
        assert told is not None
        snapshot, last = told.at(step), len(told.events)
        said = shown(snapshot.event.sentence) if snapshot.event else "Nothing has been looked at yet."
        yield f"step {step} of {last}: {said}"
        if step == last:
            yield from self._told()

    def _told(self) -> list[str]:
        """The result in a few lines."""
        told, lines = self.trace, []
        if told is not None:
            line = f"value {number(told.value)}"
            if told.move is not None:
                best = told.outline.at(told.move)
                line += f", best move {shown(best.move)}" + (f" to {shown(best.name)}" if best.name else "")
            lines += [line, _looked_at(told)]
            lines += [event.sentence for event in told.events if event.kind == "end"]
        lines += self._depends()
        if self.missing is not None:
            lines.append(
                "No search is shown: it would need numbers for unknown leaves; give them with --value."
            )
        return lines

    def _depends(self) -> Iterator[str]:
        """What the value has to do with the unknown leaves."""
        if self.root.unknowns:
            try:
                yield shown(dependence(self.root).sentence)
            except GametreeError as error:
                yield shown(str(error))

    # --- in files -----------------------------------------------------------------------------------

    def content(self, ending: str, step: int | None, boards: bool, drawn: Pictures) -> str | bytes:
        """What a file with this ending holds."""
        if ending == ".json":
            return self.json() + "\n"
        if ending == ".html":
            assert self.trace is not None
            return page(self.trace, title=drawn.title, boards=boards)
        return export.bytes_of(
            self.trace or self.root,
            ending,
            theme=drawn.theme,
            boards=boards,
            step=step,
            conventions=self.kept,
            title=drawn.title,
        )
