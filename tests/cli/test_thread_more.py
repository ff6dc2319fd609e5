"""`mh thread search`, `rm`, `export`, and the filters of `mh thread list`."""

import json

import pytest

from memhub.model.thread import Message, Speaker, ThreadInfo
from memhub.workspace.memory import Memory

CODE = "Use this:\n\n```sh\nmake boat"


@pytest.fixture
def threads(mh, clock):
    """A chat, and a session of a tool."""
    with Memory() as memory:
        anna, ben = Speaker("Anna", "anna@example.org"), Speaker("Ben", "ben@example.org")
        chat = memory.add_messages(
            [
                Message("Where is the key of the boat?", speaker=anna, at="2026-02-08T10:00:00Z"),
                Message("It hangs behind the door.", speaker=ben, at="2026-02-08T10:05:00Z"),
            ],
            thread=ThreadInfo(title="Keys", platform="signal", chat_name="Anna and Ben"),
        ).thread
        session = memory.add_messages(
            [
                Message("build the boat please", at="2026-02-10T09:00:00Z"),
                Message(CODE, role="assistant", at="2026-02-10T09:01:00Z"),
            ],
            thread=ThreadInfo(platform="codex", project="harbour", folder="/home/anna/harbour"),
        ).thread
    return chat.id, session.id


def test_a_list_is_filtered(mh, threads):
    chat, session = threads
    assert mh("thread", "list").out == (
        f"{session[-6:]}  2026-02-10  build the boat please (codex, harbour)  2 turns\n"
        f"{chat[-6:]}  2026-02-08  Keys (signal)  2 turns\n"
    )
    assert mh("thread", "list", "--platform", "Signal", "-q").out.split() == [chat]
    assert mh("thread", "list", "--project", "harbour", "-q").out.split() == [session]
    assert mh("thread", "list", "--until", "2026-02-08", "-q").out.split() == [chat]
    assert mh("thread", "list", "--since", "2026-02-09", "-q").out.split() == [session]
    assert mh("thread", "list", "--platform", "irc") == (0, "", "mh: no conversations to list\n")


def test_show_tells_where_it_ran(mh, threads):
    out = mh("thread", "show", threads[1][-6:]).out
    assert out.splitlines()[:6] == [
        threads[1], "build the boat please", "platform   codex", "folder     /home/anna/harbour",
        "project    harbour", "",
    ]  # fmt: skip
    assert json.loads(mh("thread", "show", threads[1], "--json").out)["folder"] == "/home/anna/harbour"


def test_a_search_groups_by_conversation(mh, threads):
    chat, session = threads
    code, out, _ = mh("thread", "search", "--exact", "boat")
    assert code == 0
    assert out == (
        f"{session[-6:]}  2026-02-10  build the boat please (codex, harbour)  2 turns\n"
        "        assistant: Use this: ```sh make boat\n"
        "        user: build the boat please\n"
        f"{chat[-6:]}  2026-02-08  Keys (signal)  2 turns\n"
        "        Anna: Where is the key of the boat?\n"
    )
    assert mh("thread", "search", "-q", "-e", "boat", "--limit", "1").out.split() == [session]
    assert mh("thread", "search", "-q", "-e", "boat", "--platform", "signal").out.split() == [chat]
    (found,) = json.loads(mh("thread", "search", "--json", "-e", "behind the door").out)
    assert (found["id"], found["title"], [hit["content"] for hit in found["hits"]]) == (
        chat, "Keys", ["It hangs behind the door."],
    )  # fmt: skip
    assert mh("thread", "search", "-e", "nosuchword") == (0, "", "mh: nothing found\n")
    assert mh("thread", "search", " ").code == 2


def test_removing_is_taken_back(mh, threads):
    chat, session = threads
    assert mh("thread", "rm", chat[-6:]).out == f"removed {chat[-6:]}  2026-02-08  Keys (signal)  2 turns\n"
    assert mh("thread", "list", "-q").out.split() == [session]
    assert mh("search", "-e", "-q", "door").out == ""
    assert mh("thread", "rm", chat).code == 3
    assert mh("thread", "rm", "-", stdin="").out == ""
    assert mh("undo").code == 0
    assert mh("thread", "list", "-q").out.split() == [session, chat]


def test_export_as_markdown(mh, threads, tmp_path):
    chat, session = threads
    assert mh("thread", "export", chat).out == (
        "# Keys\n\n- Platform: signal\n- Chat: Anna and Ben\n- With: Anna, Ben\n- From: 2026-02-08 10:00\n"
        f"- To: 2026-02-08 10:05\n- Turns: 2\n- Id: {chat}\n\n"
        "## Anna (user) · 2026-02-08 10:00\n\nWhere is the key of the boat?\n\n"
        "## Ben (user) · 2026-02-08 10:05\n\nIt hangs behind the door.\n"
    )
    file = tmp_path / "session.md"
    code, out, err = mh("thread", "export", session, str(file))
    assert (code, out, err) == (0, "", f"mh: wrote 2 turns to {file}\n")
    assert file.read_text().endswith("## assistant · 2026-02-10 09:01\n\nUse this:\n\n```sh\nmake boat\n```\n")
    assert file.stat().st_mode & 0o777 == 0o600
    assert mh("thread", "export", session, str(file)).code == 2
    assert mh("thread", "export", session, str(file), "--force").code == 0
    assert mh("thread", "export", session, str(tmp_path)).code == 2


def test_export_as_json(mh, threads, tmp_path):
    chat, _ = threads
    shown = mh("thread", "show", chat, "--json").out
    assert mh("thread", "export", chat, "--format", "json").out == shown
    file = tmp_path / "keys.json"
    assert mh("thread", "export", chat, str(file)).code == 0
    assert json.loads(file.read_text()) == json.loads(shown)


def test_a_narrow_window_cuts_title_and_place_and_never_the_count(mh, clock, monkeypatch):
    from memhub.cli.output import Output

    with Memory() as memory:
        for title, project in (
            ("Expired certificate on the site of the ferry company", "ferry-times"),
            ("月底的合计为什么总是比明细少一分钱，怎么改", "家庭账本与预算管理系统"),
            ("Short", "x"),
        ):
            memory.add_messages(
                [Message("a", at="2026-02-08T10:00:00Z")], thread=ThreadInfo(title, "claude-code", project=project)
            )
    monkeypatch.setattr(Output, "columns", 64)
    lines = [line[20:] for line in mh("thread", "list").out.splitlines()]
    assert sorted(lines) == [
        "Expired cer… (claude-code, ferry-t…)  1 turn",
        "Short (claude-code, x)  1 turn",
        "月底的合计… (claude-code, 家庭账本…)  1 turn",
    ]


def test_a_list_shows_the_day_by_which_it_is_sorted(mh, clock):
    info = ThreadInfo("Keys", "signal", key=("chat", "signal", "1"))
    with Memory() as memory:
        memory.add_messages([Message("a", at="2026-02-01T10:00:00Z")], thread=info)
        memory.add_messages([Message("b", at="2026-02-03T10:00:00Z")], thread=ThreadInfo("Paint"))
        memory.add_messages([Message("c", at="2026-02-05T10:00:00Z")], thread=info)
    assert [line[8:] for line in mh("thread", "list").out.splitlines()] == [
        "2026-02-05  Keys (signal)  2 turns", "2026-02-03  Paint  1 turn",
    ]  # fmt: skip
