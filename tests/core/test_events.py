"""Events as each viewer gets them, and the public chain that every viewer can check."""

from __future__ import annotations

import hashlib
from functools import cache
from typing import Any, NamedTuple

import msgpack
import pytest
from tablegames import GAMES, Passing, Peaks, act, draft, random_match, redo, scripted, start

from carteado.core.api import CLOSED, OPEN, OWNER, SECRET, TEAM, C, See
from carteado.core.encoding import canonical
from carteado.core.errors import Refused
from carteado.core.events import EVENT_KINDS, START, TICK, chained_public, project
from carteado.core.match import Commit, Match
from carteado.core.table import Table
from carteado.core.zones import Viewer, Zone

TEAMS = (frozenset({0, 2}), frozenset({1, 3}), frozenset({0, 2}), frozenset({1, 3}))
PLAYED = [("discards", 3, 1), ("passing", 3, 3), ("passing", 3, 4), ("peaks", 2, 5), ("peaks", 2, 6), ("partners", 4, 7)]


def last(table: Table, viewer: int | None, teams: Any = ()) -> dict[str, Any]:
    """Return the last event of a draft as a viewer gets it."""
    return project((table._events or [])[-1], viewer, teams)


def laid() -> Table:
    table = draft(4, teams=TEAMS)
    table.create("deck", "pile", see=CLOSED, cards=["A1", "A2", "A3"])
    table.create("discard", "pile", see=OPEN)
    table.create("hand/0", "fan", 0, OWNER)
    table.create("hand/1", "fan", 1, TEAM, cards=["B1", "B2"])
    table.create("box", "pile", see=SECRET, cards=["C1"])
    table.create("bag", "pile", see=See("nonempty", "nonempty", "nonempty", "nonempty"), cards=["D1"])
    return table


# Moves


def test_a_drawn_card_is_seen_by_who_draws_it_and_counted_by_the_others() -> None:
    table = laid()
    table.move("deck", "hand/0", n=1)
    public = {"k": "move", "from": "deck", "to": "hand/0", "n": 1}
    mine = public | {"mine": {"cards": ["A3"]}}
    assert [mine, public, public, public, public] == [last(table, viewer, TEAMS) for viewer in (0, 1, 2, 3, None)]


def test_a_partners_cards_are_seen_where_they_are_declared_to_be() -> None:
    table = laid()
    table.move("hand/1", "deck", cards=["B2"])
    public = {"k": "move", "from": "hand/1", "to": "deck", "n": 1}
    mine = public | {"mine": {"cards": ["B2"]}}
    assert [public, mine, public, mine, public] == [last(table, viewer, TEAMS) for viewer in (0, 1, 2, 3, None)]


def test_a_discard_is_seen_by_all() -> None:
    table = laid()
    table.move("hand/1", "discard", cards=["B1"])
    assert {"k": "move", "from": "hand/1", "to": "discard", "n": 1, "cards": ["B1"]} == last(table, None, TEAMS)


def test_a_card_that_leaves_an_open_zone_is_seen_by_all_though_it_goes_into_a_hand() -> None:
    table = laid()
    table.move("hand/1", "discard", cards=["B1"])
    table.move("discard", "hand/0", n=1)
    assert ["B1"] == last(table, 3, TEAMS)["cards"]


@pytest.mark.parametrize(("src", "dst", "shown"), [("box", "deck", [None, "deck"]), ("deck", "box", ["deck", None])])
def test_a_secret_zone_is_not_named(src: str, dst: str, shown: list[Any]) -> None:
    table = laid()
    table.move(src, dst, n=1)
    event = last(table, 0)
    assert (shown, False) == ([event["from"], event["to"]], "cards" in event)


def test_a_move_between_secret_zones_is_a_tick() -> None:
    table = laid()
    table.create("other", "pile", see=SECRET)
    table.move("box", "other", n=1)
    assert [TICK] * 5 == [last(table, viewer) for viewer in (0, 1, 2, 3, None)]


def test_a_move_between_zones_that_nobody_counts_has_no_number() -> None:
    table = laid()
    table.move("bag", "box", n=1)
    assert {"k": "move", "from": "bag", "to": None, "n": None} == last(table, None)


def test_a_card_laid_face_down_in_an_open_zone_is_not_seen() -> None:
    table = laid()
    table.move("deck", "discard", n=1, up=False)
    assert "cards" not in last(table, 0)


def test_a_card_turned_up_from_a_closed_pile_is_seen_when_it_is_laid_down() -> None:
    table = laid()
    table.show("deck", [2])
    table.move("deck", "hand/0", places=[2])
    assert (["A3"], [2]) == (last(table, 3)["cards"], last(table, 3)["places"])


def test_of_several_cards_those_that_are_seen_are_named() -> None:
    table = laid()
    table.show("deck", [2])
    table.move("deck", "hand/0", n=2)
    assert (["A3", "?"], ["A3", "A2"]) == (last(table, None)["cards"], last(table, 0)["mine"]["cards"])


def test_places_are_told_of_cards_taken_by_place() -> None:
    table = laid()
    table.move("deck", "discard", places=[1])
    assert [1] == last(table, None)["places"]


def test_no_places_are_told_of_cards_taken_by_face() -> None:
    table = laid()
    table.move("hand/1", "discard", cards=["B1"])
    assert "places" not in last(table, None)


def test_the_place_a_card_is_put_at_is_told() -> None:
    table = laid()
    table.create("grid", "grid", see=OPEN, cards=["", ""])
    table.move("deck", "grid", n=1, to=1)
    assert 1 == last(table, None)["place"]


# The other changes


def test_a_new_zone_shows_its_cards_to_those_who_see_it() -> None:
    table = laid()
    table.create("extra", "fan", 1, OWNER, cards=["E1"], facts={"f": 1})
    public = {"k": "create", "zone": "extra", "kind": "fan", "owner": 1, "facts": {"f": 1}, "n": 1}
    assert (public | {"mine": {"cards": ["E1"]}}, public) == (last(table, 1), last(table, None))


def test_a_new_zone_that_nobody_counts_has_no_number() -> None:
    table = draft()
    table.create("bag", "pile", see=See("nonempty", "nonempty", "nonempty", "nonempty"), cards=["A1"])
    assert {"k": "create", "zone": "bag", "kind": "pile", "owner": None, "facts": {}} == last(table, 0)


def test_a_new_zone_that_is_counted_shows_no_cards() -> None:
    table = draft()
    table.create("deck", "pile", see=CLOSED, cards=["A1"])
    assert {"k": "create", "zone": "deck", "kind": "pile", "owner": None, "facts": {}, "n": 1} == last(table, 0)


@pytest.mark.parametrize("change", ["create", "drop", "mark", "shuffle", "see", "show"])
def test_whatever_happens_to_a_secret_zone_is_a_tick(change: str) -> None:
    table = draft()
    table.create("box", "pile", see=SECRET, cards=[] if change == "drop" else ["A1", "A2"])
    calls: dict[str, Any] = {
        "create": lambda: None, "drop": lambda: table.drop("box"), "mark": lambda: table.mark("box", a=1),
        "shuffle": lambda: table.shuffle("box"), "see": lambda: table.see("box", SECRET), "show": lambda: table.show("box", [0]),
    }  # fmt: skip
    calls[change]()
    assert TICK == last(table, 0)


def test_a_shuffle_shows_the_new_order_only_to_those_who_see_the_zone() -> None:
    table = laid()
    table.shuffle("hand/1")
    order = list(table.cards("hand/1"))
    assert ({"k": "shuffle", "zone": "hand/1"}, order) == (last(table, 0, TEAMS), last(table, 3, TEAMS)["mine"]["cards"])


def test_an_opened_hand_shows_its_cards() -> None:
    table = laid()
    table.see("hand/1", OPEN)
    assert {"k": "see", "zone": "hand/1", "cards": ["B1", "B2"]} == last(table, None, TEAMS)


def test_an_opened_zone_does_not_show_what_lies_face_down_in_it() -> None:
    table = laid()
    table.move("box", "deck", n=1, up=False)
    table.see("deck", OPEN)
    assert ["A1", "A2", "A3", "?"] == last(table, 0)["cards"]


def test_a_card_turned_up_is_seen_by_all() -> None:
    table = laid()
    table.show("deck", [0])
    assert {"k": "show", "zone": "deck", "places": [0], "seats": None, "cards": ["A1"]} == last(table, None)


def test_a_peek_is_seen_by_all_and_the_card_by_the_peeker() -> None:
    table = laid()
    table.show("deck", [0], seats=[2])
    public = {"k": "show", "zone": "deck", "places": [0], "seats": [2]}
    assert (public, public | {"mine": {"cards": ["A1"]}}) == (last(table, 1), last(table, 2))


def test_a_peek_at_a_card_face_down_in_an_open_zone_is_not_shown_to_those_who_see_the_zone() -> None:
    table = laid()
    table.move("deck", "discard", n=1, up=False)
    table.show("discard", [0], seats=[2])
    assert [False, True, False] == ["cards" in last(table, viewer).get("mine", {}) for viewer in (1, 2, None)]


def test_a_fact_of_one_seat_is_a_tick_to_the_others() -> None:
    table = laid()
    table.set("bid", 18, seat=1)
    assert ({"k": "tick", "mine": {"k": "set", "key": "bid", "value": 18, "seat": 1}}, TICK) == (last(table, 1), last(table, None))


def test_a_message_to_one_seat_is_a_tick_to_the_others() -> None:
    table = laid()
    table.say("drew", only=1, card=C("A1"))
    text = ["drew", {"card": {"$card": "A1"}}]
    assert ({"k": "tick", "mine": {"k": "say", "text": text}}, TICK) == (last(table, 1), last(table, 0))


def test_a_message_to_all_but_one_says_whom_it_is_not_for() -> None:
    table = laid()
    table.say("drew.other", but=1)
    assert {"k": "say", "text": ["drew.other", {}], "but": 1} == last(table, None)


def test_log_lines_go_to_whom_they_are_for() -> None:
    def deal(self: Any, table: Any) -> None:
        Passing.deal(self, table)
        table.say("all")
        table.say("one", only=1)
        table.say("rest", but=1)

    match = start(scripted(Passing, deal=deal), 3)
    logs = [[line[0] for line in match.view(viewer)["log"]] for viewer in (0, 1, None)]
    assert [["all", "rest"], ["all", "one"], ["all", "rest"]] == logs


# Whole matches


class Step(NamedTuple):
    """One entry of a match: its commit, the public hash, each viewer's view, and the faces each may know before, in and after it."""

    commit: Commit
    h: bytes
    views: dict[Viewer, dict[str, Any]]
    known: dict[Viewer, set[str]]
    allowed: dict[Viewer, set[str]]


@cache
def history(name: str, players: int, number: int) -> list[Step]:
    """Play a random match and return its steps."""
    played = random_match(GAMES[name](), players, number, leave=True)
    header = played.journal.header
    match = Match(played.game, header["options"], header["seats"], header["table"])
    viewers: list[Viewer] = [*range(players), None]
    before = {viewer: known(match, viewer) for viewer in viewers}
    steps = []
    for entry in played.journal.entries:
        commit = redo(match, entry)
        after = {viewer: known(match, viewer) for viewer in viewers}
        open_now = laid_open(commit)
        allowed = {viewer: before[viewer] | open_now | after[viewer] for viewer in viewers}
        steps.append(Step(commit, match.h, {viewer: match.view(viewer) for viewer in viewers}, after, allowed))
        before = after
    assert played.digest() == match.digest()
    return steps


def laid_open(commit: Commit) -> set[str]:
    """Return the faces that lay open to everybody for a moment, though they may have gone on into a closed zone."""
    moves = [event for event in commit.raw if event[0] == "move"]
    return {face for _, _, _, faces, _, _, _, _, _, _, see, mark in moves if mark != 2 and see.watchers == "visible" for face in faces}


def faces(value: Any, pack: frozenset[str]) -> set[str]:
    """Return every face of the pack that occurs anywhere in data."""
    if isinstance(value, dict):
        return {face for item in value.values() for face in faces(item, pack)}
    if isinstance(value, (list, tuple)):
        return {face for item in value for face in faces(item, pack)}
    return {value} if isinstance(value, str) and value in pack else set()


def may_see(zone: Zone, place: int, viewer: Viewer, team: frozenset[int]) -> bool:
    """Decide by the declarations alone whether a viewer sees a card; written again, apart from the core's own decision."""
    if viewer is None:
        declared = zone.see[3]
    elif viewer == zone.owner:
        declared = zone.see[0]
    else:
        declared = zone.see[1] if zone.owner is not None and viewer in team else zone.see[2]
    mark = 0 if zone.marks is None else zone.marks[place]
    if mark == 1:
        return declared != "hidden"
    if isinstance(mark, tuple):
        return viewer in mark or (mark[0] != -1 and declared == "visible")
    return mark == 0 and declared == "visible"


def known(match: Match, viewer: Viewer) -> set[str]:
    """Return the faces a viewer may know now: seen cards, public facts and words, and the viewer's own facts, words and sealed answer."""
    table = match.table
    seen = {
        face
        for zone in table.zones()
        for place, face in enumerate(zone.cards)
        if face and may_see(zone, place, viewer, table.team(zone.owner))
    }
    own = [] if viewer is None else [table._mine.get(viewer), table._sealed.get(viewer)]
    said = [message for message, only, _ in table._log if only is None or only == viewer]
    return seen | faces([table._vars, own, said, match.result], frozenset(match._pack))


which = pytest.mark.parametrize("which", PLAYED, ids=str)


@which
def test_every_viewer_computes_the_same_public_chain_as_the_host(which: tuple[str, int, int]) -> None:
    steps = history(*which)
    for viewer in steps[0].views:
        link = hashlib.sha256(START).digest()
        computed = [(link := chained_public(link, step.commit.events(viewer)))[:8] for step in steps]
        assert [step.h for step in steps] == computed


@which
def test_no_viewer_is_told_of_a_face_that_the_viewer_may_not_see(which: tuple[str, int, int]) -> None:
    pack = frozenset(GAMES[which[0]]().deck.cards)
    told_too_much = [
        (step.commit.q, viewer, face)
        for step in history(*which)
        for viewer, allowed in step.allowed.items()
        for face in faces(step.commit.events(viewer), pack) - allowed
    ]
    assert [] == told_too_much


@which
def test_no_view_holds_a_face_that_the_viewer_may_not_see(which: tuple[str, int, int]) -> None:
    pack = frozenset(GAMES[which[0]]().deck.cards)
    shown_too_much = [
        (step.commit.q, viewer, face)
        for step in history(*which)
        for viewer, view in step.views.items()
        for face in faces(view, pack) - step.known[viewer]
    ]
    assert [] == shown_too_much


@which
def test_views_and_events_can_be_encoded_as_they_are(which: tuple[str, int, int]) -> None:
    for step in history(*which):
        sent = [[view, step.commit.events(viewer)] for viewer, view in step.views.items()]
        assert sent == msgpack.unpackb(canonical(sent))


@which
def test_a_viewers_own_part_is_only_what_goes_beyond_the_public(which: tuple[str, int, int]) -> None:
    for step in history(*which):
        for viewer in step.views:
            for public, event in zip(step.commit.events(None), step.commit.events(viewer), strict=True):
                mine = event.get("mine", {})
                assert public == {key: value for key, value in event.items() if key != "mine"}
                assert [] == [key for key, value in mine.items() if key != "k" and key in public and public[key] == value]


def test_all_kinds_of_events_are_known() -> None:
    assert set() == {event["k"] for which in PLAYED for step in history(*which) for event in step.commit.events(None)} - set(EVENT_KINDS)


def test_the_matches_played_here_have_nearly_all_kinds_of_events() -> None:
    kinds = {event[0] for which in PLAYED for step in history(*which) for event in step.commit.raw}
    assert {"sit_out", "mark", "close", "keep", "finish", "tick", "links", "opened"} == set(EVENT_KINDS) - kinds


def test_the_public_chain_is_sha256_over_the_last_link_and_the_watchers_events() -> None:
    match = start(Peaks(), 2, deal=False)
    first = hashlib.sha256(b"carteado/public/1").digest()
    events = match.deal(bytes(32)).events(None)
    assert (first[:8], hashlib.sha256(first + canonical(events)).digest()[:8]) == (start(Peaks(), 2, deal=False).h, match.h)


def test_the_public_chain_is_the_same_whenever_it_is_read() -> None:
    often, once = start(Peaks(), 2), start(Peaks(), 2)
    for _ in range(5):
        act(often, {"type": "draw"})
        act(once, {"type": "draw"})
        assert 8 == len(often.h)
    assert often.h == once.h


def test_a_refused_action_is_no_event() -> None:
    match = start(Passing(), 3)
    before = match.h
    with pytest.raises(Refused):
        act(match, {"type": "pass", "cards": ["Z9"]})
    assert (before, 1) == (match.h, match.q)
