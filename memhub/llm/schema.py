"""Takes the JSON out of a model's answer and checks it against the part of JSON Schema that the shapes use.

Models wrap JSON in fences, thoughts and friendly sentences, leave out what is null and add what nobody asked for: all
of that is forgiven, because it loses nothing. A wrong type, a word outside an enumeration or a missing value is not.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "number": (int, float),
    "integer": (int,),
    "boolean": (bool,),
    "null": (type(None),),
}
_STARTS = 20


class SchemaError(ValueError):
    """What is wrong with a value, said so that a model can mend it."""


def read_answer(text: str, schema: Mapping[str, Any]) -> Any:
    """The first JSON value in `text` that fits `schema`. Raises `SchemaError` about the nearest miss."""
    problem: SchemaError | None = None
    for value in _values(text):
        try:
            return check(value, schema)
        except SchemaError as error:
            problem = problem or error
    raise problem or SchemaError("there is no complete JSON object in the answer")


def check(value: Any, schema: Mapping[str, Any], place: str = "the answer") -> Any:
    """`value` with nulls put where they were left out and unknown keys gone. Raises `SchemaError`."""
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if not any(_is(value, kind) for kind in kinds):
        raise SchemaError(f"{place} must be {' or '.join(kinds)}, not {_short(value)}")
    if "enum" in schema and value not in schema["enum"]:
        raise SchemaError(f"{place} must be one of {', '.join(map(str, schema['enum']))}, not {_short(value)}")
    if isinstance(value, dict):
        return {name: _member(value, name, part, place) for name, part in schema["properties"].items()}
    if isinstance(value, list):
        return [check(entry, schema["items"], f"{place}[{number}]") for number, entry in enumerate(value)]
    return value


def _member(value: dict[str, Any], name: str, schema: Mapping[str, Any], place: str) -> Any:
    if name not in value:
        if "null" in schema["type"]:
            return None
        raise SchemaError(f"{place} has no `{name}`")
    return check(value[name], schema, f"{place}.{name}")


def _is(value: Any, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return False
    return isinstance(value, _TYPES[kind])


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:57] + "…"


def _values(text: str) -> Iterator[Any]:
    """The JSON objects in `text`: after its thoughts first, then from every brace that begins one."""
    thoughtless = re.sub(r"^\s*<think(?:ing)?>.*?</think(?:ing)?>", "", text, count=1, flags=re.S)
    decoder = json.JSONDecoder()
    at = -1
    for _ in range(_STARTS):
        at = thoughtless.find("{", at + 1)
        if at < 0:
            return
        try:
            value, end = decoder.raw_decode(thoughtless, at)
        except (ValueError, RecursionError):
            continue
        yield value
        at = end - 1
