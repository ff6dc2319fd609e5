"""Bringing data in and taking it out, from the command line."""

import json

import pytest


@pytest.fixture
def folder(tmp_path):
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "ferry.md").write_text("# Ferry\n\nThe ferry to Naxos leaves at 7:30. #travel\n")
    (notes / "kettle.md").write_text("# Kettle\n\nDescale the kettle in spring.\n")
    return notes


def test_a_folder_comes_in_once(mh, folder):
    code, out, _ = mh("import", str(folder), "--dry-run")
    assert (code, out) == (0, f"would import {folder.name}: 2 new\n")
    assert mh("list", "--json").out == "[]\n"
    assert mh("import", str(folder), "-l", "from-disk").out == f"imported {folder.name}: 2 new\n"
    assert len(json.loads(mh("list", "--label", "from-disk", "--json").out)) == 2
    assert mh("import", str(folder)).out == f"imported {folder.name}: 2 unchanged\n"
    (folder / "ferry.md").write_text("# Ferry\n\nThe ferry leaves at 7:45 now.\n")
    report = json.loads(mh("import", str(folder), "--json").out)
    assert (report["created"], report["updated"], report["unchanged"], report["dry_run"]) == (0, 1, 1, False)
    assert mh("undo").code == 0
    assert "7:30" in mh("search", "ferry", "--mode", "words").out


def test_what_cannot_be_imported_is_named(mh, folder):
    code, _, err = mh("import", str(folder / "nosuch"))
    assert (code, err) == (3, f"mh: error: there is no file or folder `{folder}/nosuch`\n")
    assert mh("import", str(folder), "--theirs", "--ours").code == 2
    assert mh("import", str(folder), str(folder), "--as", "x").code == 2


def test_an_export_goes_into_an_empty_file_and_comes_out_the_same(mh, folder, tmp_path):
    mh("import", str(folder))
    mh("add", "typed by hand", "-l", "own")
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    code, out, err = mh("export", str(first))
    assert (code, out) == (0, "")
    assert err.endswith(f"lines to {first}\n")
    assert first.stat().st_mode & 0o777 == 0o600
    assert mh("export", str(first)).code == 2
    other = ("--db", str(tmp_path / "other.db"))
    assert mh("import", str(first), *other).code == 0
    assert mh("list", "--json", *other).out == mh("list", "--json").out
    assert mh("export", str(second), *other).code == 0

    def lines(path):  # the header tells the time and the file of the export
        return sorted(path.read_text().splitlines()[1:])

    assert lines(second) == lines(first)


def test_an_export_to_stdout_is_json_lines(mh):
    mh("add", "笔记")
    code, out, err = mh("export")
    assert (code, err) == (0, "")
    records = [json.loads(line) for line in out.splitlines()]
    assert records[0]["format"] == "mh-export"
    assert any(record.get("content") == "笔记" for record in records)


def test_conversations_are_listed_and_shown(mh):
    from memhub import Memory
    from memhub.model.thread import Message, Speaker, ThreadInfo

    with Memory() as memory:
        turns = [
            Message("When does it leave?", speaker=Speaker("Ada", "u1"), at="2026-02-10T10:00:00Z"),
            Message("At half past seven.", role="assistant", at="2026-02-10T10:01:00Z"),
        ]
        thread = memory.add_messages(turns, thread=ThreadInfo(title="The [ferry", platform="chat")).thread
    assert mh("thread", "list").out == f"{thread.id[-6:]}  2026-02-10  The [ferry (chat)  2 turns\n"
    out = mh("thread", "show", thread.id[-6:]).out
    assert out.index("Ada  2026-02-10 10:00\nWhen does it leave?") < out.index("At half past seven.")
    shown = json.loads(mh("thread", "show", thread.id, "--json").out)
    assert [turn["content"] for turn in shown["turns"]] == ["When does it leave?", "At half past seven."]
    assert [turn["layer"] for turn in shown["turns"]] == ["L0", "L0"]
    listed = json.loads(mh("thread", "list", "--json").out)
    assert (listed[0]["id"], listed[0]["length"], "turns" in listed[0]) == (thread.id, 2, False)
    assert mh("thread", "show", "zzzzzz").code == 3


def test_a_folder_that_is_no_repository_has_no_project(mh):
    code, _, err = mh("list", "--here")
    assert code == 3
    assert "is in no git repository" in err


def test_what_is_good_of_a_cut_off_export_comes_in_by_force(mh, folder, tmp_path):
    mh("import", str(folder))
    file = tmp_path / "all.jsonl"
    assert mh("export", str(file)).code == 0
    file.write_bytes(file.read_bytes()[:-300])
    other = ("--db", str(tmp_path / "other.db"))
    code, _, err = mh("import", str(file), *other)
    assert code == 1
    assert "`--force`" in err.splitlines()[1]
    code, _, err = mh("import", str(file), "--force", *other)
    assert (code, "mh: skipped" in err) == (6, True)
    assert mh("search", "ferry", "--mode", "words", *other).out != ""
    assert mh("import", str(file), "--force", "--prune").code == 2
    assert mh("import", str(folder), "--force").code == 3
    assert mh("import", str(folder / "ferry.md"), "--force").code == 1


def test_an_export_of_one_space_holds_that_space_alone(mh, monkeypatch):
    mh("space", "new", "work")
    mh("add", "at home")
    mh("add", "at the office", "--space", "work")

    def texts(*argv):
        return {r["content"] for r in map(json.loads, mh(*argv).out.splitlines()) if r.get("type") == "item"}

    assert texts("export") == {"at home", "at the office"}
    assert texts("--space", "work", "export") == texts("export", "--space", "work") == {"at the office"}
    monkeypatch.setenv("MH_SPACE", "work")
    assert texts("export") == {"at home", "at the office"}, "a setting does not narrow a backup"
    assert mh("export", "--space", "nosuch").code == 3


def test_what_changed_on_both_sides_is_kept_twice_and_said_how_to_settle(mh, folder):
    mh("import", str(folder))
    item = mh("search", "-q", "--exact", "Naxos").out.strip()
    mh("edit", item, "--content", "# Ferry\n\nThe ferry to Naxos leaves at 8:15. #travel\n")
    (folder / "ferry.md").write_text("# Ferry\n\nThe ferry to Naxos leaves at 9:00. #travel\n")
    said = "changed here and in the file, and the changes do not fit; both"
    trial = mh("import", str(folder), "--dry-run").err
    assert f"{said} would be kept\n" in trial
    code, out, err = mh("import", str(folder))
    assert (code, out) == (0, f"imported {folder.name}: 1 unchanged, 1 in conflict\n")
    assert err == (
        f"mh: ferry.md: {said} are kept\n"
        "mh: `mh review` settles it; `--ours` or `--theirs` would have decided at once\n"
    )
    assert "forked" in mh("review").out
    assert mh("review", item, "--keep", "new").code == 0
    assert mh("review").out == ""


def test_an_export_needs_a_file_and_not_a_folder(mh, tmp_path):
    mh("add", "one")
    code, _, err = mh("export", str(tmp_path), "--force")
    assert code == 2
    assert err == f"mh: error: `{tmp_path}` is a folder\nhint: name a file in it: `{tmp_path}/mh.jsonl`\n"


def test_a_folder_of_markdown_goes_out_and_comes_back(mh, tmp_path):
    note = mh("add", "-q", "The depot opens at 9:00.", "--title", "Depot").out.strip()
    out = tmp_path / "out"
    assert mh("export", str(out), "--format", "markdown") == (0, "", f"mh: wrote 1 file to {out}\n")
    (file,) = out.rglob("*.md")
    assert file.name == f"depot-{note[-6:]}.md"
    assert mh("export", str(out), "--format", "markdown").err == f"mh: wrote 0 files to {out}, 1 unchanged\n"
    file.write_text(file.read_text().replace("9:00", "9:30"))
    code, _, err = mh("export", str(out), "--format", "markdown")
    assert code == 4
    assert f"`default/{file.name}`" in err
    assert mh("import", str(out)).out == "imported out: 1 changed\n"
    assert json.loads(mh("show", note, "--json").out)["content"] == "The depot opens at 9:30."
    assert mh("import", str(out)).out == "imported out: 1 unchanged\n"
    assert mh("export", str(out), "--format", "markdown", "--force").code == 0


def test_chosen_items_go_out_alone(mh, tmp_path):
    one, _, three = (mh("add", "-q", f"note {n}").out.strip() for n in range(3))
    out = tmp_path / "out"
    assert mh("export", str(out), "--format", "markdown", "--only", one, "--only", three[-8:]).code == 0
    assert sorted(path.read_text().rpartition("---\n")[2].strip() for path in out.rglob("*.md")) == ["note 0", "note 2"]
    lines = [json.loads(line) for line in mh("export", "--only", "-", stdin=f"{three}\n").out.splitlines()]
    assert [(line["type"], line.get("content")) for line in lines[1:-1]] == [("item", "note 2")]
    assert mh("export", "--only", one, "--label", "x").code == 2
    assert mh("export", "--only", "nosuch").code == 3


def test_markdown_needs_a_folder_of_its_own(mh, tmp_path):
    (tmp_path / "own.txt").write_text("mine")
    assert mh("export", "--format", "markdown").code == 2
    assert mh("export", str(tmp_path), "--format", "markdown", "--force").code == 2
    assert mh("export", "x.jsonl", "--plain").code == 2


@pytest.mark.parametrize("command", [["export"], ["thread", "export", "@thread"]])
def test_a_device_is_written_to_and_never_replaced(mh, tmp_path, command):
    import os
    import threading

    mh("add", "something")
    mh("capture", stdin='[{"role": "user", "content": "hello"}]')
    thread = mh("thread", "list", "-q").out.strip()
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()), daemon=True)
    reader.start()
    words = [thread if word == "@thread" else word for word in command]
    assert mh(*words, str(pipe), "--force").code == 0
    reader.join(10)
    assert "hello" in read[0]
    assert pipe.is_fifo()


def test_an_export_to_a_link_leaves_the_link(mh, tmp_path):
    mh("add", "something")
    (tmp_path / "real.jsonl").write_text("old")
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "real.jsonl")
    assert mh("export", str(tmp_path / "link.jsonl"), "--force").code == 0
    assert (tmp_path / "link.jsonl").is_symlink()
    assert "something" in (tmp_path / "real.jsonl").read_text()
