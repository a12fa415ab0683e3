"""Who is let in to the page, what is served, and with which headers; no host is needed for that."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from carteado.net.keys import Address, KeyPair
from carteado.ui.web.door import Bucket, Crowd, Names, host_name, same_origin
from carteado.ui.web.gateway import Gateway
from carteado.ui.web.settings import Settings

HERE = "127.0.0.1:8737"


@pytest.fixture
def gateway(tmp_path: Path) -> Gateway:
    """Return a gateway to a host that is not there."""
    return Gateway(Address("127.0.0.1", 9, KeyPair.make().public), Settings(folder=tmp_path, names=("mesa.example",), sockets=2))


@pytest.fixture
def client(gateway: Gateway) -> Iterator[TestClient]:
    """Return a browser that asks for the page as people type it."""
    with TestClient(gateway.app, base_url=f"http://{HERE}") as client:
        yield client


def linked(page: str) -> list[str]:
    """Return what the page loads."""
    return re.findall(r'(?:src|href)="([^"]+)"', page)


@pytest.mark.parametrize("path", ["/", "/m/KAFU", "/M/KAFU", "/tv", "/TV/KAFU"])
def test_the_page_is_served_under_every_way_to_it_and_is_asked_for_anew_each_time(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert (200, "no-cache") == (answer.status_code, answer.headers["cache-control"])
    assert answer.headers["content-type"].startswith("text/html")


def test_everything_the_page_loads_comes_from_here_and_is_kept_for_good(client: TestClient) -> None:
    for path in linked(client.get("/").text):
        assert path.startswith("/p/")
        answer = client.get(path)
        assert (200, "public, max-age=31536000, immutable") == (answer.status_code, answer.headers["cache-control"])


def test_a_file_of_an_older_page_is_not_served_as_if_it_were_this_ones(client: TestClient) -> None:
    assert 404 == client.get("/p/0123456789abcdef/app.js").status_code


@pytest.mark.parametrize("path", ["/", "/p/x/app.js", "/w/0", "/no/such/thing"])
def test_every_answer_says_what_the_page_may_load_and_who_may_show_it(client: TestClient, path: str) -> None:
    policy = client.get(path).headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert "nosniff" == client.get(path).headers["x-content-type-options"]


@pytest.mark.parametrize(
    "path", ["/p/{version}/..%2f..%2fgateway.py", "/p/{version}/%2e%2e", "/p/{version}/words.xx.json", "/w/..", "/code/T!.svg"]
)
def test_nothing_but_the_page_can_be_fetched(client: TestClient, gateway: Gateway, path: str) -> None:
    answer = client.get(path.format(version=gateway.assets.version))
    assert 404 == answer.status_code or answer.content == gateway.assets.page.body


def test_nothing_can_be_posted(client: TestClient) -> None:
    assert 405 == client.post("/", content=b"x").status_code


def test_the_code_for_a_television_is_a_picture(client: TestClient) -> None:
    answer = client.get("/code/t-1.svg")
    assert ("image/svg+xml", 200) == (answer.headers["content-type"], answer.status_code)


def test_browsers_that_can_unpack_are_sent_packed_files(client: TestClient, gateway: Gateway) -> None:
    path = f"/p/{gateway.assets.version}/words.de.json"
    packed, plain = client.get(path), client.get(path, headers={"accept-encoding": "identity"})
    assert "gzip" == packed.headers["content-encoding"]
    assert "content-encoding" not in plain.headers
    assert packed.json() == plain.json()


@pytest.mark.parametrize("host", ["127.0.0.1:8737", "localhost", "[::1]:8737", "192.168.1.23:8737", "mesa.example", "MESA.example:80"])
def test_the_page_is_served_under_addresses_and_known_names(client: TestClient, host: str) -> None:
    assert 200 == client.get("/", headers={"host": host}).status_code


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "127.0.0.1.evil.example",
        "127.0.0.1:80; script-src *",
        "user@127.0.0.1",
        "",
        "127.0.0.1:x",
        "a b",
        "[::1",
        "127.0.0.1/",
    ],
)
def test_a_strangers_name_that_points_here_gets_nothing(client: TestClient, host: str) -> None:
    assert 421 == client.get("/", headers={"host": host}).status_code
    with pytest.raises(WebSocketDisconnect), client.websocket_connect("/ws", headers={"host": host, "origin": f"http://{host}"}):
        pass


@pytest.mark.parametrize(
    "origin", ["http://evil.example", f"http://{HERE}.evil.example", "null", "", f"ftp://{HERE}", "http://127.0.0.1:9999", HERE]
)
def test_another_page_in_the_players_browser_cannot_open_the_socket(client: TestClient, origin: str) -> None:
    with pytest.raises(WebSocketDisconnect) as refused, client.websocket_connect("/ws", headers={"host": HERE, "origin": origin}):
        pass
    assert 1008 == refused.value.code


def test_a_program_without_an_origin_cannot_open_the_socket() -> None:
    assert not same_origin({"host": HERE})
    assert same_origin({"host": HERE, "origin": f"http://{HERE}"})
    assert same_origin({"host": "Mesa:1", "origin": "https://mesa:1"})


def hello(**more: Any) -> str:
    """Return a first message."""
    return json.dumps({"t": "hello", "name": "Ana", "lang": "en", **more})


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        "\ud800",
        '{"t":"hello"}',
        '{"t":"ping","n":1}',
        hello(more=1),
        hello(name="x" * 25),
        hello(name=""),
        hello(lang=5),
        hello(token="short"),
        hello(token="!" * 43),
        hello(name=True),
        "[" * 5000,
        "{" + '"a":' * 2000,
        "x" * 9000,
        '{"t":"hello","t":"hello"}',
    ],
)
def test_whoever_does_not_begin_with_a_hello_is_closed_out_and_told_nothing(client: TestClient, text: str) -> None:
    with client.websocket_connect("/ws", headers={"host": HERE, "origin": f"http://{HERE}"}) as socket:
        socket.send_text(text.encode("utf-8", "replace").decode())
        assert {"type": "websocket.close", "code": 1008, "reason": ""} == socket.receive()


def test_bytes_are_not_read(client: TestClient) -> None:
    with client.websocket_connect("/ws", headers={"host": HERE, "origin": f"http://{HERE}"}) as socket:
        socket.send_bytes(hello().encode())
        assert 1008 == socket.receive()["code"]


@pytest.mark.parametrize("name", ["\x1b[2J", "a\nb", "\u202eabc", "host", "   ", "\u200b", "\ufeffAna", "<\x00>"])
def test_a_name_that_would_harm_those_who_read_it_is_refused(client: TestClient, name: str) -> None:
    with client.websocket_connect("/ws", headers={"host": HERE, "origin": f"http://{HERE}"}) as socket:
        socket.send_text(hello(name=name))
        assert "name" == json.loads(socket.receive_text())["code"]


def test_one_address_has_a_bounded_number_of_sockets(client: TestClient) -> None:
    headers = {"host": HERE, "origin": f"http://{HERE}"}
    with client.websocket_connect("/ws", headers=headers), client.websocket_connect("/ws", headers=headers):
        third = client.websocket_connect("/ws", headers=headers)
        with pytest.raises(WebSocketDisconnect):
            third.__enter__()
    with client.websocket_connect("/ws", headers=headers):
        pass


def test_names_are_read_whole_or_not_at_all() -> None:
    assert ("::1", "localhost", None, None) == (host_name("[::1]:80"), host_name("LOCALHOST"), host_name("a/b"), host_name(None))
    assert not Names().allows("example.com")


def test_a_bucket_fills_up_again_as_time_passes() -> None:
    now = [0.0]
    bucket = Bucket(lambda: now[0], burst=3, rate=2.0)
    assert [True, True, True, False] == [bucket.take() for _ in range(4)]
    now[0] = 1.0
    assert [True, True, False] == [bucket.take() for _ in range(3)]


def test_a_crowd_counts_each_address_by_itself() -> None:
    crowd = Crowd(1)
    assert [True, False, True] == [crowd.enter(address) for address in ("a", "a", "b")]
    crowd.leave("a")
    assert crowd.enter("a")
