"""The bytes that a version's hash is taken of, and the way back from a stored row."""

import hashlib
import json
from collections.abc import Callable, Iterable
from json import encoder as _json
from typing import Any

from memhub.model.entry import Version

_META = ("parents", "layer", "kind", "attrs", "created_at", "updated_at", "valid_from", "valid_to", "source", "spans",
         "by", "nonce")  # fmt: skip
_TEXTS = ("item", "title", "content")


_encoder = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
_make = getattr(_json, "c_make_encoder", None)  # what `JSONEncoder.encode` makes anew for each call
_parts: Callable[[Any, int], Iterable[str]] | None = _make and _make(
    None, _encoder.default, _json.encode_basestring, None, ":", ",", True, False, False
)


def dumps(value: Any) -> str:
    """Canonical JSON: sorted keys, no spaces, text as it is; NaN and infinities are refused."""
    return "".join(_parts(value, 0)) if _parts else _encoder.encode(value)


def meta_of(version: Version) -> str:
    """Everything of a version but item, title and content, as canonical JSON."""
    fields = version._asdict()
    for name in _TEXTS:
        del fields[name]
    return dumps(fields)


def hash_row(item: str, title: str | None, content: str, meta: str) -> str:
    """SHA-256 (hex) over the canonical JSON of `[item, title, content, meta]`.

    `meta` goes in as the text that is stored, so that fields a later mh adds keep the hash true here too.
    """
    return hashlib.sha256(dumps([item, title, content, meta]).encode("utf-8", "surrogatepass")).hexdigest()


def hash_of(version: Version) -> str:
    """The id of a version."""
    return hash_row(version.item, version.title, version.content, meta_of(version))


def version_of(item: str, title: str | None, content: str, meta: str) -> Version:
    """The version that a stored row holds."""
    fields: dict[str, Any] = json.loads(meta)
    return Version(
        item=item,
        title=title,
        content=content,
        parents=tuple(fields["parents"]),
        spans=tuple(fields["spans"]),
        **{name: fields[name] for name in _META if name not in ("parents", "spans")},
    )


def text_hash(content: str) -> int:
    """64 bits of SHA-256 over the trimmed text, signed: equal for the same note typed again."""
    digest = hashlib.sha256(content.strip().encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8], "big", signed=True)
