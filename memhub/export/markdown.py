"""Writes a folder of Markdown notes: one file an item, with front matter from which `mh import` knows it again.

`<space>/<title>-<last 6 of the id>.md`. The front matter holds `mh_id`, the clock of the last change of the item and
its links (`mh_rev`), and a digest of the text as written (`mh_text`), so that an import can tell what was changed in
the file from what was changed here meanwhile. A list of the files and their digests stays in the folder: a later export
into it overwrites and removes only what nobody has touched.
"""

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import apsw

from memhub.errors import ConflictError, MhError, UsageError
from memhub.export.front_matter import block, text_digest
from memhub.export.note_links import Targets, relinked
from memhub.export.note_names import Names
from memhub.model.item import Item
from memhub.model.query import Filters
from memhub.paths import make_folder
from memhub.store import read
from memhub.store.connection import query, snapshot_of
from memhub.store.filters import where

LIST = ".mh-export.json"
_FORMAT = "mh-markdown"
_PAGE = 500
_STATES = ("live", "archived")
_RELATIONS = 300  # of an item; readers of front matter take no more than 64 KiB


class FolderWritten(NamedTuple):
    """Files written, files that were as they should be, files removed; turns of conversations that were left out."""

    folder: str
    written: int
    unchanged: int
    removed: int
    turns: int


def write_folder(
    database: Path,
    folder: Path,
    filters: Filters,
    *,
    plain: bool = False,
    force: bool = False,
    only: Sequence[str] | None = None,
) -> FolderWritten:
    """Write the items under the filters. Turns of conversations are left out unless the filters ask for layer L0.

    `folder` is new, empty, or an earlier export; else `UsageError`. Raises `ConflictError` when files of an earlier
    export were changed since and would be lost; `force` overwrites them. `plain` leaves the front matter out.
    `only` are ids of items to be written instead of those under the filters.
    """
    before = _earlier(folder)
    with snapshot_of(database) as connection:
        turns = _choose(connection, filters, only)
        names, targets = _learn(connection)
        if not force:
            _refuse_changed(folder, before, [*names.paths.values()])
        now: dict[str, str] = {}
        written = 0
        for item in _items(connection):
            text = _text(connection, item, names, targets, plain).encode("utf-8", "replace")
            path = names.paths[item.id]
            now[path] = hashlib.sha256(text).hexdigest()
            written += _put(folder, path, text)
    removed = sum(_remove(folder, path, digest) for path, digest in before.items() if path not in now)
    known = json.dumps({"format": _FORMAT, "version": 1, "files": now}, ensure_ascii=False, indent=0, sort_keys=True)
    _put(folder, LIST, known.encode())
    return FolderWritten(str(folder), written, len(now) - written, removed, turns)


def _choose(connection: apsw.Connection, filters: Filters, only: Sequence[str] | None) -> int:
    """Put the chosen items into a table of this connection; returns how many turns were left out."""
    if filters == Filters():
        sql, values = f"item.state IN ({','.join('?' * len(_STATES))})", list[Any](_STATES)
    else:
        sql, values = where(connection, filters)
    connection.execute("CREATE TEMP TABLE chosen(id TEXT PRIMARY KEY, n INTEGER NOT NULL) WITHOUT ROWID")
    if only is not None:
        connection.executemany("INSERT INTO chosen SELECT id, n FROM item WHERE id = ?", [(one,) for one in only])
        return 0
    wants_turns = "L0" in filters.layers
    without = "" if wants_turns else "AND item.layer <> 'L0'"
    connection.execute(f"INSERT INTO chosen SELECT item.id, item.n FROM item WHERE {sql} {without}", values)
    if wants_turns:
        return 0
    return int(connection.execute(f"SELECT count(*) FROM item WHERE {sql} AND item.layer = 'L0'", values).get)


def _items(connection: apsw.Connection) -> Iterator[Item]:
    last = ""
    while rows := query(connection, "SELECT id, n FROM chosen WHERE id > ? ORDER BY id LIMIT ?", (last, _PAGE)):
        found = read.load_items(connection, [number for _, number in rows])
        yield from (found[number] for _, number in rows)
        last = rows[-1][0]


def _learn(connection: apsw.Connection) -> tuple[Names, Targets]:
    """First pass: the file of each item, and what a link in a text can mean."""
    names, targets = Names(), Targets()
    for item in _items(connection):
        names.add(item)
        targets.add(item)
    return names, targets


def _text(connection: apsw.Connection, item: Item, names: Names, targets: Targets, plain: bool) -> str:
    edges = query(
        connection,
        """SELECT relation, dst FROM edge WHERE src = ? AND dst IN (SELECT id FROM chosen)
           ORDER BY relation, dst""",
        (item.id,),
    )
    linked = [dst for relation, dst in edges if relation == "links_to"]
    content = relinked(item.content, lambda target: _stem(names, targets.find(target, item.space, linked)))
    if plain:
        title = " ".join((item.title or "").split())
        head = "" if not title or content.lstrip().startswith(f"# {title}") else f"# {title}\n\n"
        return f"{head}{content.strip(chr(10))}\n"
    stems = [(relation, names.stem(dst)) for relation, dst in edges if relation != "links_to"]
    rev = connection.execute(
        """SELECT max(hlc) FROM (SELECT hlc FROM entry WHERE key = ?1 UNION ALL SELECT hlc FROM edge WHERE src = ?1)""",
        (item.id,),
    ).get
    return f"{block(_values(item, stems, str(rev), text_digest(content)))}\n{content.strip(chr(10))}\n"


def _stem(names: Names, identifier: str | None) -> str | None:
    return names.stem(identifier) if identifier else None


def _values(item: Item, relations: list[tuple[str, str]], rev: str, digest: str) -> dict[str, Any]:
    """The front matter; empty values are left out by the writer."""
    source = item.source
    aliases = [alias for alias in item.attrs.get("aliases") or () if isinstance(alias, str)]
    return {
        "mh_id": item.id,
        "mh_rev": rev,
        "mh_text": digest,
        "title": item.title,
        "created": item.created_at,
        "updated": item.updated_at,
        "tags": list(item.labels),
        "aliases": list(dict.fromkeys([*([item.title] if item.title else []), *aliases])),
        "layer": item.layer,
        "kind": item.kind,
        "importance": item.importance,
        "source": (source.url or source.path or source.app or source.kind) if source else None,
        "relations": [{"type": relation, "to": f"[[{stem}]]"} for relation, stem in relations[:_RELATIONS]],
    }


def _earlier(folder: Path) -> dict[str, str]:
    """File → digest of the export that is in the folder already; nothing for a folder that is new or empty."""
    if not os.path.lexists(folder):
        return {}
    if not folder.is_dir():
        raise UsageError(f"`{folder}` is no folder", "name a new folder for Markdown")
    if not any(folder.iterdir()):
        return {}
    try:
        known = json.loads((folder / LIST).read_bytes())
        files = known["files"] if known["format"] == _FORMAT else None
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        files = None
    if not isinstance(files, dict):
        raise UsageError(f"`{folder}` is neither empty nor an earlier export", "name a new folder")
    return {str(path): str(digest) for path, digest in files.items() if _is_inside(str(path))}


def _is_inside(path: str) -> bool:
    parts = path.split("/")
    return len(parts) == 2 and all(part not in ("", ".", "..") for part in parts) and path.endswith(".md")


def _refuse_changed(folder: Path, before: dict[str, str], wanted: list[str]) -> None:
    changed = []
    for path in dict.fromkeys((*before, *wanted)):
        digest = _digest(folder / path)
        if digest is not None and digest != before.get(path):
            changed.append(path)
    if changed:
        more = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
        raise ConflictError(
            f"`{changed[0]}`{more} in `{folder}` changed since the last export",
            f"`mh import {folder}` takes the changes in; then `--force` writes over them",
        )


def _digest(file: Path) -> str | None:
    try:
        return hashlib.sha256(file.read_bytes()).hexdigest()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise MhError(f"cannot read `{file}`: {error.strerror}") from error


def _put(folder: Path, path: str, text: bytes) -> bool:
    """Write one file, readable by the user alone, unless it is as it should be; never through a symbolic link."""
    target = folder / path
    try:
        make_folder(folder)
        if target.parent != folder and target.parent.is_symlink():
            raise MhError(f"`{target.parent}` is a symbolic link; nothing is written through it")
        make_folder(target.parent)
        if _digest(target) == hashlib.sha256(text).hexdigest():
            return False
        draft = target.with_name(f".{hashlib.sha256(path.encode()).hexdigest()[:12]}.part")
        with open(draft, "wb", opener=lambda name, flags: os.open(name, flags, 0o600)) as out:
            out.write(text)
        draft.replace(target)
    except OSError as error:
        raise MhError(f"cannot write `{target}`: {error.strerror}") from error
    return True


def _remove(folder: Path, path: str, digest: str) -> bool:
    """Remove a file of an earlier export whose item is no longer in it; one that was changed since stays."""
    target = folder / path
    if target.parent.is_symlink() or target.is_symlink() or _digest(target) != digest:
        return False
    target.unlink()
    if not any(target.parent.iterdir()):
        target.parent.rmdir()
    return True
