"""A session that grew: the new comes in, the rest keeps its one version, the mark of the final answer moves."""

import json

import pytest
from live_writer import claude_line

from memhub import Memory


@pytest.fixture
def session(tmp_path):
    """Writes the session with so many turns; a number in `answers` is one more answer after that turn."""
    file = tmp_path / "claude/projects/-srv-demo/one.jsonl"
    file.parent.mkdir(parents=True)

    def write(turns, answers=()):
        lines = []
        for number in range(turns):
            lines.append(claude_line("one", number, f"turn {number}"))
            if number in answers:
                more = json.loads(claude_line("one", number, f"more on {number}"))
                more["uuid"], more["message"]["id"] = f"more-{number}", f"more-{number}"
                lines.append(json.dumps(more).encode() + b"\n")
        file.write_bytes(b"".join(lines))
        return str(tmp_path / "claude")

    return write


def shown(mh):
    """The turns of the one thread: text, whether it is a final answer, number of versions."""
    (thread,) = json.loads(mh("thread", "list", "--json").out)
    turns = json.loads(mh("thread", "show", thread["id"], "--json").out)["turns"]
    with Memory() as memory:
        return [(turn["content"], turn["attrs"].get("final", False), len(memory.history(turn["id"]))) for turn in turns]


def test_the_mark_moves_on_without_a_version(mh, session):
    mh("import", session(2))
    assert shown(mh) == [("turn 0", False, 1), ("turn 1", True, 1)]
    out = mh("import", session(2, answers=(1,))).out
    assert out == "imported claude-code: 1 changed (1 new turn)\n"
    assert shown(mh) == [("turn 0", False, 1), ("turn 1", False, 1), ("more on 1", True, 1)]
    assert mh("undo").code == 0
    assert shown(mh) == [("turn 0", False, 1), ("turn 1", True, 1)]
    mh("redo")
    mh("import", session(4, answers=(1,)))
    assert shown(mh) == [
        ("turn 0", False, 1), ("turn 1", False, 1), ("more on 1", True, 1), ("turn 2", False, 1), ("turn 3", True, 1)
    ]  # fmt: skip
    assert mh("doctor", "--deep").code == 0


def test_what_was_distilled_is_not_new_because_another_answer_follows(mh, session):
    mh("import", session(2))
    mh("distill", "--since", "2026-01-01", "--force")
    mh("import", session(2, answers=(1,)))
    (look,) = json.loads(mh("distill", "--since", "2026-01-01", "--dry-run", "--json").out)["threads"]
    assert look["turns"] == 1


def test_an_export_and_an_import_keep_the_mark(mh, session, tmp_path, monkeypatch):
    mh("import", session(2, answers=(1,)))
    before = shown(mh)
    mh("export", "all.jsonl")
    monkeypatch.setenv("MH_HOME", str(tmp_path / "other"))
    mh("import", "all.jsonl")
    assert shown(mh) == before
