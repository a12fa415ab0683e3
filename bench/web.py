"""What the page costs: bytes of the first load and of an action, and how long an action takes to the other phone's screen.

    python bench/web.py [--moves 12]

Two phones (Debian's Chromium) and a terminal player sit at one table of Dez Degraus on this machine. From the tap on one phone until the
other phone's page shows what happened, and until the terminal client has drawn it, on the same clock.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, Page, async_playwright

from carteado.core.bots import player
from carteado.core.loader import load
from carteado.net.bot import Bot
from carteado.net.host import serve
from carteado.net.keys import KeyPair
from carteado.net.peer import Peer
from carteado.net.settings import HostConfig, TableSpec
from carteado.ui.terminal.local import Local
from carteado.ui.terminal.network import NetworkSession
from carteado.ui.terminal.table import paint
from carteado.ui.terminal.words import own_catalogue, words_for
from carteado.ui.web.gateway import Gateway
from carteado.ui.web.settings import Settings

WATCH = """() => new MutationObserver(() => { window.last ||= Date.now(); })
    .observe(document.getElementById("log"), {childList: true, subtree: true})"""
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]


class Counted:
    """How many bytes a page was sent, over HTTP and over its socket."""

    def __init__(self, page: Page) -> None:
        self.http, self.requests, self.socket = 0, 0, 0
        page.on("websocket", lambda socket: socket.on("framereceived", self._frame))
        self._page = page

    async def begin(self) -> None:
        """Count what goes over the wire from now on, packed as it is sent."""
        session = await self._page.context.new_cdp_session(self._page)
        await session.send("Network.enable")
        session.on("Network.loadingFinished", self._loaded)

    def _loaded(self, event: dict[str, Any]) -> None:
        self.http += int(event["encodedDataLength"])
        self.requests += 1

    def _frame(self, payload: str | bytes) -> None:
        self.socket += len(payload)


async def phone(browser: Browser, url: str, name: str) -> tuple[Page, Counted]:
    """Sit down as a phone does."""
    context = await browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, locale="en")
    page = await context.new_page()
    counted = Counted(page)
    await counted.begin()
    await page.goto(url)
    await page.fill("#name", name)
    await page.click("#door button[type=submit]")
    await page.click('[data-hit="do:ready"]')
    return page, counted


async def drawing(peer: Peer, drawn: list[float]) -> None:
    """Draw every new view as the terminal client does, and note when."""
    session = NetworkSession(peer)
    local = Local(words_for([*session.catalogues, own_catalogue("en")], session.looks))
    async for change in peer.changes():
        if change.kind == "view" and peer.view is not None:
            local.see(peer.view)
            local.room = session.room
            paint(peer.view, local, 80, 24)
            drawn.append(time.time() * 1000)


async def measure(moves: int) -> None:
    """Play some moves and print the figures."""
    host = await serve(HostConfig(port=0, keys=KeyPair.make(), tables=(TableSpec("dez-degraus", chairs=3),), pace=0, seed=b"bench"))
    with tempfile.TemporaryDirectory() as folder:
        gateway = Gateway(host.address, Settings(port=0, folder=Path(folder)))
        await gateway.start()
        terminal = Peer(host.address, KeyPair.make(), "Terminal")
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
            await terminal.connect()
            await terminal.join("t-1")
            one, first = await phone(browser, gateway.urls()[0], "One")
            other, _ = await phone(browser, gateway.urls()[0], "Two")
            drawn: list[float] = []
            watching = asyncio.create_task(drawing(terminal, drawn))
            playing = asyncio.create_task(Bot(terminal, player(load("dez-degraus"), "rule")).play())
            await terminal.ready()
            await one.wait_for_selector("#hand .card")
            load_kb, socket_kb = first.http / 1000, first.socket / 1000
            print(f"first load: {first.requests} requests, {load_kb:.1f} kB over HTTP, packed; {socket_kb:.1f} kB of JSON on the socket")
            for page in (one, other):
                await page.evaluate(WATCH)
            phones: list[float] = []
            terminals: list[float] = []
            sizes: list[int] = []
            while len(phones) < moves:
                for page, seen in ((one, other), (other, one)):
                    if not await page.locator("#prompt.mine").count() or await page.locator("dialog").count():
                        continue
                    before, size = len(drawn), first.socket
                    await seen.evaluate("() => { window.last = 0; }")
                    if await page.locator('[data-hit="do:hint"]').count():
                        await page.click('[data-hit="do:hint"]')
                        target = page.locator("dialog.hint .item").first
                    else:
                        target = page.locator('[data-hit="do:form:draw"]')
                    tapped = await target.evaluate("node => { const at = Date.now(); node.click(); return at; }")
                    await seen.wait_for_function("() => window.last > 0")
                    phones.append(await seen.evaluate("() => window.last") - tapped)
                    while len(drawn) == before:
                        await asyncio.sleep(0.001)
                    terminals.append(drawn[before] - tapped)
                    sizes.append(first.socket - size)
                if await one.locator("dialog.hand_over").count():
                    break
            medians = [statistics.median(values) for values in (phones, terminals)]
            for name, values, median in zip(("other phone's screen", "terminal's screen"), (phones, terminals), medians, strict=True):
                print(f"tap to {name}: median {median:.0f} ms, worst {max(values):.0f} ms of {len(values)}")
            told = {
                "load_requests": first.requests, "load_kb": round(load_kb, 1), "action_kb": round(statistics.median(sizes) / 1000, 2),
                "phone_ms": round(medians[0], 1), "terminal_ms": round(medians[1], 1), "ratio": round(medians[0] / max(1, medians[1]), 2),
            }  # fmt: skip
            print(json.dumps(told))
            for task in (playing, watching):
                task.cancel()
            await asyncio.gather(playing, watching, return_exceptions=True)
            await terminal.close()
            await browser.close()
        await gateway.stop()
    await host.stop()


def main() -> int:
    """Measure, unless there is no browser; return the exit status."""
    parser = argparse.ArgumentParser(description="Measure what the page for browsers costs.")
    parser.add_argument("--moves", type=int, default=12, help="actions to measure (default: %(default)s)")
    moves = parser.parse_args().moves
    if shutil.which("chromium") is None:
        print("no Chromium here (apt-get install chromium): nothing was measured")
        print(json.dumps({}))
        return 0
    asyncio.run(measure(moves))
    return 0


if __name__ == "__main__":
    sys.exit(main())
