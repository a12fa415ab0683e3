"""Private tables in a store: kept as such over a restart, with a match that goes on, and shown to the operator."""

from __future__ import annotations

import asyncio
from pathlib import Path

from carteado.net.keys import KeyPair
from carteado.net.orders import Orders
from carteado.net.settings import TableSpec
from carteado.net.sql.store import opened
from carteado.net.storekeeping import backup, export, restore

from ..highcard import HighCard
from ..rooms import bot, first_move, hosting, on_turn, run, soon, visiting

TWO = TableSpec("high-card", chairs=2)
ANA, RUI = KeyPair.make(), KeyPair.make()


async def begun(url: str) -> str:
    """Open a private table, begin a match there and make a move; return the table's id."""
    async with hosting(TWO, store=opened(url, "host")) as host, visiting(host, "Ana", ANA) as ana, visiting(host, "Rui", RUI) as rui:
        m = await ana.open("high-card", {"hands": 1}, chairs=2, private=True)
        await ana.join(m)
        await rui.join(m)
        await ana.start()
        await soon(lambda: on_turn(ana, rui))
        mover = on_turn(ana, rui)
        assert mover is not None
        assert (await mover.act(*await first_move(mover))).accepted
        return m


def test_a_private_table_is_private_after_a_restart_too_and_its_match_goes_on(url: str) -> None:
    async def test() -> None:
        m = await begun(url)
        for _ in range(2):
            async with (
                hosting(TWO, store=opened(url, "host")) as host, visiting(host, "Ana", ANA) as ana, visiting(host, "Rui", RUI) as rui,
                visiting(host, "Eva") as eva,
            ):  # fmt: skip
                lists = [[row.m for row in (await peer.tables()).tables] for peer in (ana, rui, eva)]
                assert [[m, "t-1"], [m, "t-1"], ["t-1"]] == [sorted(each) for each in lists]
                await asyncio.gather(ana.join(m), rui.join(m), eva.join(m, "watch"))
                assert [0, 1] == [ana.seat, rui.seat]
                assert ana.view is not None
                assert ana.view["q"] > 1
                assert [(m, True), ("t-1", False)] == sorted(
                    (row["table"], row["private"]) for row in await Orders(host, lambda status: None).carry_out(["tables"])
                )
        async with hosting(TWO, store=opened(url, "host")) as host, visiting(host, "Ana", ANA) as ana, visiting(host, "Rui", RUI) as rui:
            await asyncio.gather(ana.join(m), rui.join(m))
            await asyncio.gather(*(bot(peer, HighCard()).play() for peer in (ana, rui)))
            await ana.rematch()
            async with visiting(host, "Eva") as eva:
                assert ["t-1"] == [row.m for row in (await eva.tables()).tables]

    run(test())


def test_a_private_table_is_private_after_a_restore_from_backup_and_the_operator_exports_its_match(tmp_path: Path) -> None:
    async def there() -> list[list[str]]:
        store = opened(str(tmp_path / "other.db"), "host")
        async with hosting(TWO, store=store) as host, visiting(host, "Ana", ANA) as ana, visiting(host, "Eva") as eva:
            return [sorted(row.m for row in (await peer.tables()).tables) for peer in (ana, eva)]

    m = run(begun(str(tmp_path / "store.db")))
    assert 0 == backup(str(tmp_path / "store.db"), tmp_path / "kept.db")
    assert 0 == restore(str(tmp_path / "other.db"), tmp_path / "kept.db", force=False)
    assert [[m, "t-1"], ["t-1"]] == run(there())
    assert 0 == export(str(tmp_path / "store.db"), tmp_path / "journals", m)
    assert [m] == [path.name[: len(m)] for path in (tmp_path / "journals").glob("*.jsonl")]
