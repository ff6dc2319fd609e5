"""What the steps that derive statements share: material, commits in batches, renewal, and the time they may take."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import apsw

from memhub import stamp
from memhub.digest import clusters, derive, material, wording
from memhub.digest.derive import Cited, Derived
from memhub.digest.material import Material, Member
from memhub.digest.step import Done, Work
from memhub.digest.word_model import worded
from memhub.model.entry import Draft
from memhub.store.connection import query
from memhub.store.evaluate import edge_key

QUOTED = 6
"""Statements that a derived one quotes; the others speak for it by their edges."""
CITED = 24
"""Statements that a derived one rests on from the beginning; more only add edges."""
_BATCH = 20


Maker = Callable[[Material, Sequence[int], str], Derived | None]
"""Words a derived item over some statements, by its id."""


@dataclass
class Forming:
    """One run of one step: what it wrote so far, and whether it may go on. `make` words a kind in its own way."""

    work: Work
    kind: str
    make: "Maker | None" = None
    new: list[str] = field(default_factory=list)
    renewed: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    is_complete: bool = True

    @property
    def connection(self) -> apsw.Connection:
        """The connection of the step's store."""
        return self.work.store.connection

    def may_go_on(self) -> bool:
        """Whether there is time left; the rest is done next time when there is none."""
        if self.work.until is not None and stamp.now_ms() >= self.work.until:
            self.is_complete = False
        return self.is_complete

    def tell(self, done: int, total: int) -> None:
        """Say how far the step is."""
        if self.work.progress is not None:
            self.work.progress(done, total)

    def done(self, clock: int) -> Done:
        """The result of the step."""
        mark = clock if self.is_complete else self.work.mark
        return Done(mark, tuple(self.new), tuple(self.renewed), tuple(self.gone), self.is_complete)

    def write(self, wanted: Sequence[Derived]) -> None:
        """Write derived items, checked in the transaction that writes them."""
        for start in range(0, len(wanted), _BATCH):
            self._write(wanted[start : start + _BATCH])

    def _write(self, some: Sequence[Derived]) -> None:
        written: dict[str, bool] = {}

        def plan(connection: apsw.Connection) -> list[Draft]:
            written.clear()
            found: list[Draft] = []
            for one in some:
                is_known = connection.execute("SELECT 1 FROM item WHERE id = ?", (one.id,)).get is not None
                entries = derive.drafts(connection, self.work.space, one)
                if any(entry.kind in ("version.put", "item.restore") for entry in entries):
                    written[one.id] = is_known
                found += entries
            return found

        self.commit(plan)
        for identifier, is_known in written.items():
            (self.renewed if is_known else self.new).append(identifier)

    def commit(self, plan: Callable[[apsw.Connection], list[Draft]]) -> None:
        """Carry a plan out under the digest's operation; a dry run only makes it."""
        if self.work.dry_run:
            plan(self.connection)
        else:
            self.work.store.commit(self.work.operation, plan, durable=False)

    def renew(self, loaded: Material | None, least: int) -> None:
        """Write anew what is stale of this kind; what has too little left that speaks for it goes."""
        ids = material.to_renew(self.connection, self.work.space, self.kind)
        if not ids:
            return
        for number, identifier in enumerate(ids, 1):
            if not self.may_go_on():
                return
            self._renew(loaded, identifier, least)
            self.tell(number, len(ids))

    def _renew(self, loaded: Material | None, identifier: str, least: int) -> None:
        rows = [n for n in _successors(self.connection, identifier) if loaded is not None and n in loaded.place]
        found: Derived | None = None
        if loaded is not None and len(distinct(loaded, rows)) >= least:
            make = self.make or (lambda loaded, rows, item: compose(self.work, loaded, self.kind, rows, item))
            found = make(loaded, rows, identifier)
        if found is not None:
            self.commit(lambda connection: _unlink(connection, identifier, rows))
            self.write([found])
            return
        gone: list[Draft] = []

        def plan(connection: apsw.Connection) -> list[Draft]:
            gone[:] = derive.drop(connection, identifier)
            return gone

        self.commit(plan)
        if gone:
            self.gone.append(identifier)


SAME = 0.92
"""Cosine from which two statements say the same: they count once."""


def distinct(loaded: Material, numbers: Sequence[int]) -> list[int]:
    """The statements without those that nearly repeat another."""
    places = clusters.distinct(loaded.vectors, [loaded.place[n] for n in numbers], SAME)
    return [loaded.numbers[place] for place in places]


class Grounds(NamedTuple):
    """The statements that a derived one rests on, the most central first; `telling` without what is said twice."""

    found: list[Member]
    telling: list[Member]


def grounds(connection: apsw.Connection, loaded: Material, numbers: Sequence[int]) -> Grounds:
    """Some statements as what a derived one may rest on."""
    places = clusters.by_centre(loaded.vectors, [loaded.place[n] for n in numbers])[:CITED]
    apart = clusters.distinct(loaded.vectors, places, SAME)
    known = material.members(connection, (loaded.numbers[place] for place in places))
    return Grounds(
        [known[loaded.numbers[place]] for place in places if loaded.numbers[place] in known],
        [known[loaded.numbers[place]] for place in apart if loaded.numbers[place] in known],
    )


def compose(
    work: Work, loaded: Material, kind: str, numbers: Sequence[int], identifier: str | None = None
) -> Derived | None:
    """A derived statement over some statements: in the words of a model when there is one that keeps to them, else in
    their own. None when the statements have no words in common that could name it."""
    on = grounds(work.store.connection, loaded, numbers)
    if not on.telling:
        return None
    item = identifier or derive.identity(kind, work.space, (member.id for member in on.found))
    return by_model(work, kind, item, on, {}) or extractive(work.store.connection, kind, item, on)


def by_model(work: Work, kind: str, item: str, on: Grounds, attrs: dict[str, Any]) -> Derived | None:
    """The statement in the words of a model; None without one, or when its citations do not stand."""
    if work.llm is None or work.dry_run:
        return None
    words = worded(work.llm, kind, on.telling[: CITED // 2])
    if words is None:
        return None
    return Derived(kind, item, words.title, words.content, with_rest(words.cited, on.found), attrs, work.llm.model)


def extractive(connection: apsw.Connection, kind: str, item: str, on: Grounds) -> Derived | None:
    """The statement in the words of its evidence: the most central sentence, then what else was said."""
    about = wording.shared(connection, on.found)
    if not about:
        return None
    chosen = wording.telling(on.telling[:QUOTED], about)
    first, rest = chosen[0], sorted(chosen[1:], key=lambda one: one.member.at or "")
    content = "\n".join([first.text, *(["", *map(wording.quoted, rest)] if rest else [])])
    cited = with_rest([Cited(one.member, one.start, one.stop) for one in chosen], on.found)
    return Derived(kind, item, wording.title(about), content, cited, {})


def with_rest(cited: Iterable[Cited], found: Iterable[Member]) -> tuple[Cited, ...]:
    """What is cited, and behind it the other statements as evidence without a quote."""
    first = list(cited)
    have = {one.member.id for one in first}
    return (*first, *(Cited(member) for member in found if member.id not in have))


def _successors(connection: apsw.Connection, derived: str) -> list[int]:
    """The live statements that speak for a derived item, and those that replaced one that did."""
    rows = query(
        connection,
        """WITH RECURSIVE said(id) AS (
             SELECT src FROM edge WHERE dst = ?1 AND relation = 'evidence_of'
             UNION SELECT edge.src FROM edge JOIN said ON edge.dst = said.id AND edge.relation = 'replaces')
           SELECT item.n FROM said JOIN item ON item.id = said.id
           WHERE item.state = 'live' AND item.layer IN ('L1', 'L2') ORDER BY item.n""",
        (derived,),
    )
    return [n for (n,) in rows]


def _unlink(connection: apsw.Connection, derived: str, keep: Sequence[int]) -> list[Draft]:
    """Drop the digest's edges from what no longer speaks for a derived item."""
    rows = query(
        connection,
        f"""SELECT edge.src FROM edge LEFT JOIN item ON item.id = edge.src
            WHERE edge.dst = ? AND edge.relation = 'evidence_of' AND edge.attrs ->> 'by' = 'digest'
            AND (item.n IS NULL OR item.n NOT IN ({",".join("?" * len(keep))}))""",
        (derived, *keep),
    )
    return [
        Draft("edge.drop", edge_key(src, "evidence_of", derived),
              {"src": src, "relation": "evidence_of", "dst": derived})
        for (src,) in rows
    ]  # fmt: skip
