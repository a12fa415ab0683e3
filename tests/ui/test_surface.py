"""What is sent to a terminal makes the painted screen, frame after frame, though only what has changed is looked at."""

from __future__ import annotations

import asyncio
import io
from typing import Any

import pyte
import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from carteado.ui.terminal.app import Client, Looks
from carteado.ui.terminal.surface import Row
from carteado.ui.terminal.table import paint

from .harness import Recorded
from .tables import TABLES

pytestmark = pytest.mark.slow

KEYS = ["1", "2", "1", "\t", "\x1b[C", "?", "\x1b[6~", " ", "o", ":", "so", "\x1b", "p", "p", "\x0c", "3"]


@pytest.mark.parametrize("game", TABLES)
def test_a_terminal_shows_every_frame_as_it_was_painted_also_after_a_clearing_and_a_resize(game: str) -> None:
    make, words, looks = TABLES[game]
    view = make()
    view["seats"] = [{**seat, "name": "李小龍"} if not number else seat for number, seat in enumerate(view["seats"])]
    session = Recorded(view, words, looks)
    sent = io.BytesIO()
    size = [100, 30]
    output = Vt100_Output(
        io.TextIOWrapper(sent, encoding="utf-8", write_through=True), lambda: Size(rows=size[1], columns=size[0]), enable_cpr=False
    )
    screens: list[Any] = [pyte.Screen(*size)]

    def shown() -> str:
        pyte.ByteStream(screens[-1]).feed(sent.getvalue())
        sent.seek(0)
        sent.truncate()
        return "\n".join(line.rstrip() for line in screens[-1].display)

    async def run() -> None:
        with create_pipe_input() as pipe, create_app_session(input=pipe, output=output):
            client = Client(session, Looks(), input=pipe, output=output)
            task = asyncio.ensure_future(client.run())

            async def settle() -> None:
                for _ in range(2):
                    count = client.app.render_counter
                    client.app.invalidate()
                    while client.app.render_counter == count or client.app.invalidated:
                        await asyncio.sleep(0.002)

            await settle()
            for keys in KEYS:
                pipe.send_text(keys)
                if keys == "\x1b":
                    await asyncio.sleep(0.08)
                await settle()
                assert paint(session.view, client.local, *size).text() == shown(), keys
            for columns, rows in ((70, 24), (120, 40)):
                size[:] = [columns, rows]
                screens.append(pyte.Screen(columns, rows))
                client.app._on_resize()
                await settle()
                assert paint(session.view, client.local, *size).text() == shown()
            client.leave()
            await task

    asyncio.run(run())


def test_a_row_says_where_it_ends_and_nothing_while_it_stays() -> None:
    row = Row(list("ab  "), ["", "", "bold", ""])
    assert [1, 2] == list(dict(row.items()))
    assert " " == row[99].char
    row.still = True
    assert {} == dict(row.items())
