"""The JSON shapes that the prompts ask for, in the part of JSON Schema that every provider understands."""

from typing import Any

from memhub.model.judging import ACTIONS


def _object(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _list(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


_TEXT = {"type": "string"}
_MAYBE_TEXT = {"type": ["string", "null"]}
_MAYBE_NUMBER = {"type": ["number", "null"]}
_MAYBE_BOOLEAN = {"type": ["boolean", "null"]}

KINDS = ("fact", "event", "intent", "profile")

EXTRACT = _object(
    candidates=_list(
        _object(
            kind={"type": "string", "enum": list(KINDS)},
            turn=_TEXT,
            quote=_TEXT,
            text=_TEXT,
            importance=_MAYBE_NUMBER,
            due=_MAYBE_TEXT,
            subject=_MAYBE_TEXT,
            dimension=_MAYBE_TEXT,
            qualifier=_MAYBE_TEXT,
            value=_MAYBE_TEXT,
            corrects=_MAYBE_BOOLEAN,
        )
    )
)

PROCEDURES = _object(procedures=_list(_object(task=_TEXT, steps=_list(_TEXT), outcome=_TEXT, importance=_MAYBE_NUMBER)))

JUDGE = _object(
    rulings=_list(
        _object(
            id=_TEXT,
            action={"type": "string", "enum": list(ACTIONS)},
            targets=_list(_TEXT),
            difference=_MAYBE_TEXT,
            reason=_MAYBE_TEXT,
            confidence=_MAYBE_NUMBER,
        )
    )
)

ENTITY_TYPES = ("person", "organisation", "place", "tool", "project", "concept")
RELATIONS = ("works_at", "lives_in", "part_of", "located_in", "uses", "made_by", "member_of", "knows", "family_of")

ENTITIES = _object(
    entities=_list(
        _object(text=_TEXT, name=_TEXT, type={"type": "string", "enum": list(ENTITY_TYPES)}, aliases=_list(_TEXT))
    ),
    relations=_list(
        _object(
            **{"text": _TEXT, "from": _TEXT, "relation": {"type": "string", "enum": list(RELATIONS)}, "to": _TEXT},
        )
    ),
)
DERIVE = _object(title=_MAYBE_TEXT, statement=_MAYBE_TEXT, citations=_list(_object(id=_TEXT, quote=_TEXT)))
CITED = _object(
    found=_MAYBE_BOOLEAN,
    sentences=_list(_object(text=_TEXT, cites=_list(_object(n={"type": "integer"}, quote=_TEXT)))),
)
