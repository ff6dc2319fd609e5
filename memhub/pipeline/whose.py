"""Whose words a passage of a conversation is: only what a user said or clearly confirmed may become a statement.

An assistant's sentence counts when the user's next turn begins by confirming it. "OK", "thanks" and 好 only say that
somebody listened. A user who quotes the assistant has not said it either.
"""

import re

from memhub.model.judging import Source, Span, Text
from memhub.pipeline.quotes import occurrences

NEAR_END = 300
"""Characters before the end of an assistant's turn that a short "yes" can be about."""

_YES = re.compile(
    r"\s*(?:(?:yes|yep|yeah|right|correct|exactly|indeed|agreed|confirmed|true|that(?:'|’)?s (?:right|correct|true|it)|"
    r"that is (?:right|correct|true)|i confirm)(?=\s*(?:[,.!;:—–-]|$))|"
    r"(?:对的?|没错|是的|正确|确认|同意|就这样|就这么办|就这么定了?|完全正确|说得对)(?=\s*(?:[，。！；,.!;：~～]|$)))",
    re.IGNORECASE | re.MULTILINE,
)
_BUT = re.compile(
    r"\b(?:but|except|however|not quite|wrong|didn(?:'|’)?t|never|no)\b|但|不过|可是|然而|不对|不是|没有|错", re.I
)
_OPENING, _CLOSING = "\"“„「『《'‘", "\"”“」』》'’"


def refusal(source: Source, span: Span) -> str:
    """Why the passage is not the user's word; empty when it is."""
    number = next(n for n, text in enumerate(source.texts) if (text.item, text.version) == (span.item, span.version))
    text = source.texts[number]
    if any(start < span.stop and span.start < stop for start, stop in text.hidden):
        return "it stands in injected context"
    if text.role == "assistant":
        return "" if _is_confirmed(source, number, span) else "the assistant said it, and the user did not confirm it"
    if text.role != "user":
        return f"a turn of the role `{text.role}` is nobody's statement"
    if _is_borrowed(source, text, span):
        return "the user quotes the assistant"
    return ""


def _is_confirmed(source: Source, number: int, span: Span) -> bool:
    if len(source.texts[number].content) - span.stop > NEAR_END:
        return False
    for later in source.texts[number + 1 :]:
        if later.role == "user":
            yes = _YES.match(later.content)
            opening = re.split(r"(?<=[.!?。！？\n])", later.content[yes.end() :], maxsplit=2) if yes else []
            return yes is not None and not _BUT.search("".join(opening[:2]))
        if later.role == "assistant":
            return False
    return False


def _is_borrowed(source: Source, text: Text, span: Span) -> bool:
    """Whether the passage stands in quotation marks, or behind `>`, and an assistant wrote it."""
    line = text.content.rfind("\n", 0, span.start) + 1
    before, after = text.content[line : span.start], text.content[span.stop : span.stop + 200].partition("\n")[0]
    is_quoted = any(
        end in after and (before.count(mark) % 2 == 1 if mark == end else before.rfind(mark) > before.rfind(end))
        for mark, end in zip(_OPENING, _CLOSING, strict=True)
    )
    if not is_quoted and not before.lstrip().startswith(">"):
        return False
    words = text.content[span.start : span.stop]
    return any(
        next(occurrences(other.content, words), None) is not None for other in source.texts if other.role == "assistant"
    )
