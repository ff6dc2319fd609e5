"""The parts of an item beside its text: each a list of lines, and what is shown of the line under the cursor."""

import json
from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

from rich.segment import Segment
from textual.content import Content

from memhub.model.judged import RulingInfo
from memhub.model.trail import VersionInfo
from memhub.text.clean import display_width, fit, one_line, terminal_safe
from memhub.text.dates import Zone, show_time
from memhub_tui.item_view import ItemView
from memhub_tui.widgets.diff import DIM, Piece, changes, cut
from memhub_tui.widgets.lines import line, when, zone_of
from memhub_tui.widgets.moves import moves
from memhub_tui.widgets.virtual_list import VirtualList

RELATION = 16  # columns


class PartLine(NamedTuple):
    """`target` is the item or conversation that it leads to. Of a version, `before` is the one that it changed."""

    id: str
    first: str
    words: str
    more: str = ""
    target: str = ""
    is_quiet: bool = False
    text: Content | None = None
    at: str | None = None
    version: VersionInfo | None = None
    before: VersionInfo | None = None
    ruling: RulingInfo | None = None


class PartList(VirtualList[PartLine], inherit_bindings=False):
    """The lines of a part."""

    BINDINGS = moves("choose")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """There is something to open only where the line leads somewhere."""
        return action != "choose" or (self.entry is not None and bool(self.entry.target))

    def draw(self, entry: PartLine, width: int) -> list[Segment]:
        """When or what, words, and a dim end."""
        first = when(entry.at, width, zone_of(self)) if entry.at else entry.first
        return line(first, entry.words, entry.more, width, self.style, is_quiet=entry.is_quiet)


class Part(NamedTuple):
    """One part; `empty` is said when it has no lines."""

    name: str
    words: str
    lines: Callable[[ItemView], list[PartLine]]
    empty: str


def versions(view: ItemView) -> list[PartLine]:
    """Every version, newest first."""
    found = view.why.versions
    by_hash = {version.hash: version for version in found}
    lines = []
    for version, below in [*pairwise(found), *([(found[-1], None)] if found else [])]:
        parents = [by_hash[parent] for parent in version.parents if parent in by_hash]
        signs = [version.command, "erased" if version.erased else ""]
        signs += ["shown" if version.hash == view.item.version else "another end" if version.is_head else ""]
        before = parents[0] if parents else below
        is_renamed = before is None or version.title != before.title
        words = "" if version.erased else (is_renamed and version.title) or version.content or ""
        lines.append(
            PartLine(
                version.hash, "", words[:300], " · ".join(sign for sign in signs if sign), at=version.at,
                is_quiet=version.hash != view.item.version, version=version, before=before,
            )
        )  # fmt: skip
    return lines


def sources(view: ItemView) -> list[PartLine]:
    """The words that it was drawn from, and the items that say the same."""
    lines = []
    for number, quote in enumerate(view.why.spans):
        text = Content(cut(quote.text))
        lines.append(
            PartLine(
                f"{number} {quote.item}", "", quote.text[:300], quote.speaker or "", quote.item, text=text, at=quote.at
            )
        )
    said = {quote.item for quote in view.why.spans}
    for edge in view.why.edges:
        if edge.relation == "evidence_of" and edge.dst == view.item.id and edge.src not in said:
            lines.append(PartLine(edge.src, "", edge.src_title, "evidence", edge.src))
    return lines


def related(view: ItemView) -> list[PartLine]:
    """Everything that it is linked to, its own links first."""
    lines = []
    for edge in view.why.edges:
        is_own = edge.src == view.item.id
        sign, other, title = ("→", edge.dst, edge.dst_title) if is_own else ("←", edge.src, edge.src_title)
        first = relation_column(f"{sign} {edge.relation}")
        lines.append(PartLine(f"{edge.src} {edge.relation} {edge.dst}", first, title, note_of(edge.attrs), other))
    return lines


def rulings(view: ItemView) -> list[PartLine]:
    """What was ruled about it, newest first."""
    return [
        PartLine(
            ruling.id, "", f"{ruling.action.replace('_', ' ')}: {ruling.reason or ruling.difference or ''}",
            "overturned" if ruling.overturned else f"{ruling.confidence:.2f} {ruling.judge}",
            ruling.targets[0][0] if ruling.targets else "", ruling.overturned, _ruling(ruling, view.zone), ruling.at,
            ruling=ruling,
        )
        for ruling in view.why.rulings
    ]  # fmt: skip


PARTS = {
    part.name: part
    for part in (
        Part("versions", "Versions", versions, "It has no versions."),
        Part("sources", "Sources", sources, "It was typed or imported as it stands."),
        Part("related", "Related", related, "Nothing is linked to it."),
        Part("why", "Why", rulings, "Nothing was ruled about it."),
    )
}


def relation_column(words: str) -> str:
    """A relation in a column of its own."""
    shown = fit(terminal_safe(words), RELATION)
    return f"{shown}{' ' * (RELATION - display_width(shown))} "


def note_of(attrs: dict[str, object]) -> str:
    """What an edge says beside its relation: a note, how it was settled, or who made it."""
    note = attrs.get("note") or (f"settled: {attrs['resolved']}" if attrs.get("resolved") else attrs.get("by"))
    return str(note or "")


def changed(version: VersionInfo, before: VersionInfo | None) -> Content:
    """What a version changed; the first one whole."""
    if version.erased:
        return Content.assemble(("Its text was erased.", DIM))
    if before is None or before.erased:
        return Content(cut(_whole(version)))
    return changes(_whole(before), _whole(version))


def _whole(version: VersionInfo) -> str:
    return f"# {version.title}\n\n{version.content or ''}" if version.title else version.content or ""


def _ruling(ruling: RulingInfo, zone: Zone) -> Content:
    """Everything about a ruling."""
    rows = [
        ("ruled", f"{ruling.action.replace('_', ' ')}{' (overturned)' if ruling.overturned else ''}"),
        ("statement", ruling.text), ("about", "\n".join(words for _, words in ruling.targets)),
        ("reason", ruling.reason), ("difference", ruling.difference), ("confidence", f"{ruling.confidence:.2f}"),
        ("judge", ruling.judge), ("prompt", ruling.prompt), ("at", show_time(ruling.at, zone)),
        ("id", ruling.id),
    ]  # fmt: skip
    return table(rows)


def support(view: ItemView) -> str:
    """How sure it is, and who says so."""
    count = view.why.support
    sure = f"confidence {view.why.confidence:.2f} · " if view.why.confidence is not None else ""
    return f"{sure}{count} independent source{'' if count == 1 else 's'}"


def facts(view: ItemView) -> Content:
    """All that is known of it but its text."""
    item, source = view.item, view.item.source
    rows = [
        ("id", item.id), ("version", item.version), ("layer", item.layer), ("kind", item.kind), ("state", item.state),
        ("flags", ", ".join(item.flags)), ("space", item.space), ("project", item.project),
        ("labels", "  ".join(f"#{label}" for label in item.labels)), ("pinned", "yes" if item.pinned else None),
        ("importance", None if item.importance is None else f"{item.importance:g}"),
        ("certainty", support(view)), ("written", show_time(item.created_at, view.zone)),
        ("changed", show_time(item.updated_at, view.zone)),
        ("valid from", show_time(item.valid_from, view.zone)), ("valid to", show_time(item.valid_to, view.zone)),
    ]  # fmt: skip
    rows += [
        (f"source {name.replace('_', ' ')}", value) for name, value in (source._asdict() if source else {}).items()
    ]
    rows += [(name, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
             for name, value in item.attrs.items()]  # fmt: skip
    versions = len(view.why.versions)
    rows.append(("length", f"{len(item.content):,} characters, {versions:,} version{'' if versions == 1 else 's'}"))
    return table(rows)


def table(rows: list[tuple[str, str | None]]) -> Content:
    """Names at the left, values at the right; what has no value is left out."""
    shown = [(one_line(terminal_safe(name)), terminal_safe(value)) for name, value in rows if value]
    width = min(max((display_width(name) for name, _ in shown), default=0), 20) + 2
    pieces: list[Piece] = []
    for name, value in shown:
        name = fit(name, width - 2)
        indented = value.replace("\n", f"\n{' ' * width}")
        pieces += [(f"{name}{' ' * (width - display_width(name))}", DIM), f"{indented}\n"]
    return Content.assemble(*pieces)
