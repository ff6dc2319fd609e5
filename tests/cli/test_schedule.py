"""`mh schedule`: shown first, written where it belongs, gone without a trace, and nobody else's lines are touched."""

import json
import os
import plistlib
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from on_terminal import OnTerminal

Mh = Callable[..., Any]
OTHERS = "# my jobs\nMAILTO=me@example.org\n*/5 * * * * echo 'a # mh-digest b' \xe4\n@daily backup 100\\%\n"
CRONTAB = """#!/bin/sh
case "$1" in
  -l) if [ -f "$FAKE/denied" ]; then echo "you are not allowed" >&2; exit 1; fi
      if [ -f "$FAKE/tab" ]; then cat "$FAKE/tab"; else echo "no crontab for me" >&2; exit 1; fi ;;
  -) cat > "$FAKE/new" && mv "$FAKE/new" "$FAKE/tab" ;;
esac
"""
SYSTEMCTL = '#!/bin/sh\necho "$@" >> "$FAKE/calls"\n'


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home and a search path in which only these programs are: what they are told stands in this folder."""
    folder = tmp_path / "fake programs"
    folder.mkdir()
    monkeypatch.setenv("FAKE", str(folder))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    for name in ("sh", "cat", "mv"):
        (folder / name).symlink_to(shutil.which(name) or "")
    monkeypatch.setenv("PATH", str(folder))
    return folder


def program(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(text.replace("#!/bin/sh", f"#!{os.path.realpath(folder / 'sh')}"), "utf-8")
    (folder / name).chmod(0o755)


def test_a_line_of_the_crontab_comes_and_goes_alone(mh: Mh, fake: Path) -> None:
    program(fake, "crontab", CRONTAB)
    (fake / "tab").write_bytes(OTHERS.encode("latin-1"))
    assert mh("schedule", "install", "--at", "6:05", "--yes").code == 0
    before, line = (fake / "tab").read_bytes().decode("latin-1").rsplit("\n", 2)[:2]
    assert before + "\n" == OTHERS
    assert line.startswith("5 6 * * * MH_HOME=")
    assert line.endswith(" digest -q --scheduled # mh-digest")
    assert mh("schedule", "install", "--at", "7:00", "--yes").code == 0
    lines = (fake / "tab").read_bytes().decode("latin-1").splitlines()
    assert [one.split(" MH_HOME")[0] for one in lines[4:]] == ["0 7 * * *"]
    shown = mh("schedule", "show", "--json")
    assert [(one["kind"], one["place"]) for one in json.loads(shown.out)] == [("cron", "crontab")]
    assert mh("schedule", "remove", "--yes").out == "removed cron: crontab\n"
    assert (fake / "tab").read_bytes().decode("latin-1") == OTHERS
    assert mh("schedule", "remove", "--yes").out == ""


def test_a_crontab_that_cannot_be_read_is_not_taken_for_empty(mh: Mh, fake: Path) -> None:
    program(fake, "crontab", CRONTAB)
    (fake / "tab").write_text(OTHERS, "latin-1")
    (fake / "denied").touch()
    assert mh("schedule", "install", "--yes").code == 5
    assert mh("schedule", "install", "--yes", "--with", "cron").code == 5
    assert (fake / "tab").read_text("latin-1") == OTHERS


def test_the_line_means_the_same_to_cron(mh: Mh, fake: Path, tmp_path: Path) -> None:
    program(fake, "crontab", CRONTAB)
    odd = tmp_path / "50% of $HOME's notes" / "n.db"
    assert mh("add", "x", "--db", str(odd)).code == 0
    assert mh("schedule", "install", "--yes", "--db", str(odd)).code == 0
    assert mh("schedule", "install", "--yes").code == 0
    lines = (fake / "tab").read_text().splitlines()
    assert len(lines) == 2
    assert "%" not in lines[0].replace("\\%", "")
    given = lines[0].split(" ", 5)[5].replace("\\%", "%")  # as cron hands it to the shell
    words = shlex.split(given, comments=True)
    assert words[-5:] == ["digest", "-q", "--scheduled", "--db", str(odd)]
    assert os.path.isabs(words[1])
    assert mh("schedule", "remove", "--yes", "--db", str(odd)).code == 0
    assert (fake / "tab").read_text().splitlines() == lines[1:]


def test_a_timer_of_systemd(mh: Mh, fake: Path, tmp_path: Path) -> None:
    program(fake, "systemctl", SYSTEMCTL)
    done = mh("schedule", "install", "--at", "05:30", "--yes")
    assert done.code == 0
    units = tmp_path / "config" / "systemd" / "user"
    assert "OnCalendar=*-*-* 05:30:00\nPersistent=true\n" in (units / "mh-digest.timer").read_text()
    assert str(units / "mh-digest.service") in done.out
    assert (fake / "calls").read_text().splitlines()[1:] == [
        "--user daemon-reload",
        "--user enable --now mh-digest.timer",
    ]
    assert mh("schedule", "show").out.startswith(f"# systemd: {units / 'mh-digest.timer'}\n")
    program(fake, "crontab", CRONTAB)
    assert mh("schedule", "install", "--with", "cron", "--yes").code == 4
    assert mh("schedule", "remove", "--yes").code == 0
    assert not list(units.iterdir())
    assert "--user disable --now mh-digest.timer" in (fake / "calls").read_text()


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is not here")
def test_systemd_reads_the_units_as_they_are_meant(mh: Mh, fake: Path, tmp_path: Path) -> None:
    analyze = shutil.which("systemd-analyze", path="/usr/bin:/bin") or ""
    program(fake, "systemctl", SYSTEMCTL)
    odd = tmp_path / '50% "of" $HOME' / "n.db"
    mh("add", "x", "--db", str(odd))
    assert mh("schedule", "install", "--yes", "--db", str(odd)).code == 0
    units = sorted((tmp_path / "config" / "systemd" / "user").iterdir())
    done = subprocess.run(
        [analyze, "verify", "--user", *map(str, units)], capture_output=True, text=True, timeout=60, check=False,
        env={**os.environ, "PATH": "/usr/bin:/bin", "XDG_RUNTIME_DIR": str(tmp_path)},
    )  # fmt: skip
    assert not [line for line in done.stderr.splitlines() if "mh-digest" in line], done.stderr


def test_launchd_gets_a_property_list(mh: Mh, fake: Path) -> None:
    done = mh("schedule", "install", "--print", "--with", "launchd", "--at", "4:15", "--json")
    plan = json.loads(done.out)
    agent = plistlib.loads(plan["files"][0]["text"].encode())
    assert agent["StartCalendarInterval"] == {"Hour": 4, "Minute": 15}
    assert agent["ProgramArguments"] == plan["command"]
    assert agent["ProgramArguments"][-3:] == ["digest", "-q", "--scheduled"]
    assert agent["EnvironmentVariables"] == {"MH_HOME": os.environ["MH_HOME"]}
    assert plan["installed"] is False


def test_print_changes_nothing_and_needs_nothing(mh: Mh, fake: Path) -> None:
    done = mh("schedule", "install", "--print", "--with", "cron")
    assert (done.code, done.out.splitlines()[0]) == (0, "# crontab")
    assert sorted(one.name for one in fake.iterdir()) == ["cat", "mv", "sh"]


def test_nothing_is_written_unasked(mh: Mh, fake: Path) -> None:
    program(fake, "crontab", CRONTAB)
    refused = mh("schedule", "install")
    assert refused.code == 2
    assert "`--yes` writes it" in refused.err
    assert not (fake / "tab").exists()
    assert mh("schedule", "install", "--yes", "--at", "25:00").code == 2
    (fake / "crontab").unlink()
    nothing = mh("schedule", "install", "--yes")
    assert nothing.code == 5
    assert "neither systemd nor launchd nor crontab" in nothing.err
    assert mh("schedule", "show").out == ""


@pytest.mark.parametrize(("answer", "lines"), [("n", 0), ("y", 1)])
def test_on_a_terminal_it_asks(fake: Path, tmp_path: Path, answer: str, lines: int) -> None:
    program(fake, "crontab", CRONTAB)
    with OnTerminal([sys.executable, "-m", "memhub", "schedule", "install"]) as terminal:
        terminal.wait_for("Write this? [y/N]")
        terminal.type(f"{answer}\n")
        assert terminal.wait() == 0
    written = (fake / "tab").read_text().splitlines() if (fake / "tab").exists() else []
    assert len(written) == lines
