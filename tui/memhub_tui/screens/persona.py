"""Persona: what is believed about the owner of the notes, by parts of life, and what speaks for each of it."""

from typing import NamedTuple

from rich.segment import Segment
from textual import on, work

from memhub.errors import NotFoundError
from memhub.model.digested import PersonaLine
from memhub.text.clean import display_width, fit, one_line, terminal_safe
from memhub.text.dates import Zone, show_time
from memhub.workspace import Memory
from memhub_tui.actions import bindings
from memhub_tui.item_view import Shown
from memhub_tui.screens.item import ItemScreen
from memhub_tui.screens.prompt import PromptScreen
from memhub_tui.screens.split import SplitScreen
from memhub_tui.widgets.lines import line
from memhub_tui.widgets.pages import Fixed
from memhub_tui.widgets.virtual_list import VirtualList

PART = 13  # columns of the name of a part of life
MOST_EVIDENCE, MOST_OF_ONE = 50, 600  # items, characters
EMPTY, EMPTY_BANNED = "Nothing is believed yet. D in Activity looks.", "Nothing is banned. B goes back."


class Belief(NamedTuple):
    """A line; the first one of a part of life bears its name."""

    line: PersonaLine
    part: str

    @property
    def id(self) -> str:
        """The item's."""
        return self.line.item


class BeliefList(VirtualList[Belief]):
    """Lines by parts of life."""

    def draw(self, entry: Belief, width: int) -> list[Segment]:
        """Part of life, words, and from how many items; a pin stands before the words."""
        part = fit(terminal_safe(entry.part), PART - 1)
        first = part + " " * (PART - display_width(part))
        one = entry.line
        more = " · ".join(["corrected"] * one.corrected + [_counted(len(one.evidence))])
        sign = [Segment("★ ", self.style("alert"))] if one.pinned else []
        head, *rest = line(first, one.text, more, width - 2 * len(sign), self.style, is_quiet=one.banned)
        return [head, *sign, *rest]


class PersonaScreen(SplitScreen[Belief]):
    """`is_banned`: what must not be believed is shown instead."""

    BINDINGS = bindings("persona")
    name_in_bar = "persona"
    is_banned = False

    def make_list(self) -> BeliefList:
        """Lines."""
        return BeliefList(empty=EMPTY, id="entries")

    async def source(self) -> Fixed[Belief]:
        """What is believed, or banned."""
        banned = self.is_banned
        lines = await self.backend.view.run(lambda memory: memory.persona(banned=banned))
        self.entries.empty = EMPTY_BANNED if banned else EMPTY
        what = "banned" if banned else "believed"
        self.top_bar.tell(f"{len(lines):,} {what} · {self.backend.space or 'default'} ")
        before = ["", *(one.domain for one in lines)]
        return Fixed(
            [Belief(one, one.domain if one.domain != last else "") for one, last in zip(lines, before, strict=False)]
        )

    async def shown(self, entry: Belief) -> Shown:
        """The line, and what speaks for it."""
        return await self.backend.view.run(lambda memory: _shown(memory, entry.line, self.mh.zone))

    @on(BeliefList.Chosen)
    def chosen(self, event: BeliefList.Chosen) -> None:
        """Open the line."""
        self.mh.open_item(event.entry.id, self.entries)

    def centre(self) -> str | None:
        """The line under the cursor."""
        return self.entries.entry.id if self.entries.entry else None

    @property
    def _ids(self) -> list[str]:
        return [one.id for one in self.entries.chosen]

    @work(exit_on_error=False)
    async def action_pin(self) -> None:
        """Pin the chosen lines, or unpin them when all are pinned."""
        chosen = self.entries.chosen
        pinned = not all(one.line.pinned for one in chosen)
        if chosen:
            ids = self._ids
            await self.save(lambda memory: memory.persona_pin(ids, pinned=pinned), "pinned" if pinned else "unpinned")

    @work(exit_on_error=False)
    async def action_correct(self) -> None:
        """Say what is right."""
        entry = self.entries.entry
        if entry is None:
            return
        said = await self.app.push_screen_wait(PromptScreen("What is right?", one_line(entry.line.text, 10_000)))
        if said is not None and said.strip() and said != entry.line.text:
            await self.save(lambda memory: memory.persona_correct(entry.id, said), "corrected")

    @work(exit_on_error=False)
    async def action_ban(self) -> None:
        """Ban the chosen lines, or allow them where the banned ones are shown."""
        ids, is_banned = self._ids, self.is_banned
        if ids:
            self.entries.unmark()
            await self.save(
                lambda memory: memory.persona_allow(ids) if is_banned else memory.persona_ban(ids),
                "believed again" if is_banned else "banned",
            )

    def action_banned(self) -> None:
        """Show what is banned, or what is believed."""
        self.is_banned = not self.is_banned
        self.reading = self.read_list()
        self.refresh_bindings()

    def action_sources(self) -> None:
        """Open what speaks for it."""
        if self.entries.entry is not None:
            self.app.push_screen(ItemScreen(self.entries.entry.id, self.entries, part="sources"))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What is banned is neither corrected nor pinned."""
        return None if self.is_banned and action in ("pin", "correct") else True


def _shown(memory: Memory, one: PersonaLine, zone: Zone) -> Shown:
    """The line with its facts, and the words of what speaks for it."""
    facts = [one.domain, f"since {show_time(one.since, zone)[:10]}" if one.since else ""]
    facts += [f"confidence {one.confidence:.2f}" if one.confidence is not None else ""]
    facts += ["★ pinned" if one.pinned else "", "corrected" if one.corrected else "", *one.flags]
    facts += ["banned" if one.banned else "", f"from {_counted(len(one.evidence))}"]
    head = " · ".join(terminal_safe(fact) for fact in facts if fact)
    try:
        quotes = {quote.item: quote.text for quote in memory.why(one.item).spans}
    except NotFoundError:
        quotes = {}
    parts = []
    for item in memory.get_many(one.evidence[:MOST_EVIDENCE]):
        words = terminal_safe(quotes.get(item.id) or item.content)[:MOST_OF_ONE].strip()
        quoted = "\n".join(f"> {words_line}" for words_line in words.split("\n"))
        parts.append(f"**{show_time(item.created_at, zone)[:10] or 'undated'}**\n\n{quoted}")
    more = len(one.evidence) - MOST_EVIDENCE
    foot = f"{more:,} more: s opens all" if more > 0 else ""
    return Shown(terminal_safe(one.text), head, "\n\n".join(parts), foot, one.item)


def _counted(count: int) -> str:
    return f"{count:,} item{'' if count == 1 else 's'}"
