"""The index of which text speaks of which entity: what is to be looked through, and what was found written down."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import apsw

from memhub.store.canonical import dumps
from memhub.store.connection import query
from memhub.text.analyse import fold
from memhub.text.names import RULES
from memhub.text.names_en import WORDS
from memhub.text.naming import Names, Said

BY_MODEL = 1_000_000
"""Added to the version of the rules where a model has seen the text as well."""

_STALE = "(seen.item IS NULL OR seen.shown <> item.shown OR abs(seen.rules) NOT IN (SELECT value FROM json_each(?)))"
_AGAIN = "(seen.shown = item.shown AND seen.rules < 0)"
_READ = "item.is_present AND item.shown IS NOT NULL AND item.layer <> 'L3'"


class Text(NamedTuple):
    """What is looked through of an item. `speaks` tells who says it: the platform, identity there and name; `is_edited`
    that another text of it was looked through before."""

    n: int
    id: str
    shown: int
    text: str
    role: str | None
    speaks: tuple[str, str | None, str | None]
    is_edited: bool = False

    @property
    def may_name(self) -> bool:
        """Whether new names are taken from it: not from what programs and models said."""
        return self.role in (None, "user")


def enough(with_model: bool) -> str:
    """The versions, as a JSON array, by which a text counts as looked through."""
    return dumps([RULES + BY_MODEL] if with_model else [RULES, RULES + BY_MODEL])


def count_left(connection: apsw.Connection, spaces: Sequence[int], *, with_model: bool = False) -> int:
    """How many items have not been looked through, or must be again."""
    marks = ",".join("?" * len(spaces))
    return int(
        connection.execute(
            f"""SELECT count(*) FROM item LEFT JOIN looked_through AS seen ON seen.item = item.n
                WHERE item.space IN ({marks}) AND {_READ} AND ({_STALE} OR {_AGAIN})""",
            (*spaces, enough(with_model)),
        ).get
    )


def next_stale(
    connection: apsw.Connection, spaces: Sequence[int], after: int, most: int, *, with_model: bool
) -> list[Text]:
    """The next items after row `after` of which the rules (and a model) have not seen the text on display."""
    return _next(connection, spaces, _STALE, (enough(with_model),), after, most)


def next_again(connection: apsw.Connection, spaces: Sequence[int], most: int) -> list[Text]:
    """Items that the rules have seen, but that hold a name that came or went since."""
    return _next(connection, spaces, _AGAIN, (), 0, most)


def _next(
    connection: apsw.Connection, spaces: Sequence[int], which: str, bound: Sequence[str], after: int, most: int
) -> list[Text]:
    marks = ",".join("?" * len(spaces))
    rows = query(
        connection,
        f"""SELECT item.n, item.id, item.shown, item.title, version.content, version.meta, item.merged, item.layer,
            seen.item IS NOT NULL AND seen.shown <> item.shown
            FROM item JOIN version ON version.n = item.shown LEFT JOIN looked_through AS seen ON seen.item = item.n
            WHERE item.n > ? AND item.space IN ({marks}) AND {_READ} AND {which} ORDER BY item.n LIMIT ?""",
        (after, *spaces, *bound, most),
    )
    turns = [row[1] for row in rows if row[7] == "L0"]
    platforms = dict(
        query(
            connection,
            """SELECT edge.src, thread.fields ->> 'platform' FROM edge JOIN thread ON thread.id = edge.dst
               WHERE edge.relation = 'part_of' AND edge.src IN (SELECT value FROM json_each(?))""",
            (dumps(turns),),
        )
        if turns
        else ()
    )
    found = []
    for n, identifier, shown, title, content, meta, merged, layer, is_edited in rows:
        attrs = json.loads(meta)["attrs"] if layer == "L0" and meta else {}
        content = json.loads(merged)["content"] if merged else content
        text = fold(f"{title}\n{content}" if title else content or "")
        speaks = (platforms.get(identifier) or "", attrs.get("speaker_id"), attrs.get("speaker"))
        found.append(Text(n, identifier, shown, text, attrs.get("role"), speaks, bool(is_edited)))
    return found


def load_names(connection: apsw.Connection) -> Names:
    """Every name that texts are searched for."""
    names = Names(WORDS)
    for name, entity in connection.execute("SELECT name, entity FROM entity_name"):
        names.add(name, entity)
    return names


def write(
    connection: apsw.Connection,
    found: Iterable[tuple[Text, Sequence[Said], Iterable[int]]],
    *,
    version: int | None = None,
) -> None:
    """Note what texts speak of. With each text: the names found in it, and the entities who speak it.

    `version`: by what they were looked through; None leaves that as it is.
    """
    rows, seen = [], []
    for text, said, speakers in found:
        times = Counter(owner for one in said for owner in one.owners)
        times.update(speakers)
        rows += [(text.n, entity, count) for entity, count in times.items()]
        seen.append((text.n, text.shown, version))
    connection.executemany("DELETE FROM mention WHERE item = ?", [(n,) for n, _, _ in seen])
    connection.executemany("INSERT INTO mention VALUES (?,?,?)", rows)
    if version is None:
        connection.executemany("UPDATE looked_through SET rules = abs(rules) WHERE item = ?", [(n,) for n, *_ in seen])
    else:
        connection.executemany("INSERT OR REPLACE INTO looked_through VALUES (?,?,?)", seen)
