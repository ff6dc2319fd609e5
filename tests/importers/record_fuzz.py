"""Damages the files of a source of records with the means of `fuzz.py`, and checks every record that still comes."""

import json
import random
import re
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from fuzz import SECONDS, flipped, mistyped, rewritten, truncated
from memhub_importers.registry import Importer

from memhub.model.record import Record, Skipped

_TIME = re.compile(r"\d{4}-\d\d(?:-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?Z?)?)?")
_TYPES = {"link", "embed", "url", "property", "relation", "parent", "reply", "block", "cite", "attachment"}


def fuzz_records(importer: Importer, root: Path, *, pattern: str = "*", most: int = 40, keep: bool = True) -> None:
    """Damages each file that matches in all ways; with `keep`, records of the other files must come as before."""
    files = [root] if root.is_file() else sorted(path for path in root.rglob(pattern) if path.is_file())
    assert files, "nothing to damage"
    for path in files:
        data = path.read_bytes()
        name = path.relative_to(root).as_posix() if path != root else path.name
        others = {x.external_id: x.content for x in records(importer, root) if x.path not in (name, None)}
        for kind in (truncated, flipped, rewritten, mistyped):
            for what, changed in _some(list(kind(data, 7)), most):
                path.write_bytes(changed)
                start = time.monotonic()
                try:
                    found = {record.external_id: record.content for record in records(importer, root)}
                except BaseException as error:
                    error.add_note(f"damage: {name}: {what}")
                    raise
                assert time.monotonic() - start < 2 * SECONDS, f"{name}: {what}"
                assert not keep or others.items() <= found.items(), f"{name}: {what}"
        path.write_bytes(data)


def records(importer: Importer, root: Path) -> list[Record]:
    """The records of one run, each of the right shape; ids are unique."""
    outcomes = list(importer.read(root, scope="x"))
    check_shapes(outcomes)
    found = [outcome for outcome in outcomes if isinstance(outcome, Record)]
    return found


def check_shapes(outcomes: Iterable[Any]) -> None:
    """Fails unless each outcome is a record that can be stored as it is, or a place that is named."""
    ids: set[str] = set()
    for outcome in outcomes:
        if isinstance(outcome, Skipped):
            assert _is_text(outcome.where), outcome
            assert _is_text(outcome.why), outcome
            continue
        assert isinstance(outcome, Record), outcome
        assert outcome.external_id not in ids, outcome.external_id
        ids.add(outcome.external_id)
        assert _is_text(outcome.external_id)
        assert outcome.external_id.partition(":")[2].strip("#")
        assert outcome.content == outcome.content.strip()
        assert "\0" not in outcome.content
        assert _is_text(outcome.title)
        assert all(_is_text(label) for label in outcome.labels)
        for moment in (outcome.created_at, outcome.updated_at):
            assert moment is None or _TIME.fullmatch(moment), moment
        for link in outcome.links:
            assert link.type in _TYPES
            assert _is_text(link.target)
            json.dumps(dict(link.attrs)).encode()
        json.dumps(dict(outcome.attrs)).encode()
        repr(outcome).encode()


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip()) and bool(value.encode("utf-8"))


def _some(changes: list[Any], most: int) -> list[Any]:
    if len(changes) <= most:
        return changes
    return [changes[place] for place in sorted(random.Random(7).sample(range(len(changes)), most))]
