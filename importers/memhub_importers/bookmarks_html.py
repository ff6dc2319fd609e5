"""The bookmark file that browsers export, the Netscape format: lists of links in lists of folders."""

from collections.abc import Iterator

from memhub_importers.bookmark import Entry
from memhub_importers.markup import Token, plain, tokens

MARK = "<!doctype netscape-bookmark-file-1>"
_ROOT_FLAGS = ("personal_toolbar_folder", "unfiled_bookmarks_folder")
_ROOTS = (
    "bookmarks", "bookmarks bar", "bookmarks toolbar", "bookmarks menu", "other bookmarks", "mobile bookmarks",
    "favorites", "favorites bar", "favourites", "favourites bar", "other favorites", "other favourites",
    "bookmarksbar", "bookmarksmenu", "toolbar", "menu", "unfiled",
)  # fmt: skip
_MAX_DEPTH = 100


def is_bookmarks(text: str) -> bool:
    """Whether a text is a Netscape bookmark file."""
    return text.lstrip()[: len(MARK)].lower() == MARK


def entries(text: str) -> Iterator[Entry]:
    """Every `<A>` in file order."""
    outline = _Outline()
    for token in tokens(text):
        done = outline.take(token)
        if done is not None:
            yield done
    done = outline.take(Token("end", "dl"))
    if done is not None:
        yield done


class _Outline:
    """Where a reader of the file is. A folder is open from the `<DL>` after its `<H3>` to the `</DL>` of that list."""

    def __init__(self) -> None:
        self._lists: list[str | None] = []  # the folder that each open list is of; None for one that names nothing
        self._waiting: str | None = None  # the folder whose list has not begun
        self._is_root = False
        self._link: Entry | None = None  # its description may follow
        self._into = ""  # the element whose text comes: a, h3, dd
        self._parts: list[str] = []

    def take(self, token: Token) -> Entry | None:
        """Reads one token; the entry that is complete with it."""
        if token.kind == "text":
            self._parts.append(token.data)
            return None
        if token.kind not in ("start", "end") or not _ends_text(token, self._into):
            self._parts += ["\n"] if token.name == "br" else []
            return None
        self._end_text()
        if token.kind == "start" and token.name == "dd":
            self._into = "dd"
            return None
        if token.kind == "end" and token.name != "dl":
            return None
        done, self._link = self._link, None
        if token.kind == "end":
            self._lists = self._lists[:-1]
        elif token.name == "dl":
            self._lists.append(self._waiting)
            self._waiting = None
        elif token.name == "h3":
            self._is_root = any(token.attrs.get(flag, "").lower() == "true" for flag in _ROOT_FLAGS)
            self._into = "h3"
        elif token.name == "a":
            folders = tuple(name for name in self._lists if name)[:_MAX_DEPTH]
            self._link, self._into = Entry(token.attrs, folders, ""), "a"
        return done

    def _end_text(self) -> None:
        text = plain("".join(self._parts)) if self._into else ""
        words = " ".join(text.split())
        if self._into == "h3":
            is_root = self._is_root or (len(self._lists) < 2 and words.lower() in _ROOTS)
            self._waiting = None if is_root else words
        elif self._link is not None and self._into == "a":
            self._link = self._link._replace(title=words)
        elif self._link is not None and self._into == "dd":
            description = "\n".join(line.rstrip() for line in text.strip().split("\n"))
            self._link = self._link._replace(description=description)
        self._into, self._parts = "", []


def _ends_text(token: Token, into: str) -> bool:
    """Whether a tag ends the title or description before it. Tags that only shape text do not."""
    if token.kind == "end":
        return token.name == "dl" or token.name == into
    return token.name in ("a", "dd", "dl", "dt", "h3", "hr")
