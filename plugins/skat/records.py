"""Read and write recorded games of the International Skat Server and its relatives, one a line.

A line is `(;GM[Skat]PC[..]..MV[w <32 cards> <who> <action> ..]R[d:0 win v:22 ..] ;)`. Who: `w` the server, else the
position of this deal. Actions: a value, `y`, `p`; `s` picks up the skat and the server shows it; a contract code with
the cards put away; a card; `SC` shows one's cards, `RE` concedes; the server's `TI.x` and `LE.x` say that a player
ran out of time or left.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from .hand import Hand
from .rules import DECK, Contract, Face

_TAG = re.compile(r"([A-Z][A-Z0-9]*)\[([^\]]*)\]")
_CONTRACT = re.compile(r"[GCSHDN][OHSZ]*")
UNKNOWN = "??"


class RecordFault(ValueError):
    """Say what in a line cannot be read."""


@dataclass(frozen=True, slots=True)
class Step:
    """Say what one position did.

    Verbs: `bid` (value), `hold`, `pass`, `skat`, `declare` (code), `put` (two faces), `play` (face), `show`, `concede`,
    and `gone` (the server broke off because of this player; `word` is `TI` or `LE`).
    """

    who: int
    verb: str
    word: str = ""
    cards: tuple[Face, ...] = ()
    value: int = 0


@dataclass(frozen=True, slots=True)
class Result:
    """Hold the R field: numbers by name (`d`, `v`, `m`, `p`, `t`, ..) and the bare words (`win`, `overbid`, ..)."""

    words: tuple[str, ...]
    numbers: dict[str, int]

    @property
    def passed(self) -> bool:
        """Tell whether nobody wanted to play."""
        return self.words == ("passed",)

    def write(self) -> str:
        """Write the field in the fixed order of the logs."""
        if self.passed:
            return "passed"
        outcome = [word for word in self.words if word in ("win", "loss", "penalty")]
        bid = [word for word in self.words if word in ("bidok", "overbid")]
        parts = [f"d:{self.numbers.get('d', -1)}", *outcome]
        parts += [f"{name}:{self.numbers[name]}" for name in ("v", "m") if name in self.numbers]
        parts += bid
        rest = [name for name in self.numbers if name not in ("d", "v", "m")]
        return " ".join(parts + [f"{name}:{self.numbers[name]}" for name in rest])


@dataclass(frozen=True, slots=True)
class Record:
    """Hold one recorded game: its tags in order, the deal, what was done and the result."""

    tags: tuple[tuple[str, str], ...]
    hands: tuple[tuple[Face, ...], ...]
    skat: tuple[Face, ...]
    steps: tuple[Step, ...]
    result: Result

    def tag(self, name: str) -> str:
        """Give a tag's text, empty when the line has none."""
        return dict(self.tags).get(name, "")

    @property
    def broken_off(self) -> str:
        """Tell when the server ended the game for a missing player: `before` or `after` the end of the auction, or ``."""
        if not any(step.verb == "gone" for step in self.steps):
            return ""
        return "after" if any(step.verb in ("skat", "declare") for step in self.steps) else "before"


def parse_line(line: str) -> Record:
    """Read one line.

    Raises:
        RecordFault: the line is no such game, or an action cannot be understood.
    """
    text = line.strip()
    if not text.startswith("(;") or not text.endswith(";)"):
        raise RecordFault("a recorded game starts with (; and ends with ;)")
    tags = tuple(_TAG.findall(text))
    fields = dict(tags)
    if fields.get("GM") != "Skat" or "MV" not in fields or "R" not in fields:
        raise RecordFault("not a game of Skat with moves and a result")
    tokens = fields["MV"].split()
    if len(tokens) < 2 or tokens[0] != "w" or len(tokens) % 2:
        raise RecordFault("the moves do not begin with a deal, or are not pairs")
    cards = tuple(re.split(r"[.|]", tokens[1]))
    known = [face for face in cards if face != UNKNOWN]
    if len(cards) != 32 or len(set(known)) != len(known) or not set(known) <= set(DECK):
        raise RecordFault("the deal is not 32 different cards")
    steps = tuple(_steps(tokens[2:]))
    return Record(tags, (cards[:10], cards[10:20], cards[20:30]), cards[30:], steps, parse_result(fields["R"]))


def parse_lines(text: str) -> Iterator[Record]:
    """Read every line that holds a game; blank lines are skipped.

    Raises:
        RecordFault: a line cannot be read; the sentence begins with its number.
    """
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                yield parse_line(line)
            except RecordFault as fault:
                raise RecordFault(f"line {number}: {fault}") from None


def parse_result(text: str) -> Result:
    """Read the R field.

    Raises:
        RecordFault: a value is no number.
    """
    words: list[str] = []
    numbers: dict[str, int] = {}
    for token in text.split():
        name, colon, value = token.partition(":")
        if not colon:
            words.append(token)
        elif re.fullmatch(r"-?\d+", value):
            numbers[name] = int(value)
        else:
            raise RecordFault(f"no number in the result: {token}")
    return Result(tuple(words), numbers)


def _steps(tokens: Sequence[str]) -> Iterator[Step]:
    """Turn pairs of who and action into steps; what the server shows is already known from the deal."""
    declared = False
    for who, action in zip(tokens[::2], tokens[1::2], strict=True):
        if who == "w":
            if action[:3] in ("TI.", "LE.") and action[3:] in ("0", "1", "2"):
                yield Step(int(action[3:]), "gone", word=action[:2])
            elif not _faces(action):
                raise RecordFault(f"the server did something unknown: {action}")
            continue
        if who not in ("0", "1", "2"):
            raise RecordFault(f"nobody is called {who}")
        for step in _step(int(who), action, declared):
            declared = declared or step.verb == "declare"
            yield step


def _step(who: int, action: str, declared: bool) -> Iterator[Step]:
    """Read one action of a player."""
    if not declared:
        if action.isdigit():
            yield Step(who, "bid", value=int(action))
            return
        simple = {"y": "hold", "p": "pass", "s": "skat"}.get(action)
        if simple:
            yield Step(who, simple)
            return
        code, *cards = action.split(".")
        if not _CONTRACT.fullmatch(code):
            raise RecordFault(f"{who} did something unknown: {action}")
        # After a pick-up the first two cards are the ones put away; an ouvert may list its ten cards after them.
        yield Step(who, "declare", word=code)
        if len(cards) in (2, 12):
            yield Step(who, "put", cards=tuple(cards[:2]))
        return
    if action == "RE":
        yield Step(who, "concede")
    elif action.partition(".")[0] == "SC":
        yield Step(who, "show")
    elif len(faces := _faces(action)) == 1:
        yield Step(who, "play", cards=faces)
    elif len(faces) == 2:
        yield Step(who, "put", cards=faces)
    else:
        raise RecordFault(f"{who} did something unknown: {action}")


def _faces(action: str) -> tuple[Face, ...]:
    """Read cards joined by dots; nothing when one of them is no card."""
    faces = tuple(action.split("."))
    return faces if all(face == UNKNOWN or face in DECK for face in faces) else ()


def write_line(record: Record) -> str:
    """Write a record in the form it is read."""
    moves = ["w", ".".join(face for group in (*record.hands, record.skat) for face in group)]
    put: tuple[Face, ...] | None = None
    steps = list(record.steps)
    for index, step in enumerate(steps):
        if step.verb == "gone":
            moves += ["w", f"{step.word}.{step.who}"]
            continue
        if step.verb == "put" and put is not None:
            put = None
            continue
        action = {"bid": str(step.value), "hold": "y", "pass": "p", "skat": "s", "show": "SC", "concede": "RE"}.get(step.verb)
        if action is None and step.verb == "declare":
            following = steps[index + 1 : index + 2]
            put = following[0].cards if following and following[0].verb == "put" else None
            action = ".".join([step.word, *(put or ())])
        moves += [str(step.who), action if action is not None else ".".join(step.cards)]
        if step.verb == "skat":
            moves += ["w", ".".join(record.skat)]
    body = "".join(f"{name}[{text}]" for name, text in record.tags if name not in ("MV", "R"))
    return f"(;{body}MV[{' '.join(moves)} ]R[{record.result.write()}] ;)"


def replay(record: Record) -> Hand:
    """Play a record through the pure rules, every bid and card checked; stops where the server broke off or a card is
    unknown.

    Raises:
        HandRefused: a step is not allowed.
    """
    hand = Hand(record.hands, record.skat)
    for step in record.steps:
        if step.verb == "gone" or UNKNOWN in step.cards:
            break
        take_step(hand, step)
    return hand


def take_step(hand: Hand, step: Step) -> None:
    """Take one recorded step on a hand."""
    if step.verb in ("bid", "hold", "pass"):
        hand.bid(step.who, {"hold": "y", "pass": "p"}.get(step.verb, step.value))
    elif step.verb == "skat":
        hand.look(step.who)
    elif step.verb == "declare":
        contract = Contract.parse(step.word)
        hand.declare(step.who, contract)
    elif step.verb == "put":
        hand.put(step.who, step.cards)
    elif step.verb == "play":
        hand.play(step.who, step.cards[0])
    elif step.verb == "show":
        hand.show(step.who)
    else:
        hand.concede(step.who)


def result_of(hand: Hand) -> Result:
    """Give the R field for a finished hand."""
    if hand.passed_in:
        return Result(("passed",), {})
    outcome = hand.outcome()
    points, tricks = hand.tally()
    assert hand.declarer is not None
    numbers = {
        "d": hand.declarer,
        "v": outcome.value,
        "m": outcome.matadors,
        "p": points,
        "t": tricks,
        "s": int(outcome.schneider),
        "z": int(outcome.schwarz),
        "p0": 0,
        "p1": 0,
        "p2": 0,
        "l": -1,
        "to": -1,
        "r": int(bool(hand.conceded)),
    }
    return Result(("win" if outcome.won else "loss", "overbid" if outcome.overbid else "bidok"), numbers)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Tell whether the rules give what the record says: `agrees`, `differs` or `excused`, and what differs."""

    game: str
    word: str
    found: str
    recorded: str
    differences: tuple[str, ...] = ()

    @property
    def fine(self) -> bool:
        """Tell whether nothing speaks against the rules."""
        return self.word != "differs"


def compare(record: Record, found: Result) -> Verdict:
    """Compare the result the rules give with the one recorded; only items the record has are compared."""
    recorded = record.result
    differences = []
    if recorded.passed != found.passed:
        differences.append("passed")
    if not recorded.passed and not found.passed:
        known = ("d", "v", "m", "p", "t", "s", "z", "l", "to")
        for name in [name for name in known if name in recorded.numbers]:
            if recorded.numbers[name] != found.numbers.get(name):
                differences.append(f"{name}:{found.numbers.get(name)} not {recorded.numbers[name]}")
        for word in sorted({"win", "loss", "penalty", "bidok", "overbid"} & set(recorded.words)):
            if word not in found.words:
                differences.append(word)
    word = "agrees"
    if differences:
        # Who pays how much when a player vanishes in the middle of a game is the server's policy, not a rule of Skat.
        word = "excused" if record.broken_off == "after" else "differs"
    return Verdict(record.tag("ID"), word, found.write(), recorded.write(), tuple(differences))


def judge(record: Record) -> Verdict:
    """Replay a record by the pure rules and compare points, tricks, matadors, overbid and value.

    Raises:
        HandRefused: a step is not allowed.
    """
    hand = replay(record)
    if record.broken_off == "after":
        return compare(record, Result(("unfinished",), {}))
    if record.broken_off == "before":
        return compare(record, _penalty(record))
    return compare(record, result_of(hand))


def _penalty(record: Record) -> Result:
    """Give the R field of a game broken off before there was a contract."""
    gone = next(step for step in record.steps if step.verb == "gone")
    numbers = {"d": -1, "v": 0, "m": 0, "p": 0, "t": 0, "s": 0, "z": 0}
    numbers |= {f"p{who}": int(who == gone.who) for who in range(3)}
    numbers |= {"l": gone.who if gone.word == "LE" else -1, "to": gone.who if gone.word == "TI" else -1, "r": 0}
    return Result(("penalty", "bidok"), numbers)


def compose(tags: Iterable[tuple[str, str]], hand: Hand, steps: Iterable[Step]) -> Record:
    """Make a record of a finished hand."""
    everything = (("GM", "Skat"), *tags)
    return Record(everything, hand.dealt, hand.first_skat, tuple(steps), result_of(hand))
