"""The full-text index: one row per item, own text and neighbours' text, ranked by bm25."""

from collections.abc import Iterable, Sequence
from functools import cache
from math import log
from typing import Any, NamedTuple

import apsw

from memhub.text.analyse import Term, index_text, match_expression

NEAR_WEIGHT = 0.6
"""Weight of the neighbours' column beside 1.0 for the item's own; .3 to .8 differ by .01 recall@10 on LoCoMo."""

BUDGET = 15_000
"""Rows that a query may visit before its commonest terms stop bringing in rows of their own. LoCoMo's questions in a
store of 300k items: half the time (16 ms, not 31) at the same recall; .001 less at 8,000, .03 less at 2,000. To
leave terms in more than 1 % of the items out altogether is faster (6 ms) and loses a third of the recall."""

EVERYWHERE = 0.5
"""Share of the items of the searched spaces above which a term says nothing there, however rare it is in the whole
file: a speaker's name in her own conversations. bm25 by itself knows only the whole file. Worth .007 recall@10 on
LoCoMo with a space for each conversation (1–5); .25 to .5 are alike."""

_MERGE_PAGES = 500


class Ranked(NamedTuple):
    """One hit: item row and bm25 (higher is better, never negative)."""

    n: int
    bm25: float


class Weighed(NamedTuple):
    """The terms a query is ranked by, with their idf, and those left out because half of the searched items have them.

    `expression` is for `ranked`; in it every term counts `copies` times, and those in `follow` bring in no rows.
    """

    terms: tuple[Term, ...]
    idf: tuple[float, ...]
    left_out: tuple[Term, ...]
    follow: tuple[Term, ...]
    expression: str
    copies: int


class Row(NamedTuple):
    """What is searched of an item: its own text, and those of its neighbours in a thread."""

    n: int
    own: str
    near: tuple[str, ...] = ()


def put(connection: apsw.Connection, rows: Iterable[Row]) -> None:
    """Write the rows of items anew. A turn is also near to two others: each text is analysed once."""
    analysed = cache(index_text)
    connection.executemany(
        "INSERT OR REPLACE INTO words(rowid, own, near) VALUES (?,?,?)",
        [(row.n, analysed(row.own), "\n".join(map(analysed, row.near))) for row in rows],
    )


def drop(connection: apsw.Connection, numbers: Iterable[int]) -> None:
    """Take items out of the index; their words stay in old segments until `purge` or a later merge."""
    connection.executemany("DELETE FROM words WHERE rowid = ?", [(number,) for number in numbers])


def purge(connection: apsw.Connection) -> None:
    """Rewrite the index so that words of dropped rows leave the file, in short commits (call it outside a transaction).

    A merge with a negative size marks all segments for one merge, positive ones continue it. What was free pages and
    write-ahead log still holds the words until a checkpoint and a vacuum.
    """
    while _merge(connection, -_MERGE_PAGES) or _merge(connection, _MERGE_PAGES):
        pass


def _merge(connection: apsw.Connection, pages: int) -> bool:
    """FTS5 reports fewer than two changes when a merge found no work."""
    before = connection.total_changes()
    connection.execute("INSERT INTO words(words, rank) VALUES ('merge', ?)", (pages,))
    return connection.total_changes() - before >= 2


def size(connection: apsw.Connection) -> int:
    """How many rows the index holds, without counting them.

    FTS5 keeps the number as the first varint of its record 1; rows written in an open transaction may be missing.
    """
    record = connection.execute("SELECT block FROM words_data WHERE id = 1").get
    number = 0
    for byte in record or b"":
        number = number << 7 | byte & 0x7F
        if byte < 0x80:
            return number
    return 0


def weigh(connection: apsw.Connection, terms: Sequence[Term], spaces: Sequence[int] = ()) -> Weighed:
    """The terms worth ranking by. Those in more than half of the items of `spaces` leave, unless all are so common.

    When the terms match more rows than BUDGET, the rarest bring in the rows and the others only add to their scores:
    `(rare) AND (rare OR common OR common)`, where every term counts twice.

    idf as FTS5's bm25 has it: `ln((N − df + ½) / (df + ½))`, at least 1e-6.
    """
    rows = size(connection)
    counts = _frequencies(connection, terms)
    common = _common_in(connection, terms, counts, spaces) if spaces else set()
    kept = [i for i in range(len(terms)) if i not in common]
    if not kept and terms:
        kept = [counts.index(min(counts))]
    follow = _followers(kept, counts)
    expression = match_expression([terms[i] for i in kept])
    if follow:
        rare = match_expression([terms[i] for i in kept if i not in follow])
        more = match_expression([terms[i] for i in kept if i in follow])
        expression = f"({rare}) AND ({rare} OR {more} OR {more})"
    return Weighed(
        tuple(terms[i] for i in kept),
        tuple(
            max(1e-6, log((rows - counts[i] + 0.5) / (counts[i] + 0.5))) if rows >= counts[i] else 1e-6 for i in kept
        ),
        tuple(term for i, term in enumerate(terms) if i not in kept),
        tuple(terms[i] for i in kept if i in follow),
        expression,
        2 if follow else 1,
    )


def _followers(kept: Sequence[int], counts: Sequence[int]) -> set[int]:
    """The commonest of the kept terms, as many as bring the rows visited under BUDGET; never the rarest."""
    visited, follow = 0, set()
    for place, i in enumerate(sorted(kept, key=lambda i: counts[i])):
        visited += counts[i]
        if place and visited > BUDGET:
            follow.add(i)
    return follow


def _frequencies(connection: apsw.Connection, terms: Sequence[Term]) -> list[int]:
    """In how many rows each term is."""
    tokenizer = connection.fts5_tokenizer("porter", ["unicode61", "remove_diacritics", "2"])
    counts = []
    for term in terms:
        answer = tokenizer(
            term.text.encode(), apsw.FTS5_TOKENIZE_QUERY, None, include_offsets=False, include_colocated=False
        )
        stems = [str(stem) for stem in answer]
        if term.prefix or len(stems) != 1:
            count = connection.execute(
                "SELECT count(*) FROM words WHERE words MATCH ?", (match_expression([term]),)
            ).get
        else:
            count = connection.execute("SELECT doc FROM words_vocab WHERE term = ?", (stems[0],)).get
        counts.append(count or 0)
    return counts


def _common_in(
    connection: apsw.Connection, terms: Sequence[Term], counts: Sequence[int], spaces: Sequence[int]
) -> set[int]:
    """Numbers of the terms that more than EVERYWHERE of the items of these spaces have; none when these hold all."""
    marks = ",".join("?" * len(spaces))
    if connection.execute(f"SELECT 1 FROM item WHERE space NOT IN ({marks}) LIMIT 1", spaces).get is None:
        return set()
    items = connection.execute(f"SELECT count(*) FROM item WHERE space IN ({marks})", spaces).get
    limit = int(items * EVERYWHERE)
    sql = f"""SELECT count(*) FROM (SELECT 1 FROM words CROSS JOIN item ON item.n = words.rowid
              WHERE words MATCH ? AND item.space IN ({marks}) LIMIT ?)"""
    return {
        i
        for i, term in enumerate(terms)
        if counts[i] > limit and connection.execute(sql, (match_expression([term]), *spaces, limit + 1)).get > limit
    }


def ranked(
    connection: apsw.Connection, expression: str, where: str, params: Sequence[Any], limit: int, copies: int = 1
) -> list[Ranked]:
    """The best `limit` items for an FTS5 expression among those the condition over `item` admits; bm25 over `copies`.

    Ranks without the condition first and looks at the best few: the admitted ones among them are the best of all
    admitted, so that only a narrow condition has to visit every match.
    """
    if not expression:
        return []
    wide = limit * 4
    rows = connection.execute(
        f"""WITH top AS MATERIALIZED (
                SELECT rowid AS n, -bm25(words, 1.0, {NEAR_WEIGHT}) AS score FROM words WHERE words MATCH ?
                ORDER BY score DESC LIMIT ?)
            SELECT top.n, top.score, item.n IS NOT NULL AND ({where})
            FROM top LEFT JOIN item ON item.n = top.n ORDER BY top.score DESC, top.n""",
        (expression, wide, *params),
    ).fetchall()
    found = [_hit(row, copies) for row in rows if row[2]]
    if len(found) >= limit or len(rows) < wide:
        return found[:limit]
    rows = connection.execute(
        f"""SELECT item.n, -bm25(words, 1.0, {NEAR_WEIGHT}) AS score
            FROM words CROSS JOIN item ON item.n = words.rowid
            WHERE words MATCH ? AND ({where}) ORDER BY score DESC, item.n LIMIT ?""",
        (expression, *params, limit),
    ).fetchall()
    return [_hit(row, copies) for row in rows]


def _hit(row: Sequence[Any], copies: int) -> Ranked:
    return Ranked(int(row[0]), float(row[1]) / copies)
