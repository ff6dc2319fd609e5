"""Answers a question from what a search found: with a model in sentences whose sources were checked, else by these."""

from typing import Any

from memhub.digest.cited import cited
from memhub.errors import UnavailableError
from memhub.llm.call import Llm
from memhub.model.answered import Answered
from memhub.model.found import Found, Hit
from memhub.text.redact import mask
from memhub.text.script import script

BEFORE, AFTER = 400, 1100
"""Characters of a long text before and after what was found in it that a model reads."""


def ask(question: str, found: Found, llm: Llm | None) -> Answered:
    """The answer to a question from these hits. Without a model, or when none of its sentences holds, only the hits."""
    bare = Answered(question, (), found.hits, None, found.notices)
    if llm is None or not found.hits:
        return bare
    texts = [passage(hit) for hit in found.hits]
    values: dict[str, Any] = {
        "question": question,
        "passages": [
            _shown(number, hit, text) for number, (hit, text) in enumerate(zip(found.hits, texts, strict=True), 1)
        ],
    }
    dated = [f"{text} {hit.item.created_at or ''}" for hit, text in zip(found.hits, texts, strict=True)]
    try:
        reply = cited(llm, "ask", values, dated, question, lambda text: _other_language(text, question))
    except UnavailableError as error:
        notices = (*found.notices, f"{error.message}; this is what was found")
        return Answered(question, (), found.hits, llm.model, notices, is_partial=True)
    said = list(found.notices)
    if reply.sentences and reply.refused:
        said.append(f"{reply.refused} of the model's sentences had no source that bears it out and were left out")
    elif reply.refused:
        said.append("nothing that the model said was borne out by its sources; this is what was found")
    elif not reply.sentences:
        said.append("the model sees no answer in what was found")
    return Answered(question, reply.sentences, found.hits, llm.model, tuple(said))


def passage(hit: Hit) -> str:
    """What a model reads of a hit: the text around what was found, without secrets."""
    item = hit.item
    whole = mask(item.content)
    place = whole.find(hit.snippet.strip("… ")[:40]) if hit.snippet else 0
    start = max(0, place - BEFORE)
    text = whole[start : start + BEFORE + AFTER]
    speaker = item.attrs.get("speaker")
    said = f"{speaker}: {text}" if item.layer == "L0" and speaker else text
    return f"{item.title}\n{said}" if item.title and not start else said


def _shown(number: int, hit: Hit, text: str) -> dict[str, Any]:
    at = {"at": hit.item.created_at[:10]} if hit.item.created_at else {}
    return {"n": number, **at, "text": text}


def _other_language(text: str, question: str) -> str:
    """Names and terms may be foreign; the sentence may not."""
    asked, said = script(question), script(text)
    return "" if not asked or not said or asked == said else "it is not in the language of the question"
