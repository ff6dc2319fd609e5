"""Settings: one table, four origins. Flag before `MH_*` environment before file before default.

The file is `config.toml`; it is read (and tomllib imported) only when it exists. A setting that is not in the table is
an error that names file and key, so that a typo never goes unnoticed.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from memhub import paths
from memhub.errors import UsageError


class Setting(NamedTuple):
    """One row: `kind` is str, int or a tuple of the allowed words. The first line of words is for people."""

    name: str
    kind: type | tuple[str, ...]
    default: str | int
    words: str

    @property
    def variable(self) -> str:
        """The environment variable: `search.limit` → `MH_SEARCH_LIMIT`."""
        return "MH_" + self.name.upper().replace(".", "_")


SETTINGS = (
    Setting("db", str, "", "the database file; empty means `mh.db` in the data folder"),
    Setting("space", str, "", "the space that commands read and write; empty means the default space"),
    Setting("timezone", str, "", "IANA name such as `Europe/Berlin`; empty means the zone of the system"),
    Setting("editor", str, "", "the editor command; empty means `$VISUAL`, then `$EDITOR`, then nano or vi"),
    Setting("color", ("auto", "always", "never"), "auto", "colour on a terminal, always or never"),
    Setting(
        "judge",
        ("later", "now", "off"),
        "later",
        "when what is new is compared with what is known: `later` by `mh judge`, `now` by rules at once, or `off`",
    ),
    Setting(
        "mode",
        ("dual", "system1"),
        "dual",
        "`dual` lets `mh digest` find what many items have in common; with `system1` it only judges",
    ),
    Setting("search.mode", ("fast", "words", "meaning", "deep"), "fast", "how `mh search` looks when nothing is said"),
    Setting("search.limit", int, 10, "hits that `mh search` shows; 0 shows all"),
    Setting("list.limit", int, 20, "lines that `mh list` shows; 0 shows all"),
    Setting("tui.theme", str, "textual-dark", "the colours of `mh tui`; its palette (Ctrl+P) shows them all"),
    Setting("tui.list", int, 40, "per cent of the window that lists have beside a preview in `mh tui`"),
    Setting("tui.motion", ("on", "off"), "on", "whether things may move smoothly in `mh tui`"),
    Setting("llm.model", str, "", "the language model, as LiteLLM names it: `ollama/qwen2.5`; empty means none"),
    Setting("llm.base_url", str, "", "the address of a server of your own, such as `http://127.0.0.1:8080/v1`"),
    Setting("llm.timeout", int, 120, "seconds that one call to the model may take"),
    Setting("llm.max_tokens", int, 4096, "tokens that one answer of the model may have"),
    Setting("llm.retries", int, 2, "times that a call is tried again when the service is busy or down"),
    Setting("judge.batch", int, 8, "statements that the model judges in one call"),
    Setting("extract.window", int, 8000, "characters of a long text that the model reads in one call"),
)
BY_NAME = {setting.name: setting for setting in SETTINGS}


class Value(NamedTuple):
    """A setting as it counts now: `origin` is `flag`, `environment MH_…`, `file …` or `default`."""

    name: str
    value: str | int
    origin: str


class Config:
    """The settings of one process. `flags` are what the command line gave, by setting name."""

    def __init__(
        self,
        flags: Mapping[str, str | int] | None = None,
        *,
        file: Path | None = None,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        self._flags = dict(flags or {})
        self._environ = os.environ if environ is None else environ
        self.file = file or paths.config_file()
        self._stored: dict[str, str | int] | None = None

    def __getitem__(self, name: str) -> str | int:
        return self.find(name).value

    def text(self, name: str) -> str:
        """The value of a setting that is a word or a path."""
        return str(self[name])

    def number(self, name: str) -> int:
        """The value of a setting that is a whole number."""
        return int(self[name])

    def find(self, name: str) -> Value:
        """The value that counts for `name`, and where it came from."""
        setting = known(name)
        if name in self._flags:
            return Value(name, parse(setting, self._flags[name], "the flag"), "flag")
        given = self._environ.get(setting.variable)
        if given:
            return Value(name, parse(setting, given, setting.variable), f"environment {setting.variable}")
        if name in self._file_values():
            return Value(name, self._file_values()[name], f"file {self.file}")
        return Value(name, setting.default, "default")

    def forget(self) -> None:
        """Read the file again when it is next asked, because it was written."""
        self._stored = None

    def all(self) -> list[Value]:
        """Every setting in the order of the table."""
        return [self.find(setting.name) for setting in SETTINGS]

    def _file_values(self) -> dict[str, str | int]:
        if self._stored is None:
            self._stored = read_file(self.file)
        return self._stored


def known(name: str, where: str = "") -> Setting:
    """The row called `name`; a name that is not in the table is refused with the nearest one."""
    if name in BY_NAME:
        return BY_NAME[name]
    import difflib

    near = difflib.get_close_matches(name, BY_NAME, 1, 0.6)
    hint = f"did you mean `{near[0]}`?" if near else "`mh config show` lists the settings"
    raise UsageError(f"unknown setting `{name}`{where}", hint)


def parse(setting: Setting, given: object, where: str) -> str | int:
    """`given` as a value of the setting; what cannot be one is refused, naming `where` it stood."""
    kind = setting.kind
    if kind is int:
        if isinstance(given, bool) or not str(given).isascii() or not str(given).isdigit():
            raise UsageError(f"`{setting.name}` in {where} must be a whole number from 0 up, not `{given}`")
        return int(str(given))
    if not isinstance(given, str):
        raise UsageError(f"`{setting.name}` in {where} must be text, not `{given}`")
    if isinstance(kind, tuple) and given not in kind:
        raise UsageError(f"`{setting.name}` in {where} must be one of {', '.join(kind)}, not `{given}`")
    return given


def read_file(file: Path) -> dict[str, str | int]:
    """The settings in `file` by dotted name; {} when there is no file."""
    try:
        text = file.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        raise UsageError(f"cannot read {file}: {error.strerror}") from error
    import tomllib

    try:
        table = tomllib.loads(text.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:  # not TOML, not UTF-8, or a number of thousands of digits
        raise UsageError(f"{file} is not valid TOML: {error}", f"open {file} in an editor and mend it") from error
    found: dict[str, str | int] = {}
    for name, value in _flat(table):
        setting = known(name, f" in {file}")
        found[name] = parse(setting, value, str(file))
    return found


def write(file: Path, name: str, value: str | int | None) -> None:
    """Set one setting in `file`, or take it out (None); every other line, comments included, stays as it is."""
    stored = read_file(file)
    wanted = {key: old for key, old in stored.items() if key != name}
    if value is not None:
        wanted[name] = value
    if wanted == stored:
        return
    lines = file.read_text("utf-8-sig").splitlines() if file.exists() else []
    text = "\n".join(_edited(lines, name, value)) + "\n"
    draft = file.with_suffix(".toml.new")
    paths.make_folder(file.parent)
    try:
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as out:
            out.write(text)
        if not _says(draft, wanted):
            raise UsageError(f"cannot change `{name}` in {file} by itself", f"open {file} in an editor")
        draft.replace(file)
    except OSError as error:
        raise UsageError(f"cannot write {file}: {error.strerror}") from error
    finally:
        draft.unlink(missing_ok=True)


def _says(file: Path, wanted: dict[str, str | int]) -> bool:
    try:
        return read_file(file) == wanted
    except UsageError:
        return False


def _edited(lines: list[str], name: str, value: str | int | None) -> list[str]:
    """`lines` with the assignment replaced, removed, or added at the end of its table."""
    section, _, key = name.rpartition(".")
    current, end_of_section, result = "", 0 if not section else -1, list[str]()
    done = False
    for line in lines:
        bare = line.strip()
        if bare.startswith("["):
            current = bare.split("#")[0].strip().strip("[]").strip()
        assigned = bare.partition("=")[0].strip().strip("\"'")
        if not done and "=" in bare and (current, assigned) in ((section, key), ("", name)):
            done = True
            if value is not None:
                result.append(_assignment(assigned, value) + _comment(bare))
            continue
        result.append(line)
        if current == section and bare:
            end_of_section = len(result)
    if done or value is None:
        return result
    if end_of_section < 0:
        return [*result, *([""] if result else []), f"[{section}]", _assignment(key, value)]
    result.insert(end_of_section, _assignment(key, value))
    return result


def _assignment(key: str, value: str | int) -> str:
    if isinstance(value, int):
        return f"{key} = {value}"
    import json

    return f"{key} = {json.dumps(value, ensure_ascii=False)}"


def _comment(line: str) -> str:
    """The comment behind a value, with its space; values with a `#` inside are taken to have none."""
    _, mark, words = line.partition("#")
    return f"  # {words.strip()}" if mark and not {'"', "'"} & set(words) else ""


def _flat(table: dict[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    rows: list[tuple[str, Any]] = []
    for key, value in table.items():
        name = f"{prefix}{key}"
        rows += _flat(value, name + ".") if isinstance(value, dict) else [(name, value)]
    return rows
