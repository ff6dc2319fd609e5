"""Turns the main part of a web page into Markdown, and finds its links.

The tokens are put together again as HTML without what can hurt the tree builder: nothing nested deeper than it can
walk, no comments, scripts or broken tags. BeautifulSoup and markdownify (the extra `docs`) do the rest.
"""

import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any, NamedTuple
from urllib.parse import urljoin, urlsplit

from memhub.model.record import Link
from memhub_importers.dates import source_time
from memhub_importers.documents import library
from memhub_importers.markup import Token, plain, tidy

MAX_TAGS = 50_000  # some seconds of work
_MAX_DEPTH = 120
_MAX_NESTED = 12
_NESTED = ("blockquote", "ul", "ol", "dl", "table")
_VOID = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr")
)
_NO_TEXT = ("head", "title", "script", "style", "noscript", "template", "svg", "iframe", "object", "canvas")
_AROUND = ("nav", "aside", "form", "button", "dialog", "select")
# What ends without a tag of its own where another element begins.
_BLOCKS = ("p", "div", "ul", "ol", "dl", "table", "pre", "blockquote", "article", "section", "hr",
           "h1", "h2", "h3", "h4", "h5", "h6")  # fmt: skip
_ENDS = {
    "li": ("li", "p"), "dt": ("dt", "dd", "p"), "dd": ("dt", "dd", "p"), "option": ("option",),
    "tr": ("tr", "td", "th", "p"), "td": ("td", "th", "p"), "th": ("td", "th", "p"),
    **dict.fromkeys(_BLOCKS, ("p",)),
}  # fmt: skip
_SPACES = re.compile(r"\n{3,}")
_LONG_SPACE = re.compile(r"\s{200,}")  # markdownify takes the square of its length
_LANGUAGE = re.compile(r"(?:^|\s)(?:language|lang|highlight-source)-([\w+#-]{1,40})")
_BREAKS = re.compile(r"[\t\r\n]")  # browsers take them out of addresses
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,30}:")


class Page(NamedTuple):
    """The text as Markdown, its first heading, the first time in it, and the links in the order they stand."""

    text: str
    heading: str
    time: str | None
    links: tuple[Link, ...]
    warnings: tuple[str, ...] = ()


def read_page(stream: Sequence[Token], base: str | None, *, is_full: bool = False) -> Page:
    """The main part of a page: `article`, else `main`, else the body; `is_full` takes all of the body.

    Raises `UnavailableError` without the extra.
    """
    if sum(token.kind == "start" for token in stream) > MAX_TAGS:
        return _plain_page(stream)
    soup = library("bs4", "HTML").BeautifulSoup(f"<html>{_again(stream)}</html>", "html.parser")
    converter = library("markdownify", "HTML")
    for tag in soup.find_all(_NO_TEXT):
        tag.extract()
    for tag in soup.find_all(lambda tag: tag.has_attr("hidden") or tag.get("aria-hidden") == "true"):
        tag.extract()
    main = soup.find("body") or soup if is_full else _main(soup)
    links = _links(main, base)
    heading = main.find("h1")
    time = next((date for tag in main.find_all("time") if (date := source_time(str(tag.get("datetime", ""))))), None)
    text = converter.MarkdownConverter(
        heading_style="ATX", bullets="-", code_language_callback=_language, escape_asterisks=False,
        escape_underscores=False, escape_misc=False,
    ).convert_soup(main)  # fmt: skip
    text = _SPACES.sub("\n\n", "\n".join(line.rstrip() for line in tidy(text).split("\n"))).strip()
    words = " ".join(tidy(heading.get_text(" ")).split()) if heading else ""
    return Page(text, words, time, links)


def _plain_page(stream: Sequence[Token]) -> Page:
    """All text of a page, a line for each block, without the links."""
    parts: list[str] = []
    is_title = False
    for token in stream:
        if token.name == "title":
            is_title = token.kind == "start"
        elif token.kind == "text" and not is_title:
            parts.append(plain(token.data))
        elif token.kind in ("start", "end") and (token.name in _ENDS or token.name == "br"):
            parts.append("\n")
    lines = (" ".join(line.split()) for line in "".join(parts).split("\n"))
    warning = f"more than {MAX_TAGS:,} tags; kept as plain text, without its links"
    return Page("\n".join(line for line in lines if line), "", None, (), (warning,))


def _main(soup: Any) -> Any:
    """The part of the page that is its text: the one article, of several what holds them, else the main part."""
    for tag in soup.find_all(_AROUND):
        tag.extract()
    for tag in soup.find_all(["header", "footer"]):
        if tag.find_parent("article") is None or tag.name == "footer":
            tag.extract()
    articles = [tag for tag in soup.find_all("article") if tag.find_parent("article") is None]
    if len(articles) == 1 and articles[0].get_text(strip=True):
        return articles[0]
    for found in (soup.find("main"), soup.find(attrs={"role": "main"}), soup.find("body")):
        if found is not None and found.get_text(strip=True):
            return found
    return soup


def _links(main: Any, base: str | None) -> tuple[Link, ...]:
    """The links of the main part, made absolute there too; what is no address for a person loses its target."""
    links: dict[tuple[str, str], Link] = {}
    for tag in main.find_all(["a", "img"]):
        is_image = tag.name == "img"
        attribute = "src" if is_image else "href"
        target = tidy(_BREAKS.sub("", str(tag.get(attribute) or ""))).strip()
        resolved = _resolve(target, base)
        if not target or resolved is None:
            if is_image:
                tag.extract()
            elif tag.has_attr("href"):
                del tag["href"]
            continue
        if target.startswith("#"):
            continue
        tag[attribute] = resolved
        shown = " ".join(tidy(str(tag.get("alt") or "") if is_image else tag.get_text(" ")).split())
        kind = "embed" if is_image else "url" if _SCHEME.match(resolved) else "link"
        links.setdefault((kind, resolved), Link(kind, resolved, None, {"display": shown[:500]} if shown else {}))
    return tuple(links.values())


def _resolve(target: str, base: str | None) -> str | None:
    """A target as an absolute address where there is something to start from; None for scripts and data."""
    try:
        resolved = urljoin(base, target) if base else target
        scheme = urlsplit(resolved).scheme.lower()
    except ValueError:
        return None
    return resolved if scheme in ("", "http", "https", "ftp", "mailto", "tel") else None


def _language(tag: Any) -> str:
    """The language of a code block, from the class of it or of the element in it."""
    for found in (tag, tag.find("code")):
        classes = found.get("class") if found is not None else None
        match = _LANGUAGE.search(" ".join(classes) if isinstance(classes, list) else str(classes or ""))
        if match:
            return match[1]
    return ""


def _again(stream: Iterable[Token]) -> str:
    """HTML from tokens: well-formed tags only, none open deeper than the limit, each closed that was opened."""
    parts: list[str] = []
    opened: list[str] = []
    ignored: list[str] = []
    for token in stream:
        made = ""
        while token.kind == "start" and opened and opened[-1] in _ENDS.get(token.name, ()):
            made += f"</{opened.pop()}>"
        if token.kind == "text":
            made = _LONG_SPACE.sub(_short_space, token.data.replace("<", "&lt;").replace(">", "&gt;"))
        elif token.kind == "start" and token.name in _VOID:
            made += _tag(token)
        elif token.kind == "start" and _may_open(token.name, opened):
            opened.append(token.name)
            made += _tag(token)
        elif token.kind == "start":
            ignored.append(token.name)
        elif token.kind == "end" and ignored and ignored[-1] == token.name:
            ignored.pop()
        elif token.kind == "end" and token.name in opened:
            while opened and (name := opened.pop()):
                made += f"</{name}>"
                if name == token.name:
                    break
        parts.append(made)
    return "".join(parts)


def _may_open(name: str, opened: list[str]) -> bool:
    """Whether one more element fits: each list or quote around a text makes the converter write it once more."""
    if len(opened) >= _MAX_DEPTH:
        return False
    return name not in _NESTED or sum(other in _NESTED for other in opened) < _MAX_NESTED


def _short_space(found: re.Match[str]) -> str:
    return "\n\n" if "\n" in found[0] else " "


_KEPT = ("href", "src", "alt", "class", "datetime", "hidden", "aria-hidden", "role", "start", "colspan", "rowspan")


def _tag(token: Token) -> str:
    attrs = "".join(f' {key}="{escape(token.attrs[key][:4000])}"' for key in _KEPT if key in token.attrs)
    return f"<{token.name}{attrs}>"
