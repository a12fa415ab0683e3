"""The client as plain lines: no redraws, numbers choose, letters ask. For screen readers, braille, pipes and any dumb terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from . import spoken
from .banner import away_said
from .filling import Filling, fit, forms_of, hinted, prompt_of, stage_of
from .follow import SHUTDOWN, words_of
from .guide import Guide
from .local import Local
from .menus import host_ends, price_said
from .offers import wishes
from .room import STANDING
from .session import Change, Session
from .text import plain
from .words import LANGUAGES, next_language

View = Mapping[str, Any]
Write = Callable[[str], None]

QUERIES = ("t", "h", "g", "s", "l", "i", "a", "o", "r", "k", "?", "c", "z", "n", "leave", "q")
"""Letters: table, hand, groups, scores, last trick, hint, all choices, order of the hand, rules, clocks and who is away, help, chat,
pause, language; the word to leave for good; quit."""


@dataclass(frozen=True)
class Question:
    """Something that was asked: the blank of a filling, or whether to take the game's own proposal."""

    filling: Filling
    name: str
    proposal: Filling | None = None


class LineClient:
    """Play a session with lines of text."""

    def __init__(
        self, session: Session, write: Write, lang: str = "en", ascii: bool = False, utf8: bool = True, guided: bool = False
    ) -> None:
        """`write` takes one line without its end; `guided` explains the first hand."""
        self._session = session
        self._write = write
        self._looks = (lang, ascii, utf8)
        self.local = Local(words_of(session, *self._looks), guide=Guide() if guided else None)
        self._log: Sequence[Any] = []
        self._prompt: int | None = None
        self._hand: Any = None
        self._over = False
        self._stage = ""
        self._away: set[int] = set()
        self._question: Question | None = None
        self.done = False

    def begin(self) -> None:
        """Say where one is."""
        self._say(self.local.words("ui.line.welcome"))
        view = self._session.view
        self._hand = ((view or {}).get("result") or {}).get("hand")
        if view is not None:
            self._log = list(view["log"])
        self._room()
        self._see(first=True)

    def changed(self, change: Change) -> None:
        """Say what is new."""
        match change.kind:
            case "view":
                self.local.tricks.hear(change.events)
                self._see()
            case "words":
                self.local.words = words_of(self._session, *self._looks)
                self.local.see(self._session.view)
            case "say":
                words = self.local.words
                self._say(f"{words.safe(change.who)}: {words.safe(change.text)}")
            case "line":
                closed = self._session.line == "lost" and self._session.line_reason == SHUTDOWN
                self._say(self.local.words("ui.banner.closed" if closed else f"ui.link.{self._session.line}"))
            case "gone":
                reason = change.text or self._session.line_reason
                self._say(self.local.words("ui.gone") + (f": {self.local.words(reason)}" if reason else ""))
                self.done = True
            case "witness":
                self._say(self.local.words("ui.witness"))
        self._room()

    async def take(self, text: str) -> None:
        """Take one line that was typed."""
        tokens = text.split()
        if not tokens:
            self._repeat()
        elif self._question is not None and not tokens[0].isalpha():
            await self._answer(tokens)
        elif self._question is not None and tokens[0].lower() == "x":
            self._question = None
            self._repeat()
        elif tokens[0].isdigit():
            await self._choose(int(tokens[0]), tokens[1:])
        else:
            await self._query(tokens[0].lower(), text.strip()[len(tokens[0]) :].strip())

    # what is said

    def _say(self, text: str) -> None:
        self._write(text)

    def _all(self, lines: Sequence[str]) -> None:
        for line in lines:
            self._write(line)

    def _see(self, first: bool = False) -> None:
        view, local = self._session.view, self.local
        local.see(view)
        if view is None:
            return
        for message in spoken.news(self._log, view["log"]):
            self._say(local.words.speak(message))
        self._log = list(view["log"])
        result = (view.get("result") or {}).get("hand")
        if (view.get("end") and not self._over) or (result is not None and result != self._hand):
            self._all(spoken.score_said(view, local))
        self._hand, self._over = result, bool(view.get("end"))
        self._guide(view)
        prompt = prompt_of(view)
        number = prompt["id"] if prompt else None
        if number != self._prompt:
            if self._question is not None:
                self._say(local.words("ui.line.too_late"))
                self._question = None
            self._prompt = number
            if number is not None or first:
                self._repeat()
        elif first:
            self._repeat()

    def _guide(self, view: View) -> None:
        guide = self.local.guide
        if guide is None or not guide.follow(view, self.local.words):
            return
        while page := guide.turn():
            self._all([self.local.words.speak(message) for message in page if message[0] != "ui.guide.begin"])

    def _repeat(self) -> None:
        """Say again what is wanted."""
        view, local = self._session.view, self.local
        if self._question is not None:
            self._ask(self._question)
            return
        if view is not None:
            self._say(spoken.prompt_said(view, local))
            self._all(spoken.choice_lines(view, local, blocked=False))
        elif self._session.room is not None:
            self._all(spoken.room_lines(self._session.room, local))
        self._all(self._wish_lines())

    def _room(self) -> None:
        """Say it when the table begins to wait for something."""
        room = self._session.room
        self.local.room = room
        self._absent()
        stage = (
            f"{room.stage} {sorted(room.may)} {[(c.name, c.line == 'empty', c.ready) for c in room.chairs]}"
            if room
            else ""
        )
        if stage == self._stage:
            return
        self._stage = stage
        if room is not None and room.stage in ("lobby", "between", "over", *STANDING):
            if room.stage == "lobby":
                self._all(spoken.room_lines(room, self.local))
            elif room.stage != "over":
                self._say(self.local.words(f"ui.line.stage.{room.stage}"))
            self._all(self._wish_lines())

    def _absent(self) -> None:
        """Say who has gone away, and who is back."""
        words, room = self.local.words, self.local.room
        chairs = {chair.seat: chair for chair in room.chairs} if room is not None else {}
        away = {seat for seat, chair in chairs.items() if chair.line == "away" and not chair.bot}
        for seat in sorted(away - self._away):
            self._say(away_said(words, chairs[seat]))
        for seat in sorted(self._away - away):
            if seat in chairs and chairs[seat].line == "here":
                self._say(words("ui.line.back", name=words.safe(chairs[seat].name)))
        self._away = away

    def _wishes(self) -> list[str]:
        return [wish.name for wish in wishes(self._session.room) if wish.button]

    def _wish_lines(self) -> list[str]:
        first = len(forms_of(self._session.view)) + 1
        return [f"{number}. {self.local.words(f'ui.do.{name}')}" for number, name in enumerate(self._wishes(), first)]

    # queries

    async def _query(self, letter: str, rest: str) -> None:
        view, local = self._session.view, self.local
        if letter == "q":
            self._quit(rest)
        elif letter == "c" and rest:
            await self._wish("say", text=rest)
        elif letter == "leave":
            await self._leave(rest)
        elif letter == "k":
            self._all(spoken.clock_lines(local))
        elif letter == "z":
            room = self._session.room
            await self._wish("resume" if room is not None and room.stage == "paused" else "pause")
        elif letter == "n":
            await self._speak(next_language(self._looks[0]))
        elif letter == "r":
            self._all(spoken.rules_lines(local, self._session.rules, "" if rest else stage_of(view)))
        elif letter == "?":
            self._all(
                [local.words(f"ui.line.help.{name}") for name in ("numbers", *(one for one in QUERIES if one != "?"))]
            )
        elif view is None:
            self._say(local.words("ui.line.unknown"))
        elif letter == "o":
            local.sort += 1
            name = local.sort_hand(view)
            if name is not None:
                self._say(local.words("ui.sorted", by=name))
            self._all(spoken.hand_lines(view, local))
        else:
            told: Mapping[str, Callable[[View, Local], list[str]]] = {
                "t": spoken.table_lines,
                "h": spoken.hand_lines,
                "g": spoken.group_lines,
                "s": spoken.score_said,
                "l": spoken.last_trick_lines,
                "i": spoken.hint_lines,
                "a": spoken.choice_lines,
            }
            self._all(told[letter](view, local) if letter in told else [local.words("ui.line.unknown")])

    def _quit(self, rest: str) -> None:
        """Go; who takes the host along, and the table from others with it, says so twice."""
        ends = host_ends(self.local)
        if ends and rest != "q":
            self._all([*map(plain, ends), self.local.words("ui.line.quit")])
        else:
            self.done = True

    async def _leave(self, rest: str) -> None:
        """Leave the table for good, once it has been said twice."""
        words, room = self.local.words, self.local.room
        if room is None or "leave" not in room.may:
            self._say(words("ui.not_now"))
        elif rest != "leave":
            price = plain(price_said(words, room.leaving)) if room.leaving is not None else ""
            self._say(" ".join(part for part in (words("ui.line.leave"), price) if part))
        else:
            why = await self._session.ask("leave")
            if why is None:
                self.done = True
            else:
                self._say(words.speak(why))

    async def _speak(self, lang: str) -> None:
        why = await self._session.speak(lang)
        if why is not None:
            self._say(self.local.words.speak(why))
            return
        self._looks = (lang, *self._looks[1:])
        self.local.words = words_of(self._session, *self._looks)
        self.local.see(self._session.view)
        self._say(self.local.words("ui.speaks", language=LANGUAGES[lang]))
        self._repeat()

    # moves

    async def _choose(self, number: int, rest: list[str]) -> None:
        view = self._session.view
        forms = forms_of(view)
        prompt = prompt_of(view)
        wishes = self._wishes()
        if prompt is not None and view is not None and 1 <= number <= len(forms):
            form = forms[number - 1]
            if form.get("blocked"):
                self._say(self.local.words.speak(form["blocked"]))
                return
            filling = fit(prompt["id"], form, {}).filling
            await self._go_on(view, filling, rest)
        elif len(forms) < number <= len(forms) + len(wishes):
            await self._wish(wishes[number - len(forms) - 1])
        else:
            self._say(self.local.words("ui.line.unknown"))

    async def _go_on(self, view: View, filling: Filling, rest: list[str]) -> None:
        """Ask for the next blank, or send; what was typed behind the choice answers the questions in order."""
        name = filling.missing()
        before, self._question = self._question, None
        if name is None:
            if rest:
                # More numbers than there are questions: something else was meant.
                self._question = before
                self._say(self.local.words("ui.line.too_many", n=len(rest)))
            else:
                await self._send(filling)
            return
        proposal: Filling | None = None
        action = hinted(view, filling.form)
        if (
            action is not None
            and filling.form["fields"][name]["kind"] == "groups"
            and not filling.groups
            and not filling.asked
        ):
            values = {key: value for key, value in action.items() if key != "type"}
            proposal = Filling(filling.prompt, filling.form, values)
        self._question = Question(filling, name, proposal)
        if rest:
            await self._answer(rest)
        else:
            self._ask(self._question)

    def _ask(self, question: Question) -> None:
        view = self._session.view
        if view is not None:
            self._all(spoken.question_lines(view, self.local, question.filling, question.name, question.proposal))

    async def _answer(self, tokens: list[str]) -> None:
        question, view = self._question, self._session.view
        if question is None or view is None:
            return
        filling, name = question.filling, question.name
        blank = filling.form["fields"][name]
        if question.proposal is not None:
            self._question = None
            if tokens[0] == "1":
                await self._send(question.proposal)
            else:
                self._question = Question(filling, name)
                self._ask(self._question)
        elif blank["kind"] in ("pick", "groups"):
            await self._answer_cards(view, filling, name, tokens)
        else:
            values = spoken.value_lines(view, self.local, blank)
            number = int(tokens[0]) if tokens[0].isdigit() else 0
            if not 1 <= number <= len(values):
                self._say(self.local.words("ui.line.unknown"))
                return
            await self._go_on(view, filling.put(name, values[number - 1][1]), tokens[1:])

    async def _answer_cards(self, view: View, filling: Filling, name: str, tokens: list[str]) -> None:
        local = self.local
        blank = filling.form["fields"][name]
        hand = spoken.cards_of(view, local, blank["zone"])
        most = blank["n"][1] if blank["kind"] == "pick" else len(tokens)
        taken, rest = tokens[:most], tokens[most:]
        numbers = [int(token) if token.isdigit() else 0 for token in taken]
        if not all(1 <= number <= len(hand) for number in numbers) or len(set(numbers)) < len(numbers):
            self._say(local.words("ui.line.unknown"))
            return
        faces = [hand[number - 1] for number in numbers]
        if blank["kind"] == "pick":
            wrong = fit(filling.prompt, filling.form, {blank["zone"]: faces}).wrong
            if wrong is not None:
                self._say(local.words.speak(wrong))
                return
            filling = filling.put(name, faces)
        else:
            left = Counter(hand)
            left.subtract(filling.spent())
            left.subtract(faces)
            if min(left.values(), default=0) < 0:
                self._say(local.words("ui.used_twice"))
                return
            filling = filling.add_group(name, faces)
        await self._go_on(view, filling, rest)

    async def _send(self, filling: Filling) -> None:
        guide, form = self.local.guide, str(filling.form["type"])
        self._question = None
        if guide is not None:
            guide.using(form)
        why = await self._session.act(filling.prompt, filling.action())
        if why is None:
            return
        if guide is not None:
            guide.refused(form)
        self._say(self.local.words.speak(why))
        blank = str((why[1] if len(why) > 1 else {}).get("field", ""))
        view = self._session.view
        if view is not None and blank in filling.form["fields"] and blank not in filling.values:
            await self._go_on(view, Filling(filling.prompt, filling.form, filling.values, asked=(blank,)), [])

    async def _wish(self, name: str, **details: Any) -> None:
        why = await self._session.ask(name, **details)
        if why is not None:
            self._say(self.local.words.speak(why))
