"""The screen of one item: what each part shows, where it leads, and what its actions leave in the file."""

from typing import Any

from piloting import Run, covers, entries, shown, until
from textual.pilot import Pilot

from memhub import Memory
from memhub.text.clean import display_width
from memhub_tui.screens.item import ItemScreen
from memhub_tui.widgets.long_text import LongText, wrap


def lines(app: Any) -> list[str]:
    """The words of its lines."""
    found = entries(app)
    return [found.at(n).words for n in range(found.total)] if found.display else []


async def opened(pilot: Pilot[None], words: str = "") -> None:
    """Open what the cursor is on."""
    await pilot.press("escape", "enter")
    await until(pilot, lambda: isinstance(pilot.app.screen, ItemScreen) and words in shown(pilot.app))


def item(app: Any) -> str:
    """The id of the item in front."""
    return str(app.screen.item_id) if isinstance(app.screen, ItemScreen) else ""


@covers("list.choose", "item.text", "item.versions", "item.restore", "item.leave")
async def test_item_versions_show_what_changed_and_an_old_one_comes_back(run: Run, memory: Memory) -> None:
    newest = memory.list(limit=1)[0]
    memory.update(newest.id, content="Sauce of tomatoes", title="Sauce")
    memory.update(newest.id, content="Sauce of many tomatoes")
    async with run() as pilot:
        await opened(pilot, "many")
        await pilot.press("v")
        await until(pilot, lambda: len(lines(pilot.app)) == 3)
        await until(pilot, lambda: "many" in shown(pilot.app, "plain"))
        assert not pilot.app.screen.active_bindings["R"].enabled
        await pilot.press("j")
        await until(pilot, lambda: "Sauce of tomatoes" in shown(pilot.app, "plain"))
        await pilot.press("R")
        await until(pilot, lambda: memory.get(newest.id).content == "Sauce of tomatoes")
        assert (memory.get(newest.id).title, len(memory.history(newest.id))) == ("Sauce", 4)
        await until(pilot, lambda: len(lines(pilot.app)) == 4)
        await pilot.press("t")
        await until(pilot, lambda: shown(pilot.app) == "Sauce of tomatoes" and not entries(pilot.app).display)
        await pilot.press("escape")
        await until(pilot, lambda: not isinstance(pilot.app.screen, ItemScreen))


@covers("item.next", "item.before")
async def test_item_next_and_before_go_through_the_list(run: Run, memory: Memory) -> None:
    ids = [one.id for one in memory.list()]
    async with run() as pilot:
        await opened(pilot)
        await pilot.press("J")
        await until(pilot, lambda: item(pilot.app) == ids[1] and "green tea" in shown(pilot.app))
        await pilot.press("right_square_bracket", "v")
        await until(pilot, lambda: item(pilot.app) == ids[2] and len(lines(pilot.app)) == 1)
        await pilot.press("J", "J", "J")
        await until(pilot, lambda: item(pilot.app) == ids[4])
        await pilot.press("K", "K", "K")
        await until(pilot, lambda: item(pilot.app) == ids[1] and "green tea" in shown(pilot.app, "plain"))
        await pilot.press("p")
        await until(pilot, lambda: memory.get(ids[1]).pinned)
        await pilot.press("escape")
        await until(pilot, lambda: len(pilot.app.screen_stack) == 1)
        await until(pilot, lambda: pilot.app.screen.items.entry.id == ids[1])  # type: ignore[attr-defined]
        assert not memory.get(ids[0]).pinned


@covers("item.sources", "item.why", "item.overturn")
async def test_item_sources_lead_to_the_source_and_a_ruling_is_overturned(run: Run, memory: Memory) -> None:
    for text in ("I live in Hamburg.", "I live in Berlin."):
        note = memory.add(text).item
        memory.judge()
    home = next(edge.dst for edge in memory.links(note.id) if edge.dst_title == "I live in Berlin")
    async with run() as pilot:
        await opened(pilot, "Berlin")
        await pilot.press("r")
        await until(pilot, lambda: "I live in Berlin" in lines(pilot.app))
        await pilot.press(*"j" * lines(pilot.app).index("I live in Berlin"), "enter")
        await until(pilot, lambda: item(pilot.app) == home)
        await pilot.press("s")
        await until(pilot, lambda: lines(pilot.app)[:2] == ["I live in Berlin", "I live in Hamburg"])
        await pilot.press("enter")
        await until(pilot, lambda: item(pilot.app) == note.id and "Berlin" in shown(pilot.app))
        await pilot.press("escape")
        await until(pilot, lambda: item(pilot.app) == home)
        await pilot.press("w")
        await until(pilot, lambda: bool(lines(pilot.app)) and "newer value" in shown(pilot.app, "plain"))
        await pilot.press("O")
        await until(pilot, lambda: memory.get(home).content == "I live in Hamburg")
        assert [one.overturned for one in memory.rulings(home)] == [True]
        await until(pilot, lambda: "(overturned)" in shown(pilot.app, "plain"))
        assert not pilot.app.screen.active_bindings["O"].enabled


@covers("item.related", "item.facts")
async def test_item_related_leads_to_the_other_one_and_facts_say_all(run: Run, memory: Memory) -> None:
    newest, second = memory.list(limit=2)
    memory.link(newest.id, "explains", second.id)
    memory.set([newest.id], importance=0.75)
    async with run() as pilot:
        await opened(pilot)
        await pilot.press("f")
        await until(pilot, lambda: newest.id in shown(pilot.app, "plain"))
        facts = shown(pilot.app, "plain")
        assert all(words in facts for words in ("0.75", "#kitchen", newest.version, "live"))
        await pilot.press("r")
        await until(pilot, lambda: lines(pilot.app) == ["Anna prefers green tea to coffee"])
        await until(pilot, lambda: "green tea" in shown(pilot.app))
        await pilot.press("enter")
        await until(pilot, lambda: item(pilot.app) == second.id)


async def test_a_long_text_can_be_read_to_its_end(run: Run, memory: Memory) -> None:
    memory.add("word " * 200_000 + "the very end")
    async with run() as pilot:
        await pilot.press("escape", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, ItemScreen))
        text = pilot.app.screen.query_one(LongText)
        await until(pilot, lambda: len(text.rows) > 10_000 and text.has_focus)
        assert {word for line in range(20) for word in text.render_line(line).text.split()} == {"word"}
        await pilot.press("G")
        await until(pilot, lambda: text.scroll_offset.y == text.max_scroll_y > 0)
        assert text.render_line(text.size.height - 1).text.rstrip().endswith("the very end")


async def test_what_another_program_changes_leaves_the_reader_where_he_is(run: Run, memory: Memory) -> None:
    made = memory.add("\n\n".join(f"paragraph {n}" for n in range(80))).item
    async with run() as pilot:
        await opened(pilot, "paragraph 79")
        await pilot.press("pagedown")
        preview = pilot.app.screen.query_one("#preview")
        await until(pilot, lambda: preview.scroll_offset.y > 0)
        memory.label(made.id, add=["elsewhere"])
        await until(pilot, lambda: "#elsewhere" in shown(pilot.app, "head"))
        assert preview.scroll_offset.y > 0


def test_lines_of_a_long_text_fit_and_lose_nothing() -> None:
    text = "The ferry leaves " * 9 + "\n\n" + "备份在凌晨三点，" * 20 + "x" * 95 + "\nend\n"
    rows = wrap(text, 20)
    assert all(display_width(text[start:stop].rstrip()) <= 20 for start, stop in rows)
    assert "".join(text[start:stop] for start, stop in rows) == text.replace("\n", "")
    assert text[slice(*rows[0])] == "The ferry leaves The "
    assert sum(start == stop for start, stop in rows) == 2
