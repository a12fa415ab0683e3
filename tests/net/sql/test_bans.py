"""An operator bans and lifts bans at a real host, which is killed in between: what was answered holds."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from carteado.net.errors import HostUnreachable
from carteado.net.keys import Address, KeyPair

from ..rooms import run, visiting
from ..test_commands import HERE, Program, carteado  # noqa: F401 - a fixture

pytestmark = pytest.mark.slow


def test_a_ban_and_its_end_hold_although_the_host_is_killed_as_soon_as_it_has_answered(
    carteado: Callable[..., Program],  # noqa: F811
    url: str,
) -> None:
    ana, rui = KeyPair.make(), KeyPair.make()
    running: list[Program] = []

    def start() -> Address:
        running.append(carteado("host", "toy", *HERE, "--headless", "--store", url))
        return Address.parse(running[-1].line())

    def killed() -> Address:
        running[-1].process.kill()
        running[-1].ended()
        return start()

    def ordered(*words: str) -> str:
        status, out, err = carteado("admin", "--json", *words).ended()
        assert 0 == status, err
        return out

    async def comes_in(address: Address, name: str, keys: KeyPair) -> None:
        async with visiting(address, name, keys) as peer:
            await peer.join("t-1")

    address = start()
    run(comes_in(address, "Ana", ana))
    ordered("ban", "Ana", "60", "too", "loud")
    address = killed()
    (ban,) = json.loads(ordered("bans"))
    assert ("Ana", ana.public.hex(), "too loud", "operator", True) == tuple(ban[name] for name in ("name", "who", "why", "by", "kept"))
    assert 3000 < ban["seconds"] <= 3600
    with pytest.raises(HostUnreachable, match="does not let this player connect"):
        run(comes_in(address, "Ana", ana))
    run(comes_in(address, "Rui", rui))
    assert "Ana may come in again." in ordered("unban", "Ana")
    address = killed()
    assert [] == json.loads(ordered("bans"))
    run(comes_in(address, "Ana", ana))
