"""What people complained about in tools of this kind, each held by a test: lost notes, ignored filters, ghosts."""

import json
import os
import random
import subprocess
import sys

import pytest

ADD = """
i=0
while [ $i -lt {count} ]; do
  "$0" -m memhub add -q "process $1 note $i" >/dev/null || exit 1
  i=$((i+1))
done
"""


def add_from_eight_shells(tmp_path, count):
    """Eight shells, each calling `mh add` again and again, the first of them making the file."""
    script = ADD.format(count=count)
    shells = [
        subprocess.Popen(
            ["sh", "-c", script, sys.executable, str(n)], stderr=subprocess.PIPE, cwd=tmp_path, env=os.environ
        )
        for n in range(8)
    ]
    for shell in shells:
        _, err = shell.communicate(timeout=500)
        assert (shell.returncode, err) == (0, b"")
    return {f"process {n} note {i}" for n in range(8) for i in range(count)}


def test_eight_shells_adding_at_once_lose_nothing(mh, tmp_path):
    expected = add_from_eight_shells(tmp_path, 2)
    assert sorted(i["content"] for i in json.loads(mh("list", "--limit", "0", "--json").out)) == sorted(expected)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_four_hundred_notes_from_eight_shells(mh, tmp_path):
    expected = add_from_eight_shells(tmp_path, 50)
    assert sorted(i["content"] for i in json.loads(mh("list", "--limit", "0", "--json").out)) == sorted(expected)
    assert mh("doctor", "--deep").code == 0


FILTERS = {
    "project": (["--project", "alpha"], lambda item: item["project"] == "alpha"),
    "label": (["--label", "sea"], lambda item: "sea" in item["labels"]),
    "two labels": (["--label", "sea", "--label", "old"], lambda item: {"sea", "old"} <= set(item["labels"])),
    "kind": (["--kind", "fact"], lambda item: item["kind"] == "fact"),
    "layer": (["--layer", "L0"], lambda item: item["layer"] == "L0"),
    "since": (["--since", "2026-02-05"], lambda item: item["created_at"] >= "2026-02-05"),
    "until": (["--until", "2026-02-05"], lambda item: item["created_at"][:10] <= "2026-02-05"),
    "several": (
        ["--project", "alpha", "--label", "sea", "--since", "2026-02-03"],
        lambda item: item["project"] == "alpha" and "sea" in item["labels"] and item["created_at"] >= "2026-02-03",
    ),
}  # fmt: skip
PATHS = {
    "list": ["list", "--limit", "0", "--json"],
    "list by title": ["list", "--limit", "0", "--sort", "title", "--json"],
    "words": ["search", "ferry", "--mode", "words", "--limit", "0", "--json"],
    "meaning": ["search", "ferry", "--mode", "meaning", "--limit", "0", "--json"],
    "fast": ["search", "ferry", "--limit", "0", "--json"],
    "exact": ["search", "ferry", "--exact", "--limit", "0", "--json"],
}


@pytest.fixture(scope="module")
def records():
    chance = random.Random(3)
    return [
        {
            "content": f"the ferry number {n}",
            "labels": chance.sample(["sea", "old", "people"], chance.randrange(3)),
            "kind": chance.choice(["note", "fact"]),
            "date": f"2026-02-{1 + n % 9:02d}",
            **({"project": chance.choice(["alpha", "beta"])} if chance.random() < 0.7 else {}),
        }
        for n in range(40)
    ]


@pytest.fixture
def everywhere(mh, records):
    """Items in two spaces, with projects, labels, kinds and days; some archived, some dropped."""
    mh("space", "new", "work")
    for space, some in (("default", records[:25]), ("work", records[25:])):
        lines = "\n".join(map(json.dumps, some))
        ids = mh("add", "-", "--split", "jsonl", "-q", "--space", space, stdin=lines).out.split()
        assert len(ids) == len(some)
        assert mh("rm", *ids[:3], "--space", space).code == 0
        assert mh("set", "--archive", *ids[3:5], "--space", space).code == 0
    return [r["content"] for r in (*records[5:25], *records[30:])]


@pytest.mark.usefixtures("everywhere")
def test_a_filter_means_the_same_on_every_read_path(mh):
    for space in ("default", "work"):
        everything = json.loads(mh("list", "--limit", "0", "--json", "--space", space).out)
        assert len(everything) in (20, 10)
        for name, (options, fits) in FILTERS.items():
            expected = sorted(item["content"] for item in everything if fits(item))
            assert expected or name == "layer" or space == "work"
            for path, argv in PATHS.items():
                found = [item["content"] for item in json.loads(mh(*argv, "--space", space, *options).out)]
                assert sorted(found) == expected, (path, name, space)
            lines = map(json.loads, mh("export", "--space", space, *options).out.splitlines())
            exported = [line["content"] for line in lines if line["type"] == "item" and line["state"] == "live"]
            assert sorted(exported) == expected, (name, space)


def test_what_was_dropped_or_archived_is_in_no_answer(mh, everywhere):
    for space in ([], ["--space", "work"]):
        for path, argv in PATHS.items():
            found = {item["content"] for item in json.loads(mh(*argv, *space).out)}
            assert found <= set(everywhere), path
    key = json.loads(mh("search", "ferry", "--mode", "words", "--json").out)[0]["id"]
    mh("rm", key)
    mh("space", "merge", "work", "default")
    for path, argv in PATHS.items():
        assert key not in [item["id"] for item in json.loads(mh(*argv).out)], path
    mh("undo")
    mh("undo")
    for path, argv in PATHS.items():
        assert key in [item["id"] for item in json.loads(mh(*argv).out)], path
    mh("erase", "--yes", key)
    for path, argv in PATHS.items():
        assert key not in [item["id"] for item in json.loads(mh(*argv, "--state", "all").out)], path


def test_a_dry_run_says_what_then_happens(mh, tmp_path):
    notes = tmp_path / "notes"
    notes.mkdir()
    for n in range(12):
        (notes / f"{n}.md").write_text(f"# Note {n}\n\nabout rope #sea\n" if n % 4 else "")
    (notes / "broken.md").write_bytes(b"\x00\x01\x02" * 100)
    (notes / "link.md").symlink_to("nowhere.md")

    def counts(*argv):
        report = json.loads(mh("import", "notes", "--json", *argv).out)
        return {key: report[key] for key in ("created", "updated", "unchanged", "moved", "skipped", "vanished")}

    for change in (lambda: None, lambda: (notes / "1.md").write_text("changed"), lambda: (notes / "2.md").unlink()):
        change()
        before = mh("list", "--limit", "0", "--json").out
        said = counts("--dry-run")
        assert mh("list", "--limit", "0", "--json").out == before
        assert counts() == said
    assert counts()["created"] == 0


@pytest.mark.parametrize("text", ["我叫张伟，在上海做数据库管理员。", "Меня зовут Анна", "私は京都に住んでいます"])
def test_what_is_said_stays_in_its_own_language_and_words(mh, text):
    key = mh("add", "-q", text).out.strip()
    mh("search", text[:3])
    mh("index")
    assert json.loads(mh("show", key, "--json").out)["content"] == text
