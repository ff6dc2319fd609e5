"""Draws candidates from a source with a model, and believes none that does not stand in the source.

Each candidate quotes the source; the span is where the quote really stands. The statement may be worded by the model,
in the quote's own language and with no number that the turn does not hold; otherwise the quote itself is the statement.
"""

import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from memhub.llm import prompts, shapes
from memhub.llm.call import Llm, ModelError
from memhub.model.judging import Candidate, Slot, Source, Span, Text
from memhub.pipeline.procedures_model import is_engineering, procedures
from memhub.pipeline.quotes import occurrences
from memhub.pipeline.slots import slot_of
from memhub.pipeline.whose import refusal
from memhub.pipeline.windows import Piece, turns, windows
from memhub.text.clean import clean, one_line
from memhub.text.script import script

WINDOW = 8000
_DIMENSION = re.compile(r"[a-z]{2,20}\.[a-z_]{2,40}")
_ONE_VALUE = re.compile(
    r"identity\.(?:name|job|employer|birthday|birthplace|pronouns|native_language)|contact\.\w+|relation\.partner|"
    r"state\.(?:location|relationship|age|timezone|diet)|"
    r"preference\.(?:editor|browser|shell|terminal|theme|keyboard|desktop|distro|database|font)"
)
"""Dimensions of which one subject has one value; in any other, the value itself tells two of them apart."""


@dataclass(frozen=True)
class Refused:
    """Something the model offered that was not taken, and why. `span` is None when its quote stands nowhere."""

    content: str
    quote: str
    reason: str
    span: Span | None = None


@dataclass(frozen=True)
class Extraction:
    """What a model found. `failed` holds the error of each window that gave no answer: those were not read at all."""

    candidates: tuple[Candidate, ...] = ()
    refused: tuple[Refused, ...] = ()
    failed: tuple[ModelError, ...] = ()


def extract(llm: Llm, source: Source, *, window: int = WINDOW) -> Extraction:
    """The candidates of a source, one call for each `window` characters; procedures beside that, in a second thread.

    Raises `ModelError` when no call succeeded, `BudgetSpentError` when the budget does not reach for all.
    """
    statements = _Lane(lambda pieces: _statements(llm, source, pieces))
    steps = _Lane(lambda pieces: procedures(llm, source, pieces))
    lanes = [(statements, windows(source, window, lambda text: text.role in ("user", "assistant")))]
    if is_engineering(source):
        lanes.append((steps, windows(source, window, lambda text: text.role != "system")))
    others = [threading.Thread(target=lane.run, args=(parts,), daemon=True) for lane, parts in lanes[1:]]
    for thread in others:
        thread.start()
    statements.run([pieces for pieces in lanes[0][1] if any(source.texts[p.text].role == "user" for p in pieces)])
    for thread in others:
        thread.join()
    for lane in (statements, steps):
        if lane.error is not None:
            raise lane.error
    failed = (*statements.failed, *steps.failed)
    if failed and not statements.done and not steps.done:
        raise failed[0]
    found: dict[tuple[str, Span, str], Candidate] = {}
    refused: list[Refused] = []
    for one in (*statements.found, *steps.found):
        if isinstance(one, Candidate):
            found.setdefault((one.kind, one.span, one.content), one)
        else:
            refused.append(Refused(*one) if isinstance(one, tuple) else one)
    return Extraction(tuple(found.values()), tuple(refused), failed)


class _Lane:
    """One prompt over all windows, in order; a failed window does not keep the next from being read."""

    def __init__(self, ask: Callable[[list[Piece]], list[Any]]) -> None:
        self._ask = ask
        self.found: list[Any] = []
        self.failed: list[ModelError] = []
        self.done = 0
        self.error: BaseException | None = None

    def run(self, parts: list[list[Piece]]) -> None:
        try:
            for pieces in parts:
                try:
                    self.found += self._ask(pieces)
                    self.done += 1
                except ModelError as error:
                    self.failed.append(error)
                    if error.is_setup:
                        return
        except BaseException as error:
            self.error = error


def _statements(llm: Llm, source: Source, pieces: list[Piece]) -> list[Candidate | Refused]:
    answer = llm.complete(prompts.load("extract"), turns(source, pieces), shapes.EXTRACT)
    return [_candidate(source, entry, llm.model) for entry in answer.value["candidates"]]


def _candidate(source: Source, entry: dict[str, Any], by: str) -> Candidate | Refused:
    quote, said = entry["quote"], one_line(clean(entry["text"]))
    span, reason = _locate(source, entry["turn"], quote)
    if span is None or reason:
        return Refused(said, quote, reason, span)
    text = next(text for text in source.texts if text.item == span.item and text.version == span.version)
    words = text.content[span.start : span.stop]
    content = said if is_faithful(said, words, text) else " ".join(words.split())
    slot = _owned(_slot(entry, words, content, text), source, text) if entry["kind"] == "profile" else None
    kind = "fact" if entry["kind"] == "profile" and slot is None else entry["kind"]
    due = _day(entry["due"]) if kind in ("event", "intent") else None
    return Candidate(
        kind=kind, content=content, span=span, slot=slot, importance=_share(entry["importance"]),
        attrs={"due": due} if due else {}, is_correction=bool(entry["corrects"]), by=by,
    )  # fmt: skip


def _locate(source: Source, turn: str, quote: str) -> tuple[Span | None, str]:
    """Where the quote stands: in the turn that was named, else in another, the user's first; and why not there."""
    if sum(char.isalnum() for char in quote) < 2:
        return None, "the quote is empty"
    named = [text for number, text in enumerate(source.texts) if turn == f"t{number + 1}"]
    others = sorted((text for text in source.texts if text not in named), key=lambda text: text.role != "user")
    refused: tuple[Span | None, str] = (None, "the quote does not stand in the source")
    for text in (*named, *others):
        for start, stop in occurrences(text.content, quote):
            span = Span(text.item, text.version, start, stop)
            reason = refusal(source, span)
            if not reason:
                return span, ""
            if refused[0] is None:
                refused = (span, reason)
        if refused[0] is not None and text in named:
            return refused
    return refused


def is_faithful(said: str, words: str, text: Text) -> bool:
    """Whether the model's sentence keeps to what it quotes: same script, no number of its own, not much longer."""
    if not said or len(said) > 3 * len(words) + 100:
        return False
    if script(said) not in ("", script(words), script(text.content)) or (_has_han(words) != _has_han(said)):
        return False
    return not numbers(said) - numbers(text.content)


def _has_han(text: str) -> bool:
    return re.search("[\u3041-\u30ff\u3400-\u9fff]", text) is not None


def numbers(text: str) -> set[str]:
    """The numbers of a text as they are written."""
    return set(re.findall(r"\d+(?:[.,:]\d+)*", text))


def _slot(entry: dict[str, Any], words: str, content: str, text: Text) -> Slot | None:
    """The slot that the rules read in the statement, so that both extractors name it alike; else the model's own."""
    read = slot_of(" ".join(words.split())) or slot_of(content)
    if read is not None:
        return read
    dimension, value = entry["dimension"] or "", entry["value"] or ""
    found = next(occurrences(words, value), None)
    if not _DIMENSION.fullmatch(dimension) or found is None:
        return None
    value = words[found[0] : found[1]]
    subject = (entry["subject"] or "user").strip() or "user"
    if subject.casefold() != "user" and next(occurrences(text.content, subject), None) is None:
        subject = text.speaker or "user"
    qualifier = (entry["qualifier"] or "").strip()
    if not qualifier and not _ONE_VALUE.fullmatch(dimension):
        qualifier = value.casefold()
    return Slot("user" if subject.casefold() == "user" else subject, dimension, qualifier, value)


def _owned(slot: Slot | None, source: Source, text: Text) -> Slot | None:
    """In a group, "I" is whoever speaks, not the owner of the notes."""
    if slot is None or not source.is_group or slot.subject != "user":
        return slot
    speaker = text.speaker or text.speaker_id
    return replace(slot, subject=speaker) if speaker else None


def _day(given: str | None) -> str | None:
    try:
        return date.fromisoformat((given or "")[:10]).isoformat()
    except ValueError:
        return None


def _share(given: float | None) -> float | None:
    return None if given is None else min(1.0, max(0.0, float(given)))
