"""Lets the system run `mh digest` every day: a systemd timer of the user, a launchd agent, or a line of the crontab.

What would be written is a `Plan` first, so that it can be shown; nothing of anybody else's is ever changed. Each
database file has a schedule of its own.
"""

import os
import plistlib
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from memhub import paths
from memhub.errors import ConflictError, MhError, UnavailableError, UsageError
from memhub.stamp import derived_id

KINDS = ("systemd", "launchd", "cron")
_SECONDS = 20


class Job(NamedTuple):
    """What runs: the words of the command, the variables it needs, and the time of day.

    `name` tells the schedules of several database files apart.
    """

    name: str
    command: tuple[str, ...]
    environment: tuple[tuple[str, str], ...]
    hour: int
    minute: int

    @property
    def at(self) -> str:
        """The time of day as `05:00`."""
        return f"{self.hour:02d}:{self.minute:02d}"


class Plan(NamedTuple):
    """What an install writes and runs. `line` is for the crontab, where there are no files."""

    kind: str
    job: Job
    files: tuple[tuple[Path, str], ...]
    line: str
    run: tuple[tuple[str, ...], ...]


class Installed(NamedTuple):
    """A schedule that is there: its kind, where it stands, and what stands there."""

    kind: str
    place: str
    text: str


def job_of(database: Path, default: Path, at: str) -> Job:
    """The job for a database file; the default file needs no mention."""
    match = re.fullmatch(r"(\d{1,2}):(\d{2})", at)
    if not match or int(match[1]) > 23 or int(match[2]) > 59:
        raise UsageError(f"`{at}` is no time of day", "write it as 05:00")
    is_default = database == default
    name = "mh-digest" if is_default else f"mh-digest-{derived_id('schedule', str(database))[-6:]}"
    command = (*_program(), "digest", "-q", "--scheduled", *(() if is_default else ("--db", str(database))))
    home = paths.chosen_home()
    environment = (("MH_HOME", str(home)),) if home is not None else ()
    for word in (*command, *(value for _, value in environment)):
        if re.search(r"[\x00-\x1f\x7f]", word):
            raise UsageError(f"`{word!r}` cannot be scheduled", "give the file a name without control characters")
    return Job(name, command, environment, int(match[1]), int(match[2]))


def _program() -> tuple[str, ...]:
    """`mh` by its absolute path. A link is not followed: an upgrade changes what it leads to."""
    own = Path(sys.argv[0])
    if own.name in ("mh", "memhub", "mh.exe") and own.exists():
        return (os.path.abspath(own),)
    found = shutil.which("mh", path=os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", ""))))
    return (os.path.abspath(found),) if found else (sys.executable, "-m", "memhub")


def choose(wanted: str | None) -> str:
    """The kind of schedule that works here; `wanted` is refused when it does not."""
    for kind in (wanted,) if wanted else KINDS:
        if kind is not None and _is_there(kind):
            return kind
    if wanted:
        raise UnavailableError(
            f"{wanted} is not available here", "`mh schedule install --print --with cron` shows a line"
        )
    raise UnavailableError(
        "there is neither systemd nor launchd nor crontab here", "run `mh digest -q` by whatever starts programs here"
    )


def _is_there(kind: str) -> bool:
    if kind == "systemd":
        return bool(shutil.which("systemctl")) and _call(["systemctl", "--user", "show-environment"]).returncode == 0
    if kind == "launchd":
        return sys.platform == "darwin" and bool(shutil.which("launchctl"))
    if not shutil.which("crontab"):
        return False
    done = _call(["crontab", "-l"])
    return done.returncode == 0 or _is_empty(done.stderr)


def plan(kind: str, job: Job) -> Plan:
    """What an install would write and run."""
    if kind == "systemd":
        folder = paths.systemd_folder()
        files = ((folder / f"{job.name}.service", _service(job)), (folder / f"{job.name}.timer", _timer(job)))
        control = ("systemctl", "--user")
        return Plan(
            kind, job, files, "", ((*control, "daemon-reload"), (*control, "enable", "--now", f"{job.name}.timer"))
        )
    if kind == "launchd":
        path = _agents() / f"{_label(job.name)}.plist"
        return Plan(
            kind, job, ((path, _plist(job)),), "", (("launchctl", "bootstrap", f"gui/{os.getuid()}", str(path)),)
        )
    return Plan(kind, job, (), _cron_line(job), ())


def install(wanted: Plan) -> None:
    """Carry a plan out; a schedule of the same kind is replaced, one of another kind refuses it."""
    others = [one.kind for one in installed(wanted.job.name) if one.kind != wanted.kind]
    if others:
        raise ConflictError(f"it is scheduled by {others[0]} already", "`mh schedule remove` takes that away")
    if wanted.kind == "cron":
        _write_crontab([*_others(_crontab(), wanted.job.name), wanted.line])
        return
    if wanted.kind == "launchd":
        _call(["launchctl", "bootout", f"gui/{os.getuid()}/{_label(wanted.job.name)}"])
    for path, text in wanted.files:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        except OSError as error:
            raise MhError(f"cannot write `{path}`: {error.strerror}") from error
    for command in wanted.run:
        _run(command)


def remove(name: str) -> list[Installed]:
    """Take away every schedule of this name, and nothing else; returns what was there."""
    found = installed(name)
    for one in found:
        if one.kind == "cron":
            _write_crontab(_others(_crontab(), name))
            continue
        if one.kind == "systemd":
            _call(["systemctl", "--user", "disable", "--now", f"{name}.timer"])
            (paths.systemd_folder() / f"{name}.service").unlink(missing_ok=True)
        else:
            _call(["launchctl", "bootout", f"gui/{os.getuid()}/{_label(name)}"])
        Path(one.place).unlink(missing_ok=True)
        if one.kind == "systemd":
            _call(["systemctl", "--user", "daemon-reload"])
    return found


def installed(name: str) -> list[Installed]:
    """The schedules of this name that are there."""
    found = []
    for kind, path in (
        ("systemd", paths.systemd_folder() / f"{name}.timer"),
        ("launchd", _agents() / f"{_label(name)}.plist"),
    ):
        if path.is_file():
            found.append(Installed(kind, str(path), path.read_text("utf-8", "replace")))
    if _is_there("cron"):
        found += [Installed("cron", "crontab", line) for line in _crontab() if _is_ours(line, name)]
    return found


# ---- systemd


def _service(job: Job) -> str:
    words = " ".join(map(_in_unit, job.command))
    variables = "".join(f"Environment={_in_unit(f'{name}={value}', dollar='$')}\n" for name, value in job.environment)
    return (
        "[Unit]\nDescription=mh digest: patterns, people, and a page for the morning\n\n"
        f"[Service]\nType=oneshot\n{variables}ExecStart={words}\n"
        "# 6: parts wait for the next run\nSuccessExitStatus=6\nNice=10\n"
    )


def _timer(job: Job) -> str:
    return (
        "[Unit]\nDescription=mh digest every day\n\n"
        f"[Timer]\nOnCalendar=*-*-* {job.at}:00\nPersistent=true\n\n[Install]\nWantedBy=timers.target\n"
    )


def _in_unit(word: str, dollar: str = "$$") -> str:
    """A word in a unit file: quoted, with the signs of specifiers and variables doubled."""
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", dollar)
    return f'"{escaped}"' if not re.fullmatch(r"[\w@.,:/=+-]+", word) else escaped


# ---- launchd


def _agents() -> Path:
    return Path.home() / "Library" / "LaunchAgents"


def _label(name: str) -> str:
    return name.replace("mh-digest", "memhub.digest", 1)


def _plist(job: Job) -> str:
    agent = {
        "Label": _label(job.name),
        "ProgramArguments": list(job.command),
        "EnvironmentVariables": dict(job.environment),
        "StartCalendarInterval": {"Hour": job.hour, "Minute": job.minute},
        "ProcessType": "Background",
    }
    return plistlib.dumps({key: value for key, value in agent.items() if value}, sort_keys=False).decode()


# ---- crontab


def _cron_line(job: Job) -> str:
    """Minute and hour, the command for a shell, and the mark by which the line is known again. % would end it."""
    words = [*(f"{name}={shlex.quote(value)}" for name, value in job.environment), *map(shlex.quote, job.command)]
    return f"{job.minute} {job.hour} * * * {' '.join(words)} # {job.name}".replace("%", "\\%")


def _is_ours(line: str, name: str) -> bool:
    return not line.lstrip().startswith("#") and line.rstrip().endswith(f" # {name}")


def _others(lines: Sequence[str], name: str) -> list[str]:
    return [line for line in lines if not _is_ours(line, name)]


def _crontab() -> list[str]:
    """The lines of the user's crontab; that it cannot be read is no reason to take it for empty."""
    done = _call(["crontab", "-l"])
    if done.returncode == 0:
        return done.stdout.removesuffix("\n").split("\n") if done.stdout else []
    if _is_empty(done.stderr):
        return []
    raise UnavailableError(
        f"the crontab cannot be read: {done.stderr.strip() or done.returncode}", "`crontab -l` shows why"
    )


def _is_empty(complaint: str) -> bool:
    return "no crontab" in complaint.lower()


def _write_crontab(lines: Sequence[str]) -> None:
    text = "".join(f"{line}\n" for line in lines)
    _run(("crontab", "-"), text)
    if not set(lines) <= set(_crontab()):
        raise MhError("the crontab is not as it was written", "`crontab -l` shows it")


def _run(command: Sequence[str], given: str = "") -> None:
    done = _call(command, given)
    if done.returncode:
        raise UnavailableError(f"`{shlex.join(command)}` failed: {done.stderr.strip() or done.returncode}")


def _call(command: Sequence[str], given: str = "") -> "subprocess.CompletedProcess[str]":
    """Run a program of the system; one that does not answer has failed."""
    try:
        done = subprocess.run(
            list(command), input=given.encode("utf-8", "surrogateescape"), capture_output=True, timeout=_SECONDS,
            check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        return subprocess.CompletedProcess(list(command), 1, "", str(error))
    out, err = (text.decode("utf-8", "surrogateescape") for text in (done.stdout, done.stderr))
    return subprocess.CompletedProcess(list(command), done.returncode, out, err)
