"""Tasks, whoever carries them out, and the file of their results."""

import json
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

from gametree.errors import InputError
from gametree.jobs.parcel import Parcel
from gametree.jobs.spread import Gone, Task, spread
from gametree.jobs.store import Store
from jobs.work import Squares

pytestmark = pytest.mark.same_in_all_modes

HEADER = {"schema": "gametree.match/2", "what": "squares"}


def numbered(count: int, **more: Any) -> Iterator[Task]:
    for number in range(count):
        yield Task(f"number {number}", {"number": number, **more.get(f"n{number}", {})})


def squares(found: Any) -> list[int]:
    return [done.result["square"] for done in found]


def test_results_come_in_the_order_of_the_tasks_whoever_carries_them_out() -> None:
    expected = [n * n for n in range(30)]
    slow = {"n0": {"sleeps": 0.3}}
    assert squares(spread(Squares(), numbered(30))) == expected
    assert squares(spread(Squares(), numbered(30, **slow), jobs=2)) == expected
    with ThreadPoolExecutor(3) as threads:
        assert squares(spread(Squares(), numbered(30, **slow), executor=threads)) == expected
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as processes:
        assert squares(spread(Squares(), numbered(30), executor=processes)) == expected


def test_tasks_that_take_a_moment_are_given_out_together() -> None:
    calls: list[int] = []

    class Counting(ThreadPoolExecutor):
        def submit(self, fn: Any, /, *given: Any, **named: Any) -> Any:
            calls.append(len(given[1]))
            return super().submit(fn, *given, **named)

    with Counting(2) as threads:
        assert len(list(spread(Squares(), numbered(3_000), executor=threads))) == 3_000
    assert len(calls) < 100 and calls[0] == 1 and max(calls) > 50


def test_none_is_forgotten_where_the_first_of_many_takes_longest() -> None:
    slow = {f"n{number}": {"sleeps": 0.2} for number in range(0, 6_000, 1_000)}
    with ThreadPoolExecutor(2) as threads:
        found = squares(spread(Squares(), numbered(6_000, **slow), executor=threads))
    assert found == [n * n for n in range(6_000)]


def test_a_task_that_ends_two_processes_is_given_up_by_name_and_nothing_else_is_lost(tmp_path: Path) -> None:
    tasks = numbered(6, n2={"dies": "once"}, n4={"dies": "always"})
    found = list(spread(Squares(str(tmp_path)), tasks, jobs=2))
    assert [done.result and done.result["square"] for done in found] == [0, 1, 4, 9, None, 25]
    assert found[4].trouble.startswith("number 4 was given up: 2 processes died of it")


def test_what_a_task_raises_ends_the_run() -> None:
    for jobs in (1, 2):
        with pytest.raises(ValueError, match="out of luck"):
            list(spread(Squares(), numbered(3, n1={"raises": "out of luck"}), jobs=jobs))


def test_whoever_has_heard_enough_leaves() -> None:
    run = spread(Squares(), numbered(10**9), jobs=2)
    assert next(run).result == {"square": 0}
    run.close()


def test_an_executor_that_breaks_down_is_told_with_the_way_to_go_on() -> None:
    with (
        ProcessPoolExecutor(1, mp_context=get_context("spawn")) as processes,
        pytest.raises(Gone, match="the same command goes on from there"),
    ):
        list(spread(Squares(), numbered(2, n0={"dies": "always"}), executor=processes))


class CutOff(Executor):
    """Carries out all that it is given, but for number 5; once all others are done it breaks down."""

    _max_workers = 5

    def __init__(self) -> None:
        self.held: Future[Any] = Future()
        self.done = 0

    def submit(self, fn: Any, /, *given: Any, **named: Any) -> Any:
        (payload,) = given[1]
        future: Future[Any] = self.held if payload["number"] == 5 else Future()
        if future is not self.held:
            future.set_result(fn(*given, **named))
            self.done += 1
        if self.done == 9:
            self.held.set_exception(RuntimeError("the link is cut"))
        return future


def test_the_file_is_in_order_and_nothing_that_was_finished_is_lost(tmp_path: Path) -> None:
    slow = {f"n{number}": {"sleeps": 0.11} for number in range(10)}
    whole, part = Store(tmp_path / "whole", HEADER), Store(tmp_path / "part", HEADER)
    assert squares(spread(Squares(), numbered(10, **slow), store=whole)) == [n * n for n in range(10)]
    whole.close(done=True)
    with pytest.raises(Gone):
        list(spread(Squares(), numbered(10, **slow), executor=CutOff(), store=part))
    part.close()
    assert len((tmp_path / "part").read_text().splitlines()) == 6  # the header and 0 to 4
    assert (tmp_path / "part.waiting").exists()
    part = Store(tmp_path / "part", HEADER)
    assert len(part.results) == 9
    asked = list(spread(Squares(), numbered(10, **slow), store=part))
    assert [done.task.payload["number"] for done in asked if done.fresh] == [5]
    part.close(done=True)
    assert (tmp_path / "part").read_bytes() == (tmp_path / "whole").read_bytes()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["part", "whole"]


@pytest.mark.parametrize("cut", [1, 7, 30, 31, 45, 60, 61, 100])
def test_a_file_that_was_cut_off_anywhere_goes_on(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "results"

    def run() -> bytes:
        store = Store(path, {**HEADER, "name": "Zoë"})
        list(spread(Squares(), numbered(3), store=store))
        store.close(done=True)
        return path.read_bytes()

    whole = run()
    path.write_bytes(whole[:cut])
    assert run() == whole
    path.write_bytes(whole[:-cut])
    assert run() == whole


def test_a_file_is_for_one_run_at_a_time_and_for_one_experiment(tmp_path: Path) -> None:
    store = Store(tmp_path / "results", HEADER)
    with pytest.raises(InputError, match="is being written by another run"):
        Store(tmp_path / "results", HEADER)
    store.close()
    with pytest.raises(
        InputError, match="holds another experiment: its what is 'squares', this one's is 'cubes'"
    ):
        Store(tmp_path / "results", {**HEADER, "what": "cubes"})
    with pytest.raises(InputError, match="is a folder"):
        Store(tmp_path, HEADER)


def test_what_waits_for_another_experiment_is_forgotten(tmp_path: Path) -> None:
    (tmp_path / "results.waiting").write_text(json.dumps({**HEADER, "what": "cubes"}) + '\n{"task": "x"}\n')
    (tmp_path / "results").write_text(json.dumps(HEADER) + "\n")
    store = Store(tmp_path / "results", HEADER)
    assert store.results == {}
    store.close()


# --- parcels ----------------------------------------------------------------------------------------


def test_a_parcel_brings_the_files_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import subprocess
    import sys

    from gametree.own_code import import_file

    (tmp_path / "mygame_of_mine.py").write_text(
        "import mypart_of_mine\nclass Thing:\n    n = mypart_of_mine.n\n"
    )
    (tmp_path / "mypart_of_mine.py").write_text("n = 42\n")
    monkeypatch.setattr(sys, "path", list(sys.path))
    module = import_file(str(tmp_path / "mygame_of_mine.py"))
    parcel = Parcel.of(module.Thing())
    assert sorted(name for name, *_ in parcel.modules) == ["mygame_of_mine", "mypart_of_mine"]
    file = tmp_path / "parcel"
    import pickle

    file.write_bytes(pickle.dumps(parcel))
    script = "import pickle, sys; print(pickle.load(open(sys.argv[1], 'rb')).open().n)"
    done = subprocess.run([sys.executable, "-c", script, str(file)], capture_output=True, text=True, cwd="/")
    assert done.stdout == "42\n", done.stderr
    for name in ("mygame_of_mine", "mypart_of_mine"):
        del sys.modules[name]


def test_what_cannot_be_sent_is_refused_with_the_way_out() -> None:
    with pytest.raises(InputError, match=r"cannot be sent to other processes .* or jobs=1"):
        Parcel.of(lambda: 1)
