"""Remembers which project a folder is, so that it stays one when its repository gets a remote later."""

from pathlib import Path

import apsw

from memhub.model.entry import Draft
from memhub.pipeline.groups import project_drafts
from memhub.pipeline.places import Place, ask_first_commit, place_of
from memhub.store.evaluate import in_order, registers
from memhub.store.log import entries_of

_RANKS = {"git": 2, "commit": 1, "folder": 0}


def find_place(connection: apsw.Connection, folder: Path) -> Place | None:
    """The place of a folder; git is asked for a first commit only where the answer is not known here yet."""

    def first_commit(common: Path) -> str | None:
        root = common.parent if common.name == ".git" else common
        known = _key_of(connection, _known(connection, root))
        return known.removeprefix("commit:") if known.startswith("commit:") else ask_first_commit(common)

    return place_of(folder, first_commit)


def project_of(connection: apsw.Connection, folder: Path) -> str | None:
    """The id of the project that a folder belongs to, as far as this file knows it."""
    place = find_place(connection, folder)
    if place is None:
        return None
    identifier = project_drafts(connection, place.key, place.name)[0]
    row = connection.execute(
        "SELECT end.id FROM project JOIN project AS end ON end.n = project.resolved WHERE project.id IN (?, ?)",
        (identifier, _known(connection, place.root) or ""),
    ).fetchone()
    return str(row[0]) if row else identifier


def place_drafts(connection: apsw.Connection, place: Place) -> tuple[str, list[Draft]]:
    """The id of a place's project and what makes it known; a better key than the one known makes that an alias."""
    identifier, drafts = project_drafts(connection, place.key, place.name)
    known = _known(connection, place.root)
    if known is not None and known != identifier:
        if _rank(_key_of(connection, known)) >= place.rank:
            return known, []
        drafts.append(Draft("project.put", known, {"set": {"alias_of": identifier}}))
    if known != identifier:
        connection.execute("INSERT OR REPLACE INTO folder VALUES (?,?)", (str(place.root), identifier))
    return identifier, drafts


def folder_drafts(connection: apsw.Connection, folder: str) -> tuple[str, list[Draft]]:
    """The project of a folder that a source recorded; once found it stays, also when the folder is gone.

    A folder in no repository is a project of its own.
    """
    path = Path(folder)
    known = _known(connection, path)
    if known is not None and not path.is_dir():
        return known, []
    place = find_place(connection, path)
    if place is None:
        identifier, drafts = project_drafts(connection, f"folder:{folder}", path.name or folder)
    else:
        identifier, drafts = place_drafts(connection, place)
    if known != identifier:
        connection.execute("INSERT OR REPLACE INTO folder VALUES (?,?)", (folder, identifier))
    return identifier, drafts


def known_name(connection: apsw.Connection, folder: str) -> str | None:
    """The name of the project that a recorded folder belongs to, as far as this file knows it."""
    found = connection.execute(
        """SELECT end.name FROM folder JOIN project ON project.id = folder.project
           JOIN project AS end ON end.n = project.resolved WHERE folder.path = ?""",
        (folder,),
    ).get
    return None if found is None else str(found)


def _known(connection: apsw.Connection, root: Path) -> str | None:
    found = connection.execute("SELECT project FROM folder WHERE path = ?", (str(root),)).get
    return None if found is None else str(found)


def _key_of(connection: apsw.Connection, project: str | None) -> str:
    if project is None:
        return ""
    return str(registers(in_order(entries_of(connection, project))).fields.get("key") or "")


def _rank(key: str) -> int:
    return _RANKS.get(key.partition(":")[0], -1)
