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
