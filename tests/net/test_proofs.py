"""What a client proves by itself: an honest hand is verified, and every way to cheat shows."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from carteado.core.course import announced
from carteado.core.fair import Chain, contributions, seed_of
from carteado.core.journal import Journal
from carteado.core.match import Match
from carteado.core.replay import replay, step
from carteado.net import protocol
from carteado.net.evidence import keep
from carteado.net.proofs import FAILED, REASONS, UNVERIFIED, VERIFIED, Mark, Proofs

from .highcard import HighCard

EPOCH = b"epoch..1"
LABEL = "t-1/1"
HOST, RUI, OTHER = (Chain(bytes([n]) * 32, LABEL) for n in (1, 2, 3))
Change = Callable[[Any], Any]


def at_table(stage: str = "lobby", match: int = 0, you: int | None = 0) -> protocol.Table:
    """Return what a host says of a table."""
    return protocol.Table("t-1", EPOCH, match, stage, "high-card", "1", {}, [], you)


def hexed(link: bytes | None) -> str:
    """Return a link in hex."""
    assert link is not None
    return link.hex()


class Evening:
    """A client in seat 0, another player, and a host that does what a test says.

    fair, sources, state, seed: what the host makes of its honest messages, of the sources of a hand, and of its seed.
    """

    def __init__(
        self, seat: int | None = 0, fair: Change = lambda fair: fair, sources: Change = lambda sources: sources,
        state: Change = lambda state: state, seed: Change = lambda seed: seed, **options: Any,
    ) -> None:  # fmt: skip
        self.proofs = Proofs()
        self.seat = seat
        self.match = Match(HighCard(), options, [{"name": "Ana"}, {"name": "Rui"}], "t-1")
        self.mine: bytes | None = None
        promised = self.proofs.promise(at_table(you=seat))
        self.anchor = promised.value if promised is not None else OTHER.anchor
        self._changes = (fair, sources, state, seed)

    def hand(self, moves: int = 500) -> Mark:
        """Play a hand, or so many moves of it; return the mark."""
        fair, sources, state, seed = self._changes
        hand = self.match.hand + 1
        anchors = [self.anchor, RUI.anchor]
        asks = fair(protocol.Fair("t-1", 1, hand, LABEL, HOST.anchor, list(anchors), announced(self.match)))
        opened = self.proofs.asked(asks, self.seat, EPOCH)
        self.mine = opened.value if isinstance(opened, protocol.OpenLink) else None
        mine = self.mine if self.seat is not None else OTHER.link(hand)
        host, links = HOST.link(hand), [mine, RUI.link(hand)]
        assert host is not None
        told = sources(contributions(LABEL, HOST.anchor, list(anchors), host, links, announced(self.match)))
        commit = self.match.deal(seed(seed_of(LABEL, hand, host, links)), told)
        self._show(commit, state)
        for _ in range(moves):
            if self.match.phase != "playing":
                break
            self.go_on()
        return self.proofs.mark

    def go_on(self) -> None:
        """Make one move."""
        asked, prompt = next(iter(self.match.prompts.items()))
        view = self.match.view(asked)
        hands = next(zone["cards"] for zone in view["zones"] if zone["name"] == f"hand/{asked}")
        card = max(hands, key=lambda card: card != "R1", default="")
        action = {"type": "bid", "n": 1} if prompt.stage == "bid" else {"type": "lay", "card": [card]}
        self._show(self.match.act(asked, prompt.id, action), self._changes[2])

    def _show(self, commit: Any, change: Change) -> None:
        match = self.match
        told = protocol.State("t-1", 1, EPOCH, commit.q, match.h, match.public, match.view(self.seat), commit.events(self.seat))
        told = change(msgspec.msgpack.decode(msgspec.msgpack.encode(told), type=protocol.State))
        if told is not None:
            self.proofs.state(told, self.seat, told.e)


def in_event(kind: str, **changed: Any) -> Change:
    """Return a host that says something else in an event of this kind."""

    def change(state: protocol.State) -> protocol.State:
        for event in state.events:
            if event["k"] == kind:
                event.update({key: value(event[key]) if callable(value) else value for key, value in changed.items()})
        return state

    return change


def at_version(q: int, change: Change) -> Change:
    """Return a host that changes one version alone."""
    return lambda state: change(state) if state.q == q else state


@pytest.mark.parametrize("seat", [0, None])
def test_an_honest_hand_is_proven_to_who_plays_and_to_who_watches(seat: int | None) -> None:
    mark = Evening(seat).hand()
    assert (mark.state, mark.reason, mark.hand) == (VERIFIED, "", 1)
    assert mark.checked > (20 if seat == 0 else 10)


def test_before_the_first_hand_is_over_nothing_is_proven() -> None:
    assert Evening().hand(moves=2) == Mark(UNVERIFIED, "open")


def test_each_hand_has_its_own_mark() -> None:
    evening = Evening(hands=3)
    for number in (1, 2, 3):
        assert evening.hand().hand == number
    assert [mark.state for mark in evening.proofs.marks.values()] == [VERIFIED] * 3


def test_a_host_that_rolls_the_seed_again_is_found() -> None:
    mark = Evening(seed=lambda seed: seed[::-1]).hand()
    assert (mark.state, mark.reason) in ((FAILED, "cards"), (FAILED, "start"))


def swapped(state: protocol.State) -> protocol.State:
    """Give another card than the dealt one, in the view and in the event."""
    hand = next(zone for zone in state.view["zones"] if zone["name"] == "hand/0")
    other = next(face for face in HighCard.deck.cards if face not in hand["cards"])
    hand["cards"][0] = other
    return state


def test_a_host_that_swaps_a_card_after_the_deal_is_found_and_the_evidence_kept(tmp_path: Path) -> None:
    evening = Evening(state=at_version(1, swapped))
    mark = evening.hand()
    assert (mark.state, mark.reason) == (FAILED, "cards")
    assert evening.proofs.evidence is not None
    file = keep(evening.proofs.evidence, tmp_path / "evidence")
    assert file is not None
    assert json.loads(file.read_text())["reason"] == "cards"
    assert file.name == "t-1-1-1.json"


def test_evidence_that_cannot_be_kept_stops_nobody(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").touch()
    assert keep({"table": "t-1", "match": 1, "hand": 1}, tmp_path / "file") is None
    assert "could not be kept" in caplog.text


def laid_by_another(state: protocol.State) -> protocol.State:
    """Let the other seat lay a card that was dealt to this one."""
    hand = next(zone for zone in state.view["zones"] if zone["name"] == "hand/0")
    for event in state.events:
        if event["k"] == "move" and event["from"] == "hand/1" and hand["cards"]:
            event["cards"] = [hand["cards"][0]]
    return state


def test_a_card_that_comes_out_of_a_hand_where_it_was_not_dealt_is_found() -> None:
    mark = Evening(state=laid_by_another).hand()
    assert (mark.state, mark.reason) == (FAILED, "cards")


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"links": lambda links: [links[0], hexed(OTHER.link(1))]}, "seat_link"),
        ({"links": lambda links: [links[0], links[0]]}, "seat_link"),
        ({"links": lambda links: links[::-1]}, "seat_link"),
        ({"links": lambda links: [links[0], hexed(RUI.link(2))]}, "seat_link"),
        ({"links": lambda links: [links[0], None]}, "missing"),
        ({"anchors": lambda anchors: [anchors[0], OTHER.anchor.hex()], "links": lambda links: [links[0], hexed(OTHER.link(1))]}, "anchor"),
        ({"anchors": lambda anchors: [OTHER.anchor.hex(), anchors[1]], "links": lambda links: [hexed(OTHER.link(1)), links[1]]}, "anchor"),
        ({"anchors": lambda anchors: anchors[:1] * 2, "links": lambda links: links[:1] * 2}, "copied"),
        ({"anchor": OTHER.anchor.hex()}, "anchor"),
        ({"match": "t-1/2"}, "anchor"),
        ({"plan": {"0": "00" * 32, "1": "00" * 32}}, "changed"),
        ({"links": 7}, "malformed"),
        ({"anchors": None}, "malformed"),
        ({"plan": "x"}, "malformed"),
    ],
)
def test_links_and_anchors_that_are_wrong_copied_reordered_or_changed_are_found(change: dict[str, Any], code: str) -> None:
    mark = Evening(state=in_event("links", **change)).hand()
    assert (mark.state, mark.reason) == (FAILED, code)


def test_a_host_that_changes_its_anchor_between_two_hands_is_found() -> None:
    evening = Evening(hands=2, state=lambda state: in_event("links", anchor=OTHER.anchor.hex())(state) if state.q > 5 else state)
    evening.hand()
    mark = evening.hand()
    assert (mark.state, mark.reason) == (FAILED, "anchor")


@pytest.mark.parametrize(
    ("change", "state", "code"),
    [
        ({"link": hexed(HOST.link(2))}, FAILED, "host_link"),
        ({"link": hexed(OTHER.link(1))}, FAILED, "host_link"),
        ({"link": "zz"}, FAILED, "malformed"),
        ({"course": lambda course: [*course, ["drop", "nowhere"]]}, UNVERIFIED, "plan"),
        ({"course": [["fly"]]}, UNVERIFIED, "plan"),
        ({"words": {"deal": 1}}, UNVERIFIED, "draws"),
        ({"words": 7}, FAILED, "malformed"),
    ],
)
def test_what_is_opened_must_be_what_was_promised(change: dict[str, Any], state: str, code: str) -> None:
    mark = Evening(state=in_event("opened", **change)).hand()
    assert (mark.state, mark.reason) == (state, code)


def test_a_start_that_the_seed_does_not_give_is_found() -> None:
    mark = Evening(state=in_event("deal", start=lambda start: 1 - start)).hand()
    assert (mark.state, mark.reason) == (FAILED, "start")


def test_a_failed_proof_stays_for_the_match_and_is_forgotten_with_the_next() -> None:
    evening = Evening(hands=3, state=at_version(1, swapped))
    evening.hand()
    assert evening.hand().state == FAILED
    evening.proofs.state(protocol.State("t-1", 2, EPOCH, 1, bytes(8), bytes(32), evening.match.view(0), []), 0, EPOCH)
    assert evening.proofs.mark == Mark()


def test_a_link_that_was_sent_and_is_left_out_is_told() -> None:
    def without(sources: dict[str, Any]) -> dict[str, Any]:
        return sources | {"links": [None, sources["links"][1]], "missing": [0]}

    evening = Evening(sources=without, seed=lambda _: seed_of(LABEL, 1, HOST.link(1) or b"", [None, RUI.link(1)]))
    mark = evening.hand()
    assert (mark.state, mark.reason) == (UNVERIFIED, "left_out")


def test_a_host_that_gives_a_link_in_this_seat_s_name_is_found() -> None:
    def in_my_name(fair: protocol.Fair) -> protocol.Fair:
        return fair if fair.hand == 1 else msgspec.structs.replace(fair, anchors=[OTHER.anchor, RUI.anchor])

    def told(sources: dict[str, Any]) -> dict[str, Any]:
        if sources["renewed"] or sources["links"][0] is not None:
            return sources
        links = [hexed(OTHER.link(2)), sources["links"][1]]
        return sources | {"anchors": [OTHER.anchor.hex(), RUI.anchor.hex()], "links": links, "missing": [], "renewed": [0]}

    def seed(honest: bytes) -> bytes:
        return honest if evening.match.hand == 0 else seed_of(LABEL, 2, HOST.link(2) or b"", [OTHER.link(2), RUI.link(2)])

    evening = Evening(fair=in_my_name, sources=told, seed=seed, hands=2)
    assert evening.hand().state == VERIFIED
    mark = evening.hand()
    assert (mark.state, mark.reason) == (FAILED, "own_link")


def test_what_was_seen_before_a_part_was_missed_is_checked_all_the_same() -> None:
    mark = Evening(state=lambda state: None if state.q == 5 else at_version(1, swapped)(state)).hand()
    assert (mark.state, mark.reason) == (FAILED, "cards")


def versions_of(evening: Evening, first: int, last: int) -> list[list[dict[str, Any]]]:
    """Return the events of some versions as the client may know them, from the journal."""
    again = replay(Journal(evening.match.journal.header), HighCard(), check=False)
    told = []
    for entry in evening.match.journal.entries[:last]:
        commit = step(again, entry)
        if commit.q >= first:
            told.append(msgspec.msgpack.decode(msgspec.msgpack.encode(commit.events(evening.seat))))
    return told


@pytest.mark.parametrize("moves", [5, 500])
def test_what_was_missed_can_be_asked_for_and_then_the_hand_is_proven(moves: int) -> None:
    evening = Evening(state=lambda state: None if state.q in (4, 5) else state)
    evening.hand(moves)
    assert evening.proofs.wants() == protocol.AskPast("t-1", 1, 3)
    assert evening.proofs.wants() is None
    evening.proofs.past(protocol.Past("t-1", 1, 4, versions_of(evening, 4, evening.match.q)))
    while evening.match.phase == "playing":
        evening.go_on()
    assert (evening.proofs.mark.state, evening.proofs.mark.reason) == (VERIFIED, "")


@pytest.mark.parametrize("lie", [lambda past: [], lambda past: past[::-1], lambda past: [past[0], []], lambda past: past[1:]])
def test_a_past_that_does_not_fit_between_what_was_seen_proves_nothing(lie: Change) -> None:
    evening = Evening(state=lambda state: None if state.q in (4, 5) else state)
    evening.hand()
    evening.proofs.past(protocol.Past("t-1", 1, 4, lie(versions_of(evening, 4, 5))))
    assert (evening.proofs.mark.state, evening.proofs.mark.reason) == (UNVERIFIED, "missed")


def test_a_hand_of_which_a_part_was_missed_is_not_proven() -> None:
    mark = Evening(state=lambda state: None if state.q == 3 else state).hand()
    assert (mark.state, mark.reason) == (UNVERIFIED, "missed")


def test_seeds_that_nobody_had_a_part_in_are_not_proven() -> None:
    evening = Evening(sources=lambda _: {"host": "fixed"})
    mark = evening.hand()
    assert (mark.state, mark.reason) == (UNVERIFIED, "fixed")


def test_a_link_is_opened_once_and_under_one_set_of_anchors() -> None:
    evening = Evening()
    evening.hand(moves=0)
    again = protocol.Fair("t-1", 1, 1, LABEL, HOST.anchor, [evening.anchor, OTHER.anchor])
    same = protocol.Fair("t-1", 1, 1, LABEL, HOST.anchor, [evening.anchor, RUI.anchor])
    assert evening.proofs.asked(again, 0, EPOCH) is None
    answer = evening.proofs.asked(same, 0, EPOCH)
    assert answer is not None
    assert answer.value == evening.mine


@pytest.mark.parametrize(
    "changed", [{"label": "t-1/2"}, {"m": "t-9"}, {"match": 2}, {"anchors": [OTHER.anchor, RUI.anchor]}, {"anchors": []}, {"hand": 300}]
)
def test_no_link_is_opened_for_another_match_or_under_another_s_anchor(changed: dict[str, Any]) -> None:
    evening = Evening()
    asks = protocol.Fair("t-1", 1, 1, LABEL, HOST.anchor, [evening.anchor, RUI.anchor])
    answer = evening.proofs.asked(msgspec.structs.replace(asks, **changed), 0, EPOCH)
    assert not isinstance(answer, protocol.OpenLink)


def test_a_host_that_has_not_got_the_own_anchor_is_told_it_again() -> None:
    evening = Evening()
    asks = protocol.Fair("t-1", 1, 1, LABEL, HOST.anchor, [None, RUI.anchor])
    assert evening.proofs.asked(asks, 0, EPOCH) == protocol.Anchor("t-1", 1, evening.anchor)


def test_an_anchor_is_published_once_for_each_match() -> None:
    proofs = Proofs()
    first = proofs.promise(at_table())
    assert first is not None
    assert first.match == 1
    assert proofs.promise(at_table()) is None
    assert proofs.promise(at_table("playing", 1)) is None
    after = proofs.promise(at_table("over", 1))
    assert after is not None
    assert after.match == 2


def test_who_comes_back_without_a_chain_publishes_a_new_anchor() -> None:
    promised = Proofs().promise(at_table("playing", 3))
    assert promised is not None
    assert promised.match == 3


def test_who_watches_publishes_nothing() -> None:
    assert Proofs().promise(at_table(you=None)) is None


def test_the_link_of_a_hand_that_is_never_finished_is_checked_too() -> None:
    for link, mark in ((HOST.link(1), (UNVERIFIED, "aborted")), (OTHER.link(1), (FAILED, "host_link"))):
        evening = Evening()
        evening.hand(moves=2)
        assert evening.proofs.aborted(protocol.Fair("t-1", 1, 1, LABEL, HOST.anchor, [], link=link))
        assert (evening.proofs.mark.state, evening.proofs.mark.reason) == mark


def test_every_reason_has_a_sentence() -> None:
    assert all(text.endswith(".") for text in REASONS.values())
