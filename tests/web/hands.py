"""What the fingers do: drags by mouse and by touch, and playing on until a hand is over."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from playwright.async_api import Locator, Page

from .tables import follow_hint, mine


async def middle(node: Locator) -> tuple[float, float]:
    """Return the middle of something that is on the screen."""
    box = await node.bounding_box()
    assert box is not None
    return box["x"] + min(box["width"], 28) / 2, box["y"] + box["height"] / 2


async def drag_by_mouse(page: Page, source: Locator, target: Locator, steps: int = 6) -> None:
    """Press the mouse on one thing and let it go on another."""
    await page.mouse.move(*await middle(source))
    await page.mouse.down()
    await page.mouse.move(*await middle(target), steps=steps)
    await page.mouse.up()


async def drag_by_touch(page: Page, source: Locator, target: Locator, steps: int = 6, end: str = "touchEnd") -> None:
    """Put a finger on one thing, move it to another and lift it, as a phone reports it."""
    x, y = await middle(source)
    to_x, to_y = await middle(target)
    await slide(page, (x, y), (to_x, to_y), steps, end)


async def slide(page: Page, start: tuple[float, float], stop: tuple[float, float], steps: int = 6, end: str = "touchEnd") -> None:
    """Move a finger from one point to another."""
    session = await page.context.new_cdp_session(page)

    async def touch(kind: str, *points: tuple[float, float]) -> None:
        await session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y, "id": 1} for x, y in points]})

    await touch("touchStart", start)
    for step in range(1, steps + 1):
        part = step / steps
        await touch("touchMove", (start[0] + (stop[0] - start[0]) * part, start[1] + (stop[1] - start[1]) * part))
    await touch(end)
    await session.detach()


async def play_hand(page: Page, most: int = 200, at: tuple[int, Callable[[], Awaitable[None]]] | None = None) -> int:
    """Do what the game's hints say until the hand is over; return how often the player was asked.

    at: before this move, counted from 0, something else is done.
    """
    for asked in range(most):
        if not await mine(page):
            return asked
        if at is not None and at[0] == asked:
            await at[1]()
        before = await page.get_attribute("#game", "data-prompt")
        await follow_hint(page)
        await page.wait_for_function("before => document.getElementById('game').dataset.prompt !== before", arg=before)
    raise AssertionError(f"the hand is not over after {most} moves")
