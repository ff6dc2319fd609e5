"""Everything `mh` answers: the only writer to standard output, and the JSON shapes that programs read."""

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from memhub.cli.style import uses_colour
from memhub.errors import MhError

if TYPE_CHECKING:
    from memhub.cli.session import Session
    from memhub.model.found import Hit
    from memhub.model.item import Item

Record = dict[str, Any]


class Output:
    """Data on stdout. Text for people follows the encoding of the terminal; JSON is always UTF-8."""

    def __init__(self, session: "Session") -> None:
        self._session = session
        for stream in (sys.stdout, sys.stderr):
            reconfigure = getattr(stream, "reconfigure", None)
            if reconfigure:
                reconfigure(errors="replace")

    @property
    def is_terminal(self) -> bool:
        """Whether a person reads this, so that lines are cut to the window."""
        return sys.stdout.isatty()

    @property
    def colour(self) -> bool:
        """Whether to paint."""
        return uses_colour(sys.stdout, self._session)

    @property
    def columns(self) -> int | None:
        """The width of the window; None when stdout is no terminal and nothing is cut."""
        if not self.is_terminal:
            return None
        from shutil import get_terminal_size

        return max(get_terminal_size().columns, 20)

    def _write(self, text: str) -> None:
        try:
            sys.stdout.write(text)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise unwritable(error) from error

    def line(self, text: str) -> None:
        """One line (or block) of text."""
        self._write(text + "\n")

    def _words(self, text: str) -> None:
        """A thing as text; one of which nothing is to be said prints no line."""
        if text:
            self.line(text)

    def raw(self, line: str) -> None:
        """One line of a format that is UTF-8 whatever the terminal speaks."""
        _utf8()
        self._write(line.rstrip("\n") + "\n")

    def json_line(self, record: Record) -> None:
        """One object on one line, written at once."""
        _utf8()
        self._write(dump(record) + "\n")

    def json_array(self, records: Iterable[Record]) -> None:
        """One array, a record a line, written as the records come."""
        _utf8()
        opened = False
        try:
            for record in records:
                self._write((",\n" if opened else "[\n") + dump(record))
                opened = True
        finally:
            if opened or sys.exc_info()[0] is None:
                self._write("\n]\n" if opened else "[]\n")

    def things(self, things: Iterable[Any], to_json: Callable[[Any], Record], to_text: Callable[[Any], str]) -> None:
        """A list in the chosen format."""
        if self._session.format == "json":
            self.json_array(to_json(thing) for thing in things)
        elif self._session.format == "ndjson":
            for thing in things:
                self.json_line(to_json(thing))
                sys.stdout.flush()
        else:
            for thing in things:
                self._words(to_text(thing))

    def thing(self, thing: Any, to_json: Callable[[Any], Record], to_text: Callable[[Any], str]) -> None:
        """One thing in the chosen format."""
        if self._session.format == "text":
            self._words(to_text(thing))
        else:
            self.json_line(to_json(thing))

    def error_object(self, error: MhError) -> None:
        """A failure for a calling program."""
        from memhub.cli.diagnostics import sentence

        hint = sentence(error.hint) if error.hint else None
        self.json_line({"error": error.code, "message": sentence(error.message), "hint": hint})


def unwritable(error: OSError) -> MhError:
    """What a full disk behind `mh export > file` is called."""
    return MhError(f"cannot write to standard output: {error.strerror}")


def dump(record: Any) -> str:
    """Compact JSON on one line, text as it is."""
    return json.dumps(record, ensure_ascii=False)


def as_record(value: Any) -> Record:
    """A NamedTuple or dataclass as an object, field by field."""
    if hasattr(value, "_asdict"):
        return {key: _plain(part) for key, part in value._asdict().items()}
    return {key: _plain(getattr(value, key)) for key in value.__dataclass_fields__}


def _plain(value: Any) -> Any:
    if hasattr(value, "_asdict") or hasattr(value, "__dataclass_fields__"):
        return as_record(value)
    return [_plain(part) for part in value] if isinstance(value, tuple) else value


def item_to_json(item: "Item") -> Record:
    """The keys of an item, in their order. `created` follows only where the source knew less than an instant."""
    record: Record = {
        "id": item.id,
        "layer": item.layer,
        "kind": item.kind,
        "title": item.title,
        "content": item.content,
        "attrs": item.attrs,
        "labels": list(item.labels),
        "importance": item.importance,
        "confidence": item.confidence,
        "pinned": item.pinned,
        "space": item.space,
        "project": item.project,
        "created_at": item.created_at,
    }
    if item.created_at and not item.created_at.endswith("Z"):
        from memhub.text.dates import precision

        record["created"] = {"value": item.created_at, "precision": precision(item.created_at), "tz_known": False}
    record |= {
        "updated_at": item.updated_at,
        "valid_from": item.valid_from,
        "valid_to": item.valid_to,
        "version": item.version,
        "state": item.state,
        "flags": list(item.flags),
        "source": item.source._asdict() if item.source else None,
    }
    return record


def hit_to_json(hit: "Hit") -> Record:
    """The keys of an item, and what the search adds."""
    return item_to_json(hit.item) | {
        "score": round(hit.score, 6),
        "snippet": hit.snippet,
        "why": [{"way": why.way, "rank": why.rank, "score": round(why.score, 6)} for why in hit.why],
        "folded": list(hit.folded),
    }


def items(session: "Session", found: Sequence["Item"]) -> None:
    """A list of items: full ids with `--quiet`, one line each for people."""
    from memhub.cli.render import Lines

    if session.quiet and session.format == "text":
        session.output.things(found, item_to_json, lambda item: item.id)
        return
    lines = Lines(session, found) if session.format == "text" else None
    session.output.things(found, item_to_json, lambda item: lines.item(item) if lines else "")


def changed(session: "Session", done: str, found: Sequence["Item"]) -> None:
    """What a change answers: the items as they are now, each line beginning with what was done."""
    from memhub.cli.render import Lines

    if session.format != "text" or session.quiet:
        items(session, found)
        return
    lines = Lines(session, found)
    session.output.things(found, item_to_json, lambda item: lines.item(item, done))


def _utf8() -> None:
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure and sys.stdout.encoding != "utf-8":
        reconfigure(encoding="utf-8", newline="\n")
