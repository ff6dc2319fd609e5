"""`mh config`: what the settings are, where each value comes from, and changing the file."""

from typing import TYPE_CHECKING, Annotated

import typer

from memhub import config as settings
from memhub.cli.app import Context, Listing, Plain, Thing, typer_app
from memhub.cli.output import as_record

if TYPE_CHECKING:
    from memhub.config import Value

app = typer_app("Show and change settings.")

Name = Annotated[str, typer.Argument(metavar="NAME", help="The setting, as `mh config show` names it.")]


@app.command("show", cls=Listing)
def show(ctx: Context) -> None:
    """Show every setting, its value and where that came from."""
    session = ctx.obj
    session.output.things(session.config.all(), as_record, _line)


@app.command("get", cls=Thing)
def get(ctx: Context, name: Name) -> None:
    """Print the value of one setting."""
    from memhub.text.clean import terminal_safe

    session = ctx.obj
    session.output.thing(session.config.find(name), as_record, lambda value: terminal_safe(str(value.value)))


@app.command("set", cls=Thing)
def set_value(
    ctx: Context, name: Name, value: Annotated[str, typer.Argument(metavar="VALUE", help="Its value.")]
) -> None:
    """Write one setting into the file."""
    session = ctx.obj
    setting = settings.known(name)
    settings.write(session.config.file, name, settings.parse(setting, value, "the command line"))
    session.output.thing(_now(name), as_record, _line)


@app.command("unset", cls=Thing)
def unset(ctx: Context, name: Name) -> None:
    """Take one setting out of the file."""
    session = ctx.obj
    settings.known(name)
    settings.write(session.config.file, name, None)
    session.output.thing(_now(name), as_record, _line)


@app.command("path", cls=Plain)
def path(ctx: Context) -> None:
    """Print where the settings file is. The keys (keys.toml) and themes of mh tui lie beside it."""
    ctx.obj.output.line(str(ctx.obj.config.file))


def _now(name: str) -> "Value":
    return settings.Config().find(name)


def _line(value: "Value") -> str:
    """The setting as the file would hold it, and where it came from; for `db` also which file an empty one means."""
    from memhub.paths import database_file
    from memhub.text.clean import terminal_safe

    place = terminal_safe(f"  ({database_file()})") if value.name == "db" and not value.value else ""
    return f"{_assigned(value)}{place}  # {value.origin}"


def _assigned(value: "Value") -> str:
    import json

    from memhub.text.clean import terminal_safe

    shown = value.value if isinstance(value.value, int) else json.dumps(value.value, ensure_ascii=False)
    return f"{value.name} = {terminal_safe(str(shown))}"
