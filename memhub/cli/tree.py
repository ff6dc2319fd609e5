"""The whole command line as data, for the completion scripts and the reference."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from memhub.cli.app import is_path, root


class Option(NamedTuple):
    """An option: its spellings, its help, whether it takes a value, and the values there are."""

    names: tuple[str, ...]
    help: str
    takes_value: bool
    choices: tuple[str, ...]
    is_path: bool


class Node(NamedTuple):
    """A command: the words after `mh` that reach it, its help line, options, and names of its subcommands."""

    path: tuple[str, ...]
    help: str
    options: tuple[Option, ...]
    children: tuple[tuple[str, str], ...]
    takes_files: bool


def nodes() -> Iterator[Node]:
    """Every command, `mh` itself first, parents before their children."""
    group = root()
    yield from _walk(group, group.make_context("mh", [], resilient_parsing=True), ())


def _walk(command: Any, context: Any, path: tuple[str, ...]) -> Iterator[Node]:
    names = command.list_commands(context) if hasattr(command, "get_command") else []
    children = [(name, command.get_command(context, name)) for name in names]
    params = [param for param in command.get_params(context) if not getattr(param, "hidden", False)]
    yield Node(
        path,
        _first_line(command),
        tuple(_option(param) for param in params if param.param_type_name == "option"),
        tuple((name, _first_line(child)) for name, child in children),
        any(param.param_type_name == "argument" and is_path(param) for param in params),
    )
    for name, child in children:
        yield from _walk(child, child.make_context(name, [], parent=context, resilient_parsing=True), (*path, name))


def _option(param: Any) -> Option:
    return Option(
        tuple(sorted((*param.opts, *param.secondary_opts), key=lambda name: not name.startswith("--"))),
        (param.help or "").split("\n")[0],
        not param.is_flag,
        tuple(getattr(param.type, "choices", ())),
        is_path(param),
    )


def _first_line(command: Any) -> str:
    return (command.help or "").strip().split("\n")[0]
