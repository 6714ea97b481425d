"""A Dask cluster carries out tasks: encrypted or on this machine only, and nothing is lost."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gametree.errors import InputError
from gametree.jobs import keys
from gametree.jobs.addresses import checked
from gametree.jobs.cluster import Cluster
from gametree.jobs.spread import Gone, Task, spread
from jobs.hosted import Hosted, children, gone, hosted
from jobs.work import Squares

pytestmark = [
    pytest.mark.same_in_all_modes,
    pytest.mark.skipif(sys.platform != "linux", reason="reads /proc"),
]
pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosted]:
    with hosted(tmp_path_factory.mktemp("cluster")) as found:
        yield found


@pytest.fixture
def cluster(one: Hosted) -> Iterator[Cluster]:
    with Cluster(one.address, one.key) as found:
        yield found


def numbered(count: int, **more: Any) -> Iterator[Task]:
    for number in range(count):
        yield Task(f"number {number}", {"number": number, **more.get(f"n{number}", {})})


def test_a_cluster_gives_the_results_of_one_process(cluster: Cluster) -> None:
    found = list(spread(Squares(), numbered(300), executor=cluster))
    assert [done.result for done in found] == [done.result for done in spread(Squares(), numbered(300))]
    assert [seat.threads for seat in cluster.seats()] == [1] and cluster.workers == 1


def test_a_worker_that_dies_is_replaced_and_its_tasks_are_given_out_again(
    one: Hosted, cluster: Cluster, tmp_path: Path
) -> None:
    before = one.worker_pids
    found = list(spread(Squares(str(tmp_path)), numbered(4, n1={"dies": "once"}), executor=cluster))
    assert [done.result and done.result["square"] for done in found] == [0, 1, 4, 9]
    assert one.worker_pids != before


@pytest.mark.slow
def test_a_task_that_ends_two_workers_is_given_up_by_name_and_nothing_else_is_lost(
    cluster: Cluster, tmp_path: Path
) -> None:
    tasks = numbered(4, n1={"dies": "once"}, n2={"dies": "always"})
    found = list(spread(Squares(str(tmp_path)), tasks, executor=cluster))
    assert [done.result and done.result["square"] for done in found] == [0, 1, None, 9]
    assert found[2].trouble.startswith("number 2 was given up: 2 workers died of it")


def test_what_a_task_raises_ends_the_run(cluster: Cluster) -> None:
    with pytest.raises(ValueError, match="out of luck"):
        list(spread(Squares(), numbered(3, n1={"raises": "out of luck"}), executor=cluster))


def test_whoever_has_heard_enough_leaves_and_the_cluster_is_free_again(cluster: Cluster) -> None:
    run = spread(Squares(), numbered(10**9), executor=cluster)
    assert next(run).result == {"square": 0}
    run.close()
    assert cluster.submit(abs, -1).result(10) == 1


def test_the_users_files_travel_and_a_file_that_was_changed_travels_again(
    one: Hosted, tmp_path: Path
) -> None:
    script = (
        "import sys\n"
        "from gametree.own_code import import_file\n"
        "from gametree.jobs.cluster import Cluster\n"
        "from gametree.jobs.spread import Task, spread\n"
        "module = import_file('mything.py')\n"
        "with Cluster(sys.argv[1], sys.argv[2]) as cluster:\n"
        "    print(*(done.result for done in spread(module.Adds(), [Task('one', 1)], executor=cluster)))\n"
    )
    (tmp_path / "run.py").write_text(script)
    (tmp_path / "mything.py").write_text(
        "from mypart import part\n"
        "class Adds:\n    def open(self): return lambda number: {'sum': number + part.n}\n"
    )
    (tmp_path / "mypart").mkdir()
    (tmp_path / "mypart" / "__init__.py").write_text("from . import part\n")
    for n in (41, 99):
        (tmp_path / "mypart" / "part.py").write_text(f"n = {n}\n")
        done = subprocess.run(
            [sys.executable, "-B", "run.py", one.address, str(one.key)],
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )
        assert done.stdout == f"{{'sum': {1 + n}}}\n", done.stderr


def test_what_the_program_itself_defines_travels_too(one: Hosted, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(
        "import sys\n"
        "import gametree as gt\n"
        "from gametree.jobs.spread import Task, spread\n"
        "class Heap(gt.games.Nim):\n    pass\n"
        "class Counts:\n"
        "    def __init__(self, game): self.game = game\n"
        "    def open(self): return lambda n: {'count': gt.perft(self.game, n)}\n"
        "with gt.Cluster(sys.argv[1], sys.argv[2]) as cluster:\n"
        "    done = list(spread(Counts(Heap(counters=9)), [Task('three', 3)], executor=cluster))\n"
        "print(done[0].result, gt.perft(Heap(counters=9), 3))\n"
    )
    done = subprocess.run(
        [sys.executable, str(tmp_path / "program.py"), one.address, str(one.key)],
        capture_output=True,
        text=True,
        cwd="/",
    )
    assert done.stdout == "{'count': 27} 27\n", done.stderr


# --- who may come in --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "why"),
    [
        (
            "tcp://10.1.2.3:8786",
            "is not encrypted: whoever is on the way could run programs .* Use tls://10.1.2.3:8786",
        ),
        ("tcp://example.org:8786", "is not encrypted"),
        ("ws://127.0.0.1:8786", "is reached by tls://HOST:8786"),
        ("10.1.2.3:8786", "is no address of a cluster; write tls://HOST:8786"),
    ],
)
def test_only_what_is_encrypted_or_on_this_machine_is_spoken_to(address: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        Cluster(address)


@pytest.mark.parametrize(
    "address", ["tcp://127.0.0.1:1", "tcp://localhost:1", "tcp://[::1]:1", "tls://far.example:1"]
)
def test_this_machine_needs_no_encryption(address: str) -> None:
    assert checked(address) == address


def test_a_key_is_for_its_owner_and_made_once(tmp_path: Path) -> None:
    made = keys.made_key(tmp_path / "new" / "cluster.pem")
    assert made.stat().st_mode & 0o777 == 0o600
    text = made.read_text()
    assert keys.made_key(made).read_text() == text
    with pytest.raises(InputError, match=r"no key of a cluster at .*gametree cluster start. makes one"):
        Cluster("tls://127.0.0.1:1", tmp_path / "none.pem")
    (tmp_path / "other").write_text("nothing")
    with pytest.raises(InputError, match="is no key of a cluster: it has to hold"):
        Cluster("tls://127.0.0.1:1", tmp_path / "other")


def test_who_has_another_key_or_none_is_turned_away(one: Hosted, tmp_path: Path) -> None:
    other = keys.made_key(tmp_path / "other.pem")
    with pytest.raises(InputError, match="nobody answers at tls://"):
        Cluster(one.address, other, patience=1)
    with pytest.raises(InputError, match="nobody answers at tcp://"):
        Cluster(one.address.replace("tls", "tcp"), patience=1)


def test_nothing_is_left_when_a_cluster_ends_and_a_run_is_told_how_to_go_on(tmp_path: Path) -> None:
    with hosted(tmp_path) as two:
        workers = children(two.process.pid)
        with Cluster(two.address, two.key) as cluster, pytest.raises(Gone, match="the same command goes on"):
            for done in spread(Squares(), numbered(10**9, n9={"sleeps": 0.5}), executor=cluster):
                if done.task.payload["number"] == 5:
                    os.kill(two.process.pid, signal.SIGINT)
        two.process.wait(20)
    assert two.process.returncode == 0 and len(workers) == 1 and gone(workers)


def test_a_cluster_without_workers_says_how_to_have_some(tmp_path: Path) -> None:
    with (
        hosted(tmp_path, workers=0) as empty,
        pytest.raises(InputError, match="has no workers; `gametree cluster join tls://"),
    ):
        Cluster(empty.address, empty.key, patience=0.5)
