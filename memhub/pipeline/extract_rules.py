"""Draw candidates from a source by rules: what its writer asks to remember, prefers, decides, corrects, promises, is.

Only the user's own words count: assistants' turns, quotations, code, questions, guesses and injected context yield
nothing (command sequences apart, see `procedures`). Every candidate is an exact span of one text, in its own language.
The time grows with the length of the text alone: sentences are bounded, and each is looked at once.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

from memhub.model import EMPTY
from memhub.model.judging import Candidate, Slot, Source, Span, Text
from memhub.pipeline import extract_en, extract_zh
from memhub.pipeline.procedures import procedures
from memhub.pipeline.sentences import Sentence, sentences
from memhub.pipeline.slots import slot_of
from memhub.pipeline.statements import Statement, normalise, parse
from memhub.text.days_said import said_day

PASTED = 400
"""Characters from which a note is taken for something pasted; facts, decisions, procedures are then drawn from it."""

_QUOTE = re.compile(r"[\"“「『‘][^\"”」』’]{0,400}[\"”」』’]")
_POLITE_START = re.compile(
    r"(?:(?:thanks|thank you|ok|okay|yes|hi|hello|well|also|and|so|by the way|btw)\b[,.!]? *|"
    r"(?:好主意|没问题|可以(?=[，,。])|好的?|嗯|谢谢|另外|还有|对了)[，,。]? *)+",
    re.I,
)


class _Found(NamedTuple):
    """What a rule makes of a sentence; `offset` is where in it the content begins."""

    kind: str
    offset: int
    importance: float
    attrs: Mapping[str, Any] = EMPTY
    is_correction: bool = False


def extract(source: Source) -> list[Candidate]:
    """The candidates of a source in the order of its text; of a note, first the note itself."""
    found: list[Candidate] = []
    for text in source.texts:
        if source.kind == "note":
            found.extend(_note(text))
        elif text.role == "user":
            found.extend(_said(text, source))
    if source.kind != "note" or _is_pasted(source.texts):
        found.extend(procedures(source))
    return list({(c.span.item, c.kind, normalise(c.content)): c for c in reversed(found)}.values())[::-1]


def _is_pasted(texts: tuple[Text, ...]) -> bool:
    return any(len(text.content) >= PASTED for text in texts)


def _note(text: Text) -> Iterator[Candidate]:
    """The note, and the profile lines in it; in a pasted one, everything that is found in a turn."""
    content = text.content
    whole = Span(text.item, text.version, 0, len(content))
    yield Candidate(
        "note", content, whole, None if text.hidden else _slot_in(content), is_correction=_is_correction(content)
    )
    is_pasted = len(content) >= PASTED
    for candidate in _said(text, None):
        if candidate.kind == "profile" or (
            is_pasted and candidate.span.stop - candidate.span.start < len(content.strip())
        ):
            yield candidate


def _is_correction(content: str) -> bool:
    return len(content) < 1000 and parse(content).is_correction


def _said(text: Text, source: Source | None) -> Iterator[Candidate]:
    """What a text says in its writer's own name."""
    expects = False
    for sentence in sentences(text.content, text.hidden):
        found = _read(sentence, text.at, expects)
        expects = found is None and _is_bare_remember(sentence.text)
        if found:
            candidate = _candidate(text, sentence, found, source)
            if candidate:
                yield candidate


def _candidate(text: Text, sentence: Sentence, found: _Found, source: Source | None) -> Candidate | None:
    start = sentence.start + found.offset
    content = text.content[start : sentence.stop].rstrip(" \t,，;；")
    if len(normalise(content)) < 2:
        return None
    span = Span(text.item, text.version, start, start + len(content))
    slot = _owned(slot_of(content), text, source) if found.kind in ("profile", "fact") else None
    kind = "profile" if slot else "fact" if found.kind == "profile" else found.kind
    return Candidate(kind, content, span, slot, found.importance, found.attrs, found.is_correction)


def _owned(slot: Slot | None, text: Text, source: Source | None) -> Slot | None:
    """In a group, "I" is whoever speaks; a brother of somebody there has no name to keep him apart."""
    if slot is None or source is None or not source.is_group:
        return slot
    if slot.subject == "user":
        speaker = text.speaker or text.speaker_id
        return replace(slot, subject=speaker) if speaker else None
    return None if slot.subject.startswith(("my ", "our ", "我")) else slot


def _read(sentence: Sentence, at: str | None, expects: bool) -> _Found | None:
    """What one sentence is worth; the first rule that knows."""
    text = sentence.text
    asked = _remember(sentence, at)
    if asked:
        return asked
    if sentence.is_question or _is_quoting(text):
        return None
    if expects:
        return _Found("profile", 0, 0.8)
    polite = _POLITE_START.match(text)
    offset = polite.end() if polite and polite.end() < len(text) else 0
    rest = text[offset:]
    if not _may_matter(rest):
        return None
    found = _own_statement(rest, at)
    return found._replace(offset=found.offset + offset) if found else None


def _own_statement(text: str, at: str | None) -> _Found | None:
    statement = parse(text)
    if statement.is_question or statement.is_reported:
        return None
    correction = _any("CORRECTION").match(text)
    if correction and correction.end() < len(text):
        return _corrected(text, correction.end())
    if slot_of(text):
        return _Found("profile", 0, 0.7, EMPTY, statement.is_correction)
    clause = _last_clause(text)
    if clause and statement.is_plain and slot_of(text[clause:]):
        return _Found("profile", clause, 0.7, EMPTY, statement.is_correction)
    if _any("TO_DO").match(text):
        return _intent(text, at, _any("TO_DO").match(text), 0.7)
    if _is_decision(text, statement):
        return _Found("fact", 0, 0.7, {"type": "decision"})
    if _is_dated_promise(text, statement, at):
        return _intent(text, at, None, 0.6)
    if statement.is_unsure:
        return None
    if _any("DENIAL").match(text) and not statement.is_correction:
        return None
    if _any("NAMING").match(text) and statement.is_plain and not statement.negations:
        return _Found("fact", 0, 0.5)
    if _is_change(text, statement):
        return _Found("fact", 0, 0.6, EMPTY, True)
    if _is_preference(text):
        return _Found("profile", 0, 0.6, {"type": "preference"})
    return _event(text, at, statement)


LONGEST_CLAUSES = 300
"""Characters of a note up to which its last clause may speak for it."""


def _last_clause(text: str) -> int:
    """Where the last clause of a sentence begins; 0 when it has but one."""
    parts = list(re.finditer(r"[,，;；]\s*", text))
    return parts[-1].end() if parts and parts[-1].end() < len(text) else 0


def _slot_in(content: str) -> Slot | None:
    """The slot that a short note fills: as a whole, or by its last clause."""
    whole = slot_of(content)
    clause = 0 if whole or len(content) > LONGEST_CLAUSES else _last_clause(content)
    return slot_of(content[clause:]) if clause and parse(content).is_plain else whole


def _corrected(text: str, offset: int) -> _Found | None:
    """`Actually, the server runs Debian 12`; not `Actually, that is not what I meant`."""
    rest = text[offset:]
    statement = parse(rest)
    first = statement.raw[0].text if statement.raw else ""
    weak = first in extract_en.WEAK_SUBJECT or rest.startswith(extract_zh.WEAK_SUBJECT)
    if weak or not statement.is_plain or len(statement.core) < 3 or _any("DENIAL").match(rest):
        return None
    return _Found("profile", 0 if not slot_of(rest) else offset, 0.7, EMPTY, True)


def _remember(sentence: Sentence, at: str | None) -> _Found | None:
    """An explicit wish to remember; what follows is a statement, or something to do."""
    text = sentence.text
    polite = re.match(extract_en.REMEMBER_POLITE, text, re.IGNORECASE)
    match = polite or (None if sentence.is_question else _any("REMEMBER").match(text))
    if not match or match.end() >= len(text):
        return None
    rest = text[match.end() :]
    if re.search(r"[\"“「『][^\"”」』]{40,}[\"”」』]", rest) or rest.lower().startswith(
        ("when ", "how ", "who ", "what ", "why ")
    ):
        return None
    day = said_day(rest, at) if re.match(r"to |(?:要|去)", rest) else None
    if day or re.match(r"to ", rest):
        return _intent(text, at, match, 0.8)
    return _Found("profile", match.end(), 0.8)


def _is_bare_remember(text: str) -> bool:
    match = _any("REMEMBER").match(text + " ")
    return bool(match and match.end() >= len(text))


def _intent(text: str, at: str | None, lead: re.Match[str] | None, importance: float) -> _Found:
    day = said_day(text, at)
    attrs: dict[str, Any] = {}
    if day:
        attrs = {"due": day.day or day.written, "due_text": day.written}
    return _Found("intent", lead.end() if lead else 0, importance, attrs)


def _is_quoting(text: str) -> bool:
    """A quotation longer than a name makes a sentence somebody else's."""
    return any(len(parse(match.group()).raw) > 6 for match in _QUOTE.finditer(text))


def _is_decision(text: str, statement: Statement) -> bool:
    if not _any("DECISION").match(text) or statement.is_unsure:
        return False
    match = _any("DECISION").match(text)
    before = text[: match.end()] if match else ""
    return not re.search(r"n['’]t|\bnot\b|never", before) and not re.search(extract_zh.DECISION_NOT, text[:40])


def _is_dated_promise(text: str, statement: Statement, at: str | None) -> bool:
    if not _any("COMMITMENT").match(text) or re.search(
        r"\b(?:if|maybe|might|perhaps)\b|可能|也许|如果", text, re.IGNORECASE
    ):
        return False
    return said_day(text, at) is not None


def _is_change(text: str, statement: Statement) -> bool:
    """`I no longer smoke`, 会议改成十一点."""
    if re.match(extract_en.NO_LONGER, text) and statement.negations:
        return statement.raw[0].text not in extract_en.WEAK_SUBJECT
    return bool(re.search(f"{extract_zh.NO_LONGER}|{extract_zh.CHANGED}", text[:60])) and not text.startswith(
        extract_zh.WEAK_SUBJECT
    )


def _is_preference(text: str) -> bool:
    match = _any("PREFERENCE").match(text)
    if not match or _any("POINTERS").search(text):
        return False
    verb = match.groupdict().get("verb")
    if verb and verb.lower() not in extract_en.HABIT_VERBS:
        return False
    return text.isascii() or not re.match("我|请|以后", text) or bool(re.search(extract_zh.PREFERENCE_NEEDS, text[:30]))


def _event(text: str, at: str | None, statement: Statement) -> _Found | None:
    """Something that happened, or is set, on a day."""
    plain = [token.text for token in statement.raw if token.kind == "word"]
    is_past = any(word in extract_en.PAST_VERBS or (word.endswith("ed") and len(word) > 4) for word in plain[:8])
    is_set = any(word in ("is", "starts", "begins", "ends", "takes", "opens") for word in plain[:8])
    is_han = bool(re.search(extract_zh.EVENT, text))
    if not (is_han or ((is_past or is_set) and re.match(extract_en.EVENT, text))):
        return None
    if (plain and plain[0] in extract_en.WEAK_SUBJECT) or statement.negations:
        return None
    is_done = is_past or (is_han and "了" in text)
    day = said_day(text, at, is_past=is_done)
    if day is None or len(statement.core) < 3:
        return None
    return _Found("event", 0, 0.5, {"date": day.day or day.written, "date_text": day.written})


@cache
def _any(name: str) -> re.Pattern[str]:
    """The English and the Chinese pattern of one name as one."""
    parts = [getattr(table, name) for table in (extract_en, extract_zh) if hasattr(table, name)]
    return re.compile("|".join(f"(?:{part})" for part in parts), re.IGNORECASE)


@cache
def _gate() -> re.Pattern[str]:
    return re.compile(
        r"(?:i|we|my|our|the|it|to-?do|note|actually|correction|in fact|no|oh|sorry|wait|decision|please|"
        r"always|never|remind|remember|don['’]t|call|"
        r"in the end|finally|yesterday|today)\b|[A-Z]|[\u4e00-\u9fff]",
        re.IGNORECASE,
    )


def _may_matter(text: str) -> bool:
    """A cheap look at how a sentence begins, before it is taken apart."""
    return _gate().match(text) is not None
