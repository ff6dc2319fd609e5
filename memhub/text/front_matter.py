"""The text of an item in the user's editor: a few fields, then the content."""

from typing import TYPE_CHECKING, Any, NamedTuple

from memhub.errors import UsageError

if TYPE_CHECKING:
    from memhub.model.item import Item
    from memhub.text.dates import Zone

_FENCE = "---"
_NAMES = ("title", "kind", "date")


class Fields(NamedTuple):
    """What an edited text says."""

    title: str | None
    kind: str
    date: str | None
    content: str


def to_text(item: "Item") -> str:
    """An item as a text to edit."""
    values = {"title": " ".join((item.title or "").split()), "kind": item.kind, "date": item.created_at or ""}
    head = [f"{name}: {value}".rstrip() for name, value in values.items()]
    return "\n".join([_FENCE, *head, _FENCE, item.content.rstrip("\n"), ""])


def from_text(text: str, item: "Item") -> Fields:
    """The fields of an edited text; a field that is gone keeps its value, one that is empty is empty.

    Without the fences the whole text is content.
    """
    lines = text.split("\n")
    if lines[0].strip() != _FENCE or _FENCE not in [line.strip() for line in lines[1:]]:
        return Fields(item.title, item.kind, item.created_at, text.rstrip("\n"))
    end = next(number for number, line in enumerate(lines) if number and line.strip() == _FENCE)
    values: dict[str, str] = {}
    for number, line in enumerate(lines[1:end], 2):
        name, colon, value = line.partition(":")
        if not line.strip():
            continue
        if not colon or name.strip() not in _NAMES:
            raise UsageError(
                f"line {number} of the draft is none of {', '.join(_NAMES)}: `{line.strip()}`",
                "labels, importance and space have commands of their own",
            )
        values[name.strip()] = value.strip()
    title = values.get("title", item.title) or None
    if title is not None and item.title is not None and title == " ".join(item.title.split()):
        title = item.title
    return Fields(
        title,
        values.get("kind") or item.kind,
        values.get("date", item.created_at) or None,
        "\n".join(lines[end + 1 :]).rstrip("\n"),
    )


def changes(text: str, item: "Item", zone: "Zone") -> dict[str, Any]:
    """What an edited text changes, as `Memory.update` takes it; raises `UsageError` for one without content."""
    fields = from_text(text, item)
    if not fields.content.strip():
        raise UsageError("an item needs a text", "`mh rm` drops an item")
    changed: dict[str, Any] = {"title": fields.title, "content": fields.content}
    if fields.kind != item.kind:
        changed["kind"] = fields.kind
    if fields.date != item.created_at:
        from memhub.text.dates import parse_date

        changed["created_at"] = parse_date(fields.date, zone) if fields.date else None
    return changed
