"""Hosts, gateways and browsers for the tests of the page: real sockets on loopback, Debian's Chromium, nothing from outside."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Coroutine, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, BrowserContext, Locator, Page, Playwright, async_playwright

from carteado.core.game import Game
from carteado.net.host import Host, serve
from carteado.net.keys import KeyPair
from carteado.net.settings import HostConfig, TableSpec
from carteado.ui.web.gateway import Gateway
from carteado.ui.web.settings import Settings

CHROMIUM = shutil.which("chromium")
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--host-resolver-rules=MAP mesa.test 127.0.0.1",
)  # fmt: skip
PHONE, SIDEWAYS, DESKTOP, SMALL = (390, 844), (844, 390), (1280, 800), (360, 640)
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here (apt-get install chromium)")


class Chrome:
    """One browser for all tests of a process: starting it costs more than most of them. Its loop is theirs."""

    def __init__(self) -> None:
        self.runner = asyncio.Runner()
        self._playwright: Playwright | None = None
        self._browser: Browser | None = None

    async def browser(self) -> Browser:
        """Return the browser, started when it is first wanted."""
        if self._browser is None:
            self._playwright = await async_playwright().start()
            self._browser = await self._playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        return self._browser

    def close(self) -> None:
        """End the browser and the loop."""
        if self._browser is not None:
            self.runner.run(self._browser.close())
        if self._playwright is not None:
            self.runner.run(self._playwright.stop())
        self.runner.close()


shared: list[Chrome] = []
"""The browser of this process, once there is one; `conftest.py` closes it."""


def run(work: Coroutine[Any, Any, Any], seconds: float = 90.0) -> Any:
    """Run a test's coroutine in the browser's loop; a test that hangs fails."""
    if not shared:
        shared.append(Chrome())
    return shared[0].runner.run(asyncio.wait_for(work, seconds))


@asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    """Give the browser, as if it had just been started."""
    browser = await shared[0].browser()
    try:
        yield browser
    finally:
        for context in browser.contexts:
            await context.close()


@asynccontextmanager
async def gate(
    folder: Path, *tables: TableSpec, games: Mapping[str, Game] | None = None, pace: float = 0.0, seed: bytes = b"test", **more: Any
) -> AsyncIterator[tuple[Host, Gateway]]:
    """Run a host on loopback, and a gateway to it on a free port."""
    config = HostConfig(port=0, keys=KeyPair.make(), tables=tables, pace=pace, hand_pause=more.pop("hand_pause", 60.0), seed=seed)
    host = await serve(config, games=games)
    gateway = Gateway(host.address, Settings(**{"port": 0, "folder": folder, "names": ("mesa.test",), **more}))
    await gateway.start()
    try:
        yield host, gateway
    finally:
        await gateway.stop()
        await host.stop()
        assert host.failed is None


class Faults(list[str]):
    """What a page has complained about: uncaught errors, and what its console says is wrong."""

    def watch(self, page: Page) -> None:
        """Collect the complaints of a page."""
        page.on("pageerror", lambda error: self.append(str(error)))
        page.on("console", lambda said: self.append(said.text) if said.type == "error" else None)


async def opened(
    browser: Browser, url: str, size: tuple[int, int] = PHONE, touch: bool = True, scheme: str = "light", lang: str = "en-GB",
    context: BrowserContext | None = None, faults: Faults | None = None,
) -> Page:  # fmt: skip
    """Open the page as a phone (or not) would."""
    if context is None:
        context = await browser.new_context(
            viewport={"width": size[0], "height": size[1]}, has_touch=touch, is_mobile=touch, locale=lang,
            color_scheme=scheme, reduced_motion="reduce",
        )  # fmt: skip
        context.set_default_timeout(8000)
    page = await context.new_page()
    if faults is not None:
        faults.watch(page)
    await page.goto(url)
    return page


async def sat(page: Page, name: str = "Ana", ready: bool = True) -> Page:
    """Type the name, sit down, and say to be ready."""
    await page.fill("#name", name)
    await page.click("#door button[type=submit]")
    await page.wait_for_selector("#game:not([hidden])")
    if ready:
        await page.click('[data-hit="do:ready"]')
    return page


def hit(page: Page, name: str) -> Locator:
    """Return the thing with a hit id."""
    return page.locator(f'[data-hit="{name}"]')


async def mine(page: Page, seconds: float = 20.0) -> bool:
    """Wait until the page asks its player for something, or a box with the end of a hand opens; tell whether it asks."""
    await page.wait_for_selector("#prompt.mine, dialog.hand_over, dialog.match_over", timeout=seconds * 1000)
    return not await page.locator("dialog.hand_over, dialog.match_over").count()


async def follow_hint(page: Page) -> None:
    """Do what the game's first hint says, else what is done by default; take the first answer to whatever is asked then."""
    if await hit(page, "do:hint").count():
        await hit(page, "do:hint").click()
        await page.locator("dialog.hint .item").first.click()
    else:
        await page.keyboard.press("Enter")
    for _ in range(4):
        sure, asked = page.locator("dialog.sure .item"), page.locator("dialog.blank .item, dialog.forms .item, dialog.proposal .item")
        if await sure.count():
            await sure.last.click()
        elif await asked.count():
            await asked.first.click()
