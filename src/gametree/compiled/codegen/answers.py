"""What a kernel asks about the game as such, answered while it is compiled: what does not apply is never looked at.

`if game.offered.null:` becomes `if True:` or `if False:` before Numba infers types, and Numba leaves out what cannot be
reached; so does `game.repetition is not None`, which tells whether there is a rule on positions that recur. A game pays
only for the parts of a search that it has a use for. What a kernel of ours asserts is left out, too, unless bounds are
checked: what rules assert is theirs.
"""

import operator
from typing import Any

from gametree.compiled.toolchain import FunctionPass, config, ir, register_pass
from gametree.compiled.types.game_type import GameType


@register_pass(mutates_CFG=False, analysis_only=False)
class FoldAnswers(FunctionPass):
    """Puts the answers in the place of the questions."""

    _name = "gametree_fold_answers"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        constants: dict[str, Any] = {}
        if not config.BOUNDSCHECK and state.func_id.func.__module__.startswith(
            ("gametree.search", "gametree.kernel")
        ):
            constants = _granted(state)
        assigns = [
            assign for block in state.func_ir.blocks.values() for assign in block.find_insts(ir.Assign)
        ]
        answers = {}
        for assign in assigns:
            answer = _answer(state, assign.value)
            if answer is not None:
                answers[id(assign)], asked = answer
                if asked is not None:  # nobody has a use for it any more, and it need not have a type
                    constants[asked.name] = None
        for assign in assigns:
            name = assign.target.name
            if id(assign) in answers or name in constants:
                definitions = state.func_ir._definitions[name]
                definitions.remove(assign.value)
                assign.value = ir.Const(answers.get(id(assign), constants.get(name)), assign.loc)
                definitions.append(assign.value)
        return bool(answers or constants)


def _answer(state: Any, value: Any) -> tuple[bool, Any] | None:
    """What a question, or its denial, comes to, and what it was asked of; None where it is no question."""
    if not isinstance(value, ir.Expr):
        return None
    if value.op == "unary" and value.fn is operator.not_:
        inner = _answer(state, _definition(state, value.value))
        return None if inner is None else (not inner[0], None)
    if value.op == "getattr":
        game = _game(state, _definition(state, value.value), "offered")
        return None if game is None else (getattr(game.offered, value.attr), value.value)
    if value.op == "binop" and value.fn in (operator.is_, operator.is_not):
        game = _game(state, _definition(state, value.lhs), "repetition")
        other = _definition(state, value.rhs)
        if game is not None and isinstance(other, ir.Const) and other.value is None:
            return value.fn(game.repetition, None), value.lhs
    return None


def _game(state: Any, value: Any, attribute: str) -> Any:
    """The game, where a value is this attribute of it."""
    if not (isinstance(value, ir.Expr) and value.op == "getattr" and value.attr == attribute):
        return None
    argument = _definition(state, value.value)
    kind = state.args[argument.index] if isinstance(argument, ir.Arg) else None
    return kind.game if isinstance(kind, GameType) else None


def _granted(state: Any) -> dict[str, bool]:
    """The conditions on which nothing but a failed assertion depends, as if they held."""
    blocks = state.func_ir.blocks
    failing = {
        label
        for label, block in blocks.items()
        for assign in block.find_insts(ir.Assign)
        if isinstance(assign.value, ir.Global) and assign.value.value is AssertionError
    }
    granted = {}
    for block in blocks.values():
        branch = block.terminator
        if isinstance(branch, ir.Branch) and failing & {branch.truebr, branch.falsebr}:
            condition = _definition(state, branch.cond).args[0]
            if condition.is_temp:
                granted[condition.name] = branch.falsebr in failing
    return granted


def _definition(state: Any, variable: Any) -> Any:
    """What a variable was given, where it is given something once."""
    found = state.func_ir._definitions[variable.name]
    return found[0] if len(found) == 1 else None
