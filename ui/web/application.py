"""The page and its socket as an ASGI application: what is served, to whom, and with which headers."""

from __future__ import annotations

import contextlib
import re
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from .assets import Asset
from .door import same_origin
from .qr import picture

if TYPE_CHECKING:
    from .gateway import Gateway

TABLE = re.compile("[a-z0-9-]{1,24}")
ALWAYS = "public, max-age=31536000, immutable"
"""For what is named by its content."""
_SAFE = {"x-content-type-options": "nosniff"}
_DOCUMENTS = ("text/html", "text/plain", "image/svg")
_DOCUMENT = {
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


def application(gateway: Gateway) -> ASGIApp:
    """Return the application of a gateway."""

    async def page(request: Request) -> Response:
        return _answer(request, gateway.assets.page, "no-cache")

    async def asset(request: Request) -> Response:
        found = gateway.assets.files.get(request.path_params["name"])
        if found is None or request.path_params["version"] != gateway.assets.version:
            return PlainTextResponse("not found", 404)
        return _answer(request, found, ALWAYS)

    async def words(request: Request) -> Response:
        found = gateway.words.get(request.path_params["name"])
        return PlainTextResponse("not found", 404) if found is None else _answer(request, found, ALWAYS)

    async def code(request: Request) -> Response:
        """Serve the picture that a phone scans from a television."""
        table = request.path_params["table"]
        if not TABLE.fullmatch(table):
            return PlainTextResponse("not found", 404)
        return _answer(request, Asset.of("code.svg", picture(gateway.urls(table)[0])), "no-cache")

    async def socket(websocket: WebSocket) -> None:
        address = websocket.client.host if websocket.client else ""
        if not same_origin(websocket.headers) or not gateway.sockets.enter(address):
            await websocket.close(1008)
            return
        try:
            await gateway.visit(websocket)
        finally:
            gateway.sockets.leave(address)

    app = Starlette(
        routes=[
            Route("/", page),
            Route("/p/{version}/{name}", asset),
            Route("/w/{name}", words),
            Route("/code/{table}.svg", code),
            WebSocketRoute("/ws", socket),
            Route("/{word}", page),
            Route("/{word}/{code}", page),
        ]
    )
    return Door(app, gateway)


class Door:
    """Turn away who asks under a foreign name, and put the headers on every answer."""

    def __init__(self, app: ASGIApp, gateway: Gateway) -> None:
        self._app = app
        self._gateway = gateway

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request or socket."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        host = Headers(scope=scope).get("host")
        if not self._gateway.names.allows(host):
            await self._refuse(scope, receive, send)
            return

        async def headed(message: Message) -> None:
            if message["type"] == "http.response.start":
                kind = Headers(raw=message["headers"]).get("content-type", "")
                # What is no document needs no policy of its own, and the page is many small files.
                added = {**_SAFE, **_DOCUMENT, "content-security-policy": _policy(str(host))} if kind.startswith(_DOCUMENTS) else _SAFE
                message["headers"] = [*message["headers"], *((name.encode(), value.encode()) for name, value in added.items())]
            await send(message)

        await self._app(scope, receive, headed)

    async def _refuse(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            with contextlib.suppress(RuntimeError):
                await WebSocket(scope, receive, send).close(1008)
            return
        answer = PlainTextResponse("This page is not served under that name.", 421)
        await answer(scope, receive, send)


def _policy(host: str) -> str:
    """Return what the page may load: its own host's files and its own socket (older Safari does not count the socket as its own)."""
    return (
        f"default-src 'self'; connect-src 'self' ws://{host} wss://{host}; img-src 'self'; object-src 'none'; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'"
    )


def _answer(request: Request, asset: Asset, cache: str) -> Response:
    headers: dict[str, Any] = {"cache-control": cache, "vary": "accept-encoding"}
    if asset.packed and "gzip" in request.headers.get("accept-encoding", ""):
        return Response(asset.packed, media_type=asset.kind, headers={**headers, "content-encoding": "gzip"})
    return Response(asset.body, media_type=asset.kind, headers=headers)
