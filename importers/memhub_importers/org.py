"""Org: one item for each headline of an outline, and one for what stands before the first."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from memhub.model import EMPTY
from memhub.model.record import Cursor, Link, Origin, Record, Skipped
from memhub.text.clean import one_line
from memhub.text.labels import unique_labels
from memhub_importers import note_folders
from memhub_importers.documents import read_kind, sniff_kind
from memhub_importers.encoding import nfc
from memhub_importers.files import Found
from memhub_importers.options import ARCHIVED, SPLIT, YES
from memhub_importers.org_links import find_org_links, reference_links, without_links
from memhub_importers.org_outline import Headline, Outline, outline, stamp_parts
from memhub_importers.text import load

OPTIONS = (ARCHIVED, SPLIT)
GOES_BY_NAME = True
_TITLE_CHARS = 300


def places(home: Path, environ: Mapping[str, str]) -> list[Path]:
    """The folders of Org and Org-roam."""
    return [folder for folder in note_folders.org(home, environ) if sniff(folder)]


def survey(path: Path) -> tuple[int, str]:
    """How many notes there are, by the endings of their names."""
    return note_folders.count(path, (".org",)), "files"


def sniff(path: Path) -> bool:
    """Whether `path` is an Org file, or a folder with no other notes than Org files."""
    return sniff_kind(path, "org")


def origin(path: Path) -> Origin:
    """`org`, named after the folder or the file."""
    path = path.resolve()
    return Origin("org", path.stem if path.is_file() else path.name)


def read(
    path: Path, *, scope: str = "", cursors: Mapping[str, str] = EMPTY, options: Mapping[str, str] = EMPTY
) -> Iterator[Record | Skipped | Cursor]:
    """Each headline below `path` as a record, in file order. Raises `NotFoundError`."""
    yield from read_kind(path, "org", options)


def read_file(found: Found, options: Mapping[str, str] = EMPTY) -> Iterator[Record | Skipped]:
    """The records of one Org file: whole when it is one note with an id (Org-roam), else one for each headline."""
    with_archived = ARCHIVED.of(options) == YES
    if found.name.lower().endswith("_archive") and not with_archived:
        yield Skipped(found.name, "archived")
        return
    decoded = load(found)
    if isinstance(decoded, Skipped):
        yield decoded
        return
    file = outline(decoded.text)
    reader = _File(found, file, decoded.warnings, {} if decoded.encoding == "utf-8" else {"encoding": decoded.encoding})
    split = SPLIT.of(options)
    is_note = file.starts_with_id and not any(headline.properties.get("id") for headline in file.headlines)
    if split == "file" or (split == "auto" and is_note):
        yield reader.whole()
    else:
        yield from reader.parts(with_archived)


class _File:
    """Makes the records of one file."""

    def __init__(self, found: Found, file: Outline, warnings: tuple[str, ...], attrs: dict[str, Any]) -> None:
        self._found, self._file, self._warnings, self._attrs = found, file, warnings, attrs
        own_id = file.properties.get("id")
        self._id = f"id:{nfc(own_id)}" if own_id else f"path:{found.name}"
        self._title = one_line(file.keywords.get("title", ""), _TITLE_CHARS) or found.stem
        self._ids: list[str] = []
        self._paths: list[str] = []
        self._by_target: dict[str, str] = {}
        taken: dict[str, int] = {}
        stack: list[tuple[int, str]] = []
        for headline in file.headlines:
            while stack and stack[-1][0] >= headline.level:
                stack.pop()
            stack.append((headline.level, headline.title))
            path = "/".join(title for _, title in stack)
            own_id = headline.properties.get("id")
            count = taken[path] = taken.get(path, 0) + 1
            repeat = f"~{count}" if count > 1 and not own_id else ""
            self._paths.append(path)
            self._ids.append(f"id:{nfc(own_id)}" if own_id else f"{self._id}#{nfc(path)}{repeat}")
            self._by_target.setdefault("*" + headline.title.casefold(), self._ids[-1])
            if custom := headline.properties.get("custom_id"):
                self._by_target.setdefault("#" + custom.casefold(), self._ids[-1])

    def whole(self) -> Record:
        """The file as one item; its headlines stay in the text."""
        return self._record_of_file(self._file.whole)

    def parts(self, with_archived: bool = False) -> Iterator[Record | Skipped]:
        """The text before the first headline, then each headline without those below it."""
        has_top = bool(self._file.intro) or not self._file.headlines
        if has_top:
            yield self._record_of_file(self._file.intro)
        warnings = () if has_top else self._warnings  # each once, with the first item
        hidden: int | None = None
        parents: list[tuple[int, str, str]] = []  # level, external id, how it is called
        for number, headline in enumerate(self._file.headlines):
            if hidden is not None and headline.level > hidden:
                continue
            hidden = None
            if (headline.is_comment or headline.is_archived) and not with_archived:
                hidden = headline.level
                why = "COMMENT: not meant to be read" if headline.is_comment else "archived"
                yield Skipped(f"{self._found.name}#{self._paths[number]}", why)
                continue
            while parents and parents[-1][0] >= headline.level:
                parents.pop()
            above = parents[-1][1:] if parents else (self._id if has_top else None, self._found.name)
            parents.append((headline.level, self._ids[number], headline.title))
            yield self._record_of_headline(headline, self._ids[number], above)._replace(warnings=warnings)
            warnings = ()

    def _record_of_file(self, content: str) -> Record:
        properties, keywords = self._file.properties, self._file.keywords
        created = _date(properties.get("created")) or _date(keywords.get("date"))
        links = (*reference_links(properties.get("roam_refs", "")), *self._links(content))
        metadata = {key: value for key, value in {**keywords, **properties}.items() if key not in _USED}
        return Record(
            external_id=self._id,
            content=content,
            title=self._title,
            labels=unique_labels(list(self._file.tags)),
            created_at=created,
            updated_at=self._found.changed_at,
            attrs=self._attrs_of(metadata),
            path=self._found.name,
            links=links,
            aliases=_quoted(properties.get("roam_aliases", "")),
            warnings=self._warnings,
        )

    def _record_of_headline(self, headline: Headline, external_id: str, above: tuple[str | None, str]) -> Record:
        properties = headline.properties
        state = [] if headline.todo is None else ["done" if headline.is_done else "todo"]
        metadata: dict[str, Any] = {key: value for key, value in properties.items() if key not in _USED}
        if headline.todo:
            metadata["todo"] = headline.todo
        if headline.priority:
            metadata["priority"] = headline.priority
        for key, raw in headline.planning.items():
            date, repeat = stamp_parts(raw)
            metadata[key] = date or raw
            if repeat:
                metadata["repeat"] = repeat
        links = (*reference_links(properties.get("roam_refs", "")), *self._links(headline.title),
                 *self._links(headline.body), Link("parent", above[1], above[0]))  # fmt: skip
        return Record(
            external_id=external_id,
            content=headline.body,
            title=one_line(without_links(headline.title), _TITLE_CHARS) or self._title,
            labels=unique_labels([*headline.tags, *state]),
            created_at=_date(properties.get("created")),
            updated_at=_date(headline.planning.get("closed")) or self._found.changed_at,
            attrs=self._attrs_of(metadata),
            path=self._found.name,
            links=links,
            aliases=_quoted(properties.get("roam_aliases", "")),
        )

    def _links(self, text: str) -> Iterator[Link]:
        for link in find_org_links(text):
            key = link.target.casefold()
            yield link if link.to or key not in self._by_target else link._replace(to=self._by_target[key])

    def _attrs_of(self, metadata: Mapping[str, Any]) -> dict[str, Any]:
        attrs: dict[str, Any] = {"content_type": "text/org", **self._attrs}
        return {**attrs, "metadata": dict(metadata)} if metadata else attrs


_USED = ("id", "created", "roam_aliases", "roam_refs", "title", "date", "filetags")


def _date(raw: str | None) -> str | None:
    return stamp_parts(raw)[0] if raw else None


def _quoted(raw: str) -> tuple[str, ...]:
    """Words, and several words in double quotes."""
    names: list[str] = []
    for number, part in enumerate(raw.split('"')):
        names += [part.strip()] if number % 2 else part.split()
    return tuple(dict.fromkeys(name for name in names if name))
