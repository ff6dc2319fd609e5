"""Finds the links of a Markdown text as they were written, and tells which note of the same source each means."""

import posixpath
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

from memhub.model.record import Link
from memhub.text.clean import clean
from memhub.text.masks import MASK
from memhub_importers.encoding import nfc

_WIKI = re.compile(r"(!?)\[\[([^\[\]\n]{1,1000})\]\]")
_INLINE = re.compile(
    r"(!?)\[([^\[\]\n]{0,500})\]\([ \t]?(<[^<>\n]{1,2000}>|[^()\s]{1,2000}(?:\([^()\s]{0,500}\)[^()\s]{0,500})?)"
    r"(?:[ \t]+(\"[^\"\n]{0,500}\"|'[^'\n]{0,500}'|\([^()\n]{0,500}\)))?[ \t]?\)"
)
_URL = re.compile(r"(?<![\w/])(?:https?|ftp)://[^\s<>\"\\`|\]\[\0，。；：！？、（）「」『』【】《》“”‘’…]{1,2000}")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,30}:")
_SIZE = re.compile(r"\d{1,5}(?:x\d{1,5})?")
NOTE_ENDINGS = (".md", ".markdown")


class Names:
    """What can be linked to in one source: notes by path, stem and alias, and other files by path and name.

    A link is resolved in this order, compared in NFC without case: the path from the root (with or without `.md`), the
    path relative to the note, the file stem (of several the shortest path), an alias.
    """

    def __init__(self, attachment_folder: str = "") -> None:
        self._attachment_folder = attachment_folder.strip("./")
        self._items: dict[str, str] = {}  # path → external id
        self._files: dict[str, str] = {}  # path as compared → as written
        self._by_name: dict[str, list[str]] = {}  # notes by stem
        self._by_alias: dict[str, str] = {}

    def add(self, path: str, external_id: str | None, aliases: tuple[str, ...] = ()) -> None:
        """Makes a file known: a note with its id, any other file with None."""
        key = _key(path)
        key = path if key == path else key  # one string for both
        name = key.rpartition("/")[2]
        if external_id is None:
            self._files.setdefault(key, path)
        else:
            self._items.setdefault(key, external_id)
            stem, ending = posixpath.splitext(name)
            name = stem if ending in NOTE_ENDINGS else name
        self._by_name.setdefault(name, []).append(key)
        for alias in aliases:
            if external_id is not None:
                self._by_alias.setdefault(_key(alias), external_id)

    def find(self, target: str, note: str) -> tuple[str | None, str | None]:
        """The external id that `target`, written in the note at path `note`, means; or the path of another file."""
        wanted = _key(target.partition("#")[0].replace("\\", "/").strip()).lstrip("/")
        own = _key(note)
        if not wanted:
            return self._items.get(own), None
        for path in self._paths(wanted, own):
            for name in (path, *(path + ending for ending in NOTE_ENDINGS)):
                if name in self._items:
                    return self._items[name], None
                if name in self._files:
                    return None, self._files[name]
        return self._by_alias.get(wanted), None

    def find_inline(self, target: str, note: str) -> tuple[str | None, str | None]:
        """The same for `[shown](target)`; most programs make no difference."""
        return self.find(target, note)

    def relation(self, before: str, after: str, title: str) -> str | None:
        """What the format says of a link by the characters around it, or by its title; most say nothing."""
        return None

    def _paths(self, wanted: str, own: str) -> Iterator[str]:
        yield wanted
        relative = posixpath.normpath(posixpath.join(posixpath.dirname(own), wanted))
        if not relative.startswith("../"):
            yield relative
        if self._attachment_folder:
            yield _key(f"{self._attachment_folder}/{wanted}")
        if wanted.startswith(("./", "../")):
            return
        name = wanted.rpartition("/")[2]
        same = [*self._by_name.get(name, ())]
        stem, ending = posixpath.splitext(name)
        if ending in NOTE_ENDINGS:
            same += [path for path in self._by_name.get(stem, ()) if path.rpartition("/")[2] == name]
        fitting = [path for path in same if "/" not in wanted or _ends_with(path, wanted)]
        if fitting:
            yield min(fitting, key=lambda path: (path.count("/"), len(path), path))


def find_links(text: str, masked: str, note: str, names: Names) -> list[Link]:
    """The links in a Markdown text in the order they stand, each resolved against `names`.

    `masked` is the text with code blanked out (`mask_markup`); `note` the path of the note from the root.
    """
    found: list[tuple[int, Link]] = []
    taken: list[tuple[int, int]] = []
    for wiki in _WIKI.finditer(masked) if "[[" in masked else ():
        if MASK not in wiki[2]:
            taken.append(wiki.span())
            found.append((wiki.start(), _wiki_link(wiki, note, names)))
    for inline in _INLINE.finditer(masked) if "](" in masked else ():
        if MASK not in inline[3]:
            link = _inline_link(text[inline.start(2) : inline.end(2)], inline, note, names)
            if link:
                taken.append(inline.span(3))
                found.append((inline.start(), link))
    if "://" in masked:
        found.extend(_bare_urls(masked, sorted(taken)))
    found.sort(key=lambda pair: pair[0])
    return [link for _, link in found]


def property_links(values: dict[str, Any], note: str, names: Names) -> list[Link]:
    """The links inside front matter values; `attrs["property"]` names the key they stand under."""
    links: list[Link] = []
    for key, value in values.items():
        for text in _strings(value):
            for wiki in _WIKI.finditer(text):
                link = _wiki_link(wiki, note, names)
                links.append(link._replace(type="property", attrs={"property": key, **link.attrs}))
    return links


def _wiki_link(wiki: re.Match[str], note: str, names: Names) -> Link:
    target, bar, shown = wiki[2].replace("\\|", "|").partition("|")
    target, shown = target.strip(), shown.strip()
    if _is_address(target):
        return Link("url", target, None, {"display": shown} if shown else {})
    external_id, file = names.find(target, note)
    kind = "embed" if wiki[1] else "link"
    attrs: dict[str, Any] = {}
    if bar and shown:
        attrs["shown_size" if wiki[1] and _SIZE.fullmatch(shown) else "display"] = shown
    if file:
        attrs["attachment"] = file
        kind = kind if wiki[1] else "attachment"
    around = wiki.string[max(0, wiki.start() - 1) : wiki.start()], wiki.string[wiki.end() : wiki.end() + 1]
    if relation := names.relation(*around, ""):
        attrs["relation"] = relation
    return Link(kind, target, external_id, attrs)


def _inline_link(shown: str, inline: re.Match[str], note: str, names: Names) -> Link | None:
    target = inline[3].strip("<>").strip()
    attrs: dict[str, Any] = {"display": shown.strip()} if shown.strip() else {}
    if _is_address(target) or target.startswith("//"):
        return Link("url", target, None, attrs)
    target = nfc(clean(unquote(target)))
    if not target:
        return None
    external_id, file = names.find_inline(target, note)
    if file:
        attrs["attachment"] = file
    if inline[4] and inline[4][1:-1].strip():
        attrs["title"] = inline[4][1:-1].strip()
        if relation := names.relation("", "", attrs["title"]):
            attrs["relation"] = relation
    kind = "embed" if inline[1] else "attachment" if file else "link"
    return Link(kind, target, external_id, attrs)


def _bare_urls(masked: str, taken: list[tuple[int, int]]) -> Iterator[tuple[int, Link]]:
    spans = iter([*taken, (len(masked), len(masked))])
    start, stop = next(spans)
    for url in _URL.finditer(masked):
        while stop <= url.start():
            start, stop = next(spans, (len(masked), len(masked) + 1))
        if start <= url.start():
            continue
        address = url[0].rstrip(".,;:!?'*_~")
        while address.endswith(")") and address.count("(") < address.count(")"):
            address = address[:-1].rstrip(".,;:!?'*_~")
        if not address.endswith("://"):
            yield url.start(), Link("url", address)


def _is_address(target: str) -> bool:
    """Whether a target begins with a scheme; `Note: part two` and `C:` do not."""
    found = _SCHEME.match(target)
    if not found:
        return False
    rest = target[found.end() :]
    return rest.startswith("//") or (
        found[0].lower() in ("mailto:", "tel:", "data:", "urn:", "doi:") and " " not in rest
    )


def _key(text: str) -> str:
    return nfc(nfc(text).casefold())


def _ends_with(path: str, wanted: str) -> bool:
    return any(f"/{path}".endswith(f"/{wanted}{ending}") for ending in ("", *NOTE_ENDINGS))


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        if "[[" in value:
            yield value
    elif isinstance(value, list | dict):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _strings(inner)
