"""The pool in this process: rules that hang, and searches that cannot be stopped."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from app.conftest import NIM
from gametree.app.serve import pool as pools
from gametree.app.serve.pool import Job, Pool

pytestmark = pytest.mark.same_in_all_modes

PATIENCE = 60


async def asked(pool: Pool, do: str, **given: Any) -> dict[str, Any]:
    """The last answer to a request."""
    _, last = begun(pool, do, **given)
    return await asyncio.wait_for(last, PATIENCE)


def begun(pool: Pool, do: str, **given: Any) -> tuple[Job, "asyncio.Future[dict[str, Any]]"]:
    """A request on its way, and its last answer."""
    last: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()

    def tell(answer: dict[str, Any]) -> None:
        if answer["done"]:
            last.set_result(answer)

    return pool.submit({"do": do, **given}, tell), last


@pytest.mark.parametrize("do", ["move", "trace", "explore"])
def test_rules_that_hang_are_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, do: str) -> None:
    file = tmp_path / "hangs.py"
    file.write_text(NIM.replace("return (s[0] - a, 1 - s[1])", "\n        while True: pass"))
    monkeypatch.setattr(pools, "EFFORT", 0.5)

    async def ask() -> None:
        pool = Pool([str(file)], workers=2)
        await pool.start()
        try:
            said = await asked(pool, do, game="hangs")
            assert said["error"]["kind"] == "rules" and "took more than" in said["error"]["message"]
            there = await asked(pool, "position", game="nim")
            assert there["position"]["mover"] == 0
        finally:
            await pool.close()

    asyncio.run(ask())


def test_searches_that_cannot_be_stopped_leave_a_worker_to_others() -> None:
    async def ask() -> None:
        pool = Pool(workers=2)
        await pool.start()
        try:
            long = [
                begun(pool, "analyze", game=game, limit={"seconds": 600})
                for game in ("ludo", "pig", "ludo", "backgammon")
            ]
            # Twice, as the second time it is known which these are.
            for _ in range(2):
                assert (await asked(pool, "position", game="nim"))["position"]["mover"] == 0
                found = await asked(pool, "analyze", game="tic-tac-toe", limit={"seconds": 0.1})
                assert found["analysis"]["action"] is not None
            assert not any(last.done() for _, last in long)
            for job, last in long:
                assert pool.cancel(job) and "error" not in await last
        finally:
            await pool.close()

    asyncio.run(ask())


def test_a_search_that_is_cancelled_before_it_began_frees_its_worker() -> None:
    async def ask() -> None:
        pool = Pool(workers=2)
        await pool.start()
        try:
            job, last = begun(pool, "analyze", game="othello", limit={"depth": 40}, method="minimax")
            assert pool.cancel(job) and (await last)["analysis"] is None
            found = await asked(pool, "analyze", game="nim", limit={"nodes": 50})
            assert found["analysis"]["action"] is not None
        finally:
            await pool.close()

    asyncio.run(ask())
