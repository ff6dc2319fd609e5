"""Names that are marked as such: addresses, files, code, handles, tags."""

import re
from collections.abc import Callable
from typing import NamedTuple


class Candidate(NamedTuple):
    """A name in a text and where it stands. One that is not strong is a name only when more texts have it."""

    name: str
    type: str
    start: int
    stop: int
    is_strong: bool = True


_FENCE = re.compile(r"^(```|~~~).*?(?:^\1[ \t]*$|\Z)", re.M | re.S)
_URL = re.compile(
    r"\b(?:https?|ftp|ssh|git)://(?:[^\s/@]+@)?([\w.-]+\.[a-z]{2,}|localhost)(?::\d+)?(?:/[^\s<>\"'）)，。；、」》]*)?",
    re.I,
)
_BARE_HOST = re.compile(
    r"(?<![\w@./-])((?:[a-z0-9-]+\.)+(?:com|org|net|io|dev|edu|gov|cn|de|co\.uk|ai|app|me|info|"
    r"eu))(?![\w.-]*@)(?:/[\w./?=&%#-]*)?(?![\w-])"
)
_MAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+")
_TICKS = re.compile(r"`([^`\n]{1,80})`")
_PATH = re.compile(
    r"(?<![\w/.])(?:(?:~|\.{1,2})?/(?!/)[\w.@+-]+(?:/[\w.@+-]+)+/?|~/[\w.@+-]+/?|"
    r"(?:[\w@+-][\w.@+-]*/)+[\w@+-][\w.@+-]*\.[A-Za-z]\w{0,5}|"
    r"[\w+-][\w.+-]*\.(?:py|js|ts|tsx|jsx|rs|go|c|h|cpp|hpp|java|kt|rb|sh|sql|md|txt|toml|yaml|yml|json|csv|xml|"
    r"html|css|lock|ini|cfg|conf|log|pdf|docx?|xlsx?|pptx?|png|jpe?g|svg|zip|ipynb|tex|bib|db|sqlite|env))"
    r"(?![\w/])"
)
_CODE = re.compile(
    r"(?<![\w.])(?:[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*\(\)|_{0,2}[a-z][a-z0-9]*(?:_[a-z0-9]+)+_{0,2}|"
    r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[a-z]+(?:[A-Z][a-z0-9]+)+|(?:[A-Z][a-z0-9]+)+(?:Error|Exception|Handler|"
    r"Manager|Service|Factory|Controller|Client|Parser|Builder|Iterator|Listener|Provider|Config|"
    r"Adapter))(?![\w(])"
)
_IN_TICKS = re.compile(
    r"[A-Za-z_][\w.]*(?:\(\)|\([^()]{0,40}\))|[A-Za-z]\w*(?:_\w+)+|_\w+|[a-z]+(?:[A-Z][a-z0-9]+)+|"
    r"(?:[A-Z][a-z0-9]+){2,}|[A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+|[a-z_]\w*(?:\.[a-z_]\w*)+"
)
_HANDLE = re.compile(r"(?<![\w@./`])@([A-Za-z][\w-]{1,38}(?:\.[\w-]+)*)(?![\w@/(])")
_TAG = re.compile(r"(?<![^\s(（「『【《〈])#(?=[^\s#!])((?!\d+\b)[^\W_][\w/-]*)")
_COLOUR = re.compile(r"[0-9a-fA-F]{3}(?:[0-9a-fA-F]{3})?$")
_BRANDS = frozenset(
    {
        "iPhone",
        "iPad",
        "iOS",
        "macOS",
        "eBay",
        "iCloud",
        "tvOS",
        "watchOS",
        "iMac",
        "eSIM",
        "iTunes",
        "iMessage",
        "bioRxiv",
        "arXiv",
        "tRNA",
        "mRNA",
    }
)


_Read = Callable[[re.Match[str]], Candidate | None]


def marked(text: str) -> tuple[list[Candidate], str]:
    """Names that are marked as such, and the text with all of these places blanked."""
    found: list[Candidate] = []
    rest = _FENCE.sub(_blank, text) if "```" in text or "~~~" in text else text
    if "://" in rest or "." in rest:
        rest = _take(_URL, rest, found, _host)
        rest = _MAIL.sub(_blank, rest) if "@" in rest else rest
        rest = _take(_BARE_HOST, rest, found, _host)
    if "`" in rest:
        rest = _take(_TICKS, rest, found, _ticked)
    if "/" in rest or "." in rest:
        rest = _take(_PATH, rest, found, _path)
    if "@" in rest:
        rest = _take(_HANDLE, rest, found, lambda match: Candidate(match.group(), "person", *match.span()))
    if "#" in rest:
        rest = _take(_TAG, rest, found, _tag)
    return found, _take(_CODE, rest, found, _code)


def _blank(match: re.Match[str]) -> str:
    return "\x00" * len(match.group())


def _take(pattern: re.Pattern[str], text: str, found: list[Candidate], read: _Read) -> str:
    """Collect what `read` makes of each match, and blank these matches."""

    def take(match: re.Match[str]) -> str:
        one = read(match)
        if one is None:
            return match.group()
        if one.name:
            found.append(one)
        return _blank(match)

    return pattern.sub(take, text)


def _host(match: re.Match[str]) -> Candidate:
    host = match[1].lower().removeprefix("www.")
    is_local = host == "localhost" or host.replace(".", "").isdigit()
    return Candidate("" if is_local else host, "site", match.start(1), match.end(1))


def _ticked(match: re.Match[str]) -> Candidate | None:
    inside = match[1].strip()
    if _PATH.fullmatch(inside):
        return Candidate(inside, "file", *match.span(1))
    if _IN_TICKS.fullmatch(inside):
        return Candidate(re.sub(r"\(.*\)$", "()", inside), "code", *match.span(1))
    if inside.isidentifier() and inside[:1].isupper():
        return None  # `Docker`: as if it stood there without marks
    return Candidate("", "", *match.span())


def _path(match: re.Match[str]) -> Candidate | None:
    name = match.group().rstrip("./")
    if re.fullmatch(r"[\d./-]+", name) or re.fullmatch(r"(?:Node|Next|Vue|D3|Three|Nuxt|Express|Deno|Chart)\.js", name):
        return None
    if "/" in name and "." not in name and not name.startswith(("/", "~", ".")):
        return None
    return Candidate(name, "file", match.start(), match.start() + len(name))


def _tag(match: re.Match[str]) -> Candidate | None:
    name = match[1].rstrip("-/")
    if _COLOUR.match(name) and any(char.isdigit() for char in name):
        return None
    return Candidate(f"#{name}", "concept", match.start(), match.start() + 1 + len(name))


def _code(match: re.Match[str]) -> Candidate | None:
    return None if match.group() in _BRANDS else Candidate(match.group(), "code", *match.span())
