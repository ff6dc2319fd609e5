"""One chat of an Aider history: the lines after its header, told apart into prompts, output and answers.

Aider ends every line of a prompt with two blanks, and models do not end their headings so. Where a chat has prompts
with them, `#### Step 1` in an answer is a heading; a prompt with them after an empty line ends an answer whose code
fence was never closed, which is what an interrupted answer leaves. In other chats every `####` outside of a fence is a
prompt. A line `> …` outside of a fence is output of the tool, and also parts two answers.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from memhub.model.record import Conversation, Skipped
from memhub.model.thread import Message
from memhub.text.clean import clean
from memhub_importers import dialogue

KIND = "aider"
HEADER = re.compile(r"# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\s*")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})(.*)", re.S)
_MODEL = re.compile(r">\s*(?:Main model|Model):\s*(\S+)")
_WITH_TEXT = re.compile(r"/(?:ask|code|architect)\s+\S")


def chat(id: str, scope: str, started: str, lines: Sequence[str], folder: str) -> Conversation | Skipped:
    """The thread in `lines`, which follow a header with the local time `started`."""
    messages: list[Message] = []
    model = ""
    for role, said in _blocks(lines):
        if role == "output":
            model = next((found[1] for line in said if (found := _MODEL.match(line))), model)
            continue
        content = clean("\n".join(line.rstrip() for line in said)).strip()
        if not content or content == "<blank>" or (role == "user" and _is_command(content)):
            continue
        attrs = dialogue.attrs(clean(model)) if role == "assistant" else {}
        messages.append(Message(content, role, id=f"#{len(messages) + 1}", attrs=attrs))
    marked = dialogue.marked(messages)
    return dialogue.conversation((KIND, scope, id), marked, folder=folder, started_at=_instant(started))


def _blocks(lines: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """(user, assistant or output; its lines): neighbours of one kind together, prompts without their marks."""
    is_strict = any(_is_prompt(line, True) for line in lines)
    role, block, fence, before = "", list[str](), "", ""
    for line in lines:
        if fence and not (is_strict and _is_prompt(line, True) and not before.strip()):
            now = "assistant"
            if _closes(line, fence):
                fence = ""
        elif _is_prompt(line, is_strict):
            now, fence, line = "user", "", line[4:].strip()
            line = "" if line == "<blank>" else line
        elif line.startswith(">"):
            now = "output"
        else:
            now = "assistant"
            opened = _FENCE.match(line)
            fence = opened[1] if opened and not ("`" in opened[1] and "`" in opened[2]) else ""
        # An empty line after a prompt or after output belongs to neither, and begins no answer.
        if now != role and not (now == "assistant" and not line.strip()):
            if block:
                yield role, block
            role, block = now, []
        elif now != role and role == "user":
            yield role, block
            role, block = "", []
        if now == role:
            block.append(line)
        before = line
    if block:
        yield role, block


def _is_prompt(line: str, is_strict: bool) -> bool:
    line = line.rstrip("\r\n")
    return (line.startswith("#### ") or line.rstrip() == "####") and (line.endswith("  ") or not is_strict)


def _closes(line: str, fence: str) -> bool:
    found = _FENCE.match(line)
    return bool(found and found[1].startswith(fence) and not found[2].strip())


def _is_command(content: str) -> bool:
    """Whether a prompt is one to Aider itself; those that carry a request for the model are not."""
    return content.startswith(("/", "!")) and not _WITH_TEXT.match(content)


def _instant(started: str) -> str | None:
    """A local time as an instant; None when there is no such day."""
    try:
        return datetime.fromisoformat(started).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError, OSError):
        return None
