"""Stores that write apart and exchange entries in any order end identical, and nothing anyone wrote is missing."""

import random
from pathlib import Path

import pytest
from store_state import assert_rebuild_is_equal, export, write_export

from memhub.errors import ConflictError, NotFoundError, UsageError
from memhub.export.check import entry_of, records, text_of
from memhub.model.entry import Entry
from memhub.model.query import Filters
from memhub.model.thread import Message, Speaker, ThreadInfo
from memhub.stamp import DAY_MS
from memhub.store.store import Text
from memhub.workspace import Memory

REFUSED = (ConflictError, NotFoundError, UsageError)
STATEMENTS = [
    "I live in Paris",
    "I moved to Berlin",
    "The gate opens at 8:00",
    "The gate opens at 9:30",
    "The gate never opens at 9:30",
    "缆绳放在船坞里",
]
ALL = Filters(states=("all",), layers=("L0", "L1", "L2"))
WORDS = ["rope", "tide", "缆绳", "潮汐", "mast", "keel", "anchor", "船坞"]


def log_of(memory: Memory, folder: Path) -> tuple[list[Entry], list[Text]]:
    """Everything a store would hand over."""
    file = write_export(memory, folder / f"{memory.path.stem}.jsonl")
    entries, texts = [], []
    for _, record in records(file):
        if record["type"] == "entry":
            entries.append(entry_of(record))
        elif record["type"] == "version":
            texts.append(text_of(record))
    return entries, texts


class Writer:
    """One device; `said` is every text it wrote, `erased` the items it erased."""

    def __init__(self, path: Path, chance: random.Random) -> None:
        self.memory = Memory(path)
        self.chance = chance
        self.said: list[tuple[str, str]] = []
        self.erased: set[str] = set()

    def act(self) -> None:
        every = self.memory.list(ALL, limit=0)
        ids = [item.id for item in every if item.state != "erased"]
        for name in ("work", "home"):
            try:
                ids += [item.id for item in self.memory.list(Filters(space=name), limit=0)]
            except NotFoundError:
                continue
        act = self.chance.choice(
            ["add", "add", "edit", "edit", "set", "label", "drop", "restore", "erase", "link", "move", "space", "merge",
             "talk", "undo", "state", "judge", "judge", "overturn", "resolve"]
        )  # fmt: skip
        try:
            self._act(act, ids)
        except REFUSED:
            return

    def _text(self) -> str:
        return " ".join(self.chance.choices(WORDS, k=4)) + f" {self.chance.getrandbits(40):x}"

    def _act(self, act: str, ids: list[str]) -> None:
        pick = self.chance.choice
        if act == "add" or not ids:
            added = self.memory.add("\n".join(self._text() for _ in range(3)), labels=[pick(WORDS)])
            self.said.append((added.item.id, added.item.content))
        elif act == "edit":
            item = self.memory.get(pick(ids))
            lines = item.content.split("\n")
            lines[self.chance.randrange(len(lines))] = self._text()
            changed = self.memory.update(item.id, content="\n".join(lines))
            self.said.append((item.id, changed.content))
        elif act == "set":
            self.memory.set(
                pick(ids), importance=pick([None, 0.1, 0.9]), pinned=pick([True, False]), archived=pick([True, False])
            )
        elif act == "label":
            self.memory.label(pick(ids), [pick(WORDS)], [pick(WORDS)])
        elif act == "drop":
            self.memory.drop(pick(ids))
        elif act == "restore":
            self.memory.restore(pick(ids))
        elif act == "erase" and self.chance.random() < 0.3:
            target = pick(ids)
            self.memory.erase(target)
            self.erased.add(target)
        elif act == "link":
            self.memory.link(pick(ids), pick(["replaces", "challenges", "related", "confirms"]), pick(ids))
        elif act == "move":
            self.memory.move(pick(ids), pick(["work", "home", "default"]))
        elif act == "space":
            self.memory.space_new(pick(["work", "home"]))
        elif act == "merge":
            self.memory.space_merge(*self.chance.sample(["work", "home", "default"], 2))
        elif act == "talk":
            texts = [self._text(), f"Remember: the {self.chance.choice(WORDS)} hangs behind the door."]
            messages = [Message(text, "user", Speaker("Ann", "a1")) for text in texts]
            kept = self.memory.add_messages(messages, thread=ThreadInfo(title="talk", key=("chat", "x", "1")))
            turns = self.memory.thread(kept.thread.id).turns
            self.said += [(t.id, t.content) for t in turns if t.content in {m.content for m in messages}]
        elif act == "undo":
            self.memory.undo()
        elif act == "state":
            added = self.memory.add(pick(STATEMENTS), again=True)
            self.said.append((added.item.id, added.item.content))
        else:
            self._judge(act)

    def _judge(self, act: str) -> None:
        if act == "judge":
            self.memory.judge(with_model=False)
        elif act == "overturn" and (rulings := self.memory.rulings(limit=0)):
            self.memory.overturn(self.chance.choice(rulings).id)
        elif act == "resolve" and (entries := self.memory.review(limit=0)):
            entry = self.chance.choice(entries)
            how = self.chance.choice(["new", "old", "both", "merge", "note"])
            self.memory.resolve(entry.item.id, how, other=entry.other and entry.other.id, text=self._text())


def hand_over(source: Memory, target: Memory, chance: random.Random, folder: Path, *, all_of_it: bool) -> None:
    """Give a random part of a store's log to another: shuffled, some twice, texts apart from their entries."""
    entries, texts = log_of(source, folder)
    if not all_of_it:
        entries = chance.sample(entries, chance.randint(0, len(entries)))
        texts = chance.sample(texts, chance.randint(0, len(texts)))
    parts: list[Entry | Text] = [*entries, *texts, *chance.sample(entries, len(entries) // 4)]
    chance.shuffle(parts)
    while parts:
        size = chance.randint(1, 15)
        some, parts = parts[:size], parts[size:]
        target.store.apply([e for e in some if isinstance(e, Entry)], [t for t in some if isinstance(t, Text)])


def run(seed: int, folder: Path, clock: "object") -> None:
    chance = random.Random(seed)
    writers = [Writer(folder / f"device{n}.db", chance) for n in range(chance.randint(2, 4))]
    for _ in range(40):
        clock.advance(chance.choice([0, 1, 3600]))  # type: ignore[attr-defined]
        chance.choice(writers).act()
        if chance.random() < 0.15:
            one, other = chance.sample(writers, 2)
            hand_over(one.memory, other.memory, chance, folder, all_of_it=False)
    for _ in range(2):
        for one in chance.sample(writers, len(writers)):
            for other in writers:
                if one is not other:
                    hand_over(one.memory, other.memory, chance, folder, all_of_it=True)
    first = export(writers[0].memory)
    erased = set().union(*(writer.erased for writer in writers))
    for writer in writers:
        assert export(writer.memory) == first
        assert_rebuild_is_equal(writer.memory)
        for item, text in [pair for each in writers for pair in each.said]:
            if item not in erased:
                assert text in {version.content for version in writer.memory.history(item)}
        writer.memory.close()


@pytest.mark.parametrize("seed", range(8))
def test_stores_end_identical(seed: int, tmp_path: Path, clock: "object") -> None:
    run(seed, tmp_path, clock)


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("seed", range(1000, 1100))
def test_stores_end_identical_at_length(seed: int, tmp_path: Path, clock: "object") -> None:
    run(seed, tmp_path, clock)


def test_export_and_import_into_an_empty_file_are_identical(tmp_path: Path, clock: "object") -> None:
    chance = random.Random(7)
    writer = Writer(tmp_path / "one.db", chance)
    for _ in range(60):
        clock.advance(5)  # type: ignore[attr-defined]
        writer.act()
    file = write_export(writer.memory, tmp_path / "all.jsonl")
    with Memory(tmp_path / "two.db") as other:
        report = other.import_export(file)
        drawn = {item for item in _items(writer.memory) if writer.memory.get(item).attrs.get("drawn_from")}
        assert report.created == len({item for item, _ in writer.said} | writer.erased | drawn)
        assert export(other) == export(writer.memory)
        again = other.import_export(file)
        assert (again.created, again.updated, again.operation) == (0, 0, None)
        assert export(other) == export(writer.memory)


def test_undo_of_a_space_of_which_only_a_part_had_arrived(tmp_path: Path, clock: "object") -> None:
    """Another device took the space back; that it was made comes later. Before this name there was none."""
    here, there = Memory(tmp_path / "here.db"), Memory(tmp_path / "there.db")
    there.space_new("work")
    there.undo()
    entries, texts = log_of(there, tmp_path)
    here.store.apply([e for e in entries if e.kind == "space.put" and e.payload["set"].get("dropped")], [])
    clock.advance(1)  # type: ignore[attr-defined]
    here.space_new("work")
    here.undo()
    assert_rebuild_is_equal(here)
    here.store.apply(entries, texts)
    assert_rebuild_is_equal(here)
    assert here.doctor().ok


def _items(memory: Memory) -> list[str]:
    return [str(row[0]) for row in memory.store.connection.execute("SELECT id FROM item")]


def test_entries_more_than_a_day_ahead_wait(tmp_path: Path, clock: "object") -> None:
    ahead, behind = Memory(tmp_path / "ahead.db"), Memory(tmp_path / "behind.db")
    clock.ms += 2 * DAY_MS  # type: ignore[attr-defined]
    added = ahead.add("written on a device whose clock is ahead")
    entries, texts = log_of(ahead, tmp_path)
    clock.ms -= 2 * DAY_MS  # type: ignore[attr-defined]
    assert behind.store.apply(entries, texts) == 0
    assert behind.list() == []
    waiting = [finding for finding in behind.doctor().findings if finding.check == "waiting"]
    assert waiting[0].message.startswith(f"{len(entries)} entries of another device wait")
    clock.ms += DAY_MS + 1000  # type: ignore[attr-defined]
    assert behind.store.apply([], []) == len(entries)
    assert [item.id for item in behind.list()] == [added.item.id]
    assert export(behind) == export(ahead)
