r"""The text form of chat platforms: a head that names the chat, and a line for each speaker.

    (Telegram 群组「开发讨论」 机器人「小助手」)
    [张三] 明天十点开会
    [Anna|u42|2026-06-01T18:00:00Z] I come later.
    The train is late.

Head, on the first line; it may be missing, and so may each of its parts:

    "(" platform " " chat-type NAME " " ("bot" | "机器人") NAME ")"      NAME = "「" name "」" | ' "' name '"'

The chat type is the last word before the name, or two that belong together (`direct message`).

Message: `"[" name "|" id "|" time "|" role "|" message-id "]" " " text`; fields at the end that say nothing are left
out. The role is `assistant` for the speaker called like the bot and `user` for everybody else; the field says any
other. A line that is no message goes on with the text of the message before.

In the head and in the brackets a backslash takes the sign behind it by its word; `\n` and `\r` are line ends. A name
begins with neither `{` nor `"`, unless escaped, so that broken JSON is never taken for a conversation. A further line
of a text is escaped by a backslash only where it would be a message itself.

What `write` gives, `parse` reads back as it was: every name and every text. An empty field is an unknown one.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from memhub.model.thread import Message, Speaker, ThreadInfo

_FIELD = r"((?:[^\[\]|\\]|\\.)*)"
_MESSAGE = rf"\[(?![{{\"]){_FIELD}(?:\|{_FIELD})?(?:\|{_FIELD})?(?:\|{_FIELD})?(?:\|{_FIELD})?\] (.*)"
_SHIELD = r"\\+(?=\[)"

_LETTERS = r"(?:[^\\()「」\"]|\\.)*"
_NAME = rf"(?:「({_LETTERS})」|\"({_LETTERS})\")"
_HEAD = rf"\(({_LETTERS}?) ?{_NAME}?(?: ?(?<=[ 」\"(])(?:bot|机器人) ?{_NAME})?\)"
_PAIRS = "direct message|private message|private chat|group chat|public channel|private channel"
_WHERE = rf"((?:[^\\]|\\.)*?) ((?i:{_PAIRS})|(?:[^\\ ]|\\.)+)"
_HAN = "[\u3400-\u9fff]"


class Chat(NamedTuple):
    """What a text says: the chat as its head names it, the messages, and the line (from 1) on which each begins."""

    info: ThreadInfo
    messages: tuple[Message, ...]
    lines: tuple[int, ...]


def parse(text: str) -> Chat | None:
    """The conversation in `text`; None when it begins with neither a head nor a message, or holds no message."""
    lines = text.removesuffix("\n").split("\n")
    first = _first(lines, 0)
    info = _parse_head(lines[first])
    if info is not None:
        first = _first(lines, first + 1)
    heads: list[re.Match[str]] = []
    texts: list[list[str]] = []
    starts: list[int] = []
    for number, line in enumerate(lines[first:], first + 1):
        match = _message(line)
        if match:
            heads.append(match)
            texts.append([match[6]])
            starts.append(number)
        elif not heads:
            return None
        else:
            texts[-1].append(line[1:] if _is_shielded(line) else line)
    if not heads:
        return None
    known = info or ThreadInfo()
    made = [_made(head, "\n".join(parts), known.bot_name) for head, parts in zip(heads, texts, strict=True)]
    return Chat(known, tuple(made), tuple(starts))


def write(info: ThreadInfo, messages: Iterable[Message]) -> str:
    """The text form of a conversation, ended by a newline.

    Holds platform, chat type, chat name and bot name of `info`, and all of a message but its `attrs`.
    """
    head = _write_head(info)
    lines = [head] if head else []
    for message in messages:
        first, *rest = message.content.split("\n")
        lines.append(f"[{_fields(message, info.bot_name)}] {first}")
        lines += ["\\" + line if _message(line) or _is_shielded(line) else line for line in rest]
    return "".join(f"{line}\n" for line in lines)


def default_role(speaker: str | None, bot: str | None) -> str:
    """The role of a speaker of whom only the name is known."""
    return "assistant" if bot and speaker == bot else "user"


def _first(lines: list[str], start: int) -> int:
    """The number of the first line from `start` on that is not blank."""
    return next((number for number in range(start, len(lines)) if lines[number].strip()), start)


def _message(line: str) -> re.Match[str] | None:
    return re.fullmatch(_MESSAGE, line, re.S) if line[:1] == "[" else None


def _is_shielded(line: str) -> bool:
    """Whether a line is a message behind backslashes, one of which `write` has put there."""
    shield = re.match(_SHIELD, line)
    return shield is not None and _message(line[shield.end() :]) is not None


def _made(head: re.Match[str], content: str, bot: str | None) -> Message:
    name, identity, at, role, external = (_plain(field) or None for field in head.groups()[:5])
    return Message(content, role or default_role(name, bot), Speaker(name, identity), at, external)


def _fields(message: Message, bot: str | None) -> str:
    name, identity = message.speaker
    role = "" if message.role == default_role(name or None, bot or None) else message.role
    fields = [_escaped(field or "", r"[\[\]|\\]") for field in (name, identity, message.at, role, message.id)]
    if fields[0][:1] in ("{", '"'):
        fields[0] = "\\" + fields[0]
    while len(fields) > 1 and not fields[-1]:
        fields.pop()
    return "|".join(fields)


def _parse_head(line: str) -> ThreadInfo | None:
    match = re.fullmatch(_HEAD, line, re.S)
    if match is None or line == "()":
        return None
    where = re.fullmatch(_WHERE, match[1], re.S)
    platform, chat_type = where.groups() if where else (match[1], None)
    name, bot = match[2] or match[3], match[4] or match[5]
    return _described(*(_plain(field) for field in (platform, chat_type, name, bot)))


def _described(platform: str | None, chat_type: str | None, chat_name: str | None, bot_name: str | None) -> ThreadInfo:
    return ThreadInfo(None, platform or None, chat_type or None, chat_name or None, bot_name or None)


def _write_head(info: ThreadInfo) -> str:
    wanted = _described(info.platform, info.chat_type, info.chat_name, info.bot_name)
    if wanted == ThreadInfo():
        return ""
    plain = _head(wanted, r"[()「」\"\\]")
    return plain if _parse_head(plain) == wanted else _head(wanted, r"[()「」\"\\ b机]")


def _head(info: ThreadInfo, signs: str) -> str:
    """The head with `signs` escaped; Chinese chats have Chinese quotation marks."""
    is_chinese = bool(
        re.search(_HAN, info.chat_type or f"{info.platform or ''}{info.chat_name or ''}{info.bot_name or ''}")
    )
    left, right = "「」" if is_chinese else '""'
    where = _escaped(info.platform or "", signs)
    if info.chat_type:
        where += " " + _escaped(info.chat_type, signs)
    if info.chat_name:
        gap = " " if where and not is_chinese else ""
        where += f"{gap}{left}{_escaped(info.chat_name, signs)}{right}"
    if info.bot_name:
        word = "机器人" if is_chinese else "bot "
        where += f"{' ' if where else ''}{word}{left}{_escaped(info.bot_name, signs)}{right}"
    return f"({where})"


def _escaped(text: str, signs: str) -> str:
    return re.sub(signs, r"\\\g<0>", text).replace("\n", r"\n").replace("\r", r"\r")


def _plain(text: str | None) -> str:
    return re.sub(r"(?s)\\(.)", lambda found: {"n": "\n", "r": "\r"}.get(found[1], found[1]), text or "")
