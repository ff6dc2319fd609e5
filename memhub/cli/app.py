"""How commands are built from Typer: one factory, lazy loading, and options that every command shares.

Typer carries its own Click, so Click is never imported. A command is a row in `commands.py`; its module loads when
the command runs, and `mh --help` loads none.
"""

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperCommand, TyperGroup, TyperOption
from typer.main import get_command

from memhub.cli.commands import COMMANDS, GROUPS
from memhub.errors import UsageError

if TYPE_CHECKING:
    from memhub.cli.session import Session

Context = typer.Context


def typer_app(help: str | None = None) -> typer.Typer:
    """The one way to make a Typer object: no Rich, no pretty tracebacks, no completion options of its own."""
    return typer.Typer(
        help=help,
        cls=Subgroup,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        add_completion=False,
        no_args_is_help=False,
        context_settings=_SETTINGS,
    )


_SETTINGS: dict[str, Any] = {"help_option_names": ["-h", "--help"]}


def _flag(setting: str) -> Callable[..., Any]:
    def keep(ctx: Any, param: Any, value: Any) -> None:
        if value is not None and ctx.obj is not None:
            ctx.obj.flags[setting] = value if is_path(param) else _readable(value)

    return keep


def _switch(apply: Callable[["Session"], None]) -> Callable[..., Any]:
    def keep(ctx: Any, param: Any, value: Any) -> None:
        if value and ctx.obj is not None:
            apply(ctx.obj)

    return keep


def _quiet(session: "Session") -> None:
    session.quiet = True


def _debug(session: "Session") -> None:
    session.debug = True


def _no_colour(session: "Session") -> None:
    session.flags["color"] = "never"


def _json(session: "Session") -> None:
    session.choose_format("json")


def _ndjson(session: "Session") -> None:
    session.choose_format("ndjson")


def _option(names: list[str], callback: Callable[..., Any], help: str, metavar: str | None = None) -> Any:
    return TyperOption(
        param_decls=names,
        callback=callback,
        help=help,
        metavar=metavar,
        is_flag=metavar is None,
        default=None,
        expose_value=False,
    )


JSON = _option(["--json"], _switch(_json), "Answer with one JSON document.")
NDJSON = _option(["--ndjson"], _switch(_ndjson), "Answer with one JSON record a line.")
SHARED = [
    _option(["--space"], _flag("space"), "Work in this space.", "NAME"),
    _option(["--db"], _flag("db"), "Use this database file.", "PATH"),
    _option(["--quiet", "-q"], _switch(_quiet), "Print ids alone; no notices."),
    _option(["--no-color"], _switch(_no_colour), "Print without colour."),
    _option(["--debug"], _switch(_debug), "Show where an error comes from."),
]


def is_path(param: Any) -> bool:
    """Whether an option or argument names a file."""
    return "PATH" in (param.metavar or "") or "FILE" in (param.metavar or "")


def _readable(value: Any) -> Any:
    """Bytes on the command line that are no UTF-8, as U+FFFD; a path keeps them, because files are called so."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return [_readable(one) for one in value] if isinstance(value, list | tuple) else value


class Plain(TyperCommand):
    """A command that answers with text alone."""

    formats: tuple[str, ...] = ()

    def __init__(self, *args: Any, **attrs: Any) -> None:
        super().__init__(*args, **attrs)
        chosen = {"json": JSON, "ndjson": NDJSON}
        self.params = [*self.params, *(chosen[name] for name in self.formats), *SHARED]

    def invoke(self, ctx: Any) -> Any:
        """Refuse a format that this command does not have, then run it."""
        session: Session = ctx.obj
        session.command = ctx.command_path.partition(" ")[2]
        if session.format not in ("text", *self.formats):
            raise UsageError(f"`mh {session.command}` has no `--{session.format}`")
        for param in self.params:
            if param.name in ctx.params and not is_path(param):
                ctx.params[param.name] = _readable(ctx.params[param.name])
        return super().invoke(ctx)


class Thing(Plain):
    """A command that answers with one thing."""

    formats = ("json",)


class Listing(Plain):
    """A command that answers with a list."""

    formats = ("json", "ndjson")


class Subgroup(TyperGroup):
    """A command with subcommands of its own."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """As Typer does, with one word on the nearest name."""
        if self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            raise unknown_command(args[0], list(self.commands), ctx.command_path)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Without a subcommand, name the ones there are."""
        if not ctx._protected_args:
            raise UsageError(f"`{ctx.command_path}` needs one of: {', '.join(self.commands)}")
        return super().invoke(ctx)


class Root(TyperGroup):
    """`mh` itself: commands come from the table and are imported when they run."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Every name, in the order of the table."""
        return [row.name for row in COMMANDS]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command called `cmd_name`, imported now, or None."""
        return load(cmd_name)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """As Typer does, with one word on the nearest name."""
        if not args[0].startswith("-") and args[0] not in self.list_commands(ctx):
            raise unknown_command(args[0], self.list_commands(ctx), "mh")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """The help lines of the table, by group, without importing a command."""
        for group in GROUPS:
            rows = [(row.name, row.help) for row in COMMANDS if row.group == group]
            with formatter.section(group):
                formatter.write_dl(rows)


def load(name: str) -> Any:
    """Import and build the command of the row called `name`; None when there is no such row."""
    row = next((row for row in COMMANDS if row.name == name), None)
    if row is None:
        return None
    module, _, attribute = row.target.partition(":")
    command = get_command(getattr(import_module(module), attribute))
    command.name = name
    return command


def root() -> Root:
    """The command `mh`."""
    version = TyperOption(
        param_decls=["--version"],
        is_flag=True,
        default=None,
        is_eager=True,
        expose_value=False,
        help="Print the version.",
    )
    version.callback = _version
    return Root(
        name="mh",
        help="A knowledge base for people who live in a terminal: one file, offline, instant, undoable.",
        params=[version, JSON, NDJSON, *SHARED],
        invoke_without_command=True,
        callback=_overview,
        rich_markup_mode=None,
        context_settings=_SETTINGS,
    )


def _version(ctx: Any, param: Any, value: Any) -> None:
    if value:
        # By name: the package offers `memhub.client` too, which the layers keep away from the command line.
        ctx.obj.output.line(f"mh {import_module('memhub').__version__}")
        raise typer.Exit


def _overview() -> None:
    """`mh` alone; with a command Click calls this too, so it does nothing then (see `run`)."""


def run(session: "Session") -> int:
    """Parse and run the command line of `session`; its exit code. Errors come out as exceptions."""
    group = root()
    if not session.argv:
        _without_command(session)
        return 0
    # Not Typer's `main`: that one answers interrupts, closed pipes and errors in its own words.
    try:
        with group.make_context("mh", list(session.argv), obj=session) as context:
            if not context._protected_args:  # options alone
                _without_command(session)
            else:
                group.invoke(context)
    except typer.Exit as done:
        return done.exit_code
    return session.exit_code


def _without_command(session: "Session") -> None:
    """`mh` alone gives an overview, for people; a program that asks for JSON forgot the command."""
    if session.format != "text":
        raise UsageError(f"`mh --{session.format}` needs a command", "`mh --help` lists the commands")
    from memhub.cli.help import overview

    overview(session)


def usage_error(error: Exception) -> UsageError | None:
    """Typer's complaint about a command line as ours; None when `error` is no such complaint."""
    if not isinstance(error, typer.TyperException):
        return UsageError("interrupted") if isinstance(error, typer.Abort) else None
    message = error.format_message().strip().rstrip(".")
    hint = None
    context = getattr(error, "ctx", None)
    wrong = getattr(error, "option_name", None)
    if wrong and message.startswith("No such option"):
        message = f"no such option `{wrong}`"
        hint = _option_hint(wrong, context)
    elif context is not None:
        hint = f"`{context.command_path} --help` shows how it is used"
    return UsageError(message[:1].lower() + message[1:], hint)


def _option_hint(wrong: str, context: Any) -> str | None:
    import difflib

    options = [name for param in context.command.params for name in param.opts] if context else []
    near = difflib.get_close_matches(wrong, options, 1, 0.6)
    if near:
        return f"did you mean `{near[0]}`?"
    path = context.command_path if context else "mh"
    return f"text that begins with a dash goes behind `--`: `{path} -- '{wrong}…'`"


def unknown_command(typed: str, names: Sequence[str], path: str) -> UsageError:
    """The complaint about a command that does not exist, with the nearest one."""
    import difflib

    near = difflib.get_close_matches(typed, names, 1, 0.6)
    hint = f"did you mean `{path} {near[0]}`?" if near else f"`{path} --help` lists the commands"
    return UsageError(f"no such command `{path} {typed}`", hint)
