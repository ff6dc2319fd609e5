"""One bookmark: what a browser knows of an address, and the record that it becomes."""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import NamedTuple

from memhub.model import EMPTY
from memhub.model.record import Link, Record, Skipped
from memhub_importers.encoding import nfc
from memhub_importers.files import Found
from memhub_importers.markup import normal_url, plain
from memhub_importers.options import FILES, YES

_SKIPPED_SCHEMES = ("place", "javascript", "about", "chrome", "data", "file", "edge", "vivaldi", "brave", "view-source")
_SCHEME = re.compile(r"\s*([A-Za-z][A-Za-z0-9+.-]{0,30}):")


class Entry(NamedTuple):
    """One bookmark in one folder. `attrs`: `href`, `add_date`, `last_modified`, `tags` (with commas), `toread` and
    `shortcuturl` as the Netscape file has them; `folders` from the outermost."""

    attrs: Mapping[str, str]
    folders: tuple[str, ...]
    title: str
    description: str = ""


def records(
    bookmarks: Iterable[Entry], found: Found | None = None, options: Mapping[str, str] = EMPTY
) -> Iterator[Record | Skipped]:
    """The records of a bookmark file; an address in two folders is one. `found`: the file, when it is one of many."""
    with_files = FILES.of(options) == YES
    skipped = [scheme for scheme in _SKIPPED_SCHEMES if not (with_files and scheme == "file")]
    entries: dict[str, list[Entry]] = {}
    for entry in bookmarks:
        url = plain(entry.attrs.get("href", "")).strip()
        scheme = _SCHEME.match(url)
        if not url:
            yield Skipped(entry.title or "a bookmark without an address", "no address")
        elif scheme and scheme[1].lower() in skipped:
            yield Skipped(url[:200], f"scheme `{scheme[1].lower()}:`")
        else:
            entries.setdefault(nfc(normal_url(url)), []).append(entry)
    for url, same in entries.items():
        yield _record(url, same, found)


def _record(key: str, same: list[Entry], found: Found | None) -> Record:
    url = plain(same[0].attrs["href"]).strip()
    labels: list[str] = []
    attrs: dict[str, object] = {"folders": [list(folders) for folders in dict.fromkeys(x.folders for x in same)]}
    for entry in same:
        labels += [*entry.attrs.get("tags", "").split(","), *entry.folders]
        labels += ["unread"] if entry.attrs.get("toread") == "1" else []
        if entry.attrs.get("shortcuturl"):
            attrs.setdefault("shortcut", plain(entry.attrs["shortcuturl"]))
    created = [time for entry in same if (time := _time(entry.attrs.get("add_date")))]
    updated = [time for entry in same if (time := _time(entry.attrs.get("last_modified")))]
    return Record(
        external_id=f"url:{key}",
        content="\n\n".join(dict.fromkeys(entry.description for entry in same if entry.description)),
        title=next((entry.title for entry in same if entry.title), url),
        labels=tuple(dict.fromkeys(label for label in (plain(label).strip() for label in labels) if label)),
        created_at=min(created, default=None),
        updated_at=max(updated, default=None),
        attrs=attrs,
        path=found.name if found else None,
        url=url,
        links=(Link("url", url, None, {"primary": True}),),
    )


def _time(raw: str | None) -> str | None:
    """Seconds, milliseconds or microseconds since 1970, told by their size, as ISO 8601 with the fraction given."""
    digits = (raw or "").strip()
    if not digits.isascii() or not digits.isdigit() or len(digits) > 18 or int(digits) == 0:
        return None
    value = int(digits)
    unit, places = (1, 0) if value < 10**11 else (10**3, 3) if value < 10**14 else (10**6, 6)
    seconds, rest = divmod(value, unit)
    try:
        moment = datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None
    fraction = f".{rest:0{places}d}" if rest else ""
    return f"{moment:%Y-%m-%dT%H:%M:%S}{fraction}Z"
