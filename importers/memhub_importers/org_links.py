"""Finds the links and citations of an Org text, as they are written."""

import re
from collections.abc import Iterator

from memhub.model.record import Link
from memhub_importers.encoding import nfc

_LINK = re.compile(r"\[\[([^\[\]\n]{1,2000})\](?:\[((?:[^\[\]\n]|\[[^\[\]\n]{0,200}\]){1,500})\])?\]")
_CITE = re.compile(r"\[cite[^\[\]:\n]{0,50}:([^\[\]\n]{1,1000})\]")
_KEY = re.compile(r"@([\w:.#$%&+?<>~/-]{1,200})")
_BARE = re.compile(r"(?<![\w/\[])https?://[^\s<>\[\]\"|]{1,2000}")
_OPAQUE = re.compile(r"[ \t]*#\+(begin|end)_(src|example|export|comment)\b", re.IGNORECASE)
_VERBATIM = re.compile(r"(?<![\w=~])([=~])(?=\S)[^\n=~]{1,300}(?<=\S)\1(?![\w=~])")
_URL = re.compile(r"(?:https?|ftp|mailto|doi):", re.IGNORECASE)


def find_org_links(text: str) -> Iterator[Link]:
    """Links in file order; none in source and example blocks nor in `=verbatim=` and `~code~`."""
    if "[" not in text and "://" not in text:
        return
    text = _without_code(text)
    found: list[tuple[int, Link]] = []
    taken: list[tuple[int, int]] = []
    for match in _LINK.finditer(text):
        taken.append(match.span())
        found.append((match.start(), _link(match[1].strip(), (match[2] or "").strip())))
    for match in _CITE.finditer(text):
        found.extend((match.start(), Link("cite", f"@{key}")) for key in _KEY.findall(match[1]))
    spans = iter([*taken, (len(text), len(text))])
    start, stop = next(spans)
    for match in _BARE.finditer(text):
        while stop <= match.start():
            start, stop = next(spans, (len(text), len(text) + 1))
        if match.start() < start:
            found.append((match.start(), Link("url", match[0].rstrip(".,;:!?)'*_~="))))
    found.sort(key=lambda pair: pair[0])
    yield from (link for _, link in found)


def reference_links(raw: str) -> Iterator[Link]:
    """The links of a property such as `ROAM_REFS`: addresses and `@citekeys`."""
    for word in raw.replace('"', " ").split():
        if word.startswith("@") and len(word) > 1:
            yield Link("cite", word)
        elif _URL.match(word):
            yield Link("url", word)
        elif word.startswith("[cite:"):
            yield from (Link("cite", f"@{key}") for key in _KEY.findall(word))


def without_links(text: str) -> str:
    """A line with each link as the words that it shows."""
    return _LINK.sub(lambda match: match[2] or match[1], text)


def _link(target: str, shown: str) -> Link:
    attrs = {"display": shown} if shown else {}
    kind, colon, rest = target.partition(":")
    kind = kind.lower()
    if _URL.match(target):
        return Link("url", target, None, attrs)
    if colon and kind == "id":
        return Link("link", target, f"id:{nfc(rest.partition('::')[0].strip())}", attrs)
    if colon and kind in ("cite", "citet", "citep"):
        return Link("cite", "@" + rest.strip().lstrip("@&"), None, attrs)
    if colon and kind == "attachment":
        return Link("attachment", rest, None, attrs)
    if colon and kind == "file":
        return Link("link", rest, None, attrs)
    return Link("link", target, None, attrs)


def _without_code(text: str) -> str:
    """The text with blocks of code and verbatim words blanked out; same length."""
    lines = text.split("\n")
    inside = ""
    for number, line in enumerate(lines):
        found = _OPAQUE.match(line) if "#+" in line else None
        if found and found[1].lower() == "begin" and not inside:
            inside = found[2].lower()
        elif found and found[1].lower() == "end" and found[2].lower() == inside:
            inside = ""
        elif inside:
            lines[number] = " " * len(line)
        elif "=" in line or "~" in line:
            lines[number] = _VERBATIM.sub(lambda match: " " * len(match[0]), line)
    return "\n".join(lines)
