"""The reference pages as Markdown, made from the commands and the settings themselves."""

from memhub.cli.help import command_help
from memhub.cli.tree import nodes
from memhub.config import SETTINGS
from memhub.errors import EXIT_CODE_WORDS


def commands() -> str:
    """A section for every command with its help text."""
    sections = []
    for node in nodes():
        title = " ".join(("mh", *node.path))
        level = "##" if len(node.path) < 2 else "###"
        sections.append(f"{level} {title}\n\n```\n{command_help(list(node.path))}\n```\n")
    return "\n" + "\n".join(sections) + "\n"


def exit_codes() -> str:
    """The table of exit codes."""
    rows = [f"| {int(code)} | {words} |" for code, words in EXIT_CODE_WORDS.items()]
    return "\n".join(["", "| code | meaning |", "|---|---|", *rows, "", ""])


def settings() -> str:
    """The table of settings."""
    rows = []
    for setting in SETTINGS:
        kind = (
            " \\| ".join(setting.kind)
            if isinstance(setting.kind, tuple)
            else {str: "text", int: "number"}[setting.kind]
        )
        default = f"`{setting.default}`" if setting.default != "" else ""
        rows.append(f"| `{setting.name}` | `{setting.variable}` | {kind} | {default} | {setting.words} |")
    return "\n".join(
        ["", "| setting | environment | type | default | what it does |", "|---|---|---|---|---|", *rows, "", ""]
    )
