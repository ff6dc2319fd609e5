"""Reads what a web page says of itself: address, title, dates and labels, from its head and the comments of savers."""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple
from urllib.parse import urljoin

from memhub.text.labels import is_label, normalise, unique_labels
from memhub_importers.dates import source_time
from memhub_importers.markup import Token, plain

_SAVED_FROM = re.compile(r"\s*saved from url=\(\d{1,6}\)(\S{1,4000})")
_SINGLE_FILE = re.compile(r"\burl:\s{0,5}(https?://\S{1,4000})")
_PUBLISHED = ("article:published_time", "og:published_time", "datepublished", "date", "dc.date", "dcterms.created")
_MODIFIED = ("article:modified_time", "og:updated_time", "datemodified", "last-modified", "dcterms.modified")
_KEPT = {"author": "author", "article:author": "author", "description": "description", "og:description": "description",
         "og:site_name": "site"}  # fmt: skip
_MAX_JSON = 1_000_000


class Head(NamedTuple):
    """`url` names the page; `base` is what relative links start from; `title` is the one given for sharing,
    `page_title` what the window shows, which often ends in the name of the site."""

    url: str | None
    base: str | None
    title: str
    page_title: str
    published: str | None
    modified: str | None
    labels: tuple[str, ...]
    metadata: Mapping[str, str]


def read_head(stream: Iterable[Token]) -> Head:
    """The head of a page from its tokens."""
    saved = canonical = base = None
    metas: dict[str, list[str]] = {}
    title: list[str] = []
    in_title = False
    json_ld: dict[str, Any] = {}
    for token in stream:
        if token.kind == "comment":
            found = _SAVED_FROM.match(token.data) or _SINGLE_FILE.search(token.data[:10_000])
            saved = saved or (_address(found[1]) if found else None)
        elif token.kind == "text" and in_title:
            title.append(token.data)
        elif token.name == "title":
            in_title = token.kind == "start" and not title
        elif token.kind == "start" and token.name == "meta":
            name = (token.attrs.get("property") or token.attrs.get("name") or token.attrs.get("itemprop") or "").lower()
            if name and (value := _words(token.attrs.get("content", ""))):
                metas.setdefault(name, []).append(value)
        elif token.kind == "start" and token.name == "base":
            base = base or token.attrs.get("href", "").strip() or None
        elif token.kind == "start" and token.name == "link":
            if "canonical" in token.attrs.get("rel", "").lower().split():
                canonical = canonical or token.attrs.get("href", "").strip() or None
        elif token.kind == "raw" and token.attrs.get("type", "").strip().lower() == "application/ld+json":
            json_ld = json_ld or _json_ld(token.data)
    return _head(saved, canonical, base, metas, _words("".join(title)), json_ld)


def _head(
    saved: str | None,
    canonical: str | None,
    base: str | None,
    metas: Mapping[str, list[str]],
    title: str,
    json_ld: Mapping[str, Any],
) -> Head:
    og_url = next(iter(metas.get("og:url", ())), None)
    given = saved or _address(canonical) or _address(og_url)  # where the page was when it was saved
    labels = [*metas.get("article:tag", ()), *(x for words in metas.get("keywords", ()) for x in words.split(","))]
    metadata: dict[str, str] = {}
    for name, key in _KEPT.items():
        if values := metas.get(name):
            metadata.setdefault(key, values[0])
    return Head(
        url=_address(_join(given, canonical)) or _address(_join(given, og_url)) or saved,
        base=_address(_join(given, base)) or given,
        title=next(iter(metas.get("og:title", ())), ""),
        page_title=title,
        published=_date(metas, _PUBLISHED) or _time_of(json_ld, "datePublished"),
        modified=_date(metas, _MODIFIED) or _time_of(json_ld, "dateModified"),
        labels=unique_labels([label for label in map(normalise, labels) if is_label(label)]),
        metadata=metadata,
    )


def _json_ld(data: str) -> dict[str, Any]:
    """The first object of a JSON-LD block that has a date."""
    if len(data) > _MAX_JSON:
        return {}
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    graph = value.get("@graph") if isinstance(value, dict) else value
    candidates = [value, *(graph if isinstance(graph, list) else ())]
    return next((x for x in candidates if isinstance(x, dict) and isinstance(x.get("datePublished"), str)), {})


def _time_of(record: Mapping[str, Any], key: str) -> str | None:
    value = record.get(key)
    return source_time(value) if isinstance(value, str) else None


def _date(metas: Mapping[str, list[str]], names: tuple[str, ...]) -> str | None:
    return next((date for name in names for value in metas.get(name, ()) if (date := source_time(value))), None)


def _join(base: str | None, target: str | None) -> str | None:
    if not target:
        return None
    try:
        return urljoin(base, target) if base else target
    except ValueError:
        return None


def _address(url: str | None) -> str | None:
    """`url` when it is a web address that a page can go by."""
    url = plain(url or "").strip()
    return url if url.lower().startswith(("http://", "https://")) and len(url.split()) == 1 else None


def _words(text: str) -> str:
    return " ".join(plain(text).split())
