"""Why rules do not compile, in words: for each method whether it does, the line, and what to write instead."""

import dis
import inspect
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gametree.compiled import native
from gametree.compiled.frontend import source
from gametree.compiled.types.layout import LayoutError
from gametree.compiled.types.universe import universe_of

SEARCHED = ("player", "is_terminal", "utility", "actions", "result")
"""What every search calls."""
EXTRAS = ("evaluate", "tactical", "order", "features", "null", "clock", "chance")
"""What searches call where a game offers it."""


@dataclass(frozen=True)
class Row:
    """One method: compiled or not, and if not, where, why, and what to write instead."""

    method: str
    ok: bool
    line: str = ""
    reason: str = ""
    advice: str = ""

    def __str__(self) -> str:
        if self.ok:
            return f"  {self.method:<12} compiles"
        where = f" at {self.line}" if self.line else ""
        text = f"  {self.method:<12} does not{where}: {self.reason}"
        return f"{text}\n{'':15}instead: {self.advice}" if self.advice else text

    @property
    def sentence(self) -> str:
        """The row in one line."""
        where = f" ({self.line})" if self.line else ""
        return f"{self.method}{where}: {self.reason}" + (f"; {self.advice}" if self.advice else "")


@dataclass(frozen=True)
class CompileReport:
    """What compiles of a game and what does not."""

    game: str
    rows: tuple[Row, ...]

    @property
    def ok(self) -> bool:
        """Whether searches of this game run compiled."""
        return all(row.ok for row in self.rows)

    def __str__(self) -> str:
        verdict = "compiles" if self.ok else "runs interpreted"
        return "\n".join([f"{self.game} {verdict}", *map(str, self.rows)])

    def to_dict(self) -> dict[str, Any]:
        """The report as plain data."""
        rows = [
            {"method": r.method, "ok": r.ok, "line": r.line, "reason": r.reason, "advice": r.advice}
            for r in self.rows
        ]
        return {"game": self.game, "ok": self.ok, "methods": rows}


def explain(game: Any) -> CompileReport:
    """Compiles each method of a game on its own and tells what comes of it."""
    name = type(game).__name__
    missing = native.unavailable()
    if missing:
        return CompileReport(
            name, (Row("everything", False, "", missing, "install Numba, or unset the variable"),)
        )
    try:
        universe = universe_of(game)
    except LayoutError as error:
        reason, _, advice = str(error).partition("; ")
        return CompileReport(name, (Row("initial", False, _where(type(game).initial), reason, advice),))
    return CompileReport(name, tuple(_rows(game, universe)))


def _rows(game: Any, universe: Any) -> list[Row]:
    from gametree.compiled import fingerprint
    from gametree.compiled.codegen import unit
    from gametree.compiled.toolchain import global_compiler_lock, types
    from gametree.compiled.types import bounded, casts
    from gametree.game import offers

    names = [*SEARCHED, *(name for name in EXTRAS if offers(game, name))]
    functions = tuple(fingerprint.unwrap(inspect.getattr_static(type(game), name)) for name in names)
    attributes = fingerprint.Reach(type(game), functions).attributes
    subject = unit.Unit(game, universe, "report", attributes)
    action: Any = types.int64
    rows = []
    with global_compiler_lock, bounded.of_universe(subject.room):
        for name, function in zip(names, functions):
            arguments: dict[str, tuple[Any, ...]] = {
                "utility": (types.int64,),
                "evaluate": (types.int64,),
                "features": (types.int64,),
                "result": (action,),
                "order": (action,),
            }
            static = isinstance(inspect.getattr_static(type(game), name), staticmethod)
            kinds = (*(() if static else (subject.type,)), subject.state_type, *arguments.get(name, ()))
            try:
                dispatcher = subject.dispatcher(function)
                dispatcher.compile(kinds)
                returned = dispatcher.overloads[kinds].signature.return_type
                casts.contract_cast(subject.type, name, returned)
                if name == "actions":
                    if isinstance(returned, types.Tuple):
                        returned = types.Tuple([types.unliteral(part) for part in returned])
                    action = types.unliteral(casts.item_type(returned))
                rows.append(Row(name, True))
            except Exception as error:
                rows.append(translate(name, function, error))
    return rows


def _where(function: Any) -> str:
    code = getattr(function, "__code__", None)
    return f"{Path(code.co_filename).name}:{code.co_firstlineno}" if code else ""


_ADVICE = {
    "str": "compiled rules know numbers: write ints instead of text",
    "unicode_type": "compiled rules know numbers: write ints instead of text",
    "dict": "write a tuple indexed by number, or a module-level dict that never changes",
    "Counter": "count in a loop",
    "defaultdict": "write a list or tuple indexed by number",
    "deque": "use a list",
    "set": "use the bits of an int, or a tuple",
    "eval": "write the expression itself",
    "isinstance": "keep one type in each place",
}

_OPCODES = {
    "IMPORT_NAME": ("imports inside the method", "import at the top of the file"),
    "SETUP_WITH": ("uses `with`", "rules only compute: leave it out"),
    "BEFORE_WITH": ("uses `with`", "rules only compute: leave it out"),
    "STORE_GLOBAL": ("changes a global variable", "rules are pure: put it into the state"),
    "DELETE_NAME": ("uses `del`", "leave it out"),
    "DELETE_SUBSCR": ("deletes an item", "build a new list without it"),
    "STORE_ATTR": ("assigns to an attribute", "rules are pure: put it into the state"),
    "SEND": ("uses `yield from`", "write a loop that yields"),
    "GET_YIELD_FROM_ITER": ("uses `yield from`", "write a loop that yields"),
    "DICT_UPDATE": ("merges dicts", "use tuples"),
    "FORMAT_VALUE": ("formats text", "keep text in `show` and `name_action`"),
    "LOAD_BUILD_CLASS": ("defines a class", "define it at the top of the file"),
}


_PLAINLY = "write it with ints, tuples and loops"
_WITH = "The 'with (context manager)"
"""How the compiler begins when it meets a `with`."""


def translate(method: str, function: Any, error: Exception) -> Row:
    """A compiler's error as a row of the report."""
    text = str(error)
    reason, advice = _reason(text)
    if not advice:
        code = function.__code__
        for operation, known in _OPCODES.items():
            if lines := _lines_of(code, operation):
                return Row(method, False, f"{Path(code.co_filename).name}:{lines[0]}", *known)
        advice = _PLAINLY
    if source.syntax_of(function) is None:
        advice = "put the rules into a file: more of Python compiles where their source can be read"
    return Row(method, False, _line(function, error, text), reason, advice)


def _reason(text: str) -> tuple[str, str]:
    found = re.search(r"refused: (.*?); (.*)", text)
    if found:
        return found[1], found[2]
    found = re.search(r"(mixes uint64 with a signed int: .*?); (write .*)", text)
    if found:
        return found[1], found[2]
    found = re.search(
        r"((?:result|null|initial|player|utility|evaluate\w*|order|is_terminal|team) returns .*)", text
    )
    if found:
        reason, _, advice = found[1].strip().partition("; ")
        said = reason.split(" returns ", 1)[1]
        if said.startswith(("OptionalType(", "None ")):
            return "returns None on some path", "is a `return` missing?"
        said = re.sub(r" for (?=[\[.])", " for state", said)
        return f"returns {said}", advice or "return the declared type on every path"
    found = re.search(r"the attribute (self\.\w+) is ([\w. ]+), which compiled code cannot use", text)
    if found:
        name, kind = found[1], found[2]
        return f"uses {name}, whose type is {kind}", _ADVICE.get(kind, "make it an int, a tuple or an array")
    found = re.search(r"has no attribute '(\w+)'\s+During: typing of set attribute", text)
    if found:
        return f"assigns to self.{found[1]}", "rules are pure: put it into the state, or set it in `__init__`"
    found = re.search(r"(\w+) has no attribute '(\w+)'", text)
    if found:
        return f"uses self.{found[2]}, which {found[1]} does not have", "set it in `__init__`"
    found = re.search(r"NameError: name '(\w+)' is not defined", text)
    if found:
        return f"uses {found[1]}, which is not defined", "define or import it at the top of the file"
    found = re.search(r">>> exception_match\(none, (\w+)\)", text)
    if found:
        return f"catches {found[1]}", "test for it beforehand, with `if`"
    if _WITH in text:
        return _OPCODES["BEFORE_WITH"]
    found = re.search(r"the method (\w+) calls itself through self", text)
    if found:
        return f"{found[1]} calls itself and its source is not at hand", "put the rules into a file"
    found = re.search(r"Untyped global name '(\w+)':?[^<]*<class '(?:\w+\.)*(\w+)'>", text)
    if found:
        name, kind = found[1], found[2]
        advice = _ADVICE.get(name) or _ADVICE.get(kind) or "use ints, floats, tuples and functions of these"
        return f"uses {name}", advice
    found = re.search(r"Unknown attribute '(\w+)' of type (.+)", text)
    if found:
        return f"uses .{found[1]} of {_kind(found[2])}", _attribute_advice(found[1])
    found = re.search(r"Use of unsupported opcode \((\w+)\)", text)
    if found:
        return _OPCODES.get(found[1], (f"uses a construct that compiled rules lack ({found[1]})", ""))
    found = re.search(r"Cannot unify (.+?) and (.+?) for '\$?([\w]+)[^']*'", text)
    if found:
        one, other, name = _kind(found[1]), _kind(found[2]), found[3]
        if name.startswith("closure_"):
            return "makes a list whose items have different types", "give all items one type"
        return f"`{name}` is now {one} and now {other}", "give a variable one type only"
    found = re.search(r"Can't unify yield type from the following types: (.+)", text)
    if found:
        return f"yields different types ({_kinds(found[1])})", "yield one type only"
    found = re.search(r"(?:actions|tactical) returns (.+?), which cannot be walked over", text)
    if found and found[1].startswith("a tuple"):
        return "returns actions of different types", "give all actions one type"
    if found:
        return (
            f"returns {found[1]}, which is not a row of actions",
            "return a list, a tuple or a range, or use `yield`",
        )
    if re.search(r">>> getitem\(Tuple\(", text):
        return (
            "indexes a tuple whose parts have different types",
            "give all parts one type, or write the index as a number",
        )
    if "Undecided type" in text:
        return "uses a value whose type cannot be told", _PLAINLY
    if text.strip() == "__call__":
        return "calls something that is neither a function nor a named tuple", _PLAINLY
    if "Can't unify return type" in text:
        kinds = re.search(r"following types: (.+)", text)
        shown = kinds[1] if kinds else ""
        return f"returns different types ({_kinds(shown)})", "return one type on every path"
    found = re.search(
        r"No implementation of function (?:Function\()?(.+?)\)? found for signature:\s*>>> (.+)", text
    )
    if found:
        operation = re.search(r"<(?:built-in )?(?:function|class|intrinsic) '?([\w.]+)", found[1])
        name = operation[1] if operation else found[2].partition("(")[0]
        arguments = _kinds(found[2].partition("(")[2].rstrip(") "))
        advice = _ADVICE.get(name.rpartition(".")[2], _PLAINLY)
        return f"uses {_OPERATORS.get(name, name + '(…)')} on {arguments}", advice
    found = re.search(r"[Vv]ariable '(\w+)' (?:is not defined|referenced before assignment)", text)
    if found:
        return f"`{found[1]}` may have no value", "give it one before the loop or branch"
    noise = ("Failed in", "During:", "File ", "- Resolution", "-", "None", "def ", "<source", "^")
    lines = [
        line.strip() for line in text.splitlines() if line.strip() and not line.strip().startswith(noise)
    ]
    return (lines[0] if lines else text.strip() or "cannot be compiled"), ""


_OPERATORS = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "truediv": "/",
    "floordiv": "//",
    "mod": "%",
    "getitem": "an index",
    "setitem": "an assignment to an item",
    "eq": "==",
    "ne": "!=",
    "lt": "<",
    "gt": ">",
    "contains": "`in`",
}


def _attribute_advice(name: str) -> str:
    table = {
        "copy": "tuples need no copy",
        "format": "keep text in `show` and `name_action`",
        "join": "keep text in `show` and `name_action`",
        "split": "keep text in `parse_state` and `parse_action`",
        "union": "use | on ints whose bits are the members",
    }
    return table.get(name, _PLAINLY)


def _kinds(text: str) -> str:
    return " and ".join(dict.fromkeys(_kind(part) for part in _split(text))) or "nothing"


def _split(text: str) -> list[str]:
    parts, depth, current = [], 0, ""
    for letter in text:
        depth += (letter in "(<[" and 1) or (letter in ")>]" and -1) or 0
        if letter == "," and depth == 0:
            parts.append(current)
            current = ""
        else:
            current += letter
    return [part.strip() for part in [*parts, current] if part.strip()]


def _kind(text: str) -> str:
    """A Numba type's name as a Python programmer would say it."""
    text = text.strip()
    rules = (
        (r"^(Literal\[int\]|u?int64|whole)", "int"),
        (r"^(Literal\[bool\]|bool)", "bool"),
        (r"^float", "float"),
        (r"^(unicode_type|Literal\[str\])", "str"),
        (r"^(reflected )?list\(undefined", "an empty list"),
        (r"^(reflected )?list", "a list"),
        (r"^(UniTuple|Tuple)", "a tuple"),
        (r"^none", "None"),
        (r"^(OptionalType|Optional)", "something or None"),
        (r"^(reflected )?set", "a set"),
        (r"^DictType", "a dict"),
        (r"^array", "an array"),
        (r"^text", "a text"),
        (r"^row", "a tuple"),
        (r"generator", "a generator"),
        (r"^slice", "a slice"),
    )
    for pattern, said in rules:
        if re.search(pattern, text):
            return said
    name = re.match(r"\w+", text)
    return name[0] if name else text


_PLACE = re.compile(r"\b(?:at|from) (\S+) \((\d+)\)|File \"([^\"]+)\", line (\d+)")
_NOT_THEIRS = re.compile(r"(^|/)(numba|gametree/(compiled|search))/")


def _line(function: Any, error: Exception, text: str) -> str:
    """file:line of the user's code where compilation failed: the innermost place that is told."""
    code = function.__code__
    own = Path(code.co_filename).name
    if _WITH in text:
        return f"{own}:{min(_lines_of(code, 'BEFORE_WITH'), default=code.co_firstlineno)}"
    variable = re.search(r"Cannot unify .+? for '(\w+)[^']*'", text)
    for found in _PLACE.finditer(text):
        file, number = found[1] or found[3], int(found[2] or found[4])
        if not _NOT_THEIRS.search(file):
            name = Path(file).name
            if variable and name == own:
                # Two branches meet after what is to blame: the last value that the variable got before.
                number = max(
                    (n for n in _lines_of(code, "STORE_FAST", variable[1]) if n <= number), default=number
                )
            return f"{name}:{number}"
    location = getattr(error, "loc", None)
    if location is not None and not _NOT_THEIRS.search(str(location.filename)):
        return f"{Path(str(location.filename)).name}:{location.line}"
    returns = set(_lines_of(code, "RETURN_VALUE") + _lines_of(code, "RETURN_CONST"))
    line = returns.pop() if " returns " in text and len(returns) == 1 else code.co_firstlineno
    return f"{own}:{line}"


def _lines_of(code: Any, operation: str, variable: str | None = None) -> list[int]:
    """The lines on which a code object does something, to one variable or at all."""
    return [
        step.positions.lineno
        for step in dis.get_instructions(code)
        if step.opname == operation
        and variable in (None, step.argval)
        and step.positions is not None
        and step.positions.lineno is not None
    ]
