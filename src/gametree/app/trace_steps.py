"""A trace in the terminal: forward and back with keys, or all of its sentences where nobody types."""

import re
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final

import typer

from gametree.app.screen import width, wrapped
from gametree.explain.pictures.ascii import spelled, text_tree
from gametree.explain.pictures.lettering import shown
from gametree.explain.traces.trace import Trace

FORWARD: Final = frozenset(("right", "down", " ", "\r", "\n", "n", "l", "j"))
BACK: Final = frozenset(("left", "up", "\x7f", "\b", "p", "b", "h", "k"))
FIRST: Final = frozenset(("home", "g", "0"))
LAST: Final = frozenset(("end", "G", "$"))
LEAVE: Final = frozenset(("q", "Q", "escape", "\x03", "\x04", ""))

_ARROWS: Final = {"A": "up", "B": "down", "C": "right", "D": "left", "H": "home", "F": "end"}
_WINDOWS: Final = {"H": "up", "P": "down", "K": "left", "M": "right", "G": "home", "O": "end"}
_KEY: Final = re.compile(r"\x1b[\[O][0-9;]*[A-Za-z~]|[\x00\xe0].|.", re.DOTALL)
_HELP: Final = "space or →: next   ←: back   Home, End: first, last   q: leave"


def sentences(trace: Trace, unicode: bool = True) -> Iterator[str]:
    """Every step with its number, broken to the width of the terminal."""
    digits = len(str(len(trace.events)))
    for step, event in enumerate(trace.events, 1):
        line = f"{step:>{digits}}  {shown(event.sentence)}"
        yield wrapped(line if unicode else spelled(line), width(), hanging=digits + 2)


def step_through(trace: Trace, *, unicode: bool = True, read: Callable[[], str] = typer.getchar) -> None:
    """Shows one step after the other, as keys ask for it. `read` waits for a key; "" is the end of input."""
    step, last = 0, len(trace.events)
    with _whole_screen():
        keys = _keys(read)
        while True:
            print(_page(trace, step, unicode), end="", flush=True)
            pressed = next(keys, "")
            if pressed in LEAVE:
                return
            if pressed in FORWARD:
                step = min(step + 1, last)
            elif pressed in BACK:
                step = max(step - 1, 0)
            elif pressed in FIRST:
                step = 0
            elif pressed in LAST:
                step = last


def _page(trace: Trace, step: int, unicode: bool) -> str:
    """What is on the screen at one step; no more lines than there are."""
    size = shutil.get_terminal_size()
    columns = max(20, size.columns)
    event = trace.events[step - 1] if step else None
    snapshot = trace.at(step)
    says = shown(event.sentence) if event else "Nothing has been looked at yet."
    counted = (
        f"step {step} of {len(trace.events)} · nodes {snapshot.nodes} · leaves {snapshot.leaves}"
        f" · cuts {snapshot.cuts}"
    )
    under = ["", *wrapped(says if unicode else spelled(says), columns).splitlines(), ""]
    under += [line if unicode else spelled(line) for line in (counted, _HELP)]
    picture = text_tree(trace, step=step, columns=columns, unicode=unicode).splitlines()
    code = ["", *_code(trace, event.line if event else 0, unicode)]
    room = max(8, size.lines - 1) - len(under)
    if len(picture) + len(code) <= room:
        picture += code
    elif len(picture) > room:
        picture = [*picture[: room - 1], "…" if unicode else "..."]
    clear = "\x1b[H\x1b[2J" if sys.stdout.isatty() else ""
    return clear + "\n".join([*picture, *under]) + "\n"


def _code(trace: Trace, current: int, unicode: bool) -> Iterator[str]:
    """The pseudo-code with an arrow at the line that the step carries out."""
    for number, text in enumerate(trace.code, 1):
        arrow = ("►" if unicode else ">") if number == current else " "
        yield f"{arrow} {text if unicode else spelled(text)}"


@contextmanager
def _whole_screen() -> Iterator[None]:
    """Uses the terminal's second screen, so that the first one is as before afterwards."""
    if not sys.stdout.isatty():
        yield
        return
    print("\x1b[?1049h", end="")
    try:
        yield
    finally:
        print("\x1b[?1049l", end="", flush=True)


def _keys(read: Callable[[], str]) -> Iterator[str]:
    """The names of keys as they are pressed; Ctrl-D and the end of the input end it."""
    with suppress(EOFError):
        yield from typed_keys(read)


def typed_keys(read: Callable[[], str]) -> Iterator[str]:
    """The names of keys one by one, however many a read brings; it ends where a read brings nothing."""
    while typed := read():
        for key in _KEY.findall(typed):
            yield named(key)


def named(typed: str) -> str:
    """The name of the key that sent these characters.

    >>> named("\\x1b[C"), named("\\x1b"), named("n"), named("\\x1b[1~")
    ('right', 'escape', 'n', 'home')
    """
    if typed == "\x1b":
        return "escape"
    if typed.startswith(("\x1b[", "\x1bO")):
        if typed[2:] in ("1~", "7~"):
            return "home"
        if typed[2:] in ("4~", "8~"):
            return "end"
        return _ARROWS.get(typed[2:3], "unknown")
    if len(typed) == 2:  # Windows has a sign of its own before such keys
        return _WINDOWS.get(typed[1], "unknown")
    return typed
