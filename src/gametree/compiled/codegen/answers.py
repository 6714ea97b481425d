"""What a kernel asks about the game as such, answered while it is compiled: what does not apply is never looked at.

`if has_null(game):` becomes `if True:` or `if False:` before Numba infers types, and Numba leaves out what cannot be
reached. So a game pays only for the parts of a search that it has a use for.
"""

from collections.abc import Callable
from typing import Any

from gametree.compiled.toolchain import FunctionPass, config, ir, register_pass
from gametree.compiled.types.game_type import GameType
from gametree.game import offers
from gametree.kernel import primitives


def _offering(member: str) -> Callable[[Any], bool]:
    return lambda game: offers(game, member)


ANSWERS: dict[Any, Callable[[Any], bool]] = {
    primitives.is_checked: lambda game: bool(config.BOUNDSCHECK),
    primitives.has_symmetries: _offering("symmetries"),
    primitives.has_order: _offering("order"),
    primitives.has_evaluation: _offering("evaluate"),
    primitives.has_tactical: _offering("tactical"),
    primitives.has_chance: _offering("chance"),
    primitives.has_clock: _offering("clock"),
    primitives.has_null: _offering("null"),
    primitives.has_repetition: lambda game: game.repetition is not None,
    primitives.has_urgency: lambda game: offers(game, "urgency") or offers(game, "order"),
}


@register_pass(mutates_CFG=False, analysis_only=False)
class FoldAnswers(FunctionPass):
    """Puts the answers in the place of the questions."""

    _name = "gametree_fold_answers"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        changed = False
        for block in state.func_ir.blocks.values():
            for assign in block.find_insts(ir.Assign):
                answer = _answer(state, assign.value)
                if answer is not None:
                    definitions = state.func_ir._definitions[assign.target.name]
                    definitions.remove(assign.value)
                    assign.value = ir.Const(answer, assign.loc)
                    definitions.append(assign.value)
                    changed = True
        return changed


def _answer(state: Any, value: Any) -> bool | None:
    """What a call of a question, or its denial, comes to."""
    if not isinstance(value, ir.Expr):
        return None
    if value.op == "unary":
        asked = _definition(state, value.value)
        return not asked.value if isinstance(asked, ir.Const) and type(asked.value) is bool else None
    if value.op != "call" or len(value.args) != 1:
        return None
    function = _definition(state, value.func)
    answer = (
        ANSWERS.get(function.value) if isinstance(function, ir.Global) and callable(function.value) else None
    )
    argument = _definition(state, value.args[0])
    if answer is None or not isinstance(argument, ir.Arg):
        return None
    kind = state.args[argument.index]
    return bool(answer(kind.game)) if isinstance(kind, GameType) else None


def _definition(state: Any, variable: Any) -> Any:
    """What a variable was given, where it is given something once."""
    found = state.func_ir._definitions[variable.name]
    return found[0] if len(found) == 1 else None
