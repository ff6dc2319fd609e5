"""Groups of items that belong together: by links, by the entities they share, by likeness of meaning.

Leiden's algorithm (Traag, Waltman and van Eck, 2019) by graspologic-native, a compiled library that is imported here
alone. A space is grouped anew when more than a twentieth of it has changed; a group that is mostly the old one keeps
its number.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

import apsw

from memhub.digest import marks
from memhub.digest.clusters import Links
from memhub.digest.likeness import near_pairs
from memhub.digest.naming import named
from memhub.digest.step import Done, Work
from memhub.store.canonical import dumps
from memhub.store.connection import query
from memhub.store.filters import readable_spaces

ENOUGH = 0.05
"""The share of the items that must be new, changed or gone before a space is grouped again."""

SMALLEST = 3
LINK, ENTITY = 1.0, 0.5
"""The weight of a link and of a shared entity, beside cosines of likeness."""

EVERYWHERE = 0.05
"""Share of the items above which an entity joins nothing: who speaks in every conversation."""

_SEED, _ROUNDS = 7, 5
Groups = dict[int, list[int]]


def communities(work: Work) -> Done:
    """Group the live items of a space, unless little has changed since it was done last."""
    connection = work.store.connection
    spaces = dumps(readable_spaces(connection, work.space, alone=True))
    began = marks.clock(connection)
    ns = [n for (n,) in query(connection, f"SELECT n FROM item WHERE {_GROUPED} ORDER BY n", (spaces,))]
    old = dict(query(connection, f"SELECT item, community FROM community_item WHERE item IN ({_OF_SPACE})", (spaces,)))
    if not _has_changed(connection, spaces, work.mark, ns, old):
        return Done(work.mark)
    groups = _numbered(connection, _grouped(connection, ns), old)
    if work.dry_run:
        return Done(work.mark, tuple(str(number) for number in groups))
    names = named(connection, groups)
    with work.store.writing():
        _write(connection, work.space, spaces, ns, groups, names)
    known = set(old.values())
    return Done(
        max(began, work.mark),
        tuple(str(number) for number in groups if number not in known),
        tuple(str(number) for number in groups if number in known),
    )


_OF_SPACE = "SELECT n FROM item WHERE space IN (SELECT value FROM json_each(?1))"
_GROUPED = "space IN (SELECT value FROM json_each(?1)) AND state = 'live' AND layer <> 'L3'"


def _has_changed(
    connection: apsw.Connection, spaces: str, mark: int, ns: Sequence[int], old: Mapping[int, int]
) -> bool:
    now = set(ns)
    edited = {n for (n,) in query(
        connection, f"SELECT n FROM item WHERE {_GROUPED} AND updated_ms > ?2", (spaces, mark >> 16)
    )}  # fmt: skip
    changed = {n for n in now if n not in old} | (edited if mark else set()) | {n for n in old if n not in now}
    return len(changed) > ENOUGH * len(ns)


def _grouped(connection: apsw.Connection, ns: Sequence[int]) -> list[list[int]]:
    """Groups of item rows, the largest first."""
    import numpy as np
    from graspologic_native import leiden

    size = len(ns)
    one, two, weight = _joined(connection, ns)
    if not len(one):
        return []
    low, high = np.minimum(one, two), np.maximum(one, two)
    order = np.lexsort((-weight, high, low))
    low, high, weight = low[order], high[order], weight[order]
    first = np.ones(len(low), dtype=bool)
    first[1:] = (low[1:] != low[:-1]) | (high[1:] != high[:-1])
    ends = zip(low[first].tolist(), high[first].tolist(), weight[first].tolist(), strict=True)
    _, found = leiden([(str(a), str(b), share) for a, b, share in ends], None, 1.0, 0.001, _ROUNDS, True, _SEED, 1)
    groups: dict[int, list[int]] = {}
    for place, group in sorted((int(vertex), group) for vertex, group in found.items()):
        if place < size:
            groups.setdefault(group, []).append(ns[place])
    return sorted((some for some in groups.values() if len(some) >= SMALLEST), key=lambda some: (-len(some), some[0]))


def _joined(connection: apsw.Connection, ns: Sequence[int]) -> Links:
    """What joins which places, and how strongly; entities stand behind the items."""
    import numpy as np

    place = {n: i for i, n in enumerate(ns)}
    every = dumps(list(ns))
    links = query(
        connection,
        """SELECT own.n, other.n FROM edge JOIN item AS own ON own.id = edge.src
           JOIN item AS other ON other.id = edge.dst WHERE edge.relation <> 'part_of'""",
    )
    pairs = [(place[a], place[b], LINK) for a, b in links if a in place and b in place and a != b]
    said = query(
        connection,
        """SELECT mention.item, entity.resolved FROM mention JOIN entity ON entity.n = mention.entity
           WHERE NOT entity.is_dropped AND mention.item IN (SELECT value FROM json_each(?))""",
        (every,),
    )
    times = Counter(entity for _, entity in said)
    joining = [entity for entity, count in times.items() if 1 < count <= max(2, EVERYWHERE * len(ns))]
    vertex = {entity: len(ns) + i for i, entity in enumerate(sorted(joining))}
    pairs += [(place[n], vertex[entity], ENTITY) for n, entity in said if entity in vertex]
    own = np.array([pair[0] for pair in pairs], dtype=np.int64)
    other = np.array([pair[1] for pair in pairs], dtype=np.int64)
    weight = np.array([pair[2] for pair in pairs], dtype=np.float32)
    near = near_pairs(connection, ns)
    if near is None:
        return Links(own, other, weight)
    return Links(
        np.concatenate((own, near.one)), np.concatenate((other, near.two)), np.concatenate((weight, near.cosine))
    )


def _numbered(connection: apsw.Connection, groups: Sequence[list[int]], old: Mapping[int, int]) -> Groups:
    """Each group under the number of the old one that shares most with it and more than half of the smaller, else a
    new one."""
    sizes = Counter(number for number in old.values() if number)
    shared = Counter((place, old[n]) for place, some in enumerate(groups) for n in some if old.get(n))
    given: dict[int, int] = {}
    for (place, number), count in sorted(shared.items(), key=lambda one: (-one[1], one[0])):
        enough = 2 * count > min(len(groups[place]), sizes[number])
        if enough and place not in given and number not in given.values():
            given[place] = number
    following = int(connection.execute("SELECT coalesce(max(n), 0) FROM community").get)
    numbered: Groups = {}
    for place, some in enumerate(groups):
        if place not in given:
            following += 1
        numbered[given.get(place, following)] = some
    return numbered


def _write(
    connection: apsw.Connection, space: str, spaces: str, ns: Sequence[int], groups: Groups, names: Mapping[int, str]
) -> None:
    """Items of no group are written with number 0: they have been looked at."""
    connection.execute(f"DELETE FROM community_item WHERE item IN ({_OF_SPACE})", (spaces,))
    connection.execute("DELETE FROM community WHERE space IN (SELECT value FROM json_each(?))", (spaces,))
    row = connection.execute("SELECT resolved FROM space WHERE id = ?", (space,)).get
    connection.executemany("INSERT INTO community VALUES (?,?,?)", [(n, row, names.get(n, "")) for n in groups])
    of = {n: number for number, some in groups.items() for n in some}
    connection.executemany("INSERT INTO community_item VALUES (?,?)", [(n, of.get(n, 0)) for n in ns])
