"""`mh tui --web`: who is let in, who is not, and that nothing is left behind."""

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import aiohttp
import pytest
from serving import Served, is_there, serving, wait_for

from memhub import Memory
from memhub_tui import web

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks at /proc")


@pytest.fixture
def served(memory: Memory) -> Iterator[Served]:
    """A server on the file of `memory`."""
    with serving(memory.path) as running:
        yield running


async def status(session: aiohttp.ClientSession, url: str, **headers: str) -> int:
    """What a request is answered with."""
    async with session.get(url, headers=headers) as answer:
        return answer.status


def opened() -> aiohttp.ClientSession:
    """A browser without cookies yet; one of 127.0.0.1 is kept."""
    return aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True))


async def tab_of(browser: aiohttp.ClientSession, served: Served) -> aiohttp.ClientWebSocketResponse:
    """Follow the link, and wait for the list in the tab."""
    await status(browser, served.link)
    here = served.address
    tab = await browser.ws_connect(f"http://{here}/ws?width=80&height=24", origin=f"http://{here}")
    await tab.send_json(["focus"])
    await see(tab, "The ferry to Naxos")
    return tab


async def see(tab: aiohttp.ClientWebSocketResponse, words: str) -> None:
    """Wait until an app shows something in its tab."""
    seen = ""
    try:
        async with asyncio.timeout(30):
            while words not in re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", seen):
                message = await tab.receive()
                assert message.type in (aiohttp.WSMsgType.BINARY, aiohttp.WSMsgType.TEXT), f"{message}: {seen[-500:]}"
                seen += message.data.decode() if isinstance(message.data, bytes) else ""
    except TimeoutError:
        pytest.fail(f"{words!r} was not shown, but {seen[-2000:]!r}")


async def test_the_link_works_once_and_then_the_cookie_does(served: Served) -> None:
    here = f"http://{served.address}/"
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\?token=[\w-]{43}", served.link)
    async with opened() as browser, opened() as other:
        assert await status(browser, here) == 403
        assert await status(browser, here + "?token=wrong") == 403
        async with browser.get(served.link, allow_redirects=False) as answer:
            assert (answer.status, answer.headers["Location"]) == (303, "/")
            assert re.search("; HttpOnly; Path=/; SameSite=Strict$", answer.headers["Set-Cookie"])
        assert await status(browser, here) == 200
        assert await status(browser, here + "static/js/textual.js") == 200
        for path in ("", "static/js/textual.js", "page/page.css", "download/x", "ws", "nowhere"):
            assert await status(other, here + path) == 403, path
        assert await status(other, served.link) == 403


async def test_pages_of_other_sites_are_not_let_in_with_the_cookie(served: Served) -> None:
    here = f"http://{served.address}/"
    async with opened() as browser:
        assert await status(browser, served.link, Host="evil.example") == 403  # and the token is not used up
        assert await status(browser, served.link) == 200
        assert await status(browser, here, Host="evil.example") == 403
        assert await status(browser, here, Host=served.address.replace("127.0.0.1", "localhost")) == 403
        assert await status(browser, here, Origin="http://evil.example") == 403
        for origin in (None, "null", "http://evil.example", "http://127.0.0.1:1"):
            with pytest.raises(aiohttp.WSServerHandshakeError, match="403"):
                await browser.ws_connect(here + "ws", origin=origin)


async def test_no_tab_without_the_cookie(served: Served) -> None:
    async with opened() as browser:
        with pytest.raises(aiohttp.WSServerHandshakeError, match="403"):
            await browser.ws_connect(f"http://{served.address}/ws", origin=f"http://{served.address}")
    assert served.apps == []


async def test_a_tab_is_the_app_and_ctrl_c_ends_both(served: Served) -> None:
    async with opened() as browser:
        tab = await tab_of(browser, served)
        (app,) = served.apps
        await tab.send_json(["stdin", "sauce"])
        await see(tab, "tomatoes")
        assert await asyncio.to_thread(served.stop) == 0
        assert not is_there(app)
        assert (await tab.receive(10)).type != aiohttp.WSMsgType.ERROR
    assert served.process.stderr is not None
    assert served.process.stderr.read() == "mh: the link works once; Ctrl-C ends mh\n"


async def test_an_app_ends_with_its_tab_and_keeps_what_was_typed(served: Served) -> None:
    async with opened() as browser:
        tab = await tab_of(browser, served)
        (app,) = served.apps
        await tab.send_json(["stdin", "\x1b"])
        await asyncio.sleep(1)  # an Escape is known by what does not follow it
        await tab.send_json(["stdin", "n"])
        await see(tab, "title (may be left out)")
        await tab.send_json(["stdin", "half a thought"])
        await see(tab, "half a thought")
        await tab.close()
    await asyncio.to_thread(wait_for, lambda: not is_there(app))
    drafts = [json.loads(file.read_text("utf-8")) for file in _drafts().rglob("*.json")]
    assert "half a thought" in str(drafts)


def _drafts() -> Any:
    from memhub.paths import drafts_folder

    return drafts_folder()


async def test_an_app_ends_when_the_server_is_killed(served: Served) -> None:
    async with opened() as browser:
        tab = await tab_of(browser, served)
        (app,) = served.apps
        assert not tab.closed
        os.kill(served.process.pid, signal.SIGKILL)
        await asyncio.to_thread(wait_for, lambda: not is_there(app))


STUBBORN = """
from textual.app import App
class Stubborn(App):
    def action_quit(self): print("nobody answers", file=__import__("sys").__stderr__)
Stubborn().run()
"""


def test_an_app_that_asks_whether_to_leave_leaves() -> None:
    app = subprocess.Popen(
        [sys.executable, "-c", STUBBORN], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**os.environ, "TEXTUAL_DRIVER": "memhub_tui.web_driver:TabDriver"},
    )  # fmt: skip
    assert app.stdout is not None
    assert app.stdout.readline() == b"__GANGLION__\n"
    _, said = app.communicate(timeout=30)  # which closes its standard input
    assert (app.returncode, said) == (0, b"nobody answers\n")


async def test_only_pages_of_the_web_are_opened() -> None:
    said: list[str] = []

    async def write(text: str) -> None:
        said.append(text)

    service = web.Service("", write_bytes=None, write_str=write, close=None, download_manager=None)  # type: ignore[arg-type]
    for url in ("javascript:alert(1)", "file:///etc/passwd", "https://example.org/"):
        await service.on_meta(json.dumps({"type": "open_url", "url": url, "new_tab": False}).encode())
    assert [json.loads(one) for one in said] == [["open_url", {"url": "https://example.org/", "new_tab": True}]]


def test_the_page_asks_no_other_machine() -> None:
    for file in web.PAGE.iterdir():
        assert not re.search(r"https?:|[\"'(]//", file.read_text("utf-8")), file


def test_what_is_wrong_is_said_before_anything_is_served(mh: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as busy:
        port = busy.getsockname()[1]
        said = mh("tui", "--web", "--no-open", "--port", str(port))
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith(f"mh: error: cannot listen on port {port}: ")
    assert mh("tui", "--no-open").code == 2
    monkeypatch.setattr("memhub.cli.tui.find_spec", lambda name: None)
    assert mh("tui", "--web").err.endswith("hint: pip install 'memhub[web]'\n")
