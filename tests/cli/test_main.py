"""The frame around every command: errors, exit codes, shared options, pipes."""

import json
import os
import signal
import subprocess
import sys

import pytest

from memhub import __version__

DASH = "text that begins with a dash goes behind `--`: `mh search -- '->…'`"


def test_mh_alone_says_how_to_begin(mh):
    code, out, err = mh()
    assert (code, err) == (0, "")
    assert out.startswith("mh: a knowledge base for people who live in a terminal\n")
    assert max(map(len, out.splitlines())) < 80


def test_version(mh):
    assert mh("--version") == (0, f"mh {__version__}\n", "")


def test_exit_codes_are_a_help_topic(mh):
    out = mh("help", "exit-codes").out
    assert [line.split()[0] for line in out.splitlines()] == ["0", "1", "2", "3", "4", "5", "6", "130"]


def test_help_of_a_command_is_its_help_option(mh):
    assert mh("help", "label", "add").out == mh("label", "add", "--help").out
    assert mh("help", "label", "ad").err.splitlines()[1] == "hint: did you mean `mh label add`?"


@pytest.mark.parametrize(
    ("argv", "error", "hint"),
    [
        (["serach", "x"], "no such command `mh serach`", "did you mean `mh search`?"),
        (["label", "ad"], "no such command `mh label ad`", "did you mean `mh label add`?"),
        (["add", "--ttle", "x"], "no such option `--ttle`", "did you mean `--title`?"),
        (
            ["search", "->"],
            "no such option `->`",
            "text that begins with a dash goes behind `--`: `mh search -- '->…'`",
        ),
        (["search", "   "], "nothing to search for", "`mh list` shows what is there"),
        (["search", ""], "nothing to search for", "`mh list` shows what is there"),
        (["show"], "missing argument 'ID...'", "`mh show --help` shows how it is used"),
        (["list", "--limit", "many"], None, None),
        (["list", "--limit", "-1"], "`--limit` goes from 0 up, not -1", None),
        (["list", "--sort", "size"], None, None),
        (["list", "--state", "gone"], "there is no state `gone`", None),
        (["list", "--importance", "7"], "importance goes from 0 to 1, not 7", None),
        (["list", "--since", "2026-02-30"], "`2026-02-30`: 2026-02 has 28 days", None),
        (["list", "--since", "02-10"], "`02-10` is a date without a year", None),
        (["add", "--kind", "nots", "x"], "there is no kind `nots`", "did you mean `note`?"),
        (["edit", "x", "--ndjson", "--title", "y"], "no such option `--ndjson`", None),
        (["--ndjson", "stats"], "`mh stats` has no `--ndjson`", None),
        (["list", "--json", "--ndjson"], "`--json` and `--ndjson` exclude each other", None),
        (["label"], "`mh label` needs one of: add, rm, rename, list", None),
        (["config", "get", "serch.limit"], "unknown setting `serch.limit`", "did you mean `search.limit`?"),
        (["show", "@1"], "`@1` means a line of the last listing in this terminal, and this is no terminal", None),
        (["add"], "nothing to add", None),
    ],
)
def test_a_wrong_command_line_is_one_clear_line(mh, argv, error, hint):
    code, out, err = mh(*argv)
    lines = err.splitlines()
    assert (code, out) == (2, "" if "--json" not in argv else out)
    assert lines[0].startswith("mh: error: ")
    assert len(lines) <= 2
    if error:
        assert lines[0] == f"mh: error: {error}"
    if hint:
        assert lines[1] == f"hint: {hint}"


def test_absurd_numbers_are_no_fault_of_ours(mh):
    mh("add", "x y z")
    huge = "9" * 30
    assert mh("list", "--limit", huge).out.endswith("x y z\n")
    assert mh("list", "--offset", huge)[:2] == (0, "")
    assert mh("search", "x y", "--mode", "words", "--limit", huge, "--offset", huge)[:2] == (0, "")
    assert mh("list", "--importance", "nan").code == 2


def test_with_json_a_failure_is_one_object(mh):
    code, out, err = mh("show", "zzzzzz", "--json")
    assert code == 3
    assert json.loads(out) == {
        "error": "not_found",
        "message": "no item …zzzzzz",
        "hint": "`mh list` shows the last ids",
    }
    assert err.startswith("mh: error: no item …zzzzzz\n")
    code, out, _ = mh("serach", "--json")
    assert (code, json.loads(out)["error"]) == (2, "usage")


def test_shared_options_stand_before_or_after_the_command(mh, tmp_path):
    first, second = tmp_path / "a.db", tmp_path / "b.db"
    assert mh("--db", str(first), "-q", "add", "one").code == 0
    assert mh("add", "--db", str(second), "-q", "two").code == 0
    assert json.loads(mh("--json", "--db", str(first), "list").out)[0]["content"] == "one"
    assert json.loads(mh("list", "--json", "--db", str(second)).out)[0]["content"] == "two"


def test_an_unknown_error_is_one_line_unless_debug(mh, monkeypatch):
    from memhub.cli import help as help_command

    def fail(session):
        raise RuntimeError("two\nlines")

    monkeypatch.setattr(help_command, "overview", fail)
    code, out, err = mh("help")
    assert (code, out, err) == (1, "", "mh: error: RuntimeError: two lines\nhint: `--debug` shows where\n")
    assert "Traceback" in mh("help", "--debug").err


def test_a_closed_pipe_is_silent(run):
    run("add", "-", "--split", "line", stdin="\n".join(f"line {n} " + "x" * 200 for n in range(2000)))
    for argv in (["list", "--limit", "0"], ["list", "--limit", "0", "--json"], ["export"]):
        process = subprocess.Popen(
            [sys.executable, "-m", "memhub", *argv], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ
        )
        process.stdout.readline()
        process.stdout.close()
        err = process.stderr.read()
        process.stderr.close()
        assert (process.wait(60), err) == (0, b""), argv


def test_a_full_disk_behind_stdout_is_an_error():
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "memhub", "help"], stdout=full, stderr=subprocess.PIPE, env=os.environ, check=False
        )
    assert done.returncode == 1
    assert done.stderr == b"mh: error: cannot write to standard output: No space left on device\n"


def test_ctrl_c_ends_with_130_and_no_traceback():
    process = subprocess.Popen(
        [sys.executable, "-m", "memhub", "add", "-", "--split", "line", "--ndjson"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ,
    )
    process.stdin.write(b"a line\n" * 250)  # more than one batch, so that the first one is answered
    process.stdin.flush()
    assert process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"Traceback" not in err


def test_output_is_not_coloured_without_a_terminal_unless_asked(mh, monkeypatch):
    mh("add", "plain")
    assert "\x1b" not in mh("list").out
    monkeypatch.setenv("MH_COLOR", "always")
    assert "\x1b[33m" in mh("list").out
    assert "\x1b" not in mh("list", "--no-color").out


def test_a_broken_configuration_is_named(mh):
    file = os.path.join(os.environ["MH_HOME"], "config.toml")
    with open(file, "w") as out:
        out.write("colour = 1\n")
    code, out, err = mh("list")
    assert (code, out) == (2, "")
    assert err == f"mh: error: unknown setting `colour` in {file}\nhint: did you mean `color`?\n"


def test_config_round_trip(mh):
    assert mh("config", "set", "search.limit", "3").code == 0
    assert mh("config", "get", "search.limit").out == "3\n"
    shown = {row["name"]: row for row in json.loads(mh("config", "show", "--json").out)}
    assert shown["search.limit"]["value"] == 3
    assert shown["search.limit"]["origin"].startswith("file ")
    assert shown["list.limit"] == {"name": "list.limit", "value": 20, "origin": "default"}
    mh("config", "unset", "search.limit")
    assert mh("config", "get", "search.limit").out == "10\n"


def test_options_without_a_command(mh):
    assert mh("-q").out == mh("--no-color").out == mh().out
    code, out, err = mh("--json")
    assert (code, json.loads(out)["message"]) == (2, "`mh --json` needs a command")
    assert err == "mh: error: `mh --json` needs a command\nhint: `mh --help` lists the commands\n"
    assert mh("--ndjson", "-q").code == 2


def test_an_empty_setting_of_the_file_says_which_file_it_means(mh, tmp_path):
    first = mh("config", "show").out.splitlines()[0]
    assert first == f'db = ""  ({os.environ["MH_HOME"]}/mh.db)  # default'
    assert mh("config", "show", "--db", "other.db").out.splitlines()[0] == 'db = "other.db"  # flag'
    assert json.loads(mh("config", "show", "--json").out)[0] == {"name": "db", "value": "", "origin": "default"}


def test_only_what_is_near_is_suggested(mh):
    assert mh("config", "set", "foo", "bar").err.splitlines()[1] == "hint: `mh config show` lists the settings"
    assert mh("config", "set", "colour", "never").err.splitlines()[1] == "hint: did you mean `color`?"
