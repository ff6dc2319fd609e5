"""The flag `stale`: what was derived from several statements no longer rests on what these say now."""

import json

import apsw

from memhub.store.connection import query

_IS_STALE = """EXISTS (SELECT 1 FROM json_each(version.meta, '$.source.evidence') AS one
    LEFT JOIN item AS origin ON origin.id = one.value ->> 'item'
    LEFT JOIN version AS now ON now.n = origin.shown
    LEFT JOIN space AS there ON there.n = origin.space
    WHERE origin.state IS NULL OR origin.state NOT IN ('live', 'archived')
    OR now.hash IS NOT one.value ->> 'version'
    OR there.resolved IS NOT (SELECT resolved FROM space WHERE space.n = item.space))"""
"""SQL over the shown `version` of a derived item: a statement it rests on was replaced, edited, dropped, erased
or moved into another space."""


def mark(connection: apsw.Connection, touched: set[str]) -> None:
    """Write `stale` of the derived items among the touched ones, and of those that rest on any of them.

    What a person wrote or corrected is never stale, and what is not there any more is not either.
    """
    rows = query(
        connection,
        f"""SELECT item.n, item.flags,
              item.is_present AND coalesce(version.meta ->> 'by', '') = 'digest' AND {_IS_STALE}
            FROM item LEFT JOIN version ON version.n = item.shown
            WHERE item.id IN (SELECT value FROM json_each(?1) UNION
                              SELECT owner FROM span WHERE item IN (SELECT value FROM json_each(?1)))
            AND (item.layer = 'L3' OR item.flags <> '')""",
        (json.dumps(list(touched)),),
    )
    for number, flags, is_stale in rows:
        kept = [flag for flag in flags.split() if flag != "stale"]
        wanted = " ".join(sorted([*kept, *(["stale"] if is_stale else [])]))
        if wanted != flags:
            connection.execute("UPDATE item SET flags = ? WHERE n = ?", (wanted, number))
