"""What of a Claude Code prompt the user typed: injected context goes, slash commands become one line."""

import re
from typing import NamedTuple

from memhub_importers.values import entries, text

_TAGS = ("system-reminder", "ide_opened_file", "ide_selection")
_NOISE = (
    "<local-command-",
    "Caveat: The messages below",
    "[Request interrupted by user",
    "<task-notification>",
    "<bash-input>",
    "<bash-stdout>",
    "<bash-stderr>",
)
_OUTPUT = ("<local-command-stdout>", "<local-command-stderr>")
_COMMAND = re.compile(r"<command-name>\s*(/?[^<\s]{1,200})\s*</command-name>")
_ARGUMENTS = re.compile(r"<command-args>([^<]*)</command-args>")


class Prompt(NamedTuple):
    """What a user record says. `command` is set when it is a slash command, `is_output` when it is what one printed."""

    content: str
    command: str = ""
    is_output: bool = False


def prompt(content: object) -> Prompt:
    """The prompt in the `content` of a message (or the `prompt` of an attachment): a string, or blocks."""
    said: list[str] = []
    is_output = False
    for raw in _texts(content):
        piece = without_tags(raw).strip()
        if piece.startswith(_OUTPUT):
            is_output = True
        if not piece or piece.startswith(_NOISE):
            continue
        if piece.startswith(("<command-name>", "<command-message>")) and (command := _COMMAND.search(piece)):
            arguments = _ARGUMENTS.search(piece, command.end()) or _ARGUMENTS.search(piece)
            words = arguments[1].strip() if arguments else ""
            return Prompt(f"{command[1]} {words}".strip() if words else "", command[1])
        said.append(piece)
    return Prompt("\n\n".join(said), is_output=is_output)


def without_tags(content: str) -> str:
    """`content` without the blocks that the editor and the harness put in; one that never ends stays."""
    for tag in _TAGS:
        opening, closing = f"<{tag}>", f"</{tag}>"
        kept: list[str] = []
        place = 0
        while (start := content.find(opening, place)) >= 0 and (end := content.find(closing, start)) >= 0:
            kept.append(content[place:start])
            place = end + len(closing)
        if kept:
            content = "".join(kept) + content[place:]
    return content


def _texts(content: object) -> list[str]:
    if isinstance(content, str):
        return [text({"text": content}, "text")]
    blocks = entries({"blocks": content}, "blocks")
    return [text(block, "text") for block in blocks if text(block, "type") == "text"]
