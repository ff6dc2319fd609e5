"""Turns the main part of a web page into Markdown, and finds its links.

The tokens are put together again as HTML without what can hurt the tree builder: nothing nested deeper than it can
walk, no comments, scripts or broken tags. BeautifulSoup and markdownify (the extra `docs`) do the rest.
"""

import re
from collections.abc import Iterable
from html import escape
from typing import Any, NamedTuple
from urllib.parse import urljoin, urlsplit

from memhub.model.record import Link
from memhub_importers.dates import source_time
from memhub_importers.documents import library
from memhub_importers.markup import Token, tidy

_MAX_DEPTH = 120
_MAX_MAIN = 20_000_000
_VOID = frozenset(
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"]
)
_DROPPED = ("script", "style", "noscript", "template", "nav", "aside", "form", "svg", "iframe", "button", "dialog",
            "object", "canvas", "select")  # fmt: skip
# What ends without a tag of its own where another element begins.
_ENDS = {
    "li": ("li", "p"), "dt": ("dt", "dd", "p"), "dd": ("dt", "dd", "p"), "option": ("option",),
    "tr": ("tr", "td", "th", "p"), "td": ("td", "th", "p"), "th": ("td", "th", "p"),
    **dict.fromkeys(["p", "div", "ul", "ol", "dl", "table", "pre", "blockquote", "article", "section", "h1", "h2", "h3", "h4", "h5", "h6", "hr"], ("p",)),
}  # fmt: skip
_SPACES = re.compile(r"\n{3,}")
_TRAILING = re.compile(r"[ \t]+$", re.MULTILINE)
_LANGUAGE = re.compile(r"(?:^|\s)(?:language|lang|highlight-source)-([\w+#-]{1,40})")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,30}:")


class Page(NamedTuple):
    """The text as Markdown, its first heading, the first time in it, and the links in the order they stand."""

    text: str
    heading: str
    time: str | None
    links: tuple[Link, ...]
    warnings: tuple[str, ...] = ()


def read_page(stream: Iterable[Token], base: str | None) -> Page:
    """The main part of a page: `article`, else `main`, else the body. Raises `UnavailableError` without the extra."""
    soup = library("bs4", "HTML").BeautifulSoup(f"<html>{_again(stream)}</html>", "html.parser")
    converter = library("markdownify", "HTML")
    for tag in soup.find_all(["head", "title", *_DROPPED]):
        tag.extract()
    for tag in soup.find_all(["header", "footer"]):
        if tag.find_parent("article") is None or tag.name == "footer":
            tag.extract()
    for tag in soup.find_all(lambda tag: tag.has_attr("hidden") or tag.get("aria-hidden") == "true"):
        tag.extract()
    main = _main(soup)
    links = _links(main, base)
    heading = main.find("h1")
    time = next((date for tag in main.find_all("time") if (date := source_time(str(tag.get("datetime", ""))))), None)
    text = converter.MarkdownConverter(
        heading_style="ATX", bullets="-", code_language_callback=_language, escape_asterisks=False,
        escape_underscores=False, escape_misc=False,
    ).convert_soup(main)  # fmt: skip
    text = _SPACES.sub("\n\n", _TRAILING.sub("", tidy(text))).strip()
    words = " ".join(tidy(heading.get_text(" ")).split()) if heading else ""
    return Page(text, words, time, links)


def _main(soup: Any) -> Any:
    """The part of the page that is its text: the one article, of several what holds them, else the main part."""
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
        target = " ".join(tidy(str(tag.get(attribute) or "")).split())
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
    size = ignored = 0
    for token in stream:
        if size > _MAX_MAIN:
            break
        made = ""
        while token.kind == "start" and opened and opened[-1] in _ENDS.get(token.name, ()):
            made += f"</{opened.pop()}>"
        if token.kind == "text":
            made = token.data.replace("<", "&lt;").replace(">", "&gt;")
        elif token.kind == "start" and token.name in _VOID:
            made += _tag(token)
        elif token.kind == "start" and len(opened) < _MAX_DEPTH:
            opened.append(token.name)
            made += _tag(token)
        elif token.kind == "start":
            ignored += 1
        elif token.kind == "end" and ignored:
            ignored -= 1
        elif token.kind == "end" and token.name in opened:
            while opened and (name := opened.pop()):
                made += f"</{name}>"
                if name == token.name:
                    break
        size += len(made)
        parts.append(made)
    return "".join(parts)


_KEPT = ("href", "src", "alt", "class", "datetime", "hidden", "aria-hidden", "role", "start", "colspan", "rowspan")


def _tag(token: Token) -> str:
    attrs = "".join(f' {key}="{escape(token.attrs[key][:4000])}"' for key in _KEPT if key in token.attrs)
    return f"<{token.name}{attrs}>"
