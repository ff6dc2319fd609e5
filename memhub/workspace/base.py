"""What every verb needs: the file, opened by the first one; the space; full ids; and an operation to write under."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from memhub import paths
from memhub.errors import NotFoundError
from memhub.model.entry import Draft
from memhub.model.item import Item
from memhub.store import read, refs
from memhub.store.filters import space_named
from memhub.store.names import DEFAULT_SPACE
from memhub.store.store import Operation, Store, new_operation
from memhub.text.clean import one_line

if TYPE_CHECKING:
    import apsw

    from memhub.config import Config
    from memhub.embed.engine import Engine


class _Unset:
    """The default of a field that is to stay as it is, where None means something."""

    def __repr__(self) -> str:
        return "UNSET"


UNSET: Any = _Unset()
Talk = Callable[[str], None]
_SUMMARY = 60


class Base:
    """Opens the file on first use and closes it; not for use by two threads at once."""

    def __init__(
        self,
        path: str | Path | None = None,
        *,
        config: "Config | None" = None,
        space: str | None = None,
        command: str = "",
        who: str = "hand",
        folder: Path | None = None,
        talk: Talk | None = None,
    ) -> None:
        """`path` None means the file of the configuration. `folder` gives new notes their project.

        `command` and `who` are written into the log; `talk` is told what takes long.
        """
        self._given = Path(path) if path is not None else None
        self._config = config
        self._space = space
        self._command = command
        self._who = who
        self._folder = folder
        self._talk = talk
        self._open: Store | None = None
        self._engine: Engine | None = None
        self._together: Operation | None = None
        self.progress: Callable[[int, int], object] | None = None
        """Told how many items of how many a verb on several has changed, from time to time."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; every verb opens it again."""
        if self._open is not None:
            opened, self._open = self._open, None
            opened.close()

    def follow(self, who: str) -> None:
        """From here on operations are not started by hand: `undo` without a name passes over them."""
        self._who = who

    @contextmanager
    def together(self, verb: str, summary: str = "") -> Iterator[None]:
        """What is changed inside is one operation, which one `undo` takes back; an export that comes in is its own.

        `verb` and `summary` are written into the log.
        """
        self._together = self._operation(verb, summary_of(summary))
        try:
            yield
        finally:
            self._together = None

    @property
    def config(self) -> "Config":
        """The settings that this memory goes by."""
        if self._config is None:
            from memhub.config import Config

            self._config = Config()
        return self._config

    @property
    def judges(self) -> bool:
        """Whether what is new is judged: now or later."""
        return self.config.text("judge") != "off"

    @property
    def path(self) -> Path:
        """The file in use."""
        if self._given is None:
            self._given = paths.database_file(self.config.text("db") or None)
        return self._given

    @property
    def store(self) -> Store:
        """The open file; for the layers above, not for programs."""
        if self._open is None:
            self._open = Store(self.path, paths.state_folder() / "snapshots")
        return self._open

    @property
    def _connection(self) -> "apsw.Connection":
        return self.store.connection

    def _space_id(self, name: str | None = None) -> str:
        return space_named(self._connection, name or self._space or DEFAULT_SPACE)[1]

    def _operation(self, verb: str, summary: str = "", who: str | None = None, **more: str) -> Operation:
        if self._together is not None and not more:
            return self._together
        return new_operation((self._command if who is None else "") or verb, who or self._who, summary=summary, **more)

    def _id(self, reference: str) -> str:
        return refs.resolve(self._connection, "item", reference)

    def _ids(self, references: str | Iterable[str]) -> list[str]:
        """Full ids of one or several references, each once."""
        given = [references] if isinstance(references, str) else references
        return list(dict.fromkeys(self._id(reference) for reference in given))

    def _item(self, identifier: str) -> Item:
        item = read.item_by_id(self._connection, identifier)
        if item is None:
            raise NotFoundError(f"no item …{identifier[-6:]}", "`mh list` shows the last ids")
        return item

    def _items(self, identifiers: Iterable[str]) -> list[Item]:
        return read.items_by_ids(self._connection, identifiers)

    def _change(self, verb: str, ids: list[str], plan: "Callable[[apsw.Connection, str], list[Draft]]") -> list[Item]:
        """Apply a planned change to each item, 200 to a commit, under one operation."""
        operation = self._operation(verb)
        for start in range(0, len(ids), 200):
            some = ids[start : start + 200]

            def drafts(connection: "apsw.Connection", some: list[str] = some) -> list[Draft]:
                return [draft for identifier in some for draft in plan(connection, identifier)]

            self.store.commit(operation, drafts, durable=start + 200 >= len(ids))
            if self.progress:
                self.progress(min(start + 200, len(ids)), len(ids))
        return self._items(ids)


def summary_of(text: str) -> str:
    """A few words of a name or relation for the log; never of an item's text, which an erase must reach."""
    return one_line(text, _SUMMARY)
