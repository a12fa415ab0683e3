"""docs/web.md says what is so: every message with its fields, every option, every module, every number of the door."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import get_args

from carteado.net.arguments import add_web
from carteado.ui.web import gateway, messages, outbox, settings

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "web.md").read_text(encoding="utf-8")


def test_every_message_of_the_page_is_described_with_its_fields() -> None:
    told = dict(re.findall(r"^\| `(\w{2,})` \|([^|]*)\|", PAGE.split("From the page:")[1].split("From the gateway:")[0], re.M))
    kinds = {kind.__struct_config__.tag: kind.__struct_fields__ for kind in get_args(messages.PageMessage)}
    assert kinds.keys() == told.keys()
    assert {kind: set(fields) for kind, fields in kinds.items()} == {kind: set(re.findall(r"`(\w+)`", text)) for kind, text in told.items()}


def test_every_option_is_described() -> None:
    parser = argparse.ArgumentParser()
    add_web(parser)
    options = {action.option_strings[-1] for action in parser._actions} - {"--help"}
    assert options == {found.split()[0] for found in re.findall(r"^\| `(--[^`]+)` \|", PAGE, re.M)}


def test_every_file_of_the_page_is_named() -> None:
    scripts = {path.name for path in (ROOT / "ui" / "web" / "page").glob("*.js")}
    assert scripts == set(re.findall(r"`(\w+\.js)`", PAGE))


def test_the_numbers_are_those_of_the_code() -> None:
    chosen = settings.Settings()
    for number, words in (
        (settings.FRAME, "a frame above {} bytes"),
        (settings.BURST, "more than {} messages at once"),
        (int(settings.RATE), "{} a second for good |"),
        (settings.CHAT, "{} lines at once"),
        (settings.NEWCOMERS, "{} new seats of one address"),
        (chosen.sockets, "{} sockets and"),
        (chosen.connections, "and {} connections"),
        (chosen.all, "{} in all"),
        (int(settings.GREETING), "closed after {} s"),
        (outbox.EVENTS, "at most {} events"),
        (settings.QUEUED, "{} small messages"),
        (int(settings.SILENCE), "silent for {} s"),
        (int(settings.LINGER), "For {} s after"),
        (settings.PORT, "{} unless said otherwise"),
        (gateway.POLICY, "{} (cannot be read)"),
        (gateway.SUPERSEDED, "{} (another window"),
        (gateway.UNREACHABLE, "{} (no host)"),
    ):
        assert words.format(number) in PAGE


def test_every_picture_is_there() -> None:
    for picture in re.findall(r"\]\((images/[^)]+)\)", PAGE):
        assert (ROOT / "docs" / picture).read_bytes().startswith(b"\x89PNG")
