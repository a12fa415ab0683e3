"""The service, started by a real systemd with everything that its unit takes away from it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from .box import HOME, ROOT, Box, booted

SETTINGS = (ROOT / "packaging" / "host.toml").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Box]:
    """Give a machine with the sample settings."""
    with booted(tmp_path_factory.mktemp("box"), SETTINGS) as one:
        yield one


@pytest.fixture
def service(box: Box) -> Iterator[Box]:
    """Give a machine on which the service has begun; in the end it is stopped."""
    box.run("systemctl", "start", "carteado")
    yield box
    box.run("systemctl", "stop", "carteado")
    box.run("systemctl", "reset-failed", "carteado", check=False)


def soon(wanted: Callable[[], Any], told: Callable[[], str], seconds: float = 45.0) -> Any:
    """Return what is wanted once it is there."""
    until = time.monotonic() + seconds
    while not (found := wanted()):
        assert time.monotonic() < until, told()
        time.sleep(0.1)
    return found


def table(box: Box, id: str) -> dict[str, Any]:
    """Return what the operator is told of a table."""
    told: dict[str, Any] = json.loads(box.carteado("admin", "--json", "state", id))
    return told


def seated(box: Box, id: str, *names: str) -> None:
    """Let computer players of other homes sit down, and wait until the match goes on."""
    address = box.carteado("admin", "invite").split("'")[1]
    for name in names:
        box.beside("bot", address, "--name", name, "--table", id, "--level", "rule", "--accept-new-key", home=f"/tmp/{name}")
    soon(lambda: table(box, id)["version"] > 2, box.log)


@pytest.mark.slow
def test_the_service_starts_under_systemd_as_nobody_in_particular_and_says_when_it_is_ready(service: Box) -> None:
    assert ("active", "running", "success") == tuple(service.shown(name) for name in ("ActiveState", "SubState", "Result"))
    pid = service.shown("MainPID")
    status = service.run("cat", f"/proc/{pid}/status")
    facts = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    assert "0" not in facts["Uid"].split()
    assert ("1", "2", "0" * 16) == (facts["NoNewPrivs"], facts["Seccomp"], facts["CapBnd"])
    assert "drwx------" == service.run("stat", "--format", "%A", f"{HOME}/").strip()
    health = json.loads(service.carteado("health", "--json"))
    assert (True, 3) == (health["ok"], health["tables"])
    assert {"dez", "skat", "cascata"} == {row["table"] for row in json.loads(service.carteado("admin", "--json", "tables"))}


@pytest.mark.slow
def test_the_service_is_not_much_exposed(service: Box) -> None:
    service.run("systemd-analyze", "security", "--threshold=20", "--no-pager", "carteado")  # 2.0 of 10


@pytest.mark.slow
def test_a_service_that_is_killed_is_started_again_with_its_match_and_its_players_come_back(service: Box) -> None:
    seated(service, "dez", "Ana", "Rui", "Eva", "Tom")
    before = table(service, "dez")
    service.run("systemctl", "kill", "--signal", "KILL", "carteado")
    soon(lambda: service.shown("NRestarts") == "1" and service.shown("SubState") == "running", service.log)
    after = soon(lambda: (now := table(service, "dez"))["version"] > before["version"] and now, service.log)
    assert ("playing", before["match"]) == (after["stage"], after["match"])
    service.run("systemctl", "stop", "carteado")
    assert ("success", "0") == (service.shown("Result"), service.shown("ExecMainStatus"))
    service.run("systemctl", "start", "carteado")
    assert after["version"] <= table(service, "dez")["version"]


@pytest.mark.slow
def test_a_service_that_asks_for_it_is_started_again_and_one_whose_settings_are_wrong_is_not(service: Box) -> None:
    assert "0" == service.shown("StartLimitIntervalUSec")  # it is never left alone
    service.carteado("admin", "restart")
    soon(lambda: service.shown("NRestarts") == "1" and service.shown("SubState") == "running", service.log)
    service.run("sh", "-c", "cp -p /etc/carteado/host.toml /etc/carteado/right; echo 'prot = 1' >> /etc/carteado/host.toml")
    try:
        service.run("systemctl", "restart", "carteado", check=False)
        soon(lambda: service.shown("ActiveState") == "failed", service.log)
        assert ("2", "0") == (service.shown("ExecMainStatus"), service.shown("NRestarts"))
        assert "prot: a table has no such setting" in service.log()
    finally:
        service.run("mv", "/etc/carteado/right", "/etc/carteado/host.toml")


@pytest.mark.slow
def test_a_service_that_hangs_is_ended_by_the_watchdog_and_started_again(service: Box) -> None:
    drop = "/run/systemd/system/carteado.service.d"
    service.run("sh", "-c", f"mkdir -p {drop}; printf '[Service]\\nWatchdogSec=3\\n' > {drop}/soon.conf; systemctl daemon-reload")
    service.run("systemctl", "restart", "carteado")
    service.run("kill", "-STOP", service.shown("MainPID"))
    soon(lambda: service.shown("NRestarts") == "1" and service.shown("SubState") == "running", service.log)
    service.run("sh", "-c", f"rm -r {drop}; systemctl daemon-reload")


@pytest.mark.slow
def test_compiled_players_think_in_the_service_and_their_machine_code_is_kept(box: Box) -> None:
    pytest.importorskip("numba")
    box.run("systemctl", "stop", "carteado")
    box.run("sed", "--in-place", 's/^players = 3/&\\nbots = 2\\nlevel = "strong"/', "/etc/carteado/host.toml")
    box.run("systemctl", "start", "carteado")
    seated(box, "skat", "Ana")
    soon(lambda: "search" in box.run("find", "/var/cache/carteado/", "-name", "*.nbc"), box.log, 150)
    now = table(box, "skat")["version"]
    soon(lambda: table(box, "skat")["version"] > now, box.log)
    assert "Traceback" not in box.log()


@pytest.mark.slow
def test_the_service_is_found_on_its_network(box: Box) -> None:
    box.run("systemctl", "stop", "carteado")
    box.run("sh", "-ec", "ip link add v0 type veth peer name v1; ip address add 10.9.0.1/24 dev v0; ip link set v0 up; ip link set v1 up")
    box.run("systemctl", "start", "carteado")
    soon(lambda: "10.9.0.1:7777" in box.carteado("find", home="/tmp/new"), box.log)
