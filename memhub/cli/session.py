"""One run of `mh`: what the shared options said, the settings, and the memory once a command asks for it."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from memhub.cli.diagnostics import Diagnostics
from memhub.cli.output import Output
from memhub.errors import MhError, NotFoundError, UsageError

if TYPE_CHECKING:
    from memhub.config import Config
    from memhub.text.dates import Zone
    from memhub.workspace import Memory

_MAKERS = ("add", "capture", "import", "space new", "tui")  # commands that may make the file named by `--db`


class Session:
    """Made by `main`, passed to every command as `ctx.obj`. `command` is the path of the running command."""

    def __init__(self, argv: Sequence[str]) -> None:
        self.argv = list(argv)
        self.flags: dict[str, str | int] = {}
        self.format = "text"
        self.quiet = False
        # An error may come before the options are read, so these two look at the words themselves.
        self.debug = _given(self.argv, "--debug")
        self.wants_json = _given(self.argv, "--json")
        self.command = ""
        self.exit_code = 0
        self.output = Output(self)
        self.diagnostics = Diagnostics(self)
        self._config: Config | None = None
        self._memory: Memory | None = None

    @property
    def config(self) -> "Config":
        """The settings, with the flags of this command line on top."""
        if self._config is None:
            from memhub.config import Config

            self._config = Config(self.flags)
        return self._config

    @property
    def memory(self) -> "Memory":
        """The memory of this command line's database; opened by its first verb."""
        if self._memory is None:
            self._memory = self.new_memory(self.config.text("space") or None)
        return self._memory

    def new_memory(self, space: str | None) -> "Memory":
        """A memory of this command line's database, to be closed by whoever asked for it."""
        from memhub.paths import database_file
        from memhub.workspace.memory import Memory

        file = database_file(self.config.text("db"))
        if "db" in self.flags and self.command not in _MAKERS and not file.exists():
            raise NotFoundError(f"there is no file `{file}`", f"`mh add --db {file}` makes it")
        return Memory(
            file,
            config=self.config,
            space=space,
            command=self.command,
            who="hand",
            folder=_current_folder(),
            talk=self.diagnostics.notice,
        )

    @property
    def zone(self) -> "Zone":
        """The user's time zone."""
        from memhub import stamp
        from memhub.text.dates import Zone

        return Zone(self.config.text("timezone"), stamp.now_ms())

    @property
    def is_interactive(self) -> bool:
        """Whether someone sits at a terminal who can be asked."""
        return sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()

    def choose_format(self, name: str) -> None:
        """`--json` or `--ndjson`; both together cannot be meant."""
        if self.format not in ("text", name):
            raise UsageError("`--json` and `--ndjson` exclude each other")
        self.format = name

    def database_error(self, error: Exception) -> MhError | None:
        """What the database says about its file, met while reading, as an error of ours; None for anything else."""
        if self._memory is None or not (type(error).__module__ == "apsw" or isinstance(error, UnicodeDecodeError)):
            return None  # stored text that is no UTF-8 was damaged on the disk
        from memhub.store.connection import in_words

        return in_words(error, self._memory.path)

    def judge_now(self, sources: "Sequence[str]") -> None:
        """With `judge = now` let the rules look at what was just kept and shown. A model is never waited for."""
        if self.config.text("judge") == "now":
            sys.stdout.flush()
            self.memory.judge(sources=sources, with_model=False, who="rules")

    def close(self) -> None:
        """Close the memory, when it was opened."""
        if self._memory is not None:
            memory, self._memory = self._memory, None
            memory.close()


def _current_folder() -> Path | None:
    try:
        return Path.cwd()
    except OSError:  # the folder was removed under us
        return None


def _given(argv: list[str], flag: str) -> bool:
    end = argv.index("--") if "--" in argv else len(argv)
    return flag in argv[:end]
