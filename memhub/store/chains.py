"""The state of an item: which replacements, duplicates and challenges reach it."""

import json

import apsw

EVOLUTION = ("replaces", "confirms", "challenges")


def component(connection: apsw.Connection, start: set[str]) -> set[str]:
    """`start` and every item linked to it by evolution edges, in either direction."""
    known: set[str] = set()
    queue = list(start)
    while queue:
        item = queue.pop()
        if item in known:
            continue
        known.add(item)
        rows = connection.execute(
            """SELECT dst FROM edge WHERE src = ?1 AND relation IN ('replaces', 'confirms', 'challenges')
               UNION SELECT src FROM edge WHERE dst = ?1 AND relation IN ('replaces', 'confirms', 'challenges')
               UNION SELECT id FROM item WHERE key = (SELECT key FROM item WHERE id = ?1)""",
            (item,),
        )
        queue.extend(row[0] for row in rows)
    return known


def restate(connection: apsw.Connection, touched: set[str]) -> set[str]:
    """Write state and `contested` of every item that an evolution edge of the touched ones reaches.

    Returns those that it changed.
    """
    changed: set[str] = set()
    for item in component(connection, _tied(connection, touched)):
        row = connection.execute(
            "SELECT n, state, is_present, archived, flags FROM item WHERE id = ?", (item,)
        ).fetchone()
        if row is None:
            continue
        number, old_state, is_present, archived, flags = row
        state = old_state
        if is_present:
            state = "archived" if archived else _derived_state(connection, item)
        kept = [flag for flag in flags.split() if flag != "contested"]
        if is_present and _is_contested(connection, item):
            kept.append("contested")
        new_flags = " ".join(sorted(kept))
        if (state, new_flags) != (old_state, flags):
            connection.execute("UPDATE item SET state = ?, flags = ? WHERE n = ?", (state, new_flags, number))
            changed.add(item)
    return changed


def _tied(connection: apsw.Connection, items: set[str]) -> set[str]:
    """Those of which anything but the item itself may decide the state; of most items nothing does."""
    rows = connection.execute(
        """SELECT id FROM item WHERE id IN (SELECT value FROM json_each(?)) AND (
             archived OR flags <> '' OR state IN ('replaced', 'duplicate', 'archived')
             OR (key IS NOT NULL AND (SELECT count(*) > 1 FROM item AS twin WHERE twin.key = item.key))
             OR EXISTS (SELECT 1 FROM edge WHERE src = item.id AND relation IN ('replaces', 'confirms', 'challenges'))
             OR EXISTS (SELECT 1 FROM edge WHERE dst = item.id AND relation IN ('replaces', 'confirms', 'challenges')))
        """,
        (json.dumps(list(items)),),
    )
    return {row[0] for row in rows}


def _derived_state(connection: apsw.Connection, item: str) -> str:
    if any(_is_present(connection, other) for other in _replacers(connection, item)):
        return "replaced"
    for target, attrs in connection.execute(
        "SELECT dst, attrs FROM edge WHERE src = ? AND relation = 'confirms'", (item,)
    ):
        if json.loads(attrs).get("duplicate") and _is_present(connection, target):
            return "duplicate"
    key = connection.execute("SELECT key FROM item WHERE id = ?", (item,)).get
    first = key and connection.execute("SELECT min(id) FROM item WHERE key = ? AND is_present", (key,)).get
    return "replaced" if first and first < item else "live"


def _replacers(connection: apsw.Connection, item: str) -> set[str]:
    """Items that reach this one along `replaces`, through dropped ones too.

    Edges count newest first; one that would close a cycle is ignored.
    """
    rows: set[tuple[int, str, str]] = set()
    for member in _replaces_component(connection, item):
        rows.update(
            connection.execute("SELECT hlc, src, dst FROM edge WHERE src = ? AND relation = 'replaces'", (member,))
        )
    accepted: dict[str, set[str]] = {}  # dst → sources
    for _, src, dst in sorted(rows, reverse=True):
        if dst not in _reach(accepted, src):
            accepted.setdefault(dst, set()).add(src)
    return _reach(accepted, item) - {item}


def _replaces_component(connection: apsw.Connection, item: str) -> set[str]:
    known: set[str] = set()
    queue = [item]
    while queue:
        member = queue.pop()
        if member not in known:
            known.add(member)
            queue.extend(
                row[0]
                for row in connection.execute(
                    """SELECT dst FROM edge WHERE src = ?1 AND relation = 'replaces'
                       UNION SELECT src FROM edge WHERE dst = ?1 AND relation = 'replaces'""",
                    (member,),
                )
            )
    return known


def _reach(sources: dict[str, set[str]], start: str) -> set[str]:
    """`start` and every item from which it is reached."""
    known: set[str] = set()
    queue = [start]
    while queue:
        item = queue.pop()
        if item not in known:
            known.add(item)
            queue.extend(sources.get(item, ()))
    return known


def _is_present(connection: apsw.Connection, item: str) -> bool:
    return bool(connection.execute("SELECT 1 FROM item WHERE id = ? AND is_present", (item,)).fetchone())


def _is_contested(connection: apsw.Connection, item: str) -> bool:
    rows = connection.execute(
        """SELECT dst, attrs FROM edge WHERE src = ?1 AND relation = 'challenges'
           UNION ALL SELECT src, attrs FROM edge WHERE dst = ?1 AND relation = 'challenges'""",
        (item,),
    )
    return any(not json.loads(attrs).get("resolved") and _is_present(connection, other) for other, attrs in rows)
