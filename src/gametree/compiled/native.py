"""The door to this room: a kernel for a game as a native function."""

import ctypes
import os
import struct
import threading
import time
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from gametree.compiled import cache, fingerprint, guards, notices
from gametree.compiled.guards import places
from gametree.compiled.guards.places import Place
from gametree.compiled.types import records
from gametree.compiled.types.layout import Codec, LayoutError, Maybe, Ragged, Text
from gametree.compiled.types.universe import universe_of
from gametree.kernel.digest import digest_of


class Failed(Exception):
    """The rules raised an exception inside compiled code, or gave up at a place."""

    place: Place | None = None


class Overflowed(Failed):
    """The rules' numbers outgrew the machine's: Python's would be others."""


class Outgrown(Failed):
    """A text, a tuple or a set has more parts than machine code keeps room for."""


class EndlessCalls(Failed):
    """A circle of calls in the rules went deeper than Python would."""


class EndlessLoop(Failed):
    """A loop in the rules took too long."""


class OutOfTime(Failed):
    """A rule was asked when time was over."""


class CannotCompile(Exception):
    """Why a game does not compile."""

    def __init__(self, reason: str):
        self.reason = reason
        super().__init__(reason)


@dataclass(frozen=True)
class Native:
    """A kernel compiled for one kind of game; call it with a state and the kernel's other arguments."""

    entry: Callable[[Any], int]
    codec: Codec
    layout: str
    """One letter an argument: s state, q int, d float, a array, m block of memory."""
    arrays: tuple[str, ...]
    returns: str
    seconds: float
    from_cache: bool
    places: tuple[Place, ...] = ()
    """Where its rules may give up."""

    def failure(self, code: int) -> Failed:
        """What it means that the entry point returned something else than 0."""
        if code == places.OVER:
            return OutOfTime()
        if code < places.OUTGROWN:
            return Failed()
        number = code - places.FIRST
        why = places.BEYOND if code == places.OUTGROWN else places.OVERFLOW
        place = self.places[number] if 0 <= number < len(self.places) else Place(why, "", "", 0)
        failure = _GIVEN_UP[place.why]()
        failure.place = place
        return failure

    def bind(self, game: Any) -> "Bound":
        return Bound(self, game)


class Bound:
    """A native kernel with the arrays of one game."""

    def __init__(self, native: Native, game: Any):
        import numpy as np

        from gametree.kernel.vectors import ThreadLocal

        self.native = native
        self._entry = native.entry
        self._pack_state = native.codec.pack
        arrays = [getattr(game, name) for name in native.arrays]
        self._arrays = [
            array if isinstance(array, ThreadLocal) else np.ascontiguousarray(array) for array in arrays
        ]
        self._threads = threading.local()
        """Of each thread: its arrays, for they have to stay, and where they lie."""
        self._layout = native.layout
        self._double = native.returns == "d"
        sizes = {"s": f"{native.codec.size * 8}s", "a": "qq", "m": "q", "q": "q", "d": "d"}
        form = "".join(sizes[letter] for letter in self._layout)
        words = sum(1 + array.ndim for array in arrays)
        whole = struct.Struct(f"={form}{words * 8}s8x")
        self._pack = whole.pack
        self._words = ctypes.c_char * whole.size
        self._places: dict[int, tuple[weakref.ref[Any], int]] = {}
        """Where the last arrays lie, by their ids."""

    def __call__(self, *arguments: Any) -> Any:
        parts: list[Any] = []
        for letter, argument in zip(self._layout, arguments):
            if letter in "qd":
                parts.append(argument)
            elif letter == "s":
                parts.append(self._pack_state(argument))
            elif letter == "m":
                assert argument.address, "a block for an interpreted kernel"
                parts.append(argument.address)
            else:
                size = argument.size
                parts += (self._address(argument), size)
        words = self._words.from_buffer_copy(self._pack(*parts, self._tail()))
        code = self._entry(words)
        if code:
            raise self.native.failure(code)
        return (_FLOAT if self._double else _INT).unpack_from(words)[0]

    def _tail(self) -> bytes:
        """Where the arrays of the game lie, for this thread: some it has for itself, empty at first."""
        try:
            return self._threads.tail  # type: ignore[no-any-return]
        except AttributeError:
            pass
        import numpy as np

        from gametree.kernel.vectors import ThreadLocal, aligned

        words = []
        self._threads.arrays = []
        for array in self._arrays:
            mine = aligned(np.zeros(array.shape, array.dtype)) if isinstance(array, ThreadLocal) else array
            self._threads.arrays.append(mine)
            words += [mine.ctypes.data, *mine.shape]
        self._threads.tail = struct.pack(f"={len(words)}q", *words)
        return self._threads.tail  # type: ignore[no-any-return]

    def _address(self, array: Any) -> int:
        """Where an array lies: NumPy takes long to say so, and the same few are asked for again and again."""
        known = self._places.get(id(array))
        if known is not None and known[0]() is array:
            return known[1]
        if len(self._places) >= _FEW_ARRAYS:
            self._places = {}
        address: int = array.ctypes.data
        self._places[id(array)] = weakref.ref(array), address
        return address


_GIVEN_UP: dict[str, type[Failed]] = {
    places.OVERFLOW: Overflowed,
    places.BEYOND: Outgrown,
    places.RECURSION: EndlessCalls,
    places.LOOP: EndlessLoop,
}
_INT = struct.Struct("=q")
_FLOAT = struct.Struct("=d")
_FEW_ARRAYS = 8
_ENTRY = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)
_natives: dict[str, Native] = {}
_failures: dict[str, str] = {}
"""What did not compile once is not tried again."""
_lock = threading.RLock()


def unavailable() -> str:
    """Why nothing can be compiled here; empty where it can."""
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return "NUMBA_DISABLE_JIT is set"
    try:
        import numba  # noqa: F401
    except ImportError as error:
        return f"Numba cannot be imported ({error})"
    return ""


def native(kernel: Any, game: Any, samples: Sequence[Any] = ()) -> Bound:
    """`kernel` compiled for `game`; CannotCompile says why not.

    `samples` are states that have to fit the machine types of the initial one.
    """
    if vars(game).get("_interpreted"):
        raise CannotCompile(vars(game)["_interpreted"])
    key, reach, codec = _key(kernel, game)
    for state in samples:
        try:
            codec.pack(state)
        except LayoutError as error:
            raise CannotCompile(str(error)) from None
    found = None if key in _failures else _natives.get(key)
    if found is None:
        with _lock:
            if key in _failures:
                raise CannotCompile(_failures[key])
            try:
                found = _natives.get(key) or _make(kernel, game, key, reach, codec)
            except CannotCompile as error:
                _failures[key] = error.reason
                raise
            _natives[key] = found
    return found.bind(game)


def _key(kernel: Any, game: Any) -> tuple[str, fingerprint.Reach, Codec]:
    reach = fingerprint.reach(type(game), (kernel,))
    memory = vars(game).get("_compiled")
    if memory is None:
        memory = {}
        object.__setattr__(game, "_compiled", memory)
    known = memory.get(kernel)
    if known is not None and known[1] is reach:
        return known  # type: ignore[no-any-return]
    try:
        universe = universe_of(game)
        codec = Codec(universe.state)
    except LayoutError as error:
        raise CannotCompile(str(error)) from None
    parts = (
        reach.digest,
        fingerprint.constants_digest(game, reach.attributes),
        digest_of((_describe(codec.shape), universe.words, universe.action and _describe(universe.action))),
        fingerprint.toolchain_digest(),
        guards.digest(game),
    )
    key = digest_of(parts).hex()
    memory[kernel] = (key, reach, codec)
    return memory[kernel]  # type: ignore[no-any-return]


def interpret(game: Any, reason: str) -> None:
    """From now on this game runs interpreted: its machine code has given up."""
    object.__setattr__(game, "_interpreted", reason)
    with _lock:
        _failures.update((key, reason) for key, _, _ in vars(game).get("_compiled", {}).values())


def _describe(shape: Any) -> Any:
    if hasattr(shape, "kind"):
        return shape.kind
    if isinstance(shape, Text):
        return ("text", shape.words)
    if isinstance(shape, Ragged):
        return ("ragged", shape.most, shape.unordered, _describe(shape.item))
    if isinstance(shape, Maybe):
        return ("maybe", _describe(shape.item))
    fields = shape.cls and records.fields(shape.cls)
    return (getattr(shape.cls, "__qualname__", None), fields, tuple(_describe(item) for item in shape.items))


def _make(kernel: Any, game: Any, key: str, reach: Any, codec: Codec) -> Native:
    try:
        from gametree.compiled import loading
    except Exception as error:  # a Numba whose inside is not the one we know
        raise CannotCompile(_unfit(error)) from error

    symbol = f"gametree_{key}"
    start = time.perf_counter()
    address, about = _revived(key, symbol)
    from_cache = address != 0
    if not address:
        line = f"compiling {_title(kernel)} for {type(game).__name__}, first run only"
        with notices.slow(line), cache.turn(key):
            address, about = _revived(key, symbol)  # perhaps another process was at it
            from_cache = address != 0
            if not address:
                address, about = _compiled(kernel, game, key, reach, codec, symbol)
    letters, returns = loading.letters(kernel)
    names = tuple(name for name, _ in loading.arrays_of(game, reach.attributes))
    seconds = time.perf_counter() - start
    gives_up = places.read(about.get("places", ()))
    return Native(_ENTRY(address), codec, letters, names, returns, seconds, from_cache, gives_up)


def _revived(key: str, symbol: str) -> tuple[int, dict[str, Any]]:
    """The address of machine code that is kept on disk, and what is known of it; 0 where none can be used."""
    from gametree.compiled import loading

    stored = cache.load(key)
    if stored is None:
        return 0, {}
    about, code = stored
    return (loading.revive(symbol, code) if loading.is_resolved(about.get("needs", [])) else 0), about


def _compiled(
    kernel: Any, game: Any, key: str, reach: Any, codec: Codec, symbol: str
) -> tuple[int, dict[str, Any]]:
    """The address of new machine code, which is kept on disk where that is possible, and what is known of it."""
    from gametree.compiled import loading

    library, found = _build(kernel, game, key, reach, codec, symbol)

    from gametree.compiled.codegen import unit as units

    address = loading.address(library, symbol)
    symbols = units.needs(library)
    about = {
        "game": type(game).__name__,
        "kernel": kernel.__module__.rpartition(".")[2],
        "needs": symbols,
        "places": [place.to_row() for place in found],
    }
    if loading.is_resolved(symbols) and not library.has_dynamic_globals:
        cache.save(key, about, units.object_code(library))
    return address, about


def _build(kernel: Any, game: Any, key: str, reach: Any, codec: Codec, symbol: str) -> Any:
    try:
        from gametree.compiled.codegen import unit as units
    except Exception as error:  # a Numba whose inside is not the one we know
        raise CannotCompile(_unfit(error)) from error

    from gametree.compiled import diagnosis

    try:
        return units.build(units.Unit(game, universe_of(game), key, reach.attributes), kernel, symbol)
    except Exception as error:
        rows = diagnosis.explain(game).rows
        failed = [row.sentence for row in rows if not row.ok]
        if failed:
            raise CannotCompile(failed[0]) from error
        raise CannotCompile(diagnosis.translate(kernel.__name__, kernel, error).sentence) from error


def _unfit(error: Exception) -> str:
    import numba

    return f"Numba {numba.__version__} does not fit this version of gametree ({error})"


def _title(kernel: Any) -> str:
    *rooms, file = kernel.__module__.split(".")  # a script's kernel is in no room
    return str(rooms[-1] if file == "kernel" and rooms else file)
