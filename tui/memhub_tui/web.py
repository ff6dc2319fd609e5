"""`mh tui --web`: the same app in a browser on this machine, by textual-serve behind a lock.

Whoever may talk to this server can read and change everything, so it listens on 127.0.0.1 alone, and answers no one
but the browser that opened the link: the token in the link is exchanged for a cookie once, and is worth nothing then.
Pages of other sites cannot use that cookie (SameSite, and Origin is looked at), nor come in under a name of theirs that
leads to this machine (Host is looked at).
"""

import asyncio
import contextlib
import json
import secrets
import shlex
import signal
import socket
import sys
import webbrowser
from collections.abc import Callable, Sequence
from hmac import compare_digest
from pathlib import Path
from urllib.parse import urlsplit
from weakref import WeakSet

from aiohttp import WSCloseCode, web
from aiohttp.typedefs import Handler
from textual_serve.app_service import AppService
from textual_serve.server import Server, to_int

from memhub.errors import UsageError

HOST = "127.0.0.1"
PATIENCE = 5.0  # seconds that an app has to end
PAGE = Path(__file__).parent / "page"
_HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; img-src 'self' data:; "
    "connect-src ws://{address}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


class Lock:
    """Lets in who has the token, once, and from then on who has the cookie."""

    def __init__(self, port: int) -> None:
        self.address = f"{HOST}:{port}"
        self._cookie = f"mh_{port}"  # browsers send the cookies of one port to all of them
        self._session = secrets.token_urlsafe(32)
        self._token: str | None = secrets.token_urlsafe(32)
        self.link = f"http://{self.address}/?token={self._token}"

    @web.middleware
    async def guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Refuse, exchange the token, or let the request through."""
        if not self._comes_from_here(request):
            raise web.HTTPForbidden(text="This comes from another site.\n")
        if self._has_cookie(request):
            return await handler(request)
        if not self._takes_token(request):
            raise web.HTTPForbidden(text="This link was used already, or never held. `mh tui --web` makes a new one.\n")
        answer = web.HTTPSeeOther("/")
        answer.set_cookie(self._cookie, self._session, httponly=True, samesite="Strict", path="/")
        raise answer

    def _comes_from_here(self, request: web.Request) -> bool:
        """Browsers always say where a websocket comes from; other requests to their own site need not."""
        origin = request.headers.get("Origin")
        is_page = origin is None and "Upgrade" not in request.headers
        return request.host == self.address and (is_page or origin == f"http://{self.address}")

    def _has_cookie(self, request: web.Request) -> bool:
        return _same(request.cookies.get(self._cookie), self._session)

    def _takes_token(self, request: web.Request) -> bool:
        fits = request.method == "GET" and request.path == "/" and _same(request.query.get("token"), self._token)
        if fits:
            self._token = None
        return fits


def _same(given: str | None, wanted: str | None) -> bool:
    return given is not None and wanted is not None and compare_digest(given.encode(), wanted.encode())


class Service(AppService):
    """One app in one tab, which ends for certain when the tab is closed, and opens no page but those of the web."""

    def _build_environment(self, width: int = 80, height: int = 24) -> dict[str, str]:
        return {**super()._build_environment(width, height), "TEXTUAL_DRIVER": "memhub_tui.web_driver:TabDriver"}

    async def on_data(self, payload: bytes) -> None:
        """What the app writes is read even when the tab is gone: an app that cannot write does not end."""
        with contextlib.suppress(ConnectionError):
            await super().on_data(payload)

    async def on_meta(self, data: bytes) -> None:
        """Anything but a link to a script or a file."""
        said = json.loads(data)
        if said.get("type") == "open_url":
            if urlsplit(str(said.get("url"))).scheme not in ("http", "https", "mailto"):
                return
            data = json.dumps({**said, "new_tab": True}).encode()
        await super().on_meta(data)

    async def stop(self) -> None:
        """Ask the app to end, and kill it when it does not."""
        process = self._process
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(super().stop(), PATIENCE)
        if process is not None and process.returncode is None:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), PATIENCE)
        if process is not None and process.returncode is None:
            process.kill()
            await process.wait()


class Website(Server):
    """The page, its files, the websocket that leads to an app, and what the app gives to be downloaded."""

    def __init__(self, command: Sequence[str], lock: Lock) -> None:
        super().__init__("exec " + shlex.join(command), title="mh")
        self._lock = lock
        self._open: WeakSet[web.WebSocketResponse] = WeakSet()

    def app(self) -> web.Application:
        """The aiohttp application."""
        app = web.Application(middlewares=[self._lock.guard])
        app.add_routes(
            [
                web.get("/", self.handle_index),
                web.get("/ws", self.handle_websocket),
                web.get("/download/{key}", self.handle_download),
                web.static("/static", self.statics_path),
                web.static("/page", PAGE),
            ]
        )
        app.on_response_prepare.append(self._add_headers)
        app.on_shutdown.append(self.on_shutdown)
        return app

    async def _add_headers(self, request: web.Request, response: web.StreamResponse) -> None:
        response.headers.update(_HEADERS)
        response.headers["Content-Security-Policy"] = _POLICY.format(address=self._lock.address)

    async def handle_index(self, request: web.Request) -> web.Response:
        """The page."""
        text = (PAGE / "index.html").read_text("utf-8")
        return web.Response(text=text.replace("{websocket}", f"ws://{self._lock.address}/ws"), content_type="text/html")

    async def handle_websocket(self, request: web.Request) -> web.WebSocketResponse:
        """An app of its own for each tab, as long as the tab is there."""
        socket = web.WebSocketResponse(heartbeat=15)
        await socket.prepare(request)
        self._open.add(socket)

        async def close() -> None:
            await socket.close()

        service = Service(
            self.command, write_bytes=socket.send_bytes, write_str=socket.send_str, close=close,
            download_manager=self.download_manager,
        )  # fmt: skip
        try:
            await service.start(to_int(request.query.get("width", ""), 80), to_int(request.query.get("height", ""), 24))
            await self._process_messages(socket, service)
        finally:
            await asyncio.shield(service.stop())
        return socket

    async def on_shutdown(self, app: web.Application) -> None:
        """Close the tabs' sockets, which ends their apps."""
        await asyncio.gather(*(one.close(code=WSCloseCode.GOING_AWAY) for one in self._open), return_exceptions=True)


def serve(command: Sequence[str], *, port: int, opens: bool, tell: Callable[[str], None]) -> None:
    """Serve the app that `command` starts until Ctrl-C; `port` 0 is a free one; `tell` is given the link."""
    try:
        listening = socket.create_server((HOST, port))
    except OSError as error:
        raise UsageError(f"cannot listen on port {port}: {error.strerror}", "`--port 0` takes a free one") from error
    with listening, contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(command, listening, opens, tell))


async def _serve(command: Sequence[str], listening: socket.socket, opens: bool, tell: Callable[[str], None]) -> None:
    stop = asyncio.Event()
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        with contextlib.suppress(NotImplementedError, AttributeError):
            asyncio.get_running_loop().add_signal_handler(getattr(signal, name), stop.set)
    lock = Lock(listening.getsockname()[1])
    runner = web.AppRunner(Website(command, lock).app(), access_log=None, shutdown_timeout=3 * PATIENCE)
    await runner.setup()
    try:
        await web.SockSite(runner, listening).start()
        tell(lock.link)
        if opens and _has_window():
            await asyncio.to_thread(webbrowser.open, lock.link)
        with contextlib.redirect_stdout(sys.stderr):  # where textual-serve prints what an app complains of
            await stop.wait()
    finally:
        with contextlib.redirect_stdout(sys.stderr):
            await runner.cleanup()


def _has_window() -> bool:
    """Whether there is a browser with a window of its own; one in the terminal would show no terminal."""
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return False
    return type(browser) is not webbrowser.GenericBrowser
