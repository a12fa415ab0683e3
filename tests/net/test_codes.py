"""Join codes: read as people type them, proved without being said, and bound to both keys."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carteado.net import protocol
from carteado.net.codes import BadCode, Meeting, Pass, new_code, read_code, stretch, written
from carteado.net.errors import Refusal
from carteado.net.keys import Address, KeyPair
from carteado.net.peer import Peer
from carteado.net.rates import DoorRules, Rates
from carteado.net.settings import TableSpec

from .rooms import hostile, hosting, new_id, run, sitting, visiting

pytestmark = pytest.mark.slow

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
CODE = written(7**20)
CLOSED = DoorRules(code=CODE, rates=Rates.none())
DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


@given(st.integers(0, 2**60 - 1))
def test_a_code_is_read_back_however_it_is_typed(number: int) -> None:
    code = written(number)
    assert code == read_code(code) == read_code(code.lower().replace("-", " ")) == read_code(code.replace("-", ""))
    assert code == read_code(code.replace("0", "O").replace("1", "l"))


@given(st.integers(0, 2**60 - 1), st.integers(0, 11), st.sampled_from(DIGITS))
def test_one_misread_digit_is_noticed(number: int, place: int, digit: str) -> None:
    code = written(number).replace("-", "")
    if code[place] != digit:
        with pytest.raises(BadCode, match="misread"):
            read_code(code[:place] + digit + code[place + 1 :])


@pytest.mark.parametrize("text", ["", "otter", "7KQ4-M2XP", "7KQ4-M2XP-9D4U-W", "7KQ4-M2XP-9D4T-VW", "é" * 13])
def test_what_is_no_code_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(BadCode, match="no join code"):
        read_code(text)


def test_two_codes_are_never_the_same() -> None:
    assert 50 == len({new_code() for _ in range(50)})


def test_the_page_s_vector_is_what_the_code_computes() -> None:
    found = re.search(r"<!-- code vector -->\n```json\n(.*?)\n```", PAGE, re.DOTALL)
    assert found
    told = json.loads(found[1])
    keys = [bytes.fromhex(told[name]) for name in ("host key", "peer key", "peer nonce", "host nonce")]
    secret = stretch(told["code"], keys[0])
    assert told["code"] == written(told["number"])
    assert told["K"] == secret.hex()
    assert [told["host"], told["peer"]] == [Meeting(*keys).proof(secret, who).hex() for who in ("host", "peer")]


def test_a_proof_is_bound_to_both_keys_both_nonces_and_who_shows_it() -> None:
    secret, parts = b"k" * 32, [b"h" * 32, b"p" * 32, b"1" * 16, b"2" * 16]
    proof = Meeting(*parts).proof(secret, "host")
    assert Meeting(*parts).proves(secret, "host", proof)
    assert not Meeting(*parts).proves(secret, "peer", proof)
    for place in range(4):
        others = [*parts[:place], bytes(len(parts[place])), *parts[place + 1 :]]
        assert not Meeting(*others).proves(secret, "host", proof)


def test_a_peer_tells_nothing_to_a_host_that_does_not_know_the_code() -> None:
    mine = Pass(CODE, b"h" * 32, b"p" * 32)
    mine.knock()
    assert mine.answer(bytes(16), bytes(32)) is None


def test_with_the_code_a_player_sits_down_at_a_private_table_and_without_sees_none() -> None:
    async def test() -> None:
        async with hosting(door=CLOSED) as host:
            address = Address(host.address.host, host.port, host.keys.public, CODE)
            async with visiting(address, "Ana") as ana, visiting(host, "Eva") as eva:
                assert ["t-1"] == [row.m for row in (await ana.tables()).tables]
                await ana.join("t-1")
                with pytest.raises(Refusal, match="for those who know its join code"):
                    await eva.tables()
                assert eva.welcome is not None
                assert eva.welcome.private

    run(test())


def test_nothing_of_a_private_host_is_told_before_the_proof() -> None:
    async def test() -> None:
        async with hosting(TableSpec("high-card", "secret", chairs=2), door=CLOSED) as host, hostile(host) as eva:
            await eva.hello()
            asked = [
                protocol.AskTables(), protocol.Join("secret"), protocol.Join("no-such"), protocol.Join("secret", "watch"),
                protocol.Snap("secret"), protocol.AskWords("high-card", "en"), protocol.Open(new_id(), "high-card"),
                protocol.Say(new_id(), "secret", "hi"), protocol.Command(eva.epoch, new_id(), "secret", 1, 1, {"type": "lay"}),
                protocol.Leave(new_id(), "secret"), protocol.Start(new_id(), "secret"),
            ]  # fmt: skip
            for message in asked:
                await eva.say(message)
                answer = await eva.hear()
                code = answer.no.code if isinstance(answer, protocol.Ack) else answer.code
                assert (protocol.kind_of(message), "code_needed") == (protocol.kind_of(message), code)
            assert "join a table first" == host.door.admit("feed", "127.0.0.1", eva.keys.public)
            assert not any(b"high" in frame for frame in eva.frames)
            assert [[], 0] == [host.presence.card().games, host.presence.card().free]

    run(test())


def test_a_wrong_code_stops_the_player_before_anything_is_proved() -> None:
    async def test() -> None:
        async with hosting(door=CLOSED) as host:
            wrong = Address(host.address.host, host.port, host.keys.public, written(1))
            with pytest.raises(Refusal, match="not the host's"):
                await Peer(wrong, KeyPair.make(), "Ana").connect()
            assert 0 == host.door.failures

    run(test())


def test_a_host_without_a_code_says_so_to_whoever_knocks() -> None:
    async def test() -> None:
        async with hosting() as host, hostile(host) as raw:
            await raw.hello()
            await raw.say(protocol.Knock(bytes(16)))
            assert "no_code" == (await raw.hear(protocol.No)).code
            await raw.say(protocol.Prove(bytes(32)))
            assert "no_code" == (await raw.hear(protocol.No)).code

    run(test())


def test_a_proof_is_tried_once_a_knock_and_cannot_be_replayed_by_another_key() -> None:
    async def test() -> None:
        async with hosting(door=CLOSED) as host, hostile(host) as ana, hostile(host) as eva:
            await ana.hello("Ana")
            await eva.hello("Eva")
            mine = Pass(CODE, host.keys.public, ana.keys.public)
            await ana.say(protocol.Knock(mine.knock()))
            proof = await ana.hear(protocol.Proof)
            mac = mine.answer(proof.n, proof.mac)
            assert mac is not None
            await eva.say(protocol.Knock(mine.nonce))
            await eva.hear(protocol.Proof)
            await eva.say(protocol.Prove(mac))
            assert "code" == (await eva.hear(protocol.No)).code
            await ana.say(protocol.Prove(mac))
            assert isinstance(await ana.hear(), protocol.Proven)
            await ana.say(protocol.Prove(mac))
            assert "no_code" == (await ana.hear(protocol.No)).code
            assert 1 == host.door.failures

    run(test())


def test_a_seat_is_come_back_to_without_the_code() -> None:
    async def test() -> None:
        async with hosting(door=CLOSED) as host:
            keys = KeyPair.make()
            async with visiting(Address("127.0.0.1", host.port, host.keys.public, CODE), "Ana", keys) as ana:
                await ana.join("t-1")
            host.door._members.clear()  # as after a restart
            async with visiting(host, "Ana", keys) as again:
                assert 0 == (await again.join("t-1")).seat

    run(test())


def test_keys_on_the_list_need_no_code() -> None:
    async def test() -> None:
        keys = KeyPair.make()
        rules = DoorRules(code=CODE, allowed=frozenset({keys.public}), rates=Rates.none())
        async with hosting(door=rules) as host, visiting(host, "Ana", keys) as ana:
            assert (await ana.tables()).tables

    run(test())


def test_a_closed_host_lets_nobody_connect_who_is_not_on_its_list_and_has_no_seat() -> None:
    async def test() -> None:
        keys = KeyPair.make()
        rules = DoorRules(closed=True, allowed=frozenset({keys.public}), rates=Rates.none())
        async with hosting(door=rules) as host, sitting(host, "Ana", keys) as ana:
            assert "closed" == host.door.admit("table", "10.0.0.9", KeyPair.make().public)
            assert host.door.admit("table", "10.0.0.9", ana.keys.public) is None

    run(test())
