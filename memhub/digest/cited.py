"""Sentences of a model that cite passages, of which only those are kept that the passages bear out.

A sentence is kept when every number in it stands in what it cites, and each citation quotes words that are really in a
passage that was offered. What is refused goes back to the model once, with the reason.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from memhub.llm import prompts, shapes
from memhub.llm.call import Llm
from memhub.model.answered import Said
from memhub.pipeline.extract_model import numbers
from memhub.pipeline.quotes import occurrences
from memhub.text.analyse import fold
from memhub.text.clean import clean, one_line
from memhub.text.quantities import find

_LONGEST = 600
_MARK = re.compile(r"\s*[\[【(（]\s*\d+(?:\s*[,，、]\s*\d+)*\s*[\]】)）]")
_UNSPACED = re.compile("[\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3]")


class Reply(NamedTuple):
    """The sentences that hold; `refused` counts those that did not. `is_found` False: the model says it found none."""

    sentences: tuple[Said, ...]
    refused: int
    is_found: bool


Check = Callable[[str], str]
"""What else is wrong with a sentence, in words for the model; empty when nothing is."""


def cited(llm: Llm, prompt: str, values: Mapping[str, Any], texts: Sequence[str], known: str, check: Check) -> Reply:
    """Ask, check, and where something is refused ask once more. Passage 1 is the first of `texts`.

    `known` is what may be said without a source, such as the question. Raises what `llm.complete` raises.
    """
    first, wrong = _asked(llm, prompt, values, texts, known, check)
    if not wrong:
        return first
    again, _ = _asked(llm, prompt, {**values, "refused": wrong}, texts, known, check)
    better = again.is_found and len(again.sentences) >= len(first.sentences)
    return again if better or not first.sentences else first


def _asked(
    llm: Llm, prompt: str, values: Mapping[str, Any], texts: Sequence[str], known: str, check: Check
) -> tuple[Reply, list[dict[str, str]]]:
    answer = llm.complete(prompts.load(prompt), values, shapes.CITED).value
    kept: list[Said] = []
    wrong: list[dict[str, str]] = []
    for entry in answer["sentences"]:
        text = _MARK.sub("", one_line(clean(entry["text"]))).strip()
        if not text:
            continue
        cites, reason = _cites(text, entry["cites"], texts, known)
        reason = reason or check(text)
        if reason:
            wrong.append({"text": text, "why": reason})
        elif text not in [said.text for said in kept]:
            kept.append(Said(text, cites))
    return Reply(tuple(kept), len(wrong), bool(answer["found"] is not False or kept)), wrong


def _cites(text: str, given: list[Any], texts: Sequence[str], known: str) -> tuple[tuple[int, ...], str]:
    """The numbers of the passages that bear a sentence out, and else why none does."""
    if len(text) > _LONGEST:
        return (), "it is too long"
    found = [
        cite["n"] for cite in given if 1 <= cite["n"] <= len(texts) and _stands(texts[cite["n"] - 1], cite["quote"])
    ]
    if not given:
        return (), "it cites nothing"
    if not found:
        return (), "what it quotes does not stand in the passages that it cites"
    cites = tuple(dict.fromkeys(found))
    told = " ".join((known, *(texts[number - 1] for number in cites)))
    more = numbers(text) - numbers(told)
    if not more or _quantities(text) <= _quantities(told):
        return cites, ""
    return (), f"its passages do not say {', '.join(sorted(more))}"


def _quantities(text: str) -> set[str]:
    """Numbers, dates and times in one form each, so that 七点半 bears 7:30 out; a whole date also without its year."""
    found = find(fold(text))
    return {one.canon for one in found} | {
        one.canon[5:] for one in found if one.kind == "date" and len(one.canon) == 10
    }


def _stands(passage: str, quote: str) -> bool:
    enough = 2 if _UNSPACED.search(quote) else 4
    return sum(char.isalnum() for char in quote) >= enough and next(occurrences(passage, quote), None) is not None
