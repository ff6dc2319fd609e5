"""What nobody means to type, and what every answer to it must look like."""

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from memhub.cli.app import load
from memhub.cli.commands import COMMANDS as ROWS
from memhub.errors import ExitCode

_UNWANTED = ("help", "db", "debug", "watch", "web")  # `--watch` and `--web` go on until they are interrupted
_FITTING = {
    "PATH": ("notes", "notes/ferry.md", "file", "missing", "file/below", "dangling", "out.jsonl", "/dev/full",
        "notes/odd.md"),
    "FILE": ("out.jsonl", "notes", "file/below", "missing/below", "/dev/full", "dangling", "-", "out.gz",
        "notes/ferry.md"),
    "DATE": ("2026-02-10", "2026-02", "2026", "3d", "today", "99999w", "0001-01-01", "9999-12-31T23:59:59-12:00", ""),
    "N": ("0", "1", "0.5", "-1", "nan", "1e309", "9" * 30),
    "MIN": ("0", "1", "0.5", "nan"),
    "LABEL": ("sea", "Sea", "a/b", "#x", "[x]", "备份", "two words"),
    "NAME": ("default", "work", "other", "备份", "search.limit", "color", "timezone", "openai"),
    "OLD": ("sea", "work"),
    "NEW": ("sea/deep", "other"),
    **dict.fromkeys(("SPACE", "SOURCE", "INTO"), ("default", "work", "other")),
    "KIND": ("note", "fact", "nots"),
    "STATE": ("all", "dropped", "live"),
    "LAYER": ("L0", "l1", "L9"),
    "RELATION": ("about", "relates_to", "supersedes"),
}  # fmt: skip


def _commands() -> Iterator[tuple[list[str], Any]]:
    for row in ROWS:
        command = load(row.name)
        below = getattr(command, "commands", None)
        yield from (([row.name, name], one) for name, one in below.items()) if below else [([row.name], command)]


_OUTSIDE = (["schedule", "install"], ["schedule", "remove"])  # they change what the system runs


COMMANDS = [one for one in _commands() if one[0] not in _OUTSIDE]
_GIVING = [one for one in COMMANDS if one[0] in (["add"], ["import"], ["space", "new"])]
WORDS = [
    *("", " ", "\t\n", "-", "--", "->", "@", "@0", "@1", "@-1", "@²", "@99999999999999999999", "x", "备份", "的"),
    *("\x1b[31mred\x1b[0m", "\x1b]0;title\x07", "\x9b2J", "[/", "[bold]x[/bold]", "[@click=app.quit]x", "\u202eabc"),
    *("שלום", "👩\u200d🚀", "e\u0301", "\udcff\udcfe", "\ufeff", "\u2028", "a\r\nb", "\\", "'", '"'),
    *("`", "$(x)", "%s", "{0}"),
    *('NEAR("x y", 3) AND NOT z', "x OR", "(((", "*", "x*", "content:x", '"x', "^x", "%", "_"),
    "'; DROP TABLE item; --",
    *("9" * 30, "-1", "0", "1", "1e309", "nan", "-inf", "0x10", "1_000", "٣", "0.5", "true", "null", "{}", "[]"),
    *("2026-02-30", "2026-02-10", "2026-02", "2026", "0000-00-00", "9999-12-31", "99999-01-01"),
    *("3d", "99999w", "today"),
    *("2026-02-10T25:00", "0001-01-01T00:00+14:00", "9999-12-31T23:59:59-12:00", "24h", "L0", "L9", "all", "live"),
    *("note", "default", "work", "words", "json", "bash", "exit-codes", "search.limit", "color", "timezone", "list"),
    *("x" * 70_000, "词" * 3_000, "x " * 2_000, "/" * 300, "a/" * 200, "#", "#x", "##", "a/b", "/a"),
    *("..", "~", "~nosuch/x"),
    *("notes", "notes/ferry.md", "missing", "missing/below", "dangling", "file/below", "/dev/full"),
    *("/dev/null", "file"),
]  # fmt: skip
_STREAMS = [
    *(b"", b"\n", b"\0", b"\0" * 5_000, b"\xff\xfe", b"\xff\xfea\0b", b"\xfe\xff", b"\xef\xbb\xbf", b"\x80\x81", b"\r"),
    *(b"a\0b\n\0\nc", b"\x1b[2J\x1b]0;x\x07", "\u202eabc\n[/]\n备份".encode(), b"x" * 200_000, b"x\n" * 300),
    *(b"{", b"[]", b"[{}]", b"{}", b"null", b"12\n13", b'{"content": "a"}\n\n{"content": 1}\n{', b"[" * 3_000),
    b'{"content": "\\ud800 \\u0000", "title": "\\u001b[2J", "labels": ["\\udfff", "", "a b", "' + b"l" * 999 + b'"]}',
    *(b'{"content": "c", "importance": NaN}', b'{"content": "c", "importance": 1e999}', b'{"content": "c", "x": NaN}'),
    *(b'{"content": "c", "attrs": {"": {"a": [null, 1e400, -0.0, 99999999999999999999999]}}}',),
    *(b'{"content": "c", "kind": "x"}', b'{"content": "c", "kind": "fact", "date": "2026-13"}', b'{"content": " "}'),
    *(b'{"content": "c", "attrs": 1}', b'{"content": "c", "labels": {"a": 1}}', b'{"content": "c", "request_id": ""}'),
    *(b'{"content": "c", "x": ' + b"[" * 900 + b"]" * 900 + b"}", b'{"content": "c", "x": ' + b"9" * 5_000 + b"}"),
]  # fmt: skip
_CODES = {int(code) for code in ExitCode}
_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_UNFORESEEN = re.compile(r"mh: error: \w*(Error|Exception|Interrupt|Stop\w+)\b")  # a class instead of words


def sandbox(folder: Path) -> None:
    """The files that some of the words name."""
    (folder / "notes").mkdir()
    (folder / "notes/ferry.md").write_text("---\ntags: [sea]\n---\n# Ferry\n\nIt leaves at 7:30. #travel [[kettle]]\n")
    (folder / "notes/kettle.md").write_bytes(b"\xff\xfe\x00# Kettle \x1b[31m\n\0")
    (folder / "notes/odd.md").write_text("---\n: [\n---\n[/\n")
    (folder / "file").write_text("a file")
    (folder / "dangling").symlink_to(folder / "nowhere")


def command_line(chance: random.Random, ids: list[str]) -> tuple[list[str], bytes]:
    """The words of a command, mostly as many as it takes and of the kind that it expects, and its standard input."""
    path, command = chance.choice(COMMANDS if chance.random() < 0.8 else _GIVING)

    def word(metavar: str) -> str:
        fitting = ids if metavar.startswith(("ID", "FROM", "TO")) else _FITTING.get(metavar.strip("[].") or "", ())
        if not fitting or chance.random() < 0.4:
            return chance.choice(WORDS)
        chosen = chance.choice(fitting)
        return chosen[-chance.choice((1, 2, 6, 8, 26)) :] if fitting is ids else chosen

    options = [one for one in command.params if one.param_type_name == "option" and one.name not in _UNWANTED]
    argv: list[str] = []
    for option in chance.choices(options, k=chance.choice((0, 0, 1, 1, 2, 4))):
        argv.append(chance.choice(option.opts))
        if not option.is_flag:
            choices = getattr(option.type, "choices", ())
            argv.append(chance.choice(choices) if choices and chance.random() < 0.8 else word(option.metavar or ""))
    if chance.random() < 0.3:
        argv.append("--json")
    if chance.random() < 0.3:
        argv.append("--")
    for argument in command.params:
        if argument.param_type_name == "argument" and chance.random() < 0.95:
            count = 1 if argument.nargs == 1 else chance.choice((1, 1, 2, 3))
            argv += [
                word(argument.metavar or "") for _ in range(count if argument.required else chance.choice((0, count)))
            ]
    if chance.random() < 0.05:
        argv.append(word(""))
    stdin = (
        chance.choice(_STREAMS)
        if chance.random() < 0.8
        else "\n".join(word("ID") for _ in range(3)).encode(errors="replace")
    )
    return [*path, *argv], stdin


def assert_proper(argv: list[str], code: int, out: str, err: str, *, foreseen: bool = True) -> None:
    """An exit code of the table; one clear line for an error; JSON where it was asked for; nothing unsafe to print.

    Not `foreseen`: the line may be that of the last line of defence, which names the kind of fault.
    """
    shown = ([word[:30] for word in argv], code, out[:200], err[:500])
    before = argv[: argv.index("--")] if "--" in argv else argv
    assert code in _CODES, shown
    assert "Traceback" not in err, shown
    assert not foreseen or not _UNFORESEEN.search(err), shown
    assert not _UNSAFE.search(err), shown
    lines = err.split("\n")[:-1]
    errors = [line for line in lines if line.startswith("mh: error: ")]
    said_otherwise = argv[0] == "doctor" and code == 1  # its findings are the answer
    assert said_otherwise or len(errors) == (0 if code in (ExitCode.DONE, ExitCode.PARTIAL) else 1), shown
    assert not errors or (lines[-2:].index(errors[0]) >= 0 and len(errors[0]) > len("mh: error: ") + 3), shown
    if "--explain" not in before:
        assert all(line.startswith(("mh: ", "hint: ")) for line in lines), shown
    assert max(map(len, lines), default=0) < 2_000, shown
    if errors and "--json" in before:
        assert set(json.loads(out)) == {"error", "message", "hint"}, shown
    elif "--json" in before and "--help" not in before:
        strict_json(out)
    elif "--ndjson" in before:
        for line in out.split("\n")[:-1]:
            strict_json(line)
    elif argv[0] != "export":
        assert not _UNSAFE.search(out), shown


def strict_json(text: str) -> Any:
    """JSON as other programs read it: no NaN, no lone surrogate."""
    text.encode()

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is no JSON")

    return json.loads(text, parse_constant=refuse)
