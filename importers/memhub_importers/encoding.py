"""Turns the bytes of a file into text: marks first, then UTF-8, then what old Windows editors wrote."""

import codecs
from typing import NamedTuple
from unicodedata import normalize

from memhub.text.clean import clean

_BINARY_HEAD = 8192
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


class Decoded(NamedTuple):
    """The clean text, the encoding it was in, and what the user should know about it."""

    text: str
    encoding: str
    warnings: tuple[str, ...] = ()


def decode(data: bytes) -> Decoded | None:
    """The text of a file, or None when it is binary (a NUL in its first 8 KiB without a UTF-16 or UTF-32 mark)."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            if encoding == "utf-8":
                data = data[len(mark) :]
                break
            name = encoding.rpartition("-")[0]
            return Decoded(clean(data[len(mark) :].decode(encoding, "replace")), name)
    if b"\0" in data[:_BINARY_HEAD]:
        return None
    try:
        return Decoded(clean(data.decode("utf-8")), "utf-8")
    except UnicodeDecodeError:
        return _not_quite(data)


def nfc(text: str) -> str:
    """`text` in NFC: macOS hands out decomposed file names, other systems composed ones, for the same note."""
    return text if text.isascii() else normalize("NFC", text)


def _not_quite(data: bytes) -> Decoded:
    """Bytes that are not UTF-8: damaged UTF-8 when nearly all of it reads well, else windows-1252 or latin-1."""
    text = data.decode("utf-8", "replace")
    bad = text.count("\ufffd")
    good = sum(not letter.isascii() for letter in text) - bad
    if good >= 10 * bad:
        places = "1 place" if bad == 1 else f"{bad} places"
        return Decoded(clean(text), "utf-8", (f"damaged UTF-8 in {places}, shown as U+FFFD",))
    try:
        return Decoded(clean(data.decode("cp1252")), "cp1252")
    except UnicodeDecodeError:
        return Decoded(clean(data.decode("latin-1")), "latin-1")
