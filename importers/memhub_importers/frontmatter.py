"""Parts a note from the YAML block at its top, with every scalar kept as the text it is.

YAML guesses types (`no` is false, `12:30` is 750) and people write blocks that are not quite YAML. Nothing is guessed
here, and a block that cannot be read stays in the text. The values are built from the parser's events, not by a loader:
so nesting is counted, references cannot multiply, and a key written twice is seen.
"""

import re
from typing import Any, NamedTuple

from memhub.text.clean import clean

LIMIT = 64 * 1024
_MAX_DEPTH = 30
_OPENING = re.compile(r"---[ \t]*(?:\n|$)")
_CLOSING = re.compile(r"^(?:---|\.\.\.)[ \t]*$", re.MULTILINE)


class FrontMatter(NamedTuple):
    """The values of the block (keys as written), the text after it, and the text to store.

    `content` holds the block too when it could not be read.
    """

    values: dict[str, Any]
    body: str
    content: str
    warnings: tuple[str, ...] = ()


class _Unreadable(Exception):
    """The block is not YAML that can be taken; the message says why."""


def split_front_matter(text: str) -> FrontMatter:
    """Takes the block off a text that begins with a line `---`; a text without one comes back whole."""
    opening = _OPENING.match(text)
    if not opening:
        return FrontMatter({}, text, text)
    closing = _CLOSING.search(text, opening.end())
    if not closing:
        return FrontMatter({}, text, text)
    block, body = text[opening.end() : closing.start()], text[closing.end() :].removeprefix("\n")
    if len(block) > LIMIT:
        return FrontMatter({}, body, text, ("front matter is longer than 64 KiB; kept in the text",))
    if not block.strip():
        return FrontMatter({}, body, body)
    try:
        values, doubles = _parse(block)
    except _Unreadable as error:
        return FrontMatter({}, body, text, (f"front matter is not valid YAML; kept in the text ({error})",))
    if values is None:
        return FrontMatter({}, text, text)  # prose between two rules
    warnings = tuple(f"front matter has `{key}` twice; the last one counts" for key in doubles)
    return FrontMatter(values, body, body, warnings)


def _parse(block: str) -> tuple[dict[str, Any] | None, list[str]]:
    """The mapping of `block` and its doubled keys; None for YAML that is no mapping. Obsidian's `\\|` is forgiven."""
    try:
        return _build(block)
    except _Unreadable:
        if "\\|" not in block:
            raise
        return _build(block.replace("\\|", "|"))


def _build(block: str) -> tuple[dict[str, Any] | None, list[str]]:
    import yaml

    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    doubles: list[str] = []
    root: list[Any] = []
    stack: list[_Level] = [_Level(root)]
    try:
        for event in yaml.parse(block, Loader=loader):
            if isinstance(event, yaml.AliasEvent):
                raise _Unreadable("a reference, `*name`, is not taken")
            if isinstance(event, yaml.ScalarEvent):
                _add(stack[-1], clean(event.value), doubles)  # YAML can spell controls
            elif isinstance(event, yaml.SequenceStartEvent | yaml.MappingStartEvent):
                made: Any = [] if isinstance(event, yaml.SequenceStartEvent) else {}
                _add(stack[-1], made, doubles)
                stack.append(_Level(made))
                if len(stack) > _MAX_DEPTH:
                    raise _Unreadable("nested too deep")
            elif isinstance(event, yaml.SequenceEndEvent | yaml.MappingEndEvent):
                stack.pop()
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        raise _Unreadable(f"line {mark.line + 2}" if mark else "unknown place") from error
    except (ValueError, RecursionError) as error:
        raise _Unreadable(type(error).__name__) from error
    value = root[0] if len(root) == 1 else None
    return (_links_again(value), doubles) if isinstance(value, dict) else (None, [])


class _Level:
    """One open list or mapping, with the key that waits for its value."""

    def __init__(self, made: Any) -> None:
        self.made = made
        self.key: str | None = None


def _add(level: _Level, value: Any, doubles: list[str]) -> None:
    if isinstance(level.made, list):
        level.made.append(value)
    elif level.key is not None:
        level.made[level.key] = value
        level.key = None
    elif isinstance(value, str):
        if value in level.made:
            doubles.append(value)
        level.key = value
    else:
        raise _Unreadable("a key that is a list or a mapping")


def _links_again(value: Any) -> Any:
    """`value` with each unquoted `[[Note]]`, which YAML reads as a list in a list, as the link that was meant."""
    if isinstance(value, dict):
        return {key: _links_again(inner) for key, inner in value.items()}
    if isinstance(value, list):
        if len(value) == 1 and isinstance(value[0], list) and all(isinstance(inner, str) for inner in value[0]):
            return f"[[{', '.join(value[0])}]]"
        return [_links_again(inner) for inner in value]
    return value
