"""Names of relations: one word in lower case, of letters and digits of any script, `_` and `-`."""

import unicodedata

_MAX_CHARS = 64


def relation_name(word: str) -> str:
    """A relation as it is stored: NFC, lower case, `_` for white space."""
    return "_".join(unicodedata.normalize("NFC", word).lower().split())


def is_relation(name: str) -> bool:
    """Whether a name can be stored; it has at most 64 characters."""
    return 0 < len(name) <= _MAX_CHARS and all(_is_of_word(letter) for letter in name)


def as_relation(words: str) -> str:
    """Words of a source as a name: `_` for what a name cannot hold; nothing when nothing is left."""
    spaced = "".join(letter if _is_of_word(letter) else " " for letter in unicodedata.normalize("NFC", words).lower())
    return "_".join(spaced.split())[:_MAX_CHARS].strip("_-")


def _is_of_word(letter: str) -> bool:
    return letter.isalnum() or letter in "_-" or unicodedata.category(letter).startswith("M")
