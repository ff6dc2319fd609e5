"""Looks through what is new: who and what it speaks of, and how these belong together."""

from collections.abc import Sequence
from typing import Any

import apsw

from memhub import stamp
from memhub.digest import mentions
from memhub.digest.entities_model import Named, draw
from memhub.digest.mentions import Text
from memhub.digest.relations import relations_in
from memhub.digest.step import Done, Work
from memhub.llm.call import Llm
from memhub.model.entry import Draft
from memhub.store import entities as stored
from memhub.store.evaluate import edge_key
from memhub.store.filters import readable_spaces
from memhub.store.store import Store
from memhub.text.names import RULES, candidates
from memhub.text.names_marked import Candidate
from memhub.text.naming import Names, Said, checked_spelling, name_key

_CHUNK = 400
"""Items to a commit: below a second for chats and notes."""

_ASKED = 60
"""Items to a commit where a model is asked: what is lost when the run is cut off."""

_MOST_NEW = 60
"""Names that one text may bring in: a listing of files or a log is not a list of acquaintances."""

_ROLES = frozenset({"user", "assistant", "system", "tool", "me", "you"})


def entities(work: Work) -> Done:
    """Look through the texts of a space that are new or changed, and those that hold a name that came or went since.

    Names come from rules: a clear one at once, any other when a second item has it. With a model, it is asked as well.
    """
    run = _Run(work)
    is_complete = run.go()
    return Done(max(work.mark, run.began), tuple(run.new), is_complete=is_complete)


def look_again(store: Store) -> None:
    """Bring the index up to date with names that came or went: what was looked through before, in any space."""
    connection = store.connection
    if not stored.has_again(connection):
        return
    spaces = [n for (n,) in connection.execute("SELECT n FROM space")]
    names = mentions.load_names(connection)
    while texts := mentions.next_again(connection, spaces, _CHUNK):
        found = [(text, list(names.find(text.text)), spoken_by(connection, names, text)) for text in texts]
        with store.writing():
            mentions.write(connection, found)


def spoken_by(connection: apsw.Connection, names: Names, text: Text) -> tuple[int, ...]:
    """Who says a text: the person behind the identity in its channel, else whoever goes by the name."""
    platform, identity, name = text.speaks
    if identity is not None:
        known = stored.by_id(connection, speaker_id(platform, identity))
        return (known.n,) if known is not None and not known.is_dropped else ()
    return names.of(name_key(name)) if name else ()


class _Run:
    """One look through a space: what was made on the way, and what is known of names so far."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.connection = work.store.connection
        self.spaces = readable_spaces(self.connection, work.space, alone=True)
        self.names = mentions.load_names(self.connection)
        self.unwanted = stored.dropped_names(self.connection)
        self.new: dict[str, None] = {}
        self.began = int(self.connection.execute("SELECT coalesce(max(hlc), 0) FROM operation").get)
        self._is_known: dict[str, bool] = {}
        self.done = 0
        self.with_model = work.llm is not None
        self.total = mentions.count_left(self.connection, self.spaces, with_model=self.with_model)

    def go(self) -> bool:
        """Work chunk by chunk; False when time was up before the end."""
        after = 0
        version = RULES + (mentions.BY_MODEL if self.with_model else 0)
        most = _ASKED if self.with_model else _CHUNK
        while texts := mentions.next_stale(self.connection, self.spaces, after, most, with_model=self.with_model):
            if self._is_late():
                return False
            after = texts[-1].n
            self._name(texts)
            if self.work.dry_run:
                continue
            self._link(texts, None if self.with_model else version)
            if self.work.llm is not None:
                self._ask(self.work.llm, texts)
                self._link(texts, version)
        while not self.work.dry_run and (texts := mentions.next_again(self.connection, self.spaces, _CHUNK)):
            if self._is_late():
                return False
            self._link(texts, None)
        return True

    def _ask(self, llm: Llm, texts: Sequence[Text]) -> None:
        """Take in what a model finds in these texts beyond the rules."""
        drawn = draw(llm, [text for text in texts if text.may_name and text.text.strip()])
        drafts: dict[tuple[str, str], Draft] = {}
        for one in drawn.named:
            self._learn(one, llm.model, drafts)
        self._commit(list(drafts.values()))
        edges: dict[str, Draft] = {}
        for said in drawn.related:
            ends = [stored.known(self.connection, self.names.of(key)).values() for key in (said.source, said.target)]
            if all(ends):
                source, target = (next(iter(some)).id for some in ends)
                edge = relation_draft(self.connection, source, said.relation, target, said.item, llm.model)
                edges.update({edge.key: edge} if edge is not None else {})
        self._commit(list(edges.values()))

    def _learn(self, one: Named, by: str, drafts: dict[tuple[str, str], Draft]) -> None:
        """One entity that a model named: new, or the one it is known as; with the other names it has in the text."""
        key = name_key(one.name)
        if key in self.unwanted:
            return
        known = list(stored.known(self.connection, self.names.of(key)).values())
        if not known:
            draft = new_entity(one.name, one.type, one.item, by)
            self._add(drafts, draft, one.name)
            identifier = draft.key
        else:
            identifier = known[0].id
            if one.type != "concept" and self._untyped(key):
                self._add(drafts, Draft("entity.put", identifier, {"set": {"type": one.type}, "by": by}), "")
        for alias in one.aliases:
            if name_key(alias) not in self.names and name_key(alias) not in self.unwanted:
                said = {"add": {"aliases": [alias]}, "of": [one.item], "by": by}
                self._add(drafts, Draft("entity.put", identifier, said), alias)

    def _is_late(self) -> bool:
        return self.work.until is not None and stamp.now_ms() >= self.work.until

    def _name(self, texts: Sequence[Text]) -> None:
        """Make known what these texts name for the first time; what is sure comes first, since it has a type."""
        drafts: dict[tuple[str, str], Draft] = {}
        found: list[tuple[Candidate, str]] = []
        for text in texts:
            self._speaker(text, drafts)
            if text.may_name:
                found += [(one, text.id) for one in candidates(text.text)[:_MOST_NEW]]
        keys = {key for _, key in drafts}
        for one, item in sorted(found, key=lambda each: not each[0].is_strong):
            key = name_key(one.name)
            if key not in keys and self._is_wanted(one, key):
                keys.add(key)
                self._add(drafts, self._draft(one, key, item), one.name)
        self._commit(list(drafts.values()))

    def _add(self, drafts: dict[tuple[str, str], Draft], draft: Draft, name: str) -> None:
        """Each name by an entry of its own: it falls with the items that say it."""
        drafts.setdefault((draft.key, name_key(name)), draft)

    def _is_wanted(self, one: Candidate, key: str) -> bool:
        """Whether something is to be written of a name: it is new, or its type was not known so far."""
        if key in self.unwanted:
            return False
        if key in self.names:
            return one.is_strong and one.type != "concept" and self._untyped(key) is not None
        return one.is_strong or self._is_said_twice(one.name)

    def _draft(self, one: Candidate, key: str, item: str) -> Draft:
        known = self._untyped(key)
        if known is None:
            return new_entity(one.name, one.type, item, "rules")
        return Draft("entity.put", known, {"set": {"type": one.type}, "by": "rules"})

    def _untyped(self, key: str) -> str | None:
        """The id of what goes by a name of which nothing more than the name is known."""
        known = list(stored.known(self.connection, self.names.of(key)).values())
        is_bare = len(known) == 1 and known[0].type == "concept" and not known[0].name.startswith("#")
        return known[0].id if is_bare else None

    def _is_said_twice(self, name: str) -> bool:
        """Whether a second item of the space has the name just so."""
        known = self._is_known.get(name)
        if known is None:
            count = 0
            for n in stored.rows_saying(self.connection, name, 30):
                row = self.connection.execute(
                    """SELECT version.content, item.title FROM item JOIN version ON version.n = item.shown
                       WHERE item.n = ? AND item.is_present AND item.layer <> 'L3'
                       AND item.space IN (SELECT value FROM json_each(?))""",
                    (n, str(self.spaces)),
                ).fetchone()
                count += row is not None and (name in (row[0] or "") or name in (row[1] or ""))
                if count > 1:
                    break
            known = self._is_known[name] = count > 1
        return known

    def _speaker(self, text: Text, drafts: dict[tuple[str, str], Draft]) -> None:
        """Whoever speaks is a person: the same one as long as the channel says so, under whatever name."""
        platform, identity, name = text.speaks
        spelling = checked_spelling(name or "")
        if not spelling or spelling.casefold() in _ROLES or text.role in ("system", "tool"):
            return
        if identity is None:
            if name_key(spelling) not in self.names and name_key(spelling) not in self.unwanted:
                self._add(drafts, new_entity(spelling, "person", text.id, "speaker"), spelling)
            return
        key = speaker_id(platform, identity)
        known = stored.by_id(self.connection, key)
        if known is not None and name_key(spelling) in {name_key(one) for one in (known.name, *known.aliases)}:
            return
        is_new = (known is None or not known.name) and not any(entity == key for entity, _ in drafts)
        said: dict[str, Any] = (
            {"set": {"name": spelling, "type": "person"}} if is_new else {"add": {"aliases": [spelling]}}
        )
        self._add(drafts, Draft("entity.put", key, {**said, "of": [text.id], "by": "speaker"}), spelling)

    def _commit(self, drafts: list[Draft]) -> None:
        """Write entities, and know their names from now on."""
        self.new.update(
            (draft.key, None)
            for draft in drafts
            if draft.kind == "entity.put" and draft.payload.get("set", {}).get("name")
        )
        if not drafts or self.work.dry_run:
            return
        self.work.store.commit(self.work.operation, drafts, durable=False)
        for draft in drafts:
            if draft.kind == "entity.put":
                number = stored.number_of(self.connection, draft.key)
                for name in stored.names_of(self.connection, number):
                    if number not in self.names.of(name):
                        self.names.add(name, number)

    def _link(self, texts: Sequence[Text], version: int | None) -> None:
        """Write down what these texts speak of, and what they say of how these belong together.

        `version`: by what they are looked through now; None while a model still has to see them.
        """
        found = [
            (text, list(self.names.find(text.text)), spoken_by(self.connection, self.names, text)) for text in texts
        ]
        with self.work.store.writing():
            mentions.write(self.connection, found, version=version)
        if version is None and self.with_model:
            return
        self._relate([(text, said) for text, said, _ in found if text.may_name])
        self.done += len(texts)
        if self.work.progress is not None:
            self.work.progress(min(self.done, self.total), self.total)

    def _relate(self, found: Sequence[tuple[Text, list[Said]]]) -> None:
        """Write relations between entities that a text states outright, and end those that it no longer states."""
        drafts: dict[str, Draft] = {}
        stated: set[str] = set()
        for text, said in found:
            if len(said) < 2:
                continue
            known = stored.known(self.connection, {owner for one in said for owner in one.owners})
            for source, relation, target in relations_in(text.text, said, known):
                stated.add(edge_key(source, relation, target))
                draft = relation_draft(self.connection, source, relation, target, text.id, "rules")
                if draft is not None:
                    drafts.setdefault(draft.key, draft)
        edited = [text.id for text, _ in found if text.is_edited]
        ended = stored.relations_read_in(self.connection, edited) if edited else []
        ends = [draft for draft in map(relation_end, ended) if draft.key not in stated]
        self._commit([*ends, *drafts.values()])


def entity_id(kind: str, name: str) -> str:
    """The id of what goes by a name: the same on every device that meets it."""
    return stamp.derived_id("entity", kind, name_key(name))


def speaker_id(platform: str, identity: str) -> str:
    """The id of a person known by an identity in a channel, whatever name is shown there."""
    return stamp.derived_id("entity", "person", "speaker", platform, identity)


def new_entity(name: str, kind: str, item: str, by: str) -> Draft:
    """An entity that an item names."""
    spelling = checked_spelling(name)
    fields = {"name": spelling, "type": kind}
    return Draft("entity.put", entity_id(kind, spelling), {"set": fields, "of": [item], "by": by})


def relation_draft(
    connection: apsw.Connection, source: str, relation: str, target: str, item: str, by: str
) -> Draft | None:
    """A relation between two entities with the item that says so; None when it is known."""
    sql = "SELECT 1 FROM edge WHERE src = ? AND relation = ? AND dst = ?"
    if source == target or connection.execute(sql, (source, relation, target)).fetchone():
        return None
    ends: dict[str, Any] = {"src": source, "relation": relation, "dst": target}
    key = edge_key(source, relation, target)
    return Draft("edge.put", key, {**ends, "attrs": {"by": by, "evidence": item}})


def relation_end(ends: tuple[str, str, str]) -> Draft:
    """The end of a relation from one entity to another."""
    src, relation, dst = ends
    return Draft("edge.drop", edge_key(src, relation, dst), {"src": src, "relation": relation, "dst": dst})
