"""Well-formed messages of every kind, in any order, from anybody who should not send them: nothing fails and nobody is harmed."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from carteado.net import protocol
from carteado.net.errors import BadFrame

from ..rooms import OPEN, run
from ..test_codec import strategy
from .siege import besieged

FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "m": st.sampled_from(["t-1", "t-2", "t-3"]),
    "match": st.integers(0, 2),
    "prompt": st.integers(0, 6),
    "game": st.sampled_from(["high-card", "nothing"]),
    "level": st.sampled_from(["random", "rule", "genius"]),
    "text": st.sampled_from(["hello", "  olá  "]),  # a line of nothing but signs that cannot be seen is malformed
    "d": st.sampled_from([{"type": "lay", "card": ["R~001~"]}, {"type": "bid", "n": 1}, {"type": "lay"}, {"type": "win", "n": [[1]]}]),
}
"""Values with which a message reaches farther than with any others."""
KINDS = [kind for kind in protocol.PEER_KINDS if kind not in (protocol.Bye, protocol.Hello)]


@st.composite
def message(draw: st.DrawFn) -> protocol.PeerKind:
    """Return one message."""
    kind = draw(st.sampled_from(KINDS))
    made = draw(strategy(kind))
    names = [field.name for field in msgspec.structs.fields(kind) if field.name in FIELDS]
    return msgspec.structs.replace(made, **{name: draw(FIELDS[name]) for name in names})


def fuzz(who: str, examples: int) -> None:
    """Send so many handfuls of messages as somebody who has nothing to do with the honest table."""

    @settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck), phases=(Phase.explicit, Phase.generate))
    @given(st.lists(message(), min_size=10, max_size=40))
    def check(messages: list[protocol.PeerKind]) -> None:
        async def test() -> None:
            async with besieged(OPEN) as siege:
                mallory = await getattr(siege, who)()
                for one in messages:
                    if isinstance(one, protocol.Command):
                        one = msgspec.structs.replace(one, e=siege.host.epoch)
                    try:
                        await mallory.say(one)
                    except BadFrame:
                        continue
                await mallory.echo()
                assert 0 == siege.refused("malformed")

        run(test())

    check()


@pytest.mark.slow
@pytest.mark.parametrize("who", ["guest", "watcher", "neighbour"])
def test_messages_of_every_kind_in_any_order_harm_nobody(who: str) -> None:
    fuzz(who, 6)


@pytest.mark.long
@pytest.mark.parametrize("who", ["guest", "watcher", "neighbour"])
def test_hundreds_of_handfuls_of_messages_harm_nobody(who: str) -> None:
    fuzz(who, 200)
