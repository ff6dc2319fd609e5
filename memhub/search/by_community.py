"""The way by community: what belongs to the same group of items as the first hits (groups are found by the digest)."""

from collections.abc import Iterable, Mapping

from memhub.search.ways import Scope
from memhub.store.canonical import dumps
from memhub.store.connection import query


def together(scope: Scope, first: Mapping[int, float], ns: Iterable[int]) -> dict[int, float]:
    """For each of these items the share (0 to 1) of the first hits' score that lies in its community, itself apart."""
    rows = query(
        scope.connection,
        """SELECT item, community FROM community_item
           WHERE community > 0 AND item IN (SELECT value FROM json_each(?))""",
        (dumps([*ns, *first]),),
    )
    community = dict(rows)
    whole = sum(first.values())
    inside: dict[int, float] = {}
    for n, score in first.items():
        if n in community:
            inside[community[n]] = inside.get(community[n], 0.0) + score
    shares = {n: (inside.get(group, 0.0) - first.get(n, 0.0)) / whole for n, group in community.items() if whole}
    return {n: share for n, share in shares.items() if share > 1e-9}
