"""What painting costs, as a share of what prompt_toolkit costs anyway for a screen of that size."""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Callable

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input

from carteado.ui.terminal.app import Client
from carteado.ui.terminal.grid import Grid
from carteado.ui.terminal.local import Drag
from carteado.ui.terminal.table import paint

from .harness import Recorded, SizedDummy, local_for
from .tables import TABLES

COLUMNS, ROWS, ROUNDS = 120, 40, 15


def typical(work: Callable[[], object]) -> float:
    """Return the least processor seconds of several runs, which is what the work itself costs."""
    times = []
    for _ in range(ROUNDS):
        begin = time.process_time()
        work()
        times.append(time.process_time() - begin)
    return min(times)


@pytest.mark.parametrize("game", TABLES)
def test_painting_a_drag_step_costs_little_beside_showing_an_empty_screen(game: str) -> None:
    make, words, looks = TABLES[game]
    view = make()
    local = local_for(view, words, looks)
    local.drag = Drag("card:1", 10, 30, (40, 12), moved=True)
    empty = Grid(COLUMNS, ROWS)
    shown: list[float] = []

    async def run() -> None:
        with create_pipe_input() as pipe, create_app_session(input=pipe, output=SizedDummy(COLUMNS, ROWS)) as _:
            output = SizedDummy(COLUMNS, ROWS)
            client = Client(Recorded(view, words, looks), input=pipe, output=output)
            task = asyncio.ensure_future(client.run())
            while not client.app.render_counter:
                await asyncio.sleep(0.002)
            client.painted = lambda width, height: empty  # type: ignore[method-assign]
            gc.collect()
            shown.append(typical(client.app._redraw))
            client.leave()
            await task

    asyncio.run(run())
    gc.collect()
    assert typical(lambda: paint(view, local, COLUMNS, ROWS)) < 0.6 * shown[0]
