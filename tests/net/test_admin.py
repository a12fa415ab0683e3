"""The operator's console: every order, and nobody else on its socket."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import socket
import stat
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from carteado.net import admin
from carteado.net.admin import QUESTION, AdminSocket, Line, NoAdmin
from carteado.net.clock import VirtualClock
from carteado.net.console import rendered
from carteado.net.errors import Refusal, StoreFailure
from carteado.net.keys import KeyPair, fingerprint
from carteado.net.memory import MemoryStore
from carteado.net.order_words import BadOrder
from carteado.net.orders import ORDERS, RESTART, Orders
from carteado.net.protocol import Gone, Hello
from carteado.net.saving import AGAIN
from carteado.net.settings import TableSpec
from carteado.net.store import Record

from .rooms import hostile, hosting, run, sitting, soon, visiting

TWO = TableSpec("high-card", chairs=2)
PAGE = (Path(__file__).resolve().parents[2] / "docs" / "operating.md").read_text(encoding="utf-8")


def orders(host: Any) -> tuple[Orders, list[int]]:
    ended: list[int] = []
    return Orders(host, ended.append), ended


@asynccontextmanager
async def listening(host: Any, folder: Path) -> AsyncIterator[AdminSocket]:
    """Open a socket for a host."""
    made = AdminSocket(folder / "admin" / "s.sock", orders(host)[0])
    await made.open()
    try:
        yield made
    finally:
        await made.close()


async def asked(path: Path, *words: str) -> Any:
    """Ask from another thread, as another program does."""

    def ask() -> Any:
        with Line(path) as line:
            return line.ask(list(words))

    return await asyncio.get_running_loop().run_in_executor(None, ask)


@pytest.mark.parametrize("name", ORDERS)
def test_every_order_is_documented(name: str) -> None:
    assert f"`{f'{name} {ORDERS[name].usage}'.strip()}`" in PAGE.replace("\\|", "|")


def test_tables_and_players_are_listed_without_secrets() -> None:
    async def test() -> None:
        async with hosting(TWO) as host, sitting(host, "Ana") as ana:
            desk, _ = orders(host)
            (table,) = await desk.carry_out(["tables"])
            (player,) = await desk.carry_out(["players"])
            assert ("t-1", "high-card", "lobby", "Ana", 1) == tuple(table[key] for key in ("table", "game", "stage", "people", "free"))
            assert ("Ana", fingerprint(ana.keys.public), "t-1", 0, "person") == tuple(
                player[key] for key in ("name", "key", "table", "seat", "kind")
            )
            told = json.dumps([table, player, await desk.carry_out(["state", "t-1"]), await desk.carry_out(["health"])])
            assert ana.keys.secret.hex() not in told

    run(test())


def test_the_state_of_a_match_tells_no_card() -> None:
    async def test() -> None:
        async with hosting(TWO) as host, sitting(host, "Ana") as ana:
            await ana.fill("random")
            await ana.start()
            await ana.until(lambda p: p.view is not None)
            told = await orders(host)[0].carry_out(["state", "t-1"])
            faces = [card for zone in ana.view["zones"] for card in zone["cards"] or []]  # type: ignore[index]
            assert faces
            assert not [face for face in faces if f'"{face}"' in json.dumps(told)]
            assert host.tables["t-1"].match.h.hex() == told["h"]  # type: ignore[union-attr]

    run(test())


def test_somebody_kicked_keeps_the_seat_and_is_told() -> None:
    async def test() -> None:
        async with hosting(TWO) as host, sitting(host, "Ana") as ana:
            assert "Ana was shown out" in await orders(host)[0].carry_out(["kick", "Ana", "too", "loud"])
            await soon(lambda: ana.line == "gone")
            assert "kicked" == ana.gone_code
            assert "Ana" == host.tables["t-1"].chairs[0].name

    run(test())


def test_somebody_removed_has_left_for_good() -> None:
    async def test() -> None:
        async with hosting() as host, sitting(host, "Ana") as ana, sitting(host, "Rui") as rui, sitting(host, "Eva"):
            await ana.start()
            await orders(host)[0].carry_out(["remove", "Rui"])
            table = host.tables["t-1"]
            assert ("playing", True, None) == (table.stage, table.chairs[1].left, table.chair_of(rui.keys.public))

    run(test())


def test_somebody_who_is_not_there_can_be_removed_and_banned() -> None:
    async def test() -> None:
        async with hosting() as host, sitting(host, "Ana") as ana, sitting(host, "Eva"):
            async with sitting(host, "Rui") as rui:
                await ana.start()
            await soon(lambda: host.tables["t-1"].chairs[2].session is None)
            desk, _ = orders(host)
            await desk.carry_out(["remove", "Rui"])
            assert (True, True) == (host.tables["t-1"].chairs[2].left, host.tables["t-1"].chairs[2].house)
            await desk.carry_out(["ban", rui.keys.public.hex()])
            assert host.bans.key(rui.keys.public)
            assert "for ever" == (await desk.carry_out(["bans"]))[0]["seconds"]

    run(test())


def test_a_console_that_is_open_does_not_keep_the_host_from_ending(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def test() -> None:
        async with hosting(TWO) as host, listening(host, tmp_path) as line:
            reader, writer = await asyncio.open_unix_connection(str(line.path))
            writer.write(b'["tables"]\n')
            await reader.readline()
        assert b"" == await reader.read()
        writer.close()

    run(test())
    assert [] == caplog.records


def test_an_order_that_is_not_carried_out_does_not_keep_the_host_from_ending(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def test() -> None:
        async with hosting(TWO) as host, listening(host, tmp_path) as line:
            waits = asyncio.Event()

            async def back(tables: Any) -> None:
                waits.set()
                await asyncio.Event().wait()

            host.returning.back = back  # type: ignore[method-assign]
            order = asyncio.create_task(asked(line.path, "state", "t-1"))
            await waits.wait()
        with pytest.raises(NoAdmin, match="the host has gone"):
            await order

    run(test(), 10.0)
    assert [] == caplog.records


def test_somebody_banned_cannot_come_back_until_the_ban_is_lifted() -> None:
    async def test() -> None:
        async with hosting(TWO) as host, sitting(host, "Ana") as ana:
            desk, _ = orders(host)
            await desk.carry_out(["ban", "Ana", "5", "spam"])
            await soon(lambda: ana.keys.public not in host.sessions.by_key)
            (ban,) = await desk.carry_out(["bans"])
            assert ("Ana", "key", ana.keys.public.hex()) == (ban["name"], ban["kind"], ban["who"])
            assert ("spam", "operator", True) == (ban["why"], ban["by"], ban["kept"])
            assert host.bans.key(ana.keys.public)
            for way in (ana.keys.public.hex()[:12], fingerprint(ana.keys.public), "Ana"):
                await desk.carry_out(["unban", way])
                assert [] == await desk.carry_out(["bans"])
                await desk.carry_out(["ban", ana.keys.public.hex(), "5"])
            await desk.carry_out(["unban", ana.keys.public.hex()])
            async with visiting(host, "Ana", ana.keys):
                assert not host.bans.key(ana.keys.public)

    run(test())


def test_strangers_from_an_address_can_be_banned_and_those_seated_stay() -> None:
    async def test() -> None:
        async with hosting(TWO) as host, sitting(host, "Ana") as ana:
            desk, _ = orders(host)
            assert "127.0.0.1 is banned for 5 minutes" in await desk.carry_out(["ban", "127.0.0.1", "5"])
            assert ["banned", None] == [host.door.admit("table", "127.0.0.1", key) for key in (os.urandom(32), ana.keys.public)]
            await desk.carry_out(["unban", "127.0.0.1"])
            assert host.door.admit("table", "127.0.0.1", os.urandom(32)) is None

    run(test())


def test_a_ban_of_an_address_shows_strangers_out_who_are_there_and_lets_them_not_even_say_hello_again() -> None:
    async def test() -> None:
        async with hosting(TWO) as host, sitting(host, "Ana") as ana, visiting(host, "Rui") as rui, hostile(host) as raw:
            await raw.hello("Mal")
            desk, _ = orders(host)
            await desk.carry_out(["ban", "127.0.0.1"])
            await soon(lambda: rui.line == "gone")
            assert "banned" == rui.gone_code
            assert "banned" == (await raw.hear(Gone)).code
            await raw.say(Hello((1, 1), "test", "Mal"))
            await soon(lambda: host.refused["zap_refused"])  # its connection was cut, and it has tried another one
            assert ["Ana"] == [row["name"] for row in await desk.carry_out(["players"])]
            assert (await ana.tables()).tables

    run(test())


def test_an_address_is_the_same_however_it_is_written_and_lifted_by_no_other() -> None:
    async def test() -> None:
        async with hosting(TWO) as host:
            desk, _ = orders(host)
            await desk.carry_out(["ban", "::ffff:10.0.0.9"])
            await desk.carry_out(["ban", "FE80:0::7"])
            assert ["10.0.0.9", "fe80::7"] == [ban["who"] for ban in await desk.carry_out(["bans"])]
            with pytest.raises(BadOrder, match=r"'10\.0\.0' names no bans"):
                await desk.carry_out(["unban", "10.0.0"])
            await desk.carry_out(["unban", "fe80:0::7"])
            await desk.carry_out(["unban", "10.0.0.9"])
            assert [] == await desk.carry_out(["bans"])

    run(test())


def test_a_short_name_is_not_taken_for_the_beginning_of_somebody_s_key() -> None:
    async def test() -> None:
        keys = next(keys for keys in iter(KeyPair.make, None) if not keys.public.hex()[:3].isdecimal())
        async with hosting(TWO) as host, sitting(host, "Ana", keys):
            desk, _ = orders(host)
            for order in ("kick", "ban", "remove"):
                with pytest.raises(BadOrder, match="names no"):
                    await desk.carry_out([order, keys.public.hex()[:3]])
            assert "Ana is banned" in await desk.carry_out(["ban", keys.public.hex()[:4]])

    run(test())


def test_words_that_are_no_text_are_refused_in_a_sentence(tmp_path: Path) -> None:
    async def test() -> None:
        async with hosting(TWO) as host, listening(host, tmp_path) as line:
            with pytest.raises(BadOrder, match="no text"):
                await asked(line.path, "announce", "\udcff")
            reader, writer = await asyncio.open_unix_connection(str(line.path))
            writer.write(b'["ban", "\\udcff"]\n')
            assert not json.loads(await reader.readline())["ok"]
            writer.close()

    run(test())


def test_who_the_host_itself_has_banned_is_let_in_again_by_name() -> None:
    async def test() -> None:
        async with hosting(TWO) as host, sitting(host, "Ana") as ana:
            host.door.ban(ana.keys.public, "flood")
            desk, _ = orders(host)
            assert [("Ana", "host", False)] == [(ban["name"], ban["by"], ban["kept"]) for ban in await desk.carry_out(["bans"])]
            assert "Ana may come in again." == await desk.carry_out(["unban", "Ana"])
            assert [] == await desk.carry_out(["bans"])

    run(test())


def test_a_ban_holds_although_the_store_cannot_save_and_is_kept_when_it_can() -> None:
    class Full(MemoryStore):
        full, commit_at_once = False, None  # type: ignore[assignment]

        async def commit(self, batch: Sequence[Record]) -> None:
            if self.full:
                raise StoreFailure("the disk is full", "full")
            await super().commit(batch)

    async def test() -> None:
        clock, store = VirtualClock(), Full()
        async with hosting(TWO, store=store, clock=clock) as host:
            desk, _ = orders(host)
            store.full = True
            key = os.urandom(32)
            assert "keeps it when it can" in await desk.carry_out(["ban", key.hex()])
            assert host.bans.key(key)
            store.full = False
            await clock.advance(AGAIN)
            await soon(lambda: store.banned)

    run(test())


def test_every_number_of_the_host_says_what_it_is() -> None:
    async def test() -> None:
        async with hosting(TWO) as host, sitting(host, "Ana"):
            rows = await orders(host)[0].carry_out(["metrics"])
            told = {row["metric"]: (row["value"], row["is"]) for row in rows}
            assert (1, "Connected peers") == told["peers"]
            assert (1, "Tables, by stage") == told["tables lobby"]
            assert all(row["is"] for row in rows)
            assert "Connected peers" in rendered(rows)

    run(test())


def test_an_announcement_is_heard_at_the_tables_from_the_host() -> None:
    async def test() -> None:
        async with hosting(TWO) as host, sitting(host, "Ana") as ana:
            changes = ana.changes()
            assert "said to 1 at the tables" == await orders(host)[0].carry_out(["announce", "we", "close", "at", "ten"])
            said = None
            while said is None:
                said = (await anext(changes)).said
            await changes.aclose()
            assert ("host", "we close at ten", None) == (said.name, said.text, said.seat)

    run(test())


def test_a_table_is_stopped_and_goes_on() -> None:
    async def test() -> None:
        async with hosting(TWO) as host, sitting(host, "Ana") as ana, sitting(host, "Rui"):
            desk, _ = orders(host)
            assert "paused: none" == await desk.carry_out(["pause", "all"])
            await ana.start()
            assert "paused: t-1" == await desk.carry_out(["pause", "t-1"])
            await ana.until(lambda p: p.table is not None and p.table.stage == "paused")
            assert "going on: t-1" == await desk.carry_out(["resume", "all"])
            await ana.until(lambda p: p.table is not None and p.table.stage == "playing")

    run(test())


def test_tables_are_opened_and_closed() -> None:
    async def test() -> None:
        async with hosting(TWO) as host, sitting(host, "Ana") as ana, sitting(host, "Rui"):
            desk, _ = orders(host)
            id = (await desk.carry_out(["open", "high-card", "3", "stake=5"])).split()[1]
            assert (3, 5) == (len(host.tables[id].chairs), host.tables[id].options["stake"])
            await desk.carry_out(["close", id])
            assert id not in host.tables
            hidden = (await desk.carry_out(["open", "high-card", "private"])).split()[1]
            assert ["t-1"] == [row.m for row in (await ana.tables()).tables]
            assert {"t-1": False, hidden: True} == {row["table"]: row["private"] for row in await desk.carry_out(["tables"])}
            await ana.start()
            with pytest.raises(BadOrder, match="close t-1 now"):
                await desk.carry_out(["close", "t-1"])
            await desk.carry_out(["close", "t-1", "now"])
            await soon(lambda: ana.line == "gone")
            assert "closed" == ana.gone_code

    run(test())


def test_a_draining_host_begins_nothing_new_and_lets_matches_end() -> None:
    async def test() -> None:
        async with (
            hosting(TWO, TableSpec("high-card", id="t-2", chairs=2)) as host, sitting(host, "Ana") as ana, sitting(host, "Rui"),
            sitting(host, "Eva", m="t-2") as eva, sitting(host, "Ivo", m="t-2"),
        ):  # fmt: skip
            await ana.start()
            desk, _ = orders(host)
            assert "1 running" in await desk.carry_out(["drain"])
            for doing in (eva.start(), eva.ready(), eva.open("high-card")):
                with pytest.raises(Refusal) as refused:
                    await doing
                assert "draining" == refused.value.code
            assert "playing" == host.tables["t-1"].stage
            await desk.carry_out(["drain", "off"])
            await eva.start()

    run(test())


def test_an_invitation_is_what_others_join_with() -> None:
    async def test() -> None:
        async with hosting(TWO) as host:
            told = await orders(host)[0].carry_out(["invite"])
            assert f"carteado join '{host.address}'" == told.splitlines()[0]

    run(test())


def test_given_games_are_not_loaded_anew() -> None:
    async def test() -> None:
        async with hosting(TWO) as host:
            assert {"given"} == {row["state"] for row in await orders(host)[0].carry_out(["reload"])}

    run(test())


def test_stop_and_restart_end_the_host_with_their_status() -> None:
    async def test() -> None:
        async with hosting(TWO) as host:
            desk, ended = orders(host)
            await desk.carry_out(["stop"])
            await desk.carry_out(["restart"])
            await asyncio.sleep(0)
            assert [0, RESTART] == ended

    run(test())


def test_a_table_that_was_closed_meanwhile_is_closed_once() -> None:
    async def test() -> None:
        async with hosting(TWO) as host:
            desk, _ = orders(host)
            first, second = await asyncio.gather(desk.carry_out(["close", "t-1"]), desk.carry_out(["close", "t-1"]), return_exceptions=True)
            assert "t-1 is closed." == first
            assert isinstance(second, BadOrder)

    run(test())


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "say what to do"),
        (["dance"], "there is no order 'dance'"),
        (["kick"], "write it as: kick PLAYER"),
        (["kick", "Nobody"], "'Nobody' names no connected players"),
        (["state", "t-9"], "there is no table 't-9'"),
        (["kick", ""], "write it as: kick PLAYER"),
        (["unban", "ff"], "'ff' names no bans"),
        (["unban", ""], "write it as: unban"),
        *((["ban", "10.0.0.9", minutes], "write it as: ban") for minutes in ("inf", "nan", "-5", "1e18", "soon")),
        (["open", "no-such"], "open was refused: no_game"),
        (["announce"], "write it as: announce TEXT"),
        (["open", "high-card", "2", "privat"], "write it as: open GAME"),
        (["open", "high-card", "2", "3"], "write it as: open GAME"),
        (["state", "t-1", "now"], "write it as: state TABLE"),
        (["close", "t-1", "soon"], "write it as: close TABLE"),
        *(([order, "now"], f"write it as: {order}") for order in ("stop", "restart", "rotate", "reload", "drain", "help", "bans")),
        (["rotate"], "the key of this host is not in a file"),
    ],
)
def test_what_cannot_be_ordered_is_one_sentence(words: list[str], sentence: str) -> None:
    async def test() -> None:
        async with hosting(TWO) as host:
            with pytest.raises(BadOrder, match=sentence):
                await orders(host)[0].carry_out(words)

    run(test())


def test_what_an_operator_changes_is_in_the_log_with_the_reason_and_a_look_is_not(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def test() -> None:
        async with hosting(TWO) as host, listening(host, tmp_path) as line, sitting(host, "Ana"):
            await asked(line.path, "tables")
            await asked(line.path, "kick", "Ana", "too", "loud")

    caplog.set_level("INFO")
    run(test())
    told = [record.fields for record in caplog.records if record.message == "admin.order"]  # type: ignore[attr-defined]
    assert [{"order": "kick", "about": "Ana too loud"}] == told


def test_an_order_on_which_the_host_fails_is_answered_so_and_the_host_lives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test() -> None:
        async with hosting(TWO) as host, listening(host, tmp_path) as line:
            monkeypatch.setattr(host._dispatcher, "close", lambda table, turn: 1 // 0)
            with pytest.raises(NoAdmin, match="the host failed on this: ZeroDivisionError"):
                await asked(line.path, "close", "t-1")
            assert 1 == len(await asked(line.path, "tables"))

    run(test())


def test_the_socket_is_the_operator_s_alone(tmp_path: Path) -> None:
    async def test() -> None:
        async with hosting(TWO) as host, listening(host, tmp_path) as line:
            modes = [stat.S_IMODE(path.stat().st_mode) for path in (line.path.parent, line.path)]
            assert [0o700, 0o600] == modes
            assert "lobby" == (await asked(line.path, "tables"))[0]["stage"]
        assert not line.path.exists()

    run(test())


def test_a_folder_that_others_can_read_is_closed_to_them(tmp_path: Path) -> None:
    async def test() -> None:
        (tmp_path / "admin").mkdir(mode=0o777)
        async with hosting(TWO) as host, listening(host, tmp_path) as line:
            assert 0o700 == stat.S_IMODE(line.path.parent.stat().st_mode)

    run(test())


def test_a_folder_of_somebody_else_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test() -> None:
        async with hosting(TWO) as host:
            monkeypatch.setattr(os, "getuid", lambda: 12345)
            with pytest.raises(NoAdmin, match="belongs to somebody else"):
                await AdminSocket(tmp_path / "admin" / "s.sock", orders(host)[0]).open()

    run(test())


def test_a_program_of_another_user_is_not_answered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test() -> None:
        async with hosting(TWO) as host, listening(host, tmp_path) as line:
            monkeypatch.setattr(admin, "_allowed", lambda connection: False)
            with pytest.raises(NoAdmin):
                await asked(line.path, "tables")

    run(test())


@pytest.mark.parametrize("question", [b"\xff\xfe\n", b"{}\n", b'"kick"\n', b"[1]\n", b"[" * 3000 + b"\n"])
def test_nonsense_is_answered_and_the_host_lives(tmp_path: Path, question: bytes) -> None:
    async def test() -> None:
        async with hosting(TWO) as host, listening(host, tmp_path) as line:
            reader, writer = await asyncio.open_unix_connection(str(line.path))
            writer.write(question)
            assert {"ok": False, "why": "a question is a JSON list of words"} == json.loads(await reader.readline())
            writer.close()
            assert 1 == len(await asked(line.path, "tables"))

    run(test())


def test_a_question_without_an_end_is_cut_off(tmp_path: Path) -> None:
    async def test() -> None:
        async with hosting(TWO) as host, listening(host, tmp_path) as line:
            reader, writer = await asyncio.open_unix_connection(str(line.path))
            with contextlib.suppress(ConnectionError):
                writer.write(b"x" * 4 * QUESTION)
                assert b"" == await reader.read()
            writer.close()

    run(test())


def test_no_order_is_taken_from_the_network() -> None:
    async def test() -> None:
        async with hosting(TWO) as host, sitting(host, "Ana") as ana:
            for word in ORDERS:
                await ana.say(word)
            assert "t-1" in host.tables
            assert not host.draining

    run(test(), 60)


def test_a_second_host_does_not_take_the_socket_of_the_first(tmp_path: Path) -> None:
    async def test() -> None:
        async with hosting(TWO) as host, listening(host, tmp_path) as line:
            with pytest.raises(NoAdmin, match="another host listens"):
                await AdminSocket(line.path, orders(host)[0]).open()

    run(test())


def test_the_socket_of_a_host_that_was_killed_is_taken_over(tmp_path: Path) -> None:
    async def test() -> None:
        (tmp_path / "admin").mkdir(mode=0o700)
        with socket.socket(socket.AF_UNIX) as dead:
            dead.bind(str(tmp_path / "admin" / "s.sock"))
        async with hosting(TWO) as host, listening(host, tmp_path) as line:
            assert 1 == len(await asked(line.path, "tables"))

    run(test())


def test_a_path_too_long_for_a_socket_has_a_stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARTEADO_HOME", str(tmp_path / ("x" * 120)))
    assert len(os.fsencode(admin.path_of(65535))) <= 107


def test_hosts_are_found_when_there_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARTEADO_HOME", str(tmp_path))
    with pytest.raises(NoAdmin, match="no host of yours runs"):
        admin.find()
    folder = admin.folder()
    folder.mkdir(parents=True)
    with socket.socket(socket.AF_UNIX) as one, socket.socket(socket.AF_UNIX) as other:
        one.bind(str(folder / "7777.sock"))
        one.listen()
        assert folder / "7777.sock" == admin.find()
        other.bind(str(folder / "7779.sock"))
        other.listen()
        with pytest.raises(NoAdmin, match="say --port 7777 or 7779"):
            admin.find()
        assert folder / "7779.sock" == admin.find(7779)


def test_answers_are_tables_lines_or_json() -> None:
    rows = [{"table": "t-1", "free": 2}, {"table": "evening", "free": 0}]
    assert "table    free\nt-1      2\nevening  0" == rendered(rows)
    assert "ok     yes\nfiles  7" == rendered({"ok": True, "files": 7})
    assert '{"ok": true}' == rendered({"ok": True}, as_json=True)
    assert "none" == rendered([])
    assert "a\\x1b[31m" == rendered("a\x1b[31m")
