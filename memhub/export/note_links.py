"""Makes the links in an exported text lead to the exported files: `[[Depot]]` becomes `[[depot-7k3f9q|Depot]]`."""

import posixpath
import re
import unicodedata
from collections.abc import Callable, Sequence
from urllib.parse import unquote

from memhub.model.item import Item
from memhub.text.masks import MASK, mask_markup

_LINK = re.compile(
    r"\[\[(?P<wiki>[^\[\]\n|#\\]{1,500})(?P<part>#[^\[\]\n|\\]{0,500})?(?:\\?\|(?P<shown>[^\[\]\n]{0,500}))?\]\]"
    r"|(?<!!)\[(?P<text>[^\[\]\n]{1,500})\]\((?P<path><[^<>\n]{1,1000}>|[^()\s<>]{1,1000})\)"
)
_ENDINGS = (".md", ".markdown")


class Targets:
    """Which item a link means: by the path or name of the file it came from, its title, or an alias."""

    def __init__(self) -> None:
        self._by_name: dict[tuple[str, str], list[str]] = {}

    def add(self, item: Item) -> None:
        """Make an item known."""
        names = [item.title or "", *(alias for alias in item.attrs.get("aliases") or () if isinstance(alias, str))]
        if item.source and item.source.path:
            path = posixpath.splitext(item.source.path)[0]
            names += [path, path.rpartition("/")[2]]
        for name in dict.fromkeys(_key(name) for name in names if name.strip()):
            self._by_name.setdefault((item.space, name), []).append(item.id)

    def find(self, target: str, space: str, linked: Sequence[str]) -> str | None:
        """The item that a link in a text of `space` means; of several, the one that the text is known to link to."""
        name = _key(target)
        found = self._by_name.get((space, name)) or self._by_name.get((space, name.rpartition("/")[2]), [])
        fitting = [one for one in found if one in linked] or found
        return fitting[0] if len(fitting) == 1 else None


def relinked(content: str, stem_of: Callable[[str], str | None]) -> str:
    """The text with each link outside code that `stem_of` knows a file for leading there."""
    if "[" not in content:
        return content
    masked = mask_markup(content)
    parts, place = [], 0
    for found in _LINK.finditer(content):
        start, stop = found.span()
        if MASK in masked[start:stop]:
            continue
        link = _wiki(found, stem_of) if found["wiki"] else _inline(found, stem_of)
        if link is not None:
            parts += [content[place:start], link]
            place = stop
    return "".join([*parts, content[place:]])


def _wiki(found: re.Match[str], stem_of: Callable[[str], str | None]) -> str | None:
    target = found["wiki"].strip()
    stem = stem_of(target)
    return f"[[{stem}{found['part'] or ''}|{found['shown'] or target}]]" if stem else None


def _inline(found: re.Match[str], stem_of: Callable[[str], str | None]) -> str | None:
    """`[the depot](notes/Depot.md#hours)`, as the same kind of link."""
    path, hash_sign, part = unquote(found["path"].strip("<>")).partition("#")
    stem, ending = posixpath.splitext(path)
    if ending.lower() not in _ENDINGS or "://" in path or "|" in found["text"]:
        return None
    file = stem_of(posixpath.normpath(stem).removeprefix("../"))
    return f"[[{file}{hash_sign}{part}|{found['text']}]]" if file else None


def _key(name: str) -> str:
    key = unicodedata.normalize("NFC", name.strip()).casefold()
    return next((key.removesuffix(ending) for ending in _ENDINGS if key.endswith(ending)), key)
