"""What undo and redo take back, what they refuse, and whose operations they leave alone."""

from pathlib import Path

import pytest
from store_state import export, reads, write_export

from memhub.errors import ConflictError, ExitCode, NotFoundError
from memhub.model.entry import Expect
from memhub.model.thread import Message, ThreadInfo
from memhub.pipeline import change
from memhub.store.store import new_operation
from memhub.workspace import Memory


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return Memory(tmp_path / "kb.db")


def test_an_erase_cannot_be_undone(memory: Memory) -> None:
    item = memory.add("gone for good").item
    memory.erase(item.id)
    with pytest.raises(ConflictError, match="an erase cannot be undone") as caught:
        memory.undo()
    assert caught.value.exit_code == ExitCode.CONFLICT
    assert memory.get(item.id).state == "erased"


def test_an_older_operation_is_refused_while_later_ones_count(memory: Memory) -> None:
    item = memory.add("first").item
    memory.update(item.id, content="second")
    older = memory.operations(limit=1)[0].id
    memory.update(item.id, content="third")
    with pytest.raises(ConflictError, match="came later and touched the same"):
        memory.undo(older)
    assert memory.get(item.id).content == "third"
    memory.undo()
    memory.undo(older)  # nothing later counts any more
    assert memory.get(item.id).content == "first"


def test_force_undoes_an_older_operation_and_keeps_what_later_ones_did(memory: Memory) -> None:
    item = memory.add("text", labels=["one"]).item
    memory.label(item.id, ["two"])
    labelled = memory.operations(limit=1)[0].id
    memory.set(item.id, importance=0.7)
    memory.undo(labelled, force=True)
    shown = memory.get(item.id)
    assert (shown.labels, shown.importance) == (("one",), 0.7)


def test_undo_twice_goes_further_back_and_redo_comes_forward(memory: Memory) -> None:
    item = memory.add("first").item
    memory.update(item.id, content="second")
    memory.update(item.id, content="third")
    memory.undo()
    assert memory.get(item.id).content == "second"
    memory.undo()
    assert memory.get(item.id).content == "first"
    memory.redo()
    memory.redo()
    assert memory.get(item.id).content == "third"
    with pytest.raises(NotFoundError, match="nothing to redo"):
        memory.redo()
    contents = [version.content for version in memory.history(item.id)]
    assert contents == ["third", "second", "first", "second", "third", "second", "first"]


def test_an_operation_is_undone_once(memory: Memory) -> None:
    memory.add("text")
    done = memory.operations(limit=1)[0].id
    undo = memory.undo()
    with pytest.raises(ConflictError, match="is undone already"):
        memory.undo(done)
    with pytest.raises(ConflictError, match="is itself an undo"):
        memory.undo(undo.id)
    with pytest.raises(NotFoundError, match="nothing to undo"):
        memory.undo()


def test_plain_undo_passes_over_cron_and_agents(tmp_path: Path) -> None:
    path = tmp_path / "kb.db"
    with Memory(path) as hand:
        mine = hand.add("typed").item
    for who in ("cron", "agent", "watch", "sync"):
        with Memory(path, who=who) as other:
            other.add(f"by {who}")
    with Memory(path) as hand:
        hand.undo()
        assert hand.get(mine.id).state == "dropped"
        assert sorted(item.content for item in hand.list()) == ["by agent", "by cron", "by sync", "by watch"]


def test_a_conversation_is_taken_back_whole(memory: Memory) -> None:
    before = reads(memory)
    messages = [Message(f"turn {n}") for n in range(1200)]
    thread = memory.add_messages(messages, thread=ThreadInfo(title="long talk")).thread
    assert memory.thread(thread.id).length == 1200
    memory.undo()
    assert reads(memory) == before
    memory.redo()
    assert [turn.content for turn in memory.thread(thread.id).turns] == [m.content for m in messages]


def test_an_imported_log_is_taken_back_by_drops(tmp_path: Path) -> None:
    with Memory(tmp_path / "one.db") as one, Memory(tmp_path / "two.db") as two:
        mine = two.add("mine", labels=["own"]).item
        theirs = [one.add(text).item.id for text in ("theirs", "also theirs")]
        one.link(theirs[0], "related", theirs[1])
        before = reads(two)
        report = two.import_export(write_export(one, tmp_path / "one.jsonl"))
        assert (report.created, len(two.list())) == (2, 3)
        newest = two.operations(limit=1)[0]
        assert (newest.command, newest.summary, newest.id) == ("import", "one.jsonl", report.operation)
        assert set(newest.items) == set(theirs)
        undone = two.undo()
        assert undone.undoes == report.operation
        assert reads(two) == before
        assert [two.get(item).state for item in theirs] == ["dropped", "dropped"]
        two.redo()
        assert {item.id for item in two.list()} == {mine.id, *theirs}
        two.update(theirs[0], content="changed here")
        with pytest.raises(ConflictError, match="came later"):
            two.undo(report.operation)


def test_an_import_that_brought_edits_gives_back_what_was_here(tmp_path: Path) -> None:
    with Memory(tmp_path / "one.db") as one, Memory(tmp_path / "two.db") as two:
        item = one.add("first", labels=["rope"]).item
        two.import_export(write_export(one, tmp_path / "first.jsonl"))
        one.update(item.id, content="second")
        one.label(item.id, ["tide"], ["rope"])
        two.import_export(write_export(one, tmp_path / "second.jsonl"))
        assert (two.get(item.id).content, two.get(item.id).labels) == ("second", ("tide",))
        two.undo()
        assert (two.get(item.id).content, two.get(item.id).labels) == ("first", ("rope",))
        one.import_export(write_export(two, tmp_path / "back.jsonl"))
        assert export(one) == export(two)


def test_a_commit_refuses_when_what_it_read_moved(memory: Memory) -> None:
    item = memory.add("first").item
    heads = (item.version,)
    memory.update(item.id, content="second")
    drafts = change.edit(memory.store.connection, item.id, {"content": "third"})
    before = memory.operations()
    with pytest.raises(ConflictError, match="changed meanwhile"):
        memory.store.commit(new_operation("edit"), drafts, expect=Expect(heads={item.id: heads}))
    with pytest.raises(ConflictError, match="changed meanwhile"):
        memory.update(item.id, content="third", expect=item.version)
    assert memory.operations() == before
    assert memory.get(item.id).content == "second"


def test_an_operation_is_named_by_its_last_letters_and_nothing_longer(tmp_path: Path) -> None:
    with Memory(tmp_path / "kb.db") as memory:
        memory.add("kept")
        (operation,) = memory.operations()
        for wrong in ("x" * 70_000, "%", "_" * 8, "", operation.id + "x", "a" + operation.id):
            with pytest.raises(NotFoundError):
                memory.undo(wrong or "-")
        assert memory.undo(operation.id[-8:].upper()).undoes == operation.id
