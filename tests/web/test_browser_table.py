"""Several people at one table: phones, a television and a terminal player; lines that break; languages; what a screen reader is told."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from carteado.core.bots import player
from carteado.net.peer import Peer
from carteado.net.settings import TableSpec
from carteado.ui.terminal.network import NetworkSession
from carteado.ui.web.gateway import Gateway

from ..net.highcard import GAMES
from ..net.rooms import sitting
from ..ui.hands import Keyboard, do
from ..ui.harness import pilot
from .hands import play_hand
from .tables import DESKTOP, PHONE, Faults, chromium, follow_hint, gate, hit, mine, needs_chromium, opened, run, sat

pytestmark = [pytest.mark.slow, needs_chromium]
DEZ = TableSpec("dez-degraus", chairs=2, bots=("rule",))
KEEP = """(() => { const Real = WebSocket; window.sockets = [];
    window.WebSocket = class extends Real { constructor(...given) { super(...given); window.sockets.push(this); } }; })()"""


async def asked(page: Page) -> str | None:
    """Return the number of the page's open prompt."""
    return await page.get_attribute("#game", "data-prompt")


async def one_move(page: Page) -> None:
    """Answer a prompt with the last card, or with the first choice."""
    before = await asked(page)
    if await hit(page, "do:form:lay").count():
        await page.locator("#hand [data-hit^='card:']").last.click()
    await page.keyboard.press("Enter")
    if await page.locator("dialog.blank").count():
        await page.locator("dialog.blank .item").first.click()
    await page.wait_for_function("before => document.getElementById('game').dataset.prompt !== before", arg=before)


def test_a_phone_whose_line_is_cut_comes_back_by_itself_to_the_same_cards(tmp_path: Path) -> None:
    async def play() -> None:
        async with chromium() as browser, gate(tmp_path, DEZ) as (_, gateway):
            context = await browser.new_context(
                viewport={"width": PHONE[0], "height": PHONE[1]}, has_touch=True, is_mobile=True, locale="en"
            )
            context.set_default_timeout(8000)
            await context.add_init_script(KEEP)
            page = await sat(await opened(browser, gateway.urls("t-1")[0], context=context))
            await mine(page)
            hand = await page.locator("#hand").aria_snapshot()
            await page.evaluate("() => window.sockets.at(-1).close()")
            await page.wait_for_function("() => window.sockets.length === 2 && document.getElementById('banner').hidden")
            assert hand == await page.locator("#hand").aria_snapshot()
            await hit(page, "zone:stock").tap()
            await page.wait_for_function("() => document.querySelectorAll('#hand .card').length === 11")

    run(play())


def test_a_phone_without_network_says_so_and_is_back_at_once_when_it_returns(tmp_path: Path) -> None:
    async def play() -> None:
        async with chromium() as browser, gate(tmp_path, DEZ) as (_, gateway):
            page = await sat(await opened(browser, gateway.urls("t-1")[0]))
            await mine(page)
            port = gateway.port
            await gateway.stop()
            await expect(page.locator("#banner")).to_be_visible()
            again = Gateway(gateway.address, replace(gateway.settings, port=port))
            await again.start()
            try:
                await page.evaluate("() => window.dispatchEvent(new Event('online'))")
                await expect(page.locator("#banner")).to_be_hidden()
                await hit(page, "zone:stock").tap()
                await page.wait_for_function("() => document.querySelectorAll('#hand .card').length === 11")
            finally:
                await again.stop()

    run(play())


def test_a_page_that_is_loaded_anew_in_the_middle_of_a_hand_plays_it_to_its_end(tmp_path: Path) -> None:
    async def play() -> None:
        async with (
            chromium() as browser,
            gate(tmp_path, TableSpec("skat", chairs=3, options={"hands": 3}, bots=("rule", "rule"))) as (_, gateway),
        ):
            page = await sat(await opened(browser, gateway.urls("t-1")[0]))
            for _ in range(3):
                assert await mine(page)
                before = await asked(page)
                await follow_hint(page)
                await page.wait_for_function("before => document.getElementById('game').dataset.prompt !== before", arg=before)
            await page.reload()
            assert await play_hand(page) > 0

    run(play())


def test_a_paused_table_says_so_takes_nothing_and_goes_on_by_a_button(tmp_path: Path) -> None:
    async def play() -> None:
        async with chromium() as browser, gate(tmp_path, DEZ) as (host, gateway):
            page = await sat(await opened(browser, gateway.urls("t-1")[0]))
            await mine(page)
            match = host.tables["t-1"].match
            await expect(hit(page, "do:resume")).to_have_count(0)
            await page.keyboard.press("z")
            await expect(page.locator("#prompt")).to_contain_text("The table is paused.")
            stood = match.q
            assert await hit(page, "do:hint").count() == 0
            forms = page.locator("#buttons [data-hit^='do:form:']")
            assert await forms.count() == await page.locator("#buttons [data-hit^='do:form:'][aria-disabled=true]").count() > 0
            await hit(page, "zone:stock").tap()
            await expect(page.locator("#notice")).to_have_text("The table is paused.")
            await page.keyboard.press("i")
            await expect(page.locator("#notice")).to_have_text("There is no hint now.")
            await page.keyboard.press("Enter")
            await expect(page.locator("#notice")).to_have_text("The table is paused.")
            assert stood == match.q
            await hit(page, "do:resume").tap()
            await expect(hit(page, "do:resume")).to_have_count(0)
            await expect(page.locator("#notice")).to_be_hidden()
            await hit(page, "zone:stock").tap()
            await page.wait_for_function("() => document.querySelectorAll('#hand .card').length === 11")

    run(play())


def test_the_rules_open_at_what_is_to_be_decided(tmp_path: Path) -> None:
    async def play() -> None:
        async with chromium() as browser, gate(tmp_path, DEZ) as (_, gateway):
            page = await sat(await opened(browser, gateway.urls("t-1")[0]))
            await mine(page)
            await page.keyboard.press("r")
            heading = page.locator("dialog.rules [data-stages~=draw]")
            await expect(heading).to_have_text("Your turn")
            await expect(heading).to_be_in_viewport()
            await expect(page.locator("dialog.rules h3")).not_to_be_in_viewport()
            await expect(page.locator("dialog.rules")).not_to_contain_text("stages")

    run(play())


def test_a_host_that_closes_says_so(tmp_path: Path) -> None:
    async def play() -> None:
        async with chromium() as browser, gate(tmp_path, DEZ) as (_, gateway):
            page = await sat(await opened(browser, gateway.urls("t-1")[0]))
            await mine(page)
            await gateway.stop()
            await expect(page.locator("#banner")).to_contain_text("The host has closed. Your seat is kept")

    run(play())


def test_two_windows_of_one_player(tmp_path: Path) -> None:
    async def play() -> None:
        async with chromium() as browser, gate(tmp_path, DEZ) as (_, gateway):
            old = await sat(await opened(browser, gateway.urls("t-1")[0]))
            new = await opened(browser, gateway.urls("t-1")[0], context=old.context)
            await mine(new)
            await expect(old.locator("#door [role=alert]")).to_have_text("You are playing in another window now.")
            await old.locator("#door button").click()
            await mine(old)
            await expect(new.locator("#door [role=alert]")).to_be_visible()

    run(play())


async def by_keys(peer: Peer) -> None:
    """Play a seat on the terminal's screen by keys alone, until cancelled."""
    chooser, dice = player(GAMES["high-card"], "random"), random.Random(1)
    async with pilot(NetworkSession(peer)) as screen:
        await screen.keys("y")
        while True:
            await peer.until(lambda peer: bool(peer.view and peer.view["prompts"]))
            await screen.settle()
            view = peer.view
            assert view is not None
            await do(screen, Keyboard(screen), chooser.choose(view, dice), lambda before=view: peer.view["q"] > before["q"])


def test_two_phones_and_a_terminal_player_at_one_table(tmp_path: Path) -> None:
    async def play() -> None:
        async with chromium() as browser, gate(tmp_path, TableSpec("high-card", chairs=3), games=GAMES, hand_pause=60) as (host, gateway):
            faults = Faults()
            async with sitting(host, "Carla") as carla:
                ana = await sat(await opened(browser, gateway.urls("t-1")[0], faults=faults), "Ana")
                bento = await sat(await opened(browser, gateway.urls("t-1")[0], faults=faults), "Bento")
                moves = {ana: 0, bento: 0}
                playing = asyncio.create_task(by_keys(carla))
                while not await ana.locator("dialog.hand_over").count():
                    for page in moves:
                        if await page.locator("#prompt.mine").count() and not await page.locator("dialog").count():
                            moves[page] += 1
                            await one_move(page)
                assert {ana: 6, bento: 6} == moves  # three cards, and three bids
                playing.cancel()
                await ana.locator("dialog.hand_over .close").click()
                assert carla.view is not None
                assert ["Carla", "Ana", "Bento"] == [seat["name"] for seat in carla.view["seats"]]
                await ana.keyboard.press("t")
                await ana.fill("dialog.chat input", "<b>hello</b>")
                await ana.keyboard.press("Enter")
                await expect(bento.locator("#notice")).to_contain_text("<b>hello</b>")
                await bento.locator("dialog.hand_over .close").click()
                await bento.click("#menu")
                await bento.locator("dialog.menu .item", has_text="Do not hear the chat").click()
                await ana.fill("dialog.chat input", "again")
                await ana.keyboard.press("Enter")
                await expect(ana.locator("dialog.chat")).to_contain_text("again")
                assert "again" not in await bento.locator("#chat").inner_text()
            assert [] == faults

    run(play())


def test_a_television_watches_and_shows_how_to_join(tmp_path: Path) -> None:
    async def play() -> None:
        async with chromium() as browser, gate(tmp_path, DEZ) as (_, gateway):
            page = await sat(await opened(browser, gateway.urls("t-1")[0]))
            tv = await opened(browser, gateway.urls()[0] + "tv", DESKTOP, touch=False)
            await expect(tv.locator("#game")).to_be_visible()
            await expect(tv.locator("#invite img")).to_be_visible()
            assert await tv.evaluate("() => document.querySelector('#invite img').naturalWidth > 0")
            await mine(page)
            await expect(tv.locator("#seats .seat, #mine .seat")).to_have_count(2)
            assert not await tv.locator("#hand .card").count()
            await page.click("#menu")
            await page.locator("dialog.menu [data-key='J']").click()
            await expect(page.locator("dialog.invite img")).to_be_visible()
            await expect(page.locator("dialog.invite b")).to_have_text(f"mesa.test:{gateway.port}")

    run(play())


def test_who_comes_too_late_is_told_so_and_can_watch(tmp_path: Path) -> None:
    async def play() -> None:
        async with chromium() as browser, gate(tmp_path, DEZ) as (_, gateway):
            await mine(await sat(await opened(browser, gateway.urls("t-1")[0])))
            late = await opened(browser, gateway.urls("t-1")[0])
            await late.fill("#name", "Late")
            await late.click("#door button[type=submit]")
            await expect(late.locator("#door [role=alert]")).to_be_visible()
            await late.locator("#door button").first.click()
            await expect(late.locator("#mine .seat, #seats .seat")).to_have_count(2)

    run(play())


def test_a_code_leads_to_its_table_and_a_wrong_one_to_all_of_them(tmp_path: Path) -> None:
    async def play() -> None:
        tables = (DEZ, TableSpec("skat", "t-2", chairs=3))
        async with chromium() as browser, gate(tmp_path, *tables) as (_, gateway):
            page = await opened(browser, gateway.urls()[0] + "m/zzzz")
            await page.fill("#name", "Ana")
            await page.click("#door button[type=submit]")
            await expect(page.locator("#door .item")).to_have_count(2)
            await page.fill("#code", gateway.tokens.code("t-2").lower())
            await page.click("#door form button")
            await expect(page.locator("#title")).to_have_text("Skat")

    run(play())


def test_the_language_changes_while_playing(tmp_path: Path) -> None:
    async def play() -> None:
        async with chromium() as browser, gate(tmp_path, DEZ) as (_, gateway):
            page = await sat(await opened(browser, gateway.urls("t-1")[0], lang="de-DE"))
            await mine(page)
            await expect(hit(page, "do:form:discard")).to_contain_text("Ablegen")
            for name, word in (("Português (Brasil)", "Descartar"), ("English", "Discard"), ("Português (Portugal)", "Descartar")):
                await page.click("#menu")
                await page.locator("dialog.menu [data-key='L']").click()
                await page.locator("dialog.languages .item", has_text=name).click()
                await expect(hit(page, "do:form:discard")).to_contain_text(word)
            assert "pt-PT" == await page.evaluate("() => document.documentElement.lang")

    run(play())


def test_a_name_with_markup_is_shown_as_it_is(tmp_path: Path) -> None:
    async def play() -> None:
        async with chromium() as browser, gate(tmp_path, DEZ) as (_, gateway):
            page = await sat(await opened(browser, gateway.urls("t-1")[0]), "<img src=x>")
            await mine(page)
            await page.keyboard.press("p")
            await expect(page.locator("dialog.points")).to_contain_text("<img src=x>")
            assert not await page.locator("img").count()

    run(play())


def test_a_seat_is_taken_along_to_the_hosts_new_address(tmp_path: Path) -> None:
    async def play() -> None:
        async with chromium() as browser, gate(tmp_path, DEZ) as (_, gateway):
            page = await sat(await opened(browser, gateway.urls("t-1")[0]))
            await mine(page)
            hand = await page.locator("#hand").aria_snapshot()
            await page.clock.install()
            await gateway.stop()
            await expect(page.locator("#banner")).to_be_visible()
            await page.clock.run_for(11_000)
            moved = Gateway(gateway.address, replace(gateway.settings, port=0))
            await moved.start()
            try:
                await page.locator("#moved").click()
                await page.fill("dialog.moved input", f"127.0.0.1:{moved.port}")
                await page.keyboard.press("Enter")
                await page.wait_for_url(f"http://127.0.0.1:{moved.port}/")
                await expect(page.locator("#hand .card").first).to_be_visible()
                assert hand == await page.locator("#hand").aria_snapshot()
            finally:
                await moved.stop()

    run(play())


def test_marks_that_hide_or_reorder_text_never_reach_the_page(tmp_path: Path) -> None:
    async def play() -> None:
        async with chromium() as browser, gate(tmp_path, DEZ) as (_, gateway):
            page = await sat(await opened(browser, gateway.urls("t-1")[0]))
            await mine(page)
            dirty = "".join(map(chr, (0x202E, 0x200B, 0xFEFF, 0x1B, 0xAD)))
            told = await page.evaluate(
                "async dirty => { const at = `/p/${document.body.dataset.version}/dom.js`; const {make} = await import(at);"
                " const node = make('p', {text: `a${dirty}b`, 'aria-label': `c${dirty}d`}); const other = make('p', {}, `e${dirty}f`);"
                " return [node.textContent, node.getAttribute('aria-label'), other.textContent]; }",
                dirty,
            )
            assert ["ab", "cd", "ef"] == told

    run(play())
