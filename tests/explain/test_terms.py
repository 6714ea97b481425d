"""Evaluations made visible: terms sum to what the evaluation says, and stand at the leaves."""

import random
import re
from typing import Any

import pytest

import gametree as gt
from gametree.app.cli import main
from gametree.errors import RulesError
from gametree.explain.pictures.svg import svg
from gametree.explain.terms import seen_from, sum_of, terms_of, with_terms
from gametree.explain.traces.trace import trace
from gametree.games.tree.outline import outline

CASES = [
    ("tic-tac-toe", None),
    ("connect-four", None),
    ("checkers", "lecture"),
    ("chess", "lolli"),
    ("chess", "lecture"),
]


def walked(game: Any, seed: int, plies: int) -> Any:
    rng = random.Random(seed)
    state = game.initial()
    for _ in range(plies):
        if game.is_terminal(state):
            break
        state = game.result(state, rng.choice(list(game.actions(state))))
    return state


@pytest.mark.parametrize(("name", "evaluation"), CASES)
def test_the_terms_sum_to_the_evaluation_for_both_players(name: str, evaluation: str | None) -> None:
    game = gt.games.load(name)
    judge = getattr(game, "evaluate" if evaluation is None else f"evaluate_{evaluation}")
    for seed in range(60):
        state = walked(game, seed, seed % 40)
        for player in (0, 1):
            terms = terms_of(game, state, player, evaluation)
            assert terms is not None
            assert sum(weight * amount for weight, amount in terms) == judge(state, player)
            # The sum that is written is the same number, worked out as it stands.
            said = sum_of(terms).replace("·", "*").replace("−", "-")
            assert re.fullmatch(r"[-+*\d. ]+", said)
            total = sum(
                float(sign.replace(" ", "") + "1")
                * float(factors.split("*")[0])
                * float((*factors.split("*"), "1")[1])
                for sign, factors in re.findall(r"(^-?| [+-] )([\d.*]+)", said)
            )
            assert total == judge(state, player)


def test_chess_knows_the_features_of_the_lecture() -> None:
    game: Any = gt.games.load("chess")
    queenless = game.parse_state("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBN1 w - - 0 1")
    # White has two pieces of 14 against 15, a queen alone, and two rooks less.
    assert terms_of(game, queenless, 0, "lecture") == [(1, -1), (9, 1), (5, -2)]
    assert game.evaluate_lecture(queenless, 0) == -2 == -game.evaluate_lecture(queenless, 1)


def test_features_and_weights_are_terms_without_a_word() -> None:
    class Weighed(gt.games.Nim):
        weights = (0.5, 2.0, -1.0)

        def features(self, state: Any, player: int) -> tuple[float, ...]:
            return 3.0, 4.0

    game = Weighed()
    assert terms_of(game, game.initial(), 0) == [(1.0, 0.5), (2.0, 3.0), (-1.0, 4.0)]
    assert terms_of(gt.games.Nim(), gt.games.Nim().initial(), 0) is None


def test_terms_that_do_not_sum_to_the_evaluation_are_told_and_inherited_ones_do_not_count() -> None:
    class Wrong(gt.games.TicTacToe):
        def terms(self, state: Any, player: int) -> Any:
            yield 1, 100

    class Other(gt.games.TicTacToe):
        def evaluate(self, state: Any, player: int) -> float:
            return 0.25

    game = Wrong()
    with pytest.raises(RulesError, match="the terms of the evaluation sum to 100"):
        terms_of(game, game.initial(), 0)
    assert terms_of(Other(), game.initial(), 0) is None


def test_the_leaves_tell_their_terms_in_sentences_and_pictures() -> None:
    game = gt.games.load("tic-tac-toe")
    root = with_terms(outline(game, depth=1, merge_symmetric=True), game, 0, None)
    assert [leaf.terms for leaf in root.leaves] == ["8 − 5", "8 − 6", "8 − 4"]
    told = trace(root, "minimax")
    assert "The search stops here, and the evaluation says 3 = 8 − 5." in {e.sentence for e in told.events}
    assert svg(told).count("= 8 − ") == 3


def test_max_may_be_the_second_player() -> None:
    game = gt.games.load("checkers")
    state = game.parse_state("W:W20,21,K31:B23,K22")
    root = outline(gt.game.with_evaluation(game, "lecture"), state, 2)
    turned = seen_from(root, 1, 0.0)
    assert [node.kind for node in turned.children] == ["min"] * 4
    assert (trace(turned).value, trace(root).value) == (1, -1)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--max", "Yellow", "--depth", "1"], "has the players White, Black, 0, 1"),
        (["--evaluation", "parity", "--depth", "1"], "has no evaluation 'parity'"),
        (["--max", "Black", "--method", "quiescence", "--depth", "1"], "its MAX is the first player"),
        (["--strategy", "--max", "Black"], "leave --max and --evaluation out"),
    ],
)
def test_who_and_what_is_not_there_is_told(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", "--game", "chess", *arguments]) == 2
    assert says in " ".join(capsys.readouterr().err.split())


def test_the_case_study_of_the_lecture_is_one_command(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--evaluation", "lecture", "--max", "White", "--position", "W:W20,21,K31:B23,K22"]
    assert main(["explain", "--game", "checkers", *words, "--depth", "2"]) == 0
    said = capsys.readouterr().out
    assert "≈1 = 5·1 + 2 − 5·1 − 1" in said
    assert "value 1, best move 20-16" in said
