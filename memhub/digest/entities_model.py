"""Asks a model who and what texts speak of, and believes no name that does not stand in the text."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from memhub.digest.mentions import Text
from memhub.llm import prompts, shapes
from memhub.llm.call import Llm, ModelError
from memhub.pipeline.quotes import occurrences
from memhub.text.clean import one_line
from memhub.text.naming import LONGEST, name_key
from memhub.text.redact import find_secrets

WINDOW = 6000
"""Characters of texts to a call."""

_LATER = ("timeout", "busy", "server", "unreachable", "key", "model")
"""Failures after which another time may go better; any other the same texts would meet again."""


class Named(NamedTuple):
    """An entity that a text names, with other names it has there."""

    item: str
    name: str
    type: str
    aliases: tuple[str, ...]


class Related(NamedTuple):
    """A relation that a text states between two of the names in it."""

    item: str
    source: str
    relation: str
    target: str


class Drawn(NamedTuple):
    """What a model found in some texts."""

    named: tuple[Named, ...] = ()
    related: tuple[Related, ...] = ()


def draw(llm: Llm, texts: Sequence[Text]) -> Drawn:
    """What the texts name and how they relate it, one call for each window of them.

    Raises `ModelError` when another time may go better, `BudgetSpentError` when the budget does not reach; what a
    model cannot answer is left to the rules.
    """
    named: list[Named] = []
    related: list[Related] = []
    for window in _windows(texts):
        try:
            answer = llm.complete(prompts.load("entities"), _shown(window), shapes.ENTITIES)
        except ModelError as error:
            if error.kind in _LATER:
                raise
            continue
        by_id = {f"t{number}": text for number, text in enumerate(window, 1)}
        found = [one for entry in answer.value["entities"] if (one := _named(by_id, entry)) is not None]
        named += found
        edges = (_related(by_id, found, entry) for entry in answer.value["relations"])
        related += [edge for edge in edges if edge is not None]
    return Drawn(tuple(named), tuple(related))


def _windows(texts: Sequence[Text]) -> Iterator[list[Text]]:
    """Texts in groups of at most `WINDOW` characters; of a longer one a model reads the beginning."""
    group: list[Text] = []
    size = 0
    for text in texts:
        length = min(len(text.text), WINDOW)
        if group and size + length > WINDOW:
            yield group
            group, size = [], 0
        group.append(text)
        size += length
    if group:
        yield group


def _shown(window: Sequence[Text]) -> dict[str, Any]:
    return {"texts": [{"id": f"t{number}", "text": _masked(text.text)} for number, text in enumerate(window, 1)]}


def _masked(text: str) -> str:
    parts, at = [], 0
    for secret in find_secrets(text):
        parts += [text[at : secret.start], f"[masked {secret.name}]"]
        at = secret.stop
    return "".join([*parts, text[at:]])[:WINDOW]


def _named(by_id: Mapping[str, Text], entry: Mapping[str, Any]) -> Named | None:
    text = by_id.get(entry["text"])
    name = _in_text(text, entry["name"]) if text is not None else None
    if text is None or name is None:
        return None
    aliases = (_in_text(text, alias) for alias in entry["aliases"])
    others = tuple(dict.fromkeys(alias for alias in aliases if alias and name_key(alias) != name_key(name)))
    return Named(text.id, name, entry["type"], others)


def _in_text(text: Text, name: str) -> str | None:
    """The name as the text has it; None when it does not stand there, or is no name by its form."""
    place = next(occurrences(text.text, name), None)
    if place is None:
        return None
    spelling = one_line(text.text[place[0] : place[1]])
    return spelling if 1 < len(spelling) <= LONGEST and any(char.isalpha() for char in spelling) else None


def _related(by_id: Mapping[str, Text], named: Sequence[Named], entry: Mapping[str, Any]) -> Related | None:
    text = by_id.get(entry["text"])
    if text is None:
        return None
    own = {name_key(name) for one in named if one.item == text.id for name in (one.name, *one.aliases)}
    source, target = name_key(entry["from"]), name_key(entry["to"])
    if source == target or not {source, target} <= own:
        return None
    return Related(text.id, source, entry["relation"], target)
