"""One repository, several worktrees, one project; a folder of the same name elsewhere is another one."""

import json
import os
import shutil
import subprocess

import pytest

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def git(folder, *argv):
    who = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *who, *argv], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def play(tmp_path, monkeypatch):
    """The repository `orchard` with a worktree inside it and one beside it, and another repository called the same."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    play = tmp_path / "play"
    for orchard in (play / "orchard", play / "other/orchard"):
        orchard.mkdir(parents=True)
        git(orchard, "init", "-q", "-b", "main")
        (orchard / "README.md").write_text(f"# {orchard}\n")
        git(orchard, "add", "README.md")
        git(orchard, "commit", "-qm", f"start {orchard.parent.name}")
    (play / "orchard/tools/pruner").mkdir(parents=True)
    git(play / "orchard", "worktree", "add", "-q", ".worktrees/plum", "-b", "plum")
    git(play / "orchard", "worktree", "add", "-q", "../pear-fix", "-b", "pear")
    return play


FOLDERS = ("orchard", "orchard/tools/pruner", "orchard/.worktrees/plum", "pear-fix")


def in_folder(mh, monkeypatch, folder, *argv):
    monkeypatch.chdir(folder)
    code, out, err = mh(*argv, "--json")
    assert code == 0, err
    return json.loads(out)


@pytest.mark.parametrize("wrote", FOLDERS)
def test_a_note_from_one_worktree_is_seen_from_all_and_from_nowhere_else(mh, monkeypatch, play, wrote):
    project = in_folder(mh, monkeypatch, play / wrote, "add", "pear rename is done, see apricots")["project"]
    assert project == "orchard"
    in_folder(mh, monkeypatch, play / "other/orchard", "add", "this is the cider repo")
    for folder in FOLDERS:
        listed = in_folder(mh, monkeypatch, play / folder, "list", "--here")
        assert [item["content"] for item in listed] == ["pear rename is done, see apricots"], folder
        found = in_folder(mh, monkeypatch, play / folder, "search", "--here", "apricots", "--mode", "words")
        assert len(found) == 1, folder
    assert in_folder(mh, monkeypatch, play / "other/orchard", "search", "--here", "apricots", "--mode", "words") == []
    listed = in_folder(mh, monkeypatch, play / "other/orchard", "list", "--here")
    assert [item["content"] for item in listed] == ["this is the cider repo"]


def test_a_worktree_that_is_removed_leaves_its_notes_where_they_were(mh, monkeypatch, play):
    in_folder(mh, monkeypatch, play / "pear-fix", "add", "pear rename is done")
    monkeypatch.chdir(play)
    git(play / "orchard", "worktree", "remove", "--force", "../pear-fix")
    listed = in_folder(mh, monkeypatch, play / "orchard", "list", "--here")
    assert [item["content"] for item in listed] == ["pear rename is done"]
    in_folder(mh, monkeypatch, play / "orchard", "add", "one more")
    assert len(in_folder(mh, monkeypatch, play / "orchard/.worktrees/plum", "list", "--here")) == 2


def test_without_git_in_the_path_the_worktrees_are_still_one(mh, monkeypatch, play):
    monkeypatch.setenv("PATH", str(play))
    in_folder(mh, monkeypatch, play / "pear-fix", "add", "pear rename is done")
    for folder in FOLDERS:
        assert len(in_folder(mh, monkeypatch, play / folder, "list", "--here")) == 1, folder


SAID = {
    "orchard": ("When do we prune the apricots?", "After the harvest, in August."),
    "orchard/tools/pruner": ("Which oil for the pruner joint?", "Camellia oil."),
    "orchard/.worktrees/plum": ("Why does the plum script skip row 7?", "Row 7 has no tag."),
    "pear-fix": ("Rename pear to perry?", "Yes, in three files."),
    "orchard/.worktrees/gone": ("What was the gone branch for?", "A trial of drip lines."),
    "other/orchard": ("Is this the cider repo?", "Yes."),
}


@pytest.fixture
def sessions(play, monkeypatch):
    """A session of Claude Code in each folder, one of which was a worktree and is gone."""
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(play / "claude"))
    git(play / "orchard", "worktree", "add", "-q", ".worktrees/gone", "-b", "gone")
    git(play / "orchard", "worktree", "remove", ".worktrees/gone")
    for number, folder in enumerate(SAID, 1):
        transcript(play, number, folder)
    return play


def transcript(play, number, folder, more=()):
    """Writes the session of a folder; `more` are turns after the first two."""
    session = f"0a0b0c0d-0000-4000-8000-00000000000{number}"
    file = play / f"claude/projects/p{number}/{session}.jsonl"
    file.parent.mkdir(parents=True, exist_ok=True)
    lines = []
    for place, text in enumerate((*SAID[folder], *more)):
        role = "assistant" if place % 2 else "user"
        message = {"role": role, "content": [{"type": "text", "text": text}] if place % 2 else text}
        message |= {"id": f"m{number}-{place}", "model": "m", "stop_reason": "end_turn"} if place % 2 else {}
        record = {"parentUuid": f"{number}-{place - 1}" if place else None, "isSidechain": False, "type": role,
                  "cwd": str(play / folder), "sessionId": session, "uuid": f"{number}-{place}", "message": message,
                  "timestamp": f"2026-07-0{number}T09:00:0{place}.000Z"}  # fmt: skip
        lines.append(json.dumps(record) + "\n")
    file.write_text("".join(lines))


def folders_by_project(mh):
    """The folders in which the conversations of each project ran; projects of one name are told apart by `--here`."""
    threads = json.loads(mh("thread", "list", "--json").out)
    assert {thread["project"] for thread in threads} == {"orchard"}
    return {thread["folder"] for thread in threads}


def test_sessions_of_all_worktrees_are_one_project(mh, monkeypatch, sessions):
    monkeypatch.chdir(sessions)
    assert mh("import", "claude-code").out == "imported claude-code: 6 new (12 new turns)\n"
    assert folders_by_project(mh) == {str(sessions / folder) for folder in SAID}, "each still says where it ran"
    for folder in FOLDERS:
        here = sessions / folder
        threads = in_folder(mh, monkeypatch, here, "thread", "list", "--here")
        assert {thread["folder"] for thread in threads} == {str(sessions / one) for one in SAID} - {
            str(sessions / "other/orchard")
        }
        for word, answer in (("apricots", "When do we prune the apricots?"), ("perry", "Rename pear to perry?")):
            found = in_folder(mh, monkeypatch, here, "search", "--here", word, "--mode", "words")
            assert found[0]["content"] == answer
    in_folder(mh, monkeypatch, sessions / "pear-fix", "add", "pear rename is done")
    listed = in_folder(mh, monkeypatch, sessions / "orchard", "list", "--here")
    assert "pear rename is done" in [item["content"] for item in listed]
    other = sessions / "other/orchard"
    assert in_folder(mh, monkeypatch, other, "search", "--here", "apricots", "--mode", "words") == []
    assert [thread["title"] for thread in in_folder(mh, monkeypatch, other, "thread", "list", "--here")] == [
        "Is this the cider repo?"
    ]


def test_a_session_stays_in_its_project_when_its_worktree_is_deleted(mh, monkeypatch, sessions):
    """Also when the session itself has grown since, so that it is read again."""
    monkeypatch.chdir(sessions)
    mh("import", "claude-code")
    shutil.rmtree(sessions / "pear-fix")
    assert mh("import", "claude-code").out == "imported claude-code: nothing new\n"
    transcript(sessions, 4, "pear-fix", more=("And the docs?",))
    assert mh("import", "claude-code").out == "imported claude-code: 1 changed (1 new turn)\n"
    assert len(in_folder(mh, monkeypatch, sessions / "orchard", "thread", "list", "--here")) == 5
    assert mh("thread", "list", "--project", "pear-fix").code == 3


def test_sessions_find_their_project_without_git_in_the_path(mh, monkeypatch, sessions):
    monkeypatch.chdir(sessions)
    monkeypatch.setenv("PATH", str(sessions))
    assert mh("import", "claude-code").out == "imported claude-code: 6 new (12 new turns)\n"
    for folder in FOLDERS:
        assert len(in_folder(mh, monkeypatch, sessions / folder, "thread", "list", "--here")) == 5, folder


def test_a_folder_that_was_removed_under_the_shell(mh, monkeypatch, play):
    """`mh` in a folder that is no more still works, and says why there is no project."""
    gone = play / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert mh("add", "from nowhere").code == 0
    code, out, err = mh("list", "--here")
    assert (code, out) == (3, "")
    assert err.startswith("mh: error: the current folder is no longer there\n")
    monkeypatch.chdir(play)
