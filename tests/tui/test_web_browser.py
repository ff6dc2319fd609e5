"""`mh tui --web` in a real browser."""

from pathlib import Path

import pytest
from chromium import PROGRAM, chromium
from serving import is_there, serving, wait_for

from memhub import Memory

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        PROGRAM is None, reason="NO BROWSER: `mh tui --web` is not tested in one (apt-get install chromium)"
    ),
]


async def test_the_link_opens_the_app_once_and_typing_filters_the_list(memory: Memory, tmp_path: Path) -> None:
    with serving(memory.path) as served:
        here = f"http://{served.address}/"
        async with chromium(tmp_path / "one") as browser, chromium(tmp_path / "other") as other:
            stranger = await other.page()
            await stranger.go(here)
            await stranger.read("This link was used already, or never held.")

            page = await browser.page()
            await page.go(served.link)
            await page.see("The ferry to Naxos", "数据库每天凌晨三点备份到 NAS", "Anna prefers")
            assert await page.value("location.href") == here
            await page.type("ferry")
            lines = await page.see("The ferry to Naxos", gone="Anna prefers")
            assert not any("备份" in line for line in lines)
            assert {url.split("/")[2] for url in page.requests if not url.startswith("data:")} == {served.address}
            assert page.complaints == []
            assert await page.value("document.cookie") == ""

            await stranger.go(served.link)
            await stranger.read("This link was used already")
            assert await stranger.lines() == []

            (app,) = served.apps
            await page.go("about:blank")
            wait_for(lambda: not is_there(app))


async def test_what_ended_can_be_started_again(memory: Memory, tmp_path: Path) -> None:
    with serving(memory.path, "sauce") as served:
        async with chromium(tmp_path / "one") as browser:
            page = await browser.page()
            await page.go(served.link)
            await page.see("tomatoes", gone="Anna prefers")
            await page.press_control("q")
            await page.read("mh has ended here.")
            await page.call("Runtime.evaluate", expression="document.querySelector('#ended a').click()")
            await page.see("tomatoes")
