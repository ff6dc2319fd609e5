"""Searching within conversations, and removing them whole."""

import pytest

from memhub.errors import NotFoundError
from memhub.model.query import Filters
from memhub.model.thread import Message, Speaker, ThreadInfo
from memhub.workspace.memory import Memory

SESSION = """
# aider chat started at 2026-02-01 10:00:00

#### make the parser take a comma at the end

The parser takes one now.
"""


@pytest.fixture
def memory(tmp_path):
    with Memory(tmp_path / "kb.db") as opened:
        yield opened


def chat(memory, name, *said, platform="signal", **more):
    messages = [Message(text, speaker=Speaker("Anna")) for text in said]
    return memory.add_messages(
        messages, thread=ThreadInfo(platform=platform, chat_name=name, title=name, **more)
    ).thread


class TestThreadSearch:
    def test_hits_come_by_thread_the_best_first(self, memory):
        boat = chat(memory, "Boat", "The anchor winch is stuck", "Oil the anchor winch then", "Thanks")
        chat(memory, "Garden", "The roses need water")
        found = memory.thread_search("anchor winch", mode="words")
        (one,) = found.threads
        assert one.thread.id == boat.id
        assert {hit.item.content for hit in one.hits} == {"The anchor winch is stuck", "Oil the anchor winch then"}

    def test_notes_are_not_conversations(self, memory):
        memory.add("The anchor winch is stuck")
        assert memory.thread_search("anchor", mode="words").threads == ()

    def test_one_talkative_thread_does_not_hide_the_others(self, memory):
        chat(memory, "Long", *(f"anchor number {n}" for n in range(60)))
        quiet = chat(
            memory, "Quiet", "somebody else also once bought a rather old but still very usable anchor in spring"
        )
        found = memory.thread_search("anchor", mode="words", limit=2)
        assert [one.thread.title for one in found.threads] == ["Long", "Quiet"]
        assert found.threads[1].thread.id == quiet.id

    def test_by_platform_project_and_limit(self, memory):
        chat(memory, "One", "anchor", platform="telegram", project="boat")
        chat(memory, "Two", "anchor", platform="codex")
        assert [t.thread.title for t in memory.thread_search("anchor", mode="words", platform="Codex").threads] == [
            "Two"
        ]
        in_project = memory.thread_search("anchor", Filters(project="boat"), mode="words")
        assert [t.thread.title for t in in_project.threads] == ["One"]
        assert len(memory.thread_search("anchor", mode="words", limit=1).threads) == 1
        assert [t.title for t in memory.threads(platform="TELEGRAM")] == ["One"]


class TestThreadDrop:
    def test_a_thread_goes_with_its_turns_and_comes_back(self, memory):
        thread = chat(memory, "Boat", "The anchor is stuck", "Oil it")
        other = chat(memory, "Garden", "Water the roses")
        (gone,) = memory.thread_drop(thread.id[-6:])
        assert (gone.title, gone.length) == ("Boat", 2)
        assert [t.id for t in memory.threads()] == [other.id]
        assert memory.search("anchor", mode="words").hits == ()
        assert memory.operations(limit=1)[0].command == "thread rm"
        with pytest.raises(NotFoundError):
            memory.thread_drop(thread.id)
        memory.undo()
        assert [turn.content for turn in memory.thread(thread.id).turns] == ["The anchor is stuck", "Oil it"]
        assert len(memory.threads()) == 2
        memory.redo()
        assert [t.id for t in memory.threads()] == [other.id]

    def test_several_are_one_operation(self, memory):
        ids = [chat(memory, f"Chat {n}", *(f"turn {n} {m}" for m in range(250))).id for n in range(2)]
        memory.thread_drop(ids)
        assert memory.count(Filters(layers=("L0",))) == 0
        memory.undo()
        assert memory.count(Filters(layers=("L0",))) == 500
        assert len(memory.threads()) == 2

    def test_a_chat_that_goes_on_is_there_again_with_what_is_new(self, memory):
        info = {"key": ("chat", "signal", "42")}
        thread = chat(memory, "Boat", "The anchor is stuck", **info)
        memory.thread_drop(thread.id)
        chat(memory, "Boat", "Oil it", **info)
        assert [turn.content for turn in memory.thread(thread.id).turns] == ["Oil it"]
        assert [t.id for t in memory.threads()] == [thread.id]

    def test_what_was_drawn_from_it_goes_too(self, memory):
        thread = chat(memory, "Me", "I live in Paris", chat_type="private")
        memory.judge(with_model=False)
        assert [line.value for line in memory.profile()] == ["Paris"]
        memory.thread_drop(thread.id)
        assert memory.profile() == []
        memory.undo(memory.operations(limit=1)[0].id)
        assert [line.value for line in memory.profile()] == ["Paris"]


class TestFolder:
    def test_where_a_thread_ran_is_known(self, memory):
        thread = chat(memory, "Session", "hello", folder="/home/anna/boat")
        assert memory.thread(thread.id).folder == "/home/anna/boat"


class TestImportedAgain:
    @pytest.fixture
    def sessions(self, tmp_path):
        folder = tmp_path / "work"
        folder.mkdir()
        (folder / ".aider.chat.history.md").write_text(SESSION)
        return folder

    def test_a_removed_session_stays_away_also_when_it_goes_on(self, memory, sessions):
        memory.import_(sessions, importer="aider")
        (thread,) = memory.threads()
        memory.thread_drop(thread.id)
        with (sessions / ".aider.chat.history.md").open("a") as file:
            file.write("\n#### and now add a test\n\nDone, there is a test.\n")
        report = memory.import_(sessions, importer="aider")
        assert [skipped.why for skipped in report.skipped] == ["dropped here; it stays so"]
        assert memory.threads() == []
        assert memory.search("test", mode="words").hits == ()

    def test_a_removal_that_is_taken_back_lets_it_in(self, memory, sessions):
        memory.import_(sessions, importer="aider")
        memory.thread_drop(memory.threads()[0].id)
        memory.undo()
        with (sessions / ".aider.chat.history.md").open("a") as file:
            file.write("\n#### and now add a test\n\nDone, there is a test.\n")
        memory.import_(sessions, importer="aider")
        assert [thread.length for thread in memory.threads()] == [4]
