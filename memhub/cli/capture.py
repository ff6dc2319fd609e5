"""`mh capture`: a chat turn or a whole conversation from standard input, kept at once and as it came."""

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from memhub.cli.app import Context, Thing, typer_app
from memhub.cli.output import Record
from memhub.errors import NotFoundError, UsageError

if TYPE_CHECKING:
    from memhub.cli.read_messages import Conversation
    from memhub.cli.session import Session
    from memhub.model.report import ThreadAdded
    from memhub.model.thread import Message, ThreadInfo

    Form = str
else:
    from typing import Literal

    Form = Literal["json", "text"]

app = typer_app()
_SHORTEST_ID = 6


@app.command(cls=Thing)
def capture(
    ctx: Context,
    thread: Annotated[
        str | None, typer.Option("--thread", metavar="ID|NAME", help="Go on with this conversation, or begin it.")
    ] = None,
    whole: Annotated[bool, typer.Option("--whole", help="These are all messages of it so far.")] = False,
    platform: Annotated[str | None, typer.Option("--platform", metavar="NAME", help="telegram, slack …")] = None,
    chat_type: Annotated[str | None, typer.Option("--chat-type", metavar="NAME", help="group, private …")] = None,
    chat_name: Annotated[
        str | None, typer.Option("--chat-name", metavar="NAME", help="What the chat is called.")
    ] = None,
    bot_name: Annotated[
        str | None, typer.Option("--bot-name", metavar="NAME", help="The speaker who is the assistant.")
    ] = None,
    title: Annotated[str | None, typer.Option("--title", "-t", metavar="TEXT", help="A title.")] = None,
    project: Annotated[str | None, typer.Option("--project", metavar="NAME", help="The project it belongs to.")] = None,
    request_id: Annotated[
        str | None, typer.Option("--request-id", metavar="ID", help="Capturing again with this id changes nothing.")
    ] = None,
    form: Annotated[
        Form | None, typer.Option("--form", help="json or text; whichever it is if not given.", show_default=False)
    ] = None,
) -> None:
    """Keep a conversation, or one turn of it, from stdin.

    JSON: a message, a list of messages, or an object with messages and what is known of the chat. Text: a line
    `[name] text` for each speaker. Keys and passwords are masked; mh judge draws what is worth knowing.
    """
    from memhub.cli.read_messages import FIELDS, conversation

    session = ctx.obj
    given = {
        "platform": platform, "chat_type": chat_type, "chat_name": chat_name, "bot_name": bot_name, "title": title,
        "project": project, "space": session.flags.get("space"), "request_id": request_id,
    }  # fmt: skip
    found = conversation(_stdin(session), form, session.zone, bot_name)
    fields: dict[str, Any] = {name: given[name] or found.fields.get(name) for name in FIELDS}
    if not found.messages:
        raise UsageError("no message with a text" if found.left_out else "no messages in it")
    messages, masked = _masked(_identified(found.messages, fields["request_id"]), found.places)
    added = _keep(session, messages, fields, thread or found.thread, whole or found.whole)
    _tell(session, found, masked)
    more = {"left_out": found.left_out, "masked": masked}
    session.output.thing(added, lambda one: _to_json(one) | more, lambda one: _line(session, one))
    session.judge_now([added.thread.id])


def _stdin(session: "Session") -> str:
    from memhub.cli.read_input import stdin_bytes
    from memhub.text.decode import decode

    if sys.stdin is not None and sys.stdin.isatty() and session.output.is_terminal:
        session.diagnostics.talk("reading from the terminal; Ctrl-D ends the conversation")
    return decode(stdin_bytes())


def _identified(messages: "list[Message]", request: str | None) -> "list[Message]":
    """With a request id, messages without an id of their own are known by their place in the request."""
    if not request:
        return messages
    return [
        message if message.id else message._replace(id=f"request:{request}#{number}")
        for number, message in enumerate(messages)
    ]


def _masked(messages: "list[Message]", places: list[str]) -> "tuple[list[Message], list[Record]]":
    """The messages without their secrets, and where there were which."""
    from memhub.text.redact import find_secrets, mask

    masked: list[Record] = []
    kept = []
    for message, place in zip(messages, places, strict=True):
        secrets = find_secrets(message.content)
        if secrets:
            masked.append({"where": place, "kinds": [secret.name for secret in secrets]})
            message = message._replace(content=mask(message.content))
        kept.append(message._replace(attrs={key: _without_secrets(value) for key, value in message.attrs.items()}))
    return kept, masked


def _without_secrets(value: Any) -> Any:
    from memhub.text.redact import mask

    if isinstance(value, dict):
        return {key: _without_secrets(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_without_secrets(part) for part in value]
    return mask(value) if isinstance(value, str) else value


def _keep(
    session: "Session", messages: "list[Message]", fields: dict[str, Any], thread: str | None, whole: bool
) -> "ThreadAdded":
    from memhub.cli import refs
    from memhub.model.thread import ThreadInfo

    request = fields.pop("request_id")
    if request and not any(message.at for message in messages):
        from memhub import stamp

        now = stamp.iso(stamp.now_ms())  # a turn with an id is not given the time of its arrival by itself
        messages = [message._replace(at=now) for message in messages]
    info = ThreadInfo(whole=whole)._replace(**fields)
    if thread and thread[:1] == "@":
        thread = refs.resolve_one(session, thread)
    if thread and len(thread) >= _SHORTEST_ID and thread.isascii() and thread.isalnum():
        numbered = [
            message if message.id or not whole else message._replace(id=f"#{number}")
            for number, message in enumerate(messages)
        ]
        try:
            return _add(session, numbered, info._replace(id=thread))
        except NotFoundError:
            pass  # then it is a name that a program has for it
    key = _key(info, thread, request)
    if whole and key is None:
        raise UsageError("`--whole` cannot know which conversation this is", "`--thread NAME` gives it a name")
    return _add(session, messages, info._replace(key=key))


def _add(session: "Session", messages: "list[Message]", info: "ThreadInfo") -> "ThreadAdded":
    added: ThreadAdded = session.memory.add_messages(messages, thread=info)
    return added


def _key(info: "ThreadInfo", thread: str | None, request: str | None) -> tuple[str, str, str] | None:
    """What makes a conversation the same one again: its name, else its chat, else the request. None: it is new.

    The parts after a newline can be no name, so that none of the three is taken for another.
    """
    from memhub.text.clean import one_line

    scope = info.platform or ""
    if thread:
        return "chat", scope, one_line(thread)
    if info.platform and info.chat_name:
        return "chat", scope, f"\n{info.chat_type or ''}\n{info.chat_name}"
    return ("chat", scope, f"\nrequest\n{request}") if request else None


def _tell(session: "Session", found: "Conversation", masked: list[Record]) -> None:
    for one in masked:
        kinds = ", ".join(dict.fromkeys(one["kinds"]))
        count = len(one["kinds"])
        session.diagnostics.notice(f"masked {count} secret{'' if count == 1 else 's'} in {one['where']} ({kinds})")
    if found.left_out:
        session.diagnostics.notice(
            f"left out {found.left_out} message{'' if found.left_out == 1 else 's'} without a text"
        )


def _to_json(added: "ThreadAdded") -> dict[str, Any]:
    from memhub.cli.thread import thread_to_json

    counts = {"status": "created" if added.added else "known", "added": added.added, "known": added.known}
    return thread_to_json(added.thread) | counts


def _line(session: "Session", added: "ThreadAdded") -> str:
    from memhub.cli.style import ID, paint
    from memhub.text.clean import fit, one_line, terminal_safe

    thread = added.thread
    if session.quiet:
        return thread.id
    short = session.memory.suffix([thread.id])[thread.id]
    counts = [f"{added.added} turn{'' if added.added == 1 else 's'}"] if added.added else []
    counts += [f"{added.known} known"] if added.known else []
    text = f"{', '.join(counts)}  {one_line(terminal_safe(thread.title))}"
    done = "captured" if added.added else "known"
    if session.output.columns is not None:
        text = fit(text, max(session.output.columns - len(short) - len(done) - 3, 10))
    return f"{done} {paint(short, ID) if session.output.colour else short}  {text}"
