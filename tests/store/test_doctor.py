"""The doctor finds what is wrong, names it in a line, repairs what can be derived, and survives any damage."""

import random
from pathlib import Path

import pytest

from memhub.model.report import DoctorReport
from memhub.model.thread import Message, ThreadInfo
from memhub.workspace import Memory


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    memory = Memory(tmp_path / "kb.db")
    for n in range(20):
        memory.add(f"note {n} about rope and 缆绳", labels=["rope"], title=f"title {n}")
    memory.add_messages([Message("we sail"), Message("agreed")], thread=ThreadInfo(title="talk"))
    return memory


def wrong(report: DoctorReport) -> dict[str, str]:
    return {finding.check: finding.message for finding in report.findings if not finding.ok}


def test_a_sound_file(memory: Memory) -> None:
    report = memory.doctor(deep=True)
    assert report.ok
    said = {finding.check: finding.message for finding in report.findings}
    assert said["full text"] == "sound, 22 items"
    assert said["derived"] == "everything that is derived is what the log says"
    assert said["texts"] == "22 versions, each with its text or erased"
    assert said["hashes"] == "all 22 texts are what was written"
    assert said["vectors"] == "22 pending"


def test_a_file_that_is_not_there_is_no_fault_and_stays_away(tmp_path: Path) -> None:
    path = tmp_path / "none.db"
    assert Memory(path).doctor().ok
    assert not path.exists()


@pytest.mark.parametrize(
    ("damage", "name"),
    [
        ("UPDATE item SET title = 'other' WHERE n IN (1, 2)", "items"),
        ("UPDATE item SET state = 'replaced' WHERE n IN (1, 2)", "items"),
        ("DELETE FROM item_label WHERE item IN (1, 2)", "labels"),
        ("DELETE FROM edge WHERE relation = 'part_of'", "edges"),
        ("DELETE FROM words WHERE rowid IN (1, 2)", "full text"),
        ("UPDATE chunk SET stop = 1 WHERE item IN (1, 2)", "chunks"),
        ("UPDATE thread SET updated_ms = 0", "threads"),
    ],
)
def test_projections_that_differ_are_named_and_rebuilt(memory: Memory, damage: str, name: str) -> None:
    memory.store.connection.execute(damage)
    report = memory.doctor()
    assert not report.ok
    found = [finding for finding in report.findings if not finding.ok]
    assert f"rows of {name} differ from the log" in " ".join(finding.message for finding in found)
    assert found[0].hint == "`mh doctor --rebuild` derives it from the log again"
    assert memory.doctor(rebuild=True).ok
    assert memory.doctor(deep=True).ok


def test_looking_changes_nothing(memory: Memory) -> None:
    memory.store.connection.execute("UPDATE item SET title = 'other' WHERE n = 1")
    memory.doctor()
    assert memory.store.connection.execute("SELECT title FROM item WHERE n = 1").get == "other"


def test_missing_entries_of_this_device_are_a_fault(memory: Memory) -> None:
    memory.store.connection.execute("DELETE FROM entry WHERE seq = 5")
    assert wrong(memory.doctor())["log"] == "1 of this device's own entries are missing"


def test_a_missing_text_is_named(memory: Memory) -> None:
    memory.store.connection.execute("UPDATE version SET title = NULL, content = NULL, meta = NULL WHERE n = 3")
    assert wrong(memory.doctor())["texts"] == "1 versions are known only by their hash"
    memory.store.connection.execute("DELETE FROM version WHERE n = 4")
    assert wrong(memory.doctor())["texts"] == "2 versions are known only by their hash"


def test_only_the_deep_look_recomputes_hashes(memory: Memory) -> None:
    memory.store.connection.execute("UPDATE version SET content = 'forged' WHERE n = 3")
    assert "hashes" not in wrong(memory.doctor())
    assert wrong(memory.doctor(deep=True))["hashes"].startswith("1 texts are not what was written")


def test_a_log_entry_that_is_no_json_is_reported(memory: Memory) -> None:
    memory.store.connection.execute("UPDATE entry SET payload = '{' WHERE seq = 5")
    assert "could not be checked" in wrong(memory.doctor())["derived"]


@pytest.mark.parametrize("seed", range(12))
def test_any_damage_gives_a_report(memory: Memory, seed: int) -> None:
    path = memory.path
    memory.close()
    chance = random.Random(seed)
    raw = bytearray(path.read_bytes())
    for _ in range(chance.choice([1, 5, 50])):
        start = chance.randrange(100 if seed % 3 else 0, len(raw))
        raw[start : start + chance.choice([1, 16, 4096])] = chance.randbytes(chance.choice([1, 16, 4096]))
    path.write_bytes(raw if seed % 4 else raw[: len(raw) // 2])
    report = memory.doctor(deep=True, rebuild=bool(seed % 2))
    assert report.findings
    for finding in report.findings:
        assert "\n" not in finding.message
        assert finding.ok or finding.hint
