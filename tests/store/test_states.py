"""States along edges: replaced through dropped items, cycles, duplicates, contested; aliases of spaces."""

from pathlib import Path

import pytest

from memhub.errors import ConflictError, UsageError
from memhub.model.entry import Draft
from memhub.model.query import Filters
from memhub.model.record import Skipped
from memhub.model.result import NewNote
from memhub.model.thread import Message, ThreadInfo
from memhub.store.evaluate import edge_key
from memhub.store.names import DEFAULT_SPACE
from memhub.store.store import new_operation
from memhub.workspace import Memory


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return Memory(tmp_path / "kb.db")


def states(memory: Memory, *items: str) -> list[str]:
    return [memory.get(item).state for item in items]


def link(memory: Memory, src: str, relation: str, dst: str, **attrs: object) -> None:
    ends = {"src": src, "relation": relation, "dst": dst}
    drafts = [Draft("edge.put", edge_key(src, relation, dst), {**ends, "attrs": attrs})]
    memory.store.commit(new_operation("judge", "agent"), drafts)


def three(memory: Memory) -> tuple[str, str, str]:
    old, middle, new = (memory.add(text).item.id for text in ("oldest", "middle", "newest"))
    return old, middle, new


def test_replaced_reaches_through_a_dropped_item_and_ends_with_the_last_replacer(memory: Memory) -> None:
    old, middle, new = three(memory)
    link(memory, middle, "replaces", old)
    link(memory, new, "replaces", middle)
    assert states(memory, old, middle, new) == ["replaced", "replaced", "live"]
    memory.drop(middle)
    assert states(memory, old, middle, new) == ["replaced", "dropped", "live"]
    memory.drop(new)
    assert states(memory, old, middle, new) == ["live", "dropped", "dropped"]
    memory.restore(middle)
    assert states(memory, old, middle, new) == ["replaced", "live", "dropped"]


def test_the_edge_that_closes_a_cycle_is_ignored_newest_first(memory: Memory) -> None:
    old, middle, new = three(memory)
    link(memory, old, "replaces", new)  # the oldest of the three edges would close the cycle
    link(memory, middle, "replaces", old)
    link(memory, new, "replaces", middle)
    assert states(memory, old, middle, new) == ["replaced", "replaced", "live"]
    memory.unlink(new, "replaces", middle)
    assert states(memory, old, middle, new) == ["replaced", "live", "replaced"]


def test_a_duplicate_is_out_of_default_reads_while_its_original_is_there(memory: Memory) -> None:
    original, copy, _ = three(memory)
    link(memory, copy, "confirms", original, duplicate=True)
    assert states(memory, original, copy) == ["live", "duplicate"]
    assert copy not in {item.id for item in memory.list()}
    memory.drop(original)
    assert states(memory, original, copy) == ["dropped", "live"]


def test_a_challenge_marks_both_until_it_is_resolved(memory: Memory) -> None:
    one, other, _ = three(memory)
    link(memory, one, "challenges", other)
    assert [memory.get(item).flags for item in (one, other)] == [("contested",), ("contested",)]
    memory.drop(one)
    assert memory.get(other).flags == ()
    memory.restore(one)
    assert memory.get(other).flags == ("contested",)
    link(memory, one, "challenges", other, resolved=True)
    assert [memory.get(item).flags for item in (one, other)] == [(), ()]


def test_archived_items_leave_default_reads_and_come_back(memory: Memory) -> None:
    one, *_ = three(memory)
    memory.set(one, archived=True)
    assert states(memory, one) == ["archived"]
    assert one not in {item.id for item in memory.list()}
    memory.undo()
    assert states(memory, one) == ["live"]


def test_of_two_items_with_one_source_key_the_smaller_id_stays(memory: Memory) -> None:
    ids = sorted(three(memory)[:2])
    drafts = [Draft("item.set", item, {"set": {"key": "same source"}}) for item in ids]
    memory.store.commit(new_operation("import"), drafts)
    assert states(memory, *ids) == ["live", "replaced"]
    memory.drop(ids[0])
    assert states(memory, *ids) == ["dropped", "live"]


def test_a_merged_space_is_read_under_both_names_and_can_be_taken_back(memory: Memory) -> None:
    memory.space_new("work")
    memory.space_new("job")
    item = memory.add("in work", space="work").item
    memory.space_merge("work", "job")
    assert [found.id for found in memory.list(Filters(space="job"))] == [item.id]
    assert [found.id for found in memory.list(Filters(space="work"))] == [item.id]
    assert memory.get(item.id).space == "job"
    with pytest.raises(ConflictError, match="there is a space `work` already"):
        memory.space_new("work")
    memory.undo()
    assert memory.list(Filters(space="job")) == []
    assert memory.get(item.id).space == "work"


def test_spaces_merged_into_each_other_on_two_devices_become_the_smaller_id(memory: Memory) -> None:
    ids = sorted(memory.space_new(name).id for name in ("one", "two", "three"))
    circle = [(ids[0], ids[1]), (ids[1], ids[2]), (ids[2], ids[0])]
    drafts = [Draft("space.put", source, {"set": {"alias_of": into}}) for source, into in circle]
    memory.store.commit(new_operation("sync", "sync"), drafts)
    assert sorted(space.id for space in memory.spaces()) == sorted([DEFAULT_SPACE, ids[0]])


def test_the_default_space_is_not_merged_away(memory: Memory) -> None:
    memory.space_new("work")
    with pytest.raises(UsageError, match="the default space stays"):
        memory.space_merge("default", "work")


@pytest.mark.parametrize("wrong", ["nonsense", "x" * 19 + "Z", "2026-99-99", "9999-12-31T23:59:59-12:00"])
def test_a_time_that_is_none_is_refused_by_every_verb(tmp_path: Path, wrong: str) -> None:
    with Memory(tmp_path / "kb.db") as memory:
        item = memory.add("kept", created_at="0001-01-01T00:00:00Z").item
        assert item.created_at == "0001-01-01T00:00:00Z"
        for refused in (
            lambda: memory.add("x", created_at=wrong),
            lambda: memory.update(item.id, created_at=wrong),
            lambda: memory.add_messages([Message("x", at=wrong)], thread=ThreadInfo(title="t")),
        ):
            with pytest.raises(UsageError, match=r"no ISO 8601|there is no|too far away"):
                refused()
        (skipped,) = memory.add_many([NewNote("x", created_at=wrong)])
        assert isinstance(skipped, Skipped)
        assert [found.content for found in memory.list()] == ["kept"]
