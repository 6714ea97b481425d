"""`gametree exercise`: homework made."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, get_args

import typer

from gametree.app import options
from gametree.app.options import Json, Seed
from gametree.app.options import as_json as json_text
from gametree.app.output import require_endings
from gametree.course.exercise import Exercise, spec_from_json
from gametree.course.formats import files
from gametree.course.formats.files import ENDINGS, MOST_STUDENTS
from gametree.course.formats.moodle import moodle
from gametree.course.generation import make_set, of_tree
from gametree.course.key import key_file
from gametree.course.recipe import Depends, Recipe, Root, Ties, span
from gametree.documents.teaching import Kind
from gametree.errors import InputError
from gametree.explain.traces.conventions import Conventions
from gametree.games.tree.game import Chance, Tree
from gametree.games.tree.outline import Outline, outline
from gametree.reading import parse, text_of


@dataclass(frozen=True)
class OfPosition:
    """A position of a game whose tree is asked about."""

    game: Annotated[
        str | None,
        typer.Option(metavar="GAME", help="The tree below a position of a game, or your own file."),
    ] = None
    settings: options.Settings = None
    position: options.Position = None
    played: options.Played = None
    plies: Annotated[int | None, typer.Option(metavar="N", help="With --game: plies below the position.")] = (
        None
    )
    merge: Annotated[bool, typer.Option("--merge", help="With --game: mirror images are one move.")] = False

    def spec(self, tree: str | None) -> tuple[Any, tuple[int, ...]]:
        """The tree as nested lists, and who moves at its levels."""
        if tree is not None:
            if self.game is not None:
                raise InputError("give --tree or --game, not both")
            given = Path(tree)
            text = (
                text_of(given) if not tree.lstrip().startswith(("[", "(", "{")) and given.is_file() else tree
            )
            found = Tree.parse(text)
            return spec_from_json(parse(found.to_json(), "the tree")), (0, 1)
        situation = options.Situation(self.game or "", self.settings, self.position, self.played)
        rules, state, _ = situation.stand()
        root = outline(rules, state, self.plies, merge_symmetric=self.merge)
        first = root.player or 0
        movers = tuple((first + at) % rules.players for at in range(rules.players))
        _require_turns(root, movers, 0)
        return _nested(root), movers


def _require_turns(node: Outline, movers: tuple[int, ...], turn: int) -> None:
    """Refuses a tree in which the players do not move in turn, level by level."""
    if node.is_leaf:
        return
    if node.kind != "chance":
        if node.player != movers[turn % len(movers)]:
            raise InputError(
                "in this tree a player moves out of turn: write it as a tree of your own with --tree"
            )
        turn += 1
    for child in node.children:
        _require_turns(child, movers, turn)


def _nested(node: Outline) -> Any:
    if node.is_leaf:
        payoff = node.payoff
        return int(payoff) if isinstance(payoff, float) and payoff.is_integer() else payoff
    below = [_nested(child) for child in node.children]
    if node.kind == "chance":
        return Chance(
            [(child.probability or 0.0, one) for child, one in zip(node.children, below, strict=True)]
        )
    return below


def exercise(
    *,
    kind: Annotated[
        Kind, typer.Option(metavar="NAME", help=f"What it is about: {', '.join(get_args(Kind))}.")
    ] = "alphabeta",
    depth: Annotated[int, typer.Option(metavar="N", help="Levels of moves; chance counts as one.")] = 3,
    branching: Annotated[str, typer.Option(metavar="RANGE", help="Children of a node: 2, or 2-3.")] = "2-3",
    seed: Seed = 0,
    values: Annotated[
        str, typer.Option(metavar="RANGE", help="Values of leaves: 0..20, or -9..9.")
    ] = "0..20",
    ties: Annotated[
        Ties,
        typer.Option(metavar="any|none|best", help="Equal leaves: any; none; best for several best moves."),
    ] = "any",
    cuts: Annotated[int | None, typer.Option(metavar="N", help="Exactly so many cuts.")] = None,
    deep_cut: Annotated[bool, typer.Option("--deep-cut", help="At least one deep cut.")] = False,
    ragged: Annotated[bool, typer.Option("--ragged", help="Leaves at different depths.")] = False,
    root: Annotated[Root, typer.Option(metavar="max|min", help="Who moves first.")] = "max",
    depends: Annotated[
        Depends,
        typer.Option(metavar="any|yes|no", help="With --kind unknown: whether the root depends on x."),
    ] = "any",
    parts: Annotated[
        str, typer.Option(metavar="LIST", help="What is asked, for example values,move,best-order.")
    ] = "",
    count: Annotated[
        int | None, typer.Option(metavar="N", help="A set: N exercises, seeds from --seed on.")
    ] = None,
    names: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A set: one exercise for each name, a name a line.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="PATH",
            help=f"Write it, by its ending: {' '.join(ENDINGS.values())}; a folder for a set.",
        ),
    ] = None,
    form: Annotated[
        str,
        typer.Option(
            "--format", metavar="LIST", help=f"What is printed, or put into a folder: {', '.join(ENDINGS)}."
        ),
    ] = "",
    key: Annotated[bool, typer.Option("--key", help="The key too.")] = False,
    tree: Annotated[
        str | None, typer.Option(metavar="TREE", help="Not a tree drawn at random but this one, or a file.")
    ] = None,
    below: OfPosition,
    attempts: Annotated[int, typer.Option(metavar="N", help="Give up after so many trees.")] = 5_000,
    conventions: options.Conventions,
    as_json: Json = False,
) -> None:
    """Makes an exercise on a game tree, or one for each student, with a key.

    \b
    Examples:
      gametree exercise --kind alphabeta --depth 3 --branching 2-3 --seed 7
      gametree exercise --depth 4 --branching 2 --deep-cut --key --out hw.html
      gametree exercise --names class.txt --format html,pdf --key --out week5/
      gametree exercise --kind minimax --count 30 --out bank.xml
      gametree exercise --tree "[[3,12,8],[2,4,6],[14,5,2]]" --parts windows,cuts
      gametree exercise --game tic-tac-toe --position "XOX/.O./X.O" --out hw.html

    Without --out it is printed as Markdown, or as JSON with --json. A set of exercises goes into a folder, with the
    JSON that `gametree grade` needs beside each, and keys in a folder of their own; or into one .xml for Moodle.
    """
    forms = _forms(form)
    is_set = count is not None or names is not None
    if out is not None:
        _require_form(out, forms, is_set)
    own = tree is not None or below.game is not None
    least, greatest = span(values, "--values")
    if least == greatest:
        raise InputError(
            f"--values {values}: all leaves would be equal, and nothing to be found; give a range, such as 0..20"
        )
    recipe = Recipe(
        kind=kind,
        depth=depth,
        branching=span(branching, "--branching"),
        values=(least, greatest),
        ties=ties,
        cuts=cuts,
        deep_cut=deep_cut,
        ragged=ragged,
        root=root,
        depends=depends,
        parts=tuple(word.strip() for word in parts.split(",") if word.strip()),
        conventions=Conventions(**conventions.keywords()),
        attempts=attempts,
    )
    students = _students(count, names)
    if own:
        if cuts is not None or deep_cut or ragged or ties != "any" or depends != "any":
            raise InputError(
                "--cuts, --deep-cut, --ragged, --ties and --depends are wishes for a random tree"
            )
        made = of_tree(recipe, *below.spec(tree), students)
    else:
        made = make_set(recipe, seed, students)
    if out is None:
        _print(made, forms or ["json" if as_json else "markdown"], key)
        return
    written = _save(made, out, forms, key, is_set=is_set)
    if as_json:
        print(json_text({"files": [str(file) for file in written]}))
    elif len(written) <= 4:
        print(*written, sep="\n")
    else:
        print(f"{len(written)} files in {out}")


def _require_form(out: Path, forms: list[str], is_set: bool) -> None:
    """Refuses a file that cannot hold what was asked for, before anything is made."""
    into_folder = is_set and out.suffix.lower() not in (".xml", ".zip")
    if forms and not into_folder:
        raise InputError(f"--format is for a set in a folder, or without --out: the ending of {out} says it")
    if not into_folder:
        require_endings([out], list(ENDINGS.values()))


def _students(count: int | None, names: Path | None) -> list[str]:
    if names is not None:
        found = files.read_names(names)
        if count is not None and count != len(found):
            raise InputError(f"--count {count} and {len(found)} names in {names}: leave --count out")
        return found
    if count is not None and not 1 <= count <= MOST_STUDENTS:
        raise InputError(f"--count {count}: a set has 1 to {MOST_STUDENTS:,} exercises")
    return [""] * (count or 1)


def _forms(text: str) -> list[str]:
    forms = [word.strip().lower() for word in text.split(",") if word.strip()]
    forms = ["markdown" if form == "md" else form for form in forms]
    for form in forms:
        if form not in ENDINGS:
            raise InputError(f"--format {form}: it is {', '.join(ENDINGS)}, or several with commas between")
    return forms


def _print(made: list[Exercise], forms: list[str], key: bool) -> None:
    if len(forms) != 1 or forms[0] in ("pdf", "qti"):
        raise InputError(f"--format {','.join(forms)}: say with --out where it is to be written")
    (form,) = forms
    if form == "json":
        data: list[Any] = [one.to_dict() for one in made]
        if key:
            data = [{"exercise": plain, "key": key_file(one)} for plain, one in zip(data, made)]
        print(json_text(data[0] if len(data) == 1 else data))
        return
    if form == "moodle":
        print(moodle(made), end="")
        return
    texts = []
    for one in made:
        texts.append(files.written(one, form).decode())
        if key:
            texts.append(files.written_key(one, form).decode())
    print("\n---\n\n".join(texts), end="")


def _save(made: list[Exercise], out: Path, forms: list[str], key: bool, *, is_set: bool) -> list[Path]:
    if is_set and out.suffix.lower() in (".xml", ".zip"):
        return [files.put(out, files.bank(made, files.format_of(out)))]
    if is_set:
        return files.write_set(made, out, forms or ["html"], key=key)
    return files.write(made[0], out, files.format_of(out), key=key)
