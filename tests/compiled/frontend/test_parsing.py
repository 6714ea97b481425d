import ast
import gc
import inspect
import sys
from concurrent.futures import ThreadPoolExecutor

from gametree.compiled.frontend.parsing import parse
from gametree.games import connect_four


class Untidy:
    """Garbage that only the collector finds, and that runs code when it does: then another thread may go on."""

    def __init__(self) -> None:
        self.itself = self

    def __del__(self) -> None:
        sum(range(50))


def test_many_threads_parse_at_a_time() -> None:
    text = inspect.getsource(connect_four)

    def tree(_: int) -> str:
        for _ in range(5):
            Untidy()
            found = parse(text)
        return ast.dump(found)

    thresholds, interval = gc.get_threshold(), sys.getswitchinterval()
    gc.set_threshold(50, 5, 5)
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as pool:
            found = set(pool.map(tree, range(16)))
    finally:
        gc.set_threshold(*thresholds)
        sys.setswitchinterval(interval)
    assert found == {ast.dump(ast.parse(text))}
