"""Trees from text: brackets, JSON and indented lines; and from positions of games."""

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametree as gt
import oracle
from gametree.errors import InputError
from gametree.games.tree.game import Chance, Tree, Turn


def same(one: Tree, other: Tree) -> bool:
    """Whether two trees have the same nodes, movers, payoffs, odds and names."""
    return (
        one.show(0) == other.show(0)
        and one.spec().__repr__() == other.spec().__repr__()
        and one.to_json() == other.to_json()
        and list(one.mover) == list(other.mover)
    )


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("[[3,12,8],[2,x,y],[14,5,2]]", [[3, 12, 8], [2, "x", "y"], [14, 5, 2]]),
        (" [ [3, 12 , 8],\n [2, x, y],\n ] ", [[3, 12, 8], [2, "x", "y"]]),
        ("7", 7),
        ("x", "x"),
        ("[-1, −2.5, +3, .5, 1e2, 1/4, 2.]", [-1, -2.5, 3, 0.5, 100, 0.25, 2]),
        ("{left: 3, right: [1, 2]}", {"left": 3, "right": [1, 2]}),
        ('{"left": 3, "b c": ["x y", \'z\']}', {"left": 3, "b c": ["x y", "z"]}),
        ("{1: 3, 2: 4}", {"1": 3, "2": 4}),
        ("[(4,3,2), (7, 4, 1)]", [(4, 3, 2), (7, 4, 1)]),
        ("chance(0.5: 3, 1/2: [1, 2])", Chance([(0.5, 3), (0.5, [1, 2])])),
        ("[Chance(1: chance), x']", [Chance([(1, "chance")]), "x'"]),
        ("MIN[3, MIN{a: 5, b: MAX[1]}]", Turn(1, [3, Turn(1, {"a": 5, "b": Turn(0, [1])})])),
        ("[max, min, player]", ["max", "min", "player"]),
        ('{"chance": [[0.25, 3], [0.75, "x"]]}', Chance([(0.25, 3), (0.75, "x")])),
        ('[{"payoffs": [1, 2]}, {"payoffs": [3, 4]}]', [(1, 2), (3, 4)]),
        ('{"player": 1, "moves": [3, 4]}', Turn(1, [3, 4])),
        ('{"chance": 3, "payoffs": 4}', {"chance": 3, "payoffs": 4}),
        (r'["é\n", "\u00e9"]', ["é\n", "é"]),
        ("[größe, 左]", ["größe", "左"]),
    ],
)
def test_what_is_typed_is_the_tree_that_is_meant(text: str, spec: Any) -> None:
    assert same(Tree.parse(text), Tree(spec))


def test_movers_may_stand_in_the_json() -> None:
    text = '{"tree": [[{"payoffs": [4, 3, 2]}], [{"payoffs": [1, 5, 2]}]], "movers": [0, 2]}'
    assert same(Tree.parse(text), Tree([[(4, 3, 2)], [(1, 5, 2)]], movers=(0, 2)))
    assert Tree.parse('{"tree": [1, 0], "movers": [1], "total": 1, "payoffs": [0, 1]}').payoffs == (0, 1)
    assert Tree.parse("[1, 2]", movers=(1,)).player(0) == 1


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("MAX\n  MIN\n    3\n    12\n  MIN\n    2\n    x\n", [[3, 12], [2, "x"]]),
        ("a1:\n  3\n  12\na2:\n  2\n  x\n", {"a1": [3, 12], "a2": [2, "x"]}),
        ("a1\n  3\n  12\na2: 4", {"a1": [3, 12], "a2": 4}),
        ("-\n\t3\n\t12\n- # remark\n\n\tb: -4\n\tx # y", [[3, 12], {"b": -4, "2": "x"}]),
        ("MIN\n  MIN\n    1\n  b: MAX\n    2\n", Turn(1, {"1": Turn(1, [1]), "b": [2]})),
        ("chance\n  0.5: 3\n  0.5: MIN\n    1\n    2", Chance([(0.5, 3), (0.5, Turn(1, [1, 2]))])),
        (
            "l: chance\n  six (1/6): 1\n  other (5/6): 2\nr: 0",
            {"l": Chance([(1 / 6, 1), (5 / 6, 2)]), "r": 0},
        ),
        ("a: (1, 2)\nb: player 1\n  (3, 4)\n  (5, 6)", {"a": (1, 2), "b": [(3, 4), (5, 6)]}),
        ("a: [1, 2]\nb: {l: 3}\n[4, x]", {"a": [1, 2], "b": {"l": 3}, "3": [4, "x"]}),
        ('"a: b": 3\n"x y"\n"c"', {"a: b": 3, "2": "x y", "3": "c"}),
        ("3\n4", [3, 4]),
        ("2: 3\n1: 4", {"2": 3, "1": 4}),
        ("-: 3\n-: 4", [3, 4]),
    ],
)
def test_indented_lines_are_a_tree(text: str, spec: Any) -> None:
    assert same(Tree.parse(text), Tree(spec))


def random_spec(rng: random.Random, depth: int) -> Any:
    if depth == 0 or rng.random() < 0.2:
        return rng.choice([rng.randint(-9, 9), rng.randint(-9, 9) / 4, rng.choice("xyz")])
    below = [random_spec(rng, depth - 1) for _ in range(rng.randint(1, 3))]
    kind = rng.random()
    if kind < 0.15:
        return Chance([(1 / len(below), subtree) for subtree in below])
    named: Any = {f"m{i}": subtree for i, subtree in enumerate(below)} if kind < 0.4 else below
    return Turn(rng.randint(0, 1), named) if kind > 0.85 else named


def test_what_is_shown_and_what_is_written_as_json_is_read_back() -> None:
    rng = random.Random(1)
    for _ in range(300):
        tree = Tree(random_spec(rng, 3))
        assert same(Tree.parse(tree.to_json()), tree)
        assert json.loads(tree.to_json()) is not None
        assert same(Tree(tree.spec()), tree)
        shown = tree.show(0)
        if "\n" in shown and "more nodes" not in shown:
            read = Tree.parse(shown)
            assert read.show(0) == shown
            assert list(read.mover[read.count > 0]) == list(tree.mover[tree.count > 0])


def test_players_beyond_two_are_read_back_too() -> None:
    tree = Tree([[(4, 3, 2), (7, 4, 1)], [(1, 5, 2), (7, 7, 1)]], movers=(0, 2))
    assert same(Tree.parse(tree.show(0)), tree)
    assert same(Tree.parse(tree.to_json()), tree)


@given(st.text(alphabet="[](){},:0123x-./\"' \nMINchance", max_size=40))
def test_any_text_is_a_tree_or_refused_in_words(text: str) -> None:
    try:
        tree = Tree.parse(text)
    except InputError:
        return
    assert tree.show(0)


@pytest.mark.parametrize(
    ("text", "message", "column"),
    [
        ("[[3,12,8],[2,,y]]", "before this comma a subtree is missing", 14),
        ("[,3]", "before this comma a subtree is missing", 2),
        ("[[3,12", "the [ that is opened here is not closed: ] is missing", 2),
        ("[3 4]", "a comma or ] is missing before '4'", 4),
        ("[3,4)", ") closes what was opened with [: ] is expected", 5),
        ("[]", "[] is empty: at least a subtree belongs between them", 1),
        ("[1, ()]", "() is empty: at least a payoff", 5),
        ("[1] x", "'x' comes after the end of the tree", 5),
        ("[3, $]", "'$' has no meaning here", 5),
        ("[3.4.5]", "'3.4.5' is neither a number nor a name", 2),
        ("[3x]", "'3x' is neither a number nor a name", 2),
        ("[1/0]", "1/0 is no number", 2),
        ('["x]', "the quotation mark has no partner", 2),
        (r'["\q"]', "is not a text that can be read", 2),
        ("[true]", "true is no payoff", 2),
        ("[NaN]", "NaN is no payoff", 2),
        ("[x[3]]", "'x' before a node is not MAX or MIN: a comma may be missing", 2),
        ("{3}", "after the name of a move a colon is expected; found '}'", 3),
        ("{[3]: 4}", "here the name of a move is expected, as in {left: 3}; found '['", 2),
        ("{a: 1, a: 2}", "there are two moves 'a' here", 8),
        ("{a: }", "here a subtree is expected: a number, a name such as x, or [ … ]; found '}'", 5),
        ("[(1, x)]", "here a number is expected; found 'x'", 6),
        ("chance(0.5 3)", "after a probability a colon is expected", 12),
        ("[chance(0.5: 3, 0.4: 4)]", "the probabilities of a Chance sum to 0.9", 2),
        ('{"chance": [[0.5, 3], 0.5]}', "chance is a list of pairs [probability, subtree]", 1),
        ('{"payoffs": [1, "x"]}', "payoffs are a list of numbers", 1),
        ("[player 2, 3]", "write player 0[…], player 1[…]", 2),
        ('MIN{"payoffs": [1]}', "after MIN a node is expected, not a leaf", 1),
        ("[" * 200, "the text is nested more than 150 deep", 152),
    ],
)
def test_malformed_brackets_are_pointed_at(text: str, message: str, column: int) -> None:
    with pytest.raises(InputError) as refused:
        Tree.parse(text)
    first, shown, pointer = str(refused.value).split("\n")
    assert first.startswith(f"character {column}: ")
    assert message in first
    # The arrow stands below the character.
    assert shown[len(pointer) - 1] == text[column - 1 : column] or column > len(text)


def test_the_place_in_a_text_of_several_lines_has_its_line() -> None:
    with pytest.raises(InputError, match=r"^line 2, character 5: before this comma"):
        Tree.parse("[[1, 2],\n [3,,4]]")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the text is empty: write a tree such as"),
        ("  \n # nothing \n", "the text is empty"),
        ("a:\nb: 3", "line 1, 'a:': there is nothing below it"),
        ("MAX\n  MIN\n  3", "line 2, 'MIN': there is nothing below it"),
        ("a\n    3\n  4", "line 3, '4': it is neither below line 2 nor beside it"),
        ("a: 3\n  4", "line 1, 'a: 3': '3' is a leaf, but there are lines below it"),
        ("3\n  4", "line 1, '3': '3' is a leaf, but there are lines below it"),
        ("a: 3\na: 4", "line 2, 'a: 4': there are two moves 'a'"),
        ("chance\n  3\n  4", "line 2, '3': below chance each line begins with its probability"),
        ("chance\n  0.5: 3\n  0.4: 4", "line 1, 'chance': the probabilities of a Chance sum to 0.9"),
        ("MAX\n  a (0.5): 3\n  b: 4", "line 2, .*it has a probability, but the line above it does not say `chance`"),
        ("chance\n  a (1/0): 3", "'1/0' is no probability"),
        ("a: 3\nb: [1,,2]", "line 2, .*character 4: before this comma a subtree is missing"),
        ("\n".join(" " * i + "-" for i in range(160)) + "\n" + " " * 160 + "1", "nested more than 150 deep"),
    ],
)  # fmt: skip
def test_malformed_lines_are_named(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Tree.parse(text)


def test_nested_lists_are_no_text() -> None:
    with pytest.raises(InputError, match=r"Tree\.parse takes a text, not list"):
        Tree.parse([1, 2])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("player", "subtrees", "message"),
    [
        (-1, [1], "a player is a number, 0 for the first"),
        (True, [1], "a player is a number"),
        (0, 5, "takes a list of subtrees or a dict of named moves, not 5"),
        (2, [1], "Turn names player 2, but the leaves are payoffs of player 0 alone"),
    ],
)
def test_a_turn_that_is_none_is_refused(player: Any, subtrees: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Tree(Turn(player, subtrees))


def test_after_a_turn_the_players_go_on_in_their_order() -> None:
    tree = Tree(Turn(1, [[1, 2], Turn(1, [[3], 4])]))
    assert tree.show(0).split() == (
        ["MIN", "1:", "MAX", "1:", "1", "2:", "2", "2:", "MIN", "1:", "MAX", "1:", "3", "2:", "4"]
    )


# --- positions of games -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "depth"),
    [("tic-tac-toe", 2), ("connect-four", 2), ("nim", 3), ("othello", 2), ("checkers", 2), ("chess", 2)],
)
def test_the_tree_of_a_game_has_its_minimax_value(name: str, depth: int) -> None:
    game = gt.games.load(name)
    tree = Tree.of(game, depth=depth)
    if name != "nim":
        assert oracle.minimax(tree).value == oracle.minimax(game, depth=depth).value
    assert tree.name_action(0, 0) == game.name_action(
        game.initial(), next(iter(game.actions(game.initial())))
    )
    assert len(tree.count) == 1 + sum(oracle.perft(game, ply) for ply in range(1, depth + 1))


def test_a_whole_game_is_a_tree() -> None:
    game = gt.games.load("nim", counters=6)
    tree = Tree.of(game)
    assert oracle.minimax(tree).value == oracle.minimax(game).value
    assert tree.unknown(1) is None


def test_a_player_who_moves_twice_moves_twice_in_the_tree() -> None:
    game = Tree([[1, 2], [3, 4]], movers=(1, 1))
    assert list(Tree.of(game).mover[:3]) == [1, 1, 1]


def test_symmetric_positions_are_merged_on_request() -> None:
    game = gt.games.load("tic-tac-toe")
    assert repr(Tree.of(game, depth=2, merge_symmetric=True)) == "Tree(16 nodes, 12 leaves)"
    assert repr(Tree.of(game, depth=2)) == "Tree(82 nodes, 72 leaves)"


def test_moves_with_the_same_name_stay_apart() -> None:
    class Mute(Tree):
        def name_action(self, state: int, action: int) -> str:
            return "go"

    assert Tree.of(Mute([1, 2, 3])).show(0).splitlines() == ["MAX", "  go: 1", "  go (2): 2", "  go (3): 3"]


def test_more_players_have_payoffs_each() -> None:
    game = Tree([[(4, 3, 2), (7, 4, 1)], [(1, 5, 2), (7, 7, 1)]], movers=(0, 2))
    tree = Tree.of(game)
    assert (tree.players, tree.total) == (3, None)
    assert list(tree.mover[:3]) == [0, 2, 2]


def test_a_tree_of_a_game_that_is_too_large_is_refused() -> None:
    with pytest.raises(InputError, match="more than 50 nodes"):
        Tree.of(gt.games.load("tic-tac-toe"), depth=2, most=50)


def test_a_chain_too_deep_for_json_is_refused() -> None:
    spec: Any = 1
    for _ in range(5000):
        spec = [spec]
    with pytest.raises(InputError, match="too deep to be written as JSON"):
        Tree(spec).to_json()
