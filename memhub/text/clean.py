"""Makes foreign text safe: `clean` before it is stored, `terminal_safe` before it is printed, `fit` into columns.

Stored text is data from outside. Control characters and terminal escape sequences go when it is stored, so that no
later reader has to think of them; what is left and can still mislead (bidi overrides) is kept in storage, because
right-to-left writers need the marks, and is made visible on a terminal.
"""

import re
from collections.abc import Iterator

# `re` compiles the patterns that are strings when they are first needed: most texts need none of them.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_LINE_END = "\r\n?|[\x0b\x0c\x85]"
# A sequence is removed whole; one that never ends loses only its introducer. No part can match across another
# introducer, so that a text made of introducers alone still takes linear time.
_ESCAPE = (
    "\x1b\\[[0-?]*[ -/]*[@-~]"
    "|\x9b[0-?]+[ -/]*[@-~]"
    "|(?:\x1b[\\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x90\x98\x9c-\x9f\n]*(?:\x07|\x9c|\x1b\\\\)"
    "|\x1b[ -/]*[0-~]"
    "|[\x00-\x08\x0b-\x1f\x7f-\x9f]"
)
_SURROGATE = "[\ud800-\udfff]"
_BIDI = "[\u202a-\u202e\u2066-\u2069]"
_SPACE = r"\s+"
_JOINER = "\u200d"
_EMOJI_STYLE = "\ufe0f"
ELLIPSIS = "…"
_NO_WIDTH = ("Mn", "Me", "Cf", "Cc")


def clean(text: str) -> str:
    """`text` as it is stored; cleaning it again changes nothing.

    Escape sequences and C0/C1 controls other than tab and newline go (vertical tab, form feed and NEL separate lines
    and become newlines), CRLF and CR become LF, a byte order mark at the start goes, and a lone surrogate, which UTF-8
    cannot hold, becomes U+FFFD. U+2028, joiners, bidi marks and every letter stay.
    """
    if _CONTROL.search(text):
        text = re.sub(_LINE_END, "\n", text)
        text = re.sub(_ESCAPE, "", text)
        if re.search(_SURROGATE, text):
            text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text.lstrip("\ufeff") if text.startswith("\ufeff") else text


def terminal_safe(text: str) -> str:
    """`text` for a terminal: nothing in it moves the cursor, colours, or turns the writing direction around.

    Bidi embeddings, overrides and isolates are shown as `<U+202E>`; tab and newline stay.
    """
    if text.isascii() and text.isprintable():
        return text
    text = clean(text)
    return re.sub(_BIDI, lambda found: f"<U+{ord(found.group()):04X}>", text)


def one_line(text: str, width: int | None = None) -> str:
    """`text` on one line, runs of white space as one space, cut to `width` columns when given.

    Looks only at as much of a long text as the width can need.
    """
    if width is not None and len(text) > 32 * width + 256:
        text = text.lstrip()[: 32 * width + 256]
    text = re.sub(_SPACE, " ", text).strip()
    return text if width is None else fit(text, width)


def display_width(text: str) -> int:
    """Terminal columns that `text` takes: 2 for wide letters and emoji, 0 for marks and joiners."""
    if text.isascii():
        return len(text)
    return sum(_cells(text))


def fit(text: str, columns: int) -> str:
    """`text` cut to `columns` terminal columns, the last of them an ellipsis when something was cut off.

    A letter is never parted from its marks, nor an emoji sequence taken apart.
    """
    if columns <= 0:
        return ""
    if len(text) <= columns and text.isascii():
        return text
    used = 0
    cut = 0  # how many characters fit beside the ellipsis
    for position, cells in enumerate(_cells(text)):
        if cells and used < columns and (position == 0 or text[position - 1] != _JOINER):
            cut = position
        used += cells
        if used > columns:
            return text[:cut].rstrip() + ELLIPSIS
    return text


def _cells(text: str) -> Iterator[int]:
    """The columns that each character of `text` adds, in order; computed as they are asked for.

    Near `wcwidth`: what follows a joiner and a skin tone after an emoji add nothing, an emoji selector widens the
    character before it.
    """
    from unicodedata import category, east_asian_width

    before, last = "", 0
    for letter in text:
        code = ord(letter)
        if 0x20 <= code < 0x300:
            cells = 1
        elif letter == _EMOJI_STYLE:
            cells = 1 if last == 1 and ord(before) > 0xFF else 0
        elif before == _JOINER or (0x1F3FB <= code <= 0x1F3FF and last == 2) or category(letter) in _NO_WIDTH:
            cells = 0
        else:
            cells = 2 if east_asian_width(letter) in "WF" else 1
        yield cells
        before, last = letter, cells
