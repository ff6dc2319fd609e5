"""Read the slot that a statement fills: who, which dimension, what sets it apart, and the value as written.

`I live in Paris` and `I moved to Berlin` fill one slot (`state.location` of `user`). What people have several of
(likes, allergies, languages, pets) carries its value as qualifier, so that two of them never fill one slot. Questions,
conditions, guesses, quotations and what somebody says fill none. Pure, and at most one short sentence is looked at.
"""

import re

from memhub.model.judging import Slot
from memhub.pipeline import slots_en, slots_zh
from memhub.pipeline.slots_en import Pattern
from memhub.pipeline.statements import parse
from memhub.pipeline.tokens import fold

LONGEST = 200
"""Characters above which a text is no one statement."""

_LEAD = re.compile(
    r"\s*(?:(?:(?:actually|correction|in fact|well|ok|okay|yes|hi|hello|remember that|please remember(?: "
    r"that)?|remember|note|fyi|from now on|"
    r"as of now)\b|请?记住|更正|其实|事实上|好的?|嗯|对(?=[,，。])|你好|从现在起|现在)\s*[:：,，。.!！]*\s*)+",
    re.IGNORECASE,
)
_END = re.compile(r"[\s.。!！,，;；]+$")
_WORD_I = re.compile(r"\bI\b")


def slot_of(text: str) -> Slot | None:
    """The slot that `text`, one sentence, fills; None when it fills none."""
    if len(text) > LONGEST or "\n" in text.strip() or any(sign in text for sign in '“”「」『』"'):
        return None
    statement = parse(text)
    if not statement.is_plain or statement.negations:
        return None
    lead = _LEAD.match(text)
    sentence = _END.sub("", text[lead.end() if lead else 0 :].strip())
    if not sentence:
        return None
    sentence = sentence.replace("’", "'")
    if max(sentence) >= "\u3400" and any("\u4e00" <= letter <= "\u9fff" for letter in sentence[:4]):
        return _slot_zh(fold(sentence))
    return _slot_en(sentence)


def same_value(one: str, other: str) -> bool:
    """Whether two values of a slot mean the same: equal normalised text."""
    return parse(_bare(one)).normal == parse(_bare(other)).normal


def _bare(value: str) -> str:
    return re.sub(r"^(?:(?:the|a|an)\s+|一(?:名|个|位))", "", value.strip(), flags=re.IGNORECASE)


def _slot_en(sentence: str) -> Slot | None:
    prepared = _WORD_I.sub("i", sentence)
    prepared = re.sub(r"\b(?:actually|no longer),? ", "", prepared)
    prepared = re.sub(r" (?:now|currently)$", "", prepared)
    first = prepared[0].lower() + prepared[1:]
    for regex, pattern in slots_en.own():
        match = regex.fullmatch(first)
        if match and _is_good_en(match, pattern):
            return _fill_en(match, pattern, "user")
    for regex, pattern in slots_en.others():
        match = regex.fullmatch(prepared)
        if match and match["who"].split()[0].lower() not in slots_en.NO_NAMES and _is_good_en(match, pattern):
            return _fill_en(match, pattern, match["who"])
    return None


def _is_good_en(match: re.Match[str], pattern: Pattern) -> bool:
    value = match["value"].strip().lower()
    if pattern.dimension == "identity.job":
        return value.split()[-1] in slots_en.JOBS and len(value.split()) <= 4
    if pattern.dimension == "state.location":
        return not slots_en.NO_PLACES.intersection(word.strip(",") for word in value.split())
    if pattern.dimension in ("identity.name", "identity.birthplace", "relation.{what}"):
        return not (slots_en.NO_PLACES | slots_en.NO_PERSONS).intersection(value.split()) and not _is_shouted(match)
    if pattern.dimension == "identity.employer":
        no_work = slots_en.NO_EMPLOYERS | slots_en.NO_PLACES | slots_en.NO_JOBS
        return not no_work.intersection(value.removeprefix("the ").split())
    if pattern.dimension == "identity.birthday":
        return any(t.kind == "date" for t in parse(match["value"]).raw)
    if pattern.dimension == "contact.{what}":
        return _is_contact(slots_en.CONTACTS[match["what"].lower()], value)
    if pattern.dimension == "preference.like":
        return value.split()[0] not in (
            "to",
            "that",
            "it",
            "this",
            "how",
            "when",
            "what",
            "the",
            "your",
            "you",
            "them",
            "these",
        )
    if pattern.dimension == "preference.{what}":
        is_name = match["value"].strip()[0].isupper() or value in slots_en.NO_PLACES
        return value.split()[0] not in ("not", "what", "that", "this", "it") and (is_name or "favo" in match.group())
    return bool(value)


def _is_shouted(match: re.Match[str]) -> bool:
    """`Call me ASAP` gives no name."""
    return len(match["value"]) > 2 and match["value"].isupper()


def _is_contact(kind: str, value: str) -> bool:
    """A phone number has digits, a mail address an `@`; `my phone is broken` says no number."""
    digits = sum(letter.isdigit() for letter in value)
    return {"phone": digits >= 4, "email": "@" in value, "address": digits > 0 or "," in value}[kind]


def _fill_en(match: re.Match[str], pattern: Pattern, subject: str) -> Slot:
    groups = match.groupdict()
    value = match["value"].strip()
    what = (groups.get("what") or groups.get("what2") or "").strip().lower()
    dimension, qualifier = pattern.dimension, ""
    if dimension == "preference.{what}":
        dimension, qualifier = _preference(what, set(slots_en.TOOLS), slots_en.FOODS)
    elif dimension == "contact.{what}":
        dimension = f"contact.{slots_en.CONTACTS[what]}"
    elif dimension == "relation.{what}":
        dimension = f"relation.{'partner' if what in slots_en.COMPANIONS else what.replace(' ', '_')}"
    elif dimension == "possession.name":
        qualifier = f"{what} {value}" if what.split()[-1] in slots_en.PETS else what
    elif dimension == "preference.choice" and what:
        qualifier = " / ".join(sorted((value.lower(), what)))
    elif pattern.qualifier == "{value}":
        qualifier = value.lower()
    return Slot(
        subject[0].lower() + subject[1:] if subject.startswith(("My ", "Our ")) else subject,
        dimension,
        qualifier,
        value,
    )


def _preference(what: str, tools: set[str], foods: list[str] | set[str]) -> tuple[str, str]:
    if what in tools:
        return f"preference.{slots_zh.TOOL_NAMES.get(what, what)}", ""
    if what in foods:
        return "preference.food", what
    return "preference.favourite", what.replace("colour", "color")


def _slot_zh(sentence: str) -> Slot | None:
    if slots_zh.NOT_OWN.match(sentence):
        return None
    if sentence.startswith("我"):
        for regex, pattern in slots_zh.own():
            match = regex.fullmatch(sentence)
            if match and _is_good_zh(match, pattern):
                return _fill_zh(match, pattern, "user")
    for regex, pattern in slots_zh.others():
        match = regex.fullmatch(sentence)
        if match and _is_good_zh(match, pattern) and (match["who"][1:] or not slots_zh.NO_NAMES.match(match["who"])):
            family = match["who"].startswith("我") and len(match["who"]) > 2
            if family or not slots_zh.NO_NAMES.match(match["who"]):
                return _fill_zh(match, pattern, match["who"])
    return None


def _is_good_zh(match: re.Match[str], pattern: Pattern) -> bool:
    value = match["value"].strip()
    if not value or slots_zh.NOT_VALUES.search(value):
        return False
    if pattern.dimension == "identity.job":
        return value in slots_zh.JOBS or value[-3:] in slots_zh.JOBS or value[-2:] in slots_zh.JOBS
    if pattern.dimension == "identity.birthday":
        return any(t.kind == "date" for t in parse(value).raw)
    if pattern.dimension in ("identity.name", "relation.{what}"):
        return not slots_zh.NO_NAME.search(value) and value not in slots_zh.JOBS
    if pattern.dimension == "identity.employer":
        return (
            value not in slots_zh.NO_EMPLOYERS and not value.endswith(slots_zh.NO_JOBS) and value[-1] not in "市省县区"
        )
    if pattern.dimension == "possession.name":
        what = match["what"]
        return not what.startswith(("们", "把", "管", "会", "要", "想", "有")) and "的" not in what
    if pattern.dimension == "contact.{what}":
        return slots_zh.CONTACTS[match["what"]] != "email" or "@" in value
    if pattern.dimension == "state.location":
        return value.lower() not in slots_en.NO_PLACES
    return True


def _fill_zh(match: re.Match[str], pattern: Pattern, subject: str) -> Slot:
    groups = match.groupdict()
    value, what = match["value"].strip(), (groups.get("what") or "").strip()
    dimension, qualifier = pattern.dimension, ""
    if dimension == "preference.{what}":
        dimension, qualifier = _preference(what, set(slots_zh.TOOL_NAMES), slots_zh.FOODS)
    elif dimension == "contact.{what}":
        dimension = f"contact.{slots_zh.CONTACTS[what]}"
    elif dimension == "relation.{what}":
        dimension = f"relation.{'partner' if what in slots_zh.COMPANIONS else what}"
    elif dimension == "possession.name":
        what = re.sub("(?:名|的名字|的)$", "", what)
        qualifier = f"{what} {value}" if what in slots_zh.PETS else what
    elif pattern.qualifier == "{value}":
        qualifier = value
    return Slot(subject, dimension, qualifier, value)
