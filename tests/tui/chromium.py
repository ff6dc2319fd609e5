"""Chromium without a window, driven over its DevTools protocol."""

import asyncio
import json
import shutil
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

import aiohttp

ANSWER = 10.0  # seconds; what is asked of a page that is just being left may never be answered
PROGRAM = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None
)

# What xterm.js shows: its object is in no variable that a page can reach, but the debugger finds it.
_LINES = """function() {
    const terminal = this.find(one => {
        try { return typeof one.loadAddon === "function" && one.buffer.active.length > 0; } catch { return false; }
    });
    if (!terminal) return null;
    const buffer = terminal.buffer.active, lines = [];
    for (let y = 0; y < terminal.rows; y++) lines.push(buffer.getLine(y).translateToString(true));
    return lines;
}"""


class DevToolsError(Exception):
    """What the browser says that it cannot do."""


class Page:
    """A tab."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._numbers = count(1)
        self.requests: list[str] = []
        self.complaints: list[str] = []

    async def call(self, method: str, **params: Any) -> Any:
        """A method of the protocol; events that come meanwhile are kept."""
        number = next(self._numbers)
        await self._socket.send_json({"id": number, "method": method, "params": params})
        try:
            async with asyncio.timeout(ANSWER):
                while (said := json.loads(await self._socket.receive_str())).get("id") != number:
                    self._keep(said)
        except TimeoutError:
            raise DevToolsError(f"{method} was not answered") from None
        if "error" in said:
            raise DevToolsError(said["error"]["message"])
        return said["result"]

    def _keep(self, event: dict[str, Any]) -> None:
        params = event.get("params", {})
        if event.get("method") == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif event.get("method") == "Log.entryAdded":
            self.complaints.append(params["entry"]["text"])

    async def go(self, url: str) -> None:
        """Open an address."""
        await self.call("Page.navigate", url=url)

    async def type(self, text: str) -> None:
        """Press a key for each letter."""
        for letter in text:
            await self.call("Input.dispatchKeyEvent", type="keyDown", text=letter, key=letter)
            await self.call("Input.dispatchKeyEvent", type="keyUp", key=letter)

    async def press_control(self, letter: str) -> None:
        """Press a letter with Ctrl."""
        await self.call(
            "Input.dispatchKeyEvent", type="rawKeyDown", key=letter, modifiers=2,
            windowsVirtualKeyCode=ord(letter.upper()),
        )  # fmt: skip

    async def value(self, expression: str) -> Any:
        """What an expression is in the page."""
        said = await self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        return said["result"].get("value")

    async def lines(self) -> list[str]:
        """The lines of the terminal in the page; none before there is one."""
        base = await self.call("Runtime.evaluate", expression="Object.prototype", objectGroup="lines")
        found = await self.call(
            "Runtime.queryObjects", prototypeObjectId=base["result"]["objectId"], objectGroup="lines"
        )
        said = await self.call(
            "Runtime.callFunctionOn", functionDeclaration=_LINES, objectId=found["objects"]["objectId"],
            returnByValue=True,
        )  # fmt: skip
        await self.call("Runtime.releaseObjectGroup", objectGroup="lines")
        return said["result"].get("value") or []

    async def see(self, *words: str, gone: str = "", seconds: float = 60) -> list[str]:
        """Wait until the terminal shows all words and no longer `gone`; its lines."""
        shown = ""
        try:
            async with asyncio.timeout(seconds):
                while True:
                    lines = []
                    with suppress(DevToolsError):  # the page is just being left for another
                        lines = await self.lines()
                    shown = "\n".join(lines)
                    if all(word in shown for word in words) and not (gone and gone in shown):
                        return lines
                    await asyncio.sleep(0.05)
        except TimeoutError:
            raise AssertionError(f"{words} not in the page, but:\n{shown}") from None

    async def read(self, words: str) -> None:
        """Wait until the page itself says something."""
        async with asyncio.timeout(60):
            while words not in (await self.value("document.body ? document.body.innerText : ''") or ""):
                await asyncio.sleep(0.05)

    async def picture(self) -> str:
        """The page as PNG in Base64."""
        said: str = (await self.call("Page.captureScreenshot"))["data"]
        return said


class Chromium:
    """A browser with a profile of its own."""

    def __init__(self, session: aiohttp.ClientSession, port: int) -> None:
        self._session = session
        self._port = port

    async def page(self) -> Page:
        """A new tab."""
        async with self._session.put(f"http://127.0.0.1:{self._port}/json/new?about:blank") as answer:
            target = await answer.json()
        page = Page(await self._session.ws_connect(target["webSocketDebuggerUrl"], max_msg_size=0))
        for domain in ("Page", "Runtime", "Network", "Log"):
            await page.call(f"{domain}.enable")
        return page


@asynccontextmanager
async def chromium(profile: Path, size: tuple[int, int] = (1000, 600)) -> AsyncIterator[Chromium]:
    """A browser, ended at the end."""
    assert PROGRAM is not None
    options = (
        "--headless=new", "--no-sandbox", "--no-first-run", "--disable-background-networking",
        "--enable-unsafe-swiftshader", "--remote-debugging-port=0", f"--user-data-dir={profile}",
        f"--window-size={size[0]},{size[1]}",
    )  # fmt: skip
    process = subprocess.Popen([PROGRAM, *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        port_file = profile / "DevToolsActivePort"
        async with asyncio.timeout(60):
            while not port_file.exists() or "\n" not in port_file.read_text():
                assert process.poll() is None, f"{PROGRAM} ended with {process.returncode}"
                await asyncio.sleep(0.05)
        async with aiohttp.ClientSession() as session:
            yield Chromium(session, int(port_file.read_text().split()[0]))
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
