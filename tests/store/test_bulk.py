"""Bulk writes: many things to a commit mean what each of them alone means."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from store_state import assert_rebuild_is_equal, projections

from memhub.model.query import Filters
from memhub.model.record import Conversation
from memhub.model.result import Added, NewNote
from memhub.model.thread import Message, ThreadInfo
from memhub.pipeline.records import Run
from memhub.store.names import DEFAULT_SPACE
from memhub.tasks.sessions import keep_threads
from memhub.workspace import Memory

RUN = Run("claude-code", "claude", DEFAULT_SPACE, None, ())


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory(tmp_path / "mh.db") as opened:
        yield opened


def talk(number: int, texts: list[str], folder: str | None = "/srv/demo/lamp") -> Conversation:
    messages = tuple(Message(text, ("user", "assistant")[n % 2], id=f"m{n}") for n, text in enumerate(texts))
    return Conversation(ThreadInfo(key=("claude-code", "", f"s{number}"), whole=True, folder=folder), messages)


def keep(memory: Memory, *found: Conversation) -> list[tuple[str, int]]:
    kept = keep_threads(memory.store, memory._operation("import"), RUN, found, dry_run=False)
    return [(one.error or one.outcome, one.turns) for one in kept]


def turns(memory: Memory) -> list[list[str]]:
    found = memory.threads(Filters(), limit=1000)
    return sorted([turn.content for turn in memory.thread(thread.id).turns] for thread in found)


class TestThreads:
    def test_a_thread_that_comes_twice_goes_on(self, memory: Memory) -> None:
        kept = keep(memory, talk(1, ["one", "two"]), talk(2, ["other"]), talk(1, ["one", "two", "three"]))
        assert kept == [("created", 2), ("created", 1), ("updated", 1)]
        assert turns(memory) == [["one", "two", "three"], ["other"]]
        assert_rebuild_is_equal(memory)

    def test_one_that_cannot_be_kept_stops_no_other(self, memory: Memory) -> None:
        kept = keep(memory, talk(1, ["one"]), talk(2, ["good", "  "]), talk(3, ["three"]))
        assert [outcome for outcome, _ in kept] == ["created", "a turn without text", "created"]
        assert turns(memory) == [["one"], ["three"]]

    def test_long_and_short_ones_share_commits(self, memory: Memory) -> None:
        sizes = (1, 700, 2300, 0, 400)
        keep(memory, *(talk(n, [f"turn {i} of {n}" for i in range(size)]) for n, size in enumerate(sizes)))
        assert sorted(thread.length for thread in memory.threads(Filters(), limit=1000)) == sorted(sizes)
        long = next(texts for texts in turns(memory) if len(texts) == 2300)
        assert long == [f"turn {i} of 2" for i in range(2300)]
        assert_rebuild_is_equal(memory)

    def test_one_project_for_many_threads(self, memory: Memory) -> None:
        keep(memory, *(talk(n, ["one"]) for n in range(5)))
        found = memory.store.connection.execute("SELECT count(*) FROM entry WHERE kind = 'project.put'").get
        assert found == 1

    def test_in_one_commit_as_in_many(self, memory: Memory, tmp_path: Path) -> None:
        talks = [talk(n, [f"turn {i} of {n}, 今天在码头 #rope" for i in range(4)]) for n in range(6)]
        keep(memory, *talks)
        with Memory(tmp_path / "each.db") as each:
            for one in talks:
                keep(each, one)
            assert _comparable(each) == _comparable(memory)


class TestNotes:
    def test_twins_and_known_ones_among_many(self, memory: Memory) -> None:
        memory.add("note 7 #rope")
        notes = [NewNote(f"note {n % 900} #rope", request_id="r" if n in (3, 1003) else None) for n in range(1100)]
        added = [one for one in memory.add_many(notes) if isinstance(one, Added)]
        assert sum(one.status == "created" for one in added) == 899
        expected = [note.content for note in notes]
        expected[1003] = expected[3]
        assert [one.item.content for one in added] == expected
        assert added[1003].item.id == added[3].item.id
        assert added[7].status == "known"
        assert_rebuild_is_equal(memory)

    def test_again_adds_all_but_the_same_request(self, memory: Memory) -> None:
        notes = [NewNote("same"), NewNote("same"), NewNote("a", request_id="r"), NewNote("b", request_id="r")]
        added = [one for one in memory.add_many(notes, again=True) if isinstance(one, Added)]
        assert [one.status for one in added] == ["created", "created", "created", "known"]


def _comparable(memory: Memory) -> dict[str, list[tuple[object, ...]]]:
    """Projections without what tells when they were written."""
    found = projections(memory)
    return {name: rows for name, rows in found.items() if name in ("labels", "chunks", "full text", "spaces")}
