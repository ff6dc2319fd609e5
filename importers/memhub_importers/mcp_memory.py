"""The reference memory server for MCP: one item for each entity of its `memory.jsonl`, its relations as links.

Several servers write one file, so it is read as damaged: objects glued into one line, a last line cut off, entities
that come again. A single object with `entities` and `relations`, as the tools of the server answer, is read too.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from memhub.model import EMPTY
from memhub.model.record import Cursor, Link, Origin, Record, Skipped
from memhub_importers import jsonl
from memhub_importers.encoding import nfc
from memhub_importers.files import Found, walk
from memhub_importers.options import FACTS, YES
from memhub_importers.text import sid
from memhub_importers.values import entries, text

_SNIFFED = 64 * 1024
_SNIFFED_LINES = 5
_ENDINGS = (".json", ".jsonl", ".ndjson")
_TITLE_CHARS = 300
OPTIONS = (FACTS,)
STDIN_ENDING = ".json"


def sniff(path: Path) -> bool:
    """Whether a `.jsonl` or `.json` file begins with an entity or a relation."""
    if path.suffix.lower() not in _ENDINGS or not path.is_file():
        return False
    for number, found in enumerate(jsonl.lines(path, wanted=lambda raw: len(raw) < _SNIFFED)):
        if number >= _SNIFFED_LINES:
            break
        if not isinstance(found, Skipped) and (_kind(found[1]) or _is_graph(found[1])):
            return True
    return path.suffix.lower() == ".json" and path.stat().st_size < 1_000_000 and _is_graph(jsonl.document(path))


def origin(path: Path) -> Origin:
    """`mcp-memory`, named after the file."""
    path = path.resolve()
    return Origin("mcp-memory", path.stem if path.is_file() else path.name)


def read(
    path: Path, *, scope: str = "", cursors: Mapping[str, str] = EMPTY, options: Mapping[str, str] = EMPTY
) -> Iterator[Record | Skipped | Cursor]:
    """The entities of the file in the order they come first. Raises `NotFoundError`."""
    for found in walk(path):
        if isinstance(found, Skipped):
            yield found
        elif found.suffix in _ENDINGS:
            graph = _Graph(None if path.is_file() else found.name)
            yield from _fill(graph, found)
            yield from graph.records(FACTS.of(options) == YES)


def _fill(graph: "_Graph", found: Found) -> Iterator[Skipped]:
    """Reads the objects of a file into `graph`; yields what could not be read."""
    whole = jsonl.document(found.path, found.name) if found.suffix == ".json" else None
    if _is_graph(whole):
        for number, entity in enumerate(entries(whole, "entities"), 1):
            if not graph.add_entity(entity, 0):
                yield Skipped(f"{found.name}: entity {number}", "no entity with a name", failed=True)
        for number, relation in enumerate(entries(whole, "relations"), 1):
            if not graph.add_relation(relation, 0):
                yield Skipped(f"{found.name}: relation {number}", "no relation with two ends", failed=True)
        return
    last = 0
    for outcome in jsonl.lines(found.path, found.name):
        if isinstance(outcome, Skipped):
            # nothing completes the line later: the next server that writes puts its own after it
            yield outcome._replace(failed=True)
            continue
        number, value = outcome
        kind = _kind(value)
        if kind == "entity":
            graph.add_entity(value, number, is_glued=number == last)
        elif kind == "relation":
            graph.add_relation(value, number, is_glued=number == last)
        else:
            yield Skipped(f"{found.name}:{number}", "neither an entity with a name nor a relation with two ends", True)
        last = number


class _Graph:
    """Entities by name, in the order they come first, with what belongs to each."""

    def __init__(self, path: str | None) -> None:
        self._path = path
        self._types: dict[str, dict[str, None]] = {}
        self._observations: dict[str, dict[str, None]] = {}
        self._relations: dict[str, dict[tuple[str, str], int]] = {}
        self._warnings: dict[str, list[str]] = {}

    def add_entity(self, value: Any, line: int, *, is_glued: bool = False) -> bool:
        """Adds an entity, or what is new of one known already. `line` 0: the file is one object."""
        name = _name(value)
        if not name:
            return False
        types = self._types.setdefault(name, {})
        if kind := text(value, "entityType").strip() or text(value, "entity_type").strip():
            types[kind] = None
        observations = self._observations.setdefault(name, {})
        for observation in entries(value, "observations"):
            content = observation if isinstance(observation, str) else text(observation, "content")
            if content := text({"": content}, "").strip():
                observations[content] = None
        self._note_glue(name, line, is_glued)
        return True

    def add_relation(self, value: Any, line: int, *, is_glued: bool = False) -> bool:
        """Adds an edge once."""
        ends = _ends(value)
        if not ends:
            return False
        relation = text(value, "relationType").strip() or text(value, "relation_type").strip() or "related"
        self._relations.setdefault(ends[0], {}).setdefault((relation, ends[1]), line)
        self._note_glue(ends[0], line, is_glued)
        return True

    def records(self, with_facts: bool = False) -> Iterator[Record | Skipped]:
        """One record for each entity, `with_facts` for each observation too; relations of no entity are named."""
        for name, observations in self._observations.items():
            warnings = list(self._warnings.get(name, ()))
            links = []
            for (relation, target), line in self._relations.pop(name, {}).items():
                is_known = target in self._observations
                to = f"entity:{nfc(target)}" if is_known else None
                links.append(Link("relation", relation, to, {"to_title": target}))
                if not is_known:
                    warnings.append(_at(line, f"relation `{relation}` to an unknown entity `{target[:100]}`"))
            yield Record(
                external_id=f"entity:{nfc(name)}",
                content="\n".join(observations),
                title=name[:_TITLE_CHARS],
                labels=tuple(self._types[name]),
                path=self._path,
                links=tuple(links),
                warnings=tuple(warnings),
            )
            if with_facts:
                yield from (self._fact(name, observation) for observation in observations)
        for name, edges in self._relations.items():
            for (relation, _), line in edges.items():
                yield Skipped(f"{name[:100]} {relation[:100]}", _at(line, "relation of an unknown entity"), failed=True)

    def _fact(self, name: str, observation: str) -> Record:
        entity = f"entity:{nfc(name)}"
        return Record(
            external_id=f"{entity}#{sid(observation)}",
            content=observation,
            title=name[:_TITLE_CHARS],
            kind="fact",
            path=self._path,
            links=(Link("relation", "about", entity, {"to_title": name}),),
        )

    def _note_glue(self, name: str, line: int, is_glued: bool) -> None:
        if is_glued:
            self._warnings.setdefault(name, []).append(_at(line, "two records on one line; both were read"))


def _at(line: int, words: str) -> str:
    return f"line {line}: {words}" if line else words


def _name(value: Any) -> str:
    return next((name for key in ("name", "entityName", "id") if (name := text(value, key).strip())), "")


def _ends(value: Any) -> tuple[str, str] | None:
    start = text(value, "from").strip() or text(value, "from_id").strip()
    end = text(value, "to").strip() or text(value, "to_id").strip()
    return (start, end) if start and end else None


def _kind(value: Any) -> str | None:
    """`entity` or `relation` for an object that is one and can be used; else None."""
    kind = text(value, "type")
    if kind == "entity" and _name(value):
        return kind if isinstance(value.get("observations", []), list) else None
    return kind if kind == "relation" and _ends(value) else None


def _is_graph(value: Any) -> bool:
    """Whether a value is the one object that holds all: lists of entities and relations."""
    return isinstance(value, dict) and all(isinstance(value.get(key), list) for key in ("entities", "relations"))
