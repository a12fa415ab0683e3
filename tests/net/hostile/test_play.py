"""T29 to T34 and T37 to T41: names and chat that deceive, and commands out of turn, out of rule, said again, or captured."""

from __future__ import annotations

from typing import Any

import pytest

from carteado.net import limits, protocol
from carteado.net.codec import encode
from carteado.net.names import clean_name, shown

from ..rooms import first_move, new_id, on_turn, run, soon
from .siege import Siege, asked, besieged, codes, hand

DECEITFUL = {
    "escape": "\x1b[2J",
    "title": "\x1b]0;owned\x07",
    "clipboard": "\x1b]52;c;aGk=\x07",
    "link": "\x1b]8;;http://x\x07",
    "device": "\x1bP1$r\x1b\\",
    "c1": "\x9b31m",
    "bell": "a\x07",
    "line": "Ana\nhost: you win",
    "return": "Ana\rRui",
    "tab": "A\tna",
    "delete": "Ana\x7f",
    "nul": "A\0na",
    "right to left": "\u202eanA",
    "isolate": "\u2067Ana\u2069",
    "zero width": "An\u200ba",
    "joiner": "A\u200dna",
    "bom": "\ufeffAna",
    "variation": "Ana\ufe0f",
    "tag": "Ana\U000e0041",
    "soft hyphen": "An\u00ada",
    "marks": "A" + "\u0301" * 200,
    "blank": "   ",
    "nothing": "\u2060",
    "host": "Host",
    "server": "SERVER",
    "wide host": "\uff28\uff4f\uff53\uff54",
    "cyrillic host": "\u041dost",
    "four bytes": "\U0001f0cf" * 24,
}


@pytest.mark.parametrize("name", DECEITFUL.values(), ids=DECEITFUL)
def test_t29_to_t33_a_name_that_deceives_is_refused_by_the_host(name: str) -> None:
    assert clean_name(name) is None


def test_t29_the_host_asks_for_another_name_and_the_others_never_see_this_one() -> None:
    async def test() -> None:
        async with besieged() as siege:
            mallory = siege.raw()
            for name in list(DECEITFUL.values())[:12]:
                if 1 <= len(name) <= limits.NAME:
                    await mallory.say(protocol.Hello((1, 1), "test", name))
                    assert "name" == (await mallory.hear(protocol.No)).code
            assert 3 == len(siege.host.sessions)

    run(test())


@pytest.mark.parametrize("text", DECEITFUL.values(), ids=DECEITFUL)
def test_t30_what_is_said_reaches_the_table_as_one_harmless_line(text: str) -> None:
    line = shown(f"hi {text} there")
    assert line.isprintable()
    assert not any(0x202A <= ord(char) <= 0x202E or 0x2066 <= ord(char) <= 0x2069 for char in line)


def test_t32_a_name_that_looks_like_a_player_s_is_told_apart() -> None:
    async def test() -> None:
        async with besieged() as siege:
            other = siege.host.tables["t-2"]
            for number, name in enumerate(("Ana", "ANA", "\uff21na", "\u0410na", "An\u0430")):  # wide, and Cyrillic A and a
                guest = await siege.guest(name)
                await guest.join("t-2")
                await soon(lambda number=number: other.chairs[number].name)  # type: ignore[misc]
            names = [chair.name for chair in other.chairs if chair.name]
            assert ["Ana", "ANA 2", "\uff21na 3", "\u0410na 4", "An\u0430 5"] == names

    run(test())


def test_t34_chat_is_rationed_and_disturbs_nobody_s_turn() -> None:
    async def test() -> None:
        async with besieged() as siege:
            mallory = await siege.neighbour()
            mover = siege.mover
            for number in range(20):
                await mallory.say(protocol.Say(new_id(), "t-2", f"{'x' * 290} {number}"))
            assert 12 == codes(await mallory.echo()).count("too_fast")
            await mallory.say(protocol.Say(new_id(), "t-2", "x" * (limits.CHAT + 1)))
            assert ["malformed"] == codes(await mallory.pong())
            assert mover is on_turn(siege.ana, siege.rui)

    run(test())


def test_t37_out_of_turn_out_of_phase_and_out_of_match_is_refused_without_a_strike() -> None:
    async def test() -> None:
        async with besieged() as siege:
            mover = siege.mover
            other = siege.rui if mover is siege.ana else siege.ana
            prompt, action = await first_move(mover)
            for number in range(15):
                action_of_other = {"type": "lay", "card": hand(other)[:1]} if number % 2 else {"type": "bid", "n": 1}
                answer = await other.act(prompt + number % 3, action_of_other)
                assert answer.code in {"not_asked", "stale"}
            assert "unknown_action" == (await mover.act(prompt, {"type": "bid", "n": 1})).code
            for number in (0, prompt + 1, 2**31 - 1):
                assert (await mover.act(number, action)).code in {"not_asked", "stale"}
            for wish in (other.start, other.rematch):
                with pytest.raises(Exception, match=r"match|still"):
                    await wish()
            assert not siege.host.bans.rows()

    run(test())


BAD_MOVES: list[dict[str, Any]] = [
    {"type": "lay", "card": []}, {"type": "lay"}, {"type": "lay", "card": [0]}, {"type": "lay", "card": ["?"]}, {"type": "lay", "card": 0},
    {"type": "lay", "card": ["R~000~", "R~000~"]}, {"type": "lay", "card": [["R~000~"]]}, {"type": "lay", "card": "R~000~"},
    {"type": ""}, {"type": "lay", "card": [True]}, {"type": "lay", "card": [-1]}, {"type": "win"}, {"card": ["R~000~"]},
    {"type": "lay", "card": ["stock"]},
]  # fmt: skip


@pytest.mark.parametrize("action", BAD_MOVES, ids=str)
def test_t38_what_the_rules_do_not_allow_changes_nothing(action: dict[str, Any]) -> None:
    async def test() -> None:
        async with besieged() as siege:
            mover = siege.mover
            prompt, _ = await first_move(mover)
            answer = await mover.act(prompt, action)
            assert not answer.accepted
            assert 0 == siege.refused("fault")

    run(test())


def acknowledged(peer: Any) -> list[protocol.Ack]:
    """Return a list to which every answer to a command of this peer is added from now on."""
    answers: list[protocol.Ack] = []
    take = peer.take

    def tap(message: protocol.HostMessage) -> None:
        if isinstance(message, protocol.Ack):
            answers.append(message)
        take(message)

    peer.take = tap
    return answers


async def captured(siege: Siege) -> tuple[Any, bytes]:
    """Let the player whose turn it is make a move; return who, and the very bytes that were said."""
    mover = siege.mover
    prompt, action = await first_move(mover)
    said: list[bytes] = []
    send = mover._line.send

    def tap(message: Any) -> bool:
        said.append(encode(message))
        return bool(send(message))

    mover._questions._say = tap
    assert (await mover.act(prompt, action)).accepted
    mover._questions._say = send
    siege.quiet = False
    return mover, said[0]


def test_t39_a_command_said_again_gets_the_same_answer_and_is_done_once() -> None:
    async def test() -> None:
        async with besieged() as siege:
            mover, frame = await captured(siege)
            q, answers = siege.table.match.q, acknowledged(mover)
            for _ in range(3):
                mover._line._link._plain.send(frame)
            await soon(lambda: len(answers) == 3)
            assert {(None, q)} == {(answer.no, answer.q) for answer in answers}
            assert q == siege.table.match.q

    run(test())


@pytest.mark.parametrize("who", ["guest", "watcher", "neighbour"])
def test_t39_a_captured_command_is_worth_nothing_to_another_key(who: str) -> None:
    async def test() -> None:
        async with besieged() as siege:
            _, frame = await captured(siege)
            mallory, q = await getattr(siege, who)(), siege.table.match.q
            await mallory.send(frame)
            assert ["not_in_match"] == codes(await mallory.echo())
            assert q == siege.table.match.q

    run(test())


def test_t40_an_id_that_was_answered_gets_the_first_answer_whatever_comes_with_it() -> None:
    async def test() -> None:
        async with besieged() as siege:
            mallory = await siege.neighbour()
            id = new_id()
            answers = []
            others = protocol.Leave(id, "t-2"), protocol.Say(id, "t-2", "x"), protocol.Ready(id, "t-2", False)
            for message in (protocol.Ready(id, "t-2"), *others):
                await mallory.say(message)
                answers.append(await mallory.hear(protocol.Ack))
            assert 1 == len({encode(answer) for answer in answers})
            chair = siege.host.tables["t-2"].chair_of(mallory.keys.public)
            assert chair is not None
            assert chair.ready

    run(test())


def test_t41_of_two_answers_to_one_question_the_first_counts_and_the_other_is_late() -> None:
    async def test() -> None:
        async with besieged() as siege:
            mover, q = siege.mover, siege.table.match.q
            answers = acknowledged(mover)
            for face in hand(mover):
                action: dict[str, Any] = {"type": "lay", "card": [face]}
                mover._line.send(protocol.Command(siege.host.epoch, new_id(), "t-1", 1, asked(mover), action))
            await soon(lambda: len(answers) == len(hand(mover)) + 1)  # one card less by now
            assert q + 1 == siege.table.match.q
            assert [None, *["stale"] * (len(answers) - 1)] == [answer.no and answer.no.code for answer in answers]
            siege.quiet = False

    run(test())
