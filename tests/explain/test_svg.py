"""Pictures as SVG: what they show, that nothing lies upon anything else, and that names stay text."""

import random
import re
from collections import Counter
from collections.abc import Iterator
from itertools import product
from statistics import fmean
from typing import Any
from xml.etree import ElementTree

import pytest

import oracle
from explain.gallery import AIMA, DEEP, GOLDEN, PICTURES, gamble, position, three_players
from explain.hostile import NAMES
from gametree import Board, Cell, Game, Piece, games
from gametree.errors import InputError
from gametree.explain.pictures import export
from gametree.explain.pictures.boards import Drawn, drawn
from gametree.explain.pictures.drawing import Drawing
from gametree.explain.pictures.lettering import clipped, shown, width
from gametree.explain.pictures.picture import Picture
from gametree.explain.pictures.scene import BOARD_LOOKS, LOOKS, THEMES, Ellipse, Polygon, Scene, Text
from gametree.explain.pictures.svg import svg
from gametree.explain.pictures.svg import written as as_text
from gametree.explain.pictures.tikz import tikz
from gametree.explain.traces.conventions import Conventions
from gametree.explain.traces.trace import Trace, trace
from gametree.games.tree.game import Chance, Tree
from gametree.games.tree.outline import Outline, outline

SVG = "{http://www.w3.org/2000/svg}"
TAGS = {"svg", "title", "desc", "style", "rect", "g", "polyline", "polygon", "ellipse", "text"}


def parse(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)


def written(text: str) -> list[str]:
    """The letters of a picture, line by line."""
    return [element.text or "" for element in parse(text).iter(f"{SVG}text")]


def group(root: ElementTree.Element, key: str) -> ElementTree.Element:
    (found,) = root.findall(f"{SVG}g[@data-key='{key}']")
    return found


def classes(element: ElementTree.Element) -> list[str]:
    return [child.get("class", "") for child in element if child.tag != f"{SVG}title"]


# --- golden files -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_the_one_that_was_looked_at(name: str) -> None:
    assert PICTURES[name]() == (GOLDEN / f"{name}.svg").read_text(encoding="utf-8")


def test_no_golden_picture_is_left_over() -> None:
    assert {path.stem for path in GOLDEN.glob("*.svg")} == PICTURES.keys()


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_complete_in_itself(name: str) -> None:
    text = PICTURES[name]()
    root = parse(text)
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= TAGS
    assert not re.search(r"(?i)href|url\(|@import|\bon\w+=|javascript:|<!|\bid=", text)
    assert (
        root.get("role") == "img" and root.get("viewBox") == f"0 0 {root.get('width')} {root.get('height')}"
    )
    assert root.find(f"{SVG}title") is not None and root.find(f"{SVG}desc") is not None
    rules = re.findall(r"^(\S[^{]*)\{", (root.find(f"{SVG}style").text or "").strip(), re.MULTILINE)  # type: ignore[union-attr]
    assert all(rule.startswith((".gt-tree.gt-", "@media screen")) for rule in rules)


# --- what is shown ----------------------------------------------------------------------------------


def test_max_is_square_and_min_is_round_or_they_are_triangles() -> None:
    def figures(text: str) -> list[str]:
        root = parse(text)
        return [group(root, key)[0].tag.removeprefix(SVG) for key in ("n", "n0")]

    assert figures(svg(AIMA)) == ["rect", "ellipse"]
    triangles = svg(AIMA, conventions=Conventions(shapes="triangles"))
    assert figures(triangles) == ["polygon", "polygon"]
    up, down = (group(parse(triangles), key)[0].get("points", "") for key in ("n", "n0"))
    tops = [min(float(point.split(",")[1]) for point in points.split()) for points in (up, down)]
    at_top = [
        sum(float(point.split(",")[1]) == top for point in points.split())
        for points, top in zip((up, down), tops)
    ]
    assert at_top == [1, 2]


@pytest.mark.parametrize(("shapes", "figure"), [("squares-circles", "polygon"), ("triangles", "ellipse")])
def test_chance_has_the_figure_that_is_left(shapes: Any, figure: str) -> None:
    root = parse(svg(gamble(), conventions=Conventions(shapes=shapes)))
    assert group(root, "n0")[0].tag == f"{SVG}{figure}"


def test_cut_branches_are_marked_by_shape_and_by_name() -> None:
    told = trace(DEEP)
    root = parse(svg(told))
    (cut,) = told.cuts
    for path in cut.skipped:
        edge = group(root, "e" + ".".join(map(str, path)))
        assert classes(edge) == ["gt-edge-cut", "gt-slash", "gt-slash"]
    assert LOOKS["edge-cut"].dashes and not LOOKS["edge"].dashes
    letters = [
        "".join(part.itertext())
        for part in group(root, "n" + ".".join(map(str, cut.path))).findall(f"{SVG}text")
    ]
    assert {"deep", "α-cut", "≤5"} <= set(letters)


def test_the_best_line_is_emphasised_and_nothing_else() -> None:
    told = trace(DEEP)
    root = parse(svg(told))
    best = {element.get("data-key") for element in root.iter(f"{SVG}g") if "gt-edge-best" in classes(element)}
    assert best == {"e" + ".".join(map(str, path)) for path in told.line}
    assert LOOKS["edge-best"].width > 2 * LOOKS["edge"].width


def test_a_step_shows_the_current_node_and_what_has_not_been_seen() -> None:
    told = trace(AIMA)
    step = next(at for at, event in enumerate(told.events, 1) if event.path == (1, 0))
    root = parse(svg(told, step=step))
    assert classes(group(root, "n1.0"))[0] == "gt-leaf-current"
    assert classes(group(root, "n2"))[0] == "gt-node-unseen"
    assert classes(group(root, "n2.0")) == ["gt-leaf-unseen", "gt-unseen"]
    assert LOOKS["leaf-unseen"].dashes and LOOKS["node-unseen"].dashes


def minimax(node: Outline) -> float:
    """The value of a node, by looking at all that is below it."""
    if isinstance(node.payoff, float):
        return node.payoff
    return (max if node.kind == "max" else min)(map(minimax, node.children))


@pytest.mark.parametrize(("cut", "fail"), [(">=", "soft"), (">=", "hard"), (">", "soft"), (">", "hard")])
def test_a_number_without_a_sign_is_the_value_and_one_with_a_sign_bounds_it(cut: Any, fail: Any) -> None:
    rng = random.Random(6)
    met = set()
    for _ in range(60):
        spec = oracle.random_tree_spec(rng, depth=4, branching=3, high=rng.choice((2, 9)), leaf=0.2)
        direction: Any = rng.choice(["left-to-right", "right-to-left"])
        told = trace(outline(spec, most=2000), conventions=Conventions(cut, fail, direction=direction))
        picture, truth = Picture(told), {node.path: minimax(node) for node in told.outline.walk()}
        for step in {len(told.events), rng.randint(1, len(told.events))}:
            snapshot = told.at(step)
            for node in told.outline.walk():
                if node.children and snapshot.marks[node.path].status == "done":
                    said = picture.writing(node, snapshot).inside
                    sign, drawn = said.strip("-−0123456789"), float(said.strip("≤≥").replace("−", "-"))
                    met.add(sign)
                    assert sign or truth[node.path] == drawn
                    assert sign != "≤" or truth[node.path] <= drawn
                    assert sign != "≥" or truth[node.path] >= drawn
    assert met == {"", "≤", "≥"}


def test_a_bound_met_at_the_last_child_is_drawn_as_a_bound() -> None:
    told = trace([[3, 12, 8], [2, 4, 6], [14, 5, 2]], conventions=Conventions(fail="hard", form="bound"))
    # D is worth 2; it returns α, which is 3.
    assert told.values[2,] == 3 and "≤3" in [one.text for one in group(parse(svg(told)), "n2")]


@pytest.mark.parametrize("direction", ["left-to-right", "right-to-left"])
def test_an_expected_value_is_no_bound_however_it_is_added_up(direction: Any) -> None:
    rng = random.Random(8)
    for _ in range(50):
        spec = Chance([(0.1, rng.random()), (0.2, rng.random()), (0.7, rng.random())])
        told = trace([spec, spec], "expectiminimax", Conventions(direction=direction))
        assert not re.search("[≤≥]", "".join(written(svg(told))))


ESTIMATED = ("tic-tac-toe", "XX./.../.OO")


def test_estimates_look_different_from_what_the_rules_say_and_the_caption_says_how() -> None:
    told = trace(position(*ESTIMATED, 1), "minimax")
    assert [leaf.estimated for leaf in told.outline.leaves] == [False, True, True, True, True]
    lines = written(svg(told))
    assert [line for line in lines if line.strip("≈").isdigit()] == ["2", "1", "≈1", "≈2", "≈2", "≈2"]
    assert lines[-1].endswith("≈ estimated")
    assert "[1, ≈1, ≈2, ≈2, ≈2]" in svg(told) and "≈ estimated" not in svg(trace(AIMA))


def test_intervals_stand_beside_the_nodes_at_every_step() -> None:
    told = trace(AIMA, conventions=Conventions(bounds="intervals"))
    for step, snapshot in enumerate(told.snapshots()):
        letters = written(svg(told, step=step))
        seen = [
            mark
            for path, mark in snapshot.marks.items()
            if len(path) < 2 and mark.status not in ("unseen", "cut")
        ]
        wanted = sorted(f"[{text(mark.low)}, {text(mark.high)}]" for mark in seen)
        assert sorted(line for line in letters if line.startswith("[")) == wanted


def text(value: float | None) -> str:
    assert value is not None
    return {float("inf"): "∞", float("-inf"): "−∞"}.get(value, f"{value:g}")


CONVENTIONS = [
    Conventions(cut, fail, bounds, shapes, direction)  # type: ignore[arg-type]
    for cut, fail, bounds, shapes, direction in product(
        (">=", ">"),
        ("soft", "hard"),
        ("alpha-beta", "intervals"),
        ("squares-circles", "triangles"),
        ("left-to-right", "right-to-left"),
    )
]


def test_every_picture_names_its_conventions() -> None:
    captions = set()
    for conventions in CONVENTIONS:
        root = parse(svg(trace([[3, 12, 8], [2, 4, 6]], conventions=conventions)))
        lines = [line.text or "" for line in root.iter(f"{SVG}text") if line.get("class") == "gt-caption"]
        captions.add(" · ".join(lines))
    assert len(captions) == len(CONVENTIONS)


def test_payoff_vectors_and_players_are_written() -> None:
    letters = written(svg(trace(three_players(), "maxn")))
    assert letters.count("(4, 3, 2)") == 3
    assert len([line for line in letters if "player" in line and "·" not in line]) == 2


def test_moves_are_named_where_they_have_a_name_or_where_asked() -> None:
    assert {"risky", "safe", "0.5"} <= set(written(svg(gamble())))
    assert "gt-move" not in "".join(svg(AIMA).split("</style>")[1])
    assert svg(AIMA, moves=True).count('class="gt-move"') == 12
    assert "risky" not in written(svg(gamble(), moves=False))


def test_merged_moves_say_how_many_they_stand_for() -> None:
    assert "a3 ×4" in written(svg(position("tic-tac-toe", depth=1)))


def test_a_single_leaf_is_a_picture() -> None:
    assert "5" in written(svg(5)) and "x" in written(svg("x"))


# --- boards -----------------------------------------------------------------------------------------


def at(name: str, text: str | None = None, **settings: Any) -> Drawn:
    """The drawing of a position of a shipped game."""
    game = games.load(name, **settings)
    return drawn(game.board(game.initial() if text is None else game.parse_state(text)))


def roles(drawing: Drawn) -> Counter[str]:
    return Counter(item.role for item in drawing.items)


def test_boards_of_crosses_and_noughts_are_drawn_with_strokes() -> None:
    drawing = at("tic-tac-toe", "X.O/.X./...")
    assert roles(drawing) == {"cell": 4, "cross": 4, "nought": 1} and not drawing.framed
    larger = at("tic-tac-toe", width=5, height=5)
    assert roles(larger)["cell"] == 12


def test_games_of_the_users_own_are_drawn_with_crosses_and_noughts_too() -> None:
    game: Game = idiom()
    tree = outline(game, depth=1)
    drawing = drawn(tree.children[0].board, tree.children[0].shown)
    assert roles(drawing) == {"cell": 4, "cross": 2}


def idiom() -> Game:
    from idioms.games.tictactoe import TicTacToe

    return TicTacToe()


def test_a_game_without_a_board_is_its_text_in_letters_of_one_width() -> None:
    drawing = drawn(None, "8  r n b\n   a b c\nWhite to move")
    lines = [item for item in drawing.items if isinstance(item, Text)]
    assert [line.text for line in lines][:2] == ["8  r n b", "   a b c"]
    assert drawing.framed and {line.role for line in lines} == {"letters"} and LOOKS["letters"].monospaced


def test_boards_of_checkers_are_drawn_with_men_and_kings_at_their_squares() -> None:
    drawing = at("checkers", "W:WK6,20,21,K31:B4,23,K22")
    square = drawing.width / 8
    middles = {
        item: (item.x, item.y)
        if isinstance(item, Ellipse)
        else (fmean(x for x, _ in item.points), fmean(y for _, y in item.points))
        for item in drawing.items
        if isinstance(item, (Ellipse, Polygon))
    }
    found = {(int(y // square), int(x // square)): item.role for item, (x, y) in middles.items()}
    assert found == {
        (0, 7): "man-black",
        (1, 2): "king-white",
        (4, 7): "man-white",
        (5, 0): "man-white",
        (5, 2): "king-black",
        (5, 4): "man-black",
        (7, 4): "king-white",
    }
    assert roles(drawing)["square"] == 32
    assert {item.text for item in drawing.items if isinstance(item, Text)} == {
        str(number) for number in range(1, 33) if number not in (4, 6, 20, 21, 22, 23, 31)
    }


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("chess", None, {"figure": 32, "wood": 32, "pale": 1}),
        ("connect-four", "4453", {"sky": 1, "man-red": 2, "man-yellow": 2, "plate": 38}),
        ("othello", "f5", {"felt": 1, "man-black": 4, "man-white": 1, "groove": 18}),
        ("go", "E5 C3", {"wood": 1, "man-black": 1, "man-white": 1, "groove": 18}),
        ("hex", "b2 a2", {"board": 121, "man-red": 1, "man-blue": 1}),
        ("chinese-checkers", None, {"spot": 121, "man-red": 10, "man-blue": 10}),
        (
            "backgammon",
            "31",
            {"pale": 1, "point": 12, "wood": 12, "man-white": 15, "man-black": 15, "caption": 1},
        ),
        ("nim", "5", {"letters": 2}),
        ("pig", "3 4 5", {"letters": 3}),
        ("mnk", "XXOY/..../..../....", {"cross": 4, "nought": 1, "number": 1}),
        ("ludo", None, {"man-red": 1, "man-blue": 1, "man-green": 1, "man-yellow": 1, "spot-safe": 8}),
    ],
)
def test_every_kind_of_board_has_its_own_drawing(
    name: str, text: str | None, expected: dict[str, int]
) -> None:
    found = roles(at(name, text))
    assert {role: found[role] for role in expected} == expected


def test_white_pieces_are_outlines_and_black_ones_are_solid() -> None:
    texts = Counter(item.text for item in at("chess").items if isinstance(item, Text))
    assert texts["♙"] == texts["♟"] == 8 and texts["♔"] == texts["♚"] == 1


def test_seeds_are_numbers_in_pits() -> None:
    board = Board("pits", (Cell("a", 0, 0, count=4), Cell("b", 1, 0, count=12)))
    assert [item.text for item in drawn(board).items if isinstance(item, Text)] == ["4", "12"]


def test_a_high_pile_has_a_number() -> None:
    pile = Board("points", (Cell("1", 0, 1, Piece("X", 0, "disc", "white"), 7),))
    drawing = drawn(pile)
    assert roles(drawing)["man-white"] == 5
    assert [item.text for item in drawing.items if isinstance(item, Text)] == ["7"]


def test_all_boards_of_a_game_of_checkers_are_of_one_size() -> None:
    game, rng = games.load("checkers"), random.Random(5)
    state, sizes = game.initial(), set()
    while True:
        drawing = drawn(game.board(state))
        assert not drawing.framed
        sizes.add((drawing.width, drawing.height))
        if game.is_terminal(state):
            break
        state = game.result(state, rng.choice(list(game.actions(state))))
    assert len(sizes) == 1


def test_only_pictures_with_such_boards_tell_how_they_look() -> None:
    assert "gt-felt" not in svg([1, 2]) and "gtfelt" not in tikz([1, 2])
    tree = outline(games.load("othello"), depth=1)
    for theme in ("light", "dark", "auto"):
        assert ".gt-felt{" in svg(tree, boards=True, theme=theme)
    assert "{gtfelt}" in tikz(tree, boards=True)


def test_pieces_of_chess_are_letters_in_latex() -> None:
    game = games.load("chess")
    text = tikz(outline(game, game.parse_state("4k3/8/8/8/8/8/8/4K2Q w - - 0 1"), 1), boards=True)
    assert "{K}" in text and "{k}" in text and "U+265" not in text


def test_what_stands_under_a_board_does_not_make_it_wider() -> None:
    rows = "3  . . k\n2  . q .\n1  . K .\n   a b c"
    plain, told = drawn(None, rows), drawn(None, f"{rows}\na draw: nobody can mate")
    lines = [item.text for item in told.items if isinstance(item, Text)]
    assert lines[4:] == ["a draw:", "nobody", "can mate"] and told.width == plain.width


def test_a_huge_board_is_shortened() -> None:
    drawing = drawn(None, "\n".join(["x" * 500] * 500))
    assert len(drawing.items) == 20 and drawing.width < 300


# --- nothing lies upon anything else ----------------------------------------------------------------


def random_spec(rng: random.Random, depth: int) -> Any:
    if depth == 0 or rng.random() < 0.15:
        return rng.choice([rng.randint(-9, 9), rng.randint(-9999, 9999), round(rng.uniform(-5, 5), 3)])
    children = [random_spec(rng, depth - 1) for _ in range(rng.randint(1, 4))]
    if rng.random() < 0.3:
        return {f"{'move' * rng.randint(1, 5)}{at}": child for at, child in enumerate(children)}
    if rng.random() < 0.1:
        return Chance([(1 / len(children), child) for child in children])
    return children


def random_trace(rng: random.Random) -> Trace:
    root = outline(Tree(random_spec(rng, rng.randint(1, 4))), most=2000)
    chance = any(node.kind == "chance" for node in root.walk())
    method: Any = "expectiminimax" if chance else rng.choice(["alphabeta", "minimax"])
    return trace(root, method, rng.choice(CONVENTIONS))


def letters(scene: Scene) -> Iterator[tuple[float, float, float, float, str]]:
    """The box of every line of text."""
    for part in scene.groups:
        for item in part.items:
            if isinstance(item, Text):
                wide = width(item.text, item.size, bold=(LOOKS | BOARD_LOOKS)[item.role].bold)
                left = item.x - {"start": 0, "middle": wide / 2, "end": wide}[item.anchor]
                yield left, left + wide, item.y - 0.74 * item.size, item.y + 0.2 * item.size, item.text


def check_letters(scene: Scene) -> None:
    boxes = sorted(letters(scene))
    for at, (left, right, top, bottom, said) in enumerate(boxes):
        assert left >= -0.1 and right <= scene.width + 0.1 and top >= -0.1 and bottom <= scene.height + 0.1, (
            said
        )
        for left2, _, top2, bottom2, other in boxes[at + 1 :]:
            if left2 >= right - 0.1:
                break
            assert top2 >= bottom - 0.1 or bottom2 <= top + 0.1, (said, other)


def test_no_text_lies_on_another_at_any_step() -> None:
    rng = random.Random(11)
    for _ in range(60):
        told = random_trace(rng)
        check_letters(Drawing(Picture(told)).scene())
        drawing = Drawing(Picture(told, steps=True, moves=rng.choice([None, True])))
        for step in {0, len(told.events), *(rng.randint(0, len(told.events)) for _ in range(4))}:
            check_letters(drawing.at(told.at(step)))


def test_boards_leave_room_for_each_other() -> None:
    for told in (
        trace(position("tic-tac-toe", depth=2), "minimax"),
        trace(position("checkers", depth=1), "minimax"),
    ):
        drawing = Drawing(Picture(told, boards=True))
        check_letters(drawing.scene())
        for node in told.outline.walk():
            place, drawn = drawing.plan.places[node.path], drawing.boards[node.path]
            assert min(place.left, place.right) * 2 >= drawn.width and place.height > drawn.height


# --- for pages that show one step after the other ---------------------------------------------------


def parts(text: str) -> tuple[list[tuple[str, str]], str]:
    """The keyed groups of a picture in their order, and the rest."""
    found = re.findall(r'<g class="(?:node|edge)" data-key="([^"]*)">(.*?)</g>', text)
    rest = re.sub(r'(<g class="(?:node|edge)" data-key="[^"]*">).*?</g>', r"\1</g>", text)
    return found, rest


def film(told: Trace, theme: Any = "light") -> list[str]:
    return [as_text(scene, theme) for scene in Drawing(Picture(told, steps=True)).scenes()]


def test_between_steps_nothing_changes_but_the_groups_with_a_key() -> None:
    told = trace(AIMA)
    films = [parts(picture) for picture in film(told, "auto")]
    assert len(films) == len(told.events) + 1
    assert len({rest for _, rest in films}) == 1
    assert len({tuple(key for key, _ in found) for found, _ in films}) == 1
    assert [key for key, _ in films[0][0]][:3] == ["e0", "e0.0", "e0.1"] and "n" in dict(films[0][0])
    assert len({tuple(found) for found, _ in films}) > 10


def test_a_film_shows_what_single_pictures_show() -> None:
    rng = random.Random(4)
    for told in [random_trace(rng) for _ in range(8)]:
        shown = film(told)
        for step in {0, len(shown) - 1, rng.randrange(len(shown)), rng.randrange(len(shown))}:
            assert shown[step] == svg(told, step=step)


# --- names are text ---------------------------------------------------------------------------------


def hostile_tree() -> Outline:
    """Every hostile text as a move, as an unknown leaf and in a board."""
    moves = {f"{name}{at}": [name if name.strip() else "x", at] for at, name in enumerate(NAMES)}
    return outline(Tree(moves))


def test_hostile_names_are_text() -> None:
    drawn = svg(hostile_tree(), title=NAMES[0])
    root = parse(drawn.encode("utf-8", "strict").decode())
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= TAGS
    lines = {element.text for element in root.iter(f"{SVG}text")}
    for name in NAMES:
        if name.strip():
            assert clipped(shown(name), 24) in lines
    assert not any(ord(sign) < 32 for line in lines for sign in line or "")


def test_what_is_shortened_is_whole_in_a_note() -> None:
    notes = [element.text for element in parse(svg(["left" * 20, 1.23456789])).iter(f"{SVG}title")]
    assert notes[1:] == ["left" * 20, "1.23457"]


@pytest.mark.parametrize("name", NAMES)
def test_a_hostile_board_is_text(name: str) -> None:
    root = outline(Tree([1, 2]))
    nodes = [Outline((at,), "leaf", None, "", "m", None, 1.0, False, name, None, ()) for at in range(2)]
    tree = Outline((), "max", 0, name, "", None, None, False, name, root.state, tuple(nodes))
    assert parse(svg(tree, boards=True, title=name)).tag == f"{SVG}svg"


# --- themes -----------------------------------------------------------------------------------------


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, bright = sorted((luminance(one), luminance(other)))
    return (bright + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", THEMES)
def test_letters_and_lines_stand_out_when_projected(theme: str) -> None:
    colours = THEMES[theme]
    for name in ("ink", "muted", "accent", "cut"):
        assert min(contrast(colours[name], colours[behind]) for behind in ("paper", "panel")) >= 5, name
    assert contrast(colours["ink"], colours["marked"]) >= 4.5
    assert contrast(colours["ink"], colours["paper"]) >= 12


def test_the_theme_auto_follows_the_reader() -> None:
    text = svg(AIMA, theme="auto")
    light, dark = text.split("@media screen and (prefers-color-scheme: dark)")
    assert THEMES["light"]["ink"] in light and THEMES["dark"]["ink"] in dark


# --- notebooks --------------------------------------------------------------------------------------


def test_notebooks_show_trees_outlines_and_traces_as_pictures() -> None:
    tree = Tree([[3, 12], [2, "x"]])
    assert tree._repr_svg_() == svg(tree) == outline(tree)._repr_svg_()
    assert trace(AIMA)._repr_svg_() == svg(trace(AIMA))


def test_notebooks_show_a_tree_as_text_that_is_too_large_for_a_picture() -> None:
    assert Tree([[1] * 30] * 20)._repr_svg_() is None


# --- refusals and files -----------------------------------------------------------------------------


def test_what_cannot_be_drawn_is_refused() -> None:
    with pytest.raises(InputError, match="light, dark or auto"):
        svg(AIMA, theme="pink")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="steps 0 to"):
        svg(trace(AIMA), step=1000)
    with pytest.raises(InputError, match=r"ends in \.svg"):
        export.save(AIMA, "tree.gif")


def test_png_and_pdf_without_their_library_say_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(export, "import_module", missing)
    with pytest.raises(InputError, match=r"pip install 'gametree\[draw\]'"):
        export.png(svg(AIMA))

    def without_cairo(name: str) -> Any:
        raise OSError('no library called "cairo-2" was found\nmore')

    monkeypatch.setattr(export, "import_module", without_cairo)
    with pytest.raises(InputError, match="library cairo"):
        export.pdf(svg(AIMA))


def test_files_are_written_by_their_ending(tmp_path: Any) -> None:
    pytest.importorskip("cairosvg")
    begins = {
        ".svg": b"<svg ",
        ".png": b"\x89PNG",
        ".pdf": b"%PDF",
        ".tex": b"\\documentclass",
        ".tikz": b"\\begin{tikz",
    }
    for ending, begin in begins.items():
        file = export.save(trace(AIMA), tmp_path / f"tree{ending}", theme="auto", title="Größe")
        assert file.read_bytes().startswith(begin)
    assert "A [3]" in export.save(trace(AIMA), tmp_path / "tree.txt", title="x").read_text()
