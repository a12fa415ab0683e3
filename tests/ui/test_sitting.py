"""What `play` tells the client of its table: that it ends with the window unless it is kept somewhere."""

from __future__ import annotations

import asyncio
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from carteado.cli import main
from carteado.net.errors import Refusal
from carteado.net.keys import Address
from carteado.net.protocol import TableRow
from carteado.ui.terminal import sitting


class Child:
    """A host process that was never started."""

    address, alive, troubles = Address("127.0.0.1", 9, b"k" * 32), None, None
    arguments: ClassVar[list[str]] = []

    def __init__(self, arguments: list[str]) -> None:
        Child.arguments = arguments

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *error: object) -> None:
        return None

    def check(self) -> None:
        return None


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Return what the client of a command is told, once it was run."""
    told: dict[str, Any] = {}

    def sit(*place: Any, **how: Any) -> int:
        told.update(how)
        return 0

    monkeypatch.setenv("CARTEADO_HOME", str(tmp_path))
    monkeypatch.setattr("carteado.net.child.ChildHost", Child)
    monkeypatch.setattr("carteado.net.choosing.choose", lambda *place: Child.address)
    monkeypatch.setattr(sitting, "sit", sit)
    return told


@pytest.mark.parametrize(("given", "store", "fleeting"), [([], "memory", True), (["--store", "kept.db"], "kept.db", False)])
def test_a_table_that_nothing_keeps_ends_with_its_window(given: list[str], store: str, fleeting: bool, told: dict[str, Any]) -> None:
    assert 0 == main(["play", "dez-degraus", "--line", *given])
    assert (fleeting, store) == (told["fleeting"], Child.arguments[Child.arguments.index("--store") + 1])


@pytest.mark.parametrize(("given", "kept"), [([], True), (["--store", "memory"], False)])
def test_who_hosts_at_a_terminal_is_told_when_the_host_is_gone_for_good(
    given: list[str], kept: bool, told: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Child, "alive", staticmethod(lambda: False))
    assert 0 == main(["host", "dez-degraus", "--line", *given])
    assert (Child.alive, not kept) == (told["alive"], told["fleeting"])
    assert ("ui.gone.kept" if kept else "ui.gone.host") == asyncio.run(sitting.host_gone(told["alive"], told["fleeting"]))


class Tables:
    """A peer that is told of some tables, each of which lets in those only who sit there."""

    def __init__(self, seated: str, *rows: TableRow) -> None:
        self.seated, self.rows, self.joined = seated, list(rows), ""

    async def tables(self) -> Any:
        return SimpleNamespace(tables=self.rows)

    async def join(self, table: str, role: str) -> None:
        if table != self.seated:
            raise Refusal("started")
        self.joined = table


@pytest.mark.parametrize(
    ("game", "seated", "joined"), [("skat", "t-2", "t-2"), (None, "t-1", "t-1"), ("whist", "t-1", "t-1"), ("skat", "t-1", "")]
)
def test_who_opens_a_table_of_a_game_sits_down_there_and_not_at_another_one_that_was_kept(
    game: str | None, seated: str, joined: str
) -> None:
    peer = Tables(seated, TableRow("t-1", "cascata", "playing", 3, 0), TableRow("t-2", "skat", "lobby", 3, 3))
    with nullcontext() if joined else pytest.raises(Refusal):
        asyncio.run(sitting.enter(peer, None, False, game))  # type: ignore[arg-type]
    assert joined == peer.joined
