"""Text for people: one line per item, an item in full, snippets with their matches marked.

User text is data: it is made safe for the terminal and shown letter by letter, and nothing in it is read as markup.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from memhub.cli.style import BOLD, DIM, ID, LABEL, MATCH, paint
from memhub.text.clean import ELLIPSIS, display_width, fit, one_line, terminal_safe
from memhub.text.dates import show_time

if TYPE_CHECKING:
    from memhub.cli.session import Session
    from memhub.model.found import Hit
    from memhub.model.item import Item

_AROUND = ".,;:!?()\"'，。；：！？、（）「」『』【】《》"  # what may stand around a label in a text
_LINE_TEXT = 200  # characters of a text that one line can need; where nothing is cut this still ends it


class Lines:
    """One line for each of `found`: id, day, title or first words, labels."""

    def __init__(self, session: "Session", found: Sequence["Item"]) -> None:
        self._session = session
        self._colour = session.output.colour
        self._columns = session.output.columns
        self._zone = session.zone
        self._short = session.memory.suffix([item.id for item in found]) if found else {}
        self._width = max((len(short) for short in self._short.values()), default=6)

    def item(self, item: "Item", prefix: str = "") -> str:
        """The line of one item."""
        return self._line(item, prefix, None)[0]

    def hit(self, hit: "Hit", prefix: str = "") -> str:
        """The line of a hit, its matches painted where the line shows them; else the snippet below."""
        line, said = self._line(hit.item, prefix, hit)
        snippet = "" if said is None else self._snippet(hit, said)
        return f"{line}\n{snippet}" if snippet else line

    def _line(self, item: "Item", prefix: str, hit: "Hit | None") -> tuple[str, str | None]:
        """A line, and the words that it shows; None when they are all that the snippet of `hit` has."""
        short = self._short[item.id].ljust(self._width)
        known = item.created_at or (
            item.updated_at if item.layer != "L0" else None
        )  # a turn came in, it was not said then
        day = (show_time(known, self._zone)[:10] if known else "").ljust(10)
        head = f"{prefix} " if prefix else ""
        marks = "".join(f" [{flag}]" for flag in self._flags(item))
        text = headline(item)
        labels = _unsaid(item, text)
        if self._columns is not None:
            room = self._columns - len(head) - len(short) - len(day) - 4 - len(marks)
            if display_width(text) + display_width(labels) > room:
                cut = fit(text, max(room - display_width(_hashes(item.labels)), room - room // 2, 10))
                labels = fit(_unsaid(item, cut), max(room // 2, 1))
                text = fit(text, max(room - display_width(labels), 10))
        words, found = text, _found_in(text, hit) if hit else None
        if found and self._colour:
            text = marked(text, found, display_width(text) + 1)
        line = f"{head}{self._paint(short, ID)}  {self._paint(day, DIM)}  {text}{marks}{self._paint(labels, LABEL)}"
        return line, None if found is not None else words

    def _snippet(self, hit: "Hit", said: str) -> str:
        """What was found, below its line; one too long for the window goes on where that line was cut off."""
        plain = one_line(terminal_safe(hit.snippet))
        if not plain:
            return ""
        indent = " " * (self._width + 2)
        room = self._columns - len(indent) if self._columns is not None else 2 * len(plain) + 2
        snippet, marks = hit.snippet, hit.marks
        begun = len(said.rstrip(f"{ELLIPSIS} "))
        if display_width(plain) > room and plain.startswith(said[:begun]) and len(plain) == len(snippet):
            begun += len(plain[begun:]) - len(plain[begun:].lstrip())
            plain, snippet = ELLIPSIS + plain[begun:], ELLIPSIS + snippet[begun:]
            marks = tuple((max(start - begun, 0) + 1, end - begun + 1) for start, end in marks if end > begun)
        return indent + (marked(snippet, marks, room) if self._colour else fit(plain, room))

    def _flags(self, item: "Item") -> list[str]:
        state = [] if item.state == "live" else [item.state]
        return [*(["pinned"] if item.pinned else []), *state, *item.flags]

    def _paint(self, text: str, style: str) -> str:
        return paint(text, style) if self._colour else text


def headline(item: "Item") -> str:
    """The title, or the first words of the text, on one line."""
    whole = item.title or item.content
    text = one_line(terminal_safe(whole[: _LINE_TEXT * 4]))
    if len(text) <= _LINE_TEXT and len(whole) <= _LINE_TEXT * 4:
        return text or "(empty)"
    return text[:_LINE_TEXT].rstrip() + ELLIPSIS


def _unsaid(item: "Item", text: str) -> str:
    """The labels of an item that a text does not show by itself."""
    said = {word.strip(_AROUND).casefold() for word in text.split() if "#" in word}
    return _hashes(label for label in item.labels if f"#{label}".casefold() not in said)


def _hashes(labels: Iterable[str]) -> str:
    return "".join(f" #{terminal_safe(label)}" for label in labels)


def _found_in(text: str, hit: "Hit") -> list[tuple[int, int]] | None:
    """Where in `text` the matches of a hit stand; None when it does not show the whole snippet."""
    plain = one_line(terminal_safe(hit.snippet))
    body = plain.strip(f"{ELLIPSIS} ")
    place = text.find(body)
    if place < 0:
        return None
    if plain != hit.snippet:
        return []  # something was made safe to print, so that places are no longer the same
    moved = place - plain.index(body)
    return [(start + moved, end + moved) for start, end in hit.marks if start + moved >= 0]


def marked(snippet: str, marks: Sequence[tuple[int, int]], columns: int) -> str:
    """The snippet on one line with its matches painted, cut to `columns`."""
    result, used, position = "", 0, 0
    for start, end in [*sorted(marks), (len(snippet), len(snippet))]:
        for part, style in ((snippet[position:start], ""), (snippet[max(start, position) : end], MATCH)):
            words = " ".join(terminal_safe(part).replace("\n", " ").split(" "))
            shown = fit(words, columns - 1 - used)
            result += paint(shown, style) if style else shown
            used += display_width(shown)
            if shown != words:
                return result if shown.endswith(ELLIPSIS) else result + ELLIPSIS
        position = max(end, position)
    return result


def full(session: "Session", item: "Item") -> str:
    """An item in full: what is known about it, then the text."""
    colour = session.output.colour

    def paint_if(text: str, style: str) -> str:
        return paint(text, style) if colour else text

    short = session.memory.suffix([item.id])[item.id]
    rest = item.id[: -len(short)] if item.id.endswith(short) else ""
    head = [f"{paint_if(rest, DIM)}{paint_if(short, ID)}"]
    if item.title:
        head.append(paint_if(one_line(terminal_safe(item.title)), BOLD))
    rows = [(name, one_line(terminal_safe(value))) for name, value in facts(session, item) if value]
    head += [f"{paint_if(name.ljust(10), DIM)} {value}" for name, value in rows]
    return "\n".join([*head, "", terminal_safe(item.content).rstrip("\n")])


def facts(session: "Session", item: "Item") -> list[tuple[str, str]]:
    """What `mh show` says about an item, by name; empty values are left out by the caller."""
    zone = session.zone
    changed = item.updated_at if item.updated_at != item.created_at else None
    marks = [*(["pinned"] if item.pinned else []), *item.flags]
    source = item.source
    return [
        ("kind", item.kind if item.layer == "L1" else f"{item.kind} ({item.layer})"),
        ("state", "" if item.state == "live" else item.state),
        ("flags", ", ".join(marks)),
        ("labels", " ".join(f"#{label}" for label in item.labels)),
        ("space", item.space),
        ("project", item.project or ""),
        ("importance", "" if item.importance is None else f"{item.importance:g}"),
        ("created", show_time(item.created_at, zone)),
        ("updated", show_time(changed, zone)),
        ("valid", " – ".join(show_time(end, zone) for end in (item.valid_from, item.valid_to) if end)),
        ("source", (source.path or source.url or source.app or source.kind or "") if source else ""),
        *((key, str(value)) for key, value in item.attrs.items() if isinstance(value, str | int | float)),
    ]
