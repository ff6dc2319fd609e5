"""The one door: after any sequence of verbs the projections equal a rebuild, and undo gives back what reads showed."""

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, assume, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from store_state import assert_rebuild_is_equal, reads

from memhub.errors import ConflictError, NotFoundError, UsageError
from memhub.model.query import Filters
from memhub.model.thread import Message, Speaker, ThreadInfo
from memhub.workspace import Memory

TEXTS = st.sampled_from(
    [
        "the ferry leaves at seven",
        "缆绳放在船坞里",
        "first line\nsecond line\nthird line",
        "rope and 绳子 mixed #boat",
        "tide",
        "I live in Paris",
        "I moved to Berlin. Remember: the key hangs behind the door.",
        "The gate opens at 8:00",
        "The gate opens at 9:30",
        "The gate never opens at 9:30",
    ]
)
LABELS = st.sampled_from(["rope", "Boat", "boat", "tide/low", "潮汐"])
NAMES = st.sampled_from(["work", "home", "archive"])
RELATIONS = st.sampled_from(["related", "replaces", "challenges", "confirms", "supports"])
PICK = st.integers(0, 10_000)
REFUSED = (ConflictError, NotFoundError, UsageError)


class Door(RuleBasedStateMachine):
    """Every write verb of `Memory`, in any order."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.memory = Memory(Path(self.folder.name) / "door.db")
        self.items: list[str] = []
        self.threads: list[str] = []
        self.steps = 0
        self.before: list[tuple[str, dict[str, Any], dict[str, Any]]] = []

    def teardown(self) -> None:
        assert_rebuild_is_equal(self.memory)
        self.memory.close()
        self.folder.cleanup()

    @invariant()
    def equals_a_rebuild(self) -> None:
        self.steps += 1
        if self.steps % 5 == 0:
            assert_rebuild_is_equal(self.memory)

    def _item(self, pick: int) -> str:
        assume(self.items)
        return self.items[pick % len(self.items)]

    def _do(self, verb: Any, *args: Any, **options: Any) -> Any:
        """Run a verb and remember what reads showed before and after it, when it wrote an operation."""
        shown = reads(self.memory)
        newest = self.memory.operations(limit=1)
        try:
            result = verb(*args, **options)
        except REFUSED:
            assert reads(self.memory) == shown, "what is refused changes nothing"
            return None
        done = self.memory.operations(limit=1)
        if done and done != newest:
            self.before.append((done[0].id, shown, reads(self.memory)))
        return result

    @initialize()
    def begin(self) -> None:
        """Enough to work on: two spaces besides the default one, three notes, a conversation."""
        self.memory.space_new("work")
        self.memory.space_new("home", reads=["work"])
        for text, space in (("the first note", None), ("rope in the shed", "work"), ("缆绳放在家里", "home")):
            self.items.append(self.memory.add(text, labels=["rope"], space=space).item.id)
        kept = self.memory.add_messages([Message(text) for text in ("we sail", "ferry", "tide")], thread=ThreadInfo())
        self.threads.append(kept.thread.id)
        self.items += [turn.id for turn in self.memory.thread(kept.thread.id).turns]

    @rule(text=TEXTS, label=st.lists(LABELS, max_size=2), again=st.booleans(), space=st.none() | NAMES,
          project=st.none() | st.sampled_from(["mast", "keel"]))  # fmt: skip
    def add(self, text: str, label: list[str], again: bool, space: str | None, project: str | None) -> None:
        added = self._do(self.memory.add, text, labels=label, again=again, space=space, project=project)
        if added and added.status == "created":
            self.items.append(added.item.id)

    @rule(texts=st.lists(TEXTS, min_size=1, max_size=3), pick=PICK, whole=st.booleans(), space=st.none() | NAMES)
    def add_messages(self, texts: list[str], pick: int, whole: bool, space: str | None) -> None:
        messages = [Message(text, "user", Speaker(f"Ann{n % 2}", f"id{n % 2}")) for n, text in enumerate(texts)]
        if self.threads and pick % 2:
            info = ThreadInfo(id=self.threads[pick % len(self.threads)])
        else:
            info = ThreadInfo(
                title="talk", space=space, key=("chat", "test", str(pick % 3)) if whole else None, whole=whole
            )
        kept = self._do(self.memory.add_messages, messages, thread=info)
        if kept is None:
            return
        turns = [turn.id for turn in self.memory.thread(kept.thread.id).turns]
        self.threads = list(dict.fromkeys([*self.threads, kept.thread.id]))
        self.items = list(dict.fromkeys([*self.items, *turns]))

    @rule(pick=PICK, text=TEXTS, title=st.none() | st.sampled_from(["Ropes", "潮"]))
    def update(self, pick: int, text: str, title: str | None) -> None:
        self._do(self.memory.update, self._item(pick), content=text, title=title)

    @rule(
        picks=st.lists(PICK, min_size=1, max_size=3),
        importance=st.none() | st.sampled_from([0.0, 0.5, 1.0]),
        pinned=st.booleans(),
        archived=st.booleans(),
        project=st.none() | st.sampled_from(["mast", "keel"]),
    )
    def set(self, picks: list[int], **fields: Any) -> None:
        self._do(self.memory.set, [self._item(pick) for pick in picks], **fields)

    @rule(
        picks=st.lists(PICK, min_size=1, max_size=3),
        add=st.lists(LABELS, max_size=2),
        gone=st.lists(LABELS, max_size=2),
    )
    def label(self, picks: list[int], add: list[str], gone: list[str]) -> None:
        self._do(self.memory.label, [self._item(pick) for pick in picks], add, gone)

    @rule(old=LABELS, new=LABELS)
    def label_rename(self, old: str, new: str) -> None:
        self._do(self.memory.label_rename, old, new)

    @rule(picks=st.lists(PICK, min_size=1, max_size=2), space=NAMES)
    def move(self, picks: list[int], space: str) -> None:
        self._do(self.memory.move, [self._item(pick) for pick in picks], space)

    @rule(picks=st.lists(PICK, min_size=1, max_size=3))
    def drop(self, picks: list[int]) -> None:
        self._do(self.memory.drop, [self._item(pick) for pick in picks])

    @rule(picks=st.lists(PICK, min_size=1, max_size=3))
    def restore(self, picks: list[int]) -> None:
        self._do(self.memory.restore, [self._item(pick) for pick in picks])

    @precondition(lambda self: self.steps % 4 == 0)
    @rule(pick=PICK)
    def erase(self, pick: int) -> None:
        self._do(self.memory.erase, self._item(pick))

    @rule(one=PICK, relation=RELATIONS, other=PICK)
    def link(self, one: int, relation: str, other: int) -> None:
        self._do(self.memory.link, self._item(one), relation, self._item(other))

    @rule(one=PICK, relation=st.none() | RELATIONS, other=PICK)
    def unlink(self, one: int, relation: str | None, other: int) -> None:
        self._do(self.memory.unlink, self._item(one), relation, self._item(other))

    @rule(name=NAMES, reads=st.lists(NAMES, max_size=1))
    def space_new(self, name: str, reads: list[str]) -> None:
        self._do(self.memory.space_new, name, reads=reads)

    @rule(old=NAMES, new=NAMES | st.sampled_from(["job", "house"]))
    def space_rename(self, old: str, new: str) -> None:
        self._do(self.memory.space_rename, old, new)

    @rule(name=NAMES, add=st.lists(NAMES, max_size=1), gone=st.lists(NAMES, max_size=1))
    def space_read(self, name: str, add: list[str], gone: list[str]) -> None:
        self._do(self.memory.space_read, name, add=add, remove=gone)

    @rule(source=NAMES, into=NAMES)
    def space_merge(self, source: str, into: str) -> None:
        self._do(self.memory.space_merge, source, into)

    @rule(limit=st.none() | st.integers(1, 3))
    def judge(self, limit: int | None) -> None:
        """By the rules; what was drawn from texts comes and goes with them."""
        self._do(self.memory.judge, with_model=False, limit=limit)
        known = {item.id for space in self.memory.spaces() for item in self.memory.list(_drawn(space.id), limit=0)}
        self.items = list(dict.fromkeys([*self.items, *sorted(known)]))

    @rule(pick=PICK)
    def overturn(self, pick: int) -> None:
        rulings = self.memory.rulings(limit=0)
        assume(rulings)
        self._do(self.memory.overturn, rulings[pick % len(rulings)].id)

    @rule(pick=PICK, how=st.sampled_from(["new", "old", "both", "merge", "note"]))
    def resolve(self, pick: int, how: str) -> None:
        entries = self.memory.review(limit=0)
        assume(entries)
        entry = entries[pick % len(entries)]
        self._do(self.memory.resolve, entry.item.id, how, other=entry.other and entry.other.id, text="as it is now")

    @rule(again=st.booleans())
    def undo(self, again: bool) -> None:
        """What reads show is what they showed before the operation; redo gives back what they showed after it."""
        shown = reads(self.memory)
        try:
            done = self.memory.undo()
        except REFUSED:
            assert reads(self.memory) == shown
            return
        known = {operation: (before, after) for operation, before, after in self.before}
        expected = known.get(done.undoes or "")
        is_newest = bool(self.before) and self.before[-1][0] == done.undoes
        if expected and is_newest:
            assert reads(self.memory) == expected[0]
        if again:
            self.memory.redo()
            assert reads(self.memory) == shown
        elif is_newest:
            self.before.pop()
        else:
            self.before.clear()

    @rule(pick=PICK, force=st.booleans())
    def undo_older(self, pick: int, force: bool) -> None:
        operations = [operation for operation in self.memory.operations(limit=0) if not operation.undoes]
        shown = reads(self.memory)
        try:
            self.memory.undo(operations[pick % len(operations)].id, force=force)
        except REFUSED:
            assert reads(self.memory) == shown
        else:
            self.before.clear()

    @rule(text=st.sampled_from(["ferry", "缆绳", "rope", "second"]))
    def search(self, text: str) -> None:
        for space in self.memory.spaces():
            filters = Filters(space=space.id)
            there = {item.id for item in self.memory.list(filters, limit=0) if text in item.content}
            found = {hit.item.id for hit in self.memory.search(text, filters, mode="words", limit=0).hits}
            assert there <= found, text


def _drawn(space: str) -> Filters:
    return Filters(space=space, layers=("L1", "L2"), states=("all",))


@pytest.mark.usefixtures("clock")
class TestDoor:
    """Two sizes of the same machine."""

    def test_short(self) -> None:
        _run(examples=25, steps=30)

    @pytest.mark.slow
    @pytest.mark.timeout(1800)
    def test_long(self) -> None:
        _run(examples=150, steps=60)


def _run(examples: int, steps: int) -> None:
    run_state_machine_as_test(
        Door,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            phases=[Phase.generate],  # shrinking takes many minutes; the steps printed are enough
            derandomize=examples < 50,
        ),
    )
