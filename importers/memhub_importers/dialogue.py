"""Makes one conversation of the messages that a tool's reader kept, by the rules all tools share."""

import re
from collections.abc import Iterable, Sequence

from memhub.model.record import Conversation, Skipped
from memhub.model.thread import Message, ThreadInfo
from memhub.text.clean import clean, one_line

NEVER_USED = "never used: no prompt in it"
_PLACEHOLDER = re.compile(
    r"(?:new (?:session|chat|conversation)|child session|untitled)(?: - \d{4}-\d\d-\d\dT\S*)?", re.I
)


def conversation(
    key: tuple[str, str, str],
    messages: Iterable[Message],
    *,
    title: str | None = None,
    folder: str | None = None,
    started_at: str | None = None,
    ended_at: str | None = None,
    parent: str | None = None,
    warnings: Sequence[str] = (),
) -> Conversation | Skipped:
    """The whole thread with the source key `key`; a `Skipped` when nobody asked anything in it.

    Empty messages are left out, texts trimmed, a doubled message id gets `~2`. A title that is a placeholder of the
    tool counts as none.
    """
    kept = _unique(message._replace(content=message.content.strip()) for message in messages)
    if not any(message.role == "user" for message in kept):
        return Skipped(key[2], NEVER_USED)
    title = one_line(clean(title)).strip() if title else None
    info = ThreadInfo(
        title=None if not title or _PLACEHOLDER.fullmatch(title) else title,
        platform=key[0],
        key=key,
        whole=True,
        folder=folder.strip() or None if folder else None,
        started_at=started_at,
        ended_at=ended_at,
        parent=parent or None,
    )
    return Conversation(info, kept, tuple(warnings))


def marked(messages: Sequence[Message | None]) -> list[Message]:
    """The messages, the answers that end a turn marked as final; None stands for a call of a tool.

    An answer is final when it is the last one before the next prompt and no tool was called after it.
    """
    kept: list[Message] = []
    answer: int | None = None
    for message in (*messages, Message("", "user")):
        if message is None:
            answer = None
        elif message.role == "user":
            if answer is not None:
                kept[answer] = final(kept[answer])
            answer = None
            kept.append(message)
        elif message.content.strip():
            answer = len(kept)
            kept.append(message)
    return kept[:-1]


def final(message: Message) -> Message:
    """The message with the mark of a final answer."""
    return message._replace(attrs={"final": True, **message.attrs})


def attrs(model: str = "", is_final: bool = False) -> dict[str, object]:
    """The attributes of an answer."""
    return {**({"final": True} if is_final else {}), **({"model": model} if model else {})}


def _unique(messages: Iterable[Message]) -> tuple[Message, ...]:
    kept: list[Message] = []
    taken: dict[str, int] = {}
    for number, message in enumerate(messages, 1):
        if not message.content:
            continue
        name = message.id if message.id and message.id.strip() else f"#{number}"
        count = taken[name] = taken.get(name, 0) + 1
        while count > 1 and f"{name}~{count}" in taken:
            count += 1
        if count > 1:
            taken[name], name = count, f"{name}~{count}"
            taken[name] = 1
        kept.append(message._replace(id=name))
    return tuple(kept)
