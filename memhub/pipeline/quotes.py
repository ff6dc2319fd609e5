"""Finds in a text what somebody says they quote from it.

White space may differ, and straight and curly quotation marks count as equal; nothing else may. A quote does not begin
or end inside a word or a number: `Invoice 22` is not in `Invoice 2231`.
"""

import re
from collections.abc import Iterator

LONGEST = 4000
_UNSPACED = "\u3001-\u303f\u3041-\u30ff\u3105-\u312f\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff01-\uff65"
_LETTER = rf"[^\W{_UNSPACED}]"
_IS_UNSPACED = re.compile(f"[{_UNSPACED}\U00020000-\U0003ffff]")
_ENDS = " \t\n.,;:!?…\"'“”‘’。，；：！？、「」"
_MARKS = {**dict.fromkeys('"“”„', '["“”„]'), **dict.fromkeys("'‘’", "['‘’]")}


def occurrences(text: str, quote: str) -> Iterator[tuple[int, int]]:
    """Where `quote` stands in `text`, as (start, stop); where it stands nowhere, the same without its outer marks."""
    found = False
    for wanted in dict.fromkeys((quote.strip(), quote.strip(_ENDS))):
        if not wanted or len(wanted) > LONGEST:
            continue
        for match in re.finditer(_pattern(wanted), text):
            found = True
            yield match.start(), match.end()
        if found:
            return


def _pattern(quote: str) -> str:
    pieces: list[str] = []
    before = ""
    for word in quote.split():
        for number, char in enumerate(word):
            if before:
                loose = _IS_UNSPACED.match(before) or _IS_UNSPACED.match(char)
                if number == 0:
                    pieces.append(r"\s*" if loose else r"\s+")
                elif loose:
                    pieces.append(r"\s*")
            pieces.append(_MARKS.get(char) or re.escape(char))
            before = char
    return _start(quote[0]) + "".join(pieces) + _stop(quote[-1])


def _start(char: str) -> str:
    if char.isdigit():
        return rf"(?<!{_LETTER})(?<![0-9][.,:])"
    return rf"(?<!{_LETTER})" if re.match(_LETTER, char) else ""


def _stop(char: str) -> str:
    if char.isdigit():
        return rf"(?!{_LETTER})(?![.,:][0-9])"
    return rf"(?!{_LETTER})" if re.match(_LETTER, char) else ""
