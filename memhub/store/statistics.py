"""Counts what the file holds."""

from pathlib import Path
from typing import Any

import apsw

from memhub.store.connection import query


def model_use(connection: apsw.Connection) -> dict[str, Any]:
    """What language models took so far: tokens, seconds and US dollars, in all and by model, from this device."""
    names = ("calls", "tokens_in", "tokens_out", "cost", "seconds")
    sums = "count(*), " + ", ".join(f"coalesce(sum({name}), 0)" for name in names[1:])
    rows = query(connection, f"SELECT model, {sums} FROM model_use GROUP BY model ORDER BY model")
    total = query(connection, f"SELECT {sums} FROM model_use")[0]
    return {
        **dict(zip(names, total, strict=True)),
        "models": {str(row[0]): dict(zip(names, row[1:], strict=True)) for row in rows},
    }


def statistics(connection: apsw.Connection, path: Path) -> dict[str, Any]:
    """Numbers by layer, kind, state, space and project, and the size of the file in bytes."""

    def one(sql: str) -> int:
        return int(connection.execute(sql).get)

    def table(sql: str) -> dict[str, int]:
        return {str(name): int(count) for name, count in query(connection, sql)}

    return {
        "items": one("SELECT count(*) FROM item WHERE is_present"),
        "layers": table("SELECT layer, count(*) FROM item WHERE is_present GROUP BY layer ORDER BY layer"),
        "kinds": table("SELECT kind, count(*) FROM item WHERE is_present GROUP BY kind ORDER BY count(*) DESC, kind"),
        "states": table("SELECT state, count(*) FROM item GROUP BY state ORDER BY state"),
        "spaces": table(
            """SELECT end.name, count(*) FROM item JOIN space ON space.n = item.space
               JOIN space AS end ON end.n = space.resolved WHERE item.is_present GROUP BY end.n ORDER BY 2 DESC, 1"""
        ),
        "projects": table(
            """SELECT end.name, count(*) FROM item JOIN project ON project.n = item.project
               JOIN project AS end ON end.n = project.resolved WHERE item.is_present
               GROUP BY end.n ORDER BY 2 DESC, 1"""
        ),
        "queue": table("SELECT state, count(*) FROM queue GROUP BY state ORDER BY state"),
        "digest_spaces": one("SELECT count(*) FROM digest_space"),
        "rulings": one("SELECT count(*) FROM ruling"),
        "labels": one("SELECT count(DISTINCT label) FROM item_label"),
        "threads": one("SELECT count(*) FROM thread WHERE NOT is_dropped"),
        "links": one("SELECT count(*) FROM edge WHERE relation <> 'part_of'"),
        "versions": one("SELECT count(*) FROM version"),
        "operations": one("SELECT count(*) FROM operation"),
        "entries": one("SELECT count(*) FROM entry"),
        "chunks": one("SELECT count(*) FROM chunk"),
        "pending_vectors": one("SELECT count(*) FROM pending"),
        "bytes": sum(p.stat().st_size for p in (path, path.with_name(path.name + "-wal")) if p.exists()),
        "path": str(path),
    }
