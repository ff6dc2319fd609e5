"""`mh key`: keys of services, kept in the keyring and never shown."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from memhub import secrets
from memhub.cli.app import Context, Listing, Plain, typer_app
from memhub.cli.output import as_record

if TYPE_CHECKING:
    from memhub.cli.session import Session

app = typer_app("Store keys of services in the keyring.")

Name = Annotated[str, typer.Argument(metavar="NAME", help="The service, such as openai.")]


@app.command("set", cls=Plain)
def set_key(ctx: Context, name: Name) -> None:
    """Store a key, read from the terminal unseen or from stdin."""
    session = ctx.obj
    secrets.write_key(name, _value(session, name))
    session.diagnostics.notice(f"stored the key `{name}` in the keyring")


@app.command("rm", cls=Plain)
def remove(ctx: Context, name: Name) -> None:
    """Take a key out of the keyring."""
    secrets.remove_key(name)
    ctx.obj.diagnostics.notice(f"removed the key `{name}` from the keyring")


@app.command("list", cls=Listing)
def list_keys(ctx: Context) -> None:
    """List the keys there are and where each comes from, never their values."""
    session = ctx.obj
    session.output.things(
        secrets.list_keys(), as_record, lambda key: key.name if session.quiet else f"{key.name}  {key.origin}"
    )


def _value(session: "Session", name: str) -> str:
    if session.is_interactive:
        import getpass

        return getpass.getpass(f"{name}: ", sys.stderr).strip()
    from memhub.cli.read_input import stdin_bytes
    from memhub.text.decode import decode

    return decode(stdin_bytes()).strip()
