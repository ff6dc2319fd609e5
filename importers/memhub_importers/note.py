"""Makes one record of one Markdown note: title, labels, dates, links, block ids and what else its front matter says."""

import hashlib
import mimetypes
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from memhub.model.record import Link, Record
from memhub.text.clean import one_line
from memhub.text.labels import find_labels, is_label, normalise, unique_labels
from memhub.text.masks import mask_markup
from memhub_importers.dates import source_time
from memhub_importers.encoding import Decoded
from memhub_importers.exported import as_exported
from memhub_importers.files import Found, read_bytes
from memhub_importers.frontmatter import split_front_matter
from memhub_importers.links import Names, find_links, property_links

ID_KEYS = ("mh_id", "id", "uid", "uuid", "zettel-id")
CREATED_KEYS = ("created", "created_at", "date", "datecreated", "creation-date", "ctime")
UPDATED_KEYS = ("updated", "updated_at", "modified", "lastmod", "last-modified", "mtime")
_OWN_KINDS = ("note", "document", "fact", "event", "intent", "procedure")
_HEAD_CHARS = 70 * 1024
_HAS_IDENTITY = re.compile(
    r"^[\"']?(?:mh_id|id|uid|uuid|zettel-id|alias|aliases)[\"']?[ \t]*:", re.MULTILINE | re.IGNORECASE
)
_ATX = re.compile(r"^ {0,3}#[ \t]+([^\n]+)$", re.MULTILINE)
_SETEXT = re.compile(r"^ {0,3}([^\s#>|=-][^\n]{0,300})\n {0,3}=+[ \t]*$", re.MULTILINE)
_BLOCK_ID = re.compile(r"(?:^|(?<=\s))\^([A-Za-z0-9-]{1,100})[ \t]*$", re.MULTILINE)
_TITLE_CHARS = 300
_ATTACHMENT_BYTES = 25 * 1024 * 1024


class Dialect(NamedTuple):
    """What a program does its own way: front matter keys of the id and of labels, and labels in the text.

    `id_prefix` marks ids that come from the front matter; `labels` gets a text and the same with code blanked out.
    """

    id_prefix: str = "id"
    id_keys: tuple[str, ...] = ID_KEYS
    label_keys: tuple[str, ...] = ("tags", "tag")
    labels: Callable[[str, str], tuple[str, ...]] = find_labels


PLAIN = Dialect()


class Identity(NamedTuple):
    """What other notes can call a note: the id it gives itself, and its aliases."""

    own_id: str | None = None
    aliases: tuple[str, ...] = ()


def identity(text: str) -> Identity:
    """The identity in the front matter of a note, of which the first 70 KiB are enough."""
    head = text[:_HEAD_CHARS]
    if not head.startswith("---") or not _HAS_IDENTITY.search(head):
        return Identity()
    values = _lower_keys(split_front_matter(head).values)
    own_id = next((values[key].strip() for key in ID_KEYS if _is_text(values.get(key))), None)
    return Identity(own_id, tuple(_list(values, ("aliases", "alias"), split_spaces=False)))


def read_note(found: Found, decoded: Decoded, external_id: str, names: Names, dialect: Dialect = PLAIN) -> Record:
    """The record of a Markdown file."""
    front = split_front_matter(decoded.text)
    values = _lower_keys(front.values)
    body = front.body
    masked = mask_markup(body)
    heading = _heading(body, masked)
    given = one_line(values["title"], _TITLE_CHARS) if _is_text(values.get("title")) else ""
    content = front.content
    if given and heading and heading[0] == given and not front.content[: heading[1]].strip():
        content = front.content[heading[2] :]
    labels = [
        label for label in map(normalise, _list(values, dialect.label_keys, split_spaces=True)) if is_label(label)
    ]
    created, unread_created = _date(values, CREATED_KEYS)
    updated, unread_updated = _date(values, UPDATED_KEYS)
    unread = [key for key in (unread_created, unread_updated) if key]
    taken = (*dialect.label_keys, *dialect.id_keys)
    used = {"title", "aliases", "alias", *taken, *CREATED_KEYS, *UPDATED_KEYS} - set(unread)
    metadata = {key: value for key, value in front.values.items() if key.lower() not in used}
    links = (*property_links(metadata, found.name, names), *find_links(body, masked, found.name, names))
    record = Record(
        external_id=external_id,
        content=content.strip(),
        title=given or (heading[0] if heading else "") or found.stem,
        kind=_kind(values),
        labels=unique_labels([*labels, *dialect.labels(body, masked)]),
        created_at=created,
        updated_at=updated or found.changed_at,
        attrs=_attrs(metadata, masked, decoded.encoding),
        path=found.name,
        url=_url(values),
        links=links,
        aliases=tuple(_list(values, ("aliases", "alias"), split_spaces=False)),
        warnings=(*decoded.warnings, *front.warnings, *(f"`{key}` is no date that can be read" for key in unread)),
    )
    return as_exported(record, front)


def with_attachment(link: Link, file: Found | None) -> Link:
    """`link` with media type, size and SHA-256 of the file it shows; a file over 25 MiB gets no hash."""
    if file is None:
        return link
    facts: dict[str, Any] = {"media_type": mimetypes.guess_type(file.name)[0], "size": file.size}
    if file.size <= _ATTACHMENT_BYTES:
        try:
            facts["sha256"] = hashlib.sha256(read_bytes(file)).hexdigest()
        except (OSError, ValueError):
            facts["missing"] = True
    return link._replace(attrs={**link.attrs, **facts})


def _attrs(metadata: dict[str, Any], masked: str, encoding: str) -> dict[str, Any]:
    attrs: dict[str, Any] = {}
    if metadata:
        attrs["metadata"] = metadata
    if blocks := list(dict.fromkeys(_BLOCK_ID.findall(masked) if "^" in masked else ())):
        attrs["blocks"] = blocks
    if encoding != "utf-8":
        attrs["encoding"] = encoding
    return attrs


def _heading(body: str, masked: str) -> tuple[str, int, int] | None:
    """The first heading of the first level outside code, with where its lines begin and end in `body`."""
    found = [match for match in (_ATX.search(masked), _SETEXT.search(masked) if "\n=" in masked else None) if match]
    if not found:
        return None
    first = min(found, key=lambda match: match.start())
    raw = body[first.start(1) : first.end(1)].strip()
    text = one_line(re.sub(r"[ \t]+#{1,100}$", "", raw[: 4 * _TITLE_CHARS]), _TITLE_CHARS)
    return (text, first.start(), first.end()) if text.strip("#") else None


def _lower_keys(values: dict[str, Any]) -> dict[str, Any]:
    return {key.lower(): value for key, value in values.items()}


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _list(values: dict[str, Any], keys: tuple[str, ...], *, split_spaces: bool) -> list[str]:
    """A list of front matter, or one string split at commas (labels also at spaces); what is nested is left out."""
    found: list[str] = []
    for key in keys:
        value = values.get(key)
        if isinstance(value, str):
            found.extend(value.replace(",", " ").split() if split_spaces else value.split(","))
        elif isinstance(value, list):
            found.extend(entry for entry in value if isinstance(entry, str))
    return [entry.strip() for entry in found if entry.strip()]


def _date(values: dict[str, Any], keys: tuple[str, ...]) -> tuple[str | None, str | None]:
    """The first of `keys` that has a value, as a date; else the key whose value is no date."""
    for key in keys if values else ():
        if _is_text(values.get(key)):
            date = source_time(values[key])
            return date, None if date else key
    return None, None


def _kind(values: dict[str, Any]) -> str:
    kind = values.get("kind")
    return str(kind) if "mh_id" in values and kind in _OWN_KINDS else "document"


def _url(values: dict[str, Any]) -> str | None:
    for key in ("url", "source", "link"):
        value = values.get(key)
        if isinstance(value, str) and value.strip().startswith(("http://", "https://")) and " " not in value.strip():
            return value.strip()
    return None
