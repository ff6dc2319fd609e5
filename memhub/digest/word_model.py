"""Words for what several statements have in common, by a model: believed only where its citations really stand."""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from memhub.digest.derive import Cited
from memhub.digest.material import Member
from memhub.llm import prompts, shapes
from memhub.llm.call import Llm, ModelError
from memhub.pipeline.quotes import occurrences
from memhub.text.clean import clean, one_line
from memhub.text.script import script

LEAST = 2
"""Statements that a model's sentence must cite."""
_SHOWN = 1200
_GO_ON = ("answer", "length", "request")


class Worded(NamedTuple):
    """A title and a statement, and where what they rest on stands."""

    title: str
    content: str
    cited: tuple[Cited, ...]


def worded(llm: Llm, kind: str, found: Sequence[Member]) -> Worded | None:
    """A model's words for these statements; None when it has none that their words bear out.

    Raises `ModelError` when the model cannot be asked at all, `BudgetSpentError` when it may not.
    """
    values = {
        "kind": kind,
        "statements": [
            {"id": f"s{number}", "at": (one.at or "")[:10], "text": one.content[:_SHOWN]}
            for number, one in enumerate(found, 1)
        ],
    }
    try:
        answer = llm.complete(prompts.load("derive"), values, shapes.DERIVE)
    except ModelError as error:
        if error.kind in _GO_ON:
            return None
        raise
    return checked(answer.value, found)


def checked(value: dict[str, Any], found: Sequence[Member]) -> Worded | None:
    """What of an answer can be believed: a statement that cites two statements word for word and adds no number."""
    title, content = one_line(clean(value["title"] or ""), 120), clean(value["statement"] or "").strip()
    by_id = {f"s{number}": member for number, member in enumerate(found, 1)}
    cited: dict[str, Cited] = {}
    for one in value["citations"]:
        member = by_id.get(one["id"])
        place = next(occurrences(member.content, one["quote"]), None) if member is not None else None
        if member is None or place is None:
            return None  # a citation that does not stand makes the whole answer doubtful
        cited.setdefault(member.id, Cited(member, *place))
    said = "\n".join(member.content for member in found)
    is_sound = (
        title and content and len(cited) >= min(LEAST, len(found))
        and len(content) <= 1200 and not _numbers(content) - _numbers(said)
        and script(content) in {"", *(script(member.content) for member in found)}
    )  # fmt: skip
    return Worded(title, content, tuple(cited.values())) if is_sound else None


def _numbers(text: str) -> set[str]:
    return set(re.findall(r"\d+(?:[.,:]\d+)*", text))
