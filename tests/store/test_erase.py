"""After an erase no byte of the file, its log or an export holds the text, nor what was drawn from it."""

import subprocess
import sys
from pathlib import Path

from store_state import assert_rebuild_is_equal, bytes_of, export, write_export
from test_exchange import log_of

from memhub import stamp
from memhub.model.entry import Draft, Version
from memhub.model.thread import Message, Speaker, ThreadInfo
from memhub.store.evaluate import edge_key
from memhub.store.store import new_operation
from memhub.workspace import Memory

SECRETS = (
    "xylograph",
    "quokkasand",
    "zeppelinfog",
    "藏宝图的位置",
    "brontide",
    "tagsecret",
    "edgesecret",
    "latersecret",
)


def assert_gone(memory: Memory, *words: str) -> None:
    """Looked for in raw bytes as UTF-8, case by case, and among the words of the index."""
    raw = bytes_of(memory.path)
    exported = "".join(memory.export_lines())
    terms = {row[0] for row in memory.store.connection.execute("SELECT term FROM words_vocab")}
    for word in words:
        assert word.encode() not in raw, word
        assert word not in exported, word
        assert not [term for term in terms if word[:6] in term], word


def drawn(memory: Memory, source: str, content: str, item: str | None = None) -> str:
    """A statement drawn from an item, as a derivation writes it."""
    identifier = item or stamp.new_id()
    version = Version(
        item=identifier, parents=(), layer="L1", kind="fact", title=None, content=content, attrs={}, created_at=None,
        updated_at=None, valid_from=None, valid_to=None, source=None, spans=(source,), by="rules",
        nonce=stamp.derived_nonce(identifier),
    )  # fmt: skip
    drafts = [Draft("version.put", identifier, {}, version), Draft("item.set", identifier, {"set": {}})]
    memory.store.commit(new_operation("judge", "agent"), drafts)
    return identifier


def test_every_text_of_an_item_leaves_the_file(tmp_path: Path) -> None:
    with Memory(tmp_path / "kb.db") as memory:
        kept = memory.add("a note about rope that stays").item
        long = "\n\n".join(f"paragraph {n} with quokkasand and zeppelinfog in it, " + "filler " * 30 for n in range(40))
        item = memory.add("xylograph first version", title="brontide title", labels=["tagsecret"]).item
        memory.update(item.id, content=f"藏宝图的位置在这里\n\n{long}")
        memory.update(item.id, title="another brontide")
        ends = {"src": item.id, "relation": "related", "dst": kept.id}
        put = Draft("edge.put", edge_key(*ends.values()), {**ends, "attrs": {"quote": "edgesecret"}})
        memory.store.commit(new_operation("link"), [put])
        memory.unlink(item.id, "related", kept.id)  # a dropped edge still lies in the log
        assert b"edgesecret" in bytes_of(memory.path)
        assert b"zeppelinfog" in bytes_of(memory.path)
        erased = memory.erase(item.id)
        assert (erased.items, erased.versions) == (1, 3)
        assert_gone(memory, *SECRETS)
        shown = memory.get(item.id)
        assert (shown.state, shown.title, shown.content, shown.labels) == ("erased", None, "", ())
        assert [version.erased for version in memory.history(item.id)] == [True] * 3
        assert [found.id for found in memory.list()] == [kept.id]
        assert memory.store.is_clean
        assert_rebuild_is_equal(memory)


def test_what_was_drawn_from_it_goes_too_through_any_number_of_steps(tmp_path: Path) -> None:
    with Memory(tmp_path / "kb.db") as memory:
        source = memory.add("xylograph is the source").item.id
        fact = drawn(memory, source, "quokkasand was drawn from it")
        summary = drawn(memory, fact, "zeppelinfog was drawn from that")
        memory.add("brontide has nothing to do with it")
        assert memory.erase(source).items == 3
        assert_gone(memory, "xylograph", "quokkasand", "zeppelinfog")
        assert [memory.get(item).state for item in (source, fact, summary)] == ["erased"] * 3
        assert b"brontide" in bytes_of(memory.path)
        late = drawn(memory, fact, "latersecret is drawn when the source is gone already")
        assert memory.get(late).state == "erased"
        assert_rebuild_is_equal(memory)


def test_neighbours_of_a_turn_forget_its_words(tmp_path: Path) -> None:
    with Memory(tmp_path / "kb.db") as memory:
        messages = [
            Message(text, "user", Speaker("Ann", "a")) for text in ("we sail", "xylograph 藏宝图的位置", "agreed")
        ]
        thread = memory.add_messages(messages, thread=ThreadInfo(title="talk")).thread
        turns = memory.thread(thread.id).turns
        hits = memory.search("xylograph", mode="words", limit=0).hits
        assert {hit.item.id for hit in hits} == {turn.id for turn in turns}
        assert hits[0].item.id == turns[1].id
        memory.erase(turns[1].id)
        assert_gone(memory, "xylograph", "藏宝图的位置")
        assert memory.search("xylograph", mode="words").hits == ()
        assert [turn.content for turn in memory.thread(thread.id).turns] == ["we sail", "agreed"]
        assert_rebuild_is_equal(memory)


def test_undone_turns_leave_no_words_with_their_neighbours(tmp_path: Path) -> None:
    with Memory(tmp_path / "kb.db") as memory:
        thread = memory.add_messages([Message("we sail")], thread=ThreadInfo(title="talk")).thread
        memory.add_messages([Message("xylograph")], thread=ThreadInfo(id=thread.id))
        memory.undo()
        assert memory.search("xylograph", mode="words").hits == ()
        assert_rebuild_is_equal(memory)


def test_texts_and_quotes_that_arrive_after_the_erase_are_not_kept(tmp_path: Path) -> None:
    with Memory(tmp_path / "one.db") as one, Memory(tmp_path / "two.db") as two:
        source = one.add("xylograph is the source", labels=["tagsecret"]).item.id
        entries, texts = log_of(one, tmp_path)
        two.store.apply(entries, texts)
        fact = drawn(two, source, "quokkasand was drawn elsewhere")
        two.update(source, content="zeppelinfog was written elsewhere")
        two.label(source, ["latersecret"])
        one.erase(source)
        for batch in (log_of(two, tmp_path), log_of(two, tmp_path)):
            one.store.apply([], batch[1])  # texts before entries
            one.store.apply(batch[0], [])
            if not one.store.is_clean:
                one.store.purge()
        assert_gone(one, "xylograph", "quokkasand", "zeppelinfog", "tagsecret", "latersecret")
        assert [one.get(item).state for item in (source, fact)] == ["erased", "erased"]
        two.store.apply(*log_of(one, tmp_path))
        assert not two.store.is_clean
        assert two.store.purge()
        assert_gone(two, "xylograph", "quokkasand", "zeppelinfog", "tagsecret", "latersecret")
        assert export(one) == export(two)


def test_importing_an_export_that_holds_the_text_brings_nothing_back(tmp_path: Path) -> None:
    with Memory(tmp_path / "kb.db") as memory:
        item = memory.add("xylograph 藏宝图的位置", labels=["tagsecret"]).item.id
        old = write_export(memory, tmp_path / "old.jsonl")
        memory.erase(item)
        memory.import_export(old)
        assert_gone(memory, "xylograph", "藏宝图的位置", "tagsecret")
        assert memory.get(item).state == "erased"


def test_a_reader_elsewhere_gives_a_notice_and_the_doctor_finishes(tmp_path: Path) -> None:
    path = tmp_path / "kb.db"
    with Memory(path) as memory:
        item = memory.add("xylograph").item.id
        reader = (
            "import apsw, sys; c = apsw.Connection(sys.argv[1]); c.execute('BEGIN'); "
            "c.execute('SELECT count(*) FROM item').get; print('reading', flush=True); sys.stdin.read()"
        )
        with subprocess.Popen(
            [sys.executable, "-c", reader, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as other:
            assert other.stdout is not None
            assert other.stdout.readline() == b"reading\n"
            notices = memory.erase(item).notices
            assert any("another program has the file open" in notice for notice in notices)
            assert not memory.store.is_clean
            left = [finding for finding in memory.doctor().findings if finding.check == "erase"]
            assert not left[0].ok
            other.communicate(b"")
        done = [finding for finding in memory.doctor().findings if finding.check == "erase"]
        assert done[0].ok
        assert_gone(memory, "xylograph")
