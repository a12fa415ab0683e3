"""The page means and says the same as the terminal, and tells a screen reader all that it shows."""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, is_dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest

from carteado.core.game import Game
from carteado.core.loader import installed, load
from carteado.core.words import Speech
from carteado.net.terms import Leaving, Terms
from carteado.ui.terminal import intent
from carteado.ui.terminal.agreed import terms_said
from carteado.ui.terminal.banner import clock_said
from carteado.ui.terminal.choices import option_said, value_said
from carteado.ui.terminal.filling import at_rest, forms_of, missed, reach
from carteado.ui.terminal.local import hand_zone
from carteado.ui.terminal.menus import price_said
from carteado.ui.terminal.room import Price
from carteado.ui.terminal.words import clean, words_for
from carteado.ui.web.assets import LANGUAGES, catalogue

from ..net.highcard import HighCard
from ..ui.tables import TABLES
from .scenes import SHOW, stage, views, words
from .tables import chromium, needs_chromium, run

pytestmark = [pytest.mark.slow, needs_chromium]
GAMES = [listed.name for listed in installed() if listed.name in ("dez-degraus", "cascata", "skat")]
ROOT = Path(__file__).parents[2]
SNAPSHOTS = Path(__file__).parent / "aria"
MEANT = """(cases) => {
    const {forms} = window.modules;
    const filling = one => ({prompt: one.prompt, type: one.form.type, values: one.values});
    const told = outcome => outcome.send ? {send: filling(outcome.send)} : outcome.ask ? {ask: filling(outcome.ask)}
        : outcome.choose ? {choose: outcome.choose.map(filling)} : {say: outcome.say, bad: outcome.bad};
    const gathered = found => ({cards: Object.fromEntries(Object.entries(found.cards).map(([zone, faces]) => [zone, [...faces].sort()])),
        zones: [...found.zones].sort(), places: [...found.places].sort()});
    return cases.map(({view, picked}) => ({
        aim: view.zones.flatMap(zone => [null, 0, 1].map(place => told(forms.aim(view, picked, [zone.name, place], zone.name)))),
        press: forms.formsOf(view).map(form => told(forms.press(view, form, picked))),
        enter: [true, false].map(sure => told(forms.enter(view, picked, sure))),
        reach: gathered(forms.reach(view, picked)),
        missed: forms.formsOf(view).map(form => forms.missed(view, new forms.Filling(1, form))?.type ?? null),
    }));
}"""
SAID = """({messages, catalogues, looks, names, you}) => {
    const speech = new window.modules.speech.Speech(catalogues, looks);
    speech.reader({seats: names.map(name => ({name})), you});
    return messages.map(message => [speech.text(message), speech.speak(message)]);
}"""


def picks(view: Mapping[str, Any]) -> Iterator[dict[str, list[str]]]:
    """Yield some cards of the hand that could be marked."""
    own = hand_zone(view)
    cards = list(own["cards"] or []) if own else []
    for faces in ([], cards[:1], cards[-1:], cards[:2], cards[1:4], cards):
        yield {own["name"]: faces} if own and faces else {}


def told(outcome: Any) -> Any:
    """Return an outcome of the terminal as plain data."""

    def filling(one: Any) -> dict[str, Any]:
        return {"prompt": one.prompt, "type": one.form["type"], "values": dict(one.values)}

    assert is_dataclass(outcome)
    match outcome:
        case intent.Send(one):
            return {"send": filling(one)}
        case intent.Ask(one):
            return {"ask": filling(one)}
        case intent.Choose(many):
            return {"choose": [filling(one) for one in many]}
        case intent.Say(message, bad):
            return {"say": list(message), "bad": bad}
    raise AssertionError(asdict(outcome))  # type: ignore[arg-type]


def meant(view: dict[str, Any], picked: dict[str, list[str]]) -> dict[str, Any]:
    """Return what the terminal makes of everything one could point at and press."""
    from carteado.ui.terminal.filling import Filling

    found = reach(view, picked)
    return {
        "aim": [told(intent.aim(view, picked, (zone["name"], place), zone["name"])) for zone in view["zones"] for place in (None, 0, 1)],
        "press": [told(intent.press(view, form, picked)) for form in forms_of(view)],
        "enter": [told(intent.enter(view, picked, sure)) for sure in (True, False)],
        "reach": {
            "cards": {zone: sorted(faces) for zone, faces in found.cards.items()},
            "zones": sorted(found.zones),
            "places": sorted(f"{zone}:{place}" for zone, place in found.places),
        },
        "missed": [(missed(view, Filling(1, form)) or {}).get("type") for form in forms_of(view)],
    }


def plain(value: Any) -> Any:
    """Return data as JSON has it."""
    if isinstance(value, Mapping):
        return {key: plain(part) for key, part in value.items()}
    return [plain(part) for part in value] if isinstance(value, list | tuple) else value


def test_taps_buttons_and_enter_mean_the_same_as_in_the_terminal(tmp_path: Path) -> None:
    async def play() -> None:
        seen = [view for name in GAMES for view in list(views(load(name), 50, "random"))[::5]] + [make() for make, _, _ in TABLES.values()]
        cases = [{"view": view, "picked": picked} for view in seen for picked in picks(view)]
        async with chromium() as browser, stage(browser, tmp_path) as page:
            there = await page.evaluate(MEANT, cases)
        for case, answer in zip(cases, there, strict=True):
            assert plain(meant(case["view"], case["picked"])) == answer

    run(play())


def messages(value: Any) -> Iterator[list[Any]]:
    """Yield everything in a view that has the form of a message."""
    if isinstance(value, list) and len(value) == 2 and isinstance(value[0], str) and isinstance(value[1], dict):
        yield value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from messages(part)


@pytest.mark.parametrize("name", GAMES)
def test_every_sentence_is_the_same_in_every_language(tmp_path: Path, name: str) -> None:
    async def play() -> None:
        game = load(name)
        said = list({repr(message): message for view in list(views(game, 60, "random"))[::4] for message in messages(view)}.values())
        assert len(said) > 20
        names = ["Rita", "Ana", "Bruno"]
        async with chromium() as browser, stage(browser, tmp_path) as page:
            for lang in LANGUAGES:
                catalogues = [dict(game.words(lang)), catalogue(lang)]
                given = {"messages": said, "catalogues": catalogues, "looks": game.deck.looks, "names": names, "you": 1}
                seen, heard = (Speech(catalogues, names, game.deck.looks, 1, spoken=spoken) for spoken in (False, True))
                wanted = [[clean(seen.text(message)), clean(heard.text(message))] for message in said]
                assert wanted == await page.evaluate(SAID, given)

    run(play())


STRANGERS = {"hearts": "carteado_hearts", "crazy-eights": "carteado_crazy_eights"}
"""Games of other distributions, which nobody who made the page has thought of."""


def stranger(name: str, monkeypatch: pytest.MonkeyPatch) -> Game:
    """Return a game from the examples."""
    monkeypatch.syspath_prepend(ROOT / "examples" / name.replace("-", "_"))
    module = importlib.import_module(STRANGERS[name])
    return next(made() for made in vars(module).values() if isinstance(made, type) and issubclass(made, Game) and made.name == name)


def showing(game: Game) -> dict[str, Any]:
    """Return a view with something to see; the players choose at random, so that no player's cleverness changes what is shown."""
    return list(views(game, 24, "random"))[-1]


@pytest.mark.parametrize("name", [*GAMES, "high-card", *STRANGERS])
def test_a_screen_reader_is_told_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    game = HighCard() if name == "high-card" else stranger(name, monkeypatch) if name in STRANGERS else load(name)

    async def play() -> None:
        async with chromium() as browser, stage(browser, tmp_path) as page:
            await page.evaluate(SHOW, {"view": showing(game), "words": words(game), "lang": "en"})
            told = "\n".join([await page.locator(part).aria_snapshot() for part in ("header", "#table", "#foot")]) + "\n"
        kept = SNAPSHOTS / f"{game.name}.yaml"
        if os.environ.get("CARTEADO_SNAPSHOTS"):
            kept.parent.mkdir(exist_ok=True)
            kept.write_text(told, encoding="utf-8")
        assert kept.read_text(encoding="utf-8") == told

    run(play())


CONTRAST = """() => {
    const style = getComputedStyle(document.documentElement);
    const light = name => {
        const probe = document.createElement("i");
        probe.style.color = style.getPropertyValue(name);
        document.body.append(probe);
        const parts = getComputedStyle(probe).color.match(/[\\d.]+/g).slice(0, 3).map(part => part / 255);
        probe.remove();
        const [r, g, b] = parts.map(part => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const grounds = ["--card", "--raise", "--felt"];
    const behind = ["--felt", "--raise", "--turn"];
    const pairs = [...["--ink", "--dim", "--warn", "--legal"].flatMap(name => behind.map(ground => [name, ground])),
        ["--felt", "--warn"], ["--accent-ink", "--accent"],
        ...["red", "yellow", "green", "blue", "black", "gray"].flatMap(name => grounds.map(ground => [`--${name}`, ground]))];
    return pairs.map(([one, other]) => {
        const [more, less] = [light(one), light(other)].sort((a, b) => b - a);
        return [`${one} on ${other}`, (more + 0.05) / (less + 0.05)];
    }).filter(([, ratio]) => ratio < 4.5);
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_and_card_colours_can_be_read_on_their_grounds(tmp_path: Path, scheme: str) -> None:
    async def play() -> None:
        async with chromium() as browser, stage(browser, tmp_path, scheme=scheme) as page:
            assert [] == await page.evaluate(CONTRAST)

    run(play())


def test_a_kind_of_zone_that_nobody_knows_is_a_plain_list(tmp_path: Path) -> None:
    async def play() -> None:
        game = HighCard()
        view = showing(game)
        view["zones"].append({"name": "spiral", "kind": "spiral", "owner": None, "n": 2, "cards": ["R1", "B2"], "facts": {}})
        async with chromium() as browser, stage(browser, tmp_path) as page:
            await page.evaluate(SHOW, {"view": view, "words": words(game), "lang": "en"})
            assert 2 == await page.locator(".zone.list .card").count()

    run(play())


SIZES = ((360, 640), (640, 360), (390, 844), (844, 390), (768, 1024), (1280, 800), (1920, 1080))
ROOMY = """() => {
    const over = ["#hand", "#buttons", "#prompt", "header"].filter(name => {
        const box = document.querySelector(name).getBoundingClientRect();
        return box.right > innerWidth + 1 || box.bottom > innerHeight + 1;
    });
    return [document.documentElement.scrollWidth <= innerWidth, over, document.getElementById("table").clientHeight >= 0.2 * innerHeight];
}"""


def test_tables_of_six_fit_on_every_screen_in_the_longest_language(tmp_path: Path) -> None:
    async def play() -> None:
        async with chromium() as browser, stage(browser, tmp_path) as page:
            for name in GAMES:
                game = load(name)
                for view in list(views(game, 40, players=6))[13::13]:
                    for size in SIZES:
                        await page.set_viewport_size({"width": size[0], "height": size[1]})
                        await page.evaluate(SHOW, {"view": view, "words": words(game, "de"), "lang": "de"})
                        assert [True, [], True] == await page.evaluate(ROOMY), (name, size)

    run(play())


def test_a_count_down_is_seen_and_not_said_each_second(tmp_path: Path) -> None:
    async def play() -> None:
        async with chromium() as browser, stage(browser, tmp_path) as page:
            await page.evaluate(SHOW, {"view": showing(load("skat")), "words": words(load("skat")), "lang": "en"})
            told = await page.evaluate(
                """async () => {
                    const {paint: {paintBanner, Scene}} = window.modules;
                    const banner = document.getElementById("banner");
                    const heard = [];
                    const hidden = node => Boolean(node.closest?.("[aria-hidden]"));
                    const said = one => !hidden(one.target) && [...one.addedNodes].some(node => !hidden(node));
                    new MutationObserver(seen => heard.push(...seen.filter(said))).observe(banner, {childList: true, subtree: true});
                    for (const left of [90000, 89000, 88000]) {
                        window.table.sit({...window.table.room, chairs: window.table.room.chairs.map(chair =>
                            chair.seat === 0 ? {...chair, line: "away", grace_ms: left} : chair)});
                        paintBanner(new Scene(window.table));
                        await new Promise(done => setTimeout(done));
                    }
                    return [banner.textContent, heard.length];
                }"""
            )
            assert ["Rita is away; the table waits.88 s", 1] == told

    run(play())


@pytest.mark.parametrize("kind", ["paused", "frozen"])
def test_a_table_that_stands_still_takes_the_same_from_nobody_as_in_the_terminal(kind: str, tmp_path: Path) -> None:
    shown = [view for name in GAMES for view in list(views(load(name), 20))[3::8]]

    async def play() -> None:
        async with chromium() as browser, stage(browser, tmp_path) as page:
            there = await page.evaluate(
                """([views, stage]) => views.map(view => {
                    const table = new window.modules.table.Table();
                    table.sit({m: "t-1", stage, chairs: [], may: ["pause"]});
                    table.see(view, 1, []);
                    return table.view;
                })""",
                [shown, kind],
            )
        assert [at_rest(view, [f"ui.prompt.{kind}", {}]) for view in shown] == there

    run(play())


def test_what_is_agreed_at_a_table_is_said_as_in_the_terminal(tmp_path: Path) -> None:
    rooms = [
        {"options": {"stake": 10, "free_from": "apex", "hidden_rows": ["middle"], "hidden_cards": [], "soft_steal": False}},
        {"options": {}, "house": ["doubled"], "terms": {"clock": {"move": 45, "bank": 120}, "away": "game", "grace": 60}},
        {"options": {}, "terms": {"clock": {"bank": 300, "add": 5}, "away": "wait"}},
    ]

    def wanted(room: dict[str, Any]) -> list[str]:
        said = words_for([load("cascata").words("en"), catalogue("en")], {})
        terms = msgspec.convert(room.get("terms", {}), Terms)
        lines = [f"{option_said(said, name)}: {value_said(said, name, value)}" for name, value in room["options"].items()]
        if "house" in room:
            lines.append(f"{option_said(said, 'house')}: {value_said(said, 'house', room['house'])}")
        return lines + [said(key, **args) for key, args in terms_said(terms)]

    async def play() -> None:
        async with chromium() as browser, stage(browser, tmp_path) as page:
            there = await page.evaluate(
                "async ({rooms, catalogues}) => { const {agreed} = await import(`/p/${document.body.dataset.version}/lobby.js`);"
                " const speech = new window.modules.speech.Speech(catalogues, {}); return rooms.map(room => agreed(speech, room)); }",
                {"rooms": rooms, "catalogues": [dict(load("cascata").words("en")), catalogue("en")]},
            )
        assert [wanted(room) for room in rooms] == there

    run(play())


def test_a_clock_is_read_as_in_the_terminal(tmp_path: Path) -> None:
    times = (0, 9, 99, 100, 125, 3599, 3600, 3661, 36_000)

    async def play() -> None:
        async with chromium() as browser, stage(browser, tmp_path) as page:
            there = await page.evaluate(
                "async times => times.map((await import(`/p/${document.body.dataset.version}/seats.js`)).clockSaid)",
                list(times),
            )
        assert [clock_said(seconds) for seconds in times] == there

    run(play())


def test_what_leaving_for_good_costs_is_said_as_in_the_terminal(tmp_path: Path) -> None:
    prices = [Leaving(how, chips, bot) for how, chips in (("free", 0), ("penalty", -20), ("loss", 0), ("kept", 0)) for bot in (True, False)]
    said = words_for([catalogue("en")], {})

    async def play() -> None:
        async with chromium() as browser, stage(browser, tmp_path) as page:
            there = await page.evaluate(
                "async ({prices, texts}) => { const {priceSaid} = await import(`/p/${document.body.dataset.version}/menu.js`);"
                " const speech = new window.modules.speech.Speech([texts], {}); return prices.map(price => priceSaid(speech, price)); }",
                {"prices": msgspec.to_builtins(prices), "texts": catalogue("en")},
            )
        lines = [price_said(said, Price(price.how, -price.chips, price.substitute)) for price in prices]
        assert ["".join(text for text, _ in line) for line in lines] == there
        assert "(costs up to 20 chips) A computer player goes on." in there

    run(play())
