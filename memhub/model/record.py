"""What an importer yields, in file order: records, threads, skipped places and cursors."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from memhub.model import EMPTY
from memhub.model.thread import Message, ThreadInfo


class Link(NamedTuple):
    """A link as the source wrote it; `to` is the external id of the same source it resolves to, or None.

    Types: link, embed, url, property, relation, parent, reply, block, cite, attachment.
    """

    type: str
    target: str
    to: str | None = None
    attrs: Mapping[str, Any] = EMPTY


class Exported(NamedTuple):
    """What a note that mh wrote as Markdown says of itself: the item, the clock of its last change then, whether its
    text was edited since, its kind and importance as they stand there now."""

    item: str
    rev: int
    is_edited: bool
    kind: str = ""
    importance: float | None = None


class Record(NamedTuple):
    """One item of a source. Times are ISO 8601 (date, naive or `Z`); None where the source does not say.

    `path` is relative to the import root, with `/`. `warnings` are shown with the path.
    """

    external_id: str
    content: str
    title: str | None = None
    kind: str = "document"
    labels: tuple[str, ...] = ()
    created_at: str | None = None
    updated_at: str | None = None
    attrs: Mapping[str, Any] = EMPTY
    path: str | None = None
    url: str | None = None
    links: tuple[Link, ...] = ()
    aliases: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    exported: Exported | None = None


class Conversation(NamedTuple):
    """One thread of a source with all its turns."""

    info: ThreadInfo
    messages: tuple[Message, ...]
    warnings: tuple[str, ...] = ()


class Skipped(NamedTuple):
    """A place that gave nothing, and why. `failed` tells a broken record from one left out on purpose."""

    where: str
    why: str
    failed: bool = False


class Cursor(NamedTuple):
    """How far one place of a source (a file, a session) has been read; opaque to everyone but its importer.

    Yielded after what was read there. The next run hands all of them back, so that an unchanged place is passed over.
    `changed_ns` is when the place changed last (Unix time), where that is how the importer tells: one that changed just
    before it was read is read again the next time.
    """

    place: str
    value: str
    changed_ns: int = 0


class Passed(NamedTuple):
    """A place that is as it was when it was read last: the records that it gave then are still what it holds."""

    place: str
    external_ids: tuple[str, ...]


class Option(NamedTuple):
    """Something that an importer can be told. The first of `values` is the default; `help` is one line for a person."""

    name: str
    values: tuple[str, ...]
    help: str

    def of(self, chosen: Mapping[str, str]) -> str:
        """The value that counts under what was chosen."""
        return chosen.get(self.name, self.values[0])


class Origin(NamedTuple):
    """Where records come from: the kind of source, and the name it goes by unless the user gives one (`--as`)."""

    kind: str
    scope: str
