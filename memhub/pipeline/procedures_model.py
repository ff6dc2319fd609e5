"""Draws procedures from a working session with a model: steps that stand in it, and the words that show they worked."""

import re
from typing import Any

from memhub.llm import prompts, shapes
from memhub.llm.call import Llm
from memhub.model.judging import Candidate, Source, Span
from memhub.pipeline.quotes import occurrences
from memhub.pipeline.windows import Piece, turns
from memhub.text.clean import clean, one_line

_SIGNS = (
    r"```",
    r"^\s*[$❯>#%] ?(?:\./|[a-z][\w.-]*(?: |$))",
    r"\b(?:git|pip|uv|npm|pnpm|yarn|cargo|make|cmake|docker|kubectl|pytest|apt|brew|systemctl|ssh|curl|python3?|node)"
    r" [\w./-]+",
    r"\b(?:Traceback|Error|error|Exception|FAILED|failed|warning):|\berrno\b|\bexit (?:code|status) \d",
    r"报错|编译|构建|部署|测试通过|运行失败|堆栈",
    r"(?:^|[\s`(，。：、])[\w./-]+\.(?:py|js|ts|rs|go|c|h|cpp|java|toml|ya?ml|json|sh|sql|lock|cfg|ini)\b",
)
_ENOUGH = 2


def is_engineering(source: Source) -> bool:
    """Whether the source looks like work at a machine: tool turns, or two kinds of signs (commands, errors …)."""
    if any(text.role == "tool" for text in source.texts):
        return True
    whole = "\n".join(text.content for text in source.texts)
    return sum(re.search(sign, whole, re.M) is not None for sign in _SIGNS) >= _ENOUGH


def procedures(llm: Llm, source: Source, pieces: list[Piece]) -> list[Any]:
    """Candidates of the kind procedure, and what was refused as (content, quote, reason, span)."""
    answer = llm.complete(prompts.load("procedures"), turns(source, pieces), shapes.PROCEDURES)
    return [_procedure(source, entry, llm.model) for entry in answer.value["procedures"]]


def _procedure(source: Source, entry: dict[str, Any], by: str) -> Candidate | tuple[str, str, str, Span | None]:
    """Steps that stand nowhere are left out. Whoever took the steps, a user or the output of a tool must show success:
    an assistant that says so of itself proves nothing."""
    task, outcome = one_line(clean(entry["task"])), entry["outcome"]
    found = [(step, span) for step in entry["steps"] if (span := _find(source, step)) is not None]
    if not task or not found:
        return task, "\n".join(entry["steps"]), "the steps do not stand in the source", None
    first = found[0][1]
    number = _number(source, first)
    proof = _find(source, outcome, roles=("user", "tool"), start=number)
    if proof is None:
        return task, outcome, "neither a user nor a tool's output shows that it worked", first
    if _number(source, proof) == number and proof.stop <= first.start:
        return task, outcome, "what shows success stands before the steps", first
    same = [span for _, span in found if span.item == first.item]
    span = Span(first.item, first.version, min(s.start for s in same), max(s.stop for s in same))
    steps = [_words(source, found_span) for _, found_span in found]
    importance = entry["importance"]
    return Candidate(
        kind="procedure",
        content="\n".join([task, *(f"{n}. {step}" for n, step in enumerate(steps, 1))]),
        span=span,
        importance=None if importance is None else min(1.0, max(0.0, float(importance))),
        attrs={"task": task, "steps": steps, "outcome": _words(source, proof)},
        by=by,
    )


def _find(source: Source, quote: str, roles: tuple[str, ...] = (), start: int = 0) -> Span | None:
    if not any(char.isalnum() for char in quote):
        return None
    for text in source.texts[start:]:
        if roles and text.role not in roles:
            continue
        for begin, end in occurrences(text.content, quote):
            if not any(a < end and begin < b for a, b in text.hidden):
                return Span(text.item, text.version, begin, end)
    return None


def _number(source: Source, span: Span) -> int:
    return next(n for n, text in enumerate(source.texts) if (text.item, text.version) == (span.item, span.version))


def _words(source: Source, span: Span) -> str:
    return source.texts[_number(source, span)].content[span.start : span.stop]
