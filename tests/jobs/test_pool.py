"""Processes that carry out calls: one that dies is replaced."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gametree.errors import GametreeError, InputError
from gametree.jobs.pool import Pool, TaskKilled
from jobs import work

pytestmark = pytest.mark.same_in_all_modes


def test_calls_are_carried_out_by_other_processes() -> None:
    with Pool(2) as pool:
        assert list(pool.map(abs, [-1, 2, -3])) == [1, 2, 3]
        assert pool.submit(work.pid).result() != os.getpid()


def test_what_a_call_raises_comes_back() -> None:
    with Pool(1) as pool:
        with pytest.raises(ZeroDivisionError):
            pool.submit(divmod, 1, 0).result()
        with pytest.raises(GametreeError, match="Local: cannot be sent"):
            pool.submit(work.odd_error).result()
        assert pool.submit(abs, -1).result() == 1


def test_a_process_that_dies_is_replaced_and_its_call_given_out_again() -> None:
    with Pool(1) as pool:
        long = pool.submit(work.wait, 0.6)
        while not long.running():
            time.sleep(0.01)
        time.sleep(0.1)
        os.kill(pool.pids[0], signal.SIGKILL)
        assert long.result() is None and pool.replaced == 1


def test_a_call_that_ends_two_processes_is_given_up_and_the_others_are_not() -> None:
    with Pool(1) as pool:
        bad, good = pool.submit(work.die), pool.submit(abs, -1)
        with pytest.raises(TaskKilled, match="2 processes died of it, the last one with code -9"):
            bad.result()
        assert good.result() == 1 and pool.replaced == 2


def test_a_closed_pool_takes_no_calls() -> None:
    pool = Pool(1)
    pool.shutdown()
    with pytest.raises(RuntimeError, match="closed"):
        pool.submit(abs, 1)
    with pytest.raises(InputError, match="jobs=0"):
        Pool(0)


def test_what_waits_is_cancelled() -> None:
    pool = Pool(1)
    running = pool.submit(work.wait, 30)
    waiting = pool.submit(abs, -1)
    while not running.running():
        time.sleep(0.01)
    pool.shutdown(cancel_futures=True)
    assert waiting.cancelled()
    with pytest.raises(GametreeError, match="the pool was closed"):
        running.result()


@pytest.mark.skipif(sys.platform == "win32", reason="reads /proc")
def test_processes_end_with_the_one_that_made_them(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import time\nfrom gametree.jobs.pool import Pool\n"
        'if __name__ == "__main__":\n'
        "    pool = Pool(1)\n"
        "    pool.submit(abs, 1).result()\n"
        "    pool.submit(time.sleep, 60)\n"
        "    print(*pool.pids, flush=True)\n"
        "    time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, str(program)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        child = int(process.stdout.readline())
        process.kill()
    for _ in range(200):
        if not _alive(child):
            return
        time.sleep(0.05)
    raise AssertionError("the worker goes on without anybody to work for")


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
