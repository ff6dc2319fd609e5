"""Reads HTML as tokens: linear in time for whatever is in the file, which the parser of the standard library is not."""

import codecs
import re
from collections.abc import Iterator, Mapping
from html import unescape
from typing import NamedTuple
from urllib.parse import urlsplit, urlunsplit

from memhub.model import EMPTY
from memhub.text.clean import clean
from memhub_importers.encoding import Decoded, decode, nfc

_HEAD = 1024
_CHARSET = re.compile(rb"(?:charset|encoding)\s{0,20}=\s{0,20}[\"']?\s{0,20}([A-Za-z0-9_.:-]{2,40})", re.IGNORECASE)
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9:-]{0,60}")
_SPACE = re.compile(r"[\s/]*")
_ATTRIBUTE = re.compile(r"([^\s\"'<>/=]{1,200})[^\s\"'<>/=]*(?:\s*=\s*(?:([\"'])|([^\s\"'<>]*)))?")
_RAW = ("script", "style")
_NO_WIDTH = re.compile("[\u200b\ufeff]")
_PORTS = {"http": ":80", "https": ":443", "ftp": ":21"}


class Token(NamedTuple):
    """`kind`: text, start, end, comment, raw. `data` is the text as written, or what is inside a comment or script.

    Names of tags and attributes are in lower case, values of attributes without their references (`&amp;`).
    """

    kind: str
    name: str = ""
    attrs: Mapping[str, str] = EMPTY
    data: str = ""


def decode_markup(data: bytes) -> Decoded | None:
    """The text of an HTML file: its mark, the charset it declares, UTF-8, windows-1252; None when it is binary."""
    found = _CHARSET.search(data[:_HEAD])
    if found and not data.startswith((codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding = _encoding(found[1].decode("ascii"))
        if encoding and encoding != "utf-8" and b"\0" not in data[:8192]:
            try:
                return Decoded(clean(data.decode(encoding)), encoding)
            except (UnicodeError, ValueError):
                pass
    return decode(data)


def tokens(text: str) -> Iterator[Token]:
    """The tokens of an HTML text. What is no markup after all is text."""
    finder = _Finder(text)
    position = start = 0  # text[start:position] is text that was not handed out yet
    while (position := finder.find("<", position)) >= 0:
        token, stop = _token(text, position, finder)
        if token is not None:
            if start < position:
                yield Token("text", data=text[start:position])
            yield token
            start = stop
        position = stop
    if start < len(text):
        yield Token("text", data=text[start:])


def plain(markup_text: str) -> str:
    """Text of HTML as it is stored, its references (`&amp;`) resolved."""
    return tidy(unescape(markup_text) if "&" in markup_text else markup_text)


def tidy(text: str) -> str:
    """Text that came from HTML as it is stored: no-break spaces as spaces, nothing without width."""
    return clean(_NO_WIDTH.sub("", text.replace("\xa0", " ")))


def normal_url(url: str) -> str:
    """`url` as an id: scheme and host in lower case, no default port, `/` for an empty path; the rest is kept."""
    url = nfc(clean(url).strip())
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    if not parts.netloc:
        return url
    scheme = parts.scheme.lower()
    user, at, host = parts.netloc.rpartition("@")
    host = host.lower().removesuffix(_PORTS.get(scheme, ":"))
    return urlunsplit((scheme, user + at + host, parts.path or "/", parts.query, parts.fragment))


class _Finder:
    """Finds needles in a text from growing positions, looking at no part of it twice for the same needle."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._next: dict[str, int] = {}
        self._raw: dict[str, int] = {}

    def find(self, needle: str, position: int) -> int:
        known = self._next.get(needle, 0)
        if known < 0 or (known >= position and needle in self._next):
            return known
        self._next[needle] = found = self.text.find(needle, position)
        return found

    def find_end(self, name: str, position: int) -> int:
        """Where `</name` is next, in any case."""
        known = self._raw.get(name, 0)
        if known < 0 or (known >= position and name in self._raw):
            return known
        found = re.compile(f"</{name}(?![A-Za-z0-9])", re.IGNORECASE).search(self.text, position)
        self._raw[name] = found.start() if found else -1
        return self._raw[name]


def _token(text: str, position: int, finder: _Finder) -> tuple[Token | None, int]:
    """The token that begins at `position` and where it ends; None when it is text up to there."""
    if text.startswith("<!--", position):
        stop = finder.find("-->", position + 4)
        return (Token("comment", data=text[position + 4 : stop]), stop + 3) if stop >= 0 else (None, position + 4)
    if text.startswith(("<!", "<?"), position):
        stop = finder.find(">", position)
        return (Token("comment"), stop + 1) if stop >= 0 else (None, position + 2)
    is_end = text.startswith("</", position)
    found = _NAME.match(text, position + 1 + is_end)
    if not found:
        return None, position + 1
    name = found[0].lower()
    if is_end:
        stop = finder.find(">", found.end())
        return (Token("end", name), stop + 1) if stop >= 0 else (None, position + 2)
    attrs, stop = _attributes(text, found.end(), finder)
    if attrs is None:
        return None, stop
    if name in _RAW:
        end = finder.find_end(name, stop)
        if end >= 0:
            closing = finder.find(">", end)
            return Token("raw", name, attrs, text[stop:end]), closing + 1 if closing >= 0 else len(text)
    return Token("start", name, attrs), stop


def _attributes(text: str, position: int, finder: _Finder) -> tuple[dict[str, str] | None, int]:
    """The attributes of a tag and where it ends; None when another tag or the end of the file comes first."""
    attrs: dict[str, str] = {}
    while True:
        space = _SPACE.match(text, position)
        position = space.end() if space else position
        if position >= len(text):
            return None, position
        if text[position] == ">":
            return attrs, position + 1
        if text[position] == "<":
            return None, position
        found = _ATTRIBUTE.match(text, position)
        if not found:
            position += 1  # a quote or an equals sign out of place
            continue
        position = found.end()
        value = found[3] or ""
        if found[2]:
            stop = finder.find(found[2], position)
            if stop < 0:
                continue
            value, position = text[position:stop], stop + 1
        attrs.setdefault(found[1].lower(), unescape(value) if "&" in value else value)


def _encoding(label: str) -> str | None:
    """The codec for a charset label; browsers read latin-1 as windows-1252. None for what is no charset for bytes."""
    try:
        codec = codecs.lookup(label)
    except (LookupError, ValueError):
        return None
    name = codec.name
    if not getattr(codec, "_is_text_encoding", True) or name.startswith(("utf-16", "utf-32", "utf-7")):
        return None
    if name.replace("_", "-") in (
        "idna",
        "punycode",
        "unicode-escape",
        "raw-unicode-escape",
        "undefined",
        "mbcs",
        "oem",
    ):
        return None
    return "cp1252" if name in ("iso8859-1", "ascii") else name
