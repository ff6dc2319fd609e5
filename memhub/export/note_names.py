"""Gives each item a file name that every system takes, and no two of them the same one without regard to case."""

import unicodedata

from memhub.model.item import Item

LONGEST = 120
"""Bytes of a file name in UTF-8."""
_RESERVED = {"con", "prn", "aux", "nul", *(f"{name}{number}" for name in ("com", "lpt") for number in range(10))}
_ENDING = ".md"
_WORDS = 60  # characters of a text without title that its name is made of


class Names:
    """The file of each item, from the folder: `<space>/<title>-<last 6 of the id>.md`, in NFC."""

    def __init__(self) -> None:
        self.paths: dict[str, str] = {}
        self._taken: set[str] = set()
        self._folders: dict[str, str] = {}

    def add(self, item: Item) -> None:
        """Name the file of one item."""
        folder = self._folder(item.space)
        words = slug(item.title or item.content.strip()[: 4 * _WORDS].split("\n")[0][:_WORDS]) or item.kind
        for length in range(6, len(item.id) + 1):
            end = f"-{item.id[-length:]}{_ENDING}"
            stem = f"{cut(words, LONGEST - len(end))}{end}"
            if stem.casefold() not in self._taken:
                break
        self._taken.add(stem.casefold())
        self.paths[item.id] = f"{folder}/{stem}"

    def stem(self, identifier: str) -> str:
        """The name by which a `[[link]]` finds the file: unique in the whole folder."""
        return self.paths[identifier].rpartition("/")[2].removesuffix(_ENDING)

    def _folder(self, space: str) -> str:
        if space not in self._folders:
            name = cut(slug(space, lower=False), LONGEST - 8) or "space"
            if name.casefold() in _RESERVED:
                name += "_"
            taken = {folder.casefold() for folder in self._folders.values()}
            number = 2
            free = name
            while free.casefold() in taken:
                free, number = f"{name}-{number}", number + 1
            self._folders[space] = free
        return self._folders[space]


def slug(text: str, *, lower: bool = True) -> str:
    """Letters, digits and marks of `text`, whatever else stands between them as one hyphen."""
    text = unicodedata.normalize("NFC", text)
    text = unicodedata.normalize("NFC", text.lower()) if lower else text
    kept = "".join(char if char == "_" or unicodedata.category(char)[0] in "LNM" else "-" for char in text)
    return "-".join(part for part in kept.split("-") if part)


def cut(text: str, size: int) -> str:
    """`text` cut to `size` bytes of UTF-8, never inside a letter or between it and its marks."""
    if len(text.encode("utf-8", "replace")) <= size:
        return text
    shorter = text.encode("utf-8", "replace")[:size].decode("utf-8", "ignore")
    while shorter and unicodedata.combining(text[len(shorter)]):
        shorter = shorter[:-1]
    return shorter.rstrip("-")
