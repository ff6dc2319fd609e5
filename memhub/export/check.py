"""Reads an export and checks all of it before anything of it is written: form, counts, hashes, shapes."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memhub.errors import MhError
from memhub.export.jsonl import FORMAT, MAJOR, lines_of
from memhub.model.entry import Entry
from memhub.model.record import Skipped
from memhub.store.canonical import dumps, hash_row
from memhub.store.store import Text

_ENTRY = {"device": str, "seq": int, "hlc": int, "at": int, "kind": str, "key": str, "payload": dict, "operation": str}
_PAYLOADS: dict[str, dict[str, type]] = {
    "version.put": {"hash": str, "parents": list},
    "item.drop": {"heads": list},
    "item.restore": {"drops": list},
    "edge.put": {"src": str, "relation": str, "dst": str},
    "edge.drop": {"src": str, "relation": str, "dst": str},
    "op.put": {"command": str, "who": str},
}
_OPTIONAL: dict[str, type] = {"set": dict, "add": dict, "remove": dict, "attrs": dict, "spans": list}
_LARGEST = 2**63 - 1
_WHOLE = "nothing was imported"
_GOOD = "nothing was imported; `--force` takes the lines that are good"


class ExportError(MhError):
    """A file that is no export, or a damaged one; nothing of it was taken."""

    code = "export"


@dataclass
class Checked:
    """What the first reading of a file found. `bad` are lines that `force` leaves out."""

    counts: Counter[str] = field(default_factory=Counter)
    bad: list[Skipped] = field(default_factory=list)

    @property
    def is_flat(self) -> bool:
        """Whether the file has no log, so that its flat records count."""
        return not self.counts["entry"]


def check(path: Path, *, force: bool) -> Checked:
    """Read the whole file once. Raises `ExportError` that names the line; with `force` bad lines are only noted."""
    found = Checked()
    footer: dict[str, Any] | None = None
    for number, record in records(path, found.bad if force else None):
        kind = str(record["type"])
        if not found.counts and kind != "header" and not force:
            raise ExportError(f"`{path}` does not begin with a header", "is it an export of mh?")
        found.counts[kind] += 1
        try:
            _check_record(kind, record)
        except ValueError as error:
            if not force:
                hint = _WHOLE if kind == "header" else _GOOD
                raise ExportError(f"`{path}`, line {number}: {error}", hint) from error
            found.bad.append(Skipped(f"line {number}", str(error), failed=True))
        footer = record if kind == "footer" else None
    if not found.counts:
        raise ExportError(f"`{path}` is empty")
    if not force:
        _check_counts(path, found.counts, footer)
    return found


def _check_counts(path: Path, counts: Counter[str], footer: dict[str, Any] | None) -> None:
    hint = "`--force` takes what is there"
    if footer is None:
        raise ExportError(f"`{path}` is cut off: its last line is no footer", hint)
    said = footer.get("counts")
    real = {name: count for name, count in counts.items() if name not in ("header", "footer")}
    if not isinstance(said, dict) or {name: count for name, count in said.items() if count} != real:
        raise ExportError(f"`{path}` does not hold what its footer counts", hint)


def records(path: Path, bad: list[Skipped] | None = None) -> Iterator[tuple[int, dict[str, Any]]]:
    """Line number and object of each line. A line that is no object with a `type` raises, or goes to `bad`."""
    try:
        for number, line in lines_of(path):
            try:
                record = json.loads(line.decode("utf-8"), parse_constant=_no_constant)
                if not isinstance(record, dict) or not isinstance(record.get("type"), str):
                    raise ValueError("not an object with a `type`")
            except (ValueError, RecursionError) as error:
                if bad is None:
                    raise ExportError(f"`{path}`, line {number}: {_plain(error)}", _GOOD) from error
                bad.append(Skipped(f"line {number}", _plain(error), failed=True))
                continue
            yield number, record
    except (OSError, EOFError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        if bad is None or not isinstance(error, EOFError):
            raise ExportError(f"cannot read `{path}`: {reason}") from error
        bad.append(Skipped(str(path), reason, failed=True))


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _plain(error: BaseException) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "not UTF-8"
    if isinstance(error, json.JSONDecodeError):
        return f"not JSON ({error.msg.lower()} at character {error.colno})"
    return str(error) if isinstance(error, ValueError) else "nested too deeply"


def _check_record(kind: str, record: dict[str, Any]) -> None:
    if kind == "header":
        if record.get("format") != FORMAT:
            raise ValueError(f"the header says format {record.get('format')!r}, not {FORMAT!r}")
        if record.get("version") != MAJOR:
            raise ValueError(f"mh-export version {record.get('version')}; this mh reads version {MAJOR}")
    elif kind == "version" and "hash" in record:
        text_of(record)
    elif kind == "entry":
        entry_of(record)


def text_of(record: dict[str, Any]) -> Text:
    """The text row of a `version` record; raises `ValueError` when its hash is not that of its text."""
    version_hash, item = record.get("hash"), record.get("item")
    if not isinstance(version_hash, str) or not isinstance(item, str):
        raise ValueError("a version needs `hash` and `item`")
    if "meta" not in record:
        return Text(version_hash, item, None, None, None)
    title, content, meta = record.get("title"), record.get("content"), record["meta"]
    if not isinstance(content, str) or not isinstance(title, str | None) or not isinstance(meta, dict):
        raise ValueError("a version needs `content`, `title` and `meta`")
    stored = dumps(meta)
    _storable(item, title or "", content, stored)
    if hash_row(item, title, content, stored) != version_hash:
        raise ValueError(f"the text of version {version_hash[:12]} does not have this hash")
    return Text(version_hash, item, title, content, stored)


def entry_of(record: dict[str, Any]) -> Entry:
    """The log entry of an `entry` record; raises `ValueError` when its shape is wrong."""
    for name, wanted in _ENTRY.items():
        value: Any = record.get(name)
        if not isinstance(value, wanted) or isinstance(value, bool):
            raise ValueError(f"an entry needs `{name}`")
        if isinstance(value, int) and not 0 <= value <= _LARGEST:
            raise ValueError(f"`{name}` {value} is out of range")
    entry_seq: int = record["seq"]
    request = record.get("request")
    if not isinstance(request, str | None) or entry_seq < 1:
        raise ValueError("an entry needs a `seq` from 1 on, and `request` as text")
    payload = record["payload"]
    for name, wanted in _PAYLOADS.get(record["kind"], {}).items():
        if not isinstance(payload.get(name), wanted):
            raise ValueError(f"`{record['kind']}` needs `{name}` in its payload")
    for name, wanted in _OPTIONAL.items():
        if name in payload and not isinstance(payload[name], wanted):
            raise ValueError(f"`{name}` has the wrong shape in the payload")
    _storable(record["key"], record["kind"], record["device"], record["operation"], request or "", dumps(payload))
    if record["kind"].startswith("edge."):
        ends = f"{payload['src']} {payload['relation']} {payload['dst']}"
        if record["key"] != ends or ends.count(" ") != 2:
            raise ValueError("the key of an edge is its two ends and the relation")
    return Entry(**{name: record[name] for name in _ENTRY}, request=request)


def _storable(*texts: str) -> None:
    for text in texts:
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:
            raise ValueError("half a character (a lone surrogate)") from None
