"""The day that a page is about: its bounds, what was there then, and how things are named on it."""

import re
from datetime import date
from typing import Any, NamedTuple

import apsw

from memhub.model.item import Item
from memhub.stamp import DAY_MS
from memhub.store import read, refs
from memhub.store.connection import query
from memhub.store.filters import readable_spaces
from memhub.text.clean import one_line
from memhub.text.dates import Zone, instant_ms

TIME = "coalesce(item.created_ms, item.updated_ms)"
"""SQL: when an item was said, else when it came."""
_LENGTH = 90
_MONTHS_TEXT = "January February March April May June July August September October November December"
MONTHS = _MONTHS_TEXT.split()
DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


class Frame(NamedTuple):
    """A day of the user in a space (its id) and those it reads; `start` to `stop` are its Unix ms, half open."""

    connection: apsw.Connection
    space: str
    spaces: tuple[int, ...]
    zone: Zone
    day: str
    start: int
    stop: int

    @property
    def date(self) -> date:
        """The day as a date."""
        return date.fromisoformat(self.day)

    def items(self, condition: str, values: tuple[Any, ...] = (), *, order: str = f"{TIME} DESC, item.n DESC",
              limit: int = -1) -> list[Item]:  # fmt: skip
        """What was there at the end of the day and meets the condition over `item`, newest first.

        Notes, statements and turns; what was replaced, dropped or put away by then is not, what was replaced later is.
        """
        rows = query(
            self.connection,
            f"SELECT item.n FROM item WHERE {self.there} AND ({condition}) ORDER BY {order} LIMIT ?",
            (*values, limit),
        )
        numbers = [int(row[0]) for row in rows]
        found = read.load_items(self.connection, numbers)
        return [self.as_it_was(found[number]) for number in numbers]

    @property
    def there(self) -> str:
        """The SQL condition of `items`, without parameters."""
        return (
            f"item.space IN ({','.join(map(str, self.spaces))}) AND item.layer IN ('L0', 'L1') AND {TIME} < {self.stop}"
            f""" AND (item.state = 'live' OR (item.state = 'replaced' AND NOT EXISTS (
                SELECT 1 FROM edge JOIN item AS newer ON newer.id = edge.src AND newer.is_present
                WHERE edge.dst = item.id AND edge.relation = 'replaces'
                  AND coalesce(newer.created_ms, newer.updated_ms) < {self.stop})))"""
        )

    def as_it_was(self, item: Item) -> Item:
        """The item with the text that it had at the end of the day; one that came later has only its first."""
        updated = instant_ms(item.updated_at) if item.updated_at.endswith("Z") else 0
        if updated < self.stop:
            return item
        versions = [one for one in read.history(self.connection, item.id) if one.content is not None]
        if len(versions) < 2:
            return item
        then = next((one for one in versions if instant_ms(one.at) < self.stop), versions[-1])
        from dataclasses import replace

        return replace(item, title=then.title, content=then.content or "")

    def day_of(self, item: Item) -> str:
        """The user's day on which an item was said or came."""
        at = item.created_at or item.updated_at
        if not at.endswith("Z"):
            return at[:10] if len(at) >= 10 else f"{at}-01"[:10]
        try:
            year, month, day = self.zone.local(instant_ms(at))[:3]
        except (ValueError, OverflowError, OSError):
            return at[:10]
        return f"{year:04d}-{month:02d}-{day:02d}"

    def ref(self, identifier: str, table: str = "item") -> str:
        """The short id of an item or thread, as it stands behind a line."""
        return f"`{refs.shortest(self.connection, table, [identifier])[identifier]}`"


def frame_of(connection: apsw.Connection, space: str, zone: Zone, day: str) -> Frame:
    """The frame of a day (ISO) in the space with this id."""
    given = date.fromisoformat(day)
    start = zone.day_start((given.year, given.month, given.day))
    local = zone.local(start + DAY_MS + DAY_MS // 2)[:3]  # noon of the next day, whatever the clock does in between
    return Frame(connection, space, tuple(readable_spaces(connection, space)), zone, day, start, zone.day_start(local))


def words_of(item: Item, length: int = _LENGTH) -> str:
    """The title or first words of an item, as Markdown that means nothing but these words."""
    return plain(item.title or _first_line(item.content), length)


def _first_line(content: str) -> str:
    return next((line for line in content.split("\n") if line.strip(" \t#>*-=`~")), content)


def plain(text: str, length: int = _LENGTH) -> str:
    """Foreign text on one line of Markdown, without its own list or heading mark: nothing in it marks up the page."""
    shown = escape(one_line(re.sub(r"^\s*(?:(?:#{1,6}|[>*+-]|\[[ xX]\])\s+)+", "", text), length))
    return re.sub(r"^(\d+)(?=[.)]\s)|^(?=[#+-](?:\s|$)|-{2})", r"\1\\", shown)


def escape(text: str) -> str:
    """Every sign of Markdown in `text` that would mean something there, made to mean itself."""
    text = re.sub(r"[\\`*\[\]<>|~]", lambda sign: f"\\{sign.group()}", text)
    return re.sub(r"(?<![^\W_])_|_(?![^\W_])|&(?=#?\w+;)", lambda sign: f"\\{sign.group()}", text)


def long_day(day: str) -> str:
    """`10 February 2026`."""
    given = date.fromisoformat(day)
    return f"{given.day} {MONTHS[given.month - 1]} {given.year}"


def short_day(day: str, near: str) -> str:
    """`Thu 12 Feb`, with the year where it is another one than that of `near`."""
    given = date.fromisoformat(day)
    year = "" if day[:4] == near[:4] else f" {given.year}"
    return f"{DAYS[given.weekday()]} {given.day} {MONTHS[given.month - 1][:3]}{year}"


def counted(count: int, noun: str) -> str:
    """`1 note`, `2 notes`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
