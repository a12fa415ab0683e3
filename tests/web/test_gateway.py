"""A gateway between a host and browsers: what passes through, what does not, and what a hostile page gets."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from carteado.net.codes import new_code
from carteado.net.host import serve
from carteado.net.keys import Address, KeyPair
from carteado.net.rates import DoorRules
from carteado.net.settings import HostConfig, TableSpec
from carteado.ui.web import settings
from carteado.ui.web.outbox import EVENTS, Full, Outbox
from carteado.ui.web.tokens import Tokens

from ..net.highcard import GAMES
from ..net.rooms import hosting, run, sitting, soon, together
from .browsers import TABLE, Visitor, gate, gateway_to, visiting


async def started(one: Visitor, other: Visitor) -> dict[str, Any]:
    """Let two visitors be ready; return the first's first view."""
    await together(one.ask(t="wish", what="ready"), other.ask(t="wish", what="ready"))
    return (await one.latest("state"))["view"]


async def mover(*visitors: Visitor) -> tuple[Visitor, dict[str, Any]]:
    """Return the visitor that is asked, and its view."""
    for visitor in visitors:
        for heard in reversed(visitor.heard):
            if heard["t"] == "state":
                if heard["view"]["prompts"]:
                    return visitor, heard["view"]
                break
    raise AssertionError("nobody is asked")


async def other_view(visitor: Visitor, q: int) -> Any:
    """Return a visitor's view that is newer than a version, which may have come before an answer."""

    def newer(heard: dict[str, Any]) -> bool:
        return heard["t"] == "state" and heard["view"]["q"] > q

    return (next(filter(newer, visitor.heard), None) or await visitor.until(newer))["view"]


def hand(view: dict[str, Any], seat: int) -> Any:
    """Return the cards of a seat as a view shows them."""
    return next(zone["cards"] for zone in view["zones"] if zone["name"] == f"hand/{seat}")


def test_a_browser_sits_down_with_a_key_of_its_own_and_plays(tmp_path: Path) -> None:
    async def play() -> None:
        async with gate(tmp_path) as (host, gateway), visiting(gateway) as ana, visiting(gateway) as bento:
            welcome = await ana.sit("Ana")
            await bento.sit("Bento")
            keys = gateway.tokens.keys(welcome["token"])
            assert keys.public in {chair.key for chair in host.tables["t-1"].chairs}
            await started(ana, bento)
            await bento.latest("state")
            one, view = await mover(ana, bento)
            prompt, card = view["prompts"][0]["id"], hand(view, view["you"])[0]
            answer = await one.ask(t="act", prompt=prompt, d={"type": "lay", "card": [card]})
            assert answer["ok"]
            assert card in next(zone["cards"] for zone in (await other_view(bento, view["q"]))["zones"] if zone["name"] == "row")

    run(play())


def test_a_browser_is_never_sent_another_seats_hand(tmp_path: Path) -> None:
    async def play() -> None:
        async with gate(tmp_path) as (_, gateway), visiting(gateway) as ana, visiting(gateway) as bento:
            await together(ana.sit("Ana"), bento.sit("Bento"))
            await started(ana, bento)
            await bento.latest("state")
            for visitor in (ana, bento):
                views = [heard["view"] for heard in visitor.heard if heard["t"] == "state"]
                assert views
                for view in views:
                    assert hand(view, 1 - view["you"]) is None
                    assert len(hand(view, view["you"])) == 3

    run(play())


def test_the_same_token_is_the_same_seat_after_the_gateway_was_started_again(tmp_path: Path) -> None:
    async def play() -> None:
        async with hosting(TABLE) as host:
            async with gateway_to(host.address, tmp_path) as gateway, visiting(gateway) as ana:
                token = (await ana.sit())["token"]
                seat = (await ana.latest("table"))["you"]
            async with gateway_to(host.address, tmp_path) as gateway, visiting(gateway) as again:
                assert (await again.sit(token=token))["token"] is None
                assert seat == (await again.latest("table"))["you"]
                assert 1 == sum(not chair.free for chair in host.tables["t-1"].chairs)

    run(play())


def test_a_page_that_is_loaded_anew_takes_up_at_the_same_table_at_once(tmp_path: Path) -> None:
    async def play() -> None:
        async with gate(tmp_path) as (_, gateway), visiting(gateway) as other:
            await other.sit("Bento")
            async with visiting(gateway) as ana:
                token = (await ana.sit())["token"]
                await started(ana, other)
            async with visiting(gateway) as again:
                assert "t-1" == (await again.hello(token=token))["m"]
                assert (await again.latest("state"))["view"]["you"] == 1

    run(play())


def test_the_newer_of_two_windows_plays_and_the_older_one_is_told(tmp_path: Path) -> None:
    async def play() -> None:
        async with gate(tmp_path) as (_, gateway), visiting(gateway) as old:
            token = (await old.sit())["token"]
            async with visiting(gateway) as new:
                await new.hello(token=token)
                assert {"t": "gone", "code": "superseded"} == await old.hear("gone")
                assert 4001 == await old.closed()
                assert (await new.ask(t="wish", what="ready"))["ok"]

    run(play())


def test_a_seat_hangs_up_some_time_after_its_browser_has_gone(tmp_path: Path) -> None:
    async def play() -> None:
        async with gate(tmp_path, linger=0.02) as (host, gateway):
            async with visiting(gateway) as ana:
                await ana.sit()
                assert 1 == len(host.sessions)
            await soon(lambda: len(host.sessions) == 0)
            assert 1 == sum(not chair.free for chair in host.tables["t-1"].chairs)

    run(play())


def test_what_is_asked_twice_with_one_number_is_done_once(tmp_path: Path) -> None:
    async def play() -> None:
        async with gate(tmp_path) as (_, gateway), visiting(gateway) as ana, visiting(gateway) as bento:
            await together(ana.sit("Ana"), bento.sit("Bento"))
            said = {"t": "wish", "what": "say", "text": "hello", "n": 77}
            await ana.say(said)
            await ana.until(lambda heard: heard.get("n") == 77)
            await ana.say(said)
            await ana.until(lambda heard: heard.get("n") == 77)
            await ana.ask(t="wish", what="say", text="end")
            await bento.until(lambda heard: heard.get("text") == "end")
            assert ["hello", "end"] == [heard["text"] for heard in bento.heard if heard["t"] == "say"]

    run(play())


def test_a_refusal_says_why_and_changes_nothing(tmp_path: Path) -> None:
    async def play() -> None:
        async with gate(tmp_path) as (host, gateway), visiting(gateway) as ana, visiting(gateway) as bento:
            await together(ana.sit("Ana"), bento.sit("Bento"))
            await started(ana, bento)
            await bento.latest("state")
            one, view = await mover(ana, bento)
            other = bento if one is ana else ana
            q = host.tables["t-1"].match.q
            prompt = view["prompts"][0]["id"]
            refused = [
                await one.ask(t="act", prompt=prompt, d={"type": "lay", "card": ["X9"]}),
                await one.ask(t="act", prompt=prompt, d={"type": "no_such_thing"}),
                await one.ask(t="act", prompt=prompt + 50, d={"type": "lay", "card": [hand(view, view["you"])[0]]}),
                await other.ask(t="act", prompt=prompt, d={"type": "lay", "card": [hand(view, view["you"])[0]]}),
                await one.ask(t="join", m="no-such-table"),
                await one.ask(t="wish", what="rematch"),
            ]
            assert [False] * 6 == [answer["ok"] for answer in refused]
            assert all(answer["code"] for answer in refused)
            assert q == host.tables["t-1"].match.q

    run(play())


HOSTILE = [
    "",
    "{",
    "[]",
    "7",
    "null",
    '"x"',
    '{"t":"hello","name":"B","lang":"en"}',
    '{"t":"no_such_kind"}',
    '{"t":"state","view":{}}',
    '{"t":"ping"}',
    '{"t":"ping","n":-1}',
    '{"t":"ping","n":1e9999}',
    '{"t":"ping","n":true}',
    '{"t":"act","n":1,"prompt":1,"d":[]}',
    '{"t":"act","n":1,"prompt":1,"d":{}}',
    '{"t":"act","n":1,"prompt":1,"d":{"a":{"b":1}}}',
    '{"t":"act","n":1,"prompt":1,"d":{"type":"x"},"seat":0}',
    '{"t":"act","n":1,"prompt":1,"d":{"type":1.5}}',
    '{"t":"wish","n":1,"what":"drop tables"}',
    '{"t":"join","n":1,"m":"../x"}',
    '{"t":"join","n":1,"m":"t-1","role":"host"}',
    '{"t":"words","n":1,"lang":"../../x"}',
    '{"t":"act","n":1,"prompt":1,"d":{"type":"' + "x" * 100 + '"}}',
    "[" * 8000,
    '{"t":"act","n":1,"prompt":1,"d":' + '{"a":' * 1000,
    '{"t":"wish","n":1,"what":"say","text":"' + "x" * 301 + '"}',
]


@pytest.mark.slow
def test_what_cannot_be_read_is_refused_and_reaches_no_host(tmp_path: Path) -> None:
    async def play() -> None:
        async with gate(tmp_path) as (host, gateway):
            token = gateway.tokens.new()
            for text in HOSTILE:
                async with visiting(gateway) as ana:
                    await ana.sit(token=token)
                    before = dict(host.refused)
                    await ana.say(text)
                    assert "malformed" == (await ana.hear("no"))["code"], text
                    assert (await ana.ask(t="wish", what="ready"))["ok"]
                    assert before == dict(host.refused)
                    assert (await ana.ask(t="wish", what="leave"))["ok"]

    run(play())


def test_whoever_goes_on_sending_what_cannot_be_read_is_cut_off(tmp_path: Path) -> None:
    async def play() -> None:
        async with gate(tmp_path) as (_, gateway), visiting(gateway) as ana:
            await ana.sit()
            with contextlib.suppress(ConnectionClosed):
                for _ in range(settings.STRIKES):
                    await ana.say("{")
            assert 1008 == await ana.closed()

    run(play())


@pytest.mark.parametrize("size", [settings.FRAME + 1, 1 << 20])
def test_a_message_that_is_too_long_ends_the_connection(tmp_path: Path, size: int) -> None:
    async def play() -> None:
        async with gate(tmp_path) as (_, gateway), visiting(gateway) as ana, visiting(gateway) as honest:
            await together(ana.sit("Ana"), honest.sit("Bento"))
            with contextlib.suppress(ConnectionClosed):
                await ana.say("x" * size)
            assert await ana.closed() in (1008, 1009)
            assert (await honest.ask(t="wish", what="ready"))["ok"]

    run(play())


def test_a_flood_is_cut_off_and_nobody_else_notices(tmp_path: Path) -> None:
    async def play() -> None:
        async with gate(tmp_path) as (_, gateway), visiting(gateway) as ana, visiting(gateway) as honest:
            await together(ana.sit("Ana"), honest.sit("Bento"))
            with contextlib.suppress(ConnectionClosed):
                for number in range(settings.BURST + 200):
                    await ana.say({"t": "ping", "n": number})
            assert 4008 == await ana.closed()
            assert (await honest.ask(t="wish", what="ready"))["ok"]

    run(play())


def test_a_browser_that_says_nothing_more_is_given_up(tmp_path: Path) -> None:
    async def play() -> None:
        async with gate(tmp_path, silence=0.05) as (_, gateway), visiting(gateway) as ana:
            await ana.hello()
            assert 4008 == await ana.closed()

    run(play())


def test_the_gateway_shows_life(tmp_path: Path) -> None:
    async def play() -> None:
        async with gate(tmp_path, ping=0.02) as (_, gateway), visiting(gateway) as ana:
            await ana.hello()
            assert {"t": "ping"} == await ana.hear("ping")

    run(play())


def test_a_connection_that_asks_for_nothing_is_closed(tmp_path: Path) -> None:
    async def play() -> None:
        async with gate(tmp_path, greeting=0.05) as (_, gateway):
            for first in (b"", b"GET / HT", b"\x16\x03\x01\x02"):
                reader, writer = await asyncio.open_connection("127.0.0.1", gateway.port)
                writer.write(first)
                async with asyncio.timeout(5):
                    await reader.read()  # ends when the gateway closes
                writer.close()
            async with visiting(gateway) as silent:
                assert 1008 == await silent.closed()

    run(play())


def test_one_address_holds_a_bounded_number_of_connections(tmp_path: Path) -> None:
    async def play() -> None:
        async with gate(tmp_path, connections=3) as (_, gateway):
            open_ones = [await asyncio.open_connection("127.0.0.1", gateway.port) for _ in range(3)]
            reader, writer = await asyncio.open_connection("127.0.0.1", gateway.port)
            async with asyncio.timeout(5):
                with contextlib.suppress(ConnectionError):
                    assert b"" == await reader.read()
            for _, one in (*open_ones, (reader, writer)):
                one.close()

    run(play())


def test_the_page_is_served_to_this_machine_alone_unless_the_network_is_asked_for(tmp_path: Path) -> None:
    async def play() -> None:
        async with gate(tmp_path) as (_, alone):
            assert ["http://127.0.0.1"] == [url.rpartition(":")[0] for url in alone.urls()]
            with socket.socket() as other, pytest.raises(OSError):  # noqa: PT012
                other.settimeout(0.5)
                other.connect(("127.0.0.2", alone.port))
        async with gate(tmp_path, lan=True) as (_, wide):
            reader, writer = await asyncio.open_connection("127.0.0.2", wide.port)
            writer.close()
            assert reader is not None

    run(play())


def test_a_gateway_without_its_host_says_so(tmp_path: Path) -> None:
    async def play() -> None:
        nobody = Address("127.0.0.1", 9, KeyPair.make().public)
        async with gateway_to(nobody, tmp_path) as gateway, visiting(gateway) as ana:
            await ana.say({"t": "hello", "name": "Ana", "lang": "en", "token": None})
            assert "unreachable" == (await ana.hear("no", seconds=20))["code"]
            assert 4002 == await ana.closed()

    run(play())


def test_a_taken_port_is_one_sentence(tmp_path: Path) -> None:
    async def play() -> None:
        async with gate(tmp_path) as (host, gateway):
            with pytest.raises(Exception, match="cannot be served at port") as failure:
                async with gateway_to(host.address, tmp_path, port=gateway.port):
                    pass
            assert str(gateway.port) in str(failure.value)

    run(play())


def test_words_are_fetched_by_their_content_and_change_with_the_language(tmp_path: Path) -> None:
    async def play() -> None:
        async with gate(tmp_path) as (_, gateway), visiting(gateway) as ana:
            await ana.sit()
            english = (await ana.latest("words"))["url"]
            await ana.say({"t": "words", "lang": "pt", "n": 5})
            portuguese = (await ana.until(lambda heard: heard["t"] == "words" and heard["url"] != english))["url"]
            told = json.loads(gateway.words[portuguese.rpartition("/")[2]].body)
            assert "Põe uma carta" == told["catalogue"]["lay"]

    run(play())


def test_tables_come_with_their_codes(tmp_path: Path) -> None:
    async def play() -> None:
        async with gate(tmp_path, TABLE, TableSpec("high-card", "t-2", chairs=3)) as (_, gateway), visiting(gateway) as ana:
            await ana.hello()
            await ana.say({"t": "tables"})
            told = await ana.hear("tables")
            assert [("t-1", 2), ("t-2", 3)] == [(row["m"], row["free"]) for row in told["tables"]]
            assert {m: Tokens(tmp_path).code(m) for m in ("t-1", "t-2")} == told["codes"]

    run(play())


def test_a_terminal_player_and_a_browser_sit_at_one_table(tmp_path: Path) -> None:
    async def play() -> None:
        async with gate(tmp_path) as (host, gateway), visiting(gateway) as ana, sitting(host, "Bento") as bento:
            await ana.sit()
            await together(ana.ask(t="wish", what="ready"), bento.ready())
            view = (await ana.latest("state"))["view"]
            await bento.until(lambda peer: peer.view is not None)
            assert ["Ana", "Bento"] == sorted(seat["name"] for seat in view["seats"])
            assert bento.view is not None
            assert view["q"] == bento.view["q"]

    run(play())


def test_a_reader_that_is_slow_gets_the_newest_view_and_all_events() -> None:
    async def read() -> None:
        outbox = Outbox()
        for number in range(3):
            outbox.renew("state", lambda number=number: {"t": "state", "q": number}, [{"k": "tick", "n": number}])  # type: ignore[misc]
        assert {"t": "state", "q": 2, "events": [{"k": "tick", "n": n} for n in range(3)]} == json.loads(await outbox.next())

    run(read())


def test_what_waits_for_a_browser_that_reads_nothing_is_bounded() -> None:
    outbox = Outbox()
    for _ in range(settings.QUEUED):
        outbox.put({"t": "pong"})
    with pytest.raises(Full):
        outbox.put({"t": "pong"})
    for number in range(2 * EVENTS):
        outbox.renew("state", dict, [{"n": number}])
    assert EVENTS == len(outbox._events)


def test_a_browser_that_chats_too_much_is_refused_and_never_banned(tmp_path: Path) -> None:
    async def play() -> None:
        async with gate(tmp_path) as (host, gateway), visiting(gateway) as ana:
            await ana.sit()
            answers = [await ana.ask(t="wish", what="say", text=str(number)) for number in range(settings.CHAT + 3)]
            assert {"too_fast"} == {answer["code"] for answer in answers if not answer["ok"]}
            assert 0 == host.refused["ban"]

    run(play())


def test_one_address_cannot_open_seats_without_end(tmp_path: Path) -> None:
    async def play() -> None:
        async with gate(tmp_path, sockets=100) as (_, gateway):
            for _ in range(settings.NEWCOMERS):
                async with visiting(gateway) as new:
                    await new.hello()
            async with visiting(gateway) as one_more:
                await one_more.say({"t": "hello", "name": "Ana", "lang": "en"})
                assert "too_fast" == (await one_more.hear("no"))["code"]

    run(play())


def test_a_private_hosts_tables_are_for_browsers_that_bring_the_join_code(tmp_path: Path) -> None:
    async def play() -> None:
        code = new_code()
        config = HostConfig(port=0, keys=KeyPair.make(), tables=(TABLE,), seed=b"x", door=DoorRules(code=code))
        host = await serve(config, games=GAMES)
        try:
            async with gateway_to(host.address, tmp_path) as gateway:
                async with visiting(gateway) as stranger:
                    token = (await stranger.hello())["token"]
                    await stranger.say({"t": "tables"})
                    assert "code_needed" == (await stranger.hear("no"))["code"]
                async with visiting(gateway) as guesser:
                    await guesser.say({"t": "hello", "name": "Ana", "lang": "en", "token": token, "code": new_code()})
                    assert "code" == (await guesser.hear("no"))["code"]
                async with visiting(gateway) as mistyped:
                    await mistyped.say({"t": "hello", "name": "Ana", "lang": "en", "token": token, "code": "abc"})
                    assert "code" == (await mistyped.hear("no"))["code"]
                async with visiting(gateway) as guest:
                    await guest.say({"t": "hello", "name": "Ana", "lang": "en", "token": token, "code": code.lower()})
                    await guest.hear("welcome")
                    await guest.say({"t": "tables"})
                    assert ["t-1"] == [row["m"] for row in (await guest.hear("tables"))["tables"]]
        finally:
            await host.stop()

    run(play())


def test_who_watches_is_sent_nobodys_hand(tmp_path: Path) -> None:
    async def play() -> None:
        async with gate(tmp_path) as (_, gateway), visiting(gateway) as ana, visiting(gateway) as bento, visiting(gateway) as tv:
            await together(ana.sit("Ana"), bento.sit("Bento"))
            await tv.hello("TV")
            assert (await tv.ask(t="join", m="t-1", role="watch"))["seat"] is None
            await started(ana, bento)
            view = (await tv.latest("state"))["view"]
            assert [None, None] == [hand(view, seat) for seat in (0, 1)]
            assert not (await tv.ask(t="act", prompt=1, d={"type": "lay", "card": ["R1"]}))["ok"]

    run(play())


def test_an_action_said_again_after_the_gateway_was_started_anew_is_not_done_twice(tmp_path: Path) -> None:
    async def play() -> None:
        async with hosting(TABLE, games=GAMES) as host:
            async with gateway_to(host.address, tmp_path) as gateway, visiting(gateway) as ana, visiting(gateway) as bento:
                tokens = {"Ana": (await ana.sit("Ana"))["token"], "Bento": (await bento.sit("Bento"))["token"]}
                await started(ana, bento)
                await bento.latest("state")
                one, view = await mover(ana, bento)
                said = {"t": "act", "n": 9, "prompt": view["prompts"][0]["id"], "d": {"type": "lay", "card": [hand(view, view["you"])[-1]]}}
                await one.say(said)
                assert (await one.until(lambda heard: heard.get("n") == 9))["ok"]
                name = "Ana" if one is ana else "Bento"
            q = host.tables["t-1"].match.q
            async with gateway_to(host.address, tmp_path) as gateway, visiting(gateway) as again:
                await again.sit(name, tokens[name])
                await again.say(said)
                assert not (await again.until(lambda heard: heard.get("n") == 9))["ok"]
                assert q == host.tables["t-1"].match.q

    run(play())


@pytest.mark.slow
def test_a_line_that_is_cut_before_every_move_loses_nothing(tmp_path: Path) -> None:
    async def play() -> None:
        table = TableSpec("high-card", chairs=2, options={"hands": 1}, bots=("random",))
        async with gate(tmp_path, table) as (host, gateway):
            token, moves = None, 0
            match = None
            while match is None or match.phase != "over":
                async with visiting(gateway) as ana:
                    token = (await ana.sit(token=token))["token"] or token
                    if match is None:
                        await ana.ask(t="wish", what="ready")
                        match = host.tables["t-1"].match
                    state = await ana.latest("state")
                    while not state["view"]["prompts"] and state["view"]["phase"] == "playing":
                        state = await ana.hear("state")
                    view = state["view"]
                    if view["phase"] != "playing":
                        assert view["q"] == host.tables["t-1"].match.q
                        break
                    form = view["prompts"][0]["forms"][0]
                    for value in [[card] for card in hand(view, view["you"])] if form["type"] == "lay" else [0, 1, 2]:
                        d = {"type": form["type"], next(iter(form["fields"])): value}
                        if (await ana.ask(t="act", prompt=view["prompts"][0]["id"], d=d))["ok"]:
                            moves += 1
                            break
                    ana.socket.transport.abort()  # without a word, as a phone that falls asleep
            assert 6 == moves  # three cards, and three bids

    run(play())


def test_a_browser_opens_a_private_table_which_others_are_neither_told_of_nor_given_letters_for(tmp_path: Path) -> None:
    async def play() -> None:
        async with gate(tmp_path) as (host, gateway), visiting(gateway) as ana, visiting(gateway) as rui:
            await ana.hello("Ana")
            answer = await ana.ask(t="open", game="high-card", chairs=3, options={"hands": 3}, private=True)
            m = answer["m"]
            assert (3, 3) == (len(host.tables[m].chairs), host.tables[m].options["hands"])
            assert (await ana.ask(t="join", m=m))["ok"]
            await rui.hello("Rui")
            lists = []
            for visitor in (ana, rui):
                await visitor.say({"t": "tables"})
                told = await visitor.hear("tables")
                lists.append(([row["m"] for row in told["tables"]], list(told["codes"])))
                assert "high-card" in {game["name"] for game in told["games"]}
            assert [(["t-1", m], ["t-1"]), (["t-1"], ["t-1"])] == lists
            assert all(url.endswith(f"/m/{m}") for url in gateway.urls(m))
            assert {"ok": False, "code": "no_table"}.items() <= (await rui.ask(t="join", m="p-00000-00000-00000")).items()
            assert (await rui.ask(t="join", m=m))["ok"]
            assert {"ok": False, "code": "no_game"}.items() <= (await rui.ask(t="open", game="no-such")).items()

    run(play())
