"""Cards by finger, by mouse and by keyboard, on a real page: tap, drag, arrange, cancel, undo."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, Page

from carteado.net.settings import TableSpec

from .hands import drag_by_mouse, drag_by_touch, middle, slide
from .tables import DESKTOP, SMALL, Faults, chromium, follow_hint, gate, hit, mine, needs_chromium, opened, run, sat

pytestmark = [pytest.mark.slow, needs_chromium]
DEZ = TableSpec("dez-degraus", chairs=2, bots=("rule",))
PLAIN, LUCKY = b"plain", b"test"
"""Deals where there is nothing to lay in the first turn, and where there is."""

SMALL_ONES = """nodes => nodes.map(node => [node.dataset.hit, node.getBoundingClientRect()])
    .filter(([, box]) => box.height < 43.5 || box.width < 28).map(([hit]) => hit)"""
HIDDEN_ONES = """() => [...document.querySelectorAll('#hand .card, #buttons button')]
    .filter(node => node.getBoundingClientRect().bottom > innerHeight + 1).length"""


@asynccontextmanager
async def table(browser: Browser, folder: Path, seed: bytes = PLAIN, **more: Any) -> AsyncIterator[Page]:
    """Sit at a table of Dez Degraus where it is the player's turn."""
    faults = Faults()
    async with gate(folder, DEZ, seed=seed) as (_, gateway):
        page = await sat(await opened(browser, gateway.urls("t-1")[0], faults=faults, **more))
        await mine(page)
        yield page
        await page.context.close()
    assert [] == faults


async def faces(page: Page) -> list[str]:
    """Return the names of the cards in the hand, from the left."""
    names = await page.locator("#hand [data-hit^='card:']").evaluate_all("cards => cards.map(card => card.ariaLabel)")
    return [str(name).partition(",")[0] for name in names]


async def marked(page: Page) -> list[int]:
    """Return the places of the marked cards."""
    pressed = await page.locator("#hand [data-hit^='card:']").evaluate_all("cards => cards.map(card => card.ariaPressed)")
    return [place for place, value in enumerate(pressed) if value == "true"]


async def holds(page: Page, cards: int) -> None:
    """Wait until there are so many cards in the hand."""
    await page.wait_for_function("cards => document.querySelectorAll('#hand .card').length === cards", arg=cards)


async def drawn(page: Page) -> None:
    """Draw from the stock, and wait until the turn goes on."""
    await hit(page, "zone:stock").click()
    await holds(page, 11)


def test_fingers_draw_drag_and_arrange(tmp_path: Path) -> None:
    async def play() -> None:
        async with chromium() as browser, table(browser, tmp_path) as page:
            await page.touchscreen.tap(*await middle(hit(page, "zone:stock")))
            await holds(page, 11)
            cards = page.locator("#hand [data-hit^='card:']")
            before = await faces(page)
            await drag_by_touch(page, cards.nth(0), cards.nth(3))
            assert [*before[1:3], before[0], *before[3:]] == await faces(page)

            here = await middle(cards.nth(1))
            await slide(page, here, (here[0] + 5, here[1]))
            assert [1] == await marked(page)  # a finger that trembles has tapped
            await page.wait_for_timeout(360)  # later than a double tap
            await page.touchscreen.tap(*await middle(cards.nth(1)))
            assert [] == await marked(page)

            await drag_by_touch(page, cards.nth(0), hit(page, "zone:discard"), end="touchCancel")
            assert 11 == len(await faces(page))

            await drag_by_touch(page, cards.nth(0), hit(page, "zone:discard"))
            await holds(page, 10)
            assert await page.locator("#log").get_by_text("You discard").count()

    run(play())


def test_two_quick_taps_on_a_card_play_it(tmp_path: Path) -> None:
    async def play() -> None:
        async with chromium() as browser, table(browser, tmp_path) as page:
            await drawn(page)
            where = await middle(page.locator("#hand [data-hit^='card:']").nth(0))
            await page.touchscreen.tap(*where)
            await page.touchscreen.tap(*where)
            await holds(page, 10)

    run(play())


def test_quick_taps_on_several_cards_mark_them_all_and_the_marks_can_be_undone(tmp_path: Path) -> None:
    async def play() -> None:
        async with chromium() as browser, table(browser, tmp_path, LUCKY) as page:
            await drawn(page)
            cards = page.locator("#hand [data-hit^='card:']")
            for place in (0, 2, 5):
                await page.touchscreen.tap(*await middle(cards.nth(place)))
            assert [0, 2, 5] == await marked(page)
            await hit(page, "do:unmark").tap()
            assert [] == await marked(page)

    run(play())


def test_a_slip_is_asked_about_and_the_tap_that_opened_the_question_does_not_answer_it(tmp_path: Path) -> None:
    async def play() -> None:
        async with chromium() as browser, table(browser, tmp_path, LUCKY) as page:
            await drawn(page)
            where = await middle(page.locator("#hand [data-hit^='card:']").nth(0))
            await page.touchscreen.tap(*where)
            await page.touchscreen.tap(*where)
            await page.wait_for_timeout(300)
            assert await page.locator("dialog.sure").is_visible()
            await page.locator("dialog.sure .item").first.tap()
            assert 11 == len(await faces(page))

    run(play())


def test_the_mouse_does_the_same(tmp_path: Path) -> None:
    async def play() -> None:
        async with chromium() as browser, table(browser, tmp_path, size=DESKTOP, touch=False) as page:
            cards = page.locator("#hand [data-hit^='card:']")
            await drag_by_mouse(page, hit(page, "zone:stock"), cards.nth(2))  # from the stock to the hand: draws
            await holds(page, 11)
            await cards.nth(4).click()
            assert [4] == await marked(page)
            await hit(page, "zone:discard").click()
            await holds(page, 10)

    run(play())


def test_the_keyboard_alone_plays_a_turn_and_keeps_its_place(tmp_path: Path) -> None:
    async def play() -> None:
        async with chromium() as browser, table(browser, tmp_path, size=DESKTOP, touch=False) as page:
            await page.keyboard.press("c")
            await holds(page, 11)
            await page.keyboard.press("ArrowRight")
            await page.keyboard.press("ArrowRight")
            assert "1" == await page.evaluate("document.activeElement.dataset.place")
            await page.keyboard.press("Space")
            assert [1] == await marked(page)
            before = await faces(page)
            await page.keyboard.press("Alt+ArrowRight")
            assert [before[0], before[2], before[1], *before[3:]] == await faces(page)
            assert "2" == await page.evaluate("document.activeElement.dataset.place")  # the focus went with its card
            await page.keyboard.press("Escape")
            assert [] == await marked(page)
            await page.keyboard.press("1")
            assert [0] == await marked(page)
            await page.keyboard.press("Enter")
            await holds(page, 10)
            await page.keyboard.press("?")
            assert await page.locator("dialog.help").is_visible()
            await page.keyboard.press("Escape")
            assert not await page.locator("dialog.help").count()

    run(play())


def test_a_click_of_a_screen_reader_counts_and_one_behind_a_tap_does_not(tmp_path: Path) -> None:
    async def play() -> None:
        async with chromium() as browser, table(browser, tmp_path) as page:
            await page.locator("#hand [data-hit^='card:']").nth(0).evaluate("card => card.click()")
            assert [0] == await marked(page)
            await page.touchscreen.tap(*await middle(page.locator("#hand [data-hit^='card:']").nth(3)))
            assert [0, 3] == await marked(page)

    run(play())


def test_what_cannot_be_done_says_why(tmp_path: Path) -> None:
    async def play() -> None:
        async with chromium() as browser, table(browser, tmp_path) as page:
            await page.locator("#hand [data-hit^='card:']").nth(0).tap()
            await page.touchscreen.tap(*await middle(hit(page, "do:form:discard")))
            assert await page.locator("#notice.bad").is_visible()

    run(play())


def test_nothing_is_drawn_over_a_drag_and_what_happened_shows_at_its_end(tmp_path: Path) -> None:
    async def play() -> None:
        async with chromium() as browser, table(browser, tmp_path, size=DESKTOP, touch=False) as page:
            card = page.locator("#hand [data-hit^='card:']").nth(0)
            await page.mouse.move(*await middle(card))
            await page.mouse.down()
            await page.mouse.move(400, 300, steps=4)
            node = await card.element_handle()
            await page.keyboard.press("c")  # draws: a new view comes while the card is in the air
            await page.wait_for_timeout(300)
            assert node is not None
            assert await node.evaluate("node => node.isConnected")
            assert 1 == await page.locator("#ghost").count()
            await page.mouse.up()
            await holds(page, 11)
            assert 0 == await page.locator("#ghost").count()

    run(play())


def test_everything_that_can_be_touched_is_large_enough(tmp_path: Path) -> None:
    async def play() -> None:
        async with chromium() as browser, table(browser, tmp_path, size=SMALL) as page:
            await drawn(page)
            small = await page.locator("button:visible, .zone[role=button]:visible").evaluate_all(SMALL_ONES)
            assert [] == small
            hidden = await page.evaluate(HIDDEN_ONES)
            assert 0 == hidden

    run(play())


def test_a_phase_is_laid_group_by_group_and_a_card_is_dragged_onto_a_group(tmp_path: Path) -> None:
    async def play() -> None:
        async with chromium() as browser, table(browser, tmp_path, LUCKY) as page:
            await drawn(page)
            await hit(page, "do:form:lay").tap()
            await page.locator("dialog.proposal .item").last.tap()  # no, I choose the cards myself
            assert "group 1 of 2" in await page.inner_text("#prompt")
            for number in ("1", "6"):
                names = await faces(page)
                for place in [place for place, name in enumerate(names) if name.endswith(f" {number}")][:3]:
                    await page.locator("#hand [data-hit^='card:']").nth(place).tap()
                    await page.wait_for_timeout(30)
                await hit(page, "do:confirm").tap()
            await holds(page, 5)
            groups = page.locator("#mine .zone.group")
            assert 2 == await groups.count()
            await drag_by_touch(page, page.locator("#hand [data-hit^='card:']").last, groups.first)
            await page.locator("#notice.bad").wait_for()  # an eleven does not belong to a set of ones, and the game says so
            assert 5 == len(await faces(page))

    run(play())


def test_the_title_tells_whose_turn_it_is_and_the_last_trick_can_be_looked_at(tmp_path: Path) -> None:
    async def play() -> None:
        skat = TableSpec("skat", chairs=3, options={"hands": 3}, bots=("rule", "rule"))
        async with chromium() as browser, gate(tmp_path, skat) as (_, gateway):
            page = await sat(await opened(browser, gateway.urls("t-1")[0]))
            for _ in range(12):
                assert await mine(page)
                assert (await page.title()).startswith("●")
                await page.keyboard.press("l")
                if await page.locator("dialog.trick").count():
                    break
                await follow_hint(page)
                await page.wait_for_timeout(80)
            assert 3 == await page.locator("dialog.trick .card").count()

    run(play())
