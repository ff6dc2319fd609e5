"""Stored text is data: whatever is in it, the screen shows it and nothing else happens."""

from typing import Any

import pytest
from piloting import Run, until
from rich.cells import cell_len

from memhub import Memory

ODD = {
    "markup": "[bold red]not bold[/] [@click=app.quit]click[/] [/] [link=https://example.org]x[/link]",
    "escape": "before \x1b[2J\x1b]0;title\x07\x1b[31mred\x1b[0m after",
    "bidi": "left \u202eright to left\u202c שלום עולם مرحبا",
    "wide": "宽字符在这里，字母 mixed 一起 👩‍🚀 e\u0301 🏳️‍🌈 end",
    "tabs": "a\tb\tc\r\nsecond",
    "html": "<script>alert(1)</script> <b>bold</b> &amp;",
    "long line": "x" * 5000,
    "deep list": "\n".join(f"{'  ' * n}- {n}" for n in range(60)),
    "quotes": ">" * 100 + " deep",
    "broken markdown": "```python\nno end\n| a | b\n|--\n[x](",
    "nothing but space": "\u2003\u200b.",
}


def screen_text(app: Any) -> list[str]:
    """The lines that the terminal would show."""
    width, height = app.size
    lines = app.screen._compositor.render_strips(app.size)
    assert len(lines) == height
    for line in lines:
        assert cell_len(line.text) == width
    return [line.text for line in lines]


@pytest.mark.parametrize("name", ODD)
async def test_odd_text_is_shown_and_does_nothing(run: Run, memory: Memory, name: str) -> None:
    memory.add(ODD[name], title=ODD[name][:40])
    async with run(size=(80, 24)) as pilot:
        await pilot.press("escape")
        preview: Any = pilot.app.screen.query_one("#preview #title")
        await until(pilot, lambda: str(preview.render()) != "")
        shown = "\n".join(screen_text(pilot.app))
        assert not any(ord(letter) < 32 or 0x7F <= ord(letter) < 0xA0 for letter in shown if letter != "\n")
        assert "\u202e" not in shown
        await pilot.click("#preview", offset=(3, 1))
        await pilot.press("down", "up")
        assert pilot.app.is_running
    if name == "markup":
        assert "[bold red]not bold" in shown


async def test_of_a_text_of_a_million_characters_a_pane_shows_the_beginning(run: Run, memory: Memory) -> None:
    memory.add("\n\n".join(f"Paragraph {n} of a very long text, 第 {n} 段。" for n in range(30_000)), title="long")
    async with run() as pilot:
        text: Any = pilot.app.screen.query_one("#preview #text")
        await until(pilot, lambda: "more characters" in text.source)
        await pilot.press("escape", "down", "up")
        await until(pilot, lambda: "more characters" in text.source)
        assert len(text.source) < 25_000
