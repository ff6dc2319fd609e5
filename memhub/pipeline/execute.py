"""Turns rulings into log entries: new items, edges, slot versions, and the ruling itself. Never deletes a text."""

from typing import Any, NamedTuple

import apsw

from memhub import stamp
from memhub.model.entry import Draft, Version
from memhub.model.judging import Candidate, Judged, Ruling, Slot, Source, Text
from memhub.pipeline.relatives import slot_from, slot_item, space_of
from memhub.pipeline.statements import normalise
from memhub.store import log
from memhub.store.canonical import hash_of
from memhub.store.evaluate import edge_key, fold, item_state

BY = {"by": "judge"}
_BY_HAND = "The line was pinned or corrected by hand, and this says otherwise."


class Outcome(NamedTuple):
    """What one candidate became. `item` is the item that now says it, None when nothing does."""

    candidate: Candidate
    ruling: Ruling
    item: str | None
    drafts: list[Draft]
    reads: dict[str, tuple[str, ...]]


def outcome_of(connection: apsw.Connection, source: Source, judged: Judged) -> Outcome | None:
    """The entries for one candidate; None when it was carried out before, or its span does not hold its words."""
    candidate = judged.candidate
    text = next((text for text in source.texts if text.item == candidate.span.item), None)
    if text is None or not _stands(candidate, text):
        return None
    identifier = ruling_id(text, candidate, judged.ruling)
    if _is_written(connection, identifier):
        return None
    ruling = judged.ruling or Ruling("append")
    step = _Step(connection, source, text, candidate, ruling)
    outcome = step.outcome()
    if outcome is None or judged.ruling is None or not (outcome.ruling.targets or outcome.ruling.action != "append"):
        return outcome
    return outcome._replace(drafts=[*outcome.drafts, _ruling_draft(identifier, source, text, outcome)])


def _stands(candidate: Candidate, text: Text) -> bool:
    """Whether the span holds the candidate: word for word, or, where a model worded it, the words that it quotes."""
    span = candidate.span
    words = text.content[span.start : span.stop]
    if span.version != text.version or not 0 <= span.start < span.stop <= len(text.content):
        return False
    return words == candidate.content if candidate.by == "rules" else bool(words.strip())


def is_carried_out(connection: apsw.Connection, source: Source, judged: Judged) -> bool:
    """Whether this candidate of this version of its text was ruled before."""
    text = next((text for text in source.texts if text.item == judged.candidate.span.item), None)
    return text is not None and _is_written(connection, ruling_id(text, judged.candidate, judged.ruling))


def _is_written(connection: apsw.Connection, identifier: str) -> bool:
    return connection.execute("SELECT 1 FROM entry WHERE key = ? LIMIT 1", (identifier,)).fetchone() is not None


def ruling_id(text: Text, candidate: Candidate, ruling: Ruling | None) -> str:
    """One candidate of one version of a text is ruled once; after a doubtful ruling, once more."""
    doubt = "doubt" if ruling is not None and ruling.is_doubtful else ""
    return stamp.derived_id("ruling", text.item, text.version, candidate.kind, normalise(candidate.content), doubt)


def statement_id(text: Text, candidate: Candidate) -> str:
    """The id of an item drawn from a text: the same statement drawn again is the same item."""
    return stamp.derived_id("statement", text.item, candidate.kind, normalise(candidate.content))


class _Step:
    """The effects of one ruling, as the table of actions has them."""

    def __init__(
        self, connection: apsw.Connection, source: Source, text: Text, candidate: Candidate, ruling: Ruling
    ) -> None:
        self.connection, self.source, self.text = connection, source, text
        self.candidate, self.ruling = candidate, ruling
        self.drafts: list[Draft] = []
        self.reads: dict[str, tuple[str, ...]] = {}

    def outcome(self) -> Outcome | None:
        kind = self.candidate.kind
        if kind == "profile" and self.candidate.slot is not None and self.ruling.action not in ("challenges", "ignore"):
            item = self._slot(self.candidate.slot)
        elif kind == "note":
            item = self._note()
        else:
            item = self._statement()
        if item is None and not self.drafts and self.ruling.action not in ("duplicate", "ignore"):
            return None
        return Outcome(self.candidate, self.ruling, item, self.drafts, self.reads)

    def _note(self) -> str:
        """A typed note stays an item whatever is ruled; profile lines are renewed by candidates of their own."""
        targets = tuple(target for target in self.ruling.targets if not self._is_line(target))
        if self.ruling.targets and not targets:
            self.ruling = Ruling("append", reason=self.ruling.reason, judge=self.ruling.judge)
        else:
            self.ruling = _with_targets(self.ruling, targets)
        self._edges(self.text.item)
        return self.text.item

    def _statement(self) -> str | None:
        if self.ruling.action == "ignore":
            return None
        if self.ruling.action == "duplicate" and not self._is_known():
            for target in self.ruling.targets:
                self._link(self.text.item, "evidence_of", target, {})
            return self.ruling.targets[0] if self.ruling.targets else None
        item = statement_id(self.text, self.candidate)
        known = item_state(log.entries_of(self.connection, item))
        if known.put:  # drawn before, when the rules were in doubt
            if known.drops or known.is_erased or space_of(self.connection, item) != self.source.space:
                return None
            self._edges(item)
            return item
        kind = "fact" if self.candidate.kind == "profile" else self.candidate.kind
        self._new(item, "L1", kind, (), {})
        self._edges(item)
        return item

    def _is_known(self) -> bool:
        item = statement_id(self.text, self.candidate)
        return self.connection.execute("SELECT 1 FROM item WHERE id = ?", (item,)).fetchone() is not None

    def _slot(self, slot: Slot) -> str | None:
        """A profile line: made, confirmed by the same value, or given a new version; the old one stays in history."""
        slot = self._of_whom(slot)
        item = slot_item(self.connection, self.source.space, slot)
        state = item_state(log.entries_of(self.connection, item))
        if state.is_erased:
            return None
        self.reads[item] = state.heads
        shown = self._shown(item, bool(state.drops))
        now = slot_from(shown.attrs) if shown else None
        if shown is not None and now is not None and fold(now.value) == fold(slot.value):
            if state.drops:
                return None  # taken out by hand; saying it again does not bring it back
            self.ruling = _as(self.ruling, "duplicate", (item,), "the profile says so already")
            self._link(self.text.item, "evidence_of", item, {"version": hash_of(shown)})
            return item
        if now is not None and self._is_older(item):
            self.ruling = _as(self.ruling, "ignore", (item,), "the profile holds a value said later")
            return None
        if now is not None:
            difference = f"{now.value} → {slot.value}"
            if state.registers.fields.get("pinned") or (shown is not None and shown.by == "hand"):
                self.ruling = _as(self.ruling, "challenges", (item,), _BY_HAND, difference)
                return self._against_line()
            difference = self.ruling.difference or difference
            self.ruling = _as(self.ruling, "replaces", (item,), "a newer value for the same slot", difference)
        else:
            self.ruling = Ruling("append", judge=self.ruling.judge, prompt=self.ruling.prompt)
        self._new(item, "L2", "profile", state.heads, {"slot": _slot_json(slot)})
        return item

    def _against_line(self) -> str | None:
        """What says otherwise than a line that a person pinned or corrected stands beside it, until he settles it."""
        span = self.candidate.span
        if self.source.kind == "note" and span.stop - span.start >= len(self.text.content.strip()) - 1:
            self._edges(self.text.item)
            return self.text.item
        return self._statement()

    def _shown(self, item: str, is_dropped: bool) -> Version | None:
        """What a line says now; nothing when whatever said so is gone."""
        found = self.connection.execute(
            """SELECT version.hash FROM item JOIN version ON version.n = item.shown
               WHERE item.id = ? AND (item.is_present OR ?)""",
            (item, is_dropped),
        ).get
        return log.load_version(self.connection, str(found)) if found else None

    def _of_whom(self, slot: Slot) -> Slot:
        if slot.subject == "user" and self.source.is_group and self.text.speaker:
            return Slot(self.text.speaker, slot.dimension, slot.qualifier, slot.value)
        return slot

    def _new(self, item: str, layer: str, kind: str, parents: tuple[str, ...], attrs: dict[str, Any]) -> None:
        """A version drawn from the text, with its evidence."""
        span = self.candidate.span
        drawn: dict[str, Any] = {"drawn_from": [self.text.item]}
        if self.candidate.by != "rules":
            drawn["drawn_by"] = self.candidate.by
        version = Version(
            item=item, parents=parents, layer=layer, kind=kind, title=None, content=self.candidate.content,
            attrs={**self.candidate.attrs, **attrs, **drawn}, created_at=self.text.at,
            updated_at=None, valid_from=None, valid_to=None,
            source={"kind": "judge", "thread": self.source.thread, "item": span.item, "start": span.start,
                    "stop": span.stop},
            spans=(self.text.item,), by="judge", nonce=stamp.derived_nonce(item),
        )  # fmt: skip
        self.drafts.append(Draft("version.put", item, {}, version))
        if not parents:
            fields: dict[str, Any] = {"space": self.source.space}
            if self.candidate.importance is not None:
                fields["importance"] = self.candidate.importance
            if self.source.project is not None and layer == "L1":
                fields["project"] = self.source.project
            self.drafts.append(Draft("item.set", item, {"set": fields}))
        self._link(self.text.item, "evidence_of", item, {"version": hash_of(version)})

    def _edges(self, item: str) -> None:
        """The edges of a ruling from the item that states the candidate to its targets."""
        relation = self.ruling.action
        attrs: dict[str, Any] = dict(BY)
        if relation == "append":
            relation = "related"
        if relation == "duplicate":
            relation, attrs = "confirms", {**BY, "duplicate": True}
        if relation == "ignore":
            return
        for target in self.ruling.targets:
            if relation in ("replaces", "challenges", "enriches", "confirms"):
                self.reads[target] = item_state(log.entries_of(self.connection, target)).heads
            if relation == "replaces" and self._is_older(target):
                self._link(target, relation, item, attrs)  # said before, but only judged now
            else:
                self._link(item, relation, target, attrs)

    def _is_older(self, other: str) -> bool:
        """Whether the text was said before another item, as far as both times are known."""
        mine = stamp.ms_of(self.text.at)
        theirs = self.connection.execute("SELECT created_ms FROM item WHERE id = ?", (other,)).get
        return mine is not None and theirs is not None and mine < int(theirs)

    def _link(self, src: str, relation: str, dst: str, attrs: dict[str, Any]) -> None:
        if src != dst:
            payload = {"src": src, "relation": relation, "dst": dst, "attrs": {**BY, **attrs}}
            self.drafts.append(Draft("edge.put", edge_key(src, relation, dst), payload))

    def _is_line(self, item: str) -> bool:
        found = self.connection.execute("SELECT layer FROM item WHERE id = ?", (item,)).get
        return bool(found == "L2")


def _as(ruling: Ruling, action: str, targets: tuple[str, ...], reason: str, difference: str = "") -> Ruling:
    """The ruling that a slot gives by itself; one that says the same keeps its words."""
    if ruling.action == action and ruling.reason:
        return _with_targets(ruling, targets)
    return Ruling(action, targets, reason, difference, ruling.confidence, ruling.judge, ruling.prompt)


def _with_targets(ruling: Ruling, targets: tuple[str, ...]) -> Ruling:
    from dataclasses import replace

    return replace(ruling, targets=targets)


def _slot_json(slot: Slot) -> dict[str, str]:
    return {
        "subject": slot.subject,
        "dimension": slot.dimension,
        "qualifier": slot.qualifier,
        "value": slot.value,
    }


def _ruling_draft(identifier: str, source: Source, text: Text, outcome: Outcome) -> Draft:
    """What is written down about a ruling: enough to say why, and to take it back."""
    ruling = outcome.ruling
    put = next((d for d in outcome.drafts if d.kind == "version.put" and d.version is not None), None)
    fields: dict[str, Any] = {
        "space": source.space, "source": text.item, "thread": source.thread, "item": outcome.item,
        "action": ruling.action, "targets": list(ruling.targets), "kind": outcome.candidate.kind,
        "text": outcome.candidate.content, "start": outcome.candidate.span.start, "stop": outcome.candidate.span.stop,
        "reason": ruling.reason, "difference": ruling.difference, "confidence": ruling.confidence,
        "judge": ruling.judge, "prompt": ruling.prompt, "extractor": outcome.candidate.by,
        "edges": [d.key for d in outcome.drafts if d.kind == "edge.put"],
        "version": hash_of(put.version) if put and put.version else None,
        "before": list(put.version.parents) if put and put.version else [],
    }  # fmt: skip
    return Draft(
        "ruling.put", identifier, {"set": {name: value for name, value in fields.items() if value is not None}}
    )


def overturn_drafts(connection: apsw.Connection, identifier: str, fields: dict[str, Any]) -> list[Draft]:
    """The entries that take one ruling back: its edges dropped, its item dropped, its slot as it was before."""
    drafts = []
    for key in fields.get("edges", ()):
        src, relation, dst = key.split(" ", 2)
        ends = {"src": src, "relation": relation, "dst": dst}
        drafts.append(Draft("edge.drop", key, ends))
    item = fields.get("item")
    if item and fields.get("version"):
        state = item_state(log.entries_of(connection, item))
        before = fields.get("before") or []
        old = log.load_version(connection, before[0]) if before else None
        if old is not None and not state.is_erased:
            version = old._replace(parents=state.heads, by="hand", nonce=stamp.new_nonce())
            drafts.append(Draft("version.put", item, {}, version))
        elif not state.drops and not state.is_erased:
            drafts.append(Draft("item.drop", item, {"heads": list(state.heads)}))
    drafts.append(Draft("ruling.put", identifier, {"set": {"overturned": True}}))
    return drafts
