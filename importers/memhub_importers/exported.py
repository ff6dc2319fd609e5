"""Knows a note that mh itself wrote as Markdown: which item it is, and what of the file was changed since."""

from collections.abc import Iterator

from memhub.export.front_matter import text_digest
from memhub.model.record import Exported, Link, Record
from memhub.text.labels import find_labels, is_label, normalise, unique_labels
from memhub.text.masks import mask_markup
from memhub_importers.frontmatter import FrontMatter

_OURS = ("mh_rev", "mh_text", "layer", "kind", "importance", "source", "relations")
_LARGEST = 2**63 - 1


def as_exported(record: Record, front: FrontMatter) -> Record:
    """The record of a note, without what only the export put there, when its front matter says that mh wrote it.

    A note without `mh_rev` comes back as it is.
    """
    values = front.values
    item, rev = values.get("mh_id"), values.get("mh_rev")
    if not isinstance(item, str) or not isinstance(rev, str) or not rev.isascii() or not rev.isdigit():
        return record
    is_edited = values.get("mh_text") != text_digest(front.body)
    title = values.get("title")
    tags = values.get("tags")
    labels = [tag for tag in tags if isinstance(tag, str)] if isinstance(tags, list) else str(tags or "").split()
    if is_edited:
        labels += find_labels(front.body, mask_markup(front.body))
    metadata = {key: value for key, value in record.attrs.get("metadata", {}).items() if key not in _OURS}
    attrs = {name: value for name, value in record.attrs.items() if name != "metadata"}
    return record._replace(
        content=front.body.strip(),
        title=title.strip() or None if isinstance(title, str) else None,
        labels=unique_labels([label for label in map(normalise, labels) if is_label(label)]),
        attrs={**({"metadata": metadata} if metadata else {}), **attrs},
        links=tuple(_links(record.links, values.get("relations"))),
        exported=Exported(
            item.strip().lower(),
            min(int(rev[:19]), _LARGEST),
            is_edited,
            str(values.get("kind") or ""),
            _importance(values.get("importance")),
        ),
    )


def _links(links: tuple[Link, ...], relations: object) -> Iterator[Link]:
    """The links of the text, then the relations: `{type: starts_from, to: "[[depot-7k3f9q]]"}`."""
    targets = {link.target: link.to for link in links if link.attrs.get("property") == "relations"}
    yield from (link for link in links if link.attrs.get("property") != "relations")
    for entry in relations if isinstance(relations, list) else ():
        kind, to = (entry.get("type"), entry.get("to")) if isinstance(entry, dict) else (None, None)
        target = to.removeprefix("[[").removesuffix("]]") if isinstance(to, str) else ""
        if isinstance(kind, str) and kind.strip() and target in targets:
            yield Link("relation", kind.strip(), targets[target], {"to_title": target})


def _importance(value: object) -> float | None:
    try:
        found = float(value) if isinstance(value, str) else -1.0
    except ValueError:
        return None
    return found if 0 <= found <= 1 else None
