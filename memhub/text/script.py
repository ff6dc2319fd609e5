"""Which script a text is mainly written in: words of one cannot match a text in another."""

import re
from functools import cache

_SAMPLE = 400
_CLASSES = (
    ("latin", 1, "[A-Za-z\u00c0-\u024f\u1e00-\u1eff]"),
    ("han", 3, "[\u3041-\u30ff\u3105-\u312f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"),
    ("hangul", 3, "[\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3]"),
    ("cyrillic", 1, "[\u0400-\u052f]"),
    ("greek", 1, "[\u0370-\u03ff]"),
    ("arabic", 1, "[\u0600-\u06ff\u0750-\u077f]"),
    ("hebrew", 1, "[\u0590-\u05ff]"),
    ("thai", 1, "[\u0e00-\u0e7f]"),
    ("indic", 1, "[\u0900-\u0dff]"),
)


@cache
def _pattern(name: str) -> re.Pattern[str]:
    """Compiled for the first text that is not plain ASCII."""
    return re.compile(next(letters for known, _, letters in _CLASSES if known == name))


def script(text: str) -> str:
    """The name of the script with most letters in the first 400 characters; a Chinese character weighs three Latin
    letters, about what one says. Empty for a text without letters.
    """
    sample = text[:_SAMPLE]
    if sample.isascii():
        return "latin" if any(map(str.isalpha, sample)) else ""
    counts = {name: weight * len(_pattern(name).findall(sample)) for name, weight, _ in _CLASSES}
    best = max(counts, key=lambda name: counts[name])
    return best if counts[best] else ""
