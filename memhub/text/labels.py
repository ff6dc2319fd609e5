"""The one rule for labels: what counts as a `#label` in a text, how a label is spelt, and when two are the same.

A label in a text is `#` and a word, where the `#` stands at the start of a line, after white space, or after one of the
opening brackets `( （ 「 『 【 《 〈` (an ASCII bracket only where it opens a word itself: `f(#x)` is none).
The word is made of letters and digits of any script, their marks, emoji, `_`, `-`, and `/` for nesting; a `-` or `/` at
its end is punctuation. Not a label: digits only, a hex colour, anything in code, math, an address, HTML or a link
target, `\\#`, `##`, and a heading, whose `#` is followed by a space. `memhub.text.masks` blanks out code and HTML.
"""

import re

MAX_LABEL = 100
# Strings, which `re` compiles when they are first needed: most texts that are typed hold no `#`.
_CANDIDATE = r"(?<![^\s(（「『【《〈])#(?=[^\s#!])"
_TARGET = (  # of wikilinks, links, link definitions on a line of their own, and addresses in angle brackets
    r"!?\[\[[^\[\]\n]{1,500}\]\]|\]\([^()\n]{0,2000}\)|<[a-z][a-z0-9+.-]{1,30}:[^<>\s]{1,2000}>"
    r"|(?m:^ {0,3}\[[^\[\]\n]{1,300}\]:[ \t]*\S{1,2000}(?:[ \t]+[\"'(][^\n]{0,500})?[ \t]*$)"
)
_PLAIN = r"[A-Za-z0-9_/-]+"
_COLOUR = r"(?i)(?:[0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})"
_SAME_PAIRS = r"(?i)(?:([0-9a-f])\1){3,4}|([0-9a-f])\2\2"


def normalise(label: str) -> str:
    """`label` as it is stored: without `#` before it, NFC, single spaces; empty when nothing is left.

    Takes what a person or a source named as a label, so digits and spaces are allowed; see `is_label`.
    """
    label = " ".join(label.split()).lstrip("#").strip(" /")
    if not label.isascii():
        from unicodedata import normalize

        label = normalize("NFC", label)
    return label[:MAX_LABEL].rstrip(" /")


def label_key(label: str) -> str:
    """What two spellings of one label have in common: NFC and case-folded."""
    label = normalise(label)
    if label.isascii():
        return label.lower()
    from unicodedata import normalize

    return normalize("NFC", label.casefold())


def is_label(label: str) -> bool:
    """Whether `label`, already normalised, is one in a text or a foreign source: neither a number nor a colour."""
    return bool(label) and not label.isdigit() and not _is_colour(label)


def find_labels(text: str, masked: str | None = None) -> tuple[str, ...]:
    """The labels marked in a Markdown text, each once, in the spelling seen first. The text is not changed.

    `masked` is `mask_markup(text)` when the caller has it already.
    """
    if "#" not in text:
        return ()
    if masked is None:
        from memhub.text.masks import mask_markup

        masked = mask_markup(text)
    if "[" in masked or "<" in masked or "](" in masked:
        masked = re.sub(_TARGET, lambda found: "\0" * len(found.group()), masked)
    found: dict[str, str] = {}
    for mark in re.finditer(_CANDIDATE, masked):
        if _opens_a_word(masked, mark.start()):
            label = normalise(_word(masked, mark.end()))
            if is_label(label):
                found.setdefault(label_key(label), label)
    return tuple(found.values())


def unique_labels(labels: "list[str] | tuple[str, ...]") -> tuple[str, ...]:
    """`labels` normalised, without empty ones, each once in the spelling seen first."""
    found: dict[str, str] = {}
    for label in map(normalise, labels):
        if label:
            found.setdefault(label_key(label), label)
    return tuple(found.values())


def _opens_a_word(text: str, position: int) -> bool:
    """Whether the `#` at `position` is not glued to a word by an ASCII bracket, as in `f(#x)`."""
    while position and text[position - 1] == "(":
        position -= 1
        if position and not text[position - 1].isspace() and text[position - 1] not in "(（「『【《〈":
            return False
    return True


def _word(text: str, start: int) -> str:
    """The longest run of label characters at `start`; nothing when it is too long to be a word someone marked."""
    plain = re.compile(_PLAIN).match(text, start, start + MAX_LABEL + 1)
    stop = plain.end() if plain else start
    if stop < len(text) and not text[stop].isascii():
        while stop < len(text) and stop - start <= MAX_LABEL and _is_label_character(text[stop]):
            stop += 1
    return text[start:stop].rstrip("-/") if stop - start <= MAX_LABEL else ""


def _is_label_character(letter: str) -> bool:
    if letter.isalnum() or letter in "_-/\u200d\ufe0f":
        return True
    if letter.isascii():
        return False
    from unicodedata import category

    kind = category(letter)
    return kind in ("Mn", "Mc", "Me") or (ord(letter) >= 0x2190 and kind in ("So", "Sk"))


def _is_colour(label: str) -> bool:
    """`a1b2c3` and `fff`: 3, 6 or 8 hex digits with a decimal digit among them, or all the same, or in pairs."""
    if not re.fullmatch(_COLOUR, label):
        return False
    return any(letter.isdigit() for letter in label) or bool(re.fullmatch(_SAME_PAIRS, label))
