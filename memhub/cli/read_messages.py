"""Conversations on standard input: JSON as chat programs and model interfaces write it, or one line for each speaker.

All of it is understood before any of it is stored: what cannot be is one error that names its place.
"""

import json
import re
from collections.abc import Iterator
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

from memhub.errors import UsageError
from memhub.model.thread import Message, Speaker
from memhub.text.clean import clean

if TYPE_CHECKING:
    from memhub.text.chatform import Chat
    from memhub.text.dates import Zone

FIELDS = ("platform", "chat_type", "chat_name", "bot_name", "title", "project", "space", "request_id")
"""What may be said of the conversation, in JSON and by options of the same name."""

_ROLES = {
    **{role: role for role in ("user", "assistant", "system", "tool")},
    **{"human": "user", "ai": "assistant", "model": "assistant", "bot": "assistant"},
    **{"developer": "system", "function": "tool"},
}
_CONTENTS = ("content", "text", "parts")
_NAMES = ("name", "speaker", "speaker_name", "author", "sender", "from")
_IDENTITIES = ("speaker_id", "user_id", "author_id", "sender_id", "from_id")
_TIMES = ("created_at", "timestamp", "date", "time", "at", "create_time")
_KEYS = {
    *(*FIELDS, *_NAMES, *_IDENTITIES, *_TIMES, *_CONTENTS, "role", "id", "message_id", "thread", "whole"),
    *("attrs", "messages", "tool_calls", "function_call"),
    *("drawn_from", "drawn_by", "confirmed"),  # what judging writes itself
}
_TYPES: dict[type, str] = {
    **{bool: "true or false", int: "a number", float: "a number", str: "a text"},
    **{list: "a list", dict: "an object"},
}
_FORMS = 'a message is `{"role": "user", "content": "…"}`, or a line `[name] text`'


class Conversation(NamedTuple):
    """What standard input holds: fields of `FIELDS`, and the messages with their places. `left_out` have no text.

    `thread` names the conversation, and `whole` says that the messages are all of it.
    """

    fields: dict[str, str]
    messages: list[Message]
    places: list[str]
    left_out: int = 0
    thread: str | None = None
    whole: bool = False


def conversation(text: str, form: str | None, zone: "Zone", bot: str | None = None) -> Conversation:
    """The conversation in `text`; `form` is json, text or None for whichever it is. `bot` is known from elsewhere."""
    if not text.strip():
        raise UsageError("nothing to capture: standard input is empty", _FORMS)
    if form != "text":
        try:
            return _from_json(_document(text), zone, bot)
        except json.JSONDecodeError as error:
            broken = error
        except (ValueError, RecursionError) as error:
            words = "a number is too long" if isinstance(error, ValueError) else "it is nested too deeply"
            raise UsageError(f"not usable JSON: {words}", _FORMS) from error
    from memhub.text import chatform

    chat = None if form == "json" else chatform.parse(text)
    if chat is not None:
        return _from_chat(chat, zone, bot)
    if form == "json" or (form is None and text.lstrip()[:1] in ("{", "[")):
        place = f"line {broken.lineno}, column {broken.colno}"
        raise UsageError(f"{place}: not valid JSON ({broken.msg.lower()})", _FORMS)
    number = next(number for number, line in enumerate(text.split("\n"), 1) if line.strip())
    raise UsageError(f"line {number} begins no conversation", _FORMS)


# ---- JSON


def _document(text: str) -> Any:
    """One document, or several objects, a line each."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        lines = [line for line in text.split("\n") if line.strip()]
        if len(lines) < 2 or not all(line.lstrip().startswith("{") for line in lines):
            raise
        try:
            return [json.loads(line) for line in lines]
        except json.JSONDecodeError:
            raise error from None


def _from_json(document: Any, zone: "Zone", bot: str | None) -> Conversation:
    records, about = document, {}
    if isinstance(document, dict):
        about = document
        records = document.get("messages", [document])
    if not isinstance(records, list):
        where = "`messages` is" if isinstance(document, dict) else "this is"
        raise UsageError(f"{where} {_type_name(records)}, not a list of messages", _FORMS)
    fields, thread = _about(about)
    bot = bot or fields.get("bot_name")
    messages: list[Message] = []
    places: list[str] = []
    for number, record in enumerate(records, 1):
        place = f"message {number}"
        message = _message(record, place, zone, bot)
        if message is not None:
            messages.append(message)
            places.append(place)
    left_out = len(records) - len(messages)
    return Conversation(fields, messages, places, left_out, thread, about.get("whole") is True)


def _about(record: dict[str, Any]) -> tuple[dict[str, str], str | None]:
    """What a document says of the conversation as a whole; `thread` may be a name, or an object with more of it."""
    thread = record.get("thread")
    more = thread if isinstance(thread, dict) else {}
    fields = {}
    for name in FIELDS:
        value = _text(record, name, "the conversation") or _text(more, name, "`thread`")
        if value:
            fields[name] = value
    key = _text(more, "id", "`thread`") if more else _text(record, "thread", "the conversation")
    return fields, key


def _message(record: Any, place: str, zone: "Zone", bot: str | None) -> Message | None:
    """One message; None for one without a text (a call of a tool, a picture)."""
    if not isinstance(record, dict):
        raise UsageError(f"{place} is {_type_name(record)}, not an object", _FORMS)
    content = clean(_content(record, place))
    if not content.strip():
        return None
    name, identity, role = _speaker(record, place)
    role = _role(_text(record, "role", place) or role, place, name, bot)
    if role == "assistant" and not name:
        name = bot
    attrs = record.get("attrs") or {}
    if not isinstance(attrs, dict):
        raise UsageError(f"{place}: `attrs` is {_type_name(attrs)}, not an object")
    more = {key: value for key, value in record.items() if key not in _KEYS and isinstance(value, str | int | float)}
    attrs = {clean(key): _cleaned(value) for key, value in (more | attrs).items() if key not in _KEYS}
    external = _text(record, "id", place) or _text(record, "message_id", place) or _text(record, "request_id", place)
    return Message(content, role, Speaker(name, identity), _time(record, place, zone), external, attrs)


def _cleaned(value: Any) -> Any:
    """A value of `attrs` as it may be stored: texts made safe, and no number that JSON does not have."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, float) and not isfinite(value):
        return None
    if isinstance(value, dict):
        return {clean(key): _cleaned(part) for key, part in value.items()}
    return [_cleaned(part) for part in value] if isinstance(value, list) else value


def _content(record: dict[str, Any], place: str) -> str:
    key = next((key for key in _CONTENTS if record.get(key) is not None), None)
    if key is None:
        if any(name in record for name in (*_CONTENTS, "tool_calls", "function_call")):
            return ""
        others = ", ".join(f"`{key}`" for key in list(record)[:4])
        raise UsageError(f"{place} has no `content`" + (f" (there is {others})" if others else ""), _FORMS)
    value = record[key]
    if isinstance(value, dict):
        value = next((value[name] for name in ("parts", "text") if name in value), value)
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "\n".join(_parts(value, f"{place}: `{key}`"))
    raise UsageError(f"{place}: `{key}` is {_type_name(value)}, not text")


def _parts(parts: list[Any], place: str) -> Iterator[str]:
    """The texts of a content that comes in parts; pictures, sounds and calls have none."""
    for number, part in enumerate(parts, 1):
        if isinstance(part, str):
            yield part
            continue
        if not isinstance(part, dict):
            raise UsageError(f"{place}: part {number} is {_type_name(part)}, not text")
        value = part.get("text")
        value = value.get("value") if isinstance(value, dict) else value
        if isinstance(value, str):
            yield value
        elif value is not None or part.get("type") in ("text", "input_text", "output_text"):
            raise UsageError(f"{place}: part {number} has no text")


def _speaker(record: dict[str, Any], place: str) -> tuple[str | None, str | None, str | None]:
    """Name, identity and, where the speaker is an object that says so, role."""
    name = identity = role = None
    for key in _NAMES:
        value = record.get(key)
        if isinstance(value, dict):
            name = name or _text(value, "name", place) or _text(value, "username", place)
            identity = identity or _text(value, "id", place)
            role = role or _text(value, "role", place)
        else:
            name = name or _text(record, key, place)
    for key in _IDENTITIES:
        identity = identity or _text(record, key, place)
    return name, identity, role


def _role(given: str | None, place: str, name: str | None, bot: str | None) -> str:
    if given is None:
        from memhub.text.chatform import default_role

        return default_role(name, bot)
    role = _ROLES.get(given.lower())
    if role is None:
        raise UsageError(f"{place}: there is no role `{given}`", "roles are user, assistant, system and tool")
    return role


def _text(record: dict[str, Any], key: str, place: str) -> str | None:
    """A text, or a number as one."""
    value = record.get(key)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if value is not None and not isinstance(value, str):
        raise UsageError(f"{place}: `{key}` is {_type_name(value)}, not text")
    return clean(value).strip() or None if value else None


def _type_name(value: object) -> str:
    return _TYPES.get(type(value), "null")


# ---- times


def _time(record: dict[str, Any], place: str, zone: "Zone") -> str | None:
    key = next((key for key in _TIMES if record.get(key) not in (None, "")), None)
    return None if key is None else moment(record[key], f"{place}: `{key}`", zone)


def moment(value: Any, place: str, zone: "Zone") -> str:
    """A time as it is stored: from ISO 8601, Unix seconds, milli- or microseconds, or as mails have it."""
    if isinstance(value, str) and re.fullmatch(r"\d{9,17}(\.\d{1,9})?", value.strip(), re.ASCII):
        value = float(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _unix(value, place)
    if not isinstance(value, str):
        raise UsageError(f"{place} is {_type_name(value)}, not a time")
    from memhub.text.dates import parse_date

    try:
        return parse_date(value, zone)
    except UsageError as error:
        found = _mail_date(value)
        if found is None:
            raise UsageError(f"{place}: {error.message}", error.hint) from error
        return found


def _unix(number: int | float, place: str) -> str:
    from memhub.stamp import iso

    for limit, factor in ((1e11, 1000.0), (1e14, 1.0), (1e17, 0.001)):
        if 0 <= number < limit:
            return iso(int(number * factor + 0.5))
    shown = str(number) if len(str(number)) < 30 else "so large a number"
    raise UsageError(f"{place}: {shown} is no time", "a number counts seconds, milli- or microseconds since 1970")


def _mail_date(text: str) -> str | None:
    from email.utils import parsedate_to_datetime

    from memhub.stamp import iso

    try:
        at = parsedate_to_datetime(text)
        return iso(int(at.timestamp() * 1000)) if at.tzinfo else None
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


# ---- the text form


def _from_chat(chat: "Chat", zone: "Zone", bot: str | None) -> Conversation:
    from memhub.text.chatform import default_role

    known = {name: getattr(chat.info, name, None) for name in FIELDS}
    fields = {name: value for name, value in known.items() if value}
    messages: list[Message] = []
    places: list[str] = []
    for message, number in zip(chat.messages, chat.lines, strict=True):
        place = f"line {number}"
        content = clean(message.content).strip("\n")
        if not content.strip():
            continue
        role = _role(message.role, place, None, None)
        if bot and role == "user":
            role = default_role(message.speaker.name, bot)
        at = moment(message.at, place, zone) if message.at else None
        messages.append(message._replace(content=content, role=role, at=at))
        places.append(place)
    return Conversation(fields, messages, places, len(chat.messages) - len(messages))
