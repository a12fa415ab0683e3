"""`carteado host --web`, `play --web` and `web`, as people run them."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import urllib.request
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from carteado.net import serving
from carteado.net.keys import Address
from carteado.ui.web.beside import invitation

pytestmark = pytest.mark.slow


@contextmanager
def running(home: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    """Run a command of carteado with its own folder, and end it."""
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "carteado.cli", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=home,
        env={**os.environ, "CARTEADO_HOME": str(home), "PYTHONIOENCODING": "utf-8"},
    )
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.stdout is not None
        process.stdout.close()
        process.wait(20)


def said(process: subprocess.Popen[str], wanted: str) -> re.Match[str]:
    """Read what a program says until a line fits."""
    assert process.stdout is not None
    heard = []
    for line in process.stdout:
        heard.append(line)
        if found := re.search(wanted, line):
            return found
    raise AssertionError(f"it ended and said: {''.join(heard)}")


def page(url: str) -> str:
    """Fetch a page."""
    with urllib.request.urlopen(url, timeout=10) as answer:
        text: str = answer.read().decode()
    return text


HOST = ("host", "--headless", "--port", "0", "--no-announce", "--no-admin", "--store", "memory", "--web-port", "0")


def test_a_host_serves_the_page_when_it_is_asked_to(tmp_path: Path) -> None:
    with running(tmp_path, *HOST, "--web") as host:
        url = said(host, r"http://127\.0\.0\.1:\d+/m/[A-Z]{4}")[0]
        assert "carteado" in page(url)
        host.send_signal(signal.SIGTERM)
        assert 0 == host.wait(20)


def test_a_host_for_the_network_draws_a_code_with_address_and_letters_beside_it(tmp_path: Path) -> None:
    with running(tmp_path, *HOST, "--web", "--lan", "--web-name", "mesa.example") as host:
        said(host, "[▀▄█]{3}")
        said(host, r"http://mesa\.example:\d+")
        said(host, r"code of the table: [A-Z]{4}")


def test_a_page_is_added_to_a_host_that_runs_without_one(tmp_path: Path) -> None:
    with running(tmp_path, *HOST) as host:
        said(host, "tcp://")
        with running(tmp_path, "web", "--web-port", "0") as web:
            assert "carteado" in page(said(web, r"http://127\.0\.0\.1:\d+/")[0])


def test_a_table_against_computer_players_can_be_played_in_a_browser(tmp_path: Path) -> None:
    with running(tmp_path, "play", "skat", "--web", "--web-port", "0") as play:
        assert "carteado" in page(said(play, r"http://127\.0\.0\.1:\d+/m/[A-Z]{4}")[0])


def test_a_taken_port_is_one_sentence_and_nothing_is_left_running(tmp_path: Path) -> None:
    with running(tmp_path, *HOST, "--web") as host:
        port = said(host, r"http://127\.0\.0\.1:(\d+)/")[1]
        with running(tmp_path, *HOST[:-1], port, "--web") as second:
            said(second, rf"^carteado host: the page for browsers cannot be served at port {port}")
            assert 1 == second.wait(20)


@pytest.mark.parametrize(("tables", "wanted"), [(["t-1"], "t-1"), (["t-1", "t-1-2"], None)])
def test_the_addresses_lead_to_the_only_table_and_to_the_list_where_another_one_was_kept(
    tables: list[str], wanted: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    led: list[str | None] = []
    page = SimpleNamespace(opened=lambda address, given: led.append(given.web_table))
    monkeypatch.setattr(serving, "gateway", lambda: page)
    opened = serving.beside(Namespace(web=True))
    assert opened is not None
    opened(Address("127.0.0.1", 1), tables)
    assert [wanted] == led


def test_a_page_for_this_machine_alone_needs_no_code_to_scan() -> None:
    assert ["http://127.0.0.1:8737/m/KAFU"] == invitation(["http://127.0.0.1:8737/m/KAFU"], lan=False).splitlines()[1:]


def test_a_certificate_that_cannot_be_read_is_one_sentence(tmp_path: Path) -> None:
    with running(tmp_path, *HOST, "--web", "--web-tls", "no.pem", "no.key") as host:
        said(host, r"^carteado host: the page cannot be served by https with no\.pem and no\.key: No such file")
        assert 1 == host.wait(20)
