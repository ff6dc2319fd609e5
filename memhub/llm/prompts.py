"""Prompts: Markdown files beside this module, and how one is put before a model together with data.

The first line of a file is `version: N`. A prompt is known by the hash of its file, so that what a model decided can be
traced to the words that it was given. Data is never part of the prompt: it follows as JSON between marks that text
inside the data cannot close, and every prompt says that it is material and no instruction.
"""

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

NAMES = ("extract", "procedures", "judge", "entities", "derive", "ask", "opening", "repair")


class Prompt(NamedTuple):
    """`hash` is the SHA-256 of the whole file, version line included; `text` is what the model reads."""

    name: str
    text: str
    hash: str
    version: int = 1


@cache
def load(name: str) -> Prompt:
    """The prompt of the file `prompts/<name>.md`."""
    raw = files("memhub.llm").joinpath("prompts", f"{name}.md").read_bytes().replace(b"\r\n", b"\n")
    head, _, text = raw.decode().partition("\n")
    mark, _, version = head.partition(": ")
    if mark != "version":
        raise ValueError(f"the prompt {name} has no version line")
    return Prompt(name, text.strip(), hashlib.sha256(raw).hexdigest(), int(version))


def messages(prompt: Prompt, values: Mapping[str, Any]) -> list[dict[str, str]]:
    """The prompt as the system's message, and the data as the user's."""
    data = f"<data>\n{as_data(values)}\n</data>\n\nAnswer the task `{prompt.name}` with one JSON object."
    return [{"role": "system", "content": prompt.text}, {"role": "user", "content": data}]


def as_data(values: Mapping[str, Any]) -> str:
    """JSON in which nothing can be taken for the closing mark: `</` is written `<\\/`, the same text to any reader."""
    return json.dumps(values, ensure_ascii=False, indent=1).replace("</", "<\\/")


def repair(prompt: Prompt, values: Mapping[str, Any], answer: str, problem: str) -> list[dict[str, str]]:
    """The same question with the answer that could not be used and what was wrong with it."""
    wish = load("repair").text.replace("{problem}", problem)
    return [
        *messages(prompt, values),
        {"role": "assistant", "content": answer or "(empty)"},
        {"role": "user", "content": wish},
    ]


def estimate(chat: list[dict[str, str]]) -> int:
    """About how many tokens `chat` is: four ASCII characters make one, any other character is one."""
    text = "".join(message["content"] for message in chat)
    wide = sum(not char.isascii() for char in text)
    return (len(text) - wide) // 4 + wide + 4 * len(chat)
