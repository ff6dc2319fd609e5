"""Names groups of items by the entities and words that they have and the other groups do not."""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import log

import apsw

from memhub.store.canonical import dumps
from memhub.store.connection import query
from memhub.text.analyse import is_run, query_terms

WORDS = 3
"""Words in a name."""

SAMPLE, LENGTH = 60, 600
"""Items of a group, evenly taken, and characters of each, that are read for its name."""

OWN = 2.0
"""How much more the name of an entity counts than a word."""


def named(connection: apsw.Connection, groups: Mapping[int, Sequence[int]]) -> dict[int, str]:
    """A name for each group."""
    counts = {number: _counted(connection, ns[:: max(1, len(ns) // SAMPLE)][:SAMPLE]) for number, ns in groups.items()}
    spread = Counter(word for found in counts.values() for word in found)
    return {
        number: ", ".join(_best({w: n * log((len(groups) + 0.5) / spread[w]) for w, n in found.items()}))
        for number, found in counts.items()
    }


def _counted(connection: apsw.Connection, ns: Sequence[int]) -> dict[str, float]:
    """In how many of these items a word or an entity is."""
    rows = query(
        connection,
        """SELECT coalesce(item.title, '') || ' ' || substr(coalesce(version.content, ''), 1, ?2) FROM item
           JOIN version ON version.n = item.shown WHERE item.n IN (SELECT value FROM json_each(?1))""",
        (dumps(list(ns)), LENGTH),
    )
    words = Counter(word for (text,) in rows for word in {term.text for term in query_terms(text)} if _is_telling(word))
    found: dict[str, float] = dict(words)
    said = query(
        connection,
        """SELECT end.name, count(DISTINCT mention.item) FROM mention JOIN entity ON entity.n = mention.entity
           JOIN entity AS end ON end.n = entity.resolved
           WHERE mention.item IN (SELECT value FROM json_each(?)) AND NOT end.is_dropped AND end.name <> ''
           GROUP BY end.n""",
        (dumps(list(ns)),),
    )
    for name, count in said:
        found.pop(name.lower(), None)
        found[name] = OWN * count
    return {word: count for word, count in found.items() if count > 1}


def _is_telling(word: str) -> bool:
    return is_run(word) or (len(word) > 3 and not word.isdigit())


def _best(scores: Mapping[str, float]) -> list[str]:
    return sorted(scores, key=lambda word: (-scores[word], word))[:WORDS]
