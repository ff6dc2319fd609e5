"""Whatever is typed, piped in or lies on the disk: a correct answer or one clear line, never a traceback."""

import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from fuzz_input import assert_proper, command_line, sandbox

MH = [sys.executable, "-m", "memhub"]
# One command for every way in: reading, writing, moving, looking after.
EVERYDAY = [
    *(["list"], ["list", "--json"], ["search", "note", "--mode", "words"]),
    *(["search", "no", "--exact", "--json"], ["log"]),
    *(["add", "one more"], ["add", "one more", "--json", "--again"], ["undo"], ["stats", "--json"], ["space", "list"]),
    *(["label", "list", "--ndjson"], ["thread", "list"], ["export", "out.jsonl", "--force"], ["import", "notes"]),
    *(["history", "@1"], ["show", "aa"], ["rm", "aa"], ["index"], ["doctor"], ["config", "show"]),
    ["doctor", "--rebuild"],
]  # fmt: skip


@pytest.fixture(autouse=True)
def no_keyring(monkeypatch):
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")


@pytest.fixture
def home():
    return Path(os.environ["MH_HOME"])


@pytest.fixture
def good(mh, tmp_path, home):
    """A small sound file, and the files around it."""
    sandbox(tmp_path)
    for text in ("a good note", "备份 数据库", "[/ x OR"):
        assert mh("add", "-q", "-l", "sea", text).code == 0
    return home / "mh.db"


def check(mh, *argv, stdin=b"", foreseen=True):
    code, out, err = mh(*argv, stdin=stdin)
    assert_proper(list(argv), code, out, err, foreseen=foreseen)
    return code


def storm(mh, seed, count):
    """`count` commands that nobody means; the file is sound afterwards."""
    chance = random.Random(seed)
    ids = []
    for turn in range(count):
        if turn % 40 == 0:
            ids = [item["id"] for item in json.loads(mh("list", "--limit", "30", "--state", "all", "--json").out)]
        argv, stdin = command_line(chance, ids)
        check(mh, *argv, stdin=stdin)
    code, out, err = mh("doctor", "--deep")
    assert (code, err) == (0, ""), out


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.usefixtures("good")
def test_no_command_line_breaks_it(mh, seed):
    storm(mh, seed, 150)


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("seed", range(100, 106))
@pytest.mark.usefixtures("good")
def test_no_command_line_breaks_it_for_long(mh, seed):
    storm(mh, seed, 500)


@pytest.mark.usefixtures("good")
def test_real_processes_answer_as_well(run):
    chance = random.Random(7)
    asked = 0
    while asked < 12:
        argv, stdin = command_line(chance, ["aa"])
        if any("\0" in word or len(word) > 100_000 for word in argv):
            continue
        asked += 1
        code, out, err = run(*argv, stdin=stdin)
        assert_proper(argv, code, out, err)


def damaged(file, how, chance):
    """Spoil the database in one way."""
    whole = file.read_bytes()
    if how.startswith("cut"):
        file.write_bytes(whole[: int(how[3:])])
    elif how == "random":
        file.write_bytes(chance.randbytes(50_000))
    elif how == "text":
        file.write_text('{"hello": 1}\n')
    elif how.startswith("page"):
        page = chance.randrange(1, len(whole) // 8192)
        file.write_bytes(whole[: page * 8192] + chance.randbytes(8192) + whole[(page + 1) * 8192 :])
    elif how.startswith("bits"):
        some = bytearray(whole)
        for _ in range(40):
            some[chance.randrange(100, len(some))] ^= 1 << chance.randrange(8)
        file.write_bytes(some)
    else:
        file.unlink()
        special(file, how)


def special(file, how):
    """Something that is no mh file where one should be."""
    if how in ("foreign", "later"):
        connection = sqlite3.connect(file)
        connection.executescript("CREATE TABLE item(x); INSERT INTO item VALUES (1);")
        connection.close()
    elif how == "folder":
        file.mkdir()
    else:
        file.symlink_to({"dangling": "/nosuch/mh.db", "full": "/dev/full", "null": "/dev/null", "loop": file}[how])


DAMAGE = [
    *("cut1", "cut99", "cut4096", "cut8192", "cut50000", "cut300000", "random", "text", "page1"),
    *("page2", "page3", "bits1"),
    *("foreign", "folder", "dangling", "full", "null", "loop"),
]  # fmt: skip


@pytest.mark.parametrize("how", DAMAGE)
def test_a_damaged_file_is_named(mh, good, how):
    spoil_and_ask(mh, good, how, 0)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize("how", ["page", "bits"])
def test_a_file_damaged_anywhere_is_named(mh, good, how, seed):
    spoil_and_ask(mh, good, how, seed)


def spoil_and_ask(mh, file, how, seed):
    chance = random.Random(f"{how} {seed}")
    damaged(file, how, chance)
    spoiled = file.read_bytes() if file.is_file() and not file.is_symlink() else b""
    for argv in EVERYDAY:
        for name in ("mh.db-wal", "mh.db-shm"):
            file.with_name(name).unlink(missing_ok=True)
        if spoiled:
            file.write_bytes(spoiled)  # each command meets the same damage
        check(mh, *argv, foreseen=how.startswith("cut"))  # flipped bits make values that mean something else


def test_a_file_of_a_later_version_is_left_alone(mh, good):
    connection = sqlite3.connect(good)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    for argv in EVERYDAY:
        code = check(mh, *argv)
        assert code == (0 if argv[0] == "config" else 2 if argv == ["history", "@1"] else 1), argv
    connection = sqlite3.connect(good)
    assert connection.execute("PRAGMA user_version").fetchone() == (99,)
    connection.close()


CONFIG = {
    "bytes": b"\x00\xff\xfe\x80" * 50, "no toml": b"search = = 1", "unknown": b"serch.limit = 3\n",
    "type": b"search = 3\n",
    "number": b"[search]\nlimit = -4\n", "huge": b"[list]\nlimit = " + b"9" * 5000, "word": b'color = "pink"\n',
    "zone": b'timezone = "Mars/Olympus"\n', "space": b'space = "nosuch"\n', "escape": b'space = "\\u001b[2J\\u202e"\n',
    "db": b'db = "/dev/null/below"\n', "array": b"color = [1]\n", "date": b"space = 2026-01-01\n",
    "deep": b"[a.b.c]\nd=1\n",
    "editor": b'editor = "\'"\n', "nan": b"[list]\nlimit = nan\n", "twice": b'color = "auto"\ncolor = "auto"\n',
}  # fmt: skip


@pytest.mark.parametrize("name", CONFIG)
def test_a_broken_configuration_is_one_line(mh, good, home, name):
    (home / "config.toml").write_bytes(CONFIG[name])
    for argv in (
        *EVERYDAY,
        ["config", "set", "list.limit", "3"],
        ["config", "unset", "color"],
        ["config", "get", "color"],
    ):
        check(mh, *argv)
    for argv in ([], ["--help"], ["add", "--help"], ["--version"], ["help", "exit-codes"]):
        assert mh(*argv).code == 0, argv


@pytest.mark.parametrize("how", ["folder", "dangling", "full", "loop"])
def test_a_configuration_that_is_no_file(mh, good, home, how):
    if how != "full":
        special(home / "config.toml", how)
    else:
        (home / "config.toml").symlink_to("/dev/full" if not Path("/dev/zero").exists() else "/dev/null")
    for argv in (*EVERYDAY, ["config", "set", "list.limit", "3"], ["config", "unset", "color"]):
        check(mh, *argv)


ENVIRONMENT = [
    ("MH_SEARCH_LIMIT", "-1"), ("MH_LIST_LIMIT", "ten"), ("MH_LIST_LIMIT", "9" * 40), ("MH_TIMEZONE",
    "../../etc/passwd"),
    ("MH_TIMEZONE", "\x1b[2J"), ("MH_TIMEZONE", "/etc/passwd"), ("MH_TIMEZONE", "Europe"), ("MH_COLOR", "\u202epink"),
    ("MH_SPACE", "no [/ such"), ("MH_DB", "/dev/null/x"), ("MH_DB", "file/below"), ("MH_DB", "x" * 300), ("MH_DB", "."),
    ("MH_DB", "a/" * 3000), ("TZ", "Mars/Olympus"), ("COLUMNS", "-3"), ("COLUMNS", "x"), ("MH_EDITOR", "'"),
    ("MH_SEARCH_MODE", "deep"), ("LC_ALL", "xx_YY.nothing"), ("HOME", "/nosuch"), ("MH_DB", "~nosuch/x"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "value"), ENVIRONMENT)
@pytest.mark.usefixtures("good")
def test_an_absurd_environment(mh, monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    for argv in (*EVERYDAY, ["list", "--since", "3d"], ["add", "x", "--date", "2026-02-10T10:00"], ["edit", "aa"]):
        check(mh, *argv)


@pytest.mark.parametrize(
    "place", ["file", "file/below/it", "/dev/null/x", "/proc/nosuch/x", "n" * 300, "d/" * 3000, "dangling"]
)
def test_a_home_that_cannot_be_made(mh, tmp_path, monkeypatch, place):
    sandbox(tmp_path)
    monkeypatch.setenv("MH_HOME", place)
    for argv in (*EVERYDAY, ["config", "set", "list.limit", "3"], ["config", "path"]):
        code = check(mh, *argv)
        assert place == "dangling" or argv[0] in ("config", "doctor") or code in (1, 2), argv


@pytest.mark.parametrize("how", ["folder", "dangling", "full", "file"])
@pytest.mark.usefixtures("good")
def test_a_state_folder_that_cannot_be_used(mh, home, how):
    """Listings, drafts and snapshots have no place; nothing that works without them fails."""
    shutil.rmtree(home / "state", ignore_errors=True)
    if how in ("file", "folder"):
        (home / "state").write_text("no folder")
    else:
        special(home / "state", how)
    for argv in EVERYDAY:
        check(mh, *argv)
    assert mh("list").code == 0
    assert mh("add", "still works").code == 0


@pytest.mark.parametrize("closed", [(0,), (1,), (2,), (1, 2), (0, 1, 2)])
@pytest.mark.usefixtures("good")
def test_closed_streams_are_nobodys_problem(tmp_path, closed):
    for argv in (
        ["list"],
        ["list", "--json"],
        ["add", "x"],
        ["add", "-"],
        ["rm", "-"],
        ["nosuch"],
        ["show", "zz", "--json"],
        ["--help"],
    ):
        shut = "".join(f" {number}{'<' if number == 0 else '>'}&-" for number in closed)
        done = subprocess.run(
            ["sh", "-c", f'"$@"{shut}', "sh", *MH, *argv],
            capture_output=True,
            stdin=subprocess.DEVNULL,
            cwd=tmp_path,
            check=False,
        )
        expected = {"nosuch": 2, "show": 3}.get(argv[0], 2 if argv == ["add", "-"] else 0)
        assert done.returncode == expected, (argv, done)
        assert b"Traceback" not in done.stderr + done.stdout, (argv, done)
        if 2 not in closed and done.returncode:
            assert done.stderr.startswith(b"mh: error: "), (argv, done)


@pytest.mark.parametrize(
    "argv", [["list"], ["list", "--json"], ["export"], ["show", "{id}"], ["--help"], ["completion", "bash"]]
)
def test_a_full_disk_behind_stdout_is_one_line(mh, good, tmp_path, argv):
    key = mh("add", "-q", "-", stdin="x" * 100_000).out.strip()
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*MH, *(word.format(id=key) for word in argv)],
            stdout=full,
            stderr=subprocess.PIPE,
            cwd=tmp_path,
            check=False,
        )
    assert (done.returncode, done.stderr) == (
        1,
        b"mh: error: cannot write to standard output: No space left on device\n",
    )


def interrupted(argv, ready, cwd, stdin=b""):
    """Run a command, send Ctrl-C as soon as `ready()`, and answer with its exit code and stderr."""
    process = subprocess.Popen(
        [*MH, *argv], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=cwd
    )
    process.stdin.write(stdin)
    process.stdin.flush()
    deadline = time.monotonic() + 60
    while not ready(process) and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert b"Traceback" not in err, err.decode()
    return process.returncode, err.decode()


def rows(file):
    """How many items a file that may not be there yet has."""
    try:
        connection = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
        try:
            return connection.execute("SELECT count(*) FROM item").fetchone()[0]
        finally:
            connection.close()
    except sqlite3.Error:
        return 0


def test_ctrl_c_in_an_import_leaves_a_sound_file(mh, tmp_path, home):
    folder = tmp_path / "many"
    folder.mkdir()
    for n in range(1_200):
        (folder / f"note {n}.md").write_text(f"# Note {n}\n\nabout rope, see [[note {n - 1}]] #sea\n")
    code, err = interrupted(["import", "many"], lambda _: rows(home / "mh.db") > 0, tmp_path)
    assert (code, err) == (130, "mh: broken off; what came in stays, and the next import goes on from there\n")
    assert mh("doctor", "--deep").code == 0
    there = len(json.loads(mh("list", "--limit", "0", "--json").out))
    assert 0 < there < 1_200
    report = json.loads(mh("import", "many", "--json").out)
    assert report["created"] == 1_200 - there
    assert len(json.loads(mh("list", "--limit", "0", "--json").out)) == 1_200


def test_ctrl_c_while_reading_stdin_keeps_what_was_answered(mh, tmp_path, home):
    text = "".join(f"line {n}\n" for n in range(450)).encode()
    code, err = interrupted(["add", "-", "--split", "line"], lambda _: rows(home / "mh.db") >= 400, tmp_path, text)
    assert (code, err.strip()) == (130, "")
    assert len(json.loads(mh("list", "--limit", "0", "--json").out)) >= 400
    assert mh("doctor", "--deep").code == 0


def test_ctrl_c_in_a_search_leaves_a_sound_file(mh, tmp_path, home):
    lines = "".join(f"{'the ferry leaves and the kettle boils ' * 40} {n}\n" for n in range(400))
    assert mh("add", "-", "--split", "line", stdin=lines).code == 0

    def started(process):
        return Path(f"/proc/{process.pid}/maps").read_text().count("mh.db") > 0

    for pause in (0, 0.1, 0.3):
        code, err = interrupted(
            ["search", "kettle"], lambda p, pause=pause: started(p) and not time.sleep(pause), tmp_path
        )
        assert code in (0, 130)
        assert all(line.startswith("mh: ") for line in err.splitlines() if line), err
    assert mh("doctor", "--deep").code == 0


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("kind", ["letters", "lines", "zeros", "random", "chinese"])
def test_fifty_megabytes_on_stdin(run, kind):
    size = 50_000_000
    raw = {
        "letters": b"x" * size,
        "lines": b"a line of text about rope\n" * (size // 26),
        "zeros": b"\0" * size,
        "random": random.Random(1).randbytes(size),
        "chinese": "备份数据库".encode() * (size // 15),
    }[kind]
    code, out, err = run("add", "-", "--json", stdin=raw)
    assert_proper(["add", "-", "--json"], code, out, err)
    assert code == (0 if kind == "chinese" else 2), err
    if kind in ("letters", "lines", "random"):
        assert err.startswith("mh: error: a note holds at most 32 Mi characters, this one has ")
    assert run("list").code == 0
    assert run("search", "数据", "--mode", "words", "-q").out.count("\n") == (kind == "chinese")


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_fifty_megabytes_of_lines_are_notes(run):
    size = 50_000_000
    lines = b"".join(b"%d " % n + b"a line of text about rope " * 2_000 + b"\n" for n in range(size // 52_000))
    code, _, err = run("add", "-", "--split", "line", "-q", stdin=lines)
    assert (code, err) == (0, "")
    assert run("list", "-q", "--limit", "0").out.count("\n") == lines.count(b"\n")
    assert run("doctor").code == 0
