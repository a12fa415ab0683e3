"""The zoo: games that are broken in one way each, and the check that catches it.

`caught`: the check that should; `also`: checks that may see it too, because what is broken is broken for them as well.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from carteado.core.api import SECRET, C, Choice, Flag, Form, IllegalAction, Number, P, Result, Table, hookimpl
from carteado.core.bots.state import GenericState
from carteado.core.bots.world import deal_unseen, determinise, rebuild
from carteado.core.rules import Rules

from .sound import WORDS, Sound, advised, hand_of


class Animal(Sound):
    """What all have in common."""

    caught: ClassVar[str] = ""
    also: ClassVar[Sequence[str]] = ()


# Loading


class DefaultArgument(Animal):
    caught = "loads"

    @hookimpl
    def suggest(self, view: dict[str, Any], rng: random.Random = random.Random(1)) -> dict[str, Any]:  # noqa: B008
        return advised(view)


class ForgottenMark(Animal):
    caught = "loads"

    def settle(self, table: Table, places: list[list[int]]) -> None:
        return None


class ForgottenMarkOfAClassMethod(Animal):
    caught = "loads"

    @classmethod
    def settle(cls, table: Table, places: list[list[int]]) -> None:
        return None


class ForgottenMarkAndMisspelt(Animal):
    caught = "loads"

    def layuot(self, view: dict[str, Any]) -> dict[str, Any] | None:
        return {}


class TwiceDeclared(Animal):
    caught = "options_fit"
    table_options = (Flag("long", False), Flag("long", True), *Sound.table_options[1:])


class VariantForNobody(Animal):
    caught = "options_fit"
    variants: ClassVar[Sequence[Mapping[str, Any]]] = ({}, {"penalty": "two"})

    def check_players(self, players: int, options: Mapping[str, Any]) -> bool:
        return super().check_players(players, options) and options["penalty"] == "one"


class UnknownExemption(Animal):
    caught = "exemptions_are_known"
    exempt: ClassVar[Mapping[str, str]] = {"no_ded_ends": "nobody knows why"}


# Playing


class DealsToThree(Animal):
    caught = "deals"

    def set_out(self, table: Table) -> None:
        super().set_out(table)
        if len(table.seats) == 4:
            table.move("stock", "hand/0", n=len(table.cards("stock")) + 1)


class Endless(Animal):
    caught = "matches_end"
    bound: ClassVar[int] = 400

    def result(self, table: Table) -> Result | None:
        result = super().result(table)
        if result is not None:
            result.over = False
        return result


class NoWayOut(Animal):
    caught = "no_dead_ends"
    also = ("time_runs_out", "advice_is_legal")

    def forms(self, table: Table, seat: int) -> list[Form]:
        return [form for form in super().forms(table, seat) if form.type != "pass"]


class Divides(Animal):
    caught = "runs_without_faults"

    def draw(self, table: Table, seat: int, action: dict[str, Any]) -> None:
        super().draw(table, seat, action)
        table.set("mean", 1 // (len(table.cards("stock")) % 3))


class BrokenCaption(Animal):
    caught = "runs_without_faults"

    def captions(self, view: dict[str, Any]) -> dict[str, Any]:
        return {"prompt": ["wait", {}], "labels": {"top": view["zones"][-1]["cards"][7]}}


class LosesACard(Animal):
    caught = "cards_are_kept"

    def set_out(self, table: Table) -> None:
        super().set_out(table)
        if table.hand == 2:
            table._zones["stock"] = table._zones["stock"]._replace(cards=table.cards("stock")[1:])


# Missing players


class AnswersTheWrongQuestion(Animal):
    caught = "time_runs_out"

    @hookimpl
    def timeout(self, table: Table, seat: int) -> dict[str, Any] | None:
        return {"type": "give", "cards": [table.cards(f"hand/{seat}")[0]], "bet": 0}


class StopsWhenOneLeaves(Animal):
    caught = "players_leave"

    @hookimpl
    def leave(self, table: Table, seat: int) -> bool:
        return True

    def take_turn(self, table: Table, seat: int, action: dict[str, Any]) -> None:
        if len(table.seats) < len(table.players):
            raise ZeroDivisionError("nobody thought of that")
        super().take_turn(table, seat, action)


# Forms


class OffersTooLittle(Animal):
    caught = "forms_are_not_narrow"

    def playable(self, table: Table, seat: int) -> list[str]:
        cards = super().playable(table, seat)
        return cards[:1] if len(cards) > 1 else cards


class BlocksForNoReason(Animal):
    caught = "forms_are_not_narrow"

    def playable(self, table: Table, seat: int) -> list[str]:
        cards = super().playable(table, seat)
        return cards if len(cards) != 1 or cards[0][0] in "CS" else []


class SameKeyTwice(Animal):
    caught = "forms_are_clear"

    def forms(self, table: Table, seat: int) -> list[Form]:
        forms = super().forms(table, seat)
        forms[-1].key = forms[0].key
        return forms


class OffersTooMuch(Animal):
    caught = "offers_are_real"

    def playable(self, table: Table, seat: int) -> list[str]:
        cards = super().playable(table, seat)
        return cards and [*cards, *(card for card in table.cards(f"hand/{seat}") if card[1] != "Q" and card not in cards)]


class OffersANumberNobodyTakes(Animal):
    caught = "offers_are_real"

    def give(self, table: Table, seat: int, action: dict[str, Any]) -> None:
        if action["bet"] == 3:
            raise IllegalAction("does_not_fit", card=action["cards"][0])
        super().give(table, seat, action)


class BadAdvice(Animal):
    caught = "advice_is_legal"

    def advice(self, view: dict[str, Any]) -> dict[str, Any]:
        action = advised(view)
        return {**action, "cards": hand_of(view)[:1]} if action["type"] == "play" else action


# Reading


class WritesWhileReading(Animal):
    caught = "reading_hooks_only_read"

    def forms(self, table: Table, seat: int) -> list[Form]:
        if len(table.cards("stock")) < 3:
            table.set("low", True)
        return super().forms(table, seat)


class SortsInPlace(Animal):
    caught = "reading_hooks_only_read"

    def captions(self, view: dict[str, Any]) -> dict[str, Any]:
        for zone in view["zones"]:
            if zone["name"].startswith("hand/") and zone["cards"]:
                zone["cards"].sort()
        return super().captions(view)


class KeepsAList(Animal):
    caught = "drafts_leave_no_trace"
    also = ("replays", "rejoining_shows_the_same")

    def lay(self, table: Table, seat: int, card: str, suit: str) -> None:
        table.get("given").append(seat)
        super().lay(table, seat, card, suit)


# Refusals


class NotesRefusals(Animal):
    caught = "rules_refuse_cleanly"
    also = ("replays", "rejoining_shows_the_same", "offers_are_real")  # a hand of clubs and spades alone cannot bet 3

    def set_out(self, table: Table) -> None:
        super().set_out(table)
        table.set("notes", [])

    def give(self, table: Table, seat: int, action: dict[str, Any]) -> None:
        if action["bet"] == 3 and action["cards"][0][0] in "CS":
            table.get("notes").append(seat)
            raise IllegalAction("does_not_fit", card=C(action["cards"][0]))
        super().give(table, seat, action)


class ReadableCode(Animal):
    caught = "rules_refuse_cleanly"
    also = ("words_exist", "offers_are_real")

    def give(self, table: Table, seat: int, action: dict[str, Any]) -> None:
        if action["bet"] == 3 and action["cards"][0][0] in "CS":
            raise IllegalAction(f"The {action['cards'][0]} does not fit!")
        super().give(table, seat, action)


class FailsOnNonsense(Animal):
    caught = "nonsense_is_refused"

    def forms(self, table: Table, seat: int) -> list[Form]:
        return [self.wider(form) for form in super().forms(table, seat)]

    def wider(self, form: Form) -> Form:
        if form.type == "give":
            form.fields["bet"] = Number(-1, 3)
        return form

    def give(self, table: Table, seat: int, action: dict[str, Any]) -> None:
        table.set("shown", [0, 1, 2, 3][action["bet"]], seat=seat)
        super().give(table, seat, action)


class AnswersTwice(Animal):
    caught = "repeats_are_stale"

    def ask(self, table: Table, seat: int) -> None:
        super().ask(table, seat)
        prompt = table._prompts[seat]
        table._prompts[seat] = prompt._replace(id=1)


# Secrets


class ShowsAHand(Animal):
    """Remembers the table in the plugin, and shows what it saw there in a caption."""

    caught = "views_keep_secrets"
    also = ("events_keep_secrets",)
    seen: Table | None = None

    def forms(self, table: Table, seat: int) -> list[Form]:
        self.seen = table
        return super().forms(table, seat)

    def captions(self, view: dict[str, Any]) -> dict[str, Any]:
        captions = super().captions(view)
        if self.seen is not None and self.seen.has("stock"):
            captions["labels"]["pile"] = ["hint.play", {"card": C(self.seen.cards("stock")[-1] if self.seen.cards("stock") else "C7")}]
        return captions


class BlocksByOthersHands(Animal):
    caught = "forms_keep_secrets"
    also = ("forms_are_not_narrow",)

    def playable(self, table: Table, seat: int) -> list[str]:
        threatened = any("CJ" in table.cards(f"hand/{other}") for other in table.seats if other != seat)
        return [] if threatened else super().playable(table, seat)


class RefusesByOthersHands(Animal):
    caught = "refusals_keep_secrets"

    def give(self, table: Table, seat: int, action: dict[str, Any]) -> None:
        dearest = action["cards"][0] == max(table.cards(f"hand/{seat}"))
        if action["bet"] == 3 and dearest and table.cards("stock")[0][0] in "CS":
            raise IllegalAction("does_not_fit", card=C(action["cards"][0]))
        super().give(table, seat, action)


class SaysWhatWasDrawn(Animal):
    caught = "events_keep_secrets"

    def draw(self, table: Table, seat: int, action: dict[str, Any]) -> None:
        (card,) = table.move("stock", f"hand/{seat}", n=1)
        table.say("played", who=P(seat), card=C(card))


class SetsWhatIsNext(Animal):
    caught = "events_keep_secrets"

    def draw(self, table: Table, seat: int, action: dict[str, Any]) -> None:
        super().draw(table, seat, action)
        if table.cards("stock"):
            table.set("next", table.cards("stock")[-1])


class TellsOthersFacts(Animal):
    """Offers a draw only to who knows that somebody bet high."""

    caught = "forms_keep_secrets"

    def forms(self, table: Table, seat: int) -> list[Form]:
        forms = super().forms(table, seat)
        high = any(table.get("bet", seat=other) == 2 for other in table.seats if other != seat)
        for form in forms:
            if form.type == "draw" and high:
                form.key = "x"
        return forms


class CountsWhatIsSecret(Animal):
    """Sets cards aside where nobody knows how many there are, and offers by their number."""

    caught = "forms_keep_secrets"

    def set_out(self, table: Table) -> None:
        super().set_out(table)
        for n, name in enumerate(("burnt", "kitty"), 1):
            table.create(name, "pile", see=SECRET)
            table.move("stock", name, n=n)

    def forms(self, table: Table, seat: int) -> list[Form]:
        forms = super().forms(table, seat)
        forms[-1].key = "x" if len(table.cards("burnt")) == 1 else "y"
        return forms


class AdvisesByMemory(Animal):
    caught = "advice_keeps_secrets"
    seen: Table | None = None

    def forms(self, table: Table, seat: int) -> list[Form]:
        self.seen = table
        return super().forms(table, seat)

    @hookimpl
    def suggest(self, view: dict[str, Any], rng: random.Random) -> dict[str, Any]:
        action = advised(view)
        if action["type"] == "queen" and self.seen is not None:
            action["suit"] = (self.seen.cards("stock") or ("C7",))[-1][0]
        return action


# Journals


class FloatsInCaptions(Animal):
    caught = "codecs_round_trip"

    def captions(self, view: dict[str, Any]) -> dict[str, Any]:
        return super().captions(view) | {"badges": [[["wait", {}]] for _ in view["seats"]], "share": 0.5}


class CountsDeals(Animal):
    """Remembers in the plugin how many hands it dealt."""

    caught = "replays"
    also = ("rejoining_shows_the_same", "processes_agree")
    count = 0

    def set_out(self, table: Table) -> None:
        self.count += 1
        super().set_out(table)
        table.set("count", self.count)


class CountsLooks(Animal):
    """Shows how often it was looked at."""

    caught = "rejoining_shows_the_same"
    also = ("processes_agree",)
    looks = 0

    def captions(self, view: dict[str, Any]) -> dict[str, Any]:
        self.looks += 1
        return super().captions(view) | {"title": [["left_over.line", {"who": P(0), "n": self.looks}]]}


class AsksASet(Animal):
    caught = "processes_agree"

    def playable(self, table: Table, seat: int) -> list[str]:
        return list(set(super().playable(table, seat)))

    def forms(self, table: Table, seat: int) -> list[Form]:
        forms = super().forms(table, seat)
        suits = list({"C", "S", "H", "D"})
        for form in forms:
            if form.type == "queen":
                form.fields["suit"] = Choice(suits)
        return forms


# The world outside


class LooksAtTheClock(Animal):
    caught = "hooks_stay_inside"
    also = ("source_stays_inside",)

    def captions(self, view: dict[str, Any]) -> dict[str, Any]:
        assert time.time() > 0
        return super().captions(view)


class ThrowsItsOwnDice(Animal):
    caught = "hooks_stay_inside"
    also = ("source_stays_inside",)

    def draw(self, table: Table, seat: int, action: dict[str, Any]) -> None:
        random.random()
        super().draw(table, seat, action)


class ReadsAFile(Animal):
    caught = "hooks_stay_inside"

    def captions(self, view: dict[str, Any]) -> dict[str, Any]:
        with open(__file__, encoding="utf-8") as lines:
            assert lines.readline()
        return super().captions(view)


class NamesTheSystem(Animal):
    caught = "source_stays_inside"

    def never_called(self) -> str:
        return os.sep


# The end


class PaysNobody(Animal):
    caught = "everybody_is_placed"

    @hookimpl
    def settle(self, table: Table, places: list[list[int]]) -> Mapping[int, int]:
        return {places[0][0]: 10}


class SaysHigh(Animal):
    caught = "score_is_as_declared"
    score = "high"

    def result(self, table: Table) -> Result | None:
        result = super().result(table)
        if result is not None and result.over:
            totals = {seat: table.points(seat) + result.points[seat] for seat in table.seats}
            result.ranking = [[seat for seat in table.seats if totals[seat] == points] for points in sorted(set(totals.values()))]
        return result


# House rules


class KeepsResults(Animal):
    """Hands out the same Result again."""

    caught = "points_can_be_doubled"
    also = ("processes_agree",)  # another process has not doubled what is handed out again
    kept: ClassVar[dict[str, Result]] = {}

    def result(self, table: Table) -> Result | None:
        result = super().result(table)
        return None if result is None else self.kept.setdefault(repr(table.state()), result)


class KnowsAllForms(Animal):
    caught = "forms_can_be_added"

    @hookimpl
    def sample(self, view: dict[str, Any], form: dict[str, Any], rng: random.Random) -> None:
        {"give": 1, "play": 2, "queen": 3, "draw": 4, "pass": 5}[form["type"]]


# Words


class Speechless(Animal):
    caught = "words_exist"

    def words(self, lang: str) -> Mapping[str, Any]:
        return {key: text for key, text in super().words(lang).items() if key != "drew.card"}


class OtherPlaces(Animal):
    caught = "words_exist"

    def words(self, lang: str) -> Mapping[str, Any]:
        return {**super().words(lang), "played": "{player} played {card}."} if lang == "en" else {}


class HalfTranslated(Animal):
    caught = "translations_are_whole"

    def words(self, lang: str) -> Mapping[str, Any]:
        return super().words(lang) if lang != "de" else {key: text for key, text in WORDS.items() if key != "passed"}


class NoRules(Animal):
    caught = "rules_are_written"

    def rules(self, lang: str) -> str:
        return "# Sound"


# Search


class ImpossibleWorlds(Animal):
    caught = "worlds_fit_the_view"
    also = ("worlds_can_be_played",)

    @hookimpl
    def determinise(self, view: dict[str, Any], rng: random.Random) -> dict[str, Any]:
        full = self.deck.cards
        return {**view, "zones": [{**zone, "cards": list(full[: zone["n"]])} for zone in view["zones"]]}


class UnplayableWorlds(Animal):
    """Guesses that others hold what makes its own code fail."""

    caught = "worlds_can_be_played"

    @hookimpl
    def determinise(self, view: dict[str, Any], rng: random.Random) -> dict[str, Any]:
        others = [seat["seat"] for seat in view["seats"] if seat["seat"] != view["you"]]
        return {**deal_unseen(Rules(Sound()), view, rng), "secrets": {seat: {"bet": 99} for seat in others}}

    def lay(self, table: Table, seat: int, card: str, suit: str) -> None:
        bets = [table.get("bet", seat=other) or 0 for other in table.seats if other != seat]
        table.set("mean", 1 // (max(bets) - 99))
        super().lay(table, seat, card, suit)


class ForgetfulState(GenericState):
    """Offers one action only."""

    def legal(self) -> list[dict[str, Any]]:
        return super().legal()[:1]


class SearchesHalf(Animal):
    caught = "search_state_agrees"

    @hookimpl
    def search_state(self, view: dict[str, Any], rng: random.Random) -> Any:
        rules = Rules(Sound())
        return ForgetfulState(rebuild(rules, determinise(rules, view, rng), rng))


# Sizes


class TalksTooMuch(Animal):
    caught = "messages_stay_small"

    def captions(self, view: dict[str, Any]) -> dict[str, Any]:
        return super().captions(view) | {"panels": [{"title": ["wait", {}], "lines": [["hint.play", {"card": "x" * 70_000}]]}]}


# Screens


class BareZoneName(Animal):
    caught = "terminal_shows_all"

    def captions(self, view: dict[str, Any]) -> dict[str, Any]:
        return super().captions(view) | {"labels": {}}


class EndlessPrompt(Animal):
    caught = "terminal_shows_all"

    def captions(self, view: dict[str, Any]) -> dict[str, Any]:
        return super().captions(view) | {"prompt": ["hint.play", {"card": "very long " * 200}]}


ANIMALS: tuple[type[Animal], ...] = tuple(kind for kind in list(globals().values()) if isinstance(kind, type) and Animal in kind.__bases__)
