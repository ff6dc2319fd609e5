"""Spaces and projects: made, renamed, opened to one another, merged."""

import apsw

from memhub.errors import ConflictError, NotFoundError, UsageError
from memhub.model.entry import Draft
from memhub.stamp import derived_id
from memhub.store.connection import query
from memhub.store.evaluate import fold, in_order, registers
from memhub.store.filters import space_named
from memhub.store.log import entries_of
from memhub.store.names import DEFAULT_SPACE
from memhub.text.clean import one_line


def checked_name(name: str) -> str:
    """A name that can be typed and printed; raises `UsageError` for one that cannot."""
    cleaned = one_line(name, 200).strip()
    if not cleaned:
        raise UsageError("a space needs a name", "`mh space new work` makes one called work")
    return cleaned


def new_space(connection: apsw.Connection, name: str, reads: tuple[str, ...], description: str) -> list[Draft]:
    """A new space. Its id comes from its first name, so that two devices that make `work` make the same one."""
    cleaned = checked_name(name)
    if _is_taken(connection, cleaned):
        raise ConflictError(f"there is a space `{cleaned}` already", "`mh space list` shows all")
    identifier = derived_id("space", fold(cleaned))
    suffix = 2
    while connection.execute("SELECT 1 FROM entry WHERE key = ? LIMIT 1", (identifier,)).fetchone():
        if connection.execute("SELECT is_dropped FROM space WHERE id = ?", (identifier,)).get:
            break  # made before and taken back: the same space again
        identifier = derived_id("space", fold(cleaned), f"~{suffix}")
        suffix += 1
    payload: dict[str, dict[str, object]] = {
        "set": {"name": cleaned, "description": description, "dropped": False, "alias_of": None}
    }
    others = [space_named(connection, other)[1] for other in reads]
    if others:
        payload["add"] = {"reads": others}
    return [Draft("space.put", identifier, payload)]


def rename_space(connection: apsw.Connection, old: str, new: str) -> list[Draft]:
    """Another name for the same space; its id stays."""
    _, identifier = space_named(connection, old)
    cleaned = checked_name(new)
    if _is_taken(connection, cleaned, besides=identifier):
        raise ConflictError(f"there is a space `{cleaned}` already", f"`mh space merge {old} {cleaned}` makes them one")
    return [Draft("space.put", identifier, {"set": {"name": cleaned}})]


def space_reads(connection: apsw.Connection, name: str, add: tuple[str, ...], remove: tuple[str, ...]) -> list[Draft]:
    """Let a space read others, or no longer."""
    _, identifier = space_named(connection, name)
    now = registers(in_order(entries_of(connection, identifier))).members.get("reads", {})
    payload: dict[str, dict[str, object]] = {}
    others = [space_named(connection, other)[1] for other in add]
    if identifier in others:
        raise UsageError(f"space `{name}` reads itself anyway")
    new = [other for other in others if other not in now]
    if new:
        payload["add"] = {"reads": new}
    gone = {}
    for other in remove:
        target = space_named(connection, other)[1]
        if target not in now:
            raise NotFoundError(f"space `{name}` does not read `{other}`", "`mh space list` shows who reads whom")
        gone[target] = list(now[target][1])
    if gone:
        payload["remove"] = {"reads": gone}
    return [Draft("space.put", identifier, payload)] if payload else []


def merge_space(connection: apsw.Connection, source: str, into: str) -> list[Draft]:
    """Make one space an alias of another; resolved when read, so it can be taken back."""
    _, identifier = space_named(connection, source)
    _, target = space_named(connection, into)
    if identifier == target:
        raise ConflictError(f"`{source}` and `{into}` are one space already")
    if identifier == DEFAULT_SPACE:
        raise UsageError("the default space stays", f"merge the other way: `mh space merge {into} {source}`")
    return [Draft("space.put", identifier, {"set": {"alias_of": target}})]


def _is_taken(connection: apsw.Connection, name: str, besides: str = "") -> bool:
    """Whether a space goes by this name, or one that was merged into another did; `besides` may."""
    rows = query(
        connection,
        "SELECT space.name, end.id FROM space JOIN space AS end ON end.n = space.resolved WHERE NOT space.is_dropped",
    )
    return any(fold(found) == fold(name) and identifier != besides for found, identifier in rows)


def project_drafts(connection: apsw.Connection, key: str, name: str) -> tuple[str, list[Draft]]:
    """The id of the project with this key, and what makes it known if it is not."""
    identifier = derived_id("project", key)
    if connection.execute("SELECT 1 FROM entry WHERE key = ? LIMIT 1", (identifier,)).fetchone():
        return identifier, []
    return identifier, [Draft("project.put", identifier, {"set": {"name": name, "key": key}})]


def project_by_name(connection: apsw.Connection, name: str) -> tuple[str, list[Draft]]:
    """The id of the project called `name`; a name nobody has yet becomes a project of its own."""
    cleaned = one_line(name, 200).strip()
    if not cleaned:
        raise UsageError("a project needs a name")
    row = connection.execute(
        """SELECT end.id FROM project JOIN project AS end ON end.n = project.resolved
           WHERE project.name = ?1 OR project.id = ?1 ORDER BY project.n LIMIT 1""",
        (cleaned,),
    ).fetchone()
    return (str(row[0]), []) if row else project_drafts(connection, f"name:{fold(cleaned)}", cleaned)
