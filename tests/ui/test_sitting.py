"""What `play` tells the client of its table: that it ends with the window unless it is kept somewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

import pytest

from carteado.cli import main
from carteado.net.keys import Address
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


@pytest.mark.parametrize(("given", "store", "fleeting"), [([], "memory", True), (["--store", "kept.db"], "kept.db", False)])
def test_a_table_that_nothing_keeps_ends_with_its_window(
    given: list[str], store: str, fleeting: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: dict[str, Any] = {}

    def sit(*place: Any, **how: Any) -> int:
        told.update(how)
        return 0

    monkeypatch.setenv("CARTEADO_HOME", str(tmp_path))
    monkeypatch.setattr("carteado.net.child.ChildHost", Child)
    monkeypatch.setattr(sitting, "sit", sit)
    assert 0 == main(["play", "dez-degraus", "--line", *given])
    assert (fleeting, store) == (told["fleeting"], Child.arguments[Child.arguments.index("--store") + 1])
